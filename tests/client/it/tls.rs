//! Tests of servers with which the client cannot set up a connection, such as a server with a self-signed certificate.

use std::error::Error as _;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crypto_intel::{Client, ErrorKind, reqwest};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::aws_lc_rs;
use tokio_rustls::rustls::pki_types::PrivatePkcs8KeyDer;

/// Starts a server with a self-signed certificate. Returns its address and the counter of its TCP connections.
async fn self_signed() -> (SocketAddr, Arc<AtomicU32>) {
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    let key = PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
    let config = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions of TLS")
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key.into())
        .expect("a certificate and its key");
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("an address");

    let connections = Arc::new(AtomicU32::new(0));
    let counted = connections.clone();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            counted.fetch_add(1, Ordering::Relaxed);
            // The TLS handshake fails, because the client rejects the certificate.
            let _ = acceptor.accept(stream).await;
        }
    });
    (address, connections)
}

#[tokio::test]
async fn a_certificate_that_is_not_accepted_is_told_at_once_and_with_the_reason() {
    let (address, connections) = self_signed().await;
    let base = format!("https://localhost:{}", address.port());
    // The environment may name a proxy, which must not be used for loopback.
    let http = reqwest::Client::builder().no_proxy().build().expect("a client");
    let client = Client::builder().base_url(base).http_client(http).build().expect("a client");

    let error = client.market_price("BTC").await.expect_err("a certificate nobody vouches for");

    assert_eq!((error.kind(), error.is_retryable()), (ErrorKind::Transport, false), "{error:?}");
    let message = error.message();
    assert!(message.starts_with("the certificate of the service was not accepted ("), "{message}");
    assert!(message.contains("UnknownIssuer") || message.contains("self"), "{message}");
    assert!(!message.contains("check the base URL"), "{message}");
    assert!(error.source().is_some());
    assert_eq!((error.attempts(), connections.load(Ordering::Relaxed)), (1, 1));
}

/// Tests that the client makes only one attempt if a setting of the connection, such as the proxy, is wrong. A retry
/// would fail in the same way.
#[tokio::test]
async fn wrong_settings_of_the_connection_are_named_at_once() {
    let refusing = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = refusing.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = refusing.accept().await {
            let mut request = [0; 1024];
            let _ = stream.read(&mut request).await;
            let _ = stream.write_all(b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n").await;
        }
    });

    let proxy = reqwest::Proxy::all(format!("http://{address}")).unwrap();
    let through_proxy = reqwest::Client::builder().proxy(proxy).build().unwrap();
    let proxied = Client::builder().base_url("https://service.example").http_client(through_proxy);
    let plain = Client::builder().base_url(format!("https://{address}"));
    for (builder, expected) in [(proxied, "the proxy"), (plain, "does not speak TLS")] {
        let error = builder.build().unwrap().market_fear_greed().await.unwrap_err();
        assert_eq!((error.kind(), error.attempts()), (ErrorKind::Transport, 1), "{error:?}");
        assert!(error.message().contains(expected), "{error:?}");
        assert!(!error.is_retryable());
    }
}
