//! Tests the size of results in tokens (characters / 4). Calls every GET operation that returns JSON, with only the
//! required parameters.
//!
//! `cargo test -p crypto-intel-mcp --test it result_tokens -- --nocapture` prints a table of all operations.

use crypto_intel::Method;
use crypto_intel::catalogue::{Answer, OPERATIONS, Operation};
use crypto_intel_sandbox::example;
use serde_json::{Map, Value, json};

use crate::common::{setup, text};

/// Returns example arguments for the required parameters of an operation. The sandbox has data for these arguments.
fn arguments(operation: &Operation) -> Value {
    let values = example::parameters(operation).into_iter().filter(|(name, _)| {
        operation.params.iter().any(|param| param.name == *name && param.required)
    });
    Value::Object(values.map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>())
}

/// Returns the number of rows in a result. A single value counts as one row, even if it contains lists.
fn row_count(data: &Value) -> usize {
    let list = data.get("rows").unwrap_or(data);
    list.as_array().map_or(1, Vec::len)
}

/// Tests that results are small because they contain tables. For comparison: without tables, the median was 1,009
/// tokens per result, and 1,000 tokens contained 17.5 rows.
#[tokio::test]
async fn results_at_defaults_are_small() {
    let setup = setup().await;
    let mut table = Vec::new();
    for operation in OPERATIONS {
        if operation.method != Method::GET
            || matches!(operation.answer, Answer::Stream | Answer::Bytes | Answer::Empty)
        {
            continue;
        }
        let call = json!({"operation": operation.id, "arguments": arguments(operation)});
        let result = setup.call("call_operation", call).await;
        // An operation returns an error if its price is not published, or if it needs one of several optional
        // parameters.
        if result.is_error == Some(true) {
            continue;
        }
        let tokens = text(&result).chars().count() / 4;

        if let Ok(folder) = std::env::var("DUMP_RESULTS") {
            std::fs::write(format!("{folder}/{}.json", operation.id), text(&result))
                .expect("written");
        }
        let data = result.structured_content.as_ref().expect("content");
        let shown = row_count(&data["service_data"]);
        let stored = data["rows"].as_u64().unwrap_or(1);
        table.push((operation.id, tokens, shown, stored));
    }

    let mut tokens: Vec<_> = table.iter().map(|row| row.1).collect();
    tokens.sort_unstable();
    let (median, largest) = (tokens[tokens.len() / 2], tokens[tokens.len() - 1]);
    let all: usize = tokens.iter().sum();
    let rows: usize = table.iter().map(|row| row.2).sum();
    for (id, tokens, rows, stored) in &table {
        println!("{id:40} {tokens:6} tokens {rows:5} of {stored:5} rows");
    }
    println!(
        "{} operations: median {median} tokens, largest {largest}; {:.1} rows per 1,000 tokens",
        table.len(),
        rows as f64 * 1000.0 / all as f64
    );

    assert!(table.len() > 100, "{}", table.len());
    assert!(median <= 600 && largest <= 1_300, "median {median}, largest {largest}");
    // At least 43.75 rows per 1,000 tokens, which is 2.5 times the number without tables.
    assert!(rows * 4_000 >= 175 * all, "{rows} rows in {all} tokens");
}
