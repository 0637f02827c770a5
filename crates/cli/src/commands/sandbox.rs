//! `cintel sandbox`: runs the sandbox as an HTTP server on a local port, for other programs on this machine.

use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use crypto_intel_sandbox::{Clock, Fault, Sandbox, UnixSeconds};

use crate::failure::{Exit, Failure};
use crate::settings::Settings;
use crate::terminal;

pub(crate) fn arguments(command: Command) -> Command {
    let command = command
        .args(access_arguments())
        .args(response_arguments())
        .after_help("`--seed` selects the invented data, and `--sandbox-clock` sets a fixed time.");

    #[cfg(feature = "record")]
    let command = command.arg(option("record").value_name("FOLDER").conflicts_with("replay").help(
        "Forward requests to `--base-url`, and record the responses; API keys are not recorded",
    ));

    command
}

fn option(name: &'static str) -> Arg {
    Arg::new(name).long(name)
}

/// Returns the options for the port, API keys and limits of the sandbox.
fn access_arguments() -> [Arg; 5] {
    [
        option("port")
            .value_name("PORT")
            .value_parser(value_parser!(u16))
            .default_value("8080")
            .help("Port on 127.0.0.1, or 0 for any free port"),
        option("key")
            .value_name("KEY=CREDITS")
            .action(ArgAction::Append)
            .help("Additional key with its credits"),
        option("require-key").action(ArgAction::SetTrue).help("Reject calls without a key"),
        option("rate-limit")
            .value_name("N")
            .value_parser(value_parser!(usize))
            .help("Maximum requests per minute"),
        option("free-repeats").value_name("TIME").help(
            "Time after a paid call in which calls of the same operation are free, such as 3m",
        ),
    ]
}

/// Returns the options for injected faults and recorded responses.
fn response_arguments() -> [Arg; 3] {
    [
        option("fault")
            .value_name("FAULT")
            .action(ArgAction::Append)
            .help("Inject a fault, such as `status=503;times=2`, `latency=200` or `cut=100`"),
        option("control")
            .action(ArgAction::SetTrue)
            .help("Allow programs to inject faults over HTTP"),
        option("replay").value_name("FOLDER").help("Answer only with recorded responses"),
    ]
}

/// Runs the sandbox. Steps: convert the flags to settings, start the server, print its address and API key, and wait
/// for Ctrl-C or SIGTERM.
pub(crate) async fn run(given: &ArgMatches, settings: &Settings) -> Result<(), Failure> {
    let mut builder = Sandbox::builder()
        .seed(settings.seed)
        .port(given.get_one::<u16>("port").copied().unwrap_or_default())
        .require_key(given.get_flag("require-key"))
        .control(given.get_flag("control"))
        .stop_within(Duration::from_secs(1));
    if let Some(time) = settings.sandbox_clock {
        builder = builder.clock(Clock::stopped_at(UnixSeconds(time)));
    }
    if let Some(limit) = given.get_one::<usize>("rate-limit") {
        builder = builder.rate_limit(Some(*limit));
    }

    if let Some(window) = given.get_one::<String>("free-repeats") {
        builder = builder.free_repeats(crate::settings::duration(window)?);
    }
    for key in given.get_many::<String>("key").into_iter().flatten() {
        let (key, credits) = key_and_credits(key)?;
        builder = builder.key(key, credits);
    }
    for fault in given.get_many::<String>("fault").into_iter().flatten() {
        let fault = fault.parse::<Fault>().map_err(|error| {
            Failure::usage(error.to_string())
                .next("examples: `status=503;times=2`, `latency=200`, `cut=100`, `malformed`")
        })?;
        builder = builder.fault(fault);
    }

    if let Some(folder) = given.get_one::<String>("replay") {
        builder = builder.replay(folder);
    }
    #[cfg(feature = "record")]
    if let Some(folder) = given.get_one::<String>("record") {
        let upstream = settings.base_url.clone().ok_or_else(|| {
            Failure::usage("`--record` forwards requests to a service, but no base URL is set")
                .next("set it with `--base-url`")
        })?;
        builder = builder.record(upstream, folder);
    }

    let is_recorded = cfg!(feature = "record") && given.contains_id("record");
    let sandbox = builder.start().await.map_err(|error| {
        let failure = Failure::new(Exit::Local, format!("the sandbox cannot start: {error}"));
        match error.kind() {
            std::io::ErrorKind::AddrInUse | std::io::ErrorKind::PermissionDenied => {
                failure.next("use another port, such as `--port 0`")
            }
            _ if given.contains_id("replay") => {
                failure.next("name a folder that `cintel sandbox --record` has written")
            }
            _ if is_recorded => failure.next(
                "name a writable folder in `--record`, and the URL of the service in `--base-url`",
            ),
            _ => failure,
        }
    })?;

    terminal::print(&format!(
        "{}={}\n{}={}\n",
        crypto_intel::BASE_URL_VARIABLE,
        sandbox.url(),
        crypto_intel::KEY_VARIABLE,
        sandbox.key(),
    ));
    if let Some(token) = sandbox.control_token() {
        terminal::print(&format!("SANDBOX_CONTROL_TOKEN={token}\n"));
    }
    terminal::note("the sandbox is running with invented data; Ctrl-C stops it");

    stopped().await;
    let stopped = sandbox.stop().await;
    stopped.map_err(|error| Failure::new(Exit::Local, format!("the sandbox failed: {error}")))
}

/// Waits for Ctrl-C, or for the SIGTERM signal of a service manager.
async fn stopped() {
    #[cfg(unix)]
    if let Ok(mut terminate) =
        tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())
    {
        tokio::select! {
            _ = tokio::signal::ctrl_c() => {}
            _ = terminate.recv() => {}
        }
        return;
    }
    // If no signal handler can be installed, the sandbox stops at once.
    let _ = tokio::signal::ctrl_c().await;
}

fn key_and_credits(text: &str) -> Result<(String, i64), Failure> {
    let wrong = || {
        // The message omits the argument, because it contains a key.
        Failure::usage("a value of `--key` is not KEY=CREDITS").next("write `--key sk-test=1000`")
    };
    let (key, credits) = text.rsplit_once('=').ok_or_else(wrong)?;
    Ok((key.to_owned(), credits.parse().map_err(|_| wrong())?))
}
