//! Measures what the client costs its users: build time, rebuild time after an edit, size of the binary, and number of
//! dependencies.
//!
//! The programs with our client call one operation, ten operations, or all operations. Their calls are the code samples
//! of the reference documentation. One more program uses `async-openai`, the client crate of another service. Each of
//! these programs is compared with a program that makes one call with `reqwest` alone.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::build;
use super::rows::Reading;
use crate::emit::reference::SAMPLES;
use crate::fault::{Fault, Result};
use crate::names::value_name;
use crate::regen;

/// Number of rounds. Each round builds every program twice: first without compiled files, then after an edit.
const ROUNDS: usize = 2;
/// API domain of the smallest measured program. This program calls only the first operation of the domain.
const DOMAIN: &str = "market";
/// Number of API domains in the program "ten operations". This program calls the first operation of each of these
/// domains.
const DOMAINS: usize = 10;

/// A Rust program whose build is measured.
struct Program {
    name: &'static str,
    dir: PathBuf,
}

/// Measures all programs. Each round builds every program twice: the first build, and a build after an edit. Other load
/// of the machine therefore affects all programs equally. After the rounds, measures the size of each program's binary,
/// and counts its crates.
pub(super) fn measure(root: &Path, work: &Path) -> Result<Vec<Reading>> {
    let bare = Program { name: "bare reqwest", dir: work.join("bare") };
    build::program(&bare.dir, BARE_MANIFEST, "main.rs", BARE)?;
    let openai = Program { name: "async-openai 0.43", dir: work.join("async-openai") };
    build::program(&openai.dir, OPENAI_MANIFEST, "main.rs", OPENAI)?;
    let ours = with_client(root, work)?;

    let mut readings = Vec::new();
    for _ in 0..ROUNDS {
        let by_hand = built(&bare, &["build"])?;
        for program in ours.iter().chain([&openai]) {
            let cpu = built(program, &["build"])?;
            readings.push(reading("first build", program, cpu, &bare, by_hand, "s of CPU"));
        }
        let by_hand = rebuilt(&bare)?;
        for program in ours.iter().chain([&openai]) {
            let cpu = rebuilt(program)?;
            readings.push(reading("build after an edit", program, cpu, &bare, by_hand, "s of CPU"));
        }
    }

    let by_hand = size(&bare)?;
    for program in ours.iter().chain([&openai]) {
        readings.push(reading(
            "release binary, stripped",
            program,
            size(program)?,
            &bare,
            by_hand,
            "kB",
        ));
    }
    let by_hand = dependencies(&bare)?;
    for program in ours.iter().chain([&openai]) {
        readings.push(reading("crates", program, dependencies(program)?, &bare, by_hand, ""));
    }
    Ok(readings)
}

fn reading(
    what: &str,
    program: &Program,
    ours: f64,
    peer: &Program,
    theirs: f64,
    unit: &str,
) -> Reading {
    Reading {
        what: format!("{what}: {}", program.name),
        ours,
        peer: peer.name.to_owned(),
        theirs,
        unit: unit.to_owned(),
    }
}

fn built(program: &Program, arguments: &[&str]) -> Result<f64> {
    build::empty(&program.dir)?;
    build::timed(&program.dir, arguments, true)
}

/// Updates the modification time of `main.rs`, as an edit would, and measures the build. Returns seconds.
fn rebuilt(program: &Program) -> Result<f64> {
    build::touch(&program.dir.join("src/main.rs"))?;
    build::timed(&program.dir, &["build"], true)
}

#[expect(clippy::cast_precision_loss, reason = "binary sizes are far below 2^53")]
fn size(program: &Program) -> Result<f64> {
    let flags = ["build", "--release", "--config", "profile.release.strip=true"];
    build::cargo(&program.dir, &flags, false)?;
    let binary = program.dir.join("target/release/program");
    let fault = |error: std::io::Error| {
        Fault::file(
            &binary,
            error.to_string(),
            "run the benchmark \
    again",
        )
    };
    Ok(fs::metadata(&binary).map_err(fault)?.len() as f64 / 1_000.0)
}

