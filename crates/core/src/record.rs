//! Records: structs that decode known fields, keep unknown ones, and write both.
//!
//! The derive macro of `serde` can do this with `flatten`, which buffers all fields of a record. Here one generic
//! loop reads known fields directly, and keeps only unknown ones as JSON. Each record adds a table of its fields.

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
    /// Name on the wire.
    pub name: &'static str,
    /// True if a response without the field cannot be decoded.
    pub required: bool,
    /// True if the description requires the field. A response without it still decodes if the field is a list or
    /// nullable.
    pub expected: bool,
}

/// A struct of the description. Implement it with [`record!`](crate::record!) only.
pub trait Record: Default {
    /// Name of the struct.
    const NAME: &'static str;
    /// Fields, by index.
    const FIELDS: &'static [RecordField];
    /// Fields that must be present.
    const REQUIRED: Members = Members::required(Self::FIELDS);

    /// True if the record is a response with a `meta`. No single field of such a response is required, but an object
    /// without any known field is rejected.
    const IS_ANSWER: bool = false;

    /// Finds the index of the field called `name` on the wire.
    fn index(name: &str) -> Option<usize>;

    /// Reads the value of field `index` into its field.
    ///
    /// # Errors
    /// Errors of the deserializer.
    fn read<'de, A: MapAccess<'de>>(&mut self, index: usize, map: &mut A) -> Result<(), A::Error>;

    /// Writes field `index`, if it is present.
    ///
    /// # Errors
    /// Errors of the serializer.
    fn write<M: SerializeMap>(&self, index: usize, map: &mut M) -> Result<(), M::Error>;

    /// Returns the fields that this release does not have.
    fn extra(&self) -> &Extra;

    /// Returns the unknown fields, which can be changed.
    fn extra_mut(&mut self) -> &mut Extra;
}

/// A set of fields with one bit for each, so a record can have up to 256 fields.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Members([u64; 4]);

impl Members {
    const fn required(fields: &[RecordField]) -> Self {
        assert!(fields.len() <= 256, "a record has more fields than the bit set can hold");
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

    /// Returns the first field of this set that is not in `others`.
    fn first_not_in(&self, others: &Members) -> Option<usize> {
        self.0.iter().zip(&others.0).enumerate().find_map(|(word, (mine, theirs))| {
            let left = mine & !theirs;
            (left != 0).then(|| word * 64 + left.trailing_zeros() as usize)
        })
    }
}

/// Reads a field name as an index. An unknown name is stored in `unknown`, so that the result for known names fits a
/// machine word.
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
                // A repeated field overwrites the earlier one, as in `serde_json::Value`.
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

/// Reads an unknown field. It is a function of its own, because it would make the loop over known fields slower.
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

/// Compares a value with a record. `tags` must not contradict the value.
#[must_use]
pub fn record_mismatch<R: Record>(value: &Value, tags: &[Tag<'_>]) -> Option<Mismatch> {
    let needed = R::FIELDS.iter().filter(|field| field.expected || field.required);
    let needed = needed.map(|field| (field.name, field.required));
    fields_mismatch(value, needed, tags, |name| R::index(name).is_some())
}

/// Reads a record.
///
/// # Errors
/// A field has the wrong type, or a required field is missing.
pub fn deserialize<'de, R: Record, D: Deserializer<'de>>(deserializer: D) -> Result<R, D::Error> {
    deserializer.deserialize_map(RecordVisitor(PhantomData))
}

/// Writes a record, with unknown fields last.
///
/// # Errors
/// Errors of the serializer.
pub fn serialize<R: Record, S: Serializer>(record: &R, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    for index in 0..R::FIELDS.len() {
        record.write(index, &mut map)?;
    }
    record.extra().write(&mut map)?;
    map.end()
}
