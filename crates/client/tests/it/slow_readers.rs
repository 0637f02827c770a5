//! Tests of lists that a program reads slowly. The time limits of a call run only while the program waits for a row.

use std::collections::HashMap;
use std::time::Duration;

use crypto_intel::{Client, ClientBuilder, ErrorKind, RetryPolicy, prelude::*};
use futures_util::FutureExt;
use proptest::prelude::*;
use serde_json::json;

use crate::server::{Act, Server, answer};

/// Starts a server with two lists of `rows` rows each: holders, which are paged by offset, and posts, which are paged
/// by cursor. Each row contains a text of `filler` bytes.
async fn list(rows: usize, filler: usize) -> Server {
    let filler = "x".repeat(filler);
    Server::start_with(move |request| page(request, rows, &filler)).await
}

fn page(request: &str, rows: usize, filler: &str) -> Act {
    let target = request.split(' ').nth(1).unwrap_or_default();
    let number = |name: &str| {
        let (_, rest) = target.split_once(&format!("{name}="))?;
        rest.split('&').next()?.parse::<usize>().ok()
    };
    let limit = number("limit").unwrap();
    let begin = number("offset").or(number("cursor")).unwrap_or(0);
    let end = rows.min(begin + limit);

    let mut meta = json!({"cached": false, "credits_used": 1, "limit": limit});
    let data: Vec<_> = if target.contains("/social/") {
        meta["has_more"] = (end < rows).into();
        if end < rows {
            meta["next_cursor"] = end.to_string().into();
        }
        (begin..end)
            .map(|id| {
                json!({"author": {"handle": "h", "name": "n", "user_id": "1"}, "created_at": 1,
                    "text": filler, "tweet_id": id.to_string(), "url": "u",
                    "stats": {"likes": 0, "replies": 0, "reposts": 0, "views": 0}})
            })
            .collect()
    } else {
        meta["offset"] = begin.into();
        meta["total"] = rows.into();
        (begin..end).map(|id| json!({"address": id.to_string(), "balance": filler})).collect()
    };
    answer(200, &[], &json!({"data": data, "meta": meta}).to_string())
}

/// Advances the tokio clock by the duration `time`, as if the program needed this duration for one row. No real time
/// passes.
async fn advance_clock(time: Duration) {
    tokio::time::pause();
    tokio::time::advance(time).await;
    tokio::time::resume();
}

/// Returns the settings of a client with short time limits. The program can process a row for much longer than these
/// limits, but the server always responds within them.
fn client(server: &Server) -> ClientBuilder {
    Client::builder()
        .base_url(server.url())
        .deadline(Duration::from_secs(30))
        .read_timeout(Duration::from_secs(20))
        .retry(RetryPolicy::none())
}

/// Checks that the program received the rows `0..rows` in order, and that the client requested each page once.
fn check(server: &Server, seen: &[String], rows: usize) {
    let all: Vec<_> = (0..rows).map(|row| row.to_string()).collect();
    assert_eq!(seen, all);

    let mut asked = HashMap::new();
    for text in server.texts() {
        *asked.entry(text.lines().next().unwrap_or_default().to_owned()).or_insert(0) += 1;
    }
    let twice: Vec<_> = asked.into_iter().filter(|(_, times)| *times > 1).collect();
    assert!(twice.is_empty(), "{twice:?}");
}

/// Settings of one test that reads a list.
#[derive(Debug, Clone)]
struct Reading {
    by_cursor: bool,
    rows: usize,
    limit: usize,
    side_by_side: usize,
    filler: usize,
    /// Simulated processing times of consecutive rows. After the last element, the first element is used again.
    work: Vec<Duration>,
}

async fn read(reading: Reading) {
    let Reading { by_cursor, rows, limit, side_by_side, filler, work: speeds } = reading;
    let server = list(rows, filler).await;
    let client = client(&server).build().unwrap();
    let mut speeds = speeds.into_iter().cycle();
    let mut seen = Vec::new();

    if by_cursor {
        let mut items = client.social_user_posts("h").limit(limit as i64).items();
        while let Some(post) = items.try_next().await.unwrap() {
            seen.push(post.tweet_id);
            advance_clock(speeds.next().unwrap()).await;
        }
    } else {
        let request = client.token_holders("vitalik.eth", "ethereum").limit(limit as i64);
        let mut items = request.pager().side_by_side(side_by_side).items();
        while let Some(holder) = items.try_next().await.unwrap() {
            seen.push(holder.address);
            advance_clock(speeds.next().unwrap()).await;
        }
    }
    check(&server, &seen, rows);
}

