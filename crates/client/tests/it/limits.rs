//! Tests of time limits, rate limits, and waits that the service asks for. Time limits apply to a client or to a single
//! call.

use std::time::Duration;

use crypto_intel::{CallOptions, Client, ClientBuilder, ErrorKind, RateLimit, RetryPolicy};
use tokio::time::Instant;

use crate::server::{Act, Server, answer};

const HOLDERS: &str =
    r#"{"data": [], "meta": {"cached": false, "credits_used": 2, "limit": 20, "offset": 0}}"#;

fn builder(server: &Server) -> ClientBuilder {
    Client::builder().base_url(server.url())
}

/// Sends one call that fails. Returns the error kind, the number of attempts, and the wait that the service asks for.
async fn failure(server: &Server, options: CallOptions) -> (ErrorKind, u32, Option<Duration>) {
    let retry = RetryPolicy::new().min_delay(Duration::from_millis(1));
    let client = builder(server).retry(retry).build().unwrap();
    let request = client.token_holders("vitalik.eth", "ethereum").with_options(options);
    let error = request.await.unwrap_err();
    (error.kind(), error.attempts(), error.retry_after())
}

#[tokio::test]
async fn every_form_of_requested_wait_is_read_and_none_hangs() {
    let second = Duration::from_secs(1);
    let short = [
        ("retry-after", "0", Some(Duration::ZERO), 2),
        ("retry-after", "Thu, 01 Jan 1970 00:00:00 GMT", Some(Duration::ZERO), 2),
        ("retry-after-ms", "5", Some(second / 200), 2),
        ("x-retry-in", "5ms", Some(second / 200), 2),
    ];

    // A header value that is not a valid wait is ignored.
    let invalid = [
        ("retry-after", "-5", None, 2),
        ("retry-after", "soon", None, 2),
        ("retry-after", "", None, 2),
        ("retry-after", "NaN", None, 2),
        ("retry-after-ms", "0x10", None, 2),
    ];

    // The service asks for a longer wait than the client allows. The client returns the error at once, and the error
    // contains the wait.
    let too_long = [
        ("retry-after", "86400", Some(86_400 * second), 1),
        ("retry-after-ms", "3600000", Some(3600 * second), 1),
        (
            "retry-after",
            "18446744073709550000",
            Some(Duration::from_secs_f64(1.844674407370955e19)),
            1,
        ),
        ("retry-after", "99999999999999999999", Some(Duration::MAX), 1),
        ("retry-after", "1e400", Some(Duration::MAX), 1),
        ("retry-after-ms", "1e400", Some(Duration::MAX), 1),
        ("x-retry-in", "1e400s", Some(Duration::MAX), 1),
    ];

    for (name, value, wait, attempts) in [&short[..], &invalid, &too_long].concat() {
        let server = Server::start(answer(429, &[(name, value)], "")).await;
        let begin = Instant::now();
        let (kind, made, told) = failure(&server, CallOptions::new().attempts(2)).await;
        assert_eq!((kind, made, told), (ErrorKind::RateLimited, attempts, wait), "{name}: {value}");
        assert_eq!(server.requests(), attempts as usize, "{name}: {value}");
        assert!(begin.elapsed() < 120 * second, "{name}: {value}");
    }

    let late = httpdate::fmt_http_date(std::time::SystemTime::now() + Duration::from_secs(7200));
    let server = Server::start(answer(503, &[("retry-after", &late)], "")).await;
    let (kind, made, told) = failure(&server, CallOptions::new()).await;
    assert_eq!((kind, made), (ErrorKind::Service, 1));
    assert!(told.is_some_and(|told| (6000..=7200).contains(&told.as_secs())), "{told:?}");
}

#[tokio::test]
async fn wait_beyond_deadline_is_not_started() {
    let server = Server::start(answer(429, &[("retry-after", "30")], "")).await;
    let begin = Instant::now();
    let options = CallOptions::new().deadline(Duration::from_secs(20));
    let (kind, made, told) = failure(&server, options).await;
    assert_eq!((kind, made, told), (ErrorKind::RateLimited, 1, Some(Duration::from_secs(30))));
    assert!(begin.elapsed() < Duration::from_secs(120));
}

