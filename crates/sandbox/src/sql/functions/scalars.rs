//! Texts, times and conversions.

use rusqlite::functions::Context;
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, Result};

use crate::moment::DAY;

use super::time::{self, Unit};
use super::{LONGEST, add, cut, fail, number, owned, text_of, whole};

pub(super) fn register(engine: &Connection) -> Result<()> {
    add(
        engine,
        &[
            ("ch_lower", 1, |c| Ok(map(c, |text| text.to_lowercase()))),
            ("ch_upper", 1, |c| Ok(map(c, |text| text.to_uppercase()))),
            ("ch_reverse", 1, |c| Ok(map(c, |text| text.chars().rev().collect()))),
            ("ch_substring", -1, substring),
            ("ch_right", 2, right),
            ("ch_starts", 2, |c| Ok(both(c, |text, part| text.starts_with(part)))),
            ("ch_ends", 2, |c| Ok(both(c, |text, part| text.ends_with(part)))),
            ("ch_position", 2, position),
            ("ch_replace", 3, |c| replace(c, usize::MAX)),
            ("ch_replace_one", 3, |c| replace(c, 1)),
            ("ch_repeat", 2, repeat),
            ("ch_pad", -1, pad),
            ("ch_text", 1, |c| Ok(map(c, |text| text))),
            ("ch_int", 3, int),
            ("ch_int_or", 2, |c| or(c, |text| text.parse().ok().map(Value::Integer))),
            ("ch_float", 1, float),
            ("ch_float_or", 2, |c| or(c, |text| text.parse().ok().map(Value::Real))),
            ("ch_time", 1, |c| moment(c, None)),
            ("ch_time_or", 2, |c| moment(c, Some(owned(c.get_raw(1))))),
            ("ch_days", 1, days),
            ("ch_show", 2, |c| {
                let is_date = whole(c, 1)? == Some(1);
                of_time(c, 0, |time| Value::Text(time::show(time, is_date)))
            }),
            ("ch_format", 2, |c| {
                let pattern = text_of(c, 1).unwrap_or_default();
                of_time(c, 0, |time| Value::Text(time::format(time, &pattern)))
            }),
            ("ch_part", 2, |c| {
                let name = text_of(c, 0).unwrap_or_default();
                of_time(c, 1, |time| time::part(&name, time).map_or(Value::Null, Value::Integer))
            }),
            ("ch_start", 3, |c| {
                let (unit, count) = (unit(c, 1)?, whole(c, 2)?.unwrap_or(1));
                of_time(c, 0, |time| Value::Integer(time::start(time, unit, count)))
            }),
            ("ch_week", -1, week),
            ("ch_month_end", 1, |c| {
                of_time(c, 0, |time| {
                    let next = time::add(time::start(time, Unit::Month, 1), 1, Unit::Month);
                    Value::Integer(next - DAY)
                })
            }),
            ("ch_add", 3, |c| {
                let (unit, count) = (unit(c, 2)?, whole(c, 1)?);
                let Some(count) = count else { return Ok(Value::Null) };
                of_time(c, 0, |time| Value::Integer(time::add(time, count, unit)))
            }),
            ("ch_diff", 3, |c| {
                let unit = unit(c, 0)?;
                let Some(to) = whole(c, 2)?.map(within_calendar) else { return Ok(Value::Null) };
                of_time(c, 1, |from| Value::Integer(time::difference(unit, from, to)))
            }),
        ],
    )
}

fn map(context: &Context<'_>, work: impl Fn(String) -> String) -> Value {
    text_of(context, 0).map_or(Value::Null, |text| Value::Text(work(text)))
}

fn both(context: &Context<'_>, work: impl Fn(&str, &str) -> bool) -> Value {
    match (text_of(context, 0), text_of(context, 1)) {
        (Some(text), Some(part)) => Value::Integer(i64::from(work(&text, &part))),
        _ => Value::Null,
    }
}

/// From a place, counted from 1 or, below 0, from the end; so many letters or all.
fn substring(context: &Context<'_>) -> Result<Value> {
    let (Some(text), Some(start)) = (text_of(context, 0), whole(context, 1)?) else {
        return Ok(Value::Null);
    };
    let length = if context.len() > 2 { whole(context, 2)? } else { Some(i64::MAX) };
    let Some(length) = length else { return Ok(Value::Null) };
    let letters = i64::try_from(text.chars().count()).unwrap_or(i64::MAX);
    let first = match start {
        0 => return Ok(Value::Text(String::new())),
        start if start > 0 => start - 1,
        start => (letters + start).max(0),
    };
    let end =
        if length < 0 { letters.saturating_add(length) } else { first.saturating_add(length) };
    let count = usize::try_from(end.saturating_sub(first).max(0)).unwrap_or(usize::MAX);
    let skipped = usize::try_from(first).unwrap_or(usize::MAX);
    Ok(Value::Text(text.chars().skip(skipped).take(count).collect()))
}

fn right(context: &Context<'_>) -> Result<Value> {
    let (Some(text), Some(count)) = (text_of(context, 0), whole(context, 1)?) else {
        return Ok(Value::Null);
    };
    let count = usize::try_from(count.max(0)).unwrap_or(usize::MAX);
    let skipped = text.chars().count().saturating_sub(count);
    Ok(Value::Text(text.chars().skip(skipped).collect()))
}

/// The place of a text in another, in bytes from 1; 0 if it is not there. The engine has one of
/// its own, which takes the square of the lengths and cannot be stopped.
fn position(context: &Context<'_>) -> Result<Value> {
    Ok(match (text_of(context, 0), text_of(context, 1)) {
        (Some(text), Some(part)) => {
            let at = text.find(&part).map_or(0, |at| at + 1);
            Value::Integer(i64::try_from(at).unwrap_or(0))
        }
        _ => Value::Null,
    })
}

