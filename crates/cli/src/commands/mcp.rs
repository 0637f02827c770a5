//! `cintel mcp`: runs an MCP server on standard input and output, or over HTTP.

use std::io::IsTerminal as _;
use std::net::SocketAddr;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use crypto_intel::catalogue::OPERATIONS;
use crypto_intel_mcp::http::Listen;
use crypto_intel_mcp::{Server, Settings as ServerSettings};

use crate::closest::closest;
use crate::connection::{ConnectionParts, in_settings};
use crate::failure::{Exit, Failure};
use crate::output::jq_worker;
use crate::settings::Settings;
use crate::terminal;

/// Environment variable with the bearer token that HTTP clients must send. If the variable is not set or empty,
/// `cintel mcp` generates a token.
const TOKEN: &str = "CINTEL_MCP_TOKEN";

pub(crate) fn arguments(command: Command) -> Command {
    command
        .arg(
            option("tools")
                .value_name("NAME,…")
                .value_delimiter(',')
                .action(ArgAction::Append)
                .help("Add typed tools for an operation or for all operations of a domain; `native` adds typed tools for all operations, and removes the tools that search, describe and call operations"),
        )
        .args(choice_arguments())
        .args(http_arguments())
        .args(limit_arguments())
        .after_help(
            "`--max-credits` limits the credits of a connection [default: 500]. Over HTTP, it limits the credits of all connections together.\n\
             HTTP callers need the token in CINTEL_MCP_TOKEN. If this variable is not set, the server generates and prints \
             a token. A caller that sends its own key in the header x-crypto-intel-key has its own credit limit, ledger and results.",
        )
}

fn option(name: &'static str) -> Arg {
    Arg::new(name).long(name)
}

/// Returns the options that remove tools and operations from the server.
fn choice_arguments() -> [Arg; 3] {
    let names =
        |name, value| option(name).value_name(value).value_delimiter(',').action(ArgAction::Append);
    [
        names("without", "TOOL,…").help("Remove tools, such as ask,sql"),
        names("only", "NAME,…").help("Offer only these operations or domains"),
        option("read-only")
            .action(ArgAction::SetTrue)
            .help("Remove tools that create or delete data of the service, such as jobs"),
    ]
}

/// Returns the options of the HTTP server. They set its address, and the allowed hosts and origins.
fn http_arguments() -> [Arg; 3] {
    [
        option("http")
            .value_name("ADDRESS")
            .num_args(0..=1)
            .default_missing_value("127.0.0.1:8765")
            .value_parser(value_parser!(SocketAddr))
            .help("Serve HTTP on this address [default: 127.0.0.1:8765]"),
        option("allow-host")
            .value_name("HOST")
            .action(ArgAction::Append)
            .help("Additional host name that callers may use"),
        option("allow-origin")
            .value_name("ORIGIN")
            .action(ArgAction::Append)
            .help("Origin whose web pages may call the server, such as http://localhost:3000"),
    ]
}

/// Returns the options for cost limits, user consent, the size of tool results, and strict input schemas.
fn limit_arguments() -> [Arg; 5] {
    [
        option("consent-above")
            .value_name("CREDITS")
            .value_parser(value_parser!(u64))
            .help("Ask the user before each tool call above this list price"),
        option("strict-schemas")
            .action(ArgAction::SetTrue)
            .help("Write input schemas that model providers accept in strict mode"),
        option("max-credits-per-call")
            .value_name("CREDITS")
            .value_parser(value_parser!(u64))
            .default_value("50")
            .help("Maximum credits of one tool call, by list price"),
        option("max-tokens")
            .value_name("TOKENS")
            .value_parser(value_parser!(usize))
            .default_value("4000")
            .help("Maximum estimated tokens of one result; `read_result` returns the other rows"),
        option("allow-unpriced")
            .action(ArgAction::SetTrue)
            .help("Allow operations without a published price"),
    ]
}

