//! `cargo xtask`: the development commands of the workspace.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use xtask::arguments::{self, Command, Overlay};
use xtask::fault::Faults;
use xtask::{drift, measure, regen};

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
    let words: Vec<String> = std::env::args().skip(1).collect();
    let outcome = arguments::read(&words).map_err(Faults::from).and_then(|command| match command {
        Command::Help => {
            println!("{}", arguments::USAGE);
            Ok(ExitCode::SUCCESS)
        }
        Command::Write => write(),
        Command::Check => compare(),
        Command::Elsewhere { specs, out, overlay } => elsewhere(&specs, &out, &overlay),
        Command::Measure => measure(),
    });
    outcome.unwrap_or_else(|faults| {
        eprintln!("{faults}");
        ExitCode::from(2)
    })
}

fn write() -> Result<ExitCode, Faults> {
    let touched = regen::write(&regen::root(), &regen::repository()?)?;
    match touched.len() {
        0 => println!("nothing changed"),
        number => println!(
            "{number} files written; review them and the snapshots of `cargo test -p crypto-intel-tests`"
        ),
    }
    Ok(ExitCode::SUCCESS)
}

fn measure() -> Result<ExitCode, Faults> {
    print!("{}", measure::measure()?);
    Ok(ExitCode::SUCCESS)
}

fn compare() -> Result<ExitCode, Faults> {
    Ok(match drift::drift(&regen::root(), &regen::repository()?) {
        None => ExitCode::SUCCESS,
        Some(text) => {
            eprintln!("{text}");
            ExitCode::FAILURE
        }
    })
}

fn elsewhere(specs: &[PathBuf], dir: &Path, overlay: &Overlay) -> Result<ExitCode, Faults> {
    regen::ours(dir)?;
    let own = regen::root().join(regen::OVERLAY);
    let overlay = match overlay {
        Overlay::Own => Some(own.as_path()),
        Overlay::None => None,
        Overlay::File(file) => Some(file.as_path()),
    };
    let files = regen::crate_in(dir, specs, overlay)?;
    regen::write(&PathBuf::new(), &files)?;

    let dir = dir.display();
    println!("a crate is in {dir}; `cargo check --manifest-path {dir}/Cargo.toml` compiles it");
    println!("what was changed on the way is in {dir}/REPORT.md");
    Ok(ExitCode::SUCCESS)
}
