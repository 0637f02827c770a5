//! Applies a [`Fault`] to responses. Some faults make a response invalid. Other faults add fields and enum values, as a
//! later release of the service might do.

use std::convert::Infallible;
use std::io;

use axum::body::{Body, to_bytes};
use axum::http::{HeaderValue, Response as HttpResponse, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use crypto_intel_api::generated::tables;
use crypto_intel_core::{Answer, Operation, Type};
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};

use crate::fault::{Action, Fault};
use crate::refusal::{Form, Refusal};
use crate::sql::{self, Rejection};
use crate::stop::Stop;
use crypto_intel_world::random::Seed;

mod events;
mod newer;

use newer::{NEW_MEMBER, NEW_VALUE};

/// Returns the response that a fault sends in place of the operation's response, such as an error status. `None` if the
/// operation still creates the response.
pub(crate) fn replacement(fault: &Fault, form: Form, seed: Seed) -> Option<Response> {
    match fault.action {
        Action::Status(status) => {
            let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            let code = match status.as_u16() {
                401 => "UNAUTHORIZED",
                402 | 403 => "FORBIDDEN",
                404 => "NOT_FOUND",
                429 => "RATE_LIMITED",
                400..=499 => "INVALID_REQUEST",
                _ => "INTERNAL_ERROR",
            };

            let mut refusal = Refusal::new(status, code, "an injected fault caused this failure");
            refusal.retry_after = fault.retry_after;
            Some(refusal.into_response(form))
        }
        Action::Html => Some(
            (
                StatusCode::BAD_GATEWAY,
                [(header::CONTENT_TYPE, "text/html")],
                "<html><body><h1>502 Bad Gateway</h1></body></html>",
            )
                .into_response(),
        ),
        Action::QueueFull => Some(rejection(Rejection::QueueFull, fault, seed, form)),
        Action::CircuitOpen => Some(rejection(Rejection::CircuitOpen, fault, seed, form)),
        _ => None,
    }
}

fn rejection(rejection: Rejection, fault: &Fault, seed: Seed, form: Form) -> Response {
    let wait = fault.retry_after.unwrap_or(3).saturating_mul(1_000);
    sql::rejected(rejection, "an injected fault caused this rejection", wait, seed)
        .into_response(form)
}

/// Applies `fault` to the response of an operation.
pub(crate) async fn distorted(
    fault: &Fault,
    operation: Option<&'static Operation>,
    response: Response,
    stop: Stop,
) -> Response {
    if is_over_before_the_body(&fault.action) {
        return response;
    }

    let (mut head, body) = response.into_parts();
    // Most bodies are in memory already. A stream with delays is first received completely.
    let Ok(bytes) = to_bytes(body, usize::MAX).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    head.headers.remove(header::CONTENT_LENGTH);

    let body = match &fault.action {
        Action::CutBytes(n) => broken(bytes.slice(..(*n).min(bytes.len()))),
        Action::CutEvents(n) => broken(bytes.slice(..end_of_event(&bytes, *n))),
        Action::StallAfter(n) => stalled(bytes.slice(..(*n).min(bytes.len())), stop),
        Action::Split => {
            let chunks: Vec<_> =
                (0..bytes.len()).map(|n| Ok::<_, Infallible>(bytes.slice(n..=n))).collect();
            Body::from_stream(stream::iter(chunks))
        }
        Action::ContentType(text) => {
            if let Ok(value) = HeaderValue::from_str(text) {
                head.headers.insert(header::CONTENT_TYPE, value);
            }
            Body::from(bytes)
        }
        action => Body::from(changed(action, operation, head.status.is_success(), bytes)),
    };

    HttpResponse::from_parts(head, body)
}

fn is_stream(operation: Option<&'static Operation>) -> bool {
    operation.is_some_and(|operation| operation.answer == Answer::Stream)
}

/// Returns true if a fault took effect before [`distorted`] was called. Examples are a delay, and an error response in
/// place of the operation's response.
fn is_over_before_the_body(action: &Action) -> bool {
    matches!(
        action,
        Action::Status(_)
            | Action::Latency(_)
            | Action::Jitter(_)
            | Action::Stall
            | Action::Html
            | Action::QueueFull
            | Action::CircuitOpen
            | Action::Clock(_)
    )
}

