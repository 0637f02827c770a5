//! Event types of the responses stream. The interface does not name them. This module uses the names that common
//! clients of these streams use, and keeps other events unchanged.

use crypto_intel_api::generated::chat::{Response, ResponseContentPart, ResponseOutputItem};
use crypto_intel_core as rt;
use crypto_intel_core::{Error, ErrorKind, Extra};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::protocol::error_in;

/// An event of a streamed response.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ResponseEvent {
    /// The answer so far as one object. The status of the object can end the stream.
    Response(ResponsePhase, Box<Response>),
    /// An output item begins.
    ItemAdded(EventPlace, Box<ResponseOutputItem>),
    /// An output item is complete.
    ItemDone(EventPlace, Box<ResponseOutputItem>),
    /// A part of a message begins.
    PartAdded(EventPlace, ResponseContentPart),
    /// A part of a message is complete.
    PartDone(EventPlace, ResponseContentPart),
    /// Next part of the answer's text.
    TextDelta(EventPlace, String),
    /// The complete text of one part.
    TextDone(EventPlace, String),
    /// Next part of the model's reasoning.
    ReasoningDelta(EventPlace, String),
    /// The complete reasoning of the model.
    ReasoningDone(EventPlace, String),
    /// Next part of the text in which the model refuses to answer.
    RefusalDelta(EventPlace, String),
    /// A complete refusal to answer.
    RefusalDone(EventPlace, String),
    /// Next part of the arguments of a tool call, which are JSON text.
    ArgumentsDelta(EventPlace, String),
    /// The complete arguments of a tool call.
    ArgumentsDone(EventPlace, String),
    /// An event of a type that this release does not have.
    Other {
        /// Type of the event: its field `type`, or else the event name.
        kind: String,
        /// Data of the event. If the data is not JSON, the value is a string.
        data: Value,
    },
}

/// Position in the answer that an event refers to.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct EventPlace {
    /// Index of the item in the output, counted from 0; 0 if the event has no index.
    pub output_index: u64,
    /// Index of the part in the item; 0 if the event has no index.
    pub content_index: u64,
    /// Identifier of the item.
    pub item_id: Option<String>,
    /// Number of the event in the stream, if the service sends it.
    pub sequence_number: Option<i64>,
    /// True if the event belongs to the summary of the reasoning, not to the reasoning.
    pub is_summary: bool,
    /// Fields that this release does not know.
    pub extra: Extra,
}

rt::open_enum! {
    /// State of the answer, from the name of an event that contains the whole answer object.
    ResponsePhase {
        /// The service accepted the request.
        Created = "response.created",
        /// Queued.
        Queued = "response.queued",
        /// Answer in progress.
        InProgress = "response.in_progress",
        /// The answer is complete.
        Completed = "response.completed",
        /// The answer is incomplete, and contains the reason.
        Incomplete = "response.incomplete",
        /// The answer failed.
        Failed = "response.failed",
        /// The answer was cancelled.
        Cancelled = "response.cancelled",
        /// No event type: the event is the answer object itself.
        Plain = "",
    }
}

