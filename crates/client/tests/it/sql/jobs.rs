//! Tests of SQL jobs: polling, reading the results, and cancelling.

use std::time::Duration;

use crypto_intel::sql::{JobHandle, PollPolicy, SqlRejection};
use crypto_intel::{CallOptions, Client, ErrorKind};
use futures_util::TryStreamExt;
use serde_json::json;
use tokio::time::Instant;

use super::server::{Server, error, job, job_with, rows};
use super::{GET, Row};

#[tokio::test(start_paused = true)]
async fn job_is_polled_at_growing_intervals_until_it_ends() {
    let server = Server::start(vec![
        job("queued"),
        job("running"),
        // The service asks for a wait of 7 s, which is longer than the next interval of the poll policy.
        job_with("compacting", json!({"retry_after_ms": 7000})),
        job("running"),
        job("succeeded"),
        rows(),
    ])
    .await;
    let mut job = server.client.sql("SELECT 1").submit().await.unwrap();

    assert!(!job.is_finished());

    let rows = job.rows::<Row>().await.unwrap();
    assert_eq!(*rows, [Row::from([("day".into(), 1.0), ("volume".into(), 2.5)])]);
    assert_eq!(server.requests(), ["POST /jobs", GET, GET, GET, GET, "GET /jobs/j-1/results"]);
    assert_eq!(server.times(), [0.0, 1.0, 2.5, 9.5, 12.9, 12.9]);

    // The last received record is that of an ended job. So the client requests only the rows.
    assert_eq!(job.csv().await.unwrap().into_inner(), "day,volume\n1,2.5\n");
    assert_eq!(server.requests().len(), 7);

    // Awaiting a job returns its rows as a table, like awaiting a query.
    assert_eq!(job.await.unwrap().columns(), ["day", "volume"]);
}

#[tokio::test(start_paused = true)]
async fn wait_ends_at_deadline_and_can_be_repeated() {
    let server = Server::start(vec![job("running")]).await;
    let poll = PollPolicy::new().every(Duration::from_secs(4), Duration::from_secs(4));
    let sql = server.client.sql("SELECT 1").poll_policy(poll.deadline(Duration::from_secs(10)));
    let mut job = sql.submit().await.unwrap();
    let error = job.wait().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Timeout);
    assert_eq!(
        error.message(),
        "job `j-1` did not end within the maximum wait of 10s; its status is `running`; wait \
         again, or cancel the job"
    );
    // The last poll is at the deadline of the poll policy.
    assert_eq!(server.times(), [0.0, 4.0, 8.0, 10.0]);
    assert!(job.wait().await.is_err());
    assert_eq!(server.times().last(), Some(&20.0));
}

#[tokio::test(start_paused = true)]
async fn poll_without_response_does_not_extend_wait() {
    let server = crate::server::Server::start(crate::server::Act::Stall(Vec::new())).await;
    let client = Client::builder().base_url(server.url()).build().unwrap();
    let poll = PollPolicy::new().deadline(Duration::from_secs(30));
    let begin = Instant::now();
    let failure = client.sql_job("j-1").poll_policy(poll).wait().await.unwrap_err();
    assert_eq!(failure.kind(), ErrorKind::Timeout);
    assert!(failure.message().contains("its status is `unknown`"), "{failure}");
    assert_eq!(begin.elapsed().as_secs(), 40);

    // Each poll has its own deadline of 2 s. Waiting for the job fails with the third consecutive poll that exceeds it.
    let options = CallOptions::new().attempts(1).deadline(Duration::from_secs(2));
    let begin = Instant::now();
    let poll = PollPolicy::new().deadline(Duration::MAX);
    let failure =
        client.sql_job("j-1").poll_policy(poll).with_options(options).wait().await.unwrap_err();
    assert_eq!(failure.message(), "no result within 2s (deadline of the call)");
    assert_eq!(begin.elapsed().as_millis() / 100, 85);
}

