//! Compares the engine with ClickHouse, whose results are recorded in `tests/oracle/golden.jsonl`.
//! `.ci/sql-oracle` compares with ClickHouse itself, and records the results.

use serde_json::Value;

use crate::fixture;

const GOLDEN: &str = include_str!("../oracle/golden.jsonl");
const QUERIES: &str = include_str!("../oracle/queries.sql");
const EXPRESSIONS: &str = include_str!("../oracle/expressions.sql");

/// Number of queries that ClickHouse runs and this engine rejects. It may only decrease.
const REFUSED: usize = 5;

#[test]
fn whatever_is_answered_is_what_clickhouse_answers() {
    let golden: Vec<Value> =
        GOLDEN.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let asked = fixture::statements(&format!("{QUERIES}{EXPRESSIONS}"));
    let recorded: Vec<&str> = golden.iter().map(|one| one["sql"].as_str().unwrap()).collect();
    assert_eq!(asked, recorded, "record again: .ci/sql-oracle --record");
    assert!(fixture::statements(QUERIES).len() >= 300);
    assert!(fixture::statements(EXPRESSIONS).len() >= 400);

    let (mut wrong, mut refused) = (Vec::new(), Vec::new());
    for there in &golden {
        let here = fixture::answer(there["sql"].as_str().unwrap());
        match (here["error"].is_string(), there["error"].is_string()) {
            (true, true) => {}
            (true, false) => refused.push(here["sql"].to_string()),
            _ if same(&here, there) => {}
            _ => wrong.push(format!("{here}\n{there}")),
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(refused.len() <= REFUSED, "{} are refused:\n{}", refused.len(), refused.join("\n"));
}

/// Returns true if two results are equal. Without ORDER BY, the order of rows does not count.
fn same(here: &Value, there: &Value) -> bool {
    if here["columns"] != there["columns"] {
        return false;
    }
    let rows = |answer: &Value| -> Vec<Vec<String>> {
        let rows = serde_json::from_value(answer["rows"].clone());
        let mut rows: Vec<Vec<String>> = rows.unwrap_or_default();
        if !here["sql"].as_str().unwrap_or_default().contains("ORDER BY") {
            rows.sort();
        }
        rows
    };
    let (a, b) = (rows(here), rows(there));
    a.len() == b.len()
        && a.iter()
            .zip(&b)
            .all(|(a, b)| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| close(a, b)))
}

/// Returns true for equal values, and for floats that differ only in their last digits, since sums
/// depend on their order.
fn close(a: &str, b: &str) -> bool {
    if a == b {
        return true;
    }
    let is_list = a.starts_with(['[', '(']);
    if is_list {
        let parts = |text: &str| -> Vec<String> {
            text.trim_matches(['[', ']', '(', ')']).split(',').map(str::to_owned).collect()
        };
        let (a, b) = (parts(a), parts(b));
        return a.len() == b.len() && a.len() > 1 && a.iter().zip(&b).all(|(a, b)| close(a, b));
    }
    let whole = |text: &str| text.trim_start_matches('-').bytes().all(|b| b.is_ascii_digit());
    match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(x), Ok(y)) => !(whole(a) && whole(b)) && (x - y).abs() <= 1e-9 * x.abs().max(y.abs()),
        _ => false,
    }
}
