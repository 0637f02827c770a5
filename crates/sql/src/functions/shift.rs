//! Addition of intervals to dates and times, and the difference of two times.
//!
//! The function `make` resolves a call by its function name and argument types. It returns the result type and the
//! implementation, or an error.

use super::dates::{unix_seconds, whole_seconds};
use super::decimals::overflow;
use super::{Built, FunctionCall, Made};
use crate::problem::{Problem, Result};
use crate::text::LAST_DAY;
use crate::time::{self, DAY, tick_range};
use crate::types::{Type, Unit, Zone};
use crate::value::{Value, wrap};

pub(super) fn make(given: &FunctionCall<'_>) -> Made {
    Some(match given.name {
        "dateAdd" | "dateSub" => by_name(given),
        "fromUnixTimestamp" => from_unix(given),
        "addInterval" | "subtractInterval" => Err(given.fault("use the operators `+` and `-`")),
        name => {
            let (rest, back) = match name.strip_prefix("add") {
                Some(rest) => (rest, false),
                None => (name.strip_prefix("subtract")?, true),
            };
            let unit = Unit::from_name(rest.strip_suffix('s')?)?;
            let checked = given.takes(2..=2).and_then(|()| given.is_number(1));
            checked.and_then(|()| add_interval(given, 0, 1, unit, back))
        }
    })
}

/// Creates the operator `+` or `-` for dates, times and intervals. Returns `None` for other operators and other types.
pub(super) fn arithmetic(given: &FunctionCall<'_>) -> Option<Result<Built>> {
    let is_moment = |at: usize| given.types[at].is_date() || given.types[at].is_time();
    let is_interval = |at: usize| matches!(given.types[at], Type::Interval(_));
    let back = given.name == "minus";
    if !matches!(given.name, "plus" | "minus") {
        return None;
    }
    match (is_moment(0), is_moment(1)) {
        (true, true) if back => Some(difference(given)),
        (true, _) if is_interval(1) => Some(by_interval(given, 0, 1, back)),
        (_, true) if is_interval(0) && !back => Some(by_interval(given, 1, 0, false)),
        (true, false) if given.types[1].is_int() => Some(by_number(given, 0, 1, back)),
        (false, true) if given.types[0].is_int() && !back => Some(by_number(given, 1, 0, false)),
        _ if is_interval(0) && given.types[0] == given.types[1] => {
            let sign = if back { -1 } else { 1 };
            Some(Built::new(given.types[0].clone(), move |v| {
                Ok(Value::Int(wrap(v[0].int() + sign * v[1].int(), 64, true)))
            }))
        }
        _ => None,
    }
}

/// Creates the operator `-` for two dates or two times. The result is in days for dates, and in seconds for times.
fn difference(given: &FunctionCall<'_>) -> Result<Built> {
    let (left, right) = (&given.types[0], &given.types[1]);
    let scale = |ty: &Type| if let Type::DateTime64(scale, _) = ty { *scale } else { 0 };
    match (left, right) {
        (Type::Date, Type::Date) | (Type::DateTime(_), Type::DateTime(_)) => {
            let run = |v: &[Value]| Ok(Value::Int(wrap(v[0].int() - v[1].int(), 32, true)));
            Built::new(Type::int(32, true), run)
        }
        _ if left.is_time() && right.is_time() => {
            let scales = [scale(left), scale(right)];
            let most = scales[0].max(scales[1]);
            let factors = scales.map(|scale| 10_i128.pow(u32::from(most - scale)));
            Built::new(Type::Decimal { precision: 18, scale: most }, move |v| {
                let ticks = |at: usize| i64::try_from(v[at].int() * factors[at]).ok();
                let apart = ticks(0).zip(ticks(1)).and_then(|(a, b)| a.checked_sub(b));
                Ok(Value::Int(apart.ok_or_else(overflow)?.into()))
            })
        }
        _ => Err(given.fault(&format!("{left} and {right} cannot be combined: use dateDiff"))),
    }
}

