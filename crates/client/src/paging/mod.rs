//! Lists that come in pages.
//!
//! The service pages in four ways, and the catalogue says which one an operation has: by offset,
//! by cursor, by the keys of the last row, by a pagination key. Whichever it is:
//!
//! - the end is where the service says it is, never where a page is empty;
//! - a cursor that comes twice is an error, not a loop;
//! - good pages are delivered before a later error, and nothing is asked for after it;
//! - the next page is asked for while this one is read, and offset pages of a known total are
//!   asked for side by side, in order;
//! - what limits leave out is never asked for; dropping a stream asks for nothing more;
//! - every parameter of the request holds for every page.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let sandbox = crypto_intel_sandbox::Sandbox::start().await?;
//! # let client = crypto_intel::Client::builder().base_url(sandbox.url()).build()?;
//! use crypto_intel::prelude::*;
//!
//! // Rows, one by one; further pages are fetched as they are needed.
//! let mut posts = client.social_user_posts("vitalikbuterin").limit(5).items();
//! let first = posts.try_next().await?.expect("a post");
//!
//! // Pages: rows with what the service says about them.
//! let mut pages = client.social_user_posts("vitalikbuterin").limit(5).max_pages(2).pages();
//! while let Some(page) = pages.try_next().await? {
//!     println!("{} posts for {:?} credits", page.reply.data.len(), page.reply.credits_used());
//! }
//!
//! // All of them in one list, within limits.
//! let some = client.social_user_posts("vitalikbuterin").limit(5).take_items(8).collect_all().await?;
//! assert_eq!((some.len(), &some[0].tweet_id), (8, &first.tweet_id));
//! # Ok(())
//! # }
//! ```
//!
//! An operation whose answer is all there is has none of these methods:
//!
//! ```compile_fail,E0599
//! # use crypto_intel::prelude::*;
//! # let client = crypto_intel::Client::builder().base_url("https://service.example").build().unwrap();
//! let points = client.market_price("BTC").items();
//! ```

mod limits;
mod position;
mod stream;
#[cfg(test)]
mod tests;

use crypto_intel_core::{Call, Error, Paged, PagedRequest, Paging};
use serde::Serialize;

use crate::credits::{Credits, Estimate, price_of};
use limits::Limits;
use position::At;

pub use position::ResumeToken;
pub use stream::{Items, Page, Pages};

/// Row type of a paged request.
pub type Item<R> = <<R as crypto_intel_core::Request>::Answer as Paged>::Item;

/// Offset pages that are under way at once: enough to hide latency, and well below what a minute
/// of requests allows.
const SIDE_BY_SIDE: usize = 4;

/// What requests of paged operations can do besides being awaited for one page. Requests of other
/// operations do not have these methods.
pub trait PageExt: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin> {
    /// Settings for reading the list: limits, pages side by side, where to resume.
    fn pager(self) -> Pager<Self> {
        Pager::new(self.into_call())
    }

    /// Every row, page after page.
    fn items(self) -> Items<Self> {
        self.pager().items()
    }

    /// Every page.
    fn pages(self) -> Pages<Self> {
        self.pager().pages()
    }

    /// At most `limit` rows.
    fn take_items(self, limit: u64) -> Pager<Self> {
        self.pager().take_items(limit)
    }

    /// At most `limit` pages.
    fn max_pages(self, limit: u64) -> Pager<Self> {
        self.pager().max_pages(limit)
    }

    /// At most `limit` credits, by list price; see [`Pager::max_credits`].
    fn max_credits(self, limit: u64) -> Pager<Self> {
        self.pager().max_credits(limit)
    }

    /// Every row, in one list. An endless list does not end: set a limit first.
    ///
    /// # Errors
    /// The first error of any page; the rows before it are lost. Use [`items`](Self::items) to
    /// keep them.
    fn collect_all(self) -> impl Future<Output = Result<Vec<Item<Self>>, Error>> + Send
    where
        Item<Self>: Send,
    {
        let items = self.items();
        async move { items.collect_all().await }
    }
}

impl<R: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>> PageExt for R {}

/// Settings for reading a list.
///
/// # Defaults
/// No limits; four offset pages side by side; from the beginning.
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
    pub fn take_items(mut self, limit: u64) -> Self {
        self.limits.items = Some(limit);
        self
    }

    /// At most `limit` pages.
    pub fn max_pages(mut self, limit: u64) -> Self {
        self.limits.pages = Some(limit);
        self
    }

    /// At most `limit` credits, by the list price of each page. Where no price is published this
    /// does not limit. The list then ends early and without an error, as with the other limits;
    /// [`Items::resume_token`] and [`Page::resume`] tell that there is more. What may be spent in
    /// earnest is the business of a [`Budget`](crate::credits::Budget), whose refusal is an error.
    pub fn max_credits(mut self, limit: u64) -> Self {
        self.limits.credits = Some(Credits(limit));
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

    /// What reading the list will cost at most by the list price, as far as the limits tell; `None`
    /// when they leave it open.
    ///
    /// A limit on rows tells as long as pages are full. Where filters thin them, more pages may be
    /// needed; only [`max_pages`](Self::max_pages) and [`max_credits`](Self::max_credits) hold
    /// whatever comes.
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

    /// The rows, page after page.
    pub fn items(self) -> Items<R> {
        Items::new(self)
    }

    /// The pages.
    pub fn pages(self) -> Pages<R> {
        Pages::new(self)
    }

    /// Every row within the limits, in one list.
    ///
    /// # Errors
    /// The first error of any page; the rows before it are lost.
    pub async fn collect_all(self) -> Result<Vec<Item<R>>, Error> {
        self.items().collect_all().await
    }
}

/// Rows of a page: as the call asks, or as the service takes it by default.
fn page_size(call: &Call) -> Option<u64> {
    let limit = match call.operation().paging {
        Paging::None => return None,
        Paging::Offset { limit, .. }
        | Paging::Cursor { limit, .. }
        | Paging::Keyset { limit, .. }
        | Paging::PaginationKey { limit, .. } => limit,
    };
    let default = || call.operation().param(limit)?.1.default?.parse().ok();
    limits::number(call, limit).or_else(default)
}
