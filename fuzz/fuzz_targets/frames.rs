//! Fuzzes three ways to convert rows to data frames. The first way converts a whole response. The second way converts
//! row by row. The third way uses the slower decoder for rows with unknown fields. All three ways must return equal
//! record batches.
#![no_main]

mod made;

use crypto_intel::catalogue::{Answer, OPERATIONS, Operation, Type};
use crypto_intel_frames::{Options, read_answer, read_rows};
use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = run(&mut Unstructured::new(bytes));
});

fn run(input: &mut Unstructured<'_>) -> Result<()> {
    let record = |operation: &&'static Operation| match operation.answer {
        Answer::Rows { row: Type::Record(name), .. } => Some((*operation, name)),
        _ => None,
    };
    let operations: Vec<_> = OPERATIONS.iter().filter_map(|operation| record(&operation)).collect();
    let (operation, name) = *input.choose(&operations)?;
    let mut rows = vec![String::new(); input.int_in_range(1..=3)?];
    for row in &mut rows {
        made::record(input, name, 0, row)?;
    }
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let options = Options::default();

    let body = format!(r#"{{"data":[{}],"meta":{{}}}}"#, rows.join(","));
    let one_by_one = read_rows(operation, &options, rows.iter().copied()).expect("batches");
    let whole = read_answer(operation, &options, body.as_bytes()).expect("batches");
    assert_eq!(whole, one_by_one, "{} of {body}", operation.id);

    for row in rows {
        let fast = read_rows(operation, &options, [row]).expect("a batch");
        let careful =
            read_rows(operation, &options, [r#"{"no such field":1}"#, row]).expect("a batch");
        assert_eq!(careful[0].slice(1, 1), fast[0], "{} of {row}", operation.id);
    }
    Ok(())
}