/// Adds a number to a date or a time, or subtracts it. The number is in days for a date, and in seconds for a time.
fn by_number(given: &FunctionCall<'_>, moment: usize, number: usize, back: bool) -> Result<Built> {
    let ty = given.types[moment].clone();
    let result = ty.clone();
    let unit = if let Type::DateTime64(scale, _) = ty { 10_i128.pow(scale.into()) } else { 1 };
    is_shift(given, number)?;
    Built::new(ty, move |v| {
        let n = if back { -v[number].int() } else { v[number].int() };
        if i64::try_from(v[number].int()).is_err() {
            return Err(Problem::text("a number is too large to be added to a date"));
        }
        // The number of days wraps around in 32 bits.
        let n = if result == Type::Date32 { wrap(n, 32, true) } else { n };
        clamp(v[moment].int().saturating_add(n.saturating_mul(unit)), &result)
    })
}

/// Returns an error if the argument cannot be added to a date or a time. This applies to decimals and to numbers of
/// more than 64 bits.
fn is_shift(given: &FunctionCall<'_>, at: usize) -> Result<()> {
    given.is(at, "a number of at most 64 bits", |ty| {
        !ty.is_wide() && !matches!(ty, Type::Decimal { .. })
    })
}

/// Returns true if a DateTime64 is before year 0 or after year 9999, or if its stored number does not fit into 64 bits.
fn is_out_of_range(ticks: i128, scale: u8) -> bool {
    !tick_range(scale).contains(&ticks) || i64::try_from(ticks).is_err()
}

/// Creates a date or a time from its stored number. A Date is stored in 16 bits, and a Date32 or DateTime in 32 bits. A
/// number that does not fit wraps around, as in ClickHouse. For DateTime64, the function returns an error instead.
fn clamp(number: i128, ty: &Type) -> Result<Value> {
    Ok(Value::Int(match ty {
        Type::Date => number.rem_euclid(i128::from(LAST_DAY) + 1),
        Type::Date32 => wrap(number, 32, true),
        Type::DateTime(_) => number.rem_euclid(1 << 32),
        Type::DateTime64(scale, _) if is_out_of_range(number, *scale) => {
            return Err(Problem::text("a time is out of the range of DateTime64"));
        }
        _ => number,
    }))
}

fn by_interval(
    given: &FunctionCall<'_>,
    moment: usize,
    interval: usize,
    back: bool,
) -> Result<Built> {
    let Type::Interval(unit) = given.types[interval] else {
        return Err(given.fault("an argument must be an INTERVAL"));
    };
    add_interval(given, moment, interval, unit, back)
}

/// Adds an interval to a date or a time, or subtracts it. `moment` is the index of the argument with the date or time.
/// `number` is the index of the argument with the number of units.
fn add_interval(
    given: &FunctionCall<'_>,
    moment: usize,
    number: usize,
    unit: Unit,
    back: bool,
) -> Result<Built> {
    given.is_moment(moment)?;
    is_shift(given, number)?;

    let from = given.types[moment].clone();
    let digits = match unit {
        Unit::Millisecond => 3,
        Unit::Microsecond => 6,
        Unit::Nanosecond => 9,
        _ => 0,
    };
    let to = match (&from, unit) {
        (ty, _) if ty.is_date() && digits > 0 => {
            return Err(given.fault(&format!("{ty} has no fractions of a second")));
        }
        (Type::DateTime(zone), _) if digits > 0 => Type::DateTime64(digits, *zone),
        (Type::DateTime64(scale, zone), _) => Type::DateTime64(digits.max(*scale), *zone),
        (Type::Date, Unit::Second | Unit::Minute | Unit::Hour) => Type::DateTime(Zone::SERVER),
        (Type::Date32, Unit::Second | Unit::Minute | Unit::Hour) => {
            Type::DateTime64(3, Zone::SERVER)
        }
        (ty, _) => (*ty).clone(),
    };

    let result = to.clone();
    Built::new(to, move |v| {
        if matches!(v[number], Value::Float(n) if !n.is_finite()) {
            return Err(Problem::text("NaN or infinity cannot be added to a time"));
        }
        let n = i64::try_from(v[number].int()).unwrap_or(if v[number].int() < 0 {
            i64::MIN
        } else {
            i64::MAX
        });
        let n = if back { n.saturating_neg() } else { n };
        // A time that is already out of range is rejected too.
        clamp(v[moment].int(), &from)?;
        clamp(add_units(&v[moment], &from, &result, n, unit), &result)
    })
}

