//! Tests of commands with a name in place of an identifier, such as `cintel token-holders USDC`. If one entity matches
//! the name, `cintel` uses its identifier. If several entities match, `cintel` lists them. Every search is charged.

use serde_json::Value;

use super::{KEY, builder, cintel, run, stderr, stdout};

#[tokio::test(flavor = "multi_thread")]
async fn name_is_resolved_only_if_one_candidate_fits() {
    let home = tempfile::tempdir().expect("a folder");
    let sandbox = builder().start().await.expect("a free port");
    let call = |arguments: &[&str]| run(cintel(home.path(), &sandbox.url(), arguments));

    // The token exists on five chains, so no candidate is selected and the commands are listed.
    let several = call(&["token-holders", "USDC"]).await;
    assert_eq!(several.status.code(), Some(2), "{}", stderr(&several));
    assert!(stderr(&several).contains("cintel token-holders 0x"), "{}", stderr(&several));
    assert_eq!(sandbox.charged(KEY), Some(1));

    let price = "note: searching for `USDC` with search-token (list price 1 credit)\n";
    assert!(stderr(&several).starts_with(price), "{}", stderr(&several));

    // A single candidate remains if the user names the chain, or if the token exists on one chain only.
    for arguments in [&["token-holders", "USDC", "base"][..], &["token-holders", "AAVE"]] {
        let one = call(&[arguments, &["-o", "json"]].concat()).await;
        assert_eq!(one.status.code(), Some(0), "{}", stderr(&one));
        assert!(stderr(&one).contains("resolved to contract 0x"), "{}", stderr(&one));
        let rows: Vec<Value> = serde_json::from_str(&stdout(&one)).expect("rows");
        assert!(!rows.is_empty());
    }
    let project = call(&["project-detail", "--id", "bitcoin", "-o", "json"]).await;
    assert_eq!(project.status.code(), Some(0), "{}", stderr(&project));

    // No request is sent for a dry run, or if the chain of an address is missing. A misspelt address is not treated as
    // a name.
    let served = sandbox.requests_served();
    let plan = call(&["token-holders", "LINK", "--dry-run"]).await;
    assert!(stdout(&plan).contains("list price: 1 credit"), "{}", stdout(&plan));
    let address = "0x2222222222222222222222222222222222222222";
    let refused = call(&["token-holders", address]).await;
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    assert_eq!(sandbox.requests_served(), served);
    let wrong = call(&["token-holders", "0x22", "base"]).await;
    assert_eq!(wrong.status.code(), Some(2), "{}", stderr(&wrong));
    assert_eq!(sandbox.requests_served(), served + 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn parts_of_addresses_are_not_searched_by_name() {
    let home = tempfile::tempdir().expect("a folder");
    let sandbox = builder().start().await.expect("a free port");
    let served = sandbox.requests_served();
    for arguments in [
        &["token-holders", "So1111111111111111111111", "solana"][..],
        &["token-holders", "d8da6bf26964", "base"],
        &["wallet-detail", "d8dA6BF26964aF9D7eEd9e03E53415D37aA96045"],
        &["project-detail", "--id", "b7533e49-17d3-48a3"],
    ] {
        let refused = run(cintel(home.path(), &sandbox.url(), arguments)).await;
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}: {}", stderr(&refused));
        assert!(!stderr(&refused).contains("searched by name"), "{}", stderr(&refused));
    }
    assert_eq!(sandbox.requests_served(), served);
    assert_eq!(sandbox.charged(KEY), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn resolve_lists_candidates_with_commands_that_run() {
    let home = tempfile::tempdir().expect("a folder");
    let sandbox = builder().start().await.expect("a free port");
    let call = |arguments: &[&str]| run(cintel(home.path(), &sandbox.url(), arguments));

    let output =
        call(&["resolve", "USDC", "--kind", "contract", "--kind", "symbol", "-o", "json"]).await;
    let rows: Vec<Value> = serde_json::from_str(&stdout(&output)).expect("rows");
    let kinds: Vec<_> =
        rows.iter().filter(|row| row["exact"] == true).map(|row| &row["kind"]).collect();
    assert!(kinds.iter().any(|kind| *kind == "symbol") && kinds.len() > 2, "{rows:?}");
    for row in rows.iter().filter(|row| row["exact"] == true) {
        // For some chains, no operation accepts the token.
        let Some(command) = row["command"].as_str() else { continue };
        let words: Vec<&str> = command.split(' ').skip(1).collect();
        let run = call(&words).await;
        assert_eq!(run.status.code(), Some(0), "{command}: {}", stderr(&run));
    }

    let nothing = call(&["resolve", "no such thing", "--kind", "fund"]).await;
    assert_eq!(nothing.status.code(), Some(6), "{}", stderr(&nothing));
    let unknown = call(&["resolve", "USDC", "--for", "token-holder"]).await;
    assert!(stderr(&unknown).contains("token-holders"), "{}", stderr(&unknown));
}
