//! Tests of structured queries (JSON instead of SQL), and of the operation that checks a query without running it.

use serde_json::{Value, json};

use crate::support::{Bench, Seen};

async fn query(bench: &Bench, body: Value) -> Seen {
    let values: Vec<_> = body
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, value)| (name.as_str(), value.clone()))
        .collect();
    bench.example("onchain-structured-query", &values).await
}

async fn sql(bench: &Bench, sql: &str) -> Value {
    let more = [("sql", json!(sql)), ("max_rows", json!(10_000))];
    let seen = bench.example("onchain-sql", &more).await;
    assert_eq!(seen.status, 200, "{}", seen.text);
    seen.json["data"].clone()
}

#[tokio::test]
async fn a_structured_query_is_the_sql_that_it_means() {
    let bench = Bench::start().await;
    for (body, same) in [
        (
            json!({"source": "agent.tokens", "fields": ["symbol", "chain"], "limit": 10_000,
                "filters": [{"field": "chain", "op": "eq", "value": "base"}],
                "sort": [{"field": "symbol", "order": "desc"}]}),
            "SELECT symbol, chain FROM agent.tokens WHERE chain = 'base' ORDER BY symbol DESC",
        ),
        (
            json!({"source": "agent.tokens", "fields": ["symbol"], "limit": 100,
                "filters": [
                    {"field": "decimals", "op": "in", "value": [6, 9]},
                    {"field": "symbol", "op": "like", "value": "%S%"},
                    {"field": "chain", "op": "not_in", "value": ["bsc", "tron"]},
                    {"field": "is_stablecoin", "op": "neq", "value": false}],
                "sort": [{"field": "chain"}, {"field": "symbol"}]}),
            "SELECT symbol FROM agent.tokens WHERE decimals IN (6, 9) AND symbol LIKE '%S%'
             AND chain NOT IN ('bsc', 'tron') AND is_stablecoin != 0 ORDER BY chain, symbol",
        ),

        (
            json!({"source": "agent.base_transfers", "fields": ["tx_hash", "amount_usd"], "limit": 50,
                "filters": [
                    {"field": "block_date", "op": "gte", "value": "2026-06-10"},
                    {"field": "block_date", "op": "lt", "value": "2026-06-12"},
                    {"field": "amount_usd", "op": "gt", "value": 1000.5}],
                "sort": [{"field": "amount_usd", "order": "desc"}, {"field": "tx_hash"}]}),
            "SELECT tx_hash, amount_usd FROM agent.base_transfers WHERE block_date BETWEEN '2026-06-10'
             AND '2026-06-11' AND amount_usd > 1000.5 ORDER BY amount_usd DESC, tx_hash LIMIT 50",
        ),
        (
            json!({"source": "agent.market_fear_greed", "fields": ["value"], "limit": 100,
                "filters": [{"field": "block_date", "op": "gte", "value": 1_781_000_000},
                    {"field": "value", "op": "lte", "value": 100}, {"field": "value", "op": "gt", "value": -5}],
                "sort": [{"field": "block_date"}]}),
            "SELECT value FROM agent.market_fear_greed WHERE block_date >= toDate(1781000000) ORDER BY block_date",
        ),
    ] {
        let seen = query(&bench, body).await;
        assert_eq!(seen.status, 200, "{}", seen.text);

        let expected = sql(&bench, same).await;
        assert!(!expected.as_array().unwrap().is_empty(), "{same}");
        assert_eq!(seen.json["data"], expected, "{same}");
    }
}

#[tokio::test]
async fn pages_join_to_the_whole() {
    let bench = Bench::start().await;
    let whole = sql(&bench, "SELECT symbol, chain FROM agent.tokens ORDER BY symbol, chain").await;
    let whole = whole.as_array().unwrap();
    let mut joined = Vec::new();

    loop {
        let body = json!({"source": "agent.tokens", "fields": ["symbol", "chain"], "limit": 7,
            "offset": joined.len(), "sort": [{"field": "symbol"}, {"field": "chain"}]});
        let page = query(&bench, body).await.json;
        assert_eq!(page["meta"]["total"], whole.len());
        joined.extend(page["data"].as_array().unwrap().iter().cloned());
        let has_more = page["meta"]["has_more"] == true;
        assert_eq!(has_more, joined.len() < whole.len());
        if !has_more {
            break;
        }
    }

    assert_eq!(joined, *whole);

    let beyond = query(&bench, json!({"source": "agent.tokens", "offset": 9_999})).await.json;
    assert_eq!((&beyond["data"], &beyond["meta"]["total"]), (&json!([]), &json!(whole.len())));

    let default = query(&bench, json!({"source": "agent.tokens"})).await.json;
    assert_eq!(default["data"].as_array().unwrap().len(), 20);
    assert!(default["data"][0].as_object().unwrap().len() >= 10, "all columns");
}

