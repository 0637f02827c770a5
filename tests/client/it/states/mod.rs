//! Tests that a program can recognise each rare state of the service's data with the typed client, such as a
//! preliminary income statement. Other tests check that each state occurs in the sandbox.

mod table;

use std::collections::BTreeSet;
use std::pin::Pin;
use std::time::Duration;

use crypto_intel::onchain::SqlJobStatus;
use crypto_intel::sql::Job;
use crypto_intel::{Client, Error, ErrorKind, RetryPolicy, prelude::*};
use crypto_intel_sandbox::{Builder, Clock, Fault, Sandbox, Scenario, UnixSeconds};

use table::STATES;

/// Time of the stopped clock in Unix seconds: 2026-06-15 13:37:42 UTC.
const NOW: i64 = 1_781_530_662;
const HOUR: i64 = 3_600;

/// Number of random seeds. The test starts one sandbox for each seed, and requests each state from each sandbox.
const SEEDS: u64 = 3;

fn builder() -> Builder {
    Sandbox::builder().clock(Clock::stopped_at(UnixSeconds(NOW)))
}

async fn start(builder: Builder, credits: i64) -> (Sandbox, Client) {
    let sandbox = builder.key("sk-states", credits).start().await.unwrap();
    let builder = Client::builder().base_url(sandbox.url()).api_key("sk-states");
    // The client does not retry, so that it returns the first error.
    let client = builder.retry(RetryPolicy::none()).build().unwrap();
    (sandbox, client)
}

#[tokio::test]
async fn every_state_is_told_by_the_types_of_the_client() {
    let mut missing = Vec::new();

    for seed in 0..SEEDS {
        let (sandbox, client) = start(builder().seed(seed), 100_000_000).await;
        for state in STATES {
            let scenario = state.scenario.parse::<Scenario>().ok();
            assert_eq!(scenario.is_none(), state.scenario.is_empty(), "{}", state.scenario);
            if let Some(scenario) = scenario {
                sandbox.play(scenario);
            }
            if state.scenario.starts_with("exchange-halt") {
                sandbox.clock().advance(Duration::from_secs(HOUR.unsigned_abs()));
            }

            match (state.meet)(client.clone()).await {
                Ok(true) => {}
                seen => missing.push(format!("{} in world {seed}: {seen:?}", state.says)),
            }

            sandbox.clock().set(UnixSeconds(NOW));
            if let Some(scenario) = scenario {
                sandbox.end(scenario);
            }
        }
    }

    assert!(missing.is_empty(), "{} states are not told:\n{}", missing.len(), missing.join("\n"));
}

/// States in the table of `docs/states.md` that occur only after several calls. Separate tests in this file check them.
const FURTHER: [&str; 4] = [
    "A job that is queued, running, succeeded or canceled",
    "A job that failed",
    "No credits left: 402 `FORBIDDEN`",
    "Repeats with and without a charge",
];

/// Checks that the tests cover exactly the states of the table in `docs/states.md`.
#[test]
fn the_states_are_those_of_the_table() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/states.md");
    let written = std::fs::read_to_string(path).unwrap();
    let rows = written.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    let written: BTreeSet<_> = rows.filter(|says| *says != "state").collect();
    let met: BTreeSet<_> = STATES.iter().map(|state| state.says).chain(FURTHER).collect();
    assert_eq!(met, written);
}

