//! When an answer is at its end. One rule holds for whole answers and for streams:
//!
//! - a failed answer is an error that carries it;
//! - an incomplete answer is a value that says so, and why;
//! - an answer that neither failed nor ended is [`ErrorKind::Truncated`], with what arrived.
//!
//! The table of what can arrive and what becomes of it is a test: `tests/chat/ends.rs`.

use std::fmt;

use bytes::Bytes;
use crypto_intel_api::generated::chat::{
    ChatChoice, ChatChoiceFinishReason, ChatCompletion, Response,
};
use crypto_intel_core::{
    Answer, Charge, Error, ErrorKind, Handle, ModelUse, Operation, RawReply, Type,
};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::outcome::FailedAnswer;
use super::protocol::error_in;
use crate::classify;

/// What the state of an answer means.
#[derive(Debug, PartialEq)]
pub(crate) enum End {
    /// It is whole, or it ended early and says so.
    Ended,
    /// It was still being written.
    Open,
    /// It failed; this is the service's error object.
    Failed(Map<String, Value>),
}

/// The state of a response by itself.
pub(crate) fn of_response(answer: &Response) -> End {
    if let Some(error) = error_of(answer) {
        return End::Failed(Map::from_iter([("error".to_owned(), error)]));
    }
    match answer.status.as_str() {
        "completed" | "incomplete" => End::Ended,
        "failed" | "cancelled" | "canceled" => {
            let message = format!("the answer ended as {}", answer.status);
            End::Failed(Map::from_iter([("error".to_owned(), json!({"message": message}))]))
        }
        _ => End::Open,
    }
}

/// The error in a response, whatever type it is of.
fn error_of(answer: &Response) -> Option<Value> {
    match &answer.error {
        Some(error) => serde_json::to_value(error).ok(),
        None => answer.extra.get("error").filter(|error| !error.is_null()).cloned(),
    }
}

/// Whether a choice ended. A whole answer may leave the reason out, because the interface text
/// allows `null` for it; an empty reason is none.
pub(crate) fn has_ended(choice: &ChatChoice, is_whole: bool) -> bool {
    match &choice.finish_reason {
        Some(reason) => !reason.as_str().is_empty(),
        None => is_whole,
    }
}

/// The error object of a choice that failed.
pub(crate) fn failure(choice: &ChatChoice) -> Option<Map<String, Value>> {
    let error = choice.extra.get("error").filter(|error| !error.is_null()).cloned();
    let plain = || json!({"message": "the answer ended with the finish reason `error`"});
    let error = match &choice.finish_reason {
        Some(ChatChoiceFinishReason::Error) => error.unwrap_or_else(plain),
        _ => error?,
    };
    Some(Map::from_iter([("error".to_owned(), error)]))
}

/// The state of a completion by its choices.
pub(crate) fn of_completion(answer: &ChatCompletion, is_whole: bool) -> End {
    if let Some(error) = answer.extra.get("error").filter(|error| !error.is_null()) {
        return End::Failed(Map::from_iter([("error".to_owned(), error.clone())]));
    }
    if let Some(error) = answer.choices.iter().find_map(failure) {
        return End::Failed(error);
    }
    let all = answer.choices.iter().all(|choice| has_ended(choice, is_whole));
    if all && !answer.choices.is_empty() { End::Ended } else { End::Open }
}

/// Why a response is not complete; `None` for one that is.
pub(crate) fn incomplete_response(answer: &Response) -> Option<&str> {
    let details = answer.incomplete_details.as_ref();
    let reason = details.and_then(|details| details.reason.as_deref());
    let reason = reason.filter(|reason| !reason.is_empty());
    (answer.status == "incomplete").then(|| reason.unwrap_or("the service gives no reason"))
}

/// Why a choice is not complete; `None` for one that is.
pub(crate) fn incomplete_choice(choice: &ChatChoice) -> Option<&str> {
    use ChatChoiceFinishReason as Reason;
    match choice.finish_reason.as_ref()? {
        reason @ (Reason::Length | Reason::ContentFilter) => Some(reason.as_str()),
        _ => None,
    }
}

