//! Laws about exchanges: their tickers, candles, order books and listings. A law is a statement about the invented data
//! that is true for every random seed and at every time.

use serde_json::Value;

use crate::world_client::{World, ensure, figure, list, near, same, text, timestamp};
use crate::{Held, Law};

const DAY: i64 = 86_400;

pub(crate) const LAWS: &[Law] = &[
    ("A pair of two assets trades at the ratio of their prices", cross_price_is_ratio),
    (
        "A candle of a pair of two assets opens and closes at the ratio of their prices at that time",
        cross_candles_are_ratios,
    ),
    ("The number of candles is the requested limit", candle_count_is_limit),
    ("The last candle closes at the venue's last price", last_close_is_last_price),
    ("Open and close of a candle lie between its low and high", open_and_close_are_in_range),
    ("The hours of a day add up to its candle", hours_add_up),
    (
        "The volume-weighted price of a candle lies between its low and high",
        average_price_is_in_range,
    ),
    (
        "The volumes of short candles add up to the volume of the longer candle",
        short_volumes_add_up,
    ),
    ("A venue has the same share of the volume in candles and in its ticker", volume_shares_agree),
    ("Bids are below the last price and asks above it, best first", book_surrounds_last_price),
    ("A venue has a market for each pair whose listing it announced", announced_pair_is_traded),
    ("No pair has the same asset on both sides", pair_has_two_assets),
    ("A listing is announced before it takes effect", announcement_precedes_effect),
];

pub(crate) fn ticker(world: &World, pair: &str) -> Result<Value, String> {
    world.first_row("exchange-price", &[("pair", pair), ("exchange", "binance")])
}

fn klines(world: &World, more: &[(&str, &str)]) -> Result<Value, String> {
    world.first_row("exchange-klines", &[&[("pair", "ETH/USDT")], more].concat())
}

fn cross_price_is_ratio(world: &World) -> Held {
    let last = |pair: &str| Ok::<_, String>(figure(&ticker(world, pair)?, "last"));
    for symbol in ["ETH", "SOL", "LINK"] {
        let ratio = last(&format!("{symbol}/USDT"))? / last("BTC/USDT")?;
        near(symbol, last(&format!("{symbol}/BTC"))?, ratio)?;
    }
    Ok(())
}

fn cross_candles_are_ratios(world: &World) -> Held {
    let from = (world.now() - world.now() % DAY - 9 * DAY).to_string();
    let of = |world: &World, pair: &str| {
        let params = [("pair", pair), ("interval", "4h"), ("from", from.as_str()), ("limit", "40")];
        let shown = world.first_row("exchange-klines", &params)?;
        Ok::<_, String>(list(&shown, "candles").to_vec())
    };
    let (eth, btc, pair) = (of(world, "ETH/USDT")?, of(world, "BTC/USDT")?, of(world, "ETH/BTC")?);

    for ((eth, btc), pair) in eth.iter().zip(&btc).zip(&pair) {
        for name in ["open", "close"] {
            near(name, figure(eth, name) / figure(btc, name), figure(pair, name))?;
        }
        let range = figure(pair, "low")..=figure(pair, "high");
        let is = range.contains(&figure(pair, "open")) && range.contains(&figure(pair, "close"));
        ensure(is, || pair.to_string())?;
    }

    let later = of(&world.later(3 * DAY), "ETH/BTC")?;
    ensure(pair == later && pair.len() == 40, || format!("{pair:?}, then {later:?}"))
}

fn candle_count_is_limit(world: &World) -> Held {
    for (interval, limit) in [("1m", "7"), ("1h", "100"), ("4h", "33"), ("1d", "90"), ("1w", "12")]
    {
        let shown = klines(world, &[("interval", interval), ("limit", limit)])?;
        let count = list(&shown, "candles").len();
        ensure(count.to_string() == limit && shown["count"] == count, || {
            format!("{count} of {limit} candles of {interval}")
        })?;
    }
    Ok(())
}

fn last_close_is_last_price(world: &World) -> Held {
    let last = ticker(world, "ETH/USDT")?;
    // A candle has no trades in its first minute.
    if world.now() % 3_600 < 60 {
        return Ok(());
    }
    for interval in ["5m", "1h", "1d"] {
        let shown = klines(world, &[("interval", interval), ("limit", "2")])?;
        let candle = list(&shown, "candles").last().cloned().unwrap_or_default();
        if world.now() - timestamp(&candle, "timestamp") >= 60 {
            near(interval, figure(&candle, "close"), figure(&last, "last"))?;
        }
    }
    Ok(())
}

fn open_and_close_are_in_range(world: &World) -> Held {
    for interval in ["1m", "1h", "1d"] {
        let shown = klines(world, &[("interval", interval), ("limit", "200")])?;
        for candle in list(&shown, "candles") {
            let range = figure(candle, "low")..=figure(candle, "high");
            let is =
                range.contains(&figure(candle, "open")) && range.contains(&figure(candle, "close"));
            ensure(is, || candle.to_string())?;
        }
    }
    Ok(())
}

fn hours_add_up(world: &World) -> Held {
    let day = (world.now() - world.now() % DAY - 3 * DAY).to_string();
    let of = |interval: &str, limit: &str| {
        klines(world, &[("interval", interval), ("limit", limit), ("from", &day)])
    };
    let (whole, parts) = (of("1d", "1")?, of("1h", "24")?);
    for name in ["period_volume", "period_high", "period_low"] {
        same(name, &whole[name], &parts[name])?;
    }
    Ok(())
}

/// An operation that returns candles with a volume in the base currency and a volume in the quote currency.
struct Candles {
    operation: &'static str,
    markets: &'static [(&'static str, &'static str)],
    /// Candle intervals, the longest first.
    intervals: &'static [&'static str],
    /// Field names of the base volume and the quote volume.
    names: [&'static str; 2],
}

