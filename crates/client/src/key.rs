//! The API key, which never reaches output of any kind.

use std::fmt;

use crypto_intel_core::Error;
use http::HeaderValue;
use secrecy::{ExposeSecret, SecretString};

/// An API key. `Debug` shows that there is one, never which.
#[derive(Clone)]
pub struct ApiKey(SecretString);

/// What stands in for a key wherever a text might hold one.
const MASK: &str = "sk-…";

impl ApiKey {
    /// A key as issued, without the surrounding white space that files and terminals add.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidRequest`](crate::ErrorKind::InvalidRequest) for an empty key, or one with
    /// characters that a header cannot carry. The message never holds the key.
    pub fn new(key: impl Into<String>) -> Result<Self, Error> {
        let key: String = key.into();
        let trimmed = key.trim();
        if trimmed.is_empty() {
            return Err(Error::invalid("the API key is empty; keys start with `sk-`"));
        }
        if !trimmed.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Error::invalid(
                "the API key holds blanks or characters outside ASCII; copy it again",
            ));
        }
        Ok(ApiKey(SecretString::from(trimmed)))
    }

    /// The `Authorization` header, marked so that no one prints it.
    pub(crate) fn header(&self) -> Option<HeaderValue> {
        let mut value =
            HeaderValue::from_str(&format!("Bearer {}", self.0.expose_secret())).ok()?;
        value.set_sensitive(true);
        Some(value)
    }

    /// `text` without this key: services have been seen to quote what they refuse.
    pub(crate) fn mask(&self, text: &mut String) {
        let key = self.0.expose_secret();
        if text.contains(key) {
            *text = text.replace(key, MASK);
        }
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(MASK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_checked_and_never_shown() {
        for bad in ["", " \n", "sk-a b", "sk-ä", "sk-a\r\nX: y"] {
            let error = ApiKey::new(bad).unwrap_err().to_string();
            assert!(bad.trim().is_empty() || !error.contains(bad.trim()), "{error}");
        }
        let key = ApiKey::new(" sk-secret\n").unwrap();
        assert_eq!(format!("{key:?}"), "sk-…");
        assert!(!format!("{:?}", key.header()).contains("secret"));
        let mut text = "the key sk-secret is unknown".to_owned();
        key.mask(&mut text);
        assert_eq!(text, "the key sk-… is unknown");
    }
}
