//! Selects the key of a request: the client's key, a key from a provider, or the key of one call.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crypto_intel_core::{BoxFuture, CallOptions, Error};
use http::{HeaderMap, HeaderValue};
use secrecy::ExposeSecret;

use crate::cache::digest;
use crate::key::mask::KeySet;
use crate::key::{ApiKey, mask_headers};

/// Provides the key of each attempt, for example from a vault, a rotated file, or a token service.
///
/// The client calls the provider before each attempt, so a provider should cache a key as long as the key is valid. The
/// wait for the key counts towards the time limits of the call. If the provider returns an error, the call ends before
/// anything is sent. `Ok(None)` sends the attempt without a key.
///
/// Each async function with this signature is a provider:
///
/// ```
/// use crypto_intel::{ApiKey, Client};
///
/// let client = Client::builder()
///     .base_url("https://service.example")
///     .key_provider(|| async { ApiKey::new("sk-of-today").map(Some) })
///     .build()?;
/// # Ok::<(), crypto_intel::Error>(())
/// ```
pub trait KeyProvider: Send + Sync {
    /// Returns the key for the next attempt.
    fn key(&self) -> BoxFuture<Result<Option<ApiKey>, Error>>;
}

impl<F, R> KeyProvider for F
where
    F: Fn() -> R + Send + Sync,
    R: Future<Output = Result<Option<ApiKey>, Error>> + Send + 'static,
{
    fn key(&self) -> BoxFuture<Result<Option<ApiKey>, Error>> {
        Box::pin(self())
    }
}

/// The keys of a client.
pub(crate) struct Keys {
    own: Option<OwnKey>,
    provider: Option<Arc<dyn KeyProvider>>,
    sent: Mutex<SentKeys>,
}

/// Keys that responses may repeat.
#[derive(Default)]
struct SentKeys {
    /// Recently sent keys that came from a key provider or belong to a single call.
    others: VecDeque<ApiKey>,
    /// All keys: those in `others`, and the client's own.
    all: Arc<KeySet>,
}

/// The client's own key, with the header and the digest that are computed once for all calls.
struct OwnKey {
    key: ApiKey,
    header: Option<HeaderValue>,
    account: String,
}

/// Maximum number of keys of providers and calls that are remembered for masking.
const REMEMBERED: usize = 64;

impl Keys {
    pub(crate) fn new(own: Option<ApiKey>, provider: Option<Arc<dyn KeyProvider>>) -> Self {
        let own = own.map(|key| OwnKey { header: key.header(), account: key.digest(), key });
        let keys = Keys { own, provider, sent: Mutex::default() };
        keys.sent().all = keys.known(&VecDeque::new());
        keys
    }

    /// Returns the header to send, if there is a key.
    pub(crate) async fn authorization(
        &self,
        options: &CallOptions,
    ) -> Result<Option<HeaderValue>, Error> {
        if let Some(key) = &options.api_key {
            return Ok(self.remembered(ApiKey::new(key.expose_secret())?));
        }
        if let Some(provider) = &self.provider {
            return Ok(provider.key().await?.and_then(|key| self.remembered(key)));
        }
        Ok(self.own.as_ref().and_then(|own| own.header.clone()))
    }

    /// Identifies the account of a call. All keys of a provider count as one account.
    pub(crate) fn account(&self, options: &CallOptions) -> Cow<'_, str> {
        match (&options.api_key, &self.provider, &self.own) {
            (Some(key), _, _) => digest(key.expose_secret().as_bytes()).into(),
            (None, Some(_), _) => "provider".into(),
            (None, None, Some(own)) => own.account.as_str().into(),
            (None, None, None) => "none".into(),
        }
    }

    fn remembered(&self, key: ApiKey) -> Option<HeaderValue> {
        let header = key.header();
        let mut sent = self.sent();
        if !sent.others.contains(&key) {
            sent.others.truncate(REMEMBERED - 1);
            sent.others.push_front(key);
            sent.all = self.known(&sent.others);
        }
        header
    }

    /// Returns the set of the client's own key and these other keys.
    fn known(&self, others: &VecDeque<ApiKey>) -> Arc<KeySet> {
        let own = self.own.iter().map(|own| own.key.expose());
        Arc::new(KeySet::new(own.chain(others.iter().map(ApiKey::expose))))
    }

    fn sent(&self) -> MutexGuard<'_, SentKeys> {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns all keys that responses may repeat.
    fn all(&self) -> Arc<KeySet> {
        Arc::clone(&self.sent().all)
    }

    /// Replaces all keys in the text, in one pass.
    pub(crate) fn mask(&self, text: &mut String) {
        self.all().mask(text);
    }

    /// Replaces all keys in the headers.
    pub(crate) fn mask_headers(&self, headers: &mut HeaderMap) {
        mask_headers(headers, &self.all());
    }

    /// Returns true if the text contains a key.
    pub(crate) fn are_in(&self, text: &[u8]) -> bool {
        self.all().next_key(text, 0).is_some()
    }
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Keys")
    }
}
