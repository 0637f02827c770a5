//! The importance of fundraising reports.

use std::fmt;

use crypto_intel_api::generated::search::FundraisingSearchItem;

use super::optional;

/// Importance of a report, from 1 to 5. A greater value is presumably more important.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Importance(u8);

impl Importance {
    /// The lowest importance.
    pub const MIN: Importance = Importance(1);
    /// The highest importance.
    pub const MAX: Importance = Importance(5);

    /// Creates an importance; `None` outside 1 to 5.
    #[must_use]
    pub fn new(number: i64) -> Option<Self> {
        u8::try_from(number)
            .ok()
            .map(Importance)
            .filter(|this| (Self::MIN..=Self::MAX).contains(this))
    }

    /// Returns the number for the parameter `min_importance`.
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

/// The importance of a fundraising report, checked against its scale.
pub trait FundraisingExt {
    /// Returns the importance; `None` if the report has no rating, or one outside 1 to 5.
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
    fn the_scale_has_five_steps() {
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
