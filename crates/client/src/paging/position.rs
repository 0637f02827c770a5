//! Computes the position of the next page of a list. Each kind of paging has its own match arm.

use crypto_intel_core::{Call, Error, Paged, Paging, Position, Value};
use serde::Serialize;

/// Position of a page in a list.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum At {
    /// The start of the list, or the position that the arguments of the request set.
    Start,
    /// The page that starts after this number of rows.
    Offset(u64),
    /// The page that is requested with this cursor or pagination key.
    Token(String),
    /// The page that starts after a certain row. Each pair contains the name of a request parameter and its value from
    /// this row, for example `("to_fill_id", "7")`.
    Keys(Vec<(String, String)>),
}

/// Number of rows, paging fields and last row of a received page. `Arrived` does not depend on the type of the rows, so
/// the code that computes positions is compiled only once.
pub(crate) struct Arrived<'a> {
    /// Number of rows in the page.
    pub(crate) rows: u64,
    pub(crate) position: Position,
    pub(crate) last: Box<LastRow<'a>>,
}

/// Function that returns a field of the page's last row as text. Its argument is the field name.
type LastRow<'a> = dyn Fn(&str) -> Option<String> + 'a;

impl<'a> Arrived<'a> {
    pub(crate) fn new(page: &'a impl Paged<Item: Serialize>) -> Self {
        let last = page.items().last();
        Arrived {
            rows: page.items().len() as u64,
            position: page.position(),
            last: Box::new(move |name| field_text(serde_json::to_value(last?).ok()?, name)),
        }
    }
}

fn field_text(row: serde_json::Value, name: &str) -> Option<String> {
    match row.get(name)? {
        serde_json::Value::String(text) => Some(text.clone()),
        serde_json::Value::Null => None,
        other => Some(other.to_string()),
    }
}

/// Data about a received page, from which [`next_at`] computes the position of the next page.
pub(crate) struct ReceivedPage<'a> {
    /// Position of this page.
    pub(crate) at: &'a At,
    /// Value of the offset parameter in the original request: the number of rows to skip at the start of the list.
    /// `None` if the request does not set this parameter.
    pub(crate) offset: Option<u64>,
    /// Page size that the client requested, in rows.
    pub(crate) limit: Option<u64>,
    /// Maximum page size of the operation, in rows.
    pub(crate) most: Option<u64>,
    /// Number of rows in this page.
    pub(crate) rows: u64,
    pub(crate) position: &'a Position,
    pub(crate) last: &'a LastRow<'a>,
}

impl ReceivedPage<'_> {
    /// Returns the page size that the service applied. This is the size in the response, or else the requested size. A
    /// size in the response is ignored in these cases:
    /// - It is zero or negative.
    /// - It is larger than both the requested size and the operation's maximum page size.
    /// - Both the requested size and the maximum page size are unknown.
    pub(crate) fn size(&self) -> Option<u64> {
        let most = self.limit.max(self.most);
        non_negative(self.position.limit)
            .filter(|size| *size > 0 && most.is_some_and(|most| *size <= most))
            .or(self.limit)
    }

    /// Returns the number of rows between the start of this page and the start of the next page. The page itself can
    /// contain fewer rows than this number, because a filter can remove rows.
    pub(crate) fn step(&self) -> u64 {
        self.size().unwrap_or(0).max(self.rows)
    }

    /// Returns the number of rows in the list before this page.
    fn rows_before(&self) -> u64 {
        match self.at {
            At::Offset(offset) => *offset,
            _ => self.offset.unwrap_or(0),
        }
    }

    /// Returns the total number of rows in the list, as the service reports it. Returns `None` if the reported total is
    /// less than the number of rows up to the end of this page. If this page is empty, the total is not checked.
    pub(crate) fn total(&self) -> Option<u64> {
        let least = self.rows_before().saturating_add(self.rows);
        non_negative(self.position.total).filter(|total| *total >= least || self.rows == 0)
    }

    /// Returns true if the service reports `has_more: false`: no row follows this page.
    pub(crate) fn is_last(&self) -> bool {
        self.position.has_more == Some(false)
    }
}