#[tokio::test(start_paused = true)]
async fn progress_returns_every_record_and_ends() {
    let server = Server::start(vec![
        job_with("queued", json!({"progress_percent": 0})),
        job_with("running", json!({"progress_percent": 40.5})),
        job("failed"),
    ])
    .await;
    let mut job = server.client.sql("SELECT 1").submit().await.unwrap();

    let seen: Vec<_> = job
        .progress()
        .map_ok(|state| (state.status.to_string(), state.progress_percent))
        .try_collect()
        .await
        .unwrap();
    let expected = [("queued", Some(0.0)), ("running", Some(40.5)), ("failed", None)];

    assert_eq!(seen, expected.map(|(status, percent)| (status.to_owned(), percent)));

    // A second progress stream of an ended job sends no request.
    let mut again = job.progress();
    assert_eq!(again.try_next().await.unwrap().unwrap().status, "failed");
    assert!(again.try_next().await.unwrap().is_none());
    assert_eq!(server.requests().len(), 3);
}

#[tokio::test]
async fn failed_or_canceled_job_is_an_error() {
    for (answer, message, code) in [
        (
            job_with(
                "failed",
                json!({"error": {"code": "MEMORY", "message": "too large"},
                "retryable": true, "retry_after_ms": 5, "recommended_action": "narrow_query"}),
            ),
            "the job failed: too large",
            Some("MEMORY"),
        ),
        (job("failed"), "the job failed without a reason", None),
        (job("canceled"), "the job was canceled", None),
    ] {
        let server = Server::start(vec![answer]).await;
        let error = server.client.sql("SELECT 1").submit().await.unwrap().wait().await.unwrap_err();
        assert_eq!(
            (error.kind(), error.message(), error.code()),
            (ErrorKind::SqlFailed, message, code)
        );
        assert_eq!(error.is_retryable(), code.is_some());
        assert_eq!(error.retry_after(), code.map(|_| Duration::from_millis(5)));
        assert_eq!(error.recommended_action(), Some(code.map_or("poll", |_| "narrow_query")));
    }
}

#[tokio::test(start_paused = true)]
async fn temporary_errors_do_not_end_a_wait() {
    let away = || error(503, json!({"code": "X", "message": "away"}));
    let server = Server::start(vec![
        job("running"),
        away(),
        away(),
        job("running"),
        away(),
        job("succeeded"),
    ])
    .await;
    let mut job = server.client.sql("SELECT 1").submit().await.unwrap();
    job.wait().await.unwrap();
    assert_eq!(server.requests().len(), 6);

    let server = Server::start(vec![away()]).await;
    let failure = server.client.sql_job("j-1").wait().await.unwrap_err();
    assert_eq!(failure.kind(), ErrorKind::Service);
    // The first poll is sent at once, and further polls after the intervals of the poll policy.
    assert_eq!(server.times(), [0.0, 1.0, 2.5]);
}

