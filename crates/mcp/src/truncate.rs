//! Truncates results to a token budget.

use serde::de::{Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::tokens;

/// JSON text with the digits of the service.
pub(crate) type Json = Box<RawValue>;

/// Rows that fit a token budget.
#[derive(Debug)]
pub(crate) struct Cut {
    /// The rows as JSON: a list, or a table of columns and rows.
    pub(crate) json: Json,
    /// Index of the first row that is left out; `None` if all rows fit.
    pub(crate) next: Option<usize>,
    /// Whether a single row was too large and had to be shortened.
    pub(crate) shortened: bool,
}

/// Minimum number of rows for which a table is shorter than a list of objects.
const TABLE: usize = 3;

/// Returns the first rows that fit `budget` tokens, and at least one, which is shortened if
/// necessary.
pub(crate) fn rows(rows: &[Json], budget: usize) -> Cut {
    if let Some((columns, cells)) = table(rows) {
        let head = tokens::estimate(&columns) + 12;
        let taken = take(cells.iter().map(String::as_str), budget.saturating_sub(head));
        if taken > 0 {
            let body = cells[..taken].join(",");
            let json = json_from_text(format!(r#"{{"columns":{columns},"rows":[{body}]}}"#));
            return Cut { json, next: (taken < rows.len()).then_some(taken), shortened: false };
        }
    }

    let taken = take(rows.iter().map(|row| row.get()), budget);
    if taken == 0 && !rows.is_empty() {
        let (row, shortened) = one(&rows[0], budget);
        let json = json_from_text(format!("[{row}]"));
        return Cut { json, next: (rows.len() > 1).then_some(1), shortened };
    }

    let body: Vec<_> = rows[..taken].iter().map(|row| row.get()).collect();
    let json = json_from_text(format!("[{}]", body.join(",")));
    Cut { json, next: (taken < rows.len()).then_some(taken), shortened: false }
}

/// Returns a value within `budget` tokens, and whether it was shortened. Long texts lose their end
/// and long lists their last items; each says how much is missing.
pub(crate) fn one(value: &RawValue, budget: usize) -> (Json, bool) {
    if tokens::estimate(value.get()) <= budget {
        return (value.to_owned(), false);
    }

    let whole: serde_json::Value = serde_json::from_str(value.get()).unwrap_or_default();
    // The limits are halved until the value fits. The last step leaves little more than names.
    let steps = std::iter::successors(Some((2048, 64)), |(text, items)| {
        (*text > 8).then_some((text / 2, (items / 2).max(1)))
    });
    let mut json = String::new();
    for (text, items) in steps {
        json = shorten(&whole, text, items).to_string();
        if tokens::estimate(&json) <= budget {
            break;
        }
    }

    (json_from_text(json), true)
}

fn shorten(value: &serde_json::Value, text: usize, items: usize) -> serde_json::Value {
    use serde_json::Value;

    match value {
        Value::String(long) => match long.char_indices().nth(text) {
            None => value.clone(),
            Some((end, _)) => {
                let rest = long[end..].chars().count();
                Value::String(format!("{}… (+{rest} characters)", &long[..end]))
            }
        },
        Value::Array(list) => {
            let mut short: Vec<_> =
                list.iter().take(items).map(|item| shorten(item, text, items)).collect();
            if list.len() > items {
                short.push(Value::String(format!("… (+{} items)", list.len() - items)));
            }
            Value::Array(short)
        }
        Value::Object(members) => members
            .iter()
            .map(|(name, member)| (name.clone(), shorten(member, text, items)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        plain => plain.clone(),
    }
}

/// Counts the texts that fit, from the first one.
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

/// Columns and rows of objects that all have the same fields, so that each name is written once.
fn table(rows: &[Json]) -> Option<(String, Vec<String>)> {
    if rows.len() < TABLE {
        return None;
    }

    let first: Members<'_> = serde_json::from_str(rows.first()?.get()).ok()?;
    let names: Vec<_> = first.0.iter().map(|(name, _)| name.clone()).collect();
    let cells = rows.iter().map(|row| {
        let Members(members) = serde_json::from_str(row.get()).ok()?;
        let cells: Option<Vec<_>> = (members.len() == names.len()).then(|| {
            let cell = |name: &String| {
                members.iter().find(|(known, _)| known == name).map(|(_, cell)| cell.get())
            };
            names.iter().map(cell).collect::<Option<Vec<_>>>()
        })?;
        Some(format!("[{}]", cells?.join(",")))
    });

    let cells = cells.collect::<Option<Vec<_>>>()?;
    (!names.is_empty()).then(|| Some((serde_json::to_string(&names).ok()?, cells)))?
}

/// Wraps text that was built as JSON. Invalid JSON becomes `null`, so that no broken text is sent.
pub(crate) fn json_from_text(json: String) -> Json {
    RawValue::from_string(json).unwrap_or_else(|_| to_json(&()))
}

/// Serializes a value as JSON text.
pub(crate) fn to_json(value: &impl Serialize) -> Json {
    // Plain data always serializes.
    serde_json::value::to_raw_value(value).unwrap_or_default()
}

/// Fields of an object in their order.
pub(crate) struct Members<'a>(pub(crate) Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader<'a>(std::marker::PhantomData<&'a ()>);

        impl<'de: 'a, 'a> Visitor<'de> for Reader<'a> {
            type Value = Members<'a>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'a>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(Reader(std::marker::PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(texts: &[&str]) -> Vec<Json> {
        texts.iter().map(|text| json_from_text((*text).to_owned())).collect()
    }

    #[test]
    fn equal_rows_become_a_table_and_others_stay_objects() {
        let equal = list(&[r#"{"a":1,"b":"x"}"#, r#"{"b":"y","a":2.50}"#, r#"{"a":3,"b":null}"#]);
        let cut = rows(&equal, 1000);
        assert_eq!(cut.json.get(), r#"{"columns":["a","b"],"rows":[[1,"x"],[2.50,"y"],[3,null]]}"#);

        let unequal = list(&[r#"{"a":1}"#, r#"{"b":2}"#, r#"{"a":3}"#]);
        assert_eq!(rows(&unequal, 1000).json.get(), r#"[{"a":1},{"b":2},{"a":3}]"#);
    }

    #[test]
    fn a_cut_leads_on_until_every_row_was_seen() {
        let texts: Vec<_> =
            (0..200).map(|n| format!(r#"{{"number":{n},"name":"row {n}"}}"#)).collect();
        let all: Vec<Json> = texts.into_iter().map(json_from_text).collect();
        let (mut from, mut seen) = (0, 0);
        loop {
            let cut = rows(&all[from..], 300);
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
        let cut = rows(&[long], 200);
        assert!(cut.shortened && tokens::estimate(cut.json.get()) <= 220);
        assert!(cut.json.get().contains("characters)") && cut.json.get().contains("items)"));
    }
}
