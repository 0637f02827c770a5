//! Identity of a call: calls with equal keys can share a response.

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};

use crypto_intel_core::{Call, Parts};

/// Identity of a call: operation, base URL, parameters, headers of the call, and account.
///
/// The text of a key is equal in all processes with the same build. It contains a hash of the account, and no API key.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CacheKey {
    operation: &'static str,
    text: String,
}

impl CacheKey {
    pub(crate) fn new(call: &Call, base: &str, parts: &Parts, account: &str) -> Self {
        let operation = call.operation().id;
        let mut text = format!("{operation} {} {base}{}\n{account}\n", parts.method, parts.target);
        for (name, value) in call.options().headers.iter().chain(&parts.headers) {
            // Header values may be secrets of a proxy, so the key contains only their hashes.
            let value = digest(value.as_bytes());
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{name}: {value}");
        }
        if let Some(body) = &parts.body {
            text.push_str(&String::from_utf8_lossy(body));
        }
        CacheKey { operation, text }
    }

    /// Returns the identifier of the operation.
    #[must_use]
    pub fn operation(&self) -> &'static str {
        self.operation
    }

    /// Returns the whole key as text. It contains the parameters of the call.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// Computes a 128-bit hash from which the secret cannot be recovered.
pub(crate) fn digest(secret: &[u8]) -> String {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (salt, secret).hash(&mut hasher);
        hasher.finish()
    };
    format!("{:016x}{:016x}", half(0), half(1))
}
