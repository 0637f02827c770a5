//! Tests of injected faults. The tests check how faults, such as an error status or a body that is cut off, change the
//! response. They also check the entries of the request log.

use std::time::Duration;

use crypto_intel_sandbox::{Fault, schema};
use serde_json::{Value, json};

use crate::support::{Bench, builder, operation};

fn fault(text: &str) -> Fault {
    text.parse().unwrap()
}

#[tokio::test]
async fn a_status_comes_as_often_as_asked_and_costs_nothing() {
    let bench = Bench::start().await;
    bench.sandbox.inject(fault("status=429;retry-after=2;times=2;operation=market-price")).unwrap();
    assert_eq!(bench.example("market-ranking", &[]).await.status, 200);

    for _ in 0..2 {
        let request = bench.request(operation("market-price"), &[("symbol", json!("BTC"))]);
        let response = request.bearer_auth(bench.sandbox.key()).send().await.unwrap();
        assert_eq!(response.status(), 429);
        assert_eq!(response.headers()["retry-after"], "2");
    }

    assert_eq!(bench.example("market-price", &[]).await.status, 200);
    assert_eq!(bench.sandbox.balance(bench.sandbox.key()), Some(1_000_000 - 4));

    let requests = bench.sandbox.requests();
    let seen: Vec<_> = requests.iter().map(|r| (r.operation.unwrap(), r.status.unwrap())).collect();
    assert_eq!(
        seen,
        [
            ("market-ranking", 200),
            ("market-price", 429),
            ("market-price", 429),
            ("market-price", 200)
        ]
    );
    assert_eq!(requests[1].query, "symbol=BTC");

    assert_eq!(
        requests[2].fault.as_deref(),
        Some("status=429;retry-after=2;times=1;operation=market-price")
    );
}

#[tokio::test]
async fn the_log_keeps_bodies_and_no_keys() {
    let bench = Bench::start().await;
    bench.example("responses", &[("input", json!("what is it?"))]).await;
    let requests = bench.sandbox.requests();
    assert!(requests[0].body.contains("what is it?"));
    assert!(requests[0].authorized);
    assert!(!format!("{requests:?}{:?}", bench.sandbox).contains(bench.sandbox.key()));
    bench.sandbox.forget_requests();
    assert!(bench.sandbox.requests().is_empty());
    assert_eq!(bench.sandbox.requests_served(), 1);
}

#[tokio::test]
async fn a_cut_body_breaks_off() {
    let bench = Bench::start().await;
    bench.sandbox.inject(fault("cut=100;times=1")).unwrap();
    let request = bench.request(operation("market-ranking"), &[]);
    let mut response = request.send().await.unwrap();
    assert_eq!(response.status(), 200);
    let mut got = 0;
    let broken = loop {
        match response.chunk().await {
            Ok(Some(chunk)) => got += chunk.len(),
            Ok(None) => break false,
            Err(_) => break true,
        }
    };
    assert!(broken);
    assert!(got <= 100, "{got}");
}

#[tokio::test]
async fn a_stream_can_be_cut_between_events_and_split_inside_characters() {
    let bench = Bench::start().await;
    let whole =
        bench.example("responses-stream", &[("input", json!("was für ein Tag?"))]).await.text;
    bench.sandbox.inject(fault("split;times=1")).unwrap();
    let split =
        bench.example("responses-stream", &[("input", json!("was für ein Tag?"))]).await.text;
    let deltas = |text: &str| text.matches("response.output_text.delta").count();
    assert_eq!(deltas(&whole), deltas(&split));
    bench.sandbox.inject(fault("cut-events=3;times=1")).unwrap();
    let values = [("model", json!("svc-2.0")), ("input", json!("hello")), ("stream", json!(true))];
    let request = bench.request(operation("responses-stream"), &values);
    let mut response = request.send().await.unwrap();
    let mut text = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        text.extend_from_slice(&chunk);
    }
    assert_eq!(String::from_utf8(text).unwrap().matches("event: ").count(), 3);
}

