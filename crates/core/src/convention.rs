//! Checks text formats that many parameters of the service use, such as dates, tickers and UUIDs.
//!
//! A value is rejected only if the service would certainly reject it or return no data for it. Unknown values, such as
//! a new chain name, are accepted.

use crate::operation::{Convention, Param, ParamKind};
use crate::value::{List, Value};

/// Converts a parameter value to the form that the service expects: tickers in uppercase, and social media handles
/// without `@`.
pub(crate) fn normalise(param: &Param, value: Value) -> Value {
    match (param.convention, value) {
        (Some(Convention::Ticker), Value::Text(text)) => Value::Text(text.to_uppercase()),
        (Some(Convention::Ticker), Value::List(list)) => {
            Value::List(List::from(list.as_str().to_uppercase()))
        }
        (Some(Convention::Handle), Value::Text(text)) if text.starts_with('@') => {
            tracing::debug!(parameter = param.name, "removed `@` from a handle");
            Value::Text(text.trim_start_matches('@').to_owned())
        }
        (_, value) => value,
    }
}

/// Returns the reason to reject `text` as the value of `param`. Returns `None` if the service may accept the value. The
/// reason continues a sentence that begins with the parameter's name, for example "must be a UUID, not `bitcoin`".
#[must_use]
pub fn fault(param: &Param, text: &str) -> Option<String> {
    match (param.kind, param.convention) {
        (ParamKind::Enum(values), _) => enum_fault(values, text),
        (ParamKind::Moment, convention) => moment_fault(convention, text),
        (_, Some(Convention::Address)) => address_fault(text),
        (_, Some(Convention::Uuid)) => uuid_fault(text),
        _ => None,
    }
}

/// Returns the reason to reject `text` if it is not a UUID. For a parameter that accepts only UUIDs, the service would
/// charge for a call with a name, and return no data.
fn uuid_fault(text: &str) -> Option<String> {
    let is_valid = text.len() == 36
        && text.bytes().enumerate().all(|(place, byte)| match place {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        });
    (!is_valid).then(|| format!("must be a UUID, not `{text}`; search by name to get the UUID"))
}

/// Common short names of chains, such as `eth`, each with the name that the service accepts, such as `ethereum`.
const CHAINS: &[(&str, &str)] = &[
    ("arb", "arbitrum"),
    ("avax", "avalanche"),
    ("binance", "bsc"),
    ("binance-smart-chain", "bsc"),
    ("bnb", "bsc"),
    ("bsc-mainnet", "bsc"),
    ("eth", "ethereum"),
    ("ether", "ethereum"),
    ("ftm", "fantom"),
    ("gno", "gnosis"),
    ("mainnet", "ethereum"),
    ("matic", "polygon"),
    ("mnt", "mantle"),
    ("op", "optimism"),
    ("pol", "polygon"),
    ("sol", "solana"),
    ("trx", "tron"),
    ("xdai", "gnosis"),
    ("zksync-era", "zksync"),
];

/// Long spellings of sort directions, each with the spelling that the service accepts.
const ORDERS: &[(&str, &str)] = &[("ascending", "asc"), ("descending", "desc")];

/// Returns the chain name that the service accepts for a common short name. Case is ignored. Returns `None` if `alias`
/// is not a known short name.
///
/// ```
/// assert_eq!(crypto_intel_core::long_chain_name("ETH"), Some("ethereum"));
/// assert_eq!(crypto_intel_core::long_chain_name("ethereum"), None);
/// ```
#[must_use]
pub fn long_chain_name(alias: &str) -> Option<&'static str> {
    find_alias(CHAINS, alias)
}

