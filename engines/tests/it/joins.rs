//! Tests joins on a required parameter. Each join must return the same rows as a join of tables in memory. The tables
//! in memory contain all rows that the join needs. The join must send one request for each distinct value of the
//! parameter. Different spellings of a ticker, such as `btc` and `BTC`, count as one value.

use arrow::util::pretty::pretty_format_batches;

use crate::service::{ByHand, Case, Service, lines};

const BTC: ByHand = ("market-price", &[("symbol", "BTC")]);
const ETH: ByHand = ("market-price", &[("symbol", "ETH")]);
const BTC_WEEK: ByHand = ("market-price", &[("symbol", "BTC"), ("time_range", "7d")]);
const ETH_WEEK: ByHand = ("market-price", &[("symbol", "ETH"), ("time_range", "7d")]);
const ETF: ByHand = ("market-etf", &[("symbol", "BTC")]);
const ETF_OF_ETH: ByHand = ("market-etf", &[("symbol", "ETH")]);

const CASES: &[Case] = &[
    Case {
        sql: "SELECT r.symbol, n, value FROM (VALUES ('BTC', 1), ('ETH', 2)) r (symbol, n) \
              JOIN market_price p ON p.symbol = r.symbol",
        calls: &[BTC, ETH],
        requests: 2,
    },
    // The table that lacks the parameter may be on either side of the join.
    Case {
        sql: "SELECT * FROM market_price p JOIN (VALUES ('BTC', 1), ('ETH', 2)) r (symbol, n) \
              ON r.symbol = p.symbol",
        calls: &[BTC, ETH],
        requests: 2,
    },
    Case {
        sql: "SELECT n, count(value) FROM market_price p RIGHT JOIN (VALUES ('BTC', 1), (NULL, 2)) \
              r (symbol, n) USING (symbol) GROUP BY n",
        calls: &[BTC],
        requests: 1,
    },
    // Equal values cause only one request.
    Case {
        sql: "SELECT n, count(*) FROM (VALUES ('BTC', 1), ('ETH', 2), ('BTC', 3), ('BTC', 4)) \
              r (symbol, n) JOIN market_price p ON p.symbol = r.symbol GROUP BY n",
        calls: &[BTC, ETH],
        requests: 2,
    },
    // NULL causes no request. A ticker that the service does not find returns no rows.
    Case {
        sql: "SELECT r.symbol, count(value), count(*) FROM (VALUES ('BTC'), (NULL), ('NOTACOIN')) \
              r (symbol) LEFT JOIN market_price p ON p.symbol = r.symbol GROUP BY r.symbol",
        calls: &[BTC],
        requests: 2,
    },
    Case {
        sql: "SELECT r.symbol, count(value) FROM (VALUES ('BTC'), ('ETH')) r (symbol) \
              LEFT JOIN market_price p ON p.symbol = r.symbol AND p.value > 10000 GROUP BY r.symbol",
        calls: &[BTC, ETH],
        requests: 2,
    },
    Case {
        sql: "SELECT value FROM (VALUES (CAST(NULL AS VARCHAR))) r (symbol) \
              JOIN market_price p ON p.symbol = r.symbol",
        calls: &[BTC],
        requests: 0,
    },
    // The join sets one parameter, and literals set the others.
    Case {
        sql: "SELECT r.symbol, timestamp, value FROM (VALUES ('BTC'), ('ETH')) r (symbol) \
              JOIN market_price p ON p.symbol = r.symbol WHERE p.time_range = '7d'",
        calls: &[BTC_WEEK, ETH_WEEK],
        requests: 2,
    },
    // Values of the joined table set all parameters of a call.
    Case {
        sql: "SELECT p.time_range, n, count(*) \
              FROM (VALUES ('BTC', '7d', 1), ('ETH', '7d', 2), ('BTC', '7d', 3)) r (symbol, t, n) \
              JOIN market_price p ON p.symbol = r.symbol AND p.time_range = r.t GROUP BY 1, 2",
        calls: &[BTC_WEEK, ETH_WEEK],
        requests: 2,
    },
    Case {
        sql: "SELECT timestamp, value FROM market_price \
              WHERE symbol IN (SELECT symbol FROM (VALUES ('BTC'), ('BTC')) r (symbol))",
        calls: &[BTC],
        requests: 1,
    },
    Case {
        sql: "SELECT r.symbol, highest FROM (VALUES ('BTC'), ('ETH')) r (symbol) JOIN \
              (SELECT symbol, max(value) AS highest FROM market_price WHERE value > 10 GROUP BY symbol) p \
              ON p.symbol = r.symbol",
        calls: &[BTC, ETH],
        requests: 2,
    },
    Case {
        sql: "SELECT r.symbol, count(*) FROM (VALUES ('BTC'), ('ETH')) r (symbol) \
              JOIN market_price p ON p.symbol = r.symbol \
              JOIN market_etf e ON e.symbol = p.symbol GROUP BY r.symbol",
        calls: &[BTC, ETH, ETF, ETF_OF_ETH],
        requests: 4,
    },
];

#[tokio::test]
async fn rows_and_requests_of_joins_are_exact() {
    let service = Service::start().await;
    service.check(CASES).await;
}

