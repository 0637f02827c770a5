//! Generates random numbers for record fields. The name of the field decides the range.

use crate::random::Seed;

/// Rounds a number to seven significant digits, so that responses are readable. If the absolute value is ten million or
/// more, rounds to a whole number instead. Returns 0 for NaN and infinity.
pub fn round(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return 0.0;
    }
    #[expect(clippy::cast_possible_truncation, reason = "log10 of an f64 is between -324 and 309")]
    let digits = 6 - value.abs().log10().floor() as i32;
    if digits >= 0 {
        let scale = 10_f64.powi(digits);
        (value * scale).round() / scale
    } else {
        value.round()
    }
}

/// Returns true if the name of a field denotes a fraction or a percentage, for example `win_rate`.
fn is_share(name: &str) -> bool {
    const WORDS: &[&str] =
        &["ratio", "rate", "pct", "percent", "percentage", "change", "probability", "confidence"];
    name.split('_').any(|word| WORDS.contains(&word))
}

/// Generates a decimal number for the field `name`.
pub(super) fn decimal(name: &str, seed: Seed) -> f64 {
    round(if is_share(name) { seed.unit() } else { seed.magnitude(1.0, 10_000.0) })
}

/// Generates an integer from 1 to 400.
pub(super) fn integer(seed: Seed) -> i64 {
    seed.range(1, 400)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_keeps_seven_digits() {
        for (value, expected) in [
            (0.000_123_456_789, 0.000_123_456_8),
            (1_234.567_891, 1_234.568),
            (98_765_432.1, 98_765_432.0),
            (-1.234_567_89, -1.234_568),
            (0.0, 0.0),
            (f64::NAN, 0.0),
        ] {
            assert_eq!(round(value), expected);
        }
    }
}
