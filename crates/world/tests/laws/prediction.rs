//! Laws about prediction markets: statements that are true for the invented data of every seed at every time.

use serde_json::Value;

use crate::world_client::{World, ensure, figure, find, list, near, same, sum, text, timestamp};
use crate::{Held, Law};

const DAY: i64 = 86_400;

pub(crate) const LAWS: &[Law] = &[
    ("The volume of a day is the sum of its trades", day_volume_is_sum_of_trades),
    ("The volume of a week is the sum of its trades", week_volume_is_sum_of_trades),
    ("The trade count is the number of listed trades", trade_count_is_exact),
    ("Volumes of yes and no are the sums of their trades", split_volumes_are_sums),
    ("The volumes of a day's candles add up to the volume of the day", candle_volumes_add_up),
    ("The volume of a day on Kalshi is the sum of its trades", kalshi_volume_is_sum_of_trades),
    ("A wallet's positions are the sums of its trades", positions_are_sums_of_trades),
    (
        "The leaderboard shows the number and value of a trader's trades, and the number of positions",
        leaderboard_matches_trades,
    ),
    (
        "A Polymarket market has equal fields in the responses for the market, its event and a search",
        polymarket_responses_agree,
    ),
    (
        "A Kalshi market is the same in its event, the list, the ranking and the search",
        kalshi_responses_agree,
    ),
    (
        "The search over both venues shows the same status and volume as the venue",
        search_matches_venues,
    ),
    (
        "An active market is not completed; a closed market has an end and an outcome",
        completion_follows_status,
    ),
    ("The volume of an event is the sum of its markets", event_volume_is_sum),
    ("Matched pairs show the prices of their venues", pairs_show_venue_prices),
    ("Yes and no cost 1 together", yes_and_no_cost_one),
    ("In an event, a higher level never costs more than a lower one", higher_level_is_cheaper),
    ("All trades are between the start and the end of their market", trades_are_within_market_life),
    ("The value of a trade is its shares times its price", trade_value_is_product),
    (
        "The last price is the newest price of the series and the close of the last candle",
        last_price_is_newest,
    ),
    (
        "The volumes of the categories add up to the volume of all categories",
        category_volumes_add_up,
    ),
];

/// Returns the Polymarket markets of all events, both active and closed.
fn markets(world: &World) -> Result<Vec<Value>, String> {
    let mut all = Vec::new();
    for status in ["active", "closed"] {
        for event in world.rows("search-polymarket", &[("status", status), ("limit", "100")])? {
            all.extend(list(&event, "markets").to_vec());
        }
    }
    ensure(all.len() == 48, || format!("{} markets", all.len()))?;
    Ok(all)
}

/// Returns two active Polymarket markets.
fn active_markets(world: &World) -> Result<Vec<Value>, String> {
    let all = markets(world)?.into_iter().filter(|market| market["status"] == "active");
    Ok(all.step_by(9).take(2).collect())
}

fn kalshi_markets(world: &World) -> Result<Vec<Value>, String> {
    world.rows("kalshi-markets", &[("limit", "100")])
}

fn trades(world: &World, condition: &str, from: i64, to: i64) -> Result<Vec<Value>, String> {
    let (from, to) = (from.to_string(), to.to_string());
    let params = [("condition_id", condition), ("from", &from), ("to", &to), ("type", "trade")];
    world.rows("polymarket-trades", &params)
}

fn yesterday(world: &World) -> i64 {
    world.now() - world.now() % DAY - DAY
}

fn day_volume_is_sum_of_trades(world: &World) -> Held {
    let day = yesterday(world);
    for market in active_markets(world)? {
        let condition = text(&market, "condition_id");
        let points = world
            .rows("polymarket-volumes", &[("condition_id", condition), ("time_range", "7d")])?;
        let point = points.iter().find(|point| timestamp(point, "timestamp") == day);
        let trades = trades(world, condition, day, day + DAY - 1)?;
        near(
            "volume",
            figure(point.ok_or("no such day")?, "notional_volume_usd"),
            sum(&trades, "amount_usd"),
        )?;
        let counted = point.map(|point| point["trade_count"].clone()).unwrap_or_default();
        ensure(counted == trades.len(), || format!("{counted} of {}", trades.len()))?;
    }
    Ok(())
}

fn week_volume_is_sum_of_trades(world: &World) -> Held {
    for market in active_markets(world)? {
        let from = world.now() - 7 * DAY;
        let trades = trades(world, text(&market, "condition_id"), from, world.now())?;
        near("week", figure(&market, "volume_1_week"), sum(&trades, "amount_usd"))?;
    }
    Ok(())
}

