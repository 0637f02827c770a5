//! Adds the events of the responses stream up to an answer.

use std::collections::BTreeMap;

use crypto_intel_api::generated::chat::{Response, ResponseContentPart, ResponseOutputItem};
use crypto_intel_core::Charge;
use serde_json::{Map, Value, json};

use super::answer::{ResponseExt, is_text};
use super::events::{EventPlace, Read, ResponseEvent, ResponsePhase, read};
use super::protocol::{Fold, Fresh, StreamProtocol, Taken, text_in};

/// The stream of `responses`.
#[derive(Debug, Default)]
pub struct ResponsesProtocol {
    /// The last object that was the answer as a whole, without its output.
    base: Option<Response>,
    /// By index in the output, and by turn where an index comes twice.
    items: BTreeMap<(u64, u32), Item>,
    complete: bool,
    /// Text is counted, not kept.
    forgets: bool,
    /// Bytes of text that were given out.
    given: usize,
    held: usize,
}

/// An item of the output while it is written.
#[derive(Debug, Default)]
struct Item {
    item: ResponseOutputItem,
    parts: BTreeMap<u64, Part>,
    summary: BTreeMap<u64, String>,
    arguments: String,
}

#[derive(Debug, Default)]
struct Part {
    part: ResponseContentPart,
    /// Bytes of its text that were given out.
    given: usize,
}

impl StreamProtocol for ResponsesProtocol {
    type Item = ResponseEvent;
}

impl Fold for ResponsesProtocol {
    type Event = ResponseEvent;
    type Answer = Response;

    fn take(&mut self, kind: &str, data: &str) -> Taken<ResponseEvent> {
        match read(kind, data) {
            Read::Event(event) => self.event(event, data.len()),
            Read::Reported(error) => Taken::Reported(error),
            Read::Unreadable(error) => Taken::Unreadable(error),
        }
    }

    fn into_text(event: ResponseEvent) -> Option<String> {
        match event {
            ResponseEvent::TextDelta(_, text) => Some(text),
            _ => None,
        }
    }

    fn is_answer(&self) -> bool {
        // What an answer costs says nothing of the answer.
        let says = |base: &Response| !base.id.is_empty() || !base.status.is_empty();
        !self.items.is_empty() || self.base.as_ref().is_some_and(says)
    }

    fn is_complete(&self) -> bool {
        self.complete
    }

    fn credits_used(&self) -> Option<i64> {
        self.base.as_ref()?.credits_used()
    }

    fn held(&self) -> usize {
        self.held
    }

    fn forget(&mut self) {
        self.forgets = true;
    }

    fn answer(self) -> Response {
        let mut response = self.base.unwrap_or_default();
        response.output = self.items.into_values().map(Item::into_item).collect();
        if response.output_text.as_deref().unwrap_or_default().is_empty() {
            let text = response.text().into_owned();
            response.output_text = (!text.is_empty()).then_some(text);
        }
        response
    }
}

impl ResponsesProtocol {
    fn event(&mut self, event: ResponseEvent, length: usize) -> Taken<ResponseEvent> {
        use ResponseEvent as E;
        let fresh = match &event {
            E::TextDelta(place, text) => {
                self.text(place, text);
                Fresh::Event
            }
            E::TextDone(place, text) => self.rest(place, text),
            E::ReasoningDelta(place, text) => {
                self.held += text.len();
                self.thought(place).push_str(text);
                Fresh::None
            }
            E::ReasoningDone(place, text) => {
                self.held += text.len();
                text.clone_into(self.thought(place));
                Fresh::None
            }
            E::RefusalDelta(place, text) | E::RefusalDone(place, text) => {
                self.held += text.len();
                let done = matches!(event, E::RefusalDone(..));
                self.refused(place, text, done);
                Fresh::None
            }
            E::ArgumentsDelta(place, text) => {
                self.held += text.len();
                self.item(place, "function_call").arguments.push_str(text);
                Fresh::None
            }
            E::ArgumentsDone(place, text) => {
                self.held += text.len();
                text.clone_into(&mut self.item(place, "function_call").arguments);
                Fresh::None
            }
            E::PartAdded(place, part) | E::PartDone(place, part) => {
                self.held += length;
                self.part_is(place, part)
            }
            E::ItemAdded(place, item) => {
                self.held += length;
                let place = EventPlace {
                    item_id: item.id.clone().or(place.item_id.clone()),
                    ..place.clone()
                };
                self.item_is(&place, item)
            }
            E::ItemDone(place, item) => {
                self.held += length;
                let place = EventPlace {
                    item_id: item.id.clone().or(place.item_id.clone()),
                    ..place.clone()
                };
                self.item_is(&place, item)
            }
            E::Response(phase, response) => {
                if let Some(error) = failure(phase, response) {
                    self.base = Some((**response).clone());
                    return Taken::Reported(error);
                }
                self.response(phase, response)
            }
            E::Other { kind, data } => self.other(kind, data),
        };
        Taken::Event(event, fresh)
    }

