//! Error type of the engine.

use std::time::Duration;

/// Reason why a query was rejected or stopped early.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The query is invalid or not supported, or a function does not accept a value. The message explains the reason.
    #[error("{0}")]
    Text(String),
    /// The query exceeded a limit other than the time limit, for example the limit of rows or bytes.
    #[error("{0}")]
    TooMuch(String),
    /// The query exceeded this time limit.
    #[error("the query ran for more than {} s", .0.as_secs())]
    TooLong(Duration),
    /// The caller stopped the query with [`Control::stop`](crate::Control::stop).
    #[error("the query was stopped")]
    Stopped,
    /// The engine has a defect. The message describes it.
    #[error("{0}")]
    Internal(String),
}

impl Problem {
    /// Creates a [`Problem::Text`] with this message.
    pub fn text(message: impl Into<String>) -> Self {
        Problem::Text(message.into())
    }

    /// Returns true if the query exceeded a limit, for example of rows, bytes or time.
    #[must_use]
    pub fn is_overload(&self) -> bool {
        matches!(self, Problem::TooMuch(_) | Problem::TooLong(_))
    }
}

/// Result type of the engine, with [`Problem`] as the default error.
pub(crate) type Result<T, E = Problem> = std::result::Result<T, E>;
