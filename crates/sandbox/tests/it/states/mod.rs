//! Tests that the sandbox can return rare states of responses, such as restated figures or an incomplete wallet
//! response. `docs/states.md` lists these states, each with its request. `tests/client/it/states` tests the same states
//! with the client.

mod table;

use std::time::Duration;

use crypto_intel_sandbox::{Scenario, schema};
use serde_json::{Value, json};

use crate::support::{Bench, NOW, builder, operation, seen as sent};
use crate::table::is_customary;

use table::{HOLDER, HOUR, STATES, Seen, State, quality, refused};

/// Number of random seeds with which each rare state of a response is tested.
const SEEDS: u64 = 3;

async fn ask(bench: &Bench, id: &str, params: &[(&str, String)]) -> Seen {
    let given: Vec<_> =
        params.iter().map(|(name, text)| (*name, Value::from(text.as_str()))).collect();
    let seen = bench.example(id, &given).await;
    if seen.status / 100 == 2 { Ok(seen.json) } else { Err((seen.status, seen.json)) }
}

/// Returns the differences between a response and its declared record type, such as undeclared fields.
fn faults(id: &str, answer: &Value) -> Vec<String> {
    let faults = schema::faults_of_answer(operation(id), answer);
    faults.iter().filter(|fault| !is_customary(fault)).map(ToString::to_string).collect()
}

/// Returns the parameters of the request that produces `state`. Replaces a value such as `@a` by an address that ends
/// with `a`. Replaces the text `#preliminary` by the ticker symbol in `preliminary`.
fn params(state: &State, preliminary: &str) -> Vec<(&'static str, String)> {
    let pairs = state.params.split('&').filter_map(|pair| pair.split_once('='));
    pairs
        .map(|(name, value)| {
            let value = value.replace("%20", " ").replace("#preliminary", preliminary);
            let holder = value.strip_prefix('@').map(|digit| format!("{HOLDER}{digit}"));
            (name, holder.unwrap_or(value))
        })
        .collect()
}

/// Returns the ticker symbol of a company whose newest income statement is preliminary.
async fn preliminary(bench: &Bench) -> String {
    let listings = ask(bench, "equity-listings", &[]).await.unwrap();
    for row in listings["data"].as_array().unwrap() {
        let symbol = row["ticker"].as_str().unwrap();
        let newest = [("symbol", symbol.to_owned()), ("limit", "1".to_owned())];
        let seen = ask(bench, "equity-income-statement", &newest).await;
        if quality(&seen, "preliminary").is_some() {
            return symbol.to_owned();
        }
    }
    panic!("all figures are final");
}

#[tokio::test]
async fn every_state_is_met_in_every_world() {
    let mut missing = Vec::new();

    for seed in 0..SEEDS {
        let bench = Bench::from_builder(builder().seed(seed).key("sk-rich", 100_000_000)).await;
        let preliminary = preliminary(&bench).await;
        for state in STATES {
            let scenario = state.scenario.parse::<Scenario>().ok();
            if let Some(scenario) = scenario {
                bench.sandbox.play(scenario);
            }
            if state.scenario.starts_with("exchange-halt") {
                bench.sandbox.clock().advance(Duration::from_secs(HOUR.unsigned_abs()));
            }
            let seen = ask(&bench, state.operation, &params(state, &preliminary)).await;
            bench.sandbox.clock().set(crypto_intel_sandbox::UnixSeconds(NOW));
            if let Some(scenario) = scenario {
                bench.sandbox.end(scenario);
            }

            // The record tables do not have the fields that the scenario `next-release` adds.
            let odd = match &seen {
                Ok(answer) if state.scenario != "next-release" => faults(state.operation, answer),
                _ => Vec::new(),
            };
            match (state.look)(&seen) {
                _ if !odd.is_empty() => missing.push(format!("{}: {odd:?}", state.says)),
                Some(_) => {}
                None => missing.push(format!(
                    "{} in world {seed}: {:.400}",
                    state.says,
                    format!("{seen:?}")
                )),
            }
        }
    }

    assert!(missing.is_empty(), "{} states are not met:\n{}", missing.len(), missing.join("\n"));
}

