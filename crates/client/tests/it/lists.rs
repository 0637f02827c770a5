//! Tests of lists over real connections. For offset, cursor and keyset paging, a test reads a list twice: once without
//! interruption, and once in two parts with a resume token.

use crypto_intel::paging::Item;
use crypto_intel::{
    Client, ResumeToken,
    extend::{Paged, PagedRequest},
    prelude::*,
};
use crypto_intel_sandbox::{Clock, Sandbox, UnixSeconds};
use serde::Serialize;

use crate::server::{Server, answer};

/// Reads `rows` rows of a list twice: once without interruption, and once in two parts. The second part begins at the
/// resume token of the first part and uses another page size. Returns both results as JSON.
async fn read_twice<R>(list: impl Fn(i64) -> R, rows: u64) -> (String, String)
where
    R: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
{
    let whole = list(4).max_items(rows).collect_all().await.unwrap();
    let mut parts: Vec<Item<R>> = Vec::new();
    let mut first = list(4).items();
    for _ in 0..rows / 2 {
        parts.push(first.try_next().await.unwrap().expect("more rows"));
    }
    let kept = serde_json::to_string(&first.resume_token().unwrap()).unwrap();
    let token: ResumeToken = serde_json::from_str(&kept).unwrap();
    let rest = rows - rows / 2;
    let rest = list(3).pager().resume_from(token).max_items(rest).collect_all().await.unwrap();
    parts.extend(rest);
    assert_eq!(whole.len() as u64, rows);
    (serde_json::to_string(&whole).unwrap(), serde_json::to_string(&parts).unwrap())
}

/// Address of a token that exists in every sandbox.
const CONTRACT: &str = "0x2222222222222222222222222222222222222222";

#[tokio::test]
async fn every_kind_of_list_resumes_without_missing_rows() {
    // The clock is stopped, so that the data does not change between the two reads.
    let clock = Clock::stopped_at(UnixSeconds(1_781_524_800));
    let sandbox = Sandbox::builder().clock(clock).start().await.unwrap();
    let builder = Client::builder().base_url(sandbox.url()).api_key(sandbox.key());
    let client = builder.build().unwrap();
    for (kind, (whole, parts)) in [
        ("offset", read_twice(|n| client.token_holders(CONTRACT, "ethereum").limit(n), 14).await),
        ("cursor", read_twice(|n| client.social_user_posts("eth_daily").limit(n), 14).await),
        ("keyset", read_twice(|n| client.hyperliquid_fills("vitalik.eth").limit(n), 14).await),
    ] {
        assert_eq!(whole, parts, "{kind}");
    }
}

#[tokio::test]
async fn largest_pages_have_documented_size_unless_caller_sets_limit() {
    let body = r#"{"data": [], "meta": {}}"#;
    for (limit, rows, sent) in
        [(None, None, "limit=100"), (None, Some(7), "limit=7"), (Some(5), None, "limit=5")]
    {
        let server = Server::start(answer(200, &[], body)).await;
        let client = Client::builder().base_url(server.url()).build().unwrap();
        let request = client.social_user_posts("eth_daily");
        let request = limit.into_iter().fold(request, |request, limit| request.limit(limit));
        let pager = rows.into_iter().fold(request.pager(), |pager, rows| pager.max_items(rows));
        assert_eq!(pager.get_max_items(), rows);
        pager.largest_pages().items().try_next().await.unwrap();
        assert!(server.texts()[0].contains(sent), "{:?}", server.texts());
    }
}
