//! `cintel credits`: shows the balance, list prices, volume plans, estimates, and the cost ledger of this machine.

use clap::{Arg, ArgMatches, Command, value_parser};
use crypto_intel::catalogue::{OPERATIONS, Operation, Price};
use crypto_intel::credits::{Credits, Estimate, Plan, TopUp};
use serde_json::json;

use crate::arguments::help::price;
use crate::arguments::{catalogue, options};
use crate::closest::closest;
use crate::connection::Connection;
use crate::failure::{Exit, Failure};
use crate::output::{Options, Rows};
use crate::settings::Settings;
use crate::terminal;

pub(crate) fn arguments(command: Command) -> Command {
    let prices =
        Command::new("prices").about("Print the list prices of all operations, in credits");
    let plans = Command::new("plans").about("Print the prices of credits in USD, by volume");
    let credits = Arg::new("credits").value_name("CREDITS").value_parser(value_parser!(u64));
    let balance =
        Command::new("balance").about("Print the remaining credits of the account (the default)");
    let history = Command::new("history")
        .about("Print used credits by day, profile and domain, from the ledger of this machine")
        .after_help(HISTORY);
    let estimate = Command::new("estimate").about("Estimated cost of calls");

    command
        .args_conflicts_with_subcommands(true)
        .args(options::choosing())
        .subcommand(balance.args(options::choosing()))
        .subcommand(prices.args(options::choosing()))
        .subcommand(history.args(options::choosing()))
        .subcommand(
            plans
                .arg(credits.default_value("1000").help("Number of credits to buy"))
                .args(options::choosing()),
        )
        .subcommand(estimate_arguments(estimate).args(options::choosing()))
        .after_help(
            "`cintel OPERATION .. --dry-run` prints the price of one call. `--verbose` prints the cost \
             of a run by operation. `--max-credits` limits the cost of a run.",
        )
}

pub(crate) async fn run(given: &ArgMatches, settings: &Settings) -> Result<(), Failure> {
    match given.subcommand() {
        Some(("prices", given)) => prices(Options::read(given, settings)?),
        Some(("plans", given)) => {
            let credits = given.get_one::<u64>("credits").copied().unwrap_or_default();
            plans(Credits(credits), Options::read(given, settings)?)
        }
        Some(("history", given)) => history(settings, Options::read(given, settings)?),
        Some(("estimate", given)) => estimate(given, Options::read(given, settings)?),
        Some((_, given)) => balance(given, settings).await,
        None => balance(given, settings).await,
    }
}

async fn balance(given: &ArgMatches, settings: &Settings) -> Result<(), Failure> {
    let options = Options::read(given, settings)?;
    let connection = Connection::open(settings)?;
    let reply = connection.client.credit_balance().await?;
    let mut rows = Rows::start(options, None);
    rows.is_list(false);
    rows.push_value(&*reply)?;
    connection.close();
    rows.finish()
}

const HISTORY: &str = "\
The ledger is off until you turn it on: with `ledger = true` or `max_credits_per_day = N` in a profile, with
`--max-credits-per-day N`, or with the environment variable CINTEL_LEDGER, which names the ledger's folder. Calls of
the embedded sandbox cost nothing and are not recorded.
Example: cintel credits history --where 'day>=-7d'";

/// Prints the cost ledger of this machine: one row per day, profile and group of operations, such as `Equity`. Each row
/// contains the number of calls and their credits.
fn history(settings: &Settings, options: Options) -> Result<(), Failure> {
    let entries = settings.ledger_folder()?.history().map_err(|error| {
        Failure::new(Exit::Local, error.message().to_owned())
            .next("name another folder with CINTEL_LEDGER, or delete the unreadable file")
    })?;
    if entries.is_empty() && settings.ledger()?.is_none() {
        terminal::note("note: the ledger is off; `ledger = true` in a profile turns it on");
    }

    let mut rows = Rows::start(options, None);
    rows.in_order(["day", "profile", "domain", "calls", "list_price", "reported", "unsettled"]);
    for entry in entries {
        rows.push_value(&json!({
            "day": entry.day,
            "profile": entry.profile,
            "domain": entry.tag,
            "calls": entry.calls,
            "list_price": entry.list_price.0,
            "reported": entry.reported.0,
            "unsettled": entry.unsettled.0,
        }))?;
    }
    rows.finish()
}

