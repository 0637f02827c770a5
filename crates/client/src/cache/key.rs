//! Cache key of a call. Calls with equal keys can share one response.

use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};

use crypto_intel_core::{Call, Parts};

/// Cache key of a call. It contains the operation, base URL, parameters, extra headers of the call, and account.
///
/// The text of a cache key is equal in all processes of the same build, so processes can share a store. The text
/// contains a hash of the API key, but not the API key itself. If a key provider returns the API key, the text contains
/// the word `provider` instead of the hash.
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
            // A header value may be a secret, for example for a proxy. So the cache key contains only the hash of each
            // value.
            let value = digest(value.as_bytes());
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{name}: {value}");
        }
        if let Some(body) = &parts.body {
            text.push_str(&String::from_utf8_lossy(body));
        }
        CacheKey { operation, text }
    }

    /// Returns the identifier of the operation, such as `market-price`.
    #[must_use]
    pub fn operation(&self) -> &'static str {
        self.operation
    }

    /// Returns the whole key as text. The text contains the parameters of the call.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// Returns a 128-bit hash of a secret as 32 hexadecimal digits. The secret cannot be read from the hash.
pub(crate) fn digest(secret: &[u8]) -> String {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (salt, secret).hash(&mut hasher);
        hasher.finish()
    };
    format!("{:016x}{:016x}", half(0), half(1))
}
