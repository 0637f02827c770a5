//! `cargo xtask`: the development commands of the workspace.

use std::path::PathBuf;
use std::process::ExitCode;

use xtask::fault::Fault;
use xtask::{drift, measure, regen};

const USAGE: &str = "\
cargo xtask COMMAND

  regen                         write the raw client from the descriptions in spec/
  regen --check                 compare instead of writing; exit 1 when something differs
  regen --spec FILE --out DIR   write a crate from another description into DIR
  measure                       lines and seconds of the generated client beside the external
                                generator's own; writes docs/measurements.md (takes minutes)

Exit status: 0 done, 1 the check found a difference, 2 something is wrong with the input.";

/// Stack of the work. Schemas that refer to each other in a long row are followed by recursion;
/// a megabyte holds some hundred steps, and memory that is not used costs nothing.
const STACK: usize = 512 << 20;

fn main() -> ExitCode {
    let work = std::thread::Builder::new().stack_size(STACK).spawn(command);
    match work.map(std::thread::JoinHandle::join) {
        Ok(Ok(code)) => code,
        // The panic has told its story.
        Ok(Err(_)) => ExitCode::from(2),
        Err(error) => {
            eprintln!("error: no thread to work in: {error}");
            ExitCode::from(2)
        }
    }
}

fn command() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["regen"] => write(),
        ["regen", "--check"] => compare(),
        ["regen", "--spec", spec, "--out", out] | ["regen", "--out", out, "--spec", spec] => {
            elsewhere(spec, out)
        }
        ["measure"] => measure(),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            return ExitCode::SUCCESS;
        }

        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };

    outcome.unwrap_or_else(|fault| {
        eprintln!("{fault}");
        ExitCode::from(2)
    })
}

fn write() -> Result<ExitCode, Fault> {
    let touched = regen::write(&regen::root(), &regen::repository()?)?;
    match touched.len() {
        0 => println!("nothing changed"),
        number => println!(
            "{number} files written; review them and the snapshots of `cargo test -p crypto-intel-tests`"
        ),
    }
    Ok(ExitCode::SUCCESS)
}

fn measure() -> Result<ExitCode, Fault> {
    print!("{}", measure::measure()?);
    Ok(ExitCode::SUCCESS)
}

fn compare() -> Result<ExitCode, Fault> {
    Ok(match drift::drift(&regen::root(), &regen::repository()?) {
        None => ExitCode::SUCCESS,
        Some(text) => {
            eprintln!("{text}");
            ExitCode::FAILURE
        }
    })
}

fn elsewhere(spec: &str, out: &str) -> Result<ExitCode, Fault> {
    let dir = PathBuf::from(out);
    let files = regen::crate_in(&dir, &PathBuf::from(spec))?;
    regen::write(&PathBuf::new(), &files)?;
    println!(
        "a crate is in {}; `cargo check --manifest-path {}/Cargo.toml` compiles it",
        dir.display(),
        dir.display()
    );
    println!("what was changed on the way is in {}/REPORT.md", dir.display());
    Ok(ExitCode::SUCCESS)
}
