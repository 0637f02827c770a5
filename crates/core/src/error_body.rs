//! The response body that an error contains.

use std::borrow::Cow;
use std::fmt;

use bytes::Bytes;

/// Response body in an [`Error`](crate::Error). The caller may have paid for the response, so the error keeps the body.
/// Secrets in the body are masked.
///
/// With a success status, the body is complete up to the client's maximum body size. With an error status, it is cut
/// after about 64 KiB. For chat answers, it can be a part of the body, such as one event of a stream, or the text that
/// the model wrote.
///
/// `Display` and `Debug` of an [`Error`](crate::Error) never show the body. The `Debug` output of the body shows only
/// its length.
#[derive(Clone, PartialEq, Eq)]
pub struct ErrorBody(Bytes);

impl ErrorBody {
    /// Returns the body as bytes.
    #[must_use]
    pub fn bytes(&self) -> &Bytes {
        &self.0
    }

    /// Returns the body as text. Bytes that are not UTF-8 become U+FFFD.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.0)
    }

    /// Returns the length of the body in bytes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if the body is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Masks secrets in the body. If the body has no secrets, returns it without changes.
    pub(crate) fn masked(self, mask: &dyn Fn(&mut String)) -> Self {
        // Converts the bytes to a string without a copy if possible, because a body can be large.
        let mut masked = match String::from_utf8(self.0.into()) {
            Ok(text) => text,
            Err(error) => return ErrorBody(error.into_bytes().into()).masked_lossily(mask),
        };
        mask(&mut masked);
        ErrorBody(masked.into())
    }

    /// Masks secrets in a body that is not UTF-8. A body without secrets stays unchanged.
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
    fn masking_changes_only_a_body_with_a_secret() {
        let mask = |text: &mut String| *text = text.replace("secret", "…");
        let masked = ErrorBody::from(Bytes::from_static(b"\xff secret")).masked(&mask);
        assert_eq!(masked.text(), "\u{fffd} …");
        let other = ErrorBody::from(Bytes::from_static(b"\xff other"));
        assert_eq!(other.clone().masked(&mask), other);
        assert_eq!(format!("{other:?}"), "7 bytes");
    }
}
