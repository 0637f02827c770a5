//! A client for programs without async code. It has the same methods and types as the async client. It runs all
//! requests on its own tokio runtime.
//!
//! ```no_run
//! use crypto_intel::blocking::{Client, prelude::*};
//!
//! fn main() -> Result<(), crypto_intel::Error> {
//!     let client = Client::from_env()?;
//!     let price = client.market_price("BTC").time_range("30d").send()?;
//!     println!("{} points", price.data.len());
//!
//!     for post in client.social_user_posts("eth_daily").limit(100).items() {
//!         println!("{}", post?.text);
//!     }
//!     Ok(())
//! }
//! ```
//!
//! To send a request, call [`send`](SendExt::send) instead of awaiting it. Read lists with `for`, because [`Items`] and
//! [`Pages`] convert to iterators. [`Blocking`] converts any other stream of results to an iterator. [`wait`] runs any
//! other future:
//!
//! ```no_run
//! # use crypto_intel::blocking::{Blocking, Client, wait};
//! # fn main() -> Result<(), crypto_intel::Error> {
//! # let client = Client::from_env()?;
//! let table = wait(client.raw(crypto_intel::Method::GET, "/v1/new").bytes())??;
//! # let _ = table; Ok(()) }
//! ```
//!
//! A program that also uses async code imports both preludes:
//!
//! ```no_run
//! use crypto_intel::{blocking::prelude::*, prelude::*};
//!
//! # fn main() -> Result<(), crypto_intel::Error> {
//! # let client = crypto_intel::Client::from_env()?;
//! for post in client.social_user_posts("eth_daily").max_items(5).items() {
//!     println!("{}", post?.text);
//! }
//! # Ok(()) }
//! ```
//!
//! All blocking calls of a program share one runtime with one worker thread. The first call starts the runtime.
//! Blocking calls work on every thread that may block, also inside `spawn_blocking` and `block_in_place` and after
//! `Handle::enter`. A blocking call in async code returns an error, because it would block the runtime that runs this
//! code.

use std::fmt;
use std::future::Future;
use std::ops::Deref;
use std::pin::Pin;
use std::sync::OnceLock;
use std::task::{Context, Poll, Waker};

use crypto_intel_core::{Error, Paged, PagedRequest, Reply, Request};
use futures_core::Stream;
use futures_util::StreamExt;
use serde::Serialize;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::coop;

use crate::ClientBuilder;
use crate::paging::{Item, Items, Page, Pages};
use crate::resolve::{Candidates, Resolve};

/// Traits that add methods to requests and responses. A program that also uses async code can import [`crate::prelude`]
/// in addition.
pub mod prelude {
    pub use super::SendExt;
    // The trait is exported a second time as `_`, without a name. So its methods also work in a program that has
    // another `Request` in scope.
    pub use crypto_intel_core::{Metrics, PartialAnswer, Request, Request as _};

    #[cfg(feature = "chat")]
    pub use crate::chat::{ChatCompletionExt, ResponseExt, ResponsesRequestExt};
    pub use crate::paging::PageExt;
    #[cfg(feature = "equity")]
    pub use crate::values::EtfHoldingsExt;
    #[cfg(feature = "hyperliquid")]
    pub use crate::values::{AccountExt, FundingExt};
    #[cfg(feature = "search")]
    pub use crate::values::{AirdropExt, FundraisingExt};
}

/// Client without async code. It derefs to the [async client](crate::Client), so it has the same methods. Each method
/// returns a request, and [`send`](SendExt::send) sends it.
#[derive(Debug, Clone)]
pub struct Client(crate::Client);

impl Client {
    /// Creates a client with the API key and base URL from environment variables; see [`crate::Client::from_env`].
    ///
    /// # Errors
    /// Returns the errors of [`crate::Client::from_env`].
    pub fn from_env() -> Result<Self, Error> {
        crate::Client::from_env().map(Client)
    }

    /// Creates a client with these settings.
    ///
    /// # Errors
    /// Returns the errors of [`ClientBuilder::build`].
    pub fn new(settings: ClientBuilder) -> Result<Self, Error> {
        settings.build().map(Client)
    }
}

impl Deref for Client {
    type Target = crate::Client;

    fn deref(&self) -> &crate::Client {
        &self.0
    }
}

