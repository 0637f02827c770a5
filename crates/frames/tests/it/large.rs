//! Tests large responses, which are split into parts for several threads.

use crypto_intel_frames::{Options, read_answer, read_rows};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::json::rows;
use super::operation;

/// Creates rows of at least 220 bytes, which contain `word`. If `surprises` is true, some rows also contain a list of
/// records for which the table has no column.
fn sent(count: usize, word: &str, surprises: bool) -> Vec<Value> {
    let row = |index: usize| {
        let mut row = json!({
            "symbol": word, "price": index as f64 + 0.5, "fill_id": index.to_string(), "side": "buy",
            "hash": "0".repeat(120), "time_ms": 1_780_000_000_000_i64 + index as i64,
            "crossed": index.is_multiple_of(2),
        });
        if surprises && index.is_multiple_of(7) {
            row["later"] = json!([{"a": 1}, {"b": word}]);
        }
        row
    };
    (0..count).map(row).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// Tests that [`read_answer`], which cuts a large response into parts, returns the same rows as [`read_rows`]. A
    /// cut is made at the text `},{`. This text can also occur in a string or in a list of objects, so some cuts are at
    /// a wrong position.
    #[test]
    fn an_answer_in_parts_has_the_rows_of_the_whole(
        count in 0..2_000_usize,
        word in prop::sample::select(vec!["BTC", "},{", "\"},{\"", "]}", "Zürich},{"]),
        before in 0..900_usize,
        after in 0..900_usize,
        (surprises, drops) in any::<(bool, bool)>(),
    ) {
        let fills = operation("hyperliquid-fills");
        let options = match drops {
            true => Options::default().unknown(crypto_intel_frames::Unknown::Drop),
            false => Options::default(),
        };
        let sent = sent(count, word, surprises);
        let texts: Vec<String> = sent.iter().map(Value::to_string).collect();
        let others = |count| Value::from(vec![json!({"symbol": "ETH", "hash": "1".repeat(120)}); count]);
        let (before, after) = (others(before), others(after));
        let data = texts.join(",");
        let body = format!(r#"{{"aside":{before},"data":[{data}],"meta":{{"lines":{after}}},"more":{after}}}"#);

        let whole = read_answer(fills, &options, body.as_bytes()).expect("batches");
        let whole: Vec<_> = whole.iter().flat_map(rows).collect();
        let each = read_rows(fills, &options, texts.iter().map(String::as_str)).expect("batches");
        let each: Vec<_> = each.iter().flat_map(rows).collect();
        prop_assert_eq!(whole.len(), count);
        prop_assert!(whole == each);
    }
}
