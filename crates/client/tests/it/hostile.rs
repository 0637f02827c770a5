//! Tests of hostile responses. Each body is sent with each HTTP status for each kind of call. With status 200, each
//! body is also sent with each content type. The tests check invariants that hold for all of these responses.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crypto_intel::{Client, Error, ErrorKind, Method, RetryPolicy, prelude::*};
use futures_util::StreamExt;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};

use crate::server::{bytes, read_request};

/// API key with characters that are escaped in JSON.
const KEY: &str = r#"sk-pla"nted\0123456789"#;
/// End of the API key. No output may contain it, whether the key is escaped or not.
const TAIL: &str = "0123456789";
const ATTEMPTS: usize = 2;

/// Kinds of calls. They differ in how requests are sent or how responses are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Object,
    List,
    Bare,
    Raw,
    SqlRows,
    SqlJob,
    ChatJson,
    ChatStream,
    CompletionsStream,
}

const KINDS: [Kind; 9] = [
    Kind::Object,
    Kind::List,
    Kind::Bare,
    Kind::Raw,
    Kind::SqlRows,
    Kind::SqlJob,
    Kind::ChatJson,
    Kind::ChatStream,
    Kind::CompletionsStream,
];

impl Kind {
    /// Returns true for calls that send a POST request. In these tests, the client repeats a POST only after status
    /// 429. After any other status, the service may have charged the first POST.
    fn is_post(self) -> bool {
        !matches!(self, Kind::Object | Kind::List | Kind::Bare | Kind::Raw)
    }

    fn streams(self) -> bool {
        matches!(self, Kind::ChatStream | Kind::CompletionsStream)
    }

    async fn call(self, client: &Client) -> Result<(), Error> {
        match self {
            Kind::Object => client.social_user("eth_daily").await.map(drop),
            Kind::List => {
                let list = client.token_holders("vitalik.eth", "ethereum").max_pages(2);
                list.collect_all().await.map(drop)
            }
            Kind::Bare => client.market_price("BTC").await.map(drop),
            Kind::Raw => client.raw(Method::GET, "/new").await.map(drop),
            Kind::SqlRows => client.sql("SELECT 1").rows::<BTreeMap<String, i64>>().await.map(drop),
            Kind::SqlJob => client.sql("SELECT 1").submit().await.map(drop),
            Kind::ChatJson => client.responses("svc-2.0-instant", "?").await.map(drop),
            Kind::ChatStream => {
                let stream = client.responses("svc-2.0-instant", "?").stream().await?;
                Ok(stream.read_to_end().await.map(drop)?)
            }
            Kind::CompletionsStream => {
                #[allow(deprecated, reason = "retired, and still there")]
                let request = client.chat_completions("svc-ask", [crypto_intel::chat::user("?")]);
                Ok(request.stream().await?.read_to_end().await.map(drop)?)
            }
        }
    }
}

/// Kind of content that a response body has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Nature {
    /// Empty body, or a body that contains only whitespace or only a byte order mark.
    Empty,
    /// HTML page, such as the error page of a proxy. An XML document also has this kind.
    Html,
    /// Bytes that are neither valid JSON nor markup, such as plain text or JSON that was cut off.
    Garbage,
    /// JSON that is not a response of the called operation.
    Json,
    /// Error object. If the HTTP status is 200, the call must fail with this [`ErrorKind`]. For any other HTTP status,
    /// the status determines the expected error kind.
    Reported(ErrorKind),
    /// Error object of a rejected SQL query. The expected error kind is [`ErrorKind::SqlRejected`] for every HTTP
    /// status.
    Rejected,
    /// Error object with the code `FORBIDDEN`. The expected error kind is [`ErrorKind::InsufficientCredits`] for every
    /// HTTP status.
    Forbidden,
}

