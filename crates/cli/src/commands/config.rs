//! `cintel config`: reads and changes the configuration file. A change keeps the order and the comments of the
//! settings. If a setting is removed, the comments above and beside this setting are removed too.

use clap::{Arg, ArgMatches, Command};
use serde_json::{Map, json};
use toml_edit::{DocumentMut, Item, Table, TableLike, Value, value};

use super::auth;
use crate::failure::{Exit, Failure};
use crate::format::Format;
use crate::settings::{SETTINGS, SettingKind, Settings, check_config, write_private};
use crate::terminal;

/// Name of the profile that `cintel config` reads and writes if no profile is selected. A change without a selected
/// profile also makes this profile the default of the configuration file.
const FIRST_PROFILE: &str = "default";

pub(crate) fn arguments(command: Command) -> Command {
    let name =
        || Arg::new("name").value_name("SETTING").value_parser(SETTINGS.map(|(name, _)| name));
    let names = SETTINGS.map(|(name, _)| name).join(", ");
    command
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommand(Command::new("get").about("Print one setting, or all").arg(name()))
        .subcommand(Command::new("set").about("Change a setting").args([
            name().required(true),
            Arg::new("value").value_name("VALUE").required(true).help("The new value"),
        ]))
        .subcommand(Command::new("unset").about("Remove a setting").arg(name().required(true)))
        .subcommand(Command::new("path").about("Print the path of the configuration file"))
        .subcommand(auth::login_arguments(Command::new("login")))
        .after_help(format!(
            "The settings of a profile are {names}. `--profile NAME` selects a profile, and `set` creates the profile if it does not exist. The configuration file contains no API key: `login` stores the key in a separate file that only its owner can read.",
        ))
}

pub(crate) async fn run(given: &ArgMatches, settings: &Settings) -> Result<(), Failure> {
    let text = |given: &ArgMatches, name| given.get_one::<String>(name).cloned();
    match given.subcommand() {
        Some(("login", given)) => auth::login(given, settings),
        Some(("path", _)) => {
            terminal::print(&format!("{}\n", settings.config_file.display()));
            Ok(())
        }
        Some(("set", given)) => {
            let name = text(given, "name").unwrap_or_default();
            let value = text(given, "value").unwrap_or_default();
            change(settings, &name, Some(&value))
        }
        Some(("unset", given)) => change(settings, &text(given, "name").unwrap_or_default(), None),
        Some((_, given)) => show(settings, text(given, "name").as_deref()),
        None => Ok(()),
    }
}

/// Prints one setting of the selected profile, or all settings if `name` is `None`.
fn show(settings: &Settings, name: Option<&str>) -> Result<(), Failure> {
    let document = read(settings)?;
    let profile = settings.profile.as_deref().unwrap_or(FIRST_PROFILE);
    let table = document.get("profile").and_then(|profiles| profiles.get(profile));
    let found = |name: &str| table.and_then(|table| table.get(name)).map(to_json);

    if let Some(name) = name {
        let value = found(name).ok_or_else(|| {
            let message = format!("the profile `{profile}` has no setting `{name}`");
            Failure::new(Exit::NotFound, message)
                .next(format!("set it with `cintel config set {name} VALUE`"))
        })?;
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        terminal::print(&format!("{}\n", terminal::escape_controls(&text)));
        return Ok(());
    }
    let all: Map<String, serde_json::Value> =
        SETTINGS.iter().filter_map(|(name, _)| Some(((*name).to_owned(), found(name)?))).collect();
    match settings.format() {
        Format::Table => {
            for (name, value) in &all {
                terminal::print(&terminal::escape_controls(&format!("{name} = {value}\n")));
            }
        }
        _ => terminal::print(&format!("{}\n", json!(all))),
    }
    Ok(())
}

fn to_json(item: &Item) -> serde_json::Value {
    let text = || item.as_str().map(serde_json::Value::from);
    let whole = || item.as_integer().map(serde_json::Value::from);
    text()
        .or_else(whole)
        .or_else(|| item.as_bool().map(serde_json::Value::from))
        .unwrap_or_default()
}

/// Writes a setting of the selected profile to the configuration file, or removes it if `text` is `None`.
fn change(settings: &Settings, name: &str, text: Option<&str>) -> Result<(), Failure> {
    let mut document = read(settings)?;
    let profile = settings.profile.clone().unwrap_or_else(|| FIRST_PROFILE.to_owned());
    let is_set = document.get("profile").and_then(|all| all.get(&profile)?.get(name)).is_some();
    if text.is_none() && !is_set {
        terminal::note(&format!("the profile `{profile}` has no setting `{name}`"));
        return Ok(());
    }

    let profiles = document.entry("profile").or_insert_with(|| {
        let mut profiles = Table::new();
        profiles.set_implicit(true);
        Item::Table(profiles)
    });
    let wrong = || Failure::usage("`profile` in the configuration file is not a TOML table");
    let profiles = profiles.as_table_like_mut().ok_or_else(wrong)?;
    let table = profiles.entry(&profile).or_insert_with(toml_edit::table);
    let table = table.as_table_like_mut().ok_or_else(wrong)?;
    match text {
        Some(text) => set(table, name, parsed(name, text)?),
        None => drop(table.remove(name)),
    }
    if settings.profile.is_none() {
        document["default"] = value(&*profile);
    }

    let path = &settings.config_file;
    let text = document.to_string();
    check_config(&text, path)?;
    write_private(path, text.as_bytes()).map_err(|error| {
        Failure::new(Exit::Local, format!("{} cannot be written: {error}", path.display()))
    })?;
    terminal::note(&format!("changed the profile `{profile}` in {}", path.display()));
    Ok(())
}

/// Sets the value of a setting. Keeps the comments above and beside an existing setting.
fn set(table: &mut dyn TableLike, name: &str, mut value: Value) {
    match table.get_mut(name) {
        Some(old) => {
            if let Some(old) = old.as_value() {
                *value.decor_mut() = old.decor().clone();
            }
            *old = Item::Value(value);
        }
        None => drop(table.insert(name, Item::Value(value))),
    }
}

/// Converts the new value of a setting from text to the TOML type that the setting has: text, whole number or boolean.
fn parsed(name: &str, text: &str) -> Result<Value, Failure> {
    let kind = SETTINGS.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind);
    match kind.unwrap_or(SettingKind::Text) {
        SettingKind::Text => Ok(text.into()),
        SettingKind::Output => Format::named(text).map(|_| text.into()),
        SettingKind::Whole => match text.parse::<i64>() {
            Ok(number) if number >= 0 => Ok(number.into()),
            _ => Err(Failure::usage(format!("`{name}` must be a whole number of at least 0"))
                .next(format!("write `cintel config set {name} 100`"))),
        },
        SettingKind::Boolean => match text {
            "true" => Ok(true.into()),
            "false" => Ok(false.into()),
            _ => Err(Failure::usage(format!("`{name}` must be true or false"))
                .next(format!("write `cintel config set {name} true`"))),
        },
    }
}

/// Reads and parses the configuration file. Returns an empty document if the file does not exist.
fn read(settings: &Settings) -> Result<DocumentMut, Failure> {
    let path = &settings.config_file;
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(error) => {
            let message =
                format!("the configuration file {} cannot be read: {error}", path.display());
            return Err(Failure::usage(message));
        }
    };
    check_config(&text, path)?;
    text.parse().map_err(|_| {
        Failure::usage(format!("the configuration file {} is not valid TOML", path.display()))
    })
}
