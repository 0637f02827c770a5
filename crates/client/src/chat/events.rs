//! Types of the events in a `responses` stream. The service's OpenAPI document does not list the events. This module
//! uses the event names of other common chat APIs, for example `response.output_text.delta`. Events with other names
//! are returned unchanged as [`ResponseEvent::Other`].

use crypto_intel_api::generated::chat::{Response, ResponseContentPart, ResponseOutputItem};
use crypto_intel_core as rt;
use crypto_intel_core::{Error, ErrorKind, Extra};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::protocol::is_error_report;

/// An event of a `responses` stream.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ResponseEvent {
    /// The [`Response`], with everything that the model has written so far. The answer has ended if the event name is
    /// final, such as `response.completed`, or if the status of the response is final.
    Response(ResponsePhase, Box<Response>),
    /// The model begins an output item, for example a message or a tool call.
    ItemAdded(EventPlace, Box<ResponseOutputItem>),
    /// The model has finished an output item. The event contains the complete item.
    ItemDone(EventPlace, Box<ResponseOutputItem>),
    /// The model begins a content part of a message.
    PartAdded(EventPlace, ResponseContentPart),
    /// The model has finished a content part of a message. The event contains the complete part.
    PartDone(EventPlace, ResponseContentPart),
    /// Next piece of the answer's text.
    TextDelta(EventPlace, String),
    /// Complete text of one content part.
    TextDone(EventPlace, String),
    /// Next piece of the model's reasoning text.
    ReasoningDelta(EventPlace, String),
    /// Complete reasoning text of one content part.
    ReasoningDone(EventPlace, String),
    /// Next piece of a refusal: text in which the model declines to answer.
    RefusalDelta(EventPlace, String),
    /// Complete text of a refusal, in which the model declines to answer.
    RefusalDone(EventPlace, String),
    /// Next piece of the arguments of a tool call. All pieces together are JSON text.
    ArgumentsDelta(EventPlace, String),
    /// Complete arguments of a tool call, as JSON text.
    ArgumentsDone(EventPlace, String),
    /// An event that this client cannot decode. Either the client has no variant for the type of the event, or the data
    /// does not have the fields of this type.
    Other {
        /// Type of the event: the field `type` of the event data, or the SSE event name if the data has no such field.
        kind: String,
        /// Data of the event as a JSON value. Data that is not valid JSON is stored as a JSON string.
        data: Value,
    },
}

/// Position of the output item and content part to which an event belongs.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct EventPlace {
    /// Index of the output item in the answer, counted from 0. It is 0 if the service sent no index.
    pub output_index: u64,
    /// Index of the content part in its output item, counted from 0. It is 0 if the service sent no index. For a
    /// summary of the reasoning, this is the index of the part in the summary.
    pub content_index: u64,
    /// Identifier of the output item, if the service sent it.
    pub item_id: Option<String>,
    /// Sequence number of the event in its stream, if the service sent it.
    pub sequence_number: Option<i64>,
    /// True for the events `response.reasoning_summary_text.delta` and `response.reasoning_summary_text.done`, false
    /// for all other events.
    pub is_summary: bool,
    /// JSON fields of the event that this type does not define.
    pub extra: Extra,
}

rt::open_enum! {
    /// Name of an event that contains a [`Response`], for example `response.completed`. The name contains the state of
    /// the answer.
    ResponsePhase {
        /// The service accepted the request.
        Created = "response.created",
        /// The request waits in the queue of the service.
        Queued = "response.queued",
        /// The model is writing the answer.
        InProgress = "response.in_progress",
        /// The answer is complete.
        Completed = "response.completed",
        /// The answer ended before it was complete. The [`Response`] contains the reason.
        Incomplete = "response.incomplete",
        /// The answer failed.
        Failed = "response.failed",
        /// The answer was cancelled.
        Cancelled = "response.cancelled",
        /// The event has no name. Its data is the [`Response`] itself.
        Plain = "",
    }
}

rt::open_enum! {
    /// Names of the events that this module decodes.
    Name {
        Created = "response.created",
        Queued = "response.queued",
        InProgress = "response.in_progress",
        Completed = "response.completed",
        Incomplete = "response.incomplete",
        Failed = "response.failed",
        Cancelled = "response.cancelled",
        ItemAdded = "response.output_item.added",
        ItemDone = "response.output_item.done",
        PartAdded = "response.content_part.added",
        PartDone = "response.content_part.done",
        TextDelta = "response.output_text.delta",
        TextDone = "response.output_text.done",
        ReasoningDelta = "response.reasoning_text.delta",
        ReasoningDone = "response.reasoning_text.done",
        SummaryDelta = "response.reasoning_summary_text.delta",
        SummaryDone = "response.reasoning_summary_text.done",
        RefusalDelta = "response.refusal.delta",
        RefusalDone = "response.refusal.done",
        ArgumentsDelta = "response.function_call_arguments.delta",
        ArgumentsDone = "response.function_call_arguments.done",
        Error = "error",
    }
}

