//! `cintel export`: writes the rows of an operation to files in a folder.
//!
//! The output is the exported files, a summary, and a state file. A later run reads the state file and continues the
//! export.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use clap::{ArgMatches, Command};
use crypto_intel::catalogue::{Answer, OPERATIONS, Operation};
use crypto_intel::{CallOptions, Completeness, CompletenessState, DynamicRequest, UnixMillis};
use crypto_intel_frames::export::{DryRun, Export, ExportExt, Format, Outcome, Partition, Report};
use crypto_intel_frames::{Error, Figures, Nested, Options as Tables};
use serde_json::json;

use super::plan;
use crate::arguments::catalogue;
use crate::arguments::operation::export_command;
use crate::arguments::values::fill;
use crate::connection::Connection;
use crate::failure::{Exit, Failure};
use crate::output::{Ending, Options, Rows};
use crate::progress::Progress;
use crate::settings::{Settings, duration};
use crate::terminal;

/// Suggestion that is printed after an incomplete export.
pub(super) const CONTINUE: &str = "run the same command again to continue the export";

const TEMPLATE: &str = "{about}\n\n{usage-heading} {usage}{after-help}\n";

const HELP: &str = "\
Any operation with rows can be exported. `cintel export OPERATION --help` lists its parameters, and
`cintel ops WORDS` searches operations.

The same command with the same folder continues after Ctrl-C, a limit, an error or a kill. Pages in flight at
that moment are requested and charged again: at most 4, or at most N with --side-by-side N.
Example: cintel export news-feed --folder news --format csv --limit 1000";

pub(crate) fn arguments(command: Command) -> Command {
    let operations = OPERATIONS.iter().copied().filter(|known| has_rows(known));
    command
        .help_template(TEMPLATE)
        .override_usage("cintel export OPERATION [VALUES] --folder FOLDER [OPTIONS]")
        .after_help(HELP)
        .subcommand_required(true)
        .disable_help_subcommand(true)
        .subcommands(operations.map(export_command))
}

fn has_rows(operation: &Operation) -> bool {
    !matches!(operation.answer, Answer::Stream | Answer::Bytes | Answer::Empty)
}

pub(crate) async fn run(given: &ArgMatches, settings: &Settings) -> Result<(), Failure> {
    let Some((id, given)) = given.subcommand() else {
        return Err(Failure::usage("no operation is named").next("run `cintel export --help`"));
    };
    let operation = catalogue::operation(id).filter(|known| has_rows(known));
    let Some(operation) = operation else {
        return Err(Failure::usage(format!("there is no operation `{id}`")));
    };
    let asked = ExportArguments::read(operation, given, settings)?;
    let options = Options::read(given, settings)?;
    let connection = Connection::open(settings)?;
    let mut request = fill(connection.client.request(id)?, given, settings.now())?;
    if given.get_flag("unchecked") {
        request = request.with_options(CallOptions::new().unchecked());
    }

    let export = asked.export(&request).from_origin(origin(&connection, settings));
    if given.get_flag("dry-run") {
        print(&export.dry_run().map_err(failure)?);
        return Ok(());
    }
    let outcome = send(id, export, &asked.folder).await;
    let outcome = outcome.and_then(|report| print_report(&asked, &report, options));
    connection.close();
    outcome
}

/// Returns the name of the data source: the base URL with the profile, or the embedded sandbox with its seed and
/// clock.
pub(super) fn origin(connection: &Connection, settings: &Settings) -> String {
    if connection.sandbox.is_some() {
        let clock = settings.sandbox_clock.map(|time| format!("clock stopped at {time}"));
        let clock = clock.as_deref().unwrap_or("clock running");
        return format!("embedded sandbox, seed {}, {clock}", settings.seed);
    }
    let url = connection.client.base_url();
    match &settings.profile {
        Some(profile) => format!("{url}, profile {profile}"),
        None => url.to_owned(),
    }
}

