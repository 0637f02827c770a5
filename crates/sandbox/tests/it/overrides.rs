//! Tests of overrides. An override is a response that a test sets. The sandbox returns this response in place of
//! generated data.

use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_api::generated::market::MarketMetricPoint;
use crypto_intel_core::{Answer, Operation, Price};
use crypto_intel_sandbox::{Override, Sandbox, UnixSeconds, example};
use serde_json::{Value, json};

use crate::support::{Bench, builder, operation, rows, seen};

fn point(value: f64) -> MarketMetricPoint {
    let mut point = MarketMetricPoint::default();
    (point.timestamp, point.value) = (UnixSeconds(1_767_225_600), value);
    point
}

/// Calls `market-price` and returns the status of the response and the `value` of each row.
async fn prices(bench: &Bench, symbol: &str) -> (u16, Vec<f64>) {
    let answer = bench.example("market-price", &[("symbol", json!(symbol))]).await;
    let rows = answer.json["data"].as_array().cloned().unwrap_or_default();
    (answer.status, rows.iter().map(|row| row["value"].as_f64().unwrap()).collect())
}

#[tokio::test]
async fn every_operation_answers_what_it_answered_before_when_that_is_set() {
    let bench = Bench::start().await;
    let mut held = 0;
    // Chat responses contain fields for standard clients that the record tables do not have.
    let is_data = |operation: &Operation| !matches!(operation.price, Price::ByModel(_));
    for operation in OPERATIONS.iter().copied().filter(|operation| is_data(operation)) {
        let before = bench.call(operation, &example::parameters(operation)).await;
        let is_enveloped = !matches!(operation.answer, Answer::Bare(_));
        let data = if is_enveloped { before.json["data"].clone() } else { before.json.clone() };
        let set = bench.sandbox.answer(operation.id, &data);
        set.unwrap_or_else(|error| panic!("{error}"));

        let after = bench.call(operation, &example::parameters(operation)).await;
        assert_eq!((before.status, &before.content_type), (after.status, &after.content_type));
        let place = if is_enveloped { "/data" } else { "" };
        assert_eq!(before.json.pointer(place), after.json.pointer(place), "{}", operation.id);
        assert!(bench.sandbox.requests().last().unwrap().overridden);
        held += 1;
    }
    assert!(held > 130, "{held}");

    bench.sandbox.forget_answers(None);
    assert!(bench.sandbox.answers().is_empty());
}

#[tokio::test]
async fn a_sequence_of_typed_rows_and_errors_is_charged_only_where_it_answers() {
    let bench = Bench::from_builder(builder().free_repeats(std::time::Duration::ZERO)).await;
    let sequence = Override::data(vec![point(1.0)])
        .then(Override::status(503).times(3))
        .then(Override::data([point(2.0), point(3.0)]).times(1));
    bench.sandbox.answer("market-price", sequence).unwrap();

    let failed = (503, vec![]);
    assert_eq!(prices(&bench, "BTC").await, (200, vec![1.0]));
    for _ in 0..3 {
        assert_eq!(prices(&bench, "BTC").await, failed);
    }
    assert_eq!(prices(&bench, "BTC").await, (200, vec![2.0, 3.0]));
    assert!(prices(&bench, "BTC").await.1.len() > 3, "invented again");
    assert_eq!(bench.sandbox.charged(bench.sandbox.key()), Some(6));

    let requests = bench.sandbox.requests();
    assert_eq!(requests[1].fault.as_deref(), Some("status=503"));
    assert_eq!((requests[1].credits, requests[5].overridden), (None, false));
}

#[tokio::test]
async fn conditions_and_unknown_subjects() {
    let bench = Bench::start().await;
    let eth = Override::data(vec![point(7.0)]).when("symbol", "ETH");
    bench.sandbox.answer("market-price", eth).unwrap();
    assert_eq!(prices(&bench, "ETH").await, (200, vec![7.0]));
    assert!(prices(&bench, "BTC").await.1.len() > 1);

    // A response can also be set for an unknown symbol.
    assert_eq!(prices(&bench, "NOSUCH").await.0, 404);
    bench.sandbox.answer("market-price", vec![point(8.0)]).unwrap();
    assert_eq!(prices(&bench, "NOSUCH").await, (200, vec![8.0]));
}

