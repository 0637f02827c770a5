//! Tests that SQL tables contain the same data as the responses of data operations.

use serde_json::{Value, json};

use crate::sql::same;
use crate::support::{Bench, NOW};

async fn sql(bench: &Bench, sql: &str) -> Vec<Value> {
    let more = [("sql", json!(sql)), ("max_rows", json!(10_000))];
    let seen = bench.example("onchain-sql", &more).await;
    assert_eq!(seen.status, 200, "{sql}: {}", seen.text);
    seen.json["data"].as_array().unwrap().clone()
}

async fn rows(bench: &Bench, id: &str, more: &[(&str, Value)]) -> Vec<Value> {
    let seen = bench.example(id, more).await;
    assert_eq!(seen.status, 200, "{id}: {}", seen.text);
    seen.json["data"].as_array().unwrap().clone()
}

/// Checks that the rows `a` and `b` have equal values. Each entry of `names` is a field of `a` and the compared field
/// of `b`. The numbers 2 and 2.0 are equal.
#[track_caller]
fn alike(a: &Value, b: &Value, names: &[(&str, &str)]) {
    for (left, right) in names {
        assert!(same(&a[left], &b[right]), "{left}: {} and {}", a[left], b[right]);
    }
}

fn number(row: &Value, name: &str) -> f64 {
    row[name].as_f64().unwrap_or_else(|| panic!("{name} in {row}"))
}

#[tokio::test]
async fn prices_are_those_of_the_market() {
    let bench = Bench::start().await;
    for (table, from, to) in [
        ("market_prices_day", "2026-01-10", "2026-06-10"),
        ("market_prices_hour", "2026-06-01", "2026-06-03"),
    ] {
        for symbol in ["BTC", "SOL", "PEPE"] {
            let shown = rows(
                &bench,
                "market-price",
                &[("symbol", json!(symbol)), ("from", json!(from)), ("to", json!(to))],
            )
            .await;

            let held = sql(
                &bench,
                &format!(
                    "SELECT timestamp, open FROM agent.{table} WHERE symbol = '{symbol}' AND block_date \
                     BETWEEN '{from}' AND '{to}' AND timestamp <= '{to}' ORDER BY timestamp"
                ),
            )
            .await;

            // The series value at the start of a day or hour is the opening price in the table.
            let step = if table.ends_with("day") { 86_400.0 } else { 3_600.0 };
            let shown: Vec<_> =
                shown.iter().filter(|row| number(row, "timestamp") % step == 0.0).collect();

            assert!(shown.len() > 40, "{} {table}", shown.len());
            assert_eq!(shown.len(), held.len(), "{table} {symbol}");

            for (a, b) in shown.iter().zip(&held) {
                alike(a, b, &[("timestamp", "timestamp"), ("value", "open")]);
            }
        }
    }
}

#[tokio::test]
async fn a_day_closes_where_the_next_opens_and_holds_its_hours() {
    let bench = Bench::start().await;
    let gaps = sql(
        &bench,
        "SELECT count() AS days, countIf(before != 0 AND before != open) AS gaps FROM (
           SELECT open, lagInFrame(close) OVER (PARTITION BY symbol ORDER BY timestamp) AS before
           FROM agent.market_prices_day WHERE block_date >= today() - 100)",
    )
    .await;

    assert_eq!(gaps[0]["gaps"], 0);
    assert!(gaps[0]["days"].as_i64().unwrap() > 2_500);

    let apart = sql(
        &bench,
        "SELECT count() AS n FROM agent.market_prices_day d JOIN (
           SELECT block_date, symbol, max(high) AS high, min(low) AS low, sum(volume_usd) AS usd
           FROM agent.market_prices_hour WHERE block_date BETWEEN '2026-06-01' AND '2026-06-07'
           GROUP BY block_date, symbol) h ON d.block_date = h.block_date AND d.symbol = h.symbol
         WHERE d.block_date BETWEEN '2026-06-01' AND '2026-06-07'
           AND d.high = h.high AND d.low = h.low AND d.volume_usd = h.usd",
    )
    .await;

    assert_eq!(apart[0]["n"], 7 * 26);
}

