//! Values of request parameters, with conversions from Rust types. Every parameter type accepts strings.

use std::borrow::Cow;

use crate::time::{UnixMillis, UnixSeconds};

/// The value of one request parameter, before it is written to an HTTP request.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A string.
    Text(String),
    /// A whole number.
    Integer(i64),
    /// A decimal number.
    Number(f64),
    /// `true` or `false`.
    Boolean(bool),
    /// A list of strings.
    List(List),
    /// A JSON value for the request body.
    Json(serde_json::Value),
    /// Bytes for the request body, such as a file.
    Bytes(bytes::Bytes),
}

impl Value {
    /// Returns the value as it is written to a query string, a path or a header.
    #[must_use]
    pub fn to_text(&self) -> Cow<'_, str> {
        match self {
            Value::Text(text) => Cow::Borrowed(text),
            Value::Integer(number) => Cow::Owned(number.to_string()),
            Value::Number(number) => Cow::Owned(number.to_string()),
            Value::Boolean(flag) => Cow::Borrowed(if *flag { "true" } else { "false" }),
            Value::List(list) => Cow::Borrowed(list.as_str()),
            Value::Json(json) => Cow::Owned(json.to_string()),
            Value::Bytes(bytes) => String::from_utf8_lossy(bytes),
        }
    }

    /// Converts the value to a JSON value for a request body. For example, a [`List`] becomes a JSON array of strings.
    #[must_use]
    pub fn into_json(self) -> serde_json::Value {
        match self {
            Value::Text(text) => text.into(),
            Value::Integer(number) => number.into(),
            Value::Number(number) => number.into(),
            Value::Boolean(flag) => flag.into(),
            Value::List(list) => list.iter().map(str::to_owned).collect(),
            Value::Json(json) => json,
            Value::Bytes(bytes) => String::from_utf8_lossy(&bytes).into(),
        }
    }

    /// Converts a value that implements `Serialize`. If serialization fails, the result is `null`. Serialization
    /// never fails for types of the generated client.
    #[must_use]
    pub fn json(value: &impl serde::Serialize) -> Self {
        let json = serde_json::to_value(value).or_else(|_| {
            // Parsed from text, because a JSON value built directly turns integers beyond 64 bits into floats.
            serde_json::from_str(&serde_json::to_string(value)?)
        });
        Value::Json(json.unwrap_or(serde_json::Value::Null))
    }
}

macro_rules! from {
    ($($source:ty => $arm:ident),* $(,)?) => {$(
        impl From<$source> for Value {
            fn from(value: $source) -> Self {
                Value::$arm(value.into())
            }
        }
    )*};
}
from!(&str => Text, String => Text, i64 => Integer, f64 => Number, bool => Boolean, List => List,
    serde_json::Value => Json, bytes::Bytes => Bytes);

impl From<Address> for Value {
    fn from(address: Address) -> Self {
        Value::Text(address.0)
    }
}

impl From<UnixSeconds> for Value {
    fn from(time: UnixSeconds) -> Self {
        Value::Integer(time.0)
    }
}

impl From<UnixMillis> for Value {
    fn from(time: UnixMillis) -> Self {
        Value::Integer(time.0)
    }
}

impl From<Moment> for Value {
    fn from(moment: Moment) -> Self {
        Value::Text(moment.0)
    }
}

/// A list of strings as the value of one parameter, such as tickers or identifiers. It is stored as one string with
/// commas.
///
/// ```
/// use crypto_intel_core::List;
///
/// assert_eq!(List::from("BTC,ETH"), List::from(["BTC", "ETH"]));
/// assert_eq!(List::from(vec![String::from("BTC")]).as_str(), "BTC");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct List(String);

impl List {
    /// Returns the strings of the list, joined with commas.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Iterates over the strings of the list. Surrounding spaces are removed, and empty strings are skipped.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.split(',').map(str::trim).filter(|text| !text.is_empty())
    }
}

impl<T: AsRef<str>> FromIterator<T> for List {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut joined = String::new();
        for item in items {
            if !joined.is_empty() {
                joined.push(',');
            }
            joined.push_str(item.as_ref());
        }
        List(joined)
    }
}

impl From<&str> for List {
    fn from(joined: &str) -> Self {
        List(joined.to_owned())
    }
}

impl From<String> for List {
    fn from(joined: String) -> Self {
        List(joined)
    }
}

impl From<&String> for List {
    fn from(joined: &String) -> Self {
        List(joined.to_owned())
    }
}

impl<T: AsRef<str>, const N: usize> From<[T; N]> for List {
    fn from(items: [T; N]) -> Self {
        items.into_iter().collect()
    }
}

impl<T: AsRef<str>> From<&[T]> for List {
    fn from(items: &[T]) -> Self {
        items.iter().collect()
    }
}

impl<T: AsRef<str>, const N: usize> From<&[T; N]> for List {
    fn from(items: &[T; N]) -> Self {
        items.iter().collect()
    }
}

impl<T: AsRef<str>> From<&Vec<T>> for List {
    fn from(items: &Vec<T>) -> Self {
        items.iter().collect()
    }
}

impl From<&List> for List {
    fn from(list: &List) -> Self {
        list.clone()
    }
}

impl<T: AsRef<str>> From<Vec<T>> for List {
    fn from(items: Vec<T>) -> Self {
        items.into_iter().collect()
    }
}

