//! Table of rare states of responses, such as restated figures or a company that is no longer listed. For each state,
//! the table contains the request that produces the state, and a check of the response. Some states also need a
//! scenario.

use serde_json::Value;

use crate::support::NOW;

/// Number of seconds by which the test advances the clock after the scenario `exchange-halt` has begun.
pub(super) const HOUR: i64 = 3_600;

/// Body of a successful response, or the status and the body of an error response.
pub(super) type Seen = Result<Value, (u16, Value)>;

/// A rare state of a record, such as a restated value, with the scenario and the request that produce it.
pub(super) struct State {
    pub(super) says: &'static str,
    /// Name of the scenario that causes the state. Empty if the state occurs without a scenario.
    pub(super) scenario: &'static str,
    pub(super) operation: &'static str,
    pub(super) params: &'static str,
    /// Function that checks whether a response has a certain rare state. Returns a description of the found state, such
    /// as "`phase` is `ready`", or `None` if the response does not have the state.
    pub(super) look: fn(&Seen) -> Option<String>,
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

/// Returns a description of the value if a row has this value at the JSON pointer. For the pointer `/phase` and the
/// value `ready`, the description is "`phase` is `ready`". Returns `None` if no row has the value.
fn has(seen: &Seen, pointer: &str, value: &str) -> Option<String> {
    let name = pointer.rsplit('/').next()?;
    let is = |row: &&Value| row.pointer(pointer).is_some_and(|found| found == value);
    rows(seen).iter().any(is).then(|| format!("`{name}` is `{value}`"))
}

/// Searches the field `tasks` of each row for a task with this status, such as `OPEN`. Returns a text with the status,
/// or `None` if no task has this status.
fn task(seen: &Seen, status: &str) -> Option<String> {
    let tasks = rows(seen).into_iter().filter_map(|row| row["tasks"].as_array()).flatten();
    let count = tasks.filter(|task| task["status"] == status).count();
    (count > 0).then(|| format!("tasks with `status` `{status}`"))
}

/// Checks that the list `errors` of the first row reports that `section` failed, and that the row lacks the field
/// `lost`. For example, if the section `staking` failed, the row lacks the field `total_value_usd`. Returns a
/// description of the row, or `None` if one of the two statements is false.
fn failed(seen: &Seen, section: &str, lost: &str) -> Option<String> {
    let row = *rows(seen).first()?;
    let error = row["errors"].as_array()?.iter().find(|error| error["section"] == section)?;
    let reason = error["reason"].as_str()?;
    row.get(lost)
        .is_none()
        .then(|| format!("`errors` has `{section}` (\"{reason}\"), and `{lost}` is absent"))
}

/// Returns a description of the error if the response has the status `status` and its body contains `text`. For
/// example, the description is "`404`: `publication_missing`". Returns `None` for all other responses.
pub(super) fn refused(seen: &Seen, status: u16, text: &str) -> Option<String> {
    let (found, body) = seen.as_ref().err()?;
    (*found == status && body.to_string().contains(text)).then(|| format!("`{status}`: `{text}`"))
}

/// Searches the quality codes of the field `revenue` in each row for `code`, such as `restated`. Returns a text with
/// the code, or `None` if no row contains the code.
pub(super) fn quality(seen: &Seen, code: &str) -> Option<String> {
    let cells =
        rows(seen).into_iter().filter_map(|row| row["revenue"]["quality_reason_codes"].as_array());
    let count = cells.flatten().filter(|found| *found == code).count();
    (count > 0).then(|| format!("`quality_reason_codes` of available cells hold `{code}`"))
}

pub(super) const HOLDER: &str = "0x52908400098527886e0f7030069857d2e4169ee";

pub(super) const STATES: &[State] = &[
    state(
        "Complete funding of a trade",
        "",
        ("hyperliquid-trades", "address=@0&limit=100"),
        |seen| has(seen, "/funding_status", "complete"),
    ),
    state(
        "Partial funding of a trade",
        "",
        ("hyperliquid-trades", "address=@0&limit=100"),
        |seen| has(seen, "/funding_status", "partial"),
    ),
    state("A trade without funding", "", ("hyperliquid-trades", "address=@0&limit=100"), |seen| {
        has(seen, "/funding_status", "unavailable")
    }),
    state(
        "A group of trades, some without funding",
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
    state("A failed section: the balances", "", ("hyperliquid-account", "address=@c"), |seen| {
        failed(seen, "spot", "spot")
    }),
    state("A failed section: the prices", "", ("hyperliquid-account", "address=@d"), |seen| {
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
    state(
        "A performance without the snapshot",
        "",
        ("hyperliquid-performance", "address=@c"),
        |seen| failed(seen, "snapshot", "account_value"),
    ),
    state(
        "A performance without the ledger",
        "",
        ("hyperliquid-performance", "address=@d"),
        |seen| failed(seen, "ledger", "performance"),
    ),
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
    state(
        "No statements: nothing published yet",
        "",
        ("equity-income-statement", "symbol=NWRB"),
        |seen| refused(seen, 404, "publication_missing"),
    ),
    state(
        "No statements: permanently excluded",
        "",
        ("equity-income-statement", "symbol=OLDM"),
        |seen| refused(seen, 404, "publication_terminal_excluded"),
    ),
    state(
        "A listing gives the reason for missing statements",
        "",
        ("equity-listings", "q=Northwind"),
        |seen| has(seen, "/financial_serving_reason", "publication_missing"),
    ),
    state("A company that is no longer listed", "", ("equity-listings", "q=Old%20Mill"), |seen| {
        has(seen, "/listing_lifecycle_status", "delisted")
    }),
    state(
        "Preliminary figures",
        "",
        ("equity-income-statement", "symbol=#preliminary&limit=1"),
        |seen| quality(seen, "preliminary"),
    ),
    state("Restated figures", "", ("equity-income-statement", "symbol=AAPL&limit=40"), |seen| {
        quality(seen, "restated")
    }),
    state("A missing figure", "", ("equity-balance-sheet", "symbol=AAPL"), |seen| {
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
        "A share without a token",
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
    state("A rumoured airdrop", "", ("search-airdrop", "phase=all&limit=100"), |seen| {
        has(seen, "/status", "POTENTIAL")
    }),
    state("An announced airdrop", "", ("search-airdrop", "phase=all&limit=100"), |seen| {
        has(seen, "/status", "CONFIRMED")
    }),
    state("An airdrop after its snapshot", "", ("search-airdrop", "phase=all&limit=100"), |seen| {
        has(seen, "/status", "SNAPSHOT")
    }),
    state(
        "An airdrop with an open claim window",
        "",
        ("search-airdrop", "phase=all&limit=100"),
        |seen| has(seen, "/status", "VERIFICATION"),
    ),
    state(
        "An airdrop whose reward can be claimed",
        "",
        ("search-airdrop", "phase=all&limit=100"),
        |seen| has(seen, "/status", "REWARD_AVAILABLE"),
    ),
    state(
        "An airdrop whose reward was sent",
        "",
        ("search-airdrop", "phase=all&limit=100"),
        |seen| has(seen, "/status", "DISTRIBUTED"),
    ),
    state(
        "An open task of an airdrop",
        "",
        ("search-airdrop", "phase=active&include_tasks=true&limit=100"),
        |seen| task(seen, "OPEN"),
    ),
    state(
        "A closed task of an airdrop",
        "",
        ("search-airdrop", "phase=all&include_tasks=true&limit=100"),
        |seen| task(seen, "CLOSED"),
    ),
    state(
        "A future task of an airdrop",
        "",
        ("search-airdrop", "phase=active&include_tasks=true&limit=100"),
        |seen| task(seen, "UPCOMING"),
    ),
    state("A retired market", "", ("exchange-markets", "limit=100"), |seen| {
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
    state("An empty list with its reason", "", ("wallet-history", "address=@0&before=1"), |seen| {
        let reason = seen.as_ref().ok()?["meta"]["empty_reason"].as_str()?;
        Some(format!("`meta.empty_reason` is `{reason}`"))
    }),
    state("An unknown model", "", ("responses", "model=svc-9&input=BTC"), |seen| {
        (seen.as_ref().ok()?["status"] == "completed")
            .then(|| "an answer with the header `x-sandbox-warning`".to_owned())
    }),
    state("A market crash", "market-crash", ("exchange-price", "pair=BTC/USDT"), |seen| {
        let change = rows(seen).first()?["change_24h_pct"].as_f64()?;
        (change < -15.0).then(|| "`change_24h_pct` below −15".to_owned())
    }),
    state(
        "Stablecoins keep their price",
        "market-crash",
        ("exchange-price", "pair=USDC/USD"),
        |seen| {
            let change = rows(seen).first()?["change_24h_pct"].as_f64()?;
            (change.abs() < 1.0).then(|| "`change_24h_pct` within 1".to_owned())
        },
    ),
    state(
        "A halted venue: no offers",
        "exchange-halt=okx",
        ("exchange-depth", "pair=BTC/USDT&exchange=okx"),
        |seen| {
            let row = *rows(seen).first()?;
            (row["bids"].as_array()?.is_empty() && row["asks"].as_array()?.is_empty())
                .then(|| "`bids` and `asks` are empty".to_owned())
        },
    ),
    state(
        "A halted venue: no active market",
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
        "A halted venue: an old price",
        "exchange-halt=okx",
        ("exchange-price", "pair=BTC/USDT&exchange=okx"),
        |seen| {
            (rows(seen).first()?["timestamp"] == NOW)
                .then(|| "an hour later, `timestamp` is still that of the halt".to_owned())
        },
    ),
    state(
        "A halted venue: the other venues continue",
        "exchange-halt=okx",
        ("exchange-price", "pair=BTC/USDT&exchange=binance"),
        |seen| {
            (rows(seen).first()?["timestamp"] == NOW + HOUR)
                .then(|| "`timestamp` is now".to_owned())
        },
    ),
    state(
        "An unavailable chain",
        "chain-outage=ethereum",
        ("wallet-transfers", "address=@0&chain=ethereum"),
        |seen| refused(seen, 502, "UPSTREAM_UNAVAILABLE"),
    ),
    state(
        "An unavailable chain inside a 200",
        "chain-outage=ethereum",
        ("wallet-detail", "address=@0"),
        |seen| {
            let row = *rows(seen).first()?;
            let is_there =
                row["evm_tokens"].as_array()?.iter().any(|token| token["chain"] == "ethereum");
            let field = row["errors"].pointer("/0/field")?.as_str()?;
            (!is_there).then(|| format!("`errors` has `{field}`, which lacks the chain"))
        },
    ),
    state(
        "An unavailable chain: the other chains continue",
        "chain-outage=ethereum",
        ("wallet-transfers", "address=@0&chain=base"),
        |seen| seen.as_ref().ok().map(|_| "an answer as ever".to_owned()),
    ),
    state(
        "An expired portfolio",
        "expired-etf-snapshot",
        ("equity-etf-holdings", "symbol=SPY&as_of=2026-03-31"),
        |seen| refused(seen, 404, "no portfolio"),
    ),
    state(
        "An expired portfolio: the newest remaining portfolio",
        "expired-etf-snapshot",
        ("equity-etf-holdings", "symbol=SPY"),
        |seen| has(seen, "/available_periods/0/as_of", "2025-09-30"),
    ),
    state("Unknown fields of a future release", "next-release", ("market-ranking", ""), |seen| {
        rows(seen)
            .iter()
            .all(|row| row.get("sandbox_new_member").is_some())
            .then(|| "`extra` holds `sandbox_new_member`".to_owned())
    }),
    state(
        "Unknown enum values of a future release",
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
