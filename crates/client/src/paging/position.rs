//! Where the next page begins: pure, one arm a kind of paging.

use std::fmt;
use std::str::FromStr;

use crypto_intel_core::{Call, Error, Operation, Paging, Position, Value};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Where a page begins.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum At {
    /// At the beginning, or wherever the request itself says.
    Start,
    /// After this many rows.
    Offset(u64),
    /// At this token.
    Token(String),
    /// Below the row with these keys: parameters and values.
    Keys(Vec<(String, String)>),
}

/// What a page was, as far as the next one depends on it.
pub(crate) struct Seen<'a> {
    /// Where it began.
    pub(crate) at: &'a At,
    /// Rows that the request itself says to skip, for a page at the beginning.
    pub(crate) offset: Option<u64>,
    /// Rows that were asked for.
    pub(crate) limit: Option<u64>,
    /// Rows that came.
    pub(crate) rows: u64,
    pub(crate) position: &'a Position,
    /// A member of the last row, as text.
    pub(crate) last: &'a dyn Fn(&str) -> Option<String>,
}

/// Where the page after this one begins; `None` at the end.
pub(crate) fn next(paging: Paging, seen: &Seen<'_>) -> Option<At> {
    let token =
        || seen.position.next_cursor.clone().filter(|token| !token.is_empty()).map(At::Token);
    match paging {
        Paging::None => None,
        Paging::Offset { .. } => next_offset(seen).map(At::Offset),
        // A filtered page may be short or empty while the cursor leads on (described, and seen):
        // only a missing cursor ends the list. `has_more` has no say.
        Paging::Cursor { .. } => token(),
        // Fills carry a cursor as well; the keys of the last row serve where there is none.
        Paging::Keyset { keys, .. } => token().or_else(|| {
            let goes_on = seen.position.has_more == Some(true) && seen.rows > 0;
            let keys = keys
                .iter()
                .map(|(param, member)| Some(((*param).to_owned(), (seen.last)(member)?)));
            goes_on.then(|| keys.collect::<Option<_>>()).flatten().map(At::Keys)
        }),
        // `has_more` is a required member here; a key beside `false` leads to data still to come.
        Paging::PaginationKey { .. } => token().filter(|_| seen.position.has_more != Some(false)),
    }
}

/// Rows are skipped by number, so the step is the page size in force, not the rows that came: a
/// filter may have thinned them. The end is the total where it is known, then `has_more`, and
/// only without either a page that is not full.
fn next_offset(seen: &Seen<'_>) -> Option<u64> {
    let begin = match seen.at {
        At::Offset(offset) => *offset,
        _ => natural(seen.position.offset).or(seen.offset).unwrap_or(0),
    };
    let size = natural(seen.position.limit).filter(|size| *size > 0).or(seen.limit);
    let step = size.unwrap_or(0).max(seen.rows);
    let next = begin.saturating_add(step);
    // A total that the rows themselves disprove is none.
    let total = natural(seen.position.total)
        .filter(|total| *total >= begin.saturating_add(seen.rows) || seen.rows == 0);
    let more = match (total, seen.position.has_more) {
        (Some(total), _) => next < total,
        (None, Some(more)) => more,
        (None, None) => seen.rows > 0 && size.is_none_or(|size| seen.rows >= size),
    };
    (more && next > begin).then_some(next)
}

/// A number that counts something, if the service gave one that can.
pub(crate) fn natural(number: Option<i64>) -> Option<u64> {
    number.and_then(|number| u64::try_from(number).ok())
}

/// The call of the page that begins at `at`.
///
/// # Errors
/// [`ErrorKind::InvalidRequest`](crypto_intel_core::ErrorKind::InvalidRequest) when lists of this operation
/// have no such place.
pub(crate) fn placed(mut call: Call, at: &At) -> Result<Call, Error> {
    let operation = call.operation();
    match (operation.paging, at) {
        (_, At::Start) => {}
        (Paging::Offset { offset: name, .. }, At::Offset(offset)) => {
            call.set_text(name, &offset.to_string())?;
        }
        (
            Paging::Cursor { cursor: name, .. }
            | Paging::Keyset { cursor: name, .. }
            | Paging::PaginationKey { key: name, .. },
            At::Token(token),
        ) => {
            if let Some((index, _)) = operation.param(name) {
                call.set(index, Value::Text(token.clone()));
            }
        }
        (Paging::Keyset { keys: known, .. }, At::Keys(keys))
            if keys.iter().all(|(name, _)| known.iter().any(|(known, _)| known == name)) =>
        {
            for (name, value) in keys {
                call.set_text(name, value)?;
            }
        }
        _ => return Err(refused(operation, "the resume token is of no place in this list")),
    }

    Ok(call)
}

