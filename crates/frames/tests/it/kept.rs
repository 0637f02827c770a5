//! Tests that a table keeps all values of a response, either in their own columns or in the column `_extra`.

use crypto_intel::catalogue::OPERATIONS;
use crypto_intel_frames::{Error, Options, Unknown, read_rows, row_type, schema_of};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::json::{plain, rows, settled, whole};
use super::operation;

/// Generates any JSON value. Its floats end in `.5`, so that they are exact and the test need not round them.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-1e6..1e6).prop_map(|number: f64| Value::from(number.trunc() + 0.5)),
        "[a-z~/\"\u{e9}]{0,6}".prop_map(Value::from),
        "-?[0-9]{1,30}(\\.[0-9]{1,9})?".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z~/]{0,4}", inner, 0..4)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Generates rows. `members` contains the known field names. The rows also have unknown fields, and the known fields
/// can have values of a wrong type.
fn any_rows(members: Vec<String>) -> impl Strategy<Value = Vec<Value>> {
    let name = prop_oneof![4 => prop::sample::select(members), 1 => "[a-z~/]{1,5}"];
    let row = prop::collection::btree_map(name, any_json(), 0..8)
        .prop_map(|members| Value::Object(members.into_iter().collect()));
    prop::collection::vec(prop_oneof![9 => row, 1 => any_json()], 1..6)
}

fn members(id: &str) -> Vec<String> {
    let schema = schema_of(operation(id), &Options::default()).expect("one");
    let names = schema.fields().iter().map(|field| field.name().clone());
    names.filter(|name| name != "_extra").collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn nothing_is_lost_whatever_the_rows_are(
        (id, sent) in prop::sample::select(vec![
            "hyperliquid-fills", "search-airdrop", "equity-income-statement", "market-price",
        ])
        .prop_flat_map(|id| (Just(id), any_rows(members(id)))),
    ) {
        let texts: Vec<_> = sent.iter().map(Value::to_string).collect();
        let options = Options::default();
        let batches = read_rows(operation(id), &options, texts.iter().map(String::as_str));
        let found: Vec<_> = batches.expect("batches").iter().flat_map(rows).collect();

        prop_assert_eq!(found.len(), sent.len());
        for (frame, sent) in found.into_iter().zip(sent) {
            let row = row_type(operation(id)).expect("rows");
            let again = plain(settled(whole(row, frame)));
            prop_assert_eq!(again, plain(settled(sent)));
        }
    }
}

fn extra_of(id: &str, options: &Options, row: &str) -> Result<Value, Error> {
    let batches = read_rows(operation(id), options, [row])?;
    Ok(rows(&batches[0])[0]["_extra"].clone())
}

#[test]
fn what_does_not_fit_is_kept_byte_for_byte_with_its_place() {
    for (row, extra) in [
        (r#"{"price": 1.5}"#, Value::Null),
        (r#"{"price": 1e999}"#, json!(r#"{"/price":1e999}"#)),
        (r#"{"price": "1.50"}"#, json!(r#"{"/price":"1.50"}"#)),
        (r#"{"tx_index": 9223372036854775808}"#, json!(r#"{"/tx_index":9223372036854775808}"#)),
        (r#"{"tx_index": 1.0, "time": 2e3}"#, Value::Null),
        (r#"{"tx_index": 1.5}"#, json!(r#"{"/tx_index":1.5}"#)),
        (r#"{"new": {"a":  1.10}, "a/b~": 0}"#, json!(r#"{"/new":{"a":  1.10},"/a~1b~0":0}"#)),
        (r#"{"price": 1, "price": 2}"#, Value::Null),
        (r#"{"symbol": "\ud800"}"#, json!(r#"{"/symbol":"\ud800"}"#)),
        ("[1]", json!(r#"{"":[1]}"#)),
        ("null", json!(r#"{"":null}"#)),
    ] {
        let found = extra_of("hyperliquid-fills", &Options::default(), row).expect("a batch");
        assert_eq!(found, extra, "{row}");
    }
}

#[test]
fn without_a_place_for_it_the_error_names_row_column_and_place() {
    let id = "search-airdrop";
    let good = r#"{"project_name": "x"}"#;
    let misfit = r#"{"tasks": [{"cost": "much"}]}"#;
    let unknown = r#"{"tasks": [{"new": 1}]}"#;

    let refuse = Options::default().unknown(Unknown::Refuse);
    let drop = Options::default().unknown(Unknown::Drop);
    let error = |options: &Options, row| {
        read_rows(operation(id), options, [good, row]).expect_err("no place for it").to_string()
    };

    assert_eq!(
        error(&refuse, misfit),
        "search-airdrop: row 1: \"much\" is not a whole number at `/tasks/0/cost` (column `tasks`)"
    );
    assert_eq!(error(&drop, misfit), error(&refuse, misfit));
    assert_eq!(
        error(&refuse, unknown),
        "search-airdrop: row 1: 1 has no column at `/tasks/0/new` (column `tasks`)"
    );
    let kept = read_rows(operation(id), &drop, [good, unknown]).expect("left out by choice");
    assert_eq!(kept[0].num_rows(), 2);
}

#[test]
fn the_names_used_here_are_operations() {
    for id in ["hyperliquid-fills", "search-airdrop", "equity-income-statement", "market-price"] {
        assert!(OPERATIONS.iter().any(|operation| operation.id == id), "{id}");
    }
}
