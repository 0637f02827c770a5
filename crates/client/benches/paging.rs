//! Measures how well paging hides latency: `cargo bench -p crypto-intel --bench paging`.
//!
//! The server needs 50 ms to respond to each of 50 page requests. In the measurement with cursor pages, the consumer
//! works 40 ms on each page. For each way of reading the list, the benchmark prints the measured time and its ratio to
//! a reference time. The benchmark never fails because of a ratio.

use std::time::{Duration, Instant};

use crypto_intel::{Client, prelude::*};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

const PAGES: usize = 50;
const ROWS: usize = 20;
const LATENCY: Duration = Duration::from_millis(50);
const WORK: Duration = Duration::from_millis(40);

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() -> Result<(), crypto_intel::Error> {
    let client = Client::builder().base_url(serve().await).build()?;
    // The first call opens the connection, so it is made before the measurement.
    client.token_holders("vitalik.eth", "ethereum").limit(1).await?;

    let begin = Instant::now();
    let mut pages = client.social_user_posts("h").limit(ROWS as i64).pages();
    let mut number = 0;
    while let Some(page) = pages.try_next().await? {
        number += page.reply.data.len();
        tokio::time::sleep(WORK).await;
    }
    assert_eq!(number, PAGES * ROWS);
    let ideal = LATENCY.max(WORK) * PAGES as u32;
    report("cursor, one page ahead", begin.elapsed(), "max(latency, work) x pages", ideal);

    let sequential = offset(&client, 1).await?;
    report("offset, one at a time", sequential, "latency x pages", LATENCY * PAGES as u32);
    report("offset, eight side by side", offset(&client, 8).await?, "one at a time", sequential);
    Ok(())
}

fn report(what: &str, took: Duration, yardstick: &str, ideal: Duration) {
    let ratio = took.as_secs_f64() / ideal.as_secs_f64();
    println!("{what:<28} {took:>10.1?}   {ratio:.3} x {yardstick} ({ideal:.1?})");
    // `cargo xtask bench` parses the next output line.
    let (took, ideal) = (took.as_secs_f64(), ideal.as_secs_f64());
    println!("ratio\t{what}\t{took}\t{yardstick}\t{ideal}\ts");
}

async fn offset(client: &Client, side_by_side: usize) -> Result<Duration, crypto_intel::Error> {
    let begin = Instant::now();
    let pager = client.token_holders("vitalik.eth", "ethereum").limit(ROWS as i64).pager();
    assert_eq!(pager.side_by_side(side_by_side).collect_all().await?.len(), PAGES * ROWS);
    Ok(begin.elapsed())
}

async fn serve() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(connection(stream));
        }
    });
    url
}

async fn connection(mut stream: TcpStream) {
    let _ = stream.set_nodelay(true);
    let mut bytes = Vec::new();
    loop {
        let mut piece = [0; 4096];
        match stream.read(&mut piece).await {
            Ok(read) if read > 0 => bytes.extend_from_slice(&piece[..read]),
            _ => return,
        }

        while let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
            bytes.drain(..end + 4);
            tokio::time::sleep(LATENCY).await;
            let body = answer(head.split(' ').nth(1).unwrap_or_default()).to_string();
            let head = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
                body.len()
            );
            if stream.write_all(&[head.as_bytes(), body.as_bytes()].concat()).await.is_err() {
                return;
            }
        }
    }
}

fn answer(target: &str) -> Value {
    let number = |name: &str| {
        let (_, rest) = target.split_once(&format!("{name}="))?;
        rest.split('&').next()?.parse::<usize>().ok()
    };
    let mut meta = json!({"cached": false, "credits_used": 1, "limit": ROWS, "offset": 0});

    if target.contains("/social/") {
        let page = number("cursor").unwrap_or(0);
        meta["has_more"] = (page + 1 < PAGES).into();
        if page + 1 < PAGES {
            meta["next_cursor"] = (page + 1).to_string().into();
        }

        let post = json!({"author": {"handle": "h", "name": "n", "user_id": "1"}, "created_at": 1, "text": "t",
            "stats": {"likes": 0, "replies": 0, "reposts": 0, "views": 0}, "tweet_id": "1", "url": "u"});
        json!({"data": vec![post; ROWS], "meta": meta})
    } else {
        meta["offset"] = number("offset").unwrap_or(0).into();
        meta["total"] = (PAGES * ROWS).into();

        json!({"data": vec![json!({"address": "0x1", "balance": "1"}); ROWS], "meta": meta})
    }
}
