//! Reads a member whose name is not known, with its digits.

use std::fmt;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::json;

/// The name under which `serde_json` gives the text of a value instead of its parts. Other deserialisers do
/// not know it and give the value.
const TEXT: &str = "$serde_json::private::RawValue";

/// A value, and its JSON if the value does not hold all of its digits.
#[derive(Debug)]
pub(super) struct Unknown {
    pub(super) value: Value,
    pub(super) text: Option<Box<str>>,
}

impl Unknown {
    fn from_text(text: String) -> serde_json::Result<Self> {
        let value = json::any_value(&text)?;
        let text = json::has_lost_digits(&text).then(|| text.into_boxed_str());
        Ok(Unknown { value, text })
    }
}

impl From<Value> for Unknown {
    fn from(value: Value) -> Self {
        Unknown { value, text: None }
    }
}

impl<'de> Deserialize<'de> for Unknown {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(TEXT, UnknownVisitor)
    }
}

struct UnknownVisitor;

impl<'de> Visitor<'de> for UnknownVisitor {
    type Value = Unknown;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, value: D) -> Result<Unknown, D::Error> {
        Value::deserialize(value).map(Unknown::from)
    }

    // Some deserialisers have no newtypes, and give the parts of the value at once.

    fn visit_unit<E>(self) -> Result<Unknown, E> {
        Ok(Value::Null.into())
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Unknown, E> {
        Ok(Value::from(flag).into())
    }

    fn visit_i64<E>(self, number: i64) -> Result<Unknown, E> {
        Ok(Value::from(number).into())
    }

    fn visit_u64<E>(self, number: u64) -> Result<Unknown, E> {
        Ok(Value::from(number).into())
    }

    fn visit_f64<E>(self, number: f64) -> Result<Unknown, E> {
        Ok(Value::from(number).into())
    }

    fn visit_str<E>(self, text: &str) -> Result<Unknown, E> {
        Ok(Value::from(text).into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Unknown, A::Error> {
        Value::deserialize(SeqAccessDeserializer::new(seq)).map(Unknown::from)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Unknown, A::Error> {
        let mut members = Map::new();
        while let Some(name) = map.next_key::<String>()? {
            if name == TEXT {
                return Unknown::from_text(map.next_value()?).map_err(A::Error::custom);
            }
            members.insert(name, map.next_value()?);
        }
        Ok(Value::Object(members).into())
    }
}