/// A parameter value that is the address of a contract, account or wallet on a blockchain, or an ENS name.
///
/// ```
/// use crypto_intel_core::Address;
///
/// assert_eq!(Address::from([0u8; 20]).as_str(), format!("0x{}", "00".repeat(20)));
/// assert!(Address::from("vitalik.eth").is_name());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address(String);

impl Address {
    /// Returns the address or ENS name as it is sent to the service.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns true if the value is an ENS name, such as `vitalik.eth`. The service converts the name to an address.
    #[must_use]
    pub fn is_name(&self) -> bool {
        self.0.contains('.')
    }
}

macro_rules! from_text {
    ($($name:ident),*) => {$(
        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                $name(text.to_owned())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                $name(text)
            }
        }

        impl From<&String> for $name {
            fn from(text: &String) -> Self {
                $name(text.to_owned())
            }
        }
    )*};
}
from_text!(Address, Moment);

/// Converts the 20 bytes of an EVM address to `0x` and 40 hexadecimal digits. Libraries for EVM chains use the
/// type `[u8; 20]`.
impl From<[u8; 20]> for Address {
    fn from(bytes: [u8; 20]) -> Self {
        use std::fmt::Write as _;
        let mut text = String::from("0x");
        for byte in bytes {
            // Writing to a string cannot fail.
            let _ = write!(text, "{byte:02x}");
        }
        Address(text)
    }
}

/// A parameter value that is a point in time: Unix seconds, or a date as `YYYY-MM-DD`. Some Hyperliquid operations also
/// accept an ISO 8601 date and time. A string is checked when the call is sent.
///
/// With the Cargo features `jiff` and `chrono`, the timestamps and dates of these crates can be converted too.
///
/// ```
/// use crypto_intel_core::{Moment, UnixSeconds};
///
/// assert_eq!(Moment::from("2026-01-31").as_str(), "2026-01-31");
/// assert_eq!(Moment::from(1_767_225_600).as_str(), "1767225600");
/// assert_eq!(Moment::from(UnixSeconds(0)).as_str(), "0");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment(String);

impl Moment {
    /// Returns the string that is sent to the service, such as `2026-01-31` or `1767225600`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<i64> for Moment {
    fn from(unix_seconds: i64) -> Self {
        Moment(unix_seconds.to_string())
    }
}

/// Implements `From` for types that represent a Unix timestamp. Times are rounded down to whole seconds.
macro_rules! from_clock {
    ($($(#[$gate:meta])* $source:ty),* $(,)?) => {$(
        $(#[$gate])*
        impl From<$source> for Moment {
            fn from(time: $source) -> Self {
                Moment::from(UnixSeconds::from(time).0)
            }
        }
    )*};
}
from_clock!(
    UnixSeconds,
    UnixMillis,
    std::time::SystemTime,
    #[cfg(feature = "jiff")]
    jiff::Timestamp,
    #[cfg(feature = "jiff")]
    &jiff::Zoned,
);

#[cfg(feature = "jiff")]
impl From<jiff::civil::Date> for Moment {
    fn from(date: jiff::civil::Date) -> Self {
        Moment(date.to_string())
    }
}

#[cfg(feature = "chrono")]
impl<Tz: chrono::TimeZone> From<chrono::DateTime<Tz>> for Moment {
    fn from(time: chrono::DateTime<Tz>) -> Self {
        Moment::from(UnixSeconds::from(time).0)
    }
}

#[cfg(feature = "chrono")]
impl From<chrono::NaiveDate> for Moment {
    fn from(date: chrono::NaiveDate) -> Self {
        Moment(date.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_joins_and_splits_at_commas() {
        let list = List::from(vec!["BTC".to_owned(), "ETH".to_owned()]);
        assert_eq!(list.iter().collect::<Vec<_>>(), ["BTC", "ETH"]);
        let (texts, borrowed) = (vec!["BTC".to_owned(), "ETH".to_owned()], ["BTC", "ETH"]);
        for same in [List::from(&texts), List::from(&texts[..]), List::from(&borrowed)] {
            assert_eq!(same, list);
        }
        assert_eq!(List::from(&" BTC ,, ETH,".to_owned()).iter().count(), 2);
    }

    #[test]
    fn moments_before_1970_round_down_to_seconds() {
        assert_eq!(Moment::from(UnixMillis(-1)).as_str(), "-1");
        let time = std::time::UNIX_EPOCH - std::time::Duration::from_millis(1);
        assert_eq!(Moment::from(time).as_str(), "-1");
    }

    #[cfg(feature = "jiff")]
    #[test]
    fn jiff_times_convert_to_moments() {
        let time: jiff::Timestamp = "2026-01-01T00:00:00.9Z".parse().unwrap();
        assert_eq!(Moment::from(time).as_str(), "1767225600");
        let zoned = time.to_zoned(jiff::tz::TimeZone::UTC);
        assert_eq!(Moment::from(&zoned).as_str(), "1767225600");
        assert_eq!(Moment::from(jiff::civil::date(2026, 1, 31)).as_str(), "2026-01-31");
    }

    #[cfg(feature = "chrono")]
    #[test]
    fn chrono_times_convert_to_moments() {
        let date = chrono::NaiveDate::from_ymd_opt(2026, 1, 1).unwrap();
        assert_eq!(Moment::from(date).as_str(), "2026-01-01");
        let time = date.and_hms_milli_opt(0, 0, 0, 900).unwrap().and_utc();
        assert_eq!(Moment::from(time).as_str(), "1767225600");
    }
}
