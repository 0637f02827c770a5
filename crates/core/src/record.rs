//! Records: structs that decode known JSON fields and keep unknown JSON fields. A record writes both kinds of fields.
//!
//! The option `flatten` of `serde` would buffer all fields of a record. Here, one generic loop decodes known fields
//! directly, and keeps only unknown fields as JSON. A record type needs only a table of its fields.

mod extra;
mod loose;
mod member;
mod table;

use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeSeed, Error as _, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserializer, Serializer};
use serde_json::Value;

use crate::json_value::Json;
use crate::shape_match::{Mismatch, Tag, fields_mismatch};

pub use extra::Extra;
pub use loose::read_loose;
pub use member::{read_or_default, read_value, write_filled, write_some};

/// Description of one field of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordField {
    /// Name of the field in JSON.
    pub name: &'static str,
    /// True if decoding the record returns an error when the field is missing.
    pub required: bool,
    /// True if the OpenAPI document requires the field. Decoding succeeds without the field unless
    /// [`required`](Self::required) is true. For lists and nullable fields, `required` is false.
    pub expected: bool,
}

/// A struct that represents a JSON object and also keeps its unknown fields. Outside the crate `crypto-intel-core`,
/// implement this trait only with [`record!`](crate::record!).
pub trait Record: Default {
    /// Name of the struct, for error messages.
    const NAME: &'static str;
    /// Fields of the record. The index of a field is its position in this list.
    const FIELDS: &'static [RecordField];
    /// Set of the required fields.
    const REQUIRED: Members = Members::required(Self::FIELDS);

    /// True if the record is a whole response with a field `meta`. If true, decoding a JSON object that has none of the
    /// fields in [`FIELDS`](Self::FIELDS) returns an error.
    const IS_ANSWER: bool = false;

    /// Returns the index of the field with this name in JSON, if the record has it.
    fn index(name: &str) -> Option<usize>;

    /// Decodes the next value of `map` into the struct field with this index.
    ///
    /// # Errors
    /// Returns errors of the deserializer.
    fn read<'de, A: MapAccess<'de>>(&mut self, index: usize, map: &mut A) -> Result<(), A::Error>;

    /// Writes the field with this index to `map`. An absent field is not written, for example an optional field that is
    /// `None`.
    ///
    /// # Errors
    /// Returns errors of the serializer.
    fn write<M: SerializeMap>(&self, index: usize, map: &mut M) -> Result<(), M::Error>;

    /// Returns the fields that are unknown to this release.
    fn extra(&self) -> &Extra;

    /// Returns the fields that are unknown to this release, by mutable reference.
    fn extra_mut(&mut self) -> &mut Extra;
}

/// A set of fields of one record, with one bit for each field index. A record can have at most 256 fields.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Members([u64; 4]);

impl Members {
    const fn required(fields: &[RecordField]) -> Self {
        assert!(fields.len() <= 256, "a record can have at most 256 fields");
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

    /// Returns the index of the first field that is in this set but not in `others`.
    fn first_not_in(&self, others: &Members) -> Option<usize> {
        self.0.iter().zip(&others.0).enumerate().find_map(|(word, (mine, theirs))| {
            let left = mine & !theirs;
            (left != 0).then(|| word * 64 + left.trailing_zeros() as usize)
        })
    }
}

/// Deserialization seed that decodes a field name to the index of the field. For an unknown name, the index is `None`,
/// and the name is stored in `unknown`. A return value that contains the name would be larger and slower.
struct KeySeed<'a, R> {
    unknown: &'a mut String,
    record: PhantomData<R>,
}

impl<'de, R: Record> DeserializeSeed<'de> for KeySeed<'_, R> {
    type Value = Option<usize>;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(crate::open_enum::TextVisitor(|name: &str| {
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
                // If a JSON object repeats a field, the last value is used, as in `serde_json::Value`.
                Some(index) => {
                    record.read(index, &mut map)?;
                    seen.insert(index);
                }
                None => read_unknown(record.extra_mut(), std::mem::take(&mut unknown), &mut map)?,
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

/// Decodes an unknown field and stores it in `extra`. This code is a separate function, so that it does not slow down
/// the loop over known fields.
#[cold]
fn read_unknown<'de, A: MapAccess<'de>>(
    extra: &mut Extra,
    name: String,
    map: &mut A,
) -> Result<(), A::Error> {
    let value: Json = map.next_value()?;
    extra.insert(name, value);
    Ok(())
}

/// Measures how well a JSON value fits a record type. `tags` lists fields with their allowed constants, such as `kind`
/// with the constant `cat`. Returns `None` if the value cannot be this record, for example because its `kind` is `dog`.
#[must_use]
pub fn record_mismatch<R: Record>(value: &Value, tags: &[Tag<'_>]) -> Option<Mismatch> {
    let needed = R::FIELDS.iter().filter(|field| field.expected || field.required);
    let needed = needed.map(|field| (field.name, field.required));
    fields_mismatch(value, needed, tags, |name| R::index(name).is_some())
}

/// Decodes a record.
///
/// # Errors
/// Returns an error if a field has the wrong type, or if a required field is missing.
pub fn deserialize<'de, R: Record, D: Deserializer<'de>>(deserializer: D) -> Result<R, D::Error> {
    deserializer.deserialize_map(RecordVisitor(PhantomData))
}

/// Writes a record as a JSON object. The unknown fields are written last.
///
/// # Errors
/// Returns errors of the serializer.
pub fn serialize<R: Record, S: Serializer>(record: &R, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    for index in 0..R::FIELDS.len() {
        record.write(index, &mut map)?;
    }
    record.extra().write(&mut map)?;
    map.end()
}
