//! `cintel query`: saves a command line under a name, and runs a saved command line.
//!
//! The file `queries.json`, in the folder of the configuration file, contains the words of each saved command. The
//! words are parsed before they are saved, and again when the command runs.

use std::collections::BTreeMap;
use std::path::Path;

use clap::{Arg, ArgMatches, Command};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{mistakes, root};
use crate::closest::closest;
use crate::failure::{Exit, Failure};
use crate::output::{Options, Rows};
use crate::settings::{Settings, write_private};
use crate::terminal;

/// Version of the format of `queries.json`.
const VERSION: u32 = 1;
/// Name of the command `cintel query`. A saved command must not call `cintel query`. For example, `cintel query save
/// daily query run prices` is rejected.
const NAME: &str = "query";

/// Content of `queries.json`.
#[derive(Debug, Serialize, Deserialize)]
struct File {
    version: u32,
    queries: BTreeMap<String, Vec<String>>,
}

pub(crate) fn arguments(command: Command) -> Command {
    let name = || Arg::new("name").value_name("NAME").required(true);
    // Options after the first word belong to the saved command.
    let words = |arg: Arg| arg.num_args(1..).trailing_var_arg(true).allow_hyphen_values(true);
    let saved = words(Arg::new("command").value_name("COMMAND")).required(true);
    let named = words(Arg::new("named").value_name("NAME")).required(true);

    command
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(
            Command::new("save")
                .about("Save a command under a name; replaces any earlier command with this name")
                .args([
                    name(),
                    saved.help("Command with its values and options, without `cintel`"),
                ]),
        )
        .subcommand(
            Command::new("run")
                .about("Run a saved command")
                .arg(named.help("Name, and further values and options, such as --output csv")),
        )
        .subcommand(Command::new("list").about("List the saved commands"))
        .subcommand(Command::new("delete").about("Delete a saved command").arg(name()))
        .after_help(
            "cintel query save top market-ranking --limit 5 --fields symbol,price_usd\n\
             cintel query run top --output csv",
        )
}

pub(crate) async fn run(given: &ArgMatches, settings: &Settings) -> Result<(), Failure> {
    let path = settings.config_file.with_file_name("queries.json");
    let mut file = read(&path)?;
    let text =
        |given: &ArgMatches, name| given.get_one::<String>(name).cloned().unwrap_or_default();
    let words = |given: &ArgMatches, name| -> Vec<String> {
        given.get_many::<String>(name).into_iter().flatten().cloned().collect()
    };

    match given.subcommand() {
        Some(("save", given)) => {
            let command = words(given, "command");
            parsed(&command)?;
            file.queries.insert(text(given, "name"), command);
            write(&path, &file)
        }
        Some(("run", given)) => {
            let mut more = words(given, "named");
            let saved = find(&file, &more.remove(0))?;
            let matches = parsed(&[saved.clone(), more].concat())?;
            let settings = Settings::load(&matches)?;
            match matches.subcommand() {
                Some((name, given)) => super::run(name, given, &settings).await,
                None => Ok(()),
            }
        }
        Some(("delete", given)) => {
            let name = text(given, "name");
            find(&file, &name)?;
            file.queries.remove(&name);
            write(&path, &file)
        }

        _ => {
            let mut rows = Rows::start(Options::read(given, settings)?, None);
            for (name, words) in &file.queries {
                rows.push_value(&json!({"name": name, "command": words.join(" ")}))?;
            }
            rows.finish()
        }
    }
}

/// Parses the words of a saved command. Rejects the command `cintel query`, because a saved `cintel query run` could
/// start itself again without end.
fn parsed(words: &[String]) -> Result<ArgMatches, Failure> {
    let line: Vec<std::ffi::OsString> =
        std::iter::once("cintel").chain(words.iter().map(String::as_str)).map(Into::into).collect();
    let matches = root().try_get_matches_from(&line);
    let matches = matches.map_err(|error| mistakes::mistake(&error, &line))?;
    match matches.subcommand_name() == Some(NAME) {
        true => Err(Failure::usage("a saved command cannot be `cintel query` itself")),
        false => Ok(matches),
    }
}

fn find<'a>(file: &'a File, name: &str) -> Result<&'a Vec<String>, Failure> {
    file.queries.get(name).ok_or_else(|| {
        let failure = Failure::new(Exit::NotFound, format!("no command is saved as `{name}`"));
        match closest(name, file.queries.keys().map(String::as_str)) {
            Some(meant) => failure.next(format!("did you mean `{meant}`?")),
            None => failure.next("`cintel query list` shows the saved commands"),
        }
    })
}

fn read(path: &Path) -> Result<File, Failure> {
    let place = path.display();
    let failed = |problem: String| Failure::new(Exit::Local, format!("{place}: {problem}"));
    let text = match std::fs::read(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Ok(File { version: VERSION, queries: BTreeMap::new() });
        }
        Err(error) => return Err(failed(error.to_string())),
    };
    let file: File = serde_json::from_slice(&text)
        .map_err(|error| failed(format!("the file does not contain saved commands: {error}")))?;
    match file.version {
        VERSION => Ok(file),
        version => Err(failed(format!("version {version}; this release reads version {VERSION}"))
            .next("install a newer release")),
    }
}

fn write(path: &Path, file: &File) -> Result<(), Failure> {
    let text = serde_json::to_vec_pretty(file).unwrap_or_default();
    write_private(path, &text).map_err(|error| {
        Failure::new(Exit::Local, format!("{} cannot be written: {error}", path.display()))
    })?;
    terminal::note(&format!("the saved commands are in {}", path.display()));
    Ok(())
}