#[tokio::test]
async fn job_is_resumed_from_saved_handle() {
    let server = Server::start(vec![job("running"), job("succeeded"), rows()]).await;
    let job = server.client.sql("SELECT 1").submit().await.unwrap();
    let kept = serde_json::to_string(job.handle()).unwrap();
    assert_eq!(kept, r#"{"job_id":"j-1","expires_at":1767225600}"#);
    drop(job);
    let handle: JobHandle = serde_json::from_str(&kept).unwrap();
    let mut job = server.client.sql_job(handle);
    assert!(job.state().is_none() && !job.is_finished());
    assert_eq!(job.json().await.unwrap().len(), 1);
    assert_eq!(server.requests(), ["POST /jobs", GET, "GET /jobs/j-1/results"]);
}

#[tokio::test]
async fn missing_job_error_explains_expiry() {
    let gone = || error(404, json!({"code": "NOT_FOUND", "message": "no such job"}));
    let server = Server::start(vec![gone()]).await;
    let failure = server.client.sql_job("j-1").refresh().await.unwrap_err();
    assert_eq!(
        failure.to_string(),
        "onchain-sql-job-get: not found (404 NOT_FOUND): the service has no job `j-1`; the \
         service keeps jobs only for 24 hours; submit the query again"
    );

    let mut handle = JobHandle::from("j-1");
    handle.expires_at = Some(crypto_intel::UnixSeconds(1_767_225_600));
    let failure = server.client.sql_job(handle.clone()).rows::<Row>().await.unwrap_err();
    assert!(
        failure.message().contains("the job only until Thu, 01 Jan 2026 00:00:00 GMT"),
        "{failure}"
    );

    assert_eq!(
        server.client.sql_job(handle).cancel().await.unwrap_err().kind(),
        ErrorKind::NotFound
    );

    // A 404 response from a proxy does not mean that the service has deleted the job.
    let server = Server::start(vec![(404, json!("404 page not found"))]).await;
    let failure = server.client.sql_job("j-1").refresh().await.unwrap_err();
    assert!(!failure.message().contains("submit"), "{failure}");
}

#[tokio::test(start_paused = true)]
async fn rejected_job_is_resubmitted_if_service_says_retryable() {
    let rejection = |retryable: bool| {
        error(
            503,
            json!({
                "code": "ASYNC_SQL_QUEUE_FULL", "message": "full", "request_id": "r", "job_id": null,
                "query_id": null, "status": "rejected", "retryable": retryable,
                "retry_after_ms": 2500, "recommended_action": "wait_and_retry",
            }),
        )
    };
    let server = Server::start(vec![rejection(true), rejection(true), job("queued")]).await;
    let sql = server.client.sql("SELECT 1").with_options(CallOptions::new().attempts(3));
    assert_eq!(sql.submit().await.unwrap().id(), "j-1");
    assert_eq!(server.times(), [0.0, 2.5, 5.0]);

    let server = Server::start(vec![rejection(false)]).await;
    let sql = server.client.sql("SELECT 1").with_options(CallOptions::new().attempts(3));
    let error = sql.submit().await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::SqlRejected, 1));
    assert_eq!(error.retry_after(), Some(Duration::from_millis(2500)));
    assert_eq!(error.recommended_action(), Some("wait_and_retry"));

    let rejection = SqlRejection::from_error(&error).unwrap();
    assert_eq!(rejection.code, "ASYNC_SQL_QUEUE_FULL");
    assert_eq!((rejection.retryable, rejection.retry_after_ms), (Some(false), Some(2500)));
    assert_eq!((rejection.status.as_deref(), &rejection.job_id), (Some("rejected"), &None));
    assert!(rejection.extra.is_empty(), "{rejection:?}");
}

#[tokio::test(start_paused = true)]
async fn job_urls_are_followed_only_on_same_service() {
    for (host, prefix) in [("", "/gateway/v1/onchain/sql"), ("https://elsewhere.example", "")] {
        let named = |status, name: &str, path: &str| {
            job_with(status, json!({ name: format!("{host}{prefix}{path}") }))
        };
        let server = Server::start(vec![
            named("queued", "poll_url", "/v2/jobs/j-1"),
            named("succeeded", "result_url", "/v2/jobs/j-1/rows?page=1"),
            rows(),
        ])
        .await;

        let mut job = server.client.sql("SELECT 1").submit().await.unwrap();
        job.rows::<Row>().await.unwrap();
        let expected = match host {
            "" => ["POST /jobs", "GET /v2/jobs/j-1", "GET /v2/jobs/j-1/rows"],
            _ => ["POST /jobs", GET, "GET /jobs/j-1/results"],
        };
        assert_eq!(server.requests(), expected);
    }
}

