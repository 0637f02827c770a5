//! Tests of resolving names to identifiers with the search operations of the sandbox.

use std::time::Duration;

use crypto_intel::catalogue::{OPERATIONS, Operation};
use crypto_intel::credits::{Budget, Credits, Estimate};
use crypto_intel::{Client, ErrorKind};
use crypto_intel_sandbox::Sandbox;

async fn sandbox() -> (Sandbox, Client) {
    let builder = Sandbox::builder().free_repeats(Duration::ZERO);
    let sandbox = builder.start().await.unwrap();
    let client = client(&sandbox, Budget::unlimited());
    (sandbox, client)
}

fn client(sandbox: &Sandbox, budget: Budget) -> Client {
    let builder = Client::builder().base_url(sandbox.url()).api_key(sandbox.key());
    builder.budget(budget).build().unwrap()
}

fn operation(id: &str) -> &'static Operation {
    OPERATIONS.iter().copied().find(|known| known.id == id).unwrap()
}

#[tokio::test]
async fn each_kind_is_found_and_accepted_by_its_operations() {
    let (_sandbox, client) = sandbox().await;
    let names = [
        ("contract", "AAVE"),
        ("symbol", "USDC"),
        ("project", "Bitcoin"),
        ("slug", "bitcoin"),
        ("ticker", "AAPL"),
        ("pair", "BTC/USDT"),
        ("fund", "FUND"),
        ("handle", "HANDLE"),
        ("wallet", "WALLET"),
        ("condition", "QUESTION"),
        ("market-ticker", "QUESTION"),
    ];
    for (kind, name) in names {
        let name = name_for(&client, name).await;
        let found = client.resolve(&name).kind(kind).await.unwrap();
        let exact = found.all().iter().find(|candidate| candidate.is_exact);
        let exact = exact.unwrap_or_else(|| panic!("{kind} of {name}: {found:?}"));
        assert_eq!(exact.kind, kind);

        // Finds an operation whose required parameters are all part of the identifier.
        let operation = OPERATIONS.iter().find(|one| {
            let Some(arguments) = exact.arguments(one) else { return false };
            let mut required = one.params.iter().filter(|param| param.required);
            required.all(|param| arguments.iter().any(|(name, _)| *name == param.name))
        });
        let request = client.request(operation.unwrap().id).unwrap();
        let request = request.with_resolved(exact).unwrap();
        request.await.unwrap_or_else(|error| panic!("{exact}: {error}"));
    }
}

/// Returns the name of the entity that the test searches for. Because the sandbox generates the names of funds, the
/// test contains the placeholder `FUND`. For a placeholder, the function returns a name from a search response. Other
/// names, such as `AAVE`, are returned unchanged.
async fn name_for(client: &Client, name: &str) -> String {
    let (id, field) = match name {
        "FUND" => ("search-fund", "name"),
        "HANDLE" => ("search-social-people", "handle"),
        "WALLET" => ("search-wallet", "label"),
        "QUESTION" => ("search-prediction-market", "question"),
        known => return known.to_owned(),
    };
    let request = client.request(id).unwrap().with_text("q", "a").unwrap();
    let rows = request.await.unwrap().into_inner().into_rows();
    let names =
        rows.iter().filter_map(|row| row.to_value().unwrap()[field].as_str().map(str::to_owned));
    names.into_iter().next().unwrap_or_else(|| panic!("{id} shows no {field}"))
}

#[tokio::test]
async fn nothing_is_chosen_between_two() {
    let (_sandbox, client) = sandbox().await;
    let found = client.resolve("usdc").kind("contract").await.unwrap();
    let exact = found.all().iter().filter(|candidate| candidate.is_exact).count();
    assert!(exact > 1, "{found:?}");
    let error = found.only().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::InvalidRequest);
    assert!(error.message().contains("contract 0x"), "{error}");

    let one = client.resolve("AAVE").kind("contract").await.unwrap();
    assert_eq!(one.only().unwrap().part("chain"), Some("ethereum"));

    // A similar name is a candidate, but `only` does not return it.
    let similar = client.resolve("bitcoi").kind("project").await.unwrap();
    let error = similar.only().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
}

#[tokio::test]
async fn searches_are_priced_and_their_results_are_kept() {
    let (sandbox, client) = sandbox().await;
    let resolve = client.resolve("AAVE").for_operation(operation("token-holders"));
    assert_eq!(resolve.searches().iter().map(|one| one.id).collect::<Vec<_>>(), ["search-token"]);
    assert_eq!(resolve.estimate(), Estimate::Exactly(Credits(1)));

    resolve.clone().await.unwrap();
    assert_eq!(resolve.estimate(), Estimate::Exactly(Credits(0)));
    client.clone().resolve(" $aave ").kind("contract").await.unwrap();
    assert_eq!(sandbox.requests_served(), 1);
    assert_eq!(client.ledger().total().list_price, Credits(1));

    // A budget rejects a search like any other call.
    let poor = self::client(&sandbox, Budget::credits(0));
    let error = poor.resolve("AAVE").kind("contract").await.unwrap_err();
    assert_eq!((error.kind(), sandbox.requests_served()), (ErrorKind::OverBudget, 1));
}

#[tokio::test]
async fn resolved_identifier_fits_only_operations_of_its_kind() {
    let (_sandbox, client) = sandbox().await;
    let found = client.resolve("AAVE").kind("contract").await.unwrap();
    let contract = found.only().unwrap();
    let request = client.request("market-price").unwrap();
    let error = request.with_resolved(contract).unwrap_err();
    assert!(error.message().contains("does not accept contract 0x"), "{error}");

    let error = client.resolve("x").kind("planet").await.unwrap_err();
    assert!(
        error.message().starts_with(
            "no search operation finds `planet`; the known kinds of identifiers are condition"
        ),
        "{error}"
    );
    let none = client.resolve("x").for_operation(operation("market-fear-greed")).await;
    assert!(none.unwrap_err().message().contains("market-fear-greed"));
    assert!(client.resolve(" @ ").await.is_err());
}

#[test]
fn every_accepted_kind_is_found_by_a_search() {
    let found: Vec<_> =
        OPERATIONS.iter().filter_map(|one| one.finds).flat_map(|f| f.kinds).collect();
    for accepted in OPERATIONS.iter().flat_map(|operation| operation.accepts) {
        let row = found.iter().find(|row| row.kind == accepted.kind);
        let row = row.unwrap_or_else(|| panic!("no search finds {}", accepted.kind));
        assert_eq!(row.parts.len(), accepted.parts.len(), "{}", accepted.kind);
    }

    let page = include_str!("../../../docs/book/src/guide/names.md");
    for row in &found {
        assert!(page.contains(&format!("`{}`", row.kind)), "the book does not list {}", row.kind);
    }
}
