//! Idle time of a call: the time in which no caller waits for the result of the call.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Time in which no caller waited for the result of a call. The timeouts of the call do not include this time.
///
/// A future makes no progress while it is not polled. A pager, for example, starts calls before their results are
/// needed, and polls the calls only while its reader polls the pager. The pager passes a clone of one `IdleTime` to
/// each call, and adds the time without polls. All clones share one total.
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
    /// Creates a counter of idle time that starts at zero. Use this counter for calls that start before their results
    /// are needed, such as calls for further pages. For all other calls, use the `Default` value, whose total is always
    /// zero.
    #[must_use]
    pub fn new() -> Self {
        IdleTime(Some(Arc::default()))
    }

    /// Adds a period to the idle time. In this period, no caller waited for the calls with this counter. Call this
    /// method before you poll these calls again.
    pub fn add(&self, time: Duration) {
        let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        if let Some(total) = &self.0 {
            let grown = |total: u64| Some(total.saturating_add(nanos));
            let _ = total.fetch_update(Ordering::Relaxed, Ordering::Relaxed, grown);
        }
    }

    /// Returns the idle time so far: the sum of all periods that [`add`](Self::add) added to this counter or to one of
    /// its clones.
    #[must_use]
    pub fn total(&self) -> Duration {
        let nanos = self.0.as_ref().map_or(0, |total| total.load(Ordering::Relaxed));
        Duration::from_nanos(nanos)
    }
}
