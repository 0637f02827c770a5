//! Requests chat answers that decode into a Rust type.
//!
//! The request contains the JSON Schema of the type. The text of the answer is then decoded into this type.

use std::future::Future;

use crypto_intel_api::generated::chat::{ChatCompletionsRequest, ResponsesRequest};
use crypto_intel_core::{Call, Error, Reply, Request, Value};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Map;

use super::answer::{ChatCompletionExt, ResponseExt};
use super::request::system;

/// Returns the JSON Schema of a Rust type, without the field `$schema`.
pub(crate) fn schema<T: JsonSchema>() -> Map<String, serde_json::Value> {
    let mut schema = schemars::schema_for!(T);
    schema.remove("$schema");
    match schema.to_value() {
        serde_json::Value::Object(schema) => schema,
        // The schema `true` accepts any value. The empty object is an equivalent schema.
        _ => Map::new(),
    }
}

/// Extension trait that adds the method `structured` to chat requests.
pub trait StructuredExt: Request {
    /// Sends the request with the JSON Schema of `T` in the instructions for the model, and decodes the answer. The
    /// service does not enforce the schema, so decoding can fail after the question has used credits. In this error,
    /// [`Error::body`] contains the text of the answer.
    ///
    /// ```no_run
    /// use crypto_intel::{Client, prelude::*};
    ///
    /// #[derive(serde::Deserialize, schemars::JsonSchema)]
    /// struct Verdict {
    ///     bullish: bool,
    ///     reason: String,
    /// }
    ///
    /// # async fn run() -> Result<(), crypto_intel::Error> {
    /// # let client = Client::from_env()?;
    /// let request = client.responses("svc-2.0-instant", "Is ETH in an uptrend?");
    /// let verdict = request.structured::<Verdict>().await?;
    /// println!("{}: {}", verdict.bullish, verdict.reason);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// - Errors of the request.
    /// - [`ErrorKind::Decode`](crate::ErrorKind::Decode) if the answer contains no JSON, or if its JSON does not match
    ///   the type. The error contains the position of the mismatch.
    fn structured<T>(self) -> impl Future<Output = Result<Reply<T>, Error>> + Send
    where
        T: DeserializeOwned + JsonSchema + Send;
}

fn guidance<T: JsonSchema>() -> String {
    let schema = serde_json::Value::Object(schema::<T>());
    format!(
        "Answer with one JSON value that fits this JSON Schema, and with nothing else: {schema}"
    )
}

/// Sets a request parameter by its name in the OpenAPI document. Does nothing if the operation has no such parameter.
pub(crate) fn set_by_name(call: &mut Call, name: &str, value: Value) {
    if let Some((index, _)) = call.operation().param(name) {
        call.set(index, value);
    }
}

/// Sends the request and decodes a value from the text of its answer. Errors can quote the answer, so API keys in
/// errors are masked.
async fn send<R: Request, T>(
    call: Call,
    parse: impl FnOnce(&R::Answer) -> Result<T, Error>,
    incomplete: impl FnOnce(&R::Answer) -> Option<&str>,
) -> Result<Reply<T>, Error> {
    let (handle, operation) = (call.handle().clone(), call.operation());
    let reply = call.send::<R::Answer>().await?;
    let value = parse(&reply).map_err(|error| {
        let error = match incomplete(&reply) {
            Some(reason) => add_incomplete_reason(&error, reason),
            None => error,
        };
        let http = reply.http();
        let error = error.with_status(http.status).with_attempts(http.attempts);
        let error = match http.request_id() {
            Some(id) => error.with_request_id(id),
            None => error,
        };
        handle.masked(error.with_operation(operation.id))
    })?;
    Ok(reply.map(|_| value))
}

/// Adds the reason why the answer is incomplete to the message of a decoding error.
fn add_incomplete_reason(error: &Error, reason: &str) -> Error {
    let message = format!("{}; the answer is incomplete: {reason}", error.message());
    let text = error.body().map(|body| body.text().into_owned()).unwrap_or_default();
    Error::new(error.kind(), message).with_body(text)
}

impl StructuredExt for ResponsesRequest {
    fn structured<T>(self) -> impl Future<Output = Result<Reply<T>, Error>> + Send
    where
        T: DeserializeOwned + JsonSchema + Send,
    {
        let mut call = self.into_call();
        let guidance = match call.get("instructions") {
            Some(Value::Text(before)) => format!("{before}\n\n{}", guidance::<T>()),
            _ => guidance::<T>(),
        };
        set_by_name(&mut call, "instructions", Value::Text(guidance));
        send::<Self, T>(call, |answer| answer.parse(), |answer| answer.incomplete_reason())
    }
}

impl StructuredExt for ChatCompletionsRequest {
    fn structured<T>(self) -> impl Future<Output = Result<Reply<T>, Error>> + Send
    where
        T: DeserializeOwned + JsonSchema + Send,
    {
        let mut call = self.into_call();
        let mut messages = vec![serde_json::to_value(system(guidance::<T>())).unwrap_or_default()];
        if let Some(Value::Json(serde_json::Value::Array(before))) = call.get("messages") {
            messages.extend(before.iter().cloned());
        }
        set_by_name(&mut call, "messages", Value::Json(messages.into()));
        send::<Self, T>(call, |answer| answer.parse(), |answer| answer.incomplete_reason())
    }
}