fn refused(operation: &Operation, message: impl Into<String>) -> Error {
    Error::invalid(message).with_operation(operation.id)
}

/// What tells a list from others: all that the call says but the page size and the place, as a
/// number that does not depend on the order of the parameters.
pub(crate) fn fingerprint(call: &Call) -> u64 {
    let mut call = call.clone();
    for name in place_parameters(call.operation().paging) {
        if let Some((index, _)) = call.operation().param(name) {
            call.unset(index);
        }
    }
    // A call that cannot be written is refused when its first page is asked for.
    let Ok(parts) = call.parts() else { return 0 };
    let (path, query) = parts.target.split_once('?').unwrap_or((&parts.target, ""));
    let mut pairs: Vec<_> = query.split('&').collect();
    pairs.sort_unstable();
    let texts = [path.as_bytes(), parts.body.as_deref().unwrap_or_default()];
    let texts = texts.into_iter().chain(pairs.into_iter().map(str::as_bytes));
    // FNV-1a, with a byte between texts that none of them holds.
    let bytes = texts.flat_map(|text| text.iter().copied().chain([0xff]));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Parameters that say which page of a list is meant.
fn place_parameters(paging: Paging) -> Vec<&'static str> {
    match paging {
        Paging::None => Vec::new(),
        Paging::Offset { limit, offset: place }
        | Paging::Cursor { limit, cursor: place }
        | Paging::PaginationKey { limit, key: place } => vec![limit, place],
        Paging::Keyset { limit, cursor, keys } => {
            [limit, cursor].into_iter().chain(keys.iter().map(|(name, _)| *name)).collect()
        }
    }
}

/// A place in a list to go on from, in this run of the program or another.
///
/// It is text for people and files (`Display`, `FromStr`, serde). It holds the place alone: the
/// request is built anew with the same parameters, of which only the page size may differ. One
/// that was given for another operation or for other filters is refused.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let sandbox = crypto_intel_sandbox::Sandbox::start().await?;
/// # let client = crypto_intel::Client::builder().base_url(sandbox.url()).build()?;
/// use crypto_intel::{ResumeToken, prelude::*};
///
/// let posts = || client.social_user_posts("vitalikbuterin").limit(5);
/// let mut today = posts().items();
/// for _ in 0..7 {
///     today.try_next().await?;
/// }
/// let kept: String = today.resume_token().expect("there are more").to_string();
///
/// let token: ResumeToken = kept.parse()?;
/// let tomorrow = posts().take_items(1).resume_from(token).collect_all().await?;
/// assert_eq!(tomorrow[0].tweet_id, today.try_next().await?.expect("the eighth").tweet_id);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResumeToken {
    operation: String,
    /// [`fingerprint`] of the call.
    list: u64,
    at: At,
    /// Rows of that page that were taken already.
    skip: u64,
}

impl ResumeToken {
    pub(crate) fn new(operation: &Operation, list: u64, at: At, skip: u64) -> Self {
        ResumeToken { operation: operation.id.to_owned(), list, at, skip }
    }

    pub(crate) fn into_at(self) -> At {
        self.at
    }

    /// The place, if the token is one of this list.
    pub(crate) fn place(self, call: &Call) -> Result<(At, u64), Error> {
        let operation = call.operation();
        if self.operation != operation.id {
            let other = self.operation;
            return Err(refused(
                operation,
                format!("the resume token is one of `{other}`, not of this operation"),
            ));
        }
        if self.list != fingerprint(call) {
            return Err(refused(
                operation,
                "the resume token was given for other parameters than these; only the page size \
                 may differ",
            ));
        }
        // Written once to see that it can be.
        let _ = placed(call.clone(), &self.at)?;
        Ok((self.at, self.skip))
    }
}

