//! `cintel skill`: installs the skill package, a set of files that teach AI agents to use `cintel`.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};
use crypto_intel_mcp::skill;

use crate::arguments::help::example;
use crate::failure::{Exit, Failure};
use crate::terminal;

pub(crate) fn arguments(command: Command) -> Command {
    let folder = Arg::new("dir")
        .value_name("DIR")
        .value_parser(value_parser!(PathBuf))
        .default_value(".")
        .help("Folder for skills; the package is written to a subfolder");
    let install = Command::new("install").about("Write or update the package").arg(folder);
    command.subcommand_required(true).arg_required_else_help(true).subcommand(install)
}

pub(crate) async fn run(given: &ArgMatches) -> Result<(), Failure> {
    let Some(("install", given)) = given.subcommand() else {
        let failure = Failure::usage("there is no such command");
        return Err(failure.next("run `cintel skill install [DIR]`"));
    };
    let folder = given.get_one::<PathBuf>("dir").cloned().unwrap_or_default();
    let written = skill::install(&folder, example).map_err(|error| {
        let message = format!("the skill cannot be written to {}: {error}", folder.display());
        Failure::new(Exit::Local, message).next("name a writable folder")
    })?;
    for path in written {
        terminal::print(&format!("{}\n", path.display()));
    }
    Ok(())
}