fn trade_count_is_exact(world: &World) -> Held {
    for market in active_markets(world)? {
        let condition = text(&market, "condition_id");
        let found = world.first_row("search-prediction-market", &[("condition_id", condition)])?;
        let trades = trades(world, condition, world.now() - 7 * DAY, world.now())?;
        ensure(found["trade_count_7d"] == trades.len(), || format!("{} in {found}", trades.len()))?;
    }
    Ok(())
}

fn split_volumes_are_sums(world: &World) -> Held {
    let day = yesterday(world);
    let (start, end) = (day.to_string(), (day + DAY - 1).to_string());
    for market in active_markets(world)? {
        let condition = text(&market, "condition_id");
        let params = [
            ("condition_id", condition),
            ("granularity", "day"),
            ("start_time", &start),
            ("end_time", &end),
        ];
        let shown = world.first_row("polymarket-volume-split", &params)?;
        let point = list(&shown, "data_points").first().cloned().unwrap_or_default();
        let trades = trades(world, condition, day, day + DAY - 1)?;
        for (name, outcome) in [("yes_volume", "Yes"), ("no_volume", "No")] {
            let of: Vec<_> =
                trades.iter().filter(|t| t["outcome_label"] == outcome).cloned().collect();
            near(name, figure(&point, name), sum(&of, "amount_usd"))?;
        }
    }
    Ok(())
}

fn candle_volumes_add_up(world: &World) -> Held {
    let day = yesterday(world);
    let (start, end) = (day.to_string(), (day + DAY - 1).to_string());
    for market in active_markets(world)? {
        let condition = text(&market, "condition_id");
        let params = [
            ("condition_id", condition),
            ("interval", "60"),
            ("start_time", &start),
            ("end_time", &end),
        ];
        let shown = world.first_row("polymarket-price-ohlcv", &params)?;
        let trades = trades(world, condition, day, day + DAY - 1)?;
        near("volume", sum(list(&shown, "candles"), "volume"), sum(&trades, "amount_usd"))?;
    }
    Ok(())
}

fn kalshi_volume_is_sum_of_trades(world: &World) -> Held {
    let day = yesterday(world);
    let (from, to) = (day.to_string(), (day + DAY - 1).to_string());
    for market in kalshi_markets(world)?.iter().filter(|m| m["status"] == "active").take(2) {
        let ticker = text(market, "market_ticker");
        let points = world.rows("kalshi-volumes", &[("ticker", ticker), ("time_range", "7d")])?;
        let point = points.iter().find(|point| timestamp(point, "timestamp") == day);
        let trades =
            world.rows("kalshi-trades", &[("ticker", ticker), ("from", &from), ("to", &to)])?;
        let of_trades = sum(&trades, "notional_volume_usd");
        near("volume", figure(point.ok_or("no such day")?, "notional_volume_usd"), of_trades)?;
    }
    Ok(())
}

fn wallet_trades(world: &World, address: &str) -> Result<Vec<Value>, String> {
    let from = (world.now() - 14 * DAY).to_string();
    world.rows("polymarket-trades", &[("address", address), ("from", &from), ("type", "trade")])
}

fn positions_are_sums_of_trades(world: &World) -> Held {
    let address = format!("0x{}", "2".repeat(40));
    let trades = wallet_trades(world, &address)?;
    let held = world.rows("polymarket-positions", &[("address", &address)])?;
    ensure(!held.is_empty(), || "holds nothing".to_owned())?;
    for position in held {
        let (condition, outcome) = (&position["condition_id"], text(&position, "outcome_label"));
        let shares: f64 = trades
            .iter()
            .filter(|trade| trade["condition_id"] == *condition)
            .filter(|trade| {
                let buys = trade["taker_address"] == address.as_str();
                (trade["outcome_label"] == outcome) == buys
            })
            .map(|trade| figure(trade, "shares"))
            .sum();
        near("shares", shares, figure(&position, "size"))?;
    }
    Ok(())
}

