//! Fields of a JSON object in the order of the JSON text.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

/// Name and value of each field of a JSON object, in the order of the text. If the object repeats a field, the list
/// contains both values. With `V = &RawValue`, the values are JSON texts that are borrowed from the input.
#[derive(Debug, Clone)]
pub struct OrderedFields<V>(pub Vec<(String, V)>);

impl<'de, V: Deserialize<'de>> OrderedFields<V> {
    /// Reads the remaining fields of an object.
    ///
    /// # Errors
    /// Returns the first error of a field.
    pub fn read<A: MapAccess<'de>>(mut object: A) -> Result<Self, A::Error> {
        let mut fields = Vec::with_capacity(object.size_hint().unwrap_or(8));
        while let Some(field) = object.next_entry()? {
            fields.push(field);
        }
        Ok(OrderedFields(fields))
    }
}

impl<'de, V: Deserialize<'de>> Deserialize<'de> for OrderedFields<V> {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        struct Object<V>(PhantomData<V>);

        impl<'de, V: Deserialize<'de>> Visitor<'de> for Object<V> {
            type Value = OrderedFields<V>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<Self::Value, A::Error> {
                OrderedFields::read(object)
            }
        }

        json.deserialize_map(Object(PhantomData))
    }
}
