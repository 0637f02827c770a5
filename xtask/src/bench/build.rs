//! Writes small crates, compiles them with cargo, and measures the compile time in seconds.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::fault::{Fault, Result};
use crate::regen;

/// Writes a crate with a single source file.
pub(super) fn program(dir: &Path, manifest: &str, name: &str, source: &str) -> Result<()> {
    let files = BTreeMap::from([
        (dir.join("Cargo.toml"), manifest.to_owned()),
        (dir.join("src").join(name), source.to_owned()),
    ]);
    regen::write(Path::new(""), &files).map(|_| ())
}

/// Prepares the crate for a measured build: downloads missing dependencies, and removes all compiled files. The
/// measured time then contains no downloads, and cargo compiles every file.
pub(super) fn empty(dir: &Path) -> Result<()> {
    cargo(dir, &["fetch"], false)?;
    let target = dir.join("target");
    if target.exists() {
        fs::remove_dir_all(&target).map_err(|error| {
            Fault::file(&target, error.to_string(), "remove the folder by hand")
        })?;
    }
    Ok(())
}

/// Sets the modification time of a source file to now.
pub(super) fn touch(source: &Path) -> Result<()> {
    let fault = |error: std::io::Error| {
        Fault::file(
            source,
            error.to_string(),
            "run the benchmark \
    again",
        )
    };
    let text = fs::read(source).map_err(fault)?;
    fs::write(source, text).map_err(fault)
}

/// Runs cargo. Returns the CPU seconds (user and system) of cargo and all its child processes, because other programs
/// on the machine change the elapsed time more than the CPU time. If the CPU time is unknown, returns the elapsed
/// seconds.
pub(super) fn timed(dir: &Path, arguments: &[&str], incremental: bool) -> Result<f64> {
    let (start, before) = (Instant::now(), cpu());
    cargo(dir, arguments, incremental)?;
    let clock = start.elapsed().as_secs_f64();
    Ok(before.zip(cpu()).map_or(clock, |(before, after)| after - before))
}

/// Returns the CPU seconds of all finished child processes. Returns `None` outside Linux.
fn cpu() -> Option<f64> {
    /// Value of `USER_HZ`: clock ticks per second. It is the same on every architecture of Linux that Rust supports.
    const TICKS: f64 = 100.0;
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // Skips the process name in parentheses, which may contain spaces. The fields 13 and 14 after it, counted from 0,
    // are `cutime` and `cstime`.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let field = |index: usize| fields.get(index)?.parse::<f64>().ok();
    Some((field(13)? + field(14)?) / TICKS)
}

/// Runs cargo in a crate's folder. The target folder is inside the crate's folder. Returns the standard output.
pub(super) fn cargo(dir: &Path, arguments: &[&str], incremental: bool) -> Result<String> {
    let mut command = Command::new("cargo");
    command.args(arguments).arg("--quiet").current_dir(dir);
    command.env("CARGO_TARGET_DIR", dir.join("target"));
    command.env("CARGO_INCREMENTAL", if incremental { "1" } else { "0" });
    run(&mut command, dir)
}

/// Runs a command and returns its standard output. If the command fails, the error contains the last lines of its
/// standard error.
pub(super) fn run(command: &mut Command, place: &Path) -> Result<String> {
    let name = format!("{command:?}");
    let done = command.output().map_err(|error| {
        Fault::file(place, format!("{name}: {error}"), "install the program in a folder of `PATH`")
    })?;
    if done.status.success() {
        return Ok(String::from_utf8_lossy(&done.stdout).into_owned());
    }
    let told = String::from_utf8_lossy(&done.stderr);
    let lines: Vec<&str> = told.lines().collect();
    let last = lines[lines.len().saturating_sub(12)..].join("\n");
    let reason = format!("{name} failed:\n{last}");
    Err(Fault::file(place, reason, "run the command in the folder to see its whole output"))
}