fn leaderboard_matches_trades(world: &World) -> Held {
    let ranked = world.rows("polymarket-leaderboard", &[("limit", "100")])?;
    for row in ranked.iter().step_by(7) {
        let address = text(row, "address");
        let trades = wallet_trades(world, address)?;
        ensure(row["trade_count"] == trades.len(), || format!("{} trades, {row}", trades.len()))?;
        near("volume", figure(row, "volume"), sum(&trades, "amount_usd"))?;
        let held = world.rows("polymarket-positions", &[("address", address)])?;
        ensure(row["positions"] == held.len(), || format!("{} held, {row}", held.len()))?;
        let profit = sum(&held, "cash_pnl");
        ensure((figure(row, "pnl") - profit).abs() < 0.01 * profit.abs().max(1.0), || {
            format!("{profit} in {row}")
        })?;
    }
    Ok(())
}

/// Returns the number after "above" in a market's title: 25 for `Goals above 25 in round 4?`. Returns -1 if no number
/// follows "above".
fn level(market: &Value) -> i64 {
    let mut words = text(market, "title").split(' ').skip_while(|word| *word != "above");
    words.nth(1).and_then(|word| word.parse().ok()).unwrap_or(-1)
}

fn higher_level_is_cheaper(world: &World) -> Held {
    let mut pairs = markets(world)?;
    pairs.sort_by_key(|market| (text(market, "event_slug").to_owned(), level(market)));
    for pair in pairs.chunk_by(|a, b| a["event_slug"] == b["event_slug"]) {
        let prices = |market: &Value| {
            let condition = text(market, "condition_id");
            let params = [("condition_id", condition), ("time_range", "30d"), ("interval", "1h")];
            let points = world.rows("polymarket-prices", &params)?;
            Ok::<_, String>(points.iter().map(|row| figure(&row["side_a"], "price")).collect())
        };
        let (low, high): (Vec<f64>, Vec<f64>) = (prices(&pair[0])?, prices(&pair[1])?);
        let is_ladder = level(&pair[0]) < level(&pair[1])
            && low.len() == high.len()
            && low.iter().zip(&high).all(|(low, high)| low >= high);
        ensure(is_ladder, || format!("{} and {}", pair[0]["title"], pair[1]["title"]))?;
    }
    Ok(())
}

fn polymarket_responses_agree(world: &World) -> Held {
    for market in markets(world)?.iter().step_by(11) {
        let slug = text(market, "market_slug");
        let own = world.first_row("polymarket-markets", &[("market_slug", slug)])?;
        let event =
            world.first_row("polymarket-events", &[("event_slug", text(market, "event_slug"))])?;
        let of_event = find(list(&event, "markets"), "market_slug", slug)?;
        let names = own.as_object().into_iter().flat_map(|own| own.keys());
        // Optional fields may be missing in one of the responses.
        for name in names.filter(|name| !market[*name].is_null() && !of_event[*name].is_null()) {
            if !["side_a", "side_b"].contains(&name.as_str()) {
                same(name, &own[name], &market[name])?;
                same(name, &own[name], &of_event[name])?;
            }
        }
        same("status", &own["status"], &event["status"])?;
    }
    Ok(())
}

fn kalshi_responses_agree(world: &World) -> Held {
    let ranked = world.rows("kalshi-ranking", &[("limit", "100")])?;
    let found = world.rows("search-kalshi", &[("limit", "100")])?;
    for market in kalshi_markets(world)?.iter().step_by(7) {
        let ticker = text(market, "market_ticker");
        let params = [("event_ticker", text(market, "event_ticker"))];
        let event = world.first_row("kalshi-events", &params)?;
        let searched = find(&found, "event_ticker", text(market, "event_ticker"))?;
        for other in [
            find(list(&event, "markets"), "market_ticker", ticker)?,
            find(list(searched, "markets"), "market_ticker", ticker)?,
            find(&ranked, "market_ticker", ticker)?,
        ] {
            for name in
                ["status", "title", "category", "end_time", "notional_volume_usd", "open_interest"]
            {
                if !other[name].is_null() {
                    same(name, &market[name], &other[name])?;
                }
            }
        }
    }
    Ok(())
}

fn search_matches_venues(world: &World) -> Held {
    for market in markets(world)?.iter().step_by(13) {
        let params =
            [("condition_id", text(market, "condition_id")), ("status", text(market, "status"))];
        let found = world.first_row("search-prediction-market", &params)?;
        same("status", &market["status"], &found["status"])?;
        same("week", &market["volume_1_week"], &found["volume_7d"])?;
        same("month", &market["volume_1_month"], &found["volume_30d"])?;
    }
    Ok(())
}

