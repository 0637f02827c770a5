//! Tasks of several calls: compare, rank, join, find the exception.

use serde_json::{Value, json};

use crate::task::{Task, task};
use crate::world::{World, largest, number, text};

/// Relative price change of a token over 30 days.
async fn change(w: &World, symbol: &str) -> Result<f64, String> {
    let rows = w.rows("market-price", &[("symbol", symbol), ("time_range", "30d")]).await?;
    let (first, last) = rows.first().zip(rows.last()).ok_or("no rows")?;
    Ok(number(last, "value")? / number(first, "value")? - 1.0)
}

/// The name with the largest figure.
fn best(names: &[&str], figures: &[Value]) -> Result<Value, String> {
    let pairs: Vec<_> = names
        .iter()
        .zip(figures)
        .map(|(name, figure)| json!({"name": name, "figure": figure}))
        .collect();
    Ok(json!(text(largest(&pairs, |pair| number(pair, "figure"))?, "name")?))
}

pub(crate) fn tasks() -> Vec<Task> {
    vec![
        leader(),
        turnover(),
        leverage(),
        revenue(),
        fees(),
        fund(),
        momentum(),
        odd_one(),
        rank_gap(),
        whales(),
        venue(),
    ]
}

fn leader() -> Task {
    task!(
        "leader",
        "Which of BTC, ETH and SOL gained most, or lost least, over the last 30 days, in percent? Answer with its symbol.",
        truth | w | {
            let names = ["BTC", "ETH", "SOL"];
            let mut changes = Vec::new();
            for name in names {
                changes.push(json!(change(w, name).await?));
            }
            best(&names, &changes)
        },
        solve | t | {
            let names = ["BTC", "ETH", "SOL"];
            let arguments = names.map(|symbol| json!({"symbol": symbol, "time_range": "30d"}));
            best(&names, &t.each("market-price", arguments, ".[-1].value / .[0].value").await?)
        }
    )
}

fn turnover() -> Task {
    task!(
        "turnover",
        "Which of the ten tokens that are largest by market value has the highest 24-hour volume as a part of its market value? Answer with its symbol.",
        truth | w | {
            let rows = w.all("market-ranking", &[]).await?;
            let ten: Vec<_> = rows
                .into_iter()
                .filter(|row| row["rank"].as_i64().is_some_and(|rank| rank <= 10))
                .collect();
            let part =
                |row: &Value| Ok(number(row, "volume_24h_usd")? / number(row, "market_cap_usd")?);
            Ok(json!(text(largest(&ten, part)?, "symbol")?))
        },
        solve | t | {
            t.jq(
                "market-ranking",
                json!({"limit": 10}),
                "max_by(.volume_24h_usd / .market_cap_usd).symbol",
            )
            .await
        }
    )
}

fn leverage() -> Task {
    task!(
        "leverage",
        "Which token has the highest futures open interest as a part of its market value? Answer with its symbol.",
        truth | w | {
            let ranked = w.all("market-ranking", &[]).await?;
            let futures = w.rows("market-futures", &[]).await?;
            let joined: Vec<_> = futures
                .iter()
                .filter_map(|future| {
                    let ranked = ranked.iter().find(|row| row["symbol"] == future["symbol"])?;
                    let part =
                        future["open_interest"].as_f64()? / ranked["market_cap_usd"].as_f64()?;
                    Some(json!({"symbol": future["symbol"], "part": part}))
                })
                .collect();
            Ok(json!(text(largest(&joined, |row| number(row, "part"))?, "symbol")?))
        },
        solve
            | t
            | {
                let caps = t
                    .jq(
                        "market-ranking",
                        json!({"limit": 100}),
                        "map({(.symbol): .market_cap_usd}) | add",
                    )
                    .await?;
                let program = format!(
                    "{caps} as $caps | map(select($caps[.symbol] != null and .open_interest != null)) | max_by(.open_interest / $caps[.symbol]).symbol"
                );
                t.jq("market-futures", json!({}), &program).await
            }
    )
}

