//! The envelope of the data endpoints: `data` and `meta`.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::json::whole;
use crate::json_value::{Json, JsonObject};
use crate::meta::read_meta;
use crate::record::{Extra, Record, RecordField};

/// A type of the field `data`. A `null` list is read as an empty list. For other types `null` is an error.
pub trait Data: Sized {
    /// Returns the value to use for `null`, if the type has one.
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
        impl Charge for $name {}
    )*};
}
plain!(String, i64, f64, bool, crate::time::UnixMillis, crate::time::UnixSeconds);

macro_rules! tuples {
    ($(($($name:ident),*))*) => {$(
        impl<$($name),*> Data for ($($name,)*) {}
        impl<$($name),*> Charge for ($($name,)*) {}
    )*};
}
tuples!((A)(A, B)(A, B, C)(A, B, C, D)(A, B, C, D, E)(A, B, C, D, E, F)(A, B, C, D, E, F, G)(
    A, B, C, D, E, F, G, H
)(A, B, C, D, E, F, G, H, I)(A, B, C, D, E, F, G, H, I, J)(A, B, C, D, E, F, G, H, I, J, K)(
    A, B, C, D, E, F, G, H, I, J, K, L
));

/// Access to the cost that a response reports.
pub trait Charge {
    /// Credits used by the call, as the service reports them.
    fn credits_used(&self) -> Option<i64> {
        None
    }

    /// Returns whether the service answered from its cache, if it reports that.
    fn cached(&self) -> Option<bool> {
        None
    }

    /// Decodes a response without parsing all of its text, if the type needs only a part. Invalid JSON in the other
    /// parts is found later by the code that reads them.
    #[doc(hidden)]
    #[must_use]
    fn glimpse(_text: &[u8]) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }
}

/// A response may consist of one metric.
impl Charge for crate::metric::MetricValue {}

/// A response may have no data.
impl Charge for () {}

impl<T: Charge> Charge for Option<T> {
    fn credits_used(&self) -> Option<i64> {
        self.as_ref()?.credits_used()
    }

    fn cached(&self) -> Option<bool> {
        self.as_ref()?.cached()
    }
}

impl<T> Charge for Vec<T> {}

impl<K, V> Charge for BTreeMap<K, V> {}

/// A response of any shape: `meta` is looked up by name.
impl Charge for serde_json::Value {
    fn credits_used(&self) -> Option<i64> {
        whole(self.pointer("/meta/credits_used")?)
    }

    fn cached(&self) -> Option<bool> {
        self.pointer("/meta/cached")?.as_bool()
    }
}

impl Charge for serde_json::Map<String, serde_json::Value> {
    fn credits_used(&self) -> Option<i64> {
        whole(self.get("meta")?.get("credits_used")?)
    }

    fn cached(&self) -> Option<bool> {
        self.get("meta")?.get("cached")?.as_bool()
    }
}

impl Charge for Json {
    fn credits_used(&self) -> Option<i64> {
        (**self).credits_used()
    }

    fn cached(&self) -> Option<bool> {
        (**self).cached()
    }
}

impl Charge for JsonObject {
    fn credits_used(&self) -> Option<i64> {
        whole(self.get("meta")?.get("credits_used")?)
    }

    fn cached(&self) -> Option<bool> {
        self.get("meta")?.get("cached")?.as_bool()
    }
}

/// A response as unparsed JSON text: only `meta` is parsed.
impl Charge for Box<RawValue> {
    fn credits_used(&self) -> Option<i64> {
        meta_of(self.get()).credits_used()
    }

    fn cached(&self) -> Option<bool> {
        meta_of(self.get()).cached()
    }
}

/// Returns the `meta` of a response of any shape. No other part is parsed.
fn meta_of(text: &str) -> serde_json::Map<String, serde_json::Value> {
    let members = crate::json::from_slice::<BTreeMap<String, Box<RawValue>>>(text.as_bytes());
    let meta = members
        .ok()
        .and_then(|members| crate::json::from_slice(members.get("meta")?.get().as_bytes()).ok());
    meta.map(|meta| ("meta".to_owned(), meta)).into_iter().collect()
}

/// A response: its `data` and its `meta`.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Envelope<D, M> {
    /// The response data. A list that is `null` in the response is empty here.
    pub data: D,
    /// Credits used, caching and paging. If the service sent no `meta`, all its fields are absent. A faulty `meta`
    /// never makes the response unreadable.
    pub meta: M,
    /// Fields that this release does not know, and a `meta` that is not an object.
    pub extra: Extra,
}

impl<D, M: Charge> Charge for Envelope<D, M> {
    fn credits_used(&self) -> Option<i64> {
        self.meta.credits_used()
    }

    fn cached(&self) -> Option<bool> {
        self.meta.cached()
    }
}

/// `data` before its type decides whether `null` is allowed.
struct Slot<D>(Option<D>);

impl<D> Default for Slot<D> {
    fn default() -> Self {
        Slot(None)
    }
}

/// The envelope during decoding.
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
        // A `meta` of another type is stored with the unknown fields.
        if self.extra.get("meta").is_none() {
            map.serialize_entry("meta", &self.meta)?;
        }
        self.extra.write(&mut map)?;
        map.end()
    }
}
