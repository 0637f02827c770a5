//! The client without async: the same methods, setters and types, on its own runtime.
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
//! Where an async program awaits a request, call [`send`](SendExt::send) on it. Read lists with `for`: [`Items`] and
//! [`Pages`] become iterators. [`wait`] runs any other future, and [`Blocking`] converts any stream to an iterator:
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
//! All blocking calls of a program share one runtime with one thread, which starts with the first call. Calls work on
//! each thread that may block, also in `spawn_blocking`, in `block_in_place`, and after `Handle::enter`. A call in
//! async code returns an error, because it would block the runtime of that code.

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

/// Traits with methods of requests and responses. A program that also uses async code can import [`crate::prelude`]
/// too.
pub mod prelude {
    pub use super::SendExt;
    // `Request` is exported anonymously too, for programs that have another `Request` in scope.
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

/// A client whose requests are sent by [`send`](SendExt::send). It derefs to the
/// [async client](crate::Client), which has the same methods.
#[derive(Debug, Clone)]
pub struct Client(crate::Client);

impl Client {
    /// Creates a client with the key and base URL of the environment; see [`crate::Client::from_env`].
    ///
    /// # Errors
    /// Errors of [`crate::Client::from_env`].
    pub fn from_env() -> Result<Self, Error> {
        crate::Client::from_env().map(Client)
    }

    /// Creates a client with these settings.
    ///
    /// # Errors
    /// Errors of [`ClientBuilder::build`].
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

/// Sends requests and waits for responses.
pub trait SendExt: Request + IntoFuture<Output = Result<Reply<Self::Answer>, Error>> {
    /// Sends the request and waits for its response.
    ///
    /// # Errors
    /// Errors of the request, and [`ErrorKind::InvalidRequest`](crate::ErrorKind::InvalidRequest) in async code,
    /// where a thread must not block.
    fn send(self) -> Result<Reply<Self::Answer>, Error> {
        wait(self.into_future())?
    }
}

impl<R: Request + IntoFuture<Output = Result<Reply<R::Answer>, Error>>> SendExt for R {}

impl Resolve {
    /// Sends the searches, and waits for their results.
    ///
    /// # Errors
    /// Errors of awaiting the searches, and [`ErrorKind::InvalidRequest`](crate::ErrorKind::InvalidRequest) in async
    /// code, where a thread must not block.
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

/// Waits for a future on the runtime of this module.
///
/// # Errors
/// [`ErrorKind::InvalidRequest`](crate::ErrorKind::InvalidRequest) in async code, where a thread must not block, or
/// if the runtime cannot be started.
pub fn wait<F: Future>(future: F) -> Result<F::Output, Error> {
    if is_async_code() {
        return Err(Error::invalid(
            "a blocking call in async code would block its runtime; await the request, or read \
             the list with `try_next().await`",
        ));
    }
    Ok(runtime()?.block_on(future))
}

/// More steps than a task can take before tokio makes it yield.
const BUDGET: usize = 512;

/// Returns true on a thread that runs a future of tokio, and false on a thread that may block.
///
/// Both kinds of thread may have a current runtime. But tokio lets only a future take a limited number of steps before
/// it must yield. So this function takes more steps than the limit, and checks whether it must yield. Because of this,
/// async code yields once more.
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

/// A stream as an iterator. The stream is polled only while the caller waits for an item. The response to a page that
/// was requested ahead still arrives meanwhile.
#[must_use = "an iterator does nothing until it is read"]
pub struct Blocking<S> {
    stream: Pin<Box<S>>,
    is_over: bool,
}

impl<S> Blocking<S> {
    /// Wraps a stream.
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