    /// The item that a place means. An index that comes again with another identifier is another
    /// item: some services count every item as the first.
    fn item(&mut self, place: &EventPlace, kind: &str) -> &mut Item {
        let index = place.output_index;
        let mut turn = 0;
        let mut found = None;
        for ((_, n), item) in self.items.range((index, 0)..=(index, u32::MAX)).rev() {
            turn = turn.max(n.saturating_add(1));
            let same = match (&item.item.id, &place.item_id) {
                (Some(known), Some(asked)) => known == asked,
                _ => true,
            };
            if same {
                found = Some(*n);
                break;
            }
        }
        if found.is_none() {
            self.held += ITEM_SIZE;
        }
        let item = self.items.entry((index, found.unwrap_or(turn))).or_default();
        if item.item.type_.is_empty() {
            kind.clone_into(&mut item.item.type_);
        }
        if item.item.id.is_none() {
            item.item.id.clone_from(&place.item_id);
        }
        item
    }

    fn part(&mut self, place: &EventPlace) -> &mut Part {
        let part = self.item(place, "message").parts.entry(place.content_index).or_default();
        if part.part.type_.is_empty() {
            "output_text".clone_into(&mut part.part.type_);
        }
        part
    }

    /// More text.
    fn text(&mut self, place: &EventPlace, text: &str) {
        let keeps = !self.forgets;
        self.given += text.len();
        self.held += if keeps { text.len() } else { 0 };
        let part = self.part(place);
        part.given += text.len();
        if keeps {
            part.part.text.get_or_insert_default().push_str(text);
        }
    }

    /// The text of a part as a whole: what of it is new.
    fn rest(&mut self, place: &EventPlace, whole: &str) -> Fresh {
        let forgets = self.forgets;
        let part = self.part(place);
        let repeats = forgets || whole.starts_with(part.part.text.as_deref().unwrap_or_default());
        let rest = whole.get(part.given..).filter(|rest| repeats && !rest.is_empty());
        match rest.map(str::to_owned) {
            Some(rest) => {
                self.text(place, &rest);
                Fresh::Rest(rest)
            }
            None => Fresh::None,
        }
    }

    fn part_is(&mut self, place: &EventPlace, known: &ResponseContentPart) -> Fresh {
        if !is_text(known) {
            // Of another kind: kept as it is.
            self.part(place).part.clone_from(known);
            return Fresh::None;
        }
        let part = self.part(place);
        part.part.type_.clone_from(&known.type_);
        part.part.extra.clone_from(&known.extra);
        self.rest(place, known.text.as_deref().unwrap_or_default())
    }

    fn item_is(&mut self, place: &EventPlace, known: &ResponseOutputItem) -> Fresh {
        let mut rest = String::new();
        let is_message = known.type_ == "message";
        for (index, part) in (0..).zip(&known.content) {
            let place = EventPlace { content_index: index, ..place.clone() };
            if is_message {
                if let Fresh::Rest(text) = self.part_is(&place, part) {
                    rest.push_str(&text);
                }
            } else {
                self.item(&place, &known.type_).parts.entry(index).or_default().part = part.clone();
            }
        }
        let item = self.item(place, &known.type_);
        let old = std::mem::replace(&mut item.item, without_content(known));
        item.item.id = item.item.id.take().or(old.id);
        if rest.is_empty() { Fresh::None } else { Fresh::Rest(rest) }
    }

    /// The answer as a whole: what of its text is new.
    fn response(&mut self, phase: &ResponsePhase, response: &Response) -> Fresh {
        let ended = matches!(phase, ResponsePhase::Completed | ResponsePhase::Incomplete)
            || matches!(response.status.as_str(), "completed" | "incomplete");
        self.complete |= ended;
        let whole = response.text();
        let before: String = self.items.values().flat_map(Item::texts).collect();
        let repeats = self.forgets || whole.starts_with(&before);
        let rest = whole.get(self.given..).filter(|rest| repeats && !rest.is_empty());
        let rest = rest.map(str::to_owned);
        if response.output.is_empty() {
            if let Some(rest) = &rest {
                self.text(&EventPlace::default(), rest);
            }
        } else {
            self.given += rest.as_ref().map_or(0, String::len);
            self.replace(&response.output);
        }
        let credits = self.base.take().and_then(|base| base.meta);
        let base = self.base.insert(response.clone());
        base.output.clear();
        base.meta = base.meta.take().or(credits);
        rest.map_or(Fresh::None, Fresh::Rest)
    }

