//! `cintel resolve`: finds the identifiers of an asset, company, market or other entity by its name.

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ArgMatches, Command};
use crypto_intel::catalogue::{OPERATIONS, Operation};
use crypto_intel::resolve::{Candidate, Candidates, Resolve, kinds};
use serde_json::json;

use crate::arguments::catalogue::{self, is_settable, kebab};
use crate::arguments::help::quoted;
use crate::arguments::options;
use crate::closest::closest;
use crate::connection::Connection;
use crate::failure::{Exit, Failure};
use crate::output::{Options, Rows};
use crate::settings::Settings;
use crate::terminal;

pub(crate) fn arguments(command: Command) -> Command {
    let name = Arg::new("name").value_name("NAME").required(true);
    let kind = Arg::new("kind").long("kind").value_name("KIND").action(ArgAction::Append);
    let operation = Arg::new("for").long("for").value_name("OPERATION");
    let dry_run = Arg::new("dry-run").long("dry-run").action(ArgAction::SetTrue);
    command
        .arg(name.help("Name, symbol, handle or address, such as USDC"))
        .arg(
            kind.value_parser(PossibleValuesParser::new(kinds()))
                .help("Only this kind; repeatable"),
        )
        .arg(operation.help("Only identifiers that this operation accepts"))
        .arg(dry_run.help("Print the searches and their total list price without sending them"))
        .args(options::choosing())
}

pub(crate) async fn run(given: &ArgMatches, settings: &Settings) -> Result<(), Failure> {
    let name = given.get_one::<String>("name").map_or("", String::as_str);
    let operation = given.get_one::<String>("for").map(|id| operation_by_id(id)).transpose()?;
    let options = Options::read(given, settings)?;

    let connection = Connection::open(settings)?;
    let mut resolve = connection.client.resolve(name);
    for kind in given.get_many::<String>("kind").into_iter().flatten() {
        resolve = resolve.kind(kind);
    }
    if let Some(operation) = operation {
        resolve = resolve.for_operation(operation);
    }
    if given.get_flag("dry-run") {
        dry_run(&resolve);
        return Ok(());
    }

    let found = resolve.await;
    connection.close();
    let found = found?;
    for (search, reason) in found.incomplete() {
        terminal::note(&format!("note: {search} {reason}"));
    }
    if found.all().is_empty() {
        let failure = Failure::new(Exit::NotFound, format!("no search found `{name}`"));
        return Err(failure.next("try another spelling, or a part of the name"));
    }
    print(&found, operation, options)
}

fn operation_by_id(id: &str) -> Result<&'static Operation, Failure> {
    catalogue::operation(id).ok_or_else(|| {
        let meant = closest(id, OPERATIONS.iter().map(|known| known.id));
        let next =
            meant.map_or("`cintel ops` lists all".to_owned(), |id| format!("did you mean `{id}`?"));
        Failure::usage(format!("there is no operation `{id}`")).next(next)
    })
}

/// Implements `--dry-run`: prints the search requests that `cintel resolve` would send, and their total list price.
pub(super) fn dry_run(resolve: &Resolve) {
    let mut text = String::new();
    for search in resolve.searches() {
        text.push_str(&format!("{} {}\n", search.method, search.path));
    }
    text.push_str(&format!("list price: {}\nnothing was sent\n", resolve.estimate()));
    terminal::print(&text);
}

fn print(
    found: &Candidates,
    operation: Option<&'static Operation>,
    options: Options,
) -> Result<(), Failure> {
    let mut rows = Rows::start(options, None);
    rows.in_order(["kind", "identifier", "name", "exact", "command", "found_by"]);
    for candidate in found.all() {
        let operation = operation.or_else(|| first_accepting(candidate));
        rows.push_value(&json!({
            "kind": candidate.kind,
            "identifier": candidate.parts.join(" "),
            "name": candidate.name,
            "exact": candidate.is_exact,
            "command": operation.and_then(|operation| command(operation, candidate)),
            "found_by": candidate.found_by,
        }))?;
    }
    rows.finish()
}

/// Finds an operation that can be called for `candidate`, an entity that the search found. The identifiers of the
/// entity must include a value for each required parameter. Skips search operations.
fn first_accepting(candidate: &Candidate) -> Option<&'static Operation> {
    OPERATIONS.iter().copied().find(|operation| {
        let Some(arguments) = candidate.arguments(operation) else { return false };
        let required = operation.params.iter().filter(|param| param.required);
        operation.finds.is_none()
            && required.clone().all(|param| arguments.iter().any(|(name, _)| *name == param.name))
    })
}

/// Returns a command line that calls the operation for `candidate`, an entity that the search found. The arguments are
/// the identifiers of the entity.
pub(super) fn command(operation: &Operation, candidate: &Candidate) -> Option<String> {
    let arguments = candidate.arguments(operation)?;
    let mut words = vec!["cintel".to_owned(), operation.id.to_owned()];
    for param in operation.params.iter().filter(|param| is_settable(param)) {
        let Some((_, value)) = arguments.iter().find(|(name, _)| *name == param.name) else {
            continue;
        };
        if !param.required {
            words.push(format!("--{}", kebab(param.name)));
        }
        words.push(quoted(value));
    }
    Some(words.join(" "))
}
