//! The client: an [`Api`] that can send.

use std::ops::Deref;

use crypto_intel_api::Api;
use crypto_intel_core::{Error, Handle, Method, Request};

use crate::builder::ClientBuilder;
use crate::credits::{Estimate, Ledger, price_of};
use crate::raw::RawRequest;

/// A client of the service. Cloning it is cheap, and clones share connections and ledger.
///
/// Every operation of the service is a method of [`Api`], to which the client derefs: required
/// parameters are arguments, the others are setters of the request it returns, and awaiting the
/// request sends it.
///
/// ```no_run
/// # async fn run() -> Result<(), crypto_intel::Error> {
/// let client = crypto_intel::Client::from_env()?;
/// let price = client.market_price("BTC").time_range("30d").await?;
/// println!("{} points for {:?} credits", price.data.len(), price.credits_used);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Client {
    api: Api,
    handle: Handle,
    ledger: Ledger,
}

impl Client {
    pub(crate) fn new(api: Api, handle: Handle, ledger: Ledger) -> Self {
        Client { api, handle, ledger }
    }

    /// A client with the key and base URL of the environment: `CRYPTO_INTEL_API_KEY` and
    /// `CRYPTO_INTEL_BASE_URL`.
    ///
    /// # Errors
    /// [`Kind::InvalidRequest`](crate::Kind::InvalidRequest) when the base URL is not set, or when
    /// one of the two cannot be what it should be.
    pub fn from_env() -> Result<Self, Error> {
        ClientBuilder::default().from_env().build()
    }

    /// Settings for a client.
    pub fn builder() -> ClientBuilder {
        ClientBuilder::default()
    }

    /// Any call, also of what this release does not know: a method and a path below the base URL,
    /// with the same key, retries and errors as every other call.
    ///
    /// ```no_run
    /// # async fn run(client: crypto_intel::Client) -> Result<(), crypto_intel::Error> {
    /// use crypto_intel::Method;
    ///
    /// let answer = client.raw(Method::GET, "/gateway/v1/new/endpoint").query("q", "x").await?;
    /// println!("{}", answer["data"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn raw(&self, method: Method, path: impl Into<String>) -> RawRequest {
        RawRequest::new(self.handle.clone(), method, path.into())
    }

    /// What a request would cost by the list price. Nothing is sent.
    ///
    /// A list over pages is estimated by its [`Pager`](crate::paging::Pager::estimate), because it
    /// depends on the limits.
    #[must_use]
    pub fn estimate<R: Request + Clone>(&self, request: &R) -> Estimate {
        price_of(&request.clone().into_call())
    }

    /// What this client and its clones have spent.
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
