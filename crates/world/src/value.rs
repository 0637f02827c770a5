//! JSON values whose objects are fast to build. Unlike in `serde_json::Value`, an object is one sorted list with
//! borrowed field names. This saves time, because the sandbox builds hundreds of objects for a response and writes each
//! object once.

mod convert;

use std::borrow::Cow;
use std::ops::{Index, IndexMut};

use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};
use serde_json::Number;

/// A JSON value. A number that is not finite becomes `null`, as in [`serde_json::Value`].
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Value {
    /// JSON `null`.
    #[default]
    Null,
    /// A JSON boolean.
    Bool(bool),
    /// A JSON number.
    Number(Number),
    /// A JSON string.
    String(String),
    /// A JSON array.
    Array(Vec<Value>),
    /// A JSON object.
    Object(Members),
}

/// Fields of a JSON object, sorted by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Members(Vec<Member>);

type Member = (Cow<'static, str>, Value);

/// Builds a [`Value`] with the syntax of [`json!`](serde_json::json).
macro_rules! json {
    ($($text:tt)*) => { $crate::value::Value::from(::serde_json::json!($($text)*)) };
}

pub(crate) use json;

impl Members {
    /// Creates an empty JSON object.
    #[must_use]
    pub const fn new() -> Self {
        Members(Vec::new())
    }

    /// Creates a JSON object from fields that are already in alphabetical order.
    pub(crate) fn from_sorted(members: impl Iterator<Item = (&'static str, Value)>) -> Self {
        Members(members.map(|(name, value)| (name.into(), value)).collect())
    }

    fn find_index(&self, name: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(known, _)| (**known).cmp(name))
    }

    /// Returns the number of fields of the object.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if the object has no fields.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the value of the field `name`, if the object has this field.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.find_index(name).ok().map(|at| &self.0[at].1)
    }

    /// Returns true if the object has a field `name`.
    #[must_use]
    pub fn contains_key(&self, name: &str) -> bool {
        self.find_index(name).is_ok()
    }

    /// Sets a field of the object. If the object already has a field with this name, its value is replaced.
    pub fn insert(&mut self, name: impl Into<Cow<'static, str>>, value: impl Into<Value>) {
        let (name, value) = (name.into(), value.into());
        match self.find_index(&name) {
            Ok(at) => self.0[at].1 = value,
            Err(at) => self.0.insert(at, (name, value)),
        }
    }

    /// Removes a field from the object and returns its value.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        self.find_index(name).ok().map(|at| self.0.remove(at).1)
    }

    /// Removes each field for which `is_wanted` returns false.
    pub fn retain(&mut self, mut is_wanted: impl FnMut(&str, &Value) -> bool) {
        self.0.retain(|(name, value)| is_wanted(name, value));
    }

    /// Iterates over the fields of the object in alphabetical order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(name, value)| (&**name, value))
    }
}

impl Extend<Member> for Members {
    fn extend<T: IntoIterator<Item = Member>>(&mut self, more: T) {
        for (name, value) in more {
            self.insert(name, value);
        }
    }
}

impl<K: Into<Cow<'static, str>>, V: Into<Value>> FromIterator<(K, V)> for Members {
    fn from_iter<T: IntoIterator<Item = (K, V)>>(members: T) -> Self {
        let mut all = Members::new();
        members.into_iter().for_each(|(name, value)| all.insert(name, value));
        all
    }
}

impl IntoIterator for Members {
    type Item = Member;
    type IntoIter = std::vec::IntoIter<Member>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

const NULL: Value = Value::Null;

/// Returns the value of a field by name, or `null` if the object does not have the field.
impl Index<&str> for Members {
    type Output = Value;

    fn index(&self, name: &str) -> &Value {
        self.get(name).unwrap_or(&NULL)
    }
}

/// Returns the value of a field by name. Returns `null` if the object does not have the field, or if the value is not
/// an object.
impl Index<&str> for Value {
    type Output = Value;

