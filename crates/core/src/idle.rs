//! Idle time: the time in which no caller waits for a call.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Time in which no caller waited for a call. Timeouts of the call do not count it.
///
/// A future makes no progress while it is not polled, but clocks run on. Code that starts calls before they are
/// needed, such as a pager, gives each call a handle on one `IdleTime`, and adds the time since the last poll before
/// it polls again. Clones share the time. Calls without a handle are never idle.
///
/// ```
/// use std::time::Duration;
/// use crypto_intel_core::IdleTime;
///
/// let (idle, of_the_call) = { let idle = IdleTime::new(); (idle.clone(), idle) };
/// idle.add(Duration::from_secs(2));
/// assert_eq!(of_the_call.total(), Duration::from_secs(2));
/// ```
#[derive(Debug, Clone, Default)]
pub struct IdleTime(Option<Arc<AtomicU64>>);

impl IdleTime {
    /// Creates a counter that can grow. The default value cannot grow: it is for calls that are not started in
    /// advance.
    #[must_use]
    pub fn new() -> Self {
        IdleTime(Some(Arc::default()))
    }

    /// Adds time in which no caller waited. Add it before the calls are polled again.
    pub fn add(&self, time: Duration) {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        if let Some(total) = &self.0 {
            let grown = |total: u64| Some(total.saturating_add(nanos));
            let _ = total.fetch_update(Ordering::Relaxed, Ordering::Relaxed, grown);
        }
    }

    /// Returns the total so far.
    #[must_use]
    pub fn total(&self) -> Duration {
        let nanos = self.0.as_ref().map_or(0, |total| total.load(Ordering::Relaxed));
        Duration::from_nanos(nanos)
    }
}
