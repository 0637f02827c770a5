//! Conversions from Rust types into [`Value`], and between [`Value`] and `serde_json` values.
//!
//! The module implements `From` for the types that records contain.

use std::borrow::Cow;

use serde_json::Number;

use super::{Members, Value};

macro_rules! numbers {
    ($($ty:ty),*) => {
        $(
            impl From<$ty> for Value {
                fn from(number: $ty) -> Self {
                    Value::Number(number.into())
                }
            }
        )*
    };
}

numbers!(i32, i64, u32, u64, usize);

impl From<f64> for Value {
    /// Converts a number, and replaces `-0` by `0`. In Rust, an empty sum and the negation of 0 are `-0`. The service
    /// never sends `-0`.
    fn from(number: f64) -> Self {
        Number::from_f64(number + 0.0).map_or(Value::Null, Value::Number)
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Value::Bool(flag)
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::String(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::String(text)
    }
}

impl From<Members> for Value {
    fn from(members: Members) -> Self {
        Value::Object(members)
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Into::into)
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(items: Vec<T>) -> Self {
        items.into_iter().collect()
    }
}

impl<T: Into<Value> + Clone> From<&[T]> for Value {
    fn from(items: &[T]) -> Self {
        items.iter().cloned().collect()
    }
}

impl<T: Into<Value>, const COUNT: usize> From<[T; COUNT]> for Value {
    fn from(items: [T; COUNT]) -> Self {
        items.into_iter().collect()
    }
}

impl<T: Into<Value>> FromIterator<T> for Value {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Value::Array(items.into_iter().map(Into::into).collect())
    }
}

impl<K: Into<Cow<'static, str>>, V: Into<Value>> FromIterator<(K, V)> for Value {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(members: I) -> Self {
        Value::Object(members.into_iter().collect())
    }
}

impl From<serde_json::Value> for Value {
    fn from(document: serde_json::Value) -> Self {
        match document {
            serde_json::Value::Null => Value::Null,
            serde_json::Value::Bool(flag) => Value::Bool(flag),
            serde_json::Value::Number(number) => Value::Number(number),
            serde_json::Value::String(text) => Value::String(text),
            serde_json::Value::Array(items) => items.into_iter().collect(),
            serde_json::Value::Object(members) => members.into_iter().collect(),
        }
    }
}

impl From<Value> for serde_json::Value {
    fn from(value: Value) -> Self {
        match value {
            Value::Null => serde_json::Value::Null,
            Value::Bool(flag) => serde_json::Value::Bool(flag),
            Value::Number(number) => serde_json::Value::Number(number),
            Value::String(text) => serde_json::Value::String(text),
            Value::Array(items) => items.into_iter().map(serde_json::Value::from).collect(),
            Value::Object(members) => {
                let members = members.into_iter();
                let members = members.map(|(name, value)| (name.into_owned(), value.into()));
                serde_json::Value::Object(members.collect())
            }
        }
    }
}
