//! Tests that the generator accepts the overlay fragment that `cintel doctor --contract --overlay` prints, and
//! that the fragment changes the generated code.
//!
//! `contract.yaml` is the fragment for a service with additional fields, an additional enum value and a higher
//! price. `crates/cli/tests/behaviour/contract.rs` compares the file with the output of the command.

use xtask::load;
use xtask::regen::{self, run_in_memory};

const FRAGMENT: &str = include_str!("contract.yaml");

#[test]
fn pasted_fragment_of_the_contract_check_is_in_the_generated_code() {
    let root = regen::root();
    let descriptions = regen::DESCRIPTIONS.iter();
    let descriptions =
        descriptions.map(|path| load::description(&root.join(path)).unwrap()).collect();
    let overlay = std::fs::read_to_string(root.join(regen::OVERLAY)).unwrap();
    let pasted = format!("{}\n{FRAGMENT}", overlay.trim_end());
    let overlay = load::parsed("overlay.yaml".as_ref(), &pasted).unwrap();

    let output =
        run_in_memory(descriptions, Some(&overlay)).unwrap_or_else(|faults| panic!("{faults}"));
    let findings: Vec<_> = output.findings.iter().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "{findings:#?}");

    let all: String = output.sources.values().flat_map(|text| text.split_whitespace()).collect();
    for fact in [
        "seen_live:Some(\"2026-05-28\")",
        "price:rt::Price::Credits(40)",
        "rt::Field::new(\"mood\",rt::Type::String)",
        "rt::Field::new(\"weights\",rt::Type::List(&rt::Type::Number))",
        "rt::Field::new(\"nothing\",rt::Type::Any)",
        "rt::Field::new(\"vibe\"",
        "rt::Field::new(\"fee\",rt::Type::Number)",
        "\"withdrawn\"",
    ] {
        assert!(all.contains(fact), "{fact}");
    }
}
