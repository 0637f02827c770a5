//! Compares the generated client with the output of an external generator. For each client, measures the number of
//! lines and the time of `cargo check`.
//!
//! The external generator writes a client in builder style from the repository's OpenAPI document. It rejects the
//! unchanged document, so this crate simplifies the document first.

use std::path::Path;

use super::build;
use super::rows::Reading;
use crate::fault::{Fault, Faults, Result};
use crate::{progenitor, regen};

/// Number of measurements of `cargo check` for each crate. Each round checks all crates, so that other load of the
/// machine affects all crates equally.
const ROUNDS: usize = 3;
/// API domain for the measurement of a single domain. In this measurement, `cargo check` runs with only the Cargo
/// feature of this domain.
const DOMAIN: &str = "market";

pub(super) fn measure(root: &Path, work: &Path) -> Result<Vec<Reading>> {
    let told = |faults: Faults| {
        Fault::file(root, faults.to_string(), "run `cargo xtask regen` for details")
    };
    let output = regen::published().map_err(told)?;
    let (ours, theirs) = (work.join("api"), work.join("untreated"));
    let our_lines = lines(output.sources.values());
    let their_lines = untreated(&theirs, &regen::plain().map_err(told)?)?;
    regen::write(Path::new(""), &regen::crate_files(&ours, output)?)?;
    let mut readings = vec![Reading {
        what: "lines of the client".to_owned(),
        ours: our_lines,
        peer: "the external generator's client".to_owned(),
        theirs: their_lines,
        unit: "lines".to_owned(),
    }];

    let alone = ["check", "--no-default-features", "--features", DOMAIN];
    let check = |dir: &Path, arguments: &[&str]| {
        build::touch(&dir.join("src/lib.rs"))?;
        build::timed(dir, arguments, false)
    };
    let reading = |what: &str, ours, peer: &str, theirs| Reading {
        what: what.to_owned(),
        ours,
        peer: peer.to_owned(),
        theirs,
        unit: "s of CPU".to_owned(),
    };

    // The first check of each crate also compiles its dependencies, so it is not measured.
    for (dir, arguments) in [(&ours, &["check"][..]), (&ours, &alone), (&theirs, &["check"])] {
        check(dir, arguments)?;
    }

    for _ in 0..ROUNDS {
        let full = check(&ours, &["check"])?;
        let domain = check(&ours, &alone)?;
        let other = check(&theirs, &["check"])?;
        readings.push(reading(
            "checking the client",
            full,
            "the external generator's client",
            other,
        ));
        readings.push(reading("checking one domain", domain, "the whole client", full));
    }

    Ok(readings)
}

#[expect(clippy::cast_precision_loss, reason = "line counts are far below 2^53")]
fn lines<'a>(sources: impl Iterator<Item = &'a String>) -> f64 {
    sources.map(|text| text.lines().count()).sum::<usize>() as f64
}

/// Writes a crate with the client that the external generator creates from the OpenAPI document `plain`. Returns the
/// number of lines of the client's code.
fn untreated(dir: &Path, plain: &serde_json::Value) -> Result<f64> {
    let tokens = progenitor::untreated(plain)?;
    let file: syn::File = syn::parse2(tokens)
        .map_err(|error| Fault::at("", error.to_string(), "progenitor wrote invalid Rust"))?;
    let text = prettyplease::unparse(&file);
    build::program(dir, UNTREATED_MANIFEST, "lib.rs", &text)?;
    Ok(lines(std::iter::once(&text)))
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
