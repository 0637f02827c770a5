//! OpenAPI documents for property tests. If the environment variable `CORPUS` contains the path of a folder, the
//! tests use the documents in this folder. `.ci/values` downloads public OpenAPI documents for this purpose. Without
//! the variable, the tests use the small documents of this test program.

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

/// Returns the folder with downloaded OpenAPI documents, if the environment variable `CORPUS` is set.
pub(crate) fn folder() -> Option<PathBuf> {
    env::var_os("CORPUS").map(PathBuf::from)
}

/// Returns the number in an environment variable, or the default if the variable is not set.
pub(crate) fn number(name: &str, default: usize) -> usize {
    env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name}={text}")))
}
