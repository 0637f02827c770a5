//! Tests of query results as JSON, CSV and text.

use std::sync::Arc;

use crypto_intel_sql::{Control, Empty, Limits, Outcome, Parsed, Prepared};

fn outcome(sql: &str) -> Outcome {
    let prepared = Prepared::new(&Parsed::read(sql).unwrap(), Arc::new(Empty), 0).unwrap();
    prepared.run(&Limits::default(), &Control::default()).unwrap()
}

#[test]
fn days_out_of_range_are_written_as_the_first_or_last_day() {
    let day = "arrayJoin([-719533, 2932901])";
    let outcome = outcome(&format!("SELECT toDate32('1970-01-01') + {day} AS d"));
    assert_eq!(outcome.json(), r#"[{"d":-62167219200},{"d":253402214400}]"#);
    assert_eq!(outcome.texts(), [["0000-01-01"], ["9999-12-31"]]);
}

#[test]
fn maps_are_objects_with_texts_as_keys() {
    assert_eq!(outcome("SELECT map(1, 2, 3, 4) AS m").json(), r#"[{"m":{"1":2,"3":4}}]"#);
}

#[test]
fn json_and_csv_contain_the_same_columns_and_values() {
    let rows = r#"SELECT '1,"2"' AS b, 2. AS "a ""x""", [1, 2] AS list, toNullable(toDate(1)) AS day
        UNION ALL SELECT NULL, inf, [], NULL"#;
    let outcome = outcome(&format!(r#"SELECT b, "a ""x""", list, day, b FROM ({rows})"#));
    assert_eq!(
        outcome.json(),
        r#"[{"b":"1,\"2\"","a \"x\"":2,"list":[1,2],"day":86400,"b_2":"1,\"2\""},{"b":null,"a \"x\"":null,"list":[],"day":null,"b_2":null}]"#
    );
    assert_eq!(
        outcome.csv(),
        "b,\"a \"\"x\"\"\",list,day,b_2\n\"1,\"\"2\"\"\",2,\"[1,2]\",86400,\"1,\"\"2\"\"\"\n,,[],,\n"
    );
}
