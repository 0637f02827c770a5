//! The functions `parseDateTimeBestEffort` and `parseDateTime32BestEffort`, which parse dates and times in many
//! formats.

use super::{Built, FunctionCall, Made};
use crate::best_effort::{Parsed, best_effort};
use crate::problem::Result;
use crate::types::Type;
use crate::value::Value;

pub(super) fn make(given: &FunctionCall<'_>) -> Made {
    let (name, otherwise) = match given.name.strip_prefix("parseDateTime")? {
        name if name.ends_with("OrNull") => (name.trim_end_matches("OrNull"), Some(Value::Null)),
        name if name.ends_with("OrZero") => (name.trim_end_matches("OrZero"), Some(Value::Int(0))),
        name => (name, None),
    };
    match name {
        "BestEffort" | "32BestEffort" => Some(build(given, otherwise)),
        "64BestEffort" => Some(Err(given.fault("use toDateTime64"))),
        _ => None,
    }
}

fn build(given: &FunctionCall<'_>, otherwise: Option<Value>) -> Result<Built> {
    given.takes(1..=2)?;
    given.is_text(0)?;
    let zone = given.optional_zone(1)?;
    let nullable = otherwise.as_ref().is_some_and(Value::is_null);
    let is_fixed = matches!(given.types[0].bare(), Type::FixedString(_));
    Built::new(Type::DateTime(zone).nullable_if(nullable), move |v| {
        let text = String::from_utf8_lossy(v[0].bytes());
        let text = if is_fixed { text.trim_end_matches('\0') } else { &text };
        match (best_effort(text, zone), &otherwise) {
            (Parsed::Time(seconds, _), _) => {
                Ok(Value::Int(seconds.clamp(0, i64::from(u32::MAX)).into()))
            }
            (Parsed::Nothing, Some(other)) => Ok(other.clone()),
            (parsed, _) => Err(parsed.problem(text)),
        }
    })
}