/// Returns the position of the next page, or `None` at the end of the list.
///
/// `has_more: false` ends a list, unless the catalogue entry of the operation has `ends_by_token`. With
/// `ends_by_token`, only a page without a cursor ends the list. The service filters the pages of these operations, so a
/// page before the end may be short or empty.
///
/// Exception for keyset paging: a page without a cursor does not end the list if the page reports `has_more: true` and
/// its last row contains all keys. The next page then starts after these keys.
pub(crate) fn next_at(paging: Paging, page: &ReceivedPage<'_>) -> Option<At> {
    let token =
        || page.position.next_cursor.clone().filter(|token| !token.is_empty()).map(At::Token);

    match paging {
        Paging::None => None,
        Paging::Offset { .. } => next_offset(page).map(At::Offset),
        Paging::Cursor { ends_by_token, .. } => {
            token().filter(|_| ends_by_token || !page.is_last())
        }
        // A page without a cursor is followed by the page after the keys of its last row.
        Paging::Keyset { keys, ends_by_token, .. } => {
            let token = token().filter(|_| ends_by_token || !page.is_last());
            token.or_else(|| next_keys(keys, page).map(At::Keys))
        }
        // With `has_more: false`, the pagination key points to rows that do not exist yet.
        Paging::PaginationKey { .. } => token().filter(|_| !page.is_last()),
    }
}

