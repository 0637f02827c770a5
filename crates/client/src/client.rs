//! The client: an [`Api`] that can send.

use std::ops::Deref;

use crypto_intel_api::Api;
use crypto_intel_core::Error;

use crate::builder::ClientBuilder;
use crate::credits::Ledger;

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
    ledger: Ledger,
}

impl Client {
    pub(crate) fn new(api: Api, ledger: Ledger) -> Self {
        Client { api, ledger }
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
