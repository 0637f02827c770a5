//! Writes single JSON objects with few tokens.

use crypto_intel_core::private::OrderedFields;
use serde_json::value::RawValue;

use super::informative::{
    is_accepted, is_opaque_id, is_other_language, is_picture_or_link, plain_number,
};
use super::{Fields, Table};
use crate::flatten::figure;
use crate::json::{Json, json_from_text, to_json};

/// Maximum nesting depth of objects that are shortened. Deeper objects are not shortened.
const DEPTH: usize = 8;
/// Minimum number of null fields that are replaced by `null_fields`, a list of their names. If an object has fewer
/// null fields, the list would be longer than the fields.
const MIN_NULL_FIELDS: usize = 4;

/// Writes a JSON object with all of its fields. Each list of two or more objects is written as a table with at most
/// `max_rows` rows. Returns `None` if `value` is not an object.
pub(crate) fn with_tables(value: &RawValue, max_rows: usize) -> Option<Json> {
    let OrderedFields::<&RawValue>(members) = serde_json::from_str(value.get()).ok()?;
    let shown = members.iter().map(|(name, value)| {
        let json = table(value, Fields::All, max_rows).unwrap_or_else(|| (*value).to_owned());
        format!("{}:{}", to_json(name).get(), json.get())
    });
    let body = shown.collect::<Vec<_>>().join(",");
    RawValue::from_string(format!("{{{body}}}")).ok()
}

fn table(value: &RawValue, fields: Fields, max_rows: usize) -> Option<Json> {
    let rows: Vec<Json> = serde_json::from_str(value.get()).ok()?;
    Table::new(&rows, fields).map(|table| table.cut_json(max_rows))
}

/// Writes a JSON object with few tokens. Pictures, translations, and opaque ids that no operation accepts are omitted.
/// A metric of a financial statement is reduced to its value or status. Many null fields are replaced by one list of
/// their names. Lists of objects become tables. Tables and other lists are cut to `max_rows` entries. Returns `None` if
/// `value` is not an object.
pub(crate) fn without_noise(value: &RawValue, max_rows: usize) -> Option<Json> {
    object(value, Limits { depth: DEPTH, max_rows }).map(json_from_text)
}

/// Limits for the nested values of an object: the nesting depth, and the number of rows of a table.
#[derive(Clone, Copy)]
struct Limits {
    depth: usize,
    max_rows: usize,
}

impl Limits {
    fn below(self) -> Self {
        Limits { depth: self.depth - 1, ..self }
    }
}

fn object(value: &RawValue, limits: Limits) -> Option<String> {
    let members: OrderedFields<&RawValue> = serde_json::from_str(value.get()).ok()?;
    if let Some((value, status)) = figure(&members) {
        return Some(if value == "null" { status } else { plain_number(value) }.to_owned());
    }

    let has_english = members.0.iter().any(|(name, _)| name == "en");
    let (mut shown, mut null, mut left_out) = (Vec::new(), Vec::new(), Vec::new());
    for (name, value) in &members.0 {
        let is_translation = has_english && is_other_language(name);
        if value.get() == "null" {
            null.push(name);
        } else if is_translation || is_noise(name, value.get()) {
            left_out.push(name);
        } else {
            shown.push(format!("{}:{}", to_json(name).get(), shorter(value, limits.below())));
        }
    }

    match null.len() {
        0..MIN_NULL_FIELDS => {
            shown.extend(null.iter().map(|name| format!("{}:null", to_json(name).get())));
        }
        _ => shown.push(format!("\"null_fields\":{}", to_json(&null).get())),
    }
    if !left_out.is_empty() {
        shown.push(format!("\"left_out\":{}", to_json(&left_out).get()));
    }
    Some(format!("{{{}}}", shown.join(",")))
}

/// Returns true for fields with pictures, and for opaque ids that no operation accepts as an argument.
fn is_noise(name: &str, value: &str) -> bool {
    let values = [value.to_owned()];
    is_picture_or_link(name, &values, false) || (is_opaque_id(&values) && !is_accepted(name))
}

fn shorter(value: &RawValue, limits: Limits) -> String {
    if limits.depth == 0 {
        return value.get().to_owned();
    }
    let Ok(items) = serde_json::from_str::<Vec<&RawValue>>(value.get()) else {
        return object(value, limits).unwrap_or_else(|| plain_number(value.get()).to_owned());
    };
    if let Some(table) = table(value, Fields::Informative, limits.max_rows) {
        return table.get().to_owned();
    }

    let shown = items.iter().take(limits.max_rows);
    let mut shown: Vec<_> = shown.map(|item| shorter(item, limits.below())).collect();
    if shown.len() < items.len() {
        shown.push(format!("\"… (+{} items)\"", items.len() - shown.len()));
    }
    format!("[{}]", shown.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn object_is_written_without_pictures_and_with_figures_as_values() {
        let short = |json: &str| {
            let value = json_from_text(json.to_owned());
            without_noise(&value, usize::MAX).map(|json| json.get().to_owned())
        };

        for (json, expected) in [
            (r#"{"a":1.50,"b":5.0}"#, r#"{"a":1.50,"b":5}"#),
            (r#"{"a":null,"b":"x"}"#, r#"{"b":"x","a":null}"#),
            (
                r#"{"a":null,"b":null,"c":null,"d":null,"e":1}"#,
                r#"{"e":1,"null_fields":["a","b","c","d"]}"#,
            ),
            (
                r#"{"logo":"https://x.example/l.png","name":{"en":"N","de":"M"}}"#,
                r#"{"name":{"en":"N","left_out":["de"]},"left_out":["logo"]}"#,
            ),
            (
                r#"{"revenue":{"value":12.50,"status":"available","codes":[]},"ebit":{"value":null,"status":"missing"}}"#,
                r#"{"revenue":12.50,"ebit":"missing"}"#,
            ),
            (
                r#"{"list":[{"a":1},{"a":2},{"a":4}]}"#,
                r#"{"list":{"columns":["a"],"rows":[1,2,4]}}"#,
            ),
        ] {
            assert_eq!(short(json).as_deref(), Some(expected));
        }

        let value = json_from_text(r#"{"list":[{"a":1},{"a":2},{"a":4}],"n":[1,2,3]}"#.to_owned());
        let cut = without_noise(&value, 2).expect("an object");
        let expected =
            r#"{"list":{"columns":["a"],"rows":[1,2],"rows_left_out":1},"n":[1,2,"… (+1 items)"]}"#;
        assert_eq!(cut.get(), expected);
        assert_eq!(short("[1]"), None);
        let deep = format!("{}{}", "{\"a\":".repeat(5000), "1") + &"}".repeat(5000);
        assert!(short(&deep).is_some_and(|json| json.contains("{\"a\":{\"a\":")));
    }
}
