//! Tests that filters and sort orders have their documented effect in all API operations. Each test collects all
//! violations and fails once.

use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_core::{Answer, Operation, ParamKind, Type};
use serde_json::{Value, json};

use crate::support::{Bench, NOW};

const DAY: i64 = 86_400;

/// Returns all operations whose response is a list of rows.
fn lists() -> impl Iterator<Item = &'static Operation> {
    OPERATIONS.iter().copied().filter(|op| matches!(op.answer, Answer::Rows { .. }))
}

fn has(operation: &Operation, name: &str) -> bool {
    operation.param(name).is_some()
}

fn choices(operation: &Operation, name: &str) -> Vec<&'static str> {
    match operation.param(name).map(|(_, param)| param.kind) {
        Some(ParamKind::Enum(values)) => values.to_vec(),
        _ => Vec::new(),
    }
}

async fn rows(bench: &Bench, operation: &Operation, more: &[(&str, Value)]) -> Vec<Value> {
    let seen = bench.example(operation.id, more).await;
    assert!(matches!(seen.status, 200 | 404), "{} {more:?}: {}", operation.id, seen.text);
    seen.json["data"].as_array().cloned().unwrap_or_default()
}

/// Names of fields that can contain the time of a row.
const TIMES: &[&str] = &[
    "timestamp",
    "open_time",
    "time",
    "block_time",
    "published_at",
    "effective_at",
    "event_at",
    "close_time",
    "last_status_update",
    "invested_at",
    "created_at",
];

/// Returns the sort value of each row. `wish` is the requested value of the parameter `sort_by`, such as `volume`. The
/// function reads the row field of this name or of a related name, such as `volume_usd`. In a field with an object, the
/// number is the volume in this object. Returns `None` if no row has a matching field.
fn column(rows: &[Value], wish: &str) -> Option<Vec<f64>> {
    let names: Vec<String> = match wish {
        "recency" | "timestamp" | "block_time" => {
            TIMES.iter().map(|name| (*name).to_owned()).collect()
        }
        "price" => vec!["price".to_owned(), "latest_price".to_owned()],
        "polymarket_volume" => vec!["polymarket".to_owned()],
        "kalshi_volume" => vec!["kalshi".to_owned()],
        _ => ["", "_usd", "_pct", "_24h_usd", "_24h_quote", "_quote"]
            .iter()
            .map(|end| format!("{wish}{end}"))
            .chain(["amount_usd".to_owned()])
            .collect(),
    };
    let name = names.iter().find(|name| rows.iter().any(|row| !row[name.as_str()].is_null()))?;

    let figure = |row: &Value| match &row[name.as_str()] {
        Value::String(text) => text.parse().ok(),
        Value::Object(members) => members
            .get("volume_usd")
            .or_else(|| members.get("volume_contracts"))
            .and_then(Value::as_f64),
        other => other.as_f64(),
    };

    // Rows without the field count as the smallest.
    Some(rows.iter().map(|row| figure(row).unwrap_or(f64::NEG_INFINITY)).collect())
}

#[tokio::test]
async fn rows_are_sorted_by_what_was_asked() {
    let bench = Bench::start().await;
    let (mut faults, mut checked) = (Vec::new(), 0);
    for operation in lists() {
        for by in choices(operation, "sort_by") {
            // Relevance is not a field, and strings are not compared here.
            if matches!(by, "relevance" | "pair" | "status" | "trending") {
                continue;
            }

            let orders: &[&str] =
                if has(operation, "order") { &["asc", "desc"] } else { &["desc"] };
            for order in orders {
                let mut more = vec![("sort_by", json!(by))];
                if has(operation, "order") {
                    more.push(("order", json!(order)));
                }

                // Trades have an amount and a time; positions do not.
                if matches!(by, "amount_usd" | "block_time") && has(operation, "view") {
                    more.push(("view", json!("trades")));
                }

                let rows = rows(&bench, operation, &more).await;
                let Some(column) = column(&rows, by) else {
                    faults.push(format!("{}: no member for `{by}`", operation.id));
                    continue;
                };
                let is_sorted = match *order {
                    "asc" => column.is_sorted(),
                    _ => column.is_sorted_by(|a, b| a >= b),
                };
                if !is_sorted {
                    faults.push(format!("{} by {by} {order}: {column:?}", operation.id));
                }

                checked += usize::from(column.len() > 1);
            }
        }
    }

    assert!(faults.is_empty(), "{faults:#?}");
    assert!(checked > 60, "only {checked}");
}

