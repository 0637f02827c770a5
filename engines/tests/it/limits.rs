//! Tests of rejected queries: queries above their budget, without required parameters, or with invalid values.

use crypto_intel::api::generated::catalogue::OPERATIONS;

use crate::service::Service;

#[tokio::test]
async fn a_query_over_its_budget_ends_before_it_is_exceeded() {
    let service = Service::start().await;
    let query = service.engine.query().max_credits(5).start().await.unwrap();
    let sql = "SELECT symbol, max(value) FROM market_price \
               WHERE symbol IN ('BTC', 'ETH', 'SOL') GROUP BY symbol";
    let error = query.sql(sql).await.unwrap().collect().await.unwrap_err().to_string();

    assert!(error.contains("budget"), "{error}");
    assert_eq!(service.sandbox.requests().len(), 2);
    assert_eq!(query.spending().list_price.0, 4);
}

#[tokio::test]
async fn missing_and_wrong_values_are_rejected_before_a_request() {
    let service = Service::start().await;
    let query = service.engine.query().start().await.unwrap();

    let statements = [
        (
            "SELECT * FROM market_price",
            "`market_price` needs a value for `symbol`: add `WHERE market_price.symbol = …`",
        ),
        ("SELECT * FROM market_price WHERE symbol > 'A'", "needs a value for `symbol`"),
        (
            "SELECT * FROM token_holders WHERE chain = 'ethereum'",
            "`token_holders` needs a value for `address`",
        ),
        ("SELECT * FROM token_holders WHERE chain = 'eth' AND address = 'vitalik.eth'", "ethereum"),
        ("SELECT * FROM market_price WHERE symbol = 'BTC' AND time_range = '4h'", "time_range"),
        (
            "SELECT * FROM market_price p JOIN market_etf e ON e.symbol = p.symbol",
            "`market_price` needs a value for `symbol`",
        ),
        ("SELECT * FROM no_such_table", "no_such_table"),
        ("SELECT nothing FROM market_price WHERE symbol = 'BTC'", "nothing"),
    ];

    for (sql, expected) in statements {
        let found = match query.sql(sql).await {
            Ok(rows) => rows.collect().await.expect_err(sql),
            Err(error) => error,
        };
        assert!(found.to_string().contains(expected), "{sql}: {found}");
    }
    assert_eq!(service.sandbox.requests().len(), 0);
}

#[tokio::test]
async fn a_plan_shows_calls_pages_and_credits() {
    let service = Service::start().await;
    let query = service.engine.query().start().await.unwrap();
    for (sql, expected) in [
        ("SELECT value FROM market_price WHERE symbol IN ('BTC', 'ETH')", "requests=2, credits<=4"),
        ("SELECT symbol FROM market_ranking LIMIT 30", "rows<=30, credits<="),
        ("SELECT symbol FROM market_ranking", "pages: all, credits per page: "),
    ] {
        let plan = query.sql(&format!("EXPLAIN {sql}")).await.unwrap().collect().await.unwrap();
        let plan = arrow::util::pretty::pretty_format_batches(&plan).unwrap().to_string();
        assert!(plan.contains(expected), "{sql}:\n{plan}");
    }
    assert_eq!(service.sandbox.requests().len(), 0);
}

#[tokio::test]
async fn every_operation_that_is_a_table_can_be_described() {
    let service = Service::start().await;
    let query = service.engine.query().start().await.unwrap();
    let mut tables = 0;
    for name in crypto_intel_engines::Engine::tables() {
        let described = query.sql(&format!("DESCRIBE {name}")).await.unwrap();
        assert!(described.count().await.unwrap() > 0, "{name}");
        tables += 1;
    }
    assert!(tables > 120, "{tables}");
}

#[tokio::test]
async fn what_does_more_than_read_is_no_table() {
    let tables: Vec<_> = crypto_intel_engines::Engine::tables().collect();
    for operation in OPERATIONS.iter().filter(|operation| operation.method != "GET") {
        let name = operation.id.replace('-', "_");
        assert!(!tables.contains(&name), "{name} would be paid each time it is scanned");
    }
    assert!(tables.contains(&"market_price".to_owned()));
}
