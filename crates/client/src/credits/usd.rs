//! Conversion of credits to USD, at the list price or at the price of a volume plan.
//!
//! The prices and plans are in the generated catalogue, which is built from the OpenAPI document.

use std::fmt;

use crypto_intel_api::generated::catalogue::{PLANS, TOP_UPS};

use super::price::Credits;

/// An exact amount of USD. It is stored in millionths of a USD, because a credit costs a fraction of a cent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Usd {
    /// Amount in millionths of a USD: 1,500,000 is 1.50 USD.
    pub micros: u128,
}

impl Usd {
    /// Parses a decimal number with at most six decimal places, for example `0.0035`. Returns `None` for any other
    /// text.
    fn parse(text: &str) -> Option<Self> {
        let (whole, places) = text.split_once('.').unwrap_or((text, ""));
        let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if whole.is_empty() || places.len() > 6 || !digits(whole) || !digits(places) {
            return None;
        }
        Some(Usd { micros: format!("{whole}{places:0<6}").parse().ok()? })
    }
}

/// Formats the amount with two to six decimal places and without unnecessary zeros. Examples: `1.50` and `0.0035`.
impl fmt::Display for Usd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let places = format!("{:06}", self.micros % 1_000_000);
        let kept = places.trim_end_matches('0').len().max(2);
        write!(f, "{}.{}", self.micros / 1_000_000, &places[..kept])
    }
}

/// Price of one credit in USD: the list price, or the price of a volume plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// Name of the plan, for example `Starter`.
    pub name: &'static str,
    /// Price of one credit in USD under this plan.
    pub per_credit: Usd,
    /// Lower bound for purchases under this plan: a customer must buy more credits than this number. If several plans
    /// allow a purchase, the plan with the largest bound applies.
    pub above: Credits,
}

impl Plan {
    /// Returns all plans in the OpenAPI document. The first plan has the list price of a credit, and the other plans
    /// are volume plans.
    ///
    /// ```
    /// use crypto_intel::credits::{Credits, Plan};
    ///
    /// let list = Plan::all().next().unwrap();
    /// assert_eq!(list.cost(Credits(150)).to_string(), "0.90");
    /// ```
    pub fn all() -> impl Iterator<Item = Plan> {
        PLANS.iter().filter_map(|row| {
            let per_credit = Usd::parse(row.usd_per_credit)?;
            Some(Plan { name: row.name, per_credit, above: Credits(row.above) })
        })
    }

    /// Returns the plan that applies to a purchase of this number of credits. For at most 100,000 credits, this is the
    /// plan `List`, which contains the list price. Returns `None` only if the catalogue has no plans.
    #[must_use]
    pub fn of_purchase(credits: Credits) -> Option<Plan> {
        Plan::all().filter(|plan| plan.above < credits || plan.above == Credits(0)).last()
    }

    /// Returns the exact price in USD of this number of credits under the plan.
    #[must_use]
    pub fn cost(&self, credits: Credits) -> Usd {
        Usd { micros: self.per_credit.micros * u128::from(credits.0) }
    }
}

/// Smallest purchase of credits that the service allows: the price in USD and the approximate number of credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TopUp {
    /// Amount that the customer pays for the credits, in USD.
    pub usd: Usd,
    /// Approximate number of credits for this amount, at the list price.
    pub credits: Credits,
}

impl TopUp {
    /// Returns the smallest purchase of credits that the service allows, according to the OpenAPI document. Returns
    /// `None` if the document does not contain a smallest purchase. Also returns `None` if the amount in USD is not a
    /// decimal number with at most six decimal places.
    ///
    /// ```
    /// use crypto_intel::credits::{Credits, TopUp};
    ///
    /// let top_up = TopUp::minimum().unwrap();
    /// assert_eq!((top_up.usd.to_string().as_str(), top_up.credits), ("20.00", Credits(3330)));
    /// ```
    #[must_use]
    pub fn minimum() -> Option<TopUp> {
        let row = TOP_UPS.first()?;
        Some(TopUp { usd: Usd::parse(row.usd)?, credits: Credits(row.credits) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usd_amounts_convert_exactly_both_ways() {
        for (text, shown) in [
            ("0.006", "0.006"),
            ("0.0035", "0.0035"),
            ("20", "20.00"),
            ("1.5", "1.50"),
            ("0.000001", "0.000001"),
        ] {
            assert_eq!(Usd::parse(text).unwrap().to_string(), shown);
        }
        for text in ["", ".", "-1", "1e3", "0.0000001", "1,5", ".5", "+1", "1.+5"] {
            assert_eq!(Usd::parse(text), None, "{text}");
        }
    }

    #[test]
    fn every_catalogue_plan_is_parsed() {
        assert_eq!(Plan::all().count(), PLANS.len());
        let names = [0, 1, 100_000, 100_001, 500_001, 1_000_001, 9_000_000]
            .map(|credits| Plan::of_purchase(Credits(credits)).unwrap().name);
        assert_eq!(names, ["List", "List", "List", "Starter", "Pro", "Plus", "Growth"]);
        let growth = Plan::of_purchase(Credits(2_000_000)).unwrap();
        assert_eq!(growth.cost(Credits(2_000_000)).to_string(), "6000.00");
    }
}
