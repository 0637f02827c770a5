//! Secrets in server-sent events: each event is searched, and so is the text that events add up to.

use std::collections::BTreeMap;

use serde_json::Value;

use super::known::Secrets;

/// Why a body cannot be searched for secrets, as the end of a sentence.
pub(in crate::tape) type Unsearchable = &'static str;

/// A text, or events with a JSON document each, without secrets.
///
/// # Errors
/// When a secret is spread over several events.
pub(super) fn cleaned(secrets: &Secrets, text: &str) -> Result<String, Unsearchable> {
    let mut cleaned = String::with_capacity(text.len());
    let mut joined = Joined::default();

    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches(['\r', '\n']);
        let end = &line[content.len()..];
        let data = content.strip_prefix("data:").map(str::trim_start);
        match data.and_then(|data| secrets.cleaned_json(data).map(|cleaned| (data, cleaned))) {
            Some((data, plain)) => {
                let start = &content[..content.len() - data.len()];
                joined.add(&plain);
                cleaned.push_str(&format!("{start}{plain}{end}"));
            }
            None => {
                cleaned.push_str(&secrets.cleaned(content));
                cleaned.push_str(end);
            }
        }
    }

    if joined.texts().any(|text| secrets.cleaned(text) != *text) {
        return Err("a key is spread over several of its events");
    }
    Ok(cleaned)
}

/// The texts that the events add up to, by their place in an event.
#[derive(Default)]
struct Joined(BTreeMap<String, String>);

impl Joined {
    fn add(&mut self, document: &str) {
        if let Ok(value) = serde_json::from_str(document) {
            self.add_value("", &value);
        }
    }

    fn add_value(&mut self, place: &str, value: &Value) {
        match value {
            Value::String(text) => self.0.entry(place.to_owned()).or_default().push_str(text),
            Value::Array(items) => {
                items.iter().for_each(|item| self.add_value(&format!("{place}/*"), item));
            }
            Value::Object(members) => {
                for (name, member) in members {
                    self.add_value(&format!("{place}/{name}"), member);
                }
            }
            _ => {}
        }
    }

    fn texts(&self) -> impl Iterator<Item = &String> {
        self.0.values()
    }
}
