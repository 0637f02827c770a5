//! Why a query comes to nothing.

use axum::http::StatusCode;
use serde_json::json;

use crate::refusal::Refusal;

/// Why a query is refused or was ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Problem {
    /// The text is not one this engine runs; what is wrong with it.
    Text(String),
    /// It asks for more than a query may read or hold.
    TooMuch(String),
    /// It ran past its time; how long that was, in seconds.
    TooLong(u64),
    /// Whoever wanted it wants it no longer, or the sandbox stops.
    Stopped,
    /// The engine's own fault.
    Internal(String),
}

impl Problem {
    pub(crate) fn text(message: impl Into<String>) -> Self {
        Problem::Text(message.into())
    }

    /// The code of an error answer, and of a job that failed.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Problem::Text(_) => "INVALID_REQUEST",
            Problem::TooMuch(_) => "SQL_LIMIT_EXCEEDED",
            Problem::TooLong(_) => "SQL_TIMEOUT",
            Problem::Stopped => "CANCELED",
            Problem::Internal(_) => "INTERNAL_ERROR",
        }
    }

    /// Whether the query itself weighs too much, which counts towards the circuit breaker.
    pub(crate) fn is_overload(&self) -> bool {
        matches!(self, Problem::TooMuch(_) | Problem::TooLong(_))
    }
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Problem::Text(message) | Problem::TooMuch(message) | Problem::Internal(message) => {
                f.write_str(message)
            }
            Problem::TooLong(seconds) => write!(f, "the query ran for more than {seconds} s"),
            Problem::Stopped => f.write_str("the query was stopped"),
        }
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
        let mut refusal = Refusal::new(status, problem.code(), message);
        if let Some(action) = action {
            refusal.more.push(("recommended_action", json!(action)));
        }
        refusal
    }
}
