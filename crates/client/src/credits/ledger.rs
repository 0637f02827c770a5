//! The ledger: a record of the credits that a client has spent.
//!
//! Before the client sends a call, the ledger reserves the list price of the call. The ledger rejects the call if the
//! reservation would exceed the budget. After the response, the ledger records the credits that the service reported.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crypto_intel_core::{Call, Error, ErrorKind, ModelUse, Operation};
use tokio::time::Instant;

use super::budget::Budget;
#[cfg(feature = "machine-ledger")]
use super::machine::{MachineLedger, Reservation};
use super::price::{Credits, Estimate, list_price};
use super::window::Windows;

/// Cost of a group of calls, for example of all calls of one operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Spending {
    /// Number of successful calls. Failed calls that the service may have charged are in [`Unsettled`].
    pub calls: u64,
    /// Sum of the published list prices of the successful calls. Together, the successful calls that have a list price
    /// cost at most this sum.
    pub list_price: Credits,
    /// Sum of the list prices, with 0 credits for each repeated call within the
    /// [free window](crypto_intel_core::Operation::free_window). The service's OpenAPI document describes this rule,
    /// but the live service has reported costs that contradict this rule.
    pub with_window: Credits,
    /// Number of calls without a published list price.
    pub unpriced: u64,
    /// Sum of the credits that the service reported for this group of calls, such as all calls of one operation.
    pub reported: Credits,
    /// Sum of the list prices of calls that cost nothing, because they reused a response. The response was in a
    /// [cache](crate::cache), or an equal concurrent call received it.
    pub saved: Credits,
}

impl Spending {
    fn add(&mut self, other: Spending) {
        self.calls += other.calls;
        self.list_price = self.list_price + other.list_price;
        self.with_window = self.with_window + other.with_window;
        self.unpriced += other.unpriced;
        self.reported = self.reported + other.reported;
        self.saved = self.saved + other.saved;
    }
}

/// Formats the cost as one line of text for people. The line begins with the number of calls and the sum of their list
/// prices. The calls that have a list price cost at most this sum.
///
/// ```
/// use crypto_intel::credits::{Credits, Spending};
///
/// let mut spending = Spending::default();
/// (spending.calls, spending.list_price, spending.reported) = (3, Credits(5), Credits(3));
/// assert_eq!(spending.to_string(), "3 calls, list price 5 credits, 3 credits reported");
/// ```
impl fmt::Display for Spending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let calls = if self.calls == 1 { "call" } else { "calls" };
        write!(f, "{} {calls}, list price {}", self.calls, self.list_price)?;
        if self.unpriced > 0 {
            write!(f, " and {} without a published price", self.unpriced)?;
        }
        write!(f, ", {} reported", self.reported)?;
        if self.saved > Credits(0) {
            write!(f, ", {} saved by the cache", self.saved)?;
        }
        Ok(())
    }
}

/// Requests that the service may have charged, although they have no successful response. These are:
///
/// - requests in flight,
/// - requests whose connection broke or whose future was dropped,
/// - requests whose response has a success status (2xx) but reports an error, except rejected SQL queries.
///
/// A dropped request is not counted if the client cannot have sent it. This is certain in three cases:
///
/// - The request still waits for the rate limit or for an API key.
/// - The client has never connected.
/// - The request is a POST, and nothing has read its body yet.
///
/// The client cannot detect whether two other kinds of dropped requests were sent, so it counts them: GET requests of a
/// client that has already connected, and requests through an HTTP client, `tower` service or layer of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Unsettled {
    /// Number of requests. Requests with a list price of 0 are not counted.
    pub requests: u64,
    /// Sum of the published list prices of the requests that the service may have charged.
    pub list_price: Credits,
}

#[derive(Debug, Default)]
struct Book {
    by_operation: BTreeMap<&'static str, (&'static str, Spending)>,
    by_model: BTreeMap<ModelUse, Spending>,
    /// Credits that the budget counts as used. They are spent, possibly spent, or reserved for requests in flight.
    committed: Credits,
    unsettled: Unsettled,
    windows: Windows,
    /// Successful calls whose reported credits were not recorded yet. The key is an operation identifier. The value
    /// contains the credits that the budget has counted for each call, oldest first. The map is used only if the budget
    /// is set to [`with_window`](Budget::with_window) or [`as_reported`](Budget::as_reported).
    unreported: BTreeMap<&'static str, VecDeque<Credits>>,
}

