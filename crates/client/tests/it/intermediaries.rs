//! Tests with hostile HTTP/2 servers, unexpected compressions, proxies and caches. As in [`hostile`](super::hostile),
//! the tests check invariants for tables of cases:
//!
//! - Every call ends.
//! - A POST that the service may have executed is not repeated.
//! - Each request counts as an attempt.
//! - Credits are released only if the service charged nothing.
//! - No output contains the API key.
//!
//! `cargo test -p crypto-intel --test it intermediaries -- --nocapture` prints the number of cases of each table.

mod caches;

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use crypto_intel::credits::{Budget, Credits};
use crypto_intel::http::{HeaderMap, StatusCode};
use crypto_intel::{Client, ClientBuilder, Error, ErrorKind, RetryPolicy, prelude::*, reqwest};
use h2::Reason;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use crate::server::{Act, Server, answer, bytes};

const KEY: &str = "sk-planted-0123456789";
const ROWS: &str = r#"{"data":[],"meta":{"credits_used":1}}"#;
const JSON: (&str, &str) = ("content-type", "application/json");
const BUDGET: u64 = 1000;

/// Returns the settings of a client whose calls make at most two attempts.
fn builder(url: String) -> ClientBuilder {
    let delay = Duration::from_millis(1);
    let retry = RetryPolicy::new().attempts(2).min_delay(delay).max_delay(delay);
    Client::builder().base_url(url).api_key(KEY).retry(retry).budget(Budget::credits(BUDGET))
}

/// Creates an HTTP client that neither retries requests nor follows redirects.
fn http(builder: reqwest::ClientBuilder) -> reqwest::Client {
    let builder = builder.retry(reqwest::retry::never());
    builder.redirect(reqwest::redirect::Policy::none()).build().unwrap()
}

/// Kinds of calls: a GET, a POST, and a POST with a streamed response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Get,
    Post,
    Stream,
}

const KINDS: [Kind; 3] = [Kind::Get, Kind::Post, Kind::Stream];

impl Kind {
    async fn call(self, client: &Client) -> Result<(), Error> {
        let call = async {
            match self {
                Kind::Get => client.market_price("BTC").await.map(drop),
                Kind::Post => client.sql("SELECT 1").table().await.map(drop),
                Kind::Stream => {
                    let stream = client.responses("svc-2.0-instant", "?").stream().await?;
                    Ok(stream.read_to_end().await.map(drop)?)
                }
            }
        };
        let outcome = tokio::time::timeout(Duration::from_secs(60), call).await;
        outcome.unwrap_or_else(|_| panic!("{self:?} hangs"))
    }
}

/// Prints the number of cases of a table. Fails the test if the table has fewer than `least` cases.
fn assert_case_count(table: &str, cases: usize, least: usize) {
    println!("{table}: {cases} cases");
    assert!(cases >= least, "{table}: {cases} cases");
}

fn assert_shows_no_key(error: &Error, case: &str) {
    let mut shown = format!("{error} {error:#?}");
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        shown.push_str(&format!("{inner} {inner:?}"));
        cause = inner.source();
    }
    assert!(!shown.contains(KEY), "{case}: {shown}");
}

/// Behaviour of an HTTP/2 server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Http2 {
    ResetBeforeHead(u32),
    ResetAfterHead(u32),
    ResetWithinBody(u32),
    GoAway(u32),
    Status(u16),
    WrongLength(&'static str),
    EmptyFrames,
    Trailers,
}

impl Http2 {
    fn all() -> Vec<Http2> {
        // All error codes that the HTTP/2 standard defines, and two that it does not define.
        let reasons = (0..=13).chain([99, u32::MAX]);
        let resets = [Http2::ResetBeforeHead, Http2::ResetAfterHead, Http2::ResetWithinBody];
        let mut all: Vec<_> = reasons
            .flat_map(|reason| {
                resets.map(|reset| reset(reason)).into_iter().chain([Http2::GoAway(reason)])
            })
            .collect();
        all.extend([204, 205, 206, 302, 304, 400, 421, 425, 500, 503].map(Http2::Status));
        all.extend([Http2::WrongLength("1"), Http2::WrongLength("999")]);
        all.extend([Http2::EmptyFrames, Http2::Trailers]);
        all
    }

