//! Tests that the crate `world`, which invents the sandbox's data, uses only fields that the generated records
//! have.

use xtask::{adopt, regen};

#[test]
fn world_names_only_fields_that_records_have() {
    let output = regen::published().unwrap_or_else(|faults| panic!("{faults}"));
    let lost = adopt::lost(&regen::root(), &output.model);
    let lines: Vec<String> = lost.iter().map(ToString::to_string).collect();
    assert_eq!(lines, Vec::<String>::new());
}
