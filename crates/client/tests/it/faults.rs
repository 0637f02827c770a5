//! Tests faults of a server, such as a connection that breaks within the response body. Each fault is tested with each
//! kind of operation, such as a DELETE or a stream. Bodies that cannot be decoded are not tested with streams. The
//! client must return the right error and send the right number of requests. It must never repeat a paid request that
//! the service may have executed.

use std::time::Duration;

use crypto_intel::{Client, Error, ErrorKind, RetryPolicy};

use futures_util::StreamExt;

use crate::server::{Act, Server, answer, bytes};

const KEY: &str = "sk-planted-key";
const ATTEMPTS: u32 = 3;
/// Timeout that no test reaches.
const LONG: Duration = Duration::from_secs(60);

/// Kinds of operations. They differ in how their requests are sent or how their responses are decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operation {
    Rows,
    Object,
    Bare,
    Delete,
    Post,
    Stream,
}

const OPERATIONS: [Operation; 6] = [
    Operation::Rows,
    Operation::Object,
    Operation::Bare,
    Operation::Delete,
    Operation::Post,
    Operation::Stream,
];

impl Operation {
    /// Returns true if sending the request twice may cost credits twice.
    fn is_paid(self) -> bool {
        matches!(self, Operation::Post | Operation::Stream)
    }

    async fn call(self, client: &Client, patience: Duration) -> Result<(), Error> {
        match self {
            Operation::Rows => client.token_holders("vitalik.eth", "ethereum").await.map(drop),
            Operation::Object => client.social_user("eth_daily").await.map(drop),
            Operation::Bare => client.market_price("BTC").await.map(drop),
            Operation::Delete => client.onchain_sql_job_cancel("id").await.map(drop),
            Operation::Post => client.onchain_sql("SELECT 1").await.map(drop),
            Operation::Stream => {
                // For this operation the default read timeout is ten minutes, so the test sets a shorter one.
                let options = crypto_intel::CallOptions::new().read_timeout(patience);
                let request = client.responses("svc-2.0-instant", "?").with_options(options);
                let mut stream =
                    crypto_intel::extend::Streaming::into_stream_call(request).open().await?;
                while let Some(piece) = stream.body.next().await {
                    piece?;
                }
                Ok(())
            }
        }
    }
}

/// Creates a client with the read timeout `patience`. All clients share one connection pool.
fn client(url: &str, patience: Duration) -> Client {
    static HTTP: std::sync::LazyLock<reqwest::Client> = std::sync::LazyLock::new(|| {
        reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().unwrap()
    });
    let retry = RetryPolicy::new().attempts(ATTEMPTS).min_delay(Duration::from_millis(1));
    Client::builder()
        .base_url(url)
        .api_key(KEY)
        .http_client(HTTP.clone())
        .read_timeout(patience)
        .retry(retry)
        .build()
        .unwrap()
}

/// Row of the table of faults: the behaviour of the server, and the expected result of a call.
#[derive(Clone)]
struct Fault {
    name: String,
    act: Option<Act>,
    kind: ErrorKind,
    status: Option<u16>,
    /// Expected numbers of requests: first for a call that may be repeated, second for a paid call.
    requests: (u32, u32),
}

fn fault(
    name: impl Into<String>,
    act: Act,
    kind: ErrorKind,
    status: Option<u16>,
    requests: (u32, u32),
) -> Fault {
    Fault { name: name.into(), act: Some(act), kind, status, requests }
}

const JSON: (&str, &str) = ("content-type", "application/json");
const ONCE: (u32, u32) = (1, 1);
/// Expected numbers of requests for a fault such as a reset connection. After such a fault, it is unknown whether the
/// server executed the request. The first number is for a call that the client retries. The second number is for a paid
/// call, which the client does not retry.
const SAFE: (u32, u32) = (ATTEMPTS, 1);
/// Expected numbers of requests after a fault such as status 429. The server certainly did not execute the request, so
/// the client retries a call that may be repeated (first number), and also a paid call (second number).
const REFUSED: (u32, u32) = (ATTEMPTS, ATTEMPTS);

