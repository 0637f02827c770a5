//! Adds the text of stream events to the content parts of an answer. If a service sends a text more than once, the text
//! is added only once.
//!
//! The input is the position of a content part and the text of an event. The output is the new part of this text.

use crypto_intel_api::generated::chat::ResponseContentPart;
use crypto_intel_core::Json;
use serde_json::Value;

use super::{ItemKey, ResponsesProtocol};
use crate::chat::answer::is_text;
use crate::chat::events::EventPlace;
use crate::chat::progress::New;
use crate::chat::protocol::Fresh;

impl ResponsesProtocol {
    /// Adds a text delta to the content part that received the previous text of the answer. `place` must be the
    /// position of this content part, because this fast path does not search for the part.
    pub(super) fn append_to_last_part(&mut self, place: &EventPlace, text: &str) -> Fresh {
        let part = self.last_text.and_then(|(key, index)| {
            self.items.get_mut(&key).and_then(|item| item.parts.get_mut(&index))
        });
        let Some(part) = part.filter(|part| part.progress.is_level()) else {
            return self.add_delta(place, text);
        };
        part.progress.add_delta(None, text);
        self.given += text.len();
        if !self.forgets {
            self.held += text.len();
            part.part.text.get_or_insert_default().push_str(text);
        }
        Fresh::Event
    }

    /// Adds a text delta to its content part. Returns the part of the delta that no earlier event contained.
    pub(super) fn add_delta(&mut self, place: &EventPlace, text: &str) -> Fresh {
        let keeps = !self.forgets;
        let (part, at) = self.part(place);
        let known = keeps.then(|| part.part.text.as_deref().unwrap_or_default());
        match part.progress.add_delta(known, text) {
            New::All => {
                self.append(at, text);
                Fresh::Event
            }
            New::Rest(rest) => {
                self.append(at, rest);
                Fresh::Rest(rest.to_owned())
            }
            New::Nothing => Fresh::None,
            New::Other => {
                self.contradicts = true;
                self.append(at, text);
                Fresh::Event
            }
        }
    }

    /// Processes `whole`, the complete text of a content part. Adds the text that no earlier event contained to the
    /// content part, and returns this new text. If the method detects that `whole` contradicts the earlier text, it
    /// adds nothing and records the contradiction in the field `contradicts`.
    pub(super) fn add_complete_text(&mut self, place: &EventPlace, whole: &str) -> Fresh {
        let keeps = !self.forgets;
        let (part, at) = self.part(place);
        let known = keeps.then(|| part.part.text.as_deref().unwrap_or_default());
        let rest = match part.progress.add_whole(known, whole) {
            New::All => whole,
            New::Rest(rest) => rest,
            New::Nothing => return Fresh::None,
            New::Other => {
                self.contradicts = true;
                return Fresh::None;
            }
        };
        self.append(at, rest);
        Fresh::Rest(rest.to_owned())
    }

    /// Adds the length of new text to the number of returned bytes. Also appends the text to its content part, unless
    /// the decoder only counts text (`forgets`).
    pub(super) fn append(&mut self, at: (ItemKey, u64), text: &str) {
        self.given += text.len();
        self.disordered |= self.last_text.is_some_and(|last| at < last);
        self.last_text = Some(at);
        if self.forgets {
            return;
        }
        self.held += text.len();
        let part = self.items.get_mut(&at.0).and_then(|item| item.parts.get_mut(&at.1));
        if let Some(part) = part {
            part.part.text.get_or_insert_default().push_str(text);
        }
    }

    pub(super) fn update_part(&mut self, place: &EventPlace, whole: &ResponseContentPart) -> Fresh {
        let (part, _) = self.part(place);
        if !is_text(whole) {
            // Parts that are not text are stored unchanged.
            part.part.clone_from(whole);
            return Fresh::None;
        }
        part.part.type_.clone_from(&whole.type_);
        part.part.extra.clone_from(&whole.extra);
        self.add_complete_text(place, whole.text.as_deref().unwrap_or_default())
    }

    pub(super) fn reasoning_mut(&mut self, place: &EventPlace) -> &mut String {
        let index = place.content_index;
        let is_summary = place.is_summary;
        let item = self.item(place, "reasoning");
        if is_summary {
            return item.summary.entry(index).or_default();
        }
        let part = item.parts.entry(index).or_default();
        if part.part.type_.is_empty() {
            "reasoning_text".clone_into(&mut part.part.type_);
        }
        part.part.text.get_or_insert_default()
    }

    pub(super) fn add_refusal(&mut self, place: &EventPlace, text: &str, done: bool) {
        let (part, _) = self.part(place);
        "refusal".clone_into(&mut part.part.type_);
        let mut refusal = match part.part.extra.remove("refusal").map(Json::into_value) {
            Some(Value::String(before)) if !done => before,
            _ => String::new(),
        };
        refusal.push_str(text);
        part.part.extra.insert("refusal", refusal);
    }
}