#[tokio::test]
async fn transfers_and_trades_are_those_of_the_token() {
    let bench = Bench::start().await;
    let token = rows(&bench, "search-token", &[("q", json!("UNI"))]).await[0].clone();
    let held = sql(&bench, "SELECT * FROM agent.tokens WHERE symbol = 'UNI'").await;
    for name in ["address", "chain", "symbol", "decimals"] {
        assert_eq!(token[name], held[0][name], "{name}");
    }

    let address = token["address"].as_str().unwrap();
    let asked = [
        ("address", token["address"].clone()),
        ("chain", json!("ethereum")),
        ("from", json!("2026-06-13")),
        ("limit", json!(100)),
    ];
    let shown = rows(&bench, "token-transfers", &asked).await;

    let held = sql(
        &bench,
        &format!(
            "SELECT block_time AS timestamp, token_symbol AS symbol, toString(amount) AS amount, amount_usd,
             block_number, from_address, to_address, tx_hash FROM agent.ethereum_transfers
             WHERE block_date >= '2026-06-13' AND contract_address = '{address}' ORDER BY block_time DESC"
        ),
    )
    .await;

    assert!(!shown.is_empty() && shown.len() <= held.len());

    for (a, b) in shown.iter().zip(&held) {
        for name in ["timestamp", "symbol", "amount_usd", "block_number", "from_address", "tx_hash"]
        {
            alike(a, b, &[(name, name)]);
        }
        let amounts = [a, b].map(|row| row["amount"].as_str().unwrap().parse::<f64>().unwrap());
        assert_eq!(amounts[0], amounts[1]);
    }

    let shown = rows(&bench, "token-dex-trades", &asked[..2]).await;
    let held = sql(
        &bench,
        &format!(
            "SELECT * FROM agent.ethereum_dex_trades WHERE block_date >= today() - 3 AND
             (token_bought_address = '{address}' OR token_sold_address = '{address}')
             ORDER BY block_time DESC LIMIT {}",
            shown.len()
        ),
    )
    .await;

    assert!(shown.len() >= 20);

    for (a, b) in shown.iter().zip(&held) {
        for name in [
            "block_time",
            "project",
            "token_pair",
            "amount_usd",
            "taker",
            "tx_hash",
            "token_sold_amount",
        ] {
            alike(a, b, &[(name, name)]);
        }
    }
}

#[tokio::test]
async fn tables_of_a_chain_tell_of_the_same_transactions() {
    let bench = Bench::start().await;
    let counted = sql(
        &bench,
        "WITH t AS (SELECT tx_hash, contract_address, from_address FROM agent.base_transfers
                    WHERE block_date >= today() - 5)
         SELECT count() AS n, countIf(x.hash IS NOT NULL) AS known,
                countIf(x.from_address = t.from_address) AS alike,
                (SELECT count() FROM agent.base_event_logs
                 WHERE block_date >= today() - 5 AND event_name = 'Transfer') AS logs
         FROM t LEFT JOIN (SELECT hash, from_address FROM agent.base_transactions
                           WHERE block_date >= today() - 5) x ON x.hash = t.tx_hash",
    )
    .await;
    let n = counted[0]["n"].as_i64().unwrap();

    assert!(n > 500, "{n}");

    for name in ["known", "alike", "logs"] {
        assert_eq!(counted[0][name], n, "{name}");
    }

    // Each trade has a transaction and a `Swap` event.
    let counted = sql(
        &bench,
        "WITH t AS (SELECT tx_hash, taker FROM agent.base_dex_trades WHERE block_date >= today() - 5)
         SELECT count() AS n, countIf(x.hash != '') AS known,
                countIf(x.from_address = t.taker) AS alike, countIf(l.event_name = 'Swap') AS logs
         FROM t LEFT JOIN (SELECT hash, from_address FROM agent.base_transactions
                           WHERE block_date >= today() - 5) x ON x.hash = t.tx_hash
                LEFT JOIN (SELECT tx_hash, event_name FROM agent.base_event_logs
                           WHERE block_date >= today() - 5) l ON l.tx_hash = t.tx_hash",
    )
    .await;
    let n = counted[0]["n"].as_i64().unwrap();

    assert!(n > 100, "{n}");

    for name in ["known", "alike", "logs"] {
        assert_eq!(counted[0][name], n, "{name}");
    }

    let worth = sql(
        &bench,
        "SELECT countIf(abs(amount_usd / amount / p.open - 1) > 0.3) AS odd, count() AS n
         FROM agent.ethereum_transfers t JOIN agent.market_prices_day p
           ON p.symbol = t.token_symbol AND p.block_date = t.block_date
         WHERE t.block_date BETWEEN '2026-06-01' AND '2026-06-05' AND p.block_date >= '2026-06-01'",
    )
    .await;

    assert_eq!(worth[0]["odd"], 0);
    assert!(worth[0]["n"].as_i64().unwrap() > 2_000);
}