    /// Returns true if a server with this behaviour sends a complete response with status 200.
    fn is_whole(self) -> bool {
        matches!(self, Http2::EmptyFrames | Http2::Trailers)
    }

    async fn serve(self, stream: tokio::net::TcpStream, seen: Arc<AtomicU32>) {
        let Ok(mut connection) = h2::server::handshake(stream).await else { return };
        while let Some(Ok((request, mut respond))) = connection.accept().await {
            seen.fetch_add(1, Ordering::SeqCst);
            drop(request);
            let head = http::Response::builder().header(JSON.0, JSON.1);
            let head = match self {
                Http2::ResetBeforeHead(reason) => {
                    respond.send_reset(Reason::from(reason));
                    continue;
                }
                Http2::GoAway(reason) => {
                    connection.abrupt_shutdown(Reason::from(reason));
                    continue;
                }
                Http2::Status(status) => head.status(status),
                Http2::WrongLength(length) => head.header("content-length", length),
                _ => head,
            };

            let Ok(mut body) = respond.send_response(head.body(()).unwrap(), false) else {
                continue;
            };
            match self {
                Http2::ResetAfterHead(reason) => body.send_reset(Reason::from(reason)),
                Http2::ResetWithinBody(reason) => {
                    let _ = body.send_data(ROWS[..9].into(), false);
                    body.send_reset(Reason::from(reason));
                }
                Http2::EmptyFrames => {
                    for _ in 0..50 {
                        let _ = body.send_data(bytes::Bytes::new(), false);
                    }
                    let _ = body.send_data(ROWS.into(), true);
                }
                Http2::Trailers => {
                    let _ = body.send_data(ROWS.into(), false);
                    let _ = body.send_trailers(HeaderMap::new());
                }
                _ => drop(body.send_data(ROWS.into(), true)),
            }
        }
    }
}

#[tokio::test]
async fn hostile_http2_servers_keep_the_laws() {
    let mut cases = 0;
    let http = http(reqwest::Client::builder().no_proxy().http2_prior_knowledge());
    for behaviour in Http2::all() {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let seen = Arc::new(AtomicU32::new(0));
        let assert_case_count = seen.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(behaviour.serve(stream, assert_case_count.clone()));
            }
        });

        for kind in KINDS {
            cases += 1;
            let case = format!("{behaviour:?} {kind:?}");
            seen.store(0, Ordering::SeqCst);
            let client = builder(url.clone()).http_client(http.clone()).build().unwrap();

            let outcome = kind.call(&client).await;
            let seen = seen.load(Ordering::SeqCst);
            // When the server resets a stream, its library drops response headers that are not written yet. So with
            // this error code, the client always sees a refusal without a response.
            let reason = u32::from(Reason::REFUSED_STREAM);
            let refused = [Http2::ResetBeforeHead, Http2::ResetAfterHead, Http2::ResetWithinBody]
                .map(|reset| reset(reason))
                .contains(&behaviour);
            let most = if kind == Kind::Get || refused { 2 } else { 1 };
            assert!((1..=most).contains(&seen), "{case}: {seen} requests");

            let Err(error) = outcome else {
                // A call may succeed only if the response is complete and has a 2xx status.
                let may_succeed =
                    behaviour.is_whole() || matches!(behaviour, Http2::Status(200..300));
                assert!(may_succeed && kind != Kind::Stream, "{case} succeeds");
                continue;
            };
            assert!(!behaviour.is_whole() || kind == Kind::Stream, "{case}: {error:?}");
            assert_eq!(error.attempts(), seen, "{case}: {error:?}");
            assert_shows_no_key(&error, &case);

            // If the service may have executed a request, its credits are not released.
            let is_free = refused || matches!(behaviour, Http2::Status(300..));
            let committed = client.ledger().remaining() != Some(Credits(BUDGET));
            assert!(committed || is_free || kind == Kind::Stream, "{case} is given back");
        }
    }
    assert_case_count("HTTP/2", cases, 200);
}

