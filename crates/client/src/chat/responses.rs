//! Builds a `responses` answer from the events of its stream.
//!
//! The input is the events of one stream, in order of arrival. The output is the new text of each event, and the
//! complete answer at the end of the stream.

mod places;
mod texts;
mod whole;

use std::collections::BTreeMap;

use crypto_intel_api::generated::chat::{Response, ResponseOutputItem};
use crypto_intel_core::{HasMeta, Json};
use serde_json::{Map, Value, json};

use super::answer::ResponseExt;
use super::ends::{self, End};
use super::events::{DecodedEvent, EventPlace, ResponseEvent, ResponsePhase, decode_event};
use super::items::{Item, PlainDelta};
use super::protocol::{Fold, Fresh, StreamProtocol, Taken, Verdict, event_text};

/// Decoder for the stream of the endpoint `responses`. It collects the answer while events arrive.
#[derive(Debug, Default)]
pub struct ResponsesProtocol {
    /// Last [`Response`] that the service sent, without its output items.
    base: Option<Response>,
    /// Output items of the answer.
    items: BTreeMap<ItemKey, Item>,
    /// True if the answer has ended and has not failed. An incomplete answer has also ended.
    complete: bool,
    /// True if the decoder counts the bytes of the text but does not store the text.
    forgets: bool,
    /// Number of bytes of the text that the stream has returned to the caller.
    given: usize,
    /// Content part that received the last text: the key of its item, and the index of the part in the item.
    last_text: Option<(ItemKey, u64)>,
    /// Position of the last text delta: its output item and content part. `None` if the last event was not a text
    /// delta, or added no text. If the next delta has the same position, the decoder can append its text without
    /// searching for the content part.
    last_place: Option<EventPlace>,
    /// True if text for an earlier content part arrived after text for a later content part. The streamed text is then
    /// not in the order of the answer.
    disordered: bool,
    /// True if the service sent a text twice and the two versions differ. For example, the complete text of a content
    /// part differs from the earlier deltas of the part. If the last event contains the text of the answer, only a
    /// difference between this text and the streamed text counts.
    contradicts: bool,
    held: usize,
}

/// Key of an output item: its output index, and the number of earlier items with the same index. Some services give all
/// items the index 0.
type ItemKey = (u64, u32);

impl StreamProtocol for ResponsesProtocol {
    type Item = ResponseEvent;
}

impl Fold for ResponsesProtocol {
    type Event = ResponseEvent;
    type Answer = Response;

    fn add(&mut self, kind: &str, data: &str) -> Taken<ResponseEvent> {
        match decode_event(kind, data) {
            DecodedEvent::Event(event) => self.apply(event, data.len()),
            DecodedEvent::Reported(error) => Taken::Reported(error),
            DecodedEvent::Unreadable(error) => Taken::Unreadable(error),
        }
    }

    fn add_text(&mut self, kind: &str, data: &str) -> Option<String> {
        if self.complete || !matches!(kind, "message" | "" | PlainDelta::KIND) {
            return None;
        }
        let delta = serde_json::from_str::<PlainDelta<'_>>(data).ok()?;
        if delta.kind != PlainDelta::KIND {
            return None;
        }

        let (place, fresh) = match self.last_place.take() {
            Some(place) if delta.is_at(&place) => {
                let fresh = self.append_to_last_part(&place, &delta.delta);
                (place, fresh)
            }
            _ => {
                let place = delta.place();
                let fresh = self.add_delta(&place, &delta.delta);
                (place, fresh)
            }
        };
        // A repeated delta appends nothing, so the last text can belong to another content part.
        if !matches!(fresh, Fresh::None) {
            self.last_place = Some(place);
        }
        Some(match fresh {
            Fresh::Event => delta.delta.into_owned(),
            Fresh::Rest(rest) => rest,
            Fresh::None => String::new(),
        })
    }

    fn into_text(event: ResponseEvent) -> Option<String> {
        match event {
            ResponseEvent::TextDelta(_, text) => Some(text),
            _ => None,
        }
    }

    fn is_complete(&self) -> bool {
        self.complete
    }

    fn check(&self) -> Result<(), Verdict> {
        if self.contradicts || self.disordered { Err(Verdict::Contradiction) } else { Ok(()) }
    }

    fn has_usage(&self) -> bool {
        self.base.as_ref().is_some_and(|base| base.usage.is_some())
    }

    const CLOSES_WITH_DONE: bool = false;

    fn credits_used(&self) -> Option<i64> {
        self.base.as_ref()?.reported().credits_used
    }

    fn stored_bytes(&self) -> usize {
        self.held
    }

