//! Opens a chat stream, and handles HTTP responses that are not an event stream.
//!
//! The input is a call. The output is an [`AnswerStream`], which returns the events of an event stream. If the service
//! sent the complete answer as one JSON object, the [`AnswerStream`] returns this answer. A body of another format, for
//! example HTML, becomes an error.

use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use crypto_intel_core::{Call, Error, ErrorKind, RawStream};
use futures_util::{StreamExt, stream};
use http::{HeaderMap, header};
use tokio::time::{Sleep, sleep_until, timeout_at};

use super::protocol::StreamProtocol;
use super::stream::{AnswerStream, Head, RawBody};
use crate::moment::instant_after;
use crate::sse::Decoder;

/// Format of a response body with a success status (2xx).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Events,
    Json,
    Html,
    /// The response headers do not contain a known content type. The first bytes of the body then determine the format.
    Unknown,
}

pub(crate) async fn open<P: StreamProtocol>(call: Call) -> Result<AnswerStream<P>, Error> {
    let Some(limit) = call.options().total_timeout else { return start_stream(call, None).await };
    let operation = call.operation().id;
    let end = instant_after(limit);
    let total = (limit, Box::pin(sleep_until(end)));
    timeout_at(end, start_stream(call, Some(total))).await.unwrap_or_else(|_| {
        let message = format!("the stream did not end within its total timeout of {limit:?}");
        let error = Error::new(ErrorKind::Timeout, message).with_retryable(false);
        Err(error.with_operation(operation))
    })
}

async fn start_stream<P: StreamProtocol>(
    call: Call,
    total: Option<(Duration, Pin<Box<Sleep>>)>,
) -> Result<AnswerStream<P>, Error> {
    let (handle, operation, model) = (call.handle().clone(), call.operation(), call.model());
    let RawStream { status, headers, mut body, attempts } = call.open().await?;
    let head = Head { handle, operation, model, status, headers, attempts, total };

    let mut first = None;
    let mut form = form_from_headers(&head.headers);
    if form == Form::Unknown {
        first = body.next().await.transpose().map_err(|error| head.add_details(error))?;
        form = form_from_body(first.as_deref().unwrap_or_default());
        if first.is_none() {
            // The body has ended and must not be polled again, so an empty body replaces it.
            body = Box::pin(stream::empty());
        }
    }

    match form {
        Form::Json | Form::Html => {
            let (bytes, ended) = read_all(&mut body, first, head.handle.max_body()).await;
            ended.map_err(|error| head.add_details(error))?;
            match json_body(&bytes, form) {
                Ok(text) => {
                    let body = Box::pin(stream::empty());
                    Ok(AnswerStream::new(head, body, Decoder::default(), Some(text)))
                }
                Err(message) => {
                    let error = Error::new(ErrorKind::Decode, message);
                    Err(head.add_details(error.with_body(bytes)))
                }
            }
        }
        Form::Events | Form::Unknown => {
            let mut stream = AnswerStream::new(head, body, Decoder::default(), None);
            stream.push(first.as_deref().unwrap_or_default());
            Ok(stream)
        }
    }
}

/// Returns a response body as JSON text if it contains a JSON object or array instead of an event stream. Detects the
/// format from the body, because the content type may be wrong. For any other body, returns an error message with the
/// format of the body, for example an HTML page.
fn json_body(bytes: &[u8], declared: Form) -> Result<String, &'static str> {
    let form = form_from_body(bytes);
    if is_blank(bytes) {
        return Err("the response has no body; did a proxy answer instead of the service?");
    }
    if form == Form::Html || declared == Form::Html && form != Form::Json {
        return Err("the response is an HTML page instead of a stream; did a proxy answer \
         instead of the service?");
    }

    let text = std::str::from_utf8(bytes).unwrap_or_default().trim_start_matches(MARK);
    let is_json = serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    if form == Form::Json && is_json {
        Ok(text.to_owned())
    } else {
        Err("the response is neither a stream nor a JSON object; did a proxy answer?")
    }
}

/// Returns an error message about the format of a response body that contained no event, for example an HTML page.
/// Returns `None` if the body is an event stream that was cut off, or valid JSON.
pub(super) fn format_error(start: &[u8], head: &HeaderMap) -> Option<&'static str> {
    let is_stream = match form_from_body(start) {
        Form::Json | Form::Html => false,
        Form::Events | Form::Unknown => !is_blank(start) || form_from_headers(head) == Form::Events,
    };
    if is_stream { None } else { json_body(start, Form::Unknown).err() }
}

fn is_blank(bytes: &[u8]) -> bool {
    bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).trim_ascii().is_empty()
}

/// The Unicode byte order mark, which may precede the first character of a body.
const MARK: char = '\u{feff}';

fn form_from_headers(headers: &HeaderMap) -> Form {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    let kind = kind.unwrap_or_default().split(';').next().unwrap_or_default();
    match kind.trim().to_ascii_lowercase().as_str() {
        "text/event-stream" => Form::Events,
        "application/json" => Form::Json,
        "text/html" => Form::Html,
        other if other.ends_with("+json") => Form::Json,
        _ => Form::Unknown,
    }
}

/// Detects the format of a body from its first character that is not whitespace: `{` or `[` means JSON, and `<` means
/// HTML. No field of an event stream begins with one of these characters. Any other body counts as an event stream.
fn form_from_body(first: &[u8]) -> Form {
    let first = first.strip_prefix("\u{feff}".as_bytes()).unwrap_or(first);
    match first.trim_ascii_start().first() {
        Some(b'{' | b'[') => Form::Json,
        Some(b'<') => Form::Html,
        _ => Form::Events,
    }
}

/// Reads a body up to its end or its first error. Returns the bytes, and the error if there was one. A body of more
/// than `limit` bytes is an error.
async fn read_all(
    body: &mut RawBody,
    first: Option<Bytes>,
    limit: usize,
) -> (Vec<u8>, Result<(), Error>) {
    let mut bytes = first.map(Vec::from).unwrap_or_default();
    loop {
        if bytes.len() > limit {
            let message = format!("the response exceeds the body limit of {limit} bytes");
            return (bytes, Err(Error::new(ErrorKind::Decode, message)));
        }
        match body.next().await {
            Some(Ok(piece)) => bytes.extend_from_slice(&piece),
            Some(Err(error)) => return (bytes, Err(error)),
            None => return (bytes, Ok(())),
        }
    }
}
