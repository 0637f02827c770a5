//! Tests of credits: calls that the budget rejects, counted charges, and the sums of the ledger.

use crypto_intel::credits::{Budget, Credits, Estimate};
use crypto_intel::{
    CallOptions, Client, ErrorKind, Method, RateLimit, RetryPolicy, catalogue::Price, prelude::*,
};
use crypto_intel_sandbox::{Clock, Sandbox, UnixSeconds};

use crate::server::{Act, Server, answer};

const JSON: (&str, &str) = ("content-type", "application/json");
/// Response that reports 9 credits used. The list price of the operation `token-holders` is 2 credits.
const HOLDERS: &str =
    r#"{"data": [], "meta": {"cached": false, "credits_used": 9, "limit": 20, "offset": 0}}"#;

fn client(server: &Server, budget: Budget) -> Client {
    let retry = RetryPolicy::new().min_delay(std::time::Duration::from_millis(1));
    Client::builder().base_url(server.url()).budget(budget).retry(retry).build().unwrap()
}

#[tokio::test]
async fn list_price_and_reported_credits_are_recorded_separately() {
    let server = Server::start(answer(200, &[JSON], HOLDERS)).await;
    let client = client(&server, Budget::unlimited());
    let request = client.token_holders("vitalik.eth", "ethereum");
    assert_eq!(client.estimate(&request), Estimate::Exactly(Credits(2)));
    let reply = request.await.unwrap();
    assert_eq!((reply.credits_used(), reply.cached()), (Some(9), Some(false)));
    assert_eq!(reply.list_price(), Price::Credits(2));
    let total = client.ledger().total();
    assert_eq!((total.calls, total.list_price, total.reported), (1, Credits(2), Credits(9)));
    assert_eq!(client.ledger().by_operation()["token-holders"], total);
    assert_eq!(client.clone().ledger().by_tag()["Token"], total);

    client.raw(Method::GET, "/new").await.unwrap();
    assert_eq!((total.unpriced, client.ledger().total().unpriced), (0, 1));
}

#[tokio::test]
async fn reply_returns_the_figures_of_meta() {
    let meta = r#"{"cached": true, "credits_used": 0, "limit": 20, "offset": 0, "total": 0,
        "empty_reason": "no_data_in_range", "watermark": 1767225600}"#;
    let body: &'static str = Box::leak(format!(r#"{{"data": [], "meta": {meta}}}"#).into());
    let server = Server::start(answer(200, &[JSON], body)).await;
    let client = client(&server, Budget::unlimited());
    let watermark = Some(crypto_intel::UnixSeconds(1_767_225_600));

    // Typed replies, dynamic replies and pages all return the values of `meta`.
    let reply = client.token_holders("vitalik.eth", "ethereum").await.unwrap();
    assert_eq!(reply.empty_reason(), Some("no_data_in_range"));
    assert_eq!((reply.watermark(), reply.total_rows()), (watermark, Some(0)));
    let request = client.request("token-holders").unwrap();
    let request = request.with_text("address", "vitalik.eth").unwrap();
    let reply = request.with_text("chain", "ethereum").unwrap().await.unwrap();
    assert_eq!(reply.empty_reason(), Some("no_data_in_range"));
    assert_eq!((reply.watermark(), reply.total_rows()), (watermark, Some(0)));
    let mut pages = client.token_holders("vitalik.eth", "ethereum").pages();
    let page = pages.try_next().await.unwrap().unwrap();
    assert_eq!(page.reply.empty_reason(), Some("no_data_in_range"));
    assert_eq!((page.reply.watermark(), page.reply.total_rows()), (watermark, Some(0)));

    // A field of `meta` with a value of a wrong type counts as missing.
    let body = r#"{"data": [], "meta": {"empty_reason": 7, "watermark": "now", "total": null}}"#;
    let server = Server::start(answer(200, &[JSON], body)).await;
    let reply = self::client(&server, Budget::unlimited())
        .token_holders("a.eth", "ethereum")
        .await
        .unwrap();
    assert_eq!((reply.empty_reason(), reply.watermark(), reply.total_rows()), (None, None, None));
}

