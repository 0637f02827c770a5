//! Decodes the field `meta` of a response.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::record::Extra;

/// Decodes the field `meta` of a response. A `meta` that is neither an object nor `null` is stored in `extra`, and is
/// not an error. The value `null` is read as an empty `meta`.
#[doc(hidden)]
pub fn read_meta<'de, T: Deserialize<'de> + Default, A: MapAccess<'de>>(
    field: &mut T,
    name: &'static str,
    extra: &mut Extra,
    map: &mut A,
) -> Result<(), A::Error> {
    extra.remove(name);
    *field = match map.next_value::<Meta<T>>()? {
        Meta::Object(meta) => meta,
        Meta::Other(Value::Null) => T::default(),
        Meta::Other(value) => {
            extra.insert(name, value);
            T::default()
        }
    };
    Ok(())
}

/// The value of the field `meta`: a JSON object that was decoded as `T`, or any other JSON value.
enum Meta<T> {
    Object(T),
    Other(Value),
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Meta<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(MetaVisitor(PhantomData))
    }
}

struct MetaVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for MetaVisitor<T> {
    type Value = Meta<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Meta<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(map)).map(Meta::Object)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Meta<T>, A::Error> {
        Value::deserialize(SeqAccessDeserializer::new(seq)).map(Meta::Other)
    }

    fn visit_unit<E>(self) -> Result<Meta<T>, E> {
        Ok(Meta::Other(Value::Null))
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Meta<T>, E> {
        Ok(Meta::Other(flag.into()))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Meta<T>, E> {
        Ok(Meta::Other(number.into()))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Meta<T>, E> {
        Ok(Meta::Other(number.into()))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Meta<T>, E> {
        Ok(Meta::Other(number.into()))
    }

    fn visit_str<E>(self, text: &str) -> Result<Meta<T>, E> {
        Ok(Meta::Other(text.into()))
    }
}