/// Returns the number of crates on which a program depends, directly or through other crates. Development and build
/// dependencies are not counted. Two versions of a crate count as two.
#[expect(clippy::cast_precision_loss, reason = "a few hundred crates")]
fn dependencies(program: &Program) -> Result<f64> {
    let arguments = ["tree", "--edges", "normal", "--prefix", "none", "--no-dedupe"];
    let printed = build::cargo(&program.dir, &arguments, false)?;
    let crates: BTreeSet<_> =
        printed.lines().map(|line| line.split_whitespace().take(2).collect::<Vec<_>>()).collect();
    // The list contains the program itself, which is not a dependency.
    Ok(crates.len().saturating_sub(1) as f64)
}

/// Creates three programs. The first calls one operation. The second calls the first operation of each of ten API
/// domains. The third calls all operations.
fn with_client(root: &Path, work: &Path) -> Result<[Program; 3]> {
    let path = root.join(SAMPLES);
    let text = fs::read_to_string(&path)
        .map_err(|error| Fault::file(&path, error.to_string(), "run `cargo xtask regen`"))?;
    let first = first_of_each_domain(root)?;
    let one: Vec<_> = first.iter().filter(|(domain, _)| domain == DOMAIN).cloned().collect();
    let ten: Vec<_> = first.iter().take(DOMAINS).cloned().collect();

    let program = |name, folder: &str, features: &[&str], chosen: Option<&[&str]>| {
        let program = Program { name, dir: work.join(folder) };
        let source = main_of(&text, chosen);
        build::program(&program.dir, &manifest(root, features), "main.rs", &source)?;
        Ok(program)
    };
    let of_some = |name, folder, chosen: &[(String, String)]| {
        let domains: Vec<&str> = chosen.iter().map(|(domain, _)| domain.as_str()).collect();
        let functions: Vec<&str> = chosen.iter().map(|(_, function)| function.as_str()).collect();
        program(name, folder, &domains, Some(&functions))
    };
    Ok([
        of_some("one operation", "one", &one)?,
        of_some("ten operations", "ten", &ten)?,
        program("all operations", "all", &["all"], None)?,
    ])
}

/// Returns two names for each API domain with operations. The first is the Cargo feature of the domain. The second is
/// the sample function that calls the domain's first operation.
fn first_of_each_domain(root: &Path) -> Result<Vec<(String, String)>> {
    let output = regen::published().map_err(|faults| {
        Fault::file(root, faults.to_string(), "run `cargo xtask regen` for details")
    })?;
    let model = &output.model;
    let first = model.tags.iter().filter_map(|tag| {
        let operation = model.operations.iter().find(|operation| operation.module == tag.module)?;
        Some((tag.feature(), value_name(&operation.id)))
    });
    Ok(first.collect())
}

/// Returns the `main.rs` of a program that calls the sample functions named in `chosen`, or all if `chosen` is `None`.
/// `samples` is Rust code with the functions and a list of calls, separated by blank lines.
fn main_of(samples: &str, chosen: Option<&[&str]>) -> String {
    let wanted = |name: &str| chosen.is_none_or(|names| names.contains(&name));
    let mut text = String::from("#![allow(deprecated)]\n");
    for paragraph in samples.split("\n\n") {
        let function = paragraph.split_once("async fn ").and_then(|(_, rest)| rest.split_once('('));
        if paragraph.starts_with("//!") {
            continue;
        }
        if let Some((name, _)) = function {
            if wanted(name) {
                text.push_str(&format!("{paragraph}\n\n"));
            }
        } else if let Some((head, list)) = paragraph.split_once("&[\n") {
            let calls = |line: &&str| {
                let call = line.split_once("Box::pin(").and_then(|(_, rest)| rest.split_once('('));
                call.is_none_or(|(name, _)| wanted(name))
            };
            let lines: Vec<&str> = list.lines().filter(calls).collect();
            text.push_str(&format!("{head}&[\n{}\n\n", lines.join("\n")));
        } else {
            text.push_str(&format!("{paragraph}\n\n"));
        }
    }
    text + MAIN
}

