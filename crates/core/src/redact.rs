//! Masking of secrets in texts.

/// Masks secrets in texts that came from the service.
pub trait Redact: Send + Sync {
    /// Replaces every secret in the text. The default implementation has no secrets.
    fn redact(&self, text: &mut String) {
        let _ = text;
    }
}