#[tokio::test]
async fn latency_delays_an_answer_and_a_stall_withholds_it() {
    let bench = Bench::start().await;
    bench.sandbox.inject(fault("latency=30;times=1")).unwrap();
    let start = std::time::Instant::now();
    assert_eq!(bench.example("news-feed", &[]).await.status, 200);
    assert!(start.elapsed() >= Duration::from_millis(30));

    // The sandbox logs the stalled request without a status, and answers other requests.
    bench.sandbox.inject(fault("stall;times=1")).unwrap();
    let stalled = tokio::spawn(bench.request(operation("news-feed"), &[]).send());
    while bench.sandbox.requests().len() < 2 {
        tokio::task::yield_now().await;
    }
    assert_eq!(bench.example("news-feed", &[]).await.status, 200);
    assert_eq!(bench.sandbox.requests()[1].status, None);
    assert!(!stalled.is_finished());
    stalled.abort();

    bench.sandbox.inject(fault("stall-after=5;times=1")).unwrap();
    let mut response = bench.request(operation("news-feed"), &[]).send().await.unwrap();
    assert_eq!(response.chunk().await.unwrap().unwrap().len(), 5);
    let rest = tokio::spawn(async move { response.chunk().await });
    for _ in 0..10 {
        assert_eq!(bench.example("news-feed", &[]).await.status, 200);
    }
    assert!(!rest.is_finished());
    bench.sandbox.stop().await.unwrap();
    assert!(rest.await.unwrap().is_err(), "the connection breaks");
}

#[tokio::test]
async fn a_stalled_request_does_not_keep_the_sandbox_from_stopping() {
    let Bench { sandbox, http } = Bench::start().await;
    sandbox.inject(Fault::status(503).operation("news-feed")).unwrap();
    sandbox.inject(fault("stall")).unwrap();
    let url = format!("{}/gateway/v1/market/ranking", sandbox.url());
    let stalled = tokio::spawn(http.get(url).send());
    while sandbox.requests().is_empty() {
        tokio::task::yield_now().await;
    }
    sandbox.stop().await.unwrap();
    assert_eq!(stalled.await.unwrap().unwrap().status(), 503);
}

#[tokio::test]
async fn bodies_that_are_not_what_they_should_be() {
    let bench = Bench::start().await;
    let with = async |text: &str| {
        bench.sandbox.inject(fault(text).times(1)).unwrap();
        bench.example("hyperliquid-positions", &[]).await
    };
    let html = with("html").await;

    assert_eq!((html.status, html.content_type.as_str()), (502, "text/html"));

    let odd = with("content-type=text/plain").await;
    assert_eq!((odd.status, odd.content_type.as_str()), (200, "text/plain"));
    assert_eq!(with("malformed").await.json, Value::Null);

    let rejected = with("queue-full").await;
    assert_eq!(rejected.status, 429);
    assert_eq!(rejected.json["error"]["code"], "ASYNC_SQL_QUEUE_FULL");
    assert_eq!(rejected.json["error"]["status"], "rejected");
    assert_eq!(with("circuit-open").await.json["error"]["recommended_action"], "narrow_query");

    let new = with("unknown-members").await.json;
    assert!(new["data"]["sandbox_new_member"].is_array() && new["sandbox_new_member"].is_object());

    let faults = schema::faults_of_answer(operation("hyperliquid-positions"), &new);
    assert!(faults.iter().all(|fault| fault.problem == "is not a known field"), "{faults:?}");

    let nulls = with("null-lists").await.json;
    assert_eq!(nulls["data"]["positions"], Value::Null);

    bench.sandbox.inject(fault("unknown-values;times=1")).unwrap();
    let values = bench.example("search-airdrop", &[]).await.json;
    assert_eq!(values["data"][0]["status"], "sandbox_new_value");
}

