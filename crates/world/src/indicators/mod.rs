//! Technical indicators, computed with their usual formulas from candles.

use crypto_intel_api::generated::tables;

use crate::args::Args;
use crate::assets;
use crate::context::Context;
use crate::missing_fields::number::round;
use crate::price::{Candle, Width};
use crate::record::record;
use crate::refusal::Refusal;
use crate::row::{Data, Row};
use crate::time_range::HISTORY;
use crate::timestamp::DAY;
use crate::value::Value;

mod formulas;

use formulas::Series;

/// Number of earlier candles from which an indicator value is computed. The number is constant, so that a value does
/// not depend on the requested time range. The on-balance volume is an exception and uses older candles too.
const LOOKBACK: i64 = 150;
/// Maximum number of candles of one symbol in a response, not counting the newest candle. If the requested time range
/// contains more candles, the response omits the oldest of them.
const MOST: i64 = 1_500;

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    if args.operation.id != "market-price-indicator" {
        return Ok(None);
    }

    let name = args.text("indicator").unwrap_or_default();
    let interval = args.text("interval").unwrap_or("1d");
    let width = Width::parse(interval).unwrap_or(Width::Seconds(DAY));
    let to = args.timestamp("to").unwrap_or(ctx.now).min(ctx.now);
    let from = args.timestamp("from").unwrap_or_else(|| width.earlier_start(to, 99));
    let from = from.max(width.earlier_start(to, MOST)).max(ctx.now - HISTORY);
    let period = parse_period(args.text("options").unwrap_or_default());
    let mut rows = Vec::new();

    for symbol in args.list("symbol") {
        let asset = assets::find_by_symbol(symbol)?;
        let first = width.earlier_start(from, LOOKBACK);
        let candles = asset.walk(ctx).candles(first, to + 1, width, ctx.now);

        for (index, candle) in candles.iter().enumerate().filter(|(_, c)| c.start >= from) {
            let seen = &candles[index.saturating_sub(LOOKBACK as usize)..=index];
            let (value, values) = compute(name, &Series::new(seen), &candles[..=index], period);
            let mut given = record!(MarketIndicatorItem {
                name,
                symbol: asset.symbol,
                interval,
                project_id: asset.id(),
                timestamp: candle.start,
                updated_at: width.next_start(candle.start).min(ctx.now),
                value: round(value),
            });
            given["values"] = values;
            rows.push(Row::new(asset.seed(ctx), candle.start, given));
        }
    }

    Ok(Some(Data::Rows(rows)))
}

/// Returns the `values` record of an indicator with several values. The record omits the fields of other indicators.
fn values_record(values: Vec<(&str, Value)>) -> Value {
    let fields = tables::record("IndicatorValues").map_or(&[][..], |record| record.fields);
    let absent = fields.iter().map(|field| (field.name.to_owned(), Value::Null));
    let own = values.into_iter().map(|(name, value)| (name.to_owned(), value));
    absent.chain(own).collect()
}

/// Finds the first number in the `options` argument, for example 21 in `period=21`. The result is limited to the range
/// from 2 to 100.
fn parse_period(options: &str) -> Option<usize> {
    let digits = options.split(|c: char| !c.is_ascii_digit()).find(|part| !part.is_empty())?;
    digits.parse().ok().map(|period: usize| period.clamp(2, 100))
}

/// Computes the value of an indicator for the last candle. If the indicator has several values, returns its main value
/// and a record of all its values.
///
/// `series` contains the latest candles. `candles` also contains older candles. Only the on-balance volume is computed
/// from `candles`.
fn compute(name: &str, series: &Series, candles: &[Candle], period: Option<usize>) -> (f64, Value) {
    let or = |usual: usize| period.unwrap_or(usual);
    let members = |pairs: &[(&str, f64)]| {
        let values = pairs.iter().map(|(name, value)| (*name, round(*value).into()));
        values_record(values.collect())
    };

    match name {
        "ema" => (formulas::ema(&series.close, or(20)), Value::Null),
        "rsi" => (series.rsi(or(14)), Value::Null),
        "atr" => (series.atr(or(14)), Value::Null),
        "cci" => (series.cci(or(20)), Value::Null),
        "vwap" => (series.vwap(or(14)), Value::Null),
        "obv" => (formulas::obv(candles), Value::Null),

        "macd" => {
            let (value, signal) = series.macd(12, 26, 9);
            let pairs =
                [("macd_value", value), ("macd_signal", signal), ("macd_hist", value - signal)];
            (value, members(&pairs))
        }
        "bbands" => {
            let (middle, deviation) = series.mean_and_deviation(or(20));
            let pairs = [
                ("bbands_middle", middle),
                ("bbands_upper", middle + 2.0 * deviation),
                ("bbands_lower", middle - 2.0 * deviation),
            ];
            (middle, members(&pairs))
        }
        "stoch" => {
            let (k, d) = series.stochastic(or(14), 3);
            (k, members(&[("stoch_k", k), ("stoch_d", d)]))
        }
        "adx" | "dmi" => {
            let (plus, minus, adx) = series.directional_index(or(14));
            let pairs = [("dmi_adx", adx), ("dmi_pdi", plus), ("dmi_mdi", minus)];
            (adx, if name == "dmi" { members(&pairs) } else { Value::Null })
        }

        "ichimoku" => {
            let middle = |count: usize, back: usize| series.midpoint(count, back);
            let (conversion, base) = (middle(9, 0), middle(26, 0));
            let spans =
                |back: usize| (f64::midpoint(middle(9, back), middle(26, back)), middle(52, back));
            let ((ahead_a, ahead_b), (now_a, now_b)) = (spans(0), spans(26));
            let (lagging_a, lagging_b) = spans(52);

            let pairs = [
                ("ichimoku_conversion", conversion),
                ("ichimoku_base", base),
                ("ichimoku_span_a", ahead_a),
                ("ichimoku_span_b", ahead_b),
                ("ichimoku_current_span_a", now_a),
                ("ichimoku_current_span_b", now_b),
                ("ichimoku_lagging_span_a", lagging_a),
                ("ichimoku_lagging_span_b", lagging_b),
            ];

            (conversion, members(&pairs))
        }
        "supertrend" => {
            let (value, is_up) = series.supertrend(or(10), 3.0);
            let advice = if is_up { "long" } else { "short" };
            let values = vec![
                ("supertrend_value", round(value).into()),
                ("supertrend_advice", advice.into()),
            ];
            (value, values_record(values))
        }
        _ => (
            formulas::mean(&series.close[series.close.len().saturating_sub(or(20))..]),
            Value::Null,
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn period_is_parsed_from_any_notation() {
        for (text, expected) in [
            ("", None),
            ("21", Some(21)),
            ("period=21", Some(21)),
            ("{\"length\": 9}", Some(9)),
            ("1000", Some(100)),
            ("fast", None),
        ] {
            assert_eq!(parse_period(text), expected, "{text}");
        }
    }
}