fn bodies() -> Vec<(&'static str, Vec<u8>, Nature)> {
    use Nature::{Empty, Forbidden, Garbage, Html, Json, Rejected, Reported};

    let quoted = serde_json::to_string(KEY).unwrap();
    let spelled: String =
        KEY.chars().map(|char| format!("\\u{:04x}", u32::from(char))).collect::<String>();
    let service = Reported(ErrorKind::Service);
    let text = |name, body: &str, nature| (name, body.as_bytes().to_vec(), nature);

    let no_json = vec![
        text("nothing", "", Empty),
        text("blanks", " \r\n\t ", Empty),
        text("a mark and nothing", "\u{feff}", Empty),
        text("a page", "<!doctype html><html><body>Bad gateway</body></html>", Html),
        text("a page in capitals", "  \n<HTML><TITLE>Blocked</TITLE>", Html),
        text("XML", "<?xml version=\"1.0\"?><Error/>", Html),
        text("a page with the key", &format!("<html>{KEY}</html>"), Html),
        text("text", "upstream connect error", Garbage),
        text("text with the key", KEY, Garbage),
        text("cut off", "{\"data\": [{\"addr", Garbage),
        text("two documents", "{} {}", Garbage),
        ("no UTF-8", b"{\"data\": \"\xff\xfe\"}".to_vec(), Garbage),
        ("zeros", vec![0; 64], Garbage),
        ("deep", [b"{\"data\":".to_vec(), vec![b'['; 20_000]].concat(), Garbage),
    ];

    let json = vec![
        text("null", "null", Json),
        text("an object", "{}", Json),
        text("a number", "1e400", Json),
        text("a text", "\"a text\"", Json),
        text("another object", "{\"status\": \"ok\", \"result\": {\"items\": [1, 2]}}", Json),
        text("wrong types", r#"{"data": 7, "meta": "x", "columns": 1, "choices": 3}"#, Json),
        text("wrong rows", r#"{"data": [[[1]], "x"], "meta": {}, "id": []}"#, Json),
        text("the key as a row", &format!(r#"{{"data": {quoted}, "id": {quoted}}}"#), Json),
        text(
            "the key spelled out",
            &format!("{{\"data\": \"{spelled}\", \"{spelled}\": 1}}"),
            Json,
        ),
    ];

    let service_errors = vec![
        text("an error", r#"{"error": {"code": "X", "message": "m"}}"#, service),
        text("a word of error", r#"{"error": "m"}"#, service),
        text("an error behind a mark", "\u{feff}{\"error\": {\"message\": \"m\"}}", service),
        text(
            "an error with the key",
            &format!(
                r#"{{"error": {{"code": {quoted}, "message": "of {spelled}!", "request_id": {quoted}, {quoted}: [{quoted}]}}}}"#
            ),
            service,
        ),
    ];

    let other_errors = vec![
        text(
            "an error beside data",
            r#"{"data": null, "meta": null, "error": {"code": "NOT_FOUND", "message": "m"}}"#,
            Reported(ErrorKind::NotFound),
        ),
        text(
            "an error with its status",
            r#"{"error": {"status": 429, "message": "m"}}"#,
            Reported(ErrorKind::RateLimited),
        ),
        text(
            "no success",
            r#"{"success": false, "message": "m", "error_code": "UNAUTHORIZED"}"#,
            Reported(ErrorKind::Authentication),
        ),
    ];

    let refusals = vec![
        text("forbidden", r#"{"error": {"code": "FORBIDDEN", "message": "m"}}"#, Forbidden),
        text(
            "forbidden in chat",
            r#"{"success": false, "message": "m", "error_code": "FORBIDDEN"}"#,
            Forbidden,
        ),
        text(
            "rejected",
            r#"{"error": {"code": "ASYNC_SQL_QUEUE_FULL", "message": "m", "request_id": "r",
                "job_id": null, "query_id": null, "status": "rejected", "retryable": false,
                "retry_after_ms": 1, "recommended_action": "wait_and_retry"}}"#,
            Rejected,
        ),
    ];

    [no_json, json, service_errors, other_errors, refusals].concat()
}

const STATUSES: [u16; 12] = [200, 400, 401, 402, 403, 404, 408, 422, 429, 500, 502, 503];

const TYPES: [Option<&str>; 4] =
    [None, Some("application/json; charset=utf-8"), Some("text/html"), Some("text/event-stream")];

#[derive(Debug, Clone)]
struct Case {
    body: (&'static str, Vec<u8>, Nature),
    status: u16,
    content_type: Option<&'static str>,
    kind: Kind,
}

impl Case {
    /// Returns the expected error kind. Returns `None` if the body may be a valid response of the call.
    fn expected(&self) -> Option<ErrorKind> {
        let nature = self.body.2;
        match (self.status, nature) {
            (_, Nature::Forbidden) => return Some(ErrorKind::InsufficientCredits),
            (_, Nature::Rejected) => return Some(ErrorKind::SqlRejected),
            (200, _) => {}
            (400 | 422, _) => return Some(ErrorKind::InvalidRequest),
            (401 | 403, _) => return Some(ErrorKind::Authentication),
            (402, _) => return Some(ErrorKind::InsufficientCredits),
            (404, _) => return Some(ErrorKind::NotFound),
            (408, _) => return Some(ErrorKind::Timeout),
            (429, _) => return Some(ErrorKind::RateLimited),
            (_, _) => return Some(ErrorKind::Service),
        }

        // A body with the content type of an event stream, but without an event, counts as a stream that was cut off.
        // The exceptions are HTML pages and invalid JSON.
        let is_stream = self.kind.streams() && self.content_type == Some("text/event-stream");

        match nature {
            Nature::Reported(kind) => Some(kind),
            Nature::Empty | Nature::Garbage | Nature::Json if is_stream => {
                let begins = |sign: &[u8]| self.body.1.starts_with(sign);
                let is_cut = nature != Nature::Json && begins(b"{");
                Some(if is_cut { ErrorKind::Decode } else { ErrorKind::Truncated })
            }
            // A JSON object in place of an event stream is read as an unfinished chat answer.
            Nature::Json if self.kind.streams() && self.body.1.starts_with(b"{") => {
                Some(ErrorKind::Truncated)
            }
            // A raw call accepts any JSON as a valid response.
            Nature::Json if self.kind == Kind::Raw => None,
            Nature::Garbage | Nature::Json
                if self.kind.streams() && self.content_type.is_none() =>
            {
                // Without a content type, a body is read as an event stream unless it begins like a JSON object.
                let is_json = self.body.1.starts_with(b"{");
                Some(if is_json { ErrorKind::Decode } else { ErrorKind::Truncated })
            }
            _ => Some(ErrorKind::Decode),
        }
    }

    /// Returns the maximum number of requests, including retries, that the client may send for this test case.
    fn most_requests(&self) -> usize {
        let refused = self.status == 429;
        let again = if self.kind.is_post() { refused } else { self.status != 200 };
        if again { ATTEMPTS } else { 1 }
    }
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    for body in bodies() {
        for status in STATUSES {
            let types = if status == 200 { &TYPES[..] } else { &TYPES[1..2] };
            for (content_type, kind) in
                types.iter().flat_map(|content_type| KINDS.map(|kind| (*content_type, kind)))
            {
                cases.push(Case { body: body.clone(), status, content_type, kind });
            }
        }
    }
    cases
}

/// HTTP server for all test cases. The first path segment of a request is the index of a test case. The server sends
/// the response of this test case.
struct Hostile {
    url: String,
    requests: Arc<Mutex<BTreeMap<usize, usize>>>,
}

impl Hostile {
    async fn start(cases: Arc<Vec<Case>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let requests: Arc<Mutex<BTreeMap<usize, usize>>> = Arc::default();
        let counts = requests.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, cases.clone(), counts.clone()));
            }
        });
        Hostile { url, requests }
    }
}

async fn serve(
    mut stream: TcpStream,
    cases: Arc<Vec<Case>>,
    requests: Arc<Mutex<BTreeMap<usize, usize>>>,
) {
    let Some(text) = read_request(&mut stream).await else { return };
    let number = text.split('/').nth(1).and_then(|number| number.parse::<usize>().ok()).unwrap();
    *requests.lock().unwrap().entry(number).or_default() += 1;

    let Case { body: (_, body, _), status, content_type, .. } = &cases[number];
    let mut headers = vec![("x-request-id", KEY), ("retry-after-ms", "1"), ("x-other", KEY)];
    headers.extend(content_type.map(|kind| ("content-type", kind)));
    let _ = stream.write_all(&bytes(*status, &headers, body, body.len())).await;
    let _ = stream.shutdown().await;
}

/// Runs one case. Returns the invariants that the result violates.
async fn check(
    number: usize,
    case: &Case,
    hostile: &Hostile,
    http: reqwest::Client,
) -> Vec<String> {
    let short = Duration::from_millis(1);
    let retry = RetryPolicy::new().attempts(ATTEMPTS as u32).min_delay(short).max_delay(short);
    let builder = Client::builder().base_url(format!("{}/{number}", hostile.url)).api_key(KEY);
    let client = builder.http_client(http).retry(retry).build().unwrap();

    let limit = Duration::from_secs(60);
    let Ok(outcome) = tokio::time::timeout(limit, case.kind.call(&client)).await else {
        return vec!["hangs".to_owned()];
    };
    let requests = hostile.requests.lock().unwrap().get(&number).copied().unwrap_or_default();
    let mut wrong = Vec::new();
    if requests == 0 || requests > case.most_requests() {
        wrong.push(format!("{requests} requests"));
    }

    let error = match (outcome, case.expected()) {
        (Ok(()), None) => return wrong,
        (Ok(()), Some(_)) => return vec!["succeeds".to_owned()],
        (Err(error), _) => error,
    };
    wrong.extend(faults(&error, case, requests));
    if !wrong.is_empty() {
        wrong.push(format!("{error:?}"));
    }
    wrong
}

/// Returns the invariants that an error violates.
fn faults(error: &Error, case: &Case, requests: usize) -> Vec<String> {
    let mut wrong = Vec::new();
    let (_, body, nature) = &case.body;
    if Some(error.kind()) != case.expected() {
        wrong.push(format!("kind {:?} instead of {:?}", error.kind(), case.expected()));
    }
    if error.status().map(|status| status.as_u16()) != Some(case.status) {
        wrong.push(format!("status {:?}", error.status()));
    }
    if error.operation().is_none() || error.message().is_empty() {
        wrong.push("does not say what failed".to_owned());
    }
    if error.attempts() as usize != requests {
        wrong.push(format!("{} attempts of {requests}", error.attempts()));
    }
    if error.to_string().contains(char::is_control) {
        wrong.push("is not one line".to_owned());
    }

    let page = matches!(nature, Nature::Html | Nature::Empty);
    let is_cut = error.kind() == ErrorKind::Truncated;
    if case.status == 200 && page && !is_cut && !error.message().contains("proxy") {
        wrong.push("does not name the proxy".to_owned());
    }

    let kept = error.body().map(|body| body.bytes().clone());
    let holds_key = String::from_utf8_lossy(body).contains("0123456789")
        || String::from_utf8_lossy(body).contains("\\u0039");
    if !case.kind.streams() && !holds_key && kept.as_deref() != Some(&**body) {
        wrong.push("loses the body".to_owned());
    }

    let mut shown = format!(
        "{error} {error:?} {error:#?} {:?} {:?} {:?}",
        error.details(),
        error.request_id(),
        error.body().map(|body| body.text().into_owned()),
    );
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        shown.push_str(&format!("{inner} {inner:?}"));
        cause = inner.source();
    }
    if shown.contains(TAIL) || shown.contains("u0038\\u0039") || shown.contains("u0038\\\\u0039") {
        wrong.push(format!("shows the key: {shown}"));
    }
    wrong
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_hostile_response_to_every_call_keeps_the_laws() {
    let cases = Arc::new(cases());
    assert!(cases.len() >= 4000, "{} cases", cases.len());
    let redirects = reqwest::redirect::Policy::none();
    let http = reqwest::Client::builder().redirect(redirects).build().unwrap();
    let hostile = Arc::new(Hostile::start(cases.clone()).await);

    let wrong: Vec<_> = futures_util::stream::iter(cases.iter().enumerate())
        .map(|(number, case)| {
            let (hostile, http) = (hostile.clone(), http.clone());
            async move {
                let wrong = check(number, case, &hostile, http).await;
                let Case { body: (name, ..), status, content_type, kind } = case;
                let place = format!("{name}, {status}, {content_type:?}, {kind:?}");
                (!wrong.is_empty()).then(|| format!("{place}: {}", wrong.join("; ")))
            }
        })
        .buffer_unordered(16)
        .filter_map(async |wrong| wrong)
        .collect()
        .await;
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}
