//! Rounding.
//!
//! The input is a call with typed arguments. The output is a function of values with its result type, or an error.

use super::{Built, Given, Made};
use crate::problem::Result;
use crate::types::Type;
use crate::value::{Value, wrap};

/// Direction of rounding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Floats round half to even, integers and decimals round half away from zero.
    Nearest,
    Even,
    Down,
    Up,
    Cut,
}

pub(super) fn make(given: &Given<'_>) -> Made {
    let way = match given.name {
        "round" => Way::Nearest,
        "roundBankers" => Way::Even,
        "floor" => Way::Down,
        "ceil" => Way::Up,
        "trunc" => Way::Cut,
        _ => return None,
    };
    Some(build(given, way))
}

fn build(given: &Given<'_>, way: Way) -> Result<Built> {
    given.takes(1..=2)?;
    given.is_number(0)?;
    let ty = given.types[0].clone();
    if given.count() == 2 {
        given.is_int(1)?;
    }
    let digits = |v: &[Value]| v.get(1).map_or(0, |n| n.int().clamp(-400, 400));
    if ty.is_float() {
        let single = ty == Type::Float32;
        return Built::new(ty, move |v| {
            Ok(Value::Float(float(v[0].float(), digits(v), way, single)))
        });
    }
    if ty.is_wide() {
        return Err(given.fault("numbers of more than 64 bits are not rounded"));
    }

    let scale = if let Type::Decimal { scale, .. } = ty { i128::from(scale) } else { 0 };
    let int = ty.int_parts();
    Built::new(ty, move |v| {
        let places = scale - digits(v);
        let given = v[0].int();
        let number = match (places, way, int) {
            (..=0, ..) => given,
            // ClickHouse first adds half of the unit, which can overflow.
            (1..=18, Way::Nearest, Some((bits, signed))) => {
                let unit = 10_i128.pow(u32::try_from(places).unwrap_or(0));
                let half = if given < 0 { -unit / 2 } else { unit / 2 };
                wrap(given + half, bits.max(32), signed) / unit * unit
            }
            (1..=18, Way::Down | Way::Up, Some((bits, signed))) => {
                let unit = 10_i128.pow(u32::try_from(places).unwrap_or(0));
                let most = match (way, given < 0) {
                    (Way::Down, true) => 1 - unit,
                    (Way::Up, false) => unit - 1,
                    _ => 0,
                };
                wrap(given + most, bits.max(32), signed) / unit * unit
            }
            _ => whole(given, places, way),
        };
        Ok(Value::Int(int.map_or(number, |(bits, signed)| wrap(number, bits, signed))))
    })
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "digits are few, and a fraction may have 32 bits"
)]
fn float(number: f64, digits: i128, way: Way, single: bool) -> f64 {
    let of = |number: f64| match way {
        Way::Nearest | Way::Even => number.round_ties_even(),
        Way::Down => number.floor(),
        Way::Up => number.ceil(),
        Way::Cut => number.trunc(),
    };
    let rounded = if digits == 0 {
        of(number)
    } else if digits > 0 {
        let power = 10_f64.powi(digits.min(308) as i32);
        let scaled = of(number * power) / power;
        if (number * power).is_finite() { scaled } else { number }
    } else {
        let power = 10_f64.powi((-digits).min(308) as i32);
        of(number / power) * power
    };
    if single { f64::from(rounded as f32) } else { rounded }
}

/// Rounds the last digits of an integer.
fn whole(number: i128, places: i128, way: Way) -> i128 {
    let Ok(places) = u32::try_from(places) else { return 0 };
    let Some(unit) = 10_i128.checked_pow(places) else { return 0 };

    let (down, rest) = (number.div_euclid(unit) * unit, number.rem_euclid(unit));
    if rest == 0 {
        return number;
    }

    let up = down + unit;
    match way {
        Way::Down => down,
        Way::Up => up,
        Way::Cut => {
            if number < 0 {
                up
            } else {
                down
            }
        }
        Way::Nearest | Way::Even => match (rest * 2).cmp(&unit) {
            std::cmp::Ordering::Less => down,
            std::cmp::Ordering::Greater => up,
            std::cmp::Ordering::Equal if way == Way::Even => {
                if down / unit % 2 == 0 {
                    down
                } else {
                    up
                }
            }
            std::cmp::Ordering::Equal => {
                if number < 0 {
                    down
                } else {
                    up
                }
            }
        },
    }
}
