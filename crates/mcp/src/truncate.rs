//! Truncates results to a token budget.
//!
//! The inputs are rows and a number of tokens. The output is the first rows that fit into the budget, and the index of
//! the first omitted row.

use crypto_intel_core::private::OrderedFields;
use serde_json::value::RawValue;

use crate::compact::{self, Fields, Table};
use crate::json::{Json, json_from_text, to_json};
use crate::tokens;

/// First rows of a list, truncated to a token budget.
#[derive(Debug)]
pub(crate) struct Cut {
    /// JSON of the rows: a list or a table. A table is a JSON object with the fields `columns` and `rows`.
    pub(crate) json: Json,
    /// Index of the first omitted row. `None` if all rows fit.
    pub(crate) next: Option<usize>,
    /// True if texts, lists or a single large row were shortened.
    pub(crate) shortened: bool,
}

/// Returns rows as compact JSON, in the format of tool results. Two or more objects become a table. If `is_list` is
/// false and there is one row, the result is a single object.
///
/// If `all_fields` is false, the result omits translations, pictures, and most opaque ids. If the rows of a table have
/// a field `id` or a field such as `market_id`, the table omits links too. The result contains the names of the omitted
/// fields. Long texts and lists in tables are shortened. If no column remains, for example because all objects
/// are equal, the result is a list of the objects, not a table.
///
/// ```
/// use serde_json::value::RawValue;
///
/// let row = |n: u8| RawValue::from_string(format!(r#"{{"n":{n},"chain":"base"}}"#)).unwrap();
/// let rows = [row(1), row(4), row(9)];
/// let json = crypto_intel_mcp::compact_rows(&rows, true, false);
/// assert_eq!(json.get(), r#"{"same_in_all_rows":{"chain":"base"},"columns":["n"],"rows":[1,4,9]}"#);
/// ```
#[must_use]
pub fn compact_rows(rows: &[Box<RawValue>], is_list: bool, all_fields: bool) -> Box<RawValue> {
    /// Token budget that no result exceeds. It can be doubled without an overflow.
    const UNLIMITED: usize = usize::MAX / 4;
    let fields = if all_fields { Fields::All } else { Fields::Informative };
    match rows {
        [only] if !is_list => single_value(only, fields, UNLIMITED).0,
        all => self::rows(all, fields, UNLIMITED).json,
    }
}

/// Possible limits for the length of lists inside a single value. The limits are tried in this order until the value
/// fits into the token budget.
const ROWS_INSIDE: &[usize] = &[usize::MAX, 64, 32, 16, 8, 4];

/// Maximum nesting depth of a value that is shortened. Deeper values are replaced by `…`.
const DEPTH: usize = 64;

/// Returns the first rows that fit into `budget` tokens. If not even the first row fits, returns this row in a
/// shortened form.
pub(crate) fn rows(rows: &[Json], fields: Fields, budget: usize) -> Cut {
    if let Some(table) = Table::new(rows, fields) {
        // The column names of wide rows can need more than the budget. A table with one row is then still the shortest
        // result.
        let taken = table.rows_within(budget).max(1);
        let json = table.json(taken);
        if tokens::estimate(json.get()) <= 2 * budget {
            let next = (taken < rows.len()).then_some(taken);
            return Cut { json, next, shortened: table.shortened };
        }
    }

    let short: Vec<Json>;
    let rows = match fields {
        Fields::All => rows,
        Fields::Informative => {
            let shorter =
                |row: &Json| compact::without_noise(row, usize::MAX).unwrap_or_else(|| row.clone());
            short = rows.iter().map(shorter).collect();
            &short
        }
    };
    let taken = take(rows.iter().map(|row| row.get()), budget);
    if taken == 0 && !rows.is_empty() {
        let (row, shortened) = single_value(&rows[0], fields, budget);
        let json = json_from_text(format!("[{row}]"));
        return Cut { json, next: (rows.len() > 1).then_some(1), shortened };
    }

    let body: Vec<_> = rows[..taken].iter().map(|row| row.get()).collect();
    let json = json_from_text(format!("[{}]", body.join(",")));
    Cut { json, next: (taken < rows.len()).then_some(taken), shortened: false }
}

/// Truncates a single value to `budget` tokens. The returned flag is true if the value was shortened because of the
/// budget. Long texts lose their end, and long lists lose their last items. A note such as `… (+12 items)` at the end
/// contains the number of missing characters or items. In a table, the field `rows_left_out` contains the number of
/// missing rows.
pub(crate) fn single_value(value: &RawValue, fields: Fields, budget: usize) -> (Json, bool) {
    let compact = |max_rows| {
        let compact = match fields {
            Fields::All => compact::with_tables(value, max_rows),
            Fields::Informative => compact::without_noise(value, max_rows),
        };
        compact.unwrap_or_else(|| value.to_owned())
    };
    // Lists inside the value are shortened first.
    let mut least = value.to_owned();
    for max_rows in ROWS_INSIDE {
        least = compact(*max_rows);
        if tokens::estimate(least.get()) <= budget {
            return (least, *max_rows != usize::MAX);
        }
    }

    // The limits are halved until the value fits. The last step leaves little more than the field names.
    let steps = std::iter::successors(Some((2048, 64)), |(text, items)| {
        (*text > 8).then_some((text / 2, (items / 2).max(1)))
    });
    let mut json = String::new();
    for (text, items) in steps {
        json = shorten(&least, text, items, DEPTH);
        if tokens::estimate(&json) <= budget {
            break;
        }
    }

    (json_from_text(json), true)
}