#[tokio::test]
async fn partial_rows_change_invented_ones() {
    let bench = Bench::start().await;
    let invented = bench.example("market-ranking", &[]).await.json;
    let part = json!({"price_usd": 1.5, "name": "x"});
    bench.sandbox.answer("market-ranking", Override::partial(&part).times(1)).unwrap();
    let changed = bench.example("market-ranking", &[]).await.json;
    for (row, invented) in rows(&changed).iter().zip(rows(&invented)) {
        assert_eq!((&row["price_usd"], &row["name"]), (&json!(1.5), &json!("x")));
        assert_eq!(row["market_cap_usd"], invented["market_cap_usd"]);
    }

    let parts = Override::partial(json!([{"name": "a"}, {}, {"name": "c"}]));
    bench.sandbox.answer("market-ranking", parts).unwrap();
    let changed = bench.example("market-ranking", &[]).await.json;
    let names: Vec<_> = rows(&changed).iter().map(|row| row["name"].clone()).collect();
    assert_eq!((&names[0], &names[2]), (&json!("a"), &json!("c")));
    assert_eq!(names[1], rows(&invented)[1]["name"]);

    bench
        .sandbox
        .answer("market-price", Override::partial(json!({"value": 2.5})).times(1))
        .unwrap();
    let (_, values) = prices(&bench, "BTC").await;
    assert!(values.len() > 100 && values.iter().all(|value| *value == 2.5));

    // Nested objects are merged field by field.
    let part = json!({"data": {"revenue": {"value": 5.0}}});
    assert!(bench.sandbox.answer("equity-income-statement", Override::partial(&part)).is_err());
    bench.sandbox.answer("equity-income-statement", Override::partial(&part["data"])).unwrap();
    let changed = bench.example("equity-income-statement", &[]).await.json;
    let revenue = &rows(&changed)[0]["revenue"];
    assert_eq!((&revenue["value"], &revenue["status"]), (&json!(5.0), &json!("available")));

    let many: Vec<Value> = (0..200).map(|_| json!({})).collect();
    bench.sandbox.answer("market-ranking", Override::partial(many)).unwrap();
    bench.example("market-ranking", &[]).await;
    let warning = bench.sandbox.requests().last().unwrap().warning.clone().unwrap();
    assert!(warning.starts_with("the override has 200 partial rows"), "{warning}");
}

#[tokio::test]
async fn given_rows_are_paged() {
    let bench = Bench::start().await;
    let ranking = bench.example("market-ranking", &[("limit", json!(100))]).await.json;
    let whole = rows(&ranking).clone();
    bench.sandbox.answer("market-ranking", &whole).unwrap();
    let all = crate::support::all(&bench, "market-ranking", &[]).await;
    assert_eq!(all, whole);
    let page = [("limit", json!(7)), ("offset", json!(7))];
    let page = bench.example("market-ranking", &page).await.json;
    assert_eq!(rows(&page), &whole[7..14]);
    assert_eq!(
        (&page["meta"]["total"], &page["meta"]["has_more"]),
        (&json!(whole.len()), &json!(true))
    );

    // Paging by cursor returns each row once, and each page except the last is full.
    let posts = bench.example("social-user-posts", &[("limit", json!(50))]).await.json;
    let whole = rows(&posts).clone();
    bench.sandbox.answer("social-user-posts", &whole).unwrap();
    let (mut found, mut cursor) = (Vec::new(), String::new());
    loop {
        let more = [("limit", json!(7)), ("cursor", json!(cursor))];
        let page = bench.example("social-user-posts", &more[..1 + usize::from(!cursor.is_empty())]);
        let page = page.await.json;
        found.extend(rows(&page).iter().cloned());
        match page["meta"]["next_cursor"].as_str() {
            Some(next) if !next.is_empty() => cursor = next.to_owned(),
            _ => break,
        }
    }
    assert_eq!(found, whole);

    // A complete response is sent unchanged.
    let response = json!({"data": [], "meta": {"cached": true, "credits_used": 9,
        "has_more": true, "limit": 3, "offset": 0, "total": 77}});
    let sent = bench.sandbox.answer("market-ranking", &response);
    sent.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(bench.example("market-ranking", &[]).await.json, response);
}

#[tokio::test]
async fn a_chat_says_what_it_is_told_in_every_form() {
    let bench = Bench::start().await;
    for id in ["responses", "chat-completions"] {
        bench.sandbox.answer(id, Override::text("Sell **everything**, now.")).unwrap();
        let whole = bench.example(id, &[]).await.text;
        assert!(whole.contains("Sell **everything**, now."), "{whole}");
        let stream = bench.example(&format!("{id}-stream"), &[]).await;
        assert!(stream.content_type.starts_with("text/event-stream"));
        assert!(stream.text.contains("\"**everything**, \""), "{}", stream.text);
    }

    bench.sandbox.answer("responses", Override::status(429).times(1)).unwrap();
    assert_eq!(bench.example("responses-stream", &[]).await.status, 429);
    assert_eq!(bench.example("responses-stream", &[]).await.status, 200);
}

