//! Tests of the sandbox as an HTTP server: paths, methods, request bodies, HTTP versions, start and stop.

use std::time::Duration;

use crypto_intel_sandbox::Sandbox;
use serde_json::json;

use crate::support::{Bench, builder, operation, seen};

#[tokio::test]
async fn an_unknown_path_is_plain_text() {
    let bench = Bench::start().await;
    let seen = bench.get("/gateway/v1/market/nothing").await;
    assert_eq!(seen.status, 404);
    assert_eq!(seen.content_type, "text/plain; charset=utf-8");
    assert_eq!(seen.text, "404 page not found\n");
}

#[tokio::test]
async fn the_description_is_served_without_a_key_and_for_nothing() {
    let bench = Bench::from_builder(builder().require_key(true)).await;
    let spent = bench.sandbox.charged(bench.sandbox.key());
    let client = reqwest::Client::new();
    for path in ["/gateway/openapi.json", "/openapi.json"] {
        let response = client.get(format!("{}{path}", bench.sandbox.url())).send().await.unwrap();
        assert_eq!(response.status(), 200);
        let document: serde_json::Value = response.json().await.unwrap();
        let get = &document["paths"]["/gateway/v1/market/price"]["get"];
        assert_eq!((&get["operationId"], &get["x-credits"]), (&json!("market-price"), &json!(2)));
        // This operation comes from `spec/unpublished.openapi.json`. The served document contains it too.
        let job = &document["paths"]["/gateway/v1/onchain/sql/jobs"]["post"];
        assert_eq!(job["operationId"], "onchain-sql-job-create");
    }
    assert_eq!(bench.sandbox.charged(bench.sandbox.key()), spent);
}

#[tokio::test]
async fn a_wrong_method_names_the_right_ones() {
    let bench = Bench::start().await;
    let url = format!("{}/gateway/v1/onchain/sql/jobs/x", bench.sandbox.url());
    let response = bench.http.put(url).send().await.unwrap();
    assert_eq!(response.status(), 405);
    assert_eq!(response.headers()["allow"], "DELETE, GET");
}

#[tokio::test]
async fn a_body_must_be_a_json_object_of_modest_size() {
    let bench = Bench::start().await;
    let url = format!("{}/gateway/v1/onchain/sql", bench.sandbox.url());
    let status = async |content_type: &str, body: String| {
        seen(bench.http.post(&url).header("content-type", content_type).body(body)).await.status
    };
    assert_eq!(status("application/json", "{".to_owned()).await, 400);
    assert_eq!(status("application/json", "[]".to_owned()).await, 400);
    assert_eq!(status("text/plain", "{\"sql\": \"SELECT 1\"}".to_owned()).await, 400);
    assert_eq!(status("application/json", " ".repeat((1 << 20) + 1)).await, 413);
    assert_eq!(status("application/json", "{\"sql\": \"SELECT 1\"}".to_owned()).await, 200);
}

#[tokio::test]
async fn the_same_seed_gives_the_same_data_and_another_gives_other_data() {
    let (one, same, other) =
        (Bench::start().await, Bench::start().await, Bench::from_builder(builder().seed(1)).await);
    for id in ["market-ranking", "equity-balance-sheet", "hyperliquid-positions"] {
        let first = one.example(id, &[]).await.json;
        assert_eq!(first["data"], same.example(id, &[]).await.json["data"], "{id}");
        assert_ne!(first["data"], other.example(id, &[]).await.json["data"], "{id}");
    }
}

#[tokio::test]
async fn a_large_answer_is_whole_each_time_it_is_given() {
    use reqwest::Version;
    let bench = Bench::start().await;
    let url = format!("{}/gateway/v1/market/price?symbol=BTC&time_range=90d", bench.sandbox.url());
    let second = reqwest::Client::builder().http2_prior_knowledge().build().unwrap();

    let mut seen = Vec::new();
    for (http, version) in [
        (&bench.http, Version::HTTP_11),
        (&bench.http, Version::HTTP_11),
        (&second, Version::HTTP_2),
    ] {
        let answer = http.get(&url).send().await.unwrap();
        assert_eq!(answer.version(), version);
        let length = answer.content_length();
        let body = answer.bytes().await.unwrap();
        assert_eq!(length, Some(body.len() as u64));
        assert!(body.len() > 200_000, "{}", body.len());
        seen.push(serde_json::from_slice::<serde_json::Value>(&body).unwrap());
    }
    assert_eq!(seen[0]["data"].as_array().unwrap().len(), 2_161);
    assert!(seen.iter().all(|answer| answer["data"] == seen[0]["data"]));
    assert!(seen.iter().all(|answer| answer["meta"]["credits_used"].is_i64()));
}

#[tokio::test]
async fn both_versions_of_http_are_spoken() {
    use reqwest::Version;
    let bench = Bench::start().await;
    let url = format!("{}/gateway/v1/market/ranking", bench.sandbox.url());
    let second = reqwest::Client::builder().http2_prior_knowledge().build().unwrap();
    for (http, version) in [(&bench.http, Version::HTTP_11), (&second, Version::HTTP_2)] {
        let answer = http.get(&url).send().await.unwrap();
        assert_eq!((answer.version(), answer.status().as_u16()), (version, 200));
    }
}

