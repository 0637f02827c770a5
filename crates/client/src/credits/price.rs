//! List prices of calls.

use std::fmt;
use std::ops::Add;

use crypto_intel_core::{Call, ModelPrice, Operation, Price};

/// An amount of credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Credits(pub u64);

impl Add for Credits {
    type Output = Credits;

    fn add(self, other: Credits) -> Credits {
        Credits(self.0.saturating_add(other.0))
    }
}

impl std::iter::Sum for Credits {
    fn sum<I: Iterator<Item = Credits>>(amounts: I) -> Credits {
        amounts.fold(Credits(0), Add::add)
    }
}

impl fmt::Display for Credits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0, if self.0 == 1 { "credit" } else { "credits" })
    }
}

/// What something will cost by the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Estimate {
    /// This much.
    Exactly(Credits),
    /// The list does not say.
    Unknown,
}

impl Estimate {
    /// The amount, if the list says.
    #[must_use]
    pub fn credits(self) -> Option<Credits> {
        match self {
            Estimate::Exactly(credits) => Some(credits),
            Estimate::Unknown => None,
        }
    }

    /// The cost of this `times` over.
    #[must_use]
    pub fn times(self, times: u64) -> Self {
        match self {
            Estimate::Exactly(Credits(one)) => {
                Estimate::Exactly(Credits(one.saturating_mul(times)))
            }
            Estimate::Unknown => Estimate::Unknown,
        }
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Estimate::Exactly(credits) => credits.fmt(f),
            Estimate::Unknown => f.write_str("a price that is not published"),
        }
    }
}

/// The list price of a call of `operation`, given the model and the effort it asks for. A call
/// without an effort counts as one with `none`.
#[must_use]
pub fn list_price(operation: &Operation, model: Option<&str>, effort: Option<&str>) -> Estimate {
    let exactly = |credits: u32| Estimate::Exactly(Credits(credits.into()));
    match operation.price {
        Price::Free => exactly(0),
        Price::Credits(credits) => exactly(credits),
        Price::Unknown => Estimate::Unknown,
        Price::ByModel(table) => {
            let effort = effort.unwrap_or("none");
            let fits = |line: &&ModelPrice| {
                Some(line.model) == model && line.effort.is_none_or(|of_line| of_line == effort)
            };
            table.iter().find(fits).map_or(Estimate::Unknown, |line| exactly(line.credits))
        }
    }
}

/// The list price of this very call.
pub(crate) fn price_of(call: &Call) -> Estimate {
    let model = call.model();
    list_price(
        call.operation(),
        model.as_ref().map(|model| model.model.as_str()),
        model.as_ref().and_then(|model| model.effort.as_deref()),
    )
}
