//! Laws about assets, exchanges and projects: statements that are true for the invented data of every seed at
//! every time.

use crypto_intel_world::timestamp as calendar;
use serde_json::Value;

use crate::venues::ticker;
use crate::world_client::{
    World, ensure, figure, find, list, near, same, sum, text, timestamp, within,
};
use crate::{Held, Law};

const DAY: i64 = 86_400;

pub(crate) const LAWS: &[Law] = &[
    (
        "No price of the history is above the all-time high or below the all-time low",
        prices_stay_within_records,
    ),
    ("The all-time high was reached on its date", high_is_reached_on_its_date),
    (
        "A past all-time high is only replaced by a higher one with a later date",
        past_highs_only_rise,
    ),
    ("The price lies between the day's low and high", price_is_in_day_range),
    ("Market value is price times circulating supply", market_value_is_product),
    ("The ranking is sorted by market value, with ranks from 1 without gaps", ranking_is_sorted),
    ("A project's profile and the ranking show the same figures", profile_matches_ranking),
    (
        "The circulating supply is at most the total supply, and the total at most the maximum",
        supplies_are_ordered,
    ),
    ("The circulating supply is the unlocked amount, within 4 %", circulating_supply_is_unlocked),
    ("Unlocked amounts add up over time and over recipients", unlocks_add_up),
    ("The market price is the last price of a venue", market_price_is_last_price),
    ("ETF flows are on trading days of the exchange", etf_flows_are_on_trading_days),
    (
        "The keys of scores by range are the time ranges, and the rank is the same in the ranking and in the detail",
        scores_have_range_keys,
    ),
    ("Flows of single ETFs add up to the flow of the day", etf_flows_add_up),
    (
        "The classification of the fear and greed index matches its value",
        classification_matches_value,
    ),
    ("History, ticker and overview show the same funding rate", funding_rates_agree),
    ("Overview and signal show the same open interest", open_interests_agree),
    (
        "The ranking shows the newest TVL of the project's history, and contains every project with a TVL",
        tvl_ranking_is_complete,
    ),
    ("The ranking by TVL is in descending order", tvl_ranking_is_sorted),
    ("Pools of a project add up to its TVL", pools_add_up),
    ("The TVL of all chains adds up to the project's TVL", chains_add_up),
    ("An active airdrop campaign has an open task", active_campaign_has_open_task),
    (
        "The status of a task follows from its dates, and the summary counts open tasks",
        task_status_follows_dates,
    ),
    (
        "The search and the list of activities show the same active airdrops",
        activities_match_search,
    ),
    ("The rounds of a project add up to its raised amount", rounds_add_up),
    ("A fund's portfolio and a project's rounds show the same investments", fund_and_project_agree),
    ("Each search for a project by words also accepts its slug", slugs_are_accepted),
    ("A report is published after its funding round", report_follows_round),
];

const SYMBOLS: [&str; 4] = ["BTC", "ETH", "SOL", "PEPE"];

fn ranking(world: &World) -> Result<Vec<Value>, String> {
    world.rows("market-ranking", &[("limit", "100")])
}

fn prices_stay_within_records(world: &World) -> Held {
    let ranked = ranking(world)?;
    for symbol in SYMBOLS {
        let row = find(&ranked, "symbol", symbol)?;
        for range in ["1d", "365d"] {
            let history =
                world.first_row("market-price", &[("symbol", symbol), ("time_range", range)])?;
            for point in list(&history, "data") {
                let value = figure(point, "value");
                ensure((figure(row, "atl")..=figure(row, "ath")).contains(&value), || {
                    format!("{symbol}: {value} in {} to {}", row["atl"], row["ath"])
                })?;
            }
        }
    }
    Ok(())
}

fn high_is_reached_on_its_date(world: &World) -> Held {
    for row in ranking(world)?.iter().filter(|row| row["symbol"] != "USDT") {
        let (pair, from) = (format!("{}/USDT", text(row, "symbol")), row["ath_date"].to_string());
        let params = [("from", from.as_str()), ("interval", "1d"), ("limit", "1")];
        let day = world
            .first_row("exchange-klines", &[&[("pair", pair.as_str())], &params[..]].concat())?;
        if timestamp(row, "ath_date") + DAY < world.now() {
            near(&pair, figure(row, "ath"), figure(&day, "period_high"))?;
        }
    }
    Ok(())
}

