//! Tests that a query sends only the necessary requests. The result must be equal to the result of the query over
//! complete tables in memory.

use crate::service::{ByHand, Case, Service, lines};

const BTC: ByHand = ("market-price", &[("symbol", "BTC")]);
const ETH: ByHand = ("market-price", &[("symbol", "ETH")]);
const SOL: ByHand = ("market-price", &[("symbol", "SOL")]);
const BTC_WEEK: ByHand = ("market-price", &[("symbol", "BTC"), ("time_range", "7d")]);
/// Call with the time range from 2026-05-20T00:00:00Z to 2026-05-25T00:00:01Z.
const BTC_DAYS: ByHand =
    ("market-price", &[("symbol", "BTC"), ("from", "1779235200"), ("to", "1779667201")]);
const BTC_HOURS: ByHand =
    ("market-price", &[("symbol", "BTC"), ("from", "1779235200"), ("to", "1779366631")]);
const ETF: ByHand = ("market-etf", &[("symbol", "BTC")]);
const FUTURES: ByHand = ("market-futures", &[]);
const FEAR: ByHand = ("market-fear-greed", &[]);
const RANKING: ByHand = ("market-ranking", &[]);
const FUNDS: ByHand = ("fund-ranking", &[("metric", "tier")]);
const LEADERS: ByHand = ("hyperliquid-leaderboard", &[]);
const FLOWS: ByHand = ("market-exchange-flow-exchanges", &[("symbol", "BTC")]);