#[tokio::test]
async fn a_value_is_never_more_than_a_value() {
    let bench = Bench::start().await;
    for text in ["x' OR '1'='1", "\\' OR 1=1 --", "'; DROP TABLE t0; --", "\u{fffd}\"`", "?1", "%"]
    {
        let body = json!({"source": "agent.tokens",
            "filters": [{"field": "symbol", "op": "eq", "value": text}]});
        let seen = query(&bench, body).await;
        assert_eq!((seen.status, &seen.json["data"]), (200, &json!([])), "{text}");
    }
}

#[tokio::test]
async fn what_is_wrong_with_a_structured_query_is_placed() {
    let bench = Bench::start().await;
    let filter = |field: &str, op: &str, value: Value| json!({"source": "agent.tokens", "filters": [{"field": field, "op": op, "value": value}]});
    for (body, words) in [
        (json!({"source": "agent.nothing"}), "`source`"),
        (json!({"source": "tokens"}), "`source`"),
        (json!({"source": "agent.tokens; DROP"}), "`source`"),
        (json!({"source": "agent.tokens", "fields": ["symbol", "nosuch"]}), "`fields[1]`"),
        (json!({"source": "agent.tokens", "sort": [{"field": "nosuch"}]}), "`sort[0].field`"),
        (json!({"source": "agent.tokens", "sort": [{"field": "symbol", "order": "up"}]}), "order"),
        (filter("nosuch", "eq", json!(1)), "`filters[0].field`"),
        (filter("symbol", "eq", json!(null)), "value"),
        (filter("symbol", "eq", json!(["a"])), "`filters[0].value`"),
        (filter("symbol", "in", json!("a")), "`filters[0].value`"),
        (filter("symbol", "in", json!([])), "`filters[0].value`"),
        (filter("symbol", "like", json!(5)), "`filters[0].value`"),
        (filter("symbol", "matches", json!("a")), "op"),
        (filter("decimals", "eq", json!("many")), "compared with a number"),
        (json!({"source": "agent.ethereum_transfers"}), "lower bound on `block_date`"),
    ] {
        let seen = query(&bench, body.clone()).await;
        let message = seen.json["error"]["message"].as_str().unwrap_or_default();
        assert_eq!(seen.status, 422, "{body} {}", seen.text);
        assert!(message.contains(words), "{body}: {message}");
    }
}

#[tokio::test]
async fn a_preflight_tells_what_would_be_read_and_runs_nothing() {
    let bench = Bench::start().await;
    let check = async |sql: &str| {
        let seen = bench.example("onchain-sql-preflight", &[("sql", json!(sql))]).await;
        assert_eq!(seen.status, 200, "{sql}: {}", seen.text);
        seen.json["data"].clone()
    };
    let codes = |verdict: &Value| -> Vec<String> {
        let warnings = verdict["warnings"].as_array().unwrap();
        assert!(warnings.iter().all(|warning| warning["severity"] == "warning"));
        warnings.iter().map(|warning| warning["code"].as_str().unwrap().to_owned()).collect()
    };
    let fine = "SELECT count() FROM agent.base_transfers WHERE block_date BETWEEN today() - 10 AND today() - 1 LIMIT 1";
    let verdict = check(fine).await;
    assert_eq!((&verdict["accepted"], &verdict["sql"]), (&json!(true), &json!(fine)));
    assert_eq!(codes(&verdict), Vec::<String>::new());
    assert_eq!(verdict["estimate"]["rows"], 1_440);
    assert_eq!(verdict["estimate"]["by_table"][0]["table"], "base_transfers");
    assert_eq!(verdict["estimate"]["by_table"][0]["rows"], 1_440);
    assert_eq!(verdict["tables"][0]["table"], "base_transfers");
    assert_eq!(verdict["budget"]["max_execution_time_seconds"].as_f64(), Some(30.0));
    assert!(verdict["executed_sql"].as_str().unwrap().contains("LIMIT 1 SETTINGS"));

    let verdict = check("SELECT * FROM agent.base_transfers").await;
    assert_eq!(verdict["accepted"], false);
    assert_eq!(codes(&verdict), ["MISSING_BLOCK_DATE_BOUND", "SELECT_STAR", "NO_LIMIT"]);
    let verdict =
        check("SELECT 1 FROM agent.base_transfers WHERE block_date > '2024-01-01' LIMIT 1").await;
    assert_eq!(
        (&verdict["accepted"], codes(&verdict)),
        (&json!(false), vec!["BLOCK_DATE_WINDOW_TOO_WIDE".to_owned()])
    );
    // The check of an endless query is fast, because the query does not run.
    let endless = "WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n FROM t) SELECT count() FROM t LIMIT 1";
    assert_eq!(check(endless).await["accepted"], true);
    for sql in ["DROP TABLE agent.tokens", "SELECT nosuch()", "SELECT 1; SELECT 2"] {
        let refused = bench.example("onchain-sql-preflight", &[("sql", json!(sql))]).await;
        assert_eq!(refused.status, 422, "{sql}");
    }
}
