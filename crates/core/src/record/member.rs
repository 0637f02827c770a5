//! Functions that decode or write one field of a record.
//!
//! The generated code of each record field calls one of these functions. If the generated code itself contained the
//! error handling (`?`), `cargo check` of the generated crate would take 50 % longer.

use serde::de::MapAccess;
use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize};

/// Decodes a field. The value `null` is an error, unless the type accepts it.
#[doc(hidden)]
#[inline]
pub fn read_value<'de, T: Deserialize<'de>, A: MapAccess<'de>>(
    field: &mut T,
    map: &mut A,
) -> Result<(), A::Error> {
    *field = map.next_value()?;
    Ok(())
}

/// Decodes a field. The value `null` becomes the default value of the type.
#[doc(hidden)]
#[inline]
pub fn read_or_default<'de, T: Deserialize<'de> + Default, A: MapAccess<'de>>(
    field: &mut T,
    map: &mut A,
) -> Result<(), A::Error> {
    *field = map.next_value::<Option<T>>()?.unwrap_or_default();
    Ok(())
}

/// Writes a field unless it is `None`.
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

/// Writes a list or map field unless it is empty.
#[doc(hidden)]
pub fn write_filled<T: Serialize, M: SerializeMap>(
    field: &T,
    is_empty: bool,
    name: &'static str,
    map: &mut M,
) -> Result<(), M::Error> {
    if is_empty { Ok(()) } else { map.serialize_entry(name, field) }
}
