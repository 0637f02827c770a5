//! `cargo xtask measure`: what the generated client costs, beside what it would cost.
//!
//! Everything is measured in one run on one machine, so that the figures can be compared with each
//! other whatever else they depend on. Incremental compilation is off: it would measure what rustc
//! remembers of the last run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::fault::{Fault, Result};
use crate::{lower, regen};

/// Runs of each warm measurement; the median counts.
const RUNS: usize = 3;
/// The domain that stands for one tag alone.
const TAG: &str = "market";

/// Measures, writes `docs/measurements.md` below the root and gives its text.
pub fn measure() -> Result<String> {
    let root = regen::root();
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    let work = target.join("measure");
    let output = regen::published()?;
    let theirs = untreated(&work.join("untreated"), &output.plain)?;
    let operations = output.model.operations.len();
    let our_lines: usize = output.sources.values().map(|text| text.lines().count()).sum();
    let ours = work.join("api");
    regen::write(Path::new(""), &regen::crate_of(&ours, output)?)?;

    let load_before = load();
    let full = warm(&ours, &[])?;
    let tag = warm(&ours, &["--no-default-features", "--features", TAG])?;
    let other = warm(&work.join("untreated"), &[])?;
    let with_client = cold(&work.join("with-client"), &with_client(&root), WITH_CLIENT)?;
    let bare = cold(&work.join("bare"), BARE_MANIFEST, BARE)?;
    let (version, load_after) = (rustc_version()?, load());

    let row = |what: &str, ours: f64, theirs: f64, target: f64, unit: &str| {
        let share = ours / theirs;
        let verdict = if share <= target { "met" } else { "missed" };
        format!(
            "| {what} | {ours:.1}{unit} | {theirs:.1}{unit} | {share:.2} | {target:.2} | {verdict} |\n"
        )
    };
    let mut text = format!(
        "# Measurements\n\n\
         Written by `cargo xtask measure`. {operations} operations; {version}; {} cores; load average \
         {load_before} before, {load_after} after.\n\n\
         The untreated client is what the external generator makes in builder style of the \
         description after the passes that it needs to take it at all. Seconds are those of \
         `cargo check` of the crate alone, its dependencies checked before, not incremental, median of \
         {RUNS}; for the programs, of the whole from an empty target folder.\n\n\
         | what | this | beside | share | at most | |\n|---|---|---|---|---|---|\n",
        std::thread::available_parallelism().map_or(1, usize::from),
    );
    text.push_str(&row(
        "lines, whole client / untreated",
        our_lines as f64 / 1000.0,
        theirs as f64 / 1000.0,
        0.5,
        " k",
    ));
    text.push_str(&row("check, whole client / untreated", full, other, 0.5, " s"));
    text.push_str(&row(&format!("check, `{TAG}` alone / whole client"), tag, full, 0.2, " s"));
    text.push_str(&row(
        "cold check, program on one domain / on bare reqwest",
        with_client,
        bare,
        1.25,
        " s",
    ));
    let path = root.join("docs/measurements.md");
    regen::write(Path::new(""), &BTreeMap::from([(path, text.clone())]))?;
    Ok(text)
}

/// Writes the crate of the external generator's whole output; gives its lines.
fn untreated(dir: &Path, plain: &serde_json::Value) -> Result<usize> {
    let tokens = lower::untreated(plain)?;
    let file: syn::File = syn::parse2(tokens)
        .map_err(|error| Fault::at("", error.to_string(), "the generator's output is no Rust"))?;
    let text = prettyplease::unparse(&file);
    let lines = text.lines().count();
    program(dir, UNTREATED_MANIFEST, "lib.rs", &text)?;
    Ok(lines)
}

fn program(dir: &Path, manifest: &str, name: &str, source: &str) -> Result<()> {
    let files = BTreeMap::from([
        (dir.join("Cargo.toml"), manifest.to_owned()),
        (dir.join("src").join(name), source.to_owned()),
    ]);
    regen::write(Path::new(""), &files).map(|_| ())
}

/// Median seconds of checking the crate in `dir` when only its own source is new.
fn warm(dir: &Path, features: &[&str]) -> Result<f64> {
    check(dir, features)?;
    let mut seconds = Vec::new();
    for _ in 0..RUNS {
        let source = dir.join("src/lib.rs");
        let fault =
            |error: std::io::Error| Fault::file(&source, error.to_string(), "measure again");
        let text = fs::read(&source).map_err(fault)?;
        fs::write(&source, text).map_err(fault)?;
        seconds.push(check(dir, features)?);
    }
    seconds.sort_by(f64::total_cmp);
    Ok(seconds[RUNS / 2])
}

