//! A new version of the description: what a reviewer sees is what changed, and it compiles.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::{Value, json};
use similar::{ChangeTag, TextDiff};
use tempfile::TempDir;
use xtask::{load, regen};

use crate::surface::{committed, surface};

/// The descriptions of the repository, and its overlay.
fn published() -> (Vec<Value>, Value) {
    let root = regen::root();
    let read = |path: &&str| load::document(&root.join(path)).unwrap();
    (
        regen::DESCRIPTIONS.iter().map(read).collect(),
        load::document(&root.join(regen::OVERLAY)).unwrap(),
    )
}

/// Lines that differ, by domain.
fn differences(before: &BTreeMap<String, String>, after: &BTreeMap<String, String>) -> String {
    let lines = |sources| {
        let mut text = String::new();
        for (domain, lines) in surface(sources) {
            for line in lines {
                text.push_str(&format!("{domain}: {line}\n"));
            }
        }
        text
    };
    let (before, after) = (lines(before), lines(after));
    TextDiff::from_lines(&before, &after)
        .iter_all_changes()
        .filter(|change| change.tag() != ChangeTag::Equal)
        .map(|change| format!("{}{}", change.tag(), change.value()))
        .collect()
}

#[test]
fn four_changes_of_the_description_are_four_changes_of_the_surface() {
    let (mut documents, overlay) = published();
    let text = documents[0].to_string();
    // A record is renamed, with every reference to it.
    documents[0] = serde_json::from_str(&text.replace("OnchainGasPriceItem", "GasQuote")).unwrap();
    let data = &mut documents[0];
    assert!(text.contains("\"OnchainGasPriceItem\""), "the record this test renames is gone");
    // An endpoint, next to another that it looks like.
    let mut endpoint = data["paths"]["/gateway/v1/market/fear-greed"]["get"].clone();
    endpoint["operationId"] = "market-mood".into();
    endpoint["summary"] = "Mood of the market".into();
    data["paths"]["/gateway/v1/market/mood"] = json!({"get": endpoint});
    // A field.
    data["components"]["schemas"]["AirdropTaskSummary"]["properties"]["closed"] =
        json!({"type": "integer", "format": "int64", "description": "Tasks that are closed."});
    // A value of an enum.
    let status = "/components/schemas/AirdropTaskItem/properties/status/enum";
    data.pointer_mut(status).unwrap().as_array_mut().unwrap().push("PAUSED".into());

    let output =
        regen::run_in_memory(documents, Some(&overlay)).unwrap_or_else(|fault| panic!("{fault}"));
    insta::assert_snapshot!(differences(&committed(), &output.sources), @r#"
    +market: Api.market_mood() -> MarketMoodRequest
    +market: MarketMoodRequest answers Envelope<Vec<MarketFearGreedHistoryItem>, ObjectResponseMeta>
    +market: MarketMoodRequest.from(from: impl Into<Moment>)
    +market: MarketMoodRequest.to(to: impl Into<Moment>)
    +market: operation market-mood: GET /gateway/v1/market/mood, price Credits(2), paging None (MarketMoodRequest)
    -onchain: OnchainGasPriceRequest answers Envelope<OnchainGasPriceItem, ObjectResponseMeta>
    +onchain: OnchainGasPriceRequest answers Envelope<GasQuote, ObjectResponseMeta>
    -onchain: record OnchainGasPriceItem
    -onchain: record OnchainGasPriceItem.chain: String
    -onchain: record OnchainGasPriceItem.gas_price: String
    -onchain: record OnchainGasPriceItem.gas_price_gwei: f64
    +onchain: record GasQuote
    +onchain: record GasQuote.chain: String
    +onchain: record GasQuote.gas_price: String
    +onchain: record GasQuote.gas_price_gwei: f64
    +search: enum AirdropTaskItemStatus::Paused = "PAUSED"
    +search: record AirdropTaskSummary.closed: Option<i64>
    "#);
    compiles(output);
}

/// Compiles the output as a crate of its own, all features, warnings as errors.
fn compiles(output: regen::Output) {
    let dir = TempDir::new().unwrap();
    let files = regen::crate_of(dir.path(), output).unwrap();
    regen::write(dir.path(), &files).unwrap();
    let done = Command::new(env!("CARGO"))
        .args(["check", "--quiet", "--offline", "--all-features"])
        .current_dir(dir.path())
        .env("CARGO_TARGET_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/generated"))
        .env("RUSTFLAGS", "-D warnings")
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}
