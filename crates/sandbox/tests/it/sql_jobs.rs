//! Tests of SQL jobs: their status, limits and stored results.

use std::time::{Duration, Instant};

use crypto_intel_sandbox::{Builder, Fault, example};
use serde_json::{Value, json};

use crate::support::{Bench, Seen, builder, operation, seen};

/// Query of a job that is slow enough to be observed. It reads ten days, and the sandbox pauses after each day.
const TEN_DAYS: &str = "SELECT count() AS n FROM agent.base_transfers \
                        WHERE block_date BETWEEN today() - 10 AND today() - 1";

fn paced(rest: u64) -> Builder {
    builder().sql_pace(Duration::from_millis(rest))
}

async fn submit(bench: &Bench, sql: &str) -> Seen {
    bench.example("onchain-sql-job-create", &[("sql", json!(sql))]).await
}

/// Checks the status code of a response and returns the job in its body.
#[track_caller]
fn record(seen: &Seen, status: u16) -> Value {
    assert_eq!(seen.status, status, "{}", seen.text);
    seen.json["data"].clone()
}

async fn poll(bench: &Bench, job: &Value) -> Value {
    let seen = bench.example("onchain-sql-job-get", &[("job_id", job["job_id"].clone())]).await;
    record(&seen, 200)
}

async fn cancel(bench: &Bench, job: &Value) -> Value {
    let seen = bench.example("onchain-sql-job-cancel", &[("job_id", job["job_id"].clone())]).await;
    record(&seen, 200)
}