const CANDLES: [Candles; 2] = [
    Candles {
        operation: "exchange-candles",
        markets: &[
            ("pair", "BTC/KRW"),
            ("pair", "ETH/BTC"),
            ("pair", "DOGE/USDT"),
            ("pair", "USDC/KRW"),
        ],
        intervals: &["1w", "4h", "5m"],
        names: ["volume_base", "volume_quote"],
    },
    Candles {
        operation: "hyperliquid-candles",
        markets: &[("symbol", "BTC"), ("symbol", "DOGE"), ("symbol", "USDT")],
        intervals: &["1w", "1d", "12h", "4h", "1h", "15m", "5m"],
        names: ["volume", "quote"],
    },
];

/// Returns the candles of the week before last, from Monday to Sunday. Includes the candles that are marked as
/// synthetic.
fn week_candles(
    world: &World,
    operation: &str,
    what: (&str, &str),
    interval: &str,
) -> Result<Vec<Value>, String> {
    // Weeks begin on Mondays. The first Monday of Unix time is 1970-01-05, day 4.
    let start = (world.now() / DAY - 4) / 7 * 7 * DAY - 10 * DAY;
    let (from, to) = (start.to_string(), (start + 7 * DAY - 1).to_string());
    let mut params = vec![what, ("interval", interval), ("from", &from), ("to", &to)];
    if operation == "exchange-candles" {
        params.extend([("exchange", "upbit"), ("include_synthetic", "true")]);
    }
    world.rows(operation, &params)
}

fn average_price_is_in_range(world: &World) -> Held {
    for Candles { operation, markets, intervals, names: [base, quote] } in CANDLES {
        for market in markets {
            for interval in intervals {
                for candle in week_candles(world, operation, *market, interval)? {
                    let average = figure(&candle, quote) / figure(&candle, base);
                    let range = figure(&candle, "low")..=figure(&candle, "high");
                    ensure(range.contains(&average), || format!("{average} in {candle}"))?;
                }
            }
        }
    }
    Ok(())
}

fn short_volumes_add_up(world: &World) -> Held {
    for Candles { operation, markets, intervals, names } in CANDLES {
        let whole = week_candles(world, operation, markets[0], intervals[0])?;
        for interval in &intervals[1..] {
            let parts = week_candles(world, operation, markets[0], interval)?;
            for name in names {
                let sum: f64 = parts.iter().map(|part| figure(part, name)).sum();
                ensure(whole.len() == 1 && sum == figure(&whole[0], name), || {
                    format!("{name}, {interval}: {sum}, not {}", whole[0])
                })?;
            }
        }
    }
    Ok(())
}

fn volume_shares_agree(world: &World) -> Held {
    let of = |exchange: &str| {
        let params = [("pair", "ETH/USDT"), ("exchange", exchange)];
        let last = world.first_row("exchange-price", &params)?;
        let more = [("interval", "1d"), ("limit", "5")];
        let shown = world.first_row("exchange-klines", &[params, more].concat())?;
        Ok::<_, String>((figure(&last, "volume_24h_base"), figure(&shown, "period_volume")))
    };
    let (binance, kraken) = (of("binance")?, of("kraken")?);
    near("parts", binance.0 / kraken.0, binance.1 / kraken.1)
}

fn book_surrounds_last_price(world: &World) -> Held {
    let last = figure(&ticker(world, "ETH/USDT")?, "last");
    let shown = world.first_row("exchange-depth", &[("pair", "ETH/USDT"), ("limit", "20")])?;
    let prices = |side: &str| -> Vec<f64> {
        list(&shown, side).iter().map(|level| figure(level, "price")).collect()
    };
    let (bids, asks) = (prices("bids"), prices("asks"));
    let sorted = bids.is_sorted_by(|a, b| a >= b) && asks.is_sorted();
    ensure(sorted && bids[0] < last && last < asks[0], || format!("{last} in {shown}"))
}

fn listings(world: &World) -> Result<Vec<Value>, String> {
    let from = (world.now() - 60 * DAY).to_string();
    let to = world.now().to_string();
    world.rows("market-listing", &[("from", &from), ("to", &to)])
}

fn announced_pair_is_traded(world: &World) -> Held {
    let venues =
        crate::world_client::operation("exchange-markets").param("exchange").map(|(_, p)| p.kind);
    let Some(crypto_intel_core::ParamKind::Enum(venues)) = venues else { return Ok(()) };
    for event in listings(world)? {
        let (venue, pair) = (text(&event, "exchange_name"), text(&event, "trading_pair"));
        if !venues.contains(&venue) {
            continue;
        }
        let search = [("exchange", venue), ("search", pair), ("limit", "1000")];
        let markets = world.rows("exchange-markets", &search)?;
        ensure(markets.iter().any(|market| text(market, "pair").starts_with(pair)), || {
            format!("{venue} does not trade {pair}")
        })?;
    }
    Ok(())
}

fn pair_has_two_assets(world: &World) -> Held {
    let markets = world.rows("exchange-markets", &[("exchange", "binance"), ("limit", "1000")])?;
    for row in markets.iter().chain(&listings(world)?) {
        let names = [("base", "quote"), ("base_symbol", "quote_symbol")];
        ensure(names.iter().all(|(a, b)| row[*a].is_null() || row[*a] != row[*b]), || {
            row.to_string()
        })?;
    }
    Ok(())
}

fn announcement_precedes_effect(world: &World) -> Held {
    for row in listings(world)? {
        ensure(timestamp(&row, "published_at") < timestamp(&row, "effective_at"), || {
            row.to_string()
        })?;
    }
    Ok(())
}
