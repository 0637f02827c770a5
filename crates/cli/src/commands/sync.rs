//! `cintel sync`: runs all exports of a plan, which is a TOML file.

use std::path::Path;

use clap::{Arg, ArgAction, ArgMatches, Command};
use crypto_intel_frames::export::{Bill, Outcome, SyncPlan, Synced};
use serde_json::{Value, json};

use super::export::{CONTINUE, failure, origin, outcome};
use crate::connection::Connection;
use crate::failure::{Exit, Failure};
use crate::output::{Options, Rows};
use crate::progress::Progress;
use crate::settings::Settings;
use crate::terminal;

const HELP: &str = "\
A plan is a TOML file. Each value of a list, and each time range, is a separate export:

  side_by_side = 4

  [[export]]
  operation = \"market-price\"
  arguments = { symbol = [\"BTC\", \"ETH\"] }
  windows = { from = \"2026-01-01\", to = \"2026-04-01\", days = 30 }

  [[export]]
  operation = \"news-feed\"
  overlap_days = 1        # add newer rows at each run, as `cintel export --update=1d`
  provenance = true

Other settings of an export: max_rows, format. --max-credits is the budget of the whole run.
After Ctrl-C, a limit, an error or a kill, run the same command again to continue.";

pub(crate) fn arguments(command: Command) -> Command {
    let plan = Arg::new("plan").value_name("PLAN").required(true).help("TOML file with the plan");
    let folder = Arg::new("sync-folder").long("folder").value_name("FOLDER").required(true);
    let dry_run = Arg::new("dry-run").long("dry-run").action(ArgAction::SetTrue);
    command
        .after_help(HELP)
        .arg(plan)
        .arg(folder.help(
            "Folder for the exports; each export is written to its subfolder OPERATION/ARGUMENTS",
        ))
        .arg(dry_run.help("Print the maximum cost of each export, and send nothing"))
}

pub(crate) async fn run(given: &ArgMatches, settings: &Settings) -> Result<(), Failure> {
    let text = |name: &str| given.get_one::<String>(name).map(String::as_str).unwrap_or_default();
    let options = Options::read(given, settings)?;
    let plan = read_plan(Path::new(text("plan")))?;
    let connection = Connection::open(settings)?;
    let origin = origin(&connection, settings);
    let sync = plan.prepare(&connection.client).map_err(failure)?;
    let sync = sync.each(|export| export.from_origin(origin.clone()));
    let bill = sync.bill();
    if given.get_flag("dry-run") {
        return print(&bill, options);
    }

    terminal::note(&format!("{} exports, {}", bill.exports.len(), cost(&bill)));
    let bar = Progress::rows("all exports");
    let rows = std::sync::Mutex::new(std::collections::HashMap::new());
    let count = move |name: &str, progress: &crypto_intel_frames::export::Progress| {
        if let Ok(mut rows) = rows.lock() {
            rows.insert(name.to_owned(), progress.rows);
            bar.count(rows.values().sum());
        }
    };
    let results = sync.run(text("sync-folder"), count, terminal::interrupted()).await;
    connection.close();
    report(results, options)
}

fn read_plan(file: &Path) -> Result<SyncPlan, Failure> {
    let fault = |reason: String| Failure::usage(format!("{}: {reason}", file.display()));
    let text = std::fs::read_to_string(file).map_err(|error| fault(error.to_string()))?;
    toml::from_str(&text).map_err(|error| fault(error.to_string().trim_end().to_owned()))
}

/// Returns a text with the maximum cost of all planned exports, such as `list price at most 12 credits`.
fn cost(bill: &Bill) -> String {
    let known = format!("list price at most {}", bill.credits);
    match bill.open {
        0 => known,
        1 => format!("{known}, plus one export of unknown cost"),
        open => format!("{known}, plus {open} exports of unknown cost"),
    }
}

fn print(bill: &Bill, options: Options) -> Result<(), Failure> {
    let mut rows = Rows::start(options, None);
    rows.in_order(["export", "request", "requests", "list_price"]);
    for (name, export) in &bill.exports {
        rows.push_value(&json!({
            "export": name,
            "request": export.request,
            "requests": export.requests,
            "list_price": export.list_price.and_then(|price| price.credits()).map(|credits| credits.0),
        }))?;
    }
    rows.finish()?;
    terminal::note(&format!("{}; nothing was sent", cost(bill)));
    Ok(())
}

/// Prints one row per export, sorted by name. If exports failed, returns the failure of the first failed export. Also
/// returns a failure if an export stopped early, for example after Ctrl-C.
fn report(mut results: Vec<Synced>, options: Options) -> Result<(), Failure> {
    results.sort_by(|a, b| a.name.cmp(&b.name));
    let mut rows = Rows::start(options, None);
    rows.in_order(["export", "outcome", "rows", "files", "credits_used", "error"]);
    for synced in &results {
        rows.push_value(&row(synced))?;
    }
    rows.finish()?;

    let count = results.len();
    let is_done = |synced: &Synced| {
        synced
            .result
            .as_ref()
            .is_ok_and(|report| matches!(report.outcome, Outcome::Complete | Outcome::RowLimit))
    };
    let left = results.iter().filter(|synced| !is_done(synced)).count();
    if left == 0 {
        return Ok(());
    }
    match results.into_iter().find_map(|synced| synced.result.err()) {
        Some(error) => {
            terminal::note(&format!("{left} of {count} exports are not complete; {CONTINUE}"));
            Err(failure(error))
        }
        None => {
            let message = format!("{left} of {count} exports are not complete");
            Err(Failure::new(Exit::Interrupted, message).next(CONTINUE))
        }
    }
}

fn row(synced: &Synced) -> Value {
    match &synced.result {
        Ok(report) => json!({
            "export": synced.name,
            "outcome": outcome(report.outcome),
            "rows": report.rows,
            "files": report.files,
            "credits_used": report.credits_used,
        }),
        Err(error) => {
            let outcome = if synced.is_over_budget() { "over_budget" } else { "failed" };
            json!({"export": synced.name, "outcome": outcome, "error": error.to_string()})
        }
    }
}
