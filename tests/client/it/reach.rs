//! Tests that a program with only the dependency `crypto-intel` can name every type in public signatures.

use std::collections::BTreeSet;

use syn::{Item, UseTree};

const CORE: &str = include_str!("../../../crates/core/src/lib.rs");
/// Files of the client that re-export types of `crypto-intel-core`: the crate root, and two modules.
const CLIENT: [&str; 3] = [
    include_str!("../../../crates/client/src/lib.rs"),
    include_str!("../../../crates/client/src/credits/mod.rs"),
    include_str!("../../../crates/client/src/values/mod.rs"),
];

/// Collects the names that `pub use` items of a file re-export. Also searches modules with a body in this file, except
/// modules with the name `private`.
fn exported(items: Vec<Item>, names: &mut BTreeSet<String>) {
    for item in items {
        match item {
            Item::Use(item) if matches!(item.vis, syn::Visibility::Public(_)) => {
                leaves(&item.tree, names);
            }
            Item::Mod(item) if item.ident != "private" => {
                exported(item.content.map_or(Vec::new(), |(_, items)| items), names);
            }
            _ => {}
        }
    }
}

fn leaves(tree: &UseTree, names: &mut BTreeSet<String>) {
    match tree {
        UseTree::Path(path) => leaves(&path.tree, names),
        UseTree::Name(name) => drop(names.insert(name.ident.to_string())),
        UseTree::Rename(rename) => drop(names.insert(rename.rename.to_string())),
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, names)),
        UseTree::Glob(_) => {}
    }
}

#[test]
fn every_type_of_the_runtime_crate_can_be_named_from_the_client() {
    let names = |sources: &[&str]| {
        let mut names = BTreeSet::new();
        for source in sources {
            exported(syn::parse_file(source).unwrap().items, &mut names);
        }
        names
    };
    let (core, client) = (names(&[CORE]), names(&CLIENT));
    assert!(core.contains("Reply") && client.contains("Provenance"), "{client:?}");

    // `Bytes` is a type of the crate `bytes`, which is re-exported as a whole.
    let missing: Vec<_> = core.difference(&client).filter(|name| *name != "Bytes").collect();
    assert!(missing.is_empty(), "not re-exported by crates/client: {missing:?}");
}

#[test]
fn requests_and_records_have_short_paths() {
    // The test passes if these functions compile.
    fn record(_: crypto_intel::market::MarketPriceSummary) -> crypto_intel::shared::OffsetMeta {
        crypto_intel::shared::OffsetMeta::default()
    }
    fn request(
        _: crypto_intel::chat::ResponsesRequest,
    ) -> crypto_intel::market::MarketPriceRequest {
        let client = crypto_intel::Client::builder().base_url("http://localhost").build().unwrap();
        client.market_price("BTC")
    }
    let _ = (record, request);
    assert_eq!(crypto_intel::catalogue::MARKET_PRICE.id, "market-price");
}

#[tokio::test]
async fn requests_go_into_combinators_of_futures() {
    let sandbox = crypto_intel_sandbox::Sandbox::start().await.unwrap();
    let client = crypto_intel::Client::builder().base_url(sandbox.url()).build().unwrap();
    let symbols: Vec<String> = ["BTC", "ETH"].map(str::to_owned).to_vec();
    let requests = symbols.iter().map(|symbol| client.market_price(symbol).into_future());
    let replies = futures_util::future::try_join_all(requests).await.unwrap();
    assert!(replies.iter().all(|reply| !reply.data.is_empty()), "{replies:?}");
}
