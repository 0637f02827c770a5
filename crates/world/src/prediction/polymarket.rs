//! The venue with condition ids and outcome tokens. Prices are fractions.

use serde_json::{Value, json};

use crate::args::Args;
use crate::context::Context;
use crate::interval;
use crate::moment::{DAY, HOUR};
use crate::prediction::market::{
    Market, book, by_condition, by_token, day_of, end_of, find, markets, other, step_of, steps,
};
use crate::prediction::trades;
use crate::refusal::Refusal;
use crate::row::{Data, Row};
use crate::span::span;
use crate::wallets::address;

pub(super) fn data(ctx: &Context, args: &Args) -> Result<Option<Data>, Refusal> {
    let asked = || by_condition(ctx, args.text("condition_id").unwrap_or_default());
    Ok(Some(match args.operation.id {
        "polymarket-events" => {
            let slug = args.text("event_slug").unwrap_or_default();
            let events = events(ctx, |market| market.event_slug() == slug);
            if events.is_empty() {
                return Err(Refusal::not_found(format!("no event has the slug `{slug}`")));
            }
            Data::Rows(events)
        }
        "search-polymarket" => {
            let (q, status) = (args.text("q"), args.text("status").unwrap_or("active"));
            let (category, tags) = (args.text("category"), args.list("tags").join(","));

            // Any of several tags will do.
            let tags: Vec<_> = tags.split(',').map(str::trim).filter(|t| !t.is_empty()).collect();
            let rows = events(ctx, |market| {
                q.is_none_or(|q| market.matches(q))
                    && (tags.is_empty() || tags.iter().any(|tag| market.matches(tag)))
                    && category.is_none_or(|category| category == market.category)
                    && market.is_active() == matches!(status, "active" | "initialized")
            });

            // The status is settled above: an ended event is also closed.
            Data::Rows(rows.into_iter().map(|row| with(row, "status", status.into())).collect())
        }
        "polymarket-markets" => {
            let slug = args.text("market_slug").unwrap_or_default();
            let found = find(ctx, "slug", slug, |market| market.slug() == slug)?;
            Data::Rows(vec![Row::new(found.seed, ctx.now, market(ctx, &found))])
        }
        "polymarket-prices" => {
            let asked = asked()?;
            Data::Rows(
                steps(ctx, args, step_of(args)).into_iter().map(|t| price(&asked, t)).collect(),
            )
        }
        "polymarket-price-ohlcv" => Data::One(ohlcv(ctx, args, &asked()?)),
        "polymarket-volumes" => Data::Rows(volumes(ctx, args)?),
        "polymarket-volume-split" => Data::One(volume_split(ctx, args, &asked()?)),
        "polymarket-open-interest" => {
            let asked = asked()?;
            let point = |time: i64| {
                let (now, before) =
                    (asked.open_interest(day_of(time)), asked.open_interest(day_of(time) - 1));
                Row::new(
                    asked.seed,
                    time,
                    json!({
                        "timestamp": time, "open_interest_usd": now, "daily_net_change_usd": now - before,
                    }),
                )
            };

            Data::Rows(steps(ctx, args, DAY).into_iter().map(point).collect())
        }
        "polymarket-trades" => Data::Rows(trades::list(ctx, args)?),
        "polymarket-orderbooks" => Data::Rows(books(ctx, args)?),
        "polymarket-positions" => {
            Data::Rows(positions(ctx, &address::read(args.text("address").unwrap_or_default())?))
        }
        "polymarket-leaderboard" => Data::Rows(leaderboard(ctx)),
        _ => return Ok(None),
    }))
}

fn with(mut row: Row, name: &str, value: Value) -> Row {
    row.given.insert(name.to_owned(), value);
    row
}

/// Every market as its endpoint shows it.
pub fn all_markets(ctx: &Context) -> Vec<Row> {
    markets(ctx).iter().map(|m| Row::new(m.seed, ctx.now, market(ctx, m))).collect()
}

