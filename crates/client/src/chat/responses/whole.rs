//! Adds complete output items and complete answers to an answer that was built from deltas.
//!
//! The input is a [`ResponseOutputItem`] or a [`Response`] from an event. The output is the text that no earlier event
//! contained.

use crypto_intel_api::generated::chat::{Response, ResponseOutputItem};

use super::{ResponsesProtocol, place_of_item};
use crate::chat::answer::ResponseExt;
use crate::chat::events::{EventPlace, ResponsePhase};
use crate::chat::items::{Item, Part, without_content};
use crate::chat::progress::TextProgress;
use crate::chat::protocol::Fresh;

impl ResponsesProtocol {
    pub(super) fn update_item(&mut self, place: &EventPlace, whole: &ResponseOutputItem) -> Fresh {
        let mut rest = String::new();
        let is_message = whole.type_ == "message";
        for (index, part) in (0..).zip(&whole.content) {
            let place = EventPlace { content_index: index, ..place.clone() };
            if is_message {
                if let Fresh::Rest(text) = self.update_part(&place, part) {
                    rest.push_str(&text);
                }
            } else {
                self.item(&place, &whole.type_).parts.entry(index).or_default().part = part.clone();
            }
        }

        let item = self.item(place, &whole.type_);
        let old = std::mem::replace(&mut item.item, without_content(whole));
        // The item keeps its first identifier, because later events refer to the item by this identifier.
        item.item.id = old.id.or(item.item.id.take());
        if rest.is_empty() { Fresh::None } else { Fresh::Rest(rest) }
    }

    /// Adds the [`Response`] from an event, and returns the text that no earlier event contained. Set `is_end` if the
    /// event ends the answer.
    pub(super) fn update_response(
        &mut self,
        phase: &ResponsePhase,
        response: &Response,
        is_end: bool,
    ) -> Fresh {
        let whole = response.text();
        let before: String = self.items.values().flat_map(Item::texts).collect();
        let repeats = self.forgets || whole.starts_with(&before);
        let rest = whole.get(self.given..).filter(|rest| repeats && !rest.is_empty());
        let rest = rest.map(str::to_owned);
        if is_end && !whole.is_empty() {
            self.contradicts = !repeats || whole.len() < self.given;
        }
        self.update_items(&response.output, rest.as_deref(), whole.len(), is_end);

        let credits = self.base.take().and_then(|base| base.meta);
        let base = self.base.insert(response.clone());
        base.output.clear();
        base.meta = base.meta.take().or(credits);
        // The response can lack a final status. The event name then sets the status.
        match phase {
            ResponsePhase::Completed if base.status != "incomplete" => {
                "completed".clone_into(&mut base.status);
            }
            ResponsePhase::Incomplete => "incomplete".clone_into(&mut base.status),
            _ => {}
        }
        rest.map_or(Fresh::None, Fresh::Rest)
    }

    /// Updates the output items of the answer with the output items of a [`Response`]. `length` is the length of the
    /// response's text in bytes. `rest` is the part of this text that no earlier event contained.
    pub(super) fn update_items(
        &mut self,
        output: &[ResponseOutputItem],
        rest: Option<&str>,
        length: usize,
        is_end: bool,
    ) {
        if output.is_empty() {
            if let Some(rest) = rest {
                self.add_rest(rest);
            }
        } else if length == 0 && self.given > 0 {
            self.add_missing_items(output);
        } else if is_end || length >= self.given {
            // Before the end of the answer, a response with less text than the deltas is outdated, so it is ignored.
            self.given += rest.map_or(0, str::len);
            self.replace_items(output);
        }
    }

    /// Adds text from a [`Response`] without output items. `rest` is the text that no earlier event contained. This
    /// method appends `rest` to the content part that received the last text.
    pub(super) fn add_rest(&mut self, rest: &str) {
        let place = match self.last_text {
            Some(((output_index, _), content_index)) => {
                EventPlace { output_index, content_index, ..EventPlace::default() }
            }
            None => EventPlace::default(),
        };
        self.add_delta(&place, rest);
    }

    /// Adds the output items of a [`Response`] that contains no text, although earlier events contained text. Messages
    /// are skipped, because the answer already contains the messages of the earlier events.
    pub(super) fn add_missing_items(&mut self, output: &[ResponseOutputItem]) {
        for (index, item) in (0..).zip(output).filter(|(_, item)| item.type_ != "message") {
            let place = EventPlace { output_index: index, ..EventPlace::default() };
            self.update_item(&place_of_item(&place, item), item);
        }
    }

    /// Replaces all output items by the output items of a [`Response`].
    pub(super) fn replace_items(&mut self, output: &[ResponseOutputItem]) {
        self.items.clear();
        for (index, item) in (0..).zip(output) {
            let item_parts = item.content.iter().map(|part| {
                let length = part.text.as_ref().map_or(0, String::len);
                Part { part: part.clone(), progress: TextProgress::from_given(length) }
            });
            let draft = Item {
                parts: (0..).zip(item_parts).collect(),
                item: without_content(item),
                ..Item::default()
            };
            self.items.insert((index, 0), draft);
        }
    }
}
