//! Members that are not known.

use serde_json::{Map, Value};

/// Members of a record that this release does not know, exactly as received.
///
/// It is empty almost always, and then costs one word. A number beyond the range of doubles, such as `1e999`, is text.
///
/// ```
/// use crypto_intel_core::MetricValue;
///
/// let text = r#"{"value":5,"status":"available","confidence":0.9}"#;
/// let metric: MetricValue = serde_json::from_str(text)?;
/// assert_eq!(metric.extra.get("confidence").and_then(|value| value.as_f64()), Some(0.9));
/// assert_eq!(serde_json::to_string(&metric)?, text);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Extra(Option<Box<Map<String, Value>>>);

impl Extra {
    /// The member called `name`, if the service sent one.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.0.as_ref()?.get(name)
    }

    /// Whether every member was known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.as_ref().is_none_or(|members| members.is_empty())
    }

    /// The members by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().flat_map(|members| members.iter()).map(|(name, value)| (name.as_str(), value))
    }

    /// Takes the member called `name` out.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        let members = self.0.as_mut()?;
        let removed = members.remove(name);
        // Emptied, it equals one that never held anything.
        if members.is_empty() {
            self.0 = None;
        }
        removed
    }

    /// Adds a member, or replaces the one of that name.
    pub fn insert(&mut self, name: impl Into<String>, value: Value) {
        self.0.get_or_insert_default().insert(name.into(), value);
    }
}
