//! Exchanges: tickers, candles, order books and listed pairs. All prices are computed from the price histories of the
//! assets.

use std::rc::Rc;

use crate::args::Args;
use crate::assets::{self, ASSETS, Asset, Worth};
use crate::context::Context;
use crate::missing_fields::number::round;
use crate::pair_listings;
use crate::price::{Candle, Walk, Width};
use crate::random::Seed;
use crate::record::record;
use crate::refusal::Refusal;
use crate::row::{Data, Row};
use crate::timestamp::{self, HOUR};
use crate::value::Value;

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    let ctx = &ctx.at_venue(venue(args));
    Ok(Some(match args.operation.id {
        "exchange-price" => Data::Rows(vec![ticker(ctx, args)?]),
        "exchange-klines" => Data::Rows(vec![klines(ctx, args)?]),
        "exchange-candles" => Data::Rows(candles(ctx, args)?),
        "exchange-depth" => Data::Rows(vec![depth(ctx, args)?]),
        "exchange-markets" => Data::Rows(markets(ctx, args)),
        _ => return Ok(None),
    }))
}

/// A trading pair on an exchange. The arguments of a request select the pair and the exchange.
pub(super) struct PairMarket {
    pub(super) asset: &'static Asset,
    pub(super) pair: String,
    pub(super) exchange: String,
    /// Current value in USD of one unit of the quote currency.
    pub(super) usd: f64,
    quote: Worth,
}

impl PairMarket {
    /// Returns the candles of the pair in its quote currency.
    ///
    /// `usd_candles` is a function that returns the USD candles for a price history. This method divides each USD
    /// candle by the USD value of the quote currency at the time of the candle.
    fn candles(&self, ctx: &Context, usd_candles: impl Fn(Walk) -> Vec<Candle>) -> Vec<Candle> {
        let candles = usd_candles(self.asset.walk(ctx));
        match self.quote {
            Worth::Fixed(usd) => {
                candles.iter().map(|c| c.divide_by(&Candle::flat(c.start, usd))).collect()
            }
            Worth::Coin(coin) => {
                let rates = usd_candles(coin.walk(ctx));
                candles.iter().zip(&rates).map(|(candle, rate)| candle.divide_by(rate)).collect()
            }
        }
    }
}

/// Returns the exchange that the `exchange` argument names. Without this argument, returns `binance`.
pub(super) fn venue(args: &Args) -> &str {
    args.text("exchange").unwrap_or("binance")
}

/// Finds the market of the request's `pair` and `exchange` arguments.
///
/// # Errors
/// Returns an error of kind `NotFound` if the base asset or the quote currency of the pair is unknown. The exchange is
/// not checked.
pub(super) fn requested_market(ctx: &Context, args: &Args) -> Result<PairMarket, Refusal> {
    let text = args.text("pair").unwrap_or_default();
    let (asset, quote) = assets::parse_pair(text)?;
    let (exchange, quote) = (venue(args).to_owned(), Worth::from_currency(quote)?);
    let usd = quote.usd_at(ctx, ctx.minute());
    Ok(PairMarket { asset, pair: text.to_owned(), exchange, usd, quote })
}

/// Returns the share of an exchange in the total trading volume, as a multiple of 1/64. Multiplication of a volume by
/// this share causes no rounding error.
pub(super) fn volume_share(exchange: &str) -> f64 {
    match exchange {
        "binance" => 0.281_25,
        "okx" | "bybit" | "coinbase" | "upbit" => 0.109_375,
        _ => 0.031_25,
    }
}

fn ticker(ctx: &Context, args: &Args) -> Result<Row, Refusal> {
    let market = requested_market(ctx, args)?;
    let day = market.candles(ctx, |walk| vec![walk.last_day(ctx.now)])[0];
    let PairMarket { asset, pair, exchange, usd, .. } = market;
    let price = asset.price(ctx) / usd;
    Ok(Row::new(
        asset.seed(ctx).named(&exchange),
        ctx.now,
        record!(ExchangePriceItem {
            exchange: exchange.clone(),
            pair,
            last: round(price),
            bid: round(price * (1.0 - HALF_SPREAD)),
            ask: round(price * (1.0 + HALF_SPREAD)),
            change_24h_pct: round((price / day.open - 1.0) * 100.0),
            high_24h: round(day.high.max(price)),
            low_24h: round(day.low.min(price)),
            timestamp: ctx.now,
            volume_24h_base: round(day.volume * volume_share(&exchange)),
        }),
    ))
}

/// Half of the bid-ask spread, as a fraction of the price.
const HALF_SPREAD: f64 = 0.000_05;

