//! JSON texts in which numbers keep the digits that the service sent.

use serde::de::{Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// JSON text in which numbers keep the digits that the service sent.
pub(crate) type Json = Box<RawValue>;

/// Converts a text to [`Json`]. Invalid JSON becomes `null`, so that the server never sends invalid JSON.
pub(crate) fn json_from_text(json: String) -> Json {
    RawValue::from_string(json).unwrap_or_else(|_| to_json(&()))
}

/// Serializes a value as JSON text.
pub(crate) fn to_json(value: &impl Serialize) -> Json {
    // Plain data always serializes.
    serde_json::value::to_raw_value(value).unwrap_or_default()
}

/// Fields of a JSON object, in the order of the text.
pub(crate) struct Members<'a>(pub(crate) Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader<'a>(std::marker::PhantomData<&'a ()>);

        impl<'de: 'a, 'a> Visitor<'de> for Reader<'a> {
            type Value = Members<'a>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'a>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }

        deserializer.deserialize_map(Reader(std::marker::PhantomData))
    }
}