#[tokio::test]
async fn rows_lie_between_from_and_to() {
    let bench = Bench::start().await;
    let (mut faults, mut checked) = (Vec::new(), 0);
    let (from, to) = (NOW - 20 * DAY, NOW - 10 * DAY);

    for operation in lists().filter(|op| has(op, "from")) {
        let mut more = vec![("from", json!(from.to_string()))];
        if has(operation, "to") {
            more.push(("to", json!(to.to_string())));
        }

        let rows = rows(&bench, operation, &more).await;
        let time = |row: &Value| TIMES.iter().find_map(|name| row[*name].as_i64());
        let times: Vec<i64> = rows.iter().filter_map(time).collect();
        let last = if has(operation, "to") { to } else { NOW };
        if let Some(outside) = times.iter().find(|time| !(from..=last).contains(time)) {
            faults.push(format!("{}: {outside}", operation.id));
        }

        checked += usize::from(!times.is_empty());
    }

    assert!(faults.is_empty(), "{faults:#?}");
    assert!(checked > 15, "only {checked}");
}

#[tokio::test]
async fn no_more_rows_come_than_asked_for() {
    let bench = Bench::start().await;
    let (mut faults, mut full) = (Vec::new(), 0);
    for operation in lists().filter(|op| has(op, "limit")) {
        let rows = rows(&bench, operation, &[("limit", json!(3))]).await;
        if rows.len() > 3 {
            faults.push(format!("{}: {} rows", operation.id, rows.len()));
        }
        full += usize::from(rows.len() == 3);
    }
    assert!(faults.is_empty(), "{faults:#?}");
    assert!(full > 40, "only {full} had as many");
}

#[tokio::test]
async fn least_values_are_respected() {
    let bench = Bench::start().await;
    let (mut faults, mut checked) = (Vec::new(), 0);
    for operation in lists() {
        let least = operation.params.iter().filter(|p| {
            p.name.starts_with("min_")
                && !matches!(p.kind, ParamKind::Enum(_) | ParamKind::List { .. })
        });

        for param in least {
            let wish = &param.name["min_".len()..];
            let all = rows(&bench, operation, &[]).await;
            let names = match wish {
                "amount" => vec!["amount_usd", "usd_value", "notional_volume_usd"],
                "trades" => vec!["total_trades"],
                other => vec![other],
            };
            let find = |row: &Value| names.iter().find_map(|name| row[*name].as_f64());
            let mut figures: Vec<f64> = all.iter().filter_map(find).collect();
            figures.sort_by(f64::total_cmp);

            let Some(middle) = figures.get(figures.len() / 2).copied() else {
                faults.push(format!("{}: no member for `{}`", operation.id, param.name));
                continue;
            };
            let value = match param.kind {
                ParamKind::Integer { .. } => json!(middle as i64),
                ParamKind::Number { .. } => json!(middle),
                _ => json!(middle.to_string()),
            };
            let kept = rows(&bench, operation, &[(param.name, value)]).await;

            let bound = if matches!(param.kind, ParamKind::Integer { .. }) {
                middle.floor()
            } else {
                middle
            };
            if kept.iter().filter_map(find).any(|figure| figure < bound) {
                faults.push(format!("{} {}: below {bound}", operation.id, param.name));
            }

            checked += usize::from(!kept.is_empty());
        }
    }

    assert!(faults.is_empty(), "{faults:#?}");
    assert!(checked > 6, "only {checked}");
}