#[tokio::test]
async fn budget_rejects_call_above_limit_before_sending() {
    let server = Server::start(answer(200, &[JSON], HOLDERS)).await;
    let client = client(&server, Budget::credits(3));
    client.token_holders("vitalik.eth", "ethereum").await.unwrap();
    assert_eq!(client.ledger().remaining(), Some(Credits(1)));
    let error = client.token_holders("vitalik.eth", "ethereum").await.unwrap_err();
    assert_eq!((error.kind(), error.attempts(), server.requests()), (ErrorKind::OverBudget, 0, 1));
    assert_eq!(
        error.to_string(),
        "token-holders: over budget: the list price of the call is 2 credits, and 2 of 3 credits are already spent or reserved"
    );
    // A raw call has no published price, so the budget rejects it.
    let error = client.raw(Method::GET, "/new").await.unwrap_err();
    assert_eq!((error.kind(), server.requests()), (ErrorKind::OverBudget, 1));
}

#[tokio::test]
async fn concurrent_calls_cannot_reserve_the_same_credits() {
    let server = Server::start(answer(200, &[JSON], HOLDERS)).await;
    let client = client(&server, Budget::credits(6));
    let calls =
        (0..10).map(|_| async { client.token_holders("vitalik.eth", "ethereum").await.is_ok() });
    let done = futures_util::future::join_all(calls).await;
    assert_eq!(done.into_iter().filter(|done| *done).count(), 3);
    assert_eq!(server.requests(), 3);
}

#[tokio::test]
async fn rejected_call_is_refunded_and_possibly_executed_call_is_not() {
    for (act, remaining) in
        [(answer(404, &[], ""), 10), (answer(402, &[], ""), 10), (Act::Reset(Vec::new()), 8)]
    {
        let server = Server::start(act).await;
        let builder = Client::builder().base_url(server.url()).budget(Budget::credits(10));
        let client = builder.retry(RetryPolicy::none()).build().unwrap();
        client.token_holders("vitalik.eth", "ethereum").await.unwrap_err();
        assert_eq!(client.ledger().remaining(), Some(Credits(remaining)));
        assert_eq!(client.ledger().total().calls, 0);
    }
}

#[tokio::test]
async fn every_possibly_executed_attempt_counts_against_budget() {
    let outcome = async |act: Act, budget: u64| {
        let server = Server::start(act).await;
        let client = client(&server, Budget::credits(budget));
        let request = client.token_holders("vitalik.eth", "ethereum");
        let error = request.with_options(CallOptions::new().attempts(3)).await.unwrap_err();
        (error.kind(), server.requests(), client.ledger().remaining().unwrap().0)
    };
    // Each attempt reserves two credits. After a broken connection an attempt may have been charged, so its credits
    // stay reserved. With 5 credits, the budget does not allow a third attempt.
    assert_eq!(outcome(Act::Reset(Vec::new()), 10).await, (ErrorKind::Transport, 3, 4));
    assert_eq!(outcome(Act::Reset(Vec::new()), 5).await, (ErrorKind::Transport, 2, 1));
    // The service never charges a request that it rejects.
    assert_eq!(outcome(answer(503, &[], ""), 2).await, (ErrorKind::Service, 3, 2));
    // The service charges a request with a success status, even if the response body is invalid.
    assert_eq!(outcome(answer(200, &[JSON], "{"), 10).await, (ErrorKind::Decode, 1, 8));
}

#[tokio::test]
async fn call_dropped_before_sending_is_refunded() {
    let server = Server::start(answer(200, &[JSON], HOLDERS)).await;
    let builder = Client::builder().base_url(server.url()).budget(Budget::credits(10));
    let client = builder.rate_limit(RateLimit::per_minute(1)).build().unwrap();
    let call = || client.token_holders("vitalik.eth", "ethereum").into_future();
    call().await.unwrap();
    let held_back = tokio::time::timeout(std::time::Duration::from_millis(30), call()).await;
    assert!(held_back.is_err());
    assert_eq!(client.ledger().remaining(), Some(Credits(8)));

    // If a call is dropped after its request was sent, its credits stay reserved.
    let server = Server::start(Act::Stall(Vec::new())).await;
    let client = self::client(&server, Budget::credits(10));
    let call = client.token_holders("vitalik.eth", "ethereum").into_future();
    tokio::select! {
        _ = call => panic!("the server never answers"),
        () = server.has_read(1) => {}
    }
    assert_eq!(client.ledger().remaining(), Some(Credits(8)));
}

