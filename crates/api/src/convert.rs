//! Conversions into values of this service that the description does not say.

use crate::generated::shared::TimeRange;

/// A whole number as a lookback window: the interface text takes one beside texts such as `7d`, without
/// a unit, and it is sent as it is.
impl From<i64> for TimeRange {
    fn from(number: i64) -> Self {
        number.to_string().into()
    }
}
