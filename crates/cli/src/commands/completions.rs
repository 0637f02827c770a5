//! `cintel completions`: scripts for shells.

use clap::{Arg, ArgMatches, Command, value_parser};
use clap_complete::Shell;

use crate::failure::Failure;
use crate::settings::Settings;
use crate::{cli, terminal};

pub(crate) fn arguments(command: Command) -> Command {
    let shell = Arg::new("shell").value_name("SHELL").required(true);
    command.arg(shell.value_parser(value_parser!(Shell))).after_help(
        "bash: cintel completions bash > ~/.local/share/bash-completion/completions/cintel\n\
         zsh: cintel completions zsh > ~/.zfunc/_cintel\n\
         fish: cintel completions fish > ~/.config/fish/completions/cintel.fish\n\
         PowerShell: cintel completions powershell >> $PROFILE",
    )
}

pub(crate) async fn run(given: &ArgMatches, _: &Settings) -> Result<(), Failure> {
    let Some(shell) = given.get_one::<Shell>("shell") else { return Ok(()) };
    let mut command = cli::root();
    command.build();
    let mut command = cli::with_common_options(command, true);
    let mut script = Vec::new();
    clap_complete::generate(*shell, &mut command, "cintel", &mut script);
    terminal::write(&script);
    Ok(())
}
