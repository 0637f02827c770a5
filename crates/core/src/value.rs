//! Values of parameters, and the conversions that let strings always work.

use std::borrow::Cow;

use crate::time::UnixSeconds;

/// The value of one parameter, before it is written into a request.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Text.
    Text(String),
    /// Whole number.
    Integer(i64),
    /// Decimal number.
    Number(f64),
    /// `true` or `false`.
    Boolean(bool),
    /// Several texts, sent joined with commas.
    List(List),
    /// A JSON value of a body.
    Json(serde_json::Value),
}

impl Value {
    /// The value as it is written into a query string, a path or a header.
    #[must_use]
    pub fn to_text(&self) -> Cow<'_, str> {
        match self {
            Value::Text(text) => Cow::Borrowed(text),
            Value::Integer(number) => Cow::Owned(number.to_string()),
            Value::Number(number) => Cow::Owned(number.to_string()),
            Value::Boolean(flag) => Cow::Borrowed(if *flag { "true" } else { "false" }),
            Value::List(list) => Cow::Borrowed(list.as_str()),
            Value::Json(json) => Cow::Owned(json.to_string()),
        }
    }

    /// The value as a member of a JSON body.
    #[must_use]
    pub fn into_json(self) -> serde_json::Value {
        match self {
            Value::Text(text) => text.into(),
            Value::Integer(number) => number.into(),
            Value::Number(number) => number.into(),
            Value::Boolean(flag) => flag.into(),
            Value::List(list) => list.iter().map(str::to_owned).collect(),
            Value::Json(json) => json,
        }
    }

    /// A JSON value from anything that serialises; what cannot be written becomes `null`, which
    /// the types of the generated client never do.
    #[must_use]
    pub fn json(value: &impl serde::Serialize) -> Self {
        Value::Json(serde_json::to_value(value).unwrap_or(serde_json::Value::Null))
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
    serde_json::Value => Json);

impl From<Moment> for Value {
    fn from(moment: Moment) -> Self {
        Value::Text(moment.0)
    }
}

/// Several texts that travel as one parameter, joined with commas: tickers, ids, sections.
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
    /// The texts, joined with commas.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The texts one by one, without surrounding blanks.
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

impl<T: AsRef<str>> From<Vec<T>> for List {
    fn from(items: Vec<T>) -> Self {
        items.into_iter().collect()
    }
}

/// A point in time as a parameter: Unix seconds, or a day as `YYYY-MM-DD`.
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
    /// The moment as it is sent.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&str> for Moment {
    fn from(text: &str) -> Self {
        Moment(text.to_owned())
    }
}

impl From<String> for Moment {
    fn from(text: String) -> Self {
        Moment(text)
    }
}

impl From<i64> for Moment {
    fn from(unix_seconds: i64) -> Self {
        Moment(unix_seconds.to_string())
    }
}

impl From<UnixSeconds> for Moment {
    fn from(time: UnixSeconds) -> Self {
        Moment::from(time.0)
    }
}

/// Whole seconds; what lies before 1970 is kept as a negative number.
impl From<std::time::SystemTime> for Moment {
    fn from(time: std::time::SystemTime) -> Self {
        UnixSeconds::from(time).into()
    }
}
