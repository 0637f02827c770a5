//! Conversion of JSON values to SQL values.
//!
//! The inputs are a JSON value and a type. The output is a value of this type, or `None` if the conversion is not
//! possible.

use super::tree::Json;
use crate::best_effort::{Parsed, best_effort};
use crate::problem::{Problem, Result};
use crate::text;
use crate::types::{BYTE, Type};
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
///
/// # Errors
/// Returns an error for a text that may be a `DateTime` in a format that only ClickHouse parses.
pub(super) fn extract(json: &Json, ty: &Type) -> Result<Option<Value>> {
    Ok(match (ty, json) {
        (Type::Nullable(_), Json::Null) => Some(Value::Null),
        (Type::Nullable(of) | Type::LowCardinality(of), json) => extract(json, of)?,

        (Type::Array(_), Json::Array(items)) if items.is_empty() => Some(default(ty)),
        (Type::Array(of), Json::Array(items)) => {
            list(items.iter().map(|json| (Some(json), &**of)))?
        }
        (Type::Tuple(members), json) => tuple(members, json)?,
        (Type::Map(_, of), Json::Object(members)) => {
            let pair = |(key, json): &(String, Json)| {
                Ok(Value::list(vec![Value::text(key), extract_or_default(Some(json), of)?]))
            };
            Some(Value::list(members.iter().map(pair).collect::<Result<_>>()?))
        }

        (_, Json::Null) => None,
        (Type::String, json) => Some(Value::text(json.plain_text())),
        (Type::FixedString(size), json) => {
            let mut bytes = json.plain_text().into_bytes();
            let fits = bytes.len() <= *size;
            bytes.resize(*size, 0);
            fits.then(|| Value::Text(bytes.into()))
        }
        (Type::Bool, json) => number(json, &BYTE).map(|number| Value::bool(number.int() != 0)),
        (Type::DateTime(zone), Json::Text(text)) => match best_effort(text, *zone) {
            unsure @ Parsed::Unsure => return Err(unsure.problem(text)),
            _ => text::read(text.as_bytes(), ty).ok(),
        },
        (ty, Json::Text(text)) if !ty.is_number() => text::read(text.as_bytes(), ty).ok(),
        (Type::DateTime(_), Json::Int(time)) if u32::try_from(*time).is_ok() => {
            Some(Value::Int(*time))
        }
        (ty, json) if ty.is_number() => number(json, ty),
        _ => None,
    })
}

/// Converts a JSON value to a value of the type `ty`. A missing value, or one that cannot be converted, becomes the
/// default of the type.
pub(super) fn extract_or_default(json: Option<&Json>, ty: &Type) -> Result<Value> {
    Ok(json.map_or(Ok(None), |json| extract(json, ty))?.unwrap_or_else(|| default(ty)))
}

/// Converts JSON values to the items of an array or a tuple. A missing value, or one that cannot be converted, becomes
/// the default of its type. Returns `None` if no value can be converted.
fn list<'a>(values: impl Iterator<Item = (Option<&'a Json>, &'a Type)>) -> Result<Option<Value>> {
    let mut is_any = false;
    let item = |(json, ty): (Option<&Json>, &Type)| {
        let found = json.map_or(Ok(None), |json| extract(json, ty))?;
        is_any |= found.is_some();
        Ok(found.unwrap_or_else(|| default(ty)))
    };
    let items = values.map(item).collect::<Result<_>>()?;
    Ok(is_any.then(|| Value::list(items)))
}

fn tuple(members: &[(Option<String>, Type)], json: &Json) -> Result<Option<Value>> {
    let find = |at: usize, name: &Option<String>| match (json, name) {
        (Json::Object(all), Some(name)) => {
            all.iter().find(|(key, _)| key == name).map(|(_, json)| json)
        }
        (Json::Object(all), None) => all.get(at).map(|(_, json)| json),
        (Json::Array(items), _) => items.get(at),
        _ => None,
    };
    list(members.iter().enumerate().map(|(at, (name, ty))| (find(at, name), ty)))
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
        (ty @ Type::Decimal { .. }, _) => text::read(json.plain_text().as_bytes(), ty).ok(),
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
