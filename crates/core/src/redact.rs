//! Secrets in texts.

/// Takes secrets out of texts that came from the service.
pub trait Redact: Send + Sync {
    /// Replaces every secret in the text. By default there is none.
    fn redact(&self, text: &mut String) {
        let _ = text;
    }
}
