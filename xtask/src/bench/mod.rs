//! `cargo xtask bench`: each claim about speed, as a ratio to a peer that was measured in the same run.
//!
//! In: names of suites, or none for all. Each suite is a list of commands, or programs that are built here. Out: one
//! table, written into `docs/book/src/measurements.md`, with the command for each figure. For a suite that cannot run
//! on this machine, the reason is printed and the old rows stay.
//!
//! `rows` parses and `table` prints, both without side effects. `suites` runs the commands of other crates, `cost`
//! builds programs, and `generator` compares the generated client with the external generator's own.

mod build;
mod cost;
mod generator;
mod rows;
mod suites;
mod table;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::fault::{Fault, Result};
use crate::regen;

pub use suites::NAMES;

/// Page with the table.
const PAGE: &str = "docs/book/src/measurements.md";

/// Runs the suites, all if none is named, and writes their table. Returns the page's text.
pub fn bench(names: &[String]) -> Result<String> {
    let root = regen::root();
    let path = root.join(PAGE);
    let page = fs::read_to_string(&path)
        .map_err(|error| Fault::file(&path, error.to_string(), "restore it from git"))?;
    let mut tables = table::read(&page);

    let chosen =
        NAMES.iter().filter(|name| names.is_empty() || names.contains(&(**name).to_owned()));
    for name in chosen {
        eprintln!("measuring: {name}");
        let before = load();
        match suites::run(name, &root) {
            Ok(measured) => {
                let machine = machine(&before)?;
                tables.insert((*name).to_owned(), table::section(name, &measured, &machine));
            }
            Err(fault) => eprintln!("SKIPPED {name}: {fault}"),
        }
    }

    let text = table::written(&page, &tables)?;
    regen::write(Path::new(""), &BTreeMap::from([(path, text.clone())]))?;
    Ok(text)
}

/// Returns the compiler, processors and load, for the line above a table.
fn machine(before: &str) -> Result<String> {
    let done = Command::new("rustc").arg("--version").output().map_err(|error| {
        Fault::file(Path::new("rustc"), error.to_string(), "it must be on the path")
    })?;
    let rustc = String::from_utf8_lossy(&done.stdout).trim().to_owned();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Ok(format!("{rustc}; {cores} cores; load average {before} before, {} after", load()))
}

/// Returns the load average of the last minute, if the system reports it.
fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().next().unwrap_or("unknown").to_owned()
}
