//! Why the world has no rows for a request.

/// What is wrong with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Something is missing, unknown or contradictory.
    Invalid,
    /// A value is of the wrong type, out of range or not in its set.
    Unfit,
    /// The world does not have what is asked for.
    NotFound,
    /// The world has it, but cannot get at it at the moment.
    Unavailable,
}

/// Why a request has no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// What is wrong.
    pub kind: Kind,
    /// The same in words; names the parameter.
    pub message: String,
    /// Why a known listing has no financial data.
    pub serving_reason: Option<&'static str>,
}

impl Refusal {
    fn new(kind: Kind, message: impl Into<String>) -> Self {
        Refusal { kind, message: message.into(), serving_reason: None }
    }

    /// Something is missing, unknown or contradictory.
    pub fn invalid(message: impl Into<String>) -> Self {
        Refusal::new(Kind::Invalid, message)
    }

    /// A value is of the wrong type or out of range.
    pub fn unfit(message: impl Into<String>) -> Self {
        Refusal::new(Kind::Unfit, message)
    }

    /// What it comes from cannot be reached.
    pub fn unavailable(message: impl Into<String>) -> Self {
        Refusal::new(Kind::Unavailable, message)
    }

    /// The world does not have it.
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
