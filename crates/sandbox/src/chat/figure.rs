//! Figures of an answer as people read them, digit by digit as the endpoint has them.

use serde_json::Value;

use crypto_intel_world::timestamp;

use super::topic::{Fact, Unit};

/// A fact of `body` as text; `None` where the body does not have it.
pub(super) fn of(body: &Value, fact: &Fact) -> Option<String> {
    let value = at(body, fact.0)?;
    match (fact.2, value) {
        (Unit::Text, Value::String(text)) => Some(in_line(text)).filter(|text| !text.is_empty()),
        (Unit::Day, Value::Number(seconds)) => Some(timestamp::day_text(seconds.as_i64()?)),
        (unit, Value::Number(number)) => {
            let digits = grouped(&plain(number)?);
            Some(match unit {
                Unit::Usd => format!("{digits} USD"),
                Unit::Percent => format!("{digits} %"),
                Unit::Number | Unit::Text | Unit::Day => digits,
            })
        }
        _ => None,
    }
}

/// The value at a JSON pointer in which `last` is the last of a list.
pub(super) fn at<'a>(body: &'a Value, pointer: &str) -> Option<&'a Value> {
    pointer.split('/').filter(|step| !step.is_empty()).try_fold(body, |value, step| match value {
        Value::Object(members) => members.get(step),
        Value::Array(items) if step == "last" => items.last(),
        Value::Array(items) => items.get(step.parse::<usize>().ok()?),
        _ => None,
    })
}

/// Without an exponent.
fn plain(number: &serde_json::Number) -> Option<String> {
    if number.is_f64() { Some(number.as_f64()?.to_string()) } else { Some(number.to_string()) }
}

/// `1234567.5` as `1,234,567.5`.
fn grouped(digits: &str) -> String {
    let (whole, rest) = digits.find('.').map_or((digits, ""), |point| digits.split_at(point));
    let (sign, whole) = whole.strip_prefix('-').map_or(("", whole), |whole| ("-", whole));
    let mut text = sign.to_owned();
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text.push_str(rest);
    text
}

/// Text that does not break a line or a table.
fn in_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ").replace('|', "/")
}

/// The members of a series, `/data//value`, as a line of bars.
pub(super) fn chart(body: &Value, series: &str) -> Option<String> {
    let (list, member) = series.split_once("//")?;
    let points = at(body, list)?.as_array()?;
    let value = |point: &Value| point.get(member)?.as_f64();
    let step = points.len().div_ceil(WIDTH).max(1);
    let values: Vec<f64> = points.iter().step_by(step).filter_map(value).collect();
    let (low, high) = values
        .iter()
        .fold((f64::MAX, f64::MIN), |(low, high), value| (low.min(*value), high.max(*value)));
    if values.len() < 2 {
        return None;
    }
    let bar = |value: &f64| {
        let share = if high > low { (value - low) / (high - low) } else { 0.5 };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 7")]
        let height = (share * 7.0).round() as usize;
        BARS.get(height).copied().unwrap_or('▁')
    };
    Some(values.iter().map(bar).collect())
}

/// Bars of a chart at most.
const WIDTH: usize = 32;
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn figures_keep_their_digits() {
        let body =
            json!({"data": [{"a": 1_234_567.25}, {"a": -0.000_012}], "n": 999, "t": "x|y\nz"});
        for (pointer, unit, text) in [
            ("/data/0/a", Unit::Usd, "1,234,567.25 USD"),
            ("/data/last/a", Unit::Percent, "-0.000012 %"),
            ("/n", Unit::Number, "999"),
            ("/t", Unit::Text, "x/y z"),
            ("/n", Unit::Day, "1970-01-01"),
        ] {
            assert_eq!(of(&body, &Fact(pointer, "", unit)).as_deref(), Some(text));
        }
        assert_eq!(of(&body, &Fact("/data/9/a", "", Unit::Usd)), None);
        assert_eq!(of(&body, &Fact("/data", "", Unit::Usd)), None);
    }

    #[test]
    fn a_chart_goes_from_low_to_high() {
        let body = json!({"data": [{"v": 1}, {"v": 2}, {"v": 8}]});
        assert_eq!(chart(&body, "/data//v").as_deref(), Some("▁▂█"));
        assert_eq!(chart(&json!({"data": [{"v": 1}]}), "/data//v"), None);
    }
}
