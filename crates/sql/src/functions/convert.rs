//! Conversion functions such as `toInt32`, `toDateOrNull` and `toDecimal64OrDefault`.

use super::conversion::{can, convert, explicit, float};
use super::{Built, FunctionCall, Made, lenient};
use crate::problem::{Problem, Result};
use crate::time::DAY_1900;
use crate::types::{INT64, Type, Unit};
use crate::value::{Value, default, wide, wrap};

pub(super) fn make(given: &FunctionCall<'_>) -> Made {
    let name = given.name;
    if let Some(unit) = name.strip_prefix("toInterval") {
        return Unit::from_name(unit).map(|unit| interval(given, unit));
    }
    if let Some(rest) = name.strip_prefix("reinterpretAs") {
        return Some(Err(given.fault(&format!("reading bytes as {rest} is not supported"))));
    }
    let rest = name.strip_prefix("to")?;
    for (end, otherwise) in [("OrZero", Otherwise::Zero), ("OrNull", Otherwise::Null)] {
        if let Some(base) = rest.strip_suffix(end)
            && !matches!(base, "String" | "FixedString" | "Bool" | "DateTime32")
            && let Some(ty) = target(given, base)
        {
            return Some(ty.and_then(|ty| or_other(given, ty, otherwise)));
        }
    }
    target(given, rest).map(|ty| ty.and_then(|ty| strict(given, ty)))
}

/// Returns the result type of a conversion function. `rest` is the function name without `to` and without suffix:
/// `Int32` for `toInt32OrNull`. Returns `None` if no such function exists.
fn target(given: &FunctionCall<'_>, rest: &str) -> Option<Result<Type>> {
    if let Some(bits) = rest.strip_prefix("Decimal") {
        let precision = match bits {
            "32" => 9,
            "64" => 18,
            "128" => 38,
            _ => return None,
        };
        return Some(scale(given).and_then(|scale| {
            if scale > precision {
                return Err(given.fault(&format!("the scale must be at most {precision}")));
            }
            Ok(Type::Decimal { precision, scale })
        }));
    }

    // A time keeps its time zone.
    let kept = given.types.first().map(Type::zone).unwrap_or_default();
    let zone = |at: usize| given.optional_zone(at).map(|zone| zone.or(kept));
    Some(match rest {
        "DateTime" | "DateTime32" => zone(1).map(Type::DateTime),
        "DateTime64" => scale(given).and_then(|scale| Ok(Type::DateTime64(scale.min(9), zone(2)?))),
        "FixedString" => scale(given).map(|size| Type::FixedString(size.into())),
        "String" | "Date" | "Date32" | "Float32" | "Float64" | "Bool" => Type::read(rest),
        _ if rest.starts_with("Int") || rest.starts_with("UInt") => {
            return Type::read(rest).ok().map(Ok);
        }
        _ => return None,
    })
}

fn scale(given: &FunctionCall<'_>) -> Result<u8> {
    let is_size = given.name.starts_with("toFixedString");
    given.is(1, "an unsigned integer", |ty| {
        ty.int_parts().is_some_and(|(bits, signed)| !signed && (bits <= 64 || is_size))
    })?;
    u8::try_from(given.constant_int(1)?).map_err(|_| given.fault("argument 2 must be at most 255"))
}

fn interval(given: &FunctionCall<'_>, unit: Unit) -> Result<Built> {
    given.takes(1..=1)?;
    given.is(0, "an integer or a float", |ty| ty.is_int() || ty.is_float())?;
    let from = given.types[0].clone();
    Built::new(Type::Interval(unit), move |v| match &v[0] {
        Value::Float(number) if !number.is_finite() => {
            Err(Problem::text("an interval must be a finite number"))
        }
        number => convert(number, &from, &INT64),
    })
}

