//! Functions that format numbers for people, such as `formatReadableSize` and `bar`.

use super::{Built, FunctionCall, Made};
use crate::problem::Result;
use crate::types::Type;
use crate::value::Value;

pub(super) fn make(given: &FunctionCall<'_>) -> Made {
    let names: (&[&str], f64) = match given.name {
        "formatReadableSize" => {
            (&[" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB", " ZiB", " YiB"], 1_024.0)
        }
        "formatReadableDecimalSize" => {
            (&[" B", " KB", " MB", " GB", " TB", " PB", " EB", " ZB", " YB"], 1_000.0)
        }
        "formatReadableQuantity" => (QUANTITIES, 1_000.0),
        "bar" => return Some(bar(given)),
        _ => return None,
    };
    Some(scaled(given, names.0, names.1))
}

const QUANTITIES: &[&str] = &[
    "",
    " thousand",
    " million",
    " billion",
    " trillion",
    " quadrillion",
    " quintillion",
    " sextillion",
    " septillion",
    " octillion",
    " nonillion",
    " decillion",
    " undecillion",
    " duodecillion",
    " tredecillion",
    " quattuordecillion",
    " quindecillion",
    " sexdecillion",
    " septendecillion",
    " octodecillion",
    " novemdecillion",
    " vigintillion",
];

fn scaled(given: &FunctionCall<'_>, names: &'static [&'static str], base: f64) -> Result<Built> {
    given.takes(1..=1)?;
    given.is_number(0)?;
    let scale = match given.types[0] {
        Type::Decimal { scale, .. } => 10_f64.powi(scale.into()),
        _ => 1.0,
    };
    Built::new(Type::String, move |v| {
        let mut number = v[0].float() / scale;
        let mut at = 0;
        while at + 1 < names.len() && number.abs() >= base {
            number /= base;
            at += 1;
        }
        Ok(Value::text(format!("{}{}", two_digits(number), names[at])))
    })
}

/// Formats a number with two digits after the decimal point. Halves are rounded away from zero.
fn two_digits(number: f64) -> String {
    if number.is_nan() {
        return "nan".to_owned();
    }
    // A half that is exact in binary is an odd multiple of an eighth. `format!` would round it to even.
    if (number * 8.0).rem_euclid(2.0) == 1.0 && number.abs() < 1e13 {
        return format!("{:.2}", (number * 100.0).round() / 100.0);
    }
    format!("{number:.2}")
}

/// Creates `bar(x, min, max, width)`, which draws a horizontal bar with block characters.
fn bar(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(3..=4)?;
    for at in 0..given.count() {
        given.is_number(at)?;
    }
    if given.types.iter().any(|ty| matches!(ty, Type::Decimal { .. })) {
        return Err(given.fault("the argument must be an integer or a float: use toFloat64"));
    }
    Built::new(Type::String, |v| {
        let (x, least, most) = (v[0].float(), v[1].float(), v[2].float());
        let width = v.get(3).map_or(80.0, Value::float);
        if !(1.0..=1_000.0).contains(&width) || least >= most {
            return Err(crate::problem::Problem::text("`bar` takes a width from 1 to 1000"));
        }
        let eighths = if x.is_nan() || x < least {
            0.0
        } else {
            ((x.min(most) - least) / (most - least) * width * 8.0).floor()
        };
        let eighths = usize::try_from(Value::Float(eighths).int()).unwrap_or(0);
        let last = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
        Ok(Value::text(format!("{}{last}", "█".repeat(eighths / 8))))
    })
}