/// Returns at most `limit` candles, oldest first. With the argument `from`, returns the first candles that begin in the
/// time range `from` to `to`. Without `from`, returns the last candles that begin at or before `to`.
fn requested_candles(ctx: &Context, args: &Args, market: &PairMarket, limit: i64) -> Vec<Candle> {
    let width = Width::parse(args.text("interval").unwrap_or("1h")).unwrap_or(Width::Seconds(HOUR));
    let count = usize::try_from(limit).unwrap_or(0);
    let to = args.timestamp("to").unwrap_or(ctx.now).min(ctx.now);
    let Some(from) = args.timestamp("from") else {
        // One candle more than `limit` is requested, because the unfinished candle has no data in its first minute.
        let from = width.earlier_start(to, limit);
        let mut candles = market.candles(ctx, |walk| walk.candles(from, to + 1, width, ctx.now));
        return candles.split_off(candles.len().saturating_sub(count));
    };

    // The computed time range ends after `limit + 1` candles, so that at most one candle beyond the limit is computed.
    let mut end = width.start(from);
    for _ in 0..=limit {
        if end > to {
            break;
        }
        end = width.next_start(end);
    }
    let end = end.min(to + 1);
    let mut candles = market.candles(ctx, |walk| walk.candles(from, end, width, ctx.now));
    candles.truncate(count);
    candles
}

/// Returns the number of trades of a candle on one exchange. `share` is the exchange's share of the volume.
fn trade_count(candle: &Candle, share: f64) -> i64 {
    #[expect(clippy::cast_possible_truncation, reason = "a part of a number of trades")]
    let trades = (candle.trades as f64 * share) as i64;
    trades
}

fn klines(ctx: &Context, args: &Args) -> Result<Row, Refusal> {
    let market = requested_market(ctx, args)?;
    let candles = requested_candles(ctx, args, &market, args.integer("limit").unwrap_or(100));
    let PairMarket { asset, pair, exchange, .. } = market;
    let rows: Vec<_> = candles
        .iter()
        .map(|candle| {
            record!(ExchangeKlineItem {
                timestamp: candle.start,
                open: round(candle.open),
                high: round(candle.high),
                low: round(candle.low),
                close: round(candle.close),
                volume: candle.volume * volume_share(&exchange),
            })
        })
        .collect();

    let bound = |candle: Option<&Candle>| {
        candle.map_or(Value::Null, |candle| timestamp::iso_text(candle.start).into())
    };
    let extreme = |start: f64, pick: fn(f64, f64) -> f64, value: fn(&Candle) -> f64| {
        (!candles.is_empty()).then(|| round(candles.iter().map(value).fold(start, pick)))
    };

    Ok(Row::new(
        asset.seed(ctx).named(&exchange),
        ctx.now,
        record!(ExchangeKlineResponse {
            exchange: exchange.clone(),
            pair,
            interval: args.text("interval"),
            count: rows.len(),
            period_start: bound(candles.first()),
            period_end: bound(candles.last()),
            period_high: extreme(f64::MIN, f64::max, |candle| candle.high),
            period_low: extreme(f64::MAX, f64::min, |candle| candle.low),
            period_volume: candles
                .iter()
                .map(|candle| candle.volume * volume_share(&exchange))
                .sum::<f64>(),
            candles: rows,
        }),
    ))
}

pub(super) fn region(exchange: &str) -> &'static str {
    match exchange {
        "bitflyer" => "JP",
        "hashkey" => "HK",
        _ => "KR",
    }
}

pub(super) fn local_quote(exchange: &str) -> &'static str {
    match region(exchange) {
        "JP" => "JPY",
        "HK" => "HKD",
        _ => "KRW",
    }
}

/// Number of consecutive candles in a group. One candle of each group is synthetic: its response field `is_synthetic`
/// is true.
const CANDLES_PER_GAP: i64 = 40;

/// Returns true if the response marks the candle that starts at `start` with `is_synthetic`. A synthetic candle has
/// prices and a volume like any other candle. So the volumes of 48 five-minute candles add up to the volume of their
/// 4-hour candle.
fn is_synthetic(seed: Seed, start: i64, width: Width) -> bool {
    let number = start.div_euclid(width.usual_seconds());
    let gap = seed.named("gap").at_time(number.div_euclid(CANDLES_PER_GAP));
    gap.range(0, CANDLES_PER_GAP - 1) == number.rem_euclid(CANDLES_PER_GAP)
}

