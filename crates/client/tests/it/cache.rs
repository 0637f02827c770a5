//! Tests of the cache, and of equal concurrent calls that share one request (single flight). All of them run in this
//! process with a paused tokio clock.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crypto_intel::cache::{Cache, CacheKey, CacheStore, CachedAnswer, MemoryStore};
use crypto_intel::credits::{Budget, Credits};
use crypto_intel::http::{HeaderMap, Request, Response, StatusCode};
use crypto_intel::http_service::{Body, service_fn};
use crypto_intel::{CallOptions, Client, ClientBuilder, ErrorKind, extend::BoxFuture, prelude::*};

use crate::seam::ROWS;

/// Creates the settings of a client whose service responds to each request after one second. Also returns the counter
/// of the requests that were sent.
fn slow(code: u16, body: &'static str) -> (ClientBuilder, Arc<AtomicUsize>) {
    let sent = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&sent);
    let service = service_fn(move |_: Request<Body>| {
        count.fetch_add(1, Ordering::Relaxed);
        async move {
            tokio::time::sleep(Duration::from_secs(1)).await;
            Ok::<_, Infallible>(Response::builder().status(code).body(Body::from(body)).unwrap())
        }
    });
    let builder = Client::builder().base_url("http://service.example").http_service(service);
    (builder.cache(Cache::new(Duration::from_secs(60))), sent)
}

#[tokio::test(start_paused = true)]
async fn cached_response_is_reused_until_it_expires() {
    let (builder, sent) = slow(200, ROWS);
    let client = builder.budget(Budget::credits(4)).build().unwrap();
    let first = client.token_holders("vitalik.eth", "ethereum").await.unwrap();
    let price = client.ledger().total().list_price;
    assert_eq!(price, Credits(2));
    assert_eq!((first.http().reused, first.http().attempts), (false, 1));

    for _ in 0..5 {
        let again = client.token_holders("vitalik.eth", "ethereum").await.unwrap();
        assert_eq!((again.http().reused, again.http().attempts), (true, 0));
        assert_eq!(again.credits_used(), Some(0));
    }
    let total = client.ledger().total();
    assert_eq!((total.calls, total.list_price, total.reported), (1, price, Credits(2)));
    assert_eq!(total.saved, Credits(5 * price.0));
    assert_eq!(sent.load(Ordering::Relaxed), 1);

    // A call with other parameters does not use the cached response.
    assert!(!client.token_holders("vitalik.eth", "base").await.unwrap().http().reused);

    tokio::time::advance(Duration::from_secs(61)).await;
    let error = client.token_holders("vitalik.eth", "ethereum").await.unwrap_err();
    assert_eq!((error.kind(), sent.load(Ordering::Relaxed)), (ErrorKind::OverBudget, 2));
}

#[tokio::test(start_paused = true)]
async fn cache_hit_needs_no_budget() {
    let (builder, sent) = slow(200, ROWS);
    let client = builder.budget(Budget::credits(3)).build().unwrap();
    client.token_holders("vitalik.eth", "ethereum").await.unwrap();
    // The budget is used up, so a new request is rejected. A cached response costs nothing, so it is returned.
    let error = client.token_holders("vitalik.eth", "base").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OverBudget);
    assert!(client.token_holders("vitalik.eth", "ethereum").await.unwrap().http().reused);
    assert_eq!(sent.load(Ordering::Relaxed), 1);
}

#[tokio::test(start_paused = true)]
async fn equal_concurrent_calls_are_sent_once() {
    let (builder, sent) = slow(200, ROWS);
    let client = builder.build().unwrap();
    let calls = (0..50).map(|_| client.token_holders("vitalik.eth", "ethereum").into_future());
    let replies = futures_util::future::try_join_all(calls).await.unwrap();
    assert_eq!(sent.load(Ordering::Relaxed), 1);
    // Only one caller is charged for the request.
    assert_eq!(replies.iter().filter(|reply| !reply.http().reused).count(), 1);
    let total = client.ledger().total();
    assert_eq!((total.calls, total.reported), (1, Credits(2)));
    assert_eq!(total.saved, Credits(49 * total.list_price.0));

    // Concurrent calls also share a request if no response is stored.
    let (builder, sent) = slow(200, ROWS);
    let client = builder.cache(Cache::new(Duration::ZERO)).build().unwrap();
    let call = || client.token_holders("vitalik.eth", "ethereum").into_future();
    futures_util::future::try_join(call(), call()).await.unwrap();
    assert_eq!(sent.load(Ordering::Relaxed), 1);
    call().await.unwrap();
    assert_eq!(sent.load(Ordering::Relaxed), 2);
}