#[tokio::test]
async fn a_transaction_is_the_one_that_is_looked_up() {
    let bench = Bench::start().await;
    for chain in ["ethereum", "base"] {
        let held = sql(
            &bench,
            &format!(
                "SELECT hash, from_address, to_address, value, gas_price, block_number, nonce \
                 FROM agent.{chain}_transactions WHERE block_date = '2026-06-10' LIMIT 5"
            ),
        )
        .await;

        assert_eq!(held.len(), 5);

        for row in held {
            let asked = [("hash", row["hash"].clone()), ("chain", json!(chain))];
            let shown = rows(&bench, "onchain-tx", &asked).await.remove(0);
            assert_eq!((&shown["from"], &shown["to"]), (&row["from_address"], &row["to_address"]));

            let hex = |name: &str| {
                let digits = shown[name].as_str().unwrap().trim_start_matches("0x");
                u128::from_str_radix(digits, 16).unwrap()
            };

            assert_eq!(hex("value").to_string(), row["value"].as_str().unwrap());

            for (member, column) in
                [("gasPrice", "gas_price"), ("blockNumber", "block_number"), ("nonce", "nonce")]
            {
                assert_eq!(hex(member), u128::from(row[column].as_u64().unwrap()), "{member}");
            }
        }
    }
}

#[tokio::test]
async fn venues_agree_with_their_endpoints() {
    let bench = Bench::start().await;
    let leader = rows(&bench, "hyperliquid-leaderboard", &[]).await[0]["address"].clone();
    let shown =
        rows(&bench, "hyperliquid-fills", &[("address", leader.clone()), ("limit", json!(100))])
            .await;
    let held = sql(
        &bench,
        &format!(
            "SELECT * FROM agent.hyperliquid_fills WHERE address = {} ORDER BY time_ms DESC, fill_id DESC LIMIT {}",
            leader.to_string().replace('"', "'"),
            shown.len()
        ),
    )
    .await;

    assert!(!shown.is_empty());

    for (a, b) in shown.iter().zip(&held) {
        for name in ["fill_id", "symbol", "side", "price", "size", "closed_pnl", "time"] {
            alike(a, b, &[(name, name)]);
        }
    }

    let trades = rows(&bench, "polymarket-trades", &[("limit", json!(50))]).await;
    let held = sql(
        &bench,
        "SELECT * FROM agent.polymarket_trades WHERE block_date >= today() - 4 ORDER BY block_time DESC",
    )
    .await;

    for trade in &trades {
        let row = held.iter().find(|row| row["tx_hash"] == trade["tx_hash"]);
        let row = row.unwrap_or_else(|| panic!("{trade}"));
        alike(trade, row, &[("amount_usd", "amount_usd"), ("taker_address", "taker_address")]);
    }

    assert!(trades.len() >= 20);

    let funding = rows(
        &bench,
        "exchange-funding-history",
        &[("pair", json!("ETH/USDT")), ("limit", json!(9))],
    )
    .await;

    let held = sql(
        &bench,
        "SELECT timestamp, funding_rate FROM agent.exchange_funding_rates
         WHERE symbol = 'ETH' AND block_date >= today() - 5 ORDER BY timestamp DESC LIMIT 9",
    )
    .await;
    for (a, b) in funding.iter().rev().zip(&held) {
        alike(a, b, &[("timestamp", "timestamp"), ("funding_rate", "funding_rate")]);
    }
}

#[tokio::test]
async fn history_is_the_same_later_and_ends_now() {
    let bench = Bench::start().await;
    let query = "SELECT count() AS n, sum(amount_usd) AS usd, max(block_time) AS last
                 FROM agent.arbitrum_transfers WHERE block_date BETWEEN '2026-06-01' AND '2026-06-10'";
    let before = sql(&bench, query).await;
    let newest = sql(
        &bench,
        "SELECT max(block_time) AS last FROM agent.arbitrum_transfers WHERE block_date >= today()",
    )
    .await;
    let last = newest[0]["last"].as_i64().unwrap();
    assert!((NOW - 7_200..=NOW).contains(&last), "{last}");
    bench.sandbox.clock().advance(std::time::Duration::from_secs(20 * 86_400));
    assert_eq!(before, sql(&bench, query).await);
}

