//! Records: structs that read what they know, keep what they do not, and write both back.
//!
//! `serde`'s derive can do this with `flatten`, which buffers every member of every record. Here
//! known members go straight into their field and only unknown ones are kept as JSON, in one
//! generic loop; a record contributes a table of its members.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeOwned, DeserializeSeed, Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

/// Members of a record that this release does not know, exactly as received.
///
/// It is empty almost always, and then costs one word.
///
/// ```
/// use crypto_intel_core::MetricValue;
///
/// let text = r#"{"value":5,"status":"available","confidence":0.9}"#;
/// let metric: MetricValue = serde_json::from_str(text)?;
/// assert_eq!(metric.extra.get("confidence").and_then(|value| value.as_f64()), Some(0.9));
/// assert_eq!(serde_json::to_string(&metric)?, text);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Extra(Option<Box<Map<String, Value>>>);

impl Extra {
    /// The member called `name`, if the service sent one.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.as_ref()?.get(name)
    }

    /// Whether every member was known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.as_ref().is_none_or(|members| members.is_empty())
    }

    /// The members by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().flat_map(|members| members.iter()).map(|(name, value)| (name.as_str(), value))
    }

    /// Takes the member called `name` out.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        let members = self.0.as_mut()?;
        let removed = members.remove(name);
        // Emptied, it equals one that never held anything.
        if members.is_empty() {
            self.0 = None;
        }
        removed
    }

    /// Adds a member, or replaces the one of that name.
    pub fn insert(&mut self, name: impl Into<String>, value: Value) {
        self.0.get_or_insert_default().insert(name.into(), value);
    }
}

/// What a record says of one of its members.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordField {
    /// Name on the wire.
    pub name: &'static str,
    /// Whether an answer without it cannot be decoded.
    pub required: bool,
}

/// A struct of the description. Implemented by [`record!`](crate::record!), never by hand.
pub trait Record: Default {
    /// Name of the struct.
    const NAME: &'static str;
    /// The members, by index.
    const FIELDS: &'static [RecordField];
    /// The members that must be there.
    const REQUIRED: Members = Members::required(Self::FIELDS);

    /// Whether it is an answer with a `meta`, which needs no member in particular; but an object
    /// without a single one that is known is something else.
    const IS_ANSWER: bool = false;

    /// The index of the member called `name` on the wire.
    fn index(name: &str) -> Option<usize>;

    /// Reads the value of member `index` into its field.
    ///
    /// # Errors
    /// Whatever the deserialiser reports.
    fn read<'de, A: MapAccess<'de>>(&mut self, index: usize, map: &mut A) -> Result<(), A::Error>;

    /// Writes member `index`, if it is present.
    ///
    /// # Errors
    /// Whatever the serialiser reports.
    fn write<M: SerializeMap>(&self, index: usize, map: &mut M) -> Result<(), M::Error>;

    /// Members that this release does not know.
    fn extra(&self) -> &Extra;

    /// The same, for adding to them.
    fn extra_mut(&mut self) -> &mut Extra;
}

/// A set of members: a bit each, so a record may have up to 256.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Members([u64; 4]);

impl Members {
    const fn required(fields: &[RecordField]) -> Self {
        assert!(fields.len() <= 256, "a record has more members than there are bits for");
        let mut members = Members([0; 4]);
        let mut index = 0;
        while index < fields.len() {
            if fields[index].required {
                members.insert(index);
            }
            index += 1;
        }
        members
    }

    const fn insert(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }

    /// The first of these that is not among `others`.
    fn first_not_in(&self, others: &Members) -> Option<usize> {
        self.0.iter().zip(&others.0).enumerate().find_map(|(word, (mine, theirs))| {
            let left = mine & !theirs;
            (left != 0).then(|| word * 64 + left.trailing_zeros() as usize)
        })
    }
}

/// Reads the name of a member as its index. A name that the record does not know is left in
/// `unknown`, so that what every known one is read into stays a word.
struct KeySeed<'a, R> {
    unknown: &'a mut String,
    record: PhantomData<R>,
}

