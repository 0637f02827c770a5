//! Tasks of one call.

use serde_json::json;

use crate::task::{Task, task};
use crate::world::{number, text};

pub(crate) fn tasks() -> Vec<Task> {
    vec![btc_price(), mood(), third(), funding(), gas(), staff(), spread(), max_pain(), unlocked()]
}

fn btc_price() -> Task {
    task!(
        "btc-price",
        "What is the latest price of BTC in USD? Answer with a number.",
        truth | w | {
            let rows = w.rows("market-price", &[("symbol", "BTC")]).await?;
            Ok(json!(number(rows.last().ok_or("no rows")?, "value")?))
        },
        solve | t | { t.jq("market-price", json!({"symbol": "BTC"}), ".[-1].value").await }
    )
}

fn mood() -> Task {
    task!(
        "mood",
        "How is the newest value of the fear and greed index classified? Answer with the classification.",
        truth | w | {
            let rows = w.rows("market-fear-greed", &[]).await?;
            let newest = rows.iter().max_by_key(|row| row["timestamp"].as_i64());
            Ok(json!(text(newest.ok_or("no rows")?, "classification")?))
        },
        solve | t | {
            t.jq("market-fear-greed", json!({}), "max_by(.timestamp).classification").await
        }
    )
}

fn third() -> Task {
    task!(
        "third",
        "Which token is third by market value? Answer with its symbol.",
        truth | w | {
            let rows = w.all("market-ranking", &[]).await?;
            let third = rows.iter().find(|row| row["rank"] == 3);
            Ok(json!(text(third.ok_or("nothing is third")?, "symbol")?))
        },
        solve | t | {
            t.jq("market-ranking", json!({"limit": 5}), ".[] | select(.rank == 3).symbol").await
        }
    )
}

fn funding() -> Task {
    task!(
        "funding",
        "What is the current funding rate of the ETH/USDT perpetual on Binance, as a fraction for its interval? Answer with a number.",
        truth | w | {
            let perp =
                w.one("exchange-perp", &[("pair", "ETH/USDT"), ("exchange", "binance")]).await?;
            Ok(json!(number(&perp["funding"], "funding_rate")?))
        },
        solve | t | {
            t.jq(
                "exchange-perp",
                json!({"pair": "ETH/USDT", "exchange": "binance"}),
                ".funding.funding_rate",
            )
            .await
        }
    )
}

fn gas() -> Task {
    task!(
        "gas",
        "What is the gas price on Ethereum now, in gwei? Answer with a number.",
        truth | w | {
            let gas = w.one("onchain-gas-price", &[("chain", "ethereum")]).await?;
            Ok(json!(number(&gas, "gas_price_gwei")?))
        },
        solve | t | {
            t.jq("onchain-gas-price", json!({"chain": "ethereum"}), ".gas_price_gwei").await
        }
    )
}

fn staff() -> Task {
    task!(
        "staff",
        "How many employees does Microsoft (MSFT) have? Answer with a number.",
        truth | w | {
            let profile = w.one("equity-profile", &[("symbol", "MSFT")]).await?;
            Ok(json!(number(&profile, "employee_count")?))
        },
        solve | t | { t.jq("equity-profile", json!({"symbol": "MSFT"}), ".employee_count").await }
    )
}

fn spread() -> Task {
    task!(
        "spread",
        "What is the spread between best ask and best bid of BTC/USDT on Binance, in USDT? Answer with a number.",
        truth | w | {
            let book =
                w.one("exchange-depth", &[("pair", "BTC/USDT"), ("exchange", "binance")]).await?;
            let best = |side: &str| number(&book[side][0], "price");
            Ok(json!(best("asks")? - best("bids")?))
        },
        solve | t | {
            t.jq(
                "exchange-depth",
                json!({"pair": "BTC/USDT", "exchange": "binance"}),
                ".[0].spread",
            )
            .await
        }
    )
}

fn max_pain() -> Task {
    task!(
        "max-pain",
        "What is the max pain price of BTC options on Deribit? Answer with a number.",
        truth | w | {
            let rows = w.rows("market-options", &[("symbol", "BTC")]).await?;
            let deribit = rows.iter().find(|row| row["exchange"] == "Deribit");
            Ok(json!(number(deribit.ok_or("no Deribit")?, "max_pain_price")?))
        },
        solve | t | {
            t.jq(
                "market-options",
                json!({"symbol": "BTC"}),
                r#".[] | select(.exchange == "Deribit").max_pain_price"#,
            )
            .await
        }
    )
}

fn unlocked() -> Task {
    task!(
        "unlocked",
        "What percentage of the total supply of ARB is unlocked by now? Unlocks to come do not count. Answer with a number.",
        truth | w | {
            let rows = w.rows("token-tokenomics", &[("symbol", "ARB")]).await?;
            let past = rows
                .iter()
                .filter(|row| row["timestamp"].as_i64().is_some_and(|at| at <= 1_780_000_000));
            let newest = past.max_by_key(|row| row["timestamp"].as_i64());
            Ok(json!(number(newest.ok_or("no unlock")?, "unlocked_percentage_of_total_supply")?))
        },
        solve
            | t
            | {
                let program = "map(select(.timestamp <= 1780000000)) | max_by(.timestamp).unlocked_percentage_of_total_supply";
                t.jq("token-tokenomics", json!({"symbol": "ARB"}), program).await
            }
    )
}
