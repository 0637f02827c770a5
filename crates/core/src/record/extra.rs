//! Members that are not known.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use serde::ser::SerializeMap;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::unknown::Unknown;

/// Members of a record that this release does not know, exactly as received.
///
/// It is empty almost always, and then costs one word. A [`Value`] rounds a number to a double; [`json`](Self::json)
/// has all digits, and writing the record back keeps them.
///
/// ```
/// use crypto_intel_core::MetricValue;
///
/// let text = r#"{"value":5,"status":"available","supply":1000000000000000000000000001}"#;
/// let metric: MetricValue = serde_json::from_str(text)?;
/// assert_eq!(metric.extra.get("supply").and_then(|value| value.as_f64()), Some(1e27));
/// assert_eq!(metric.extra.json("supply").as_deref(), Some("1000000000000000000000000001"));
/// assert_eq!(serde_json::to_string(&metric)?, text);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, PartialEq, Default)]
pub struct Extra(Option<Box<Members>>);

#[derive(Clone, PartialEq, Default)]
struct Members {
    values: Map<String, Value>,
    /// JSON of the members whose digits their value does not hold.
    texts: BTreeMap<String, Box<str>>,
}

impl Extra {
    /// The member called `name`, if the service sent one. A number that is not a 64-bit integer is rounded to
    /// a double; one beyond the range of doubles, such as `1e999`, is text.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.as_ref()?.values.get(name)
    }

    /// The member called `name` as JSON, with the digits that the service sent.
    #[must_use]
    pub fn json(&self, name: &str) -> Option<Cow<'_, str>> {
        let members = self.0.as_ref()?;
        let value = members.values.get(name)?;
        let text = members.texts.get(name);
        Some(text.map_or_else(|| value.to_string().into(), |text| Cow::from(&**text)))
    }

    /// Whether every member was known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.as_ref().is_none_or(|members| members.values.is_empty())
    }

    /// The members by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        let members = self.0.iter().flat_map(|members| members.values.iter());
        members.map(|(name, value)| (name.as_str(), value))
    }

    /// Takes the member called `name` out.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        let members = self.0.as_mut()?;
        members.texts.remove(name);
        let removed = members.values.remove(name);
        // Emptied, it equals one that never held anything.
        if members.values.is_empty() {
            self.0 = None;
        }
        removed
    }

    /// Adds a member, or replaces the one of that name.
    pub fn insert(&mut self, name: impl Into<String>, value: Value) {
        self.keep(name.into(), value.into());
    }

    /// Adds the members of `other`, which replace those of the same names.
    pub fn extend_from(&mut self, other: &Extra) {
        for (name, value) in other.iter() {
            let text = other.0.as_ref().and_then(|members| members.texts.get(name)).cloned();
            self.keep(name.to_owned(), Unknown { value: value.clone(), text });
        }
    }

    /// Adds a member as it was read.
    pub(super) fn keep(&mut self, name: String, member: Unknown) {
        let members = self.0.get_or_insert_default();
        match member.text {
            Some(text) => members.texts.insert(name.clone(), text),
            None => members.texts.remove(&name),
        };
        members.values.insert(name, member.value);
    }

    /// Writes the members into the map of their record.
    pub(super) fn write<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        let Some(members) = &self.0 else { return Ok(()) };
        for (name, value) in &members.values {
            // It was read as JSON, so it is JSON.
            let text = members.texts.get(name).map(|text| RawValue::from_string(text.to_string()));
            match text {
                Some(Ok(text)) => map.serialize_entry(name, &text)?,
                Some(Err(_)) | None => map.serialize_entry(name, value)?,
            }
        }
        Ok(())
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

    fn figure(members: &str) -> String {
        format!(r#"{{"value":5,"status":"available",{members}}}"#)
    }

    #[test]
    fn members_are_written_back_with_their_digits() {
        let wide = "115792089237316195423570985008687907853269984665640564039457584007913129639935";
        for value in ["18446744073709551616", wide, "1.10", "1e999999999999", "-0.0", "1E2", "2.5"]
        {
            for value in [value.to_owned(), format!("[{value},{{\"deep\":{value}}}]")] {
                let text = figure(&format!(r#""a":1,"new":{value},"z":"1.10""#));
                let read: MetricValue = crate::json::from_slice(text.as_bytes()).expect("a figure");
                assert_eq!(serde_json::to_string(&read).expect("JSON"), text);
                assert_eq!(read.extra.json("new").as_deref(), Some(value.as_str()));

                let mut copy = MetricValue { extra: crate::Extra::default(), ..read.clone() };
                copy.extra.extend_from(&read.extra);
                assert_eq!(serde_json::to_string(&copy).expect("JSON"), text);
                copy.extra.insert("new", 7.into());
                assert_eq!(copy.extra.json("new").as_deref(), Some("7"));
            }
        }
    }

    #[test]
    fn other_formats_and_buffers_read_and_write_them_as_values() {
        let text = figure(r#""new":[1.10,18446744073709551616]"#);
        let read: MetricValue = serde_json::from_str(&text).expect("a figure");
        let value = serde_json::to_value(&read).expect("a value");
        assert_eq!(value["new"], serde_json::json!([1.1, 18446744073709551616.0]));
        let again: MetricValue = serde_json::from_value(value).expect("a figure");
        assert_eq!(again.extra.get("new"), read.extra.get("new"));

        let members = [("status", "available"), ("new", "1.10")].into_iter();
        let members = MapDeserializer::<_, serde::de::value::Error>::new(members);
        let read = MetricValue::deserialize(members).expect("a figure");
        assert_eq!(read.extra.get("new"), Some(&"1.10".into()));
    }
}
