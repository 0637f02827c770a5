//! Members whose type is only assumed.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{Error as Misfit, MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{DeserializeOwned, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::Extra;

/// Reads a member whose type is only assumed: a value of another type goes to `extra` instead of
/// failing the record.
#[doc(hidden)]
pub fn read_loose<'de, T: DeserializeOwned, A: MapAccess<'de>>(
    field: &mut Option<T>,
    name: &'static str,
    extra: &mut Extra,
    map: &mut A,
) -> Result<(), A::Error> {
    let read = map.next_value::<Loose<T>>()?;

    // Of an earlier member of that name nothing is left, as for every repeated member.
    extra.remove(name);
    *field = match read {
        Loose::Fits(value) => Some(value),
        Loose::Other(Value::Null) => None,
        Loose::Other(value) => {
            extra.insert(name, value);
            None
        }
    };
    Ok(())
}

/// A value of type `T`, or whatever came instead.
enum Loose<T> {
    Fits(T),
    Other(Value),
}

impl<T: DeserializeOwned> Loose<T> {
    /// Reads a plain value, which is not held as JSON unless it does not fit.
    fn plain<'de, V>(plain: V) -> Self
    where
        V: IntoDeserializer<'de, Misfit> + Into<Value> + Copy,
    {
        match T::deserialize(plain.into_deserializer()) {
            Ok(value) => Loose::Fits(value),
            Err(_) => Loose::held(plain.into()),
        }
    }

    /// Reads a value that is held as JSON.
    fn held(value: Value) -> Self {
        let read = T::deserialize(&value)
            .or_else(|_| crate::json::from_slice(value.to_string().as_bytes()));
        read.map_or(Loose::Other(value), Loose::Fits)
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Loose<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LooseVisitor(PhantomData))
    }
}

struct LooseVisitor<T>(PhantomData<T>);

impl<'de, T: DeserializeOwned> Visitor<'de> for LooseVisitor<T> {
    type Value = Loose<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<Loose<T>, E> {
        Ok(Loose::Other(Value::Null))
    }

    fn visit_bool<E>(self, flag: bool) -> Result<Loose<T>, E> {
        Ok(Loose::plain(flag))
    }

    fn visit_i64<E>(self, number: i64) -> Result<Loose<T>, E> {
        Ok(Loose::plain(number))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Loose<T>, E> {
        Ok(Loose::plain(number))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Loose<T>, E> {
        Ok(Loose::plain(number))
    }

    fn visit_str<E>(self, text: &str) -> Result<Loose<T>, E> {
        Ok(Loose::plain(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Loose<T>, A::Error> {
        Value::deserialize(SeqAccessDeserializer::new(seq)).map(Loose::held)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Loose<T>, A::Error> {
        Value::deserialize(MapAccessDeserializer::new(map)).map(Loose::held)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{Number, UnixSeconds};

    fn read<T: DeserializeOwned>(value: &Value) -> Option<T> {
        // From text and from a value that is held already: the same.
        let Loose::Fits(read) = serde_json::from_str::<Loose<T>>(&value.to_string()).ok()? else {
            return None;
        };
        assert!(matches!(serde_json::from_value(value.clone()), Ok(Loose::<T>::Fits(_))));
        Some(read)
    }

    #[test]
    fn what_fits_is_read_and_all_else_is_kept() {
        assert_eq!(read(&json!(7)), Some(7i64));
        assert_eq!(read(&json!(7.0)), Some(7i64));
        assert_eq!(read(&json!(7)), Some(7.0f64));
        assert_eq!(read(&json!("n")), Some("n".to_owned()));
        assert_eq!(read(&json!(["n"])), Some(vec!["n".to_owned()]));
        assert_eq!(read(&json!({"a": 1})), Some(json!({"a": 1})));
        assert_eq!(read(&json!(1_760_000_000)), Some(UnixSeconds(1_760_000_000)));
        assert_eq!(read(&json!(1.5)), Some(serde_json::from_str::<Number>("1.5").unwrap()));
        assert_eq!(read(&json!(7)), Some(Some(7i64)));

        assert_eq!(read::<i64>(&json!(0.5)), None);
        assert_eq!(read::<bool>(&json!("true")), None);
        assert_eq!(read::<String>(&json!(7)), None);
        assert_eq!(read::<i64>(&json!({"a": 1})), None);
        assert_eq!(read::<i64>(&Value::Null), None);
    }
}
