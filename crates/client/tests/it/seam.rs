//! Tests of the public interface through which the client sends each attempt. A program can supply a `tower` service,
//! middleware layers, a key provider and headers.

use std::convert::Infallible;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crypto_intel::credits::{Budget, Credits};
use crypto_intel::http::{HeaderValue, Request, Response};
use crypto_intel::http_service::{Body, HttpService, NotSent, service_fn};
use crypto_intel::{
    ApiKey, CallOptions, Client, ClientBuilder, Error, ErrorKind, Method, RetryQuota, prelude::*,
};
use crypto_intel_sandbox::{Fault, Sandbox};
use futures_util::future::join_all;

pub(crate) const ROWS: &str = r#"{"data": [], "meta": {"cached": false, "credits_used": 2}}"#;

/// Creates the settings of a client without a network. The function `answer` returns the response to each request.
pub(crate) fn client_with(
    answer: impl Fn(&Request<Body>) -> Response<Body> + Clone + Send + Sync + 'static,
) -> ClientBuilder {
    let service = service_fn(move |request: Request<Body>| {
        let response = answer(&request);
        async move { Ok::<_, Infallible>(response) }
    });
    Client::builder().base_url("http://service.example").http_service(service)
}

pub(crate) fn status(status: u16) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status.try_into().unwrap();
    response
}

#[tokio::test]
async fn in_process_sandbox_responds_like_socket() {
    let clock = crypto_intel_sandbox::Clock::stopped_at(crypto_intel::UnixSeconds(1_767_225_600));
    let over = Sandbox::builder().clock(clock.clone()).start().await.unwrap();
    let within = Sandbox::builder().clock(clock).without_socket().unwrap();
    let key = over.key().to_owned();
    let remote = Client::builder().base_url(over.url()).api_key(&key).build().unwrap();
    let builder = Client::builder().base_url(within.url()).api_key(&key);
    let local = builder.http_service(within.service()).build().unwrap();

    let rows = |client: &Client| client.market_price("BTC").time_range("7d").into_future();
    assert_eq!(rows(&local).await.unwrap().data, rows(&remote).await.unwrap().data);

    let error = local.raw(Method::GET, "/gateway/v1/market/price").await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::InvalidRequest, 1), "{error:?}");

    let mut stream = local.responses("svc-2.0-instant", "ETH?").stream().await.unwrap();
    let mut text = String::new();
    while let Some(piece) = stream.next_text().await.unwrap() {
        text.push_str(&piece);
    }
    assert!(!text.is_empty());
    assert_eq!(within.requests_served(), 3);

    // A fault that is injected into a sandbox in the same process has the same effect.
    within.inject(Fault::status(503).times(1)).unwrap();
    assert_eq!(rows(&local).await.unwrap().http().attempts, 2);
}

/// Tests a layer that inspects bodies. A program can write such a layer without its own dependency on `http-body`.
#[tokio::test]
async fn body_of_a_layer_is_an_http_body_of_the_re_exported_crate() {
    let answer = |_: &Request<Body>| {
        let body = Body::from(ROWS);
        let length = crypto_intel::http_body::Body::size_hint(&body).exact();
        Response::builder().header("x-length", length.unwrap()).body(body).unwrap()
    };
    let reply = client_with(answer).build().unwrap().market_fear_greed().await.unwrap();
    assert_eq!(reply.http().headers["x-length"], ROWS.len().to_string());
}

