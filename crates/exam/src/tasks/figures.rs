//! Tasks of one call and some arithmetic.

use serde_json::{Value, json};

use crate::task::{Task, task};
use crate::world::{largest, number, text};

pub(crate) fn tasks() -> Vec<Task> {
    vec![
        mean_week(),
        fearful_days(),
        best_inflow(),
        liquidated_most(),
        short_share(),
        negative_funding(),
        crowded(),
        below_high(),
        median_day(),
    ]
}

fn mean_week() -> Task {
    task!(
        "mean-week",
        "What is the mean of all price points of BTC over the last 7 days, in USD? Answer with a number.",
        truth | w | {
            let rows = w.rows("market-price", &[("symbol", "BTC"), ("time_range", "7d")]).await?;
            let mut sum = 0.0;
            for row in &rows {
                sum += number(row, "value")?;
            }
            Ok(json!(
                sum / f64::from(u32::try_from(rows.len()).map_err(|error| error.to_string())?)
            ))
        },
        solve | t | {
            t.jq("market-price", json!({"symbol": "BTC", "time_range": "7d"}), "mean(.value)").await
        }
    )
}

fn fearful_days() -> Task {
    task!(
        "fearful-days",
        "On how many days of the last year, as far as the index is given without asking for a range, was the fear and greed index in \"Extreme Fear\"? Answer with a number.",
        truth | w | {
            let rows = w.rows("market-fear-greed", &[]).await?;
            Ok(json!(rows.iter().filter(|row| row["classification"] == "Extreme Fear").count()))
        },
        solve | t | {
            t.jq(
                "market-fear-greed",
                json!({}),
                r#"map(select(.classification == "Extreme Fear")) | length"#,
            )
            .await
        }
    )
}

fn best_inflow() -> Task {
    task!(
        "best-inflow",
        "What was the largest net inflow of one day into the BTC ETFs in the history that the service gives by default, in USD? Answer with a number.",
        truth | w | {
            let rows = w.rows("market-etf", &[("symbol", "BTC")]).await?;
            Ok(json!(number(largest(&rows, |row| number(row, "flow_usd"))?, "flow_usd")?))
        },
        solve | t | { t.jq("market-etf", json!({"symbol": "BTC"}), "map(.flow_usd) | max").await }
    )
}

fn liquidated_most() -> Task {
    task!(
        "liquidated-most",
        "On which exchange was most BTC liquidated in the time that the service reports by default? Answer with the exchange.",
        truth | w | {
            let rows = w.rows("market-liquidation-exchange-list", &[("symbol", "BTC")]).await?;
            Ok(json!(text(largest(&rows, |row| number(row, "liquidation_usd"))?, "exchange")?))
        },
        solve | t | {
            t.jq(
                "market-liquidation-exchange-list",
                json!({"symbol": "BTC"}),
                "max_by(.liquidation_usd).exchange",
            )
            .await
        }
    )
}

fn short_share() -> Task {
    task!(
        "short-share",
        "Which part of all BTC liquidations, over all exchanges in the default time, were shorts? Answer with a number between 0 and 1.",
        truth | w | {
            let rows = w.rows("market-liquidation-exchange-list", &[("symbol", "BTC")]).await?;
            let (mut short, mut all) = (0.0, 0.0);
            for row in &rows {
                short += number(row, "short_liquidation_usd")?;
                all += number(row, "liquidation_usd")?;
            }
            Ok(json!(short / all))
        },
        solve | t | {
            t.jq(
                "market-liquidation-exchange-list",
                json!({"symbol": "BTC"}),
                "sum(.short_liquidation_usd) / sum(.liquidation_usd)",
            )
            .await
        }
    )
}

fn negative_funding() -> Task {
    task!(
        "negative-funding",
        "How many tokens of the futures overview have a negative funding rate? Answer with a number.",
        truth | w | {
            let rows = w.rows("market-futures", &[]).await?;
            let negative =
                |row: &&Value| row["funding_rate"].as_f64().is_some_and(|rate| rate < 0.0);
            Ok(json!(rows.iter().filter(negative).count()))
        },
        solve | t | {
            t.jq(
                "market-futures",
                json!({}),
                "map(select(.funding_rate != null and .funding_rate < 0)) | length",
            )
            .await
        }
    )
}

fn crowded() -> Task {
    task!(
        "crowded",
        "Which token of the futures overview has the highest long/short ratio? Answer with its symbol.",
        truth | w | {
            let rows = w.rows("market-futures", &[]).await?;
            let ratio = |row: &Value| Ok(row["long_short_ratio"].as_f64().unwrap_or(f64::MIN));
            Ok(json!(text(largest(&rows, ratio)?, "symbol")?))
        },
        solve | t | {
            t.jq("market-futures", json!({}), "top(1; .long_short_ratio)[0].symbol").await
        }
    )
}

fn below_high() -> Task {
    task!(
        "below-high",
        "Which of all ranked tokens stands furthest below its all-time high, in percent of it? Answer with its symbol.",
        truth | w | {
            let rows = w.all("market-ranking", &[]).await?;
            let fall = |row: &Value| Ok(1.0 - number(row, "price_usd")? / number(row, "ath")?);
            Ok(json!(text(largest(&rows, fall)?, "symbol")?))
        },
        solve | t | {
            t.jq("market-ranking", json!({"limit": 100}), "min_by(.price_usd / .ath).symbol").await
        }
    )
}

fn median_day() -> Task {
    task!(
        "median-day",
        "What is the median 24-hour price change over all ranked tokens, in percent? Answer with a number.",
        truth | w | {
            let rows = w.all("market-ranking", &[]).await?;
            let mut changes =
                rows.iter().filter_map(|row| row["change_24h_pct"].as_f64()).collect::<Vec<_>>();
            changes.sort_by(f64::total_cmp);
            let middle = changes.len() / 2;
            let median = if changes.len() % 2 == 1 {
                changes[middle]
            } else {
                (changes[middle - 1] + changes[middle]) / 2.0
            };
            Ok(json!(median))
        },
        solve | t | {
            t.jq("market-ranking", json!({"limit": 100}), "median(.change_24h_pct)").await
        }
    )
}
