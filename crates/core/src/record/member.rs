//! How a member is read and written.
//!
//! Each field of a record calls one of these functions, so the code of a record stays a table. With the `?` of every
//! field written out, the generated crate takes half as long again to check.

use serde::de::MapAccess;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize};

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