async fn send(id: &str, export: Export, folder: &Path) -> Result<Report, Failure> {
    let bar = Progress::rows(id);
    let written = Arc::new(AtomicU64::new(0));
    let seen = written.clone();
    let export = export.stop_on(terminal::interrupted()).on_progress(move |progress| {
        seen.store(progress.rows_written, Ordering::Relaxed);
        bar.count(progress.rows);
    });

    export.to_folder(folder).await.map_err(|error| {
        let rows = written.load(Ordering::Relaxed);
        if rows > 0 {
            let folder = folder.display();
            let note = format!("{folder} contains at least {rows} rows; {CONTINUE}");
            terminal::note(&note);
        }
        failure(error)
    })
}

/// Parsed command-line arguments of `cintel export`.
struct ExportArguments {
    folder: PathBuf,
    format: Format,
    partition: Option<Partition>,
    tables: Tables,
    rows: Option<u64>,
    rows_per_file: Option<u64>,
    max_credits: Option<u64>,
    max_time: Option<Duration>,
    side_by_side: Option<u64>,
    refresh: bool,
    update: Option<Duration>,
}

impl ExportArguments {
    fn read(
        operation: &Operation,
        given: &ArgMatches,
        settings: &Settings,
    ) -> Result<Self, Failure> {
        let text = |name: &str| given.get_one::<String>(name).map(String::as_str);
        let format = match text("export-format") {
            Some("arrow") => Format::ArrowIpc,
            Some("csv") => Format::Csv,
            Some("ndjson") => Format::NdJson,
            _ => Format::Parquet,
        };
        let partition = text("export-partition-by").map(|by| match by.strip_prefix("day:") {
            Some(column) => Partition::Day(column.to_owned()),
            None => Partition::Column(by.to_owned()),
        });
        let tables = match given.get_flag("export-flat") {
            true => {
                Tables::default().nested(Nested::Flat(".".to_owned())).figures(Figures::Columns)
            }
            false => Tables::default(),
        };
        let tables = tables.provenance(given.get_flag("export-provenance"));

        Ok(ExportArguments {
            folder: named_folder(text("export-folder"))?,
            format,
            partition,
            tables,
            rows: plan::rows_wanted(operation, given)?,
            rows_per_file: given.get_one("export-rows-per-file").copied(),
            max_credits: settings.max_credits,
            max_time: text("export-max-time").map(duration).transpose()?,
            side_by_side: given.get_one("export-side-by-side").copied(),
            refresh: given.get_flag("export-refresh"),
            update: text("export-update").map(duration).transpose()?,
        })
    }

    fn export(&self, request: &DynamicRequest) -> Export {
        let export = request.clone().export().format(self.format).options(self.tables.clone());
        let mut export = export.refresh(self.refresh);
        if let Some(overlap) = self.update {
            export = export.update(overlap);
        }
        if let Some(partition) = &self.partition {
            export = export.partition_by(partition.clone());
        }
        if let Some(rows) = self.rows {
            export = export.max_rows(rows);
        }
        if let Some(rows) = self.rows_per_file {
            export = export.rows_per_file(rows);
        }
        if let Some(credits) = self.max_credits {
            export = export.max_credits(credits);
        }
        if let Some(time) = self.max_time {
            export = export.max_time(time);
        }
        match self.side_by_side {
            Some(pages) => export.side_by_side(usize::try_from(pages).unwrap_or(usize::MAX)),
            None => export,
        }
    }
}

/// Prints the result of `--dry-run`: the first request, the maximum number of requests, and their list price.
fn print(plan: &DryRun) {
    let mut text = format!("{}\n", plan.request);
    text.push_str(&match plan.requests {
        Some(1) => "at most: 1 request\n".to_owned(),
        Some(requests) => format!("at most: {requests} requests\n"),
        None => "at most: unlimited; set --limit or --max-credits\n".to_owned(),
    });
    if let Some(price) = &plan.list_price {
        text.push_str(&format!("list price: {price}\n"));
    }
    text.push_str("nothing was sent\n");
    terminal::print(&text);
}

/// Returns the printed name for the outcome of an export, such as `row_limit`.
pub(super) fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Complete => "complete",
        Outcome::RowLimit => "row_limit",
        Outcome::CreditLimit => "credit_limit",
        Outcome::TimeLimit => "time_limit",
        Outcome::Stopped => "stopped",
        _ => "ended",
    }
}

