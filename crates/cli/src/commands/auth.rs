//! `cintel auth`: stores, shows and deletes the API key. The key is in a file that only its owner can read, or in the
//! system's keyring.

use std::io::IsTerminal;

use clap::{Arg, ArgAction, ArgMatches, Command};
use crypto_intel::ApiKey;
use serde_json::json;

use crate::failure::{Exit, Failure};
use crate::format::Format;
use crate::settings::{KeyStore, Settings};
use crate::terminal;

pub(crate) fn arguments(command: Command) -> Command {
    command
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(login_arguments(Command::new("login")))
        .subcommand(Command::new("status").about("Show the masked API key and its source"))
        .subcommand(Command::new("logout").about("Delete the stored key"))
        .after_help(
            "CRYPTO_INTEL_API_KEY overrides a stored key. Each profile has its own stored key.",
        )
}

pub(crate) async fn run(given: &ArgMatches, settings: &Settings) -> Result<(), Failure> {
    match given.subcommand() {
        Some(("login", given)) => login(given, settings),
        Some(("logout", _)) => {
            let was_kept = store(settings).remove()?;
            terminal::note(if was_kept { "the key is deleted" } else { "no key was stored" });
            Ok(())
        }
        _ => status(settings),
    }
}

fn store(settings: &Settings) -> KeyStore {
    KeyStore::for_profile(settings.profile.as_deref(), &settings.config_file)
}

pub(super) fn login_arguments(command: Command) -> Command {
    let keyring = Arg::new("keyring").long("keyring").action(ArgAction::SetTrue);
    // A build without the feature `keyring` accepts the flag, and then returns an error with the reason.
    let keyring = keyring.hide(!cfg!(feature = "keyring"));
    command
        .about("Read an API key from a prompt or standard input and store it")
        .arg(keyring.help("Store the key in the system's keyring instead of a file"))
}

/// Reads an API key from the prompt or from standard input, and stores it.
pub(super) fn login(given: &ArgMatches, settings: &Settings) -> Result<(), Failure> {
    let store = store(settings);
    let unread =
        |error: std::io::Error| Failure::new(Exit::Local, format!("no key was read: {error}"));
    let key = match std::io::stdin().is_terminal() {
        true => rpassword::prompt_password("API key (not shown): ").map_err(unread)?,
        false => std::io::read_to_string(std::io::stdin()).map_err(unread)?,
    };
    let key = key.trim();
    if key.is_empty() {
        return Err(Failure::new(Exit::Authentication, "the key is empty")
            .next("type the key at the prompt, or pipe it: `cintel auth login < key.txt`"));
    }
    ApiKey::new(key).map_err(|error| {
        Failure::new(Exit::Authentication, error.message().to_owned()).next("copy the key again")
    })?;

    if given.get_flag("keyring") {
        store.write_to_keyring(key)?;
        terminal::note("the key is stored in the system's keyring");
    } else {
        store.write(key)?;
        terminal::note(&format!("the key is stored in {}", store.path().display()));
    }
    if settings.base_url.is_none() {
        terminal::note(
            "note: no base URL is set; set CRYPTO_INTEL_BASE_URL, or base_url in a profile",
        );
    }
    Ok(())
}

fn status(settings: &Settings) -> Result<(), Failure> {
    let Some(key) = &settings.key else {
        return Err(Failure::new(Exit::Authentication, "no key is set")
            .next("run `cintel auth login` or set CRYPTO_INTEL_API_KEY; without a key, commands use the embedded sandbox"));
    };
    match settings.format() {
        Format::Table => {
            terminal::print(&format!("key {} from {}\n", key.masked(), key.source));
        }
        _ => {
            let status = json!({"key": key.masked(), "source": key.source.to_string()});
            terminal::print(&format!("{status}\n"));
        }
    }
    Ok(())
}
