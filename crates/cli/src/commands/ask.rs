//! `cintel ask`: sends a question to the chat and prints the answer while the model writes it.

use std::pin::pin;

use clap::{Arg, ArgAction, ArgMatches, Command};
use crypto_intel::catalogue::{ParamKind, Price};
use crypto_intel::chat::{Response, Thread};
use crypto_intel::prelude::*;

use super::conversation::Conversation;
use crate::arguments::{catalogue, help};
use crate::connection::Connection;
use crate::failure::{Exit, Failure};
use crate::format::Format;
use crate::progress::Progress;
use crate::settings::{Settings, read_file};
use crate::terminal;

/// Identifier of the operation that `cintel ask` calls.
const OPERATION: &str = "responses";

pub(crate) fn arguments(command: Command) -> Command {
    let question = Arg::new("question").value_name("QUESTION").required(true);
    let model = Arg::new("model").long("model").value_name("MODEL");
    let effort = Arg::new("effort").long("effort").value_name("EFFORT");
    let continues = Arg::new("continue").long("continue").action(ArgAction::SetTrue);
    let json = Arg::new("json").long("json").action(ArgAction::SetTrue);
    let unchecked = Arg::new("unchecked").long("unchecked").action(ArgAction::SetTrue);
    let instructions = Arg::new("instructions").long("instructions").value_name("TEXT");

    command
        .arg(
            question.help("The question, or @FILE to read it from a file, or - for standard input"),
        )
        .arg(model.help(format!(
            "The model [one of: {}; default: {}]",
            models().join(", "),
            default_model()
        )))
        .arg(effort.help(format!("Reasoning effort [one of: {}]", efforts().join(", "))))
        .arg(instructions.help("Instructions for the model"))
        .arg(
            continues
                .conflicts_with_all(["model", "effort", "instructions"])
                .help("Continue the last conversation, with the same model and instructions"),
        )
        .arg(unchecked.help("Allow a model that this release does not know"))
        .arg(json.help("Print the response as JSON when it is complete"))
        .after_help(prices())
}

/// Runs `cintel ask`. Creates or loads the conversation, prints the answer while it arrives, and saves the
/// conversation. Prints the JSON response if requested.
pub(crate) async fn run(given: &ArgMatches, settings: &Settings) -> Result<(), Failure> {
    let text = |name: &str| given.get_one::<String>(name).cloned();
    let question = question(&text("question").unwrap_or_default())?;
    let connection = Connection::open(settings)?;

    let mut conversation = match given.get_flag("continue") {
        true => Conversation::last(&connection, settings).await?,
        false => {
            let model = text("model").unwrap_or_else(default_model);
            if !given.get_flag("unchecked") {
                check_model(&model)?;
            }
            let mut thread = Thread::new(model.as_str());
            if let Some(effort) = text("effort") {
                thread = thread.effort(effort.as_str());
            }
            if let Some(instructions) = text("instructions") {
                thread = thread.instructions(instructions);
            }
            Conversation::new(thread)
        }
    };

    let as_json =
        given.get_flag("json") || settings.asked_format().is_some_and(|f| f != Format::Table);
    let waiting = Progress::waiting("thinking");
    let asked = conversation.thread.request(&connection.client, question.as_str());
    let mut stream = asked.stream().await?;

    let mut ends_line = true;
    let mut failure = None;
    let mut interrupted = pin!(terminal::interrupted());
    loop {
        let piece = tokio::select! {
            piece = stream.next_text() => piece.map_err(Failure::from),
            () = &mut interrupted => Err(cut_short()),
        };
        let piece = match piece {
            Ok(Some(piece)) => piece,
            Ok(None) => break,
            Err(error) => {
                failure = Some(error);
                break;
            }
        };

        waiting.clear();
        if !as_json && !piece.is_empty() {
            ends_line = piece.ends_with('\n');
            terminal::print(&terminal::escape_controls(&piece));
        }
    }

    drop(waiting);
    if !ends_line {
        terminal::print("\n");
    }

    // The received part of an answer is paid for, so it is printed. Its `status` shows that it is not complete.
    let answer = match (stream.into_answer(), failure) {
        (Ok(answer), None) => answer,
        (Ok(answer), Some(failure)) => {
            print_part(as_json, &answer)?;
            return Err(failure);
        }
        (Err(unfinished), failure) => {
            print_part(as_json, unfinished.partial())?;
            return Err(failure.unwrap_or_else(|| crypto_intel::Error::from(unfinished).into()));
        }
    };

    conversation.note(question, &answer);
    conversation.keep(&connection, settings);
    if as_json {
        print_json(&answer)?;
    }
    connection.close();
    Ok(())
}

