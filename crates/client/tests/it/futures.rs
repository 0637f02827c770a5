//! Tests of the size of futures. Programs nest futures, so each future of `crypto-intel` has at most 3 KB.

use crypto_intel::{Client, Method, prelude::*};

const LIMIT: usize = 3072;

#[test]
fn futures_of_calls_have_at_most_three_kilobytes() {
    let client = Client::builder().base_url("http://service.example").build().unwrap();
    let ask = || client.responses("svc-2.0", "?");
    let query = || client.sql("SELECT 1");
    let price = || client.market_price("BTC").into_call();
    let raw = || client.raw(Method::GET, "/new");
    let holders = || client.token_holders("vitalik.eth", "ethereum");
    let (mut pages, mut items) = (holders().pages(), holders().items());
    let mut thread = crypto_intel::chat::Thread::new("svc-2.0");

    let sizes = [
        ("a call", size_of_val(&client.market_price("BTC").into_future())),
        ("a call of a type", size_of_val(&price().send::<serde_json::Value>())),
        ("a raw call", size_of_val(&price().send_raw())),
        ("a stream of bytes", size_of_val(&price().open())),
        ("bytes of a path", size_of_val(&raw().bytes())),
        ("a value of a path", size_of_val(&raw().decode::<serde_json::Value>())),
        ("a page", size_of_val(&pages.try_next())),
        ("a row", size_of_val(&items.try_next())),
        ("a list", size_of_val(&holders().pager().collect_all())),
        ("an answer", size_of_val(&ask().into_future())),
        ("a stream of an answer", size_of_val(&ask().stream())),
        ("a typed answer", size_of_val(&ask().structured::<u8>())),
        ("a turn of a conversation", size_of_val(&thread.ask(&client, "?"))),
        ("a table", size_of_val(&query().table())),
        ("rows", size_of_val(&query().rows::<u8>())),
        ("a job", size_of_val(&query().submit())),
        ("a query or a job", size_of_val(&query().run_or_submit())),
        ("a search", size_of_val(&client.resolve("USDC").into_future())),
    ];
    println!("{sizes:?}");
    let large: Vec<_> = sizes.iter().filter(|(_, size)| *size > LIMIT).collect();
    assert!(large.is_empty(), "bytes: {large:?}");
}