/// Separates the parts. A token of the service may hold it, so that comes last.
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
        let fault = || Error::invalid("this is not a resume token; use one that a pager gave");
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

#[cfg(test)]
mod tests {
    use super::*;

    const OFFSET: Paging = Paging::Offset { limit: "limit", offset: "offset" };
    const CURSOR: Paging = Paging::Cursor { limit: "limit", cursor: "cursor" };
    const KEY: Paging = Paging::PaginationKey { limit: "limit", key: "pagination_key" };
    const KEYSET: Paging = Paging::Keyset {
        limit: "limit",
        cursor: "cursor",
        keys: &[("to_ms", "time_ms"), ("to_id", "id")],
    };

    fn after(paging: Paging, at: At, rows: u64, position: Position) -> Option<At> {
        let last = |name: &str| (rows > 0).then(|| format!("last {name}"));
        let (limit, offset, position) = (Some(10), Some(7), &position);
        next(paging, &Seen { at: &at, offset, limit, rows, position, last: &last })
    }

    fn place(total: Option<i64>, has_more: Option<bool>) -> Position {
        Position { total, has_more, ..Position::default() }
    }

    #[test]
    fn offsets_end_at_the_total_then_at_has_more_then_at_a_short_page() {
        for (begin, rows, position, expected) in [
            (0, 10, place(Some(25), None), Some(10)),
            (20, 5, place(Some(25), None), None),
            (10, 10, place(Some(20), Some(true)), None),
            // Thinned by a filter: the step is the page size all the same.
            (10, 3, place(Some(50), None), Some(20)),
            (10, 0, place(Some(50), None), Some(20)),
            (0, 3, place(None, Some(true)), Some(10)),
            (0, 10, place(None, Some(false)), None),
            (0, 10, place(None, None), Some(10)),
            (0, 9, place(None, None), None),
            (0, 0, place(None, None), None),
            // A total that the rows disprove.
            (0, 10, place(Some(0), Some(true)), Some(10)),
            (0, 10, place(Some(-1), None), Some(10)),
            // The service may apply a smaller page than was asked for.
            (0, 4, Position { limit: Some(4), total: Some(9), ..Position::default() }, Some(4)),
        ] {
            let seen = after(OFFSET, At::Offset(begin), rows, position.clone());
            assert_eq!(seen, expected.map(At::Offset), "{begin} {rows} {position:?}");
        }

        // From the beginning, what the service says it skipped counts, then what was asked for.
        let told = Position { offset: Some(30), ..place(None, Some(true)) };
        assert_eq!(after(OFFSET, At::Start, 10, told), Some(At::Offset(40)));
        assert_eq!(after(OFFSET, At::Start, 10, place(None, Some(true))), Some(At::Offset(17)));

        // No place overflows.
        assert_eq!(after(OFFSET, At::Offset(u64::MAX), 10, place(Some(5), None)), None);
    }

    #[test]
    fn cursors_end_when_there_is_none() {
        let cursor = |token: Option<&str>, has_more| Position {
            next_cursor: token.map(str::to_owned),
            has_more,
            ..Position::default()
        };
        let leads = Some(At::Token("c".to_owned()));

        for (paging, rows, position, expected) in [
            (CURSOR, 0, cursor(Some("c"), Some(false)), leads.clone()),
            (CURSOR, 10, cursor(Some(""), Some(true)), None),
            (CURSOR, 10, cursor(None, Some(true)), None),
            (KEY, 10, cursor(Some("c"), Some(true)), leads.clone()),
            (KEY, 10, cursor(Some("c"), Some(false)), None),
            (KEYSET, 10, cursor(Some("c"), None), leads),
            (KEYSET, 0, cursor(None, Some(true)), None),
            (KEYSET, 10, cursor(None, Some(false)), None),
            (
                KEYSET,
                10,
                cursor(None, Some(true)),
                Some(At::Keys(vec![
                    ("to_ms".to_owned(), "last time_ms".to_owned()),
                    ("to_id".to_owned(), "last id".to_owned()),
                ])),
            ),
            (Paging::None, 10, cursor(Some("c"), Some(true)), None),
        ] {
            assert_eq!(
                after(paging, At::Start, rows, position.clone()),
                expected,
                "{paging:?} {position:?}"
            );
        }
    }

    #[test]
    fn tokens_survive_text() {
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
