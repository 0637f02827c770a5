//! Tests of the overlay's assumptions about undocumented operations. A new OpenAPI document that contains one of these
//! operations confirms or refutes the assumptions about it. For example, it refutes an assumption if a parameter has
//! another name than assumed.

use serde_json::{Value, json};
use xtask::assumptions::{self, Verdict};
use xtask::diff::{self, Format, show};
use xtask::model::Model;
use xtask::regen::Inputs;
use xtask::{load, regen};

use crate::changes::{Version, all_data, description};

/// Builds the generator's model from two documents. The first document ([`all_data`]) contains all operations except
/// the chat operations, and is edited by `change`. The second document contains the chat operations.
fn model(change: impl FnOnce(&mut Value)) -> Model {
    let root = regen::root();
    let mut documents = vec![all_data(), description(regen::DESCRIPTIONS[1])];
    change(&mut documents[0]);
    let overlay = load::document(&root.join(regen::OVERLAY)).unwrap();
    regen::model_in_memory(documents, Some(&overlay)).unwrap_or_else(|faults| panic!("{faults}"))
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
        // One operation is removed, one has another path, and one has other parameters.
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

        // A record has another type for one field, and a new field.
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

/// Tests that the comparison of two API versions lists the assumptions that a changed operation confirms or refutes. If
/// the operations did not change, the list must be empty.
#[test]
fn a_difference_says_which_assumptions_it_decides() {
    let few = Version::committed().only(&["equity-profile", "x-tweets"]);
    let mut ours = Inputs::from_repository(&regen::root()).unwrap();
    ours.descriptions[0].1 = few.data.to_string();
    ours.descriptions[1].1 = few.chat.to_string();
    ours.descriptions.truncate(2);
    let with = |change: &dyn Fn(&mut Value)| {
        let mut inputs = ours.clone();
        let (path, text) = &mut inputs.descriptions[0];
        let mut document = load::described(path, text).unwrap();
        change(&mut document);
        *text = document.to_string();
        let (diff, _) = diff::compared(&ours, &inputs).unwrap_or_else(|faults| panic!("{faults}"));
        diff
    };
    assert_eq!(with(&|_| {}).assumptions, []);
    let elsewhere = with(&|document| document["info"]["title"] = "Another".into());
    assert_eq!(elsewhere.assumptions, []);

    let decided = with(&|document| {
        let paths = &mut document["paths"];
        paths["/gateway/v1/equity/profile"]["get"]["summary"] = "What the company does".into();
        let tweets = &mut paths["/gateway/v1/x/tweets"]["get"];
        let ids = tweets["parameters"].as_array_mut().unwrap();
        ids.iter_mut().find(|param| param["name"] == "ids").unwrap()["name"] = "tweet_ids".into();
    });
    for format in [Format::Text, Format::Markdown, Format::Json] {
        insta::assert_snapshot!(format!("difference_{format:?}"), show(&decided, format, "0.1.0"));
    }

    // If the new overlay no longer contains the assumption, the difference does not report it.
    let mut settled = ours.clone();
    let (_, overlay) = settled.overlay.as_mut().unwrap();
    *overlay = overlay
        .replace("x-assumed:", "x-unit:")
        .replace("provenance: assumed", "provenance: published description");
    let (_, data) = &mut settled.descriptions[0];
    *data = data
        .replace("\"x-assumed\":", "\"x-unit\":")
        .replace("\"x-provenance\":\"assumed\"", "\"x-provenance\":\"published description\"")
        .replace("\"summary\":\"", "\"summary\":\"The ");
    assert_ne!(settled.descriptions, ours.descriptions);
    let (diff, _) = diff::compared(&ours, &settled).unwrap_or_else(|faults| panic!("{faults}"));
    assert_eq!(diff.assumptions, []);
}
