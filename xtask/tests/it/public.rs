//! Descriptions with which invariants are tested: those of the folder `CORPUS`, which `.ci/values` downloads. Without
//! this variable, the small descriptions of this test program.

use std::env;
use std::path::PathBuf;

use serde_json::Value;
use xtask::load;

pub(crate) fn documents() -> Vec<(String, Value)> {
    let Some(folder) = folder() else {
        let small = crate::constructs::accepted();
        return small.map(|(name, document)| (name.to_owned(), document)).collect();
    };

    let entries = folder.read_dir().unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let named = |file: &PathBuf| {
        let document = load::description(file).unwrap_or_else(|fault| panic!("{fault}"));
        (file.file_stem().unwrap().to_string_lossy().into_owned(), document)
    };
    files.iter().map(named).collect()
}

/// Returns the folder with public descriptions.
pub(crate) fn folder() -> Option<PathBuf> {
    env::var_os("CORPUS").map(PathBuf::from)
}

/// Reads a number from the environment, or returns the default.
pub(crate) fn number(name: &str, default: usize) -> usize {
    env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name}={text}")))
}
