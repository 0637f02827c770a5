//! Finds the rows of the requested page in a list.
//!
//! The inputs are the arguments of a request and all rows of the list. The output is the range of the page's rows in
//! the list, and the cursor of the next page.

use std::ops::Range;

use crypto_intel_core::Paging;

use crate::context::Context;
use crate::refusal::Refusal;
use crypto_intel_world::Row;
use crypto_intel_world::args::Args;
use crypto_intel_world::random::Seed;

/// Position of one page in its list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Page {
    /// Indexes of the page's rows in the list, counted from 0.
    pub(crate) rows: Range<usize>,
    /// Page size: the requested size, or the default. If the endpoint has no pages and the request sets no size,
    /// `limit` is the number of rows in the list.
    pub(crate) limit: i64,
    /// Number of rows before the page, for endpoints that page by offset.
    pub(crate) offset: i64,
    /// Number of rows of the whole list. `None` if the endpoint does not return this number.
    pub(crate) total: Option<usize>,
    pub(crate) has_more: bool,
    /// Cursor position at which the next page begins. `None` if no next page exists, or if the endpoint has no cursors.
    pub(crate) next: Option<u64>,
}

impl Page {
    /// Returns the page for a response that is a single record. The record counts as one row.
    pub(crate) fn single() -> Self {
        Page { rows: 0..1, limit: 1, offset: 0, total: Some(1), has_more: false, next: None }
    }

    /// Returns a page that contains all `count` rows of a list.
    pub(crate) fn all_rows(count: usize) -> Self {
        let limit = i64::try_from(count).unwrap_or(i64::MAX);
        Page { rows: 0..count, limit, total: Some(count), ..Page::single() }
    }

