//! `cintel credits`: what is left, what calls and credits cost.

use clap::{Arg, ArgMatches, Command, value_parser};
use crypto_intel::catalogue::{OPERATIONS, Price};
use crypto_intel::credits::{Credits, Plan, TopUp};
use serde_json::json;

use crate::cli::operation::price;
use crate::cli::options;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::output::{Options, Rows};
use crate::settings::Settings;

pub(crate) fn arguments(command: Command) -> Command {
    let prices = Command::new("prices").about("List prices of all operations, in credits");
    let plans = Command::new("plans").about("What credits cost in USD, by volume");
    let credits = Arg::new("credits").value_name("CREDITS").value_parser(value_parser!(u64));
    let balance = Command::new("balance").about("What is left of the account (the default)");
    command
        .args_conflicts_with_subcommands(true)
        .args(options::rendering())
        .subcommand(balance.args(options::rendering()))
        .subcommand(prices.args(options::rendering()))
        .subcommand(
            plans
                .arg(credits.default_value("1000").help("So many credits are bought"))
                .args(options::rendering()),
        )
        .after_help(
            "What one call costs before it is sent: `cintel OPERATION .. --dry-run`. What a run has \
             cost: `--verbose`. What it may cost at most: `--max-credits`.",
        )
}

pub(crate) async fn run(given: &ArgMatches, settings: &Settings) -> Result<(), Failure> {
    match given.subcommand() {
        Some(("prices", given)) => prices(Options::read(given, settings)?),
        Some(("plans", given)) => {
            let credits = given.get_one::<u64>("credits").copied().unwrap_or_default();
            plans(Credits(credits), Options::read(given, settings)?)
        }
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

fn prices(options: Options) -> Result<(), Failure> {
    let mut rows = Rows::start(options, None);
    rows.in_order(["id", "list_price", "price", "domain"]);
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
            "price": price(operation),
        }))?;
    }
    rows.finish()
}

fn plans(credits: Credits, options: Options) -> Result<(), Failure> {
    let mut rows = Rows::start(options, None);
    let minimum = TopUp::minimum().map(|top_up| top_up.credits.0);
    rows.in_order([
        "plan",
        "usd_per_credit",
        "above_credits",
        "credits",
        "usd",
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
