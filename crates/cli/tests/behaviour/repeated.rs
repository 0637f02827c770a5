//! Tests of `--every` with data formats such as JSON and CSV: the output contains an event for each row that is new,
//! changed or gone.

use std::collections::BTreeMap;

use crypto_intel_sandbox::{Fault, Override, Sandbox};
use serde_json::Value;

use super::{builder, cintel, run, stderr, stdout};

/// Starts a sandbox whose clock moves by one day before each call of the operation.
async fn a_day_a_call(operation: &str) -> Sandbox {
    let fault = format!("clock=+1d;operation={operation}").parse::<Fault>().expect("a fault");
    builder().fault(fault).start().await.expect("a free port")
}

/// Runs `command` with `--every`, which calls the operation three times and prints the changes. Then removes the faults
/// that advance the sandbox's clock before each call. Finally runs `command` without `--every`, which prints the rows
/// of the third call again. Returns the outputs of both runs.
async fn three_calls(sandbox: &Sandbox, command: &[&str], format: &str) -> (String, String) {
    let home = tempfile::tempdir().expect("a folder");
    let form = ["--output", format];
    let repeated = [command, &form, &["--every", "1ms", "--times", "3"]].concat();
    let events = run(cintel(home.path(), &sandbox.url(), &repeated)).await;
    assert!(events.status.success(), "{}", stderr(&events));
    sandbox.clear_faults();
    let now = run(cintel(home.path(), &sandbox.url(), &[command, &form].concat())).await;
    (stdout(&events), stdout(&now))
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// Returns the value at a path such as `a.b` in a row, or `None` if the path does not exist.
fn at<'a>(row: &'a Value, path: &Value) -> Option<&'a Value> {
    let path = path.as_str().expect("a path").replace('.', "/");
    row.pointer(&format!("/{path}"))
}

const RANKING: &[&str] = &["market-ranking", "--limit", "5"];

#[tokio::test(flavor = "multi_thread")]
async fn events_have_old_and_new_values_and_add_up_to_the_rows() {
    let sandbox = a_day_a_call("market-ranking").await;
    let (events, now) = three_calls(&sandbox, RANKING, "ndjson").await;
    let events = lines(&events);
    let mut rows: BTreeMap<String, Value> = BTreeMap::new();
    let mut changes = 0;
    for event in &events {
        let (key, row) = (event["key"].to_string(), event["row"].clone());
        assert!(!event["key"].as_object().expect("an object").is_empty(), "{event}");
        let changed = event["changed"].as_array().expect("a list");
        let old = match event["change"].as_str().expect("a word") {
            "gone" => rows.remove(&key),
            _ => rows.insert(key, row.clone()),
        };

        match event["change"].as_str() {
            Some("new") => assert!(old.is_none() && changed.is_empty(), "{event}"),
            Some("gone") => assert!(old == Some(row) && changed.is_empty(), "{event}"),
            _ => {
                let mut patched = old.expect("a row that was there");
                assert!(!changed.is_empty() && event["call"].as_u64() > Some(1), "{event}");
                for leaf in changed {
                    assert_eq!(at(&patched, &leaf["path"]), leaf.get("old"), "{event}");
                    assert_eq!(at(&row, &leaf["path"]), leaf.get("new"), "{event}");
                    let name = leaf["path"].as_str().expect("a path");
                    patched[name] = leaf["new"].clone();
                    changes += 1;
                }
                assert_eq!(patched, row, "what is not told did not change");
            }
        }
    }

    assert!(changes > 5, "{events:?}");
    let calls: Vec<_> = events.iter().filter_map(|event| event["call"].as_u64()).collect();
    assert!(calls.is_sorted() && calls.iter().filter(|call| **call == 1).count() == 5);
    let mut now: Vec<String> = lines(&now).iter().map(ToString::to_string).collect();
    let mut added: Vec<String> = rows.values().map(ToString::to_string).collect();
    now.sort_unstable();
    added.sort_unstable();
    assert_eq!(added, now);
}

