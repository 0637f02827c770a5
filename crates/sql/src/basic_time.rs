//! Parses dates and times in the basic format of ClickHouse: `2026-01-31 01:02:03`, a date without a clock time, or
//! Unix seconds.
//!
//! The output is a number of days, seconds or fractions of a second since 1970-01-01, or `None` if the text is invalid.
//! Like ClickHouse, the parser accepts any separators inside the date and inside the clock time. It also accepts 31
//! days in each month, and clock times that are too large: 31 June becomes 1 July, and 70 minutes become 1 hour and 10
//! minutes.

use crate::time::{self, DAY, DAY_1900, FIRST_SECOND, LAST_SECOND};
use crate::types::Zone;

/// Minimum length in bytes of a long text with Unix seconds. ClickHouse has different rules for short and long texts:
///
/// - A short text without a minus sign must start with at least five digits: `1234` is rejected. A long text can start
///   with fewer digits.
/// - A short `DateTime` text with a minus sign is rejected. A long `DateTime` text with a minus sign can be valid.
/// - A `DateTime64` text with a minus sign can be short or long, with any number of digits: `-5` is accepted.
const LONG: usize = 19;

/// Parses a text as a `DateTime` and returns Unix seconds. A time outside the range of the type becomes the first or
/// the last time of the range.
pub(crate) fn basic_seconds(text: &[u8], zone: Zone) -> Option<i64> {
    let (seconds, rest) = match text {
        [b'-', digits @ ..] if text.len() >= LONG => parse_digits(digits, 1)?,
        text => date(text, zone).or_else(|| parse_digits(text, least_digits(text)))?,
    };
    let seconds = if text.starts_with(b"-") { 0 } else { seconds };
    rest.is_empty().then(|| seconds.clamp(0, u32::MAX.into()))
}

/// Parses a text as a `DateTime64`. Returns the time since 1970 in units of 10^-`scale` seconds, for example
/// milliseconds for a `scale` of 3. An empty text is 0. An integer that is too large for Unix seconds is parsed as a
/// number of these units.
pub(crate) fn basic_ticks(text: &[u8], scale: u8, zone: Zone) -> Option<i64> {
    let one = 10_i64.pow(u32::from(scale));
    if text.is_empty() {
        return Some(0);
    }
    let negative = text.strip_prefix(b"-");
    let (seconds, rest) = match negative {
        Some(digits) => parse_digits(digits, 0)?,
        None => date(text, zone).or_else(|| parse_digits(text, least_digits(text)))?,
    };
    let seconds = if negative.is_some() { -seconds } else { seconds };
    let (seconds, part) = match rest {
        [] if seconds > LAST_SECOND => (seconds / one, seconds % one),
        [] => (seconds, 0),
        [b'.', digits @ ..] if digits.iter().all(u8::is_ascii_digit) => {
            let digits = digits.iter().map(|digit| i64::from(digit - b'0'));
            let digits = digits.chain(std::iter::repeat(0)).take(scale.into());
            (seconds, digits.fold(0, |part, digit| part * 10 + digit))
        }
        _ => return None,
    };

    let part = if negative.is_some() && seconds != 0 { -part } else { part };
    let whole = i128::from(seconds.clamp(FIRST_SECOND, LAST_SECOND)) * i128::from(one);
    i64::try_from(whole + i128::from(part)).ok()
}

/// Parses a date such as `2026-01-31`, `2026-1-1` or `20260131`, with or without a clock time. Returns days since 1970.
/// With `is_strict`, the function returns `None` for invalid dates. Without `is_strict`, invalid dates become valid
/// dates as in ClickHouse: a date in month 13 becomes 1900-01-01, and 31 June becomes 1 July.
pub(crate) fn basic_day(text: &[u8], is_strict: bool) -> Option<i64> {
    let year = number(text, 0..4)?;
    let (month, of_month, rest) = if text.get(4)?.is_ascii_digit() {
        (number(text, 4..6)?, number(text, 6..8)?, &text[8..])
    } else {
        let short = |text: &[u8]| if text.get(1).is_some_and(u8::is_ascii_digit) { 2 } else { 1 };
        let (month, rest) = text[5..].split_at_checked(short(&text[5..]))?;
        let (separator, rest) = rest.split_first()?;
        let (day, rest) = rest.split_at_checked(short(rest))?;
        if separator.is_ascii_digit() {
            return None;
        }
        (number(month, 0..month.len())?, number(day, 0..day.len())?, rest)
    };
    // A clock time after the date is ignored. It is accepted only if the date has ten characters.
    let is_clock = match rest {
        [] => true,
        [b' ' | b'T', clock @ ..] if text.len() - rest.len() == 10 => is_clock_time(clock),
        _ => false,
    };

    let is_date = (1..=12).contains(&month) && (1..=31).contains(&of_month);
    let is_exact = is_date && of_month <= time::days_of(year, month);
    let day = if is_date { time::day(year, month, of_month) } else { DAY_1900 };
    (is_clock && (is_exact || !is_strict)).then_some(day)
}

/// Returns true if the text is a clock time with two digits each for hour, minute and second, with or without a
/// fraction: `01:02:03.5`.
fn is_clock_time(text: &[u8]) -> bool {
    let starts: [usize; 3] = [0, 3, 6];
    let is_fraction = match text.get(8..) {
        Some([b'.', digits @ ..]) => !digits.is_empty() && digits.iter().all(u8::is_ascii_digit),
        rest => rest.is_some_and(<[u8]>::is_empty),
    };
    is_fraction && starts.iter().all(|at| number(text, *at..at + 2).is_some())
}

/// Returns the minimum number of digits at the start of `text` for Unix seconds: five for a short text, zero for a text
/// of at least [`LONG`] bytes.
fn least_digits(text: &[u8]) -> usize {
    if text.len() >= LONG { 0 } else { 5 }
}

/// Parses the digits at the start of the text, and fails if there are fewer than `least`. Returns the number and the
/// rest of the text.
fn parse_digits(text: &[u8], least: usize) -> Option<(i64, &[u8])> {
    let count = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = text.split_at(count);
    let number = std::str::from_utf8(digits).ok()?;
    let number = if number.is_empty() { 0 } else { number.parse().ok()? };
    (count >= least).then_some((number, rest))
}

/// Parses a date with or without a clock time. Returns Unix seconds and the rest of the text.
fn date(text: &[u8], zone: Zone) -> Option<(i64, &[u8])> {
    if text.get(4)?.is_ascii_digit() {
        return None;
    }
    let (year, month, of_month) = (number(text, 0..4)?, number(text, 5..7)?, number(text, 8..10)?);
    let (clock, rest) = match text.get(10) {
        Some(b' ' | b'T') => {
            let (hour, minute) = (number(text, 11..13)?, number(text, 14..16)?);
            ((hour * 60 + minute) * 60 + number(text, 17..19)?, &text[19..])
        }
        _ => (0, &text[10..]),
    };
    if year == 0 {
        return Some((0, rest));
    }
    let is_date = (1..=12).contains(&month) && (1..=31).contains(&of_month);
    let day = if is_date { time::day(year, month, of_month) } else { DAY_1900 };
    Some((zone.unix(day * DAY + clock), rest))
}

fn number(text: &[u8], range: std::ops::Range<usize>) -> Option<i64> {
    let digits = text.get(range).filter(|digits| digits.iter().all(u8::is_ascii_digit))?;
    std::str::from_utf8(digits).ok()?.parse().ok()
}