/// Tests calls that are dropped while they connect: the budget releases their credits. The server accepts the TCP
/// connection but never responds to the TLS handshake, so no byte of a request can have been sent.
#[tokio::test]
async fn call_dropped_while_connecting_is_refunded() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("https://{}", listener.local_addr().unwrap());
    let builder = Client::builder().base_url(base).budget(Budget::credits(10));
    let client = builder.build().unwrap();
    let mut get = client.token_holders("vitalik.eth", "ethereum").into_future();
    let mut post = Box::pin(client.sql("SELECT 1").table());
    tokio::select! {
        _ = &mut get => panic!("the server never answers"),
        _ = &mut post => panic!("the server never answers"),
        _ = async { (listener.accept().await, listener.accept().await) } => {}
    }
    assert!(client.ledger().remaining() < Some(Credits(10)));
    assert_eq!(client.ledger().unsettled().requests, 2);
    drop((get, post));
    assert_eq!(client.ledger().remaining(), Some(Credits(10)));
    assert_eq!(client.ledger().unsettled().requests, 0);
}

/// Tests a GET and a POST that are dropped before they are sent. The client already has a connection. Nothing has read
/// the body of the POST, so the POST was not sent, and its credits are released. A GET has no body, so the client
/// cannot detect whether it was sent, and its credits stay counted.
#[tokio::test]
async fn post_dropped_before_its_body_is_read_is_refunded() {
    let server = Server::start(answer(200, &[JSON], HOLDERS)).await;
    let client = self::client(&server, Budget::credits(100));
    client.token_holders("vitalik.eth", "ethereum").await.unwrap();
    let before = client.ledger().remaining().unwrap();

    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let silent = format!("https://{}", listener.local_addr().unwrap());
    let options = || CallOptions::new().base_url(&silent);
    let get = client.token_holders("vitalik.eth", "ethereum").with_options(options());
    let mut get = get.into_future();
    let mut post = client.onchain_sql("SELECT 1").with_options(options()).into_future();
    tokio::select! {
        _ = &mut get => panic!("the server never answers"),
        _ = &mut post => panic!("the server never answers"),
        _ = async { (listener.accept().await, listener.accept().await) } => {}
    }
    assert_eq!(client.ledger().unsettled().requests, 2);

    drop(post);
    assert_eq!(client.ledger().unsettled().requests, 1);
    assert_eq!(client.ledger().remaining(), Some(Credits(before.0 - 2)));
    drop(get);
    assert_eq!(client.ledger().remaining(), Some(Credits(before.0 - 2)));
}

#[tokio::test]
async fn list_stopped_by_budget_resumes_without_missing_rows() {
    let clock = Clock::stopped_at(UnixSeconds(1_781_524_800));
    let sandbox = Sandbox::builder().clock(clock).start().await.unwrap();
    let client = |budget| {
        Client::builder().base_url(sandbox.url()).api_key(sandbox.key()).budget(budget).build()
    };
    let poor = client(Budget::credits(2)).unwrap();
    let mut posts = poor.social_user_posts("eth_daily").limit(5).items();
    let mut ids = Vec::new();
    let error = loop {
        match posts.try_next().await {
            Ok(post) => ids.push(post.expect("more than two pages").tweet_id),
            Err(error) => break error,
        }
    };
    assert_eq!((error.kind(), ids.len()), (ErrorKind::OverBudget, 10));
    let token = posts.resume_token().unwrap();
    let rich = client(Budget::unlimited()).unwrap();
    let list = || rich.social_user_posts("eth_daily").limit(5).max_items(12);
    let rest = list().max_items(2).resume_from(token).collect_all().await.unwrap();
    ids.extend(rest.into_iter().map(|post| post.tweet_id));
    let whole = list().collect_all().await.unwrap();
    assert_eq!(ids, whole.into_iter().map(|post| post.tweet_id).collect::<Vec<_>>());
}

#[tokio::test]
async fn raw_call_sends_key_and_returns_classified_errors() {
    let server = Server::start(answer(404, &[], "404 page not found")).await;
    let client = Client::builder().base_url(server.url()).api_key("sk-planted").build().unwrap();
    let error = client.raw(Method::GET, "/gateway/v1/new").query("q", "a b&c").await.unwrap_err();
    assert_eq!((error.kind(), error.operation()), (ErrorKind::NotFound, Some("raw")));
    let text = server.texts().remove(0);
    assert!(text.starts_with("GET /gateway/v1/new?q=a+b%26c HTTP/1.1"), "{text}");
    assert!(text.to_ascii_lowercase().contains("authorization: bearer sk-planted"));
    for path in ["gateway", "//other.example/x", "https://other.example", "@other.example/"] {
        let error = client.raw(Method::GET, path).await.unwrap_err();
        assert_eq!((error.kind(), server.requests()), (ErrorKind::InvalidRequest, 1), "{path}");
    }
}

