//! Importance ratings of fundraising reports.

use std::fmt;

use crypto_intel_api::generated::search::FundraisingSearchItem;

use super::optional;

/// Importance rating of a fundraising report, from 1 to 5. Presumably 5 means the most important, but the OpenAPI
/// document does not state this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Importance(u8);

impl Importance {
    /// Lowest importance rating, 1.
    pub const MIN: Importance = Importance(1);
    /// Highest importance rating, 5.
    pub const MAX: Importance = Importance(5);

    /// Creates an importance rating. Returns `None` if the number is not in the range 1 to 5.
    #[must_use]
    pub fn new(number: i64) -> Option<Self> {
        u8::try_from(number)
            .ok()
            .map(Importance)
            .filter(|this| (Self::MIN..=Self::MAX).contains(this))
    }

    /// Returns the rating as a number, which can be passed as the request parameter `min_importance`.
    #[must_use]
    pub fn get(self) -> i64 {
        self.0.into()
    }
}

impl fmt::Display for Importance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Extension trait that adds the method `importance` to fundraising reports.
pub trait FundraisingExt {
    /// Returns the importance rating of the report. Returns `None` if the report has no rating or if its rating is not
    /// in the range 1 to 5.
    fn importance(&self) -> Option<Importance>;
}

impl FundraisingExt for FundraisingSearchItem {
    fn importance(&self) -> Option<Importance> {
        optional(self.importance).and_then(Importance::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn importance_has_five_levels() {
        let numbers: Vec<_> =
            (-300..300).filter_map(Importance::new).map(Importance::get).collect();
        assert_eq!(numbers, [1, 2, 3, 4, 5]);
        let importance = |number: Option<i64>| {
            let mut report = serde_json::to_value(FundraisingSearchItem::default()).unwrap();
            report["importance"] = number.into();
            let report: FundraisingSearchItem = serde_json::from_value(report).unwrap();
            report.importance()
        };
        assert_eq!(importance(None), None);
        assert!(importance(Some(4)) > Importance::new(3));
        assert_eq!(importance(Some(9)), None);
    }
}
