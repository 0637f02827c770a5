//! `cintel man`: manual pages.

use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command, value_parser};

use crate::failure::{Exit, Failure};
use crate::settings::Settings;
use crate::{cli, terminal};

pub(crate) fn arguments(command: Command) -> Command {
    let folder = Arg::new("folder").value_name("FOLDER").value_parser(value_parser!(PathBuf));
    command.arg(folder.help("Writes a page for each command there; without, prints the first"))
}

pub(crate) async fn run(given: &ArgMatches, _: &Settings) -> Result<(), Failure> {
    let failed = |error: std::io::Error| Failure::new(Exit::Local, format!("the manual: {error}"));
    let mut root = cli::root();
    root.build();
    let Some(folder) = given.get_one::<PathBuf>("folder") else {
        let mut page = Vec::new();
        clap_mangen::Man::new(root).render(&mut page).map_err(failed)?;
        terminal::write(&page);
        return Ok(());
    };

    std::fs::create_dir_all(folder).map_err(failed)?;
    let pages = root.get_subcommands().cloned().map(|command| {
        let name = format!("cintel-{}", command.get_name());
        command.name(name)
    });
    let mut written = 0;
    for command in std::iter::once(root.clone()).chain(pages) {
        let path = folder.join(format!("{}.1", command.get_name()));
        let mut page = Vec::new();
        clap_mangen::Man::new(command).render(&mut page).map_err(failed)?;
        std::fs::write(path, page).map_err(failed)?;
        written += 1;
    }
    terminal::note(&format!("{written} pages are in {}", folder.display()));
    Ok(())
}
