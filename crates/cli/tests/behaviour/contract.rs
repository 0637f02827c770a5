//! Tests of `cintel doctor --contract` against a service whose responses differ from the catalogue.

use crypto_intel_sandbox::{Override, Sandbox};
use serde_json::{Value, json};

use super::{KEY, builder, cintel, run, stderr, stdout};

/// Starts a sandbox that acts as a newer service. Its responses have a new field, a new enum value, a changed type and
/// a higher charge.
async fn newer_service() -> Sandbox {
    let sandbox = builder().start().await.expect("a free port");
    let set = |id: &str, script: Override| sandbox.answer(id, script.unchecked()).expect("valid");
    let partial = |fields: Value| Override::partial(fields);
    set("market-fear-greed", partial(json!({"mood": "calm", "classification": 7})));
    set("equity-listings", partial(json!({"financial_serving_reason": "withdrawn"})));
    let row = json!({"symbol": "BTC", "timestamp": 1, "value": 1.5});
    let meta = json!({"cached": false, "credits_used": 40});
    set("market-price", Override::data(json!({"data": [row], "meta": meta})));
    sandbox
}

const ONLY: &str = "credit-balance,market-fear-greed,equity-listings,market-price,market-ranking";

/// Runs `cintel doctor --contract` with the clock stopped on 28 May 2026.
async fn contract(sandbox: &Sandbox, more: &[&str]) -> std::process::Output {
    let home = tempfile::tempdir().expect("a folder");
    let arguments = [&["doctor", "--contract"][..], more].concat();
    let mut command = cintel(home.path(), &sandbox.url(), &arguments);
    command.env("CINTEL_SANDBOX_CLOCK", "1780000000");
    run(command).await
}

#[tokio::test(flavor = "multi_thread")]
async fn contract_names_what_a_newer_service_adds_changes_and_charges() {
    let sandbox = newer_service().await;
    let output = contract(&sandbox, &["--max-credits", "100", "--only", ONLY, "-o", "json"]).await;
    assert_eq!(output.status.code(), Some(7), "{}", stderr(&output));
    let report: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let of = |id: &str| {
        let called = report["operations"].as_array().expect("a list").iter();
        called.clone().find(|called| called["operation"] == id).expect("called").clone()
    };
    let told = |id: &str| {
        let findings = of(id)["findings"].as_array().expect("a list").clone();
        let one = |finding: &Value| {
            format!("{} {}", finding["kind"].as_str().unwrap(), finding["place"].as_str().unwrap())
        };
        findings.iter().map(one).collect::<Vec<_>>()
    };

    let mut of_row = told("market-fear-greed");
    of_row.sort();
    assert_eq!(of_row, ["new_field data[*].mood", "type data[*].classification"]);
    assert_eq!(told("equity-listings"), ["new_value data[*].financial_serving_reason"]);
    assert!(told("market-price").contains(&"charge ".to_owned()), "{report}");
    assert_eq!(of("market-price")["reported"], 40);
    assert_eq!(told("market-ranking"), [""; 0]);
    assert_eq!(of("credit-balance")["assumption"]["state"], "confirmed");
    assert_eq!(report["day"], "2026-05-28");
}

