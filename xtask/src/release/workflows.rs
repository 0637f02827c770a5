//! Checks that the workflows pin each GitHub Action to a full commit hash, and not to a tag such as `v4`.

use std::collections::BTreeSet;
use std::path::Path;

use super::read;
use crate::fault::{Fault, Result};

const FOLDER: &str = ".github/workflows";

/// Returns the GitHub Actions that are pinned by a tag or branch instead of a commit, each with the path of its
/// workflow.
pub(super) fn tagged_actions(root: &Path) -> Result<Vec<String>> {
    let folder = root.join(FOLDER);
    let entries = std::fs::read_dir(&folder)
        .map_err(|error| Fault::file(&folder, error.to_string(), "a release needs this folder"))?;
    let mut found = BTreeSet::new();
    for entry in entries.flatten() {
        let name = format!("{FOLDER}/{}", entry.file_name().to_string_lossy());
        let text = read(root, &name)?;
        found.extend(unpinned(&text).map(|action| format!("{action} in {name}")));
    }
    Ok(found.into_iter().collect())
}

fn unpinned(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .filter_map(|line| line.trim().trim_start_matches("- ").strip_prefix("uses: "))
        .map(|action| action.split(" #").next().unwrap_or(action).trim())
        .filter(|action| !action.split_once('@').is_some_and(|(_, version)| is_commit(version)))
}

fn is_commit(version: &str) -> bool {
    version.len() == 40 && version.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_full_commits_count_as_pinned() {
        let text = "- uses: a/b@11bd71901bbe5b1630ceea73d27597364c9af683 # v4\n  uses: c/d@v2\n";
        assert_eq!(unpinned(text).collect::<Vec<_>>(), ["c/d@v2"]);
    }
}
