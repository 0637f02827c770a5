//! Removes secrets from server-sent events. Each event is searched separately. A secret can also be spread over several
//! events, so the pieces of text from the events are joined and searched too.

use std::collections::BTreeMap;

use serde_json::Value;

use super::known::Secrets;

/// Reason why a body cannot be searched for secrets. An error message shows this text after a colon.
pub(in crate::tape) type Unsearchable = &'static str;

/// Returns a copy of `text` in which each secret is replaced by `REMOVED`. In an event stream, the JSON of each event
/// is searched.
///
/// # Errors
/// Returns an error if a secret is spread over several events: a search of the joined event texts finds more secrets
/// than a search of each event.
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
        return Err("an API key is spread over several events of the stream");
    }
    Ok(cleaned)
}

/// Strings from all events of a stream, joined by JSON pointer. For example, the strings at `/choices/*/delta/content`
/// become one text. In these pointers, `*` replaces each array index.
struct Joined<'a> {
    secrets: &'a Secrets,
    texts: BTreeMap<String, JoinedText>,
}

#[derive(Default)]
struct JoinedText {
    /// Texts of the events, joined without removing secrets.
    sent: String,
    /// Texts of the events, joined after secrets were removed from each text.
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

    /// Returns true if a secret begins in one event and ends in a later event.
    fn has_spread_secret(&self) -> bool {
        self.texts.values().any(|text| self.secrets.cleaned(&text.sent) != text.cleaned)
    }
}
