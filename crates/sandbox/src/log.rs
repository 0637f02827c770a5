//! Log of the last requests, for tests.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use crypto_intel_core::{Method, UnixSeconds};

/// A request as the sandbox received it. Keys are not stored.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Arrived {
    /// Time of the response, by the sandbox's clock.
    pub at: UnixSeconds,
    /// HTTP method.
    pub method: Method,
    /// Path as sent.
    pub path: String,
    /// Query string as sent, without the question mark. Empty if there was none.
    pub query: String,
    /// Body as text, up to 64 KiB.
    pub body: String,
    /// True if the request had an `Authorization` header.
    pub authorized: bool,
    /// `User-Agent` as sent.
    pub user_agent: Option<String>,
    /// The operation, if the path is known.
    pub operation: Option<&'static str>,
    /// HTTP status of the response. `None` if no response was sent.
    pub status: Option<u16>,
    /// Charged credits. `None` for a rejected request.
    pub credits: Option<i64>,
    /// Fields of a chat request that had no effect: fields that the interface does not describe, such as `temperature`,
    /// and `include` and `prompt`, whose effect it does not show.
    pub ignored: Vec<&'static str>,
    /// Warning that the response carried in the header `x-sandbox-warning`, such as an unknown model.
    pub warning: Option<String>,
    /// The fault of the request, in its text form.
    pub fault: Option<String>,
    /// True if an [`Override`](crate::Override) decided the response.
    pub overridden: bool,
}

/// Maximum stored requests. Older ones are dropped.
const KEPT: usize = 1_000;
/// Maximum stored bytes of a body.
pub(crate) const BODY_KEPT: usize = 64 * 1024;

/// Recent requests, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Log(Mutex<VecDeque<Arrived>>);

impl Log {
    pub(crate) fn add(&self, arrived: Arrived) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if entries.len() == KEPT {
            entries.pop_front();
        }
        entries.push_back(arrived);
    }

    pub(crate) fn entries(&self) -> Vec<Arrived> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// Returns the last `count` requests, oldest first.
    #[cfg(feature = "page")]
    pub(crate) fn last(&self, count: usize) -> Vec<Arrived> {
        let entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.iter().skip(entries.len().saturating_sub(count)).cloned().collect()
    }

    pub(crate) fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
