//! Operations of the prediction venue Polymarket, which identifies markets by condition ids and outcome tokens. A
//! price is a fraction of one USD, such as `0.62`.

use crate::args::Args;
use crate::context::Context;
use crate::interval;
use crate::prediction::ledger;
use crate::prediction::market::{
    Market, day_of, find, find_by_condition, find_by_token, get_step, markets, opposite,
    order_book, steps,
};
use crate::prediction::positions::{leaderboard, positions};
use crate::prediction::trades;
use crate::prediction::volumes::Venue;
use crate::random::Seed;
use crate::record::record;
use crate::refusal::Refusal;
use crate::row::{Data, Row};
use crate::time_range::span;
use crate::timestamp::{DAY, HOUR};
use crate::value::Value;
use crate::wallets::address;

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    let requested = || find_by_condition(ctx, args.text("condition_id").unwrap_or_default());

    Ok(Some(match args.operation.id {
        "polymarket-events" => {
            let slug = args.text("event_slug").unwrap_or_default();
            let events = events(ctx, |market| market.event_slug.as_str() == slug);
            if events.is_empty() {
                return Err(Refusal::not_found(format!("no event has the slug `{slug}`")));
            }
            Data::Rows(events)
        }
        "search-polymarket" => {
            let (q, status) = (args.text("q"), args.text("status").unwrap_or("active"));
            let (category, tags) = (args.text("category"), args.list("tags").join(","));

            // A market matches the `tags` argument if its question or category contains a word of at least one tag.
            let tags: Vec<_> = tags.split(',').map(str::trim).filter(|t| !t.is_empty()).collect();
            let rows = events(ctx, |market| {
                q.is_none_or(|q| market.matches(q))
                    && (tags.is_empty() || tags.iter().any(|tag| market.matches(tag)))
                    && category.is_none_or(|category| category == market.category)
                    && market.is_active() == (status == "active")
            });
            Data::Rows(rows)
        }

        "polymarket-markets" => {
            let slug = args.text("market_slug").unwrap_or_default();
            let found = find(ctx, "slug", slug, |market| market.slug.as_str() == slug)?;
            Data::Rows(vec![Row::new(found.seed, ctx.now, market_record(ctx, &found))])
        }
        "polymarket-prices" => {
            let market = requested()?;
            Data::Rows(
                steps(ctx, args, get_step(args)).into_iter().map(|t| price(&market, t)).collect(),
            )
        }

        "polymarket-price-ohlcv" => Data::One(ohlcv(ctx, args, &requested()?)),
        "polymarket-volumes" => Data::Rows(volumes(ctx, args)?),
        "polymarket-volume-split" => Data::One(volume_split(ctx, args, &requested()?)),
        "polymarket-open-interest" => Data::Rows(open_interest(ctx, args, &requested()?)),

        "polymarket-trades" => Data::Rows(trades::list(ctx, args)?),
        "polymarket-orderbooks" => Data::Rows(books(ctx, args)?),
        "polymarket-positions" => Data::Rows(positions(
            ctx,
            &address::check_address("address", args.text("address").unwrap_or_default())?,
        )),
        "polymarket-leaderboard" => Data::Rows(leaderboard(ctx)),
        _ => return Ok(None),
    }))
}

/// Returns the rows of all Polymarket markets.
pub fn all_markets(ctx: &Context) -> Vec<Row> {
    markets(ctx).iter().map(|m| Row::new(m.seed, ctx.now, market_record(ctx, m))).collect()
}

