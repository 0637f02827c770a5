//! Secrets in server-sent events: each event is searched, and the joined text of the events too.

use std::collections::BTreeMap;

use serde_json::Value;

use super::known::Secrets;

/// Reason why a body cannot be searched for secrets, as the end of a sentence.
pub(in crate::tape) type Unsearchable = &'static str;

/// Removes the secrets of a text, or of events with a JSON object each.
///
/// # Errors
/// If a secret is spread over several events. The part in the first event may look like a whole key. So the joined
/// texts of the events are compared with and without the secrets.
pub(super) fn cleaned(secrets: &Secrets, text: &str) -> Result<String, Unsearchable> {
    let mut cleaned = String::with_capacity(text.len());
    let mut joined = Joined::new(secrets);

    for line in text.split_inclusive('\n') {
        let content = line.trim_end_matches(['\r', '\n']);
        let end = &line[content.len()..];
        let data = content.strip_prefix("data:").map(str::trim_start);
        match data.and_then(|data| secrets.cleaned_json(data).map(|cleaned| (data, cleaned))) {
            Some((data, plain)) => {
                let start = &content[..content.len() - data.len()];
                joined.add(data);
                cleaned.push_str(&format!("{start}{plain}{end}"));
            }
            None => {
                data.into_iter().for_each(|data| joined.add_text("", data));
                cleaned.push_str(&secrets.cleaned(content));
                cleaned.push_str(end);
            }
        }
    }

    if joined.has_spread_secret() {
        return Err("a key is spread over several of its events");
    }
    Ok(cleaned)
}

/// Joined texts of the events, by the JSON pointer within an event: `/choices/*/delta/content`.
struct Joined<'a> {
    secrets: &'a Secrets,
    texts: BTreeMap<String, JoinedText>,
}

#[derive(Default)]
struct JoinedText {
    sent: String,
    /// Text of the events without their secrets, joined.
    cleaned: String,
}

impl<'a> Joined<'a> {
    fn new(secrets: &'a Secrets) -> Self {
        Joined { secrets, texts: BTreeMap::new() }
    }

    fn add(&mut self, document: &str) {
        if let Ok(value) = serde_json::from_str(document) {
            self.add_value("", &value);
        }
    }

    fn add_value(&mut self, place: &str, value: &Value) {
        match value {
            Value::String(text) => self.add_text(place, text),
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

    fn add_text(&mut self, place: &str, text: &str) {
        let joined = self.texts.entry(place.to_owned()).or_default();
        joined.sent.push_str(text);
        joined.cleaned.push_str(&self.secrets.cleaned(text));
    }

    /// Returns true if a secret begins in one event and ends in another.
    fn has_spread_secret(&self) -> bool {
        self.texts.values().any(|text| self.secrets.cleaned(&text.sent) != text.cleaned)
    }
}
