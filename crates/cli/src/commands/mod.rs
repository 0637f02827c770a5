//! Commands of `cintel`, and the function that runs a command by its name.
//!
//! The input is parsed arguments and [`Settings`]. The output is rows on standard output, notes on standard error, or
//! a [`Failure`]. [`COMMANDS`] lists all commands that are not operations. [`call`] runs every operation.

mod api;
mod ask;
mod auth;
mod call;
mod command_line;
mod completions;
mod config;
mod contract;
mod conversation;
mod credits;
mod describe;
mod doctor;
#[cfg(feature = "agents")]
mod exam;
#[cfg(feature = "export")]
mod export;
mod man;
#[cfg(feature = "agents")]
mod mcp;
mod missing_parts;
mod mistakes;
mod openapi;
mod ops;
mod overview;
mod plan;
mod query;
mod resolve;
mod resolved_values;
mod sandbox;
mod schema;
#[cfg(feature = "agents")]
mod skill;
mod sql;
mod sql_jobs;
#[cfg(feature = "export")]
mod sync;
#[cfg(feature = "export")]
mod table;
mod watch;

use std::future::Future;
use std::pin::Pin;

use clap::{ArgMatches, Command};

pub(crate) use command_line::root;
pub(crate) use completions::answer as answer_completion;
pub(crate) use mistakes::mistake;

use crate::arguments::catalogue;
use crate::failure::Failure;
use crate::settings::Settings;

/// Future of a running command.
pub(crate) type Run<'a> = Pin<Box<dyn Future<Output = Result<(), Failure>> + 'a>>;

/// Command of `cintel` that is not an operation of the service, such as `auth`.
pub(crate) struct CommandEntry {
    pub(crate) name: &'static str,
    /// Description of the command on one line, for help texts.
    pub(crate) about: &'static str,
    /// Function that adds the arguments of this command to a clap command.
    pub(crate) arguments: fn(Command) -> Command,
    pub(crate) run: for<'a> fn(&'a ArgMatches, &'a Settings) -> Run<'a>,
}

/// All commands that are not operations, in the order in which `cintel --help` lists them.
pub(crate) static COMMANDS: &[CommandEntry] = &[
    CommandEntry {
        name: "ops",
        about: "Search the operations by words",
        arguments: ops::arguments,
        run: |given, settings| Box::pin(ops::run(given, settings)),
    },
    CommandEntry {
        name: "describe",
        about: "Show the parameters, the price and the fields of an operation",
        arguments: describe::arguments,
        run: |given, settings| Box::pin(describe::run(given, settings)),
    },
    CommandEntry {
        name: "schema",
        about: "Print the JSON Schema of an operation's output",
        arguments: schema::arguments,
        run: |given, _| Box::pin(schema::run(given)),
    },
    CommandEntry {
        name: "resolve",
        about: "Find the identifiers of a token, company, fund, person or market by its name",
        arguments: resolve::arguments,
        run: |given, settings| Box::pin(resolve::run(given, settings)),
    },
    CommandEntry {
        name: "openapi",
        about: "Print the OpenAPI document of all operations, for tools in other programming languages",
        arguments: openapi::arguments,
        run: |_, _| Box::pin(openapi::run()),
    },
    CommandEntry {
        name: "ask",
        about: "Ask a question in plain language",
        arguments: ask::arguments,
        run: |given, settings| Box::pin(ask::run(given, settings)),
    },
    CommandEntry {
        name: "sql",
        about: "Query on-chain data, directly or as a job",
        arguments: sql::arguments,
        run: |given, settings| Box::pin(sql::run(given, settings)),
    },
    #[cfg(feature = "export")]
    CommandEntry {
        name: "export",
        about: "Write the rows of an operation to files, and continue after an interruption",
        arguments: export::arguments,
        run: |given, settings| Box::pin(export::run(given, settings)),
    },
    #[cfg(feature = "export")]
    CommandEntry {
        name: "sync",
        about: "Run all exports of a plan within one budget",
        arguments: sync::arguments,
        run: |given, settings| Box::pin(sync::run(given, settings)),
    },
    #[cfg(feature = "export")]
    CommandEntry {
        name: "table",
        about: "Print the rows that an updated export had at an earlier time",
        arguments: table::arguments,
        run: |given, settings| Box::pin(table::run(given, settings)),
    },
    CommandEntry {
        name: "api",
        about: "Send a request to any path, even of an operation that this release does not know",
        arguments: api::arguments,
        run: |given, settings| Box::pin(api::run(given, settings)),
    },
    CommandEntry {
        name: "query",
        about: "Save commands under a name, and run them",
        arguments: query::arguments,
        run: |given, settings| Box::pin(query::run(given, settings)),
    },
    CommandEntry {
        name: "credits",
        about: "Show the credit balance, and the prices of calls and credits",
        arguments: credits::arguments,
        run: |given, settings| Box::pin(credits::run(given, settings)),
    },
    CommandEntry {
        name: "sandbox",
        about: "Serve the sandbox, a local copy of the service with invented data",
        arguments: sandbox::arguments,
        run: |given, settings| Box::pin(sandbox::run(given, settings)),
    },
    #[cfg(feature = "agents")]
    CommandEntry {
        name: "mcp",
        about: "Run an MCP server for agents, on standard input and output or HTTP",
        arguments: mcp::arguments,
        run: |given, settings| Box::pin(mcp::run(given, settings)),
    },
    #[cfg(feature = "agents")]
    CommandEntry {
        name: "skill",
        about: "Install the skill package, which teaches agents to use this program",
        arguments: skill::arguments,
        run: |given, _| Box::pin(skill::run(given)),
    },
    #[cfg(feature = "agents")]
    CommandEntry {
        name: "exam",
        about: "Give an agent an exam about the sandbox's data",
        arguments: exam::arguments,
        run: |given, _| Box::pin(exam::run(given)),
    },
    CommandEntry {
        name: "auth",
        about: "Store, show or delete the API key",
        arguments: auth::arguments,
        run: |given, settings| Box::pin(auth::run(given, settings)),
    },
    CommandEntry {
        name: "config",
        about: "Show or change settings, and store the API key",
        arguments: config::arguments,
        run: |given, settings| Box::pin(config::run(given, settings)),
    },
    CommandEntry {
        name: "doctor",
        about: "Check settings, connection, key and clock, or compare the service with its OpenAPI document",
        arguments: doctor::arguments,
        run: |given, settings| Box::pin(doctor::run(given, settings)),
    },
    CommandEntry {
        name: "completions",
        about: "Print a completion script for a shell",
        arguments: completions::arguments,
        run: |given, _| Box::pin(completions::run(given)),
    },
    CommandEntry {
        name: "man",
        about: "Print manual pages",
        arguments: man::arguments,
        run: |given, _| Box::pin(man::run(given, root())),
    },
];

/// Runs the command called `name`: an entry of [`COMMANDS`], or an operation.
pub(crate) async fn run(
    name: &str,
    given: &ArgMatches,
    settings: &Settings,
) -> Result<(), Failure> {
    if let Some(entry) = COMMANDS.iter().find(|entry| entry.name == name) {
        return (entry.run)(given, settings).await;
    }
    match catalogue::operation(name) {
        Some(operation) => call::run(operation, given, settings).await,
        None => Err(Failure::usage(format!("there is no command `{name}`"))),
    }
}
