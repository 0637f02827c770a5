//! Error responses, in the error format of each endpoint.
//!
//! The input is an HTTP status, an error code and a message. The output is the HTTP response.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use crypto_intel_world as world;
use serde_json::{Value, json};

/// Error with which the sandbox rejects a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) status: StatusCode,
    pub(crate) code: &'static str,
    pub(crate) message: String,
    /// Value of the header `Retry-After` in seconds.
    pub(crate) retry_after: Option<i64>,
    /// Reason why a listed company or fund has no financial data.
    pub(crate) serving_reason: Option<&'static str>,
    /// Additional fields in the errors of SQL operations.
    pub(crate) more: Vec<(&'static str, Value)>,
}

impl Refusal {
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        Refusal { status, code, message, retry_after: None, serving_reason: None, more: Vec::new() }
    }

    /// Creates an error with status 400. Examples of causes are a malformed body, and an argument that is missing,
    /// unknown or contradictory.
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        Refusal::new(StatusCode::BAD_REQUEST, "INVALID_REQUEST", message)
    }

    /// Creates an error with status 422, for a value that has the wrong type or is out of range.
    pub(crate) fn unfit(message: impl Into<String>) -> Self {
        Refusal::new(StatusCode::UNPROCESSABLE_ENTITY, "INVALID_REQUEST", message)
    }

    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Refusal::new(StatusCode::NOT_FOUND, "NOT_FOUND", message)
    }

    pub(crate) fn into_response(self, form: Form) -> Response {
        let Refusal { status, code, message, retry_after, serving_reason, more } = self;

        // According to the API documentation, missing credits have the code `FORBIDDEN`. For chat endpoints, a used-up
        // free allowance has this code too.
        let code = match (form, status) {
            (Form::Completions | Form::Responses, StatusCode::PAYMENT_REQUIRED) => "FORBIDDEN",
            _ => code,
        };

        let body = match form {
            Form::Data | Form::Responses => {
                let mut error = json!({"code": code, "message": message});
                if let Some(reason) = serving_reason {
                    error["financial_serving_reason"] = reason.into();
                }
                for (name, value) in more {
                    error[name] = value;
                }
                json!({"error": error})
            }
            Form::Completions => {
                json!({"success": false, "message": message, "error_code": code})
            }
        };

        let status = match (form, status) {
            // Chat completions have no status 422.
            (Form::Completions, StatusCode::UNPROCESSABLE_ENTITY) => StatusCode::BAD_REQUEST,
            _ => status,
        };

        let mut response = (status, [(header::CONTENT_TYPE, "application/json")], body.to_string())
            .into_response();
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<world::Refusal> for Refusal {
    fn from(refusal: world::Refusal) -> Self {
        let world::Refusal { kind, message, serving_reason } = refusal;
        let refusal = match kind {
            world::Kind::Invalid => Refusal::invalid(message),
            world::Kind::Unfit => Refusal::unfit(message),
            world::Kind::NotFound => Refusal::not_found(message),
            world::Kind::Unavailable => {
                Refusal::new(StatusCode::BAD_GATEWAY, "UPSTREAM_UNAVAILABLE", message)
            }
        };
        Refusal { serving_reason, ..refusal }
    }
}

/// Format of the errors of an endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Format of the data endpoints: `{"error": {"code", "message"}}`.
    Data,
    /// Format of errors of the `responses` endpoint. The JSON has the same fields as in [`Data`](Self::Data), but each
    /// error with status 402 has the code `FORBIDDEN`.
    Responses,
    /// Format of errors of the chat completions endpoint: `{"success", "message", "error_code"}`.
    Completions,
}

/// Creates the response to a request for an unknown path. The body of the response is plain text, not JSON.
pub(crate) fn unknown_path() -> Response {
    (
        StatusCode::NOT_FOUND,
        [(header::CONTENT_TYPE, "text/plain; charset=utf-8")],
        "404 page not found\n",
    )
        .into_response()
}

/// Creates the response to a request with a wrong method for a known path. `allowed` lists the allowed methods.
pub(crate) fn wrong_method(allowed: &str) -> Response {
    let refusal = Refusal::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "METHOD_NOT_ALLOWED",
        format!("the path accepts only {allowed}"),
    );
    let mut response = refusal.into_response(Form::Data);
    if let Ok(allow) = HeaderValue::from_str(allowed) {
        response.headers_mut().insert(header::ALLOW, allow);
    }
    response
}
