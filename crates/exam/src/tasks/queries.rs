//! Tasks for SQL, and one task whose first response is garbled.

use serde_json::{Value, json};

use crate::task::{Task, task};

const CLOSES: &str = "SELECT block_date, open, close FROM agent.market_prices_day WHERE symbol = 'BTC' AND block_date >= today() - 60 ORDER BY block_date";
const MOODS: &str = "SELECT block_date, value FROM agent.market_fear_greed WHERE block_date >= today() - 60 ORDER BY block_date";

pub(crate) fn tasks() -> Vec<Task> {
    vec![garbled(), sql_high(), sql_join()]
}

fn garbled() -> Task {
    task!(
        "garbled",
        "The service may garble an answer. What is the open interest of all futures of the overview together, in USD? Answer with a number.",
        truth |w| {
            let rows = w.rows("market-futures", &[]).await?;
            Ok(json!(rows.iter().filter_map(|row| row["open_interest"].as_f64()).sum::<f64>()))
        },
        solve |t| {
            let program = "sum(.open_interest)";
            match t.jq("market-futures", json!({}), program).await {
                Ok(sum) => Ok(sum),
                Err(_) => t.jq("market-futures", json!({}), program).await,
            }
        },
        fault "malformed; times=1; operation=market-futures"
    )
}

fn sql_high() -> Task {
    task!(
        "sql-high",
        "By the daily prices in the SQL tables: what was the highest daily close of BTC on the days since 60 days before today, in USD? Answer with a number.",
        truth | w | {
            let rows = w.sql(CLOSES).await?;
            let closes = rows.iter().filter_map(|row| row["close"].as_f64());
            Ok(json!(closes.fold(f64::MIN, f64::max)))
        },
        solve
            | t
            | {
                let query = "SELECT max(close) AS high FROM agent.market_prices_day WHERE symbol = 'BTC' AND block_date >= today() - 60";
                t.sql(query, ".[0].high").await
            }
    )
}

fn sql_join() -> Task {
    task!(
        "sql-join",
        "By the SQL tables: on how many of the days since 60 days before today was the fear and greed index at 50 or more while BTC closed above its open? Answer with a number.",
        truth | w | {
            let (prices, moods) = (w.sql(CLOSES).await?, w.sql(MOODS).await?);
            let rose = |day: &Value| {
                prices.iter().any(|row| {
                    let above = row["close"].as_f64() > row["open"].as_f64();
                    row["block_date"] == *day && above
                })
            };
            let good = moods
                .iter()
                .filter(|row| row["value"].as_f64() >= Some(50.0) && rose(&row["block_date"]));
            Ok(json!(good.count()))
        },
        solve
            | t
            | {
                let query = "SELECT count() AS days FROM agent.market_fear_greed AS mood \
                    INNER JOIN agent.market_prices_day AS price ON mood.block_date = price.block_date \
                    WHERE mood.block_date >= today() - 60 AND price.block_date >= today() - 60 \
                    AND price.symbol = 'BTC' AND mood.value >= 50 AND price.close > price.open";
                t.sql(query, ".[0].days").await
            }
    )
}