/// Tests enum parameters with each of their values, for example `chain=base`. If a row has a text field with the name
/// of the parameter, this field must equal the requested value. Upper and lower case are not distinguished. The value
/// `all` allows any text. Some parameters, such as `sort_by`, are not tested.
#[tokio::test]
async fn rows_are_of_the_value_asked_for() {
    let bench = Bench::start().await;
    let (mut faults, mut checked) = (Vec::new(), 0);
    for operation in lists() {
        let Answer::Rows { row: Type::Record(_), .. } = operation.answer else { continue };
        for param in operation.params.iter().filter(|param| param.refused.is_none()) {
            let ParamKind::Enum(values) = param.kind else { continue };
            if param.refused.is_some() {
                continue;
            }
            if matches!(param.name, "sort_by" | "order" | "interval" | "time_range" | "granularity")
            {
                continue;
            }

            for value in values {
                let rows = rows(&bench, operation, &[(param.name, json!(value))]).await;
                for row in rows {
                    match &row[param.name] {
                        Value::String(text)
                            if text.eq_ignore_ascii_case(value) || *value == "all" =>
                        {
                            checked += 1;
                        }
                        Value::String(text) => {
                            let text = format!("{} {}={value}: {text}", operation.id, param.name);
                            // A perpetual market has several names, such as `swap`.
                            if !(param.name == "type" && text.ends_with("swap")) {
                                faults.push(text);
                            }
                        }
                        _ => {}
                    }
                }
            }
        }
    }

    faults.dedup();
    assert!(faults.is_empty(), "{faults:#?}");
    assert!(checked > 500, "only {checked}");
}

#[tokio::test]
async fn what_is_found_mentions_what_was_looked_for() {
    let bench = Bench::start().await;
    let (mut faults, mut checked) = (Vec::new(), 0);
    for operation in lists().filter(|op| has(op, "q") && op.tag == "Search") {
        for q in ["ethereum", "cobalt", "bitcoin", "zzunheardof"] {
            for row in rows(&bench, operation, &[("q", json!(q))]).await {
                let text = row.to_string().to_lowercase();
                // Rows about tokens and markets may contain only the ticker of an asset.
                let ticker = match q {
                    "ethereum" => "\"eth",
                    "bitcoin" => "btc",
                    _ => q,
                };
                if !text.contains(q) && !text.contains(ticker) {
                    faults.push(format!("{} {q}: {text}", operation.id));
                }
                checked += 1;
            }
        }
    }

    assert!(faults.is_empty(), "{faults:#?}");
    assert!(checked > 100, "only {checked}");
}

/// Tests that a request for a past time range returns the same rows 45 days later.
#[tokio::test]
async fn the_past_reads_the_same_later() {
    let bench = Bench::start().await;
    let window =
        [("from", json!((NOW - 6 * DAY).to_string())), ("to", json!((NOW - 4 * DAY).to_string()))];
    let asked: Vec<_> = lists().filter(|op| has(op, "from") && has(op, "to")).collect();
    let mut before = Vec::new();
    for operation in &asked {
        before.push(bench.example(operation.id, &window).await.json["data"].clone());
    }

    bench.sandbox.clock().advance(std::time::Duration::from_secs(45 * 86_400 + 4_321));
    let (mut faults, mut checked) = (Vec::new(), 0);
    for (operation, before) in asked.iter().zip(before) {
        let after = bench.example(operation.id, &window).await.json["data"].clone();
        if before != after {
            faults.push(format!("{}: {before:.300} {after:.300}", operation.id));
        }
        checked += usize::from(before.as_array().is_some_and(|rows| !rows.is_empty()));
    }

    assert!(faults.is_empty(), "{faults:#?}");
    assert!(checked > 15, "only {checked}");
}

