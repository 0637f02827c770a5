//! `cintel man`: prints the main manual page, or writes one manual page per command to a folder.

use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Command, value_parser};

use crate::arguments::help::with_spaces;
use crate::arguments::options::{EXPORT, with_common_options};
use crate::failure::{Exit, Failure};
use crate::terminal;

pub(crate) fn arguments(command: Command) -> Command {
    let folder = Arg::new("folder").value_name("FOLDER").value_parser(value_parser!(PathBuf));
    command.arg(folder.help(
        "Folder for one manual page per command; without a folder, the page of `cintel` is printed",
    ))
}

pub(crate) async fn run(given: &ArgMatches, mut root: Command) -> Result<(), Failure> {
    root.build();
    let root = with_hidden_commands(root);
    let pages = pages_below(&root, "cintel");
    // The first page documents the common options.
    let first = with_common_options(root, true);
    let Some(folder) = given.get_one::<PathBuf>("folder") else {
        let page = rendered(first).map_err(|error| failed(Path::new("standard output"), &error))?;
        terminal::write(&page);
        return Ok(());
    };

    std::fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    let mut written = 0;
    for command in std::iter::once(first).chain(pages) {
        let path = folder.join(format!("{}.1", command.get_name()));
        rendered(command)
            .and_then(|page| std::fs::write(&path, page))
            .map_err(|error| failed(&path, &error))?;
        written += 1;
    }
    terminal::note(&format!("{written} pages are in {}", folder.display()));
    Ok(())
}

/// Hides the commands that get no manual page: `help`, and the subcommands of `export`. Adds the export options to
/// `export` itself, because its manual page describes them for all operations.
fn with_hidden_commands(command: Command) -> Command {
    let is_export = command.get_name() == "export";
    let first = command.get_subcommands().find(|_| is_export);
    let options: Vec<Arg> = first.map_or_else(Vec::new, |first| {
        let options = first.get_arguments().filter(|arg| arg.get_help_heading() == Some(EXPORT));
        options.cloned().collect()
    });
    command.args(options).mut_subcommands(|below| {
        let hidden = is_export || below.get_name() == "help";
        with_hidden_commands(below).hide(hidden)
    })
}

/// Returns one command per visible subcommand at any depth. Each command has the name of its manual page, such as
/// `cintel-auth-login`.
fn pages_below(above: &Command, name: &str) -> Vec<Command> {
    let page = |command: &Command| {
        let name = format!("{name}-{}", command.get_name());
        let below = pages_below(command, &name);
        std::iter::once(command.clone().name(name)).chain(below)
    };
    above.get_subcommands().filter(|below| !below.is_hide_set()).flat_map(page).collect()
}

fn rendered(command: Command) -> std::io::Result<Vec<u8>> {
    let mut page = Vec::new();
    let version = concat!("cintel ", env!("CARGO_PKG_VERSION"));
    clap_mangen::Man::new(command).source(version).render(&mut page)?;
    Ok(with_spaces(&String::from_utf8_lossy(&page)).into_bytes())
}

fn failed(path: &Path, error: &std::io::Error) -> Failure {
    let message = format!("the manual cannot be written to {}: {error}", path.display());
    Failure::new(Exit::Local, message).next("name a writable folder")
}
