//! Differences between the two chat streams of the service.
//!
//! A protocol defines the types of a stream and decodes one event at a time. The code that reads the bytes of a stream
//! is the same for both.

use std::borrow::Cow;

use crypto_intel_core::Error;
use serde_json::{Map, Value};

/// Decodes the events of one operation and builds its answer. Sealed: each streaming operation has one
/// implementation.
pub trait StreamProtocol: Fold<Event = <Self as StreamProtocol>::Item> {
    /// An event of the stream.
    type Item: Send + Unpin + 'static;
}

/// Private part of [`StreamProtocol`].
pub trait Fold: Default + Send + Unpin + 'static {
    type Event: Send + Unpin + 'static;
    type Answer: Send + 'static;

    /// Adds one event.
    fn take(&mut self, kind: &str, data: &str) -> Taken<Self::Event>;

    /// Returns the text of an event whose whole text is new.
    fn into_text(event: Self::Event) -> Option<String>;

    /// Adds an event and returns its new text, if the event is a plain text delta. Returns `None` for all other
    /// events; pass these to [`take`](Self::take).
    ///
    /// Almost all events of a stream are plain deltas. They are decoded without copies other than the text.
    fn take_text(&mut self, kind: &str, data: &str) -> Option<String>;

    /// Adds a complete answer that arrived in place of a stream.
    fn take_whole(&mut self, data: &str) -> Taken<Self::Event> {
        self.take("", data)
    }

    /// Returns true if the answer has ended, with success or not.
    fn is_complete(&self) -> bool;

    /// Checks an answer that gets no more events. Returns the error object of a failed answer, or an error for an
    /// answer that contradicts itself.
    fn judge(&self) -> Result<(), Verdict>;

    /// Returns true if the answer contains its token usage.
    fn has_usage(&self) -> bool;

    /// True if the stream sends `[DONE]` after the answer has ended.
    const CLOSES_WITH_DONE: bool;

    /// Returns the credits used by the answer, as the service reports them.
    fn credits_used(&self) -> Option<i64>;

    /// Returns the approximate size of the answer so far, in bytes.
    fn held(&self) -> usize;

    /// Stops storing text.
    fn forget(&mut self);

    /// Builds the answer from the events so far.
    fn answer(self) -> Self::Answer;
}

/// Result of one event.
pub enum Taken<E> {
    /// An event, with its new text.
    Event(E, Fresh),
    /// An error object.
    Reported(Map<String, Value>),
    /// Data that cannot be read.
    Unreadable(Error),
}

/// Error of an answer that has ended.
#[derive(Debug)]
pub enum Verdict {
    /// The answer failed. Contains the service's error object.
    Failed(Map<String, Value>),
    /// The returned text differs from the text of the answer.
    Contradiction,
}

/// New text of an event.
#[derive(Debug, PartialEq, Eq)]
pub enum Fresh {
    /// The event has no new text.
    None,
    /// The whole text of the event.
    Event,
    /// The new part of the event's text. The rest of the text repeats earlier text.
    Rest(String),
}

/// Finds the text in an event of unknown type: in a delta, a chat chunk, a message, or a plain field.
pub(crate) fn text_in(data: &Value) -> Option<Cow<'_, str>> {
    let choice = || data.pointer("/choices/0");
    let chunk = || choice()?.get("delta").or_else(|| choice()?.get("message"));
    let places = [data.get("delta"), chunk(), choice(), Some(data)];
    places.into_iter().flatten().find_map(plain)
}

/// Returns a string, the text of an object, or the joined texts of a list of parts.
fn plain(value: &Value) -> Option<Cow<'_, str>> {
    match value {
        Value::String(text) => Some(Cow::Borrowed(text)),
        Value::Array(parts) => {
            let texts: Vec<_> = parts.iter().filter_map(plain).collect();
            (!texts.is_empty()).then(|| Cow::Owned(texts.concat()))
        }
        Value::Object(members) => ["text", "content", "output_text"].into_iter().find_map(|name| {
            let member = members.get(name)?;
            if name == "content" || member.is_string() { plain(member) } else { None }
        }),
        _ => None,
    }
}

/// Returns true if an event contains an error object.
pub(crate) fn error_in(members: &Map<String, Value>) -> bool {
    members.get("error").is_some_and(|error| !error.is_null())
        || members.get("success").is_some_and(|success| success == false)
}
