//! Errors for SQL jobs that are rejected because the queue is full or the circuit breaker is open.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::refusal::Refusal;
use crypto_intel_world::random::Seed;

/// Reason why a SQL job is rejected before it enters the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rejection {
    QueueFull,
    CircuitOpen,
}

/// Creates the error response to a request whose SQL job is rejected. `retry_after` is in milliseconds.
pub(crate) fn rejected(
    rejection: Rejection,
    message: &str,
    retry_after: i64,
    request: Seed,
) -> Refusal {
    let (code, action) = match rejection {
        Rejection::QueueFull => ("ASYNC_SQL_QUEUE_FULL", "wait_and_retry"),
        Rejection::CircuitOpen => ("ASYNC_SQL_CIRCUIT_OPEN", "narrow_query"),
    };
    let mut refusal = Refusal::new(StatusCode::TOO_MANY_REQUESTS, code, message);
    refusal.more = vec![
        ("request_id", request.uuid().into()),
        ("job_id", Value::Null),
        ("query_id", Value::Null),
        ("status", "rejected".into()),
        ("retryable", true.into()),
        ("retry_after_ms", json!(retry_after.max(1))),
        ("recommended_action", action.into()),
    ];

    refusal
}