pub(crate) async fn run(given: &ArgMatches, settings: &Settings) -> Result<(), Failure> {
    let ConnectionParts { builder, sandbox, .. } = ConnectionParts::new(settings)?;
    let mut wanted = ServerSettings::new()
        .sandbox(sandbox.is_some())
        .jq_worker(jq_worker()?)
        .allow_unpriced(given.get_flag("allow-unpriced"))
        .read_only(given.get_flag("read-only"))
        .strict_schemas(given.get_flag("strict-schemas"));
    if let Some(credits) = given.get_one::<u64>("consent-above") {
        wanted = wanted.consent_above(*credits);
    }

    for tool in given.get_many::<String>("without").into_iter().flatten() {
        wanted = wanted.without(tool);
    }
    if let Some(credits) = settings.max_credits {
        wanted = wanted.max_credits(credits);
    }
    if let Some(credits) = given.get_one::<u64>("max-credits-per-call") {
        wanted = wanted.max_credits_per_call(*credits);
    }
    if let Some(tokens) = given.get_one::<usize>("max-tokens") {
        wanted = wanted.max_tokens(*tokens);
    }

    for name in given.get_many::<String>("tools").into_iter().flatten() {
        if name != "native" {
            known_operation("--tools", name)?;
        }
        wanted = wanted.tool(name);
    }
    for name in given.get_many::<String>("only").into_iter().flatten() {
        known_operation("--only", name)?;
        wanted = wanted.only(name);
    }
    let server = Server::new(builder, wanted).map_err(in_settings)?;

    // The sandbox must outlive the server.
    let served = match given.get_one::<SocketAddr>("http") {
        Some(address) => listen(given, *address, server).await,
        None => {
            if std::io::stdin().is_terminal() {
                terminal::note(
                    "this MCP server uses standard input and output; Ctrl-C stops it, and \
                     `--http` serves HTTP instead",
                );
            }
            server.serve_stdio().await.map_err(|error| {
                local(error)
                    .next("MCP hosts start this command themselves; `--http` serves other hosts")
            })
        }
    };
    drop(sandbox);
    served
}

/// Returns an error unless `name` is the name of an operation, the name of a domain, or `all`. The error message
/// contains `option`, the command-line option with this value.
fn known_operation(option: &str, name: &str) -> Result<(), Failure> {
    let names = || OPERATIONS.iter().flat_map(|known| [known.id, known.tag]).chain(["all"]);
    let plain = |text: &str| text.to_lowercase().replace(' ', "-");
    if names().any(|known| plain(known) == plain(name)) {
        return Ok(());
    }
    let failure =
        Failure::usage(format!("`{option}`: `{name}` is neither an operation nor a domain"));
    Err(match closest(name, names()) {
        Some(meant) => failure.next(format!("did you mean `{meant}`?")),
        None => failure.next("`cintel ops` lists operations and domains"),
    })
}

async fn listen(given: &ArgMatches, address: SocketAddr, server: Server) -> Result<(), Failure> {
    let own = std::env::var(TOKEN).ok().filter(|token| !token.is_empty());
    let is_own = own.is_some();
    let token = match own {
        Some(token) => token,
        None => new_token()?,
    };

    let mut listen = Listen::new(&*token)
        .map_err(|error| Failure::usage(format!("{TOKEN}: {error}")))?
        .address(address);
    for host in given.get_many::<String>("allow-host").into_iter().flatten() {
        listen = listen.host(host);
    }
    for origin in given.get_many::<String>("allow-origin").into_iter().flatten() {
        listen = listen.origin(origin);
    }

    let listener = listen.bind(server).await.map_err(|error| {
        Failure::new(Exit::Local, format!("cannot listen on {address}: {error}"))
            .next("use another port, such as `--http 127.0.0.1:0`")
    })?;
    if !address.ip().is_loopback() {
        terminal::note(
            "warning: other machines can reach this address, and clients send the token without encryption; use a proxy with TLS",
        );
    }
    terminal::print(&format!("CINTEL_MCP_URL={}\n", listener.url()));
    if !is_own {
        terminal::print(&format!("{TOKEN}={token}\n"));
    }
    terminal::note("the MCP server is running; Ctrl-C stops it");
    let stop = async {
        // If no signal handler can be installed, the server stops at once.
        let _ = tokio::signal::ctrl_c().await;
    };
    listener.serve(stop).await.map_err(local)
}

fn new_token() -> Result<String, Failure> {
    let mut bytes = [0; 24];
    getrandom::fill(&mut bytes).map_err(|error| {
        Failure::new(Exit::Local, format!("a random token cannot be generated: {error}"))
    })?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn local(error: std::io::Error) -> Failure {
    Failure::new(Exit::Local, format!("the MCP server failed: {error}"))
}