/// Tests a POST request. The server sends the headers of a response with status 200, and then resets the HTTP/2 stream.
/// The server writes raw frames, so the headers always arrive before the reset.
#[tokio::test]
async fn post_refused_after_response_headers_is_not_repeated() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut read = [0; 4096];
        // Frames of the server: SETTINGS, then on stream 1 HEADERS with status 200, DATA with one byte, and RST_STREAM
        // with the error code REFUSED_STREAM.
        let settings = [0, 0, 0, 4, 0, 0, 0, 0, 0];
        let head = [0, 0, 1, 1, 4, 0, 0, 0, 1, 0x88];
        let data = [0, 0, 1, 0, 0, 0, 0, 0, 1, b'{'];
        let refusal = [0, 0, 4, 3, 0, 0, 0, 0, 1, 0, 0, 0, 7];
        stream.write_all(&settings).await.unwrap();
        let mut seen = Vec::new();
        while !seen.windows(10).any(|bytes| bytes == b"SELECT 123") {
            let count = stream.read(&mut read).await.unwrap();
            seen.extend_from_slice(&read[..count]);
        }
        stream.write_all(&[&head[..], &data, &refusal].concat()).await.unwrap();
        while stream.read(&mut read).await.is_ok_and(|count| count > 0) {}
    });

    let http = http(reqwest::Client::builder().no_proxy().http2_prior_knowledge());
    let client = builder(url).http_client(http).build().unwrap();
    let call = client.sql("SELECT 123").table();
    let error = tokio::time::timeout(Duration::from_secs(30), call).await;
    let error = error.expect("no second attempt").expect_err("no rows");
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Transport, 1), "{error:?}");
    assert_eq!(error.status(), Some(StatusCode::OK));
    assert_eq!(client.ledger().unsettled().requests, 1);
}

/// The response body `ROWS`, compressed with gzip.
const PACKED: &[u8] = &[
    31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 171, 86, 74, 73, 44, 73, 84, 178, 138, 142, 213, 81, 202, 77,
    5, 177, 170, 149, 146, 139, 82, 83, 50, 75, 138, 227, 75, 139, 83, 83, 148, 172, 12, 107, 107,
    1, 148, 253, 153, 77, 37, 0, 0, 0,
];

#[tokio::test]
async fn unrequested_compressions_are_named_and_never_decoded_wrongly() {
    let encodings = [
        "gzip",
        "GZIP",
        "x-gzip",
        "br",
        "deflate",
        "zstd",
        "compress",
        "gzip, gzip",
        "gzip, br",
        "identity",
        "",
        "aes128gcm",
        "gzip;q=1",
        "\u{e9}",
    ];
    let bodies: [(&str, &[u8]); 5] = [
        ("packed", PACKED),
        ("plain", ROWS.as_bytes()),
        ("cut", &PACKED[..30]),
        ("nothing", b""),
        ("longer", &[PACKED, PACKED].concat()),
    ];

    let mut cases = 0;
    let http = http(reqwest::Client::builder().no_proxy());
    for encoding in encodings {
        for (name, body) in bodies {
            for status in [200, 404, 500] {
                let headers = [JSON, ("content-encoding", encoding)];
                let server =
                    Server::start(Act::Answer(bytes(status, &headers, body, body.len()))).await;
                let client = builder(server.url()).http_client(http.clone()).build().unwrap();
                for kind in [Kind::Get, Kind::Post] {
                    cases += 1;
                    let case = format!("{encoding:?} {name} {status} {kind:?}");
                    let body = (encoding, name);
                    assert_not_decoded_wrongly(body, status, kind.call(&client).await, &case);
                }
            }
        }
    }
    assert_case_count("compression", cases, 400);
}

