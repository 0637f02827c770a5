//! Laws about values that several operations return. For example, the best price in an order book is equal to the price
//! in the ticker.

use serde_json::Value;

use crate::world_client::{
    World, ensure, figure, find, list, near, same, sum, text, timestamp, within,
};
use crate::{Held, Law};

pub(crate) const LAWS: &[Law] = &[
    (
        "The best offers of an order book are in the ticker, and its depth is the sum of its offers",
        order_book_matches_ticker,
    ),
    (
        "Open interest in USD is the amount at the mark price, and the periods of a funding rate agree",
        perpetual_figures_agree,
    ),
    (
        "The liquidations of 24 hours lie between those of 24 and 25 hours of the exchange's chart",
        daily_liquidations_match_chart,
    ),
    (
        "ETF flows and the fear and greed index show a price of the day's candle",
        price_is_in_candle_of_day,
    ),
    ("A token trades on DEXs near its market price", dex_price_is_near_market),
    (
        "The margin and the withdrawable amount of an account follow from its positions",
        account_follows_positions,
    ),
    (
        "The value of a position is its size times the mark price, and its result follows from its entry price",
        position_follows_prices,
    ),
    (
        "Each fill of a symbol starts at the position at which the previous fill ended; the last fill ends at the open position",
        fills_are_consecutive,
    ),
    (
        "The result of a trade is its size times the difference of its prices, less fees",
        trade_result_follows_prices,
    ),
    ("A filled order has a fill", filled_order_has_fill),
    (
        "The cash at the end of a cash flow statement is the cash at the start of the next, and in the balance sheet",
        cash_carries_over,
    ),
    ("The positions of a protocol add up to its value at market prices", protocol_positions_add_up),
    (
        "The order books of yes and no mirror each other, and the latest price is between bid and ask",
        books_mirror_each_other,
    ),
    (
        "Projects, funds and articles of a search are found by their ids",
        search_results_are_found_by_id,
    ),
    (
        "A person has the same followers in search and profile; replies follow their post",
        followers_agree,
    ),
];

const ADDRESSES: [&str; 3] = [
    "0x2222222222222222222222222222222222222222",
    "0x3333333333333333333333333333333333333333",
    "0x4444444444444444444444444444444444444444",
];

fn order_book_matches_ticker(world: &World) -> Held {
    for pair in ["BTC/USDT", "ETH/USDT", "SOL/USDT"] {
        let ticker = world.first_row("exchange-price", &[("pair", pair)])?;
        let book = world.first_row("exchange-depth", &[("pair", pair)])?;
        for (side, best, depth) in [("asks", "ask", "ask_depth"), ("bids", "bid", "bid_depth")] {
            let offers = list(&book, side);
            near(pair, figure(&offers[0], "price"), figure(&ticker, best))?;
            within(pair, sum(offers, "amount"), figure(&book, depth), 1e-5)?;
        }
    }
    Ok(())
}

fn perpetual_figures_agree(world: &World) -> Held {
    for pair in ["BTC/USDT", "ETH/USDT"] {
        let perp = world.first_row("exchange-perp", &[("pair", pair)])?;
        let (funding, interest) = (&perp["funding"], &perp["open_interest"]);
        let worth = figure(interest, "open_interest_amount") * figure(funding, "mark_price");
        within(pair, worth, figure(interest, "open_interest_usd"), 1e-5)?;
        for row in world.rows("exchange-funding-history", &[("pair", pair)])? {
            let (hour, eight) = (figure(&row, "funding_rate_1h"), figure(&row, "funding_rate_8h"));
            within("of eight hours", 8.0 * hour, eight, 1e-5)?;
            within("of a year", 1_095.0 * eight, figure(&row, "funding_rate_annualized"), 1e-5)?;
        }
    }
    Ok(())
}

