//! Settings for reading a list.
//!
//! A [`Pager`] contains the request of the first page, the limits, and the position at which reading starts. Its method
//! `items` returns a stream of rows, and its method `pages` returns a stream of pages.

use crypto_intel_core::{Call, Error, Operation, Paged, PagedRequest};
use serde::Serialize;

use super::limits::{Limits, page_size};
use super::position::At;
use super::token::ResumeToken;
use crate::credits::{Credits, Estimate, list_price};

/// Default number of offset pages to request in parallel. Four parallel requests hide most of the network latency and
/// stay far below the limit on requests per minute.
const SIDE_BY_SIDE: usize = 4;

/// Settings for reading a list.
///
/// # Defaults
/// - No limit on rows, pages or credits.
/// - At most five consecutive pages without a row.
/// - Four offset pages in parallel.
/// - Reading starts at the beginning of the list.
#[must_use = "a pager does nothing until `items` or `pages` is called"]
pub struct Pager<R> {
    pub(crate) call: Call,
    pub(crate) limits: Limits,
    pub(crate) side_by_side: usize,
    pub(crate) start: Result<(At, u64), Error>,
    request: std::marker::PhantomData<fn() -> R>,
}

impl<R> std::fmt::Debug for Pager<R> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pager")
            .field("call", &self.call)
            .field("limits", &self.limits)
            .field("side_by_side", &self.side_by_side)
            .field("start", &self.start)
            .finish_non_exhaustive()
    }
}

impl<R: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>> Pager<R> {
    pub(crate) fn new(call: Call) -> Self {
        let start = Ok((At::Start, 0));
        let request = std::marker::PhantomData;
        Pager { call, limits: Limits::default(), side_by_side: SIDE_BY_SIDE, start, request }
    }

    /// Sets the maximum number of rows. The client does not request pages beyond this limit.
    pub fn max_items(mut self, limit: u64) -> Self {
        self.limits.items = Some(limit);
        self
    }

    /// Sets the maximum number of pages.
    pub fn max_pages(mut self, limit: u64) -> Self {
        self.limits.pages = Some(limit);
        self
    }

    /// Sets the maximum sum of the list prices of all pages, in credits. This limit has no effect if the operation has
    /// no published price.
    ///
    /// At the limit the stream ends without an error. If the list has more rows,
    /// [`Items::resume_token`](super::Items::resume_token) and [`Page::resume`](super::Page::resume) then return a
    /// resume token. To get an error at a spending limit, set a [`Budget`](crate::credits::Budget).
    pub fn max_credits(mut self, limit: u64) -> Self {
        self.limits.credits = Some(Credits(limit));
        self
    }

    /// Sets the maximum number of consecutive pages without a row. The value 0 counts as 1. A list with filters can
    /// contain pages without a row, and each page costs credits.
    ///
    /// At the limit the stream ends with an error of [`ErrorKind::Service`](crate::ErrorKind::Service).
    /// [`ResumeToken::from_error`] returns the resume token from this error.
    pub fn max_empty_pages(mut self, pages: u64) -> Self {
        self.limits.empty_pages = pages.max(1);
        self
    }

    /// Sets the number of offset pages to request in parallel for a list with a known total. The value 0 counts as 1.
    /// Other lists are requested one page at a time, because each page determines the position of the next page.
    pub fn side_by_side(mut self, pages: usize) -> Self {
        self.side_by_side = pages.max(1);
        self
    }

    /// Continues a list that a program has read only in part. The stream of [`items`](Self::items) starts with the row
    /// at the position of the token. If this row is in the middle of a page, the stream of [`pages`](Self::pages)
    /// starts with the first row of that page. If the token belongs to another operation or to other parameters, both
    /// streams return only an error.
    pub fn resume_from(mut self, token: ResumeToken) -> Self {
        self.start = token.position_for(&self.call);
        self
    }

    /// Returns the estimated cost of reading the list up to its limits, by list price. Returns `None` if the limits do
    /// not bound the cost. A free list costs 0 credits even without a limit.
    ///
    /// For a limit on rows, the estimate assumes full pages. If filters remove rows from pages, more pages are needed
    /// and the cost is higher. [`max_pages`](Self::max_pages) and [`max_credits`](Self::max_credits) bound the cost
    /// even with filters.
    #[must_use]
    pub fn estimate(&self) -> Option<Estimate> {
        let price = list_price(&self.call);
        let by_items =
            self.limits.items.and_then(|items| Some(items.div_ceil(page_size(&self.call)?.max(1))));
        let by_credits = match (price, self.limits.credits) {
            (Estimate::Exactly(Credits(0)), _) => return Some(price),
            (Estimate::Exactly(Credits(one)), Some(Credits(limit))) => Some(limit / one),
            _ => None,
        };
        let pages = by_items.into_iter().chain(self.limits.pages).chain(by_credits).min()?;
        Some(price.for_calls(pages, self.call.operation().free_window.is_some()))
    }

    /// Sets the page size to the largest size that the service allows, unless the request sets a page size. The price
    /// of a page does not depend on its size. If [`max_items`](Self::max_items) was called before, the page size is at
    /// most this limit. If the limit is below the smallest size that the service allows, the smallest size is used.
    pub fn largest_pages(mut self) -> Self {
        self.call = self.call.with_largest_page(self.limits.items);
        self
    }

    /// Returns the number of rows that [`items`](Self::items) skips at its start. The program received these rows
    /// before it saved the resume token. [`pages`](Self::pages) returns these rows again. Without
    /// [`resume_from`](Self::resume_from), the number is 0.
    #[must_use]
    pub fn rows_to_skip(&self) -> u64 {
        self.start.as_ref().map_or(0, |(_, skip)| *skip)
    }

    /// Returns the operation that returns the list.
    #[must_use]
    pub fn operation(&self) -> &'static Operation {
        self.call.operation()
    }

    /// Returns the call of the list request. It contains the operation and the arguments. The position that
    /// [`resume_from`](Self::resume_from) sets is not part of this call.
    pub fn call(&self) -> &Call {
        &self.call
    }

    /// Returns the maximum number of rows, or `None` if no limit is set.
    #[must_use]
    pub fn get_max_items(&self) -> Option<u64> {
        self.limits.items
    }

    /// Converts the pager to the request type `S`. The new pager decodes each page as the answer type of `S`. It has
    /// the call and the settings of the old pager.
    pub fn answering<S>(self) -> Pager<S>
    where
        S: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
    {
        let Pager { call, limits, side_by_side, start, .. } = self;
        Pager { call, limits, side_by_side, start, request: std::marker::PhantomData }
    }
}