/// Tests that `docs/states.md` has a line for each rare state of a response.
#[test]
fn the_table_of_states_has_them_all() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/states.md");
    let written = std::fs::read_to_string(path).unwrap();
    for state in STATES {
        assert!(written.contains(&format!("| {} |", state.says)), "{}", state.says);
    }
}

#[tokio::test]
async fn missing_credits_are_forbidden() {
    let bench = Bench::from_builder(builder().key("sk-poor", 1)).await;
    let seen = ask(&bench, "market-price", &[]).await;
    assert_eq!(refused(&seen, 402, "FORBIDDEN").as_deref(), Some("`402`: `FORBIDDEN`"));

    let responses = operation("responses");
    let question = [("model", json!("svc-2.0")), ("input", json!("BTC"))];
    assert_eq!(sent(bench.request(responses, &question)).await.status, 200);
    let again = sent(bench.request(responses, &question)).await;
    assert_eq!((again.status, &again.json["error"]["code"]), (402, &json!("FORBIDDEN")));
}

#[tokio::test]
async fn the_free_window_is_turned_on_and_off() {
    for (scenario, builder) in [(false, builder()), (true, builder().free_repeats(Duration::ZERO))]
    {
        let bench = Bench::from_builder(builder.scenario(Scenario::free_window(scenario))).await;
        let mut used = Vec::new();
        for symbol in ["BTC", "ETH"] {
            let answer = ask(&bench, "market-price", &[("symbol", symbol.to_owned())]).await;
            used.push(answer.unwrap()["meta"]["credits_used"].as_i64().unwrap());
        }
        assert_eq!(used, if scenario { [2, 0] } else { [2, 2] }, "{scenario}");
    }
}

#[tokio::test]
async fn a_job_goes_through_all_its_states() {
    let bench =
        Bench::from_builder(builder().sql_jobs(1, 8).sql_pace(Duration::from_millis(20))).await;
    let create = async |sql: &str| {
        let job = ask(&bench, "onchain-sql-job-create", &[("sql", sql.to_owned())]).await.unwrap();
        job["data"]["job_id"].as_str().unwrap().to_owned()
    };
    let status = async |id: &str| {
        let job = ask(&bench, "onchain-sql-job-get", &[("job_id", id.to_owned())]).await.unwrap();
        job["data"]["status"].as_str().unwrap().to_owned()
    };
    let until = async |id: &str, wanted: &str| {
        for _ in 0..6_000 {
            if status(id).await == wanted {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        panic!("{id} is never {wanted}");
    };

    let running =
        create("SELECT count() FROM agent.ethereum_transfers WHERE block_date >= '2025-07-01'")
            .await;
    until(&running, "running").await;
    let queued = create("SELECT 1").await;
    assert_eq!(status(&queued).await, "queued");
    ask(&bench, "onchain-sql-job-cancel", &[("job_id", running.clone())]).await.unwrap();
    until(&running, "canceled").await;
    until(&queued, "succeeded").await;
}

#[tokio::test]
async fn a_job_that_takes_too_long_fails() {
    let limit = Duration::from_millis(300);
    let builder = builder().sql_job_time(limit).sql_pace(Duration::from_millis(20));
    let bench = Bench::from_builder(builder).await;
    let long = "SELECT count() FROM agent.ethereum_transfers WHERE block_date >= '2025-07-01'";
    let job = ask(&bench, "onchain-sql-job-create", &[("sql", long.to_owned())]).await.unwrap();
    let id = job["data"]["job_id"].as_str().unwrap().to_owned();
    for _ in 0..6_000 {
        let job = ask(&bench, "onchain-sql-job-get", &[("job_id", id.clone())]).await.unwrap();
        if job["data"]["status"] == "failed" {
            // The submission was charged, and is not refunded.
            assert_eq!(bench.sandbox.charged(bench.sandbox.key()), Some(4));
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("it never fails");
}
