//! List prices of calls.

use std::fmt;
use std::ops::Add;

use crypto_intel_core::{Call, Operation, Price};

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

/// What something will cost by the list, in credits.
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
    operation.list_price(model, effort).into()
}

/// A price by model that has not been looked up is not known.
impl From<Price> for Estimate {
    fn from(price: Price) -> Self {
        match price {
            Price::Free => Estimate::Exactly(Credits(0)),
            Price::Credits(credits) => Estimate::Exactly(Credits(credits.into())),
            Price::Unknown | Price::ByModel(_) => Estimate::Unknown,
        }
    }
}

/// The list price of this very call.
pub(crate) fn price_of(call: &Call) -> Estimate {
    call.list_price().into()
}
