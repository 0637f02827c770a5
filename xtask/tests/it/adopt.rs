//! Tests of `cargo xtask adopt` on a copy of the repository. Each change of an OpenAPI document must be one line
//! in the report and in the snapshots. A failed run must leave the repository unchanged.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use similar::{ChangeTag, TextDiff};
use tempfile::TempDir;
use xtask::adopt::{Adoption, Options, Words, adopt};
use xtask::diff::{self, Class, Format, show};
use xtask::{facts, regen, stale_output, tree};

use crate::changes::Version;

/// Options that skip the compilation of the workspace. `.ci/nightly` tests the compilation.
const OPTIONS: Options = Options { words: Words::Ours, compile: false };

/// Copies the files that `adopt` reads and writes to a temporary folder.
fn copy() -> TempDir {
    let dir = TempDir::new().unwrap();
    let mut open: Vec<PathBuf> =
        ["spec", "crates/api/src/generated", facts::SNAPSHOTS, "docs/reference", "xtask/src"]
            .map(PathBuf::from)
            .into();
    let mut files: Vec<PathBuf> =
        ["crates/api/Cargo.toml", "crates/client/Cargo.toml", "Cargo.lock"]
            .map(PathBuf::from)
            .into();
    let root = regen::root();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(root.join(&folder)).into_iter().flatten() {
            let path = folder.join(entry.unwrap().file_name());
            if root.join(&path).is_dir() { open.push(path) } else { files.push(path) }
        }
    }
    for path in files {
        let to = dir.path().join(&path);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(root.join(&path), to).unwrap();
    }
    dir
}

/// Returns the text of every file in a folder and its subfolders, by path.
fn read(root: &Path) -> BTreeMap<PathBuf, String> {
    let mut seen = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let text = fs::read_to_string(&path).unwrap();
                seen.insert(path.strip_prefix(root).unwrap().to_owned(), text);
            }
        }
    }
    seen
}

/// Returns the published OpenAPI document with twelve changes of different kinds.
fn next_version() -> Value {
    let mut version = Version::published();
    let param = |version: &mut Version, id: &str, name: &str, change: &dyn Fn(&mut Value)| {
        let params = version.operation(id)["parameters"].as_array_mut().unwrap();
        change(params.iter_mut().find(|param| param["name"] == name).unwrap());
    };

    // 1 and 2: a new operation, and a removed one.
    let mut mood = version.operation("market-fear-greed").clone();
    mood["operationId"] = json!("market-mood");
    version.data["paths"]["/gateway/v1/market/mood"] = json!({"get": mood});
    version.data["paths"].as_object_mut().unwrap().remove("/gateway/v1/web/fetch").unwrap();

    // 3: a new required argument.
    param(&mut version, "market-price", "currency", &|param| param["required"] = json!(true));
    // 4 and 5: a changed default and a changed bound.
    param(&mut version, "search-airdrop", "limit", &|param| param["schema"]["default"] = json!(50));
    param(&mut version, "fund-portfolio", "limit", &|param| {
        param["schema"]["maximum"] = json!(500);
    });
    // 6: an enum value that other operations accept already.
    param(&mut version, "token-holders", "chain", &|param| {
        param["schema"]["enum"].as_array_mut().unwrap().push(json!("linea"));
    });
    // 7: a deprecated parameter.
    param(&mut version, "exchange-candles", "interval", &|param| param["deprecated"] = json!(true));

    let schemas = &mut version.data["components"]["schemas"];
    // 8, 9 and 10: a new field, a field with another type, and a field with one more value.
    schemas["AirdropTaskSummary"]["properties"]["closed"] =
        json!({"type": "integer", "description": "Tasks that are over."});
    schemas["OnchainGasPriceItem"]["properties"]["gas_price"]["type"] = json!("number");
    let status = &mut schemas["AirdropTaskItem"]["properties"]["status"]["enum"];
    status.as_array_mut().unwrap().push(json!("PAUSED"));
    // 11: a changed text.
    schemas["MarketFearGreedHistoryItem"]["properties"]["value"]["description"] =
        json!("The index, from 0 (fear) to 100 (greed).");

    // 12: a renamed record.
    let text = version.data.to_string();
    assert!(text.contains("DexTokenPriceBar"));
    serde_json::from_str(&text.replace("DexTokenPriceBar", "DexCandle")).unwrap()
}

#[track_caller]
fn adopted(root: &Path, document: &Value) -> (TempDir, Adoption) {
    let beside = TempDir::new().unwrap();
    let file = beside.path().join("new.json");
    fs::write(&file, document.to_string()).unwrap();
    let adoption = adopt(root, &file, OPTIONS).unwrap_or_else(|faults| panic!("{faults}"));
    (beside, adoption)
}

