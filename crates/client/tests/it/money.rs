//! Credits: what is refused, what is counted, and what is never mixed.

use crypto_intel::credits::{Budget, Credits, Estimate};
use crypto_intel::{Client, Kind, Method};

use crate::server::{Act, Server, answer};

const JSON: (&str, &str) = ("content-type", "application/json");
/// Reports 9 credits, whatever the list says.
const HOLDERS: &str =
    r#"{"data": [], "meta": {"cached": false, "credits_used": 9, "limit": 20, "offset": 0}}"#;

fn client(server: &Server, budget: Budget) -> Client {
    Client::builder().base_url(server.url()).budget(budget).build().unwrap()
}

#[tokio::test]
async fn the_list_price_and_what_the_service_reports_are_kept_apart() {
    let server = Server::start(answer(200, &[JSON], HOLDERS)).await;
    let client = client(&server, Budget::unlimited());
    let request = client.token_holders("vitalik.eth", "ethereum");
    assert_eq!(client.estimate(&request), Estimate::Exactly(Credits(2)));
    let reply = request.await.unwrap();
    assert_eq!((reply.credits_used, reply.cached), (Some(9), Some(false)));
    let total = client.ledger().total();
    assert_eq!((total.calls, total.list_price, total.reported), (1, Credits(2), Credits(9)));
    assert_eq!(client.ledger().by_operation()["token-holders"], total);
    assert_eq!(client.clone().ledger().by_tag()["Token"], total);
}

#[tokio::test]
async fn a_budget_refuses_before_anything_is_sent() {
    let server = Server::start(answer(200, &[JSON], HOLDERS)).await;
    let client = client(&server, Budget::credits(3));
    client.token_holders("vitalik.eth", "ethereum").await.unwrap();
    assert_eq!(client.ledger().remaining(), Some(Credits(1)));
    let error = client.token_holders("vitalik.eth", "ethereum").await.unwrap_err();
    assert_eq!((error.kind(), error.attempts(), server.requests()), (Kind::OverBudget, 0, 1));
    assert_eq!(
        error.to_string(),
        "token-holders: over budget: the call costs 2 credits by the list, and of a budget of 3 credits 2 are spent or set aside"
    );
    // The price of this one is not published.
    let error = client.raw(Method::GET, "/new").await.unwrap_err();
    assert_eq!((error.kind(), server.requests()), (Kind::OverBudget, 1));
}

#[tokio::test]
async fn calls_side_by_side_cannot_spend_the_same_credits() {
    let server = Server::start(answer(200, &[JSON], HOLDERS)).await;
    let client = client(&server, Budget::credits(6));
    let calls =
        (0..10).map(|_| async { client.token_holders("vitalik.eth", "ethereum").await.is_ok() });
    let done = futures_util::future::join_all(calls).await;
    assert_eq!(done.into_iter().filter(|done| *done).count(), 3);
    assert_eq!(server.requests(), 3);
}

#[tokio::test]
async fn a_call_that_was_refused_is_given_back_and_one_that_may_have_run_is_not() {
    for (act, remaining) in
        [(answer(404, &[], ""), 10), (answer(402, &[], ""), 10), (Act::Reset(Vec::new()), 8)]
    {
        let server = Server::start(act).await;
        let builder = Client::builder().base_url(server.url()).budget(Budget::credits(10));
        let client = builder.retry(crypto_intel::RetryPolicy::none()).build().unwrap();
        client.token_holders("vitalik.eth", "ethereum").await.unwrap_err();
        assert_eq!(client.ledger().remaining(), Some(Credits(remaining)));
        assert_eq!(client.ledger().total().calls, 0);
    }
}

#[tokio::test]
async fn a_raw_call_has_the_same_key_and_errors() {
    let server = Server::start(answer(404, &[], "404 page not found")).await;
    let client = Client::builder().base_url(server.url()).api_key("sk-planted").build().unwrap();
    let error = client.raw(Method::GET, "/gateway/v1/new").query("q", "a b&c").await.unwrap_err();
    assert_eq!((error.kind(), error.operation()), (Kind::NotFound, Some("raw")));
    let text = server.texts().remove(0);
    assert!(text.starts_with("GET /gateway/v1/new?q=a+b%26c HTTP/1.1"), "{text}");
    assert!(text.to_ascii_lowercase().contains("authorization: bearer sk-planted"));
    for path in ["gateway", "//other.example/x", "https://other.example", "@other.example/"] {
        let error = client.raw(Method::GET, path).await.unwrap_err();
        assert_eq!((error.kind(), server.requests()), (Kind::InvalidRequest, 1), "{path}");
    }
}