    fn stop_storing(&mut self) {
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
    fn apply(&mut self, event: ResponseEvent, length: usize) -> Taken<ResponseEvent> {
        use ResponseEvent as E;
        // This event may change the content part to which later text deltas belong.
        self.last_place = None;
        if self.complete {
            return self.event_after_end(event);
        }

        let fresh = match &event {
            E::TextDelta(place, text) => self.add_delta(place, text),
            E::TextDone(place, text) => self.add_complete_text(place, text),
            E::ReasoningDelta(place, text) => {
                self.held += text.len();
                self.reasoning_mut(place).push_str(text);
                Fresh::None
            }
            E::ReasoningDone(place, text) => {
                self.held += text.len();
                text.clone_into(self.reasoning_mut(place));
                Fresh::None
            }
            E::RefusalDelta(place, text) | E::RefusalDone(place, text) => {
                self.held += text.len();
                let done = matches!(event, E::RefusalDone(..));
                self.add_refusal(place, text, done);
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
                self.update_part(place, part)
            }
            E::ItemAdded(place, item) => {
                self.held += length;
                self.add_item_if_new(place, item);
                self.update_item(&place_of_item(place, item), item)
            }
            E::ItemDone(place, item) => {
                self.held += length;
                let place = place_of_item(place, item);
                let fresh = self.update_item(&place, item);
                self.item(&place, &item.type_).is_done = true;
                fresh
            }

            E::Response(phase, response) => match end_after(phase, response) {
                Some(End::Failed(error)) => {
                    self.base = Some((**response).clone());
                    return Taken::Reported(error);
                }
                end => {
                    self.complete |= end.is_some();
                    self.update_response(phase, response, end.is_some())
                }
            },
            E::Other { kind, data } => self.add_other_event(kind, data),
        };

        Taken::Event(event, fresh)
    }

    /// Handles an event that arrives after the end of the answer. Such an event can report token usage, cost or a
    /// failure. Its text is ignored.
    fn event_after_end(&mut self, event: ResponseEvent) -> Taken<ResponseEvent> {
        match &event {
            ResponseEvent::Response(phase, response) => {
                if let Some(End::Failed(error)) = end_after(phase, response) {
                    return Taken::Reported(error);
                }
                let base = self.base.get_or_insert_default();
                base.usage = base.usage.take().or_else(|| response.usage.clone());
                base.meta = base.meta.take().or_else(|| response.meta.clone());
            }
            ResponseEvent::Other { data, .. } => self.store_meta(data),
            _ => {}
        }
        Taken::Event(event, Fresh::None)
    }

    /// Copies the field `meta` of an event to the answer. This field contains the credits that the answer used.
    fn store_meta(&mut self, data: &Value) {
        if let Some(meta) = data.get("meta").filter(|meta| meta.is_object()) {
            let base = self.base.get_or_insert_default();
            base.meta = serde_json::from_value(meta.clone()).ok().or(base.meta.take());
        }
    }

    /// Adds an annotation, for example a citation, to its content part. A later event with the complete part replaces
    /// the annotations of the part.
    fn add_annotation(&mut self, data: &Value) {
        let Some(annotation) = data.get("annotation").filter(|added| added.is_object()) else {
            return;
        };
        let index = |name: &str| data.get(name).and_then(Value::as_u64).unwrap_or_default();
        let place = EventPlace {
            output_index: index("output_index"),
            content_index: index("content_index"),
            item_id: data.get("item_id").and_then(Value::as_str).map(str::to_owned),
            ..EventPlace::default()
        };
        self.held += annotation.to_string().len();
        let (part, _) = self.part(&place);
        let mut all = match part.part.extra.remove("annotations").map(Json::into_value) {
            Some(Value::Array(all)) => all,
            _ => Vec::new(),
        };
        all.push(annotation.clone());
        part.part.extra.insert("annotations", all);
    }

    /// Handles an event of an unknown type. Such an event may contain text of the answer, an annotation or the cost.
    fn add_other_event(&mut self, kind: &str, data: &Value) -> Fresh {
        self.store_meta(data);
        if kind.ends_with("annotation.added") {
            self.add_annotation(data);
        }
        if !is_text_event(kind) {
            return Fresh::None;
        }
        match event_text(data).filter(|text| !text.is_empty()) {
            Some(text) => match self.add_delta(&EventPlace::default(), &text) {
                Fresh::Event => Fresh::Rest(text.into_owned()),
                fresh => fresh,
            },
            None => Fresh::None,
        }
    }
}

/// Returns true if the name of an unknown event indicates that the event contains text of the answer.
fn is_text_event(kind: &str) -> bool {
    kind.is_empty()
        || kind == "message"
        || (["text.delta", "content.delta", "message.delta", "content_block_delta"]
            .into_iter()
            .any(|end| kind.ends_with(end))
            && !["reasoning", "summary", "thinking"].into_iter().any(|word| kind.contains(word)))
}

/// Returns the final state of the answer after an event with a [`Response`], or `None` if the answer has not ended. The
/// answer ends if the response has a final status, or if the event has the name of a final event.
fn end_after(phase: &ResponsePhase, response: &Response) -> Option<End> {
    match ends::response_end(response) {
        End::Open => {}
        end => return Some(end),
    }
    match phase {
        ResponsePhase::Completed | ResponsePhase::Incomplete => Some(End::Ended),
        ResponsePhase::Failed | ResponsePhase::Cancelled => {
            let message = format!("the answer ended with `{phase}`");
            Some(End::Failed(Map::from_iter([("error".to_owned(), json!({"message": message}))])))
        }
        _ => None,
    }
}

/// Returns a copy of the event position `place` for the output item `item`. The copy contains the identifier of `item`,
/// or the identifier in `place` if `item` has none.
fn place_of_item(place: &EventPlace, item: &ResponseOutputItem) -> EventPlace {
    EventPlace { item_id: item.id.clone().or_else(|| place.item_id.clone()), ..place.clone() }
}