impl Book {
    fn release_risk(&mut self, risk: &Risk) {
        let Unsettled { requests, list_price } = self.unsettled;
        self.unsettled = Unsettled {
            requests: requests.saturating_sub(u64::from(risk.is_charged())),
            list_price: list_price - risk.list.credits().unwrap_or_default(),
        };
    }

    fn add(&mut self, operation: &Operation, model: Option<&ModelUse>, spending: Spending) {
        let (_, entry) =
            self.by_operation.entry(operation.id).or_insert((operation.tag, Spending::default()));
        entry.add(spending);
        if let Some(model) = model {
            self.by_model.entry(model.clone()).or_default().add(spending);
        }
    }
}

/// The ledger of a client. All clones of the client share it.
#[derive(Debug, Clone)]
pub struct Ledger {
    budget: Budget,
    book: Arc<Mutex<Book>>,
    #[cfg(feature = "machine-ledger")]
    machine: Option<MachineLedger>,
}

/// Empty replacement for the type `Reservation` of the ledger on disk, for builds without the feature
/// `machine-ledger`. Such builds have no ledger on disk, so no value of this type can exist.
#[cfg(not(feature = "machine-ledger"))]
enum Reservation {}

#[cfg(not(feature = "machine-ledger"))]
impl Reservation {
    fn release(&self) {
        match *self {}
    }

    fn record_success(&self) {
        match *self {}
    }
}

impl Ledger {
    pub(crate) fn new(budget: Budget) -> Self {
        Ledger {
            budget,
            book: Arc::default(),
            #[cfg(feature = "machine-ledger")]
            machine: None,
        }
    }

    /// Adds a ledger on disk. The ledger on disk also records all calls that are not free.
    #[cfg(feature = "machine-ledger")]
    pub(crate) fn with_machine(mut self, machine: Option<MachineLedger>) -> Self {
        self.machine = machine;
        self
    }

    /// Reserves the list price of a call in the ledger on disk. Returns `None` if the client has no ledger on disk or
    /// if the call is free.
    #[cfg(feature = "machine-ledger")]
    fn reserve_on_disk(
        &self,
        operation: &Operation,
        list: Estimate,
    ) -> Result<Option<Reservation>, Error> {
        let price = list.credits().unwrap_or_default();
        let machine = self.machine.as_ref().filter(|_| list != Estimate::Exactly(Credits(0)));
        machine.map(|machine| machine.reserve(operation.tag, price)).transpose()
    }

    #[cfg(not(feature = "machine-ledger"))]
    fn reserve_on_disk(&self, _: &Operation, _: Estimate) -> Result<Option<Reservation>, Error> {
        Ok(None)
    }

    /// Returns the cost of all calls of the client and of its clones.
    #[must_use]
    pub fn total(&self) -> Spending {
        self.book().by_operation.values().fold(Spending::default(), |mut sum, (_, one)| {
            sum.add(*one);
            sum
        })
    }