fn revenue() -> Task {
    task!(
        "revenue",
        "Which of AAPL, MSFT, GOOGL and AMZN had the highest revenue in its latest reported quarter? Answer with its symbol.",
        truth | w | {
            let names = ["AAPL", "MSFT", "GOOGL", "AMZN"];
            let mut figures = Vec::new();
            for name in names {
                let rows = w.rows("equity-income-statement", &[("symbol", name)]).await?;
                let newest =
                    rows.iter().max_by_key(|row| row["report_period"].as_str().map(str::to_owned));
                figures.push(newest.ok_or("no statement")?["revenue"]["value"].clone());
            }
            best(&names, &figures)
        },
        solve | t | {
            let names = ["AAPL", "MSFT", "GOOGL", "AMZN"];
            let arguments = names.map(|symbol| json!({"symbol": symbol, "limit": 1}));
            best(&names, &t.each("equity-income-statement", arguments, ".[0].revenue.value").await?)
        }
    )
}

fn fees() -> Task {
    task!(
        "fees",
        "Which of the 20 DeFi projects with the highest TVL earns the most fees as a part of its TVL? Answer with its name.",
        truth | w | {
            let rows = w.all("project-defi-ranking", &[("metric", "tvl")]).await?;
            let part =
                |row: &Value| Ok(row["fees"].as_f64().unwrap_or_default() / number(row, "tvl")?);
            Ok(json!(text(largest(&rows[..20.min(rows.len())], part)?, "name")?))
        },
        solve | t | {
            t.jq(
                "project-defi-ranking",
                json!({"metric": "tvl", "limit": 20}),
                "map(select(.fees != null)) | max_by(.fees / .tvl).name",
            )
            .await
        }
    )
}

fn fund() -> Task {
    task!(
        "fund",
        "Take the fund that has invested in most projects; of several such funds the first by name. In how many of the investments of its portfolio was it the lead? Answer with a list: the name of the fund, the number.",
        truth | w | {
            let mut funds = w.all("fund-ranking", &[("metric", "tier")]).await?;
            let count = |row: &Value| row["invested_projects_count"].as_i64().unwrap_or_default();
            let name = |row: &Value| row["name"].as_str().unwrap_or_default().to_owned();
            funds.sort_by_key(|row| (-count(row), name(row)));
            let fund = funds.first().ok_or("no funds")?;

            let id = text(fund, "id")?;
            let portfolio = w.all("fund-portfolio", &[("id", id.as_str())]).await?;
            let led = portfolio.iter().filter(|row| row["is_lead"] == true).count();
            Ok(json!([fund["name"], led]))
        },
        solve | t | {
            let program = "sort_by([-.invested_projects_count, .name])[0] | [.id, .name]";
            let fund =
                t.jq("fund-ranking", json!({"metric": "tier", "limit": 100}), program).await?;
            let led = t
                .jq(
                    "fund-portfolio",
                    json!({"id": fund[0], "limit": 100}),
                    "map(select(.is_lead)) | length",
                )
                .await?;
            Ok(json!([fund[1], led]))
        }
    )
}

fn momentum() -> Task {
    task!(
        "momentum",
        "Which of BTC, ETH and SOL has the highest newest daily RSI? Answer with its symbol.",
        truth | w | {
            let names = ["BTC", "ETH", "SOL"];
            let mut figures = Vec::new();
            for symbol in names {
                let rows = w
                    .rows(
                        "market-price-indicator",
                        &[("symbol", symbol), ("indicator", "rsi"), ("interval", "1d")],
                    )
                    .await?;
                let newest = rows.iter().max_by_key(|row| row["timestamp"].as_i64());
                figures.push(newest.ok_or("no rows")?["value"].clone());
            }
            best(&names, &figures)
        },
        solve | t | {
            let names = ["BTC", "ETH", "SOL"];
            let arguments =
                names.map(|symbol| json!({"symbol": symbol, "indicator": "rsi", "interval": "1d"}));
            best(
                &names,
                &t.each("market-price-indicator", arguments, "max_by(.timestamp).value").await?,
            )
        }
    )
}