/// Adds the method [`send`](Self::send) to all requests. The method sends the request and blocks until the response
/// arrives.
pub trait SendExt: Request + IntoFuture<Output = Result<Reply<Self::Answer>, Error>> {
    /// Sends the request and blocks until the response arrives.
    ///
    /// # Errors
    /// Returns the errors that `request.await` returns in async code. Returns
    /// [`ErrorKind::InvalidRequest`](crate::ErrorKind::InvalidRequest) if called in async code, where a thread must not
    /// block.
    fn send(self) -> Result<Reply<Self::Answer>, Error> {
        wait(self.into_future())?
    }
}

impl<R: Request + IntoFuture<Output = Result<Reply<R::Answer>, Error>>> SendExt for R {}

impl Resolve {
    /// Sends the search requests and blocks until all search results arrive.
    ///
    /// # Errors
    /// Returns the errors of an awaited [`Resolve`]. Returns
    /// [`ErrorKind::InvalidRequest`](crate::ErrorKind::InvalidRequest) if called in async code, where a thread must not
    /// block.
    pub fn send(self) -> Result<Candidates, Error> {
        wait(self.into_future())?
    }
}

impl<R> IntoIterator for Items<R>
where
    R: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
{
    type Item = Result<Item<R>, Error>;
    type IntoIter = Blocking<Self>;

    fn into_iter(self) -> Blocking<Self> {
        Blocking::new(self)
    }
}

impl<R> IntoIterator for Pages<R>
where
    R: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
{
    type Item = Result<Page<R::Answer>, Error>;
    type IntoIter = Blocking<Self>;

    fn into_iter(self) -> Blocking<Self> {
        Blocking::new(self)
    }
}

/// Runs a future on the tokio runtime of this module, and blocks until the future returns its output.
///
/// # Errors
/// Returns [`ErrorKind::InvalidRequest`](crate::ErrorKind::InvalidRequest) if called in async code, where a thread must
/// not block, or if the runtime cannot be started.
pub fn wait<F: Future>(future: F) -> Result<F::Output, Error> {
    if is_async_code() {
        return Err(Error::invalid(
            "a blocking call in async code would block the async runtime; await the request, or \
             read the list with `try_next().await`",
        ));
    }
    Ok(runtime()?.block_on(future))
}

/// Maximum number of polls in [`is_async_code`]. It is larger than tokio's cooperative budget, which is the number of
/// polls after which tokio asks a task to yield.
const BUDGET: usize = 512;

/// Returns true if this thread must not block, because tokio is polling a future on it.
///
/// A check for a current runtime is not enough, because a thread that may block can also have a current runtime. Only a
/// future that tokio polls has a cooperative budget. So this function calls `poll_proceed` more often than the budget
/// allows. If a call returns `Pending`, the budget is used up, so tokio is polling a future. As a side effect, async
/// code yields one more time.
fn is_async_code() -> bool {
    if Handle::try_current().is_err() {
        return false;
    }
    let mut context = Context::from_waker(Waker::noop());
    (0..BUDGET).any(|_| match coop::poll_proceed(&mut context) {
        Poll::Ready(step) => {
            step.made_progress();
            false
        }
        Poll::Pending => true,
    })
}

fn runtime() -> Result<&'static Runtime, Error> {
    static RUNTIME: OnceLock<Runtime> = OnceLock::new();

    if let Some(runtime) = RUNTIME.get() {
        return Ok(runtime);
    }
    let runtime = Builder::new_multi_thread()
        .worker_threads(1)
        .thread_name("crypto-intel-blocking")
        .enable_all()
        .build()
        .map_err(|error| Error::invalid("no runtime could be started").with_source(error))?;
    Ok(RUNTIME.get_or_init(|| runtime))
}

/// Iterator over a stream of results. Each call of `next` blocks until the stream returns its next item. Between these
/// calls the stream is not polled, but the response to a page request in flight still arrives in the background.
#[must_use = "an iterator does nothing until it is read"]
pub struct Blocking<S> {
    stream: Pin<Box<S>>,
    is_over: bool,
}

impl<S> Blocking<S> {
    /// Creates an iterator over this stream.
    pub fn new(stream: S) -> Self {
        Blocking { stream: Box::pin(stream), is_over: false }
    }
}

impl<T, S: Stream<Item = Result<T, Error>>> Iterator for Blocking<S> {
    type Item = Result<T, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        match wait(self.stream.next()) {
            Ok(item) => item,
            Err(refused) => {
                self.is_over = true;
                Some(Err(refused))
            }
        }
    }
}

impl<S> Deref for Blocking<S> {
    type Target = S;

    fn deref(&self) -> &S {
        &self.stream
    }
}

impl<S> fmt::Debug for Blocking<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Blocking")
    }
}
