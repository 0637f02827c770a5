//! JSON functions on strings.

use serde_json::Value as Json;

use super::{Built, Given, Made};
use crate::problem::Result;
use crate::types::{BYTE, INT64, Type, UINT64};
use crate::value::Value;

pub(super) fn make(given: &Given<'_>) -> Made {
    let (ty, of): (Type, fn(Option<&Json>) -> Value) = match given.name {
        "JSONExtractString" => (Type::String, |json| match json {
            Some(Json::String(text)) => Value::text(text),
            _ => Value::text(""),
        }),
        "JSONExtractInt" => {
            (INT64, |json| Value::Int(json.and_then(Json::as_i64).unwrap_or(0).into()))
        }
        "JSONExtractUInt" => {
            (UINT64, |json| Value::Int(json.and_then(Json::as_u64).unwrap_or(0).into()))
        }
        "JSONExtractFloat" => {
            (Type::Float64, |json| Value::Float(json.and_then(Json::as_f64).unwrap_or(0.0)))
        }
        "JSONExtractBool" => {
            (Type::Bool, |json| Value::bool(json.and_then(Json::as_bool).unwrap_or(false)))
        }
        "JSONExtractRaw" => {
            (Type::String, |json| Value::text(json.map_or(String::new(), Json::to_string)))
        }
        "JSONHas" => (BYTE, |json| Value::bool(json.is_some())),
        "JSONLength" => (UINT64, |json| match json {
            Some(Json::Array(items)) => super::count(items.len()),
            Some(Json::Object(members)) => super::count(members.len()),
            _ => Value::Int(0),
        }),
        "isValidJSON" => (BYTE, |json| Value::bool(json.is_some())),
        _ => return None,
    };
    Some(build(given, ty, of))
}

fn build(given: &Given<'_>, ty: Type, of: fn(Option<&Json>) -> Value) -> Result<Built> {
    given.takes(1..=10)?;
    given.is_text(0)?;
    Built::new(ty, move |v| {
        let document: Option<Json> = serde_json::from_slice(v[0].bytes()).ok();
        let mut place = document.as_ref();
        for step in &v[1..] {
            place = place.and_then(|json| inside(json, step));
        }
        Ok(of(place))
    })
}

/// Returns a field by name, or an element by index. The first element has index 1.
fn inside<'a>(json: &'a Json, step: &Value) -> Option<&'a Json> {
    if let Value::Text(name) = step {
        return json.get(String::from_utf8_lossy(name).as_ref());
    }
    let n = step.int();
    let list: Vec<&Json> = match json {
        Json::Array(items) => items.iter().collect(),
        Json::Object(members) => members.values().collect(),
        _ => return None,
    };
    let size = i128::try_from(list.len()).unwrap_or(0);
    let at = if n < 0 { size + n } else { n - 1 };
    list.get(usize::try_from(at).ok()?).copied()
}
