//! Compares results of the engine with recorded results of ClickHouse. `tests/oracle/` contains one file of SQL
//! statements for each family of functions, and next to it a file with the results of ClickHouse. The script
//! `.ci/sql-oracle` runs the statements in ClickHouse and compares the results. With `--record`, it writes the result
//! files.

use serde_json::Value;

use crate::fixture;

/// Declares one test per SQL file in `tests/oracle/`. For example, `json: 20, 2` means that `json.sql` must contain at
/// least 20 statements, and that this engine may reject at most 2 statements that ClickHouse accepts. The second number
/// must never increase.
macro_rules! families {
    ($($name:ident: $least:literal, $refused:literal;)*) => {$(
        #[test]
        fn $name() {
            let statements = include_str!(concat!("../oracle/", stringify!($name), ".sql"));
            let recorded = include_str!(concat!("../oracle/", stringify!($name), ".jsonl"));
            compare(statements, recorded, $least, $refused);
        }
    )*};
}

families! {
    aggregates: 40, 0;
    analyst: 150, 30;
    clauses: 80, 0;
    expressions: 400, 5;
    joins: 200, 0;
    json: 20, 2;
    lists: 60, 2;
    membership: 130, 0;
    moments: 250, 4;
    numbers: 100, 0;
    queries: 300, 0;
    texts: 150, 0;
}

fn compare(statements: &str, recorded: &str, least: usize, refused: usize) {
    let golden: Vec<Value> =
        recorded.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let asked = fixture::statements(statements);
    let known: Vec<&str> = golden.iter().map(|one| one["sql"].as_str().unwrap()).collect();
    assert_eq!(asked, known, "record again: .ci/sql-oracle --record");
    assert!(asked.len() >= least, "{} statements", asked.len());

    let (mut wrong, mut rejected) = (Vec::new(), Vec::new());
    for there in &golden {
        let here = fixture::answer(there["sql"].as_str().unwrap());
        match (here["error"].is_string(), there["error"].is_string()) {
            (true, true) => {}
            (true, false) => rejected.push(here["sql"].to_string()),
            _ if same(&here, there) => {}
            _ => wrong.push(format!("{here}\n{there}")),
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(rejected.len() <= refused, "{} are refused:\n{}", rejected.len(), rejected.join("\n"));
}

/// Returns true if two results are equal. If the query has no ORDER BY, the order of the rows is ignored.
fn same(here: &Value, there: &Value) -> bool {
    if here["columns"] != there["columns"] {
        return false;
    }
    let rows = |answer: &Value| -> Vec<Vec<String>> {
        let rows = serde_json::from_value(answer["rows"].clone());
        let mut rows: Vec<Vec<String>> = rows.unwrap_or_default();
        // Invalid UTF-8 can be replaced by one or by several replacement characters.
        rows.iter_mut().flatten().for_each(|cell| cell.retain(|sign| sign != '\u{fffd}'));
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

/// Returns true for equal values. Floats can differ in their last digits, because the result of a sum depends on the
/// order of additions.
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