#[tokio::test]
async fn call_options_limit_their_call() {
    let server = Server::start(Act::Stall(Vec::new())).await;
    let (none, soon) = (RetryPolicy::none(), Duration::from_millis(1));
    let retry = none.min_delay(soon).max_delay(soon);
    let client = builder(&server).retry(retry).build().unwrap();
    let call = |options: CallOptions| {
        let request = client.market_price("BTC").with_options(options);
        async move { request.await.unwrap_err() }
    };
    let short = Duration::from_millis(80);
    let silent = call(CallOptions::new().read_timeout(short)).await;

    assert_eq!(silent.message(), "no data for 80ms (read timeout)");
    assert!(silent.is_retryable());

    let late = call(CallOptions::new().deadline(short)).await;
    assert_eq!(late.message(), "no result within 80ms (deadline of the call)");

    // The error is retryable, so the caller may call again. The client itself makes no further attempt.
    assert!(late.is_retryable());

    // The deadline applies to all attempts of the call together. Here it passes during a later attempt.
    let begin = Instant::now();
    let options = CallOptions::new().attempts(1000).read_timeout(short).deadline(40 * short);
    let late = call(options).await;

    assert_eq!((late.kind(), late.attempts() > 1), (ErrorKind::Timeout, true), "{late:?}");
    assert!(begin.elapsed() < Duration::from_secs(120));
}

#[tokio::test]
async fn maximum_duration_means_no_limit() {
    let server = Server::start(answer(200, &[], HOLDERS)).await;
    let retry = RetryPolicy::new().max_retry_after(Duration::MAX);
    let client = builder(&server)
        .connect_timeout(Duration::MAX)
        .deadline(Duration::MAX)
        .read_timeout(Duration::MAX)
        .retry(retry)
        .build()
        .unwrap();
    client.token_holders("vitalik.eth", "ethereum").await.unwrap();
    // A wait that is too long for the clock always exceeds the deadline.
    let server = Server::start(answer(429, &[("retry-after", "1e19")], "")).await;
    let client = builder(&server).deadline(Duration::from_secs(60)).retry(retry).build().unwrap();
    let error = client.token_holders("vitalik.eth", "ethereum").await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::RateLimited, 1));
}

#[tokio::test(start_paused = true)]
async fn abandoned_calls_do_not_count_against_rate_limit() {
    let server = Server::start(answer(200, &[], HOLDERS)).await;
    let client = builder(&server).rate_limit(RateLimit::per_minute(1)).build().unwrap();
    let call = || client.token_holders("vitalik.eth", "ethereum");
    let begin = Instant::now();
    call().await.unwrap();
    for _ in 0..5 {
        let options = CallOptions::new().deadline(Duration::from_secs(5));
        let error = call().with_options(options).await.unwrap_err();
        assert_eq!((error.kind(), error.attempts()), (ErrorKind::Timeout, 0));
        assert_eq!(error.message(), "the rate limit would delay the call beyond its deadline");
        let dropped = tokio::time::timeout(Duration::from_millis(10), call().into_future()).await;
        assert!(dropped.is_err());
    }
    assert_eq!(server.requests(), 1);
    call().await.unwrap();
    let waited = begin.elapsed().as_secs();
    assert!((60..62).contains(&waited), "{waited} s");
}

#[tokio::test(start_paused = true)]
async fn wait_requested_by_429_delays_next_call_under_rate_limit() {
    for (status, seconds) in [(429, 30), (503, 0)] {
        let server = Server::start(answer(status, &[("retry-after", "30")], "")).await;
        let builder = builder(&server).retry(RetryPolicy::none());
        let client = builder.rate_limit(RateLimit::per_minute(100)).build().unwrap();
        let begin = Instant::now();
        for _ in 0..2 {
            client.token_holders("vitalik.eth", "ethereum").await.unwrap_err();
        }
        let waited = begin.elapsed().as_secs();
        assert!((seconds..seconds + 2).contains(&waited), "{status}: {waited} s");
    }
}

#[tokio::test(start_paused = true)]
async fn retry_waits_as_long_as_requested() {
    let server = Server::start(answer(503, &[("retry-after", "30")], "")).await;
    let begin = Instant::now();
    let (kind, made, _) = failure(&server, CallOptions::new().attempts(2)).await;
    assert_eq!((kind, made), (ErrorKind::Service, 2));
    let waited = begin.elapsed().as_secs();
    assert!((30..32).contains(&waited), "{waited} s");
}