/// Checks the response fields that show whether another page follows, such as `next_cursor`. Returns the name of a
/// field whose value has the wrong type, for example a list instead of a string. Otherwise returns `None`.
pub(crate) fn wrong_field(paging: Paging, page: &ReceivedPage<'_>) -> Option<&'static str> {
    let decisive: &[&str] = match paging {
        Paging::Cursor { ends_by_token: true, .. } => &["next_cursor"],
        Paging::Keyset { ends_by_token: true, .. } => &["next_cursor", "has_more"],
        Paging::None => &[],
        _ if page.is_last() => &[],
        // If the total is known, the end of the list is known without these fields.
        Paging::Offset { .. } if page.total().is_some() => &[],
        Paging::Offset { .. } => &["has_more", "total"],
        Paging::Cursor { .. } => &["next_cursor"],
        Paging::Keyset { .. } => &["next_cursor", "has_more"],
        Paging::PaginationKey { .. } => &["pagination_key"],
    };
    let whole = ["meta", "pagination"];

    let mut unreadable = page.position.unreadable.iter().copied();
    unreadable
        .find(|name| decisive.contains(name) || (paging != Paging::None && whole.contains(name)))
}

/// Returns true if the page reports `has_more: true`, but does not contain the position of the next page. The caller
/// has already checked that [`next_at`] returns `None`.
///
/// Returns false if `has_more` does not decide where the list ends: for an operation without paging, for offset paging
/// with a known total, and for cursor paging with `ends_by_token`.
pub(crate) fn misses_position(paging: Paging, page: &ReceivedPage<'_>) -> bool {
    let ends_otherwise = match paging {
        Paging::None => true,
        Paging::Offset { .. } => page.total().is_some(),
        Paging::Cursor { ends_by_token, .. } => ends_by_token,
        Paging::Keyset { .. } | Paging::PaginationKey { .. } => false,
    };
    !ends_otherwise && page.position.has_more == Some(true)
}

/// Returns the row number at which the next page starts, or `None` at the end of the list.
///
/// The following rules are checked in order. The first rule that applies decides whether the list ends:
/// 1. The page reports `has_more: false`: the list ends.
/// 2. The total is known: the list ends when the total is reached.
/// 3. The page reports `has_more: true`: the list does not end.
/// 4. In all other cases, the list ends if the page is not full. If the page size is unknown, a page with at least one
///    row counts as full.
///
/// Exception to rules 2 and 3: if the page is empty and the page size is unknown, the list ends, because the next page
/// would start at the same row.
fn next_offset(page: &ReceivedPage<'_>) -> Option<u64> {
    let begin = page.rows_before();
    let next = begin.saturating_add(page.step());
    let more = match (page.total(), page.position.has_more) {
        (_, Some(false)) => false,
        (Some(total), _) => next < total,
        (None, Some(true)) => true,
        (None, None) => page.rows > 0 && page.size().is_none_or(|size| page.rows >= size),
    };
    (more && next > begin).then_some(next)
}

/// Returns the names and values of the parameters that request the next page. The values are from the page's last row.
/// For example, the key `("to_ms", "time_ms")` sets the parameter `to_ms` to the field `time_ms` of this row. Returns
/// `None` in these cases:
/// - The page has no rows.
/// - The last row has no value for one of the keys.
/// - The page does not report `has_more: true`.
fn next_keys(keys: &[(&str, &str)], page: &ReceivedPage<'_>) -> Option<Vec<(String, String)>> {
    if page.position.has_more != Some(true) || page.rows == 0 {
        return None;
    }
    keys.iter().map(|(param, member)| Some(((*param).to_owned(), (page.last)(member)?))).collect()
}

/// Converts a number from the service to `u64`. Returns `None` if the number is negative or missing.
pub(crate) fn non_negative(number: Option<i64>) -> Option<u64> {
    number.and_then(|number| u64::try_from(number).ok())
}

/// Returns the call that requests the page at `at`.
///
/// # Errors
/// Returns [`ErrorKind::InvalidRequest`](crypto_intel_core::ErrorKind::InvalidRequest) if the operation does not have
/// this kind of paging, for example if `at` is an offset but the operation uses cursors.
pub(crate) fn call_at(mut call: Call, at: &At) -> Result<Call, Error> {
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
            let message =
                "the position in the resume token does not match the paging of this operation";
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

    fn next_after(paging: Paging, at: At, rows: u64, position: Position) -> Option<At> {
        let last = |name: &str| (rows > 0).then(|| format!("last {name}"));
        let (limit, most, offset, position) = (Some(10), Some(50), Some(7), &position);
        next_at(paging, &ReceivedPage { at: &at, offset, limit, most, rows, position, last: &last })
    }

    #[track_caller]
    fn assert_next(paging: Paging, at: At, rows: u64, position: Position, expected: Option<At>) {
        let next = next_after(paging, at.clone(), rows, position.clone());
        assert_eq!(next, expected, "{paging:?} {at:?} {rows} {position:?}");
    }

    /// Returns a position with the token of the next page and `has_more`.
    fn cursor(token: Option<&str>, has_more: Option<bool>) -> Position {
        Position { next_cursor: token.map(str::to_owned), has_more, ..Position::default() }
    }

    fn meta(total: Option<i64>, has_more: Option<bool>) -> Position {
        Position { total, has_more, ..Position::default() }
    }

    #[test]
    fn offset_list_ends_at_total_or_has_more_or_short_page() {
        for (begin, rows, position, expected) in [
            (0, 10, meta(Some(25), None), Some(10)),
            (20, 5, meta(Some(25), None), None),
            (10, 10, meta(Some(20), Some(true)), None),
            // A filter removed rows from the page. The next page still starts one page size later.
            (10, 3, meta(Some(50), None), Some(20)),
            (10, 0, meta(Some(50), None), Some(20)),
            (0, 3, meta(None, Some(true)), Some(10)),
            (0, 10, meta(None, Some(false)), None),
            (0, 10, meta(None, None), Some(10)),
            (0, 9, meta(None, None), None),
            (0, 0, meta(None, None), None),
        ] {
            assert_next(OFFSET, At::Offset(begin), rows, position, expected.map(At::Offset));
        }

        // On the first page, the offset in the request counts. The offset in the response is ignored.
        let page = Position { offset: Some(i64::MAX), ..meta(Some(90), None) };
        assert_next(OFFSET, At::Start, 10, page, Some(At::Offset(17)));
        assert_next(OFFSET, At::Start, 10, meta(None, Some(true)), Some(At::Offset(17)));

        // An offset near the maximum does not overflow.
        assert_next(OFFSET, At::Offset(u64::MAX), 10, meta(Some(5), None), None);
    }

    #[test]
    fn offset_list_tolerates_impossible_totals_and_page_sizes() {
        for (begin, rows, position, expected) in [
            // The total is less than the number of received rows.
            (0, 10, meta(Some(0), Some(true)), Some(10)),
            (0, 10, meta(Some(-1), None), Some(10)),
            // The total is negative or very large, with and without rows.
            (0, 0, meta(Some(-1), None), None),
            (0, 0, meta(Some(i64::MIN), Some(true)), Some(10)),
            (0, 10, meta(Some(i64::MAX), None), Some(10)),
            // The service reports `has_more: false`, although its total is larger.
            (0, 10, meta(Some(25), Some(false)), None),
            // The response contains the page size 0, which is ignored.
            (0, 9, Position { limit: Some(0), ..meta(None, None) }, None),
            // The response contains a page size that is not possible for this request.
            (0, 10, Position { limit: Some(i64::MAX), ..meta(Some(25), None) }, Some(10)),
            (0, 10, Position { limit: Some(51), ..meta(Some(70), None) }, Some(10)),
            (0, 10, Position { limit: Some(50), ..meta(Some(70), None) }, Some(50)),
            (0, 10, Position { limit: Some(-3), ..meta(Some(25), None) }, Some(10)),
            // The service may apply a smaller page size than the client requested.
            (0, 4, Position { limit: Some(4), total: Some(9), ..Position::default() }, Some(4)),
        ] {
            assert_next(OFFSET, At::Offset(begin), rows, position, expected.map(At::Offset));
        }
    }

    #[test]
    fn missing_position_is_detected() {
        let misses = |paging, rows, total, has_more| {
            let position = &meta(total, has_more);
            let (at, last) = (&At::Start, &|_: &str| None);
            let (limit, most, offset) = (None, None, None);
            let page = ReceivedPage { at, offset, limit, most, rows, position, last };
            next_at(paging, &page).is_none() && misses_position(paging, &page)
        };

        for (paging, rows, total, has_more, expected) in [
            (OFFSET, 0, None, Some(true), true),
            (OFFSET, 5, None, Some(true), false),
            (OFFSET, 5, Some(5), Some(true), false),
            (OFFSET, 0, None, Some(false), false),
            (CURSOR, 5, None, Some(true), true),
            (CURSOR, 5, None, None, false),
            (FILTERED, 5, None, Some(true), false),
            (KEYSET, 0, None, Some(true), true),
            (KEY, 5, None, Some(true), true),
            (Paging::None, 5, None, Some(true), false),
        ] {
            assert_eq!(
                misses(paging, rows, total, has_more),
                expected,
                "{paging:?} {rows} {total:?}"
            );
        }
    }

    #[test]
    fn cursor_list_ends_without_cursor_or_at_has_more_false() {
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
            (Paging::None, 10, cursor(Some("c"), Some(true)), None),
        ] {
            assert_next(paging, At::Start, rows, position, expected);
        }
    }

    #[test]
    fn keyset_list_continues_after_the_cursor_or_the_last_row() {
        let after_last_row = At::Keys(vec![
            ("to_ms".to_owned(), "last time_ms".to_owned()),
            ("to_id".to_owned(), "last id".to_owned()),
        ]);

        for (rows, position, expected) in [
            (10, cursor(Some("c"), None), Some(At::Token("c".to_owned()))),
            (10, cursor(Some("c"), Some(false)), None),
            (0, cursor(None, Some(true)), None),
            (10, cursor(None, Some(false)), None),
            (10, cursor(None, Some(true)), Some(after_last_row)),
        ] {
            assert_next(KEYSET, At::Start, rows, position, expected);
        }
    }
}
