//! Generates numbers by the name of their field.

use crate::random::Seed;

/// Rounds to seven significant digits. That keeps answers readable, and every JSON reader preserves it.
pub fn round(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() {
        return 0.0;
    }
    #[expect(clippy::cast_possible_truncation, reason = "the exponent of a double is small")]
    let digits = 6 - value.abs().log10().floor() as i32;
    if digits >= 0 {
        let scale = 10_f64.powi(digits);
        (value * scale).round() / scale
    } else {
        value.round()
    }
}

/// Returns true if `name` contains one of `words`, between underscores.
fn has(name: &str, words: &[&str]) -> bool {
    name.split('_').any(|part| words.contains(&part))
}

/// Kind of number that a word in a field's name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    Chance,
    Rate,
    Funding,
    Change,
    Ratio,
    Money,
    Yield,
    Score,
    Fee,
    Gwei,
    Supply,
    Volume,
    Price,
}

fn word(part: &str) -> Option<Word> {
    Some(match part {
        "probability" | "win" | "loss" => Word::Chance,
        "rate" => Word::Rate,
        "funding" => Word::Funding,
        "change" | "roi" | "growth" | "pct" | "return" => Word::Change,
        "ratio" => Word::Ratio,
        "pnl" | "net" | "flow" => Word::Money,
        "apy" => Word::Yield,
        "score" | "rank" | "strength" => Word::Score,
        "fee" | "fees" => Word::Fee,
        "gwei" => Word::Gwei,
        "supply" => Word::Supply,
        "volume" | "tvl" | "cap" | "fdv" | "interest" | "raise" | "usd" | "liquidation" => {
            Word::Volume
        }
        "price" | "open" | "high" | "low" | "close" | "px" | "bid" | "ask" | "ath" | "atl" => {
            Word::Price
        }
        _ => return None,
    })
}

/// Generates a decimal number.
pub(super) fn decimal(name: &str, seed: Seed) -> f64 {
    let said = name.split('_').filter_map(word).fold(0_u32, |said, word| said | 1 << word as u32);
    let says = |word: Word| said & 1 << word as u32 != 0;
    let value = match name {
        "enriched_ratio" => 1.0,
        "confidence" | "market_relevance" | "progress_percent" => seed.between(0.5, 1.0),
        "correlation" => seed.between(0.3, 0.99),
        "percentage" | "percent" => seed.between(0.1, 20.0),
        _ if says(Word::Chance) && says(Word::Rate) => seed.unit(),
        _ if says(Word::Funding) && says(Word::Rate) => seed.bell() * 0.0001,
        _ if says(Word::Change) => seed.bell() * 4.0,
        _ if says(Word::Ratio) || says(Word::Rate) => seed.between(0.2, 1.8),
        _ if says(Word::Money) || says(Word::Funding) => seed.bell() * 25_000.0,
        _ if says(Word::Yield) => seed.between(0.5, 18.0),
        _ if says(Word::Score) => seed.between(1.0, 99.0),
        _ if says(Word::Fee) => seed.magnitude(0.05, 500.0),
        _ if says(Word::Gwei) => seed.magnitude(0.05, 40.0),
        _ if says(Word::Supply) => seed.magnitude(1e7, 1e11),
        _ if says(Word::Volume) => seed.magnitude(1e4, 1e9),
        _ if says(Word::Price) => seed.magnitude(0.01, 5_000.0),
        _ => seed.magnitude(1.0, 10_000.0),
    };

    round(value)
}

/// Generates an integer.
pub(super) fn integer(name: &str, seed: Seed) -> i64 {
    match name {
        "decimals" => seed.pick(&[6, 8, 9, 18]),
        "tier" | "importance" | "priority" => seed.range(1, 5),
        "confidence" | "human_score" | "xscore" => seed.range(1, 100),
        "leverage_value" => seed.pick(&[1, 2, 3, 5, 10, 20]),
        "max_leverage" => seed.pick(&[20, 40, 50]),
        "funding_interval_hours" => seed.pick(&[1, 4, 8]),
        "interval_multiplier" | "index" => 1,
        "fiscal_year" | "year" => seed.range(2022, 2026),
        "fiscal_quarter" | "quarter" => seed.range(1, 4),
        "duration_days" => seed.pick(&[91, 92, 365]),
        "duration_months" => seed.pick(&[3, 12]),
        "block_number" => seed.range(18_000_000, 23_000_000),
        "rank" => seed.range(1, 500),
        _ if has(name, &["bytes"]) => seed.range(1_000_000, 50_000_000_000),
        _ if has(name, &["rows"]) => seed.range(1_000, 500_000_000),
        _ if has(name, &["usd", "volume", "raise", "interest", "cost"]) => seed.range(0, 5_000_000),
        _ if has(name, &["followers", "following", "likes", "views", "users"]) => {
            #[expect(clippy::cast_possible_truncation, reason = "at most 500,000")]
            let count = seed.magnitude(10.0, 500_000.0) as i64;
            count
        }
        _ if has(name, &["days"]) => seed.range(1, 900),
        _ if has(name, &["price", "bid", "ask"]) => seed.range(1, 99),
        _ => seed.range(1, 400),
    }
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
