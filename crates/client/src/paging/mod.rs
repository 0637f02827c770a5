//! Lists that the service returns in pages.
//!
//! The service has four kinds of paging: by offset, by cursor, by the keys of the last row, and by a pagination key.
//! The catalogue of operations contains the kind of each list operation. These rules apply to all kinds:
//!
//! - A list ends where the service reports its end. An empty page before this end does not end the list. If the service
//!   does not report the end, a list with offset pages ends at the first page that is not full.
//! - Five consecutive pages without a row are an error, unless [`Pager::max_empty_pages`] sets another number.
//! - If the service returns a cursor twice, the list ends with an error. Such a list would otherwise never end.
//! - All rows before an error are returned. The client sends no request after an error.
//! - The client requests the next page while the caller reads the current page. If a list has offset pages and a known
//!   total, the client requests several pages in parallel, and returns them in order.
//! - Timeouts run only while a caller waits for a row or a page. A slow caller therefore causes no timeout.
//! - The client does not request pages outside the limits that the caller sets. Dropping the stream cancels its
//!   requests.
//! - Each page is requested with all parameters of the original request.
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
//! A call of these methods does not compile if the operation does not return pages:
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

pub(crate) use limits::ReachedLimit;

pub use items::Items;
pub use pager::Pager;
pub use pages::{Page, Pages};
pub use token::ResumeToken;

/// Row type of a paged request `R`.
pub type Item<R> = <<R as crypto_intel_core::Request>::Answer as Paged>::Item;

/// Returns the resume token for the page that follows `page`. Returns `None` if `page` is the last page of the list.
pub(crate) fn next_page_token(
    call: &crypto_intel_core::Call,
    page: &impl Paged<Item: Serialize>,
) -> Option<ResumeToken> {
    plan::PagingState::next_page_token(call, &position::Arrived::new(page))
}

/// Extension trait with methods that read several pages of a list. Requests without paging also have these methods, but
/// calling one is a compile error. The error message states that the operation returns a single response.
pub trait PageExt: Request {
    /// Returns a [`Pager`] with the settings for reading the list. The methods of the pager set the limits, the number
    /// of parallel pages, and the resume token.
    fn pager(self) -> Pager<Self>
    where
        Self: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
    {
        Pager::new(self.into_call())
    }

    /// Returns a stream of the rows of all pages.
    #[doc(alias = "paginate")]
    #[doc(alias = "rows")]
    fn items(self) -> Items<Self>
    where
        Self: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
    {
        self.pager().items()
    }

    /// Returns a stream of all pages.
    fn pages(self) -> Pages<Self>
    where
        Self: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
    {
        self.pager().pages()
    }

    /// Sets the maximum number of rows to read.
    #[doc(alias = "take")]
    fn max_items(self, limit: u64) -> Pager<Self>
    where
        Self: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
    {
        self.pager().max_items(limit)
    }

    /// Sets the maximum number of pages to read.
    fn max_pages(self, limit: u64) -> Pager<Self>
    where
        Self: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
    {
        self.pager().max_pages(limit)
    }

    /// Sets the maximum cost of the pages in credits, by list price; see [`Pager::max_credits`].
    fn max_credits(self, limit: u64) -> Pager<Self>
    where
        Self: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
    {
        self.pager().max_credits(limit)
    }

    /// Returns the rows of all pages as a vector. If the list may be endless, set a limit first.
    ///
    /// # Errors
    /// Returns an error if the request of any page fails. The rows of earlier pages are then lost. To keep these rows,
    /// use [`items`](Self::items).
    #[doc(alias = "fetch_all")]
    fn collect_all(self) -> impl Future<Output = Result<Vec<Item<Self>>, Error>> + Send
    where
        Self: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
    {
        let mut items = self.items();
        async move { items.collect_all().await }
    }
}

// Implemented for every request, so that the compiler reports the error message of `PagedRequest` for a request without
// paging.
impl<R: Request> PageExt for R {}
