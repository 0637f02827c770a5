//! Conversions of strings that return NULL or a default instead of an error, such as `toInt32OrNull` and conversions to
//! Nullable types.

use crate::basic_time::{basic_day, basic_seconds, basic_ticks};
use crate::best_effort::{Parsed, best_effort};
use crate::problem::Result;
use crate::text::{self, clamp_day};
use crate::types::Type;
use crate::value::{Value, wrap};

/// Parses a string as a value of the type `to`. Dates and times must have the basic format of ClickHouse. Returns
/// `None` if the string is not a value of the type.
pub(super) fn read(text: &[u8], to: &Type) -> Option<Value> {
    match to {
        ty if ty.is_date() => basic_day(text, false).map(|day| clamp_day(day, ty)),
        Type::DateTime64(scale, zone) => {
            basic_ticks(text, *scale, *zone).map(|n| Value::Int(n.into()))
        }
        ty if ty.is_time() => basic_seconds(text, ty.zone()).map(|n| Value::Int(n.into())),
        Type::Int { bits, signed } if !in_range(text, *bits, *signed) => None,
        ty => text::read(text, ty).ok(),
    }
}

/// Parses a string as a value of the type `Nullable(to)`. Returns NULL if the string is not a value of the type `to`.
/// Accepts the same time formats as a conversion to the type `to`.
///
/// # Errors
/// Returns an error if the string may be a time in a format that only ClickHouse parses.
pub(super) fn read_nullable(text: &[u8], to: &Type) -> Result<Value> {
    if !to.is_time() {
        return Ok(read(text, to).unwrap_or(Value::Null));
    }
    let written = String::from_utf8_lossy(text);
    match best_effort(&written, to.zone()) {
        unsure @ Parsed::Unsure => Err(unsure.problem(&written)),
        _ => Ok(text::read(text, to).unwrap_or(Value::Null)),
    }
}

/// Returns true if an invalid string becomes NULL in a conversion to `Nullable(to)`. Returns false if the conversion
/// fails for an invalid string.
pub(super) fn becomes_null(to: &Type) -> bool {
    let is_number = to.is_number() && *to != Type::Bool;
    is_number || to.is_date() || matches!(to, Type::DateTime(_))
}

/// Returns true if the text is an integer that fits into `bits` bits. Also returns true for types of more than 64 bits,
/// which are not checked here.
pub(super) fn in_range(text: &[u8], bits: u16, signed: bool) -> bool {
    if bits > 64 {
        return true;
    }
    let number = std::str::from_utf8(text).ok().and_then(|text| text.parse::<i128>().ok());
    number.is_some_and(|number| wrap(number, bits, signed) == number)
}
