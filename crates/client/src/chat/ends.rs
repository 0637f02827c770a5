//! Rules for the end of an answer. They apply to complete answers and to streams:
//!
//! - A failed answer is an error that contains the answer.
//! - An incomplete answer is a value with the reason why it is incomplete.
//! - An answer that neither failed nor ended is an error of [`ErrorKind::Truncated`] that contains the partial answer.
//!
//! `tests/chat/ends.rs` tests a table of all endings and their results.

use std::time::SystemTime;

use crypto_intel_api::generated::chat::{
    ChatChoice, ChatChoiceFinishReason, ChatCompletion, Response,
};
use crypto_intel_core::private::from_slice;
use crypto_intel_core::{Answer, Call, Error, ErrorKind, HasMeta, RawReply, Type};
use http::StatusCode;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

use super::outcome::FailedAnswer;
use crate::classify;

/// State of an answer.
#[derive(Debug, PartialEq)]
pub(crate) enum End {
    /// Complete, or incomplete with a reason.
    Ended,
    /// The answer is still being written.
    Open,
    /// Failed, with the service's error object.
    Failed(Map<String, Value>),
}

/// Returns the state of a response.
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

/// Returns the error in a response, also if it is not an error object. The typed field accepts `null`, so `extra` never
/// contains `null` as the error.
fn error_of(answer: &Response) -> Option<Value> {
    match &answer.error {
        Some(error) => serde_json::to_value(error).ok(),
        None => answer.extra.get("error").map(|error| (**error).clone()),
    }
}

/// Returns true if a choice has ended. A complete answer may lack the finish reason, because the interface text allows
/// `null` for it. With an empty reason, the choice has not ended.
pub(crate) fn has_ended(choice: &ChatChoice, is_whole: bool) -> bool {
    match &choice.finish_reason {
        Some(reason) => !reason.as_str().is_empty(),
        None => is_whole,
    }
}

/// Returns the error object of a failed choice.
pub(crate) fn failure(choice: &ChatChoice) -> Option<Map<String, Value>> {
    let error = choice.extra.get("error").filter(|error| !error.is_null());
    let error = error.map(|error| (**error).clone());
    let plain = || json!({"message": "the answer ended with the finish reason `error`"});
    let error = match &choice.finish_reason {
        Some(ChatChoiceFinishReason::Error) => error.unwrap_or_else(plain),
        _ => error?,
    };
    Some(Map::from_iter([("error".to_owned(), error)]))
}

/// Returns the state of a completion, from its choices.
pub(crate) fn of_completion(answer: &ChatCompletion, is_whole: bool) -> End {
    if let Some(error) = answer.extra.get("error").filter(|error| !error.is_null()) {
        return End::Failed(Map::from_iter([("error".to_owned(), (**error).clone())]));
    }
    if let Some(error) = answer.choices.iter().find_map(failure) {
        return End::Failed(error);
    }
    let all = answer.choices.iter().all(|choice| has_ended(choice, is_whole));
    if all && !answer.choices.is_empty() { End::Ended } else { End::Open }
}

/// Returns the reason why a response is incomplete; `None` for a complete response.
pub(crate) fn incomplete_response(answer: &Response) -> Option<&str> {
    let details = answer.incomplete_details.as_ref();
    let reason = details.and_then(|details| details.reason.as_deref());
    let reason = reason.filter(|reason| !reason.is_empty());
    (answer.status == "incomplete").then(|| reason.unwrap_or("the service gives no reason"))
}

/// Returns the reason why a choice is incomplete; `None` for a complete choice.
pub(crate) fn incomplete_choice(choice: &ChatChoice) -> Option<&str> {
    use ChatChoiceFinishReason as Reason;
    match choice.finish_reason.as_ref()? {
        reason @ (Reason::Length | Reason::ContentFilter) => Some(reason.as_str()),
        _ => None,
    }
}

/// Checks a buffered answer before it is decoded, by [the rules](self) of this module. The error contains the answer.
/// A body that is not an answer is left to the decoder.
///
/// # Errors
/// The error of the request, or an error for an answer that failed or did not end.
pub(crate) fn judge(call: &Call, answered: Result<RawReply, Error>) -> Result<RawReply, Error> {
    match call.operation().answer {
        Answer::Bare(Type::Record("Response")) => judged(call, answered, of_response),
        Answer::Bare(Type::Record("ChatCompletion")) => {
            judged(call, answered, |answer| of_completion(answer, true))
        }
        _ => answered,
    }
}

fn judged<A>(
    call: &Call,
    answered: Result<RawReply, Error>,
    end: impl Fn(&A) -> End,
) -> Result<RawReply, Error>
where
    A: DeserializeOwned + HasMeta + Send + Sync + 'static,
{
    let raw = match answered {
        Ok(raw) => raw,
        Err(error) => return Err(carry::<A>(call, error)),
    };
    let Ok(answer) = from_slice::<A>(&raw.body) else {
        return if is_events(&raw.body) { Err(events(&raw)) } else { Ok(raw) };
    };

    let error = match end(&answer) {
        End::Ended => return Ok(raw),
        End::Open => Error::new(
            ErrorKind::Truncated,
            "the answer is unfinished: it has neither a final status nor a finish reason",
        ),
        End::Failed(object) => classify::reported(object, &raw.headers, SystemTime::now()),
    };

    let error = error.with_status(raw.status).with_attempts(raw.attempts);
    let error = match raw.headers.get("x-request-id").and_then(|id| id.to_str().ok()) {
        Some(id) => error.with_request_id(id),
        None => error,
    };
    Err(carry::<A>(call, error.with_body(raw.body)))
}

/// If the body of an error with status 200 contains an answer, records its cost and returns an error with the decoded
/// answer.
fn carry<A>(call: &Call, error: Error) -> Error
where
    A: DeserializeOwned + HasMeta + Send + Sync + 'static,
{
    let Some(body) = error.body().filter(|_| error.status() == Some(StatusCode::OK)) else {
        return error;
    };
    // The answer in the error may be printed or logged, so keys are masked.
    let mut text = body.text().into_owned();
    call.handle().redact(&mut text);
    let Ok(Value::Object(mut object)) = from_slice(text.as_bytes()) else { return error };
    if object.get("error").is_some_and(Value::is_string) {
        // The field is a string here, and the error's message already contains its text.
        object.remove("error");
    }
    let Ok(answer) = A::deserialize(Value::Object(object)) else { return error };

    call.handle().settled(call.operation(), call.model().as_ref(), answer.reported().credits_used);
    error.with_operation(call.operation().id).with_source(FailedAnswer::new(answer))
}

/// Returns true if a body begins like a stream of events.
fn is_events(body: &[u8]) -> bool {
    let start = body.strip_prefix("\u{feff}".as_bytes()).unwrap_or(body).trim_ascii_start();
    [&b"data:"[..], b"event:", b"id:", b"retry:", b":"].iter().any(|sign| start.starts_with(sign))
}

fn events(raw: &RawReply) -> Error {
    let message = "the response is a stream of events instead of the answer; ask with \
     `.stream()`, or look for a proxy in between";
    let error = Error::new(ErrorKind::Decode, message).with_body(raw.body.clone());
    error.with_status(raw.status).with_attempts(raw.attempts)
}
