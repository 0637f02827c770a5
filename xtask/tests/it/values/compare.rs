//! Compares a JSON value with the result of decoding and encoding it.
//!
//! Some changes are allowed. `null` may become an empty list. A field with `null` or an empty list may be omitted or
//! added, and a field with an empty map may be omitted. Numbers are equal if their values are equal, such as `1` and
//! `1.0`.

use serde_json::Value;

/// Returns the JSON pointer and a description of the first difference between `sent` and `back`. Returns `None` if
/// the values do not differ.
pub(crate) fn difference(sent: &Value, back: &Value) -> Option<String> {
    compare("", sent, back)
}

fn compare(place: &str, sent: &Value, back: &Value) -> Option<String> {
    let differs = || Some(format!("{place}: {} became {}", short(sent), short(back)));
    match (sent, back) {
        (Value::Object(ours), Value::Object(theirs)) => {
            for (name, value) in ours {
                let place = format!("{place}/{name}");
                match theirs.get(name) {
                    Some(back) => {
                        if let Some(found) = compare(&place, value, back) {
                            return Some(found);
                        }
                    }
                    None if is_empty(value) => {}
                    None => return Some(format!("{place}: {} is gone", short(value))),
                }
            }

            let added =
                theirs.iter().find(|(name, value)| !ours.contains_key(*name) && !is_nothing(value));
            added.map(|(name, value)| format!("{place}/{name}: {} was added", short(value)))
        }
        (Value::Array(ours), Value::Array(theirs)) if ours.len() == theirs.len() => {
            let mut items = ours.iter().zip(theirs).enumerate();
            items.find_map(|(index, (sent, back))| compare(&format!("{place}/{index}"), sent, back))
        }

        (Value::Number(ours), Value::Number(theirs)) if same(ours, theirs) => None,
        (Value::Null, back) if is_nothing(back) => None,
        _ if sent == back => None,
        _ => differs(),
    }
}

/// Returns true if two numbers have the same value. Integers are compared as integers, because different large
/// integers can be equal as floats.
fn same(ours: &serde_json::Number, theirs: &serde_json::Number) -> bool {
    let whole = |number: &serde_json::Number| {
        let fraction =
            number.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < 1e38);
        number.as_i128().or_else(|| fraction.map(|number| number as i128))
    };
    match (whole(ours), whole(theirs)) {
        (Some(ours), Some(theirs)) => ours == theirs,
        _ => ours.as_f64() == theirs.as_f64(),
    }
}

fn is_nothing(value: &Value) -> bool {
    value.is_null() || value.as_array().is_some_and(Vec::is_empty)
}

fn is_empty(value: &Value) -> bool {
    is_nothing(value) || value.as_object().is_some_and(serde_json::Map::is_empty)
}

fn short(value: &Value) -> String {
    value.to_string().chars().take(60).collect()
}
