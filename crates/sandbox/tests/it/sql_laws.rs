//! Tests that SQL tables and data operations return equal data, for several random seeds and times.

use crypto_intel_sandbox::{Clock, UnixSeconds};
use serde_json::{Value, json};

use crate::sql::same;
use crate::support::{Bench, NOW, builder, operation, rows};

/// Pairs of a random seed and a Unix time. The first time is [`NOW`], the second time is on a Sunday, and the third
/// time is in the first hours of a year.
pub(crate) const WORLDS: [(u64, i64); 3] = [(1, NOW), (42, 1_773_570_000), (7, 1_767_236_400)];

pub(crate) async fn world((seed, now): (u64, i64)) -> Bench {
    let clock = Clock::stopped_at(UnixSeconds(now));
    Bench::from_builder(builder().seed(seed).clock(clock).key("sk-rich", 100_000_000)).await
}

pub(crate) async fn sql(bench: &Bench, sql: &str) -> Vec<Value> {
    let more = [("sql", json!(sql)), ("max_rows", json!(10_000))];
    let seen = bench.example("onchain-sql", &more).await;
    assert_eq!(seen.status, 200, "{sql}: {}", seen.text);
    rows(&seen.json).clone()
}

#[tokio::test]
async fn activity_is_what_the_trades_of_the_chain_add_up_to() {
    for place in WORLDS {
        let bench = world(place).await;
        for (chain, project) in [("ethereum", "uniswap"), ("base", "curve"), ("bsc", "aerodrome")] {
            let values = [
                ("chain", json!(chain)),
                ("project", json!(project)),
                ("group_by", json!("day")),
                ("from", json!(place.1 - place.1.rem_euclid(86_400) - 5 * 86_400)),
            ];
            let shown = bench.call(operation("onchain-dex-activity"), &values).await;
            let held = sql(
                &bench,
                &format!(
                    "SELECT toUnixTimestamp(toStartOfDay(block_time)) AS timestamp, count() AS trades,
                            sum(amount_usd) AS volume_usd, uniqExact(taker) AS active_traders
                     FROM agent.{chain}_dex_trades
                     WHERE block_date >= today() - 5 AND project = '{project}'
                     GROUP BY timestamp ORDER BY timestamp"
                ),
            )
            .await;

            assert!(held.len() >= 5, "{chain}: {}", held.len());
            let shown: Vec<_> = rows(&shown.json).iter().filter(|row| row["trades"] != 0).collect();
            assert_eq!(shown.len(), held.len(), "{place:?} {chain} {project}");
            for (shown, held) in shown.iter().zip(&held) {
                for name in ["timestamp", "trades", "volume_usd", "active_traders"] {
                    assert!(
                        same(&shown[name], &held[name]),
                        "{place:?} {name}: {shown} and {held}"
                    );
                }
            }
        }
    }
}

#[tokio::test]
async fn each_trade_and_transfer_has_its_transaction_and_its_event() {
    for place in WORLDS {
        let bench = world(place).await;
        for chain in ["ethereum", "arbitrum", "solana"] {
            for (table, sender) in [("dex_trades", "taker"), ("transfers", "from_address")] {
                let counted = sql(
                    &bench,
                    &format!(
                        "WITH t AS (SELECT tx_hash, {sender} AS sender FROM agent.{chain}_{table}
                                    WHERE block_date >= today() - 2)
                         SELECT count() AS n, countIf(x.from_address = t.sender) AS sent,
                                countIf(l.tx_hash != '') AS told
                         FROM t LEFT JOIN (SELECT hash, from_address FROM agent.{chain}_transactions
                                           WHERE block_date >= today() - 2) x ON x.hash = t.tx_hash
                                LEFT JOIN (SELECT tx_hash FROM agent.{chain}_event_logs
                                           WHERE block_date >= today() - 2) l ON l.tx_hash = t.tx_hash"
                    ),
                )
                .await;

                let n = &counted[0]["n"];
                assert!(n.as_i64().is_some_and(|n| n > 20), "{place:?} {chain} {table}: {n}");
                assert_eq!(&counted[0]["sent"], n, "{place:?} {chain} {table}");
                assert_eq!(&counted[0]["told"], n, "{place:?} {chain} {table}");
            }
        }
    }
}
