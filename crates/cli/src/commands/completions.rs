//! `cintel completions`: prints a completion script for a shell.
//!
//! The script itself contains no command names. When the user presses TAB, the shell runs `cintel` with the environment
//! variable `CINTEL_COMPLETE` set. `cintel` then prints the candidates, which are commands, operations, flags, and
//! known values of parameters.

use std::ffi::OsString;

use clap::{Arg, ArgMatches, Command};
use clap_complete::env::{CompleteEnv, Shells};
use clap_complete::{ArgValueCandidates, CompletionCandidate};
use crypto_intel::catalogue::OPERATIONS;

use crate::arguments::options::with_common_options;
use crate::failure::{Exit, Failure};
use crate::terminal;

const NAME: &str = "cintel";

/// Environment variable in which a shell passes its name when it requests completion candidates.
const VARIABLE: &str = "CINTEL_COMPLETE";

pub(crate) fn arguments(command: Command) -> Command {
    let shells: Vec<_> = Shells::builtins().names().collect();
    let shell = Arg::new("shell").value_name("SHELL").required(true).value_parser(shells);
    command.arg(shell).after_help(
        "bash: cintel completions bash > ~/.local/share/bash-completion/completions/cintel\n\
         zsh: cintel completions zsh > ~/.zfunc/_cintel\n\
         fish: cintel completions fish > ~/.config/fish/completions/cintel.fish\n\
         PowerShell: cintel completions powershell >> $PROFILE",
    )
}

pub(crate) async fn run(given: &ArgMatches) -> Result<(), Failure> {
    let shell = given.get_one::<String>("shell").map(String::as_str).unwrap_or_default();
    let shells = Shells::builtins();
    let Some(completer) = shells.completer(shell) else { return Ok(()) };
    let mut script = Vec::new();
    completer
        .write_registration(VARIABLE, NAME, NAME, NAME, &mut script)
        .map_err(|error| Failure::new(Exit::Local, format!("there is no script: {error}")))?;
    terminal::write(&script);
    Ok(())
}

/// Prints completion candidates if a shell requested them. Returns true in this case, and the caller must then end the
/// process.
pub(crate) fn answer(arguments: &[OsString], root: fn() -> Command) -> Result<bool, clap::Error> {
    let root = move || {
        let mut root = root();
        root.build();
        with_common_options(root, true)
    };
    CompleteEnv::with_factory(root).var(VARIABLE).bin(NAME).try_complete(arguments, None)
}

/// Returns completion candidates for the identifiers of all operations.
pub(crate) fn operations() -> ArgValueCandidates {
    ArgValueCandidates::new(|| {
        let candidate = |id: &str, summary| CompletionCandidate::new(id).help(Some(summary));
        OPERATIONS.iter().map(|known| candidate(known.id, known.summary.into())).collect()
    })
}
