//! Errors: reasons why a request returns no rows.

/// Kind of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An argument is missing, unknown or contradictory.
    Invalid,
    /// An argument has the wrong type, is out of range or is not among the choices.
    Unfit,
    /// The world does not have the requested asset, wallet, market or other entity.
    NotFound,
    /// The data exist, but are temporarily unavailable.
    Unavailable,
}

/// Error of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Kind of the error.
    pub kind: Kind,
    /// Message for people. It names the parameter.
    pub message: String,
    /// Reason code if a known listing has no financial data.
    pub serving_reason: Option<&'static str>,
}

impl Refusal {
    fn new(kind: Kind, message: impl Into<String>) -> Self {
        Refusal { kind, message: message.into(), serving_reason: None }
    }

    /// Creates an error of kind `Invalid`.
    pub fn invalid(message: impl Into<String>) -> Self {
        Refusal::new(Kind::Invalid, message)
    }

    /// Creates an error of kind `Unfit`.
    pub fn unfit(message: impl Into<String>) -> Self {
        Refusal::new(Kind::Unfit, message)
    }

    /// Creates an error of kind `Unavailable`.
    pub fn unavailable(message: impl Into<String>) -> Self {
        Refusal::new(Kind::Unavailable, message)
    }

    /// Creates an error of kind `NotFound`.
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
