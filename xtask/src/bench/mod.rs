//! `cargo xtask bench`: measures the project's claims about speed. Each result is the value of our program divided by
//! the value of another program. Both values are measured in the same run.
//!
//! The input is a list of benchmark suites, or an empty list for all suites. A suite either runs commands or builds and
//! measures programs. The output is one table per suite in `docs/book/src/measurements.md`, with the command that
//! reproduces it. If a suite cannot run on this machine, `bench` prints the reason and keeps the old table.

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

/// Path of the documentation page that contains the benchmark tables.
const PAGE: &str = "docs/book/src/measurements.md";

/// Runs the named benchmark suites, or all if `names` is empty, and writes their tables into the documentation page.
/// Returns the page's text.
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

    let text = table::page_with(&page, &tables)?;
    regen::write(Path::new(""), &BTreeMap::from([(path, text.clone())]))?;
    Ok(text)
}

/// Returns a description of the machine: compiler version, number of cores, and load average before and after the
/// measurement.
fn machine(before: &str) -> Result<String> {
    let done = Command::new("rustc").arg("--version").output().map_err(|error| {
        Fault::file(Path::new("rustc"), error.to_string(), "install `rustc` in a folder of `PATH`")
    })?;
    let rustc = String::from_utf8_lossy(&done.stdout).trim().to_owned();
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Ok(format!("{rustc}; {cores} cores; load average {before} before, {} after", load()))
}

/// Returns the load average of the last minute, or `unknown` if the system does not report it.
fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().next().unwrap_or("unknown").to_owned()
}
