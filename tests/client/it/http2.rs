//! Tests of requests that an HTTP/2 server refuses. The client sends a refused request again if the server surely did
//! not execute it, or if it is a GET. The client counts each HTTP request as an attempt. The HTTP library `reqwest`
//! must not repeat a refused request by itself.

use std::net::SocketAddr;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use crypto_intel::{Client, ErrorKind, RetryPolicy, reqwest};
use h2::Reason;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::PrivatePkcs8KeyDer;

/// Way in which the server refuses a request.
#[derive(Debug, Clone, Copy)]
enum Refusal {
    /// Resets the stream with this error code.
    Reset(Reason),
    /// Accepts the stream, and then closes the connection with this error code.
    Close(Reason),
}

/// Serves one connection. `left` is the number of requests that are still to be refused. When `left` is zero, the
/// server responds to all further requests.
async fn serve<T>(io: T, refusal: Refusal, left: Arc<AtomicU32>, seen: Arc<AtomicU32>)
where
    T: AsyncRead + AsyncWrite + Unpin,
{
    let Ok(mut connection) = h2::server::handshake(io).await else { return };
    while let Some(Ok((request, mut respond))) = connection.accept().await {
        seen.fetch_add(1, Ordering::SeqCst);
        let refuse = left
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1))
            .is_ok();
        match (refuse, refusal) {
            (true, Refusal::Reset(reason)) => respond.send_reset(reason),
            (true, Refusal::Close(reason)) => connection.abrupt_shutdown(reason),
            (false, _) => {
                drop(request);
                let head = http::Response::builder().header("content-type", "application/json");
                let Ok(mut body) = respond.send_response(head.body(()).unwrap(), false) else {
                    return;
                };
                let _ = body
                    .send_data(br#"{"data":[],"meta":{"credits_used":1}}"#.as_slice().into(), true);
            }
        }
    }
}

/// Starts an HTTP/2 server without TLS that refuses the first `count` requests. Returns the address of the server and
/// the counter of all requests that it receives.
async fn refusing(refusal: Refusal, count: u32) -> (SocketAddr, Arc<AtomicU32>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (left, seen) = (Arc::new(AtomicU32::new(count)), Arc::new(AtomicU32::new(0)));
    let counted = seen.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream, refusal, left.clone(), counted.clone()));
        }
    });
    (address, seen)
}

/// Creates a client that uses HTTP/2 without TLS.
fn client(address: SocketAddr) -> Client {
    let http = reqwest::Client::builder()
        .no_proxy()
        .http2_prior_knowledge()
        .retry(reqwest::retry::never())
        .build()
        .unwrap();
    let retry = RetryPolicy::new().min_delay(Duration::from_millis(1));
    let base = format!("http://{address}");
    Client::builder().base_url(base).http_client(http).retry(retry).build().unwrap()
}

#[tokio::test]
async fn refused_requests_are_attempts_and_only_surely_refused_posts_are_repeated() {
    // Columns: kind of refusal, number of refused requests, expected requests of a GET, expected requests of a POST,
    // and whether the POST succeeds.
    for (refusal, count, gets, posts, post_succeeds) in [
        (Refusal::Reset(Reason::REFUSED_STREAM), 1, 2, 2, true),
        (Refusal::Reset(Reason::REFUSED_STREAM), 2, 3, 3, true),
        (Refusal::Reset(Reason::REFUSED_STREAM), 9, 3, 3, false),
        (Refusal::Reset(Reason::INTERNAL_ERROR), 1, 2, 1, false),
        (Refusal::Reset(Reason::CANCEL), 1, 2, 1, false),
        (Refusal::Reset(Reason::NO_ERROR), 1, 2, 1, false),
        (Refusal::Close(Reason::NO_ERROR), 1, 2, 1, false),
        (Refusal::Close(Reason::ENHANCE_YOUR_CALM), 1, 2, 1, false),
    ] {
        let (address, seen) = refusing(refusal, count).await;
        let _ = client(address).market_price("BTC").await;
        assert_eq!(seen.load(Ordering::SeqCst), gets, "GET {refusal:?} {count}");

        let (address, seen) = refusing(refusal, count).await;
        let client = client(address);
        let answer = client.sql("SELECT 1").await;
        assert_eq!(seen.load(Ordering::SeqCst), posts, "POST {refusal:?} {count}: {answer:?}");
        match answer {
            Ok(_) => assert!(post_succeeds, "{refusal:?} {count}"),
            Err(error) => {
                assert!(!post_succeeds, "{refusal:?} {count}: {error:?}");
                assert_eq!((error.kind(), error.attempts()), (ErrorKind::Transport, posts));
            }
        }
    }
}

/// Tests the HTTP client that the `crypto-intel` crate builds by default. This HTTP client uses HTTP/2 only over TLS,
/// so it must trust the certificate of the test server. To set the certificate with the environment variable
/// `SSL_CERT_FILE`, the test starts itself again as another process.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_default_http_client_repeats_nothing_by_itself() {
    const BASE: &str = "CRYPTO_INTEL_TEST_HTTP2_BASE";
    if let Ok(base) = std::env::var(BASE) {
        let client = Client::builder().base_url(base).retry(RetryPolicy::none()).build().unwrap();
        let error = client.market_price("BTC").await.unwrap_err();
        assert!(error.message().contains("refused the request"), "{error:?}");
        assert_eq!(error.attempts(), 1);
        return;
    }

    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let key = PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
    let mut config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key.into())
        .unwrap();
    config.alpn_protocols = vec![b"h2".to_vec()];
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();

    let seen = Arc::new(AtomicU32::new(0));
    let counted = seen.clone();
    tokio::spawn(async move {
        let refusal = Refusal::Reset(Reason::REFUSED_STREAM);
        while let Ok((stream, _)) = listener.accept().await {
            let Ok(stream) = acceptor.accept(stream).await else { continue };
            let left = Arc::new(AtomicU32::new(u32::MAX));
            tokio::spawn(serve(stream, refusal, left, counted.clone()));
        }
    });

    let folder = tempfile::tempdir().unwrap();
    let trusted = folder.path().join("trusted.pem");
    std::fs::write(&trusted, made.cert.pem()).unwrap();
    let mut child = Command::new(std::env::current_exe().unwrap());
    child
        .args(["--exact", "http2::the_default_http_client_repeats_nothing_by_itself"])
        .env(BASE, format!("https://localhost:{port}"))
        .env("SSL_CERT_FILE", &trusted)
        .env("NO_PROXY", "*");
    let output = tokio::task::spawn_blocking(move || child.output()).await.unwrap().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert_eq!(seen.load(Ordering::SeqCst), 1);
}