#[tokio::test(start_paused = true)]
async fn csv_url_is_followed_only_on_same_service() {
    const CSV: &str = "day,volume\n2026-01-01,\"2,5\"\n";
    let own_rows = "day,volume\n1,2.5\n";
    let same = "/gateway/v1/onchain/sql/v2/jobs/j-1/csv?format=csv";
    for (url, last, expected) in [
        (same, "GET /v2/jobs/j-1/csv", CSV),
        ("https://elsewhere.example/v2/jobs/j-1/csv", "GET /jobs/j-1/results", own_rows),
        ("//elsewhere.example/v2/jobs/j-1/csv", "GET /jobs/j-1/results", own_rows),
    ] {
        let job = job_with("succeeded", json!({ "csv_url": url }));
        let answer = if url == same { (200, CSV.into()) } else { rows() };
        let server = Server::start(vec![job, answer]).await;
        let mut job = server.client.sql("SELECT 1").submit().await.unwrap();
        assert_eq!(job.csv().await.unwrap().into_inner(), expected, "{url}");
        assert_eq!(server.requests(), ["POST /jobs", last]);
    }

    // If the response of `csv_url` is not CSV, the client generates the CSV from the rows.
    let job = job_with("succeeded", json!({ "csv_url": same }));
    let server = Server::start(vec![job, rows(), rows()]).await;
    let mut job = server.client.sql("SELECT 1").submit().await.unwrap();
    assert_eq!(job.csv().await.unwrap().into_inner(), own_rows);
}

#[tokio::test]
async fn double_quoted_values_are_reported_and_sent_unchanged() {
    let server = Server::start(vec![rows()]).await;
    let query = r#"SELECT day FROM t WHERE chain = "ethereum""#;
    let table = server.client.sql(query).await.unwrap();
    assert_eq!(table.double_quoted_values(), ["ethereum"]);
    assert_eq!(server.bodies()[0]["sql"], query);
    assert!(server.client.sql("SELECT 1").await.unwrap().double_quoted_values().is_empty());

    let done = job_with("succeeded", json!({ "sql": query }));
    let server = Server::start(vec![rows(), done, rows()]).await;
    let outcome = server.client.sql(query).run_or_submit().await.unwrap();
    assert_eq!(outcome.table().await.unwrap().double_quoted_values(), ["ethereum"]);
    let mut job = server.client.sql(query).submit().await.unwrap();
    assert_eq!(job.table().await.unwrap().double_quoted_values(), ["ethereum"]);
}

#[tokio::test]
async fn cancel_succeeds_once_service_records_it() {
    for (answer, recorded) in [
        (job("canceled"), true),
        (job("succeeded"), true),
        (job_with("running", json!({"cancellation_requested": true})), true),
        (job("running"), false),
    ] {
        let server = Server::start(vec![answer]).await;
        assert_eq!(server.client.sql_job("j-1").cancel().await.is_ok(), recorded);
        assert_eq!(server.requests(), ["DELETE /jobs/j-1"]);
    }
}

#[tokio::test(start_paused = true)]
async fn drop_cancels_only_running_job_and_only_on_request() {
    for (status, cancel, expected) in
        [("running", true, true), ("running", false, false), ("succeeded", true, false)]
    {
        let server = Server::start(vec![job(status)]).await;
        let job = server.client.sql("SELECT 1").submit().await.unwrap().cancel_on_drop(cancel);
        drop(job);
        // The clock is paused, so this sleep returns only when no other task can run.
        tokio::time::sleep(Duration::from_secs(1)).await;
        let cancelled = server.requests().contains(&"DELETE /jobs/j-1".to_owned());
        assert_eq!(cancelled, expected, "{status} {cancel}");
    }
}

#[test]
fn drop_outside_runtime_sends_nothing_and_does_not_panic() {
    let client = Client::builder().base_url("http://127.0.0.1:9").build().unwrap();
    drop(client.sql_job("j-1").cancel_on_drop(true));
}

#[tokio::test]
async fn job_returns_credits_used_by_submission() {
    let (status, mut queued) = job("queued");
    queued["meta"]["credits_used"] = json!(4);
    let server = Server::start(vec![(status, queued)]).await;
    let job = server.client.sql("SELECT 1").submit().await.unwrap();
    assert_eq!(job.credits_used(), Some(4));
    assert_eq!(server.client.sql_job("j-1").credits_used(), None);
}
