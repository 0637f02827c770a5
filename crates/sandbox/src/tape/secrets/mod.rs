//! Removes secrets such as API keys from recordings. A request and its response are not recorded if one of their bodies
//! cannot be searched for secrets.

mod known;
mod names;
mod stream;
mod text;

use axum::http::{HeaderMap, header};

pub(super) use known::Secrets;
pub(super) use names::is_secret_parameter;
pub(super) use stream::Unsearchable;
pub(super) use text::REMOVED;
#[cfg(feature = "page")]
pub(crate) use text::without_keys;

impl Secrets {
    /// Returns a copy of a body in which each secret is replaced by `REMOVED`. A JSON body stays valid JSON, and an
    /// event stream stays a valid event stream.
    ///
    /// # Errors
    /// Returns an error if the body cannot be searched for secrets, for example because it is compressed.
    pub(super) fn cleaned_body(
        &self,
        headers: &HeaderMap,
        body: &[u8],
    ) -> Result<String, Unsearchable> {
        let is_encoded =
            |value: &axum::http::HeaderValue| !value.as_bytes().eq_ignore_ascii_case(b"identity");
        if headers.get(header::CONTENT_ENCODING).is_some_and(is_encoded) {
            return Err("the body is compressed, so it cannot be searched for keys");
        }
        let kind =
            headers.get(header::CONTENT_TYPE).map(|kind| kind.as_bytes().to_ascii_lowercase());
        if kind.is_some_and(|kind| kind.starts_with(b"multipart/")) {
            return Err("the body is multipart, so it is not searched for keys");
        }
        let Ok(text) = std::str::from_utf8(body) else {
            return Err("the body is not text, so it cannot be searched for keys");
        };

        if let Some(cleaned) = self.cleaned_json(text) {
            return Ok(cleaned);
        }
        stream::cleaned(self, text)
    }
}

#[cfg(test)]
mod tests;