#[tokio::test]
async fn layers_run_in_order_and_see_key_as_sensitive() {
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let layer = |name: &'static str| {
        let seen = Arc::clone(&seen);
        crypto_intel::tower_layer::layer_fn(move |inner: HttpService| {
            let seen = Arc::clone(&seen);
            service_fn(move |request: Request<Body>| {
                let (mut inner, seen) = (inner.clone(), Arc::clone(&seen));
                async move {
                    let key = &request.headers()["authorization"];
                    assert!(key.is_sensitive());
                    assert!(!format!("{request:?}").contains("sk-secret"));
                    seen.lock().unwrap().push(format!("{name} {}", request.uri()));
                    let response =
                        crypto_intel::tower_service::Service::call(&mut inner, request).await;
                    seen.lock().unwrap().push(format!("{name} done"));
                    response
                }
            })
        })
    };

    let server =
        crate::server::Server::start(crate::server::answer(200, &[("x-request-id", "r")], ROWS))
            .await;
    let builder = Client::builder().base_url(server.url()).api_key("sk-secret");
    let client = builder.layer(layer("outer")).layer(layer("inner")).build().unwrap();
    let reply = client.market_fear_greed().await.unwrap();

    assert_eq!(reply.http().request_id(), Some("r"));
    let url = format!("{}/gateway/v1/market/fear-greed", server.url());
    let expected =
        [format!("outer {url}"), format!("inner {url}"), "inner done".into(), "outer done".into()];
    assert_eq!(*seen.lock().unwrap(), expected);
    // The layers did not print the API key, although it was sent.
    assert!(server.texts()[0].contains("Bearer sk-secret"));
}

#[tokio::test(start_paused = true)]
async fn paid_call_is_retried_only_if_surely_not_sent() {
    for (not_sent, attempts) in [(true, 3), (false, 1)] {
        let service = service_fn(move |_: Request<Body>| async move {
            let error = io::Error::other("down");
            let error: Box<dyn std::error::Error + Send + Sync> =
                if not_sent { Box::new(NotSent::new(error)) } else { Box::new(error) };
            Err::<Response<Body>, _>(error)
        });
        let builder = Client::builder().base_url("http://service.example").http_service(service);
        let error = builder.build().unwrap().responses("svc-2.0", "?").await.unwrap_err();
        assert_eq!((error.kind(), error.attempts()), (ErrorKind::Transport, attempts), "{error:?}");
        let causes = format!("{error:?}");
        assert!(causes.contains("down"), "{causes}");
    }
    // If the `tower` service returns an [`Error`] of this crate, the call returns this error.
    let service = service_fn(|_: Request<Body>| async {
        Err::<Response<Body>, _>(Error::new(ErrorKind::OverBudget, "not today"))
    });
    let builder = Client::builder().base_url("http://service.example").http_service(service);
    let error = builder.build().unwrap().market_fear_greed().await.unwrap_err();
    assert_eq!((error.kind(), error.message()), (ErrorKind::OverBudget, "not today"));
}

#[tokio::test(start_paused = true)]
async fn key_provider_is_called_for_each_attempt() {
    let given = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&given);
    let seen: Arc<Mutex<Vec<HeaderValue>>> = Arc::default();
    let note = Arc::clone(&seen);
    let client = client_with(move |request| {
        let key = request.headers()["authorization"].clone();
        let body =
            format!(r#"{{"error": {{"code": "X", "message": "not {}"}}}}"#, key.to_str().unwrap());
        note.lock().unwrap().push(key);
        Response::builder().status(503).body(Body::from(body)).unwrap()
    })
    .api_key("sk-unused")
    .key_provider(move || {
        let number = count.fetch_add(1, Ordering::Relaxed);
        async move { ApiKey::new(format!("sk-turn-{number}")).map(Some) }
    })
    .build()
    .unwrap();

    let error = client.market_fear_greed().await.unwrap_err();
    let expected = ["Bearer sk-turn-0", "Bearer sk-turn-1", "Bearer sk-turn-2"];
    assert_eq!(*seen.lock().unwrap(), expected);
    // The keys that the provider returned are masked in all texts of an error.
    assert!(!format!("{error:?}").contains("turn"), "{error:?}");

    let failing = client_with(|_| status(200))
        .key_provider(|| async { Err(Error::new(ErrorKind::Authentication, "the vault is shut")) })
        .build()
        .unwrap();
    let error = failing.market_fear_greed().await.unwrap_err();
    assert_eq!((error.kind(), error.message()), (ErrorKind::Authentication, "the vault is shut"));
}

