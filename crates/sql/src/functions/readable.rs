//! Numbers in human-readable form.

use super::{Built, Given, Made};
use crate::problem::Result;
use crate::types::Type;
use crate::value::Value;

pub(super) fn make(given: &Given<'_>) -> Made {
    let names: (&[&str], f64) = match given.name {
        "formatReadableSize" => (&[" B", " KiB", " MiB", " GiB", " TiB", " PiB", " EiB"], 1_024.0),
        "formatReadableDecimalSize" => (&[" B", " KB", " MB", " GB", " TB", " PB", " EB"], 1_000.0),
        "formatReadableQuantity" => {
            (&["", " thousand", " million", " billion", " trillion", " quadrillion"], 1_000.0)
        }
        "bar" => return Some(bar(given)),
        _ => return None,
    };
    Some(scaled(given, names.0, names.1))
}

fn scaled(given: &Given<'_>, names: &'static [&'static str], base: f64) -> Result<Built> {
    given.takes(1..=1)?;
    given.is_number(0)?;
    Built::new(Type::String, move |v| {
        let mut number = v[0].float();
        let mut at = 0;
        while at + 1 < names.len() && number.abs() >= base {
            number /= base;
            at += 1;
        }
        Ok(Value::text(format!("{number:.2}{}", names[at])))
    })
}

/// A bar of block characters: `bar(x, min, max, width)`.
fn bar(given: &Given<'_>) -> Result<Built> {
    given.takes(3..=4)?;
    for at in 0..given.count() {
        given.is_number(at)?;
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
