//! Single flight: of equal calls in flight, only one is sent.
//!
//! The input is the key of a call and a function that sends the call. All callers receive the reply of one request, and
//! only one of them pays for it.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crypto_intel_core::{BoxFuture, Error, RawReply};
use futures_util::future::{Shared, WeakShared};

use super::CacheKey;

/// Result of a flight, which is one request for several equal calls.
#[derive(Clone)]
pub(crate) struct Landed {
    reply: RawReply,
    /// True if the reply was sent for this flight and no caller has claimed it yet.
    unclaimed: Arc<AtomicBool>,
}

impl Landed {
    /// Creates the result of a request that was sent for this flight.
    pub(crate) fn sent(reply: RawReply) -> Self {
        Landed { reply, unclaimed: Arc::new(AtomicBool::new(true)) }
    }

    /// Creates the result of a flight that found a reply in the cache.
    pub(crate) fn kept(reply: RawReply) -> Self {
        Landed { reply, unclaimed: Arc::new(AtomicBool::new(false)) }
    }

    /// Returns the reply for one caller. For the first caller, the reply has its number of attempts and is not marked as
    /// reused. For all other callers it has no attempts and is marked as reused, so the cost is counted once.
    pub(crate) fn claim(self) -> RawReply {
        let is_first = self.unclaimed.swap(false, Ordering::Relaxed);
        RawReply {
            reused: !is_first,
            attempts: if is_first { self.reply.attempts } else { 0 },
            ..self.reply
        }
    }
}

pub(crate) type Outcome = Result<Landed, Error>;
pub(crate) type Flight = Shared<BoxFuture<Outcome>>;
/// Key of a flight: cache key, and maximum age of a cached response. Calls with different maximum ages do not share a
/// flight.
pub(crate) type Name = (CacheKey, Duration);

/// The flights of a client.
#[derive(Default)]
pub(crate) struct Flights(Mutex<HashMap<Name, WeakShared<BoxFuture<Outcome>>>>);

impl Flights {
    /// Joins the flight with this key or begins it, and returns its outcome. Each waiting caller polls the shared
    /// request, so the request proceeds as long as one caller waits.
    pub(crate) async fn share(&self, name: Name, begin: impl FnOnce() -> Flight) -> Outcome {
        // Declared before the flight, so it is dropped after the flight and sees whether other callers still hold it.
        let _seat = Seat { flights: self, name: name.clone() };
        let flight = self.join(name, begin);

        flight.await
    }

    fn join(&self, name: Name, begin: impl FnOnce() -> Flight) -> Flight {
        let mut flights = self.lock();
        let under_way = flights.get(&name).and_then(WeakShared::upgrade);
        if let Some(flight) = under_way.filter(|flight| flight.peek().is_none()) {
            return flight;
        }

        let flight = begin();
        if let Some(weak) = flight.downgrade() {
            flights.insert(name, weak);
        }
        flight
    }

    /// Locks the flights. Code that holds the lock does not panic, so a poisoned lock is still consistent.
    fn lock(&self) -> MutexGuard<'_, HashMap<Name, WeakShared<BoxFuture<Outcome>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Flights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Flights({})", self.lock().len())
    }
}

/// Registration of one waiting caller. Dropping the last registration removes the flight.
struct Seat<'a> {
    flights: &'a Flights,
    name: Name,
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        let mut flights = self.flights.lock();
        let is_over =
            |flight: &WeakShared<_>| flight.upgrade().is_none_or(|one| one.peek().is_some());
        if flights.get(&self.name).is_some_and(is_over) {
            flights.remove(&self.name);
        }
    }
}
