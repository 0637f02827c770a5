//! Tests of `cargo xtask regen --check` on a copy of the repository. The output must contain the differing files,
//! the cause of the difference, and the command that resolves it.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;
use xtask::regen;

/// Files and folders that `cargo xtask regen` reads or writes.
const PARTS: &[&str] = &[
    "Cargo.lock",
    "crates/api/Cargo.toml",
    "crates/api/src",
    "crates/client/Cargo.toml",
    "crates/client/src/domains.md",
    "docs/reference",
    "spec",
    "tests/client/it/generated/reference.rs",
    "xtask/src",
];

fn copy(from: &Path, to: &Path) {
    if from.is_dir() {
        for entry in fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            copy(&entry.path(), &to.join(entry.file_name()));
        }
    } else {
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(from, to).unwrap();
    }
}

struct Repository(TempDir);

impl Repository {
    fn new() -> Self {
        let dir = TempDir::new().unwrap();
        for part in PARTS {
            copy(&regen::root().join(part), &dir.path().join(part));
        }
        Repository(dir)
    }

    /// Runs `cargo xtask` with the arguments. Returns the exit status and the error output.
    fn run(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let done = Command::new(env!("CARGO_BIN_EXE_xtask"))
            .args(arguments)
            .current_dir(self.0.path())
            .output()
            .unwrap();
        (done.status.code(), String::from_utf8(done.stderr).unwrap())
    }

    fn check(&self) -> (Option<i32>, String) {
        self.run(&["regen", "--check"])
    }

    /// Replaces the first `old` in a file by `new`. Returns the line number of the replaced text.
    fn edit(&self, file: &str, old: &str, new: &str) -> usize {
        let path = self.0.path().join(file);
        let text = fs::read_to_string(&path).unwrap();
        let at = text.find(old).unwrap_or_else(|| panic!("no `{old}` in {file}"));
        fs::write(&path, text.replacen(old, new, 1)).unwrap();
        text[..at].lines().count()
    }
}

/// Tests the output of `regen --check` in several cases. All cases use one copy of the repository. Each further copy
/// would need a further run of `regen --check`, which takes several seconds.
#[test]
fn a_check_names_what_differs_and_why() {
    let repository = Repository::new();
    assert_eq!(repository.check(), (Some(0), String::new()));

    // Manual edits: code, a page, and the generated lines of a manifest.
    let code = "crates/api/src/generated/market.rs";
    let page = "docs/reference/market.md";
    let manifest = "crates/api/Cargo.toml";
    let line = repository.edit(code, "pub fn market_price(", "pub fn market_prices(");
    let page_line = repository.edit(page, "## market-etf\n", "## The ETF\n");
    repository.edit(manifest, "market = [", "markets = [");
    let (code_of, told) = repository.check();
    assert_eq!(code_of, Some(1));
    assert!(
        told.contains(&format!("- {code}:{line}: somebody wrote `pub fn market_prices(")),
        "{told}"
    );
    assert!(
        told.contains(&format!("- {page}:{}: somebody wrote `## The ETF`", page_line + 1)),
        "{told}"
    );
    assert!(told.contains(&format!("- {manifest}:")), "{told}");
    assert!(told.contains("Run `cargo xtask regen` and commit the written files."), "{told}");
    for other in ["- the OpenAPI document", "- the overlay", "- the generator"] {
        assert!(!told.contains(other), "{told}");
    }
    assert_eq!(repository.run(&["regen"]).0, Some(0));
    assert_eq!(repository.check(), (Some(0), String::new()));

    // The message names the changed input: the OpenAPI document, the overlay or the generator.
    let document = "spec/data.openapi.json";
    repository.edit(document, "\"Token price history\"", "\"Price history of a token\"");
    let told = repository.check().1;
    assert!(told.contains(&format!("- the OpenAPI document {document} changed\n")), "{told}");
    assert!(!told.contains("- the overlay") && !told.contains("somebody"), "{told}");
    repository.edit(regen::OVERLAY, "x-free-window: 180", "x-free-window: 120");
    repository.edit("xtask/src/lib.rs", "//! Development", "//! The development");
    let (code_of, told) = repository.check();
    assert_eq!(code_of, Some(1));
    assert!(told.contains(&format!("- the overlay {} changed\n", regen::OVERLAY)), "{told}");
    assert!(told.contains("- the generator changed: its sources in xtask/src differ\n"), "{told}");

    // The check fails if an overlay action matches nothing or contradicts the OpenAPI document.
    let overlay = fs::read_to_string(repository.0.path().join(regen::OVERLAY)).unwrap();
    let lines = overlay.lines().count();
    let more = "  - target: $.paths['/gateway/v1/market/price'].get\n    update: {summary: Prices}\n  \
                - target: $.paths['/gateway/v1/gone'].get\n    update: {x-credits: 1}\n";
    fs::write(repository.0.path().join(regen::OVERLAY), overlay + more).unwrap();
    assert_eq!(repository.run(&["regen"]).0, Some(0));
    let (code_of, told) = repository.check();
    assert_eq!(code_of, Some(1), "{told}");
    assert!(
        told.contains(&format!(
            "at: line {}: $.paths['/gateway/v1/market/price'].get\n",
            lines + 1
        )),
        "{told}"
    );
    assert!(told.contains("`x-corrects: REASON`"), "{told}");
    assert!(
        told.contains(&format!("at: line {}: $.paths['/gateway/v1/gone'].get\n", lines + 3)),
        "{told}"
    );
    assert!(!told.contains("Run `cargo xtask regen`"), "{told}");

    repository.edit(
        regen::OVERLAY,
        "{summary: Prices}",
        "{summary: Prices}\n    x-corrects: shorter",
    );
    repository.edit(regen::OVERLAY, "/gateway/v1/gone", "/gateway/v1/market/price");
    assert_eq!(repository.run(&["regen"]).0, Some(0));
    let (code_of, told) = repository.check();
    // The price tier of this operation has the list price 2. This action sets another price, so it has an effect.
    assert_eq!((code_of, told.as_str()), (Some(0), ""));
}