/// Requests a job repeatedly until `is_so` returns true for the job. Returns the job.
async fn until(bench: &Bench, job: &Value, is_so: impl Fn(&Value) -> bool) -> Value {
    let started = Instant::now();
    loop {
        let seen = poll(bench, job).await;
        if is_so(&seen) {
            return seen;
        }
        assert!(started.elapsed() < Duration::from_secs(120), "{seen}");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

fn is_in(status: &'static str) -> impl Fn(&Value) -> bool {
    move |job| job["status"] == status
}

#[tokio::test]
async fn a_job_goes_from_the_queue_to_its_rows() {
    // The pause is so long that the test observes the running job on a slow machine too.
    let bench = Bench::from_builder(paced(150)).await;
    let job = record(&submit(&bench, TEN_DAYS).await, 202);
    assert_eq!(job["status"], "queued");
    assert_eq!(
        (&job["sql"], &job["max_rows"], &job["parameters"]),
        (&json!(TEN_DAYS), &json!(1_000), &json!({}))
    );

    let executed = job["executed_sql"].as_str().unwrap();
    assert!(executed.contains(" LIMIT 1000 SETTINGS max_execution_time = 300"), "{executed}");

    let created = job["created_at"].as_i64().unwrap();
    assert_eq!(job["expires_at"], created + 86_400);

    let mut percents = Vec::new();
    let done = loop {
        let seen = poll(&bench, &job).await;
        assert_eq!((&seen["job_id"], &seen["query_id"]), (&job["job_id"], &job["query_id"]));
        percents.push(seen["progress_percent"].as_f64().unwrap());
        if seen["status"] == "succeeded" {
            break seen;
        }
        assert_eq!(
            (&seen["recommended_action"], seen["retry_after_ms"].is_i64()),
            (&json!("poll"), true)
        );
        tokio::time::sleep(Duration::from_millis(5)).await;
    };

    assert!(
        percents.is_sorted() && percents.iter().any(|p| *p > 0.0 && *p < 100.0),
        "{percents:?}"
    );
    assert_eq!((percents.last(), &done["row_count"]), (Some(&100.0), &json!(1)));

    // The rows are transfers of three assets, twice per hour, over ten days.
    assert_eq!((&done["processed_rows"], &done["estimated_rows"]), (&json!(1_440), &json!(1_440)));
    assert!(
        done["processed_bytes"].as_i64().unwrap() > 0
            && done["elapsed_ms"].as_i64().unwrap() >= 200
    );
    assert_eq!(done["recommended_action"], "read_results");
    assert!(done["started_at"].is_i64() && done["finished_at"].is_i64() && done["error"].is_null());

    let results = bench.get(done["result_url"].as_str().unwrap()).await;
    assert_eq!((results.status, &results.json["data"]), (200, &json!([{"n": 1_440}])));

    let csv = bench.get(done["csv_url"].as_str().unwrap()).await;
    assert_eq!(
        (csv.content_type.as_str(), csv.text.as_str()),
        ("text/csv; charset=utf-8", "n\n1440\n")
    );
}

#[tokio::test]
async fn a_submission_is_paid_and_nothing_else() {
    let bench = Bench::from_builder(builder().free_repeats(Duration::ZERO)).await;
    let left = || bench.sandbox.balance(bench.sandbox.key()).unwrap();
    let before = left();
    let job = record(&submit(&bench, "SELECT 1").await, 202);

    assert_eq!(before - left(), 4);

    until(&bench, &job, is_in("succeeded")).await;
    bench.example("onchain-sql-job-results", &[("job_id", job["job_id"].clone())]).await;
    cancel(&bench, &job).await;
    assert_eq!(before - left(), 4);
    assert_eq!(submit(&bench, "SELECT nosuch()").await.status, 422);
    assert_eq!(before - left(), 4, "what is refused is not paid");

    // A failure while the job runs is stored in the job.
    let job = record(&submit(&bench, "SELECT intDiv(1, number) FROM numbers(1)").await, 202);
    let failed = until(&bench, &job, is_in("failed")).await;
    assert_eq!(
        failed["error"],
        json!({"code": "INVALID_REQUEST", "message": "an integer is divided by zero"})
    );
    assert_eq!((before - left(), &failed["retryable"]), (8, &json!(false)));
}

#[tokio::test]
async fn the_same_query_is_the_same_job_while_it_is_kept() {
    let bench = Bench::from_builder(builder().key("sk-a", 1_000).key("sk-b", 1_000)).await;
    let first = record(&submit(&bench, "SELECT 1 AS a").await, 202);
    let again = record(&submit(&bench, "select   1 AS a -- the same\n;").await, 202);
    assert_eq!(first["job_id"], again["job_id"]);
    assert_eq!(again["sql"], "SELECT 1 AS a", "the text that was submitted first");

    let more = [("sql", json!("SELECT 1 AS a")), ("max_rows", json!(5))];
    let other = record(&bench.example("onchain-sql-job-create", &more).await, 202);
    assert_ne!(first["job_id"], other["job_id"], "another limit is another query");

    until(&bench, &first, is_in("succeeded")).await;
    assert_eq!(record(&submit(&bench, "SELECT 1 AS a").await, 202)["job_id"], first["job_id"]);

    // Another key has its own jobs.
    let as_other = |id: &str, values: &[(&str, Value)]| {
        seen(bench.request(operation(id), values).bearer_auth("sk-b"))
    };
    let theirs = as_other("onchain-sql-job-create", &[("sql", json!("SELECT 1 AS a"))]).await;

    assert_ne!(record(&theirs, 202)["job_id"], first["job_id"]);

    for id in ["onchain-sql-job-get", "onchain-sql-job-cancel", "onchain-sql-job-results"] {
        let seen = as_other(id, &[("job_id", first["job_id"].clone())]).await;
        assert_eq!((seen.status, &seen.json["error"]["code"]), (404, &json!("NOT_FOUND")), "{id}");
    }

    // Submitting the query of a failed job again creates a new job.
    let failing = "SELECT intDiv(1, number) FROM numbers(1)";
    let failed = record(&submit(&bench, failing).await, 202);
    until(&bench, &failed, is_in("failed")).await;

    assert_ne!(record(&submit(&bench, failing).await, 202)["job_id"], failed["job_id"]);

    // Jobs are deleted after 24 hours.
    bench.sandbox.clock().advance(Duration::from_secs(86_399));
    assert_eq!(poll(&bench, &first).await["status"], "succeeded");

    bench.sandbox.clock().advance(Duration::from_secs(1));
    let gone = bench.example("onchain-sql-job-get", &[("job_id", first["job_id"].clone())]).await;
    assert_eq!((gone.status, &gone.json["error"]["code"]), (404, &json!("NOT_FOUND")));
    assert_ne!(record(&submit(&bench, "SELECT 1 AS a").await, 202)["job_id"], first["job_id"]);
}

#[tokio::test]
async fn a_job_is_canceled_wherever_it_is() {
    let bench = Bench::from_builder(paced(60_000).sql_jobs(1, 5)).await;
    let running = record(&submit(&bench, TEN_DAYS).await, 202);
    until(&bench, &running, is_in("running")).await;
    let queued = record(&submit(&bench, "SELECT 2").await, 202);

    assert_eq!(poll(&bench, &queued).await["status"], "queued");

    // The rows do not exist yet.
    for job in [&running, &queued] {
        let early =
            bench.example("onchain-sql-job-results", &[("job_id", job["job_id"].clone())]).await;
        assert_eq!((early.status, &early.json["error"]["code"]), (400, &json!("INVALID_REQUEST")));
        assert_eq!(early.json["error"]["recommended_action"], "poll");
    }

    // A queued job is canceled at once.
    let canceled = cancel(&bench, &queued).await;
    assert_eq!(
        (&canceled["status"], &canceled["cancellation_requested"]),
        (&json!("canceled"), &json!(false))
    );

    // A running job is canceled at its next check.
    let started = Instant::now();
    let asked = cancel(&bench, &running).await;
    assert!(asked["status"] == "canceled" || asked["cancellation_requested"] == true, "{asked}");

    let canceled = until(&bench, &running, is_in("canceled")).await;
    assert!(started.elapsed() < Duration::from_secs(120));
    assert_eq!(
        (&canceled["retryable"], &canceled["cancellation_requested"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(cancel(&bench, &running).await["status"], "canceled");

    let rows =
        bench.example("onchain-sql-job-results", &[("job_id", running["job_id"].clone())]).await;
    assert_eq!((rows.status, &rows.json["error"]["status"]), (400, &json!("canceled")));

    // Cancelling a successful job does not change its status.
    let bench = Bench::start().await;
    let done = record(&submit(&bench, "SELECT 3").await, 202);
    until(&bench, &done, is_in("succeeded")).await;

    assert_eq!(cancel(&bench, &done).await["status"], "succeeded");
}

#[tokio::test]
async fn a_running_query_without_an_end_is_canceled_too() {
    let bench = Bench::start().await;
    let endless =
        "SELECT sum(a.number * b.number) FROM numbers(1000000) AS a, numbers(1000000) AS b";
    let job = record(&submit(&bench, endless).await, 202);
    until(&bench, &job, is_in("running")).await;
    cancel(&bench, &job).await;
    until(&bench, &job, is_in("canceled")).await;
}

#[tokio::test]
async fn a_full_queue_rejects_and_makes_no_job() {
    let bench = Bench::from_builder(paced(60_000).sql_jobs(1, 1)).await;
    let first = record(&submit(&bench, "SELECT 1").await, 202);
    until(&bench, &first, is_in("running")).await;
    record(&submit(&bench, "SELECT 2").await, 202);
    let before = bench.sandbox.balance(bench.sandbox.key());
    let rejected = submit(&bench, "SELECT 3").await;

    assert_eq!(rejected.status, 429, "{}", rejected.text);

    let error = &rejected.json["error"];
    assert_eq!(
        (&error["code"], &error["status"]),
        (&json!("ASYNC_SQL_QUEUE_FULL"), &json!("rejected"))
    );
    assert_eq!(
        (&error["retryable"], &error["recommended_action"]),
        (&json!(true), &json!("wait_and_retry"))
    );
    assert!(error["retry_after_ms"].as_i64().unwrap() >= 1 && error["request_id"].is_string());

    for name in ["job_id", "query_id"] {
        assert_eq!(error.get(name), Some(&Value::Null), "{name}");
    }

    assert_eq!(bench.sandbox.balance(bench.sandbox.key()), before, "a rejection is free");
    // A repeated query returns the existing job, which needs no new slot in the queue.
    assert_eq!(record(&submit(&bench, "SELECT 2").await, 202)["status"], "queued");

    cancel(&bench, &first).await;
    until(&bench, &first, is_in("canceled")).await;
    assert_eq!(submit(&bench, "SELECT 3").await.status, 202);
}

#[tokio::test]
async fn who_keeps_asking_for_too_much_is_made_to_wait() {
    let bench = Bench::from_builder(
        builder().sql_job_time(Duration::from_millis(30)).key("sk-a", 500).key("sk-b", 500),
    )
    .await;
    let endless = |n: i64| {
        format!("SELECT count() FROM numbers(1000000) a, numbers(1000000) b, numbers({n}) c")
    };

    for n in 1..=3 {
        let job = record(&submit(&bench, &endless(1_000 + n)).await, 202);
        let failed = until(&bench, &job, is_in("failed")).await;
        assert_eq!(failed["error"]["code"], "SQL_TIMEOUT");
        assert_eq!(failed["recommended_action"], "narrow_query");
    }

    let rejected = submit(&bench, "SELECT 1").await;
    let error = &rejected.json["error"];
    assert_eq!(
        (rejected.status, &error["code"]),
        (429, &json!("ASYNC_SQL_CIRCUIT_OPEN")),
        "{}",
        rejected.text
    );

    assert_eq!(
        (&error["recommended_action"], &error["retry_after_ms"]),
        (&json!("narrow_query"), &json!(60_000))
    );

    let theirs = bench.request(operation("onchain-sql-job-create"), &[("sql", json!("SELECT 1"))]);
    assert_eq!(seen(theirs.bearer_auth("sk-b")).await.status, 202, "another key is not meant");

    bench.sandbox.clock().advance(Duration::from_secs(61));
    let job = record(&submit(&bench, "SELECT 1").await, 202);
    until(&bench, &job, is_in("succeeded")).await;
}

#[tokio::test]
async fn a_sandbox_that_stops_leaves_no_query_behind() {
    let bench = Bench::from_builder(paced(60_000)).await;
    let job = record(&submit(&bench, TEN_DAYS).await, 202);
    until(&bench, &job, is_in("running")).await;
    let started = Instant::now();
    bench.sandbox.stop().await.unwrap();
    assert!(started.elapsed() < Duration::from_secs(120));
}

#[tokio::test]
async fn every_sandbox_has_the_job_of_the_examples() {
    let bench = Bench::start().await;
    let job = json!({"job_id": example::JOB});
    assert_eq!(poll(&bench, &job).await["status"], "succeeded");
    assert_eq!(bench.example("onchain-sql-job-results", &[]).await.json["data"], json!([{"1": 1}]));
    let unknown = bench.example("onchain-sql-job-get", &[("job_id", json!("nosuch"))]).await;
    assert_eq!(unknown.status, 404);
    let odd = bench.get("/gateway/v1/onchain/sql/jobs/x/results?format=xml").await;
    assert_eq!(odd.status, 400);
}

#[tokio::test]
async fn what_rejects_on_demand_says_the_same() {
    let bench = Bench::start().await;
    for (fault, code, action) in [
        ("queue-full", "ASYNC_SQL_QUEUE_FULL", "wait_and_retry"),
        ("circuit-open", "ASYNC_SQL_CIRCUIT_OPEN", "narrow_query"),
    ] {
        bench.sandbox.inject(fault.parse::<Fault>().unwrap().times(1)).unwrap();
        let error = submit(&bench, "SELECT 1").await.json["error"].clone();
        assert_eq!((&error["code"], &error["recommended_action"]), (&json!(code), &json!(action)));
        assert_eq!(
            (&error["status"], &error["retry_after_ms"]),
            (&json!("rejected"), &json!(3_000))
        );
        assert_eq!(error.get("job_id"), Some(&Value::Null));
    }
}