fn past_highs_only_rise(world: &World) -> Held {
    let later = ranking(&world.later(40 * DAY))?;
    for row in ranking(world)? {
        let then = find(&later, "symbol", text(&row, "symbol"))?;
        let stays =
            figure(then, "ath") == figure(&row, "ath") && then["ath_date"] == row["ath_date"];
        let rises = figure(then, "ath") >= figure(&row, "ath")
            && timestamp(then, "ath_date") >= timestamp(&row, "ath_date");
        ensure(stays || rises, || format!("{row} and {then}"))?;
    }
    Ok(())
}

fn price_is_in_day_range(world: &World) -> Held {
    for row in ranking(world)? {
        let range = figure(&row, "low_24h")..=figure(&row, "high_24h");
        ensure(range.contains(&figure(&row, "price_usd")), || row.to_string())?;
    }
    Ok(())
}

fn market_value_is_product(world: &World) -> Held {
    for row in ranking(world)? {
        let value = figure(&row, "price_usd") * figure(&row, "circulating_supply");
        near(text(&row, "symbol"), value, figure(&row, "market_cap_usd"))?;
    }
    Ok(())
}

fn ranking_is_sorted(world: &World) -> Held {
    for (n, pair) in ranking(world)?.windows(2).enumerate() {
        let sorted = figure(&pair[0], "market_cap_usd") >= figure(&pair[1], "market_cap_usd");
        ensure(sorted && pair[0]["rank"] == n + 1, || format!("{} at {n}", pair[0]))?;
    }
    Ok(())
}

fn profile_matches_ranking(world: &World) -> Held {
    for row in ranking(world)? {
        let detail = world.first_row("project-detail", &[("id", text(&row, "id"))])?;
        let token = &detail["token_info"];
        for (ranked, listed) in [
            ("price_usd", "price_usd"),
            ("market_cap_usd", "market_cap_usd"),
            ("fdv", "fdv"),
            ("volume_24h_usd", "volume_24h"),
            ("high_24h", "high_24h"),
            ("low_24h", "low_24h"),
            ("change_24h_pct", "price_change_24h"),
            ("ath", "all_time_high"),
            ("ath_date", "all_time_high_date"),
            ("atl", "all_time_low"),
            ("atl_date", "all_time_low_date"),
            ("circulating_supply", "circulating_supply"),
            ("total_supply", "total_supply"),
        ] {
            same(ranked, &row[ranked], &token[listed])?;
        }
        same("id", &row["id"], &detail["overview"]["id"])?;
        same("supply", &row["circulating_supply"], &detail["tokenomics"]["circulating_supply"])?;
    }
    Ok(())
}

fn supplies_are_ordered(world: &World) -> Held {
    for row in ranking(world)? {
        let (circulating, total) =
            (figure(&row, "circulating_supply"), figure(&row, "total_supply"));
        let most = row["max_supply"].as_f64().unwrap_or(f64::MAX);
        ensure(circulating <= total && total <= most, || row.to_string())?;
    }
    Ok(())
}

fn circulating_supply_is_unlocked(world: &World) -> Held {
    for row in ranking(world)? {
        let points = world.rows("token-tokenomics", &[("symbol", text(&row, "symbol"))])?;
        let mut past = points.iter().filter(|point| timestamp(point, "timestamp") <= world.now());
        let Some(point) = past.next_back() else { continue };
        let (unlocked, circulating) =
            (figure(point, "cumulative_unlocked_amount"), figure(&row, "circulating_supply"));
        within(text(&row, "symbol"), unlocked, circulating, 0.04)?;
    }
    Ok(())
}

fn unlocks_add_up(world: &World) -> Held {
    let points = world.rows("token-tokenomics", &[("symbol", "ARB")])?;
    for pair in points.windows(2) {
        let step = figure(&pair[1], "cumulative_unlocked_amount")
            - figure(&pair[0], "cumulative_unlocked_amount");
        near("step", step, figure(&pair[1], "unlock_amount"))?;
        near("parts", sum(list(&pair[1], "allocations"), "amount"), step)?;
    }
    ensure(points.len() > 12, || format!("{} points", points.len()))
}

fn market_price_is_last_price(world: &World) -> Held {
    let ranked = ranking(world)?;
    for symbol in SYMBOLS {
        let last = ticker(world, &format!("{symbol}/USDT"))?;
        near(symbol, figure(find(&ranked, "symbol", symbol)?, "price_usd"), figure(&last, "last"))?;
    }
    Ok(())
}

