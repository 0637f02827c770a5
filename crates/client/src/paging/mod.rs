//! Lists that are split into pages.
//!
//! The service has four kinds of paging: by offset, by cursor, by the keys of the last row, and by a pagination key.
//! The catalogue contains the kind of each operation. For all kinds:
//!
//! - The list ends where the service reports its end, not at an empty page. But too many consecutive pages without a
//!   row are an error, by default five.
//! - A repeated cursor is an error, not a loop.
//! - All rows before an error are returned first. After an error, nothing is requested.
//! - The next page is requested while the caller reads the current one. Offset pages of a list with a known total are
//!   requested in parallel, and returned in order.
//! - Timeouts run only while a caller waits, so a reader may be slow.
//! - Pages outside the limits are not requested, and dropping a stream stops its requests.
//! - All parameters of the request apply to each page.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let sandbox = crypto_intel_sandbox::Sandbox::start().await?;
//! # let client = crypto_intel::Client::builder().base_url(sandbox.url()).build()?;
//! use crypto_intel::prelude::*;
//!
//! // Rows, one by one; further pages are fetched as they are needed.
//! let mut posts = client.social_user_posts("eth_daily").limit(5).items();
//! let first = posts.try_next().await?.expect("a post");
//!
//! // Pages: rows with the metadata of each response.
//! let mut pages = client.social_user_posts("eth_daily").limit(5).max_pages(2).pages();
//! while let Some(page) = pages.try_next().await? {
//!     println!("{} posts for {:?} credits", page.reply.data.len(), page.reply.credits_used());
//! }
//!
//! // All of them in one list, within limits.
//! let some = client.social_user_posts("eth_daily").limit(5).max_items(8).collect_all().await?;
//! assert_eq!((some.len(), &some[0].tweet_id), (8, &first.tweet_id));
//! # Ok(())
//! # }
//! ```
//!
//! An operation without pages does not compile with these methods:
//!
//! ```compile_fail,E0277
//! # use crypto_intel::prelude::*;
//! # let client = crypto_intel::Client::builder().base_url("https://service.example").build().unwrap();
//! let points = client.market_price("BTC").items();
//! ```

mod ahead;
mod items;
mod limits;
mod pager;
mod pages;
mod plan;
mod position;
#[cfg(test)]
mod tests;
mod token;

use crypto_intel_core::{Error, Paged, PagedRequest, Request};
use serde::Serialize;

pub(crate) use limits::Reached;

pub use items::Items;
pub use pager::Pager;
pub use pages::{Page, Pages};
pub use token::ResumeToken;

/// Row type of a paged request.
pub type Item<R> = <<R as crypto_intel_core::Request>::Answer as Paged>::Item;

/// Returns the token for the page after a response; `None` at the end of the list.
pub(crate) fn after_answer(
    call: &crypto_intel_core::Call,
    page: &impl Paged<Item: Serialize>,
) -> Option<ResumeToken> {
    plan::Plan::after_answer(call, &position::Arrived::new(page))
}

/// Methods of requests that read more than one page. Requests of operations without pages also have these methods,
/// but a call does not compile: the compiler reports that the operation has a single response.
pub trait PageExt: Request {
    /// Returns settings for reading the list: limits, parallel pages, and where to resume.
    fn pager(self) -> Pager<Self>
    where
        Self: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
    {
        Pager::new(self.into_call())
    }

    /// Reads the rows of all pages.
    #[doc(alias = "paginate")]
    #[doc(alias = "rows")]
    fn items(self) -> Items<Self>
    where
        Self: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
    {
        self.pager().items()
    }

    /// Reads all pages.
    fn pages(self) -> Pages<Self>
    where
        Self: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
    {
        self.pager().pages()
    }

    /// Reads at most `limit` rows.
    #[doc(alias = "take")]
    fn max_items(self, limit: u64) -> Pager<Self>
    where
        Self: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
    {
        self.pager().max_items(limit)
    }

    /// Reads at most `limit` pages.
    fn max_pages(self, limit: u64) -> Pager<Self>
    where
        Self: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
    {
        self.pager().max_pages(limit)
    }

    /// Reads pages for at most `limit` credits, by list price; see [`Pager::max_credits`].
    fn max_credits(self, limit: u64) -> Pager<Self>
    where
        Self: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
    {
        self.pager().max_credits(limit)
    }

    /// Returns all rows as one list. If the list may be endless, set a limit first.
    ///
    /// # Errors
    /// The first error of any page. The rows before it are lost. Use [`items`](Self::items) to keep them.
    #[doc(alias = "fetch_all")]
    fn collect_all(self) -> impl Future<Output = Result<Vec<Item<Self>>, Error>> + Send
    where
        Self: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
    {
        let mut items = self.items();
        async move { items.collect_all().await }
    }
}

// Implemented for each request, so that the compiler shows the message of `PagedRequest`.
impl<R: Request> PageExt for R {}