fn candles(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    let market = requested_market(ctx, args)?;
    let interval = args.text("interval").unwrap_or("5m");
    let width = Width::parse(interval).unwrap_or(Width::Seconds(300));
    let count = if args.is_given("from") { 5_000 } else { 600 };
    let mut candles = requested_candles(ctx, args, &market, count);
    candles.reverse();
    let PairMarket { asset, pair, exchange, .. } = market;
    let synthetic = args.flag("include_synthetic");

    let (names, interval): (Rc<(String, String)>, Rc<str>) =
        (Rc::new((exchange, pair)), interval.into());
    let view = format!("{} {interval}", names.1);

    Ok(candles
        .into_iter()
        .map(|candle| {
            let seed = asset.seed(ctx).named(&names.0).at_time(candle.start);
            (candle, seed, is_synthetic(asset.seed(ctx).named(&names.0), candle.start, width))
        })
        .filter(|(.., is_synthetic)| synthetic || !is_synthetic)
        .map(|(candle, seed, is_synthetic)| {
            let end = width.next_start(candle.start);
            let known = record!(ExchangeCandleItem {
                exchange: names.0.as_str(),
                pair: names.1.as_str(),
                timestamp: candle.start,
                is_synthetic,
            });

            let (names, interval) = (Rc::clone(&names), Rc::clone(&interval));
            let row = Row::lazy(seed, candle.start, known, move || {
                let share = volume_share(&names.0);
                record!(ExchangeCandleItem {
                    interval: &*interval,
                    region: region(&names.0),
                    close_time: end - 1,
                    open: round(candle.open),
                    high: round(candle.high),
                    low: round(candle.low),
                    close: round(candle.close),
                    volume_base: candle.volume * share,
                    volume_quote: candle.quote * share,
                    trade_count: trade_count(&candle, share),
                })
            });
            if end <= ctx.minute() { row.cacheable(ctx, &view) } else { row }
        })
        .collect())
}

fn depth(ctx: &Context, args: &Args) -> Result<Row, Refusal> {
    let PairMarket { asset, pair, exchange, usd, .. } = requested_market(ctx, args)?;
    let mid = asset.price(ctx) / usd;
    let seed = asset.seed(ctx).named("depth").named(&exchange).at_time(ctx.now);
    // The order book is empty while trading is halted.
    let rests = ctx.scenario.halt_start(&exchange).is_some();
    let levels = if rests { 0 } else { args.integer("limit").unwrap_or(20) };
    let side = |name: &str, sign: f64| -> Vec<(f64, f64)> {
        let mut distance = HALF_SPREAD;
        (0..levels.unsigned_abs())
            .map(|n| {
                let level = seed.named(name).at(n);
                let price = round(mid * (1.0 + sign * distance));
                distance += level.between(0.000_02, 0.000_3);
                (price, round(level.named("amount").magnitude(500.0, 90_000.0) / mid))
            })
            .collect()
    };
    let (bids, asks) = (side("bids", -1.0), side("asks", 1.0));
    let (bid, ask) = (bids.first().map_or(mid, |b| b.0), asks.first().map_or(mid, |a| a.0));
    let sum = |levels: &[(f64, f64)]| round(levels.iter().map(|(_, amount)| amount).sum());
    let records = |levels: &[(f64, f64)]| -> Vec<Value> {
        levels.iter().map(|(price, amount)| record!(ExchangeDepthLevel { price, amount })).collect()
    };

    Ok(Row::new(
        seed,
        ctx.now,
        record!(ExchangeDepthItem {
            exchange,
            pair,
            bids: records(&bids),
            asks: records(&asks),
            bid_depth: sum(&bids),
            ask_depth: sum(&asks),
            mid_price: round(f64::midpoint(bid, ask)),
            spread: round(ask - bid),
            spread_pct: round((ask - bid) / mid * 100.0),
        }),
    ))
}

fn markets(ctx: &Context, args: &Args) -> Vec<Row> {
    let exchange = venue(args);
    let rests = ctx.scenario.halt_start(exchange).is_some();
    let kinds = ["spot", "swap"];
    let search = args.text("search").unwrap_or_default().to_uppercase();

    // `perpetual`, `perp` and `swap` mean the same market type.
    let wanted = args.text("type").map(|kind| match kind {
        "perpetual" | "perp" => "swap",
        other => other,
    });
    let mut rows = Vec::new();

    for asset in ASSETS {
        for kind in kinds {
            for quote in pair_listings::asset_quotes(asset) {
                let settled = if kind == "swap" { format!(":{quote}") } else { String::new() };
                let pair = format!("{}/{quote}{settled}", asset.symbol);
                let unwanted =
                    wanted.is_some_and(|wanted| wanted != kind) || !pair.contains(&search);
                if unwanted {
                    continue;
                }

                // About 6% of the pairs are no longer traded.
                let seed = asset.seed(ctx).named(exchange).named(&pair);
                let retired = seed.named("retired").chance(0.06);
                rows.push(Row::new(
                    seed,
                    ctx.now,
                    record!(ExchangeMarketItem {
                        exchange: exchange, pair: pair, base: asset.symbol, quote: quote,
                        type: kind, active: !retired && !rests,
                        maker_fee: if kind == "spot" { 0.001 } else { 0.0002 },
                        taker_fee: if kind == "spot" { 0.001 } else { 0.0005 },
                    }),
                ));
            }
        }
    }

    rows
}
