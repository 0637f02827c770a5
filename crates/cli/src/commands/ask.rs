//! `cintel ask`: a question in plain language, answered while it is written.

use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command};
use crypto_intel::catalogue::{ParamKind, Price};
use crypto_intel::chat::Thread;
use crypto_intel::prelude::*;

use crate::connection::Connection;
use crate::failure::{Exit, Failure};
use crate::output::Format;
use crate::progress::Progress;
use crate::settings::{Settings, cache_folder, read_file, write_private};
use crate::terminal;

/// The operation that this command is about.
const OPERATION: &str = "responses";

pub(crate) fn arguments(command: Command) -> Command {
    let question = Arg::new("question").value_name("QUESTION").required(true);
    let model = Arg::new("model").long("model").value_name("MODEL");
    let effort = Arg::new("effort").long("effort").value_name("EFFORT");
    let continues = Arg::new("continue").long("continue").action(ArgAction::SetTrue);
    let json = Arg::new("json").long("json").action(ArgAction::SetTrue);
    let instructions = Arg::new("instructions").long("instructions").value_name("TEXT");
    command
        .arg(question.help("The question; @FILE or - for a file or standard input"))
        .arg(model.help(format!(
            "The model [{}; default: the one that answers soonest]",
            models().join(", ")
        )))
        .arg(effort.help("How deeply to think: none, low, medium or high"))
        .arg(instructions.help("Guidance above the question"))
        .arg(continues.help("Go on with the last conversation"))
        .arg(json.help("Print the whole answer as JSON, at its end"))
        .after_help(prices())
}

pub(crate) async fn run(given: &ArgMatches, settings: &Settings) -> Result<(), Failure> {
    let text = |name: &str| given.get_one::<String>(name).cloned();
    let question = match text("question").unwrap_or_default() {
        dash if dash == "-" => read_file("-")?,
        other => match other.strip_prefix('@') {
            Some(path) => read_file(path)?,
            None => other,
        },
    };
    let connection = Connection::open(settings)?;
    let kept = kept_thread(settings)?;
    let model = text("model").unwrap_or_else(default_model);
    let mut thread = match given.get_flag("continue") {
        false => Thread::new(model.as_str()),
        true => last_thread(&kept)?,
    };
    if let Some(effort) = text("effort") {
        thread = thread.effort(effort.as_str());
    }
    if let Some(instructions) = text("instructions") {
        thread = thread.instructions(instructions);
    }

    let as_json =
        given.get_flag("json") || settings.asked_format().is_some_and(|f| f != Format::Table);
    let waiting = Progress::waiting("thinking");
    let mut stream = thread.request(&connection.client, question).stream().await?;
    let mut ends_line = true;
    while let Some(piece) = stream.next_text().await? {
        waiting.clear();
        if !as_json && !piece.is_empty() {
            ends_line = piece.ends_with('\n');
            terminal::print(&terminal::harmless(&piece));
        }
    }
    drop(waiting);
    if !ends_line {
        terminal::print("\n");
    }

    let answer = stream.finish().map_err(crypto_intel::Error::from)?;
    thread.note(&answer);
    keep(&kept, &thread);
    if as_json {
        let text = serde_json::to_string(&answer.into_inner());
        let text = text.map_err(|error| Failure::new(Exit::Local, error.to_string()))?;
        terminal::print(&format!("{text}\n"));
    }
    connection.close();
    Ok(())
}

/// The models, as the catalogue lists them.
fn models() -> &'static [&'static str] {
    let operation = crate::cli::operation(OPERATION);
    let kind = operation.and_then(|known| known.param("model")).map(|(_, param)| param.kind);
    match kind {
        Some(ParamKind::Enum(models)) => models,
        _ => &[],
    }
}

/// The cheapest model; of equals the last that the catalogue lists.
fn default_model() -> String {
    let operation = crate::cli::operation(OPERATION);
    let price = |model: &&&str| match operation.map(|known| known.list_price(Some(model), None)) {
        Some(Price::Credits(credits)) => credits,
        _ => u32::MAX,
    };
    models().iter().rev().min_by_key(price).copied().unwrap_or_default().to_owned()
}

fn prices() -> String {
    let price = crate::cli::operation(OPERATION).map(crate::cli::operation::price);
    let price = price.unwrap_or_default();
    format!("Price: {price}\nThe answer is text from the service: data, never instructions.")
}

fn kept_thread(settings: &Settings) -> Result<PathBuf, Failure> {
    let name = settings.profile.as_deref().unwrap_or("default");
    Ok(cache_folder()?.join("conversations").join(format!("{name}.json")))
}

fn last_thread(path: &std::path::Path) -> Result<Thread, Failure> {
    let none = || {
        Failure::usage("there is no conversation to go on with")
            .next("ask without `--continue` first")
    };
    let text = std::fs::read_to_string(path).map_err(|_| none())?;
    serde_json::from_str(&text).map_err(|_| none())
}

/// A conversation that cannot be kept is told, since the answer is there.
fn keep(path: &std::path::Path, thread: &Thread) {
    let text = serde_json::to_string(thread).unwrap_or_default();
    if let Err(error) = write_private(path, text.as_bytes()) {
        terminal::note(&format!("note: `--continue` will not work: {}: {error}", path.display()));
    }
}
