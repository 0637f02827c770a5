//! Tests of the blocking client against the sandbox.

use crypto_intel::blocking::{Client, prelude::*, wait};
use crypto_intel::{ErrorKind, Method};
use crypto_intel_sandbox::Sandbox;

/// Creates a sandbox in this process, and a blocking client that calls it.
fn client() -> (Client, Sandbox) {
    let sandbox = Sandbox::builder().without_socket().unwrap();
    let settings = crypto_intel::Client::builder().base_url(sandbox.url()).api_key(sandbox.key());
    (Client::new(settings.http_service(sandbox.service())).unwrap(), sandbox)
}

#[test]
fn blocking_requests_are_sent_without_async() {
    let (client, _sandbox) = client();
    let price = client.market_price("BTC").time_range("7d").send().unwrap();
    assert!(!price.data.is_empty());
    let error = client.token_holders("vitalik.eth", "eth").send().unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::InvalidRequest, 0));
    let raw = client.raw(Method::GET, "/gateway/v1/market/fear-greed");
    assert!(wait(raw.bytes()).unwrap().unwrap().body.starts_with(b"{"));
}

#[test]
fn blocking_lists_iterate_over_every_page() {
    let (client, _sandbox) = client();
    let request = || client.social_user_posts("eth_daily").limit(10);
    let by_row: Vec<_> =
        request().items().into_iter().take(25).map(|row| row.unwrap().tweet_id).collect();
    assert_eq!(by_row.len(), 25);
    let pages: Vec<_> = request().pages().into_iter().take(3).map(|page| page.unwrap()).collect();
    let by_page: Vec<_> =
        pages.iter().flat_map(|page| &page.reply.data).map(|row| row.tweet_id.clone()).collect();
    assert_eq!(by_page[..25], by_row);
    let mut limited = 0;
    for row in request().max_items(7).items() {
        limited += usize::from(row.is_ok());
    }
    assert_eq!(limited, 7);
}

#[test]
fn many_threads_share_a_client() {
    let (client, _sandbox) = client();
    std::thread::scope(|scope| {
        let ask = || client.market_price("ETH").send().map(|reply| reply.data.len());
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
        for thread in threads {
            assert!(thread.join().unwrap().unwrap() > 0);
        }
    });
}

#[tokio::test]
async fn blocking_call_in_async_code_is_an_error_not_a_panic() {
    let (client, _sandbox) = client();
    let error = client.market_price("BTC").send().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidRequest);
    assert!(error.message().contains("await"), "{error}");
    let mut rows = client.social_user_posts("eth_daily").items().into_iter();
    assert!(rows.next().unwrap().is_err());
    assert!(rows.next().is_none());
    // The requests of a blocking client can also be awaited.
    assert!(!client.market_price("BTC").await.unwrap().data.is_empty());
}

/// Tests blocking calls on threads that have a current tokio runtime but are allowed to block, for example in
/// `spawn_blocking`. In an async task, a blocking call must return an error.
#[test]
fn blocking_calls_work_wherever_blocking_is_allowed() {
    let (client, _sandbox) = client();
    let points = move || client.market_price("BTC").send().map(|reply| reply.data.len());

    for runtime in [
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap(),
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap(),
    ] {
        let in_thread = points.clone();
        let spawned = runtime.block_on(async { tokio::task::spawn_blocking(in_thread).await });
        assert!(spawned.unwrap().unwrap() > 0);

        let entered = runtime.enter();
        assert!(points().unwrap() > 0);
        drop(entered);
    }

    let several = tokio::runtime::Builder::new_multi_thread().worker_threads(1).build().unwrap();
    let in_place = points.clone();
    let task = async move { tokio::task::block_in_place(in_place) };
    assert!(several.block_on(several.spawn(task)).unwrap().unwrap() > 0);

    let error = several.block_on(several.spawn(async move { points() })).unwrap().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidRequest);
}
