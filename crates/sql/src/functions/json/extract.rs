//! Conversion of JSON values to SQL values.
//!
//! The inputs are a JSON value and a type. The output is a value of this type, or `None` if the JSON value cannot be
//! converted.

use super::tree::Json;
use crate::problem::{Problem, Result};
use crate::text;
use crate::types::Type;
use crate::value::{Value, default};

/// Returns an error if JSON values cannot be converted to the type.
pub(super) fn can(ty: &Type) -> Result<()> {
    match ty {
        Type::Nullable(of) | Type::LowCardinality(of) | Type::Array(of) => can(of),
        Type::Tuple(members) => members.iter().try_for_each(|(_, ty)| can(ty)),
        Type::Map(key, of) if **key == Type::String => can(of),
        Type::Nothing | Type::Interval(_) | Type::Map(..) | Type::DateTime64(..) | Type::Date32 => {
            Err(Problem::text(format!("JSON cannot be converted to {ty}")))
        }
        Type::Int { bits: 128 | 256, .. } => {
            Err(Problem::text(format!("JSON cannot be converted to {ty}")))
        }
        _ => Ok(()),
    }
}

/// Converts a JSON value to a value of the type `ty`. Returns `None` if the JSON value cannot be converted, for example
/// a JSON object to UInt8.
pub(super) fn extract(json: &Json, ty: &Type) -> Option<Value> {
    match (ty, json) {
        (Type::Nullable(_), Json::Null) => Some(Value::Null),
        (Type::Nullable(of), json) => Some(extract(json, of).unwrap_or(Value::Null)),
        (Type::LowCardinality(of), json) => extract(json, of),

        (Type::Array(of), Json::Array(items)) => {
            let item = |json: &Json| extract(json, of).unwrap_or_else(|| default(of));
            Some(Value::list(items.iter().map(item).collect()))
        }
        (Type::Tuple(members), json) => tuple(members, json),
        (Type::Map(_, of), Json::Object(members)) => {
            let pair = |(key, json): &(String, Json)| {
                let value = extract(json, of).unwrap_or_else(|| default(of));
                Value::list(vec![Value::text(key), value])
            };
            Some(Value::list(members.iter().map(pair).collect()))
        }

        (_, Json::Null) => None,
        (Type::String, Json::Text(text)) => Some(Value::text(text)),
        (Type::String, json) => Some(Value::text(json.text())),
        (Type::FixedString(size), Json::Text(text)) if text.len() <= *size => {
            let mut bytes = text.as_bytes().to_vec();
            bytes.resize(*size, 0);
            Some(Value::Text(bytes.into()))
        }
        (Type::Bool, Json::Bool(truth)) => Some(Value::bool(*truth)),
        (Type::Bool, Json::Int(number)) => Some(Value::bool(*number != 0)),
        (ty, Json::Text(text)) if !ty.is_number() => text::read(text.as_bytes(), ty).ok(),
        (Type::DateTime(_), Json::Int(time)) if u32::try_from(*time).is_ok() => {
            Some(Value::Int(*time))
        }
        (ty, json) if ty.is_number() && *ty != Type::Bool => number(json, ty),
        _ => None,
    }
}

fn tuple(members: &[(Option<String>, Type)], json: &Json) -> Option<Value> {
    let find = |at: usize, name: &Option<String>| match (json, name) {
        (Json::Object(all), Some(name)) => {
            all.iter().find(|(key, _)| key == name).map(|(_, json)| json)
        }
        (Json::Object(all), None) => all.get(at).map(|(_, json)| json),
        (Json::Array(items), _) => items.get(at),
        _ => None,
    };
    if !matches!(json, Json::Object(_) | Json::Array(_)) {
        return None;
    }
    let member = |(at, (name, ty)): (usize, &(Option<String>, Type))| {
        find(at, name).and_then(|json| extract(json, ty)).unwrap_or_else(|| default(ty))
    };
    Some(Value::list(members.iter().enumerate().map(member).collect()))
}

/// Converts a JSON value to a value of a number type. The JSON value can be a number or a string that contains a
/// number. For integers and floats, it can also be a Boolean (`true` becomes 1).
fn number(json: &Json, ty: &Type) -> Option<Value> {
    let given = match json {
        Json::Bool(truth) => Json::Int((*truth).into()),
        Json::Int(number) => Json::Int(*number),
        Json::Float(number) => Json::Float(*number),
        Json::Text(text) => match text.parse::<i128>() {
            Ok(number) => Json::Int(number),
            Err(_) => Json::Float(text::read_float(text)?),
        },
        _ => return None,
    };

    match (ty, given) {
        (Type::Float64, Json::Int(number)) => Some(Value::Float(Value::Int(number).float())),
        (Type::Float64, Json::Float(number)) => Some(Value::Float(number)),
        (Type::Int { bits, signed }, Json::Int(number)) => in_range(number, *bits, *signed),
        (Type::Int { bits, signed }, Json::Float(number)) if number.is_finite() => {
            in_range(Value::Float(number).int(), *bits, *signed)
        }
        (ty @ Type::Decimal { .. }, _) => {
            let shown = match json {
                Json::Text(text) => text.clone(),
                other => other.text(),
            };
            text::read(shown.as_bytes(), ty).ok()
        }
        (Type::Float32, Json::Int(number)) if matches!(json, Json::Bool(_)) => {
            Some(Value::Float(Value::Int(number).float()))
        }
        (Type::Float32, _) => text::read(json.text().trim_matches('"').as_bytes(), ty).ok(),
        _ => None,
    }
}

fn in_range(number: i128, bits: u16, signed: bool) -> Option<Value> {
    (crate::value::wrap(number, bits, signed) == number).then_some(Value::Int(number))
}