    fn index(&self, name: &str) -> &Value {
        match self {
            Value::Object(members) => &members[name],
            _ => &NULL,
        }
    }
}

/// Returns a mutable reference to the value of a field. A missing field is added as `null`. A value that is not an
/// object is first replaced by an empty object.
impl IndexMut<&str> for Value {
    fn index_mut(&mut self, name: &str) -> &mut Value {
        if !matches!(self, Value::Object(_)) {
            *self = Value::Object(Members::new());
        }
        let Value::Object(Members(list)) = self else {
            unreachable!("it was created as an object")
        };
        let at = match list.binary_search_by(|(known, _)| (**known).cmp(name)) {
            Ok(at) => at,
            Err(at) => {
                list.insert(at, (name.to_owned().into(), Value::Null));
                at
            }
        };
        &mut list[at].1
    }
}

impl Value {
    /// Returns the string if the value is a JSON string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the number as a double if the value is a JSON number.
    #[must_use]
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Value::Number(number) => number.as_f64(),
            _ => None,
        }
    }

    /// Returns the integer if the value is an integer in the range of `i64`.
    #[must_use]
    pub fn as_i64(&self) -> Option<i64> {
        match self {
            Value::Number(number) => number.as_i64(),
            _ => None,
        }
    }

    /// Returns the items if the value is a JSON array.
    #[must_use]
    pub fn as_array(&self) -> Option<&[Value]> {
        match self {
            Value::Array(items) => Some(items),
            _ => None,
        }
    }

    /// Returns the fields if the value is a JSON object.
    pub fn as_object_mut(&mut self) -> Option<&mut Members> {
        match self {
            Value::Object(members) => Some(members),
            _ => None,
        }
    }

    /// Returns true if the value is `null`.
    #[must_use]
    pub fn is_null(&self) -> bool {
        *self == Value::Null
    }
}

impl PartialEq<&str> for Value {
    fn eq(&self, text: &&str) -> bool {
        self.as_str() == Some(*text)
    }
}

impl PartialEq<bool> for Value {
    fn eq(&self, flag: &bool) -> bool {
        matches!(self, Value::Bool(known) if known == flag)
    }
}

/// Compares a value with a request argument. Strings, numbers and booleans can be equal. All other values are unequal,
/// even two `null` values.
impl PartialEq<serde_json::Value> for Value {
    fn eq(&self, given: &serde_json::Value) -> bool {
        match (self, given) {
            (Value::Bool(a), serde_json::Value::Bool(b)) => a == b,
            (Value::Number(a), serde_json::Value::Number(b)) => a == b,
            (Value::String(a), serde_json::Value::String(b)) => a == b,
            _ => false,
        }
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(flag) => serializer.serialize_bool(*flag),
            Value::Number(number) => number.serialize(serializer),
            Value::String(text) => serializer.serialize_str(text),
            Value::Array(items) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                for item in items {
                    list.serialize_element(item)?;
                }
                list.end()
            }
            Value::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (name, value) in members.iter() {
                    map.serialize_entry(name, value)?;
                }
                map.end()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn document() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(Into::into),
            any::<i64>().prop_map(Into::into),
            any::<u64>().prop_map(Into::into),
            any::<f64>().prop_map(Into::into),
            ".{0,8}".prop_map(Into::into),
        ];
        leaf.prop_recursive(4, 32, 5, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Into::into),
                prop::collection::btree_map(".{0,4}", inner, 0..5)
                    .prop_map(|members| members.into_iter().collect()),
            ]
        })
    }

    proptest! {
        #[test]
        fn value_serializes_like_its_document(document in document()) {
            let value = Value::from(document.clone());
            prop_assert_eq!(serde_json::to_string(&value).unwrap(), document.to_string());
            prop_assert_eq!(serde_json::Value::from(value), document);
        }
    }

    #[test]
    fn members_are_found_and_replaced_by_name() {
        let sorted = [("a", true.into()), ("b", 1.into()), ("c", "x".into())];
        let mut members = Members::from_sorted(sorted.into_iter());
        assert_eq!(members.iter().map(|(name, _)| name).collect::<String>(), "abc");
        members.insert("b", 2);
        members.insert("d", Value::Null);
        assert_eq!((members["b"].as_i64(), members.len()), (Some(2), 4));
        assert!(members["c"] == "x" && members["a"] == true && members["e"].is_null());
        assert_eq!(members.remove("c"), Some("x".into()));
        members.retain(|_, value| !value.is_null());
        assert_eq!(serde_json::to_string(&Value::from(members)).unwrap(), r#"{"a":true,"b":2}"#);
        let mut value = Value::Null;
        value["b"] = 1.into();
        value["a"] = 2.into();
        assert_eq!(serde_json::to_string(&value).unwrap(), r#"{"a":2,"b":1}"#);
    }
}