fn market_record(ctx: &Context, market: &Market) -> Value {
    let since = |time: i64| market.volume(Venue::Polymarket, time, ctx.now + 1);
    let volume = |days: i64| since(ctx.now - days * DAY);
    let outcome = market.text.trim_end_matches('?');
    let ended = if market.is_active() { Value::Null } else { market.end.into() };

    record!(PolymarketMarketItem {
        condition_id: market.condition_id.as_str(),
        market_slug: market.slug.as_str(),
        event_slug: market.event_slug.as_str(),
        title: market.text.as_str(),
        description: format!("Resolves to Yes if the round ends with \"{outcome}\"."),
        image: format!("https://img.example/market/{}.png", market.slug.as_str()),
        resolution_source: format!("https://results.example/{}", market.event_slug.as_str()),
        negative_risk_id: Value::Null,
        tags: [market.category],
        category: market.category,
        subcategory: market.category,
        status: market.status(Venue::Polymarket),
        side_a: record!(PolymarketMarketSide { id: market.token_id(true), label: "Yes" }),
        side_b: record!(PolymarketMarketSide { id: market.token_id(false), label: "No" }),

        volume_1_week: volume(7),
        volume_1_month: volume(30),
        volume_1_year: volume(365),
        volume_total: since(market.start),

        start_time: market.start,
        end_time: market.end,
        close_time: ended.clone(),
        completed_time: ended,
        game_start_time: Value::Null,
        winning_side: if market.is_active() { Value::Null } else { "Yes".into() },
        polymarket_link: format!("https://markets.example/{}", market.slug.as_str()),
    })
}

fn events(ctx: &Context, is_wanted: impl Fn(&Market) -> bool) -> Vec<Row> {
    let all: Vec<_> = markets(ctx).into_iter().filter(is_wanted).collect();
    all.chunk_by(|a, b| a.event == b.event)
        .map(|of_event| {
            let first = &of_event[0];
            let markets: Vec<_> = of_event.iter().map(|m| market_record(ctx, m)).collect();
            let total: f64 = markets.iter().filter_map(|m| m["volume_total"].as_f64()).sum();

            Row::new(
                ctx.seed.named("polymarket event").at(first.event),
                ctx.now,
                record!(PolymarketEvent {
                    event_slug: first.event_slug.as_str(),
                    title: first.event_title.as_str(),
                    description: format!(
                        "Markets on several answers to \"{}\".",
                        first.event_title
                    ),
                    image: format!("https://img.example/event/{}.png", first.event_slug),
                    settlement_sources: format!("https://results.example/{}", first.event_slug),
                    tags: [first.category],
                    category: first.category,
                    subcategory: first.category,

                    status: first.status(Venue::Polymarket),
                    market_count: markets.len(),
                    markets,
                    volume_total: total,
                    start_time: first.start,
                    end_time: first.end,
                }),
            )
        })
        .collect()
}

fn price(market: &Market, time: i64) -> Row {
    let yes = market.yes_price(time);
    Row::new(
        market.seed,
        time,
        record!(PolymarketPricePoint {
            timestamp: time,
            side_a: record!(PolymarketPriceSide {
                label: "Yes",
                price: yes,
                token_id: market.token_id(true)
            }),
            side_b: record!(PolymarketPriceSide {
                label: "No",
                price: opposite(yes),
                token_id: market.token_id(false)
            }),
        }),
    )
}

fn ohlcv(ctx: &Context, args: &Args, market: &Market) -> Row {
    let minutes = args.integer("interval").unwrap_or(60);
    let width = minutes * 60;
    let (from, to) = span(ctx, args, 2 * DAY);
    let first = (from - from.rem_euclid(width)).max(to - 2_000 * width);
    let first = first - first.rem_euclid(width);
    let candles: Vec<_> = (0..)
        .map(|n| first + n * width)
        .take_while(|start| *start <= to)
        .map(|start| {
            let end = start + width;
            let (high, low) = market.extremes(Venue::Polymarket, start, end.min(ctx.now));
            record!(V2CandlestickData {
                timestamp: start,
                end_period_ts: end,
                open: market.yes_price(start),
                close: market.yes_price(end.min(ctx.now)),
                high,
                low,
                volume: market.volume(Venue::Polymarket, start, end.min(ctx.now + 1)),
                trades_count: market.trade_count(Venue::Polymarket, start, end.min(ctx.now + 1)),
            })
        })
        .collect();

    Row::new(
        market.seed,
        ctx.now,
        record!(V2CandlestickResponse {
            condition_id: market.condition_id.as_str(),
            interval: minutes,
            candles,
        }),
    )
}

/// Returns the traded volumes of "yes" and of "no" in `from..to` (Unix seconds), in USD.
fn side_volumes(market: &Market, from: i64, to: i64) -> (f64, f64) {
    ledger::trades(market, from, to).fold((0.0, 0.0), |(yes, no), trade| {
        if trade.is_yes { (yes + trade.usd, no) } else { (yes, no + trade.usd) }
    })
}

