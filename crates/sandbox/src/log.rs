//! Log of the last requests, for tests.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use crypto_intel_core::{Method, UnixSeconds};

/// A request as the sandbox saw it. Keys are not kept.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Arrived {
    /// When it was answered, by the sandbox's clock.
    pub at: UnixSeconds,
    /// HTTP method.
    pub method: Method,
    /// Path as sent.
    pub path: String,
    /// Query string as sent, without the question mark; empty when there was none.
    pub query: String,
    /// Body as text, at most 64 KiB of it.
    pub body: String,
    /// Whether the request had an `Authorization` header.
    pub authorized: bool,
    /// `User-Agent` as sent.
    pub user_agent: Option<String>,
    /// The operation that was meant, where the path is known.
    pub operation: Option<&'static str>,
    /// HTTP status of the answer; `None` for a request that was left without one.
    pub status: Option<u16>,
    /// Credits that were charged; `None` where nothing could be, as for what is refused.
    pub credits: Option<i64>,
    /// Members of a chat request that the interface does not describe and that had no effect, such
    /// as `temperature`.
    pub ignored: Vec<&'static str>,
    /// Warning that the response carried in the header `x-sandbox-warning`, such as an unknown model.
    pub warning: Option<String>,
    /// The fault that met the request, in its written form.
    pub fault: Option<String>,
}

/// Requests kept; older ones are forgotten so that memory stays flat.
const KEPT: usize = 1_000;
/// Bytes of a body kept.
pub(crate) const BODY_KEPT: usize = 64 * 1024;

/// The last requests, oldest first.
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

    /// The last `count` of them, oldest first.
    #[cfg(feature = "page")]
    pub(crate) fn last(&self, count: usize) -> Vec<Arrived> {
        let entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.iter().skip(entries.len().saturating_sub(count)).cloned().collect()
    }

    pub(crate) fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }
}
