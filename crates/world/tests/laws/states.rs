//! Tests of the date-dependent states in `docs/states.md`, such as a claimable airdrop. For each of 10 random seeds,
//! each state must exist on each of 40 dates.

use crypto_intel_world::Context;
use crypto_intel_world::random::Seed;
use serde_json::Value;

use crate::Held;
use crate::world_client::{World, ensure, list, timestamp};

/// Unix time of the first of the 40 test dates: 2024-01-05 12:34:56 UTC. Consecutive dates are [`STEP`] seconds apart,
/// which is 53 days and some hours.
const FIRST: i64 = 1_704_458_096;
const STEP: i64 = 4_600_123;

fn worlds() -> impl Iterator<Item = World> {
    (0..10)
        .flat_map(|seed| (0..40).map(move |n| (seed, FIRST + n * STEP)))
        .map(|(seed, now)| World { ctx: Context::new(Seed::new(seed), now) })
}

/// Asserts that `holds` succeeds on each of 40 dates with each of 10 random seeds.
fn check(holds: fn(&World) -> Held) {
    let missing: Vec<_> = worlds()
        .filter_map(|world| Some(format!("at {}: {}", world.now(), holds(&world).err()?)))
        .collect();
    assert!(missing.is_empty(), "missing in {} of 400 worlds: {:#?}", missing.len(), missing);
}

/// Checks that each string in `texts` is the value of the field `name` in at least one row.
fn has_each(rows: &[Value], name: &str, texts: &[&str]) -> Held {
    texts.iter().try_for_each(|text| {
        ensure(rows.iter().any(|row| row[name] == *text), || format!("no {name} is {text}"))
    })
}

fn airdrop_states_exist(world: &World) -> Held {
    let found = |phase: &str| {
        let params = [("phase", phase), ("include_tasks", "true"), ("limit", "100")];
        world.rows("search-airdrop", &params)
    };
    let (all, active) = (found("all")?, found("active")?);
    let stages = ["POTENTIAL", "CONFIRMED", "SNAPSHOT", "VERIFICATION"];
    has_each(&all, "status", &stages)?;
    has_each(&all, "status", &["REWARD_AVAILABLE", "DISTRIBUTED"])?;

    let tasks = |rows: &[Value]| -> Vec<Value> {
        rows.iter().flat_map(|row| list(row, "tasks").to_vec()).collect()
    };
    has_each(&tasks(&active), "status", &["OPEN", "UPCOMING"])?;
    has_each(&tasks(&all), "status", &["CLOSED"])
}

fn candle_gaps_exist(world: &World) -> Held {
    for (interval, seconds) in [("5m", 300), ("4h", 14_400)] {
        let params = [
            ("exchange", "upbit"),
            ("pair", "KRW-BTC"),
            ("interval", interval),
            ("include_synthetic", "false"),
        ];
        let rows = world.rows("exchange-candles", &params)?;
        let has_gap = rows[..100].windows(2).any(|pair| {
            timestamp(&pair[0], "timestamp") - timestamp(&pair[1], "timestamp") > seconds
        });
        ensure(has_gap, || format!("no gap in 100 candles of {interval}"))?;
    }
    Ok(())
}

fn funding_coverages_exist(world: &World) -> Held {
    let rows =
        world.rows("hyperliquid-trades", &[("address", &format!("0x{}", "0".repeat(40)))])?;
    has_each(
        &rows[..rows.len().min(100)],
        "funding_status",
        &["complete", "partial", "unavailable"],
    )
}

fn retired_market_exists(world: &World) -> Held {
    let rows = world.rows("exchange-markets", &[])?;
    let inactive = rows.iter().take(100).any(|row| row["active"] == false);
    ensure(inactive, || "all markets are active".to_owned())
}

#[test]
fn airdrop_stages_and_tasks_exist_on_every_date() {
    check(airdrop_states_exist);
}

#[test]
fn candle_gaps_exist_on_every_date() {
    check(candle_gaps_exist);
}

#[test]
fn trades_with_each_coverage_of_funding_exist_on_every_date() {
    check(funding_coverages_exist);
}

#[test]
fn retired_markets_exist_on_every_date() {
    check(retired_market_exists);
}
