//! `cintel doctor --contract`: calls cheap operations and compares their responses with the descriptions in the
//! catalogue.
//!
//! The input is the catalogue and a maximum number of credits. Each operation is called at most once, with example
//! arguments. The output is a [`Report`] of the results and differences. The catalogue contains some assumptions, for
//! example about the fields of a record. The report shows whether a response confirms or refutes an assumption, or
//! leaves it open.

mod compare;
mod place;
mod report;

use clap::{Arg, ArgAction, ArgMatches, Command};
use crypto_intel::catalogue::{Answer, OPERATIONS, Operation, Price};
use crypto_intel::{Client, Error, ErrorKind, Method};
use crypto_intel_sandbox::example;

use crate::connection::Connection;
use crate::failure::{Exit, Failure};
use crate::format::Format;
use crate::settings::Settings;
use crate::terminal;
use compare::Finding;

/// Result of `cintel doctor --contract`.
struct Report {
    /// URL of the service, or a name for the embedded sandbox.
    service: String,
    /// True if the responses came from the embedded sandbox.
    is_invented: bool,
    /// Day of the calls (UTC), as `YYYY-MM-DD`.
    day: String,
    limit: u64,
    called: Vec<Called>,
    not_called: Vec<(&'static Operation, &'static str)>,
}

/// Result of calling one operation.
struct Called {
    operation: &'static Operation,
    list_price: u64,
    /// Credits that the service reported for the call, if any.
    reported: Option<i64>,
    /// True if the call succeeded.
    is_answered: bool,
    /// True if the service does not have the path of the operation.
    is_unknown: bool,
    rows: usize,
    findings: Vec<Finding>,
    /// Error message of a failed call, for example that the entity is unknown. `None` if the call succeeded, or if
    /// `findings` already reports the error. `findings` reports unknown paths, and responses that the client cannot
    /// decode.
    problem: Option<String>,
}

impl Report {
    /// Returns the sum of the credits of all calls so far. For each call, the sum contains the larger of the list price
    /// and the reported credits.
    fn spent(&self) -> u64 {
        let of_call = |called: &Called| {
            let reported = called.reported.and_then(|credits| u64::try_from(credits).ok());
            called.list_price.max(reported.unwrap_or_default())
        };
        self.called.iter().map(of_call).sum()
    }
}

/// State of an assumption in the catalogue about an operation, for example about the fields of its rows. A call of the
/// operation can confirm or refute the assumption. Until then, the assumption is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Assumption {
    Confirmed,
    Refuted,
    Open,
}

impl Assumption {
    fn name(self) -> &'static str {
        match self {
            Assumption::Confirmed => "confirmed",
            Assumption::Refuted => "refuted",
            Assumption::Open => "open",
        }
    }
}

const NO_CREDITS: &str = "a credit limit is too low";

/// Adds the option `--contract`, and the options that require `--contract`, to `cintel doctor`.
pub(super) fn with_arguments(command: Command) -> Command {
    let flag = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
    command.args([
        flag("contract")
            .help("Call cheap operations and compare their responses with the OpenAPI document"),
        flag("overlay").requires("contract").help(
            "Print YAML for spec/overlay.yaml with today's date for each operation that responded",
        ),
        Arg::new("only")
            .long("only")
            .value_name("OPERATION,..")
            .value_delimiter(',')
            .requires("contract")
            .add(super::completions::operations())
            .help("Compare only these operations"),
    ])
}

pub(super) const HELP: &str = "--contract calls each GET operation at most once, with example arguments. The cheapest operations are called \
     first. With `--max-credits N`, the sum of the list prices is at most N. If the service reports more credits for \
     a call than the list price, --contract skips operations that would exceed N. The exit code \
     is 7 if a response differs from the OpenAPI document.";

pub(super) async fn run(given: &ArgMatches, settings: &Settings) -> Result<(), Failure> {
    let Some(limit) = settings.max_credits else {
        return Err(Failure::usage("`--contract` sends paid calls, and no limit is set")
            .next("set `--max-credits N`; 0 calls only free operations"));
    };
    let only: Vec<&String> = given.get_many("only").into_iter().flatten().collect();
    if let Some(name) = only.iter().find(|name| !OPERATIONS.iter().any(|known| known.id == ***name))
    {
        let failure = Failure::new(Exit::NotFound, format!("there is no operation `{name}`"));
        return Err(failure.next(format!("`cintel ops {name}` searches operations")));
    }

    let (planned, not_called) =
        plan(limit, |operation| only.is_empty() || only.iter().any(|id| *id == operation.id));
    let connection = Connection::open(settings)?;
    let mut report = Report {
        service: connection.base_url.clone(),
        is_invented: connection.sandbox.is_some(),
        day: day(settings.now()),
        limit,
        called: Vec::new(),
        not_called,
    };
    for (operation, price) in planned {
        if report.spent() + price > limit {
            report.not_called.push((operation, NO_CREDITS));
            continue;
        }
        match call(&connection.client, operation, price).await {
            Ok(called) => report.called.push(called),
            Err(error) if error.kind() == ErrorKind::OverBudget => {
                report.not_called.push((operation, NO_CREDITS));
            }
            Err(error) => return Err(error.into()),
        }
    }

    terminal::print(&match (given.get_flag("overlay"), settings.format()) {
        (true, _) => terminal::escape_controls(&report::overlay(&report)),
        (false, Format::Table) => terminal::escape_controls(&report::text(&report)),
        (false, _) => terminal::escaped(&format!("{}\n", report::json(&report))),
    });
    connection.close();
    let different = report.called.iter().filter(|called| !called.findings.is_empty()).count();
    match different {
        0 => Ok(()),
        1 => Err(differs("1 operation differs from its description")),
        count => Err(differs(&format!("{count} operations differ from their descriptions"))),
    }
}

