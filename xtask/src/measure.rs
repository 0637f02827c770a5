//! `cargo xtask measure`: compares compile times of the generated client with those of the external generator's
//! output.
//!
//! All measurements run on one machine in one run, so their ratios are meaningful. Incremental
//! compilation is off, since it would measure the compiler's cache.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::fault::{Fault, Faults, Result};
use crate::{progenitor, regen};

/// Number of runs per warm measurement. The median is used.
const RUNS: usize = 3;
/// Domain for measurements of a single tag.
const TAG: &str = "market";

/// Measures, writes `docs/measurements.md` and returns its text.
pub fn measure() -> Result<String> {
    let root = regen::root();
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    let work = target.join("measure");
    let told =
        |faults: Faults| Fault::file(&root, faults.to_string(), "`cargo xtask regen` tells more");
    let output = regen::published().map_err(told)?;
    let plain = regen::plain().map_err(told)?;
    let theirs = untreated(&work.join("untreated"), &plain)?;
    let operations = output.model.operations.len();
    let our_lines: usize = output.sources.values().map(|text| text.lines().count()).sum();
    let ours = work.join("api");
    regen::write(Path::new(""), &regen::crate_files(&ours, output)?)?;

    let load_before = load();
    let alone = ["--no-default-features", "--features", TAG];
    let [full, tag, other] =
        warm([(&ours, &[][..]), (&ours, &alone), (&work.join("untreated"), &[])])?;
    let with_client = cold(&work.join("with-client"), &with_client(&root), WITH_CLIENT)?;
    let bare = cold(&work.join("bare"), BARE_MANIFEST, BARE)?;
    let (version, load_after) = (rustc_version()?, load());

    let mut text = format!(
        "# Measurements\n\n\
         Written by `cargo xtask measure`. {operations} operations; {version}; {} cores; load average \
         {load_before} before, {load_after} after.\n\n\
         The untreated client is what the external generator makes in builder style of the \
         description after the passes that it needs to take it at all: {} lines, of which this \
         client has {} ({:.2}, at most 0.50).\n\n\
         Seconds are those of `cargo check`, not incremental. Of a client: the crate alone, its \
         dependencies checked before, median of {RUNS} rounds that take turns. Of a program: the whole \
         from an empty target folder. CPU seconds decide, because they depend less on what else the \
         machine does than the clock; on a quiet machine the two shares agree.\n\n\
         | `cargo check` of | CPU | clock | beside | CPU | clock | share | by clock | at most | |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
        std::thread::available_parallelism().map_or(1, usize::from),
        theirs,
        our_lines,
        our_lines as f64 / theirs as f64,
    );
    for (what, ours, beside, theirs, target) in [
        ("the whole client", full, "the untreated client", other, 0.5),
        ("one domain of it", tag, "the whole client", full, 0.2),
        ("a program on one domain", with_client, "the same on bare reqwest", bare, 1.25),
    ] {
        let share = ours.cpu / theirs.cpu;
        text.push_str(&format!(
            "| {what} | {:.1} s | {:.1} s | {beside} | {:.1} s | {:.1} s | {share:.2} | {:.2} | {target:.2} | {} |\n",
            ours.cpu,
            ours.clock,
            theirs.cpu,
            theirs.clock,
            ours.clock / theirs.clock,
            if share <= target { "met" } else { "missed" },
        ));
    }
    let path = root.join("docs/measurements.md");
    regen::write(Path::new(""), &BTreeMap::from([(path, text.clone())]))?;
    Ok(text)
}

/// Writes a crate with the external generator's output. Returns its number of lines.
fn untreated(dir: &Path, plain: &serde_json::Value) -> Result<usize> {
    let tokens = progenitor::untreated(plain)?;
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

/// Seconds of one check.
#[derive(Clone, Copy)]
struct Seconds {
    clock: f64,
    cpu: f64,
}

/// Medians of checking each crate when only its own source is new. The runs of the crates alternate, so that other
/// load on the machine affects them equally.
fn warm<const N: usize>(crates: [(&Path, &[&str]); N]) -> Result<[Seconds; N]> {
    for (dir, features) in crates {
        check(dir, features)?;
    }

    let mut seen: [Vec<Seconds>; N] = std::array::from_fn(|_| Vec::new());
    for _ in 0..RUNS {
        for ((dir, features), seen) in crates.iter().zip(&mut seen) {
            let source = dir.join("src/lib.rs");
            let fault =
                |error: std::io::Error| Fault::file(&source, error.to_string(), "measure again");
            let text = fs::read(&source).map_err(fault)?;
            fs::write(&source, text).map_err(fault)?;
            seen.push(check(dir, features)?);
        }
    }

    Ok(seen.map(|runs| {
        let median = |of: fn(&Seconds) -> f64| {
            let mut figures: Vec<f64> = runs.iter().map(of).collect();
            figures.sort_by(f64::total_cmp);
            figures[RUNS / 2]
        };
        Seconds { clock: median(|run| run.clock), cpu: median(|run| run.cpu) }
    }))
}

/// Measures the check of a program and all its dependencies from an empty target folder.
fn cold(dir: &Path, manifest: &str, source: &str) -> Result<Seconds> {
    program(dir, manifest, "main.rs", source)?;
    cargo(dir, &["fetch"])?;
    let target = dir.join("target");
    if target.exists() {
        fs::remove_dir_all(&target)
            .map_err(|error| Fault::file(&target, error.to_string(), "remove it by hand"))?;
    }
    check(dir, &[])
}

fn check(dir: &Path, features: &[&str]) -> Result<Seconds> {
    let (start, before) = (Instant::now(), cpu());
    cargo(dir, &[&["check"], features].concat())?;
    let clock = start.elapsed().as_secs_f64();
    // On systems without CPU times, wall-clock time is used.
    let cpu = before.zip(cpu()).map_or(clock, |(before, after)| after - before);
    Ok(Seconds { clock, cpu })
}

/// CPU seconds of this process's finished children, on Linux.
fn cpu() -> Option<f64> {
    /// `USER_HZ`, which is the same on every Linux architecture that Rust supports.
    const TICKS: f64 = 100.0;
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // After the name in parentheses, which may contain blanks, come `cutime` and `cstime`.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let field = |index: usize| fields.get(index)?.parse::<f64>().ok();
    Some((field(13)? + field(14)?) / TICKS)
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

/// Load average of the last minute, if the system reports it.
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

/// A call that is written by hand.
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