#[tokio::test(start_paused = true)]
async fn dropped_caller_leaves_response_to_others() {
    let (builder, sent) = slow(200, ROWS);
    let client = builder.build().unwrap();
    let call = || client.token_holders("vitalik.eth", "ethereum");
    let wait = Duration::from_millis(500);

    // The caller that started the request is dropped. Another caller reaches its deadline.
    let begun = tokio::spawn(call().into_future());
    tokio::time::sleep(wait / 5).await;
    let other = tokio::spawn(call().into_future());
    let late = call().with_options(CallOptions::new().deadline(wait / 5));
    let late = tokio::spawn(late.into_future());
    tokio::time::sleep(wait).await;
    begun.abort();
    assert!(begun.await.unwrap_err().is_cancelled());
    let error = late.await.unwrap().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Timeout, "{error:?}");
    assert!(error.message().contains("deadline"), "{error:?}");
    let reply = other.await.unwrap().unwrap();
    assert_eq!(sent.load(Ordering::Relaxed), 1);
    // The remaining caller is the first to get the response, so it is charged.
    assert!(!reply.http().reused);
    assert_eq!(client.ledger().total().reported, Credits(2));

    // When all callers are dropped, the request is cancelled. The next call sends a new request.
    let (builder, sent) = slow(200, ROWS);
    let client = builder.build().unwrap();
    let call = || client.token_holders("vitalik.eth", "ethereum").into_future();
    for begun in 1..=3 {
        assert!(
            tokio::time::timeout(wait, futures_util::future::join(call(), call())).await.is_err()
        );
        assert_eq!(sent.load(Ordering::Relaxed), begun);
    }
}

#[tokio::test(start_paused = true)]
async fn error_is_returned_to_all_callers_and_not_cached() {
    let body = r#"{"error": {"code": "NOPE", "message": "no such wallet"}}"#;
    let (builder, sent) = slow(404, body);
    let client = builder.build().unwrap();
    let calls = (0..3).map(|_| client.token_holders("vitalik.eth", "ethereum").into_future());
    for outcome in futures_util::future::join_all(calls).await {
        let error = outcome.unwrap_err();
        assert_eq!((error.kind(), error.code()), (ErrorKind::NotFound, Some("NOPE")));
        assert_eq!((error.attempts(), error.operation()), (1, Some("token-holders")));
    }
    assert_eq!(sent.load(Ordering::Relaxed), 1);
    client.token_holders("vitalik.eth", "ethereum").await.unwrap_err();
    assert_eq!(sent.load(Ordering::Relaxed), 2);

    // A response that cannot be decoded is not stored. Otherwise every later call would fail too.
    let (builder, sent) = slow(200, "<html>");
    let client = builder.build().unwrap();
    for expected in 1..=2 {
        client.token_holders("vitalik.eth", "ethereum").await.unwrap_err();
        assert_eq!(sent.load(Ordering::Relaxed), expected);
    }
}

#[tokio::test(start_paused = true)]
async fn calls_other_than_paid_reads_are_never_cached() {
    let (builder, sent) = slow(418, "{}");
    let client = builder.build().unwrap();
    let both = |one, other| futures_util::future::join(one, other);
    let chat = || client.responses("svc-2.0", "?").into_future();
    let query = || client.sql("SELECT 1").json();
    let balance = || client.credit_balance().into_future();
    let job = || client.onchain_sql_job_get("j").into_future();
    let _ = both(chat(), chat()).await;
    let _ = futures_util::future::join(query(), query()).await;
    let _ = futures_util::future::join(balance(), balance()).await;
    let _ = futures_util::future::join(job(), job()).await;
    assert_eq!(sent.load(Ordering::Relaxed), 8);

    // With a `max_age` of 60 seconds, only one of several equal chat questions is sent. With a `max_age` of zero, every
    // call of a GET operation is sent.
    let told = || CallOptions::new().max_age(Duration::from_secs(60));
    let chat = || client.responses("svc-2.0", "?").with_options(told()).into_future();
    let _ = both(chat(), chat()).await;
    assert_eq!(sent.load(Ordering::Relaxed), 9);
    let fresh = || {
        let options = CallOptions::new().max_age(Duration::ZERO);
        client.token_holders("vitalik.eth", "ethereum").with_options(options).into_future()
    };
    let _ = futures_util::future::join(fresh(), fresh()).await;
    assert_eq!(sent.load(Ordering::Relaxed), 11);
}

#[tokio::test(start_paused = true)]
async fn accounts_and_base_urls_do_not_share_responses() {
    let (builder, sent) = slow(200, ROWS);
    let client = builder.api_key("sk-one").build().unwrap();
    let call = |options| client.token_holders("vitalik.eth", "ethereum").with_options(options);
    for (options, expected) in [
        (CallOptions::new(), 1),
        (CallOptions::new().api_key("sk-one"), 1),
        (CallOptions::new().api_key("sk-two"), 2),
        (CallOptions::new().base_url("http://other.example"), 3),
    ] {
        call(options.clone()).await.unwrap();
        assert!(call(options).await.unwrap().http().reused);
        assert_eq!(sent.load(Ordering::Relaxed), expected);
    }
}

