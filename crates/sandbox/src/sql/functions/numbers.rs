//! Arithmetic.

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, Result};

use super::{add, cut, fail, number, owned, real, whole};

/// A function of one fraction.
type Work = fn(f64) -> f64;

pub(super) fn register(engine: &Connection) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    let functions: [(&str, Work); 14] = [
        ("ch_sqrt", f64::sqrt),
        ("ch_cbrt", f64::cbrt),
        ("ch_exp", f64::exp),
        ("ch_exp2", f64::exp2),
        ("ch_exp10", |x| 10_f64.powf(x)),
        ("ch_ln", f64::ln),
        ("ch_log2", f64::log2),
        ("ch_log10", f64::log10),
        ("ch_log1p", f64::ln_1p),
        ("ch_sin", f64::sin),
        ("ch_cos", f64::cos),
        ("ch_tan", f64::tan),
        ("ch_tanh", f64::tanh),
        ("ch_atan", f64::atan),
    ];

    for (name, work) in functions {
        engine.create_scalar_function(name, 1, flags, move |context| {
            Ok(real(number(context, 0)?.map(work)))
        })?;
    }

    add(
        engine,
        &[
            ("ch_pow", 2, |c| Ok(real(number(c, 0)?.zip(number(c, 1)?).map(|(x, y)| x.powf(y))))),
            ("ch_sign", 1, sign),
            ("ch_finite", 1, |c| {
                Ok(Value::Integer(i64::from(number(c, 0)?.is_some_and(f64::is_finite))))
            }),
            ("ch_intdiv", 2, int_div),
            ("ch_mod", 2, modulo),
            // Halves go to the even neighbour.
            ("ch_round", -1, |c| to_digits(c, f64::round_ties_even)),
            ("ch_floor", -1, |c| to_digits(c, f64::floor)),
            ("ch_ceil", -1, |c| to_digits(c, f64::ceil)),
            ("ch_trunc", -1, |c| to_digits(c, f64::trunc)),
        ],
    )
}

fn sign(context: &Context<'_>) -> Result<Value> {
    Ok(match number(context, 0)? {
        None => Value::Null,
        Some(number) if number > 0.0 => Value::Integer(1),
        Some(number) if number < 0.0 => Value::Integer(-1),
        Some(_) => Value::Integer(0),
    })
}

fn int_div(context: &Context<'_>) -> Result<Value> {
    let (Some(a), Some(b)) = (whole(context, 0)?, whole(context, 1)?) else {
        return Ok(Value::Null);
    };
    match a.checked_div(b) {
        Some(quotient) => Ok(Value::Integer(quotient)),
        None => Err(fail("a whole number is divided by zero")),
    }
}

fn modulo(context: &Context<'_>) -> Result<Value> {
    if let (ValueRef::Integer(a), ValueRef::Integer(b)) = (context.get_raw(0), context.get_raw(1)) {
        return match a.checked_rem(b) {
            Some(rest) => Ok(Value::Integer(rest)),
            None => Err(fail("a whole number is divided by zero")),
        };
    }
    Ok(real(number(context, 0)?.zip(number(context, 1)?).map(|(a, b)| a % b)))
}

/// A number rounded to so many digits behind the point, or before it if that is below 0.
fn to_digits(context: &Context<'_>, work: fn(f64) -> f64) -> Result<Value> {
    let digits = if context.len() > 1 { whole(context, 1)?.unwrap_or(0) } else { 0 };
    let Some(value) = number(context, 0)? else { return Ok(Value::Null) };
    let is_whole = matches!(context.get_raw(0), ValueRef::Integer(_));
    if is_whole && digits >= 0 {
        return Ok(owned(context.get_raw(0)));
    }
    let power = i32::try_from(digits.clamp(-300, 300)).unwrap_or(0);
    let rounded = if power >= 0 {
        let scale = 10_f64.powi(power);
        let scaled = value * scale;
        // A number too large to have such digits stays.
        if scaled.is_finite() { work(scaled) / scale } else { value }
    } else {
        let scale = 10_f64.powi(-power);
        work(value / scale) * scale
    };
    Ok(if is_whole { Value::Integer(cut(rounded)) } else { real(Some(rounded)) })
}
