//! What a client has spent, and what it may.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crypto_intel_core::{Call, Error, ErrorKind, ModelUse, Operation};

use super::price::{Credits, Estimate, price_of};

/// What a client may spend, by list price. A call that would go over it is refused before it is
/// sent ([`ErrorKind::OverBudget`]).
///
/// The price of a call is set aside while it is under way. It is given back when the service
/// surely charged nothing, and kept when it may have: a request that broke off, or that its caller
/// dropped, may have been carried out, and so every attempt of a call counts for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    limit: Option<Credits>,
    unknown: bool,
}

impl Budget {
    /// No limit.
    #[must_use]
    pub fn unlimited() -> Self {
        Budget { limit: None, unknown: true }
    }

    /// At most this many credits. Calls whose price is not published are refused too, unless
    /// [`allow_unknown`](Self::allow_unknown).
    #[must_use]
    pub fn credits(limit: u64) -> Self {
        Budget { limit: Some(Credits(limit)), unknown: false }
    }

    /// Lets calls pass whose price is not published; they count as free.
    #[must_use]
    pub fn allow_unknown(mut self) -> Self {
        self.unknown = true;
        self
    }
}

/// What calls have cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Spending {
    /// Calls that were answered with success. Calls that were not are not charged.
    pub calls: u64,
    /// Their cost by the list, as far as it is published.
    pub list_price: Credits,
    /// Calls among them whose price is not published.
    pub unpriced: u64,
    /// What the service says that they used, as far as it says so.
    pub reported: Credits,
}

impl Spending {
    fn add(&mut self, other: Spending) {
        self.calls += other.calls;
        self.list_price = self.list_price + other.list_price;
        self.unpriced += other.unpriced;
        self.reported = self.reported + other.reported;
    }
}

#[derive(Debug, Default)]
struct Book {
    by_operation: BTreeMap<&'static str, (&'static str, Spending)>,
    by_model: BTreeMap<ModelUse, Spending>,
    /// By list price: spent, perhaps spent, or set aside for requests under way.
    committed: Credits,
}

/// The account of a client and its clones.
#[derive(Debug, Clone)]
pub struct Ledger {
    budget: Budget,
    book: Arc<Mutex<Book>>,
}

impl Ledger {
    pub(crate) fn new(budget: Budget) -> Self {
        Ledger { budget, book: Arc::default() }
    }

    /// Everything together.
    #[must_use]
    pub fn total(&self) -> Spending {
        self.book().by_operation.values().fold(Spending::default(), |mut sum, (_, one)| {
            sum.add(*one);
            sum
        })
    }

    /// By identifier of the operation.
    #[must_use]
    pub fn by_operation(&self) -> BTreeMap<&'static str, Spending> {
        self.book().by_operation.iter().map(|(id, (_, one))| (*id, *one)).collect()
    }

    /// By tag.
    #[must_use]
    pub fn by_tag(&self) -> BTreeMap<&'static str, Spending> {
        let mut tags: BTreeMap<&'static str, Spending> = BTreeMap::new();
        for (tag, one) in self.book().by_operation.values() {
            tags.entry(tag).or_default().add(*one);
        }
        tags
    }

    /// By model and effort, for the operations whose price depends on them.
    #[must_use]
    pub fn by_model(&self) -> BTreeMap<ModelUse, Spending> {
        self.book().by_model.clone()
    }

    /// What the budget still allows, by list price; `None` without a budget.
    #[must_use]
    pub fn remaining(&self) -> Option<Credits> {
        let limit = self.budget.limit?;
        Some(Credits(limit.0.saturating_sub(self.book().committed.0)))
    }

    /// Nothing within the lock can panic half way, so a poisoned book is still true.
    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the price of a call aside, or refuses the call. Looking and setting aside are one
    /// step, so that calls side by side cannot spend the same credits.
    pub(crate) fn reserve(&self, call: &Call) -> Result<Reserved<'_>, Error> {
        let mut book = self.book();
        let price = price_of(call);
        let refuse = |message: String| {
            Err(Error::new(ErrorKind::OverBudget, message).with_operation(call.operation().id))
        };
        match (price, self.budget.limit) {
            (Estimate::Exactly(price), limit) => {
                let after = book.committed + price;
                if let Some(limit) = limit.filter(|limit| after > *limit) {
                    return refuse(format!(
                        "the call costs {price} by the list, and of a budget of {limit} {} are spent or set aside",
                        book.committed.0
                    ));
                }
                book.committed = after;
            }
            (Estimate::Unknown, Some(_)) if !self.budget.unknown => {
                return refuse(
                    "the price of the call is not published, and the budget allows no such call"
                        .to_owned(),
                );
            }
            (Estimate::Unknown, _) => {}
        }
        let price = price.credits().unwrap_or_default();
        Ok(Reserved { ledger: self, price })
    }

    /// Gives back what was set aside for a request that was surely not charged.
    pub(crate) fn give_back(&self, AtRisk(price): AtRisk) {
        let mut book = self.book();
        book.committed = Credits(book.committed.0.saturating_sub(price.0));
    }

    pub(crate) fn answered(&self, call: &Call) {
        let operation = call.operation();
        let price = price_of(call).credits();
        self.note(
            operation,
            call.model().as_ref(),
            Spending {
                calls: 1,
                list_price: price.unwrap_or_default(),
                unpriced: u64::from(price.is_none()),
                reported: Credits(0),
            },
        );
    }

    fn note(&self, operation: &Operation, model: Option<&ModelUse>, spending: Spending) {
        let mut book = self.book();
        let (_, entry) =
            book.by_operation.entry(operation.id).or_insert((operation.tag, Spending::default()));
        entry.add(spending);
        if let Some(model) = model {
            book.by_model.entry(model.clone()).or_default().add(spending);
        }
    }

    pub(crate) fn settled(
        &self,
        operation: &Operation,
        model: Option<&ModelUse>,
        credits_used: Option<i64>,
    ) {
        if let Some(used) = credits_used.and_then(|used| u64::try_from(used).ok()) {
            self.note(
                operation,
                model,
                Spending { reported: Credits(used), ..Spending::default() },
            );
        }
    }
}

/// A price that is set aside for a request that has not left yet. Dropped, it is given back.
pub(crate) struct Reserved<'a> {
    ledger: &'a Ledger,
    price: Credits,
}

/// A price that is set aside for a request that has left. It stays so, whatever becomes of the
/// request, unless it is given back: a budget errs on the side of the purse.
pub(crate) struct AtRisk(Credits);

impl Reserved<'_> {
    /// From now on the request may be charged.
    pub(crate) fn at_risk(mut self) -> AtRisk {
        AtRisk(std::mem::take(&mut self.price))
    }
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        self.ledger.give_back(AtRisk(self.price));
    }
}
