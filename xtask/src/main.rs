//! `cargo xtask`: the development commands of this repository.
//!
//! The program parses the command line, runs one command, and prints its result or its errors.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use xtask::adopt::Options;
use xtask::arguments::{self, Command, CorpusTask, Overlay, Release};
use xtask::diff::{Class, Format, View};
use xtask::fault::{Fault, Faults};
use xtask::overlay_findings::Finding;
use xtask::{adopt, assumptions, bench, corpus, diff, regen, release, stale_output, tree};

/// Stack size in bytes of the thread that runs the command. The generator walks schemas by recursion, and one megabyte
/// suffices for only some hundred levels. Unused stack uses no memory.
const STACK: usize = 512 << 20;

fn main() -> ExitCode {
    let work = std::thread::Builder::new().stack_size(STACK).spawn(command);
    match work.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        // The panic message was printed already.
        Ok(Err(_)) => ExitCode::from(2),
        Err(error) => {
            eprintln!("error: the worker thread could not be started: {error}");
            ExitCode::from(2)
        }
    }
}

fn command() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let Err(fault) = unfinished() {
        eprintln!("{fault}");
        return ExitCode::from(2);
    }
    let outcome = arguments::read(&words).map_err(Faults::from).and_then(|command| match command {
        Command::Help => {
            println!("{}", arguments::USAGE);
            Ok(ExitCode::SUCCESS)
        }
        Command::Write => write(),
        Command::Check => compare(),
        Command::Elsewhere { specs, out, overlay } => regen_folder(&specs, &out, &overlay),
        Command::Diff { versions, view, fail_on } => diff(versions, view, fail_on),
        Command::Adopt { file, dry, docs, options } => adopt(&file, dry, docs, options),
        Command::Corpus { folder, task } => Ok(corpus(&folder, &task)?),
        Command::Bench(suites) => measured(&suites),
        Command::Release(part) => Ok(release(&part)?),
    });
    outcome.unwrap_or_else(|faults| {
        eprintln!("{faults}");
        ExitCode::from(2)
    })
}

/// Restores the files of the repository if an earlier `cargo xtask adopt` was killed while it wrote them.
fn unfinished() -> Result<(), Fault> {
    if tree::restore(&regen::root())? {
        eprintln!("an earlier `cargo xtask adopt` was interrupted; its changes were undone");
    }
    Ok(())
}

/// Prints text to standard output. Ignores errors, such as a pipe that the reader has closed.
fn print(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}

fn diff(
    versions: Option<(String, String)>,
    view: View,
    fail_on: Option<Class>,
) -> Result<ExitCode, Faults> {
    let root = regen::root();
    let pair = versions.as_ref().map(|(old, new)| (old.as_str(), new.as_str()));
    let difference = diff::between(&root, pair)?;
    print(&diff::show(&difference, view, env!("CARGO_PKG_VERSION")));
    let fails = fail_on.is_some_and(|class| difference.heaviest() >= Some(class));
    Ok(if fails { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn adopt(file: &Path, dry: bool, docs: bool, options: Options) -> Result<ExitCode, Faults> {
    let adoption = adopt::adopt(&regen::root(), file, options)?;
    print(&adoption.told(docs, env!("CARGO_PKG_VERSION")));
    if dry {
        println!("\nNothing was written.");
    } else {
        adoption.write(&regen::root())?;
        println!("\n{}", adoption.next_steps());
    }
    Ok(ExitCode::SUCCESS)
}

fn write() -> Result<ExitCode, Faults> {
    let made = regen::made()?;
    let touched = regen::write(&regen::root(), &made.files)?;
    print_findings(&made.findings);
    match touched.len() {
        0 => println!("nothing changed"),
        number => println!(
            "written files: {number}; review the files, run \
             `cargo test -p crypto-intel-tests`, and review the snapshots"
        ),
    }
    Ok(ExitCode::SUCCESS)
}

fn corpus(folder: &Path, task: &CorpusTask) -> Result<ExitCode, Fault> {
    let entries = corpus::read(folder)?;
    match task {
        CorpusTask::Print => print(&corpus::manifest(&entries)),
        CorpusTask::Check(file) => {
            let differences = corpus::differences(file, &entries)?;
            print(&differences);
            if !differences.is_empty() {
                return Ok(ExitCode::FAILURE);
            }
        }
        CorpusTask::Facts(to) => {
            println!("wrote the APIs of {} descriptions", corpus::store(to, entries)?);
        }
        CorpusTask::Since(from) => {
            for (name, difference) in corpus::since(from, &entries)? {
                let shown = diff::show(&difference, Format::Text, env!("CARGO_PKG_VERSION"));
                print(&format!("{name}\n\n{shown}\n"));
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn measured(suites: &[String]) -> Result<ExitCode, Faults> {
    print(&bench::bench(suites)?);
    Ok(ExitCode::SUCCESS)
}

fn release(part: &Release) -> Result<ExitCode, Fault> {
    let root = regen::root();
    match part {
        Release::Notes(version) => print(&release::notes(&root, version)?),
        Release::Fill => {
            for name in release::fill(&root)? {
                println!("wrote {name}");
            }
        }
        Release::Check | Release::DryRun => {
            let findings = release::check(&root)?;
            print(&findings.report());
            if !findings.wrong.is_empty() {
                return Ok(ExitCode::FAILURE);
            }
            if *part == Release::DryRun {
                release::build(&root)?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn compare() -> Result<ExitCode, Faults> {
    let made = regen::made()?;
    print_findings(&made.findings);
    let drift = stale_output::explain(&regen::root(), &made.files);
    if let Some(text) = &drift {
        eprintln!("{text}");
    }
    let wrong = drift.is_some() || made.findings.iter().any(|finding| finding.fate.fails());
    Ok(if wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn print_findings(findings: &[Finding]) {
    for finding in findings {
        eprintln!("{finding}\n");
    }
}

fn regen_folder(specs: &[PathBuf], dir: &Path, overlay: &Overlay) -> Result<ExitCode, Faults> {
    regen::check_folder(dir)?;
    let own = regen::root().join(regen::OVERLAY);
    let own_overlay = *overlay == Overlay::Own;
    let overlay = match overlay {
        Overlay::Own => Some(own.as_path()),
        Overlay::None => None,
        Overlay::File(file) => Some(file.as_path()),
    };
    let mut output = regen::run(specs, overlay)?;
    let met = match own_overlay {
        true => assumptions::meet(&regen::published()?.model, &output.model),
        false => Vec::new(),
    };
    output.report.push_str(&assumptions::to_markdown(&met));
    let findings = output.findings.len();
    regen::write(&PathBuf::new(), &regen::crate_files(dir, output)?)?;

    for met in met.iter().filter(|met| met.verdict != assumptions::Verdict::Open) {
        println!("{met}\n");
    }
    let dir = dir.display();
    if findings > 0 {
        println!("{findings} overlay actions need a review; {dir}/REPORT.md lists them");
    }
    println!("wrote a crate to {dir}; `cargo check --manifest-path {dir}/Cargo.toml` compiles it");
    println!("{dir}/REPORT.md lists how the generator changed the OpenAPI document");
    Ok(ExitCode::SUCCESS)
}