/// JSON fields of an event, decoded before the type of the event is known. Most events are text deltas, so this struct
/// has a field for each JSON field of a text delta. All other JSON fields are stored in `extra`.
#[derive(Debug, Clone, PartialEq, Default)]
struct Wire {
    name: Option<Name>,
    output_index: Option<u64>,
    content_index: Option<u64>,
    summary_index: Option<u64>,
    item_id: Option<String>,
    delta: Option<String>,
    sequence_number: Option<i64>,
    logprobs: Option<Vec<Value>>,
    extra: Extra,
}

rt::record!(Wire {
    0 optional name "type",
    1 optional output_index "output_index",
    2 optional content_index "content_index",
    3 optional summary_index "summary_index",
    4 optional item_id "item_id",
    5 optional delta "delta",
    6 optional sequence_number "sequence_number",
    7 optional logprobs "logprobs",
});

/// Result of decoding an event: an event, an error report from the service, or a decoding error.
pub(crate) enum DecodedEvent {
    Event(ResponseEvent),
    Reported(Map<String, Value>),
    Unreadable(Error),
}

/// Decodes the data of an event. `name` is the SSE event name. An empty name and the SSE default name `message` both
/// mean that the event has no name.
pub(crate) fn decode_event(name: &str, data: &str) -> DecodedEvent {
    let unnamed = matches!(name, "" | "message");
    let wire = match rt::private::from_slice::<Wire>(data.as_bytes()) {
        Ok(wire) => wire,
        Err(error) => return undecodable_event(name, data, &error),
    };
    let kind = match &wire.name {
        Some(kind) => kind.clone(),
        None if unnamed => return unnamed_event(wire),
        None => Name::from(name),
    };
    known_event(kind, wire)
}

/// Decodes event data that could not be decoded as [`Wire`], for example data that is not JSON. The result is a
/// [`ResponseEvent::Other`], an error report, or a decoding error.
fn undecodable_event(name: &str, data: &str, error: &serde_json::Error) -> DecodedEvent {
    let data = match serde_json::from_str(data) {
        Ok(Value::Object(members)) if name == "error" || is_error_report(&members) => {
            return DecodedEvent::Reported(members);
        }
        Ok(data) => data,
        Err(_) if name == "error" => {
            return DecodedEvent::Reported(Map::from_iter([("message".to_owned(), data.into())]));
        }
        // The data of an event with an unknown name can have any format.
        Err(_) if matches!(Name::from(name), Name::Other(_)) && !matches!(name, "" | "message") => {
            data.into()
        }
        Err(_) => {
            let message = format!("an event of the stream is not JSON: {error}");
            return DecodedEvent::Unreadable(
                Error::new(ErrorKind::Decode, message).with_body(data.to_owned()),
            );
        }
    };
    let kind = data.get("type").and_then(Value::as_str).unwrap_or(name).to_owned();
    DecodedEvent::Event(ResponseEvent::Other { kind, data })
}

/// Decodes an event without a type. It can be a [`Response`], a text delta, an error report or unknown data.
fn unnamed_event(mut wire: Wire) -> DecodedEvent {
    let has = |name: &str| wire.extra.get(name).is_some();
    let says_so = wire.extra.get("object").is_some_and(|object| **object == "response");
    if says_so || (has("status") && (has("output") || has("output_text"))) {
        let data = event_json(wire);
        return match decode::<Response>(&data) {
            Some(response) => {
                DecodedEvent::Event(ResponseEvent::Response(ResponsePhase::Plain, response.into()))
            }
            None => DecodedEvent::Event(ResponseEvent::Other { kind: String::new(), data }),
        };
    }
    // Services that omit the event type usually send a text delta in the field `delta`.
    if let Some(delta) = wire.delta.take() {
        return DecodedEvent::Event(ResponseEvent::TextDelta(wire_place(wire), delta));
    }
    match event_json(wire) {
        Value::Object(members) if is_error_report(&members) => DecodedEvent::Reported(members),
        data => DecodedEvent::Event(ResponseEvent::Other { kind: String::new(), data }),
    }
}