/// Prints the result of the export. Also prints a note if rows may be missing between the last stored row and the first
/// row of an update. If a budget or a time limit ended the export early, prints how to continue the export. After
/// Ctrl-C, returns a failure that suggests how to continue the export.
fn print_report(asked: &ExportArguments, report: &Report, options: Options) -> Result<(), Failure> {
    let outcome = outcome(report.outcome);
    let unchanged_since = report.unchanged_since.map(jiff::Timestamp::try_from).transpose();
    let unchanged_since = unchanged_since.ok().flatten().map(|time| time.to_string());
    if let Some(time) = &unchanged_since {
        terminal::note(&format!(
            "the last rows were written at {time}, and this command sent no request; `--refresh` reads the rows again"
        ));
    }

    let mut rows = Rows::start(options.clone(), None);
    rows.is_list(false);
    let order = ["folder", "outcome", "rows", "files", "pages", "credits_used", "unchanged_since"];
    rows.in_order(order.into_iter().chain(["added", "replaced", "removed", "gap"]));
    let mut shown = json!({
        "folder": asked.folder.display().to_string(),
        "outcome": outcome,
        "rows": report.rows,
        "files": report.files,
        "pages": report.pages,
        "credits_used": report.credits_used,
        "unchanged_since": unchanged_since,
    });
    if let Some(changes) = &report.changes {
        shown["added"] = changes.added.into();
        shown["replaced"] = changes.replaced.into();
        shown["removed"] = changes.removed.into();
        shown["gap"] = json!(changes.gap.map(|gap| [time(gap.after), time(gap.before)]));
    }
    rows.push_value(&shown)?;
    rows.finish()?;

    let gap = report.changes.and_then(|changes| changes.gap);
    if let Some(gap) = gap {
        let (after, before) = (time(gap.after), time(gap.before));
        let next = format!(
            "the service returned no row between {after} and {before}, so rows between these times may be missing"
        );
        let state = Completeness::new(CompletenessState::MoreAvailable);
        options.report(&Ending::new(report.rows, state).next(next))?;
    }

    match report.outcome {
        Outcome::Complete | Outcome::RowLimit => Ok(()),
        Outcome::Stopped => {
            let message = format!("interrupted; {} rows are in the folder", report.rows);
            Err(Failure::new(Exit::Interrupted, message).next(CONTINUE))
        }
        _ => {
            let state = Completeness::new(CompletenessState::StoppedByBudget);
            options.report(&Ending::new(report.rows, state).next(CONTINUE))
        }
    }
}

/// Formats a time in Unix milliseconds as RFC 3339.
fn time(millis: UnixMillis) -> String {
    jiff::Timestamp::from_millisecond(millis.0)
        .map_or(millis.0.to_string(), |time| time.to_string())
}

pub(super) fn failure(error: Error) -> Failure {
    match error {
        Error::Call(error) => error.into(),
        Error::NoTable { operation, .. } => Failure::usage(error.to_string())
            .next(format!("`cintel describe {operation}` lists the fields of a row")),
        Error::Misfit { .. } => Failure::new(Exit::Service, error.to_string()),
        Error::Place { .. } => Failure::new(Exit::Local, error.to_string())
            .next("name another folder, or repeat the original command"),
        _ => Failure::new(Exit::Local, error.to_string()),
    }
}

/// Returns the path from `--folder`. Rejects an empty path.
fn named_folder(name: Option<&str>) -> Result<PathBuf, Failure> {
    match name.filter(|name| !name.is_empty()) {
        Some(name) => Ok(name.into()),
        None => Err(Failure::usage("`--folder` is empty").next("name a folder: `--folder data`")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs clap's own checks of each export command, for example for duplicate names and invalid defaults.
    #[test]
    fn every_operation_with_rows_can_be_exported() {
        for known in OPERATIONS.iter().filter(|known| has_rows(known)) {
            let line = ["cintel", "export", known.id, "--help"];
            let help = super::super::command_line::root()
                .try_get_matches_from(line)
                .expect_err("help")
                .to_string();
            assert!(help.contains("--folder <FOLDER>"), "{}:\n{help}", known.id);
        }
    }
}