fn prices(options: Options) -> Result<(), Failure> {
    let mut rows = Rows::start(options, None);
    rows.in_order(["id", "list_price", "tier", "price", "domain"]);
    for operation in OPERATIONS {
        let credits = match operation.price {
            Price::Free => Some(0),
            Price::Credits(credits) => Some(credits),
            Price::ByModel(_) | Price::Unknown => None,
        };
        rows.push_value(&json!({
            "id": operation.id,
            "domain": operation.tag,
            "list_price": credits,
            "tier": operation.tier_in_words(),
            "price": price(operation),
        }))?;
    }
    rows.finish()
}

fn estimate_arguments(command: Command) -> Command {
    let calls = Arg::new("calls").value_name("OPERATION[=CALLS]").required(true).num_args(1..);
    let value = |name: &'static str| Arg::new(name).long(name).value_name(name.to_uppercase());
    command
        .arg(calls.help("Operation and its number of calls, such as market-price=720"))
        .arg(value("model").help("Model, if the price depends on the model"))
        .arg(value("effort").help("Reasoning effort, if the price depends on the effort"))
        .after_help(
            "The estimate is the list price of each call and each page. It does not subtract free repeats and cached responses. USD amounts use the price of credits without a volume discount.\n\
             Example: cintel credits estimate market-price=720 news-feed=24",
        )
}

fn estimate(given: &ArgMatches, options: Options) -> Result<(), Failure> {
    let text = |name: &str| given.get_one::<String>(name).map(String::as_str);
    let mut rows = Rows::start(options, None);
    rows.in_order(["operation", "calls", "list_price", "credits", "usd"]);
    let usd = |credits: u64| Plan::all().next().map(|plan| plan.cost(Credits(credits)).to_string());
    let row = |name: &str, calls: Option<u64>, price: Option<u64>, credits: Option<u64>| {
        json!({
            "operation": name,
            "calls": calls,
            "list_price": price,
            "credits": credits,
            "usd": credits.and_then(usd),
        })
    };

    let (mut all, mut count) = (Some(0), 0);
    for words in given.get_many::<String>("calls").into_iter().flatten() {
        let (operation, calls) = operation_and_calls(words)?;
        let price = Estimate::from(operation.list_price(text("model"), text("effort"))).credits();
        let credits = price.and_then(|price| price.0.checked_mul(calls));
        rows.push_value(&row(operation.id, Some(calls), price.map(|price| price.0), credits))?;
        all = all.zip(credits).and_then(|(sum, more)| u64::checked_add(sum, more));
        count += 1;
    }
    if count > 1 {
        rows.push_value(&row("all", None, None, all))?;
    }
    rows.finish()?;

    if all.is_none() {
        terminal::note("note: some list prices are not published, so the total is unknown");
    }
    Ok(())
}

fn operation_and_calls(words: &str) -> Result<(&'static Operation, u64), Failure> {
    let (id, calls) = words.split_once('=').unwrap_or((words, "1"));
    let Some(operation) = catalogue::operation(id) else {
        let failure = Failure::usage(format!("there is no operation `{id}`"));
        return Err(match closest(id, OPERATIONS.iter().map(|known| known.id)) {
            Some(meant) => failure.next(format!("did you mean `{meant}`?")),
            None => failure.next(format!("`cintel ops {id}` searches operations")),
        });
    };
    let calls = calls.parse().map_err(|_| {
        Failure::usage(format!(
            "`{words}`: the number of calls must be a whole number of at least 0, not `{calls}`"
        ))
        .next(format!("write `{id}=100`"))
    })?;
    Ok((operation, calls))
}

fn plans(credits: Credits, options: Options) -> Result<(), Failure> {
    let mut rows = Rows::start(options, None);
    let minimum = TopUp::minimum().map(|top_up| top_up.credits.0);
    rows.in_order([
        "plan",
        "usd",
        "credits",
        "usd_per_credit",
        "above_credits",
        "smallest_purchase",
    ]);
    for plan in Plan::all() {
        rows.push_value(&json!({
            "plan": plan.name,
            "usd_per_credit": plan.per_credit.to_string(),
            "above_credits": plan.above.0,
            "credits": credits.0,
            "usd": plan.cost(credits).to_string(),
            "smallest_purchase": minimum,
        }))?;
    }
    rows.finish()
}