/// Polls an SQL job until it has the status `wanted`.
async fn until(job: &mut Job, wanted: SqlJobStatus) {
    for _ in 0..6_000 {
        if job.refresh().await.unwrap().status == wanted {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("{} is never {wanted}", job.id());
}

const LONG: &str = "SELECT count() FROM agent.ethereum_transfers WHERE block_date >= '2025-07-01'";

#[tokio::test]
async fn a_job_is_seen_in_each_of_its_states() {
    let paced = builder().sql_jobs(1, 8).sql_pace(Duration::from_millis(20));
    let (_sandbox, client) = start(paced, 1_000).await;

    let mut running = client.sql(LONG).submit().await.unwrap();
    until(&mut running, SqlJobStatus::Running).await;
    let mut queued = client.sql("SELECT 1 AS one").submit().await.unwrap();
    assert_eq!(queued.refresh().await.unwrap().status, SqlJobStatus::Queued);
    assert!(!queued.is_finished());

    running.cancel().await.unwrap();
    until(&mut running, SqlJobStatus::Canceled).await;
    assert_eq!(running.wait().await.unwrap_err().kind(), ErrorKind::SqlFailed);

    until(&mut queued, SqlJobStatus::Succeeded).await;
    assert_eq!(queued.json().await.unwrap()[0]["one"], 1);
}

#[tokio::test]
async fn a_job_that_takes_too_long_is_seen_to_fail() {
    let limit = Duration::from_millis(300);
    let paced = builder().sql_job_time(limit).sql_pace(Duration::from_millis(20));
    let (_sandbox, client) = start(paced, 1_000).await;

    let mut job = client.sql(LONG).submit().await.unwrap();
    until(&mut job, SqlJobStatus::Failed).await;
    let error = job.wait().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::SqlFailed);
    assert!(job.state().is_some_and(|state| state.error.is_some()), "{error}");
}

#[tokio::test]
async fn repeats_cost_as_the_window_says() {
    for (on, builder) in [(false, builder()), (true, builder().free_repeats(Duration::ZERO))] {
        let (_sandbox, client) = start(builder.scenario(Scenario::free_window(on)), 1_000).await;
        let mut used = Vec::new();
        for symbol in ["BTC", "ETH"] {
            used.push(client.market_price(symbol).await.unwrap().credits_used());
        }
        assert_eq!(used, [Some(2), Some(if on { 0 } else { 2 })], "{on}");
    }
}

/// Future of a call that is rejected. Its output is the error.
type Refused = Pin<Box<dyn Future<Output = Error>>>;

/// Test case of a state in which the service rejects a call. It contains the name of the state, the expected error
/// kind, and a function that sends the call. The first argument of the function is a client with credits. The second
/// argument is a client without credits.
type Refusal = (&'static str, ErrorKind, fn(Client, Client) -> Refused);

macro_rules! refused {
    ($says:literal, $kind:ident, |$rich:pat_param, $poor:pat_param| $call:expr) => {
        ($says, ErrorKind::$kind, |$rich, $poor| {
            Box::pin(async move { $call.await.expect_err("a refusal") })
        })
    };
}

#[expect(deprecated, reason = "the retired operation is supported")]
const REFUSALS: &[Refusal] = &[
    refused!("no credits for data", InsufficientCredits, |_, poor| poor.market_price("BTC")),
    refused!("no credits for answers", InsufficientCredits, |_, poor| poor
        .responses("svc-2.0", "BTC")),
    refused!("no credits for completions", InsufficientCredits, |_, poor| poor
        .chat_completions("svc-ask", [crypto_intel::chat::user("BTC")])),
    refused!("no credits for a stream", InsufficientCredits, |_, poor| async move {
        poor.responses("svc-2.0", "BTC").stream().await.map(drop)
    }),
    refused!("no statements", NotFound, |rich, _| rich.equity_income_statement("NWRB")),
    refused!("an unknown asset", NotFound, |rich, _| rich.market_price("NOSUCH")),
    refused!("a query that is none", InvalidRequest, |rich, _| rich.sql("SELEKT 1").table()),
    refused!("a query that is rejected", SqlRejected, |rich, _| rich.sql("SELECT 1").submit()),
];

#[tokio::test]
async fn an_error_of_a_next_release_stays_the_error_that_it_is() {
    for (says, kind, call) in REFUSALS {
        let mut seen = Vec::new();
        for next in [false, true] {
            let free = builder().key("sk-poor", 0).free_repeats(Duration::ZERO);
            let (sandbox, rich) = start(free, 1_000).await;
            let poor = Client::builder().base_url(sandbox.url()).api_key("sk-poor");
            let poor = poor.retry(RetryPolicy::none()).build().unwrap();
            if *kind == ErrorKind::SqlRejected {
                sandbox.inject("circuit-open".parse::<Fault>().unwrap()).unwrap();
            }
            if next {
                sandbox.play(Scenario::next_release());
            }

            let error = call(rich, poor).await;
            assert_eq!(error.kind(), *kind, "{says}: {error:?}");
            let is_new = error.details().is_some_and(|all| all.contains_key("sandbox_new_member"));
            assert_eq!(is_new, next, "{says}: {error:?}");
            let reason = error.financial_serving_reason().map(str::to_owned);
            let told = (error.to_string(), error.status(), error.retry_after());
            seen.push((told, error.is_retryable(), reason));
        }

        let [now, then] = &seen[..] else { unreachable!() };
        assert_eq!((&now.0, now.1), (&then.0, then.1), "{says}");
        if *says == "no statements" {
            let reasons = [now, then].map(|seen| seen.2.as_deref());
            assert_eq!(reasons, [Some("publication_missing"), Some("sandbox_new_value")]);
        }
        if *kind == ErrorKind::InsufficientCredits {
            assert!(now.0.0.contains("402 FORBIDDEN"), "{says}: {}", now.0.0);
        }
    }
}
