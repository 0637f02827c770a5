//! The body of a response that became an error.

use std::borrow::Cow;
use std::fmt;

use bytes::Bytes;

/// Body of a response that became an error, so that a paid response is not lost. It is complete up to the client's
/// limit on bodies. For a response whose status is an error, the first 64 KiB are kept. The API key is masked.
///
/// `Display` and `Debug` of an [`Error`](crate::Error) never show the body. The `Debug` output of the body shows only
/// its length.
#[derive(Clone, PartialEq, Eq)]
pub struct ErrorBody(Bytes);

impl ErrorBody {
    /// Returns the body as received.
    #[must_use]
    pub fn bytes(&self) -> &Bytes {
        &self.0
    }

    /// Returns the body as text; bytes that are not UTF-8 become U+FFFD.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }

    /// Returns the length in bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if the body is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Masks secrets in the body.
    pub(crate) fn masked(self, mask: &dyn Fn(&mut String)) -> Self {
        // The text takes the memory of the bytes, since a body can be large.
        let mut masked = match String::from_utf8(self.0.into()) {
            Ok(text) => text,
            Err(error) => return ErrorBody(error.into_bytes().into()).masked_lossily(mask),
        };
        mask(&mut masked);
        ErrorBody(masked.into())
    }

    /// Masks secrets in a body that is not UTF-8. Without a secret it stays unchanged.
    fn masked_lossily(self, mask: &dyn Fn(&mut String)) -> Self {
        let mut masked = self.text().into_owned();
        mask(&mut masked);
        if masked == self.text() { self } else { ErrorBody(masked.into()) }
    }
}

impl From<Bytes> for ErrorBody {
    fn from(bytes: Bytes) -> Self {
        ErrorBody(bytes)
    }
}

impl fmt::Debug for ErrorBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} bytes", self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_body_with_a_secret_changes() {
        let mask = |text: &mut String| *text = text.replace("secret", "…");
        let masked = ErrorBody::from(Bytes::from_static(b"\xff secret")).masked(&mask);
        assert_eq!(masked.text(), "\u{fffd} …");
        let other = ErrorBody::from(Bytes::from_static(b"\xff other"));
        assert_eq!(other.clone().masked(&mask), other);
        assert_eq!(format!("{other:?}"), "7 bytes");
    }
}