#[tokio::test]
async fn the_schema_lists_what_can_be_read() {
    let bench = Bench::start().await;
    let tables = rows(&bench, "onchain-schema", &[]).await;
    assert!(tables.len() >= 20, "{}", tables.len());

    for table in &tables {
        let name = table["table"].as_str().unwrap();
        let columns: Vec<_> = table["columns"]
            .as_array()
            .unwrap()
            .iter()
            .map(|c| c["name"].as_str().unwrap())
            .collect();
        let is_dated = columns.contains(&"block_date");
        let filter = if is_dated { " WHERE block_date >= today() - 2" } else { "" };
        let held = sql(&bench, &format!("SELECT * FROM agent.{name}{filter} LIMIT 3")).await;

        assert!(!held.is_empty(), "{name}");

        let members: Vec<_> = held[0].as_object().unwrap().keys().map(String::as_str).collect();
        let mut sorted = columns.clone();
        sorted.sort_unstable();
        assert_eq!(members, sorted, "{name}");

        if is_dated {
            // A date is Unix seconds, as all dates and times are.
            assert_eq!(held[0]["block_date"].as_i64().unwrap() % 86_400, 0, "{name}");
        }

        assert!(table["total_rows"].as_i64().unwrap() > 0 && table["sorting_key"].is_string());
    }
}

#[tokio::test]
async fn a_year_of_a_large_table_can_be_read() {
    let bench = Bench::start().await;
    let held = sql(
        &bench,
        "SELECT toStartOfMonth(block_date) AS month, project, count() AS trades, round(sum(amount_usd)) AS usd
         FROM agent.ethereum_dex_trades WHERE block_date >= today() - 365 GROUP BY month, project
         ORDER BY month, usd DESC",
    )
    .await;
    assert!(held.len() >= 36, "{}", held.len());
}
/// Typical SQL queries of users. Each must return at least one row.
const QUESTIONS: &[&str] = &[
    "SELECT toStartOfDay(block_time) AS day, countIf(amount_usd > 10000) / count() * 100 AS pct, uniqIf(from_address, amount_usd > 1000) FROM agent.ethereum_transfers WHERE block_date >= today() - INTERVAL 7 DAY AND token_symbol IN ('USDC','UNI') GROUP BY day ORDER BY day LIMIT 3",
    "WITH daily AS (SELECT block_date AS d, sum(amount_usd) AS v FROM agent.base_dex_trades WHERE block_date BETWEEN '2026-06-01' AND '2026-06-10' GROUP BY d) SELECT d, v, round((v - lagInFrame(v) OVER (ORDER BY d)) / nullIf(lagInFrame(v) OVER (ORDER BY d), 0) * 100, 2) AS growth, avg(v) OVER (ORDER BY d ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS ma7 FROM daily ORDER BY d LIMIT 3",
    "SELECT symbol, argMax(close, timestamp) AS last, max(high) AS top, round(quantile(0.9)(volume_usd)) q, stddevPop(close) / avg(close) AS cv FROM agent.market_prices_day WHERE block_date > today() - 30 GROUP BY symbol ORDER BY cv DESC LIMIT 3",
    "SELECT t.symbol, sum(x.amount_usd) AS usd, count(*) AS n FROM agent.base_transfers AS x INNER JOIN agent.tokens AS t ON t.address = x.contract_address AND t.chain = 'base' WHERE x.block_date >= toDate('2026-06-10') GROUP BY t.symbol HAVING usd > 0 ORDER BY usd DESC",
    "SELECT multiIf(amount_usd < 1000, 'small', amount_usd < 100000, 'mid', 'whale') AS bucket, count() c, formatDateTime(min(block_time), '%Y-%m-%d') FROM agent.bsc_dex_trades WHERE block_date = yesterday() GROUP BY bucket ORDER BY c DESC",
    "SELECT from_address, groupUniqArray(token_symbol) AS tokens, length(tokens) AS k FROM agent.ethereum_transfers WHERE block_date >= today() - 1 GROUP BY from_address ORDER BY k DESC, from_address LIMIT 2",
    "SELECT date_trunc('week', block_date) w, toYYYYMM(block_date) ym, sum(flow_usd) FROM agent.market_etf_flows WHERE symbol = 'BTC' AND block_date >= '2026-05-01' GROUP BY w, ym ORDER BY w, ym LIMIT 3",
    "SELECT side, count() AS n, sum(closed_pnl - fee) AS pnl FROM agent.hyperliquid_fills WHERE time >= now() - INTERVAL 30 DAY GROUP BY side ORDER BY side",
    "SELECT project, token_pair, amount_usd FROM agent.solana_dex_trades WHERE block_date >= today() - 3 ORDER BY amount_usd DESC LIMIT 1 BY project LIMIT 5",
    "SELECT * FROM (SELECT symbol, close, row_number() OVER (PARTITION BY symbol ORDER BY timestamp DESC) AS rn FROM agent.market_prices_day WHERE block_date >= today() - 5) WHERE rn = 1 AND symbol LIKE 'A%' ORDER BY symbol",
    "SELECT category, uniq(condition_id), sum(volume_total) FROM agent.polymarket_markets GROUP BY category ORDER BY 3 DESC LIMIT 2",
    "SELECT toHour(block_time) AS h, count() FROM agent.tron_transfers WHERE block_date >= toStartOfMonth(today()) GROUP BY h ORDER BY h LIMIT 2",
    "SELECT a.d, a.v, b.v FROM (SELECT block_date d, count() v FROM agent.tron_transfers WHERE block_date >= today() - 3 GROUP BY d) a FULL OUTER JOIN (SELECT block_date d, count() v FROM agent.tron_dex_trades WHERE block_date >= today() - 2 GROUP BY d) b ON a.d = b.d ORDER BY a.d",
    "SELECT toDate(block_time) AS block_date, count() FROM agent.tron_transfers WHERE block_date >= '2026-06-13' GROUP BY block_date ORDER BY block_date",
    "SELECT toStartOfMonth(block_date) AS block_date, sum(amount_usd) AS usd FROM agent.tron_transfers WHERE block_date >= '2026-05-15' AND amount_usd > 10 GROUP BY block_date",
    "SELECT corr(a.close, b.close) FROM agent.market_prices_day a JOIN agent.market_prices_day b USING (timestamp) WHERE a.symbol = 'BTC' AND b.symbol = 'ETH' AND a.block_date >= today() - 90 AND b.block_date >= today() - 90",
    "SELECT count(DISTINCT from_address, to_address) FROM agent.base_transfers WHERE block_date >= today()",
    "SELECT count() FROM agent.tokens WHERE max_supply IS NULL AND NOT is_stablecoin",
    "SELECT sumIf(amount_usd, project = 'uniswap') AS u, sum(amount_usd) AS s, u / s AS share FROM agent.base_dex_trades WHERE block_date >= subtractDays(today(), 2)",
];

