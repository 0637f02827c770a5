//! The errors of the engine.

use std::time::Duration;

/// The reason for which a query was rejected or ended early.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The query is invalid or not supported. The message describes the fault.
    #[error("{0}")]
    Text(String),
    /// The query exceeds its limit of rows or bytes.
    #[error("{0}")]
    TooMuch(String),
    /// The query exceeded its time limit. The value is the limit.
    #[error("the query ran for more than {} s", .0.as_secs())]
    TooLong(Duration),
    /// The caller stopped the query with [`Control::stop`](crate::Control::stop).
    #[error("the query was stopped")]
    Stopped,
    /// A defect of the engine.
    #[error("{0}")]
    Internal(String),
}

impl Problem {
    /// Creates a [`Problem::Text`].
    pub fn text(message: impl Into<String>) -> Self {
        Problem::Text(message.into())
    }

    /// Returns true if the query exceeded a limit of rows, bytes or time.
    #[must_use]
    pub fn is_overload(&self) -> bool {
        matches!(self, Problem::TooMuch(_) | Problem::TooLong(_))
    }
}

/// The result of most functions of the engine.
pub(crate) type Result<T, E = Problem> = std::result::Result<T, E>;
