//! Tests that each SQL table has the number of rows that the operation `onchain-schema` reports, also if a chain
//! is unavailable.

use std::time::Duration;

use crypto_intel_sandbox::Scenario;
use serde_json::{Value, json};

use crate::sql_laws::{WORLDS, sql, world};
use crate::support::{Bench, rows};

/// Number of days before today for which a large table has rows.
const REACH: i64 = 5 * 365;
/// Number of consecutive sample days. For each large table, the test counts the rows of each sample day.
const SAMPLE: i64 = 8;

const OF_CHAINS: [&str; 4] = ["transfers", "dex_trades", "transactions", "event_logs"];

async fn number(bench: &Bench, query: &str) -> i64 {
    sql(bench, query).await[0]["n"].as_i64().unwrap()
}

/// Returns the number of rows of a table between two dates. `from` and `to` are numbers of days before today.
async fn between(bench: &Bench, table: &str, from: i64, to: i64) -> i64 {
    let days = format!("block_date BETWEEN today() - {from} AND today() - {to}");
    number(bench, &format!("SELECT count() AS n FROM agent.{table} WHERE {days}")).await
}

/// Computes the number of rows of a large table. A query can read at most one year, so this function counts the rows of
/// the first days, of the last days, and of [`SAMPLE`] sample days between them. All sample days must have the same
/// number of rows. The function assumes this number for the days that it did not read. `sample` is the age of the
/// newest sample day in days.
async fn of_large(bench: &Bench, table: &str, sample: i64) -> i64 {
    const EDGE: i64 = 4;
    let first = between(bench, table, REACH + 30, REACH - EDGE).await;
    let last = between(bench, table, EDGE, 0).await;

    let day = sql(
        bench,
        &format!(
            "SELECT block_date, count() AS n FROM agent.{table}
             WHERE block_date BETWEEN today() - {} AND today() - {sample} GROUP BY block_date",
            sample + SAMPLE - 1
        ),
    )
    .await;
    assert_eq!(day.len() as i64, SAMPLE, "{table}");
    assert!(day.iter().all(|row| row["n"] == day[0]["n"]), "{table}: {day:?}");

    let inside = REACH - EDGE - EDGE - 1;
    first + inside * day[0]["n"].as_i64().unwrap() + last
}

/// Returns a message for each table whose number of rows differs from the number in the schema.
async fn miscounted(bench: &Bench, sample: i64) -> Vec<String> {
    let schema = bench.example("onchain-schema", &[]).await.json;
    assert_eq!(schema["meta"]["total"], rows(&schema).len());

    let mut wrong = Vec::new();
    for table in rows(&schema) {
        let name = table["table"].as_str().unwrap();
        let is_large = OF_CHAINS.iter().any(|kind| name.ends_with(kind));
        let counted = if is_large {
            of_large(bench, name, sample).await
        } else {
            number(bench, &format!("SELECT count() AS n FROM agent.{name}")).await
        };
        let told = table["total_rows"].as_i64().unwrap();
        if told != counted {
            wrong.push(format!("{name}: {told} told, {counted} counted"));
        }
    }
    wrong
}

#[tokio::test]
async fn the_schema_tells_how_many_rows_each_table_has() {
    // The number of ended prediction markets differs between these seeds and times.
    for (n, place) in WORLDS.into_iter().chain([(3, 1_735_689_600), (9, 1_830_297_641)]).enumerate()
    {
        let bench = world(place).await;
        let wrong = miscounted(&bench, 40 + 300 * n as i64).await;
        assert!(wrong.is_empty(), "{place:?}: {wrong:#?}");
    }
}

/// Counts the rows of two large tables year by year. The sum for each table must equal its `total_rows` in the response
/// of `onchain-schema`. The two tables have fewer rows than most other large tables.
#[tokio::test]
async fn years_of_a_large_table_add_up_to_what_the_schema_tells() {
    for place in WORLDS {
        let bench = world(place).await;
        let schema = bench.example("onchain-schema", &[]).await.json;
        for kind in ["dex_trades", "transfers"] {
            let name = format!("tron_{kind}");
            let table = rows(&schema).iter().find(|table| table["table"] == name.as_str());
            let mut counted = 0;
            for year in 0..6 {
                counted += between(&bench, &name, 365 * year + 364, 365 * year).await;
            }
            assert_eq!(table.unwrap()["total_rows"], counted, "{place:?} {name}");
        }
    }
}

#[tokio::test]
async fn the_tables_of_a_chain_end_when_it_cannot_be_read_any_more() {
    for (place, chain, other) in
        [(WORLDS[0], "ethereum", "base"), (WORLDS[1], "solana", "ethereum")]
    {
        let bench = world(place).await;
        let since = place.1;
        let day = jiff::Timestamp::from_second(since - 3 * 86_400).unwrap().strftime("%F");
        let told = async |chain: &str, kind: &str| {
            let query = format!(
                "SELECT count() AS n, countIf(block_time <= {since}) AS before,
                        max(toUnixTimestamp(block_time)) AS last
                 FROM agent.{chain}_{kind} WHERE block_date >= '{day}'"
            );
            let row = sql(&bench, &query).await.remove(0);
            ["n", "before", "last"].map(|name| row[name].as_i64().unwrap())
        };

        let mut before = Vec::new();
        for kind in OF_CHAINS {
            before.push(told(chain, kind).await);
        }
        bench.sandbox.play(Scenario::chain_outage(chain).unwrap());
        bench.sandbox.clock().advance(Duration::from_secs(2 * 86_400 + 7_000));

        for (kind, before) in OF_CHAINS.into_iter().zip(before) {
            assert_eq!(told(chain, kind).await, before, "{chain}_{kind}");
            let [n, before, last] = told(other, kind).await;
            assert!(n > before && last > since + 86_400, "{other}_{kind}: {n} {before} {last}");
        }
        let wrong = miscounted(&bench, 100).await;
        assert!(wrong.is_empty(), "{chain}: {wrong:#?}");

        // The data endpoints do not return data of the unavailable chain either.
        let refused = bench.example("token-transfers", &[("chain", json!(chain))]).await;
        assert_eq!((refused.status, &refused.json["data"]), (502, &Value::Null));

        bench.sandbox.end(Scenario::chain_outage(chain).unwrap());
        let [n, before, _] = told(chain, "transfers").await;
        assert!(n > before, "what is over is over");
    }
}