/// Asserts that a call succeeds only if the response body has an encoding that the client decodes. The first argument
/// contains the content encoding, such as `gzip`, and the name of the response body in this test.
fn assert_not_decoded_wrongly(
    (encoding, name): (&str, &str),
    status: u16,
    outcome: Result<(), Error>,
    case: &str,
) {
    let is_plain = matches!(encoding, "" | "identity");
    // `x-gzip` is another name for `gzip`.
    let is_gzip = encoding.trim_start_matches("x-").eq_ignore_ascii_case("gzip");
    let is_asked_for = cfg!(feature = "gzip") && is_gzip;
    let error = match (status, outcome) {
        (200, Ok(())) => {
            let is_right = if is_plain { "plain" } else { "packed" };
            assert!(is_plain || is_asked_for, "{case} succeeds");
            assert!(name == is_right || name == "longer", "{case} succeeds");
            return;
        }
        (_, Ok(())) => panic!("{case} succeeds"),
        (_, Err(error)) => error,
    };

    let expected = match status {
        404 => ErrorKind::NotFound,
        500 => ErrorKind::Service,
        _ => ErrorKind::Decode,
    };
    assert_eq!(error.kind(), expected, "{case}: {error:?}");
    assert_eq!(error.status().map(|status| status.as_u16()), Some(status), "{case}");
    if status == 200 && !is_plain && !is_asked_for && encoding.is_ascii() {
        assert!(error.message().contains(encoding), "{case}: {error}");
    }
    assert_shows_no_key(&error, case);
}

#[tokio::test]
async fn failing_proxies_get_no_key_and_cost_nothing() {
    let whole = |status, body: &str| bytes(status, &[JSON], body.as_bytes(), body.len());
    let mut acts: Vec<(String, Act)> =
        [201, 204, 301, 302, 400, 403, 404, 407, 429, 500, 502, 503, 504]
            .map(|status| (status.to_string(), answer(status, &[], "<html>proxy</html>")))
            .to_vec();
    acts.extend([
        ("closes".to_owned(), Act::Answer(Vec::new())),
        ("resets".to_owned(), Act::Reset(Vec::new())),
        ("garbage".to_owned(), Act::Answer(b"\x00\xff garbage\r\n\r\n".to_vec())),
        ("half a head".to_owned(), Act::Answer(b"HTTP/1.1 200 Conn".to_vec())),
        ("half a head, reset".to_owned(), Act::Reset(b"HTTP/1.1 200 Conn".to_vec())),
        ("no TLS behind it".to_owned(), Act::Answer(whole(200, ROWS))),
    ]);

    let mut cases = 0;
    for (name, act) in acts {
        let proxy = Server::start(act).await;
        // If a request goes through an HTTPS tunnel, the proxy sees only the host name of the service.
        let tunnel = reqwest::Proxy::https(proxy.url()).unwrap();
        let http = http(reqwest::Client::builder().proxy(tunnel));
        for kind in KINDS {
            cases += 1;
            let case = format!("{name} {kind:?}");
            let client = builder("https://service.example".to_owned());
            let client = client.http_client(http.clone()).build().unwrap();
            let error = kind.call(&client).await.expect_err(&case);
            assert_eq!(error.kind(), ErrorKind::Transport, "{case}: {error:?}");
            assert_eq!(client.ledger().remaining(), Some(Credits(BUDGET)), "{case}: {error:?}");
            assert_eq!(client.ledger().unsettled().requests, 0, "{case}");
            assert_shows_no_key(&error, &case);
        }

        for text in proxy.texts() {
            assert!(
                text.starts_with("CONNECT service.example:443 ") && !text.contains(KEY),
                "{text}"
            );
        }
    }
    assert_case_count("proxies", cases, 50);
}