fn error(code: &str) -> String {
    format!(r#"{{"error":{{"code":"{code}","message":"the service's words"}}}}"#)
}

fn table() -> Vec<Fault> {
    let nobody_listens = Fault {
        name: "nobody listens".to_owned(),
        act: None,
        kind: ErrorKind::Transport,
        status: None,
        requests: (0, 0),
    };

    let half = bytes(200, &[JSON], b"{\"data\": [", 500);
    let mut table = vec![
        nobody_listens,
        fault("reset before the head", Act::Reset(Vec::new()), ErrorKind::Transport, None, SAFE),
        fault("reset within the body", Act::Reset(half.clone()), ErrorKind::Transport, None, SAFE),
        fault(
            "closed within the body",
            Act::Answer(half.clone()),
            ErrorKind::Transport,
            None,
            SAFE,
        ),
        fault("stall before the head", Act::Stall(Vec::new()), ErrorKind::Timeout, None, SAFE),
        fault("stall within the body", Act::Stall(half), ErrorKind::Timeout, None, SAFE),
        fault(
            "garbage instead of HTTP",
            Act::Answer(b"\0\xff garbage\r\n\r\n".to_vec()),
            ErrorKind::Transport,
            None,
            SAFE,
        ),
    ];

    for (status, code, kind) in [
        (400, "INVALID_REQUEST", ErrorKind::InvalidRequest),
        (401, "UNAUTHORIZED", ErrorKind::Authentication),
        (402, "PAID_BALANCE_ZERO", ErrorKind::InsufficientCredits),
        (402, "FREE_QUOTA_EXHAUSTED", ErrorKind::InsufficientCredits),
        (403, "FORBIDDEN", ErrorKind::InsufficientCredits),
        (404, "NOT_FOUND", ErrorKind::NotFound),
        (422, "INVALID_REQUEST", ErrorKind::InvalidRequest),
    ] {
        table.push(fault(
            format!("{status} {code}"),
            answer(status, &[JSON], &error(code)),
            kind,
            Some(status),
            ONCE,
        ));
    }

    table.push(fault(
        "404 as text",
        answer(404, &[], "404 page not found"),
        ErrorKind::NotFound,
        Some(404),
        ONCE,
    ));

    let window =
        r#"{"error":{"code":"TIMEOUT","message":"m","recommended_action":"use_async_job"}}"#;
    table.push(fault(
        "408 of a query",
        answer(408, &[JSON], window),
        ErrorKind::Timeout,
        Some(408),
        ONCE,
    ));

    for (name, value) in [
        ("retry-after", "0"),
        ("retry-after", "Thu, 01 Jan 1970 00:00:00 GMT"),
        ("retry-after-ms", "1"),
        ("x-retry-in", "0.001"),
        ("x-other", "no wait"),
        ("retry-after", "soon"),
    ] {
        let act = answer(429, &[JSON, (name, value)], &error("RATE_LIMITED"));
        table.push(fault(
            format!("429 {name}: {value}"),
            act,
            ErrorKind::RateLimited,
            Some(429),
            REFUSED,
        ));
    }

    table.push(fault(
        "429 with a wait too long",
        answer(429, &[("retry-after", "3600")], ""),
        ErrorKind::RateLimited,
        Some(429),
        ONCE,
    ));

    let rejection = |retryable| {
        format!(
            r#"{{"error":{{"code":"ASYNC_SQL_QUEUE_FULL","message":"m","status":"rejected","retryable":{retryable},"retry_after_ms":1}}}}"#
        )
    };
    table.push(fault(
        "rejected, come back",
        answer(503, &[JSON], &rejection(true)),
        ErrorKind::SqlRejected,
        Some(503),
        REFUSED,
    ));

    table.push(fault(
        "rejected for good",
        answer(503, &[JSON], &rejection(false)),
        ErrorKind::SqlRejected,
        Some(503),
        ONCE,
    ));

    for status in [500, 502, 503, 504] {
        for (name, act) in [
            ("JSON", answer(status, &[JSON], &error("INTERNAL"))),
            ("HTML", answer(status, &[("content-type", "text/html")], "<html>oh no</html>")),
            ("nothing", answer(status, &[], "")),
            ("a body cut off", Act::Answer(bytes(status, &[JSON], b"{\"err", 50))),
        ] {
            table.push(fault(
                format!("{status} with {name}"),
                act,
                ErrorKind::Service,
                Some(status),
                SAFE,
            ));
        }
    }

    let elsewhere = answer(302, &[("location", "http://127.0.0.2:9/elsewhere")], "");
    table.push(fault("a redirect to another host", elsewhere, ErrorKind::Service, Some(302), ONCE));
    table
}

/// Returns the faults with a success status and a body that cannot be decoded. Streams are not tested with these
/// faults, because the tests do not decode streams.
fn undecodable() -> Vec<Fault> {
    [
        ("JSON cut off", answer(200, &[JSON], "{\"data\": [")),
        ("wrong types", answer(200, &[JSON], r#"{"data": 7, "meta": 3, "summary": []}"#)),
        ("a list", answer(200, &[JSON], "[1, 2]")),
        ("an empty body", answer(200, &[JSON], "")),
        ("an HTML page", answer(200, &[("content-type", "text/html")], "<html></html>")),
        ("no gzip", answer(200, &[JSON, ("content-encoding", "gzip")], "this is not gzip")),
    ]
    .into_iter()
    .map(|(name, act)| fault(name, act, ErrorKind::Decode, Some(200), ONCE))
    .collect()
}

async fn check(fault: &Fault, operation: Operation) -> Result<(), String> {
    let server = match &fault.act {
        Some(act) => Some(Server::start(act.clone()).await),
        None => None,
    };
    let (url, _unheard) = match &server {
        Some(server) => (server.url(), None),
        None => {
            let (url, socket) = Server::silent_port();
            (url, Some(socket))
        }
    };
    let stalls = matches!(fault.act, Some(Act::Stall(_)));

    // The timeout is so long that even a busy server reads the request before it.
    let patience = if stalls { Duration::from_secs(1) } else { LONG };
    let client = client(&url, patience);
    let limit = 2 * LONG;
    let outcome = tokio::time::timeout(limit, operation.call(&client, patience)).await;
    let error = outcome.map_err(|_| "hangs".to_owned())?.err().ok_or("succeeds")?;
    let mut wrong = Vec::new();
    if error.kind() != fault.kind {
        wrong.push(format!("kind {:?}", error.kind()));
    }
    if fault.status.is_some() && error.status().map(|status| status.as_u16()) != fault.status {
        wrong.push(format!("status {:?}", error.status()));
    }
    if error.operation().is_none() {
        wrong.push("no operation".to_owned());
    }

    let expected = if operation.is_paid() { fault.requests.1 } else { fault.requests.0 };
    let requests = server.as_ref().map_or(0, Server::requests);
    if requests != expected as usize {
        wrong.push(format!("{requests} requests"));
    }

    let attempts = if fault.act.is_none() { ATTEMPTS } else { expected };
    if error.attempts() != attempts {
        wrong.push(format!("{} attempts", error.attempts()));
    }

    let shown = format!("{error} {error:?} {:?}", std::error::Error::source(&error));
    if shown.contains(KEY) {
        wrong.push("shows the key".to_owned());
    }
    if error.to_string().lines().count() != 1 {
        wrong.push("Display is not one line".to_owned());
    }
    if wrong.is_empty() { Ok(()) } else { Err(format!("{}: {shown}", wrong.join(", "))) }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_fault_of_every_operation_has_its_own_error() {
    let every = table()
        .into_iter()
        .flat_map(|fault| OPERATIONS.map(|operation| (fault.clone(), operation)));
    let decoded = OPERATIONS.into_iter().filter(|operation| *operation != Operation::Stream);
    let undecodable = undecodable();
    let undecodable = decoded
        .flat_map(|operation| undecodable.iter().map(move |fault| (fault.clone(), operation)));
    let cases: Vec<_> = every.chain(undecodable).collect();
    let number = cases.len();

    let wrong: Vec<_> = futures_util::stream::iter(cases)
        .map(|(fault, operation)| async move {
            let what = check(&fault, operation).await.err()?;
            Some(format!("{}, {operation:?}: {what}", fault.name))
        })
        .buffer_unordered(12)
        .filter_map(async |wrong| wrong)
        .collect()
        .await;

    assert!(number > 250, "{number} cases");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn decode_error_names_position() {
    let body = r#"{"data": [{"address": "0x1", "balance": "1"}, {"address": "0x2", "balance": 7}],
        "meta": {"cached": false, "credits_used": 2, "limit": 20, "offset": 0}}"#;
    let server = Server::start(answer(200, &[JSON], body)).await;
    let error =
        client(&server.url(), LONG).token_holders("vitalik.eth", "ethereum").await.unwrap_err();
    assert!(error.message().starts_with("`data[1].balance`: invalid type: integer `7`"), "{error}");
    assert_eq!(error.body().unwrap().len(), body.len());
}

#[tokio::test]
async fn error_text_is_always_one_bounded_line() {
    let long = "y".repeat(100_000);
    for (status, body) in [
        (500, format!("{{\"error\":{{\"code\":\"A\\nB\",\"message\":\"\\u001b[2J {long}\"}}}}")),
        (500, format!("\u{1b}[2J\u{7} {long}")),
        (200, format!("{{\"data\": \"{long}\", \"meta\": {{}}}}")),
        (200, "{\"data\": [{\"a\\nb\": 1}], \"meta\": 7}".to_owned()),
    ] {
        let server = Server::start(answer(status, &[JSON], &body)).await;
        let client = client(&server.url(), LONG);
        let error = client.token_holders("vitalik.eth", "ethereum").await.unwrap_err();
        let shown = error.to_string();
        assert!(!shown.contains(char::is_control) && shown.len() < 2000, "{shown}");
        assert!(format!("{error:?}").len() < 8000);
    }
}