/// Judges the body of an answer that was awaited as a whole, before it is decoded.
///
/// # Errors
/// What [the rules](self) make of it, and [`ErrorKind::Decode`] for a page, for a stream of events and
/// for nothing. Any other body that is no answer is left to the decoder.
pub(crate) fn judge(
    handle: &Handle,
    operation: &'static Operation,
    model: Option<&ModelUse>,
    raw: &RawReply,
) -> Result<(), Error> {
    let judged = match operation.answer {
        Answer::Bare(Type::Record("Response")) => whole(handle, raw, of_response),
        Answer::Bare(Type::Record("ChatCompletion")) => {
            whole(handle, raw, |answer| of_completion(answer, true))
        }
        _ => return Ok(()),
    };
    judged.map_err(|(error, credits)| {
        handle.settled(operation, model, credits);
        let id = raw.headers.get("x-request-id").and_then(|id| id.to_str().ok());
        let error = match id {
            Some(id) => error.with_request_id(id),
            None => error,
        };
        error.with_operation(operation.id).with_status(raw.status).with_attempts(raw.attempts)
    })
}

/// An error, and the credits that its answer says were used.
type Refused = (Error, Option<i64>);

fn whole<A>(handle: &Handle, raw: &RawReply, end: impl Fn(&A) -> End) -> Result<(), Refused>
where
    A: for<'de> Deserialize<'de> + Charge + Send + Sync + 'static,
{
    let Ok(answer) = serde_json::from_slice::<A>(&raw.body) else {
        return foreign::<A>(handle, &raw.body);
    };
    let error = match end(&answer) {
        End::Ended => return Ok(()),
        End::Open => Error::new(
            ErrorKind::Truncated,
            "the answer came before it was finished: neither its status nor a finish reason ends it",
        ),
        End::Failed(object) => reported(handle, object),
    };
    let credits = answer.credits_used();
    // What the error carries goes where texts of errors go, so that no key may be in it.
    let answer = match masked(handle, &raw.body) {
        Some(text) => serde_json::from_str(&text).unwrap_or(answer),
        None => answer,
    };
    Err((error.with_source(FailedAnswer::new(answer)), credits))
}

/// The text of a body with its secrets masked; `None` where there are none.
fn masked(handle: &Handle, body: &[u8]) -> Option<String> {
    let before = String::from_utf8_lossy(body);
    let mut text = before.clone().into_owned();
    handle.redact(&mut text);
    (text != before).then_some(text)
}

/// A body that is no answer: an error object, a page, events.
fn foreign<A>(handle: &Handle, body: &Bytes) -> Result<(), Refused>
where
    A: for<'de> Deserialize<'de> + Charge + Send + Sync + 'static,
{
    let start = body.strip_prefix("\u{feff}".as_bytes()).unwrap_or(body).trim_ascii_start();
    if let Ok(Value::Object(mut object)) = serde_json::from_slice(start) {
        if !error_in(&object) {
            return Ok(());
        }
        let error = reported(handle, object.clone());
        object.remove("error");
        return Err(match A::deserialize(Value::Object(object)) {
            // An answer whose error is not of the usual type.
            Ok(answer) => {
                let credits = answer.credits_used();
                (error.with_source(FailedAnswer::new(answer)), credits)
            }
            Err(_) => (error, None),
        });
    }

    let signs = [&b"data:"[..], b"event:", b"id:", b"retry:", b":"];
    let message = if start.is_empty() {
        "the answer has no body; is there a proxy in between?"
    } else if start.starts_with(b"<") {
        "an HTML page came instead of the answer; is there a proxy in between?"
    } else if signs.iter().any(|sign| start.starts_with(sign)) {
        "a stream of events came instead of the answer; ask with `.stream()`, or look for a proxy \
         in between"
    } else {
        return Ok(());
    };
    let mut text = String::from_utf8_lossy(body).into_owned();
    handle.redact(&mut text);
    Err((Error::new(ErrorKind::Decode, message).with_body(text.as_bytes()), None))
}

/// The error that a service reports in an answer of status 200.
pub(crate) fn reported(handle: &Handle, object: Map<String, Value>) -> Error {
    let mut text = Value::Object(object).to_string();
    handle.redact(&mut text);
    classify::reported(serde_json::from_str(&text).unwrap_or_default())
}

/// Why a finished answer has no `usage`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum UsageMissing {
    /// The stream ended as it should, and the service sent none.
    NotSent,
    /// The stream broke off after the answer was finished. Usage and cost, which come last, may
    /// have been lost; the text was not.
    CutOff,
    /// The stream was not read to its end, after the answer was finished.
    NotRead,
}

impl fmt::Display for UsageMissing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotSent => "the service sent no usage",
            Self::CutOff => "the stream broke off after the answer was finished, before any usage",
            Self::NotRead => "the stream was not read to its end",
        })
    }
}
