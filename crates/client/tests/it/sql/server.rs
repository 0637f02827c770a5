//! HTTP server that sends scripted responses in order, and records the requests.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::http::{Method, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use crypto_intel::{Client, RetryPolicy};
use serde_json::{Value, json};
use tokio::time::Instant;

/// Scripted responses of a server, and the requests that the server received. After the last response, all further
/// requests receive this last response again.
struct Script {
    answers: Mutex<Vec<(u16, Value)>>,
    requests: Mutex<Vec<(Duration, String, Value)>>,
    started: Instant,
}

async fn send_next_answer(
    State(script): State<Arc<Script>>,
    method: Method,
    uri: Uri,
    body: Bytes,
) -> Response {
    let body = serde_json::from_slice(&body).unwrap_or(Value::Null);
    let path = uri.path().trim_start_matches("/gateway/v1/onchain/sql");
    script.requests.lock().unwrap().push((
        script.started.elapsed(),
        format!("{method} {path}"),
        body,
    ));
    let mut answers = script.answers.lock().unwrap();
    let (status, answer) = if answers.len() > 1 { answers.remove(0) } else { answers[0].clone() };
    // A JSON string in the script is sent as a body that is not JSON.
    let (kind, text) = match answer {
        Value::String(text) => ("text/csv; charset=utf-8", text),
        answer => ("application/json", answer.to_string()),
    };
    (StatusCode::from_u16(status).unwrap(), [(CONTENT_TYPE, kind)], text).into_response()
}

pub(super) struct Server {
    pub(super) client: Client,
    script: Arc<Script>,
}

impl Server {
    pub(super) async fn start(answers: Vec<(u16, Value)>) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let script = Arc::new(Script {
            answers: Mutex::new(answers),
            requests: Mutex::default(),
            started: Instant::now(),
        });
        let app = Router::new().fallback(send_next_answer).with_state(script.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        let client = Client::builder().base_url(url).retry(RetryPolicy::none()).build().unwrap();
        Server { client, script }
    }

    pub(super) fn requests(&self) -> Vec<String> {
        self.script.requests.lock().unwrap().iter().map(|(_, what, _)| what.clone()).collect()
    }

    pub(super) fn bodies(&self) -> Vec<Value> {
        self.script.requests.lock().unwrap().iter().map(|(_, _, body)| body.clone()).collect()
    }

    /// Returns the arrival time of each request in seconds since the start of the server, rounded to tenths.
    pub(super) fn times(&self) -> Vec<f64> {
        let requests = self.script.requests.lock().unwrap();
        requests.iter().map(|(time, _, _)| (time.as_secs_f64() * 10.0).round() / 10.0).collect()
    }
}

pub(super) fn job_with(status: &str, more: Value) -> (u16, Value) {
    let mut job = json!({
        "request_id": "r", "job_id": "j-1", "query_id": "q", "status": status, "sql": "SELECT 1",
        "executed_sql": "SELECT 1 LIMIT 1000", "parameters": {}, "max_rows": 1000,
        "created_at": 1_767_139_200, "expires_at": 1_767_225_600, "elapsed_ms": 1,
        "processed_rows": 0, "processed_bytes": 0, "retryable": false,
        "cancellation_requested": false, "recommended_action": "poll",
    });
    if let (Some(job), Value::Object(more)) = (job.as_object_mut(), more) {
        job.extend(more);
    }
    (200, json!({"data": job, "meta": {"credits_used": 0, "cached": false}}))
}

pub(super) fn job(status: &str) -> (u16, Value) {
    job_with(status, json!({}))
}

pub(super) fn rows() -> (u16, Value) {
    let data = json!([{"day": 1, "volume": 2.5}]);
    (200, json!({"data": data, "meta": {"credits_used": 0, "cached": false}}))
}

pub(super) fn error(status: u16, error: Value) -> (u16, Value) {
    (status, json!({ "error": error }))
}