#[tokio::test]
async fn budget_with_window_counts_repeats_as_free_until_charged() {
    let free = HOLDERS.replace("9", "0");
    let server = Server::start(answer(200, &[JSON], &free)).await;
    let client = client(&server, Budget::credits(2).with_window());
    let call = || client.token_holders("vitalik.eth", "ethereum");
    assert_eq!(client.estimate(&call()), Estimate::Exactly(Credits(2)));

    // The first response reports 0 credits used, and the budget counts the reported number.
    call().await.unwrap();
    assert_eq!(client.ledger().remaining(), Some(Credits(2)));
    assert_eq!(client.ledger().total().with_window, Credits(2));
    assert_eq!(client.estimate(&call()), Estimate::Between(Credits(0), Credits(2)));
    call().await.unwrap();
    let total = client.ledger().total();
    assert_eq!((total.list_price, total.with_window), (Credits(4), Credits(2)));

    // Within the free window, a call of the same operation with other parameters is free too. A call of another
    // operation is not free.
    let other = client.token_holders("0x0000000000000000000000000000000000000001", "base");
    assert_eq!(client.estimate(&other), Estimate::Between(Credits(0), Credits(2)));
    let transfers = client.token_transfers("vitalik.eth", "ethereum");
    assert_eq!(client.estimate(&transfers), Estimate::Exactly(Credits(2)));

    // The free window ends three minutes after the paid call. A free call does not extend it.
    tokio::time::pause();
    tokio::time::advance(std::time::Duration::from_secs(120)).await;
    tokio::time::resume();
    call().await.unwrap();
    assert_eq!(client.estimate(&call()), Estimate::Between(Credits(0), Credits(2)));
    tokio::time::pause();
    tokio::time::advance(std::time::Duration::from_secs(60)).await;
    assert_eq!(client.estimate(&call()), Estimate::Exactly(Credits(2)));
}

#[tokio::test]
async fn charge_within_window_counts_and_closes_window() {
    let two = HOLDERS.replace("9", "2");
    let server = Server::start(answer(200, &[JSON], &two)).await;
    let client = client(&server, Budget::credits(5).with_window());
    let call = || client.token_holders("vitalik.eth", "ethereum");
    call().await.unwrap();
    assert_eq!(client.ledger().remaining(), Some(Credits(3)));
    assert_eq!(client.estimate(&call()), Estimate::Between(Credits(0), Credits(2)));
    // The service charged a call that the client counted as free. So the client counts the next call with its full
    // price.
    call().await.unwrap();
    assert_eq!(client.ledger().remaining(), Some(Credits(1)));
    let error = call().await.unwrap_err();
    assert_eq!((error.kind(), server.requests()), (ErrorKind::OverBudget, 2));
}

#[tokio::test]
async fn response_without_credits_counts_with_list_price() {
    let silent = r#"{"data": [], "meta": {}}"#;
    let server = Server::start(answer(200, &[JSON], silent)).await;
    let client = client(&server, Budget::credits(2).with_window());
    for _ in 0..3 {
        client.token_holders("vitalik.eth", "ethereum").await.unwrap();
    }
    assert_eq!(client.ledger().remaining(), Some(Credits(0)));
    client.token_transfers("vitalik.eth", "ethereum").await.unwrap_err();
}

#[tokio::test]
async fn estimate_of_pages_is_one_call_to_all_calls() {
    use crypto_intel::prelude::*;
    let server = Server::start(answer(200, &[JSON], HOLDERS)).await;
    let client = client(&server, Budget::unlimited());
    let pages = |pages| client.token_holders("vitalik.eth", "ethereum").max_pages(pages).estimate();
    assert_eq!(pages(50), Some(Estimate::Between(Credits(2), Credits(100))));
    assert_eq!(pages(50).unwrap().to_string(), "2 to 100 credits");
    assert_eq!(pages(1), Some(Estimate::Exactly(Credits(2))));
}

