//! Log of the last requests, which tests can read.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use crypto_intel_core::{Method, UnixSeconds};

/// A request as the sandbox received it, with a summary of its response. API keys are not stored.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Arrived {
    /// Time of the log entry in Unix seconds of the sandbox's clock. If a response was sent, this is the time of the
    /// response.
    pub at: UnixSeconds,
    /// HTTP method.
    pub method: Method,
    /// URL path as sent.
    pub path: String,
    /// Query string as sent, without the question mark. Empty if there was none.
    pub query: String,
    /// First 64 KiB of the body, as text.
    pub body: String,
    /// True if the request had an `Authorization` header.
    pub authorized: bool,
    /// Value of the `User-Agent` header, if there is one.
    pub user_agent: Option<String>,
    /// Id of the requested operation. `None` if no operation has the path and method of the request.
    pub operation: Option<&'static str>,
    /// HTTP status of the response. `None` if no response was sent.
    pub status: Option<u16>,
    /// Credits charged for the request. `None` if the request was rejected or failed, or if a fault replaced the
    /// response. Also `None` if the sandbox records or replays the responses of the live service.
    pub credits: Option<i64>,
    /// Names of the chat request fields that had no effect. Most of these fields, such as `temperature`, are not in the
    /// API documentation of the service. The documentation lists `include` and `prompt`, but does not describe their
    /// effect.
    pub ignored: Vec<&'static str>,
    /// Warning in the response header `x-sandbox-warning`, for example about an unknown model.
    pub warning: Option<String>,
    /// Text form of the [`Fault`](crate::Fault) that affected the request.
    pub fault: Option<String>,
    /// True if an [`Override`](crate::Override) applied to the request. Also true if the override left the generated
    /// response unchanged, as [`Override::invented`](crate::Override::invented) does.
    pub overridden: bool,
}

/// Maximum number of stored requests. The oldest requests are dropped.
const KEPT: usize = 1_000;
/// Maximum stored size of a request body in bytes.
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
