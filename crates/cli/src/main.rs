//! `cintel`: the service from the command line. Commands, their parameters, prices and help are
//! read from the catalogue, so that a new operation needs no code here.

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
    // Where clap fails, its options are not known yet.
    let as_json = failure::wants_json(&arguments);

    match run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.report(as_json);
            ExitCode::from(failure.exit().code())
        }
    }
}

fn run(arguments: Vec<OsString>) -> Result<(), Failure> {
    let matches = match commands::root().try_get_matches_from(&arguments) {
        Ok(matches) => matches,
        Err(error) if is_answer(&error) => {
            terminal::print(&error.render().to_string());
            return Ok(());
        }
        Err(error) => return Err(commands::mistake(&error, &arguments)),
    };

    let settings = Settings::load(&matches)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| {
        Failure::new(Exit::Local, format!("the program could not start: {error}"))
    })?;
    let Some((name, arguments)) = matches.subcommand() else {
        return Err(Failure::new(Exit::Usage, "there is no command").next("run `cintel --help`"));
    };
    let outcome = runtime.block_on(commands::run(name, arguments, &settings));
    // A query of the embedded sandbox that nobody waits for any more would hold the program.
    runtime.shutdown_background();
    outcome
}

/// Whether the user asked for this text.
fn is_answer(error: &clap::Error) -> bool {
    matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion)
}