fn odd_one() -> Task {
    task!(
        "odd-one",
        "Three of BTC, ETH, QZX and SOL are tokens that the service has prices of; which is not? Answer with its symbol.",
        truth | w | {
            for symbol in ["BTC", "ETH", "QZX", "SOL"] {
                if !w.knows("market-price", &[("symbol", symbol)]).await {
                    return Ok(json!(symbol));
                }
            }
            Err("all are known".to_owned())
        },
        solve | t | {
            let names = ["BTC", "ETH", "QZX", "SOL"];
            let found = t
                .each("market-price", names.map(|symbol| json!({"symbol": symbol})), "length")
                .await?;
            let odd = names.iter().zip(found).find(|(_, found)| found.is_null());
            odd.map(|(name, _)| json!(name)).ok_or_else(|| "all are known".to_owned())
        }
    )
}

fn rank_gap() -> Task {
    task!(
        "rank-gap",
        "By how many places does the rank of Ethereum by TVL among DeFi projects differ from its rank by market value among tokens? Answer with a number, without sign.",
        truth | w | {
            let place = |rows: &[Value]| {
                rows.iter().position(|row| row["slug"] == "ethereum").ok_or("not ranked")
            };
            let tvl = place(&w.all("project-defi-ranking", &[("metric", "tvl")]).await?)?;
            let value = place(&w.all("market-ranking", &[]).await?)?;
            Ok(json!(tvl.abs_diff(value)))
        },
        solve | t | {
            let program = r#"map(.slug) | index("ethereum")"#;
            let tvl = t
                .jq("project-defi-ranking", json!({"metric": "tvl", "limit": 100}), program)
                .await?;
            let value = t.jq("market-ranking", json!({"limit": 100}), program).await?;
            let (tvl, value) = tvl.as_u64().zip(value.as_u64()).ok_or("not ranked")?;
            Ok(json!(tvl.abs_diff(value)))
        }
    )
}

fn whales() -> Task {
    task!(
        "whales",
        "What percentage of the token 0x2222222222222222222222222222222222222222 on Ethereum do its ten largest holders have together? Answer with a number.",
        truth | w | {
            let token = "0x2222222222222222222222222222222222222222";
            let rows = w
                .rows(
                    "token-holders",
                    &[("address", token), ("chain", "ethereum"), ("limit", "10")],
                )
                .await?;
            let mut sum = 0.0;
            for row in &rows {
                sum += number(row, "percentage")?;
            }
            Ok(json!(sum))
        },
        solve
            | t
            | {
                let arguments = json!({"address": "0x2222222222222222222222222222222222222222", "chain": "ethereum", "limit": 10});
                t.jq("token-holders", arguments, "sum(.percentage)").await
            }
    )
}

fn venue() -> Task {
    task!(
        "venue",
        "On which of the exchanges binance, okx, bybit and kraken is the 24-hour volume of BTC/USDT the highest? Answer with the exchange.",
        truth | w | {
            let names = ["binance", "okx", "bybit", "kraken"];
            let mut figures = Vec::new();
            for exchange in names {
                let ticker = w
                    .one("exchange-price", &[("pair", "BTC/USDT"), ("exchange", exchange)])
                    .await?;
                figures.push(ticker["volume_24h_base"].clone());
            }
            best(&names, &figures)
        },
        solve | t | {
            let names = ["binance", "okx", "bybit", "kraken"];
            let arguments = names.map(|exchange| json!({"pair": "BTC/USDT", "exchange": exchange}));
            best(&names, &t.each("exchange-price", arguments, ".[0].volume_24h_base").await?)
        }
    )
}