#[tokio::test]
async fn faults_in_a_sequence_change_the_answer() {
    let bench = Bench::start().await;
    let fault = |text: &str| Override::fault(text.parse().unwrap());
    let sequence =
        fault("malformed").then(fault("latency=1")).then(fault("unknown-members;times=1"));
    bench.sandbox.answer("market-ranking", sequence).unwrap();
    let malformed = bench.example("market-ranking", &[]).await;
    assert_eq!((malformed.status, malformed.json), (200, Value::Null));
    assert_eq!(bench.example("market-ranking", &[]).await.status, 200);
    let more = bench.example("market-ranking", &[]).await.json;
    assert!(more.get("sandbox_new_member").is_some());
    let faults: Vec<_> = bench.sandbox.requests().into_iter().map(|seen| seen.fault).collect();
    let expected = ["malformed", "latency=1", "unknown-members"];
    assert_eq!(faults, expected.map(|text| Some(text.to_owned())));
}

#[tokio::test]
async fn requests_that_are_refused_take_no_step() {
    let bench = Bench::start().await;
    bench.sandbox.answer("market-price", Override::data(vec![point(4.0)]).times(1)).unwrap();
    let ranking = operation("market-price");
    let invalid = bench.call(ranking, &[("symbol", json!("BTC")), ("nope", json!(1))]).await;
    assert_eq!(invalid.status, 400);
    let values = example::parameters(ranking);
    let unknown_key = bench.request(ranking, &values).bearer_auth("sk-nobody");
    assert_eq!(seen(unknown_key).await.status, 401);
    bench.sandbox.inject("status=500;times=1".parse().unwrap()).unwrap();
    assert_eq!(prices(&bench, "BTC").await.0, 500);
    assert_eq!(prices(&bench, "BTC").await, (200, vec![4.0]));
}

#[tokio::test]
async fn the_control_path_sets_lists_and_removes_answers() {
    let bench = Bench::from_builder(builder().control_token("open sesame")).await;
    let url = format!("{}/sandbox/answers", bench.sandbox.url());
    let control = |method: reqwest::Method, body: String| {
        let request = bench.http.request(method, &url).header("x-sandbox-token", "open sesame");
        seen(request.body(body))
    };
    let entry = json!({"operation": "market-price", "steps": [
        {"data": [{"timestamp": 1, "value": 5.0}], "times": 1},
        {"fault": "status=503", "times": 2},
    ]});
    assert_eq!(control(reqwest::Method::POST, entry.to_string()).await.status, 204);
    assert_eq!(control(reqwest::Method::GET, String::new()).await.json, json!([entry]));
    assert_eq!(prices(&bench, "BTC").await, (200, vec![5.0]));
    assert_eq!(prices(&bench, "BTC").await.0, 503);
    assert_eq!(control(reqwest::Method::DELETE, "market-price".to_owned()).await.status, 204);
    assert_eq!(prices(&bench, "BTC").await.0, 200);

    let wrong = json!({"operation": "market-price", "data": [{"timestamp": 1, "value": "x"}]});
    let refused = control(reqwest::Method::POST, wrong.to_string()).await;
    assert_eq!((refused.status, &refused.json["error"]["code"]), (400, &json!("INVALID_REQUEST")));
    let stranger = bench.http.post(&url).body(entry.to_string());
    assert_eq!(seen(stranger).await.status, 401);
}

#[tokio::test]
async fn answers_of_a_builder_are_checked_at_the_start() {
    let wrong = Sandbox::builder().answer("market-price", json!([{"value": 1}])).start().await;
    assert_eq!(wrong.unwrap_err().kind(), std::io::ErrorKind::InvalidInput);
    let bench = Bench::from_builder(builder().answer("market-price", vec![point(6.0)])).await;
    assert_eq!(prices(&bench, "BTC").await, (200, vec![6.0]));

    let tapes = tempfile::tempdir().unwrap();
    let replay = Sandbox::builder().replay(tapes.path()).start().await;
    if let Ok(replay) = replay {
        assert!(replay.answer("market-price", vec![point(6.0)]).is_err());
    }
}
