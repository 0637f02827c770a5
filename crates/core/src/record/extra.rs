//! Fields of records that are unknown to this release.
//!
//! Decoding stores unknown fields as JSON, and encoding writes them back unchanged.

use std::collections::BTreeMap;
use std::fmt;

use serde::ser::SerializeMap;

use crate::json_value::Json;

/// Fields of a record that are unknown to this release, as received.
///
/// The type has the size of one pointer, because most records have no unknown fields. Numbers in unknown fields keep
/// all digits when the record is written.
///
/// ```
/// use crypto_intel_core::MetricValue;
///
/// let text = r#"{"value":5,"status":"available","supply":1000000000000000000000000001}"#;
/// let metric: MetricValue = serde_json::from_str(text)?;
/// let supply = metric.extra.get("supply").expect("a field");
/// assert_eq!(supply.as_f64(), Some(1e27));
/// assert_eq!(supply.text(), "1000000000000000000000000001");
/// assert_eq!(serde_json::to_string(&metric)?, text);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, PartialEq, Default)]
#[expect(clippy::box_collection, reason = "an empty `Option<Box>` is smaller than an empty map")]
pub struct Extra(Option<Box<BTreeMap<String, Json>>>);

impl Extra {
    /// Returns the value of the unknown field called `name`, if the service sent it.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Json> {
        self.0.as_ref()?.get(name)
    }

    /// Returns true if the record has no unknown fields.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.as_ref().is_none_or(|members| members.is_empty())
    }

    /// Iterates over the unknown fields as pairs of name and value.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Json)> {
        let members = self.0.iter().flat_map(|members| members.iter());
        members.map(|(name, value)| (name.as_str(), value))
    }

    /// Removes the unknown field called `name`, and returns its value.
    pub fn remove(&mut self, name: &str) -> Option<Json> {
        let members = self.0.as_mut()?;
        let removed = members.remove(name);
        // A map whose fields were all removed must equal a map that never had fields.
        if members.is_empty() {
            self.0 = None;
        }
        removed
    }

    /// Adds an unknown field, or replaces its value.
    pub fn insert(&mut self, name: impl Into<String>, value: impl Into<Json>) {
        self.0.get_or_insert_default().insert(name.into(), value.into());
    }

    /// Inserts the fields of `other`. A field of `other` replaces an existing field of the same name.
    pub fn extend_from(&mut self, other: &Extra) {
        for (name, value) in other.iter() {
            self.insert(name, value.clone());
        }
    }

    /// Writes the unknown fields into the JSON object of their record.
    pub(crate) fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        self.iter().try_for_each(|(name, value)| map.serialize_entry(name, value))
    }
}

impl fmt::Debug for Extra {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;
    use serde::de::value::MapDeserializer;

    use crate::MetricValue;

    fn metric_text(fields: &str) -> String {
        format!(r#"{{"value":5,"status":"available",{fields}}}"#)
    }

    #[test]
    fn unknown_fields_are_written_with_their_digits() {
        let wide = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
        for value in ["18446744073709551616", wide, "1.10", "1e999999999999", "-0.0", "1E2", "2.5"]
        {
            for value in [value.to_owned(), format!("[{value},{{\"deep\":{value}}}]")] {
                let text = metric_text(&format!(r#""a":1,"new":{value},"z":"1.10""#));
                let read: MetricValue = crate::json::from_slice(text.as_bytes()).expect("a figure");
                assert_eq!(serde_json::to_string(&read).expect("JSON"), text);
                assert_eq!(read.extra.get("new").map(|json| json.text().into_owned()), Some(value));

                let mut copy = MetricValue { extra: crate::Extra::default(), ..read.clone() };
                copy.extra.extend_from(&read.extra);
                assert_eq!(serde_json::to_string(&copy).expect("JSON"), text);
                copy.extra.insert("new", 7);
                assert_eq!(copy.extra.get("new"), Some(&7.into()));
            }
        }
    }

    #[test]
    fn unknown_fields_convert_to_values_in_other_formats() {
        let text = metric_text(r#""new":[1.10,18446744073709551616]"#);
        let read: MetricValue = serde_json::from_str(&text).expect("a figure");
        let value = serde_json::to_value(&read).expect("a value");
        assert_eq!(value["new"], serde_json::json!([1.1, 18446744073709551616.0]));
        let again: MetricValue = serde_json::from_value(value).expect("a figure");
        assert_eq!(
            again.extra.get("new").map(|json| &**json),
            read.extra.get("new").map(|json| &**json)
        );

        let members = [("status", "available"), ("new", "1.10")].into_iter();
        let members = MapDeserializer::<_, serde::de::value::Error>::new(members);
        let read = MetricValue::deserialize(members).expect("a figure");
        assert_eq!(read.extra.get("new"), Some(&"1.10".into()));
    }
}