impl<'de, R: Record> DeserializeSeed<'de> for KeySeed<'_, R> {
    type Value = Option<usize>;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(crate::private::TextVisitor(|name: &str| {
            let index = R::index(name);
            if index.is_none() {
                name.clone_into(self.unknown);
            }
            index
        }))
    }
}

struct RecordVisitor<R>(PhantomData<R>);

impl<'de, R: Record> Visitor<'de> for RecordVisitor<R> {
    type Value = R;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object ({})", R::NAME)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<R, A::Error> {
        let mut record = R::default();
        let mut seen = Members::default();
        let mut unknown = String::new();

        while let Some(key) =
            map.next_key_seed(KeySeed::<R> { unknown: &mut unknown, record: PhantomData })?
        {
            match key {
                // A repeated member overwrites, as in `serde_json::Value`.
                Some(index) => {
                    record.read(index, &mut map)?;
                    seen.insert(index);
                }
                None => {
                    record.extra_mut().insert(std::mem::take(&mut unknown), map.next_value()?);
                }
            }
        }

        if R::IS_ANSWER && seen == Members::default() {
            return Err(A::Error::missing_field("data"));
        }
        match R::REQUIRED.first_not_in(&seen) {
            Some(index) => Err(A::Error::missing_field(R::FIELDS[index].name)),
            None => Ok(record),
        }
    }
}

/// Reads a record.
///
/// # Errors
/// A member of the wrong type, or a required one that is missing.
pub fn deserialize<'de, R: Record, D: Deserializer<'de>>(deserializer: D) -> Result<R, D::Error> {
    deserializer.deserialize_map(RecordVisitor(PhantomData))
}

/// Writes a record, unknown members last.
///
/// # Errors
/// Whatever the serialiser reports.
pub fn serialize<R: Record, S: Serializer>(record: &R, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    for index in 0..R::FIELDS.len() {
        record.write(index, &mut map)?;
    }
    for (name, value) in record.extra().iter() {
        map.serialize_entry(name, value)?;
    }
    map.end()
}

// What a member does is a call of one of these, so that the code of a record stays a table: with
// the `?` of every member written out, checking the generated crate takes half as long again.

/// Reads a member.
#[doc(hidden)]
#[inline]
pub fn read_value<'de, T: Deserialize<'de>, A: MapAccess<'de>>(
    field: &mut T,
    map: &mut A,
) -> Result<(), A::Error> {
    *field = map.next_value()?;
    Ok(())
}

/// Reads a member for which `null` stands for its default.
#[doc(hidden)]
#[inline]
pub fn read_or_default<'de, T: Deserialize<'de> + Default, A: MapAccess<'de>>(
    field: &mut T,
    map: &mut A,
) -> Result<(), A::Error> {
    *field = map.next_value::<Option<T>>()?.unwrap_or_default();
    Ok(())
}

/// Reads a member whose type is only assumed: a value of another type goes to `extra` instead of
/// failing the record.
#[doc(hidden)]
pub fn read_loose<'de, T: DeserializeOwned, A: MapAccess<'de>>(
    field: &mut Option<T>,
    name: &'static str,
    extra: &mut Extra,
    map: &mut A,
) -> Result<(), A::Error> {
    let value: Value = map.next_value()?;
    // Of an earlier member of that name nothing is left, as for every repeated member.
    extra.remove(name);
    *field = match value {
        Value::Null => None,
        value => T::deserialize(&value)
            .or_else(|_| crate::json::from_slice(value.to_string().as_bytes()))
            .map_err(|_| extra.insert(name, value))
            .ok(),
    };
    Ok(())
}

/// Writes a member that is there.
#[doc(hidden)]
pub fn write_some<T: Serialize, M: SerializeMap>(
    field: &Option<T>,
    name: &'static str,
    map: &mut M,
) -> Result<(), M::Error> {
    match field {
        Some(value) => map.serialize_entry(name, value),
        None => Ok(()),
    }
}