/// Returns the lines that differ between two versions of the repository, for all files in a folder.
fn lines(
    before: &BTreeMap<PathBuf, String>,
    after: &BTreeMap<PathBuf, String>,
    folder: &str,
) -> String {
    let mut changed = String::new();
    for path in before.keys().chain(after.keys()).collect::<BTreeSet<_>>() {
        let text = |files: &BTreeMap<PathBuf, String>| files.get(path).cloned().unwrap_or_default();
        let (old, new) = (text(before), text(after));
        if !path.starts_with(folder) || old == new {
            continue;
        }
        changed.push_str(&format!("{}\n", path.display()));
        let difference = TextDiff::from_lines(&old, &new);
        let lines = difference.iter_all_changes().filter(|change| change.tag() != ChangeTag::Equal);
        for line in lines {
            let text: String = line.value().trim_end().chars().take(200).collect();
            changed.push_str(&format!("{}{text}\n", line.tag()));
        }
    }
    changed
}

#[test]
fn each_change_is_one_line_everywhere() {
    let repository = copy();
    let root = repository.path();
    let before = read(root);
    let (_beside, adoption) = adopted(root, &next_version());
    assert_eq!(read(root), before, "trying a description writes nothing");

    // The report. The repository's texts and record names are kept. The removed operation has two lines, because its
    // source is now an assumption.
    assert_eq!(adoption.diff.changes.len(), 11, "{:#?}", adoption.diff.changes);
    assert_eq!(adoption.renamed.len(), 2, "the row, and the list of it");
    assert_eq!(adoption.moves.withdrawn, ["web-fetch"]);
    assert_eq!(adoption.texts.changed, []);
    assert_eq!((&adoption.findings[..], &adoption.lost[..]), (&[][..], &[][..]));
    insta::assert_snapshot!("told", adoption.told(true, "0.1.0"));
    insta::assert_snapshot!("markdown", show(&adoption.diff, Format::Markdown, "0.1.0"));
    let as_json: Value =
        serde_json::from_str(&show(&adoption.diff, Format::Json, "0.1.0")).unwrap();
    assert_eq!(as_json["changes"].as_array().unwrap().len(), 11);
    let heaviest = adoption.diff.changes.iter().map(|change| change.class).max();
    assert_eq!((as_json["bump"].as_str(), heaviest), (Some("major"), Some(Class::Breaking)));

    // The snapshots.
    adoption.write(root).unwrap();
    let after = read(root);
    insta::assert_snapshot!("snapshots", lines(&before, &after, facts::SNAPSHOTS));
    // The reference.
    insta::assert_snapshot!("reference", lines(&before, &after, "docs/reference"));

    // The generator writes the same files again. The overlay has questions about the new operation.
    let made = regen::made_at(root, root).unwrap_or_else(|faults| panic!("{faults}")).files;
    assert_eq!(stale_output::explain(root, &made), None);
    let overlay = &after[Path::new(regen::OVERLAY)];
    let skeleton = overlay.strip_prefix(before[Path::new(regen::OVERLAY)].as_str()).unwrap();
    insta::assert_snapshot!("skeleton", skeleton);

    // A second adoption changes nothing.
    let (_beside, again) = adopted(root, &next_version());
    assert_eq!((again.diff.changes.len(), again.files.len()), (0, 0), "{:#?}", again.files.keys());
}

/// Tests the commented-out overlay actions that `adopt` appends for new operations. The overlay must be valid after a
/// person removes the comment marks.
#[test]
fn the_skeleton_can_be_filled_in() {
    let mut version = Version::published();
    let mut airdrop = version.operation("search-airdrop").clone();
    airdrop["operationId"] = json!("search-drops");
    let param = |name: &str| json!({"name": name, "in": "query", "description": "A.", "schema": {"type": "string"}});
    airdrop["parameters"].as_array_mut().unwrap().extend([param("slug"), param("listed_at")]);
    version.data["paths"]["/gateway/v1/search/drops"] = json!({"get": airdrop});
    let repository = copy();
    let (_beside, adoption) = adopted(repository.path(), &version.data);
    let overlay = adoption.files[Path::new(regen::OVERLAY)].as_ref().unwrap();
    let old = fs::read_to_string(repository.path().join(regen::OVERLAY)).unwrap();

    let skeleton = overlay.strip_prefix(old.as_str()).unwrap();
    let lines = skeleton.lines().filter_map(|line| line.strip_prefix("  # "));
    let actions: String = lines
        .filter(|line| line.starts_with("- target") || line.starts_with("  "))
        .map(|line| format!("  {line}\n"))
        .collect();
    let filled = TempDir::new().unwrap();
    let path = filled.path().join("overlay.yaml");
    fs::write(&path, format!("{old}{actions}")).unwrap();
    version.overlay = xtask::load::document(&path).unwrap();

    let facts = version.facts();
    let mut said = facts.lines().remove("search").unwrap();
    said.retain(|line| line.contains("search-drops"));
    assert!(said.iter().any(|line| line.contains("at least one of q, slug")), "{said:#?}");
    assert!(
        said.iter().any(|line| line.contains("listed_at") && line.contains("Moment")),
        "{said:#?}"
    );
}