    /// Returns the cost of the calls of each operation. The keys are operation identifiers.
    #[must_use]
    pub fn by_operation(&self) -> BTreeMap<&'static str, Spending> {
        self.book().by_operation.iter().map(|(id, (_, one))| (*id, *one)).collect()
    }

    /// Returns the cost of the calls for each tag, such as `Equity`. The OpenAPI document assigns a tag to each
    /// operation. Raw calls have the tag `Raw`.
    #[must_use]
    pub fn by_tag(&self) -> BTreeMap<&'static str, Spending> {
        let mut tags: BTreeMap<&'static str, Spending> = BTreeMap::new();
        for (tag, one) in self.book().by_operation.values() {
            tags.entry(tag).or_default().add(*one);
        }
        tags
    }

    /// Returns the cost of calls by model: one sum for each pair of model and reasoning effort. The map contains only
    /// calls of operations whose price depends on the model.
    #[must_use]
    pub fn by_model(&self) -> BTreeMap<ModelUse, Spending> {
        self.book().by_model.clone()
    }

    /// Returns the requests that the service may have charged, although they have no successful response.
    /// [`total`](Self::total) does not include them.
    #[must_use]
    pub fn unsettled(&self) -> Unsettled {
        self.book().unsettled
    }

    /// Returns the remaining credits of the budget: its limit minus the credits that count as spent or reserved.
    /// Returns `None` if the budget has no limit.
    #[must_use]
    pub fn remaining(&self) -> Option<Credits> {
        Some(self.budget.limit? - self.book().committed)
    }

    /// Estimates the cost of one call by its list price. In the [free
    /// window](crypto_intel_core::Operation::free_window) after a paid call of this client, a call of the same
    /// operation may be free. The minimum of the estimate is then 0 credits, unless the price is unknown.
    pub(crate) fn estimate(&self, call: &Call) -> Estimate {
        let price = list_price(call);
        if self.book().windows.is_open(call.operation(), Instant::now()) {
            return price.or_free();
        }
        price
    }

    /// Locks the counters of the ledger. No code can panic while it changes the counters, so the counters are
    /// consistent even if the lock is poisoned.
    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reserves the list price of a call, or returns an error if the budget does not allow it. The ledger stays locked
    /// during the check and the reservation, so concurrent calls cannot reserve the same credits.
    pub(crate) fn reserve(&self, call: &Call) -> Result<Reserved<'_>, Error> {
        let mut book = self.book();
        let (list, operation) = (list_price(call), call.operation());
        let is_free = self.budget.window && book.windows.is_open(operation, Instant::now());
        let counted = if is_free { Credits(0) } else { list.credits().unwrap_or_default() };
        let refuse = |message: String| {
            Err(Error::new(ErrorKind::OverBudget, message).with_operation(operation.id))
        };

        if let (Estimate::Unknown, Some(_), false) = (list, self.budget.limit, self.budget.unknown)
        {
            return refuse(
                "the price of the call is not published, and the budget allows only published \
                 prices; `Budget::allow_unknown` allows the call"
                    .to_owned(),
            );
        }

        let after = book.committed + counted;
        if let Some(limit) = self.budget.limit.filter(|limit| after > *limit && counted.0 > 0) {
            return refuse(format!(
                "the list price of the call is {counted}, and {} of {limit} are already spent or reserved",
                book.committed.0
            ));
        }
        let on_disk = self.reserve_on_disk(operation, list);
        let on_disk = on_disk.map_err(|error| error.with_operation(operation.id))?;
        book.committed = after;
        Ok(Reserved { ledger: self, counted, list, on_disk })
    }

    /// Records a call that received a response from the cache, or the response to an equal concurrent call.
    pub(crate) fn record_saved(&self, call: &Call) {
        let saved = list_price(call).credits().unwrap_or_default();
        let spending = Spending { saved, ..Spending::default() };
        self.book().add(call.operation(), call.model().as_ref(), spending);
    }

    /// Releases the reservation of a request that the service cannot have charged.
    fn release(&self, risk: &Risk) {
        if let Some(on_disk) = &risk.on_disk {
            on_disk.release();
        }
        let mut book = self.book();
        book.release_risk(risk);
        book.committed = book.committed - risk.counted;
    }

    /// Records a request with a successful response.
    fn record_success(&self, call: &Call, risk: &Risk) {
        if let Some(on_disk) = &risk.on_disk {
            on_disk.record_success();
        }
        let mut book = self.book();
        book.release_risk(risk);
        let operation = call.operation();
        let price = risk.list.credits().unwrap_or_default();
        let is_repeat = book.windows.is_open(operation, risk.at);
        if !is_repeat && price.0 > 0 {
            book.windows.record_paid(operation, risk.at);
        }

        let spending = Spending {
            calls: 1,
            list_price: price,
            with_window: if is_repeat { Credits(0) } else { price },
            unpriced: u64::from(risk.list == Estimate::Unknown),
            ..Spending::default()
        };
        book.add(operation, call.model().as_ref(), spending);

        // A chat call reports its credits in several parts. The first part must not replace the list price.
        let is_reported = self.budget.reported && call.model().is_none();
        if is_reported || (self.budget.window && operation.free_window.is_some()) {
            book.unreported.entry(operation.id).or_default().push_back(risk.counted);
        }
    }

    /// Records the credits that the service reports for a call.
    pub(crate) fn record_reported(
        &self,
        operation: &Operation,
        model: Option<&ModelUse>,
        credits_used: Option<i64>,
    ) {
        let mut book = self.book();
        let used = credits_used.and_then(|used| u64::try_from(used).ok()).map(Credits);
        #[cfg(feature = "machine-ledger")]
        if let (Some(machine), Some(used)) = (&self.machine, used.filter(|used| used.0 > 0)) {
            machine.record_reported(operation.tag, used);
        }
        if let Some(used) = used {
            book.add(operation, model, Spending { reported: used, ..Spending::default() });
        }

        // With several concurrent calls, this can be the entry of another call. The sum over all calls is still
        // correct.
        let counted = book.unreported.get_mut(operation.id).and_then(VecDeque::pop_front);
        if let (Some(counted), Some(used)) = (counted, used) {
            book.committed = book.committed - counted + used;
            if used > counted {
                book.windows.close(operation);
            }
        }
    }
}

