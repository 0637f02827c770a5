//! Tests that incomplete lists of rows are reported on standard error, in every output format.

use serde_json::Value;

use crate::{builder, cintel, run, stderr, stdout};

const QUERY: &str = "SELECT number FROM numbers(100000)";

async fn output_of(arguments: &[&str]) -> std::process::Output {
    let home = tempfile::tempdir().expect("a folder");
    let sandbox = builder().start().await.expect("a free port");
    run(cintel(home.path(), &sandbox.url(), arguments)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn an_incomplete_answer_is_reported_in_every_format() {
    for command in [&["sql", QUERY][..], &["news-feed"], &["news-feed", "--jq", "length"]] {
        for format in ["json", "ndjson", "csv", "table"] {
            let output = output_of(&[command, &["--output", format]].concat()).await;
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
            let line = stderr(&output);
            assert_eq!(line.lines().count(), 1, "{command:?} {format}: {line}");
            if !format.contains("json") {
                continue;
            }
            let line: Value = serde_json::from_str(&line).expect("a line of JSON");
            let ending = &line["completeness"];
            assert_eq!(ending["state"], "more_available", "{line}");
            assert!(ending["rows"].as_u64().is_some_and(|rows| rows > 0), "{line}");
            assert!(ending["next"].is_string(), "{line}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn fail_incomplete_has_its_own_exit_code() {
    for (arguments, code) in [
        (&["sql", QUERY, "--fail-incomplete"][..], 10),
        (&["news-feed", "--fail-incomplete"], 10),
        // The budget ends the list before the page limit.
        (&["news-feed", "--max-pages", "50", "--max-credits", "2", "--fail-incomplete"], 10),
        // The command succeeds if the user's own limit cut the rows, and if the response is complete.
        (&["news-feed", "--limit", "3", "--fail-incomplete"], 0),
        (&["sql", "SELECT 1", "--fail-incomplete"], 0),
    ] {
        let output = output_of(&[arguments, &["--output", "json"]].concat()).await;
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", stderr(&output));
        assert!(!stdout(&output).is_empty(), "{arguments:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_returns_up_to_ten_thousand_rows() {
    let output = output_of(&["sql", QUERY, "--max-rows", "10000", "--output", "ndjson"]).await;
    assert_eq!(stdout(&output).lines().count(), 10_000);
    let line: Value = serde_json::from_str(&stderr(&output)).expect("a line of JSON");
    assert_eq!(line["completeness"]["state"], "cut_at_limit", "{line}");
    let output = output_of(&["sql", QUERY, "--max-rows", "10001"]).await;
    assert_eq!(output.status.code(), Some(2));
}

#[tokio::test(flavor = "multi_thread")]
async fn quiet_leaves_the_line_out() {
    let output = output_of(&["sql", QUERY, "--quiet"]).await;
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
}
