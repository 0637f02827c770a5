//! Time in which nobody waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Time in which nobody waited for a call, so far. Limits on the time of the call do not count it.
///
/// A future does nothing while nobody polls it, but clocks run on. Who starts calls ahead of their
/// reader, as pagers do, gives each call a handle on one `IdleTime`, and adds to it whenever the
/// reader comes back. Clones share the time; calls that were given none are never idle.
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
    /// A time that can grow. The default one cannot: it is that of calls that nobody starts ahead.
    #[must_use]
    pub fn new() -> Self {
        IdleTime(Some(Arc::default()))
    }

    /// Adds time in which nobody waited. Call it before the calls are polled again.
    pub fn add(&self, time: Duration) {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        if let Some(total) = &self.0 {
            let grown = |total: u64| Some(total.saturating_add(nanos));
            let _ = total.fetch_update(Ordering::Relaxed, Ordering::Relaxed, grown);
        }
    }

    /// The time so far.
    #[must_use]
    pub fn total(&self) -> Duration {
        let nanos = self.0.as_ref().map_or(0, |total| total.load(Ordering::Relaxed));
        Duration::from_nanos(nanos)
    }
}
