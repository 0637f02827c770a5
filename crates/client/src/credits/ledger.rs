//! The ledger: credits that a client has spent.
//!
//! The client reserves the list price of a call before it sends the call, and records the reported credits afterwards.
//! A reservation above the budget is rejected.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crypto_intel_core::{Call, Error, ErrorKind, ModelUse, Operation};
use tokio::time::Instant;

use super::budget::Budget;
#[cfg(feature = "machine-ledger")]
use super::machine::{MachineLedger, Reservation};
use super::price::{Credits, Estimate, price_of};
use super::window::Windows;

/// Cost of a group of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Spending {
    /// Number of successful calls. Other calls are not charged.
    pub calls: u64,
    /// Sum of the published list prices: the maximum that the calls can have cost.
    pub list_price: Credits,
    /// Sum of the list prices, with the [free window](crypto_intel_core::Operation::free_window) of the interface
    /// text applied. The live service has reported other costs.
    pub with_window: Credits,
    /// Number of recorded calls that have no published price.
    pub unpriced: u64,
    /// Sum of the credits that the service reported.
    pub reported: Credits,
    /// Sum of the list prices of calls that a [cache](crate::cache) answered. These credits were not
    /// spent.
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

/// Writes one line for people. It begins with the list price, which is the maximum that can have been charged.
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

/// Requests that may or may not have been charged: requests in flight, requests that broke off or were dropped, and
/// requests with an error after a successful status.
///
/// A dropped request is not counted if it surely was not sent: it waited for the rate limit or a key, the client had
/// never connected, or the body of a POST was not read yet. A GET on a client that has connected before is always
/// uncertain. So is a request through the program's own HTTP client or service, because these do not report when they
/// send.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Unsettled {
    /// Number of requests. Free requests are not counted.
    pub requests: u64,
    /// Sum of the published list prices.
    pub list_price: Credits,
}

#[derive(Debug, Default)]
struct Book {
    by_operation: BTreeMap<&'static str, (&'static str, Spending)>,
    by_model: BTreeMap<ModelUse, Spending>,
    /// Credits by list price: spent, possibly spent, or reserved for requests in flight.
    committed: Credits,
    unsettled: Unsettled,
    windows: Windows,
    /// Counted credits of calls whose reported credits have not arrived yet, by operation. Used only for a budget that
    /// counts with the free window or with reported credits.
    unreported: BTreeMap<&'static str, VecDeque<Credits>>,
}

impl Book {
    fn settle(&mut self, risk: &Risk) {
        let Unsettled { requests, list_price } = self.unsettled;
        self.unsettled = Unsettled {
            requests: requests.saturating_sub(u64::from(risk.is_charged())),
            list_price: list_price - risk.list.credits().unwrap_or_default(),
        };
    }

    fn note(&mut self, operation: &Operation, model: Option<&ModelUse>, spending: Spending) {
        let (_, entry) =
            self.by_operation.entry(operation.id).or_insert((operation.tag, Spending::default()));
        entry.add(spending);
        if let Some(model) = model {
            self.by_model.entry(model.clone()).or_default().add(spending);
        }
    }
}

/// The ledger of a client and its clones.
#[derive(Debug, Clone)]
pub struct Ledger {
    budget: Budget,
    book: Arc<Mutex<Book>>,
    #[cfg(feature = "machine-ledger")]
    machine: Option<MachineLedger>,
}

/// A reservation on disk. Without the feature `machine-ledger` such reservations do not exist, so the type has no
/// values.
#[cfg(not(feature = "machine-ledger"))]
enum Reservation {}

#[cfg(not(feature = "machine-ledger"))]
impl Reservation {
    fn give_back(&self) {
        match *self {}
    }

    fn answered(&self) {
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

    /// Adds a ledger on disk, which also records all calls.
    #[cfg(feature = "machine-ledger")]
    pub(crate) fn with_machine(mut self, machine: Option<MachineLedger>) -> Self {
        self.machine = machine;
        self
    }

    /// Reserves a list price on disk, if there is a ledger on disk.
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

    /// Returns the sum over all calls.
    #[must_use]
    pub fn total(&self) -> Spending {
        self.book().by_operation.values().fold(Spending::default(), |mut sum, (_, one)| {
            sum.add(*one);
            sum
        })
    }

    /// Returns the sums by operation identifier.
    #[must_use]
    pub fn by_operation(&self) -> BTreeMap<&'static str, Spending> {
        self.book().by_operation.iter().map(|(id, (_, one))| (*id, *one)).collect()
    }

