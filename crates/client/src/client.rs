//! The client: [`Client`] has the methods of [`Api`] and a transport that sends their requests.
//!
//! [`ClientBuilder`](crate::ClientBuilder) builds the client. A client also returns price estimates and the ledger of
//! its credits.

use std::ops::Deref;
use std::sync::Arc;

use crypto_intel_api::Api;
use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_core::{Error, Handle, Method, Request};

use crate::credits::{Estimate, Ledger};
use crate::dynamic::DynamicRequest;
use crate::raw::RawRequest;
use crate::resolve::{Resolve, SearchResults};

/// Client of the service. Cloning a client is cheap, and the clones share their connections and their ledger.
///
/// The client derefs to [`Api`], which has a method for every operation of the service. The arguments of a method are
/// the required parameters of its operation. The method returns a request, with setters for the optional parameters.
/// Awaiting the request sends it.
///
/// Each method name begins with the name of its domain, such as `market`. The [front page](crate#find-an-operation)
/// lists the domains. The module of a domain lists the methods with their records and prices.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let sandbox = crypto_intel_sandbox::Sandbox::start().await?;
/// # let client = crypto_intel::Client::builder().base_url(sandbox.url()).api_key(sandbox.key()).build()?;
/// let depth = client.exchange_depth("BTC/USDT").limit(5);
/// println!("{}", client.estimate(&depth)); // before anything is sent
///
/// let reply = depth.await?;
/// println!("{} within {:?}", reply.http().status, reply.http().elapsed);
/// println!("{:?} credits used, list price {}", reply.credits_used(), client.ledger().total().list_price);
/// # Ok(())
/// # }
/// ```
/// # Several requests at once
///
/// A request implements `IntoFuture`, but not `Future`. To pass a request to a function that expects a future, such as
/// `futures::future::join_all`, call `into_future()` on the request.
/// [`ClientBuilder::rate_limit`](crate::ClientBuilder::rate_limit) and [`budget`](crate::ClientBuilder::budget) limit
/// all requests of a client together.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let sandbox = crypto_intel_sandbox::Sandbox::start().await?;
/// # let client = crypto_intel::Client::builder().base_url(sandbox.url()).api_key(sandbox.key()).build()?;
/// use futures_util::future::{join_all, try_join_all};
///
/// // All outcomes, in the order of the requests.
/// let symbols = ["BTC", "ETH", "no such token"];
/// let prices = join_all(symbols.map(|symbol| client.market_price(symbol).into_future())).await;
/// assert_eq!(prices.iter().filter(|price| price.is_ok()).count(), 2);
///
/// // All replies, or the first error. An error drops the other requests; those already sent may cost credits.
/// let depths = ["BTC/USDT", "ETH/USDT"].map(|pair| client.exchange_depth(pair).into_future());
/// assert_eq!(try_join_all(depths).await?.len(), 2);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Client {
    api: Api,
    handle: Handle,
    ledger: Ledger,
    results: Arc<SearchResults>,
}

impl Client {
    pub(crate) fn new(api: Api, handle: Handle, ledger: Ledger) -> Self {
        Client { api, handle, ledger, results: Arc::default() }
    }

    /// Creates a request from an HTTP method and a path below the base URL. Use this method for operations that are not
    /// in the catalogue of this release. The API key, retries and errors work as for all requests. Awaiting a request
    /// with an invalid path returns an error.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = crypto_intel_sandbox::Sandbox::start().await?;
    /// # let client = crypto_intel::Client::builder().base_url(sandbox.url()).api_key(sandbox.key()).build()?;
    /// use crypto_intel::Method;
    ///
    /// let answer = client.raw(Method::GET, "/gateway/v1/market/price").query("symbol", "BTC").await?;
    /// assert!(answer["data"][0]["value"].is_number());
    ///
    /// let bytes = client.raw(Method::GET, "/gateway/v1/market/fear-greed").bytes().await?;
    /// assert!(bytes.body.starts_with(b"{"));
    /// # Ok(())
    /// # }
    /// ```
    pub fn raw(&self, method: Method, path: impl Into<String>) -> RawRequest {
        RawRequest::new(self.handle.clone(), method, path.into())
    }

    /// Creates a request of an operation that is chosen at run time. `operation` is its identifier in the catalogue,
    /// such as `market-price`.
    ///
    /// # Errors
    /// Returns [`ErrorKind::InvalidRequest`](crate::ErrorKind::InvalidRequest) if the catalogue does not contain the
    /// operation. The catalogue contains only the operations of domains whose features are enabled in this build.
    pub fn request(&self, operation: &str) -> Result<DynamicRequest, Error> {
        let found = OPERATIONS.iter().find(|known| known.id == operation);
        let found = found.ok_or_else(|| {
            Error::invalid(format!("there is no operation `{operation}` in the catalogue"))
        })?;
        Ok(DynamicRequest::new(self.handle.call(found)))
    }

    /// Creates a search for the identifiers of an entity by its name, such as `USDC`; see [`resolve`](crate::resolve).
    /// Awaiting the search calls one or more search operations, which can cost credits. Cached results are reused.
    /// [`Resolve::estimate`] returns the total list price of the calls.
    pub fn resolve(&self, name: impl Into<String>) -> Resolve {
        let results = Arc::clone(&self.results);
        Resolve::new(self.handle.clone(), self.ledger.clone(), results, name.into())
    }

    /// Returns the list price of a request, in credits. The request is not sent. For a chat question, the list price
    /// depends on the model and the effort.
    ///
    /// A call may be free for some time after this client paid for a call of the same operation; see [free
    /// window](crate::catalogue::Operation::free_window). During this time, the returned minimum is 0 credits and the
    /// returned maximum is the list price.
    ///
    /// To estimate a list with several pages, use [`Pager::estimate`](crate::paging::Pager::estimate). The price of a
    /// list depends on its limits of rows and pages.
    #[must_use]
    pub fn estimate<R: Request + Clone>(&self, request: &R) -> Estimate {
        self.ledger.estimate(&request.clone().into_call())
    }

    /// Returns the base URL of the service, without a slash at its end. The URL never contains a user name or a
    /// password.
    #[must_use]
    pub fn base_url(&self) -> &str {
        self.handle.base_url().unwrap_or_default()
    }

    /// Returns the ledger. It contains the credits that this client and its clones have spent, and the remaining
    /// credits of their budget.
    #[must_use]
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }
}

impl Deref for Client {
    type Target = Api;

    fn deref(&self) -> &Api {
        &self.api
    }
}