/// Seconds of checking a program and all it depends on from nothing.
fn cold(dir: &Path, manifest: &str, source: &str) -> Result<f64> {
    program(dir, manifest, "main.rs", source)?;
    cargo(dir, &["fetch"])?;
    let target = dir.join("target");
    if target.exists() {
        fs::remove_dir_all(&target)
            .map_err(|error| Fault::file(&target, error.to_string(), "remove it by hand"))?;
    }
    check(dir, &[])
}

fn check(dir: &Path, features: &[&str]) -> Result<f64> {
    let start = Instant::now();
    cargo(dir, &[&["check"], features].concat())?;
    Ok(start.elapsed().as_secs_f64())
}

fn cargo(dir: &Path, arguments: &[&str]) -> Result<()> {
    let done = Command::new("cargo")
        .args(arguments)
        .arg("--quiet")
        .current_dir(dir)
        .env("CARGO_TARGET_DIR", dir.join("target"))
        .env("CARGO_INCREMENTAL", "0")
        .output()
        .map_err(|error| Fault::file(dir, error.to_string(), "cargo must be on the path"))?;
    if done.status.success() {
        return Ok(());
    }
    let told = String::from_utf8_lossy(&done.stderr);
    let first = told.lines().take(12).collect::<Vec<_>>().join("\n");
    Err(Fault::file(dir, format!("cargo {} failed:\n{first}", arguments.join(" ")), "run it there"))
}

fn rustc_version() -> Result<String> {
    let done = Command::new("rustc").arg("--version").output();
    let done = done.map_err(|error| {
        Fault::file(Path::new("rustc"), error.to_string(), "it must be on the path")
    })?;
    Ok(String::from_utf8_lossy(&done.stdout).trim().to_owned())
}

/// The load average of the last minute, where the system tells.
fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split_whitespace().next().unwrap_or("unknown").to_owned()
}

const UNTREATED_MANIFEST: &str = r#"[package]
name = "untreated"
version = "0.0.0"
edition = "2021"

[dependencies]
bytes = "1"
futures-core = "0.3"
progenitor-client = "=0.15.1"
reqwest = { version = "0.13", default-features = false, features = ["json", "query", "stream"] }
serde = { version = "1", features = ["derive"] }
serde_json = "1"

[workspace]
"#;

const BARE_MANIFEST: &str = r#"[package]
name = "bare"
version = "0.0.0"
edition = "2024"

[dependencies]
reqwest = { version = "0.13", features = ["json", "query"] }
serde = { version = "1", features = ["derive"] }
tokio = { version = "1", features = ["macros", "rt-multi-thread"] }

[workspace]
"#;

/// The same call by hand.
const BARE: &str = r#"#[derive(serde::Deserialize)]
struct Answer {
    data: Vec<Point>,
}

#[derive(serde::Deserialize)]
struct Point {
    timestamp: i64,
    value: f64,
}

#[tokio::main]
async fn main() -> Result<(), reqwest::Error> {
    let answer: Answer = reqwest::Client::new()
        .get("http://127.0.0.1/gateway/v1/market/price")
        .bearer_auth(std::env::var("CRYPTO_INTEL_API_KEY").unwrap_or_default())
        .query(&[("symbol", "BTC"), ("time_range", "30d")])
        .send()
        .await?
        .error_for_status()?
        .json()
        .await?;
    for point in answer.data {
        println!("{} {}", point.timestamp, point.value);
    }
    Ok(())
}
"#;

fn with_client(root: &Path) -> String {
    format!(
        r#"[package]
name = "with-client"
version = "0.0.0"
edition = "2024"

[dependencies]
crypto-intel = {{ path = {:?}, default-features = false, features = [{TAG:?}, "rustls"] }}
tokio = {{ version = "1", features = ["macros", "rt-multi-thread"] }}

[workspace]
"#,
        root.join("crates/client").display().to_string()
    )
}

const WITH_CLIENT: &str = r#"use crypto_intel::Client;

#[tokio::main]
async fn main() -> Result<(), crypto_intel::Error> {
    let client = Client::from_env()?;
    let answer = client.market_price("BTC").time_range("30d").await?;
    for point in &answer.data {
        println!("{point:?}");
    }
    Ok(())
}
"#;