fn manifest(root: &Path, features: &[&str]) -> String {
    format!(
        "[package]\nname = \"program\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         crypto-intel = {{ path = {:?}, default-features = false, features = [\"rustls\", {}] }}\n\
         futures-util = {{ version = \"0.3\", default-features = false }}\n\
         tokio = {{ version = \"1\", features = [\"macros\", \"rt-multi-thread\"] }}\n\n[workspace]\n",
        root.join("crates/client").display().to_string(),
        features.iter().map(|feature| format!("{feature:?}")).collect::<Vec<_>>().join(", "),
    )
}

const MAIN: &str = "#[tokio::main]
async fn main() -> Result<(), Error> {
    let client = Client::from_env()?;
    for (name, call) in SAMPLES {
        println!(\"{name}\");
        call(&client).await?;
    }
    Ok(())
}
";

const BARE_MANIFEST: &str = r#"[package]
name = "program"
version = "0.0.0"
edition = "2024"

[dependencies]
reqwest = { version = "0.13", features = ["json", "query"] }
serde = { version = "1", features = ["derive"] }
tokio = { version = "1", features = ["macros", "rt-multi-thread"] }

[workspace]
"#;

/// Source of a program with one hand-written call through `reqwest`.
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

const OPENAI_MANIFEST: &str = r#"[package]
name = "program"
version = "0.0.0"
edition = "2024"

[dependencies]
async-openai = { version = "0.43", features = ["chat-completion"] }
tokio = { version = "1", features = ["macros", "rt-multi-thread"] }

[workspace]
"#;

/// Source of a program that makes one chat completion call through `async-openai`.
const OPENAI: &str = r#"use async_openai::types::chat::{
    ChatCompletionRequestUserMessageArgs, CreateChatCompletionRequestArgs,
};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let message = ChatCompletionRequestUserMessageArgs::default().content("Hello").build()?;
    let request = CreateChatCompletionRequestArgs::default()
        .model("svc-1.5")
        .messages([message.into()])
        .build()?;
    let answer = async_openai::Client::new().chat().create(request).await?;
    for choice in answer.choices {
        println!("{:?}", choice.message.content);
    }
    Ok(())
}
"#;

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "//! Samples.\n\nuse crypto_intel::Client;\n\npub(crate) const SAMPLES: &[(&str, Sample)] = &[\n    \
                        (\"a-b\", |client| Box::pin(a_b(client))),\n    (\"c\", |client| Box::pin(c(client))),\n];\n\n\
                        async fn a_b(client: &Client) {\n    first();\n}\n\nasync fn c(client: &Client) {}\n";

    #[test]
    fn a_program_has_the_chosen_samples_alone() {
        let text = main_of(TEXT, Some(&["a_b"]));
        assert!(
            text.contains("async fn a_b") && text.contains("Box::pin(a_b") && text.contains("];"),
            "{text}"
        );
        assert!(!text.contains("async fn c(") && !text.contains("Box::pin(c("), "{text}");
        let all = main_of(TEXT, None);
        assert!(all.contains("async fn c(") && all.contains("Box::pin(c("), "{all}");
    }

    #[test]
    fn domains_are_features_of_the_client() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let manifest = fs::read_to_string(root.join("crates/client/Cargo.toml")).unwrap();
        let first = first_of_each_domain(root).unwrap();
        assert!(first.len() > DOMAINS && first.iter().any(|(domain, _)| domain == DOMAIN));
        for (domain, _) in first {
            assert!(manifest.contains(&format!("\n{domain} = [")), "{domain}");
        }
    }
}
