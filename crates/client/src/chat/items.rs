//! Unfinished output items of a `responses` answer that the model is still writing. Also contains a fast decoder for
//! text deltas, which are the most frequent events.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crypto_intel_api::generated::chat::{ResponseContentPart, ResponseOutputItem};
use serde::Deserialize;
use serde_json::{Value, json};

use super::answer::is_text;
use super::events::EventPlace;
use super::progress::TextProgress;

/// An output item of an answer, built from stream events. An output item is for example a message, the reasoning or a
/// tool call.
#[derive(Debug, Default)]
pub(super) struct Item {
    pub(super) item: ResponseOutputItem,
    pub(super) parts: BTreeMap<u64, Part>,
    pub(super) summary: BTreeMap<u64, String>,
    pub(super) arguments: String,
    /// True if the service sent the complete item. If a complete item has an identifier, events with another identifier
    /// are not added to this item. Such events can be added to an incomplete item, because some services send a new
    /// identifier with each event.
    pub(super) is_done: bool,
}

#[derive(Debug, Default)]
pub(super) struct Part {
    pub(super) part: ResponseContentPart,
    pub(super) progress: TextProgress,
}

impl Item {
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        let is_message = self.item.type_ == "message";
        self.parts
            .values()
            .filter(move |part| is_message && is_text(&part.part))
            .filter_map(|part| part.part.text.as_deref())
    }

    pub(super) fn into_item(self) -> ResponseOutputItem {
        let mut item = self.item;
        item.content = self.parts.into_values().map(|part| part.part).collect();
        let has = |name: &str| match item.extra.get(name).map(|json| &**json) {
            Some(Value::String(text)) => !text.is_empty(),
            Some(Value::Array(list)) => !list.is_empty(),
            _ => false,
        };
        let (has_arguments, has_summary) = (has("arguments"), has("summary"));
        if !self.arguments.is_empty() && !has_arguments {
            item.extra.insert("arguments", self.arguments);
        }
        if !self.summary.is_empty() && !has_summary {
            let parts = self.summary.into_values();
            let parts = parts.map(|text| json!({"type": "summary_text", "text": text}));
            item.extra.insert("summary", parts.collect::<Value>());
        }
        item
    }
}

/// Copies an output item without its content parts, because the parts are stored in [`Item::parts`].
pub(super) fn without_content(item: &ResponseOutputItem) -> ResponseOutputItem {
    let mut item = item.clone();
    item.content.clear();
    item
}

/// A text delta event, which borrows its strings from the event data. It has only the fields that are needed to add the
/// text to the answer.
#[derive(Deserialize)]
pub(super) struct PlainDelta<'a> {
    #[serde(rename = "type")]
    pub(super) kind: &'a str,
    #[serde(borrow)]
    pub(super) delta: Cow<'a, str>,
    #[serde(default)]
    pub(super) output_index: u64,
    #[serde(default)]
    pub(super) content_index: u64,
    #[serde(default)]
    pub(super) item_id: Option<&'a str>,
}

impl PlainDelta<'_> {
    pub(super) const KIND: &'static str = "response.output_text.delta";

    pub(super) fn is_at(&self, place: &EventPlace) -> bool {
        self.output_index == place.output_index
            && self.content_index == place.content_index
            && self.item_id == place.item_id.as_deref()
    }

    pub(super) fn place(&self) -> EventPlace {
        EventPlace {
            output_index: self.output_index,
            content_index: self.content_index,
            item_id: self.item_id.map(str::to_owned),
            ..EventPlace::default()
        }
    }
}
