//! Figures that a response reports about itself in `meta`.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::json::whole;
use crate::json_value::{Json, JsonObject};
use crate::time::UnixSeconds;

/// Figures that a response reports about itself. Each is `None` if the service does not send it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Reported {
    /// Credits that the call used.
    pub credits_used: Option<i64>,
    /// True if the response came from the cache of the service.
    pub cached: Option<bool>,
    /// Reason of an empty response, such as `no_data_in_range`. The service can add reasons.
    pub empty_reason: Option<String>,
    /// Time at which the service computed the response.
    pub watermark: Option<UnixSeconds>,
    /// Number of rows of the whole list.
    pub total: Option<i64>,
}

impl Reported {
    /// Reads the figures from a `meta` of any shape. Values of unexpected types count as absent.
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

/// Access to the figures that a response reports about itself.
pub trait HasMeta {
    /// Returns the figures. All are absent for a type without `meta`.
    fn reported(&self) -> Reported {
        Reported::default()
    }

    /// Decodes a response without reading its whole text, if the type needs only a part. Invalid JSON in the other
    /// parts is then found by the code that reads them.
    #[doc(hidden)]
    #[must_use]
    fn glimpse(_text: &[u8]) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }
}

/// Reads no figures: a response can be a single metric.
impl HasMeta for crate::metric::MetricValue {}

/// Reads no figures: a response can be empty.
impl HasMeta for () {}

impl<T> HasMeta for Vec<T> {}

impl<K, V> HasMeta for BTreeMap<K, V> {}

impl<T: HasMeta> HasMeta for Option<T> {
    fn reported(&self) -> Reported {
        self.as_ref().map(T::reported).unwrap_or_default()
    }
}

/// Reads a response of any shape: `meta` is looked up by name.
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

/// Reads a response as received: only `meta` is parsed.
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
