//! Metadata from the field `meta` of a response, such as the credits used.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::json::whole;
use crate::json_value::{Json, JsonObject};
use crate::time::UnixSeconds;

/// Metadata from the field `meta` of a response, such as the credits used. A field of this struct is `None` if the
/// service did not send it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reported {
    /// Credits that the service charged for the call.
    pub credits_used: Option<i64>,
    /// True if the response came from the cache of the service.
    pub cached: Option<bool>,
    /// Reason why the response is empty, such as `no_data_in_range`. The service can add reasons.
    pub empty_reason: Option<String>,
    /// Time at which the service computed the response.
    pub watermark: Option<UnixSeconds>,
    /// Number of rows of the whole list. The response can be one page of this list.
    pub total: Option<i64>,
}

impl Reported {
    /// Reads the metadata from a `meta` of any structure. A value of an unexpected type is treated as absent.
    #[must_use]
    pub fn from_meta(meta: &Value) -> Self {
        Reported {
            credits_used: meta.get("credits_used").and_then(whole),
            cached: meta.get("cached").and_then(Value::as_bool),
            empty_reason: meta.get("empty_reason").and_then(Value::as_str).map(str::to_owned),
            watermark: meta.get("watermark").and_then(whole).map(UnixSeconds),
            total: meta.get("total").and_then(whole),
        }
    }
}

/// A response type that can contain [`Reported`] metadata.
pub trait HasMeta {
    /// Returns the metadata of the response. All fields are `None` for a type without `meta`.
    fn reported(&self) -> Reported {
        Reported::default()
    }

    /// Decodes the response from a part of its JSON text, such as the last row and `meta`. Returns `None` if the whole
    /// text must be parsed. The default implementation always returns `None`. Invalid JSON in the skipped text is found
    /// later, when other code parses this text.
    #[doc(hidden)]
    #[must_use]
    fn glimpse(_text: &[u8]) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }
}

/// A response that is a single financial metric has no `meta`.
impl HasMeta for crate::metric::MetricValue {}

/// An empty response has no `meta`.
impl HasMeta for () {}

impl<T> HasMeta for Vec<T> {}

impl<K, V> HasMeta for BTreeMap<K, V> {}

impl<T: HasMeta> HasMeta for Option<T> {
    fn reported(&self) -> Reported {
        self.as_ref().map(T::reported).unwrap_or_default()
    }
}

/// JSON value of any structure. If the value is an object with a field `meta`, this field contains the metadata.
impl HasMeta for Value {
    fn reported(&self) -> Reported {
        self.get("meta").map(Reported::from_meta).unwrap_or_default()
    }
}

impl HasMeta for Map<String, Value> {
    fn reported(&self) -> Reported {
        self.get("meta").map(Reported::from_meta).unwrap_or_default()
    }
}

impl HasMeta for Json {
    fn reported(&self) -> Reported {
        (**self).reported()
    }
}

impl HasMeta for JsonObject {
    fn reported(&self) -> Reported {
        self.get("meta").map(|meta| Reported::from_meta(meta)).unwrap_or_default()
    }
}

/// Reads the metadata of an undecoded response, which is JSON text. Only the field `meta` of the response is decoded.
impl HasMeta for Box<RawValue> {
    fn reported(&self) -> Reported {
        let members =
            crate::json::from_slice::<BTreeMap<String, Box<RawValue>>>(self.get().as_bytes());
        let meta = members.ok().and_then(|members| {
            crate::json::from_slice(members.get("meta")?.get().as_bytes()).ok()
        });
        meta.as_ref().map(Reported::from_meta).unwrap_or_default()
    }
}
