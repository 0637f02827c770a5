//! List prices of calls.
//!
//! The input is a call or an operation. The output is its list price in credits, a range of credits, or
//! [`Estimate::Unknown`].

use std::fmt;
use std::ops::{Add, Sub};

use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_core::{Call, Operation, Price};

/// An amount of credits. Credits are the currency of the service.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Default,
    serde::Serialize,
    serde::Deserialize,
)]
pub struct Credits(pub u64);

impl Add for Credits {
    type Output = Credits;

    fn add(self, other: Credits) -> Credits {
        Credits(self.0.saturating_add(other.0))
    }
}

/// Subtracts credits. The result is 0 if `other` is greater.
impl Sub for Credits {
    type Output = Credits;

    fn sub(self, other: Credits) -> Credits {
        Credits(self.0.saturating_sub(other.0))
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

/// Estimated cost of one or more calls by list price, in credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Estimate {
    /// The cost is exactly this number of credits.
    Exactly(Credits),
    /// Minimum and maximum cost. A call within the [free window](crypto_intel_core::Operation::free_window) of an
    /// earlier call may be free. The live service has also charged such calls, so programs should plan with the
    /// maximum.
    Between(Credits, Credits),
    /// The operation has no published price.
    Unknown,
}

impl Estimate {
    /// Returns the maximum cost in credits. Returns `None` if no price is published.
    #[must_use]
    pub fn credits(self) -> Option<Credits> {
        match self {
            Estimate::Exactly(most) | Estimate::Between(_, most) => Some(most),
            Estimate::Unknown => None,
        }
    }

    /// Returns the minimum cost in credits. Returns `None` if no price is published.
    #[must_use]
    pub fn least(self) -> Option<Credits> {
        match self {
            Estimate::Exactly(least) | Estimate::Between(least, _) => Some(least),
            Estimate::Unknown => None,
        }
    }

    /// Returns the estimated cost of `times` equal calls. `self` is the cost of one call.
    #[must_use]
    pub fn times(self, times: u64) -> Self {
        let all = |Credits(one): Credits| Credits(one.saturating_mul(times));
        match self {
            Estimate::Exactly(one) => Estimate::Exactly(all(one)),
            Estimate::Between(least, most) => Estimate::Between(all(least), all(most)),
            Estimate::Unknown => Estimate::Unknown,
        }
    }

    /// Returns the estimated cost of `calls` consecutive calls of one operation. `self` is the cost of one call.
    /// `has_window` is true if all calls after the first may be free. For example, 3 calls at exactly 2 credits cost 2
    /// to 6 credits with a free window, and 6 credits without. For a range, the minimum and the maximum are always
    /// multiplied by `calls`.
    pub(crate) fn for_calls(self, calls: u64, has_window: bool) -> Self {
        match (self.times(calls), self.least()) {
            (Estimate::Exactly(most), Some(first)) if has_window && first < most => {
                Estimate::Between(first, most)
            }
            (all, _) => all,
        }
    }

    /// Returns this estimate with the minimum set to 0 credits: `Exactly(2)` becomes `Between(0, 2)`. Returns an
    /// unknown estimate and an estimate of 0 credits unchanged.
    pub(crate) fn or_free(self) -> Self {
        match self.credits() {
            Some(most) if most > Credits(0) => Estimate::Between(Credits(0), most),
            _ => self,
        }
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Estimate::Exactly(credits) => credits.fmt(f),
            Estimate::Between(least, most) => write!(f, "{} to {most}", least.0),
            Estimate::Unknown => f.write_str("a price that is not published"),
        }
    }
}

/// Returns all operations without a published price. Operations of disabled features are not included. A
/// [`Budget`](super::Budget) with a limit rejects calls of the returned operations, unless
/// [`allow_unknown`](super::Budget::allow_unknown) is set.
///
/// ```
/// for operation in crypto_intel::credits::unpriced() {
///     println!("{} {}", operation.method, operation.path);
/// }
/// ```
pub fn unpriced() -> impl Iterator<Item = &'static Operation> {
    OPERATIONS.iter().copied().filter(|operation| operation.price == Price::Unknown)
}

/// Converts a list price of the catalogue to an estimate. A price that depends on a chat model becomes
/// [`Estimate::Unknown`], because a [`Price`] does not name the model of a call.
impl From<Price> for Estimate {
    fn from(price: Price) -> Self {
        match price {
            Price::Free => Estimate::Exactly(Credits(0)),
            Price::Credits(credits) => Estimate::Exactly(Credits(credits.into())),
            Price::Unknown | Price::ByModel(_) => Estimate::Unknown,
        }
    }
}

/// Returns the list price of one call.
pub(crate) fn list_price(call: &Call) -> Estimate {
    call.list_price().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn or_free_lowers_only_prices_above_zero() {
        let free = Estimate::Exactly(Credits(0));
        assert_eq!(free.or_free(), free);
        assert_eq!(Estimate::Unknown.or_free(), Estimate::Unknown);
        let paid = Estimate::Exactly(Credits(2));
        assert_eq!(paid.or_free(), Estimate::Between(Credits(0), Credits(2)));
    }
}