fn daily_liquidations_match_chart(world: &World) -> Held {
    let day = [("symbol", "BTC"), ("time_range", "24h")];
    for row in world.rows("market-liquidation-exchange-list", &day)? {
        let exchange = text(&row, "exchange");
        let params =
            [("symbol", "BTC"), ("interval", "1h"), ("limit", "48"), ("exchange", exchange)];
        let chart = world.rows("market-liquidation-chart", &params)?;
        let since = |start: i64| {
            let rows = chart.iter().filter(|row| timestamp(row, "timestamp") > start);
            let amount = |row: &Value| {
                figure(row, "long_liquidation_usd") + figure(row, "short_liquidation_usd")
            };
            rows.map(amount).sum::<f64>()
        };
        // The 24 hours begin within an hour of the chart, so the sum is between two sums of whole hours.
        let start = world.now() - 86_400;
        let range = since(start) - 1.0..=since(start - 3_600) + 1.0;
        let amount = figure(&row, "liquidation_usd");
        ensure(range.contains(&amount), || format!("{exchange}: {amount} in {range:?}"))?;
    }
    Ok(())
}

fn price_is_in_candle_of_day(world: &World) -> Held {
    let params = [("pair", "BTC/USDT"), ("interval", "1d"), ("limit", "20")];
    let candles = world.first_row("exchange-klines", &params)?;
    let candles = list(&candles, "candles");
    for (id, params, member) in
        [("market-etf", &[("symbol", "BTC")][..], "price_usd"), ("market-fear-greed", &[], "price")]
    {
        for row in world.rows(id, params)? {
            let day = candles.iter().find(|candle| candle["timestamp"] == row["timestamp"]);
            let Some(day) = day else { continue };
            let range = 0.999_999 * figure(day, "low")..=1.000_001 * figure(day, "high");
            ensure(range.contains(&figure(&row, member)), || format!("{id}: {row} in {day}"))?;
        }
    }
    Ok(())
}

fn dex_price_is_near_market(world: &World) -> Held {
    let ranking = world.rows("market-ranking", &[("limit", "100")])?;
    for symbol in ["ETH", "LINK", "PEPE"] {
        let tokens = world.rows("search-token", &[("q", symbol)])?;
        let token = find(&tokens, "symbol", symbol)?;
        let place = [("address", text(token, "address")), ("chain", text(token, "chain"))];
        let candles = world.rows("dex-token-price", &place)?;
        let last = candles.last().map_or(f64::NAN, |candle| figure(candle, "close"));
        let price = figure(find(&ranking, "symbol", symbol)?, "price_usd");
        within(symbol, last, price, 0.03)?;
    }
    Ok(())
}

fn account_positions(world: &World, address: &str) -> Result<Value, String> {
    world.first_row("hyperliquid-positions", &[("address", address)])
}

fn account_follows_positions(world: &World) -> Held {
    for address in ADDRESSES {
        let (whole, open) = (
            world.first_row("hyperliquid-account", &[("address", address)])?,
            account_positions(world, address)?,
        );
        let (perp, open_positions) = (&whole["perp"], list(&open, "positions"));
        let margin = sum(open_positions, "margin_used");
        near(address, figure(perp, "account_value"), figure(&open, "account_value"))?;
        near(address, figure(perp, "total_margin_used"), margin)?;
        near(address, figure(perp, "account_value") - margin, figure(perp, "withdrawable"))?;
        same(address, &perp["open_position_count"], &open_positions.len().into())?;
        for balance in list(&whole["spot"], "balances") {
            let parts = figure(balance, "available") + figure(balance, "hold");
            near(address, figure(balance, "total"), parts)?;
        }
        let vaults = list(&whole["vaults"], "positions");
        near(address, sum(vaults, "equity"), figure(&whole["vaults"], "total_equity"))?;
    }
    Ok(())
}

fn position_follows_prices(world: &World) -> Held {
    for address in ADDRESSES {
        for row in list(&account_positions(world, address)?, "positions") {
            let (size, mark) = (figure(row, "size"), figure(row, "mark_price"));
            near(address, size.abs() * mark, figure(row, "position_value"))?;
            let result = (mark - figure(row, "entry_price")) * size;
            within(address, result, figure(row, "unrealized_pnl"), 1e-4)?;
            let is_long = row["side"] == "long";
            ensure(is_long == (size > 0.0), || row.to_string())?;
            // A long position has no liquidation price if the account's value covers all positions.
            if let Some(liquidation) = row["liquidation_price"].as_f64() {
                ensure(is_long == (liquidation < mark), || row.to_string())?;
            }
        }
    }
    Ok(())
}

