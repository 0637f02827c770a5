//! Tests how `xtask::corpus` detects the effects of a changed generator. `xtask::corpus` stores the properties of the
//! generated APIs of several OpenAPI documents. After a change of the generator, it compares them with the new
//! properties.

use serde_json::json;
use tempfile::TempDir;
use xtask::corpus;
use xtask::diff::Class;

use crate::small::thing;

/// Compares the generated APIs of the valid OpenAPI documents in `constructs.rs` with a stored snapshot. The snapshot
/// has one line per document: a hash of the document, a hash of the generated API, and counts of API items. If the hash
/// of the API changes and the hash of the document does not, a change of the generator affects users of this document.
#[test]
fn manifest_of_small_descriptions_is_as_stored() {
    let accepted = crate::constructs::accepted();
    let entries: Vec<_> = accepted.map(|(name, document)| corpus::entry(name, document)).collect();
    insta::assert_snapshot!(corpus::manifest(&entries));
}

#[test]
fn stored_facts_show_what_users_of_a_crate_notice() {
    let described =
        |schema: serde_json::Value| thing(json!({"type": "object", "properties": {"m": schema}}));
    let entry = |document| corpus::entry("thing.json", document);
    let dir = TempDir::new().unwrap();
    let before = || vec![entry(described(json!({"type": "string"})))];
    assert_eq!(corpus::store(dir.path(), before()).unwrap(), 1);
    assert!(corpus::since(dir.path(), &before()).unwrap().is_empty());

    let after = [entry(described(json!({"type": "boolean"})))];
    let changed = corpus::since(dir.path(), &after).unwrap();
    let [(name, difference)] = changed.as_slice() else { panic!("{} changes", changed.len()) };
    assert_eq!((name.as_str(), difference.heaviest()), ("thing.json", Some(Class::Breaking)));

    let manifest = dir.path().join("manifest");
    std::fs::write(&manifest, corpus::manifest(&before())).unwrap();
    assert_eq!(corpus::differences(&manifest, &before()).unwrap(), "");
    let differences = corpus::differences(&manifest, &after).unwrap();
    assert_eq!(differences.lines().map(|line| &line[..1]).collect::<String>(), "-+");
}