/// Tests that an error of the key provider ends the call. Attempts that were not sent are not counted.
#[tokio::test(start_paused = true)]
async fn failing_provider_ends_the_call_before_the_next_attempt() {
    for good_keys in [0, 1] {
        let given = Arc::new(AtomicUsize::new(0));
        let sent = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&sent);
        let client = client_with(move |_| {
            count.fetch_add(1, Ordering::Relaxed);
            status(503)
        })
        .key_provider(move || {
            let number = given.fetch_add(1, Ordering::Relaxed);
            async move {
                match number < good_keys {
                    true => ApiKey::new("sk-good").map(Some),
                    // An error of the service with this kind would be retryable. An error of the key provider is not.
                    false => Err(Error::new(ErrorKind::Transport, "the vault is down")),
                }
            }
        })
        .build()
        .unwrap();

        let error = client.market_fear_greed().await.unwrap_err();
        assert_eq!((error.kind(), error.message()), (ErrorKind::Transport, "the vault is down"));
        assert_eq!(error.attempts() as usize, good_keys);
        assert_eq!(sent.load(Ordering::Relaxed), good_keys);
    }
}

#[tokio::test(start_paused = true)]
async fn hanging_provider_is_a_timeout_that_holds_no_credits() {
    let client = client_with(|_| status(200))
        .key_provider(std::future::pending)
        .budget(Budget::credits(100))
        .deadline(Duration::from_secs(5))
        .build()
        .unwrap();
    let call = client.responses("svc-2.0", "?").into_future();
    let look = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        client.ledger().remaining()
    };
    let (error, while_hanging) = futures_util::future::join(call, look).await;

    assert_eq!(while_hanging, Some(Credits(100)));
    let error = error.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Timeout, 0));
    let expected = "the key provider returned no key: no result within 5s (deadline of the call)";
    assert_eq!(error.message(), expected);
    assert!(error.is_retryable());
    assert_eq!(client.ledger().remaining(), Some(Credits(100)));

    // Without a deadline, the read timeout limits the wait for the key provider.
    let options = CallOptions::new().deadline(Duration::MAX).read_timeout(Duration::from_secs(2));
    let error = client.market_fear_greed().with_options(options).await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Timeout, 0));
    assert_eq!(error.message(), "the key provider returned no key: no data for 2s (read timeout)");
}

/// Tests a key provider that returns no key. The request is then sent without a key, because the service grants each IP
/// address a free allowance.
#[tokio::test]
async fn provider_without_a_key_sends_no_authorization() {
    let seen: Arc<Mutex<Vec<bool>>> = Arc::default();
    let note = Arc::clone(&seen);
    let turn = Arc::new(AtomicUsize::new(0));
    let client = client_with(move |request| {
        note.lock().unwrap().push(request.headers().contains_key("authorization"));
        Response::new(Body::from(ROWS))
    })
    .api_key("sk-unused")
    .key_provider(move || {
        let has_key = turn.fetch_add(1, Ordering::Relaxed) == 1;
        async move { has_key.then(|| ApiKey::new("sk-second")).transpose() }
    })
    .build()
    .unwrap();

    for _ in 0..3 {
        client.market_fear_greed().await.unwrap();
    }
    assert_eq!(*seen.lock().unwrap(), [false, true, false]);
}

/// Tests a response in a compression that the client did not ask for. The client must not decode the compressed bytes
/// as text.
#[tokio::test]
async fn encoding_that_was_not_requested_is_an_error_that_names_it() {
    let client = client_with(|_| {
        Response::builder().header("content-encoding", "br").body(Body::from(ROWS)).unwrap()
    })
    .build()
    .unwrap();

    let awaited = client.market_fear_greed().await.unwrap_err();
    let raw = client.market_fear_greed().into_call().send_raw().await.unwrap_err();
    let streamed = client.responses("svc-2.0", "?").stream().await.unwrap_err();
    for error in [awaited, raw, streamed] {
        assert_eq!((error.kind(), error.attempts()), (ErrorKind::Decode, 1));
        assert!(error.message().contains("`br`") || error.message().contains(": br"), "{error}");
    }

    // The HTTP status determines the error kind, even if the body cannot be read.
    let client = client_with(|_| {
        let response = Response::builder().status(402).header("content-encoding", "zstd");
        response.body(Body::from("\u{1}\u{2}")).unwrap()
    });
    let error = client.build().unwrap().market_fear_greed().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InsufficientCredits);
}

