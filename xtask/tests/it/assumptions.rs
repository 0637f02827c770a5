//! What the client assumes, and a description that shows it.

use serde_json::{Value, json};
use xtask::assumptions::{self, Verdict};
use xtask::model::Model;
use xtask::{load, regen};

/// The repository's descriptions after this change.
fn model(change: impl FnOnce(&mut Value)) -> Model {
    let root = regen::root();
    let mut documents: Vec<Value> = regen::DESCRIPTIONS
        .iter()
        .map(|path| load::description(&root.join(path)).unwrap())
        .collect();
    change(&mut documents[0]);
    let overlay = load::document(&root.join(regen::OVERLAY)).unwrap();
    regen::run_in_memory(documents, Some(&overlay))
        .unwrap_or_else(|faults| panic!("{faults}"))
        .model
}

#[test]
fn facts_confirm_and_refute_by_name() {
    let ours = model(|_| {});
    let same = assumptions::meet(&ours, &ours);
    let assumed = |prefix: &str| same.iter().filter(|met| met.path.starts_with(prefix)).count();
    for prefix in ["/gateway/v1/equity/", "/gateway/v1/portfolio/wallets", "/gateway/v1/x/tweets"] {
        assert!(assumed(prefix) > 0, "nothing is assumed of {prefix}");
    }
    assert!(same.iter().all(|met| met.verdict == Verdict::Confirmed), "{same:?}");

    let facts = model(|document| {
        let paths = document["paths"].as_object_mut().unwrap();
        // Not there, somewhere else, and with other parameters.
        paths.remove("/gateway/v1/portfolio/wallets");
        let moved = paths.remove("/gateway/v1/equity/price").unwrap();
        paths.insert("/gateway/v1/equity/quote".to_owned(), moved);
        let tweets = &mut paths["/gateway/v1/x/tweets"]["get"];
        let ids = tweets["parameters"].as_array_mut().unwrap();
        ids.iter_mut().find(|param| param["name"] == "ids").unwrap()["name"] = "tweet_ids".into();
        let profile = &mut paths["/gateway/v1/equity/profile"]["get"]["parameters"];
        profile
            .as_array_mut()
            .unwrap()
            .push(json!({"name": "market", "in": "query", "required": true,
            "description": "Where it is listed.", "schema": {"type": "string"}}));
        // Another record.
        let record = &mut document["components"]["schemas"]["CategoryMetricsPoint"]["properties"];
        let members = record.as_object_mut().unwrap();
        let first = members.keys().next().unwrap().clone();
        members.insert(first, json!({"type": "boolean", "description": "Another."}));
        members.insert("fresh".to_owned(), json!({"type": "integer", "description": "New."}));
    });
    let met = assumptions::meet(&ours, &facts);
    let told: Vec<String> = met
        .iter()
        .filter(|met| met.verdict != Verdict::Confirmed)
        .map(|met| met.to_string())
        .collect();
    insta::assert_snapshot!(told.join("\n"));
    let report = assumptions::to_markdown(&met);
    assert!(report.contains("- confirmed: `equity-overview`"), "{report}");
    assert!(!report.contains("still assumed"), "{report}");
}
