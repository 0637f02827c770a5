//! Token amounts as decimal fixed-point numbers, so that sums of amounts have no rounding errors.

use crate::assets::Asset;
use crate::context::Context;

/// A token amount with a fixed number of decimal places: `count` divided by 10 to the power of `places`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Units {
    pub(crate) count: i64,
    pub(crate) places: u32,
}

impl Units {
    /// Returns the number of decimal places for amounts of an asset. The smallest possible amount, such as 0.0001 with
    /// 4 places, is worth 0.00001 to 0.0001 USD at the base price of each sandbox asset.
    pub(super) fn decimal_places(ctx: &Context, asset: &Asset) -> u32 {
        let digits = asset.walk(ctx).base.log10().ceil() + 4.0;
        digits.clamp(0.0, 9.0) as u32
    }

    /// Creates an amount with `places` decimal places. Rounds if necessary.
    pub(super) fn from_amount(amount: f64, places: u32) -> Self {
        Units { count: (amount * scale(places)).round() as i64, places }
    }

    /// Returns the amount in units of the token, as a floating-point number.
    pub fn value(self) -> f64 {
        self.count as f64 / scale(self.places)
    }

    /// Returns the amount in the smallest unit of the token, without its sign. `decimals` is the number of decimals of
    /// the token.
    pub fn raw(self, decimals: u32) -> u128 {
        let count = u128::from(self.count.unsigned_abs());
        count * 10_u128.pow(decimals.saturating_sub(self.places))
    }
}

fn scale(places: u32) -> f64 {
    10_f64.powi(i32::try_from(places).unwrap_or(0))
}

impl std::fmt::Display for Units {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let scale = 10_u64.pow(self.places);
        let (whole, part) = (self.count.unsigned_abs() / scale, self.count.unsigned_abs() % scale);
        let sign = if self.count < 0 { "-" } else { "" };
        if part == 0 {
            return write!(f, "{sign}{whole}");
        }
        let digits = format!("{part:0width$}", width = self.places as usize);
        write!(f, "{sign}{whole}.{}", digits.trim_end_matches('0'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_written_exactly() {
        for (count, places, text) in [
            (1_234_500, 4, "123.45"),
            (-5, 2, "-0.05"),
            (7_000, 3, "7"),
            (0, 9, "0"),
            (42, 0, "42"),
        ] {
            assert_eq!(Units { count, places }.to_string(), text);
        }
        assert_eq!(Units::from_amount(0.123_456, 4), Units { count: 1_235, places: 4 });
        assert_eq!(Units { count: 15, places: 1 }.raw(6), 1_500_000);
    }
}
