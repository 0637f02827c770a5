//! Decodes a successful response into the Rust type of its operation.

use std::sync::Arc;

use serde::de::DeserializeOwned;

use crate::error::Error;
use crate::error_kind::ErrorKind;
use crate::json;
use crate::operation::{Answer, Operation, Price};
use crate::raw_reply::RawReply;
use crate::redact::Redact;
use crate::reply::{Exchange, HttpInfo, Reply};
use crate::reported::{HasMeta, Reported};

/// Decodes a successful response.
///
/// # Errors
/// Returns [`ErrorKind::Decode`](crate::ErrorKind::Decode) if the body does not have the type `T`. The message contains
/// the path of the wrong value, unless the body is empty or an HTML page. The error contains the whole body, because
/// the caller paid for the response.
pub(crate) fn decode<T: DeserializeOwned + HasMeta>(
    operation: &'static Operation,
    price: Price,
    keep_body: bool,
    secrets: Arc<dyn Redact>,
    raw: RawReply,
) -> Result<Reply<T>, Error> {
    let body: &[u8] = if operation.answer == Answer::Empty { b"null" } else { &raw.body };
    let glimpsed = T::glimpse(json::without_byte_order_mark(body)).map(Ok);
    let value: T = match glimpsed.unwrap_or_else(|| json::read(body)) {
        Ok(value) => value,
        Err((error, path)) => return Err(decode_error(&error, &path, operation, raw)),
    };

    let reported = value.reported();
    let exchange = exchange(operation, price, reported, keep_body, secrets, raw);
    Ok(Reply { value, exchange })
}

/// Collects the data of the HTTP exchange for a decoded response: status, headers, list price and credits used.
fn exchange(
    operation: &'static Operation,
    price: Price,
    mut reported: Reported,
    keep_body: bool,
    secrets: Arc<dyn Redact>,
    raw: RawReply,
) -> Exchange {
    if raw.reused {
        reported.credits_used = Some(0);
    }
    let RawReply { status, headers, body, attempts, elapsed, reused } = raw;
    let http = HttpInfo { status, headers, attempts, elapsed, reused };
    let body = keep_body.then_some(body);
    Exchange { secrets, http, operation, reported, price, body }
}

/// Creates the error for a response body that cannot be decoded. The error contains the body.
#[cold]
fn decode_error(
    error: &serde_json::Error,
    path: &str,
    operation: &'static Operation,
    raw: RawReply,
) -> Error {
    let message = match foreign_body_message(&raw) {
        Some(explanation) => explanation.to_owned(),
        None if path.is_empty() => format!("the answer: {error}"),
        None => format!("`{path}`: {error}"),
    };
    Error::new(ErrorKind::Decode, message)
        .with_operation(operation.id)
        .with_status(raw.status)
        .with_attempts(raw.attempts)
        .with_body(raw.body)
}

/// Returns the error message for a response body that certainly does not come from the service: an empty body or an
/// HTML page. Returns `None` for any other body.
fn foreign_body_message(raw: &RawReply) -> Option<&'static str> {
    let body = json::without_byte_order_mark(&raw.body).trim_ascii_start();
    let kind = raw.headers.get(http::header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    if body.is_empty() {
        Some("the response has no body; did a proxy answer instead of the service?")
    } else if body.starts_with(b"<") || kind.is_some_and(|kind| kind.contains("html")) {
        Some("the response is an HTML page instead of JSON; did a proxy answer?")
    } else {
        None
    }
}
