//! The kinds of errors.

/// Kind of an error, for programs that branch on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The API key is missing, not valid, or not allowed to call the operation (401, 403, 407).
    Authentication,
    /// The credits of the account or the daily free allowance of this IP address are used up (402, or the code
    /// `FORBIDDEN`). [`Error::is_free_allowance`](crate::Error::is_free_allowance) distinguishes these cases.
    InsufficientCredits,
    /// The service received too many requests (429).
    RateLimited,
    /// The entity or the path does not exist (404, 410), or a method such as
    /// [`Figure::require`](crate::Figure::require) found no value.
    NotFound,
    /// The request is invalid. Either the client rejected the request before sending it, or the service rejected it
    /// with status 400 or 422. This kind includes each 4xx status that belongs to no other kind.
    InvalidRequest,
    /// The service did not accept an asynchronous SQL query. No job exists.
    SqlRejected,
    /// A SQL job ended without rows, because it failed or was cancelled.
    SqlFailed,
    /// A budget of the client forbids the call. Nothing was sent.
    OverBudget,
    /// A timeout of the client or of the service (408). For a timeout of the client, the message of the
    /// [`Error`](crate::Error) names the limit that was exceeded.
    Timeout,
    /// The response cannot be decoded, for example because a field has the wrong type. The message usually contains the
    /// path of the wrong value. This kind includes responses that cannot be decompressed or exceed the client's size
    /// limit.
    Decode,
    /// A chat answer is not complete, for example because the connection closed before the end of its stream.
    Truncated,
    /// The service failed (5xx) or behaved unexpectedly. For example, it sent a redirect (3xx), or it returned the same
    /// cursor twice.
    Service,
    /// The connection failed before or during the response. For chat streams, see [`Truncated`](Self::Truncated).
    Transport,
}

impl ErrorKind {
    pub(crate) fn label(self) -> &'static str {
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
