//! Tests that different endpoints return equal data about the campaigns, funding rounds and listings of projects, and
//! about prediction markets.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Bench, at, most, rows, text};

#[tokio::test]
async fn campaigns_and_rounds_are_those_of_projects() {
    let bench = Bench::start().await;
    let phases = ("phase", json!(["all"]));
    let campaigns = bench
        .example("search-airdrop", &[phases.clone(), most(), ("include_tasks", json!(true))])
        .await
        .json;

    assert!(rows(&campaigns).len() > 50);

    let mut stages = BTreeSet::new();
    for campaign in rows(&campaigns) {
        stages.insert(text(campaign, "status").to_owned());
        let tasks = campaign["tasks"].as_array().unwrap();
        let open = tasks.iter().filter(|task| task["status"] == "OPEN").count();
        assert_eq!(at(campaign, "/task_summary/open") as usize, open);
        assert_eq!(at(campaign, "/task_summary/total") as usize, tasks.len());
    }

    assert!(stages.len() > 4, "{stages:?}");

    let usual = bench.example("search-airdrop", &[most()]).await.json;
    for campaign in rows(&usual) {
        let known = ["POTENTIAL", "CONFIRMED", "VERIFICATION", "REWARD_AVAILABLE"];
        assert!(known.contains(&text(campaign, "status")) && campaign["tasks"].is_null());
    }

    for more in [("has_open", json!(true)), ("task_type", json!("staking"))] {
        let found = bench.example("search-airdrop", &[more.clone(), phases.clone()]).await.json;
        for campaign in rows(&found) {
            let types = campaign["task_summary"]["types"].as_array().unwrap();
            assert!(at(campaign, "/task_summary/open") > 0.0 || types.contains(&more.1));
        }
    }

    let project = json!(text(&rows(&campaigns)[0], "project_id"));
    let detail = bench.example("project-detail", &[("id", project.clone())]).await.json;
    assert_eq!(
        detail["data"]["funding"]["total_raise"].as_f64(),
        rows(&campaigns)[0]["total_raise"].as_f64()
    );

    // At a later time, some campaigns are in a later phase, and none is in an earlier one.
    let order =
        ["POTENTIAL", "CONFIRMED", "SNAPSHOT", "VERIFICATION", "REWARD_AVAILABLE", "DISTRIBUTED"];
    let place = |row: &Value| order.iter().position(|stage| row["status"] == *stage);
    bench.sandbox.clock().advance(Duration::from_secs(20 * 86_400));
    let later = bench.example("search-airdrop", &[phases, most()]).await.json;

    let same = |a: &Value, b: &Value| {
        a["project_id"] == b["project_id"]
            && a["task_summary"]["types"] == b["task_summary"]["types"]
    };
    let mut moved = 0;

    for row in rows(&later) {
        if let Some(before) = rows(&campaigns).iter().find(|before| same(row, before)) {
            assert!(place(row) >= place(before));
            moved += usize::from(place(row) > place(before));
        }
    }

    assert!(moved > 3, "{moved}");
}

#[tokio::test]
async fn reports_of_money_tell_of_the_rounds() {
    let bench = Bench::start().await;
    let reports =
        bench.example("search-fundraising", &[("q", json!("uniswap")), most()]).await.json;
    let detail = bench.example("project-detail", &[("q", json!("uniswap"))]).await.json;
    let rounds = detail["data"]["funding"]["rounds"].as_array().unwrap();

    assert_eq!(rows(&reports).len(), rounds.len());

    for round in rounds {
        let name = text(round, "round_name");
        let report = rows(&reports).iter().find(|r| text(r, "title").ends_with(name)).unwrap();
        let lead = text(&round["investors"][0], "name");
        assert!(text(report, "summary").contains(lead), "{report}");
        let millions = at(round, "/amount") / 1e6;
        assert!(text(report, "title").contains(&format!("${millions}M")));
    }

    let tge = bench.example("market-tge", &[("q", json!("uniswap"))]).await.json;
    for name in ["exchanges", "last_event_time", "current_status"] {
        assert_eq!(tge["data"][name], detail["data"]["tge_status"][name]);
    }

    let more = [("from", json!("2024-07-01")), ("symbol", json!("UNI")), most()];
    let listings = bench.example("market-listing", &more).await.json;
    let venues: BTreeSet<_> = rows(&listings)
        .iter()
        .filter(|row| row["product"] == "spot")
        .map(|row| text(row, "exchange_name"))
        .collect();

    assert_eq!(json!(venues), tge["data"]["exchanges"]);

    let events = [("q", json!("uniswap")), ("type", json!("listing")), most()];
    for event in rows(&bench.example("search-events", &events).await.json) {
        assert!(text(event, "title").contains("UNI/"));
    }

    let sale = bench.example("market-public-sale", &[("q", json!("uniswap"))]).await.json;
    assert_eq!(sale["data"][0]["project_id"], tge["data"]["project_id"]);
}