/// Writes a container that holds something.
#[doc(hidden)]
pub fn write_filled<T: Serialize, M: SerializeMap>(
    field: &T,
    is_empty: bool,
    name: &'static str,
    map: &mut M,
) -> Result<(), M::Error> {
    if is_empty { Ok(()) } else { map.serialize_entry(name, field) }
}

/// Implements [`Record`], `Serialize` and `Deserialize` for a struct with a field `extra`.
///
/// One line per member: index, mode, field, name on the wire. The modes:
/// `required` (must be there), `nullable` (`Option`, always written), `optional` (`Option`,
/// written when present), `list` and `optional_list` (a container; `null` and absence read as
/// empty, and an empty optional one is not written), `loose` (`Option`; a value of another type
/// goes to `extra`), `metric` (a figure; `null` and absence read as one without a value), `meta`
/// (a record; `null` and absence read as an empty one, and what is no object goes to `extra`).
#[macro_export]
#[doc(hidden)]
macro_rules! record {
    ($name:ident { $($index:literal $mode:ident $field:ident $wire:literal),* $(,)? }) => {
        #[allow(deprecated, reason = "a record reads and writes its deprecated members too")]
        impl $crate::Record for $name {
            const NAME: &'static str = stringify!($name);
            const FIELDS: &'static [$crate::RecordField] = &[
                $($crate::RecordField { name: $wire, required: $crate::record!(@required $mode) }),*
            ];
            const IS_ANSWER: bool = false $(|| $crate::record!(@answer $mode))*;

            fn index(name: &str) -> Option<usize> {
                Some(match name {
                    $($wire => $index,)*
                    _ => return None,
                })
            }

            fn read<'de, A: $crate::private::serde::de::MapAccess<'de>>(
                &mut self,
                index: usize,
                map: &mut A,
            ) -> Result<(), A::Error> {
                match index {
                    $($index => $crate::record!(@read $mode self map $field $wire),)*
                    _ => $crate::private::read_value(&mut $crate::private::serde::de::IgnoredAny, map),
                }
            }

            fn write<M: $crate::private::serde::ser::SerializeMap>(
                &self,
                index: usize,
                map: &mut M,
            ) -> Result<(), M::Error> {
                match index {
                    $($index => $crate::record!(@write $mode self map $field $wire),)*
                    _ => Ok(()),
                }
            }

            fn extra(&self) -> &$crate::Extra {
                &self.extra
            }

            fn extra_mut(&mut self) -> &mut $crate::Extra {
                &mut self.extra
            }
        }

        impl $crate::private::serde::Serialize for $name {
            fn serialize<S: $crate::private::serde::Serializer>(
                &self,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                $crate::private::serialize(self, serializer)
            }
        }

        impl<'de> $crate::private::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::private::serde::Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Self, D::Error> {
                $crate::private::deserialize(deserializer)
            }
        }

        impl $crate::Data for $name {}
    };

    (@required required) => { true };
    (@required $mode:ident) => { false };

    (@answer meta) => { true };
    (@answer $mode:ident) => { false };

    (@read required $self:ident $map:ident $field:ident $wire:literal) => {
        $crate::private::read_value(&mut $self.$field, $map)
    };
    (@read nullable $self:ident $map:ident $field:ident $wire:literal) => {
        $crate::private::read_value(&mut $self.$field, $map)
    };
    (@read optional $self:ident $map:ident $field:ident $wire:literal) => {
        $crate::private::read_value(&mut $self.$field, $map)
    };
    (@read list $self:ident $map:ident $field:ident $wire:literal) => {
        $crate::private::read_or_default(&mut $self.$field, $map)
    };
    (@read optional_list $self:ident $map:ident $field:ident $wire:literal) => {
        $crate::private::read_or_default(&mut $self.$field, $map)
    };
    (@read metric $self:ident $map:ident $field:ident $wire:literal) => {
        $crate::private::read_or_default(&mut $self.$field, $map)
    };
    (@read meta $self:ident $map:ident $field:ident $wire:literal) => {
        $crate::private::read_meta(&mut $self.$field, $wire, &mut $self.extra, $map)
    };
    (@read loose $self:ident $map:ident $field:ident $wire:literal) => {
        $crate::private::read_loose(&mut $self.$field, $wire, &mut $self.extra, $map)
    };

    (@write required $self:ident $map:ident $field:ident $wire:literal) => {
        $map.serialize_entry($wire, &$self.$field)
    };
    (@write nullable $self:ident $map:ident $field:ident $wire:literal) => {
        $map.serialize_entry($wire, &$self.$field)
    };
    (@write list $self:ident $map:ident $field:ident $wire:literal) => {
        $map.serialize_entry($wire, &$self.$field)
    };
    (@write optional $self:ident $map:ident $field:ident $wire:literal) => {
        $crate::private::write_some(&$self.$field, $wire, $map)
    };
    (@write loose $self:ident $map:ident $field:ident $wire:literal) => {
        $crate::private::write_some(&$self.$field, $wire, $map)
    };
    (@write optional_list $self:ident $map:ident $field:ident $wire:literal) => {
        $crate::private::write_filled(&$self.$field, $self.$field.is_empty(), $wire, $map)
    };
    (@write meta $self:ident $map:ident $field:ident $wire:literal) => {
        if $self.extra.get($wire).is_some() {
            Ok(())
        } else {
            $map.serialize_entry($wire, &$self.$field)
        }
    };
    (@write metric $self:ident $map:ident $field:ident $wire:literal) => {
        $crate::private::write_metric($map, $wire, &$self.$field)
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[derive(Debug, Clone, PartialEq, Default)]
    struct Sample {
        name: String,
        price: Option<f64>,
        note: Option<String>,
        tags: Vec<String>,
        media: Vec<String>,
        guess: Option<i64>,
        extra: Extra,
    }
    crate::record!(Sample {
        0 required name "name",
        1 nullable price "price",
        2 optional note "note",
        3 list tags "tags",
        4 optional_list media "media",
        5 loose guess "guess",
    });

    fn round_trip(input: Value) -> Value {
        let record: Sample = serde_json::from_value(input.clone()).unwrap();
        let text = serde_json::to_string(&input).unwrap();
        assert_eq!(serde_json::from_str::<Sample>(&text).unwrap(), record);
        serde_json::to_value(&record).unwrap()
    }

    #[test]
    fn a_full_record_comes_back_as_it_was() {
        let full = json!({"name": "n", "price": 1.5, "note": "x", "tags": ["a"], "media": ["m"],
            "guess": 3, "new": {"deep": [1, null]}, "n\u{e9}w": null});
        assert_eq!(round_trip(full.clone()), full);
    }

    #[test]
    fn null_and_absence_read_as_empty() {
        let expected = json!({"name": "n", "price": null, "tags": []});
        assert_eq!(round_trip(json!({"name": "n"})), expected);
        assert_eq!(
            round_trip(json!({"name": "n", "price": null, "note": null, "tags": null,
                "media": null, "guess": null})),
            expected
        );
    }

    #[test]
    fn an_assumed_member_of_another_type_is_kept() {
        let odd = json!({"name": "n", "price": null, "tags": [], "guess": "about three"});
        assert_eq!(round_trip(odd.clone()), odd);
        let twice: Sample =
            serde_json::from_str(r#"{"name": "n", "guess": "three", "guess": 3}"#).unwrap();
        assert_eq!((twice.guess, twice.extra), (Some(3), Extra::default()));
    }

    #[test]
    fn errors_name_the_member() {
        let error = |text| serde_json::from_str::<Sample>(text).unwrap_err().to_string();
        assert_eq!(error("{}"), "missing field `name` at line 1 column 2");
        assert!(error(r#"{"name": null}"#).starts_with("invalid type: null, expected a string"));
        assert!(error("[]").starts_with("invalid type: sequence, expected an object (Sample)"));
    }
}
