//! Masking of secrets, such as API keys, in strings.

/// A type that masks secrets in strings from the service.
pub trait Redact: Send + Sync {
    /// Masks every secret in the string. The default implementation changes nothing.
    fn redact(&self, text: &mut String) {
        let _ = text;
    }
}
