//! Rules for the end of an answer. They apply to awaited answers and to streamed answers:
//!
//! - A failed answer becomes an error that contains the answer.
//! - If the service ends an answer early, for example at a token limit, the caller gets the answer as a value. The
//!   value contains the reason why the answer is incomplete.
//! - If the answer stops without an end, for example because the connection broke, the caller gets an error of
//!   [`ErrorKind::Truncated`]. The error contains the part of the answer that arrived.
//!
//! The file `ends.md` lists all endings and their results. The test `tests/chat/ends.rs` checks this list.

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

/// State of an answer: ended, not ended or failed. It is derived from the error and the status of the answer, and from
/// the finish reasons of its choices.
#[derive(Debug, PartialEq)]
pub(crate) enum End {
    /// The answer has ended. It can be complete, or incomplete with a reason.
    Ended,
    /// The answer has not ended: the model is still writing it.
    Open,
    /// The answer failed. The JSON object has a field `error` with the error from the service.
    Failed(Map<String, Value>),
}

/// Returns the state of an answer from the endpoint `responses`.
pub(crate) fn response_end(answer: &Response) -> End {
    if let Some(error) = response_error(answer) {
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

/// Returns the error in an answer from the endpoint `responses`. The error can be any JSON value except `null`. An
/// error that is not a JSON object is stored in the field `extra` of the answer.
fn response_error(answer: &Response) -> Option<Value> {
    match &answer.error {
        Some(error) => serde_json::to_value(error).ok(),
        None => answer.extra.get("error").map(|error| (**error).clone()),
    }
}

/// Returns true if a choice has ended, which means that it has a nonempty finish reason such as `stop`. `is_whole` is
/// true if the service sent the answer as one JSON object. A choice of this answer has ended even if the finish reason
/// is missing or `null`, because the OpenAPI document allows `null`.
pub(crate) fn has_ended(choice: &ChatChoice, is_whole: bool) -> bool {
    match &choice.finish_reason {
        Some(reason) => !reason.as_str().is_empty(),
        None => is_whole,
    }
}

/// Returns the error of a failed choice as a JSON object with the field `error`. Returns `None` if the choice has not
/// failed.
pub(crate) fn choice_error(choice: &ChatChoice) -> Option<Map<String, Value>> {
    let error = choice.extra.get("error").filter(|error| !error.is_null());
    let error = error.map(|error| (**error).clone());
    let plain = || json!({"message": "the answer ended with the finish reason `error`"});
    let error = match &choice.finish_reason {
        Some(ChatChoiceFinishReason::Error) => error.unwrap_or_else(plain),
        _ => error?,
    };
    Some(Map::from_iter([("error".to_owned(), error)]))
}

/// Returns the state of an answer from the endpoint `chat-completions`: ended, not ended or failed. Set `is_whole` to
/// true if the service sent the answer as one JSON object instead of a stream.
pub(crate) fn completion_end(answer: &ChatCompletion, is_whole: bool) -> End {
    if let Some(error) = answer.extra.get("error").filter(|error| !error.is_null()) {
        return End::Failed(Map::from_iter([("error".to_owned(), (**error).clone())]));
    }
    if let Some(error) = answer.choices.iter().find_map(choice_error) {
        return End::Failed(error);
    }
    let all = answer.choices.iter().all(|choice| has_ended(choice, is_whole));
    if all && !answer.choices.is_empty() { End::Ended } else { End::Open }
}

/// Returns the reason why an answer from the endpoint `responses` is incomplete. Returns `None` if its status is not
/// `incomplete`.
pub(crate) fn incomplete_response(answer: &Response) -> Option<&str> {
    let details = answer.incomplete_details.as_ref();
    let reason = details.and_then(|details| details.reason.as_deref());
    let reason = reason.filter(|reason| !reason.is_empty());
    (answer.status == "incomplete").then(|| reason.unwrap_or("the service gives no reason"))
}

/// Returns the reason why a choice is incomplete: `length` or `content_filter`. Returns `None` for any other finish
/// reason.
pub(crate) fn incomplete_choice(choice: &ChatChoice) -> Option<&str> {
    use ChatChoiceFinishReason as Reason;
    match choice.finish_reason.as_ref()? {
        reason @ (Reason::Length | Reason::ContentFilter) => Some(reason.as_str()),
        _ => None,
    }
}

/// Applies [the rules](self) of this module to a buffered HTTP response before its chat answer is decoded. A body that
/// is not a chat answer is returned unchanged, so that the decoder reports the mismatch.
///
/// # Errors
/// - Returns the error of the call if `reply` is an error.
/// - Returns an error that contains the answer if the answer failed or did not end.
/// - Returns [`ErrorKind::Decode`] if the body is an event stream.
pub(crate) fn check_reply(call: &Call, reply: Result<RawReply, Error>) -> Result<RawReply, Error> {
    match call.operation().answer {
        Answer::Bare(Type::Record("Response")) => check_decoded(call, reply, response_end),
        Answer::Bare(Type::Record("ChatCompletion")) => {
            check_decoded(call, reply, |answer| completion_end(answer, true))
        }
        _ => reply,
    }
}

fn check_decoded<A>(
    call: &Call,
    reply: Result<RawReply, Error>,
    end: impl Fn(&A) -> End,
) -> Result<RawReply, Error>
where
    A: DeserializeOwned + HasMeta + Send + Sync + 'static,
{
    let raw = match reply {
        Ok(raw) => raw,
        Err(error) => return Err(with_failed_answer::<A>(call, error)),
    };
    let Ok(answer) = from_slice::<A>(&raw.body) else {
        return if is_event_stream(&raw.body) { Err(event_stream_error(&raw)) } else { Ok(raw) };
    };

    let error = match end(&answer) {
        End::Ended => return Ok(raw),
        End::Open => Error::new(
            ErrorKind::Truncated,
            "the answer is unfinished: it has neither a final status nor a finish reason",
        ),
        End::Failed(object) => classify::from_object(object, &raw.headers, SystemTime::now()),
    };

    let error = error.with_status(raw.status).with_attempts(raw.attempts);
    let error = match raw.headers.get("x-request-id").and_then(|id| id.to_str().ok()) {
        Some(id) => error.with_request_id(id),
        None => error,
    };
    Err(with_failed_answer::<A>(call, error.with_body(raw.body)))
}

/// If an error has HTTP status 200, decodes the chat answer from its response body, and adds the answer to the error.
/// Also records the credits that the answer used. An error whose body contains no answer is returned unchanged.
fn with_failed_answer<A>(call: &Call, error: Error) -> Error
where
    A: DeserializeOwned + HasMeta + Send + Sync + 'static,
{
    let Some(body) = error.body().filter(|_| error.status() == Some(StatusCode::OK)) else {
        return error;
    };
    // Programs may print or log the answer in the error, so API keys in it are masked.
    let mut text = body.text().into_owned();
    call.handle().redact(&mut text);
    let Ok(Value::Object(mut object)) = from_slice(text.as_bytes()) else { return error };
    if object.get("error").is_some_and(Value::is_string) {
        // If the field `error` is a string, the message of the error already contains it. The typed answer accepts only
        // an object, so the string is removed.
        object.remove("error");
    }
    let Ok(answer) = A::deserialize(Value::Object(object)) else { return error };

    call.handle().settled(call.operation(), call.model().as_ref(), answer.reported().credits_used);
    error.with_operation(call.operation().id).with_source(FailedAnswer::new(answer))
}

/// Returns true if a response body starts with a field of an event stream, for example `data:`.
fn is_event_stream(body: &[u8]) -> bool {
    let start = body.strip_prefix("\u{feff}".as_bytes()).unwrap_or(body).trim_ascii_start();
    [&b"data:"[..], b"event:", b"id:", b"retry:", b":"].iter().any(|sign| start.starts_with(sign))
}

fn event_stream_error(raw: &RawReply) -> Error {
    let message = "the response is an event stream instead of one answer; call \
     `.stream()`, or check whether a proxy changed the response";
    let error = Error::new(ErrorKind::Decode, message).with_body(raw.body.clone());
    error.with_status(raw.status).with_attempts(raw.attempts)
}