fn market(ctx: &Context, market: &Market) -> Value {
    let volume = |days: i64| market.volume(ctx.now - days * DAY, ctx.now);
    let end = end_of(ctx, market);
    json!({
        "condition_id": market.condition_id(), "market_slug": market.slug(),
        "event_slug": market.event_slug(), "title": market.question,
        "category": market.category, "subcategory": market.category,
        "status": if market.is_active() { "active" } else { "closed" },
        "side_a": {"id": market.token_id(true), "label": "Yes"},
        "side_b": {"id": market.token_id(false), "label": "No"},
        "volume_1_week": volume(7), "volume_1_month": volume(30), "volume_1_year": volume(365),
        "volume_total": volume(365), "end_time": end,
        "close_time": if market.is_active() { Value::Null } else { end.into() },
        "winning_side": if market.is_active() { Value::Null } else { "Yes".into() },
        "polymarket_link": format!("https://markets.example/{}", market.slug()),
    })
}

fn events(ctx: &Context, is_wanted: impl Fn(&Market) -> bool) -> Vec<Row> {
    let all: Vec<_> = markets(ctx).into_iter().filter(is_wanted).collect();
    all.chunk_by(|a, b| a.event == b.event)
        .map(|of_event| {
            let first = &of_event[0];
            let markets: Vec<_> = of_event.iter().map(|m| market(ctx, m)).collect();
            let total: f64 = markets.iter().filter_map(|m| m["volume_total"].as_f64()).sum();

            Row::new(
                first.seed.named("event"),
                ctx.now,
                json!({
                    "event_slug": first.event_slug(), "title": first.event_title,
                    "category": first.category,
                    "status": if first.is_active() { "active" } else { "closed" },
                    "market_count": markets.len(), "markets": markets, "volume_total": total,
                    "end_time": end_of(ctx, first),
                }),
            )
        })
        .collect()
}