#[tokio::test(flavor = "multi_thread")]
async fn all_data_formats_tell_the_same_events() {
    let of =
        async |format| three_calls(&a_day_a_call("market-ranking").await, RANKING, format).await.0;
    let (ndjson, json, csv) = (of("ndjson").await, of("json").await, of("csv").await);
    let events = lines(&ndjson);

    // The JSON output contains one JSON value per response.
    let documents = serde_json::Deserializer::from_str(&json).into_iter::<Vec<Value>>();
    let documents: Vec<_> = documents.map(|document| document.expect("a list")).collect();
    assert_eq!(documents.len(), 3);
    assert_eq!(documents.concat(), events);

    // The CSV output is one table.
    let mut table = csv::Reader::from_reader(csv.as_bytes());
    let header = table.headers().expect("a header").clone();
    assert!(csv.starts_with("call,change,key."), "{csv}");
    let column = |name: &str| header.iter().position(|known| known == name).expect("a column");
    let records: Vec<_> = table.records().map(|record| record.expect("a line")).collect();
    assert_eq!(records.len(), events.len());
    for (record, event) in records.iter().zip(&events) {
        assert_eq!(record[column("change")], event["change"]);
        assert_eq!(record[column("row.price_usd")], event["row"]["price_usd"].to_string());
        let changed: Value = serde_json::from_str(&record[column("changed")]).expect("JSON");
        assert_eq!(changed, event["changed"]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_value_needs_no_key_and_unwanted_members_are_no_change() {
    let gas = ["onchain-gas-price", "ethereum"];
    let (events, _) = three_calls(&a_day_a_call("onchain-gas-price").await, &gas, "json").await;
    let events: Vec<Value> = serde_json::Deserializer::from_str(&events)
        .into_iter()
        .collect::<Result<_, _>>()
        .expect("JSON");
    assert_eq!(events.len(), 3);
    assert!(events.iter().all(|event| event["key"] == serde_json::json!({})), "{events:?}");
    assert_eq!((&events[0]["change"], &events[2]["change"]), (&"new".into(), &"changed".into()));
    assert_eq!(events[2]["changed"][0]["old"], events[1]["changed"][0]["new"]);

    let chain = [&gas[..], &["--fields", "chain"]].concat();
    let (events, _) = three_calls(&a_day_a_call("onchain-gas-price").await, &chain, "ndjson").await;
    let first = r#"{"call":1,"change":"new","key":{},"changed":[],"row":{"chain":"ethereum"}}"#;
    assert_eq!(events, format!("{first}\n"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_filter_gets_the_rows_that_changed_and_a_chart_is_drawn_anew() {
    let home = tempfile::tempdir().expect("a folder");
    let every = ["--every", "1ms", "--times", "2"];
    let of = async |sandbox: Sandbox, form: &[&str]| {
        let arguments = [&["market-ranking", "--limit", "3"], form, &every].concat();
        let output = run(cintel(home.path(), &sandbox.url(), &arguments)).await;
        assert!(output.status.success(), "{}", stderr(&output));
        stdout(&output)
    };

    let still = builder().start().await.expect("a free port");
    let symbols = of(still, &["--jq", ".[].symbol"]).await;
    assert_eq!(symbols.lines().count(), 3, "{symbols}");
    let prices = of(a_day_a_call("market-ranking").await, &["--jq", ".[].price_usd"]).await;
    assert!(prices.lines().count() > 3, "{prices}");
    let charts = of(a_day_a_call("market-ranking").await, &["--chart"]).await;
    let titles = charts.lines().filter(|line| *line == "market-ranking: price_usd").count();
    assert_eq!(titles, 2, "{charts}");
}

/// Starts a sandbox whose rows have rank 1 in the first response, rank 2 in the second response, and rank 7 in all
/// later responses.
async fn ranks() -> Sandbox {
    let sandbox = builder().start().await.expect("a free port");
    let rank = |rank: u64| Override::partial(serde_json::json!({"rank": rank}));
    sandbox.answer("market-ranking", rank(1).then(rank(2)).then(rank(7))).expect("valid");
    sandbox
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn until_ends_the_calls_and_exec_gets_the_rows() {
    let home = tempfile::tempdir().expect("a folder");
    let file = home.path().join("rows");
    let write = format!("cat >> {}; echo >> {0}", file.display());
    let every = ["--every", "1ms", "--times", "50", "-o", "ndjson"];
    let watch = |more: &[&str]| {
        [RANKING, &every, more].concat().iter().map(|word| (*word).to_owned()).collect::<Vec<_>>()
    };

    let sandbox = ranks().await;
    let line = watch(&["--until", "any(.[]; .rank > 5)", "--exec", &write]);
    let line: Vec<&str> = line.iter().map(String::as_str).collect();
    let output = run(cintel(home.path(), &sandbox.url(), &line)).await;
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(sandbox.requests_served(), 3);
    let written = lines(&std::fs::read_to_string(&file).expect("a file"));
    assert_eq!(written.len(), 1, "once, when the condition is met");
    assert!(written[0].as_array().expect("rows").iter().all(|row| row["rank"] == 7), "{written:?}");

    // Without `--until`, the command of `--exec` runs at each change.
    std::fs::remove_file(&file).expect("removed");
    let sandbox = ranks().await;
    let line = watch(&["--exec", &write]);
    let line: Vec<&str> = line.iter().map(String::as_str).collect();
    run(cintel(home.path(), &sandbox.url(), &line)).await;
    let written = lines(&std::fs::read_to_string(&file).expect("a file"));
    let seen: Vec<_> = written.iter().map(|rows| rows[0]["rank"].clone()).collect();
    assert_eq!(seen, [2, 7]);

    for (more, code, says) in [
        (&["--exec", "exit 3"][..], 1, "--exec: the command ended with exit status: 3"),
        (&["--until", ".[", "--exec", "true"], 2, "--until"),
    ] {
        let sandbox = ranks().await;
        let line = watch(more);
        let line: Vec<&str> = line.iter().map(String::as_str).collect();
        let output = run(cintel(home.path(), &sandbox.url(), &line)).await;
        assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
        assert!(stderr(&output).contains(says), "{}", stderr(&output));
    }
}