    /// Returns the sums by tag.
    #[must_use]
    pub fn by_tag(&self) -> BTreeMap<&'static str, Spending> {
        let mut tags: BTreeMap<&'static str, Spending> = BTreeMap::new();
        for (tag, one) in self.book().by_operation.values() {
            tags.entry(tag).or_default().add(*one);
        }
        tags
    }

    /// Returns the sums by model and effort, for operations whose price depends on them.
    #[must_use]
    pub fn by_model(&self) -> BTreeMap<ModelUse, Spending> {
        self.book().by_model.clone()
    }

    /// Returns the requests that were possibly charged: they neither succeeded nor were surely rejected.
    /// [`total`](Self::total) does not include them.
    #[must_use]
    pub fn unsettled(&self) -> Unsettled {
        self.book().unsettled
    }

    /// Returns the remaining credits of the budget, by list price; `None` without a budget.
    #[must_use]
    pub fn remaining(&self) -> Option<Credits> {
        Some(self.budget.limit? - self.book().committed)
    }

    /// Estimates one call by its list price. The call may be free within the free window of a call
    /// that this client has paid for.
    pub(crate) fn estimate(&self, call: &Call) -> Estimate {
        let price = price_of(call);
        if self.book().windows.is_open(call.operation(), Instant::now()) {
            return price.or_free();
        }
        price
    }

    /// Locks the sums. Code that holds the lock does not panic, so the data behind a poisoned lock is still
    /// consistent.
    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reserves the price of a call, or rejects the call. Check and reservation are one step, so concurrent calls
    /// cannot spend the same credits.
    pub(crate) fn reserve(&self, call: &Call) -> Result<Reserved<'_>, Error> {
        let mut book = self.book();
        let (list, operation) = (price_of(call), call.operation());
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

    /// Records a call that a cached response answered.
    pub(crate) fn saved(&self, call: &Call) {
        let saved = price_of(call).credits().unwrap_or_default();
        let spending = Spending { saved, ..Spending::default() };
        self.book().note(call.operation(), call.model().as_ref(), spending);
    }

    /// Releases the reservation of a request that was surely not charged.
    fn give_back(&self, risk: &Risk) {
        if let Some(on_disk) = &risk.on_disk {
            on_disk.give_back();
        }
        let mut book = self.book();
        book.settle(risk);
        book.committed = book.committed - risk.counted;
    }

    /// Records a successful request.
    fn answered(&self, call: &Call, risk: &Risk) {
        if let Some(on_disk) = &risk.on_disk {
            on_disk.answered();
        }
        let mut book = self.book();
        book.settle(risk);
        let operation = call.operation();
        let price = risk.list.credits().unwrap_or_default();
        let is_repeat = book.windows.is_open(operation, risk.at);
        if !is_repeat && price.0 > 0 {
            book.windows.paid(operation, risk.at);
        }

        let spending = Spending {
            calls: 1,
            list_price: price,
            with_window: if is_repeat { Credits(0) } else { price },
            unpriced: u64::from(risk.list == Estimate::Unknown),
            ..Spending::default()
        };
        book.note(operation, call.model().as_ref(), spending);

        // A chat call reports its credits in several parts, so the first part must not replace the counted price.
        let is_reported = self.budget.reported && call.model().is_none();
        if is_reported || (self.budget.window && operation.free_window.is_some()) {
            book.unreported.entry(operation.id).or_default().push_back(risk.counted);
        }
    }

    /// Records the credits that the service reports for a call.
    pub(crate) fn settled(
        &self,
        operation: &Operation,
        model: Option<&ModelUse>,
        credits_used: Option<i64>,
    ) {
        let mut book = self.book();
        let used = credits_used.and_then(|used| u64::try_from(used).ok()).map(Credits);
        #[cfg(feature = "machine-ledger")]
        if let (Some(machine), Some(used)) = (&self.machine, used.filter(|used| used.0 > 0)) {
            machine.report(operation.tag, used);
        }
        if let Some(used) = used {
            book.note(operation, model, Spending { reported: used, ..Spending::default() });
        }

        // It does not matter which of several concurrent calls this is: the sum is the same.
        let counted = book.unreported.get_mut(operation.id).and_then(VecDeque::pop_front);
        if let (Some(counted), Some(used)) = (counted, used) {
            book.committed = book.committed - counted + used;
            if used > counted {
                book.windows.close(operation);
            }
        }
    }
}

/// Reservation of a request that was not sent yet. Dropping it releases the credits.
pub(crate) struct Reserved<'a> {
    ledger: &'a Ledger,
    counted: Credits,
    list: Estimate,
    on_disk: Option<Reservation>,
}

/// Reservation of a request that may have been sent. It stays if the request is dropped or fails, unless the request
/// surely was not sent or not charged.
pub(crate) struct AtRisk<'a, F: Fn() -> bool> {
    ledger: &'a Ledger,
    /// `None` once the outcome is known.
    risk: Option<Risk>,
    has_not_begun: F,
}

impl<F: Fn() -> bool> AtRisk<'_, F> {
    /// Records that the request succeeded.
    pub(crate) fn answered(mut self, call: &Call) {
        if let Some(risk) = self.risk.take() {
            self.ledger.answered(call, &risk);
        }
    }

    /// Records that the request failed. `is_free` means that it surely was not charged.
    pub(crate) fn failed(mut self, is_free: bool) {
        if is_free && let Some(risk) = self.risk.take() {
            self.ledger.give_back(&risk);
        }
    }
}

impl<F: Fn() -> bool> Drop for AtRisk<'_, F> {
    fn drop(&mut self) {
        if let Some(risk) = self.risk.take().filter(|_| (self.has_not_begun)()) {
            self.ledger.give_back(&risk);
        }
    }
}

/// Reserved price of a request that may have been sent.
struct Risk {
    /// Credits that the budget counts.
    counted: Credits,
    list: Estimate,
    /// Start of the attempt.
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
    /// Marks the start of the attempt. As long as `has_not_begun` returns true, the request surely was not sent.
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
            on_disk.give_back();
        }
        let mut book = self.ledger.book();
        book.committed = book.committed - self.counted;
    }
}