/// Returns an error if the number of arguments is wrong. A conversion to a time always accepts a time zone as last
/// argument. A conversion to a date or a string accepts a time zone only if `is_strict` is true. `is_strict` is false
/// for functions with the suffix `OrZero` or `OrNull`.
fn check_count(given: &FunctionCall<'_>, ty: &Type, is_strict: bool) -> Result<()> {
    let least = match ty {
        Type::DateTime64(..) | Type::Decimal { .. } | Type::FixedString(_) => 2,
        _ => 1,
    };
    let takes_zone = ty.is_time() || is_strict && (ty.is_date() || *ty == Type::String);
    given.takes(least..=least + usize::from(takes_zone))?;
    if !given.types.iter().any(Type::is_null) {
        given.optional_zone(least)?;
    }
    Ok(())
}

fn strict(given: &FunctionCall<'_>, ty: Type) -> Result<Built> {
    check_count(given, &ty, true)?;
    let from = given.types[0].clone();
    if given.name == "toString" && given.count() > 1 && !given.types.iter().any(Type::is_null) {
        return Err(given.fault("a time zone is allowed only for DateTime and DateTime64"));
    }
    if given.name == "toDateTime32" && given.count() == 1 && from.is_time() {
        return Err(given.fault("use toDateTime"));
    }
    can(&from, &ty).map_err(|problem| given.fault(&problem.to_string()))?;

    if let (Type::FixedString(before), Type::FixedString(after)) = (&from, &ty)
        && before > after
    {
        return Err(given.fault(&format!("{from} does not fit into {ty}")));
    }
    let is_low = matches!(given.nodes[0].ty, Type::LowCardinality(_));
    if ty == Type::Bool && from.is_text() && is_low {
        return Err(given.fault("a LowCardinality string is not supported: use CAST"));
    }

    let is_nullable = given.nodes[0].ty.is_nullable();
    let has_nullable = given.nodes.iter().any(|node| node.ty.is_nullable());
    if has_nullable && matches!((&from, &ty), (Type::FixedString(_), Type::Decimal { .. })) {
        return Err(
            given.fault("a Nullable FixedString cannot become a Decimal: use toString first")
        );
    }
    // If the argument is Nullable, a string that is not a value of the type becomes NULL.
    let to = ty.clone().nullable_if(from.is_text() && is_nullable);
    let convert = explicit(&from, &ty);
    Built::new(ty, move |v| convert(&v[0], &from, &to))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Otherwise {
    Zero,
    Null,
}

/// Creates a function with the suffix `OrZero` or `OrNull`. It converts a string, and returns zero or NULL if the
/// string is not a value of the type.
fn or_other(given: &FunctionCall<'_>, ty: Type, otherwise: Otherwise) -> Result<Built> {
    check_count(given, &ty, false)?;
    let from = given.types[0].clone();
    given.is(0, "String (use toString)", |ty| *ty == Type::String)?;
    can(&from, &ty)?;
    let other = match otherwise {
        Otherwise::Null => Value::Null,
        Otherwise::Zero if ty == Type::Date32 => Value::Int(DAY_1900.into()),
        Otherwise::Zero => default(&ty),
    };
    let result = ty.clone().nullable_if(otherwise == Otherwise::Null);
    Built::new(result, move |v| {
        Ok(lenient::read(v[0].bytes(), &ty).unwrap_or_else(|| other.clone()))
    })
}

/// Creates `toInt32OrDefault(value, default)` and similar functions. They return the default for NULL and for values
/// that the result type cannot represent exactly. Conversions of decimals and dates to integers do not follow this
/// rule. A decimal loses its fraction, and causes an error if it is out of range. A date loses its upper bits, as in
/// `toUInt8OrDefault(date)`.
pub(super) fn or_default(given: &FunctionCall<'_>) -> Made {
    let base = given.name.strip_prefix("to")?.strip_suffix("OrDefault")?;
    let is_known = base.starts_with(['I', 'U', 'F', 'D']) && !base.starts_with("FixedString");
    // The scale and the time zone are arguments between the value and the default.
    let (scales, zones) = match base {
        "DateTime" => (0, 1),
        "DateTime64" => (1, 1),
        _ => (usize::from(base.starts_with("Decimal")), 0),
    };
    let required = 1 + scales;
    let at_default = required + zones;

    let without_default = FunctionCall {
        name: given.name,
        types: given.types[..at_default.min(given.count())].to_vec(),
        nodes: &given.nodes[..at_default.min(given.count())],
        now: given.now,
    };
    let ty = target(&without_default, base).filter(|_| is_known)?;
    Some(given.takes(required..=required + zones + 1).and(ty).and_then(|ty| {
        if given.count() > at_default && given.types[at_default] != ty {
            let found = &given.types[at_default];
            return Err(given.fault(&format!("the default value must be {ty}, not {found}")));
        }
        exact_or_default(given, ty, at_default)
    }))
}

/// Checks the types and creates a conversion function with a default value. The created function converts each value.
/// It returns the default if a value does not fit the type.
fn exact_or_default(given: &FunctionCall<'_>, ty: Type, at_default: usize) -> Result<Built> {
    let from = given.types[0].bare().clone();
    if let Type::FixedString(_) = from {
        return Err(given.fault("the argument must be String, not FixedString: use toString"));
    }
    let is_number = from.is_float() || from.int_parts().is_some();
    let is_exact = match (&from, &ty) {
        (Type::Nothing | Type::String | Type::FixedString(_), _) => true,
        (Type::Decimal { .. }, Type::Int { bits: 8..=64, .. }) => true,
        (from, Type::Int { bits: 8..=64, .. }) => from.is_date() || is_number && !from.is_wide(),
        (from, Type::Float32 | Type::Float64) => is_number && !from.is_wide(),
        (from, to) => from == to,
    };
    if !is_exact {
        return Err(given.fault(&format!("values of type {from} are not supported")));
    }
    can(&from, &ty)?;

    let other = if ty == Type::Date32 { Value::Int(DAY_1900.into()) } else { default(&ty) };
    let result = ty.clone();
    Built::new(ty, move |v| {
        let converted = exactly(&v[0], &from, &result)?;
        Ok(converted.unwrap_or_else(|| v.get(at_default).unwrap_or(&other).clone()))
    })
}

/// Converts a value as the SQL function `accurateCastOrNull` does. Returns `None` if the type `to` does not contain the
/// value.
///
/// # Errors
/// Returns an error if a decimal is out of the range of an integer type.
pub(crate) fn exactly(value: &Value, from: &Type, to: &Type) -> Result<Option<Value>> {
    let converted = match value {
        Value::Null => None,
        Value::Text(text) => Some(lenient::read_nullable(text, to)?),
        value if fits_in_type(value, from, to)? => convert(value, from, to).ok(),
        _ => None,
    };
    Ok(converted.filter(|value| !value.is_null()))
}

fn fits_in_type(value: &Value, from: &Type, to: &Type) -> Result<bool> {
    let in_bits = |number: i128, bits: u16, signed: bool| wrap(number, bits, signed) == number;
    Ok(match (value, from, to) {
        (Value::Int(digits), Type::Decimal { scale, .. }, Type::Int { bits, signed })
            if !in_bits(digits / 10_i128.pow(u32::from(*scale)), *bits, *signed) =>
        {
            return Err(Problem::text(format!("a decimal is out of the range of {to}")));
        }
        // Dates lose their upper bits, as in `toUInt8(date)`.
        (Value::Int(_), Type::Decimal { .. } | Type::Date | Type::Date32, _) => true,
        (Value::Int(_) | Value::Wide(_) | Value::UWide(_), _, Type::Int { bits, signed }) => {
            wide(value.wide(), *bits, *signed) == *value
        }
        (Value::Float(number), _, Type::Int { bits, signed }) => {
            number.fract() == 0.0 && in_bits(value.int(), *bits, *signed)
        }
        (Value::Float(number), _, Type::Float32) => {
            number.is_nan() || f64::from(*number as f32) == *number
        }
        (Value::Int(_) | Value::Wide(_) | Value::UWide(_), _, to) if to.is_float() => {
            float(value.float(), to) == *value
        }
        _ => true,
    })
}
