//! Computes the position of the next page, with one match arm for each kind of paging.

use crypto_intel_core::{Call, Error, Paged, Paging, Position, Value};
use serde::Serialize;

/// Position of a page.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum At {
    /// The beginning, or the position that the request itself sets.
    Start,
    /// The page after this number of rows.
    Offset(u64),
    /// The page to which this cursor leads.
    Token(String),
    /// The page after the row with these keys, as pairs of parameter name and value.
    Keys(Vec<(String, String)>),
}

/// Properties of a received page, without the type of its rows. So the code for positions is compiled once for all row
/// types.
pub(crate) struct Arrived<'a> {
    /// Number of received rows.
    pub(crate) rows: u64,
    pub(crate) position: Position,
    pub(crate) last: Box<LastRow<'a>>,
}

/// Function that returns a field of the last row as text.
type LastRow<'a> = dyn Fn(&str) -> Option<String> + 'a;

impl<'a> Arrived<'a> {
    pub(crate) fn new(page: &'a impl Paged<Item: Serialize>) -> Self {
        let last = page.items().last();
        Arrived {
            rows: page.items().len() as u64,
            position: page.position(),
            last: Box::new(move |name| member(serde_json::to_value(last?).ok()?, name)),
        }
    }
}

fn member(row: serde_json::Value, name: &str) -> Option<String> {
    match row.get(name)? {
        serde_json::Value::String(text) => Some(text.clone()),
        serde_json::Value::Null => None,
        other => Some(other.to_string()),
    }
}

/// Properties of a page that determine the position of the next page.
pub(crate) struct Seen<'a> {
    /// Position of the page.
    pub(crate) at: &'a At,
    /// Number of rows that the request skips at the start of the list.
    pub(crate) offset: Option<u64>,
    /// Requested page size.
    pub(crate) limit: Option<u64>,
    /// Maximum page size.
    pub(crate) most: Option<u64>,
    /// Number of received rows.
    pub(crate) rows: u64,
    pub(crate) position: &'a Position,
    pub(crate) last: &'a LastRow<'a>,
}

impl Seen<'_> {
    /// Returns the actual page size. This is the size that the service reports, or else the requested size. A reported
    /// size of zero or above the maximum is ignored.
    pub(crate) fn size(&self) -> Option<u64> {
        let most = self.limit.max(self.most);
        natural(self.position.limit)
            .filter(|size| *size > 0 && most.is_some_and(|most| *size <= most))
            .or(self.limit)
    }

    /// Returns the number of rows between the start of this page and the start of the next page. A filter may have
    /// removed some of these rows from the page.
    pub(crate) fn step(&self) -> u64 {
        self.size().unwrap_or(0).max(self.rows)
    }

    /// Returns the number of rows before this page.
    fn begin(&self) -> u64 {
        match self.at {
            At::Offset(offset) => *offset,
            _ => self.offset.unwrap_or(0),
        }
    }

    /// Returns the number of all rows. A total that is less than the received rows is ignored.
    pub(crate) fn total(&self) -> Option<u64> {
        let least = self.begin().saturating_add(self.rows);
        natural(self.position.total).filter(|total| *total >= least || self.rows == 0)
    }

    /// Returns true if the service reports that no row follows.
    pub(crate) fn is_last(&self) -> bool {
        self.position.has_more == Some(false)
    }
}

/// Returns the position of the next page; `None` at the end.
///
/// `has_more: false` ends each list, with one exception: for some operations the catalogue defines that only a
/// missing cursor ends the list. Their filtered pages may be short or empty while a cursor follows.
pub(crate) fn next(paging: Paging, seen: &Seen<'_>) -> Option<At> {
    let token =
        || seen.position.next_cursor.clone().filter(|token| !token.is_empty()).map(At::Token);

    match paging {
        Paging::None => None,
        Paging::Offset { .. } => next_offset(seen).map(At::Offset),
        Paging::Cursor { ends_by_token, .. } => {
            token().filter(|_| ends_by_token || !seen.is_last())
        }
        // Without a cursor, the keys of the last row are used.
        Paging::Keyset { keys, ends_by_token, .. } => {
            let token = token().filter(|_| ends_by_token || !seen.is_last());
            token.or_else(|| next_keys(keys, seen).map(At::Keys))
        }
        // With `has_more: false`, a pagination key leads to data that does not exist yet.
        Paging::PaginationKey { .. } => token().filter(|_| !seen.is_last()),
    }
}

