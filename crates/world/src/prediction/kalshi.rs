//! Operations of the prediction venue Kalshi, which identifies markets by tickers. Prices are fractions in price
//! series, and whole cents in order books.

use crate::args::Args;
use crate::context::Context;
use crate::prediction::market::{
    Market, day_of, find_by_ticker, get_step, markets, opposite, order_book, steps,
};
use crate::prediction::volumes::Venue;
use crate::random::Seed;
use crate::record::{member, record};
use crate::refusal::Refusal;
use crate::row::{Data, Row};
use crate::time_range::span;
use crate::timestamp::DAY;
use crate::value::Value;

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    let requested = || find_by_ticker(ctx, args.text("ticker").unwrap_or_default());

    Ok(Some(match args.operation.id {
        "kalshi-events" => {
            let ticker = args.text("event_ticker");
            let rows =
                events(ctx, |market| ticker.is_none_or(|t| market.event_ticker.as_str() == t));
            match ticker {
                Some(ticker) if rows.is_empty() => {
                    return Err(Refusal::not_found(format!("no event has the ticker `{ticker}`")));
                }
                _ => Data::Rows(rows),
            }
        }
        "search-kalshi" => {
            let (q, category, status) =
                (args.text("q"), args.text("category"), args.text("status"));
            Data::Rows(events(ctx, |m| {
                q.is_none_or(|q| m.matches(q))
                    && category.is_none_or(|category| category == m.category)
                    && status.is_none_or(|status| (status == "active") == m.is_active())
            }))
        }

        "kalshi-markets" | "kalshi-ranking" => {
            if let Some(ticker) = args.text("market_ticker") {
                find_by_ticker(ctx, ticker)?;
            }
            Data::Rows(all_markets(ctx))
        }

        "kalshi-prices" => Data::Rows(prices(ctx, args, &requested()?)),
        "kalshi-open-interest" => Data::Rows(open_interest(ctx, args, &requested()?)),
        "kalshi-volumes" => Data::Rows(volumes(ctx, args, &requested()?)),
        "kalshi-trades" => Data::Rows(trades(ctx, args, requested()?)),
        "kalshi-orderbooks" => Data::Rows(books(ctx, args, requested()?)),
        _ => return Ok(None),
    }))
}

/// Returns the rows of all Kalshi markets, sorted by volume. The largest volume is first.
pub fn all_markets(ctx: &Context) -> Vec<Row> {
    let mut rows: Vec<_> =
        markets(ctx).iter().map(|m| Row::new(m.seed, ctx.now, market_record(ctx, m))).collect();
    let volume = |row: &Row| {
        row.given[member!(KalshiMarketItem.notional_volume_usd)].as_f64().unwrap_or(0.0)
    };
    rows.sort_by(|a, b| volume(b).total_cmp(&volume(a)));
    rows
}

pub(super) fn market_record(ctx: &Context, market: &Market) -> Value {
    let volume = market.volume(Venue::Kalshi, market.start, ctx.now + 1);
    #[expect(clippy::cast_possible_truncation, reason = "whole contracts")]
    let contracts = volume as i64;
    record!(KalshiMarketItem {
        market_ticker: market.ticker.as_str(),
        event_ticker: market.event_ticker.as_str(),
        event_title: market.event_title.as_str(),
        title: market.text.as_str(),
        category: market.category,
        subcategory: market.category,
        status: market.status(Venue::Kalshi),
        result: if market.is_active() { Value::Null } else { "yes".into() },
        payout_type: "binary",
        start_time: market.start,
        end_time: market.end,
        close_time: market.end,
        notional_volume_usd: volume,
        total_volume: contracts,
        open_interest: market.open_interest(day_of(ctx.now)),
        last_day_open_interest: market.open_interest(day_of(ctx.now) - 1),
    })
}

fn events(ctx: &Context, is_wanted: impl Fn(&Market) -> bool) -> Vec<Row> {
    let all: Vec<_> = markets(ctx).into_iter().filter(is_wanted).collect();
    all.chunk_by(|a, b| a.event == b.event)
        .map(|of_event| {
            let markets: Vec<_> = of_event.iter().map(|m| market_record(ctx, m)).collect();
            Row::new(
                ctx.seed.named("kalshi event").at(of_event[0].event),
                ctx.now,
                record!(KalshiEvent {
                    event_ticker: of_event[0].event_ticker.as_str(),
                    event_title: of_event[0].event_title.as_str(),
                    event_subtitle: format!("{} levels", markets.len()),
                    market_count: markets.len(),
                    markets,
                }),
            )
        })
        .collect()
}

/// Returns the prices of a market, one row for each interval of the requested time range.
fn prices(ctx: &Context, args: &Args, market: &Market) -> Vec<Row> {
    let step = get_step(args);
    let point = |time: i64| {
        let yes = market.price(Venue::Kalshi, time);
        let (high, low) = market.extremes(Venue::Kalshi, time, (time + step).min(ctx.now));
        Row::new(
            market.seed,
            time,
            record!(KalshiPricePoint {
                timestamp: time,
                open: yes,
                high,
                low,
                side_a: record!(KalshiPriceSide { label: "Yes", price: yes }),
                side_b: record!(KalshiPriceSide { label: "No", price: opposite(yes) }),
            }),
        )
    };

    steps(ctx, args, step).into_iter().map(point).collect()
}

