//! The states that matter, each met over HTTP: where the sandbox shows it, and what was seen.
//! `docs/states.md` is the table of them.

use std::time::Duration;

use crypto_intel_sandbox::{Scenario, schema};
use serde_json::{Value, json};

use crate::support::{Bench, NOW, builder, operation, seen as sent};
use crate::table::is_customary;

/// Worlds in which each state is looked for.
const SEEDS: u64 = 3;

/// An answer, or the status and the body of a refusal.
type Seen = Result<Value, (u16, Value)>;

/// A state, and how it is met.
struct State {
    says: &'static str,
    /// The scenario that brings it; empty where it occurs by itself.
    scenario: &'static str,
    operation: &'static str,
    params: &'static str,
    /// What is seen, as a sentence; none if the state is not there.
    look: fn(&Seen) -> Option<String>,
}

const fn state(
    says: &'static str,
    scenario: &'static str,
    (operation, params): (&'static str, &'static str),
    look: fn(&Seen) -> Option<String>,
) -> State {
    State { says, scenario, operation, params, look }
}

fn rows(seen: &Seen) -> Vec<&Value> {
    match seen {
        Ok(answer) => match &answer["data"] {
            Value::Array(rows) => rows.iter().collect(),
            row => vec![row],
        },
        Err(_) => Vec::new(),
    }
}

/// Says `member: "value"` if a row has that.
fn has(seen: &Seen, pointer: &str, value: &str) -> Option<String> {
    let name = pointer.rsplit('/').next()?;
    let is = |row: &&Value| row.pointer(pointer).is_some_and(|found| found == value);
    rows(seen).iter().any(is).then(|| format!("`{name}` is `{value}`"))
}

/// The same of the tasks of a campaign.
fn task(seen: &Seen, status: &str) -> Option<String> {
    let tasks = rows(seen).into_iter().filter_map(|row| row["tasks"].as_array()).flatten();
    let count = tasks.filter(|task| task["status"] == status).count();
    (count > 0).then(|| format!("tasks with `status` `{status}`"))
}

/// A failed section, and whether the member that it belongs to is left out.
fn failed(seen: &Seen, section: &str, lost: &str) -> Option<String> {
    let row = *rows(seen).first()?;
    let error = row["errors"].as_array()?.iter().find(|error| error["section"] == section)?;
    let reason = error["reason"].as_str()?;
    row.get(lost)
        .is_none()
        .then(|| format!("`errors` has `{section}` (\"{reason}\"), and `{lost}` is absent"))
}

/// A refusal with a status, whose body has a text.
fn refused(seen: &Seen, status: u16, text: &str) -> Option<String> {
    let (found, body) = seen.as_ref().err()?;
    (*found == status && body.to_string().contains(text)).then(|| format!("`{status}`: `{text}`"))
}

/// A cell of a statement with a quality code.
fn quality(seen: &Seen, code: &str) -> Option<String> {
    let cells =
        rows(seen).into_iter().filter_map(|row| row["revenue"]["quality_reason_codes"].as_array());
    let count = cells.flatten().filter(|found| *found == code).count();
    (count > 0).then(|| format!("`quality_reason_codes` of available cells hold `{code}`"))
}

const HOLDER: &str = "0x52908400098527886e0f7030069857d2e4169ee";

