//! Tests that the crate `world`, which generates random data for the sandbox, uses only existing fields of the
//! generated records.

use xtask::{adopt, regen};

#[test]
fn world_names_only_fields_that_records_have() {
    let output = regen::published().unwrap_or_else(|faults| panic!("{faults}"));
    let lost = adopt::lost(&regen::root(), &output.model);
    let lines: Vec<String> = lost.iter().map(ToString::to_string).collect();
    assert_eq!(lines, Vec::<String>::new());
}
