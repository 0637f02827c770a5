//! Resume tokens: positions in lists that a program can save.
//!
//! A token contains the operation, a fingerprint of the list's arguments, and the position. The token is checked when a
//! program resumes the list.

use std::fmt;
use std::str::FromStr;

use crypto_intel_core::{Call, Error, Operation};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::position::{At, call_at};

fn token_error(operation: &Operation, message: impl Into<String>) -> Error {
    Error::invalid(message).with_operation(operation.id)
}

/// Returns a hash of all arguments of a call except page size and position. The hash identifies the list. It does not
/// depend on the order of the arguments.
pub(crate) fn fingerprint(call: &Call) -> u64 {
    let mut call = call.clone();
    for name in call.operation().paging.parameters() {
        if let Some((index, _)) = call.operation().param(name) {
            call.unset(index);
        }
    }
    // Writing the request fails only for invalid calls. The request for the first page returns that error.
    let Ok(parts) = call.parts() else { return 0 };
    let (path, query) = parts.target.split_once('?').unwrap_or((&parts.target, ""));
    let mut pairs: Vec<_> = query.split('&').collect();
    pairs.sort_unstable();
    let texts = [path.as_bytes(), parts.body.as_deref().unwrap_or_default()];
    let texts = texts.into_iter().chain(pairs.into_iter().map(str::as_bytes));
    // FNV-1a hash. The byte 0xff after each text separates the texts, because no text contains it.
    let bytes = texts.flat_map(|text| text.iter().copied().chain([0xff]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// A position in a list, at which the same program or another program can resume reading.
///
/// A token converts to and from text with `Display`, `FromStr` and serde. It does not contain the request. To resume, a
/// program must build the request again with the same arguments. Only the page size may differ. A token of another
/// operation or of other arguments is rejected.
///
/// If the list may change between two reads, see [`Items::resume_after`](super::Items::resume_after).
///
/// # Example
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let sandbox = crypto_intel_sandbox::Sandbox::start().await?;
/// # let client = crypto_intel::Client::builder().base_url(sandbox.url()).build()?;
/// use crypto_intel::{ResumeToken, prelude::*};
///
/// let posts = || client.social_user_posts("eth_daily").limit(5);
/// let mut today = posts().items();
/// for _ in 0..7 {
///     today.try_next().await?;
/// }
/// let kept: String = today.resume_token().expect("there are more").to_string();
///
/// let token: ResumeToken = kept.parse()?;
/// let tomorrow = posts().max_items(1).resume_from(token).collect_all().await?;
/// assert_eq!(tomorrow[0].tweet_id, today.try_next().await?.expect("the eighth").tweet_id);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResumeToken {
    operation: String,
    /// Hash that identifies the list: the [`fingerprint`] of the call that requested the list.
    list: u64,
    at: At,
    /// Number of rows to skip, counted from the position `at`. For example, if the caller has read two rows of a page,
    /// `at` is the position of this page, and `skip` is 2.
    skip: u64,
}

impl ResumeToken {
    pub(crate) fn new(operation: &Operation, list: u64, at: At, skip: u64) -> Self {
        ResumeToken { operation: operation.id.to_owned(), list, at, skip }
    }

    /// Returns the resume token in an error that ended a list early. Returns `None` for an error without a token. To
    /// resume a list after such an error, use [`Items::resume_token`](super::Items::resume_token).
    ///
    /// Two errors contain a token:
    /// - The list had too many consecutive pages without a row; see
    ///   [`Pager::max_empty_pages`](super::Pager::max_empty_pages).
    /// - The fields of the last page did not show whether more rows follow.
    #[must_use]
    pub fn from_error(error: &Error) -> Option<&ResumeToken> {
        let source = std::error::Error::source(error)?;
        source.downcast_ref::<Unfinished>().map(|unfinished| &unfinished.0)
    }

    /// Increases the number of rows to skip by `rows`. The list then resumes `rows` rows later.
    #[must_use]
    pub fn skipping(mut self, rows: u64) -> Self {
        self.skip = self.skip.saturating_add(rows);
        self
    }

    /// Returns the position in the token, and the number of rows to skip from this position. Returns an error if the
    /// token is for a different list than `call`. Also returns an error if the operation does not use this kind of
    /// position.
    pub(crate) fn position_for(self, call: &Call) -> Result<(At, u64), Error> {
        let operation = call.operation();
        if self.operation != operation.id {
            let other = self.operation;
            return Err(token_error(
                operation,
                format!("the resume token belongs to `{other}`, not to this operation"),
            ));
        }
        if self.list != fingerprint(call) {
            return Err(token_error(
                operation,
                "the resume token was created for other parameters; only the page size may differ",
            ));
        }
        // This call is not sent. It is built only to check that the position is valid.
        let _ = call_at(call.clone(), &self.at)?;
        Ok((self.at, self.skip))
    }
}

/// Separator between the parts of a token's text. A cursor may contain this character, so the cursor is the last part.
const SEPARATOR: char = '|';

impl fmt::Display for ResumeToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, value) = match &self.at {
            At::Start => ("start", String::new()),
            At::Offset(offset) => ("offset", offset.to_string()),
            At::Token(token) => ("token", token.clone()),
            At::Keys(keys) => ("keys", serde_json::to_string(keys).map_err(|_| fmt::Error)?),
        };
        let ResumeToken { operation, list, skip, .. } = self;
        write!(
            f,
            "{operation}{SEPARATOR}{list:x}{SEPARATOR}{skip}{SEPARATOR}{kind}{SEPARATOR}{value}"
        )
    }
}