#[test]
fn a_faulty_description_changes_nothing() {
    let repository = copy();
    let root = repository.path();
    let before = read(root);
    let file = root.join("new.json");

    let mut version = Version::published();
    let lost = json!({"$ref": "#/components/schemas/Nowhere"});
    version.data["components"]["schemas"]["AirdropTaskItem"]["properties"]["title"] = lost;

    let refused = |text: &str| {
        fs::write(&file, text).unwrap();
        let told = match adopt(root, &file, OPTIONS) {
            Ok(_) => panic!("a faulty description was taken"),
            Err(faults) => faults.to_string(),
        };
        fs::remove_file(&file).unwrap();
        told
    };

    let other = json!({"openapi": "3.0.0", "info": {"title": "T", "version": "1"}, "paths": {}});
    for (text, reason) in [
        ("{".to_owned(), "not JSON"),
        (other.to_string(), "no operation in common"),
        (version.data.to_string(), "Nowhere"),
    ] {
        let told = refused(&text);
        assert!(told.contains(reason) && told.contains("new.json"), "{told}");
        assert_eq!(read(root), before, "{reason}");
    }

    // The fault contains the path of the given file once, also in `cargo xtask diff`.
    let place = "at: new.json#/components/schemas/AirdropTaskItem/properties/title/$ref\n";
    let told = refused(&version.data.to_string());
    assert!(told.contains(place), "{told}");
    fs::write(&file, version.data.to_string()).unwrap();
    let published = root.join("spec/data.openapi.json");
    let pair = [&published, &file].map(|path| path.to_str().unwrap());
    let told = match diff::between(root, Some((pair[0], pair[1]))) {
        Ok(_) => panic!("a faulty description was compared"),
        Err(faults) => faults.to_string(),
    };
    assert!(told.contains(place), "{told}");
}

/// Adopts an OpenAPI document that differs in three ways. It lacks a parameter to which the overlay refers, an
/// operation has another path, and parameters are in components.
#[test]
fn facts_and_texts_follow_a_description_in_another_form() {
    let mut version = Version::published();
    let data = &mut version.data;
    let paths = data["paths"].as_object_mut().unwrap();
    let trades = &mut paths["/gateway/v1/hyperliquid/trades"]["get"]["parameters"];
    trades.as_array_mut().unwrap().retain(|parameter| parameter["name"] != "limit");
    let moved = paths.remove("/gateway/v1/search/fund").unwrap();
    paths.insert("/gateway/v2/search/fund".to_owned(), moved);
    let price = &mut paths["/gateway/v1/market/price"]["get"];
    let parameters = price["parameters"].take();
    price["parameters"] = json!([]);
    let mut shared = serde_json::Map::new();
    for (index, parameter) in parameters.as_array().unwrap().iter().enumerate() {
        let name = format!("P{index}");
        let reference = json!({"$ref": format!("#/components/parameters/{name}")});
        price["parameters"].as_array_mut().unwrap().push(reference);
        shared.insert(name, parameter.clone());
    }
    data["components"]["parameters"] = shared.into();
    data["x-brand"] = "Publisher".into();

    let repository = copy();
    let (_beside, adoption) = adopted(repository.path(), &version.data);

    let told = adoption.told(false, "0.1.0");
    let overlay = adoption.files[Path::new("spec/overlay.yaml")].clone().unwrap();
    assert!(overlay.contains(
        "target: $.paths['/gateway/v1/hyperliquid/trades'].get['x-paging']\n    remove: true"
    ));
    assert!(!overlay.contains("/gateway/v1/search/fund'"), "{overlay}");
    let fund = |line: &str| line.contains("search-fund") && !line.contains("is sent as");
    assert!(!told.lines().any(fund), "{told}");
    assert!(!told.contains("market-price"), "{told}");
    assert_eq!(adoption.texts.new, [], "texts follow");
    let written = adoption.files[Path::new("spec/data.openapi.json")].clone().unwrap();
    assert!(!written.contains("x-brand") && !written.contains("components/parameters"));
}

/// Simulates that `adopt` is killed after it changed no file, one file, half of the files, or all files except one.
/// Tests that `restore` then returns the repository to its earlier state.
#[test]
fn a_killed_run_leaves_the_tree_as_it_was() {
    let repository = copy();
    let root = repository.path();
    let before = read(root);
    let (_beside, adoption) = adopted(root, &next_version());
    for moves in [0, 1, adoption.files.len() / 2, adoption.files.len() - 1] {
        tree::write_until(root, &adoption.files, moves).unwrap();
        assert!(tree::restore(root).unwrap());
        assert_eq!(read(root), before, "after {moves} moves");
    }
}