fn completion_follows_status(world: &World) -> Held {
    for market in markets(world)? {
        let is = match text(&market, "status") {
            "active" => {
                market["completed_time"].is_null()
                    && market["close_time"].is_null()
                    && market["winning_side"].is_null()
                    && timestamp(&market, "end_time") > world.now()
            }
            _ => {
                timestamp(&market, "end_time") <= world.now() && market["winning_side"].is_string()
            }
        };
        ensure(is && timestamp(&market, "start_time") < world.now(), || market.to_string())?;
    }
    Ok(())
}

fn event_volume_is_sum(world: &World) -> Held {
    for status in ["active", "closed"] {
        for event in world.rows("search-polymarket", &[("status", status)])? {
            near(
                "volume",
                figure(&event, "volume_total"),
                sum(list(&event, "markets"), "volume_total"),
            )?;
        }
    }
    Ok(())
}

fn pairs_show_venue_prices(world: &World) -> Held {
    for pair in world.rows("matching-market-pairs", &[("limit", "100")])?.iter().step_by(8) {
        let first = [
            ("condition_id", text(&pair["polymarket"], "condition_id")),
            ("time_range", "7d"),
            ("interval", "latest"),
        ];
        let second = [
            ("ticker", text(&pair["kalshi"], "market_ticker")),
            ("time_range", "7d"),
            ("interval", "latest"),
        ];
        let first = world.rows("polymarket-prices", &first)?;
        let second = world.rows("kalshi-prices", &second)?;
        let price =
            |rows: &[Value]| rows.last().cloned().unwrap_or_default()["side_a"]["price"].clone();
        same("first", &pair["polymarket_price"], &price(&first))?;
        same("second", &pair["kalshi_price"], &price(&second))?;
    }
    Ok(())
}

fn yes_and_no_cost_one(world: &World) -> Held {
    for market in active_markets(world)? {
        let params = [("condition_id", text(&market, "condition_id")), ("time_range", "30d")];
        for point in world.rows("polymarket-prices", &params)? {
            let both = figure(&point["side_a"], "price") + figure(&point["side_b"], "price");
            ensure((both - 1.0).abs() < 1e-9, || point.to_string())?;
        }
    }
    Ok(())
}

fn trades_are_within_market_life(world: &World) -> Held {
    for market in markets(world)?.iter().filter(|market| market["status"] == "closed").take(2) {
        let (start, end) = (timestamp(market, "start_time"), timestamp(market, "end_time"));
        let condition = text(market, "condition_id");
        for trade in trades(world, condition, end - 3 * DAY, end + 3 * DAY)? {
            let time = timestamp(&trade, "block_time");
            ensure((start..end).contains(&time), || format!("{time} in {market}"))?;
        }
        let after = trades(world, condition, end, end + 10 * DAY)?;
        ensure(after.is_empty(), || format!("{} trades after the end", after.len()))?;
    }
    Ok(())
}

fn trade_value_is_product(world: &World) -> Held {
    for market in active_markets(world)? {
        for trade in trades(world, text(&market, "condition_id"), world.now() - DAY, world.now())? {
            near(
                "worth",
                figure(&trade, "shares") * figure(&trade, "price"),
                figure(&trade, "amount_usd"),
            )?;
        }
    }
    Ok(())
}

fn last_price_is_newest(world: &World) -> Held {
    for market in active_markets(world)? {
        let condition = text(&market, "condition_id");
        let found = world.first_row("search-prediction-market", &[("condition_id", condition)])?;
        let params = [("condition_id", condition), ("time_range", "7d"), ("interval", "latest")];
        let points = world.rows("polymarket-prices", &params)?;
        let candles = world.first_row("polymarket-price-ohlcv", &[("condition_id", condition)])?;
        let point = points.last().cloned().unwrap_or_default();
        let candle = list(&candles, "candles").last().cloned().unwrap_or_default();
        same("series", &found["latest_price"], &point["side_a"]["price"])?;
        same("candle", &found["latest_price"], &candle["close"])?;
    }
    Ok(())
}

fn category_volumes_add_up(world: &World) -> Held {
    let of = |more: &[(&str, &str)]| {
        let params = [&[("platform", "polymarket"), ("time_range", "7d")], more].concat();
        world.rows("prediction-market-category-metrics", &params)
    };
    let whole = of(&[])?;
    let mut parts = 0.0;
    for category in ["crypto", "politics", "economics", "sports", "culture", "financials", "stem"] {
        parts += sum(&of(&[("category", category)])?, "volume_usd");
    }
    near("volume", sum(&whole, "volume_usd"), parts)
}