#[tokio::test(flavor = "multi_thread")]
async fn contract_prints_an_overlay_fragment_with_days_and_commented_changes() {
    let sandbox = newer_service().await;
    let more = ["--max-credits", "100", "--only", ONLY, "--overlay"];
    let text = stdout(&contract(&sandbox, &more).await);
    for expected in [
        "  - target: $.paths['/gateway/v1/market/ranking'].get\n    update: {x-seen-live: '2026-05-28'}\n",
        "  # equity-listings: `data[*].financial_serving_reason`: new value \"withdrawn\"\n",
        "  # - target: $.components.schemas['EquityListing'].properties['financial_serving_reason']\n  #   update: {enum: [\"withdrawn\"]}\n",
        "  #   update: {\"mood\": {type: string}}\n",
        "  # - target: $.paths['/gateway/v1/market/price'].get\n  #   update: {x-credits: 40}\n",
        "  # credit-balance: confirmed: ",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
}

/// Uncomments all suggested overlay actions in the output of `cintel doctor --contract --overlay`, and compares the
/// result with `xtask/tests/it/contract.yaml`. If `UPDATE_FRAGMENT` is set, first updates this file.
/// `xtask/tests/it/contract.rs` tests that the generator accepts these actions.
#[tokio::test(flavor = "multi_thread")]
async fn pasted_fragment_is_the_one_that_the_generator_accepts() {
    let sandbox = builder().start().await.expect("a free port");
    let set = |id: &str, script: Override| sandbox.answer(id, script.unchecked()).expect("valid");
    let more = json!({"classification": 7, "mood": "calm", "weights": [1.5], "nothing": null});
    set("market-fear-greed", Override::partial(more));
    set("equity-listings", Override::partial(json!({"financial_serving_reason": "withdrawn"})));
    // These responses change a record that the overlay renames, and a record inside another record.
    set("project-detail", Override::partial(json!({"vibe": {"score": 1}})));
    set("market-etf", Override::partial(json!({"etfs": [{"fee": 0.2}]})));
    let row = json!({"symbol": "BTC", "timestamp": 1, "value": 1.5});
    let meta = json!({"cached": false, "credits_used": 40});
    set("market-price", Override::data(json!({"data": [row], "meta": meta})));

    let only = "market-fear-greed,equity-listings,project-detail,market-etf,market-price";
    let more = ["--max-credits", "100", "--only", only, "--overlay"];
    let text = stdout(&contract(&sandbox, &more).await);
    let text = text.replace(&sandbox.url(), "https://service.example");
    let pasted = text.replace("  # - ", "  - ").replace("  #   ", "    ");

    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../xtask/tests/it/contract.yaml");
    if std::env::var_os("UPDATE_FRAGMENT").is_some() {
        std::fs::write(file, &pasted).expect("written");
    }
    assert_eq!(pasted, std::fs::read_to_string(file).expect("the fragment"));
}

#[tokio::test(flavor = "multi_thread")]
async fn contract_never_exceeds_its_credits() {
    for limit in [0, 3, 20] {
        let sandbox = builder().start().await.expect("a free port");
        let text = limit.to_string();
        let output = contract(&sandbox, &["--max-credits", &text, "-o", "json"]).await;
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let report: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
        assert!(sandbox.charged(KEY).expect("an account") <= limit, "{report}");
        assert_eq!(report["list_price"], limit, "{report}");
    }

    // After a charge above the limit, no further paid operation is called.
    let sandbox = newer_service().await;
    let only = "market-price,market-ranking,market-fear-greed";
    let output = contract(&sandbox, &["--max-credits", "30", "--only", only, "-o", "json"]).await;
    let report: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let ids: Vec<_> = report["operations"].as_array().expect("a list").iter().collect();
    let after = ids.iter().position(|called| called["operation"] == "market-price");
    assert_eq!(after, Some(ids.len() - 1), "{report}");

    let output = contract(&builder().start().await.expect("a free port"), &[]).await;
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("--max-credits N"), "{}", stderr(&output));
}

/// Tests `cintel doctor --contract` with the embedded sandbox. No response differs from the description of its
/// operation in the catalogue, and `--overlay` prints no dates (`x-seen-live`).
#[tokio::test(flavor = "multi_thread")]
async fn contract_with_the_embedded_sandbox_has_no_differences_and_no_days() {
    let home = tempfile::tempdir().expect("a folder");
    let run_with = |more: &[&str]| {
        let arguments = [&["doctor", "--contract", "--max-credits", "1000"][..], more].concat();
        let mut command = cintel(home.path(), "", &arguments);
        command.env("CINTEL_SANDBOX", "1").env("CINTEL_SANDBOX_CLOCK", "1780000000");
        run(command)
    };
    let output = run_with(&["-o", "table"]).await;
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    assert!(stdout(&output).contains("as described"), "{}", stdout(&output));
    let overlay = stdout(&run_with(&["--overlay"]).await);
    assert!(!overlay.contains("x-seen-live"), "{overlay}");
}