/// Adds `n` units to a date or a time. Returns the result as the integer that the type `to` stores, such as the number
/// of days for Date.
fn add_units(value: &Value, from: &Type, to: &Type, n: i64, unit: Unit) -> i128 {
    let months = match unit {
        Unit::Month => Some(1),
        Unit::Quarter => Some(3),
        Unit::Year => Some(12),
        _ => None,
    };
    let of_second = match to {
        Type::DateTime64(scale, _) => 10_i128.pow(u32::from(*scale)),
        _ => 1,
    };
    // The start value in ticks of the result type.
    let start = match from {
        Type::DateTime64(scale, _) => value.int() * (of_second / 10_i128.pow(u32::from(*scale))),
        _ => i128::from(unix_seconds(value, from)) * of_second,
    };

    if let Some(months) = months {
        let day = from.zone().local(whole_seconds(value, from)).div_euclid(DAY);
        let mut next = time::add_months(day, n.saturating_mul(months));
        let (year, month, of_month) = time::civil(next);
        // After adding years, a year outside the calendar becomes year 0 or 9999. After adding months, the result stops
        // at the first or last day of the calendar.
        if *to == Type::Date32 && unit == Unit::Year && !(0..=9_999).contains(&year) {
            next = time::day(year.clamp(0, 9_999), month, of_month);
        }
        // After adding months, a result before the first value of the type becomes the first value. After adding days,
        // it wraps around.
        if from.is_date() {
            return if *to == Type::Date { next.max(0) } else { time::in_calendar(next) }.into();
        }
        let time = start + i128::from(days_later(value, from, next - day)) * of_second;
        return if let Type::DateTime(_) = to { time.max(0) } else { time };
    }

    match unit.seconds() {
        Some(unit) if to.is_date() => value.int() + i128::from(n) * i128::from(unit / DAY),
        // In a time zone, a day can be shorter or longer than 24 hours.
        Some(unit) if unit >= DAY && n.checked_mul(unit).is_some() => {
            start + i128::from(days_later(value, from, n * (unit / DAY))) * of_second
        }
        Some(unit) => start + i128::from(n).saturating_mul(i128::from(unit) * of_second),
        None => {
            let of_unit = match unit {
                Unit::Millisecond => 1_000,
                Unit::Microsecond => 1_000_000,
                _ => 1_000_000_000,
            };
            start + i128::from(n) * of_second / of_unit
        }
    }
}

/// Returns the number of seconds from a time until the same clock time `days` days later, in the time zone of the type.
fn days_later(value: &Value, from: &Type, days: i64) -> i64 {
    let time = whole_seconds(value, from);
    from.zone().add_days(time, days) - time
}

/// Creates `dateAdd` or `dateSub`, for example `dateAdd('day', 1, x)` or `dateAdd(x, INTERVAL 1 DAY)`.
fn by_name(given: &FunctionCall<'_>) -> Result<Built> {
    let back = given.name == "dateSub";
    if given.count() == 2 {
        return by_interval(given, 0, 1, back);
    }
    given.takes(3..=3)?;
    let name = given.constant_text(0)?;
    let unit =
        Unit::read(&name).ok_or_else(|| given.fault(&format!("there is no unit `{name}`")))?;
    given.is_int(1)?;
    add_interval(given, 2, 1, unit, back)
}

fn from_unix(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(1..=1)?;
    given.is_any_int(0)?;
    let ty = Type::DateTime(Zone::SERVER);
    Built::new(ty, |v| Ok(Value::Int(v[0].int().clamp(0, i128::from(u32::MAX)))))
}