/// Reservation for a request that was not sent yet. Dropping the reservation releases the credits.
pub(crate) struct Reserved<'a> {
    ledger: &'a Ledger,
    counted: Credits,
    list: Estimate,
    on_disk: Option<Reservation>,
}

/// Reservation for a request that may have been sent. If the request fails or is dropped, the credits stay reserved,
/// unless the service cannot have charged the request.
pub(crate) struct AtRisk<'a, F: Fn() -> bool> {
    ledger: &'a Ledger,
    /// The reserved price, or `None` after the result of the request was recorded.
    risk: Option<Risk>,
    has_not_begun: F,
}

impl<F: Fn() -> bool> AtRisk<'_, F> {
    /// Records that the request had a successful response.
    pub(crate) fn record_success(mut self, call: &Call) {
        if let Some(risk) = self.risk.take() {
            self.ledger.record_success(call, &risk);
        }
    }

    /// Records that the request failed. Releases its reserved credits if the service cannot have executed the request.
    /// If `is_free` is true, the credits are always released, because the service cannot have charged the request.
    pub(crate) fn record_failure(mut self, is_free: bool) {
        if is_free && let Some(risk) = self.risk.take() {
            self.ledger.release(&risk);
        }
    }
}

impl<F: Fn() -> bool> Drop for AtRisk<'_, F> {
    fn drop(&mut self) {
        if let Some(risk) = self.risk.take().filter(|_| (self.has_not_begun)()) {
            self.ledger.release(&risk);
        }
    }
}

/// Reserved price of a request that may have been sent.
struct Risk {
    /// Credits that the budget counts for this request.
    counted: Credits,
    list: Estimate,
    /// Time at which the attempt started.
    at: Instant,
    on_disk: Option<Reservation>,
}

impl Risk {
    /// Returns true if the request may cost credits.
    fn is_charged(&self) -> bool {
        self.list != Estimate::Exactly(Credits(0))
    }
}

impl<'a> Reserved<'a> {
    /// Converts the reservation to an [`AtRisk`] reservation at the start of an attempt. `has_not_begun` returns true
    /// while the service has certainly not executed the request. If `has_not_begun` returns true at the end of an
    /// unsuccessful attempt, the credits are released.
    pub(crate) fn at_risk<F: Fn() -> bool>(mut self, has_not_begun: F) -> AtRisk<'a, F> {
        let counted = std::mem::take(&mut self.counted);
        let on_disk = self.on_disk.take();
        let risk = Risk { counted, list: self.list, at: Instant::now(), on_disk };
        let mut book = self.ledger.book();
        book.unsettled.requests += u64::from(risk.is_charged());
        book.unsettled.list_price =
            book.unsettled.list_price + risk.list.credits().unwrap_or_default();
        AtRisk { ledger: self.ledger, risk: Some(risk), has_not_begun }
    }
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        if let Some(on_disk) = &self.on_disk {
            on_disk.release();
        }
        let mut book = self.ledger.book();
        book.committed = book.committed - self.counted;
    }
}
