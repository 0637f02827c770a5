//! `cintel doctor`: checks settings, connection, API key and clock.
//!
//! The input is the resolved settings. The output is one line per check, or a JSON array of all checks. If a check
//! fails, the command returns a failure. The failure suggests how to fix the first failed check.

use std::time::SystemTime;

use clap::{ArgMatches, Command};
use crypto_intel::catalogue::{OPERATIONS, VERSION};
use crypto_intel::{Client, ErrorKind};
use serde_json::json;

use super::contract;
use crate::connection::Connection;
use crate::failure::{Exit, Failure};
use crate::format::Format;
use crate::settings::Settings;
use crate::terminal;

/// Result of one check of `cintel doctor`.
struct Finding {
    what: &'static str,
    is_good: bool,
    says: String,
}

/// Identifier of the free operation that `cintel doctor` calls to check the connection.
const PROBE: &str = "credit-balance";

/// Maximum difference, in seconds, between the local clock and the service's clock. With a larger difference,
/// relative time ranges of requests would be wrong.
const TOLERANCE: i64 = 60;

pub(crate) fn arguments(command: Command) -> Command {
    contract::with_arguments(command).after_help(format!(
        "The check calls one free operation, `credit-balance`.\n\n{}",
        contract::HELP
    ))
}

pub(crate) async fn run(given: &ArgMatches, settings: &Settings) -> Result<(), Failure> {
    if given.get_flag("contract") {
        return contract::run(given, settings).await;
    }
    let mut findings = vec![
        good("program", format!("cintel {}", env!("CARGO_PKG_VERSION"))),
        good("catalogue", format!("{} operations, description {VERSION}", OPERATIONS.len())),
        configuration(settings),
        good("profile", settings.profile.clone().unwrap_or_else(|| "none".to_owned())),
        good("base URL", settings.base_url.clone().unwrap_or_else(|| "not set".to_owned())),
        good(
            "key",
            match &settings.key {
                Some(key) => format!("{} from {}", key.masked(), key.source),
                None => "not set".to_owned(),
            },
        ),
    ];

    match Connection::open(settings) {
        Ok(connection) => findings.extend(reached(&connection, settings.key.is_some()).await),
        Err(failure) => findings.push(bad("connection", failure.message().to_owned())),
    }

    let is_good = findings.iter().all(|finding| finding.is_good);
    match settings.format() {
        Format::Table => findings.iter().for_each(|finding| {
            let mark = if finding.is_good { "ok  " } else { "FAIL" };
            terminal::print(&terminal::escape_controls(&format!(
                "{mark} {:13} {}\n",
                finding.what, finding.says
            )));
        }),
        _ => {
            let one = |f: &Finding| json!({"what": f.what, "ok": f.is_good, "says": f.says});
            let all: Vec<_> = findings.iter().map(one).collect();
            terminal::print(&format!("{}\n", json!(all)));
        }
    }

    match is_good {
        true => Ok(()),
        false => {
            let failed: Vec<_> = findings.iter().filter(|f| !f.is_good).map(|f| f.what).collect();
            Err(Failure::new(Exit::Local, format!("these checks failed: {}", failed.join(", ")))
                .next(match failed.first() {
                    Some(&"connection") => "set a key with `cintel auth login`, and set a base URL",
                    Some(&"reached") => "check the base URL and the network",
                    Some(&"allowed") => "store another key with `cintel auth login`",
                    Some(&"clock") => "correct the clock of this machine",
                    _ => "try again with `--verbose`",
                }))
        }
    }
}

fn good(what: &'static str, says: String) -> Finding {
    Finding { what, is_good: true, says }
}

fn bad(what: &'static str, says: String) -> Finding {
    Finding { what, is_good: false, says }
}

fn configuration(settings: &Settings) -> Finding {
    let path = settings.config_file.display();
    match settings.config_file.exists() {
        true => good("configuration", path.to_string()),
        false => good("configuration", format!("{path} (does not exist)")),
    }
}

async fn reached(connection: &Connection, has_key: bool) -> Vec<Finding> {
    let allowed = match has_key || connection.sandbox.is_some() {
        true => "the key is accepted",
        false => "no key is set; the service accepts calls without a key",
    };
    let place = connection.base_url.clone();

    match probe(&connection.client).await {
        Ok((elapsed, status, clock)) => {
            let mut findings = vec![
                good("reached", format!("{place} responded in {elapsed} ms with status {status}")),
                good("allowed", allowed.to_owned()),
            ];
            // The clock of the embedded sandbox is not checked, because the user can set it.
            let clock = clock.filter(|_| connection.sandbox.is_none());
            findings.extend(clock.map(difference));
            findings
        }
        Err(error) => {
            let says = error.to_string();
            match error.kind() {
                ErrorKind::Transport | ErrorKind::Timeout => {
                    vec![bad("reached", format!("{place}: {says}"))]
                }
                ErrorKind::Authentication => {
                    vec![good("reached", place), bad("allowed", says)]
                }
                _ => vec![good("reached", place), bad("answered", says)],
            }
        }
    }
}

/// Calls the free operation [`PROBE`]. Returns the elapsed milliseconds, the HTTP status, and the number of seconds by
/// which the service's clock is ahead of this machine's clock. The last value is `None` if the response has no valid
/// `Date` header.
async fn probe(client: &Client) -> Result<(u128, u16, Option<i64>), crypto_intel::Error> {
    let reply = client.request(PROBE)?.await?;
    let http = reply.http();
    let date = http.headers.get("date").and_then(|value| value.to_str().ok());
    let theirs = date.and_then(|date| {
        jiff::fmt::rfc2822::parse(date).ok().map(|zoned| zoned.timestamp().as_second())
    });
    let ours = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).ok();
    let ours = ours.and_then(|time| i64::try_from(time.as_secs()).ok());
    let distance = theirs.zip(ours).map(|(theirs, ours)| theirs - ours);
    Ok((http.elapsed.as_millis(), http.status.as_u16(), distance))
}

fn difference(seconds: i64) -> Finding {
    let says = format!("the service's clock minus this machine's clock: {seconds} s");
    match seconds.abs() <= TOLERANCE {
        true => good("clock", says),
        false => bad("clock", says),
    }
}
