//! Analyses a request: parses its body, finds its operation, and creates its log entry.

use axum::http::{header, request};
use crypto_intel_core::{Body, Operation, UnixSeconds};
use serde_json::Value;

use crate::chat;
use crate::fault::Fault;
use crate::log::{Arrived, BODY_KEPT};
use crate::refusal::{Form, Refusal};
use crate::route;

/// Result of parsing the JSON body of a request.
pub(crate) type Parsed = Result<Value, serde_json::Error>;

/// Parses a body as JSON. Returns `None` if the body is empty, or if no operation in
/// `candidates` has a request body.
pub(crate) fn parsed(candidates: &[&'static Operation], body: &[u8]) -> Option<Parsed> {
    let takes_one = candidates.iter().any(|operation| operation.body != Body::None);
    (takes_one && !body.is_empty()).then(|| serde_json::from_slice(body))
}

/// Finds the operation of a request. `candidates` are the operations with the path and method of the request. If there
/// are several candidates, the fields of the request body select one of them.
pub(crate) fn find_operation(
    candidates: &[&'static Operation],
    document: Option<&Parsed>,
) -> Option<&'static Operation> {
    match candidates {
        [] => None,
        [only] => Some(only),
        several => route::choose(several, document.and_then(|document| document.as_ref().ok())),
    }
}

/// Creates the log entry of a request. The caller adds the time and the fields that depend on the response.
pub(crate) fn arrived(
    head: &request::Parts,
    body: &[u8],
    operation: Option<&'static Operation>,
    fault: Option<&Fault>,
) -> Arrived {
    let kept = &body[..body.len().min(BODY_KEPT)];

    Arrived {
        at: UnixSeconds(0),
        credits: None,
        ignored: Vec::new(),
        warning: None,
        overridden: false,
        method: head.method.clone(),
        path: head.uri.path().to_owned(),
        query: head.uri.query().unwrap_or_default().to_owned(),
        body: String::from_utf8_lossy(kept).into_owned(),
        authorized: head.headers.contains_key(header::AUTHORIZATION),
        user_agent: head
            .headers
            .get(header::USER_AGENT)
            .and_then(|value| value.to_str().ok())
            .map(str::to_owned),
        operation: operation.map(|operation| operation.id),
        status: None,
        fault: fault.map(ToString::to_string),
    }
}

/// Returns the error format of an operation. There is one format for chat completions, one for the `responses` endpoint
/// and one for all other operations.
pub(crate) fn form_of(operation: &Operation) -> Form {
    if operation.param("messages").is_some() {
        Form::Completions
    } else if chat::is_chat(operation) {
        Form::Responses
    } else {
        Form::Data
    }
}

pub(crate) fn read_document(
    candidates: &[&'static Operation],
    head: &request::Parts,
    document: Option<Parsed>,
) -> Result<Option<Value>, Refusal> {
    if candidates.iter().all(|op| op.body == Body::None) {
        return Ok(None);
    }
    let content_type = head.headers.get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok());
    if content_type.is_some_and(|value| !value.starts_with("application/json")) {
        return Err(Refusal::invalid("the body must be `application/json`"));
    }

    match document {
        None if candidates.iter().any(|op| op.body == Body::Optional) => Ok(None),
        None => Err(Refusal::invalid("the body is empty, but must be a JSON object")),
        Some(Ok(value @ Value::Object(_))) => Ok(Some(value)),
        Some(Ok(_)) => Err(Refusal::invalid("the body must be a JSON object")),
        Some(Err(error)) => Err(Refusal::invalid(format!("the body is not JSON: {error}"))),
    }
}
