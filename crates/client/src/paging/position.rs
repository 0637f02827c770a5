//! Where the next page begins: pure, one arm a kind of paging.

use std::fmt;
use std::str::FromStr;

use crypto_intel_core::{Error, Kind, Operation, Paging, Position};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Where a page begins.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    let number = |n: Option<i64>| n.and_then(|n| u64::try_from(n).ok());
    let begin = match seen.at {
        At::Offset(offset) => *offset,
        _ => number(seen.position.offset).unwrap_or(0),
    };
    let size = number(seen.position.limit).filter(|size| *size > 0).or(seen.limit);
    let step = size.unwrap_or(0).max(seen.rows);
    let next = begin.saturating_add(step);
    // A total that the rows themselves disprove is none.
    let total =
        number(seen.position.total).filter(|total| *total >= begin + seen.rows || seen.rows == 0);
    let more = match (total, seen.position.has_more) {
        (Some(total), _) => next < total,
        (None, Some(more)) => more,
        (None, None) => seen.rows > 0 && size.is_none_or(|size| seen.rows >= size),
    };
    (more && step > 0).then_some(next)
}

/// A place in a list to go on from, in this run of the program or another.
///
/// It is text for people and files (`Display`, `FromStr`, serde) and means something to the
/// operation it came from only; the request is built anew with the same parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResumeToken {
    operation: String,
    at: At,
    /// Rows of that page that were taken already.
    skip: u64,
}

impl ResumeToken {
    pub(crate) fn new(operation: &Operation, at: At, skip: u64) -> Self {
        ResumeToken { operation: operation.id.to_owned(), at, skip }
    }

    /// The place, if the token is one of `operation`.
    pub(crate) fn place(self, operation: &Operation) -> Result<(At, u64), Error> {
        if self.operation == operation.id {
            return Ok((self.at, self.skip));
        }
        let message =
            format!("the resume token is one of `{}`, not of this operation", self.operation);
        Err(Error::new(Kind::InvalidRequest, message).with_operation(operation.id))
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
        write!(f, "{}{SEPARATOR}{}{SEPARATOR}{kind}{SEPARATOR}{value}", self.operation, self.skip)
    }
}

impl FromStr for ResumeToken {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let fault = || Error::invalid("this is not a resume token; use one that a pager gave");
        let mut parts = text.splitn(4, SEPARATOR);
        let mut part = || parts.next().ok_or_else(fault);
        let (operation, skip, kind, value) = (part()?, part()?, part()?, part()?);
        let at = match kind {
            "start" => At::Start,
            "offset" => At::Offset(value.parse().map_err(|_| fault())?),
            "token" => At::Token(value.to_owned()),
            "keys" => At::Keys(serde_json::from_str(value).map_err(|_| fault())?),
            _ => return Err(fault()),
        };
        Ok(ResumeToken {
            operation: operation.to_owned(),
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
        next(paging, &Seen { at: &at, limit: Some(10), rows, position: &position, last: &last })
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
            let token = ResumeToken { operation: "x".to_owned(), at, skip: 3 };
            assert_eq!(token.to_string().parse::<ResumeToken>().unwrap(), token);
            let json = serde_json::to_string(&token).unwrap();
            assert_eq!(serde_json::from_str::<ResumeToken>(&json).unwrap(), token);
        }
        for text in ["", "a", "a|b|c|d", "a|1|offset|x", "a|1|keys|x", "a|-1|start|"] {
            assert!(text.parse::<ResumeToken>().is_err(), "{text}");
        }
    }
}