/// Returns the open interest of a market, one row for each day of the requested time range.
fn open_interest(ctx: &Context, args: &Args, market: &Market) -> Vec<Row> {
    let point = |time: i64| {
        Row::new(
            market.seed,
            time,
            record!(KalshiOiPoint {
                timestamp: time,
                open_interest: market.open_interest(day_of(time)),
            }),
        )
    };

    steps(ctx, args, DAY).into_iter().map(point).collect()
}

/// Returns the traded volume of a market, one row for each day of the requested time range.
fn volumes(ctx: &Context, args: &Args, market: &Market) -> Vec<Row> {
    let point = |time: i64| {
        let end = (time + DAY).min(ctx.now + 1);
        Row::new(
            market.seed,
            time,
            record!(KalshiVolumePoint {
                timestamp: time,
                notional_volume_usd: market.volume(Venue::Kalshi, time, end),
            }),
        )
    };

    steps(ctx, args, DAY).into_iter().map(point).collect()
}

fn trades(ctx: &Context, args: &Args, market: Market) -> Vec<Row> {
    let (from, to) = span(ctx, args, 14 * DAY);
    let from = from.max(to - 60 * DAY);
    let least = args.integer("min_amount").unwrap_or(0);

    market
        .volumes
        .trading_hours(Venue::Kalshi, from, to + 1)
        .rev()
        .filter_map(|hour| {
            let seed = market.seed.named("kalshi trade").at_time(hour);
            let time = market.volumes.trade_time(Venue::Kalshi, hour);
            #[expect(clippy::cast_possible_truncation, reason = "whole USD")]
            let usd = market.volumes.hour_volume(Venue::Kalshi, hour) as i64;
            let side = if seed.named("side").chance(0.5) { "yes" } else { "no" };

            (usd >= least).then(|| {
                let known = record!(KalshiTrade {
                    market_ticker: market.ticker.as_str(),
                    timestamp: time,
                    notional_volume_usd: usd,
                    taker_side: side,
                });
                let market = market.clone();
                let rest = move || {
                    let yes = market.price(Venue::Kalshi, time);
                    record!(KalshiTrade {
                        trade_id: seed.uuid(),
                        yes_price: yes,
                        no_price: opposite(yes),
                    })
                };
                Row::lazy(seed, time, known, rest).cacheable(ctx, "kalshi trade")
            })
        })
        .collect()
}

/// Returns the Unix times of the requested order book snapshots, newest first. There is a snapshot every five minutes.
/// The `start_time` and `end_time` arguments may be in seconds or milliseconds.
pub(super) fn snapshots(ctx: &Context, args: &Args) -> Vec<i64> {
    let seconds = |name: &str| {
        args.integer(name).map(
            |moment| {
                if moment > 100_000_000_000 { moment / 1000 } else { moment }
            },
        )
    };
    let to = seconds("end_time").unwrap_or(ctx.now).min(ctx.now);
    let from = seconds("start_time").unwrap_or(to - DAY / 2).max(to - 30 * DAY);
    let last = to - to.rem_euclid(300);
    (0..).map(|n| last - n * 300).take_while(|time| *time >= from).collect()
}

fn books(ctx: &Context, args: &Args, market: Market) -> Vec<Row> {
    let seed = market.seed.named("kalshi book");
    snapshots(ctx, args)
        .into_iter()
        .map(|time| {
            let (market, seed) = (market.clone(), seed.at_time(time));
            let known = record!(V2KalshiOrderbookSnapshot {
                ticker: market.ticker.as_str(),
                timestamp: time * 1000,
            });
            Row::lazy(seed, time, known, move || snapshot(&market, seed, time))
                .cacheable(ctx, "book")
        })
        .collect()
}

/// Returns the JSON record of the order book of a Kalshi market at a Unix time.
fn snapshot(market: &Market, seed: Seed, time: i64) -> Value {
    let records = |levels: &[(i64, i64)]| -> Vec<Value> {
        levels.iter().map(|(price, size)| record!(V2KalshiOrderbookLevel { price, size })).collect()
    };
    let depth = |levels: &[(i64, i64)]| levels.iter().map(|(_, size)| size).sum::<i64>();
    let (bids, asks) = order_book(seed, market.price(Venue::Kalshi, time));

    record!(V2KalshiOrderbookSnapshot {
        ticker: market.ticker.as_str(),
        timestamp: time * 1000,
        sequence: time / 300,
        yes_bids: records(&bids),
        yes_asks: records(&asks),
        best_bid: bids.first().map_or(0, |(price, _)| *price),
        best_ask: asks.first().map_or(100, |(price, _)| *price),
        bid_depth: depth(&bids),
        ask_depth: depth(&asks),
    })
}