/// Shortens each text inside a value to `text` characters, and each list to `items` items. Numbers keep the digits that
/// the service sent. Values at the nesting depth `depth` are replaced by `…`.
fn shorten(value: &RawValue, text: usize, items: usize, depth: usize) -> String {
    if depth == 0 {
        return "\"…\"".to_owned();
    }
    let json = value.get();
    let below = |value: &RawValue| shorten(value, text, items, depth - 1);

    if let Ok(OrderedFields::<&RawValue>(members)) = serde_json::from_str(json) {
        let member = |(name, value): &(String, &RawValue)| {
            format!("{}:{}", to_json(name).get(), below(value))
        };
        return format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(","));
    }
    if let Ok(list) = serde_json::from_str::<Vec<&RawValue>>(json) {
        let mut short: Vec<_> = list.iter().take(items).map(|item| below(item)).collect();
        if list.len() > items {
            short.push(format!("\"… (+{} items)\"", list.len() - items));
        }
        return format!("[{}]", short.join(","));
    }
    if let Ok(long) = serde_json::from_str::<String>(json)
        && let Some((end, _)) = long.char_indices().nth(text)
    {
        let rest = long[end..].chars().count();
        return to_json(&format!("{}… (+{rest} characters)", &long[..end])).get().to_owned();
    }
    // A text with an unpaired surrogate cannot be decoded. A large one is replaced.
    if json.len() > 8 * text { "\"…\"".to_owned() } else { json.to_owned() }
}

/// Returns the number of texts at the start of `texts` that together fit into `budget` tokens.
fn take<'a>(texts: impl Iterator<Item = &'a str>, budget: usize) -> usize {
    let mut left = budget;
    texts
        .take_while(|text| {
            let cost = tokens::estimate(text) + 1;
            let fits = cost <= left;
            left = left.saturating_sub(cost);
            fits
        })
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(texts: &[&str]) -> Vec<Json> {
        texts.iter().map(|text| json_from_text((*text).to_owned())).collect()
    }

    #[test]
    fn objects_become_a_table_and_other_values_stay_a_list() {
        let equal = list(&[r#"{"a":1,"b":"x"}"#, r#"{"b":"y","a":2.50}"#, r#"{"a":3,"b":null}"#]);
        let cut = rows(&equal, Fields::All, 1000);
        assert_eq!(cut.json.get(), r#"{"columns":["a","b"],"rows":[[1,"x"],[2.50,"y"],[3,null]]}"#);

        let unequal = list(&[r#"{"a":1}"#, r#"{"b":2}"#, r#"{"a":3}"#]);
        let cut = rows(&unequal, Fields::All, 1000);
        assert_eq!(cut.json.get(), r#"{"columns":["a","b"],"rows":[[1,null],[null,2],[3,null]]}"#);

        let plain = list(&["1", "2", "3"]);
        assert_eq!(rows(&plain, Fields::All, 1000).json.get(), "[1,2,3]");
    }

    #[test]
    fn a_cut_leads_on_until_every_row_was_seen() {
        let texts: Vec<_> =
            (0..200).map(|n| format!(r#"{{"number":{n},"name":"row {n}"}}"#)).collect();
        let all: Vec<Json> = texts.into_iter().map(json_from_text).collect();
        let (mut from, mut seen) = (0, 0);
        loop {
            let cut = rows(&all[from..], Fields::All, 300);
            assert!(tokens::estimate(cut.json.get()) <= 310, "{}", cut.json.get());
            seen += cut.next.unwrap_or(all.len() - from);
            match cut.next {
                Some(next) => from += next,
                None => break,
            }
        }
        assert_eq!(seen, 200);
    }

    #[test]
    fn a_row_that_is_too_large_is_shortened_and_says_so() {
        let long =
            json_from_text(format!(r#"{{"text":"{}","list":{:?}}}"#, "é".repeat(5000), [7; 500]));
        let cut = rows(&[long], Fields::All, 200);
        assert!(cut.shortened && tokens::estimate(cut.json.get()) <= 220);
        assert!(cut.json.get().contains("characters)") && cut.json.get().contains("items)"));
    }

    #[test]
    fn a_shortened_value_keeps_its_digits_and_the_order_of_its_fields() {
        let json =
            format!(r#"{{"z":{{"raw":123456789012345678901.50}},"a":"{}"}}"#, "x".repeat(9000));
        let (short, shortened) = single_value(&json_from_text(json), Fields::All, 100);
        assert!(shortened);
        assert!(
            short.get().starts_with(r#"{"z":{"raw":123456789012345678901.50},"a":"xxx"#),
            "{short}"
        );
    }

    #[test]
    fn lists_inside_a_value_keep_all_fields_if_all_are_requested() {
        let row = |n: u8| {
            format!(r#"{{"n":{n},"logo":"https://a.b/{n}.png","text":"{}"}}"#, "x".repeat(500))
        };
        let json = json_from_text(format!(r#"{{"rows":[{},{}]}}"#, row(1), row(2)));
        let (all, shortened) = single_value(&json, Fields::All, 10_000);
        assert!(!shortened && all.get().contains("2.png") && all.get().contains(&"x".repeat(500)));
        let (informative, _) = single_value(&json, Fields::Informative, 10_000);
        assert!(!informative.get().contains("2.png"));
    }

    #[test]
    fn deeply_nested_values_are_cut_off() {
        let json = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
        let (short, shortened) = single_value(&json_from_text(json), Fields::All, 100);
        assert!(shortened && short.get().contains('…') && short.get().len() < 200, "{short}");

        let text = format!(r#"{{"text":"\ud800{}"}}"#, "x".repeat(9000));
        let (short, _) = single_value(&json_from_text(text), Fields::All, 100);
        assert_eq!(short.get(), r#"{"text":"…"}"#);
    }
}