fn fills_are_consecutive(world: &World) -> Held {
    for address in ADDRESSES {
        let open = account_positions(world, address)?;
        let fills = world.rows("hyperliquid-fills", &[("address", address)])?;
        let after = |fill: &Value| {
            let size = figure(fill, "size");
            figure(fill, "start_position") + if fill["side"] == "buy" { size } else { -size }
        };
        let mut next: Vec<(&str, f64)> = list(&open, "positions")
            .iter()
            .map(|row| (text(row, "symbol"), figure(row, "size")))
            .collect();
        // Fills are sorted newest first. The position after a fill is the position before the next fill.
        for fill in &fills {
            let symbol = text(fill, "symbol");
            let known = next.iter_mut().find(|(other, _)| *other == symbol);
            let end = known.as_ref().map_or(0.0, |(_, start)| *start);
            near(&format!("{address} {symbol}"), after(fill), end)?;
            match known {
                Some(known) => known.1 = figure(fill, "start_position"),
                None => next.push((symbol, figure(fill, "start_position"))),
            }
        }
    }
    Ok(())
}

fn trade_result_follows_prices(world: &World) -> Held {
    for address in ADDRESSES {
        for row in world.rows("hyperliquid-trades", &[("address", address)])? {
            let rise = figure(&row, "exit_px") - figure(&row, "entry_px");
            let gain = if row["direction"] == "long" { rise } else { -rise };
            let gross = figure(&row, "gross_pnl");
            within(address, gain * figure(&row, "opened_sz"), gross, 1e-4)?;
            near(address, gross - figure(&row, "fees"), figure(&row, "net_pnl"))?;
            let held = timestamp(&row, "close_time") - timestamp(&row, "open_time");
            same(address, &row["hold_seconds"], &held.into())?;
        }
    }
    Ok(())
}

fn filled_order_has_fill(world: &World) -> Held {
    for address in ADDRESSES {
        let orders = world.first_row("hyperliquid-orders", &[("address", address)])?;
        let fills = world.rows("hyperliquid-fills", &[("address", address)])?;
        let oldest = fills.iter().map(|fill| timestamp(fill, "time")).min().unwrap_or(i64::MAX);
        for order in list(&orders, "historical").iter().filter(|order| order["status"] == "filled")
        {
            let time = timestamp(order, "status_time");
            let is_filled = fills
                .iter()
                .any(|fill| timestamp(fill, "time") == time && fill["symbol"] == order["symbol"]);
            ensure(time < oldest || is_filled, || order.to_string())?;
        }
    }
    Ok(())
}

fn cash_carries_over(world: &World) -> Held {
    for symbol in ["AAPL", "MSFT", "NVDA"] {
        for period in ["annual", "quarterly"] {
            let params = [("symbol", symbol), ("period", period)];
            let flows = world.rows("equity-cash-flow", &params)?;
            let sheets = world.rows("equity-balance-sheet", &params)?;
            let metric = |row: &Value, name: &str| row[name]["value"].as_f64();
            let agree = |what: &str, a: Option<f64>, b: Option<f64>| match (a, b) {
                (Some(a), Some(b)) => near(&format!("{symbol} {period} {what}"), a, b),
                _ => Ok(()),
            };

            for flow in &flows {
                let sheet = find(&sheets, "report_period", text(flow, "report_period"))?;
                let held = metric(sheet, "cash_and_equivalents");
                agree("balance sheet", metric(flow, "ending_cash"), held)?;
                let free = metric(flow, "operating_cash_flow")
                    .zip(metric(flow, "capital_expenditure"))
                    .map(|(flow, spent)| flow - spent.abs());
                agree("free cash flow", metric(flow, "free_cash_flow"), free)?;
            }

            for pair in flows.windows(2) {
                let (start, end) =
                    (metric(&pair[0], "beginning_cash"), metric(&pair[1], "ending_cash"));
                agree("next period", start, end)?;
            }
        }
    }
    Ok(())
}