fn find_alias(names: &[(&str, &'static str)], alias: &str) -> Option<&'static str> {
    let found = names.iter().find(|(known, _)| known.eq_ignore_ascii_case(alias));
    found.map(|(_, name)| *name)
}

/// Returns the reason to reject a misspelled enum value. A value is misspelled if it differs from one of `values` only
/// in case or surrounding spaces. An alias counts as misspelled too: for example `eth`, if `values` contains
/// `ethereum`. Returns `None` for all other values, because the service can add values.
fn enum_fault(values: &[&str], text: &str) -> Option<String> {
    if values.contains(&text) || is_month_or_minute(text) {
        return None;
    }
    let trimmed = text.trim();
    let meant = long_chain_name(trimmed)
        .or_else(|| find_alias(ORDERS, trimmed))
        .into_iter()
        .chain([trimmed])
        .find_map(|name| values.iter().find(|value| value.eq_ignore_ascii_case(name)))?;
    Some(format!("cannot be `{text}`: did you mean `{meant}`?"))
}

/// Returns true if the text is an interval in minutes (`1m`) or in months (`1M`). The two units differ only in case, so
/// `1m` must not be reported as a misspelling of `1M`.
fn is_month_or_minute(text: &str) -> bool {
    let count = text.trim_end_matches(['m', 'M']);
    count.len() + 1 == text.len() && count.bytes().all(|byte| byte.is_ascii_digit())
}

/// Largest number that is accepted as a Unix timestamp in seconds (the year 5138). A larger number is probably in a
/// smaller unit, such as milliseconds. The smallest accepted number is `-LAST_SECOND`.
const LAST_SECOND: i64 = 99_999_999_999;

/// Returns the reason to reject a number that is not between `-LAST_SECOND` and [`LAST_SECOND`]. Such a number is
/// probably a Unix timestamp in a smaller unit, but the parameter requires seconds. Returns `None` for other numbers,
/// and for parameters that are not Unix timestamps in seconds.
pub(crate) fn time_fault(param: &Param, number: i64) -> Option<String> {
    (param.convention == Some(Convention::UnixSeconds)).then(|| seconds_fault(number)).flatten()
}

fn seconds_fault(second: i64) -> Option<String> {
    const UNITS: [(i64, &str); 3] =
        [(1_000, "milliseconds"), (1_000_000, "microseconds"), (1_000_000_000, "nanoseconds")];

    let is_valid = |second: i64| (-LAST_SECOND..=LAST_SECOND).contains(&second);
    if is_valid(second) {
        return None;
    }
    // In nanoseconds, each `i64` is a valid time.
    let mut converted =
        UNITS.iter().map(|(per_second, unit)| (second.div_euclid(*per_second), unit));
    let (meant, unit) = converted.find(|(meant, _)| is_valid(*meant))?;
    Some(format!("must be in seconds, not {unit}: did you mean `{meant}`?"))
}

fn moment_fault(convention: Option<Convention>, text: &str) -> Option<String> {
    let wanted = match convention {
        Some(Convention::Day) => "a date as YYYY-MM-DD",
        Some(Convention::DateTime) => {
            "Unix seconds, a date as YYYY-MM-DD or a date-time as YYYY-MM-DDThh:mm:ssZ"
        }
        _ => "Unix seconds or a date as YYYY-MM-DD",
    };
    let wrong = || Some(format!("must be {wanted}, not `{text}`"));
    let digits = text.strip_prefix('-').unwrap_or(text);

    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return match text.parse::<i64>() {
            _ if convention == Some(Convention::Day) => wrong(),
            Ok(number) => seconds_fault(number),
            Err(_) => wrong(),
        };
    }

    let Some((date, rest)) = text.split_at_checked(10) else { return wrong() };
    match date_exists(date) {
        None => wrong(),
        Some(false) => Some(format!("must be {wanted}; the date `{date}` does not exist")),
        Some(true) if rest.is_empty() => None,
        Some(true) if convention == Some(Convention::DateTime) && is_time(rest) => None,
        Some(true) => wrong(),
    }
}

/// Returns true if the text is a date that exists in the calendar, and false if it is an impossible date such as
/// `2026-02-30`. Returns `None` if the text does not have the form `YYYY-MM-DD`.
fn date_exists(text: &str) -> Option<bool> {
    let mut parts = text.split('-');
    let mut part = |length| parse_digits(parts.next()?, length);
    let (year, month, day) = (part(4)?, part(2)?, part(2)?);
    if parts.next().is_some() {
        return None;
    }
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => 0,
    };
    Some((1..=days).contains(&day))
}

/// Returns true if the text has the form `Thh:mm`, with optional seconds, fraction of a second and offset. A space may
/// replace the `T`.
fn is_time(text: &str) -> bool {
    let Some(text) = text.strip_prefix(['T', 't', ' ']) else { return false };
    let (clock, offset) = match text.find(['Z', 'z', '+', '-']) {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let hours_and_minutes = |text: &str, last_hour| {
        let mut parts = text.splitn(3, ':');
        let hour = parts.next().and_then(|part| parse_digits(part, 2));
        let minute = parts.next().and_then(|part| parse_digits(part, 2));
        (hour.is_some_and(|hour| hour <= last_hour) && minute.is_some_and(|minute| minute < 60))
            .then(|| parts.next().map(str::to_owned))
    };

    let offset = match offset {
        "" | "Z" | "z" => true,
        signed => signed
            .strip_prefix(['+', '-'])
            .is_some_and(|distance| hours_and_minutes(distance, 23) == Some(None)),
    };
    let clock = match hours_and_minutes(clock, 23) {
        None => false,
        Some(None) => true,
        Some(Some(seconds)) => {
            let (whole, fraction) = seconds.split_once('.').unwrap_or((&seconds, "0"));
            // Second 60 is a leap second.
            parse_digits(whole, 2).is_some_and(|second| second <= 60)
                && !fraction.is_empty()
                && fraction.bytes().all(|byte| byte.is_ascii_digit())
        }
    };

    clock && offset
}

/// Parses a number that has exactly `length` digits. Returns `None` for any other text.
fn parse_digits(text: &str, length: usize) -> Option<u32> {
    (text.len() == length && text.bytes().all(|byte| byte.is_ascii_digit()))
        .then(|| text.parse().ok())?
}

/// Returns the reason to reject `text` as a blockchain address. Address formats differ between chains. If at least one
/// chain may have addresses of this format, returns `None`.
fn address_fault(text: &str) -> Option<String> {
    if text.trim().is_empty() {
        return Some("must be an address or an ENS name, not empty".to_owned());
    }
    if text.contains(|c: char| c.is_whitespace() || c.is_control()) {
        return Some(format!("must be one address or ENS name without spaces, not `{text}`"));
    }
    let Some(hex) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) else {
        return unprefixed_address_fault(text);
    };
    // An address has up to 32 bytes. Some chains with the prefix `0x` omit leading zeros.
    let fits = (1..=64).contains(&hex.len()) && hex.bytes().all(|byte| byte.is_ascii_hexdigit());
    (!fits && !hex.contains('.')).then(|| {
        format!("must be an address (`0x` and hexadecimal digits) or an ENS name, not `{text}`")
    })
}

/// Minimum length, in characters, of a Base58 address on any chain.
const SHORTEST_BASE58: usize = 26;

fn unprefixed_address_fault(text: &str) -> Option<String> {
    if text.len() == 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Some(format!("must begin with `0x`: did you mean `0x{text}`?"));
    }
    let is_too_short = text.len() < SHORTEST_BASE58 && !text.contains('.');
    let hint = match looks_like_name(text) {
        true => "search by name to get an address",
        false => "the value looks like a part of an address",
    };
    is_too_short.then(|| format!("must be an address or an ENS name, not `{text}`; {hint}"))
}

/// Returns true if the text looks like the name of a token or project, such as `USDC` or `uniswap`. Returns false for a
/// text that is empty, has 26 or more bytes, or contains a dot. Also returns false for addresses and UUIDs, even if they
/// are mistyped or cut off. A typing error therefore does not start a paid search.
#[must_use]
pub fn looks_like_name(text: &str) -> bool {
    let has = |is: fn(&u8) -> bool| text.bytes().any(|byte| is(&byte));
    let all = |is: fn(&u8) -> bool| text.bytes().all(|byte| is(&byte));

    let is_identifier_like = text.len() >= SHORTEST_BASE58
        || text.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("0x"))
        || text.contains(['.', '…']);
    let is_hex = text.len() >= 8 && all(|byte| byte.is_ascii_hexdigit() || *byte == b'-');
    let is_base58 = text.len() >= 10
        && all(u8::is_ascii_alphanumeric)
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase);
    let has_digit = has(u8::is_ascii_digit);

    !text.trim().is_empty() && !is_identifier_like && !(has_digit && (is_hex || is_base58))
}

#[cfg(test)]
mod tests;