#[tokio::test]
async fn ledger_returns_possibly_charged_requests() {
    let unsettled = async |act: Act| {
        let server = Server::start(act).await;
        let builder = Client::builder().base_url(server.url()).retry(RetryPolicy::none());
        let client = builder.build().unwrap();
        let _ = client.token_holders("vitalik.eth", "ethereum").await;
        let unsettled = client.ledger().unsettled();
        (unsettled.requests, unsettled.list_price.0)
    };
    assert_eq!(unsettled(answer(200, &[JSON], HOLDERS)).await, (0, 0));
    assert_eq!(unsettled(answer(404, &[], "")).await, (0, 0));
    assert_eq!(unsettled(Act::Reset(Vec::new())).await, (1, 2));
    // The response has a success status and an error in its body.
    assert_eq!(unsettled(answer(200, &[JSON], r#"{"error": "m"}"#)).await, (1, 2));
    let rejected = r#"{"error": {"code": "ASYNC_SQL_QUEUE_FULL", "message": "m"}}"#;
    assert_eq!(unsettled(answer(200, &[JSON], rejected)).await, (0, 0));

    // A layer of the program does not change this, also for a request with a body.
    let server = Server::start(Act::Reset(Vec::new())).await;
    let builder = Client::builder().base_url(server.url()).retry(RetryPolicy::none());
    let client = builder.layer(tower_layer::layer_fn(|inner| inner)).build().unwrap();
    client.sql("SELECT 1").table().await.unwrap_err();
    assert_eq!(client.ledger().unsettled().requests, 1);

    // A request of a free operation is not counted.
    let server = Server::start(Act::Reset(Vec::new())).await;
    let client = self::client(&server, Budget::unlimited());
    client.credit_balance().await.unwrap_err();
    assert_eq!(client.ledger().unsettled().requests, 0);
}

#[tokio::test]
async fn balance_request_is_allowed_under_every_budget() {
    let body = r#"{"balance": 12.5, "tier": "new"}"#;
    let server = Server::start(answer(200, &[JSON], body)).await;
    let client = client(&server, Budget::credits(0));
    let balance = client.credit_balance().await.unwrap();
    assert_eq!((balance.balance, balance.extra.get("tier").is_some()), (Some(12.5), true));
    assert_eq!(client.ledger().remaining(), Some(Credits(0)));
}

#[tokio::test]
async fn free_call_is_allowed_after_charge_above_budget() {
    let server = Server::start(answer(200, &[JSON], HOLDERS)).await;
    let client = client(&server, Budget::credits(5).as_reported());
    // The list price of this call is 2 credits, and the service reports 9 credits used.
    client.token_holders("vitalik.eth", "ethereum").await.unwrap();
    let error = client.token_holders("vitalik.eth", "ethereum").await.unwrap_err();
    assert!(error.message().contains("9 of 5 credits are already spent"), "{error}");
    client.credit_balance().await.unwrap();
}

#[tokio::test]
async fn unpriced_call_is_rejected_with_advice_to_allow_it() {
    let server = Server::start(answer(200, &[JSON], "{}")).await;
    let client = client(&server, Budget::credits(100));
    let mut unpriced = crypto_intel::credits::unpriced().peekable();
    assert!(unpriced.peek().is_some());
    for operation in unpriced {
        assert_eq!(operation.list_price(None, None), Price::Unknown, "{}", operation.id);
    }
    let error = client.raw(Method::GET, "/new").await.unwrap_err();
    assert!(error.message().contains("`Budget::allow_unknown`"), "{error}");
}

#[tokio::test]
async fn raw_path_that_url_parser_changes_is_rejected() {
    let server = Server::start(answer(200, &[JSON], "{}")).await;
    let client = client(&server, Budget::unlimited());
    for (path, names) in [
        ("/x?y=1#z", "`%23`"),
        ("/../x", "`..`"),
        ("/a/%2E%2e/x", "`..`"),
        ("/a/./x", "`.`"),
        ("/a\\x", "`%5C`"),
        ("/a\tx", "control"),
        ("//host/x", "one `/`"),
    ] {
        let error = client.raw(Method::GET, path).query("a", "b").await.unwrap_err();
        assert_eq!((error.kind(), error.attempts()), (ErrorKind::InvalidRequest, 0), "{path}");
        assert!(error.message().contains(names), "{path}: {error}");
    }
    assert_eq!(server.requests(), 0);
    client.raw(Method::GET, "/x?y=1&d=../e").query("a", "#").await.unwrap();
    assert!(server.texts()[0].starts_with("GET /x?y=1&d=../e&a=%23 HTTP/1.1"));
}
