//! Events of the responses stream. The interface does not name them: the names are those that
//! common clients of such streams know, and whatever else comes is kept as it is.

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
    /// The answer so far as one object. It ends the stream if its status says so.
    Response(ResponsePhase, Box<Response>),
    /// An item of the output begins.
    ItemAdded(EventPlace, Box<ResponseOutputItem>),
    /// An item of the output is whole.
    ItemDone(EventPlace, Box<ResponseOutputItem>),
    /// A part of a message begins.
    PartAdded(EventPlace, ResponseContentPart),
    /// A part of a message is whole.
    PartDone(EventPlace, ResponseContentPart),
    /// More text of the answer.
    TextDelta(EventPlace, String),
    /// The text of one part, whole.
    TextDone(EventPlace, String),
    /// Further reasoning of the model.
    ReasoningDelta(EventPlace, String),
    /// The whole reasoning of the model.
    ReasoningDone(EventPlace, String),
    /// More of a refusal to answer.
    RefusalDelta(EventPlace, String),
    /// A refusal to answer, whole.
    RefusalDone(EventPlace, String),
    /// More of the arguments of a tool call, which are JSON text.
    ArgumentsDelta(EventPlace, String),
    /// The arguments of a tool call, whole.
    ArgumentsDone(EventPlace, String),
    /// An event that this release does not know, as it came.
    Other {
        /// Its kind: the member `type`, or else the name of the event.
        kind: String,
        /// Its data; a text where they are not JSON.
        data: Value,
    },
}

/// Where in the answer an event belongs.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct EventPlace {
    /// Position of the item in the output, counted from 0; 0 where the event does not say.
    pub output_index: u64,
    /// Position of the part in the item; 0 where the event does not say.
    pub content_index: u64,
    /// Identifier of the item.
    pub item_id: Option<String>,
    /// Position of the event in the stream, where it says.
    pub sequence_number: Option<i64>,
    /// Whether the event is about the summary of the reasoning, not about the reasoning itself.
    pub is_summary: bool,
    /// Members that this release does not know.
    pub extra: Extra,
}

rt::open_enum! {
    /// State of the answer, from an event that contains the whole answer.
    ResponsePhase {
        /// It was accepted.
        Created = "response.created",
        /// It waits.
        Queued = "response.queued",
        /// It is being written.
        InProgress = "response.in_progress",
        /// It is whole.
        Completed = "response.completed",
        /// It ended early; the answer says why.
        Incomplete = "response.incomplete",
        /// It failed.
        Failed = "response.failed",
        /// It was given up.
        Cancelled = "response.cancelled",
        /// Nothing: the event is the plain object.
        Plain = "",
    }
}

rt::open_enum! {
    /// The kinds that are taken apart.
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

/// An event before its kind is known. What the kinds have in common is read in place; the rest is
/// kept as JSON, which is nothing for the deltas that a stream is made of.
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

/// Kinds of event data.
pub(crate) enum Read {
    Event(ResponseEvent),
    Reported(Map<String, Value>),
    Unreadable(Error),
}

/// Reads an event; `name` is that of the event, `message` or empty where it has none.
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

/// Data that are not an object of the usual types.
fn misfit(name: &str, data: &str, error: &serde_json::Error) -> Read {
    let data = match serde_json::from_str(data) {
        Ok(Value::Object(members)) if name == "error" || error_in(&members) => {
            return Read::Reported(members);
        }
        Ok(data) => data,
        Err(_) if name == "error" => {
            return Read::Reported(Map::from_iter([("message".to_owned(), data.into())]));
        }
        // An event of a name that is not known may hold what it wants.
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

/// An event without a kind: an error, the answer itself, or something else.
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
    // Only a delta: the commonest thing that a service would send without saying what it is.
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

/// Takes the answer out of the event that is about it. What says that an answer ended does so by its
/// name, also where the answer lacks the members that a whole one must have.
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

/// Takes a member out if it is what it should be.
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

/// The event as it came.
fn whole(wire: Wire) -> Value {
    serde_json::to_value(wire).unwrap_or_default()
}

impl ResponseEvent {
    /// Where in the answer it belongs, if it is about a part of it.
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
