//! Compares the CPU instructions of this client and of hand-written code for the same work.
//!
//! `benches/overhead.sh` runs this program under callgrind. The first argument is the command:
//!
//! - `serve` starts the HTTP server.
//! - `bare PORT CALLS` sends requests with hand-written code, and `client PORT CALLS` sends them with this client.
//! - `decode-bare TIMES` decodes a response with hand-written types, and `decode-record TIMES` decodes it with the
//!   records of this client.

use std::hint::black_box;

use crypto_intel::{Client, api::generated, extend::Envelope};
use serde::Deserialize;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Type into which the hand-written code decodes a response of the operation `token-transfers`. The type has no
/// field for unknown JSON fields, so decoding ignores them.
#[derive(Deserialize)]
struct BareAnswer {
    data: Vec<BareTransfer>,
    meta: BareMeta,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "decoded for comparison, never read")]
struct BareMeta {
    cached: bool,
    credits_used: i64,
    empty_reason: Option<String>,
    has_more: Option<bool>,
    limit: i64,
    offset: i64,
    total: Option<i64>,
    watermark: Option<i64>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "decoded for comparison, never read")]
struct BareTransfer {
    amount: String,
    amount_usd: Option<f64>,
    block_number: i64,
    from_address: String,
    from_label: Option<BareLabel>,
    symbol: Option<String>,
    timestamp: i64,
    to_address: String,
    to_label: Option<BareLabel>,
    tx_hash: String,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "decoded for comparison, never read")]
struct BareLabel {
    address: String,
    entity_name: Option<String>,
    entity_type: Option<String>,
    #[serde(default)]
    labels: Vec<serde_json::Value>,
}

type Record = Envelope<Vec<generated::token::TokenTransferItem>, generated::shared::OffsetMeta>;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let number = |text: &str| text.parse::<u32>().expect("a number");

    match words.as_slice() {
        ["serve"] => run(serve()),
        ["bare", port, calls] => run(bare(port, number(calls))),
        ["client", port, calls] => run(client(port, number(calls))),
        ["decode-bare", times] => {
            let body = body(10_000);
            for _ in 0..number(times) {
                let answer: BareAnswer = serde_json::from_str(&body).expect("the answer");
                assert_eq!(black_box(answer).data.len(), 10_000);
            }
        }
        ["decode-record", times] => {
            let body = body(10_000);
            for _ in 0..number(times) {
                let answer: Record = serde_json::from_str(&body).expect("the answer");
                assert_eq!(black_box(answer).data.len(), 10_000);
            }
        }
        _ => println!("see the head of this file; `crates/client/benches/overhead.sh` runs it"),
    }
}

fn run(work: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(work);
}

fn body(rows: usize) -> String {
    let row = |n: usize| {
        serde_json::json!({
            "amount": format!("{n}.000000000000000001"), "amount_usd": n as f64 * 1.25, "block_number": 20_000_000 + n,
            "from_address": "0xd8da6bf26964af9d7eed9e03e53415d37aa96045", "symbol": "USDC",
            "timestamp": 1_760_000_000 + n, "to_address": "0x00000000219ab540356cbb839cbe05303d7705fa",
            "tx_hash": format!("0x{n:064x}"),
        })
    };
    let meta = serde_json::json!({"cached": false, "credits_used": 2, "limit": rows, "offset": 0, "total": rows});
    serde_json::json!({"data": (0..rows).map(row).collect::<Vec<_>>(), "meta": meta}).to_string()
}

async fn bare(port: &str, calls: u32) {
    let http = reqwest::Client::new();
    for _ in 0..calls {
        let answer = http
            .get(format!(
                "http://127.0.0.1:{port}/gateway/v1/token/transfers?address=0x1&chain=ethereum"
            ))
            .header("authorization", "Bearer sk-example")
            .send()
            .await
            .and_then(reqwest::Response::error_for_status)
            .expect("an answer");
        let answer: BareAnswer =
            serde_json::from_slice(&answer.bytes().await.expect("a body")).expect("JSON");
        assert_eq!(black_box(answer).meta.limit, 20);
    }
}

async fn client(port: &str, calls: u32) {
    let client =
        Client::builder().base_url(format!("http://127.0.0.1:{port}")).api_key("sk-example");
    let client = client.http_client(reqwest::Client::new()).build().expect("a client");
    for _ in 0..calls {
        let answer = client.token_transfers("vitalik.eth", "ethereum").await.expect("an answer");
        assert_eq!(black_box(answer).meta.limit, Some(20));
    }
}

async fn serve() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    println!("{}", listener.local_addr().expect("an address").port());
    let body = body(20);
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let answer = (head + &body).into_bytes();
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(connection(stream, answer.clone()));
    }
}

async fn connection(mut stream: TcpStream, answer: Vec<u8>) {
    let _ = stream.set_nodelay(true);
    let mut bytes = Vec::new();
    let mut piece = [0; 4096];
    while let Ok(read) = stream.read(&mut piece).await {
        if read == 0 {
            return;
        }
        bytes.extend_from_slice(&piece[..read]);
        if bytes.ends_with(b"\r\n\r\n") {
            bytes.clear();
            if stream.write_all(&answer).await.is_err() {
                return;
            }
        }
    }
}