/// The first so many places of a text replaced.
fn replace(context: &Context<'_>, most: usize) -> Result<Value> {
    let (Some(text), Some(part), Some(new)) =
        (text_of(context, 0), text_of(context, 1), text_of(context, 2))
    else {
        return Ok(Value::Null);
    };
    if part.is_empty() {
        return Ok(Value::Text(text));
    }
    let places = text.matches(&part).take(most).count();
    if text.len().saturating_add(places.saturating_mul(new.len())) > LONGEST {
        return Err(fail(format!("a text of more than {LONGEST} bytes is made")));
    }
    Ok(Value::Text(text.replacen(&part, &new, most)))
}

fn repeat(context: &Context<'_>) -> Result<Value> {
    let (Some(text), Some(times)) = (text_of(context, 0), whole(context, 1)?) else {
        return Ok(Value::Null);
    };
    let times = usize::try_from(times.max(0)).unwrap_or(usize::MAX);
    match text.len().checked_mul(times) {
        Some(length) if length <= LONGEST => Ok(Value::Text(text.repeat(times))),
        _ => Err(fail(format!("`repeat` makes more than {LONGEST} bytes"))),
    }
}

/// Which side (1 for the left), the text, its length, and what fills it up.
fn pad(context: &Context<'_>) -> Result<Value> {
    let (Some(text), Some(length)) = (text_of(context, 1), whole(context, 2)?) else {
        return Ok(Value::Null);
    };
    let fill = if context.len() > 3 { text_of(context, 3) } else { None };
    let fill = fill.filter(|fill| !fill.is_empty()).unwrap_or_else(|| " ".to_owned());
    let length = usize::try_from(length.max(0)).unwrap_or(usize::MAX);
    if length > LONGEST {
        return Err(fail(format!("a text is padded to more than {LONGEST} letters")));
    }
    let letters = text.chars().count();
    if letters >= length {
        return Ok(Value::Text(text.chars().take(length).collect()));
    }
    let filling: String = fill.chars().cycle().take(length - letters).collect();
    let is_left = whole(context, 0)? == Some(1);
    Ok(Value::Text(if is_left { filling + &text } else { text + &filling }))
}

/// A whole number of so many bits, with a sign or without; more bits are cut off.
fn int(context: &Context<'_>) -> Result<Value> {
    let number = match context.get_raw(0) {
        ValueRef::Null => return Ok(Value::Null),
        ValueRef::Integer(number) => number,
        ValueRef::Real(number) => cut(number),
        ValueRef::Text(_) | ValueRef::Blob(_) => {
            let text = text_of(context, 0).unwrap_or_default();
            text.trim().parse().map_err(|_| fail(format!("`{text}` is no whole number")))?
        }
    };
    let (bits, signed) = (whole(context, 1)?.unwrap_or(64), whole(context, 2)? == Some(1));
    if bits >= 64 {
        return Ok(Value::Integer(number));
    }
    let size = 1_i64 << bits;
    let low = number.rem_euclid(size);
    Ok(Value::Integer(if signed && low >= size / 2 { low - size } else { low }))
}

fn float(context: &Context<'_>) -> Result<Value> {
    if let ValueRef::Text(_) = context.get_raw(0) {
        let text = text_of(context, 0).unwrap_or_default();
        let number = text.trim().parse().map_err(|_| fail(format!("`{text}` is no number")))?;
        return Ok(Value::Real(number));
    }
    Ok(super::real(number(context, 0)?))
}

/// What `read` makes of a text, or the second value.
fn or(context: &Context<'_>, read: impl Fn(&str) -> Option<Value>) -> Result<Value> {
    let text = text_of(context, 0).unwrap_or_default();
    Ok(read(text.trim()).unwrap_or_else(|| owned(context.get_raw(1))))
}

fn moment(context: &Context<'_>, otherwise: Option<Value>) -> Result<Value> {
    let Some(text) = text_of(context, 0) else { return Ok(Value::Null) };
    match (time::read(&text), otherwise) {
        (Some(seconds), _) => Ok(Value::Integer(seconds)),
        (None, Some(otherwise)) => Ok(otherwise),
        (None, None) => Err(fail(format!("`{text}` is no date or time"))),
    }
}

/// Seconds of a number that counts days if it is small, and seconds otherwise.
fn days(context: &Context<'_>) -> Result<Value> {
    of_time(context, 0, |number| {
        Value::Integer(if (0..65_536).contains(&number) { number * DAY } else { number })
    })
}

fn unit(context: &Context<'_>, at: usize) -> Result<Unit> {
    let name = text_of(context, at).unwrap_or_default();
    Unit::read(&name).ok_or_else(|| fail(format!("`{name}` is no unit of time")))
}

fn of_time(context: &Context<'_>, at: usize, work: impl Fn(i64) -> Value) -> Result<Value> {
    Ok(whole(context, at)?.map(within_calendar).map_or(Value::Null, work))
}

/// A moment no earlier than the year 1 and no later than 9999.
fn within_calendar(time: i64) -> i64 {
    time.clamp(-62_135_596_800, 253_402_300_799)
}

/// The start of a week: on Sundays, or with an odd mode on Mondays.
fn week(context: &Context<'_>) -> Result<Value> {
    let mode = if context.len() > 1 { whole(context, 1)?.unwrap_or(0) } else { 0 };
    of_time(context, 0, |time| {
        let start =
            if mode % 2 == 1 { time::start(time, Unit::Week, 1) } else { time::sunday(time) };
        Value::Integer(start - start.rem_euclid(DAY))
    })
}
