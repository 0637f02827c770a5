//! Converts errors of the SQL engine to error responses of the service.

use axum::http::StatusCode;
use crypto_intel_sql::Problem;
use serde_json::json;

use crate::refusal::Refusal;

/// Returns the error code for an error of the SQL engine. Error responses and failed jobs contain this code.
pub(super) fn code(problem: &Problem) -> &'static str {
    match problem {
        Problem::Text(_) => "INVALID_REQUEST",
        Problem::TooMuch(_) => "SQL_LIMIT_EXCEEDED",
        Problem::TooLong(_) => "SQL_TIMEOUT",
        Problem::Stopped => "CANCELED",
        Problem::Internal(_) => "INTERNAL_ERROR",
    }
}

impl From<Problem> for Refusal {
    fn from(problem: Problem) -> Self {
        let message = problem.to_string();
        let (status, message, action) = match &problem {
            Problem::Text(_) => {
                (StatusCode::UNPROCESSABLE_ENTITY, format!("`sql`: {message}"), None)
            }
            Problem::TooMuch(_) => {
                let action = Some("narrow_query");
                (StatusCode::UNPROCESSABLE_ENTITY, format!("`sql`: {message}"), action)
            }
            Problem::TooLong(_) => (StatusCode::REQUEST_TIMEOUT, message, Some("use_async_job")),
            Problem::Stopped => (StatusCode::SERVICE_UNAVAILABLE, message, None),
            Problem::Internal(_) => (StatusCode::INTERNAL_SERVER_ERROR, message, None),
        };
        let mut refusal = Refusal::new(status, code(&problem), message);
        if let Some(action) = action {
            refusal.more.push(("recommended_action", json!(action)));
        }
        refusal
    }
}
