//! Options `--where` and `--sort`: select rows by conditions and sort them.
//!
//! The input is the rows that were read. The output is the selected rows, sorted and otherwise unchanged.

use std::cmp::Ordering;

use crypto_intel::catalogue::{RecordRow, Type};

use super::fields::Path;
use super::node::Node;
use crate::failure::Failure;
use crate::settings::moment;

/// Conditions of `--where` and sort keys of `--sort`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Selection {
    conditions: Vec<Condition>,
    keys: Vec<SortKey>,
}

/// Condition of `--where`: a comparison of a field with a value, such as `price_usd>100`.
#[derive(Debug, Clone)]
struct Condition {
    path: Path,
    operator: &'static str,
    value: String,
    /// The number in `value`, or the Unix seconds of the time in `value`, such as `2026-05-28` or `-7d`. `None` if
    /// `value` is neither a number nor a time.
    number: Option<f64>,
}

/// Sort key: a field and its direction.
#[derive(Debug, Clone)]
struct SortKey {
    path: Path,
    descending: bool,
}

/// Comparison operators of `--where`. Longer operators come first, so that `>=` is not parsed as `>`.
const OPERATORS: &[&str] = &["!=", ">=", "<=", "=", ">", "<", "~"];

impl Selection {
    /// Parses the conditions of `--where` and the fields of `--sort`. Relative times such as `-7d` are relative
    /// to `now`, a time in Unix seconds.
    pub(crate) fn parse<'a>(
        conditions: impl Iterator<Item = &'a str>,
        sort: Option<&str>,
        now: i64,
    ) -> Result<Self, Failure> {
        let conditions = conditions.map(|text| Condition::parse(text, now));
        let keys = sort.into_iter().flat_map(|list| list.split(',')).map(|field| {
            let name = field.trim();
            let (descending, name) = match name.strip_prefix('-') {
                Some(rest) => (true, rest),
                None => (false, name),
            };
            Ok(SortKey { path: Path::parse(name)?, descending })
        });
        Ok(Selection {
            conditions: conditions.collect::<Result<_, Failure>>()?,
            keys: keys.collect::<Result<_, Failure>>()?,
        })
    }

    /// Returns true if there are neither conditions nor sort keys.
    pub(crate) fn is_empty(&self) -> bool {
        self.conditions.is_empty() && self.keys.is_empty()
    }

    /// Rejects fields that the record does not have, and conditions that compare a numeric field with a text.
    pub(crate) fn check(&self, record: &'static RecordRow) -> Result<(), Failure> {
        self.conditions.iter().try_for_each(|condition| condition.check(record))?;
        self.keys.iter().try_for_each(|key| key.path.check(record).map(drop))
    }

    /// Returns the rows that meet all conditions, sorted by the sort keys. Rows without a value for a sort key come
    /// last.
    pub(crate) fn apply<T: AsRef<str>>(&self, rows: Vec<T>) -> Vec<T> {
        if self.is_empty() {
            return rows;
        }
        let mut rows: Vec<(Node, T)> =
            rows.into_iter().map(|row| (Node::parse(row.as_ref()), row)).collect();
        rows.retain(|(row, _)| self.conditions.iter().all(|condition| condition.matches(row)));
        // The sort is stable: rows with equal keys stay in their order.
        rows.sort_by(|(a, _), (b, _)| {
            let compared = self.keys.iter().map(|key| key.compare(a, b));
            compared.fold(Ordering::Equal, Ordering::then)
        });
        rows.into_iter().map(|(_, row)| row).collect()
    }
}

impl Condition {
    fn parse(text: &str, now: i64) -> Result<Self, Failure> {
        let found = text.char_indices().find_map(|(place, _)| {
            let operator =
                OPERATORS.iter().find(|operator| text[place..].starts_with(**operator))?;
            Some((place, *operator))
        });
        let Some((place, operator)) = found else {
            return Err(Failure::usage(format!("`--where {text}` has no comparison")).next(
                "write FIELD, one of = != > >= < <= ~ (contains), and a value: `--where 'price_usd>100'`",
            ));
        };
        let value = text[place + operator.len()..].trim().to_owned();
        let time = || moment(&value, now).ok().map(|seconds| seconds as f64);
        let number = value.parse().ok().or_else(time);
        Ok(Condition { path: Path::parse(text[..place].trim())?, operator, value, number })
    }