/// Reads the question from the argument, a file or standard input. An empty question is rejected,
/// because it would be charged.
fn question(given: &str) -> Result<String, Failure> {
    let text = match given.strip_prefix('@') {
        Some(path) => read_file(path)?,
        None if given == "-" => read_file("-")?,
        None => given.to_owned(),
    };
    match text.trim().is_empty() {
        true => Err(Failure::usage("the question is empty")
            .next("write `cintel ask \"How is BTC doing?\"`, or name a file with @FILE")),
        false => Ok(text),
    }
}

/// If `as_json` is true, prints the received part of an interrupted answer. A part without text is not printed. If
/// `as_json` is false, does nothing, because the text was already printed while it arrived.
fn print_part(as_json: bool, part: &Response) -> Result<(), Failure> {
    if as_json && !part.text().is_empty() { print_json(part) } else { Ok(()) }
}

/// Prints a response as one line of JSON.
fn print_json(answer: &Response) -> Result<(), Failure> {
    let text = serde_json::to_string(answer);
    let text = text.map_err(|error| Failure::new(Exit::Local, error.to_string()))?;
    terminal::print(&format!("{text}\n"));
    Ok(())
}

fn cut_short() -> Failure {
    Failure::new(Exit::Interrupted, "interrupted; the text received so far was printed")
        .next("the service may charge for the answer; `cintel credits` shows the balance")
}

/// Returns the identifiers of the chat models in the catalogue of operations.
fn models() -> &'static [&'static str] {
    let operation = catalogue::operation(OPERATION);
    let kind = operation.and_then(|known| known.param("model")).map(|(_, param)| param.kind);
    match kind {
        Some(ParamKind::Enum(models)) => models,
        _ => &[],
    }
}

/// Returns the reasoning efforts in the price list of the operation `responses`, such as `low`. The list is sorted by
/// name and has no duplicates.
fn efforts() -> Vec<&'static str> {
    let lines = match catalogue::operation(OPERATION).map(|known| known.price) {
        Some(Price::ByModel(lines)) => lines,
        _ => &[],
    };
    let mut efforts: Vec<_> = lines.iter().filter_map(|line| line.effort).collect();
    efforts.sort_unstable();
    efforts.dedup();
    efforts
}

/// Rejects a chat model that is not in the catalogue of operations. This check runs before the request is sent and
/// charged.
fn check_model(model: &str) -> Result<(), Failure> {
    let Some(operation) = catalogue::operation(OPERATION) else { return Ok(()) };
    operation.check_model(model).map_err(|unknown| {
        Failure::usage(unknown.to_string()).next("correct `--model`, or add `--unchecked`")
    })
}

/// Returns the chat model with the lowest list price. If several models have this price, returns the last of them in
/// the catalogue.
fn default_model() -> String {
    let operation = catalogue::operation(OPERATION);
    let price = |model: &&&str| match operation.map(|known| known.list_price(Some(model), None)) {
        Some(Price::Credits(credits)) => credits,
        _ => u32::MAX,
    };
    models().iter().rev().min_by_key(price).copied().unwrap_or_default().to_owned()
}

fn prices() -> String {
    let price = catalogue::operation(OPERATION).map(help::price);
    let price = price.unwrap_or_default();
    format!(
        "Cost: {price}\nAnswers are text from the service; treat them as data, not as instructions."
    )
}
