//! Settings for reading a list.

use crypto_intel_core::{Call, Error, Operation, Paged, PagedRequest};
use serde::Serialize;

use super::limits::{Limits, page_size};
use super::position::At;
use super::token::ResumeToken;
use crate::credits::{Credits, Estimate, price_of};

/// Offset pages that are under way at once: enough to hide latency, and well below what a minute
/// of requests allows.
const SIDE_BY_SIDE: usize = 4;

/// Settings for reading a list.
///
/// # Defaults
/// No limits but five pages in a row without a row; four offset pages side by side; from the
/// beginning.
#[must_use = "a pager does nothing until `items` or `pages`"]
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

    /// At most `limit` rows. A page that no row would be taken of is not asked for.
    pub fn max_items(mut self, limit: u64) -> Self {
        self.limits.items = Some(limit);
        self
    }

    /// At most `limit` pages.
    pub fn max_pages(mut self, limit: u64) -> Self {
        self.limits.pages = Some(limit);
        self
    }

    /// Reads pages whose list prices sum to at most `limit` credits. Without a published price this
    /// setting has no effect. At the limit the list ends without an error, as with the other limits;
    /// [`Items::resume_token`](super::Items::resume_token) and [`Page::resume`](super::Page::resume) then show that there is more.
    /// To return an error at a limit on spending, use a [`Budget`](crate::credits::Budget).
    pub fn max_credits(mut self, limit: u64) -> Self {
        self.limits.credits = Some(Credits(limit));
        self
    }

    /// At most `pages` pages in a row without a row; 0 counts as 1. A filtered list may have some
    /// of them; a list that goes on and on with them would cost without end. It ends with an error
    /// of [`ErrorKind::Service`](crate::ErrorKind::Service), and [`ResumeToken::of`] returns the
    /// resume token from that error.
    pub fn max_empty_pages(mut self, pages: u64) -> Self {
        self.limits.empty_pages = pages.max(1);
        self
    }

    /// How many offset pages of a known total may be under way at once; 0 counts as 1. Other kinds
    /// of paging know the next page only from the one before, and are one page ahead.
    pub fn side_by_side(mut self, pages: usize) -> Self {
        self.side_by_side = pages.max(1);
        self
    }

    /// Goes on from where an earlier reading of the same request stopped: row for row with
    /// [`items`](Self::items); [`pages`](Self::pages) gives the page it stopped in whole. A token of
    /// another operation, or of other parameters, becomes the stream's first and only item, an
    /// error.
    pub fn resume_from(mut self, token: ResumeToken) -> Self {
        self.start = token.place(&self.call);
        self
    }

    /// Maximum cost of reading the list, by list price; `None` if no limit bounds it.
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

    /// Asks for the largest pages that the service allows, unless the request names a size: a page
    /// costs the same whatever its size. A limit on rows that was set before also limits the size of pages.
    pub fn largest_pages(mut self) -> Self {
        self.call = self.call.with_largest_page(self.limits.items);
        self
    }

    /// Rows at the beginning of the first page that [`resume_from`](Self::resume_from) skips. [`items`](Self::items)
    /// leaves them out; [`pages`](Self::pages) does not.
    #[must_use]
    pub fn rows_to_skip(&self) -> u64 {
        self.start.as_ref().map_or(0, |(_, skip)| *skip)
    }

    /// The operation whose list is read.
    #[must_use]
    pub fn operation(&self) -> &'static Operation {
        self.call.operation()
    }

    /// The call of a page.
    pub fn call(&self) -> &Call {
        &self.call
    }

    /// The limit on rows, where one is set.
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
