//! Compares what a run makes with what is committed.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use similar::{ChangeTag, TextDiff};

use crate::regen::stale;

/// Lines of a diff that are shown; the rest is counted.
const SHOWN: usize = 40;

/// What differs: the first file with a short diff, the others by name. `None` when nothing does.
pub fn drift(base: &Path, files: &BTreeMap<PathBuf, String>) -> Option<String> {
    let changed: Vec<_> = files
        .iter()
        .filter_map(|(path, made)| {
            let known = fs::read_to_string(base.join(path)).unwrap_or_default();
            (known != *made).then_some((path, known, made))
        })
        .collect();
    let stale = stale(base, files);
    if changed.is_empty() && stale.is_empty() {
        return None;
    }

    let mut text = String::from("The generated code is not what the descriptions make of it.\n");
    if let Some((path, known, made)) = changed.first() {
        text.push_str(&short_diff(path, known, made));
    }
    for (path, ..) in changed.iter().skip(1) {
        text.push_str(&format!("also differs: {}\n", path.display()));
    }
    for path in stale {
        text.push_str(&format!("no longer made: {}\n", path.display()));
    }

    text.push_str("Run `cargo xtask regen` and commit what it writes.");
    Some(text)
}

fn short_diff(path: &Path, known: &str, made: &str) -> String {
    let diff = TextDiff::from_lines(known, made);
    let mut text = format!("--- {0} (committed)\n+++ {0} (made now)\n", path.display());
    let lines: Vec<String> = diff
        .iter_all_changes()
        .filter(|change| change.tag() != ChangeTag::Equal)
        .map(|change| {
            let number = change.new_index().or(change.old_index()).map_or(0, |index| index + 1);
            format!("{number:>6} {}{}", change.tag(), change.value().trim_end())
        })
        .collect();
    for line in lines.iter().take(SHOWN) {
        text.push_str(line);
        text.push('\n');
    }
    if lines.len() > SHOWN {
        text.push_str(&format!("       … and {} more lines\n", lines.len() - SHOWN));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_diff_is_short_and_says_what_to_run() {
        let base = Path::new(env!("CARGO_MANIFEST_DIR"));
        let manifest = fs::read_to_string(base.join("Cargo.toml")).unwrap();
        let same = BTreeMap::from([(PathBuf::from("Cargo.toml"), manifest.clone())]);
        assert_eq!(drift(base, &same), None);
        let changed = manifest.replace("name = \"xtask\"", "name = \"ytask\"");
        let seen = drift(base, &BTreeMap::from([(PathBuf::from("Cargo.toml"), changed)])).unwrap();
        insta::assert_snapshot!(seen, @r#"
        The generated code is not what the descriptions make of it.
        --- Cargo.toml (committed)
        +++ Cargo.toml (made now)
             2 -name = "xtask"
             2 +name = "ytask"
        Run `cargo xtask regen` and commit what it writes.
        "#);
    }
}
