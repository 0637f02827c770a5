//! The API key of the service. The key itself never appears in logs, errors or other output.
//!
//! This module validates keys, and masks keys in headers and texts.

pub(crate) mod mask;

use std::fmt;

use crypto_intel_core::Error;
use http::{HeaderMap, HeaderValue};
use secrecy::{ExposeSecret, SecretString};

use mask::{KeySet, MASK};

/// API key of the service. Its `Debug` output is a mask, never the key.
#[derive(Clone)]
pub struct ApiKey(SecretString);

impl ApiKey {
    /// Creates a key. White space at the start and the end, such as the newline of a file, is removed.
    ///
    /// # Errors
    /// Returns [`ErrorKind::InvalidRequest`](crate::ErrorKind::InvalidRequest) if the key is empty, or if it contains
    /// white space, control characters or characters outside ASCII. The error message never contains the key.
    pub fn new(key: impl Into<String>) -> Result<Self, Error> {
        let key: String = key.into();
        let trimmed = key.trim();
        if trimmed.is_empty() {
            return Err(Error::invalid("the API key is empty; keys start with `sk-`"));
        }
        if !trimmed.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(Error::invalid(
                "the API key contains spaces or characters outside ASCII; copy it again",
            ));
        }
        Ok(ApiKey(SecretString::from(trimmed)))
    }

    /// Returns a hash of the key. The hash identifies the account, and the key cannot be read from it.
    pub(crate) fn digest(&self) -> String {
        crate::cache::digest(self.0.expose_secret().as_bytes())
    }

    /// Returns the value of the `Authorization` header. It is marked as sensitive, so HTTP libraries do not print it.
    pub(crate) fn header(&self) -> Option<HeaderValue> {
        let mut value =
            HeaderValue::from_str(&format!("Bearer {}", self.0.expose_secret())).ok()?;
        value.set_sensitive(true);
        Some(value)
    }

    /// Returns the key in plain text, for the `Authorization` header and for masking.
    pub(crate) fn expose(&self) -> &str {
        self.0.expose_secret()
    }
}

/// Replaces every key in the header values by a mask. A value that contained a key is also marked as sensitive, so HTTP
/// libraries do not print it.
pub(crate) fn mask_headers(headers: &mut HeaderMap, keys: &KeySet) {
    for value in headers.values_mut() {
        if keys.next_key(value.as_bytes(), 0).is_none() {
            continue;
        }
        let mut text = String::from_utf8_lossy(value.as_bytes()).into_owned();
        keys.mask(&mut text);
        // The mask contains `…`, which is not ASCII. It becomes `...`, so that callers can still read the header value
        // as a string.
        *value = HeaderValue::from_str(&text.replace('…', "..."))
            .unwrap_or_else(|_| HeaderValue::from_static("sk-..."));
        value.set_sensitive(true);
    }
}

/// Masks each part of `text` that looks like a key: `sk-` and the following characters up to the next white space. An
/// `sk-` that follows a letter or a digit does not begin a key. This function is for code that has no client and
/// therefore does not have the real keys.
#[cfg(any(feature = "onchain", feature = "chat", test))]
pub(crate) fn mask_key_like(text: &mut String) {
    let mut masked = String::new();
    let mut rest = &**text;
    while let Some(at) = rest.find("sk-") {
        let (before, found) = rest.split_at(at);
        masked.push_str(before);
        // In words such as `task-force` and `risk-free`, `sk-` follows a letter. They are not keys.
        if before.ends_with(|char: char| char.is_alphanumeric()) {
            let (word, after) = found.split_at("sk-".len());
            masked.push_str(word);
            rest = after;
            continue;
        }
        // A key may contain any character except white space. So everything up to the next white space is masked.
        masked.push_str(MASK);
        rest = &found[found.find(char::is_whitespace).unwrap_or(found.len())..];
    }
    if !masked.is_empty() {
        masked.push_str(rest);
        *text = masked;
    }
}

impl PartialEq for ApiKey {
    fn eq(&self, other: &Self) -> bool {
        self.0.expose_secret() == other.0.expose_secret()
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
    fn invalid_key_is_rejected_and_debug_hides_key() {
        for bad in ["", " \n", "sk-a b", "sk-ä", "sk-a\r\nX: y"] {
            let error = ApiKey::new(bad).unwrap_err().to_string();
            assert!(bad.trim().is_empty() || !error.contains(bad.trim()), "{error}");
        }
        let key = ApiKey::new(" sk-secret\n").unwrap();
        assert_eq!(format!("{key:?}"), "sk-…");
        assert!(!format!("{:?}", key.header()).contains("secret"));
        let mut text = "the key sk-secret is unknown".to_owned();
        KeySet::new([key.expose()]).mask(&mut text);
        assert_eq!(text, "the key sk-… is unknown");
    }

    #[test]
    fn escaped_key_is_masked() {
        let key = ApiKey::new(r#"sk-a"b\c/d"#).unwrap();
        let json = |text: &str| serde_json::to_string(text).unwrap();
        let plain = r#"the key sk-a"b\c/d is unknown"#;
        let once = json(plain);
        let spelled = once.replace('k', r"\u006b").replace('-', r"\u002D").replace('/', r"\/");
        for text in [plain, &once, &spelled, &json(&once), &json(&spelled), &format!("{plain:?}")] {
            let mut masked = text.to_owned();
            KeySet::new([key.expose()]).mask(&mut masked);
            let shown = masked.trim_matches(['"', '\\']);
            assert!(shown.contains("sk-…"), "{text}: {masked}");
            assert!(!shown.contains("c/d") && !shown.contains(r"c\/d"), "{text}: {masked}");
            assert!(shown.ends_with("nown"), "{text}: {masked}");
        }
        for text in ["", "\\", r"\u", r"\u00", r"\ud800", r"é\", "sk-a", r#"\"#] {
            let mut masked = text.to_owned();
            KeySet::new([key.expose()]).mask(&mut masked);
            assert_eq!(masked, text);
        }
    }

    #[test]
    fn key_like_text_is_masked_without_known_key() {
        for (text, masked) in [
            ("expected f64, found sk-abc_1-2, at 3", "expected f64, found sk-… at 3"),
            (r#"string "sk-a\"b", expected u8"#, r#"string "sk-… expected u8"#),
            ("sk-a sk-b", "sk-… sk-…"),
            ("a task-force is risk-free", "a task-force is risk-free"),
            ("task-force,sk-abc risk-sk-def", "task-force,sk-… risk-sk-…"),
            ("nothing", "nothing"),
        ] {
            let mut seen = text.to_owned();
            mask_key_like(&mut seen);
            assert_eq!(seen, masked);
        }
    }

    #[test]
    fn header_with_key_is_masked_and_sensitive() {
        let mut headers = HeaderMap::new();
        headers.insert("x-request-id", HeaderValue::from_static("of sk-secret"));
        headers.insert("x-other", HeaderValue::from_static("plain"));
        let before = headers["x-other"].clone();
        mask_headers(&mut headers, &KeySet::new(["sk-secret"]));
        assert!(!String::from_utf8_lossy(headers["x-request-id"].as_bytes()).contains("secret"));
        assert_eq!(headers["x-other"], before);
    }
}
