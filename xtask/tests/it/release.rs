//! Runs the release checks on the repository itself.

use std::fs;
use std::path::Path;

use xtask::{regen, release};

#[test]
fn repository_has_no_contradiction() {
    let findings = release::check(&regen::root()).expect("the files of a release");
    assert!(findings.wrong.is_empty(), "{}", findings.report());
}

#[test]
fn fill_writes_the_facts_into_each_manifest_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    for name in [
        "release.toml",
        "Cargo.toml",
        "CODE_OF_CONDUCT.md",
        "server.json",
        "python/pyproject.toml",
        "crates/core/Cargo.toml",
    ] {
        copy(name, root);
    }
    let refused = release::fill(root).expect_err("the facts are empty").to_string();
    assert!(refused.contains("repository"), "{refused}");

    let facts = "repository = \"https://code.example/o/r\"\nowner = \"@o\"\nconduct = \"c@code.example\"\n\
                 mcp_name = \"example.code/r\"\n";
    fs::write(root.join("release.toml"), facts).expect("written");
    let written = release::fill(root).expect("all facts are there");

    assert_eq!(written.len(), 6);
    let address = "repository = \"https://code.example/o/r\"";
    let count = |name: &str, words: &str| {
        fs::read_to_string(root.join(name)).expect("a file").matches(words).count()
    };
    assert_eq!(count("Cargo.toml", address), 1);
    assert_eq!(count("crates/core/Cargo.toml", "repository.workspace = true"), 1);
    assert_eq!(count("python/pyproject.toml", "https://code.example/o/r"), 1);
    assert_eq!(count("server.json", "https://code.example/o/r"), 1);
    assert_eq!(count("server.json", "example.code/r"), 1);
    assert_eq!(count("CODEOWNERS", "* @o"), 1);
    assert_eq!(count("CODE_OF_CONDUCT.md", "CONTACT"), 0);

    let refused = release::fill(root).expect_err("the data was copied").to_string();
    assert!(refused.contains("already contains the data"), "{refused}");
    assert_eq!(count("Cargo.toml", address), 1);
}

fn copy(name: &str, root: &Path) {
    let target = root.join(name);
    fs::create_dir_all(target.parent().expect("a folder")).expect("made");
    fs::copy(regen::root().join(name), target).expect("copied");
}