#[tokio::test]
async fn a_stopped_sandbox_listens_no_more() {
    let Bench { sandbox, http } = Bench::start().await;
    let url = sandbox.url();
    assert_eq!(http.get(&url).send().await.unwrap().status(), 200);
    sandbox.stop().await.unwrap();
    let fresh = reqwest::Client::new();
    assert!(fresh.get(&url).send().await.unwrap_err().is_connect());
}

#[tokio::test]
async fn a_sandbox_that_stops_answers_what_has_arrived() {
    let patient = builder().stop_within(Duration::from_secs(60));
    let Bench { sandbox, http } = Bench::from_builder(patient).await;

    // With this delay, all requests arrive before the first response, even on a busy machine.
    sandbox.inject("latency=3000".parse().unwrap()).unwrap();
    let url = format!("{}/gateway/v1/market/ranking?limit=100", sandbox.url());
    let calls: Vec<_> = (0..64).map(|_| tokio::spawn(seen(http.get(&url)))).collect();
    while sandbox.requests_served() < 64 {
        tokio::task::yield_now().await;
    }

    // All requests have arrived, and none is answered yet.
    assert!(sandbox.requests().is_empty());

    let stopped = tokio::spawn(sandbox.stop());
    for call in calls {
        let answer = call.await.unwrap();
        assert_eq!(answer.status, 200);
        assert!(answer.json["data"].as_array().is_some_and(|rows| rows.len() > 20));
    }

    stopped.await.unwrap().unwrap();
    assert!(reqwest::Client::new().get(&url).send().await.unwrap_err().is_connect());
}

#[tokio::test]
async fn chat_answers_as_a_document_and_as_a_stream() {
    let bench = Bench::start().await;
    let document = bench.example("responses", &[]).await.json;
    assert_eq!(document["status"], "completed");
    let streamed = bench.example("responses-stream", &[]).await.text;
    let payloads: Vec<serde_json::Value> = streamed
        .lines()
        .filter_map(|line| line.strip_prefix("data: "))
        .map(|data| serde_json::from_str(data).unwrap())
        .collect();
    assert_eq!(payloads[0]["response"]["status"], "in_progress");
    let text: String = payloads.iter().filter_map(|p| p["delta"].as_str()).collect();
    let last = &payloads.last().unwrap()["response"];
    assert_eq!(last["status"], "completed");
    assert_eq!(last["output_text"], json!(text));
    assert_eq!(document["output_text"], json!(text));
    let streamed = bench.example("chat-completions-stream", &[]).await.text;
    assert!(streamed.ends_with("data: [DONE]\n\n"), "{streamed}");
}

#[tokio::test]
async fn a_flag_that_is_false_means_the_document() {
    let bench = Bench::start().await;
    let body = json!({"model": "svc-2.0", "input": "hello", "stream": false});
    let url = format!("{}{}", bench.sandbox.url(), operation("responses").path);
    let answer = seen(bench.http.post(url).json(&body)).await;
    assert_eq!((answer.status, answer.content_type.as_str()), (200, "application/json"));
}

#[tokio::test]
async fn pages_of_an_allowed_origin_may_read_and_others_may_not() {
    let allowed = "http://localhost:3000";
    let bench = Bench::from_builder(builder().allow_origin(allowed).control_token("t")).await;
    let price = format!("{}/gateway/v1/market/price?symbol=BTC", bench.sandbox.url());
    let cors = |response: &reqwest::Response, name: &str| {
        let header = response.headers().get(format!("access-control-{name}"));
        header.map(|value| value.to_str().unwrap().to_owned())
    };
    for (url, status) in [(price.clone(), 200), (format!("{price}&x=1"), 400)] {
        let response = bench.http.get(url).header("origin", allowed).send().await.unwrap();
        assert_eq!(response.status(), status);
        assert_eq!(cors(&response, "allow-origin").as_deref(), Some(allowed));
        assert_eq!(cors(&response, "expose-headers").as_deref(), Some("*"));
        assert_eq!(response.headers()["vary"], "origin");
    }

    let preflight = |origin: &str| {
        bench
            .http
            .request(reqwest::Method::OPTIONS, &price)
            .header("origin", origin)
            .header("access-control-request-method", "POST")
            .header("access-control-request-headers", "authorization,content-type")
            .send()
    };
    let served = bench.sandbox.requests_served();
    let asked = preflight(allowed).await.unwrap();
    assert_eq!((asked.status().as_u16(), bench.sandbox.requests_served()), (204, served));
    assert_eq!(cors(&asked, "allow-headers").as_deref(), Some("authorization,content-type"));
    assert!(cors(&asked, "allow-methods").unwrap().contains("POST"));

    for (origin, status) in [("http://localhost:3001", 405), ("https://page.example", 403)] {
        let response = preflight(origin).await.unwrap();
        assert_eq!(response.status(), status, "{origin}");
        assert_eq!(cors(&response, "allow-origin"), None, "{origin}");
    }
    let wrong = Sandbox::builder().allow_origin("https://page.example").start().await;
    assert_eq!(wrong.unwrap_err().kind(), std::io::ErrorKind::InvalidInput);
}