const STATES: &[State] = &[
    state(
        "Funding of a trade known in full",
        "",
        ("hyperliquid-trades", "address=@0&limit=100"),
        |seen| has(seen, "/funding_status", "complete"),
    ),
    state("… in part", "", ("hyperliquid-trades", "address=@0&limit=100"), |seen| {
        has(seen, "/funding_status", "partial")
    }),
    state("… not at all", "", ("hyperliquid-trades", "address=@0&limit=100"), |seen| {
        has(seen, "/funding_status", "unavailable")
    }),
    state(
        "Trades of which some have no funding, together",
        "",
        ("hyperliquid-trades-aggregate", "address=@0&group_by=direction"),
        |seen| has(seen, "/funding_status", "partial"),
    ),
    state("A total that is a lower bound", "", ("hyperliquid-account", "address=@a"), |seen| {
        let row = *rows(seen).first()?;
        let is_bound = row["unpriced_token_count"] == 1 && row["total_value_usd"].is_number();
        is_bound.then(|| "`unpriced_token_count` is 1, beside a `total_value_usd`".to_owned())
    }),
    state(
        "A section that failed inside a 200",
        "",
        ("hyperliquid-account", "address=@b"),
        |seen| failed(seen, "staking", "staking").and(failed(seen, "staking", "total_value_usd")),
    ),
    state("… the balances", "", ("hyperliquid-account", "address=@c"), |seen| {
        failed(seen, "spot", "spot")
    }),
    state("… the prices", "", ("hyperliquid-account", "address=@d"), |seen| {
        failed(seen, "pricing", "total_value_usd")
    }),
    state(
        "A performance without the newest fills",
        "",
        ("hyperliquid-performance", "address=@b"),
        |seen| {
            let row = *rows(seen).first()?;
            let error = row["errors"].pointer("/0/section")?;
            (row["partial"] == true && error == "gap_fill")
                .then(|| "`partial` is true, `errors` has `gap_fill`".to_owned())
        },
    ),
    state("… without the snapshot", "", ("hyperliquid-performance", "address=@c"), |seen| {
        failed(seen, "snapshot", "account_value")
    }),
    state("… without the ledger", "", ("hyperliquid-performance", "address=@d"), |seen| {
        failed(seen, "ledger", "performance")
    }),
    state(
        "A part of a wallet that failed inside a 200",
        "",
        ("wallet-detail", "address=@e&fields=balance,tokens,nft"),
        |seen| {
            let row = *rows(seen).first()?;
            let field = row["errors"].pointer("/0/field")?;
            (field == "nft" && row.get("nft").is_none())
                .then(|| "`errors` has `nft`, which is absent".to_owned())
        },
    ),
    state("No statements: a fund", "", ("equity-income-statement", "symbol=SPY"), |seen| {
        refused(seen, 404, "reporting_series_missing")
    }),
    state("… nothing published yet", "", ("equity-income-statement", "symbol=NWRB"), |seen| {
        refused(seen, 404, "publication_missing")
    }),
    state("… excluded for good", "", ("equity-income-statement", "symbol=OLDM"), |seen| {
        refused(seen, 404, "publication_terminal_excluded")
    }),
    state(
        "A listing without statements says why",
        "",
        ("equity-listings", "q=Northwind"),
        |seen| has(seen, "/financial_serving_reason", "publication_missing"),
    ),
    state("A company that is no longer listed", "", ("equity-listings", "q=Old%20Mill"), |seen| {
        has(seen, "/listing_lifecycle_status", "delisted")
    }),
    state(
        "Figures that may still change",
        "",
        ("equity-income-statement", "symbol=#preliminary&limit=1"),
        |seen| quality(seen, "preliminary"),
    ),
    state(
        "Figures that were restated",
        "",
        ("equity-income-statement", "symbol=AAPL&limit=40"),
        |seen| quality(seen, "restated"),
    ),
    state("A figure that is missing", "", ("equity-balance-sheet", "symbol=AAPL"), |seen| {
        has(seen, "/tax_assets/status", "missing")
    }),
    state("A figure that does not apply", "", ("equity-balance-sheet", "symbol=AAPL"), |seen| {
        has(seen, "/deposit_liabilities/status", "not_applicable")
    }),
    state(
        "A share with a token",
        "",
        ("equity-price", "symbol=AAPL&include_tokenized=true"),
        |seen| {
            let tokens = rows(seen).first()?["tokenized"].as_array()?.len();
            (tokens > 0).then(|| "`tokenized` is a list".to_owned())
        },
    ),
    state(
        "… and one without",
        "",
        ("equity-price", "symbol=NWRB&include_tokenized=true"),
        |seen| {
            rows(seen)
                .first()?
                .get("tokenized")
                .is_none()
                .then(|| "`tokenized` is absent".to_owned())
        },
    ),
    state("An airdrop that is a rumour", "", ("search-airdrop", "phase=all&limit=100"), |seen| {
        has(seen, "/status", "POTENTIAL")
    }),
    state("… announced", "", ("search-airdrop", "phase=all&limit=100"), |seen| {
        has(seen, "/status", "CONFIRMED")
    }),
    state("… after its snapshot", "", ("search-airdrop", "phase=all&limit=100"), |seen| {
        has(seen, "/status", "SNAPSHOT")
    }),
    state("… to be claimed", "", ("search-airdrop", "phase=all&limit=100"), |seen| {
        has(seen, "/status", "VERIFICATION")
    }),
    state("… ready", "", ("search-airdrop", "phase=all&limit=100"), |seen| {
        has(seen, "/status", "REWARD_AVAILABLE")
    }),
    state("… sent", "", ("search-airdrop", "phase=all&limit=100"), |seen| {
        has(seen, "/status", "DISTRIBUTED")
    }),
    state(
        "A task that is open",
        "",
        ("search-airdrop", "phase=active&include_tasks=true&limit=100"),
        |seen| task(seen, "OPEN"),
    ),
    state("… closed", "", ("search-airdrop", "phase=all&include_tasks=true&limit=100"), |seen| {
        task(seen, "CLOSED")
    }),
    state(
        "… to come",
        "",
        ("search-airdrop", "phase=active&include_tasks=true&limit=100"),
        |seen| task(seen, "UPCOMING"),
    ),
    state("A market that is retired", "", ("exchange-markets", "limit=100"), |seen| {
        rows(seen).iter().any(|row| row["active"] == false).then(|| "`active` is false".to_owned())
    }),
    state(
        "A series with gaps",
        "",
        (
            "exchange-candles",
            "exchange=upbit&pair=KRW-BTC&interval=5m&include_synthetic=false&limit=100",
        ),
        |seen| {
            let times: Vec<_> =
                rows(seen).iter().filter_map(|row| row["timestamp"].as_i64()).collect();
            let gaps = times.windows(2).filter(|pair| (pair[0] - pair[1]).abs() > 300).count();
            (gaps > 0).then(|| "neighbours more than five minutes apart".to_owned())
        },
    ),
    state(
        "A series without points",
        "",
        ("market-price", "symbol=BTC&from=2012-01-01&to=2012-02-01"),
        |seen| {
            (seen.as_ref().ok()?["data"].as_array()?.is_empty())
                .then(|| "`data` is an empty list".to_owned())
        },
    ),
    state(
        "A list that says why it is empty",
        "",
        ("wallet-history", "address=@0&before=1"),
        |seen| {
            let reason = seen.as_ref().ok()?["meta"]["empty_reason"].as_str()?;
            Some(format!("`meta.empty_reason` is `{reason}`"))
        },
    ),
    state("A model that nobody knows", "", ("responses", "model=svc-9&input=BTC"), |seen| {
        (seen.as_ref().ok()?["status"] == "completed")
            .then(|| "an answer, as was seen of the service".to_owned())
    }),
    state("A crash of the market", "market-crash", ("exchange-price", "pair=BTC/USDT"), |seen| {
        let change = rows(seen).first()?["change_24h_pct"].as_f64()?;
        (change < -15.0).then(|| "`change_24h_pct` below −15".to_owned())
    }),
    state(
        "Stable coins keep their price",
        "market-crash",
        ("exchange-price", "pair=USDC/USD"),
        |seen| {
            let change = rows(seen).first()?["change_24h_pct"].as_f64()?;
            (change.abs() < 1.0).then(|| "`change_24h_pct` within 1".to_owned())
        },
    ),
    state(
        "A venue that rests: no offers",
        "exchange-halt=okx",
        ("exchange-depth", "pair=BTC/USDT&exchange=okx"),
        |seen| {
            let row = *rows(seen).first()?;
            (row["bids"].as_array()?.is_empty() && row["asks"].as_array()?.is_empty())
                .then(|| "`bids` and `asks` are empty".to_owned())
        },
    ),
    state(
        "… no active market",
        "exchange-halt=okx",
        ("exchange-markets", "exchange=okx&limit=100"),
        |seen| {
            rows(seen)
                .iter()
                .all(|row| row["active"] == false)
                .then(|| "`active` is false everywhere".to_owned())
        },
    ),
    state(
        "… an old price",
        "exchange-halt=okx",
        ("exchange-price", "pair=BTC/USDT&exchange=okx"),
        |seen| {
            (rows(seen).first()?["timestamp"] == NOW)
                .then(|| "an hour later, `timestamp` is still that of the halt".to_owned())
        },
    ),
    state(
        "… and the others go on",
        "exchange-halt=okx",
        ("exchange-price", "pair=BTC/USDT&exchange=binance"),
        |seen| {
            (rows(seen).first()?["timestamp"] == NOW + HOUR)
                .then(|| "`timestamp` is now".to_owned())
        },
    ),
    state(
        "A chain that cannot be read",
        "chain-outage=ethereum",
        ("wallet-transfers", "address=@0&chain=ethereum"),
        |seen| refused(seen, 502, "UPSTREAM_UNAVAILABLE"),
    ),
    state("… inside a 200", "chain-outage=ethereum", ("wallet-detail", "address=@0"), |seen| {
        let row = *rows(seen).first()?;
        let is_there =
            row["evm_tokens"].as_array()?.iter().any(|token| token["chain"] == "ethereum");
        let field = row["errors"].pointer("/0/field")?.as_str()?;
        (!is_there).then(|| format!("`errors` has `{field}`, which lacks the chain"))
    }),
    state(
        "… and other chains go on",
        "chain-outage=ethereum",
        ("wallet-transfers", "address=@0&chain=base"),
        |seen| seen.as_ref().ok().map(|_| "an answer as ever".to_owned()),
    ),
    state(
        "A portfolio that has expired",
        "expired-etf-snapshot",
        ("equity-etf-holdings", "symbol=SPY&as_of=2026-03-31"),
        |seen| refused(seen, 404, "no portfolio"),
    ),
    state(
        "… and the newest that is left",
        "expired-etf-snapshot",
        ("equity-etf-holdings", "symbol=SPY"),
        |seen| has(seen, "/available_periods/0/as_of", "2025-09-30"),
    ),
    state("Members of a next release", "next-release", ("market-ranking", ""), |seen| {
        rows(seen)
            .iter()
            .all(|row| row.get("sandbox_new_member").is_some())
            .then(|| "`extra` holds `sandbox_new_member`".to_owned())
    }),
    state(
        "Values of a next release",
        "next-release",
        ("hyperliquid-trades", "address=@0"),
        |seen| {
            has(seen, "/funding_status", "sandbox_new_value")
                .and(has(seen, "/funding_status", "complete").or(Some(String::new())))
                .map(|_| {
                    "`funding_status` of every second row is `Other(\"sandbox_new_value\")`"
                        .to_owned()
                })
        },
    ),
];