    /// Creates the cursor of the next page. Returns `None` if no next page exists, or if the endpoint has no cursors.
    /// Two equal requests get different cursors, because `ctx.nonce` differs.
    pub(crate) fn token(&self, ctx: &Context<'_>, args: &Args) -> Option<String> {
        let place = self.next?;
        Some(ctx.cursors.write(identity(ctx, args), place, ctx.nonce))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

/// Hashes the arguments of a request, except the arguments that select a page. All pages of a list have the same hash.
pub(crate) fn identity(ctx: &Context<'_>, args: &Args) -> Seed {
    let mut seed = ctx.seed.named(args.operation.id);
    let places: Vec<_> = args.operation.paging.parameters().collect();
    for (name, value) in args.iter() {
        if !places.contains(&name) {
            seed = seed.named(name).named(&value.to_string());
        }
    }
    seed
}

/// Finds the requested page in `rows`. With [`Gaps::Some`], some pages are short: they have fewer rows than the page
/// size, although they are not the last page. The service also returns short pages.
///
/// # Errors
/// Returns an error with status 400 if the cursor belongs to another query.
pub(crate) fn page(
    ctx: &Context<'_>,
    args: &Args,
    rows: &[Row],
    gaps: Gaps,
) -> Result<Page, Refusal> {
    let total = rows.len();
    match args.operation.paging {
        Paging::None => Ok(unpaged(args, total)),
        Paging::Offset { limit, offset } => {
            let (limit, offset) = (size(args, limit), args.integer(offset).unwrap_or(0));
            let start = usize::try_from(offset).unwrap_or(usize::MAX).min(total);
            let end = start.saturating_add(usize::try_from(limit).unwrap_or(0)).min(total);
            let has_more = end < total;
            Ok(Page { rows: start..end, limit, offset, total: Some(total), has_more, next: None })
        }
        Paging::Cursor { limit, cursor, .. } => by_token(ctx, args, total, limit, cursor, gaps),
        Paging::Keyset { limit, cursor, keys, .. } => {
            // A cursor is an exact position, so it takes precedence over keys.
            if args.is_given(cursor) || !keys.iter().any(|(name, _)| args.is_given(name)) {
                return by_token(ctx, args, total, limit, cursor, gaps);
            }

            let start = after_keys(args, rows, keys);
            let size = size(args, limit);
            let end = start.saturating_add(usize::try_from(size).unwrap_or(0)).min(total);
            let has_more = end < total;
            let next = has_more.then(|| slot_of(end, gaps) as u64);
            Ok(Page { rows: start..end, limit: size, offset: 0, total: None, has_more, next })
        }
        Paging::PaginationKey { limit, key } => by_token(ctx, args, total, limit, key, Gaps::None),
    }
}

/// Returns the index of the first row of the requested page. The request contains key values of the last row on the
/// previous page, such as the identifier `to_fill_id` and the time `to_ms`. If the request contains all key values and
/// they match a row, the page begins after this row.
///
/// Otherwise, the time alone selects the first row. With `order=asc`, the page begins with the first row at or after
/// the time. With any other order, the page begins with the first row at or before the time.
fn after_keys(args: &Args, rows: &[Row], keys: &[(&str, &str)]) -> usize {
    let has = |row: &Row, (param, member): &(&str, &str)| match args.given(param) {
        Some(wish) => row.given.get(member).is_some_and(|value| *value == *wish),
        None => true,
    };
    if let Some(exact) = rows.iter().position(|row| keys.iter().all(|key| has(row, key)))
        && keys.iter().all(|(param, _)| args.is_given(param))
    {
        return exact + 1;
    }
    let number = |row: &Row| {
        keys.iter().find_map(|(param, member)| {
            Some((row.given.get(member)?.as_i64()?, args.integer(param)?))
        })
    };
    let ascending = args.text("order") == Some("asc");
    rows.iter()
        .position(|row| match number(row) {
            Some((value, bound)) if ascending => value >= bound,
            Some((value, bound)) => value <= bound,
            None => false,
        })
        .unwrap_or(rows.len())
}

/// Page size of operations whose API description has no default.
const DEFAULT_SIZE: i64 = 20;

fn size(args: &Args, limit: &str) -> i64 {
    args.integer(limit).unwrap_or(DEFAULT_SIZE)
}

/// Returns the only page of an operation without paging. The page contains all rows of the list. If the request has the
/// argument `limit`, the page contains at most this number of rows.
fn unpaged(args: &Args, total: usize) -> Page {
    let asked = args.integer("limit").and_then(|limit| usize::try_from(limit).ok());
    let count = total.min(asked.unwrap_or(total));
    let limit = i64::try_from(asked.unwrap_or(count)).unwrap_or(i64::MAX);
    Page { rows: 0..count, limit, offset: 0, total: Some(count), has_more: false, next: None }
}

/// Setting that decides whether a list has gaps. A gap is a range of cursor positions without rows, as if a filter had
/// removed the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gaps {
    Some,
    None,
}

/// Number of cursor positions in one cycle. In each cycle, the positions 40 to 59 have no rows. So some pages are short
/// or empty, although more rows follow. The service returns short and empty pages too.
const CYCLE: usize = 100;
const GAP: Range<usize> = 40..60;
const ROWS_A_CYCLE: usize = CYCLE - (GAP.end - GAP.start);

/// Returns the number of rows before the cursor position `slot`.
fn rows_before(slot: usize, gaps: Gaps) -> usize {
    if gaps == Gaps::None {
        return slot;
    }
    let (cycles, rest) = (slot / CYCLE, slot % CYCLE);
    let in_rest = rest.min(GAP.start) + rest.saturating_sub(GAP.end);
    cycles * ROWS_A_CYCLE + in_rest
}

/// Returns the cursor position of the row with the index `row`. With [`Gaps::Some`], there are positions without rows,
/// so row 40 has the cursor position 60.
fn slot_of(row: usize, gaps: Gaps) -> usize {
    if gaps == Gaps::None {
        return row;
    }
    let (cycles, rest) = (row / ROWS_A_CYCLE, row % ROWS_A_CYCLE);
    let gap = if rest < GAP.start { 0 } else { GAP.end - GAP.start };
    cycles * CYCLE + rest + gap
}

fn by_token(
    ctx: &Context<'_>,
    args: &Args,
    total: usize,
    limit: &str,
    token: &'static str,
    gaps: Gaps,
) -> Result<Page, Refusal> {
    let limit = size(args, limit);
    let query = identity(ctx, args);
    let first = match args.text(token).filter(|token| !token.is_empty()) {
        Some(text) => usize::try_from(ctx.cursors.read(token, query, text)?).unwrap_or(usize::MAX),
        None => 0,
    };
    let last = first.saturating_add(usize::try_from(limit).unwrap_or(0));
    let rows = rows_before(first, gaps).min(total)..rows_before(last, gaps).min(total);
    let has_more = rows.end < total;
    let next = has_more.then_some(last as u64);
    Ok(Page { rows, limit, offset: 0, total: None, has_more, next })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_in_exactly_one_slot() {
        for size in [1, 7, 20, 50, 100] {
            let mut seen = 0;
            for slot in (0..1_000).step_by(size) {
                let rows = rows_before(slot, Gaps::Some)..rows_before(slot + size, Gaps::Some);
                assert_eq!(rows.start, seen, "size {size}");
                seen = rows.end;
            }
            assert!(seen >= 800);
        }
        assert_eq!(rows_before(60, Gaps::Some), rows_before(40, Gaps::Some));
        for row in 0..300 {
            assert_eq!(rows_before(slot_of(row, Gaps::Some), Gaps::Some), row);
        }
    }
}
