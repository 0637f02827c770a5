//! Tests the class (breaking, additive, …) that the generator assigns to a change of the OpenAPI documents. The crate
//! `public-api` compares the compiled public APIs before and after the change. The result of this comparison must agree
//! with the class.
//!
//! The code generated after each test change is a module of one common crate, so that rustdoc runs only once.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::process::Command;

use serde::Deserialize;
use tempfile::TempDir;
use xtask::diff::{Class, diff};
use xtask::regen;

use crate::changes::{EDITS, Version};
use crate::corpus::{module_of, write_crate};

/// Version of rustdoc's JSON format. The release of the crate `public-api` in `xtask/Cargo.toml` reads only this
/// version of the format.
const FORMAT: u64 = 57;

/// Operations that the edits of this test change. To save time, the test compiles only the code of these operations.
const OPERATIONS: &[&str] = &[
    "dex-token-price",
    "market-fear-greed",
    "market-price",
    "onchain-gas-price",
    "responses",
    "search-airdrop",
    "social-detail",
    "social-tweet-replies",
    "social-user-followers",
    "social-user-replies",
    "token-holders",
];

/// Names of the [`EDITS`] for which `diff` and the comparison of the compiled APIs disagree. For example, `diff`
/// reports an addition, but the compiled APIs are equal. The second text of an entry is the reason.
const DISAGREEMENTS: &[(&str, &str)] = &[(
    "a value more that others know",
    "the operation takes one more value of an enum that had it already: new to the caller, and no new type",
)];

/// Difference between the compiled public APIs before and after a change.
#[derive(Debug, PartialEq, Eq)]
enum Sees {
    Removal,
    Addition,
    Nothing,
}

/// Part of a file of rustdoc's JSON format. The file has about 150 MB, so this test parses it as a whole only once.
#[derive(Deserialize)]
struct Document {
    format_version: u64,
}

#[test]
fn classes_agree_with_what_the_compiler_sees() {
    let base = Version::committed().only(OPERATIONS);
    let before = base.facts();
    let dir = TempDir::new().unwrap();
    let (mut features, mut modules) = (BTreeSet::new(), String::new());
    let mut classes = Vec::new();
    let mut add = |index: usize, version: &Version| {
        let documents = vec![version.data.clone(), version.chat.clone()];
        let output = regen::run_in_memory(documents, Some(&version.overlay));
        let output = output.unwrap_or_else(|faults| panic!("{faults}"));
        features.extend(output.model.tags.iter().map(|tag| tag.feature()));
        module_of(dir.path(), &format!("v{index}"), output);
        modules.push_str(&format!("#[allow(missing_docs)]\npub mod v{index};\n"));
    };

    add(0, &base);
    for (index, (what, edit)) in EDITS.iter().enumerate() {
        let mut version = base.clone();
        edit(&mut version);
        add(index + 1, &version);
        let difference = diff(&before, &version.facts());
        classes.push((*what, difference.heaviest()));
    }
    write_crate(dir.path(), &features, &modules, "");

    let Some(apis) = apis(dir.path()) else { return };
    assert_eq!(apis.len(), EDITS.len() + 1);

    let mut wrong = Vec::new();
    let mut seen = 0;
    for (index, (what, class)) in classes.into_iter().enumerate() {
        let (old, new) = (&apis["v0"], &apis[&format!("v{}", index + 1)]);
        let sees = if old.difference(new).next().is_some() {
            Sees::Removal
        } else if new.difference(old).next().is_some() {
            Sees::Addition
        } else {
            Sees::Nothing
        };
        seen += usize::from(sees != Sees::Nothing);

        let agrees = match class {
            Some(Class::Breaking) => sees == Sees::Removal,
            Some(Class::Additive) => sees == Sees::Addition,
            // The compiled API does not contain the effect, cost or documentation of a call.
            Some(Class::Behaviour | Class::Docs) | None => sees == Sees::Nothing,
        };

        let known = DISAGREEMENTS.iter().find(|(edit, _)| *edit == what);
        // An expected disagreement that no longer exists is a failure too.
        if agrees == known.is_some() {
            let gone: Vec<_> = old.difference(new).take(5).collect();
            let came: Vec<_> = new.difference(old).take(5).collect();
            let why = known.map_or("", |(_, why)| *why);
            wrong.push(format!(
                "{what}: {class:?}, and it sees {sees:?} {why}\n-{gone:#?}\n+{came:#?}"
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen >= 20, "it sees only {seen} of the changes");
}

/// Returns the public items of each module of the crate in the folder `dir`. The items do not contain the module's
/// name, so that items of different modules can be compared. Returns `None` if the installed rustdoc writes JSON in
/// another format version than [`FORMAT`].
fn apis(dir: &std::path::Path) -> Option<BTreeMap<String, BTreeSet<String>>> {
    let target = concat!(env!("CARGO_TARGET_TMPDIR"), "/public-api");
    let done = Command::new(env!("CARGO"))
        .args(["rustdoc", "--quiet", "--offline", "--lib", "--all-features", "--"])
        .args(["-Zunstable-options", "--output-format", "json", "--cap-lints", "allow"])
        .current_dir(dir)
        .env("CARGO_TARGET_DIR", target)
        // The format is not stable, so its version is checked below.
        .env("RUSTC_BOOTSTRAP", "1")
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));

    let path = format!("{target}/doc/corpus.json");
    let Document { format_version } = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    if format_version != FORMAT {
        // Written directly to the error output, because the test runner hides the output of passing tests.
        let told = format!(
            "SKIPPED: rustdoc's JSON has format {format_version}, `public-api` reads {FORMAT}\n"
        );
        std::io::stderr().write_all(told.as_bytes()).unwrap();
        return None;
    }

    let api = public_api::Builder::from_rustdoc_json(path)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()
        .unwrap();
    let mut apis: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for item in api.items() {
        let item = item.to_string();
        let Some((_, rest)) = item.split_once("corpus::") else { continue };
        let module: String = rest.chars().take_while(char::is_ascii_alphanumeric).collect();
        let plain = item.replace(&format!("corpus::{module}"), "corpus");
        apis.entry(module).or_default().insert(plain);
    }
    Some(apis)
}
