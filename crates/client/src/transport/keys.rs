//! Selects the API key of each attempt: the key of the call's options, a key from the key provider, or the client's own
//! key.

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

/// Provider of the API key of each attempt. It reads the key, for example, from a vault, from a file that changes, or
/// from a token service.
///
/// The client calls the provider before each attempt, unless the options of the call contain a key. A slow provider
/// should therefore cache its key. The time that the provider needs counts towards the time limits of the call. If the
/// provider returns an error, the call fails and the attempt is not sent. `Ok(None)` sends the attempt without a key.
///
/// An async function with this signature is also a provider:
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
    /// Returns the API key for the next attempt, or `None` to send the attempt without a key.
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

/// API keys of a client. They are its own key, the keys from its key provider, and the keys that it has sent earlier.
pub(crate) struct Keys {
    own: Option<OwnKey>,
    provider: Option<Arc<dyn KeyProvider>>,
    sent: Mutex<SentKeys>,
}

/// API keys that the client may have sent. A response may repeat these keys, so the client masks them in responses.
#[derive(Default)]
struct SentKeys {
    /// Keys that were sent recently and that are not the client's own key. They are from a key provider or from the
    /// options of a call.
    others: VecDeque<ApiKey>,
    /// Set of all keys to mask: the keys in `others`, and the client's own key.
    all: Arc<KeySet>,
}

/// The client's own API key. Its header and its hash are computed once for all calls.
struct OwnKey {
    key: ApiKey,
    header: Option<HeaderValue>,
    account: String,
}

/// Maximum number of API keys in [`SentKeys::others`]. If the list is full and the client sends another key, the
/// oldest key is removed and no longer masked.
const REMEMBERED: usize = 64;

impl Keys {
    pub(crate) fn new(own: Option<ApiKey>, provider: Option<Arc<dyn KeyProvider>>) -> Self {
        let own = own.map(|key| OwnKey { header: key.header(), account: key.digest(), key });
        let keys = Keys { own, provider, sent: Mutex::default() };
        keys.lock_sent().all = keys.key_set(&VecDeque::new());
        keys
    }

    /// Returns the value of the `Authorization` header for one attempt. Returns `None` if no key is set.
    pub(crate) async fn authorization(
        &self,
        options: &CallOptions,
    ) -> Result<Option<HeaderValue>, Error> {
        if let Some(key) = &options.api_key {
            return Ok(self.remember(ApiKey::new(key.expose_secret())?));
        }
        if let Some(provider) = &self.provider {
            return Ok(provider.key().await?.and_then(|key| self.remember(key)));
        }
        Ok(self.own.as_ref().and_then(|own| own.header.clone()))
    }

    /// Returns the account part of a cache key, for example a hash of the API key. Calls with different account parts
    /// use different cache entries. If a key provider supplies the API key, the account part is always `provider`.
    pub(crate) fn account(&self, options: &CallOptions) -> Cow<'_, str> {
        match (&options.api_key, &self.provider, &self.own) {
            (Some(key), _, _) => digest(key.expose_secret().as_bytes()).into(),
            (None, Some(_), _) => "provider".into(),
            (None, None, Some(own)) => own.account.as_str().into(),
            (None, None, None) => "none".into(),
        }
    }

    fn remember(&self, key: ApiKey) -> Option<HeaderValue> {
        let header = key.header();
        let mut sent = self.lock_sent();
        if !sent.others.contains(&key) {
            sent.others.truncate(REMEMBERED - 1);
            sent.others.push_front(key);
            sent.all = self.key_set(&sent.others);
        }
        header
    }

    /// Returns a set of the client's own key and the keys in `others`.
    fn key_set(&self, others: &VecDeque<ApiKey>) -> Arc<KeySet> {
        let own = self.own.iter().map(|own| own.key.expose());
        Arc::new(KeySet::new(own.chain(others.iter().map(ApiKey::expose))))
    }

    fn lock_sent(&self) -> MutexGuard<'_, SentKeys> {
        self.sent.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns all API keys that the client may have sent and must mask.
    fn known_keys(&self) -> Arc<KeySet> {
        Arc::clone(&self.lock_sent().all)
    }

    /// Replaces all known API keys in the text by a mask.
    pub(crate) fn mask(&self, text: &mut String) {
        self.known_keys().mask(text);
    }

    /// Replaces all known API keys in the header values by a mask.
    pub(crate) fn mask_headers(&self, headers: &mut HeaderMap) {
        mask_headers(headers, &self.known_keys());
    }

    /// Returns true if the text contains a known API key.
    pub(crate) fn are_in(&self, text: &[u8]) -> bool {
        self.known_keys().next_key(text, 0).is_some()
    }
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Keys")
    }
}
