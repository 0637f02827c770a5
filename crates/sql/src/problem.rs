//! Why a query comes to nothing.

use std::time::Duration;

/// Why a query is refused or was ended.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The text is not one this engine runs; what is wrong with it.
    #[error("{0}")]
    Text(String),
    /// It asks for more than a query may read or hold.
    #[error("{0}")]
    TooMuch(String),
    /// It ran past its time; how long that was.
    #[error("the query ran for more than {} s", .0.as_secs())]
    TooLong(Duration),
    /// Whoever wanted it wants it no longer.
    #[error("the query was stopped")]
    Stopped,
    /// The engine's own fault.
    #[error("{0}")]
    Internal(String),
}

impl Problem {
    /// A query that is not run for what it says.
    pub fn text(message: impl Into<String>) -> Self {
        Problem::Text(message.into())
    }

    /// Whether the query itself weighs too much.
    #[must_use]
    pub fn is_overload(&self) -> bool {
        matches!(self, Problem::TooMuch(_) | Problem::TooLong(_))
    }
}

/// What most of the engine answers.
pub(crate) type Result<T, E = Problem> = std::result::Result<T, E>;