/// Returns the open interest of a market, one row for each requested day.
fn open_interest(ctx: &Context, args: &Args, market: &Market) -> Vec<Row> {
    let point = |time: i64| {
        let [now, before] = [0, 1].map(|days| market.open_interest(day_of(time) - days));
        Row::new(
            market.seed,
            time,
            record!(PolymarketOiPoint {
                timestamp: time,
                open_interest_usd: now,
                daily_net_change_usd: now - before,
            }),
        )
    };

    steps(ctx, args, DAY).into_iter().map(point).collect()
}

fn volumes(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    let market = match args.text("condition_id") {
        Some(id) => find_by_condition(ctx, id)?,
        None => find_by_token(ctx, args.text("token_id").unwrap_or_default())?.0,
    };
    let step = args.text("granularity").and_then(interval::parse_seconds).unwrap_or(get_step(args));

    Ok(steps(ctx, args, step)
        .into_iter()
        .map(|time| {
            let end = (time + step).min(ctx.now + 1);
            let (buys, sells) = side_volumes(&market, time, end);
            Row::new(
                market.seed,
                time,
                record!(PolymarketVolumePoint {
                    timestamp: time,
                    notional_volume_usd: buys + sells,
                    buy_volume: buys,
                    sell_volume: sells,
                    trade_count: market.trade_count(Venue::Polymarket, time, end),
                }),
            )
        })
        .collect())
}

fn volume_split(ctx: &Context, args: &Args, market: &Market) -> Row {
    let granularity = args.text("granularity").unwrap_or("hour");
    let step = interval::parse_seconds(granularity).unwrap_or(HOUR);
    let (from, to) = span(ctx, args, 100 * step);
    let from = (from - from.rem_euclid(step)).max(to - to.rem_euclid(step) - 2_000 * step);
    let points: Vec<_> = (0..)
        .map(|n| from + n * step)
        .take_while(|time| *time <= to)
        .map(|time| {
            let end = (time + step).min(ctx.now + 1);
            let (yes, no) = side_volumes(market, time, end);
            record!(V2VolumeChartPoint {
                timestamp: time,
                total_volume: yes + no,
                yes_volume: yes,
                no_volume: no,
                trades_count: market.trade_count(Venue::Polymarket, time, end),
            })
        })
        .collect();

    Row::new(
        market.seed,
        ctx.now,
        record!(V2VolumeChartResponse {
            condition_id: market.condition_id.as_str(),
            granularity,
            start_time: from,
            end_time: to,
            data_points: points,
        }),
    )
}

fn books(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    let (market, is_yes) = find_by_token(ctx, args.text("token_id").unwrap_or_default())?;
    let view = if is_yes { "book of yes" } else { "book of no" };
    let seed = market.seed.named("book");

    Ok(crate::prediction::kalshi::snapshots(ctx, args)
        .into_iter()
        .map(|time| {
            let (market, seed) = (market.clone(), seed.at_time(time));
            let known = record!(V2OrderbookSnapshot { timestamp: time * 1000 });
            let rest = move || snapshot(&market, is_yes, seed, time);
            Row::lazy(seed, time, known, rest).cacheable(ctx, view)
        })
        .collect())
}

/// Returns the JSON record of the order book of an outcome token at a Unix time.
fn snapshot(market: &Market, is_yes: bool, seed: Seed, time: i64) -> Value {
    let level = |(cents, size): &(i64, i64)| {
        #[expect(clippy::cast_precision_loss, reason = "at most 99")]
        let price = *cents as f64 / 100.0;
        record!(V2OrderbookLevel { price, size })
    };
    let yes = market.yes_price(time);
    let (bids, asks) = order_book(seed, if is_yes { yes } else { opposite(yes) });

    record!(V2OrderbookSnapshot {
        assetId: market.token_id(is_yes),
        market: market.condition_id.as_str(),
        timestamp: time * 1000,
        indexedAt: time * 1000 + 250,
        tickSize: "0.01",
        hash: seed.hex(40),
        bids: bids.iter().map(level).collect::<Vec<_>>(),
        asks: asks.iter().map(level).collect::<Vec<_>>(),
    })
}
