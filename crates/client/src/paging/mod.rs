//! Lists that come in pages.
//!
//! The service pages in four ways, and the catalogue says which one an operation has: by offset,
//! by cursor, by the keys of the last row, by a pagination key. Whichever it is:
//!
//! - the end is where the service says it is, never where a page is empty; but page after page
//!   without a row is an error, by default after five such pages;
//! - a cursor that comes twice is an error, not a loop;
//! - good pages are delivered before a later error, and nothing is asked for after it;
//! - the next page is asked for while this one is read, and offset pages of a known total are
//!   asked for side by side, in order;
//! - time counts only while somebody waits: a reader may be as slow as it likes;
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
//! An operation whose answer is all there is has no further pages, and the compiler says so:
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

/// Where the list of `call` goes on after the page that answered it; `None` at its end.
pub(crate) fn after_answer(
    call: &crypto_intel_core::Call,
    page: &impl Paged<Item: Serialize>,
) -> Option<ResumeToken> {
    plan::Plan::after_answer(call, page)
}

/// Methods of requests that read more than one page. Requests of operations without pages also have
/// these methods, but a call does not compile: the compiler error says that there are no further pages.
pub trait PageExt: Request {
    /// Settings for reading the list: limits, pages side by side, where to resume.
    fn pager(self) -> Pager<Self>
    where
        Self: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
    {
        Pager::new(self.into_call())
    }

    /// Every row, page after page.
    #[doc(alias = "paginate")]
    #[doc(alias = "rows")]
    fn items(self) -> Items<Self>
    where
        Self: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
    {
        self.pager().items()
    }

    /// Every page.
    fn pages(self) -> Pages<Self>
    where
        Self: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
    {
        self.pager().pages()
    }

    /// At most `limit` rows.
    #[doc(alias = "take")]
    fn max_items(self, limit: u64) -> Pager<Self>
    where
        Self: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
    {
        self.pager().max_items(limit)
    }

    /// At most `limit` pages.
    fn max_pages(self, limit: u64) -> Pager<Self>
    where
        Self: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
    {
        self.pager().max_pages(limit)
    }

    /// At most `limit` credits, by list price; see [`Pager::max_credits`].
    fn max_credits(self, limit: u64) -> Pager<Self>
    where
        Self: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
    {
        self.pager().max_credits(limit)
    }

    /// Every row, in one list. An endless list does not end: set a limit first.
    ///
    /// # Errors
    /// The first error of any page; the rows before it are lost. Use [`items`](Self::items) to
    /// keep them.
    #[doc(alias = "fetch_all")]
    fn collect_all(self) -> impl Future<Output = Result<Vec<Item<Self>>, Error>> + Send
    where
        Self: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
    {
        let mut items = self.items();
        async move { items.collect_all().await }
    }
}

// Of every request, so that the compiler's message is that of `PagedRequest`.
impl<R: Request> PageExt for R {}
