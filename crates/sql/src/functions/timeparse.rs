//! Parsing dates and times from strings.

use super::{Built, Given, Made};
use crate::problem::{Problem, Result};
use crate::time;
use crate::types::Type;
use crate::value::Value;

pub(super) fn make(given: &Given<'_>) -> Made {
    let (base, otherwise) = match given.name {
        "parseDateTimeBestEffort" | "parseDateTime64BestEffort" => (given.name, None),
        "parseDateTimeBestEffortOrNull" => ("parseDateTimeBestEffort", Some(Value::Null)),
        "parseDateTimeBestEffortOrZero" => ("parseDateTimeBestEffort", Some(Value::Int(0))),
        _ => return None,
    };
    if base == "parseDateTime64BestEffort" {
        return Some(Err(given.fault("use toDateTime64")));
    }
    Some(build(given, otherwise))
}

fn build(given: &Given<'_>, otherwise: Option<Value>) -> Result<Built> {
    given.takes(1..=2)?;
    given.is_text(0)?;
    if given.count() == 2 && given.constant_text(1)? != "UTC" {
        return Err(given.fault("times are UTC here"));
    }
    let nullable = otherwise.as_ref().is_some_and(Value::is_null);
    Built::new(Type::DateTime(given.count() == 2).nullable_if(nullable), move |v| {
        let text = String::from_utf8_lossy(v[0].bytes()).trim().to_owned();
        match (read(&text), &otherwise) {
            (Some(seconds), _) => Ok(Value::Int(seconds.clamp(0, i64::from(u32::MAX)).into())),
            (None, Some(other)) => Ok(other.clone()),
            (None, None) => Err(Problem::text(format!("'{text}' is no date or time"))),
        }
    })
}

/// Parses ISO 8601 with or without an offset, or Unix seconds.
fn read(text: &str) -> Option<i64> {
    if matches!(text.len(), 9 | 10) && text.bytes().all(|b| b.is_ascii_digit()) {
        return text.parse().ok();
    }
    let (clock, offset) = match text.rfind(['+', '-']).filter(|at| *at > 10) {
        Some(at) => (&text[..at], offset(&text[at..])?),
        None => (text, 0),
    };
    let (seconds, _) = time::read_time(clock.trim_end())?;
    Some(seconds - offset)
}

/// Converts an offset such as `+02:00` to seconds.
fn offset(text: &str) -> Option<i64> {
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let digits: String = text[1..].chars().filter(|c| *c != ':').collect();
    let is_offset = digits.len() == 4 && digits.bytes().all(|b| b.is_ascii_digit());
    let number: i64 = if is_offset { digits.parse().ok()? } else { return None };
    Some(sign * (number / 100 * 3_600 + number % 100 * 60))
}