#[tokio::test]
async fn the_clock_jumps() {
    let bench = Bench::from_builder(builder().free_repeats(Duration::from_secs(180))).await;
    let credits = |seen: &Value| seen["meta"]["credits_used"].as_i64().unwrap();
    let ask = async || bench.example("market-price", &[]).await.json;
    let before = bench.sandbox.clock().now().0;
    let first = ask().await;

    assert_eq!((credits(&first), credits(&ask().await)), (2, 0));

    bench.sandbox.inject(fault("clock=+3m;times=1;operation=market-price")).unwrap();
    bench.example("news-feed", &[]).await;
    assert_eq!(bench.sandbox.clock().now().0, before, "it is for another operation");

    let second = ask().await;
    assert_eq!(bench.sandbox.clock().now().0, before + 180);
    assert_eq!(credits(&second), 2, "what was paid for has run out");
    assert_eq!(second["summary"]["latest_dt"], before + 180, "the data go on");

    bench.sandbox.inject(fault("clock=-1d;times=1")).unwrap();
    let back = ask().await;
    assert_eq!(back["summary"]["latest_dt"], before + 180 - 86_400);
    assert_eq!(bench.sandbox.clock().now().0, before + 180 - 86_400);

    // The clock stays between its earliest and its latest date. Requests at both dates are answered.
    for (jump, end) in [("clock=+3650d", 7_258_118_400), ("clock=-3650d", 0)] {
        bench.sandbox.inject(fault(jump).times(30)).unwrap();
        for _ in 0..30 {
            bench.get("/gateway/v1/nothing").await;
        }
        assert_eq!(bench.sandbox.clock().now().0, end);
        for id in ["market-price", "fund-ranking", "news-feed", "hyperliquid-positions"] {
            assert_eq!(bench.example(id, &[]).await.status, 200, "{id} at {end}");
        }
    }
}

#[tokio::test]
async fn faults_over_http_only_where_enabled() {
    let open = Bench::from_builder(builder().control_token("open sesame")).await;
    let closed = Bench::start().await;
    for (bench, status, added) in [(&closed, 200, 404), (&open, 418, 204)] {
        let request =
            bench.request(operation("news-feed"), &[]).header("x-sandbox-fault", "status=418");
        assert_eq!(request.send().await.unwrap().status(), status);
        let control = bench.http.post(format!("{}/sandbox/faults", bench.sandbox.url()));
        let control = control.header("x-sandbox-token", "open sesame");
        assert_eq!(control.body("status=503").send().await.unwrap().status(), added);
    }

    assert_eq!(open.example("news-feed", &[]).await.status, 503);

    let url = format!("{}/sandbox/faults", open.sandbox.url());
    for (token, status) in [("", 401), ("open", 401), ("open sesame", 204)] {
        let delete = open.http.delete(&url).header("x-sandbox-token", token);
        assert_eq!(delete.send().await.unwrap().status(), status, "{token}");
    }

    assert_eq!(open.example("news-feed", &[]).await.status, 200);

    let request = open.request(operation("news-feed"), &[]).header("x-sandbox-fault", "explode");
    assert_eq!(request.send().await.unwrap().status(), 400);
}

#[tokio::test]
async fn what_was_charged_and_never_answered_can_be_told() {
    let bench = Bench::start().await;
    let key = bench.sandbox.key().to_owned();
    assert_eq!(bench.sandbox.charged(&key), Some(0));
    assert_eq!(bench.sandbox.charged("sk-unknown"), None);

    bench.sandbox.inject(fault("cut=1;times=1;operation=market-price")).unwrap();
    assert_eq!(bench.sandbox.faults().len(), 1);
    let request = bench.request(operation("market-price"), &[("symbol", "BTC".into())]);
    let answer = request.bearer_auth(&key).send().await.unwrap();
    assert!(answer.bytes().await.is_err());

    assert_eq!(bench.sandbox.charged(&key), Some(2));
    assert!(bench.sandbox.faults().is_empty());
}
