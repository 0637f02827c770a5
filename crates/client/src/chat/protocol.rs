//! Differences between the two streams of the service.

use std::borrow::Cow;

use crypto_intel_core::Error;
use serde_json::{Map, Value};

/// How the events of one operation read, and how they add up to its answer. Sealed: there is one
/// for each operation that streams.
pub trait StreamProtocol: Fold<Event = <Self as StreamProtocol>::Item> {
    /// An event of the stream.
    type Item: Send + Unpin + 'static;
}

/// The working half of [`StreamProtocol`], out of sight.
pub trait Fold: Default + Send + Unpin + 'static {
    type Event: Send + Unpin + 'static;
    type Answer: Send + 'static;

    /// Takes one event in.
    fn take(&mut self, kind: &str, data: &str) -> Taken<Self::Event>;

    /// The text of an event that is new as a whole.
    fn into_text(event: Self::Event) -> Option<String>;

    /// Adds an event and returns its new text, if the event is a plain text delta. Returns `None` for
    /// every other event; [`take`](Self::take) must then read it.
    ///
    /// Nearly every event of a stream is a plain delta. Here it is read in place, and becomes
    /// nothing but its text.
    fn take_text(&mut self, kind: &str, data: &str) -> Option<String>;

    /// Takes in a whole answer that came in place of a stream.
    fn take_whole(&mut self, data: &str) -> Taken<Self::Event> {
        self.take("", data)
    }

    /// Whether the answer has said that it is at its end, well or badly.
    fn is_complete(&self) -> bool;

    /// Judges an answer that gets no more events: the error object of one that failed, an error
    /// for one that contradicts itself.
    fn judge(&self) -> Result<(), Verdict>;

    /// Whether the answer says what it used, in tokens.
    fn has_usage(&self) -> bool;

    /// Whether a stream of the protocol closes with `[DONE]`, after the answer is at its end.
    const CLOSES_WITH_DONE: bool;

    /// Credits that the service says the answer used.
    fn credits_used(&self) -> Option<i64>;

    /// Bytes of the answer so far, about.
    fn held(&self) -> usize;

    /// Stops keeping text.
    fn forget(&mut self);

    /// Builds the answer from the events so far.
    fn answer(self) -> Self::Answer;
}

/// Result of one event.
pub enum Taken<E> {
    /// An event, and where in it the text is that has not been seen before.
    Event(E, Fresh),
    /// An error object.
    Reported(Map<String, Value>),
    /// Nothing that belongs into the stream.
    Unreadable(Error),
}

/// Fault of an answer at its end.
#[derive(Debug)]
pub enum Verdict {
    /// It failed; this is the error object.
    Failed(Map<String, Value>),
    /// The text that was given out is not the text of the answer.
    Contradiction,
}

/// Text that has not been seen before.
#[derive(Debug, PartialEq, Eq)]
pub enum Fresh {
    /// None.
    None,
    /// That of the event.
    Event,
    /// This; the event repeats text before it.
    Rest(String),
}

/// The text in an event of a form that is not known: that of a delta, of a chat chunk, of a
/// message, or a plain member.
pub(crate) fn text_in(data: &Value) -> Option<Cow<'_, str>> {
    let choice = || data.pointer("/choices/0");
    let chunk = || choice()?.get("delta").or_else(|| choice()?.get("message"));
    let places = [data.get("delta"), chunk(), choice(), Some(data)];
    places.into_iter().flatten().find_map(plain)
}

/// A text, the text of an object, or the texts of a list of parts.
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

/// An error object in an event that should hold something else.
pub(crate) fn error_in(members: &Map<String, Value>) -> bool {
    members.get("error").is_some_and(|error| !error.is_null())
        || members.get("success").is_some_and(|success| success == false)
}