fn protocol_positions_add_up(world: &World) -> Held {
    let ranking = world.rows("market-ranking", &[("limit", "100")])?;
    for address in ADDRESSES {
        for row in world.rows("wallet-protocols", &[("address", address)])? {
            let name = text(&row, "protocol_name");
            let positions = list(&row, "positions");
            within(name, sum(positions, "balance_usd"), figure(&row, "total_usd"), 1e-5)?;
            for token in positions.iter().flat_map(|position| list(position, "supply_tokens")) {
                let market = find(&ranking, "symbol", text(token, "symbol"))?;
                within(name, figure(token, "price"), figure(market, "price_usd"), 1e-5)?;
            }
        }
    }
    Ok(())
}

fn books_mirror_each_other(world: &World) -> Held {
    let markets =
        world.rows("polymarket-markets", &[("market_slug", "bitcoin-above-10-in-round-1")])?;
    for market in markets.iter().filter(|market| market["status"] == "active") {
        let id = text(market, "condition_id");
        let best = |side: &str, offers: &str| {
            let token = [("token_id", text(&market[side], "id"))];
            let books = world.rows("polymarket-orderbooks", &token)?;
            let offers = books.first().map_or(&[][..], |book| list(book, offers));
            Ok::<_, String>(offers.first().map(|offer| figure(offer, "price")))
        };

        let (bid, ask) = (best("side_a", "bids")?, best("side_a", "asks")?);
        let (other_bid, other_ask) = (best("side_b", "bids")?, best("side_b", "asks")?);
        if let (Some(bid), Some(ask), Some(other_bid), Some(other_ask)) =
            (bid, ask, other_bid, other_ask)
        {
            near(id, bid + other_ask, 1.0)?;
            near(id, ask + other_bid, 1.0)?;
            let latest = world.first_row("search-prediction-market", &[("condition_id", id)])?;
            let latest = figure(&latest, "latest_price");
            // The prices of the order book are up to five minutes old.
            let range = bid - 0.02..=ask + 0.02;
            ensure(range.contains(&latest), || format!("{id}: {latest} beside {bid} and {ask}"))?;
        }
    }
    Ok(())
}

fn search_results_are_found_by_id(world: &World) -> Held {
    for row in world.rows("search-project", &[("q", "bitcoin")])? {
        let detail = world
            .first_row("project-detail", &[("id", text(&row, "id")), ("fields", "overview")])?;
        same("project", &row["name"], &detail["overview"]["name"])?;
    }
    for row in world.rows("search-fund", &[("q", "cobalt")])? {
        let id = [("id", text(&row, "id"))];
        let detail = world.first_row("fund-detail", &id)?;
        same("fund", &row["name"], &detail["name"])?;
        let invested = world.rows("fund-portfolio", &id)?.len();
        same("investments", &row["invested_projects_count"], &invested.into())?;
        same("investments", &row["invested_projects_count"], &detail["invested_projects_count"])?;
    }
    for row in world.rows("search-news", &[("q", "bitcoin")])? {
        let article = world.first_row("news-detail", &[("id", text(&row, "id"))])?;
        same("article", &row["title"], &article["title"])?;
        same("article", &row["published_at"], &article["published_at"])?;
    }
    Ok(())
}

fn followers_agree(world: &World) -> Held {
    let people = world.rows("search-social-people", &[("q", "bitcoin")])?;
    let profile = world.first_row("social-user", &[("handle", "bitcoin")])?;
    let listed = find(&people, "handle", "bitcoin")?;
    same("followers", &profile["followers_count"], &listed["followers_count"])?;

    let posts = world.rows("social-user-posts", &[("handle", "bitcoin")])?;
    for post in posts.iter().take(4) {
        for reply in world.rows("social-tweet-replies", &[("tweet_id", text(post, "tweet_id"))])? {
            let time = timestamp(&reply, "created_at");
            let range = timestamp(post, "created_at")..=world.now();
            ensure(range.contains(&time), || format!("{reply} to {post}"))?;
        }
    }
    Ok(())
}
