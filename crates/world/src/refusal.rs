//! Errors of requests: the reasons why a request returns no rows.

/// Kind of a request error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An argument is missing, unknown, repeated or not supported by the service, or contradicts another argument.
    Invalid,
    /// An argument has the wrong type, is out of range, or is not one of the allowed values.
    Unfit,
    /// The sandbox does not have the requested asset, wallet, market or other entity.
    NotFound,
    /// The requested data exist, but are temporarily unavailable.
    Unavailable,
}

/// Error of a request, with its kind and message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Kind of the error.
    pub kind: Kind,
    /// Error message for people. For an invalid argument, the message names the parameter.
    pub message: String,
    /// Reason why a listed company has no financial statements, as a code such as `publication_missing`. `None` for all
    /// other errors.
    pub serving_reason: Option<&'static str>,
}

impl Refusal {
    fn new(kind: Kind, message: impl Into<String>) -> Self {
        Refusal { kind, message: message.into(), serving_reason: None }
    }

    /// Creates an error of kind [`Kind::Invalid`].
    pub fn invalid(message: impl Into<String>) -> Self {
        Refusal::new(Kind::Invalid, message)
    }

    /// Creates an error of kind [`Kind::Unfit`].
    pub fn unfit(message: impl Into<String>) -> Self {
        Refusal::new(Kind::Unfit, message)
    }

    /// Creates an error of kind [`Kind::Unavailable`].
    pub fn unavailable(message: impl Into<String>) -> Self {
        Refusal::new(Kind::Unavailable, message)
    }

    /// Creates an error of kind [`Kind::NotFound`].
    pub fn not_found(message: impl Into<String>) -> Self {
        Refusal::new(Kind::NotFound, message)
    }
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Refusal {}
