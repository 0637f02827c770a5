//! Functions that read and write one field.
//!
//! Each field of a generated record calls one of these functions, so the code of a record stays a table. If each
//! field had its own error handling (`?`), checking the generated crate would take 50 % longer.

use serde::de::MapAccess;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize};

/// Reads a field.
#[doc(hidden)]
#[inline]
pub fn read_value<'de, T: Deserialize<'de>, A: MapAccess<'de>>(
    field: &mut T,
    map: &mut A,
) -> Result<(), A::Error> {
    *field = map.next_value()?;
    Ok(())
}

/// Reads a field, with `null` as its default value.
#[doc(hidden)]
#[inline]
pub fn read_or_default<'de, T: Deserialize<'de> + Default, A: MapAccess<'de>>(
    field: &mut T,
    map: &mut A,
) -> Result<(), A::Error> {
    *field = map.next_value::<Option<T>>()?.unwrap_or_default();
    Ok(())
}

/// Writes a field if it is present.
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

/// Writes a container if it is not empty.
#[doc(hidden)]
pub fn write_filled<T: Serialize, M: SerializeMap>(
    field: &T,
    is_empty: bool,
    name: &'static str,
    map: &mut M,
) -> Result<(), M::Error> {
    if is_empty { Ok(()) } else { map.serialize_entry(name, field) }
}