#[tokio::test]
async fn smart_money_is_what_smart_wallets_traded() {
    let bench = Bench::start().await;
    let week = [("from", json!((crate::support::NOW - 7 * 86_400).to_string())), most()];
    let positions = bench.example("polymarket-smart-money", &[most()]).await.json;
    let mut checked = 0;

    for market in rows(&positions).iter().take(5) {
        let mut more = week.to_vec();
        more.push(("condition_id", market["condition_id"].clone()));
        more.push(("view", json!("trades")));
        let trades = bench.example("polymarket-smart-money", &more).await.json;
        let sum = |label: &str| -> f64 {
            let own = rows(&trades).iter().filter(|trade| trade["outcome_label"] == label);
            own.map(|trade| at(trade, "/amount_usd")).sum()
        };

        assert_eq!(sum("Yes"), at(market, "/smart_buy_volume_usd"));
        assert_eq!(sum("No"), at(market, "/smart_sell_volume_usd"));

        let wallets: BTreeSet<_> =
            rows(&trades).iter().map(|trade| text(trade, "wallet")).collect();
        assert_eq!(wallets.len() as f64, at(market, "/smart_wallets_involved"));

        let more = [
            week[0].clone(),
            ("condition_id", market["condition_id"].clone()),
            ("limit", json!(500)),
        ];
        let public = bench.example("polymarket-trades", &more).await.json;
        let hashes: Vec<_> = rows(&public).iter().map(|trade| &trade["tx_hash"]).collect();

        assert!(rows(&trades).iter().all(|trade| hashes.contains(&&trade["tx_hash"])));

        let found = bench
            .example(
                "search-prediction-market",
                &[("condition_id", market["condition_id"].clone())],
            )
            .await
            .json;

        assert_eq!(rows(&found)[0]["smart_money_direction"], market["direction"]);

        checked += 1;
    }

    assert_eq!(checked, 5);

    let bulls = bench.example("polymarket-smart-money", &[("direction", json!("bullish"))]).await;
    assert!(rows(&bulls.json).iter().all(|market| market["direction"] == "BULLISH"));
}

#[tokio::test]
async fn markets_move_together_either_way_round() {
    let bench = Bench::start().await;
    let any = ("min_correlation", json!(-1.0));
    let pairs = bench.example("prediction-market-correlations", &[any.clone(), most()]).await.json;
    let first = text(&rows(&pairs)[0], "market_a_condition_id");
    let own = [any, most(), ("condition_id", json!(first))];
    let own = bench.example("prediction-market-correlations", &own).await.json;

    assert!(rows(&own).len() > 3);

    for pair in rows(&pairs) {
        assert!((-1.0..=1.0).contains(&at(pair, "/correlation")));
        let is_own =
            pair["market_a_condition_id"] == first || pair["market_b_condition_id"] == first;
        assert_eq!(rows(&own).contains(pair), is_own);
    }

    let analytics = bench.example("prediction-market-analytics", &[most()]).await.json;
    let summary = &analytics["data"]["momentum_summary"];
    let markets = analytics["data"]["momentum_markets"].as_array().unwrap();
    assert_eq!(at(summary, "/total_active") as usize, markets.len());

    let up = |market: &&Value| market["volume_direction"] == "increasing";
    assert_eq!(at(summary, "/volume_increasing") as usize, markets.iter().filter(up).count());

    for market in markets.iter().take(3) {
        let more = [("condition_id", market["condition_id"].clone())];
        let found = bench.example("search-prediction-market", &more).await.json;
        assert_eq!(rows(&found)[0]["volume_7d"], market["volume_7d"]);
        assert_eq!(rows(&found)[0]["smart_money_direction"], market["smart_money_direction"]);
    }
}
