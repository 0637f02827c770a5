//! The kinds of errors.

/// Kind of an error, for programs that branch on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The key is missing, not valid, or not allowed to do this (401, 403, 407).
    Authentication,
    /// The account's credits, or the free allowance of this address, are used up (402, or the
    /// code `FORBIDDEN`); [`Error::code`](crate::Error::code) distinguishes the two.
    InsufficientCredits,
    /// Too many requests (429).
    RateLimited,
    /// The entity or the path does not exist (404, 410), or a figure that is required has no
    /// value.
    NotFound,
    /// The request is at fault: refused before sending, or by the service (400, 422, and every
    /// other 4xx that no other kind stands for).
    InvalidRequest,
    /// An asynchronous query was not accepted; no job exists.
    SqlRejected,
    /// A query that ran as a job ended without rows: it failed or was canceled.
    SqlFailed,
    /// A budget forbids the call; nothing was sent.
    OverBudget,
    /// A limit on time fired: one of the client, which [`Error`](crate::Error)'s message names, or the service's
    /// own (408).
    Timeout,
    /// The answer is not what the description promises; the message holds the path. Also an
    /// answer that cannot be unpacked, or is larger than the client takes.
    Decode,
    /// A stream ended before its end.
    Truncated,
    /// The service failed (5xx), answered with a status this release does not know, or gave a
    /// cursor that leads in a circle.
    Service,
    /// No answer: the connection failed before one arrived.
    Transport,
}

impl ErrorKind {
    pub(crate) fn words(self) -> &'static str {
        match self {
            ErrorKind::Authentication => "authentication failed",
            ErrorKind::InsufficientCredits => "insufficient credits",
            ErrorKind::RateLimited => "rate limited",
            ErrorKind::NotFound => "not found",
            ErrorKind::InvalidRequest => "invalid request",
            ErrorKind::SqlRejected => "query rejected",
            ErrorKind::SqlFailed => "query failed",
            ErrorKind::OverBudget => "over budget",
            ErrorKind::Timeout => "timed out",
            ErrorKind::Decode => "answer not understood",
            ErrorKind::Truncated => "stream cut off",
            ErrorKind::Service => "service failed",
            ErrorKind::Transport => "no answer",
        }
    }
}