#[tokio::test]
async fn usual_questions_have_answers() {
    let bench = Bench::start().await;
    for question in QUESTIONS {
        assert!(!sql(&bench, question).await.is_empty(), "{question}");
    }
}

#[tokio::test]
async fn a_bound_on_an_alias_bounds_the_column() {
    let bench = Bench::start().await;
    let plain = "SELECT block_date AS day, count() AS n FROM agent.tron_transfers
                 WHERE block_date >= '2026-06-13' GROUP BY day ORDER BY day";
    let alias = "SELECT toDate(block_time) AS block_date, count() AS n FROM agent.tron_transfers
                 WHERE block_date >= '2026-06-13' GROUP BY block_date ORDER BY block_date";
    let (plain, alias) = (sql(&bench, plain).await, sql(&bench, alias).await);

    assert_eq!(plain.len(), 3);

    for (a, b) in plain.iter().zip(&alias) {
        alike(a, b, &[("day", "block_date"), ("n", "n")]);
    }

    // The date bound of a joined table may be in the join condition.
    let from = "FROM agent.tron_transfers a LEFT JOIN agent.tron_dex_trades b ON a.block_number = b.block_number";
    let joined = format!(
        "SELECT count() AS n {from} AND b.block_date >= '2026-06-14' WHERE a.block_date = '2026-06-14'"
    );

    assert!(sql(&bench, &joined).await[0]["n"].as_i64().unwrap() >= 144);

    let refused =
        format!("SELECT count() {from} AND a.block_date >= today() AND b.block_date >= today()");
    let refused = bench.example("onchain-sql", &[("sql", json!(refused))]).await;
    assert!(refused.text.contains("`agent.tron_transfers` needs"), "{}", refused.text);

    // In the WHERE clause, `block_date` is the alias, so a month that begins before the date is excluded.
    let months = "SELECT toStartOfMonth(block_date) AS block_date, count() AS n
                  FROM agent.tron_transfers WHERE block_date >= '2026-05-15' GROUP BY block_date";
    let months = sql(&bench, months).await;

    assert_eq!((months.len(), &months[0]["block_date"]), (1, &json!(1_780_272_000)));
}