fn differs(message: &str) -> Failure {
    Failure::new(Exit::Service, message)
        .next("`--overlay` prints suggested changes of spec/overlay.yaml; review them before use")
}

/// Selects the cheapest operations whose list prices sum to at most `limit`, sorted by price. Returns the remaining
/// operations in a second list, each with the reason why the operation is not called. Ignores all operations for which
/// `is_wanted` returns false.
#[expect(clippy::type_complexity, reason = "a tuple of two lists is simpler than a new struct")]
fn plan(
    limit: u64,
    is_wanted: impl Fn(&Operation) -> bool,
) -> (Vec<(&'static Operation, u64)>, Vec<(&'static Operation, &'static str)>) {
    let (mut planned, mut left_out) = (Vec::new(), Vec::new());
    for operation in OPERATIONS.iter().copied().filter(|operation| is_wanted(operation)) {
        match price(operation) {
            Ok(price) => planned.push((operation, price)),
            Err(reason) => left_out.push((operation, reason)),
        }
    }
    // The sort is stable: operations of equal price stay in the order of the catalogue.
    planned.sort_by_key(|(_, price)| *price);

    let mut sum = 0;
    let (within, beyond): (Vec<_>, Vec<_>) = planned.into_iter().partition(|(_, price)| {
        sum += price;
        sum <= limit
    });
    left_out.extend(beyond.into_iter().map(|(operation, _)| (operation, NO_CREDITS)));
    (within, left_out)
}

/// Returns the list price of an operation, or the reason why `cintel doctor --contract` does not call the operation.
fn price(operation: &Operation) -> Result<u64, &'static str> {
    if operation.method != Method::GET {
        return Err("the HTTP method is not GET");
    }
    match (operation.answer, operation.price) {
        (Answer::Stream | Answer::Bytes | Answer::Empty, _) => Err("the response is not JSON"),
        (_, Price::Free) => Ok(0),
        (_, Price::Credits(credits)) => Ok(credits.into()),
        (_, Price::ByModel(_) | Price::Unknown) => Err("the operation has no fixed list price"),
    }
}

/// Calls an operation with the example arguments of the catalogue. Compares the fields of the response and the reported
/// charge with the catalogue.
///
/// # Errors
/// Returns an error if the budget does not cover the call, or if the failure affects all further calls, such as a
/// rejected API key.
async fn call(
    client: &Client,
    operation: &'static Operation,
    list_price: u64,
) -> Result<Called, Error> {
    let mut called = Called {
        operation,
        list_price,
        reported: None,
        is_answered: false,
        is_unknown: false,
        rows: 0,
        findings: Vec::new(),
        problem: None,
    };
    let mut request = client.request(operation.id)?;
    for (name, value) in example::parameters(operation) {
        request = request.with_text(name, &example::written(&value))?;
    }

    match request.await {
        Ok(reply) => {
            called.is_answered = true;
            called.rows = reply.rows().len();
            called.reported = reply.credits_used();
            let body = serde_json::to_string(&*reply).ok();
            let body = body.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
            called.findings = compare::findings(operation, &body);
            called.findings.extend(compare::charge(operation, list_price, called.reported));
        }
        Err(error) => fail(&mut called, error)?,
    }
    Ok(called)
}

/// Stores the error of a call in `called`. Returns the error instead if the budget does not cover the call, or if
/// further calls would probably fail too, for example because the API key is rejected.
fn fail(called: &mut Called, error: Error) -> Result<(), Error> {
    let is_for_all = matches!(
        error.kind(),
        ErrorKind::Authentication
            | ErrorKind::InsufficientCredits
            | ErrorKind::OverBudget
            | ErrorKind::RateLimited
            | ErrorKind::Transport
    );
    if is_for_all {
        return Err(error);
    }

    // For an unknown path, the service sends a response that is not JSON.
    called.is_unknown = error.kind() == ErrorKind::NotFound && error.code().is_none();
    let finding =
        |kind, message: String| Finding { kind, place: String::new(), message, action: None };
    match error.kind() {
        _ if called.is_unknown => {
            called.findings.push(finding(
                "unknown_path",
                "the service has no operation at this path".to_owned(),
            ));
        }
        ErrorKind::Decode => called.findings.push(finding("unreadable", error.to_string())),
        _ => called.problem = Some(format!("no response to compare: {error}")),
    }
    Ok(())
}

/// Formats a time in Unix seconds as its day in UTC: `YYYY-MM-DD`.
fn day(seconds: i64) -> String {
    let time = jiff::Timestamp::from_second(seconds).unwrap_or_default();
    time.strftime("%Y-%m-%d").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plan_never_exceeds_the_limit_and_begins_with_the_cheapest() {
        for limit in [0, 1, 7, 50, 100_000] {
            let (planned, left_out) = plan(limit, |_| true);
            assert!(planned.iter().map(|(_, price)| price).sum::<u64>() <= limit);
            assert!(planned.is_sorted_by_key(|(_, price)| *price));
            assert_eq!(planned.len() + left_out.len(), OPERATIONS.len());
        }
        let (all, left_out) = plan(100_000, |_| true);
        assert!(all.len() > 100, "{}", all.len());
        assert!(left_out.iter().all(|(_, reason)| *reason != NO_CREDITS));
    }
}
