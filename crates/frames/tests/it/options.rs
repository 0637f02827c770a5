//! Tests the effect of the options: decodes one row with different options and compares the tables.

use crypto_intel_frames::{
    Enums, Figures, Nested, Numbers, Options, Times, Unknown, read_rows, schema_of,
};
use serde_json::{Value, json};

use super::json::rows;
use super::operation;

/// Decodes one row with these options, and returns it as JSON without nulls.
fn table(id: &str, options: &Options, row: &str) -> Value {
    let batches = read_rows(operation(id), options, [row]).expect("a batch");
    let mut row = rows(&batches[0]).remove(0);
    row.retain(|_, value| !value.is_null());
    Value::Object(row)
}

fn column(id: &str, options: &Options, name: &str) -> String {
    let schema = schema_of(operation(id), options).expect("a schema");
    schema.field_with_name(name).map_or_else(|e| e.to_string(), |f| f.data_type().to_string())
}

#[test]
fn figures_are_structs_or_columns() {
    let id = "equity-income-statement";
    let row = r#"{"revenue": {"value": 120.10, "status": "available", "formula_version": "2"},
        "eps_basic": {"value": null, "status": "missing", "reason_code": "not_filed"}}"#;
    let columns = Options::default().figures(Figures::Columns).unknown(Unknown::Refuse);

    assert_eq!(
        table(id, &columns, row),
        json!({"revenue": "120.10", "revenue.status": "available",
            "eps_basic.status": "missing", "eps_basic.reason_code": "not_filed"})
    );
    let floats = columns.clone().figure_values(Numbers::Float);
    assert_eq!(table(id, &floats, row)["revenue"], json!(120.1));
    let decimals = columns.figure_values(Numbers::Decimal(4));
    assert_eq!(table(id, &decimals, row)["revenue"], json!("120.1000"));

    let structs = table(id, &Options::default(), row);
    assert_eq!(structs["revenue"]["value"], json!("120.10"));
    assert_eq!(structs["revenue"]["formula_version"], json!("2"));
    assert_eq!(structs["eps_basic"]["reason_code"], json!("not_filed"));
}

#[test]
fn a_decimal_of_too_many_places_is_kept_beside_its_column() {
    let options = Options::default().numbers(Numbers::Decimal(2));
    let row = r#"{"price": 1.255, "size": 1.25}"#;
    assert_eq!(
        table("hyperliquid-fills", &options, row),
        json!({"size": "1.25", "_extra": r#"{"/price":1.255}"#})
    );
}

#[test]
fn records_are_flattened_by_choice() {
    let id = "search-airdrop";
    let row = r#"{"task_summary": {"open": 1, "types": ["a"]}, "tasks": [{"cost": 2}]}"#;
    let flat = Options::default().nested(Nested::Flat("_".to_owned()));

    let table = table(id, &flat, row);
    assert_eq!(table["task_summary_open"], json!(1));
    assert_eq!(table["task_summary_types"], json!(["a"]));
    assert_eq!(table["tasks"][0]["cost"], json!(2));
    assert!(table.get("task_summary").is_none());
}

#[test]
fn types_follow_the_options() {
    let id = "hyperliquid-fills";
    let default = Options::default();
    assert_eq!(column(id, &default, "time"), r#"Timestamp(s, "UTC")"#);
    assert_eq!(column(id, &default, "time_ms"), r#"Timestamp(ms, "UTC")"#);
    assert_eq!(column(id, &default, "side"), "Dictionary(Int32, Utf8)");
    assert_eq!(column(id, &default, "price"), "Float64");

    let others = Options::default()
        .times(Times::Millis)
        .enums(Enums::Text)
        .numbers(Numbers::Text)
        .unknown(Unknown::Column("rest".to_owned()));
    assert_eq!(column(id, &others, "time"), r#"Timestamp(ms, "UTC")"#);
    assert_eq!(column(id, &others, "side"), "Utf8");
    assert_eq!(column(id, &others, "price"), "Utf8");
    assert_eq!(column(id, &others, "rest"), "Utf8");

    let row = r#"{"time": 2, "time_ms": 2500, "side": "none", "price": 1.10}"#;
    assert_eq!(
        table(id, &others, row),
        json!({"time": 2000, "time_ms": 2500, "side": "none", "price": "1.10"})
    );
}

#[test]
fn values_of_an_enum_that_are_not_known_are_kept() {
    let options = Options::default();
    let sides = [r#"{"side": "sell"}"#, r#"{"side": "new"}"#, r#"{"side": "buy"}"#, "{}"];
    let batches = read_rows(operation("hyperliquid-fills"), &options, sides).expect("a batch");
    let found: Vec<_> = rows(&batches[0]).iter().map(|row| row["side"].clone()).collect();
    assert_eq!(found, [json!("sell"), json!("new"), json!("buy"), json!(null)]);
}

#[test]
fn two_columns_of_one_name_are_refused() {
    let clash = Options::default().unknown(Unknown::Column("price".to_owned()));
    let error = schema_of(operation("hyperliquid-fills"), &clash).expect_err("twice").to_string();
    assert!(error.contains("two columns would have the name `price`"), "{error}");

    let fine = Options::default().numbers(Numbers::Decimal(39));
    let error = schema_of(operation("hyperliquid-fills"), &fine).expect_err("39").to_string();
    assert_eq!(error, "hyperliquid-fills: a decimal can have at most 38 decimal places");
}

#[test]
fn fields_tell_their_meaning() {
    let schema = schema_of(operation("hyperliquid-fills"), &Options::default()).expect("a schema");
    let meaning = |name: &str| {
        let field = schema.field_with_name(name).expect("a column");
        field.metadata().get("description").cloned().unwrap_or_default()
    };
    assert!(meaning("closed_pnl").contains("USD"), "{}", meaning("closed_pnl"));
    let told = schema.fields().iter().filter(|field| !meaning(field.name()).is_empty()).count();
    assert_eq!(told, schema.fields().len());
    assert_eq!(schema.metadata()["operation"], "hyperliquid-fills");
}

#[test]
fn texts_of_dates_are_dates_and_times_of_zero_that_mean_unknown_are_null() {
    let id = "equity-income-statement";
    let default = Options::default();
    assert_eq!(column(id, &default, "report_period"), "Date32");
    let fits = r#"{"report_period": "2026-03-31", "period_start": null}"#;
    assert_eq!(table(id, &default, fits), json!({"report_period": "2026-03-31"}));
    let other = r#"{"report_period": "Q1 2026"}"#;
    assert_eq!(table(id, &default, other), json!({"_extra": r#"{"/report_period":"Q1 2026"}"#}));

    let row = r#"{"reward_date": 0, "last_status_update": 0, "tasks": [{"open_date": 0}]}"#;
    let row = table("search-airdrop", &default.times(Times::Millis), row);
    assert_eq!(row["last_status_update"], json!(0));
    assert!(row.get("reward_date").is_none() && row["tasks"][0]["open_date"].is_null());
}
