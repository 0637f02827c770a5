//! Text output of an error. `Display` writes one line. `Debug` writes the line of `Display`, and one line for each
//! further value, such as the request identifier.

use std::error::Error as _;
use std::fmt;

use super::{Error, Inner, MESSAGE_LIMIT};

impl fmt::Display for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(operation) = self.operation {
            write!(f, "{operation}: ")?;
        }
        f.write_str(self.kind.label())?;
        if let Some(status) = self.status {
            write!(f, " ({}", status.as_u16())?;
            match &self.code {
                Some(code) => write!(f, " {})", OneLine(code, CODE_LIMIT))?,
                None => f.write_str(")")?,
            }
        }
        if !self.message.is_empty() {
            write!(f, ": {}", OneLine(&self.message, MESSAGE_LIMIT))?;
        }
        Ok(())
    }
}

/// Maximum number of characters that `Display` shows of an error code.
const CODE_LIMIT: usize = 80;

/// A text that is written in one line, with at most the given number of characters. Control characters become spaces:
/// the text may come from the service, and control characters can move the cursor of a terminal.
struct OneLine<'a>(&'a str, usize);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OneLine(text, limit) = *self;
        let cut = text.char_indices().nth(limit).map(|(cut, _)| cut);
        for (index, piece) in text[..cut.unwrap_or(text.len())].split(char::is_control).enumerate()
        {
            if index > 0 {
                f.write_str(" ")?;
            }
            f.write_str(piece)?;
        }
        if cut.is_some() { f.write_str("…") } else { Ok(()) }
    }
}

/// Writes several lines even for `{:?}`, because these lines are easy to read. `unwrap` prints an error with `{:?}`. A
/// `main` function that returns an error prints the error with `{:?}` too.
impl fmt::Debug for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}\n  kind: {:?}", self.kind)?;
        if let (Some(code), None) = (&self.code, self.status) {
            write!(f, "\n  code: {code:?}")?;
        }
        if let Some(request_id) = &self.request_id {
            write!(f, "\n  request id: {request_id:?}")?;
        }
        if let Some(wait) = self.retry_after {
            write!(f, "\n  retry after: {wait:?}")?;
        }
        write!(f, "\n  retryable: {}\n  attempts: {}", self.retryable, self.attempts)?;
        if let Some(body) = &self.body {
            write!(f, "\n  body: {body:?}, see `Error::body`")?;
        }
        let mut cause = self.source();
        while let Some(error) = cause {
            write!(f, "\n  caused by: {error}")?;
            cause = error.source();
        }
        Ok(())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use http::StatusCode;

    use super::*;
    use crate::ErrorKind;

    #[test]
    fn display_is_one_line_and_debug_adds_details() {
        let error = Error::new(ErrorKind::InsufficientCredits, "the balance is used up")
            .with_status(StatusCode::PAYMENT_REQUIRED)
            .with_code("PAID_BALANCE_ZERO")
            .with_operation("market-price")
            .with_attempts(1)
            .with_body("{}");
        assert_eq!(
            error.to_string(),
            "market-price: insufficient credits (402 PAID_BALANCE_ZERO): the balance is used up"
        );
        let error = error.with_source(std::fmt::Error);
        let expected =
            "market-price: insufficient credits (402 PAID_BALANCE_ZERO): the balance is used up
  kind: InsufficientCredits
  retryable: false
  attempts: 1
  body: 2 bytes, see `Error::body`
  caused by: an error occurred when formatting an argument";
        assert_eq!(format!("{error:?}"), expected);
        assert_eq!(format!("{error:#?}"), expected);
    }

    #[test]
    fn display_removes_control_characters_and_cuts_long_messages() {
        let error =
            Error::new(ErrorKind::Service, "a\nb\u{1b}[31mc".to_owned() + &"x".repeat(5000))
                .with_status(StatusCode::BAD_GATEWAY)
                .with_code("UP\r\nSTREAM");
        let line = error.to_string();
        assert!(line.starts_with("service failed (502 UP  STREAM): a b [31mcxx"), "{line}");
        assert!(line.ends_with("x…") && line.len() < 1100 && !line.contains(char::is_control));
        assert_eq!(error.code(), Some("UP\r\nSTREAM"));
    }
}
