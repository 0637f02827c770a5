//! Differences between the streams of the two chat endpoints, `responses` and `chat-completions`.
//!
//! A protocol defines the event type and the answer type of one stream, and decodes one event at a time. The code that
//! reads the bytes of a stream is common to both protocols.

use std::borrow::Cow;

use crypto_intel_core::Error;
use serde_json::{Map, Value};

/// Decodes the stream events of one chat endpoint and builds the answer from them. The trait is sealed.
/// [`ResponsesProtocol`](super::ResponsesProtocol) and [`CompletionsProtocol`](super::CompletionsProtocol) are its only
/// implementations.
pub trait StreamProtocol: Fold<Event = <Self as StreamProtocol>::Item> {
    /// Type of the events in a stream of this endpoint: [`ResponseEvent`](super::ResponseEvent) or
    /// [`ChatEvent`](super::ChatEvent).
    type Item: Send + Unpin + 'static;
}

/// Private methods of [`StreamProtocol`].
pub trait Fold: Default + Send + Unpin + 'static {
    type Event: Send + Unpin + 'static;
    type Answer: Send + 'static;

    /// Decodes an event and adds it to the answer. `kind` is the SSE event name.
    fn add(&mut self, kind: &str, data: &str) -> Taken<Self::Event>;

    /// Returns the text of an event. This method is called only if no part of this text was streamed before.
    fn into_text(event: Self::Event) -> Option<String>;

    /// Decodes a text delta, adds its text to the answer, and returns the part of this text that was not streamed
    /// before. If the method returns `None`, the caller must pass the event to [`add`](Self::add).
    ///
    /// This is a fast path, because almost all events of a stream are text deltas.
    fn add_text(&mut self, kind: &str, data: &str) -> Option<String>;

    /// Decodes and stores a complete answer that the service sent as one JSON object instead of a stream.
    fn add_whole(&mut self, data: &str) -> Taken<Self::Event> {
        self.add("", data)
    }

    /// Returns true if the answer has ended. An incomplete answer has also ended, for example an answer that reached
    /// the token limit. [`check`](Self::check) checks whether an ended answer is valid. For a failed answer of the
    /// endpoint `responses`, returns false, because [`add`](Self::add) has already reported the failure as
    /// [`Taken::Reported`].
    fn is_complete(&self) -> bool;

    /// Checks an answer after its last event.
    ///
    /// # Errors
    /// - [`Verdict::Failed`] with the error object from the service, if the answer failed.
    /// - [`Verdict::Contradiction`] if the streamed text may differ from the text of the answer.
    fn check(&self) -> Result<(), Verdict>;

    /// Returns true if the service sent the token usage of the answer.
    fn has_usage(&self) -> bool;

    /// True if the service sends the event `[DONE]` after the end of the answer.
    const CLOSES_WITH_DONE: bool;

    /// Returns the credits that the answer used, if the service has sent this number.
    fn credits_used(&self) -> Option<i64>;

    /// Returns the approximate memory of the stored answer, in bytes.
    fn stored_bytes(&self) -> usize;

    /// Stops storing the text of the answer, so that memory does not grow with the length of the stream.
    fn stop_storing(&mut self);

    /// Returns the answer that was built from all events so far.
    fn answer(self) -> Self::Answer;
}

/// Result of decoding one event.
pub enum Taken<E> {
    /// An event, and the part of its text that was not streamed before.
    Event(E, Fresh),
    /// An error report from the service: a JSON object.
    Reported(Map<String, Value>),
    /// A decoding error: the data of the event is not valid JSON.
    Unreadable(Error),
}

/// Reason why an answer that has ended is returned as an error.
#[derive(Debug)]
pub enum Verdict {
    /// The answer failed. The JSON object is the error report from the service.
    Failed(Map<String, Value>),
    /// The streamed text may differ from the text of the answer. The service may have sent two versions of a text, or
    /// the parts of the text in another order than in the answer.
    Contradiction,
}

/// Part of an event's text that was not streamed before.
#[derive(Debug, PartialEq, Eq)]
pub enum Fresh {
    /// The event has no new text.
    None,
    /// The whole text of the event is new: no part of it was streamed before.
    Event,
    /// Only this part of the event's text is new. The other part repeats text that was streamed before.
    Rest(String),
}

/// Returns the text in an event of an unknown type. The text can be in a field `delta`, in the first choice of a chunk,
/// in a message, or in a field such as `text` or `content`.
pub(crate) fn event_text(data: &Value) -> Option<Cow<'_, str>> {
    let choice = || data.pointer("/choices/0");
    let chunk = || choice()?.get("delta").or_else(|| choice()?.get("message"));
    let places = [data.get("delta"), chunk(), choice(), Some(data)];
    places.into_iter().flatten().find_map(value_text)
}

/// Returns the text in a JSON value: a string, the field `text`, `content` or `output_text` of an object, or the joined
/// texts of all elements of an array.
fn value_text(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::String(text) => Some(Cow::Borrowed(text)),
        Value::Array(parts) => {
            let texts: Vec<_> = parts.iter().filter_map(value_text).collect();
            (!texts.is_empty()).then(|| Cow::Owned(texts.concat()))
        }
        Value::Object(members) => ["text", "content", "output_text"].into_iter().find_map(|name| {
            let member = members.get(name)?;
            if name == "content" || member.is_string() { value_text(member) } else { None }
        }),
        _ => None,
    }
}

/// Returns true if a JSON object is an error report: it has a field `error` that is not `null`, or `success` is false.
pub(crate) fn is_error_report(members: &Map<String, Value>) -> bool {
    members.get("error").is_some_and(|error| !error.is_null())
        || members.get("success").is_some_and(|success| success == false)
}
