//! Tests of tables with values from JSON.

use crypto_intel_sql::{JsonTable, Table, Value};

#[test]
fn each_column_has_the_narrowest_type_that_all_values_fit() {
    for (texts, expected) in [
        (vec!["1", "null", "-2"], "Nullable(Int64)"),
        (vec!["1", "2.5"], "Nullable(Float64)"),
        (vec!["18446744073709551616", "1"], "Nullable(Float64)"),
        (vec!["true", "null"], "Nullable(Bool)"),
        (vec!["true", "1"], "Nullable(String)"),
        (vec!["\"a\"", "1"], "Nullable(String)"),
        (vec!["{\"a\":1}"], "Nullable(String)"),
        (vec!["null"], "Nullable(String)"),
    ] {
        let table = JsonTable::new(texts.len(), [("a".to_owned(), texts.clone())]);
        assert_eq!(table.columns()[0].ty, expected, "{texts:?}");
    }
}

#[test]
fn short_columns_end_with_nulls() {
    let table = JsonTable::new(2, [("a".to_owned(), vec!["1"])]);
    let mut rows = Vec::new();
    let mut sink = |row: Vec<Value>| {
        rows.push(format!("{row:?}"));
        Ok(())
    };
    table.read(0, &[0], &mut sink).expect("rows");
    assert_eq!(rows, ["[Int(1)]", "[Null]"]);
}
