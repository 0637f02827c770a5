//! Tests of `cintel export --update`, `cintel table --as-of` and `cintel sync`.

use std::time::Duration;

use crypto_intel_sandbox::{Clock, Sandbox, UnixSeconds};
use serde_json::{Value, json};

use super::{KEY, cintel, run, stderr, stdout};

const START: i64 = 1_780_000_000;

#[tokio::test(flavor = "multi_thread")]
async fn updated_export_shows_earlier_rows() {
    let home = tempfile::tempdir().expect("a folder");
    let clock = Clock::stopped_at(UnixSeconds(START));
    let sandbox =
        Sandbox::builder().clock(clock.clone()).key(KEY, 1_000).start().await.expect("a free port");
    let folder = home.path().join("news").display().to_string();
    let article =
        |id: &str, time: i64, title: &str| json!({"id": id, "published_at": time, "title": title});
    let update =
        ["export", "news-feed", "--folder", &folder, "--update", "--provenance", "-o", "json"];

    sandbox.answer("news-feed", json!([article("a", START - 60, "one")])).expect("rows");
    let first = run(cintel(home.path(), &sandbox.url(), &update)).await;
    assert!(first.status.success(), "{}", stderr(&first));
    clock.advance(Duration::from_secs(3_600));
    let later = [article("b", START + 60, "two"), article("a", START - 60, "corrected")];
    sandbox.answer("news-feed", json!(later)).expect("rows");
    let second = run(cintel(home.path(), &sandbox.url(), &update)).await;
    let report: Value = serde_json::from_str(&stdout(&second)).expect("one JSON object");
    assert_eq!(
        (&report["rows"], &report["added"], &report["replaced"]),
        (&json!(2), &json!(1), &json!(1))
    );

    for (time, titles) in [
        (START - 1, vec![]),
        (START + 3_599, vec!["one"]),
        (START + 3_600, vec!["corrected", "two"]),
    ] {
        let line =
            ["table", &folder, "--as-of", &time.to_string(), "--sort", "title", "-o", "json"];
        let table = run(cintel(home.path(), &sandbox.url(), &line)).await;
        let rows: Value = serde_json::from_str(&stdout(&table)).expect("JSON");
        let rows = rows.as_array().or(rows["data"].as_array()).cloned().unwrap_or_default();
        let found: Vec<&str> = rows.iter().filter_map(|row| row["title"].as_str()).collect();
        assert_eq!(found, titles, "{time}: {}", stdout(&table));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn plan_is_priced_and_continues_after_its_budget() {
    let home = tempfile::tempdir().expect("a folder");
    let sandbox = super::builder().start().await.expect("a free port");
    let plan = home.path().join("plan.toml");
    std::fs::write(
        &plan,
        "[[export]]\noperation = \"market-price\"\narguments = { symbol = [\"BTC\", \"ETH\"] }\n",
    )
    .expect("a file");
    let (plan, folder) =
        (plan.display().to_string(), home.path().join("data").display().to_string());
    let line = ["sync", &plan, "--folder", &folder, "-o", "json"];

    let bill =
        run(cintel(home.path(), &sandbox.url(), &[&line[..], &["--dry-run"]].concat())).await;
    assert!(
        stderr(&bill).contains("list price at most 4 credits; nothing was sent"),
        "{}",
        stderr(&bill)
    );
    assert_eq!(sandbox.requests_served(), 0);

    let cut =
        run(cintel(home.path(), &sandbox.url(), &[&line[..], &["--max-credits", "2"]].concat()))
            .await;
    assert!(!cut.status.success() && stdout(&cut).contains("over_budget"), "{}", stdout(&cut));
    let done = run(cintel(home.path(), &sandbox.url(), &line)).await;
    assert!(done.status.success(), "{}", stderr(&done));
    assert_eq!(sandbox.requests_served(), 2);
}
