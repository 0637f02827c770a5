//! `cintel`, the command-line client of the service.
//!
//! Data flows in one direction: `arguments` (clap) → `settings` → `connection` (the client) → `commands` (plan and
//! send) → `output` (rows to a writer). The commands of operations, their parameters, prices and help texts are built
//! from the catalogue. A new operation therefore needs no code here.

mod arguments;
mod closest;
mod commands;
mod connection;
mod failure;
mod format;
mod output;
mod progress;
mod settings;
mod terminal;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::error::ErrorKind;

use failure::{Exit, Failure};
use settings::Settings;

fn main() -> ExitCode {
    if crypto_intel_jq::is_worker() {
        crypto_intel_jq::run_worker();
        return ExitCode::SUCCESS;
    }
    let arguments: Vec<OsString> = std::env::args_os().collect();
    match commands::answer_completion(&arguments, commands::root) {
        Ok(false) => {}
        Ok(true) => return ExitCode::SUCCESS,
        Err(error) => error.exit(),
    }
    terminal::WRITE_FAILED.get_or_init(|| report_failed_write);
    // If clap rejects the arguments, no settings exist yet, so the format is read from the raw
    // arguments.
    let as_json = failure::wants_json(&arguments) || settings::is_agent().unwrap_or_default();

    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.report(as_json);
            ExitCode::from(failure.exit().code())
        }
    }
}

/// Prints to standard error that standard output cannot be written, for example because the disk is full.
fn report_failed_write(error: &std::io::Error) {
    let failure = Failure::new(Exit::Local, format!("standard output: {error}"))
        .next("free disk space, or write the output to another file");
    failure.report(failure::wants_json(&std::env::args_os().collect::<Vec<_>>()));
}

fn run(arguments: Vec<OsString>) -> Result<(), Failure> {
    let matches = match commands::root().try_get_matches_from(&arguments) {
        Ok(matches) => matches,
        Err(error) if is_answer(&error) => {
            terminal::print(&arguments::help::with_spaces(&error.render().to_string()));
            return Ok(());
        }
        Err(error) => return Err(commands::mistake(&error, &arguments)),
    };

    let settings = Settings::load(&matches)?;
    if !terminal::is_quiet() {
        terminal::show_warnings();
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| {
        Failure::new(Exit::Local, format!("the program could not start: {error}"))
    })?;
    let Some((name, arguments)) = matches.subcommand() else {
        return Err(Failure::new(Exit::Usage, "there is no command").next("run `cintel --help`"));
    };
    let outcome = runtime.block_on(commands::run(name, arguments, &settings));
    // Does not wait for tasks, because a query may still run in the embedded sandbox.
    runtime.shutdown_background();
    outcome
}

/// Returns true if clap's error contains the help or version text that the user requested.
fn is_answer(error: &clap::Error) -> bool {
    matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion)
}