/// Faulty cache store. For every key, `get` returns a response with the body `text`. If `text` is `None`, the futures
/// of `get` and `put` never complete.
struct BadStore {
    text: Option<&'static str>,
}

impl CacheStore for BadStore {
    fn get(&self, _: &CacheKey, _: Duration) -> BoxFuture<Option<CachedAnswer>> {
        let Some(text) = self.text else { return Box::pin(std::future::pending()) };
        let answer =
            CachedAnswer { status: StatusCode::OK, headers: HeaderMap::new(), body: text.into() };
        Box::pin(std::future::ready(Some(answer)))
    }

    fn put(&self, _: &CacheKey, _: CachedAnswer) -> BoxFuture<()> {
        match self.text {
            Some(_) => Box::pin(std::future::ready(())),
            None => Box::pin(std::future::pending()),
        }
    }
}

#[tokio::test(start_paused = true)]
async fn bad_store_never_decides_a_call() {
    // A stored text that is not JSON, a stored JSON value of a wrong type, and a store whose methods never respond.
    for text in [Some("<html>"), Some("{\"data\": 7}"), None] {
        let (builder, sent) = slow(200, ROWS);
        let cache = Cache::new(Duration::from_secs(60)).store(BadStore { text });
        let client = builder.cache(cache).build().unwrap();

        let reply = client.token_holders("vitalik.eth", "ethereum").await.unwrap();
        assert!(!reply.http().reused, "{text:?}");
        assert_eq!(sent.load(Ordering::Relaxed), 1, "{text:?}");
        let total = client.ledger().total();
        assert_eq!((total.reported, total.saved), (Credits(2), Credits(0)), "{text:?}");
    }
}

/// Cache store that stores nothing, but counts the responses that it should store.
#[derive(Clone, Default)]
struct CountingStore(Arc<AtomicUsize>);

impl CacheStore for CountingStore {
    fn get(&self, _: &CacheKey, _: Duration) -> BoxFuture<Option<CachedAnswer>> {
        Box::pin(std::future::ready(None))
    }

    fn put(&self, _: &CacheKey, _: CachedAnswer) -> BoxFuture<()> {
        self.0.fetch_add(1, Ordering::Relaxed);
        Box::pin(std::future::ready(()))
    }
}

#[tokio::test(start_paused = true)]
async fn only_replies_that_decode_are_stored() {
    for (body, is_raw, stored) in [
        (ROWS, false, 1),
        ("{\"data\": 7}", false, 0),
        ("{\"data\": 7}", true, 1),
        ("<html>", true, 0),
        // A store may be a file, so a response that contains the API key must not be stored.
        ("{\"echo\": \"sk-planted\"}", true, 0),
    ] {
        let (builder, _) = slow(200, body);
        let builder = builder.api_key("sk-planted");
        let store = CountingStore::default();
        let cache = Cache::new(Duration::from_secs(60)).store(store.clone());
        let client = builder.cache(cache).build().unwrap();
        let call = client.token_holders("vitalik.eth", "ethereum");
        if is_raw {
            call.into_call().send_raw().await.unwrap();
        } else {
            let _ = call.await;
        }
        assert_eq!(store.0.load(Ordering::Relaxed), stored, "{body} {is_raw}");
        assert_eq!(client.ledger().total().saved, Credits(0));
    }
}

#[tokio::test(start_paused = true)]
async fn reply_that_does_not_decode_does_not_answer_later_calls() {
    let (builder, sent) = slow(200, "{\"data\": 7}");
    let client = builder.build().unwrap();
    for requests in 1..=3 {
        let error = client.token_holders("vitalik.eth", "ethereum").await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Decode);
        assert_eq!(sent.load(Ordering::Relaxed), requests);
    }
}

#[tokio::test(start_paused = true)]
async fn two_clients_share_the_answers_of_one_store() {
    let store: Arc<dyn CacheStore> = Arc::new(MemoryStore::new(1024 * 1024));
    let (builder, sent) = slow(200, ROWS);
    let cache = || Cache::new(Duration::from_secs(60)).store(Arc::clone(&store));

    let first = builder.clone().cache(cache()).build().unwrap();
    let second = builder.cache(cache()).build().unwrap();
    let read = first.token_holders("vitalik.eth", "ethereum").await.unwrap();
    let again = second.token_holders("vitalik.eth", "ethereum").await.unwrap();

    assert_eq!((read.http().reused, again.http().reused), (false, true));
    assert_eq!(sent.load(Ordering::Relaxed), 1);
}