    fn check(&self, record: &'static RecordRow) -> Result<(), Failure> {
        let ty = self.path.check(record)?;
        let is_number =
            matches!(ty, Some(Type::Integer | Type::Number | Type::UnixSeconds | Type::UnixMillis));
        if !is_number || self.number.is_some() || self.operator == "~" || self.value == "null" {
            return Ok(());
        }
        let Condition { path, value, .. } = self;
        Err(Failure::usage(format!("`--where`: field `{path}` is a number, but `{value}` is not"))
            .next("write a number without a unit; for a time, you can also write a date, yesterday or -7d"))
    }

    fn matches(&self, row: &Node) -> bool {
        let found = self.path.value(row);
        let Some(found) = found.filter(|found| !matches!(found, Node::Null)) else {
            // A missing value equals `null` only. Comparisons other than `=` and `!=` are false for it.
            return match self.operator {
                "=" => self.value == "null",
                "!=" => self.value != "null",
                _ => false,
            };
        };
        if self.operator == "~" {
            return text(&found).to_lowercase().contains(&self.value.to_lowercase());
        }

        let order = match (number(&found), self.number) {
            (Some(found), Some(wanted)) => found.partial_cmp(&wanted),
            _ => Some(text(&found).to_lowercase().cmp(&self.value.to_lowercase())),
        };
        match self.operator {
            "=" => order == Some(Ordering::Equal),
            "!=" => order != Some(Ordering::Equal),
            ">" => order == Some(Ordering::Greater),
            ">=" => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
            "<" => order == Some(Ordering::Less),
            _ => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        }
    }
}

impl SortKey {
    fn compare(&self, a: &Node, b: &Node) -> Ordering {
        let value = |row| self.path.value(row).filter(|value| !value.is_empty());
        let (a, b) = match (value(a), value(b)) {
            (Some(a), Some(b)) => (a, b),
            (a, b) => return a.is_none().cmp(&b.is_none()),
        };
        let order = match (number(&a), number(&b)) {
            (Some(a), Some(b)) => a.total_cmp(&b),
            _ => text(&a).cmp(&text(&b)),
        };
        if self.descending { order.reverse() } else { order }
    }
}

/// Converts a JSON value to a number for comparisons. The value may be a number, a string that contains a number, or a
/// date. A date becomes Unix seconds.
fn number(value: &Node) -> Option<f64> {
    match value {
        Node::Text(text) => {
            let number = text.parse().ok().filter(|number: &f64| number.is_finite());
            number.or_else(|| moment(text, 0).ok().map(|seconds| seconds as f64))
        }
        other => other.number(),
    }
}

fn text(value: &Node) -> String {
    match value {
        Node::Text(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: [&str; 4] = [
        r#"{"k":"b","v":2,"at":1780000000}"#,
        r#"{"k":"a","v":10,"at":1779900000}"#,
        r#"{"k":"Abc","v":null,"at":1770000000}"#,
        r#"{"k":"c","v":{"value":3,"status":"available"}}"#,
    ];

    fn keys(conditions: &[&str], sort: Option<&str>) -> String {
        let selection =
            Selection::parse(conditions.iter().copied(), sort, 1_780_000_000).expect("valid");
        let rows = selection.apply(ROWS.to_vec());
        let name = |row: &&str| text(Node::parse(row).member("k").expect("a name"));
        rows.iter().map(name).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn conditions_select_rows_and_sort_orders_them() {
        for (conditions, sort, expected) in [
            (&["v>2"][..], None, "a c"),
            (&["v>=2", "k!=c"], None, "b a"),
            (&["k~A"], None, "a Abc"),
            (&["v=null"], None, "Abc"),
            (&["v!=2"], None, "a Abc c"),
            (&["at>=-2d"], None, "b a"),
            (&["at<yesterday"], None, "Abc"),
            (&["nothing=1"], None, ""),
            (&[], Some("v"), "b c a Abc"),
            (&[], Some("-v"), "a c b Abc"),
            (&["v>0"], Some("-k"), "c b a"),
        ] {
            assert_eq!(keys(conditions, sort), expected, "{conditions:?} {sort:?}");
        }
        for wrong in ["v", "=1", "", "a..b>1"] {
            assert!(Selection::parse([wrong].into_iter(), None, 0).is_err(), "{wrong}");
        }
    }
}