#[tokio::test]
async fn slow_reader_gets_every_row() {
    for by_cursor in [true, false] {
        let work = vec![Duration::from_secs(100)];
        read(Reading { by_cursor, rows: 72, limit: 10, side_by_side: 4, filler: 1, work }).await;
    }
}

#[tokio::test]
async fn large_parallel_pages_are_each_requested_once() {
    let work = vec![Duration::from_secs(100)];
    // Each page has 2 MB. This is more than the socket buffers hold, so the server waits until the client reads.
    let filler = 200_000;
    for by_cursor in [true, false] {
        let work = work.clone();
        read(Reading { by_cursor, rows: 60, limit: 10, side_by_side: 4, filler, work }).await;
    }
}

#[tokio::test]
async fn reader_that_drops_some_waits_gets_every_row() {
    let server = list(72, 1).await;
    let client = client(&server).build().unwrap();
    let mut items = client.social_user_posts("h").limit(10).items();
    let mut seen = Vec::new();
    loop {
        // This is like a `select!` with another branch that is ready: the future is dropped, and the other branch takes
        // long.
        let row = match items.try_next().now_or_never() {
            Some(row) => row,
            None => {
                advance_clock(Duration::from_secs(100)).await;
                items.try_next().await
            }
        };
        let Some(post) = row.unwrap() else { break };
        seen.push(post.tweet_id);
    }
    check(&server, &seen, 72);
}

#[tokio::test]
async fn silent_service_times_out_while_caller_waits() {
    // The server never responds to the request for the second page.
    let server = Server::start_with(|request| match request.contains("cursor=") {
        true => Act::Stall(Vec::new()),
        false => page(request, 20, ""),
    })
    .await;
    let client = client(&server).build().unwrap();
    let mut items = client.social_user_posts("h").limit(10).items();
    for _ in 0..10 {
        items.try_next().await.unwrap().unwrap();
        advance_clock(Duration::from_secs(100)).await;
    }
    tokio::select! {
        _ = items.try_next() => panic!("the second page never arrives"),
        () = server.has_read(2) => {}
    }

    // With the clock paused, tokio jumps to the next timeout. So the test does not depend on the speed of the machine.
    tokio::time::pause();
    let error = items.try_next().await.unwrap_err();
    assert_eq!(error.message(), "no data for 20s (read timeout)");
}

#[tokio::test]
async fn connect_timeout_while_idle_is_not_an_attempt() {
    // This listener accepts TCP connections, but never responds to the TLS handshake.
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("https://{}", listener.local_addr().unwrap());
    let builder = Client::builder().base_url(base).retry(RetryPolicy::none());
    let client = builder.connect_timeout(Duration::from_secs(10)).build().unwrap();
    let mut items = client.social_user_posts("h").items();
    let _connection = tokio::select! {
        _ = items.try_next() => panic!("the server never answers"),
        accepted = listener.accept() => accepted.unwrap(),
    };

    advance_clock(Duration::from_secs(100)).await;
    tokio::time::pause();
    let error = items.try_next().await.unwrap_err();
    assert_eq!((error.kind(), error.attempts()), (ErrorKind::Timeout, 1), "{error:?}");
    listener.accept().await.expect("the second connection");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn any_reader_gets_every_row_and_requests_each_page_once(
        by_cursor: bool,
        rows in 0..60_usize,
        limit in 1..15_usize,
        side_by_side in 1..6_usize,
        filler in prop_oneof![Just(1), Just(100_000)],
        millis in prop::collection::vec(prop_oneof![Just(0), 1..100_000_u64], 1..6),
    ) {
        let work = millis.into_iter().map(Duration::from_millis).collect();
        let reading = Reading { by_cursor, rows, limit, side_by_side, filler, work };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(read(reading));
    }
}