fn known_event(kind: Name, mut wire: Wire) -> DecodedEvent {
    use ResponseEvent as E;
    if kind == Name::Error {
        return match event_json(wire) {
            Value::Object(members) => DecodedEvent::Reported(members),
            other => DecodedEvent::Event(E::Other { kind: "error".to_owned(), data: other }),
        };
    }

    let event = match kind {
        Name::Created
        | Name::Queued
        | Name::InProgress
        | Name::Completed
        | Name::Incomplete
        | Name::Failed
        | Name::Cancelled => take_response(&mut wire)
            .map(|response| E::Response(ResponsePhase::from(kind.as_str()), response)),
        Name::ItemAdded => pop(&mut wire, "item").map(|item| E::ItemAdded(place(&mut wire), item)),
        Name::ItemDone => pop(&mut wire, "item").map(|item| E::ItemDone(place(&mut wire), item)),
        Name::PartAdded => pop(&mut wire, "part").map(|part| E::PartAdded(place(&mut wire), *part)),
        Name::PartDone => pop(&mut wire, "part").map(|part| E::PartDone(place(&mut wire), *part)),
        Name::TextDelta => delta(&mut wire, E::TextDelta),
        Name::TextDone => text(&mut wire, "text", E::TextDone),
        Name::ReasoningDelta | Name::SummaryDelta => delta(&mut wire, E::ReasoningDelta),
        Name::ReasoningDone | Name::SummaryDone => text(&mut wire, "text", E::ReasoningDone),
        Name::RefusalDelta => delta(&mut wire, E::RefusalDelta),
        Name::RefusalDone => text(&mut wire, "refusal", E::RefusalDone),
        Name::ArgumentsDelta => delta(&mut wire, E::ArgumentsDelta),
        Name::ArgumentsDone => text(&mut wire, "arguments", E::ArgumentsDone),
        Name::Error | Name::Other(_) => None,
    };

    DecodedEvent::Event(match event {
        Some(mut event) => {
            if let (Some(place), Name::SummaryDelta | Name::SummaryDone) =
                (event.place_mut(), &kind)
            {
                place.is_summary = true;
            }
            event
        }
        None => E::Other { kind: kind.as_str().to_owned(), data: event_json(wire) },
    })
}

fn delta(wire: &mut Wire, event: fn(EventPlace, String) -> ResponseEvent) -> Option<ResponseEvent> {
    let delta = wire.delta.take()?;
    Some(event(place(wire), delta))
}

fn text(
    wire: &mut Wire,
    name: &str,
    event: fn(EventPlace, String) -> ResponseEvent,
) -> Option<ResponseEvent> {
    let text = wire.extra.get(name)?.as_str()?.to_owned();
    wire.extra.remove(name);
    Some(event(place(wire), text))
}

/// Removes the [`Response`] from an event and returns it. If the service omitted the fields `id` or `status`, this
/// function sets them to empty strings.
fn take_response(wire: &mut Wire) -> Option<Box<Response>> {
    if let Some(response) = pop(wire, "response") {
        return Some(response);
    }
    let mut members = wire.extra.get("response")?.as_object()?.clone();
    for name in ["id", "status"] {
        members.entry(name).or_insert_with(|| "".into());
    }
    let response = decode(&Value::Object(members))?;
    wire.extra.remove("response");
    Some(Box::new(response))
}

/// Removes a field from an event and returns its value. Returns `None` and keeps the field if the value does not decode
/// as `T`.
fn pop<T: DeserializeOwned>(wire: &mut Wire, name: &str) -> Option<Box<T>> {
    let value = decode(wire.extra.get(name)?)?;
    wire.extra.remove(name);
    Some(Box::new(value))
}

fn decode<T: DeserializeOwned>(value: &Value) -> Option<T> {
    T::deserialize(value).ok()
}

fn place(wire: &mut Wire) -> EventPlace {
    wire_place(std::mem::take(wire))
}

fn wire_place(wire: Wire) -> EventPlace {
    let mut extra = wire.extra;
    if let Some(logprobs) = wire.logprobs.filter(|logprobs| !logprobs.is_empty()) {
        extra.insert("logprobs", logprobs);
    }
    EventPlace {
        output_index: wire.output_index.unwrap_or_default(),
        content_index: wire.content_index.or(wire.summary_index).unwrap_or_default(),
        item_id: wire.item_id,
        sequence_number: wire.sequence_number,
        is_summary: false,
        extra,
    }
}

/// Converts the event back to a JSON value.
fn event_json(wire: Wire) -> Value {
    serde_json::to_value(wire).unwrap_or_default()
}

impl ResponseEvent {
    /// Returns the position of the output item or content part to which the event belongs. Returns `None` for events
    /// about the whole answer and for unknown events.
    #[must_use]
    pub fn place(&self) -> Option<&EventPlace> {
        match self {
            Self::ItemAdded(place, _)
            | Self::ItemDone(place, _)
            | Self::PartAdded(place, _)
            | Self::PartDone(place, _)
            | Self::TextDelta(place, _)
            | Self::TextDone(place, _)
            | Self::ReasoningDelta(place, _)
            | Self::ReasoningDone(place, _)
            | Self::RefusalDelta(place, _)
            | Self::RefusalDone(place, _)
            | Self::ArgumentsDelta(place, _)
            | Self::ArgumentsDone(place, _) => Some(place),
            Self::Response(..) | Self::Other { .. } => None,
        }
    }

    fn place_mut(&mut self) -> Option<&mut EventPlace> {
        match self {
            Self::ReasoningDelta(place, _) | Self::ReasoningDone(place, _) => Some(place),
            _ => None,
        }
    }
}
