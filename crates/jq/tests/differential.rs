//! Compares the results of the worker with recorded results of jq 1.6. `differential/differences.tsv` lists the
//! programs for which the worker returns another result, and the reasons. `.ci/jq-differential` compares the recorded
//! results with the results of the installed jq.
//!
//! Two numbers are equal if they are the same 64-bit float. The order of object fields is ignored. Error messages
//! are not compared, because jq's messages contain values of the data.

use std::collections::BTreeMap;

use crypto_intel_jq::{Worker, is_worker, run_worker};
use serde_json::Value;

const ROWS: &str = include_str!("differential/rows.json");
const RECORDED: &str = include_str!("differential/recorded.jsonl");
const DIFFERENCES: &str = include_str!("differential/differences.tsv");

/// Acts as the child process of the other tests. The other tests run this test executable again, with the name of this
/// function as an argument.
#[test]
fn this_test_program_serves_as_worker() {
    if is_worker() {
        run_worker();
        std::process::exit(0);
    }
}

/// Parses a JSON value and converts all its numbers to 64-bit floats. If the text is not JSON, returns a JSON string
/// that starts with `no JSON`.
fn to_floats(json: &str) -> Value {
    fn floats(value: Value) -> Value {
        match value {
            Value::Number(number) => number.as_f64().map_or(Value::Null, Value::from),
            Value::Array(items) => items.into_iter().map(floats).collect(),
            Value::Object(members) => {
                members.into_iter().map(|(name, value)| (name, floats(value))).collect()
            }
            other => other,
        }
    }
    floats(serde_json::from_str(json).unwrap_or_else(|_| Value::from(format!("no JSON: {json}"))))
}

#[tokio::test]
async fn programs_return_what_jq_returns_or_are_listed_as_different() {
    let program = std::env::current_exe().expect("this program");
    let worker =
        Worker::new(program).argument("--exact").argument("this_test_program_serves_as_worker");
    let listed: BTreeMap<&str, &str> =
        DIFFERENCES.lines().map(|line| line.split_once('\t').expect("a reason")).collect();

    let mut unexpected = Vec::new();
    let mut different = 0;
    for line in RECORDED.lines() {
        let record: Value = serde_json::from_str(line).expect("a record");
        let program = record["program"].as_str().expect("a program");
        let outputs = record["outputs"].as_array().expect("a list");
        let recorded: Vec<Value> =
            outputs.iter().map(|output| to_floats(output.as_str().expect("a text"))).collect();

        let outcome = worker.run(program, ROWS, &[]).await;
        let (outputs, failure) = match &outcome {
            Ok(outputs) => (outputs.as_slice(), None),
            Err(error) => (error.outputs(), Some(error.message())),
        };
        let outputs: Vec<Value> = outputs.iter().map(|output| to_floats(output.get())).collect();
        let has_failed = record["error"].as_bool().expect("true or false");
        let is_equal = outputs == recorded && failure.is_some() == has_failed;
        different += usize::from(!is_equal);
        if is_equal == listed.contains_key(program) {
            unexpected.push(format!("{program}\tjq {recorded:?}, here {outputs:?} {failure:?}"));
        }
    }

    assert!(RECORDED.lines().count() >= 200);
    assert!(unexpected.is_empty(), "{different} different:\n{}", unexpected.join("\n"));
    assert_eq!(different, listed.len());
}