fn price(market: &Market, time: i64) -> Row {
    let yes = market.yes(time);
    Row::new(
        market.seed,
        time,
        json!({
            "timestamp": time,
            "side_a": {"label": "Yes", "price": yes, "token_id": market.token_id(true)},
            "side_b": {"label": "No", "price": other(yes), "token_id": market.token_id(false)},
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
            let (high, low) = market.extremes(start, end.min(ctx.now));
            json!({
                "timestamp": start, "end_period_ts": end,
                "open": market.yes(start), "close": market.yes(end.min(ctx.now)),
                "high": high, "low": low,
                "volume": market.volume(start, end.min(ctx.now)),
                "trades_count": market.trades(start, end.min(ctx.now)),
            })
        })
        .collect();

    Row::new(
        market.seed,
        ctx.now,
        json!({
            "condition_id": market.condition_id(), "interval": minutes, "candles": candles,
        }),
    )
}

fn volumes(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    let market = match args.text("condition_id") {
        Some(id) => by_condition(ctx, id)?,
        None => by_token(ctx, args.text("token_id").unwrap_or_default())?.0,
    };
    let step = args.text("granularity").and_then(interval::seconds_of).unwrap_or(step_of(args));

    Ok(steps(ctx, args, step)
        .into_iter()
        .map(|time| {
            let end = (time + step).min(ctx.now);
            let volume = market.volume(time, end);
            let buys = (volume * market.yes(time)).floor();

            Row::new(
                market.seed,
                time,
                json!({
                    "timestamp": time, "notional_volume_usd": volume, "buy_volume": buys,
                    "sell_volume": volume - buys, "trade_count": market.trades(time, end),
                }),
            )
        })
        .collect())
}

fn volume_split(ctx: &Context, args: &Args, market: &Market) -> Row {
    let granularity = args.text("granularity").unwrap_or("hour");
    let step = interval::seconds_of(granularity).unwrap_or(HOUR);
    let (from, to) = span(ctx, args, 100 * step);
    let from = (from - from.rem_euclid(step)).max(to - to.rem_euclid(step) - 2_000 * step);
    let points: Vec<_> = (0..)
        .map(|n| from + n * step)
        .take_while(|time| *time <= to)
        .map(|time| {
            let end = (time + step).min(ctx.now);
            let total = market.volume(time, end);
            let yes = (total * market.yes(time)).floor();
            json!({
                "timestamp": time, "total_volume": total, "yes_volume": yes,
                "no_volume": total - yes, "trades_count": market.trades(time, end),
            })
        })
        .collect();

    Row::new(
        market.seed,
        ctx.now,
        json!({
            "condition_id": market.condition_id(), "granularity": granularity,
            "start_time": from, "end_time": to, "data_points": points,
        }),
    )
}

fn books(ctx: &Context, args: &Args) -> Result<Vec<Row>, Refusal> {
    let (market, is_yes) = by_token(ctx, args.text("token_id").unwrap_or_default())?;
    let level = |(cents, size): &(i64, i64)| {
        #[expect(clippy::cast_precision_loss, reason = "at most 99")]
        let price = *cents as f64 / 100.0;
        json!({"price": price, "size": size})
    };

    Ok(crate::prediction::kalshi::snapshots(ctx, args)
        .into_iter()
        .map(|time| {
            let yes = market.yes(time);
            let seed = market.seed.named("book").at_time(time);
            let (bids, asks) = book(seed, if is_yes { yes } else { other(yes) });

            Row::new(
                seed,
                time,
                json!({
                    "assetId": market.token_id(is_yes), "market": market.condition_id(),
                    "timestamp": time * 1000, "indexedAt": time * 1000 + 250, "tickSize": "0.01",
                    "hash": seed.hex(40),
                    "bids": bids.iter().map(level).collect::<Vec<_>>(),
                    "asks": asks.iter().map(level).collect::<Vec<_>>(),
                }),
            )
        })
        .collect())
}

/// What a wallet holds, market by market.
fn positions(ctx: &Context, address: &str) -> Vec<Row> {
    let seed = ctx.seed.named("predictor holds").named(&address.to_lowercase());
    markets(ctx)
        .iter()
        .filter(|market| seed.at(market.number).chance(0.4))
        .map(|market| {
            let seed = seed.at(market.number);
            let is_yes = seed.named("yes").chance(0.6);
            let side = |yes: f64| if is_yes { yes } else { other(yes) };
            let bought = side(market.yes(ctx.now.div_euclid(90 * DAY) * 90 * DAY));
            let now = match (market.is_active(), is_yes) {
                (true, _) => side(market.yes(ctx.now)),
                // Settled: yes came true.
                (false, is_yes) => f64::from(u8::from(is_yes)),
            };
            #[expect(clippy::cast_precision_loss, reason = "thousands of shares")]
            let size = seed.named("size").range(10, 9_000) as f64;
            Row::new(
                seed,
                ctx.now,
                json!({
                    "condition_id": market.condition_id(), "question": market.question,
                    "outcome_label": if is_yes { "Yes" } else { "No" },
                    "size": size, "avg_price": bought, "cur_price": now,
                    "current_value": size * now, "cash_pnl": size * now - size * bought,
                    "realized_pnl": 0.0, "redeemable": !market.is_active() && is_yes,
                }),
            )
        })
        .collect()
}

fn leaderboard(ctx: &Context) -> Vec<Row> {
    (0..trades::TRADERS)
        .map(|n| {
            let address = trades::trader(ctx, n);
            let held = positions(ctx, &address);
            let settled: Vec<_> = held
                .iter()
                .filter(|row| {
                    let price = row.given["cur_price"].as_f64();
                    price == Some(0.0) || price == Some(1.0)
                })
                .collect();
            let won = settled.iter().filter(|row| row.given["redeemable"] == true).count();
            let sum =
                |name: &str| held.iter().filter_map(|row| row.given[name].as_f64()).sum::<f64>();
            let seed = ctx.seed.named("predictor").at(n);

            Row::new(
                seed,
                ctx.now,
                json!({
                    "address": address, "pnl": sum("cash_pnl"), "positions": held.len(),
                    "positions_won": won, "positions_lost": settled.len() - won,
                    "positions_open": held.len() - settled.len(),
                    "trade_count": seed.named("trades").range(20, 900),
                    "volume": sum("size"),
                }),
            )
        })
        .collect()
}