fn etf_flows_add_up(world: &World) -> Held {
    for row in world.rows("market-etf", &[("symbol", "BTC")])? {
        near("flow", sum(list(&row, "etfs"), "flow_usd"), figure(&row, "flow_usd"))?;
    }
    Ok(())
}

fn etf_flows_are_on_trading_days(world: &World) -> Held {
    for row in world.rows("market-etf", &[("symbol", "BTC")])? {
        let day = calendar::date(timestamp(&row, "timestamp"));
        let is_christmas = day.month() == 12 && day.day() == 25;
        let is_weekend = day.weekday().to_monday_zero_offset() > 4;
        ensure(!is_weekend && !is_christmas, || format!("a flow on {day}"))?;
    }
    Ok(())
}

fn scores_have_range_keys(world: &World) -> Held {
    let ranked = world.rows("signal-projects", &[("time_range", "24h"), ("limit", "100")])?;
    for row in ranked.iter().step_by(5) {
        let params = [("project_slug", text(row, "project_slug")), ("time_range", "24h")];
        let detail = world.first_row("signal-detail", &params)?;
        same("rank", &row["rank"], &detail["rank"])?;
        let maps = ["heat_score_by_range", "heat_score_previous_by_range"];
        for name in maps.into_iter().chain(["heat_score_change_vs_previous_percent_by_range"]) {
            let keys = detail[name].as_object().into_iter().flat_map(|map| map.keys());
            ensure(keys.eq(["24h", "7d"]), || format!("{name}: {}", detail[name]))?;
        }
    }
    Ok(())
}

fn classification_matches_value(world: &World) -> Held {
    for row in world.rows("market-fear-greed", &[])? {
        let (value, name) = (figure(&row, "value"), text(&row, "classification"));
        let fits = match name {
            "Extreme Fear" => value < 25.0,
            "Fear" => (25.0..46.0).contains(&value),
            "Neutral" => (46.0..55.0).contains(&value),
            "Greed" => (55.0..76.0).contains(&value),
            "Extreme Greed" => value >= 76.0,
            _ => false,
        };
        ensure(fits, || row.to_string())?;
    }
    Ok(())
}

fn funding_rates_agree(world: &World) -> Held {
    let history =
        world.rows("exchange-funding-history", &[("pair", "BTC/USDT:USDT"), ("limit", "3")])?;
    let perp =
        world.first_row("exchange-perp", &[("pair", "BTC/USDT:USDT"), ("fields", "funding")])?;
    let all = world.rows("market-futures", &[])?;
    let rate = &perp["funding"]["funding_rate"];
    same("history", rate, &history.last().cloned().unwrap_or_default()["funding_rate"])?;
    same("overview", rate, &find(&all, "symbol", "BTC")?["funding_rate"])
}

fn open_interests_agree(world: &World) -> Held {
    let all = world.rows("market-futures", &[])?;
    let signal = world.first_row("signal-detail", &[("project_slug", "ethereum")])?;
    same("interest", &find(&all, "symbol", "ETH")?["open_interest"], &signal["open_interest"])
}

fn tvl_ranking(world: &World) -> Result<Vec<Value>, String> {
    world.rows("project-defi-ranking", &[("metric", "tvl"), ("limit", "100")])
}

fn tvl_ranking_is_complete(world: &World) -> Held {
    let ranked = tvl_ranking(world)?;
    for row in ranking(world)? {
        let params = [("id", text(&row, "id")), ("metric", "tvl")];
        let newest = world.rows("project-defi-metrics", &params)?.into_iter().next();
        let place = ranked.iter().find(|ranked| ranked["symbol"] == row["symbol"]);
        match (newest, place) {
            (Some(newest), Some(place)) => same("tvl", &newest["value"], &place["tvl"])?,
            (None, None) => {}
            (newest, place) => return Err(format!("{newest:?} and {place:?}")),
        }
    }
    Ok(())
}

fn tvl_ranking_is_sorted(world: &World) -> Held {
    let ranked = tvl_ranking(world)?;
    ensure(ranked.is_sorted_by(|a, b| figure(a, "tvl") >= figure(b, "tvl")), || {
        format!("{ranked:?}")
    })
}

fn pools_add_up(world: &World) -> Held {
    for row in tvl_ranking(world)?.iter().take(5) {
        let pools = world.rows("onchain-yield-ranking", &[("project", text(row, "name"))])?;
        near(text(row, "name"), sum(&pools, "tvl_usd"), figure(row, "tvl"))?;
    }
    Ok(())
}