    /// The output as the answer has it counts from here on.
    fn replace(&mut self, output: &[ResponseOutputItem]) {
        self.items.clear();
        for (index, item) in (0..).zip(output) {
            let item_parts = item.content.iter().map(|part| Part {
                given: part.text.as_ref().map_or(0, String::len),
                part: part.clone(),
            });
            let draft = Item {
                parts: (0..).zip(item_parts).collect(),
                item: without_content(item),
                ..Item::default()
            };
            self.items.insert((index, 0), draft);
        }
    }

    fn thought(&mut self, place: &EventPlace) -> &mut String {
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

    fn refused(&mut self, place: &EventPlace, text: &str, done: bool) {
        let part = self.part(place);
        "refusal".clone_into(&mut part.part.type_);
        let mut refusal = match part.part.extra.remove("refusal") {
            Some(Value::String(before)) if !done => before,
            _ => String::new(),
        };
        refusal.push_str(text);
        part.part.extra.insert("refusal", refusal.into());
    }

    /// An event that is not known may still bring text, or the cost.
    fn other(&mut self, kind: &str, data: &Value) -> Fresh {
        if let Some(meta) = data.get("meta").filter(|meta| meta.is_object()) {
            let base = self.base.get_or_insert_default();
            base.meta = serde_json::from_value(meta.clone()).ok().or(base.meta.take());
        }
        if !brings_text(kind) {
            return Fresh::None;
        }
        match text_in(data).filter(|text| !text.is_empty()) {
            Some(text) => {
                self.text(&EventPlace::default(), &text);
                Fresh::Rest(text.into_owned())
            }
            None => Fresh::None,
        }
    }
}

/// Memory that an item costs besides its text, in bytes.
const ITEM_SIZE: usize = 512;

/// An item whose parts are kept elsewhere.
fn without_content(item: &ResponseOutputItem) -> ResponseOutputItem {
    let mut item = item.clone();
    item.content.clear();
    item
}

/// Whether an unknown event is likely to be about the text of the answer.
fn brings_text(kind: &str) -> bool {
    kind.is_empty()
        || kind == "message"
        || (["text.delta", "content.delta", "message.delta", "content_block_delta"]
            .into_iter()
            .any(|end| kind.ends_with(end))
            && !["reasoning", "summary", "thinking"].into_iter().any(|word| kind.contains(word)))
}

/// The error of an answer that failed.
fn failure(phase: &ResponsePhase, response: &Response) -> Option<Map<String, Value>> {
    let failed = matches!(phase, ResponsePhase::Failed | ResponsePhase::Cancelled)
        || matches!(response.status.as_str(), "failed" | "cancelled");
    if !failed {
        return None;
    }
    let error = match &response.error {
        Some(error) => serde_json::to_value(error).unwrap_or_default(),
        None => json!({"message": format!("the answer ended as {}", response.status)}),
    };
    Some(Map::from_iter([("error".to_owned(), error)]))
}

impl Item {
    fn texts(&self) -> impl Iterator<Item = &str> {
        let is_message = self.item.type_ == "message";
        self.parts
            .values()
            .filter(move |part| is_message && is_text(&part.part))
            .filter_map(|part| part.part.text.as_deref())
    }

    fn into_item(self) -> ResponseOutputItem {
        let mut item = self.item;
        item.content = self.parts.into_values().map(|part| part.part).collect();
        let has = |name: &str| match item.extra.get(name) {
            Some(Value::String(text)) => !text.is_empty(),
            Some(Value::Array(list)) => !list.is_empty(),
            _ => false,
        };
        let (has_arguments, has_summary) = (has("arguments"), has("summary"));
        if !self.arguments.is_empty() && !has_arguments {
            item.extra.insert("arguments", self.arguments.into());
        }
        if !self.summary.is_empty() && !has_summary {
            let parts = self.summary.into_values();
            let parts = parts.map(|text| json!({"type": "summary_text", "text": text}));
            item.extra.insert("summary", parts.collect());
        }
        item
    }
}
