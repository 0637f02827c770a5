//! Tests of watches, which repeat a request at an interval and return new rows.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crypto_intel::credits::Budget;
use crypto_intel::{Client, ErrorKind, RetryPolicy, WatchExt};
use futures_util::{StreamExt, TryStreamExt};

use crate::server::{Act, Server, answer};

const EVERY: Duration = Duration::from_millis(2);

/// Starts a server that sends the replies in order, one for each request. The server sends the last reply to all
/// further requests. In a reply, `Err` contains an HTTP status, and `Ok` contains the times of the rows, such as `1 2`.
async fn server(replies: &'static [Result<&'static str, u16>]) -> Server {
    let next = AtomicUsize::new(0);
    Server::start_with(move |_| {
        let index = next.fetch_add(1, Ordering::SeqCst).min(replies.len() - 1);
        match replies[index] {
            Ok(times) => rows(times),
            Err(status) => answer(status, &[], ""),
        }
    })
    .await
}

fn rows(times: &str) -> Act {
    let rows = times.split_whitespace().map(|time| format!(r#"{{"timestamp":{time},"value":1}}"#));
    let rows: Vec<String> = rows.collect();
    answer(200, &[], &format!(r#"{{"data":[{}],"meta":{{}}}}"#, rows.join(",")))
}

fn client(server: &Server) -> Client {
    Client::builder().base_url(server.url()).retry(RetryPolicy::none()).build().unwrap()
}

#[tokio::test]
async fn watch_reports_each_row_once_and_counts_failures() {
    let replies = &[Ok("1 2"), Ok("1 2"), Err(503), Err(503), Ok("2 3"), Ok("4 5"), Ok("4 5")];
    let server = server(replies).await;
    let told = Arc::new(Mutex::new(Vec::new()));
    let notes = told.clone();
    let watch = client(&server).market_price("BTC").watch(EVERY);
    let mut watch = watch.on_failure(move |error, wait| {
        notes.lock().unwrap().push((error.kind(), wait));
    });

    for (new, failures, is_disjoint) in [
        (&[1, 2][..], 0, false),
        (&[], 0, false),
        (&[3], 2, false),
        (&[4, 5], 0, true),
        (&[], 0, false),
    ] {
        let update = watch.next().await.unwrap();
        let times = update.new.iter().map(|index| update.reply.data[*index].timestamp.0);
        let times: Vec<i64> = times.collect();
        assert_eq!((&*times, update.failures, update.is_disjoint), (new, failures, is_disjoint));
    }
    let told = told.lock().unwrap();
    assert_eq!(*told, [(ErrorKind::Service, EVERY), (ErrorKind::Service, EVERY * 2)]);
    assert_eq!(server.requests(), 7);
}

#[tokio::test]
async fn watch_ends_at_errors_that_repeating_cannot_fix() {
    for (replies, kind, requests) in [
        // An error before the first response may be caused by wrong settings, so it ends the watch.
        (&[Err(503), Ok("1")][..], ErrorKind::Service, 1),
        (&[Ok("1"), Err(401)], ErrorKind::Authentication, 2),
        (&[Ok("1"), Err(402)], ErrorKind::InsufficientCredits, 2),
        (&[Ok("1"), Err(503)], ErrorKind::Service, 11),
    ] {
        let server = server(replies).await;
        let watch = client(&server).market_price("BTC").watch(Duration::from_micros(1));
        let updates = watch.into_stream().try_for_each(|_| async { Ok(()) });
        assert_eq!(updates.await.unwrap_err().kind(), kind, "{replies:?}");
        assert_eq!(server.requests(), requests, "{replies:?}");
    }
}

#[tokio::test]
async fn budget_ends_watch_and_failed_post_is_not_repeated() {
    let server = server(&[Ok("1")]).await;
    let price = crypto_intel::api::generated::catalogue::MARKET_PRICE.price;
    let crypto_intel::catalogue::Price::Credits(credits) = price else { panic!("{price:?}") };
    let builder =
        Client::builder().base_url(server.url()).budget(Budget::credits(u64::from(3 * credits)));
    let updates = builder.build().unwrap().market_price("BTC").watch(EVERY).into_stream();
    let updates: Vec<_> = updates.collect().await;
    assert_eq!((updates.len(), server.requests()), (4, 3));
    assert_eq!(updates[3].as_ref().unwrap_err().kind(), ErrorKind::OverBudget);

    let server = self::server(&[Ok(""), Err(503)]).await;
    let mut watch = client(&server).onchain_sql("SELECT 1").watch(EVERY);
    watch.next().await.unwrap();
    assert_eq!(watch.next().await.unwrap_err().kind(), ErrorKind::Service);
    assert_eq!(server.requests(), 2);
}

#[tokio::test(start_paused = true)]
async fn late_watch_skips_missed_repetitions() {
    let sandbox = crypto_intel_sandbox::Sandbox::builder().without_socket().unwrap();
    let builder = Client::builder().base_url(sandbox.url()).api_key(sandbox.key());
    let client = builder.http_service(sandbox.service()).build().unwrap();
    let mut watch = client.market_price("BTC").watch(Duration::from_secs(60));

    let begin = tokio::time::Instant::now();
    watch.next().await.unwrap();
    assert_eq!(watch.next().await.unwrap().left_out, 0);
    assert_eq!(begin.elapsed().as_secs(), 60);
    tokio::time::advance(Duration::from_secs(200)).await;
    assert_eq!(watch.next().await.unwrap().left_out, 2);
    assert_eq!(watch.next().await.unwrap().left_out, 0);
    assert_eq!(begin.elapsed().as_secs(), 300);
}

#[tokio::test(start_paused = true)]
async fn repetitions_skipped_before_a_failed_call_are_counted() {
    let sandbox = crypto_intel_sandbox::Sandbox::builder().without_socket().unwrap();
    let builder = Client::builder().base_url(sandbox.url()).api_key(sandbox.key());
    let builder = builder.http_service(sandbox.service()).retry(RetryPolicy::none());
    let mut watch = builder.build().unwrap().market_price("BTC").watch(Duration::from_secs(60));

    watch.next().await.unwrap();
    tokio::time::advance(Duration::from_secs(200)).await;
    sandbox.inject(crypto_intel_sandbox::Fault::status(503).times(1)).unwrap();
    let update = watch.next().await.unwrap();
    assert_eq!((update.failures, update.left_out), (1, 2));
    let update = watch.next().await.unwrap();
    assert_eq!((update.failures, update.left_out), (0, 0));
}