const HOUR: i64 = 3_600;

async fn ask(bench: &Bench, id: &str, params: &[(&str, String)]) -> Seen {
    let given: Vec<_> =
        params.iter().map(|(name, text)| (*name, Value::from(text.as_str()))).collect();
    let seen = bench.example(id, &given).await;
    if seen.status / 100 == 2 { Ok(seen.json) } else { Err((seen.status, seen.json)) }
}

/// What the record tables do not have of an answer.
fn faults(id: &str, answer: &Value) -> Vec<String> {
    let faults = schema::faults_of_answer(operation(id), answer);
    faults.iter().filter(|fault| !is_customary(fault)).map(ToString::to_string).collect()
}

/// Parameters with what stands for a holder and for a company filled in.
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

/// A company whose newest figures may still change.
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
        let bench = Bench::of(builder().seed(seed).key("sk-rich", 100_000_000)).await;
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

            // What the next release brings is not in the tables.
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

/// Every state has its line in the table.
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
    let bench = Bench::of(builder().key("sk-poor", 1)).await;
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
        let bench = Bench::of(builder.scenario(Scenario::free_window(scenario))).await;
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
    let bench = Bench::of(builder().sql_jobs(1, 8).sql_pace(Duration::from_millis(20))).await;
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
    let bench = Bench::of(builder).await;
    let long = "SELECT count() FROM agent.ethereum_transfers WHERE block_date >= '2025-07-01'";
    let job = ask(&bench, "onchain-sql-job-create", &[("sql", long.to_owned())]).await.unwrap();
    let id = job["data"]["job_id"].as_str().unwrap().to_owned();
    for _ in 0..6_000 {
        let job = ask(&bench, "onchain-sql-job-get", &[("job_id", id.clone())]).await.unwrap();
        if job["data"]["status"] == "failed" {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("it never fails");
}