#[tokio::test]
async fn rows_lie_within_the_range_of_time() {
    let bench = Bench::start().await;
    let (mut faults, mut checked) = (Vec::new(), 0);
    let seconds = |range: &str| {
        let (number, unit) = range.split_at(range.len() - 1);
        let unit = match unit {
            "h" => 3_600,
            "d" => DAY,
            "m" => 30 * DAY,
            "y" => 365 * DAY,
            _ => return None,
        };
        number.parse::<i64>().ok().map(|number| number * unit)
    };

    for operation in lists() {
        for range in choices(operation, "time_range") {
            let Some(seconds) = seconds(range) else { continue };
            let rows = rows(&bench, operation, &[("time_range", json!(range))]).await;
            // Rows without a time are current values, which belong to every time range.
            let time = |row: &Value| row["timestamp"].as_i64().or(row["block_time"].as_i64());
            let times: Vec<i64> = rows.iter().filter_map(time).collect();
            if let Some(outside) = times.iter().find(|time| !(NOW - seconds..=NOW).contains(time)) {
                faults.push(format!("{} {range}: {outside}", operation.id));
            }
            checked += usize::from(!times.is_empty());
        }
    }

    assert!(faults.is_empty(), "{faults:#?}");
    assert!(checked > 30, "only {checked}");
}

/// Tests filters whose parameter and row field have different names, and filters that match a part of a text.
#[tokio::test]
async fn rows_are_of_what_was_asked_by_other_names() {
    let bench = Bench::start().await;
    let mut faults = Vec::new();

    for (id, param, value, pointer, expected) in [
        ("market-listing", "type", "delisting", "/event_type", "delisting"),
        ("market-listing", "type", "postponed", "/event_type", "postponed"),
        ("market-listing", "exchange", "OKX", "/exchange_name", "okx"),
        ("market-listing", "symbol", "SOL", "/base_symbol", "SOL"),
        ("market-liquidation-order", "symbol", "ETH", "/base_asset", "ETH"),
        ("exchange-coverage", "q", "ethereum", "/base", "ETH"),
        ("exchange-coverage", "quote", "JPY", "/quote", "JPY"),
        ("exchange-markets", "base", "SOL", "/base", "SOL"),
        ("exchange-markets", "search", "SOL", "/base", "SOL"),
        ("search-polymarket", "tags", "culture,unknown", "/category", "culture"),
        ("search-prediction-market", "smart_money", "bullish", "/smart_money_direction", "BULLISH"),
        ("search-fundraising", "source", "social", "/source/type", "social"),
        ("search-token", "chain", "solana", "/chain", "solana"),
        ("search-events", "type", "airdrop", "/type", "airdrop"),
        ("wallet-transfers", "token", "ETH", "/token_symbol", "ETH"),
        ("fund-portfolio", "is_lead", "true", "/is_lead", "true"),
        ("polymarket-smart-money", "direction", "bearish", "/direction", "BEARISH"),
        ("onchain-yield-ranking", "project", "aave", "/project", "aave"),
        ("news-feed", "project", "solana", "/project_name", "Solana"),
    ] {
        let mut more = vec![(param, json!(value))];
        more.extend((id == "search-token").then(|| ("q", json!("solana"))));
        let rows = rows(&bench, crate::support::operation(id), &more).await;

        let of = |row: &Value| match row.pointer(pointer) {
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
            None => String::new(),
        };
        match rows.iter().find(|row| of(row) != expected) {
            Some(row) => faults.push(format!("{id} {param}={value}: {row}")),
            None if rows.is_empty() => faults.push(format!("{id} {param}={value}: nothing")),
            None => {}
        }
    }

    let perp = bench.example("exchange-perp", &[("fields", json!("oi"))]).await.json;
    if !perp["data"]["funding"]["funding_rate"].is_null()
        || perp["data"]["open_interest"]["open_interest_usd"].is_null()
    {
        faults.push(format!("exchange-perp fields=oi: {perp}"));
    }

    assert!(faults.is_empty(), "{faults:#?}");
}
