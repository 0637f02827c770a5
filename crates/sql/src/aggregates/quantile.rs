//! Aggregate functions that compute quantiles, such as `quantile`, `median` and `quantileExact`.

use super::{AggregateCall, Made, State};
use crate::problem::Result;
use crate::types::Type;
use crate::value::{Value, default};

pub(super) const NAMES: &[&str] = &[
    "quantile",
    "quantiles",
    "median",
    "quantileExact",
    "quantilesExact",
    "medianExact",
    "quantileExactLow",
    "medianExactLow",
    "quantileExactHigh",
    "medianExactHigh",
    "quantileExactInclusive",
    "quantileExactExclusive",
];

/// Method that computes a quantile whose position is between two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Linear interpolation between the two values next to the position of the quantile. Level 0 is the smallest value,
    /// and level 1 is the largest.
    Between,
    /// Linear interpolation, as in `quantileExactExclusive`. The n-th of N sorted values has the level n / (N + 1).
    /// Between two of these levels, the quantile is interpolated. Below the first level, the quantile is the smallest
    /// value. Above the last level, the quantile is the largest value.
    Exclusive,
    /// The quantile is one of the values, without interpolation. Its index in the sorted values is `level * count`,
    /// rounded down. For example, level 0.5 of five values is the value at index 2. Level 1 is the largest value.
    Exact,
    /// Like `Exact`, but level 0.5 of an even number of values is the smaller of the two middle values.
    Low,
}

pub(super) fn make(asked: &AggregateCall<'_>) -> Option<Result<Made>> {
    let (way, many) = match asked.name {
        "quantile" | "median" | "quantileExactInclusive" => (Way::Between, false),
        "quantileExactExclusive" => (Way::Exclusive, false),
        "quantiles" => (Way::Between, true),
        "quantileExact" | "medianExact" | "quantileExactHigh" | "medianExactHigh" => {
            (Way::Exact, false)
        }
        "quantilesExact" => (Way::Exact, true),
        "quantileExactLow" | "medianExactLow" => (Way::Low, false),
        _ => return None,
    };
    Some(build(asked, way, many))
}

fn build(asked: &AggregateCall<'_>, way: Way, many: bool) -> Result<Made> {
    asked.takes(1..=1)?;
    let ty = asked.types[0].clone();
    if ty == Type::Date32 {
        return Err(asked.fault("the argument must be a number, Date or DateTime, not Date32"));
    }
    if way == Way::Between && matches!(ty, Type::DateTime64(..)) {
        return Err(asked.fault("DateTime64 values cannot be interpolated: use quantileExact"));
    }
    let is_moment = ty.is_date() || ty.is_time();
    if !is_moment {
        asked.number(0)?;
    }
    if ty.is_wide() {
        return Err(asked.fault("numbers of more than 64 bits are not supported"));
    }
    if matches!(way, Way::Between | Way::Exclusive) && matches!(ty, Type::Decimal { .. }) {
        return Err(asked.fault("decimals are not supported: use quantileExact"));
    }

    let levels: Vec<f64> = asked.parameters.iter().map(Value::float).collect();
    if levels.iter().any(|level| !(0.0..=1.0).contains(level)) {
        return Err(asked.fault("a level must be between 0 and 1"));
    }
    let levels = match levels.as_slice() {
        [] if !many => vec![0.5],
        [_] if !many => levels,
        [_, ..] if many => levels,
        _ => return Err(asked.fault("wrong number of levels: write one, as in quantile(0.9)(x)")),
    };

    let is_fraction = matches!(way, Way::Between | Way::Exclusive);
    let is_whole = is_moment && !asked.name.ends_with("sive");
    let one = if is_fraction && !is_whole { Type::Float64 } else { ty };
    // If the group has no values, `quantilesExact` returns zeros.
    let none = if many && way == Way::Exact && one.is_float() {
        Value::Float(0.0)
    } else if one.is_float() {
        Value::Float(f64::NAN)
    } else {
        default(&one)
    };
    let result = if many { Type::array(one) } else { one };
    Made::new(result, move || Quantile {
        values: Vec::new(),
        levels: levels.clone(),
        way,
        many,
        is_whole,
        none: none.clone(),
    })
}

struct Quantile {
    values: Vec<Value>,
    levels: Vec<f64>,
    way: Way,
    many: bool,
    /// True if the result is truncated to an integer, as for dates and times.
    is_whole: bool,
    none: Value,
}

impl State for Quantile {
    fn add(&mut self, args: &[Value]) -> Result<()> {
        if !args[0].is_nan() {
            self.values.push(args[0].clone());
        }
        Ok(())
    }

    fn finish(&self) -> Result<Value> {
        let mut sorted = self.values.clone();
        sorted.sort_by(Value::order);
        let mut found: Vec<Value> = self
            .levels
            .iter()
            .map(|level| match value_at_level(&sorted, *level, self.way) {
                Some(Value::Float(found)) if self.is_whole => Value::Int(Value::Float(found).int()),
                found => found.unwrap_or_else(|| self.none.clone()),
            })
            .collect();
        Ok(if self.many { Value::list(found) } else { found.remove(0) })
    }

    fn size(&self) -> usize {
        2 * self.values.len() * size_of::<Value>() + 64
    }
}

#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "row indexes are small"
)]
fn value_at_level(sorted: &[Value], level: f64, way: Way) -> Option<Value> {
    let count = sorted.len();
    if count == 0 {
        return None;
    }

    match way {
        Way::Exact => {
            let place = if level < 1.0 { (level * count as f64) as usize } else { count - 1 };
            Some(sorted[place].clone())
        }
        Way::Low => {
            // `quantileExactLow` chooses the smaller of the two middle values.
            let place = if (level - 0.5).abs() < f64::EPSILON && count.is_multiple_of(2) {
                count / 2 - 1
            } else if level < 1.0 {
                (level * count as f64) as usize
            } else {
                count - 1
            };
            Some(sorted[place].clone())
        }

        Way::Exclusive => {
            let place = level * (count + 1) as f64;
            let low = (place as usize).clamp(1, count);
            let high = (low + 1).min(count);
            let (a, b) = (sorted[low - 1].float(), sorted[high - 1].float());
            let share = if place < 1.0 { 0.0 } else { place - low as f64 };
            Some(Value::Float(if low == high { a } else { a + share * (b - a) }))
        }
        Way::Between => {
            let place = level * (count - 1) as f64;
            let low = place as usize;
            let high = (low + 1).min(count - 1);
            let (right, left) = (place - low as f64, (low + 1) as f64 - place);
            let (a, b) = (sorted[low].float(), sorted[high].float());
            let between = if low == high { a } else { a * left + b * right };
            Some(match sorted[low] {
                Value::Int(_) | Value::Float(_) => Value::Float(between),
                _ => sorted[low].clone(),
            })
        }
    }
}