#[tokio::test]
async fn call_options_override_key_and_base_url() {
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let note = Arc::clone(&seen);
    let client = client_with(move |request| {
        let key = request.headers()["authorization"].to_str().unwrap();
        note.lock().unwrap().push(format!("{} {key}", request.uri()));
        Response::new(Body::from(ROWS))
    })
    .api_key("sk-usual")
    .build()
    .unwrap();

    let options = CallOptions::new().api_key("sk-other").base_url("http://other.example/a/");
    assert!(!format!("{options:?}").contains("sk-other"), "{options:?}");
    client.market_fear_greed().with_options(options).await.unwrap();
    client.market_fear_greed().await.unwrap();
    let path = "/gateway/v1/market/fear-greed";
    let expected = [
        format!("http://other.example/a{path} Bearer sk-other"),
        format!("http://service.example{path} Bearer sk-usual"),
    ];
    assert_eq!(*seen.lock().unwrap(), expected);

    for wrong in [CallOptions::new().api_key("sk a"), CallOptions::new().base_url("elsewhere")] {
        let error = client.market_fear_greed().with_options(wrong).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidRequest, "{error:?}");
    }
    assert_eq!(seen.lock().unwrap().len(), 2);
}

#[tokio::test(start_paused = true)]
async fn retry_quota_limits_requests_during_outage() {
    let sent = Arc::new(AtomicUsize::new(0));
    let (count, is_up) = (Arc::clone(&sent), Arc::new(AtomicUsize::new(0)));
    let up = Arc::clone(&is_up);
    let client = client_with(move |_| {
        count.fetch_add(1, Ordering::Relaxed);
        match up.load(Ordering::Relaxed) {
            0 => status(503),
            _ => Response::new(Body::from(ROWS)),
        }
    })
    .retry_quota(RetryQuota::new(50))
    .build()
    .unwrap();

    // The client makes one hundred calls, with up to three attempts each. The quota allows only ten retries in total.
    let outcomes = join_all((0..100).map(|_| client.market_fear_greed().into_future())).await;
    assert!(outcomes.iter().all(|outcome| outcome.is_err()));
    assert_eq!(sent.load(Ordering::Relaxed), 110);

    // Successful calls refill the quota.
    is_up.store(1, Ordering::Relaxed);
    for _ in 0..5 {
        client.market_fear_greed().await.unwrap();
    }
    is_up.store(0, Ordering::Relaxed);
    let error = client.market_fear_greed().await.unwrap_err();
    assert_eq!(error.attempts(), 2);
}

#[tokio::test(start_paused = true)]
async fn every_attempt_has_trace_headers() {
    let seen: Arc<Mutex<Vec<String>>> = Arc::default();
    let note = Arc::clone(&seen);
    let spans = Arc::new(AtomicUsize::new(0));
    let client = client_with(move |request| {
        note.lock().unwrap().push(request.headers()["traceparent"].to_str().unwrap().to_owned());
        status(503)
    })
    .trace_context(move |headers| {
        let span = spans.fetch_add(1, Ordering::Relaxed);
        let parent = format!("00-4bf92f3577b34da6a3ce929d0e0e4736-{span:016x}-01");
        headers.insert("traceparent", parent.try_into().unwrap());
    })
    .build()
    .unwrap();
    client.market_fear_greed().with_options(CallOptions::new().attempts(2)).await.unwrap_err();
    let expected = [0, 1].map(|span| format!("00-4bf92f3577b34da6a3ce929d0e0e4736-{span:016x}-01"));
    assert_eq!(*seen.lock().unwrap(), expected);
}

#[tokio::test(start_paused = true)]
async fn time_limits_apply_to_custom_service() {
    let service = service_fn(|_: Request<Body>| async {
        std::future::pending::<Result<Response<Body>, Infallible>>().await
    });
    let builder = Client::builder().base_url("http://service.example").http_service(service);
    let client = builder.deadline(Duration::from_secs(7)).build().unwrap();
    let begin = tokio::time::Instant::now();
    let error = client.market_fear_greed().await.unwrap_err();
    assert_eq!((error.kind(), begin.elapsed().as_secs()), (ErrorKind::Timeout, 7), "{error:?}");
}
