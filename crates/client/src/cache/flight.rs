//! Single flight: if several callers make equal calls at the same time, only one request is sent.
//!
//! A flight is one request in progress and the callers that wait for its reply. All these callers receive the reply,
//! and the cost is counted for only one caller.

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crypto_intel_core::{BoxFuture, Error, RawReply};
use futures_util::future::{Shared, WeakShared};

use super::CacheKey;

/// Successful result of a flight. A flight is one request, and several equal calls receive its reply.
#[derive(Clone)]
pub(crate) struct Landed {
    reply: RawReply,
    /// True if the reply is the response to a sent request whose cost is not counted yet. The first call of
    /// [`claim`](Self::claim) sets it to false. Always false for a reply from the cache.
    unclaimed: Arc<AtomicBool>,
}

impl Landed {
    /// Creates a result whose reply is the response to a request that was sent, not a cached response.
    pub(crate) fn from_response(reply: RawReply) -> Self {
        Landed { reply, unclaimed: Arc::new(AtomicBool::new(true)) }
    }

    /// Creates the result of a flight that found its reply in the cache, so it sent no request.
    pub(crate) fn from_cache(reply: RawReply) -> Self {
        Landed { reply, unclaimed: Arc::new(AtomicBool::new(false)) }
    }

    /// Returns the reply for one of the callers that share this result. If the flight sent a request, the first
    /// returned reply has the number of attempts. All other replies have 0 attempts and are marked as reused, so the
    /// cost is counted once.
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
/// Key of a [`Flight`]: the cache key of the call, and the maximum age of a cached response. Equal calls share one
/// request only if their maximum ages are equal too.
pub(crate) type FlightKey = (CacheKey, Duration);

/// Flights of a client: requests that are being sent, with the calls that wait for their replies.
#[derive(Default)]
pub(crate) struct Flights(Mutex<HashMap<FlightKey, WeakShared<BoxFuture<Outcome>>>>);

impl Flights {
    /// Waits for the outcome of the flight (one request for several equal calls) with this key. Starts the flight with
    /// `begin` if it is not in progress. The request proceeds as long as at least one caller waits.
    pub(crate) async fn share(&self, key: FlightKey, begin: impl FnOnce() -> Flight) -> Outcome {
        // Rust drops variables in reverse order, so this one is dropped after `flight`. It then sees whether other
        // callers still hold the flight.
        let _seat = Seat { flights: self, key: key.clone() };
        let flight = self.find_or_start(key, begin);

        flight.await
    }

    fn find_or_start(&self, key: FlightKey, begin: impl FnOnce() -> Flight) -> Flight {
        let mut flights = self.lock();
        let under_way = flights.get(&key).and_then(WeakShared::upgrade);
        if let Some(flight) = under_way.filter(|flight| flight.peek().is_none()) {
            return flight;
        }

        let flight = begin();
        if let Some(weak) = flight.downgrade() {
            flights.insert(key, weak);
        }
        flight
    }

    /// Locks the map of flights. No code panics while it holds this lock, so poisoning is ignored.
    fn lock(&self) -> MutexGuard<'_, HashMap<FlightKey, WeakShared<BoxFuture<Outcome>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Flights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Flights({})", self.lock().len())
    }
}

/// Registration of one caller that waits for a flight. A flight is one request that several equal calls share. Dropping
/// the registration removes the flight from [`Flights`] if the flight has ended, or if no other caller waits for it.
struct Seat<'a> {
    flights: &'a Flights,
    key: FlightKey,
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        let mut flights = self.flights.lock();
        let is_over =
            |flight: &WeakShared<_>| flight.upgrade().is_none_or(|one| one.peek().is_some());
        if flights.get(&self.key).is_some_and(is_over) {
            flights.remove(&self.key);
        }
    }
}