/// Returns the field that would show whether another page follows, if that field has the wrong type.
pub(crate) fn unclear(paging: Paging, seen: &Seen<'_>) -> Option<&'static str> {
    let decisive: &[&str] = match paging {
        Paging::Cursor { ends_by_token: true, .. } => &["next_cursor"],
        Paging::Keyset { ends_by_token: true, .. } => &["next_cursor", "has_more"],
        Paging::None => &[],
        _ if seen.is_last() => &[],
        // A known total shows that this is the end.
        Paging::Offset { .. } if seen.total().is_some() => &[],
        Paging::Offset { .. } => &["has_more", "total"],
        Paging::Cursor { .. } => &["next_cursor"],
        Paging::Keyset { .. } => &["next_cursor", "has_more"],
        Paging::PaginationKey { .. } => &["pagination_key"],
    };
    let whole = ["meta", "pagination"];

    let mut unreadable = seen.position.unreadable.iter().copied();
    unreadable
        .find(|name| decisive.contains(name) || (paging != Paging::None && whole.contains(name)))
}

/// Returns the row number at which the next page begins, or `None` at the end of the list. The list ends if `has_more`
/// is false, or at the total if the service returns one, or else after a page that is not full.
fn next_offset(seen: &Seen<'_>) -> Option<u64> {
    let begin = seen.begin();
    let next = begin.saturating_add(seen.step());
    let more = match (seen.total(), seen.position.has_more) {
        (_, Some(false)) => false,
        (Some(total), _) => next < total,
        (None, Some(true)) => true,
        (None, None) => seen.rows > 0 && seen.size().is_none_or(|size| seen.rows >= size),
    };
    (more && next > begin).then_some(next)
}

/// Returns the keys of the last row, if there is a row and the service reports more.
fn next_keys(keys: &[(&str, &str)], seen: &Seen<'_>) -> Option<Vec<(String, String)>> {
    if seen.position.has_more != Some(true) || seen.rows == 0 {
        return None;
    }
    keys.iter().map(|(param, member)| Some(((*param).to_owned(), (seen.last)(member)?))).collect()
}

/// Converts a count from the service; `None` if it is negative.
pub(crate) fn natural(number: Option<i64>) -> Option<u64> {
    number.and_then(|number| u64::try_from(number).ok())
}

/// Returns the call for the page at `at`.
///
/// # Errors
/// [`ErrorKind::InvalidRequest`](crypto_intel_core::ErrorKind::InvalidRequest) if lists of this operation have no
/// positions of this kind.
pub(crate) fn placed(mut call: Call, at: &At) -> Result<Call, Error> {
    let operation = call.operation();
    let paging = operation.paging;

    match (paging.offset(), paging.token(), at) {
        (_, _, At::Start) => {}
        (Some(name), _, At::Offset(offset)) => call.set_text(name, &offset.to_string())?,
        (_, Some(name), At::Token(token)) => {
            if let Some((index, _)) = operation.param(name) {
                call.set(index, Value::Text(token.clone()));
            }
        }
        (_, _, At::Keys(keys)) if keys.iter().all(|(name, _)| is_key(paging, name)) => {
            for (name, value) in keys {
                call.set_text(name, value)?;
            }
        }
        _ => {
            let message = "the resume token does not belong to this kind of list";
            return Err(Error::invalid(message).with_operation(operation.id));
        }
    }

    Ok(call)
}

fn is_key(paging: Paging, name: &str) -> bool {
    paging.keys().iter().any(|(known, _)| *known == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OFFSET: Paging = Paging::Offset { limit: "limit", offset: "offset" };
    const CURSOR: Paging =
        Paging::Cursor { limit: "limit", cursor: "cursor", ends_by_token: false };
    const FILTERED: Paging =
        Paging::Cursor { limit: "limit", cursor: "cursor", ends_by_token: true };
    const KEY: Paging = Paging::PaginationKey { limit: "limit", key: "pagination_key" };
    const KEYSET: Paging = Paging::Keyset {
        limit: "limit",
        cursor: "cursor",
        keys: &[("to_ms", "time_ms"), ("to_id", "id")],
        ends_by_token: false,
    };

    fn after(paging: Paging, at: At, rows: u64, position: Position) -> Option<At> {
        let last = |name: &str| (rows > 0).then(|| format!("last {name}"));
        let (limit, most, offset, position) = (Some(10), Some(50), Some(7), &position);
        next(paging, &Seen { at: &at, offset, limit, most, rows, position, last: &last })
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
            // A filter removed rows: the next page still begins one page size later.
            (10, 3, place(Some(50), None), Some(20)),
            (10, 0, place(Some(50), None), Some(20)),
            (0, 3, place(None, Some(true)), Some(10)),
            (0, 10, place(None, Some(false)), None),
            (0, 10, place(None, None), Some(10)),
            (0, 9, place(None, None), None),
            // A reported page size of 0 is ignored.
            (0, 9, Position { limit: Some(0), ..place(None, None) }, None),
            (0, 0, place(None, None), None),
            // A total that is less than the received rows.
            (0, 10, place(Some(0), Some(true)), Some(10)),
            (0, 10, place(Some(-1), None), Some(10)),
            // A negative or very large total, with and without rows.
            (0, 0, place(Some(-1), None), None),
            (0, 0, place(Some(i64::MIN), Some(true)), Some(10)),
            (0, 10, place(Some(i64::MAX), None), Some(10)),
            // The service reports the end, although its total is larger.
            (0, 10, place(Some(25), Some(false)), None),
            // A page size that could not have been requested.
            (0, 10, Position { limit: Some(i64::MAX), ..place(Some(25), None) }, Some(10)),
            (0, 10, Position { limit: Some(51), ..place(Some(70), None) }, Some(10)),
            (0, 10, Position { limit: Some(50), ..place(Some(70), None) }, Some(50)),
            (0, 10, Position { limit: Some(-3), ..place(Some(25), None) }, Some(10)),
            // The service may apply a smaller page size than requested.
            (0, 4, Position { limit: Some(4), total: Some(9), ..Position::default() }, Some(4)),
        ] {
            let seen = after(OFFSET, At::Offset(begin), rows, position.clone());
            assert_eq!(seen, expected.map(At::Offset), "{begin} {rows} {position:?}");
        }
        // On the first page the requested offset counts, not the reported one.
        let told = Position { offset: Some(i64::MAX), ..place(Some(90), None) };
        assert_eq!(after(OFFSET, At::Start, 10, told), Some(At::Offset(17)));
        assert_eq!(after(OFFSET, At::Start, 10, place(None, Some(true))), Some(At::Offset(17)));

        // No position overflows.
        assert_eq!(after(OFFSET, At::Offset(u64::MAX), 10, place(Some(5), None)), None);
    }

    #[test]
    fn cursors_end_when_there_is_none_or_the_service_says_so() {
        let cursor = |token: Option<&str>, has_more| Position {
            next_cursor: token.map(str::to_owned),
            has_more,
            ..Position::default()
        };
        let leads = Some(At::Token("c".to_owned()));

        for (paging, rows, position, expected) in [
            (CURSOR, 0, cursor(Some("c"), Some(true)), leads.clone()),
            (CURSOR, 10, cursor(Some("c"), None), leads.clone()),
            (CURSOR, 10, cursor(Some("c"), Some(false)), None),
            (FILTERED, 0, cursor(Some("c"), Some(false)), leads.clone()),
            (FILTERED, 10, cursor(None, Some(true)), None),
            (CURSOR, 10, cursor(Some(""), Some(true)), None),
            (CURSOR, 10, cursor(None, Some(true)), None),
            (KEY, 10, cursor(Some("c"), Some(true)), leads.clone()),
            (KEY, 10, cursor(Some("c"), Some(false)), None),
            (KEYSET, 10, cursor(Some("c"), None), leads),
            (KEYSET, 10, cursor(Some("c"), Some(false)), None),
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
}
