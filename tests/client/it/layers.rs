//! Tests with published `tower` layers that wrap the attempts of a client.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crypto_intel::http_service::{Body, HttpLayer, HttpService, service_fn};
use crypto_intel::{Client, ErrorKind, RetryPolicy, http};
use futures_util::future::join_all;
use tower::ServiceBuilder;
use tower::limit::ConcurrencyLimitLayer;
use tower::timeout::TimeoutLayer;
use tower_http::trace::TraceLayer;

const ROWS: &str = r#"{"data": [], "meta": {"cached": false, "credits_used": 1}}"#;

/// Combines several layers into one [`HttpLayer`]. The layers limit concurrency and time, and record traces.
fn middleware(timeout: Duration) -> HttpLayer {
    HttpLayer::new(
        ServiceBuilder::new()
            .layer(TraceLayer::new_for_http())
            .layer(ConcurrencyLimitLayer::new(2))
            .layer(TimeoutLayer::new(timeout)),
    )
}

fn client(service: HttpService, layer: HttpLayer) -> Client {
    let builder = Client::builder().base_url("http://service.example").http_service(service);
    builder.layer(layer).retry(RetryPolicy::none()).build().unwrap()
}

#[tokio::test(start_paused = true)]
async fn trace_concurrency_limit_and_timeout_work_as_they_are() {
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let counts = (now.clone(), most.clone());
    let slow = HttpService::new(service_fn(move |_: http::Request<Body>| {
        let (now, most) = counts.clone();
        async move {
            most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_secs(1)).await;
            now.fetch_sub(1, Ordering::SeqCst);
            Ok::<_, Infallible>(http::Response::new(Body::from(ROWS)))
        }
    }));

    let patient = client(slow.clone(), middleware(Duration::from_secs(5)));
    let replies = join_all((0..6).map(|_| patient.market_fear_greed().into_future())).await;
    assert!(replies.iter().all(Result::is_ok), "{replies:?}");
    assert_eq!(most.load(Ordering::SeqCst), 2);

    let error = client(slow, middleware(Duration::from_millis(10)));
    let error = error.market_fear_greed().await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Transport, 1));
}
