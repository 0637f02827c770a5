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
    /// The entity or the path does not exist (404, 410), or a required figure has no value.
    NotFound,
    /// The request is invalid. It was rejected before sending, or by the service (400, 422, and every other 4xx
    /// status without a kind of its own).
    InvalidRequest,
    /// An asynchronous query was not accepted; no job exists.
    SqlRejected,
    /// A SQL job ended without rows because it failed or was canceled.
    SqlFailed,
    /// A budget forbids the call; nothing was sent.
    OverBudget,
    /// A timeout of the client or of the service (408). For a timeout of the client, the message of the
    /// [`Error`](crate::Error) names the limit that was exceeded.
    Timeout,
    /// The response does not match the description; the message contains the path. This includes responses that
    /// cannot be decompressed or exceed the client's size limit.
    Decode,
    /// A stream was cut off before its end.
    Truncated,
    /// The service failed (5xx), returned an unknown status, or returned the same cursor twice.
    Service,
    /// The connection failed before a response arrived.
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
