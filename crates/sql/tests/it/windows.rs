//! Tests of window functions.

use std::sync::Arc;

use crypto_intel_sql::{Control, Empty, Limits, Parsed, Prepared};

/// Tests calls such as `groupArray(x) OVER (ORDER BY x)`, which return a list that grows by one element per row. The
/// lists of all rows must share memory: separate lists for 3,000 rows would exceed the memory limit.
#[test]
fn rows_of_a_window_share_a_growing_list() {
    let rows = "(SELECT number AS x FROM numbers(3000))";
    for name in ["groupArray", "groupUniqArray", "groupArrayIf", "groupArrayArray"] {
        let args = match name {
            "groupArrayIf" => "x, 1",
            "groupArrayArray" => "[x]",
            _ => "x",
        };
        let windows = format!("SELECT {name}({args}) OVER (ORDER BY x) AS list FROM {rows}");
        let sql = format!("SELECT max(length(list)), sum(arraySum(list)) AS sum FROM ({windows})");
        let prepared = Prepared::new(&Parsed::read(&sql).unwrap(), Arc::new(Empty), 0).unwrap();
        let limits = Limits { memory: 8 << 20, ..Limits::default() };
        let outcome = prepared.run(&limits, &Control::default()).unwrap();
        // Sum of all lists. The list of row n contains the numbers from 0 to n.
        assert_eq!(outcome.texts(), [["3000", "4499999500"].map(String::from).to_vec()], "{name}");
    }
}
