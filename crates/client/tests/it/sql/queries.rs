//! Tests of SQL queries that are sent directly, not as a job. They check result formats, errors, and preflight
//! requests. A preflight request checks a query without running it. Other tests check the method that submits a query
//! as a job if the direct query takes too long.

use crypto_intel::sql::Outcome;
use crypto_intel::{CallOptions, Error, ErrorKind};
use serde_json::json;

use super::server::{Server, error, job, rows};
use super::{GET, Row};

#[tokio::test]
async fn query_is_returned_as_rows_csv_json_and_table() {
    let meta = json!({"credits_used": 4, "cached": false, "limit": 2, "offset": 0, "total": 1});
    let server = Server::start(vec![
        (200, json!({"data": [{"day": 1, "volume": 2.5}], "meta": meta})),
        (
            200,
            json!({"data": {"columns": ["day", "volume"], "rows": [[1, 2.5]], "row_count": 1},
            "meta": meta}),
        ),
    ])
    .await;
    let query = || server.client.sql("SELECT 1").max_rows(2);
    let typed = query().rows::<Row>().await.unwrap();

    assert_eq!(typed[0]["volume"], 2.5);
    assert_eq!((typed.credits_used(), typed.operation().id), (Some(4), "onchain-sql"));
    assert_eq!(query().rows::<Row>().await.unwrap().into_inner(), *typed);
    assert_eq!(query().csv().await.unwrap().into_inner(), "day,volume\n1,2.5\n");
    assert_eq!(query().json().await.unwrap()[0]["day"], 1);
    assert_eq!(query().table().await.unwrap().row_count(), Some(1));
    assert_eq!(server.requests(), [const { "POST " }; 5]);
    assert!(server.bodies().iter().all(|b| *b == json!({"sql": "SELECT 1", "max_rows": 2})));
    assert_eq!(server.client.ledger().total().reported.0, 20);
}

#[tokio::test]
async fn error_names_fault_of_query_or_response() {
    let server = Server::start(vec![(200, json!({"data": [{"day": "x"}], "meta": {}}))]).await;
    let refused = server.client.sql("SELECT 1").max_rows(0).rows::<Row>().await.unwrap_err();
    assert_eq!((refused.kind(), refused.attempts()), (ErrorKind::InvalidRequest, 0));
    let wrong = server.client.sql("SELECT 1").rows::<Row>().await.unwrap_err();
    assert_eq!(wrong.kind(), ErrorKind::Decode);
    assert!(wrong.message().starts_with("`data[0].day`: invalid type: string"), "{wrong}");
}

#[tokio::test]
async fn preflight_sends_query_and_returns_verdict() {
    let data = json!({"accepted": true, "sql": "SELECT 1", "request_id": "r"});
    let meta = json!({"credits_used": 4, "cached": false});
    let server = Server::start(vec![(200, json!({"data": data, "meta": meta}))]).await;
    assert!(server.client.sql("SELECT 1").preflight().await.unwrap().accepted);
    assert_eq!(server.requests(), ["POST /preflight"]);
    assert_eq!(server.bodies(), [json!({"sql": "SELECT 1"})]);
}

#[tokio::test]
async fn query_job_and_preflight_send_equal_bodies() {
    let data = json!({"accepted": true, "sql": "SELECT 1", "request_id": "r"});
    let verdict = json!({"data": data, "meta": {}});
    let server = Server::start(vec![rows(), job("queued"), (200, verdict)]).await;
    let sql = || server.client.sql("SELECT 1").max_rows(5);
    sql().await.unwrap();
    sql().submit().await.unwrap();
    sql().preflight().await.unwrap();
    assert_eq!(server.requests(), ["POST ", "POST /jobs", "POST /preflight"]);
    for body in server.bodies() {
        assert_eq!(body, json!({"sql": "SELECT 1", "max_rows": 5}));
    }
}

#[tokio::test(start_paused = true)]
async fn run_or_submit_turns_query_timeout_into_job() {
    let too_long = || {
        error(
            408,
            json!({"code": "TIMEOUT", "message": "too long",
            "recommended_action": "use_async_job"}),
        )
    };
    let server = Server::start(vec![too_long(), job("queued"), job("succeeded"), rows()]).await;
    let sql =
        server.client.sql("SELECT 1").max_rows(5).with_options(CallOptions::new().attempts(3));
    let outcome = sql.run_or_submit().await.unwrap();
    assert!(matches!(&outcome, Outcome::Job(job) if job.id() == "j-1"));
    assert_eq!(outcome.table().await.unwrap().len(), 1);
    assert_eq!(server.requests(), ["POST ", "POST /jobs", GET, "GET /jobs/j-1/results"]);
    assert_eq!(server.bodies()[0], server.bodies()[1]);

    let server = Server::start(vec![rows()]).await;
    let outcome = server.client.sql("SELECT 1").run_or_submit().await.unwrap();
    assert!(matches!(&outcome, Outcome::Done(table) if table.len() == 1));

    // Only `run_or_submit` submits a job after status 408. All other methods return the error and do not send the query
    // again.
    let server = Server::start(vec![too_long()]).await;
    let sql = server.client.sql("SELECT 1").with_options(CallOptions::new().attempts(3));
    let error: Error = sql.rows::<Row>().await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Timeout, 1));
}