#[tokio::test]
async fn values_come_from_a_table_of_the_service() {
    let service = Service::start().await;
    let query = service.engine.query().start().await.unwrap();
    let one = "SELECT DISTINCT symbol FROM market_futures";
    let symbols = query.sql(one).await.unwrap().count().await.unwrap();
    assert!(symbols > 10, "{symbols}");

    let sql = "SELECT f.symbol, max(p.value) FROM market_futures f \
               JOIN market_price p ON p.symbol = f.symbol GROUP BY f.symbol";
    let joined = query.sql(sql).await.unwrap().count().await.unwrap();
    assert_eq!((joined, service.sandbox.requests().len()), (symbols, symbols + 1));
}

#[tokio::test]
async fn ticker_of_a_join_keeps_the_spelling_of_the_joined_table() {
    let service = Service::start().await;
    let query = service.engine.query().start().await.unwrap();
    let sql = "SELECT r.symbol, p.symbol, count(*) > 0 FROM (VALUES ('btc'), ('BTC')) r (symbol) \
               JOIN market_price p ON p.symbol = r.symbol GROUP BY 1, 2";
    let rows = query.sql(sql).await.unwrap().collect().await.unwrap();

    let rows: Vec<_> = lines(&rows).iter().map(|line| line.replace(' ', "")).collect();
    assert_eq!(rows[..2], ["|BTC|BTC|true|", "|btc|btc|true|"]);
    assert_eq!(service.sandbox.requests().len(), 1);
}

#[tokio::test]
async fn plan_of_a_join_shows_its_price_before_anything_is_sent() {
    let service = Service::start().await;
    let query = service.engine.query().start().await.unwrap();
    for (sql, expected) in [
        (
            "SELECT p.value FROM (VALUES ('BTC'), ('ETH'), ('SOL')) r (symbol) \
             JOIN market_price p ON p.symbol = r.symbol WHERE p.time_range IN ('7d', '1d')",
            "market_price, calls: 2 for each distinct value of symbol with time_range=1d, \
             time_range=7d, at most 6 calls, credits per call: 2, credits<=12",
        ),
        (
            "SELECT p.value FROM (SELECT symbol FROM market_ranking LIMIT 5) r \
             JOIN market_price p ON p.symbol = r.symbol",
            "at most 5 calls, credits per call: 2, credits<=10",
        ),
        (
            "SELECT p.value FROM market_futures f JOIN market_price p ON p.symbol = f.symbol",
            "at most 1000 calls, credits per call: 2, credits<=2000",
        ),
    ] {
        let plan = query.sql(&format!("EXPLAIN {sql}")).await.unwrap().collect().await.unwrap();
        let plan = pretty_format_batches(&plan).unwrap().to_string();
        assert!(plan.contains(expected) && plan.contains("ServiceJoin"), "{sql}:\n{plan}");
    }
    assert_eq!(service.sandbox.requests().len(), 0);
}

#[tokio::test]
async fn join_over_its_budget_ends_before_it_is_exceeded() {
    let service = Service::start().await;
    let query = service.engine.query().max_credits(5).start().await.unwrap();
    let sql = "SELECT count(*) FROM (VALUES ('BTC'), ('ETH'), ('SOL'), ('BNB')) r (symbol) \
               JOIN market_price p ON p.symbol = r.symbol";
    let error = query.sql(sql).await.unwrap().collect().await.unwrap_err().to_string();

    assert!(error.contains("budget"), "{error}");
    assert!(service.sandbox.requests().len() <= 2);
    assert!(query.spending().list_price.0 <= 4);
}

#[tokio::test]
async fn joins_that_cannot_set_the_parameter_are_rejected_before_anything_is_sent() {
    let service = Service::start().await;
    let query = service.engine.query().start().await.unwrap();
    let needs =
        "`market_price` needs a value for `symbol`: add `WHERE market_price.symbol = …`, or join";
    let without_value = [
        "SELECT * FROM (VALUES ('BTC')) r (s) FULL JOIN market_price p ON p.symbol = r.s",
        "SELECT * FROM (VALUES ('BTC')) r (s) JOIN market_price p ON p.symbol > r.s",
        "SELECT * FROM (VALUES ('BTC')) r (s) JOIN market_price p ON p.currency = r.s",
        "SELECT * FROM market_price p JOIN market_price q ON p.symbol = q.symbol",
        "SELECT * FROM (VALUES (1)) r (s) JOIN market_price p ON p.symbol = r.s",
    ];

    let with_bad_values = [
        (
            "SELECT * FROM (SELECT CAST(unnest(range(0, 1001)) AS VARCHAR) AS s) r \
             JOIN market_price p ON p.symbol = r.s",
            "the join would call `market_price` 1001 times, but the maximum is 1000",
        ),
        (
            "SELECT * FROM (VALUES ('BTC')) r (s) JOIN market_price p ON p.symbol = r.s \
             WHERE p.time_range = '4h'",
            "time_range",
        ),
    ];

    let without_value = without_value.map(|sql| (sql, needs));
    for (sql, expected) in without_value.into_iter().chain(with_bad_values) {
        let found = match query.sql(sql).await {
            Ok(rows) => rows.collect().await.expect_err(sql),
            Err(error) => error,
        };
        assert!(found.to_string().contains(expected), "{sql}: {found}");
    }
    assert_eq!(service.sandbox.requests().len(), 0);
}
