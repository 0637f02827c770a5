//! Tests of the skill package.

use crypto_intel::catalogue::{OPERATIONS, Operation};
use crypto_intel_mcp::skill::{files, install};

/// Returns an example command for these tests. The command need not work, because the tests never run it.
fn example(operation: &Operation) -> Option<String> {
    Some(format!("cintel {} …", operation.id))
}

#[test]
fn the_skill_is_as_reviewed_and_short() {
    let files = files(example);
    let skill = &files[0];
    assert_eq!(skill.path, "SKILL.md");
    assert!(skill.text.lines().count() < 300);
    insta::assert_snapshot!("skill", skill.text);

    let fund = files.iter().find(|file| file.path == "references/fund.md").expect("a reference");
    insta::assert_snapshot!("reference", fund.text);
}

#[test]
fn every_operation_and_each_of_its_parameters_is_in_a_reference() {
    let files = files(example);
    for operation in OPERATIONS {
        let heading = format!("## {}\n", operation.id);
        let file = files.iter().find(|file| file.text.contains(&heading));
        let file = file.unwrap_or_else(|| panic!("{} is nowhere", operation.id));
        let section = file.text.split(&heading).nth(1).expect("a section");
        for param in operation.params.iter().filter(|param| param.required) {
            assert!(section.contains(&format!("`{}`", param.name)), "{}", operation.id);
        }
    }
    // The skill links to every reference.
    for file in &files[1..] {
        assert!(files[0].text.contains(&format!("({})", file.path)), "{}", file.path);
    }
}

#[test]
fn it_is_installed_again_but_never_over_files_of_somebody_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let written = install(folder.path(), example).expect("installed");
    assert_eq!(written.len(), files(example).len());
    assert_eq!(install(folder.path(), example).expect("installed again"), written);

    std::fs::write(&written[3], "my own notes").expect("written");
    std::fs::remove_file(&written[0]).expect("removed");
    assert!(install(folder.path(), example).is_err());
    assert_eq!(std::fs::read_to_string(&written[3]).expect("kept"), "my own notes");
    assert!(!written[0].exists(), "nothing is written when something is in the way");
}