const CASES: &[Case] = &[
    Case { sql: "SELECT * FROM market_price WHERE symbol = 'BTC'", calls: &[BTC], requests: 1 },
    Case {
        sql: "SELECT count(*), max(value) FROM market_price WHERE symbol = 'BTC'",
        calls: &[BTC],
        requests: 1,
    },
    Case {
        sql: "SELECT timestamp, value FROM market_price WHERE 'ETH' = symbol ORDER BY value LIMIT 3",
        calls: &[ETH],
        requests: 1,
    },
    Case {
        sql: "SELECT symbol, max(value) FROM market_price WHERE symbol IN ('BTC', 'ETH') \
              GROUP BY symbol",
        calls: &[BTC, ETH],
        requests: 2,
    },
    Case {
        sql: "SELECT symbol, min(value) FROM market_price \
              WHERE symbol IN ('BTC', 'ETH', 'SOL', 'BTC') GROUP BY symbol",
        calls: &[BTC, ETH, SOL],
        requests: 3,
    },
    Case {
        sql: "SELECT count(*) FROM market_price WHERE symbol = 'BTC' OR symbol = 'SOL'",
        calls: &[BTC, SOL],
        requests: 2,
    },
    Case {
        sql: "SELECT * FROM market_price WHERE symbol = 'BTC' AND time_range = '7d'",
        calls: &[BTC_WEEK],
        requests: 1,
    },
    Case {
        sql: "SELECT time_range, count(*) FROM market_price \
              WHERE symbol = 'BTC' AND time_range IN ('7d') GROUP BY time_range",
        calls: &[BTC_WEEK],
        requests: 1,
    },
    Case {
        sql: "SELECT * FROM market_price WHERE symbol = 'BTC' AND symbol = 'ETH'",
        calls: &[BTC],
        requests: 0,
    },
    Case {
        sql: "SELECT count(*) FROM market_price WHERE symbol = 'BTC' AND value > 1000",
        calls: &[BTC],
        requests: 1,
    },
    Case {
        sql: "SELECT * FROM market_price WHERE symbol = 'BTC' \
              AND timestamp >= '2026-05-20T00:00:00Z' AND timestamp < '2026-05-25T00:00:00Z'",
        calls: &[BTC_DAYS],
        requests: 1,
    },
    Case {
        sql: "SELECT count(*) FROM market_price WHERE symbol = 'BTC' \
              AND timestamp BETWEEN '2026-05-20T00:00:00Z' AND '2026-05-21T12:30:30.5Z'",
        calls: &[BTC_HOURS],
        requests: 1,
    },
    Case {
        sql: "SELECT currency, count(*) FROM market_price WHERE symbol = 'BTC' GROUP BY currency",
        calls: &[BTC],
        requests: 1,
    },
    Case {
        sql: "SELECT a.timestamp, a.value / b.value AS ratio FROM market_price a \
              JOIN market_price b ON a.timestamp = b.timestamp \
              WHERE a.symbol = 'ETH' AND b.symbol = 'BTC' ORDER BY 1",
        calls: &[BTC, ETH],
        requests: 2,
    },
    Case {
        sql: "SELECT count(*) FROM market_price a JOIN market_price b \
              ON a.timestamp = b.timestamp WHERE a.symbol = 'BTC' AND b.symbol = 'BTC'",
        calls: &[BTC],
        requests: 1,
    },
    Case {
        sql: "SELECT count(*) FROM market_price a JOIN market_price b \
              ON a.symbol = b.symbol AND a.timestamp = b.timestamp WHERE a.symbol = 'BTC'",
        calls: &[BTC],
        requests: 1,
    },
    Case {
        sql: "SELECT max(value) FROM market_price WHERE symbol = 'BTC' \
              UNION ALL SELECT min(value) FROM market_price WHERE symbol = 'BTC'",
        calls: &[BTC],
        requests: 1,
    },
    Case {
        sql: "WITH p AS (SELECT * FROM market_price WHERE symbol = 'BTC') \
              SELECT (SELECT max(value) FROM p) - (SELECT min(value) FROM p)",
        calls: &[BTC],
        requests: 1,
    },
    Case {
        sql: "SELECT timestamp, value, avg(value) OVER (ORDER BY timestamp ROWS 6 PRECEDING) AS week \
              FROM market_price WHERE symbol = 'SOL' ORDER BY timestamp",
        calls: &[SOL],
        requests: 1,
    },
    Case { sql: "SELECT * FROM market_etf WHERE symbol = 'BTC'", calls: &[ETF], requests: 1 },
    Case {
        sql: "SELECT sum(flow_usd) FROM market_etf WHERE symbol = 'BTC' AND flow_usd > 0",
        calls: &[ETF],
        requests: 1,
    },
    Case {
        sql: "SELECT symbol, funding_rate FROM market_futures WHERE funding_rate > 0 \
              ORDER BY funding_rate DESC, symbol LIMIT 5",
        calls: &[FUTURES],
        requests: 1,
    },
    Case {
        sql: "SELECT f.symbol, f.open_interest, count(p.value) FROM market_futures f \
              JOIN market_price p ON p.symbol = f.symbol \
              WHERE p.symbol IN ('BTC', 'ETH') GROUP BY f.symbol, f.open_interest",
        calls: &[FUTURES, BTC, ETH],
        requests: 3,
    },
    Case {
        sql: "SELECT classification, count(*) FROM market_fear_greed GROUP BY classification",
        calls: &[FEAR],
        requests: 1,
    },
    Case {
        sql: "SELECT p.timestamp, p.value, g.value FROM market_price p \
              JOIN market_fear_greed g ON date_trunc('day', g.timestamp) = date_trunc('day', p.timestamp) \
              WHERE p.symbol = 'BTC'",
        calls: &[BTC, FEAR],
        requests: 2,
    },
    Case {
        sql: "SELECT rank, address FROM hyperliquid_leaderboard LIMIT 7",
        calls: &[LEADERS],
        requests: 1,
    },
    Case { sql: "SELECT symbol FROM market_ranking LIMIT 5", calls: &[RANKING], requests: 1 },
    Case {
        sql: "SELECT name FROM fund_ranking WHERE metric = 'tier' LIMIT 10",
        calls: &[FUNDS],
        requests: 1,
    },
    Case {
        sql: "SELECT * FROM market_exchange_flow_exchanges WHERE symbol = 'BTC'",
        calls: &[FLOWS],
        requests: 1,
    },
    Case {
        sql: "SELECT 1 FROM market_price WHERE symbol = 'BTC' AND 1 = 2",
        calls: &[BTC],
        requests: 0,
    },
    Case {
        sql: "SELECT value FROM market_price WHERE symbol = 'BTC' LIMIT 0",
        calls: &[BTC],
        requests: 0,
    },
];

#[tokio::test]
async fn rows_and_requests_are_exact() {
    let service = Service::start().await;
    service.check(CASES).await;
}

#[tokio::test]
async fn a_ticker_of_any_spelling_is_that_of_the_service() {
    let service = Service::start().await;
    let query = service.engine.query().start().await.unwrap();
    let sql = "SELECT DISTINCT symbol FROM market_price WHERE symbol IN ('btc', 'BTC')";
    let rows = query.sql(sql).await.unwrap().collect().await.unwrap();

    assert_eq!(lines(&rows), ["| BTC    |", "| symbol |"]);
    assert_eq!(service.sandbox.requests().len(), 1);
}