impl FromStr for ResumeToken {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let fault = || Error::invalid("the text is not a resume token; use one from a pager");
        // A token of this format starts with the name of an operation. Later formats will start with a version, for
        // example `v2|`.
        let version = text.split(SEPARATOR).next().and_then(|first| first.strip_prefix('v'));
        if version.is_some_and(|number| number.parse::<u32>().is_ok()) {
            return Err(Error::invalid(
                "the resume token was written by a newer release; use that release",
            ));
        }

        let mut parts = text.splitn(5, SEPARATOR);
        let mut part = || parts.next().ok_or_else(fault);
        let (operation, list, skip, kind, value) = (part()?, part()?, part()?, part()?, part()?);
        let at = match kind {
            "start" => At::Start,
            "offset" => At::Offset(value.parse().map_err(|_| fault())?),
            "token" => At::Token(value.to_owned()),
            "keys" => At::Keys(serde_json::from_str(value).map_err(|_| fault())?),
            _ => return Err(fault()),
        };
        Ok(ResumeToken {
            operation: operation.to_owned(),
            list: u64::from_str_radix(list, 16).map_err(|_| fault())?,
            at,
            skip: skip.parse().map_err(|_| fault())?,
        })
    }
}

impl Serialize for ResumeToken {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ResumeToken {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// Error source that contains a resume token. Some errors of lists have this source, for example after too many
/// consecutive pages without a row. [`ResumeToken::from_error`] reads the token.
#[derive(Debug)]
pub(super) struct Unfinished(pub(super) ResumeToken);

impl fmt::Display for Unfinished {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the list can be continued with the resume token {}", self.0)
    }
}

impl std::error::Error for Unfinished {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_round_trips_through_text() {
        for at in [
            At::Start,
            At::Offset(u64::MAX),
            At::Token("a|b\u{e9} \"".to_owned()),
            At::Keys(vec![("to_ms".to_owned(), "|1|".to_owned())]),
        ] {
            let token = ResumeToken { operation: "x".to_owned(), list: u64::MAX, at, skip: 3 };
            assert_eq!(token.to_string().parse::<ResumeToken>().unwrap(), token);
            let json = serde_json::to_string(&token).unwrap();
            assert_eq!(serde_json::from_str::<ResumeToken>(&json).unwrap(), token);
            assert_eq!(token.skipping(2).skip, 5);
        }
        for text in [
            "",
            "a",
            "a|1|b|c|d",
            "a|1|1|offset|x",
            "a|1|1|keys|x",
            "a|1|-1|start|",
            "a|g|1|start|",
        ] {
            assert!(text.parse::<ResumeToken>().is_err(), "{text}");
        }
    }
}
