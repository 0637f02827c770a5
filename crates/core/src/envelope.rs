//! The envelope of data endpoints: a JSON object with the fields `data` and `meta`.
//!
//! The input is the JSON of a response. The output is the decoded data and metadata, such as the credits used.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::json_value::{Json, JsonObject};
use crate::meta::read_meta;
use crate::record::{Extra, Record, RecordField};
use crate::reported::{HasMeta, Reported};

/// A type that the field `data` of a response can have. For lists, maps and untyped JSON, `null` is read as an empty
/// value. For most other types, such as records and numbers, `null` is an error.
pub trait Data: Sized {
    /// Returns the value to use if the response field `data` is `null` or missing, for example an empty list. Returns
    /// `None` if a response without `data` is an error.
    #[must_use]
    fn absent() -> Option<Self> {
        None
    }
}

impl<T> Data for Vec<T> {
    fn absent() -> Option<Self> {
        Some(Vec::new())
    }
}

impl<T> Data for std::collections::BTreeMap<String, T> {
    fn absent() -> Option<Self> {
        Some(std::collections::BTreeMap::new())
    }
}

impl Data for serde_json::Map<String, serde_json::Value> {
    fn absent() -> Option<Self> {
        Some(serde_json::Map::new())
    }
}

impl Data for serde_json::Value {
    fn absent() -> Option<Self> {
        Some(serde_json::Value::Null)
    }
}

impl Data for Json {
    fn absent() -> Option<Self> {
        Some(Json::default())
    }
}

impl Data for JsonObject {
    fn absent() -> Option<Self> {
        Some(JsonObject::default())
    }
}

impl<T> Data for Option<T> {
    fn absent() -> Option<Self> {
        Some(None)
    }
}

impl<T> Data for Box<T> {}

macro_rules! plain {
    ($($name:ty),*) => {$(
        impl Data for $name {}
        impl HasMeta for $name {}
    )*};
}
plain!(String, i64, f64, bool, crate::time::UnixMillis, crate::time::UnixSeconds);

macro_rules! tuples {
    ($(($($name:ident),*))*) => {$(
        impl<$($name),*> Data for ($($name,)*) {}
        impl<$($name),*> HasMeta for ($($name,)*) {}
    )*};
}
tuples!((A)(A, B)(A, B, C)(A, B, C, D)(A, B, C, D, E)(A, B, C, D, E, F)(A, B, C, D, E, F, G)(
    A, B, C, D, E, F, G, H
)(A, B, C, D, E, F, G, H, I)(A, B, C, D, E, F, G, H, I, J)(A, B, C, D, E, F, G, H, I, J, K)(
    A, B, C, D, E, F, G, H, I, J, K, L
));

/// A response body of a data endpoint: its fields `data` and `meta`.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Envelope<D, M> {
    /// The response data. If the service sent `null` for a list, the list is empty.
    pub data: D,
    /// Metadata: credits used, caching and paging. If the service sent no `meta`, all its fields are absent. A `meta`
    /// that is not a JSON object does not cause a decoding error.
    pub meta: M,
    /// Response fields that are unknown to this release. A `meta` that is not a JSON object is stored here too.
    pub extra: Extra,
}

impl<D, M: HasMeta> HasMeta for Envelope<D, M> {
    fn reported(&self) -> Reported {
        self.meta.reported()
    }
}

/// Decoded field `data` of a response. `None` if the field is missing or `null`. [`Data::absent`] then returns the
/// value to use, or `None` if the response is invalid.
struct Slot<D>(Option<D>);

impl<D> Default for Slot<D> {
    fn default() -> Self {
        Slot(None)
    }
}

/// The fields of an envelope during decoding, before `data` is checked for `null`. An envelope is a response with the
/// fields `data` and `meta`.
struct Draft<D, M> {
    data: Slot<D>,
    meta: M,
    extra: Extra,
}

impl<D, M: Default> Default for Draft<D, M> {
    fn default() -> Self {
        Draft { data: Slot::default(), meta: M::default(), extra: Extra::default() }
    }
}

impl<D: for<'a> Deserialize<'a>, M: for<'a> Deserialize<'a> + Default> Record for Draft<D, M> {
    const NAME: &'static str = "envelope";
    const FIELDS: &'static [RecordField] = &[
        RecordField { name: "data", required: false, expected: true },
        RecordField { name: "meta", required: false, expected: true },
    ];

    const IS_ANSWER: bool = true;

    fn index(name: &str) -> Option<usize> {
        match name {
            "data" => Some(0),
            "meta" => Some(1),
            _ => None,
        }
    }

    fn read<'de, A: serde::de::MapAccess<'de>>(
        &mut self,
        index: usize,
        map: &mut A,
    ) -> Result<(), A::Error> {
        match index {
            0 => self.data = Slot(map.next_value()?),
            _ => read_meta(&mut self.meta, "meta", &mut self.extra, map)?,
        }
        Ok(())
    }

    fn write<W: serde::ser::SerializeMap>(&self, _: usize, _: &mut W) -> Result<(), W::Error> {
        Ok(())
    }

    fn extra(&self) -> &Extra {
        &self.extra
    }

    fn extra_mut(&mut self) -> &mut Extra {
        &mut self.extra
    }
}

impl<'de, D, M> Deserialize<'de> for Envelope<D, M>
where
    D: Data + for<'a> Deserialize<'a>,
    M: for<'a> Deserialize<'a> + Default,
{
    fn deserialize<De: Deserializer<'de>>(deserializer: De) -> Result<Self, De::Error> {
        use serde::de::Error as _;
        let draft: Draft<D, M> = crate::record::deserialize(deserializer)?;
        let data =
            draft.data.0.or_else(D::absent).ok_or_else(|| De::Error::missing_field("data"))?;
        Ok(Envelope { data, meta: draft.meta, extra: draft.extra })
    }
}

impl<D: Serialize, M: Serialize> Serialize for Envelope<D, M> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("data", &self.data)?;
        // A `meta` that is not an object is stored in `extra` and written with the other unknown fields.
        if self.extra.get("meta").is_none() {
            map.serialize_entry("meta", &self.meta)?;
        }
        self.extra.write(&mut map)?;
        map.end()
    }
}
