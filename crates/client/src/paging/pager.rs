//! Settings for reading a list.
//!
//! [`Pager`] contains the request, the limits and the start of the list. Its methods `items` and `pages` return
//! streams.

use crypto_intel_core::{Call, Error, Operation, Paged, PagedRequest};
use serde::Serialize;

use super::limits::{Limits, page_size};
use super::position::At;
use super::token::ResumeToken;
use crate::credits::{Credits, Estimate, price_of};

/// Default number of offset pages in flight. This number hides latency and stays far below the limit of requests per
/// minute.
const SIDE_BY_SIDE: usize = 4;

/// Settings for reading a list.
///
/// # Defaults
/// No limits except five consecutive pages without a row; four offset pages in parallel; from the beginning.
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

    /// Limits the number of rows. Pages beyond the limit are not requested.
    pub fn max_items(mut self, limit: u64) -> Self {
        self.limits.items = Some(limit);
        self
    }

    /// Limits the number of pages.
    pub fn max_pages(mut self, limit: u64) -> Self {
        self.limits.pages = Some(limit);
        self
    }

    /// Limits the sum of the list prices of the pages. Without a published price this setting has no effect. At the
    /// limit the list ends without an error, as with the other limits.
    /// [`Items::resume_token`](super::Items::resume_token) and [`Page::resume`](super::Page::resume) then return a
    /// token if there are more rows. To get an error at a spending limit, use a [`Budget`](crate::credits::Budget).
    pub fn max_credits(mut self, limit: u64) -> Self {
        self.limits.credits = Some(Credits(limit));
        self
    }

    /// Limits the number of consecutive pages without a row; 0 counts as 1. A filtered list may have some such pages,
    /// but each page costs credits. At the limit the list ends with an error of
    /// [`ErrorKind::Service`](crate::ErrorKind::Service), and [`ResumeToken::of`] returns the resume token from that
    /// error.
    pub fn max_empty_pages(mut self, pages: u64) -> Self {
        self.limits.empty_pages = pages.max(1);
        self
    }

    /// Sets the number of offset pages in flight for a list with a known total; 0 counts as 1. Other kinds of paging
    /// need the previous page to request the next one, so at most one page is in flight.
    pub fn side_by_side(mut self, pages: usize) -> Self {
        self.side_by_side = pages.max(1);
        self
    }

    /// Continues where an earlier read of the same request stopped. [`items`](Self::items) continues with the next
    /// row. [`pages`](Self::pages) returns the whole page in which the earlier read stopped. With a token of another
    /// operation or other parameters, the stream returns only an error.
    pub fn resume_from(mut self, token: ResumeToken) -> Self {
        self.start = token.place(&self.call);
        self
    }

    /// Returns the maximum cost of reading the list, by list price; `None` if no limit bounds it.
    ///
    /// A limit on rows bounds the cost only if pages are full. Filters can remove rows from pages, so
    /// that more pages are needed. Only [`max_pages`](Self::max_pages) and
    /// [`max_credits`](Self::max_credits) hold in every case.
    #[must_use]
    pub fn estimate(&self) -> Option<Estimate> {
        let price = price_of(&self.call);
        let by_items =
            self.limits.items.and_then(|items| Some(items.div_ceil(page_size(&self.call)?.max(1))));
        let by_credits = match (price, self.limits.credits) {
            (Estimate::Exactly(Credits(0)), _) => return Some(price),
            (Estimate::Exactly(Credits(one)), Some(Credits(limit))) => Some(limit / one),
            _ => None,
        };
        let pages = by_items.into_iter().chain(self.limits.pages).chain(by_credits).min()?;
        Some(price.in_a_row(pages, self.call.operation().free_window.is_some()))
    }

    /// Requests the largest pages that the service allows, unless the request sets a size. A page has the same price at
    /// any size. A limit on rows that was set before also limits the page size.
    pub fn largest_pages(mut self) -> Self {
        self.call = self.call.with_largest_page(self.limits.items);
        self
    }

    /// Returns the number of rows at the beginning of the first page that the earlier read has already returned; see
    /// [`resume_from`](Self::resume_from). [`items`](Self::items) skips these rows; [`pages`](Self::pages) does not.
    #[must_use]
    pub fn rows_to_skip(&self) -> u64 {
        self.start.as_ref().map_or(0, |(_, skip)| *skip)
    }

    /// Returns the operation whose list is read.
    #[must_use]
    pub fn operation(&self) -> &'static Operation {
        self.call.operation()
    }

    /// Returns the call of the first page.
    pub fn call(&self) -> &Call {
        &self.call
    }

    /// Returns the limit on rows, if one is set.
    #[must_use]
    pub fn get_max_items(&self) -> Option<u64> {
        self.limits.items
    }

    /// Keeps the list and its settings, but decodes its pages as pages of another request type.
    pub fn answering<S>(self) -> Pager<S>
    where
        S: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
    {
        let Pager { call, limits, side_by_side, start, .. } = self;
        Pager { call, limits, side_by_side, start, request: std::marker::PhantomData }
    }
}