/// Creates a response body that sends `bytes`, and then breaks the connection.
fn broken(bytes: Bytes) -> Body {
    let cut =
        io::Error::new(io::ErrorKind::ConnectionReset, "an injected fault broke the connection");
    Body::from_stream(stream::iter([Ok(bytes), Err(cut)]).then(async |part| {
        // Bytes must be sent before the connection breaks.
        if part.is_err() {
            tokio::task::yield_now().await;
        }
        part
    }))
}

/// Creates a response body that sends `bytes`, then sends nothing until the sandbox stops, and then breaks the
/// connection.
fn stalled(bytes: Bytes, stop: Stop) -> Body {
    let silence = stream::once(async move {
        stop.wait().await;
        Err(io::Error::new(io::ErrorKind::ConnectionReset, "the sandbox stopped"))
    });
    Body::from_stream(stream::iter([Ok(bytes)]).chain(silence))
}

/// Returns the byte position after the first `n` events of an event stream.
fn end_of_event(bytes: &[u8], n: usize) -> usize {
    let ends = bytes.windows(2).enumerate().filter(|(_, pair)| pair == b"\n\n");
    match n.checked_sub(1) {
        None => 0,
        Some(before) => ends.map(|(at, _)| at + 2).nth(before).unwrap_or(bytes.len()),
    }
}

/// Applies a fault that changes the content of a response body. Other faults do not change the body.
fn changed(
    action: &Action,
    operation: Option<&'static Operation>,
    is_success: bool,
    bytes: Bytes,
) -> Bytes {
    let is_newer = matches!(
        action,
        Action::UnknownMembers | Action::UnknownValues | Action::NullLists | Action::NextRelease
    );
    if !is_newer && *action != Action::Malformed {
        return bytes;
    }

    match (is_newer, is_success) {
        (true, false) => newer::refused(action, bytes),
        (_, true) if is_stream(operation) => events::changed(action, &bytes),
        (true, true) => unfamiliar(action, operation, bytes),
        (false, _) => bytes.slice(..bytes.len().saturating_sub(2)),
    }
}

fn unfamiliar(action: &Action, operation: Option<&'static Operation>, bytes: Bytes) -> Bytes {
    let (Some(operation), Ok(mut value)) = (operation, serde_json::from_slice::<Value>(&bytes))
    else {
        return bytes;
    };
    match &operation.answer {
        Answer::Rows { row, .. } => change(action, Type::List(row), &mut value["data"]),
        Answer::One { data, .. } => change(action, *data, &mut value["data"]),
        Answer::Bare(ty) => change(action, *ty, &mut value),
        Answer::Stream | Answer::Bytes | Answer::Empty => {}
    }
    if let (Action::UnknownMembers | Action::NextRelease, Some(members)) =
        (action, value.as_object_mut())
    {
        members.insert(NEW_MEMBER.to_owned(), json!({"since": "tomorrow"}));
    }
    Bytes::from(value.to_string())
}

fn change(action: &Action, ty: Type, value: &mut Value) {
    match (ty, &mut *value) {
        (Type::List(item), Value::Array(items)) => {
            if *action == Action::NullLists {
                *value = Value::Null;
                return;
            }

            for (place, part) in items.iter_mut().enumerate() {
                if *action == Action::NextRelease && place % 2 == 1 {
                    change(&Action::UnknownValues, *item, part);
                }
                change(action, *item, part);
            }
        }
        (Type::Map(item), Value::Object(members)) => {
            members.values_mut().for_each(|part| change(action, *item, part));
        }
        (Type::Record(name), Value::Object(members)) => {
            for field in tables::record(name).into_iter().flat_map(|record| record.fields) {
                if let Some(part) = members.get_mut(field.name) {
                    change(action, field.ty, part);
                }
            }

            if matches!(action, Action::UnknownMembers | Action::NextRelease) {
                members.insert(NEW_MEMBER.to_owned(), json!([1, null]));
            }
        }
        (Type::Enum(_), Value::String(text)) if *action == Action::UnknownValues => {
            NEW_VALUE.clone_into(text);
        }
        _ => {}
    }
}