rt::open_enum! {
    /// Event types that have their own variant.
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

/// An event before its type is known. Fields that several types have are decoded directly. Other fields are kept as
/// JSON. Frequent delta events have no other fields.
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

/// Result of reading event data.
pub(crate) enum Read {
    Event(ResponseEvent),
    Reported(Map<String, Value>),
    Unreadable(Error),
}

/// Reads an event. `name` is the name of the event: `message` or empty if it has none.
pub(crate) fn read(name: &str, data: &str) -> Read {
    let unnamed = matches!(name, "" | "message");
    let wire = match rt::private::from_slice::<Wire>(data.as_bytes()) {
        Ok(wire) => wire,
        Err(error) => return misfit(name, data, &error),
    };
    let kind = match &wire.name {
        Some(kind) => kind.clone(),
        None if unnamed => return plain(wire),
        None => Name::from(name),
    };
    known(kind, wire)
}

/// Handles data that is not an object with the expected fields.
fn misfit(name: &str, data: &str, error: &serde_json::Error) -> Read {
    let data = match serde_json::from_str(data) {
        Ok(Value::Object(members)) if name == "error" || error_in(&members) => {
            return Read::Reported(members);
        }
        Ok(data) => data,
        Err(_) if name == "error" => {
            return Read::Reported(Map::from_iter([("message".to_owned(), data.into())]));
        }
        // An event with an unknown name may contain any data.
        Err(_) if matches!(Name::from(name), Name::Other(_)) && !matches!(name, "" | "message") => {
            data.into()
        }
        Err(_) => {
            let message = format!("an event of the stream is not JSON: {error}");
            return Read::Unreadable(
                Error::new(ErrorKind::Decode, message).with_body(data.to_owned()),
            );
        }
    };
    let kind = data.get("type").and_then(Value::as_str).unwrap_or(name).to_owned();
    Read::Event(ResponseEvent::Other { kind, data })
}

/// Reads an event without a type: an error, the answer itself, or unknown data.
fn plain(mut wire: Wire) -> Read {
    let has = |name: &str| wire.extra.get(name).is_some();
    let says_so = wire.extra.get("object").is_some_and(|object| **object == "response");
    if says_so || (has("status") && (has("output") || has("output_text"))) {
        let data = whole(wire);
        return match decoded::<Response>(&data) {
            Some(response) => {
                Read::Event(ResponseEvent::Response(ResponsePhase::Plain, response.into()))
            }
            None => Read::Event(ResponseEvent::Other { kind: String::new(), data }),
        };
    }
    // The data has only a delta. Services that omit the type usually send this form.
    if let Some(delta) = wire.delta.take() {
        return Read::Event(ResponseEvent::TextDelta(place(wire), delta));
    }
    match whole(wire) {
        Value::Object(members) if error_in(&members) => Read::Reported(members),
        data => Read::Event(ResponseEvent::Other { kind: String::new(), data }),
    }
}

fn known(kind: Name, mut wire: Wire) -> Read {
    use ResponseEvent as E;
    if kind == Name::Error {
        return match whole(wire) {
            Value::Object(members) => Read::Reported(members),
            other => Read::Event(E::Other { kind: "error".to_owned(), data: other }),
        };
    }

    let event = match kind {
        Name::Created
        | Name::Queued
        | Name::InProgress
        | Name::Completed
        | Name::Incomplete
        | Name::Failed
        | Name::Cancelled => response(&mut wire)
            .map(|response| E::Response(ResponsePhase::from(kind.as_str()), response)),
        Name::ItemAdded => member(&mut wire, "item").map(|item| E::ItemAdded(at(&mut wire), item)),
        Name::ItemDone => member(&mut wire, "item").map(|item| E::ItemDone(at(&mut wire), item)),
        Name::PartAdded => member(&mut wire, "part").map(|part| E::PartAdded(at(&mut wire), *part)),
        Name::PartDone => member(&mut wire, "part").map(|part| E::PartDone(at(&mut wire), *part)),
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

    Read::Event(match event {
        Some(mut event) => {
            if let (Some(place), Name::SummaryDelta | Name::SummaryDone) =
                (event.place_mut(), &kind)
            {
                place.is_summary = true;
            }
            event
        }
        None => E::Other { kind: kind.as_str().to_owned(), data: whole(wire) },
    })
}

fn delta(wire: &mut Wire, event: fn(EventPlace, String) -> ResponseEvent) -> Option<ResponseEvent> {
    let delta = wire.delta.take()?;
    Some(event(at(wire), delta))
}

fn text(
    wire: &mut Wire,
    name: &str,
    event: fn(EventPlace, String) -> ResponseEvent,
) -> Option<ResponseEvent> {
    let text = wire.extra.get(name)?.as_str()?.to_owned();
    wire.extra.remove(name);
    Some(event(at(wire), text))
}

/// Removes the answer from an event that contains it, and returns it. If the answer lacks `id` or `status`, these
/// become empty strings, because the name of the event can end the answer too.
fn response(wire: &mut Wire) -> Option<Box<Response>> {
    if let Some(response) = member(wire, "response") {
        return Some(response);
    }
    let mut members = wire.extra.get("response")?.as_object()?.clone();
    for name in ["id", "status"] {
        members.entry(name).or_insert_with(|| "".into());
    }
    let response = decoded(&Value::Object(members))?;
    wire.extra.remove("response");
    Some(Box::new(response))
}

/// Removes a field and returns its value, if the value has the expected type.
fn member<T: DeserializeOwned>(wire: &mut Wire, name: &str) -> Option<Box<T>> {
    let value = decoded(wire.extra.get(name)?)?;
    wire.extra.remove(name);
    Some(Box::new(value))
}

fn decoded<T: DeserializeOwned>(value: &Value) -> Option<T> {
    T::deserialize(value).ok()
}

fn at(wire: &mut Wire) -> EventPlace {
    place(std::mem::take(wire))
}

fn place(wire: Wire) -> EventPlace {
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

/// Returns the event as JSON.
fn whole(wire: Wire) -> Value {
    serde_json::to_value(wire).unwrap_or_default()
}

impl ResponseEvent {
    /// Returns the position in the answer, if the event belongs to a part of the answer.
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