fn chains_add_up(world: &World) -> Held {
    let chains =
        crate::world_client::operation("project-defi-metrics").param("chain").map(|(_, p)| p.kind);
    let Some(crypto_intel_core::ParamKind::Enum(chains)) = chains else { return Ok(()) };
    let of = |more: &[(&str, &str)]| {
        Ok::<_, String>(figure(
            &world.first_row("project-defi-metrics", &[&[("q", "aave")], more].concat())?,
            "value",
        ))
    };
    let mut whole = 0.0;
    for chain in chains {
        whole += of(&[("chain", chain)])?;
    }
    near("whole", whole, of(&[])?)
}

fn campaigns(world: &World, phase: &str) -> Result<Vec<Value>, String> {
    world.rows("search-airdrop", &[("phase", phase), ("include_tasks", "true"), ("limit", "100")])
}

fn active_campaign_has_open_task(world: &World) -> Held {
    let active = campaigns(world, "active")?;
    for row in &active {
        ensure(figure(&row["task_summary"], "open") >= 1.0, || row.to_string())?;
    }
    Ok(())
}

fn task_status_follows_dates(world: &World) -> Held {
    for row in campaigns(world, "all")? {
        for task in list(&row, "tasks") {
            let (open, close) = (timestamp(task, "open_date"), timestamp(task, "close_date"));
            let status = match world.now() {
                now if now < open => "UPCOMING",
                now if now < close => "OPEN",
                _ => "CLOSED",
            };
            ensure(task["status"] == status && open < close, || task.to_string())?;
        }
        let open = list(&row, "tasks").iter().filter(|task| task["status"] == "OPEN").count();
        ensure(row["task_summary"]["open"] == open, || row.to_string())?;
        ensure(row["task_summary"]["total"] == list(&row, "tasks").len(), || row.to_string())?;
    }
    Ok(())
}

fn activities_match_search(world: &World) -> Held {
    let activities = world.rows("search-airdrop-activities", &[("limit", "100")])?;
    let active = activities.iter().filter(|row| row["status"] == "ACTIVE").count();
    let searched = campaigns(world, "active")?.len();
    ensure(active == searched, || format!("{active} activities, {searched} campaigns"))
}

fn rounds_add_up(world: &World) -> Held {
    for symbol in ["bitcoin", "aave", "arbitrum", "sui"] {
        let detail = world.first_row("project-detail", &[("q", symbol)])?;
        let funding = &detail["funding"];
        near(symbol, sum(list(funding, "rounds"), "amount"), figure(funding, "total_raise"))?;
    }
    Ok(())
}

fn fund_and_project_agree(world: &World) -> Held {
    for fund in ["cobalt", "fjord", "quartz"] {
        let detail = world.first_row("fund-detail", &[("q", fund)])?;
        let name = text(&detail, "name").to_owned();
        for row in world.rows("fund-portfolio", &[("q", fund), ("limit", "100")])? {
            let project = world.first_row("project-detail", &[("id", text(&row, "project_id"))])?;
            let rounds = list(&project["funding"], "rounds").to_vec();
            let took_part = rounds
                .iter()
                .any(|round| list(round, "investors").iter().any(|by| by["name"] == name.as_str()));
            ensure(took_part, || format!("{name} in {}", project["funding"]))?;
        }
    }
    Ok(())
}

fn report_follows_round(world: &World) -> Held {
    for row in world.rows("search-fundraising", &[("limit", "100")])? {
        let is = timestamp(&row, "published_at") > timestamp(&row, "event_at")
            && timestamp(&row, "published_at") <= world.now();
        ensure(is, || row.to_string())?;
    }
    Ok(())
}

fn slugs_are_accepted(world: &World) -> Held {
    for row in ranking(world)? {
        let slug = text(&row, "slug");
        let found = world.rows("search-project", &[("q", slug)])?;
        find(&found, "slug", slug)?;
        for id in ["project-detail", "market-tge", "social-sentiment", "search-events"] {
            world.first_row(id, &[("q", slug)])?;
        }
        world.rows("news-feed", &[("project", slug)])?;
        let found = world.rows("search-token", &[("q", slug)])?;
        find(&found, "symbol", text(&row, "symbol"))?;
    }
    Ok(())
}
