//! Tasks with pages, budgets, missing figures and faults.

use serde_json::{Value, json};

use crate::task::{Outcome, Task, task};
use crate::tools::Tools;
use crate::world::{World, largest, number, text};

/// A figure of the newest statement; `null` if it is not available.
async fn figure(w: &World, operation: &str, symbol: &str, name: &str) -> Outcome {
    let rows = w.rows(operation, &[("symbol", symbol)]).await?;
    let newest = rows.iter().max_by_key(|row| row["report_period"].as_str().map(str::to_owned));
    let figure = &newest.ok_or("no statement")?[name];
    Ok(if figure["status"] == "available" { figure["value"].clone() } else { Value::Null })
}

/// The same figure through the tools.
async fn found(t: &Tools, operation: &str, symbol: &str, name: &str) -> Outcome {
    let program = format!(r#".[0].{name} | if .status == "available" then .value else null end"#);
    t.jq(operation, json!({"symbol": symbol, "limit": 1}), &program).await
}

/// Repeats a call while the service fails, as its errors suggest.
async fn patiently(t: &Tools, operation: &str, arguments: Value, program: &str) -> Outcome {
    let mut last = Err("not asked".to_owned());
    for _ in 0..4 {
        last = t.jq(operation, arguments.clone(), program).await;
        if last.is_ok() {
            break;
        }
    }
    last
}

pub(crate) fn tasks() -> Vec<Task> {
    vec![
        likes(),
        winners(),
        largest_employer(),
        thrift(),
        bank(),
        investments(),
        endless(),
        outage(),
    ]
}

fn likes() -> Task {
    task!(
        "likes",
        "How many likes do the 30 newest posts of the account eth_daily have together? Answer with a number.",
        truth | w | {
            let arguments = [("handle", "eth_daily"), ("limit", "30")];
            let posts = w.rows("social-user-posts", &arguments).await?;
            let mut likes = 0.0;
            for post in &posts {
                likes += number(&post["stats"], "likes")?;
            }
            if posts.len() == 30 { Ok(json!(likes)) } else { Err(format!("{} posts", posts.len())) }
        },
        solve
            | t
            | {
                let call = json!({"operation": "social-user-posts", "arguments": {"handle": "eth_daily", "limit": 10}, "jq": "length"});
                let mut handle = t.call("call_operation", call).await?["handle"].take();
                for _ in 0..2 {
                    handle = t
                        .call(
                            "read_result",
                            json!({"handle": handle, "next_page": true, "jq": "length"}),
                        )
                        .await?["handle"]
                        .take();
                }
                let sum = json!({"handle": handle, "jq": ".[:30] | sum(.stats.likes)"});
                Ok(t.call("read_result", sum).await?["service_data"].take())
            }
    )
}

fn winners() -> Task {
    task!(
        "winners",
        "How many traders of the whole Hyperliquid leaderboard win more than half of their trades? Answer with a number.",
        truth | w | {
            let rows = w.all("hyperliquid-leaderboard", &[]).await?;
            let wins = |row: &&Value| row["win_rate"].as_f64().is_some_and(|rate| rate > 0.5);
            Ok(json!(rows.iter().filter(wins).count()))
        },
        solve
            | t
            | {
                let call = json!({"operation": "hyperliquid-leaderboard", "arguments": {"limit": 10}, "pages": 5, "jq": "map(select(.win_rate != null and .win_rate > 0.5)) | length"});
                Ok(t.call("call_operation", call).await?["service_data"].take())
            }
    )
}

fn largest_employer() -> Task {
    task!(
        "largest-employer",
        "Which of the companies among the equity listings (common stock, not funds) has the most employees? Spend at most 30 credits. Answer with its ticker.",
        truth |w| {
            let listings = w.all("equity-listings", &[]).await?;
            let mut staff = Vec::new();
            for listing in listings.iter().filter(|row| row["security_type"] == "common_stock") {
                let ticker = text(listing, "ticker")?;
                let profile = w.one("equity-profile", &[("symbol", ticker.as_str())]).await?;
                staff.push(json!({"ticker": ticker, "staff": profile["employee_count"]}));
            }
            Ok(json!(text(largest(&staff, |row| number(row, "staff"))?, "ticker")?))
        },
        solve |t| {
            let tickers = t.jq("equity-listings", json!({"limit": 50}), r#"map(select(.security_type == "common_stock").ticker)"#).await?;
            let tickers = tickers.as_array().ok_or("no tickers")?;
            let staff = t.each("equity-profile", tickers.iter().map(|ticker| json!({"symbol": ticker})), ".employee_count").await?;
            let pairs: Vec<_> = tickers.iter().zip(staff).map(|(ticker, staff)| json!({"ticker": ticker, "staff": staff})).collect();
            Ok(json!(text(largest(&pairs, |row| number(row, "staff"))?, "ticker")?))
        },
        credits 30
    )
}

fn thrift() -> Task {
    task!(
        "thrift",
        "Of the three tokens that are largest by market value, which one's price changed least over 30 days, in percent without sign? Spend at most 8 credits. Answer with its symbol.",
        truth |w| {
            let ranked = w.all("market-ranking", &[]).await?;
            let mut changes = Vec::new();
            for row in &ranked[..3] {
                let symbol = text(row, "symbol")?;
                let rows = w.rows("market-price", &[("symbol", symbol.as_str()), ("time_range", "30d")]).await?;
                let (first, last) = rows.first().zip(rows.last()).ok_or("no rows")?;
                let change = (number(last, "value")? / number(first, "value")? - 1.0).abs();
                changes.push(json!({"symbol": symbol, "calm": -change}));
            }
            Ok(json!(text(largest(&changes, |row| number(row, "calm"))?, "symbol")?))
        },
        solve |t| {
            let symbols = t.jq("market-ranking", json!({"limit": 3}), "map(.symbol)").await?;
            let symbols = symbols.as_array().ok_or("no symbols")?;
            let arguments = symbols.iter().map(|symbol| json!({"symbol": symbol, "time_range": "30d"}));
            let changes = t.each("market-price", arguments, ".[-1].value / .[0].value - 1 | fabs").await?;
            let pairs: Vec<_> = symbols.iter().zip(changes).map(|(symbol, change)| json!({"symbol": symbol, "calm": change.as_f64().map(|change| -change)})).collect();
            Ok(json!(text(largest(&pairs, |row| number(row, "calm"))?, "symbol")?))
        },
        credits 8
    )
}

fn bank() -> Task {
    task!(
        "bank",
        "What was the gross profit of JPM in its latest reported quarter, in USD? Where the service has no such figure, say so by null. Answer with a number or null.",
        truth | w | { figure(w, "equity-income-statement", "JPM", "gross_profit").await },
        solve | t | { found(t, "equity-income-statement", "JPM", "gross_profit").await }
    )
}

fn investments() -> Task {
    task!(
        "investments",
        "By how much do the current investments of MSFT exceed those of AAPL in their latest reported balance sheets, in USD? If one of the two figures is missing, the difference is unknown: null. Answer with a number or null.",
        truth | w | {
            let one = figure(w, "equity-balance-sheet", "MSFT", "current_investments").await?;
            let other = figure(w, "equity-balance-sheet", "AAPL", "current_investments").await?;
            Ok(match one.as_f64().zip(other.as_f64()) {
                Some((one, other)) => json!(one - other),
                None => Value::Null,
            })
        },
        solve | t | {
            let program =
                r#".[0].current_investments | if .status == "available" then .value else null end"#;
            let arguments = ["MSFT", "AAPL"].map(|symbol| json!({"symbol": symbol, "limit": 1}));
            let figures = t.each("equity-balance-sheet", arguments, program).await?;
            Ok(match figures[0].as_f64().zip(figures[1].as_f64()) {
                Some((one, other)) => json!(one - other),
                None => Value::Null,
            })
        }
    )
}

fn endless() -> Task {
    task!(
        "endless",
        "How many of all ranked tokens have no maximum supply that the service knows of? Answer with a number.",
        truth | w | {
            let rows = w.all("market-ranking", &[]).await?;
            Ok(json!(rows.iter().filter(|row| row["max_supply"].is_null()).count()))
        },
        solve | t | {
            t.jq(
                "market-ranking",
                json!({"limit": 100}),
                "map(select(.max_supply == null)) | length",
            )
            .await
        }
    )
}

fn outage() -> Task {
    task!(
        "outage",
        "The service may fail for a while. What is the highest price of SOL over the last 7 days, in USD? Answer with a number.",
        truth |w| {
            let rows = w.rows("market-price", &[("symbol", "SOL"), ("time_range", "7d")]).await?;
            Ok(json!(number(largest(&rows, |row| number(row, "value"))?, "value")?))
        },
        solve |t| {
            patiently(t, "market-price", json!({"symbol": "SOL", "time_range": "7d"}), "map(.value) | max").await
        },
        fault "status=503; times=4; operation=market-price"
    )
}
