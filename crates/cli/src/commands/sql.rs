//! `cintel sql`: runs an SQL query directly or as a job.
//!
//! The input is an SQL query, or the identifier of a job. The output is rows, the state of one or all jobs, or the
//! result of `--check`.

use std::future::Future;
use std::pin::{Pin, pin};

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use crypto_intel::sql::{Job, Sql, Table};
use crypto_intel::{CompletenessState, Error, Reply};

use super::sql_jobs;
use crate::arguments::options;
use crate::connection::Connection;
use crate::failure::{Exit, Failure};
use crate::output::{Ending, Options, Rows};
use crate::progress::Progress;
use crate::settings::{Settings, read_file};
use crate::terminal;

/// Maximum number of rows that one SQL query returns. The result has no pages.
const MAX_ROWS: i64 = 10_000;

pub(crate) fn arguments(command: Command) -> Command {
    let flag = |name: &'static str| Arg::new(name).long(name).action(ArgAction::SetTrue);
    let value = |name: &'static str| Arg::new(name).long(name);
    let query = Arg::new("query").value_name("QUERY");
    let file = value("file").short('f').value_name("FILE").conflicts_with("query");
    let rows =
        value("max-rows").value_name("N").value_parser(value_parser!(i64).range(1..=MAX_ROWS));
    command
        .arg(query.help("The query; - reads it from standard input"))
        .arg(file.help("Read the query from a file"))
        .arg(rows.help("Maximum number of rows of the result, 1 to 10000 [default: 1000]"))
        .arg(flag("check").help("Estimate what the query would read, without running it"))
        .arg(flag("job").help("Run the query as a job and wait for its rows"))
        .arg(flag("submit").help("Submit the query as a job and print its identifier"))
        .arg(value("wait").value_name("JOB").help("Wait for a job and print its rows"))
        .arg(value("status").value_name("JOB").help("Show the state of a job"))
        .arg(value("cancel").value_name("JOB").help("Cancel a job"))
        .arg(flag("jobs").help("List the jobs submitted from this machine"))
        .group(
            clap::ArgGroup::new("what")
                .args(["check", "job", "submit", "wait", "status", "cancel", "jobs"]),
        )
        .args(options::rendering())
}

pub(crate) async fn run(given: &ArgMatches, settings: &Settings) -> Result<(), Failure> {
    let options = Options::read(given, settings)?;
    if given.get_flag("jobs") {
        return sql_jobs::list(options);
    }
    let connection = Connection::open(settings)?;
    let outcome = dispatch(&connection, given, options).await;
    connection.close();
    outcome.map_err(|failure| match failure.exit() {
        Exit::NotFound => {
            failure.next("`cintel sql --jobs` lists the jobs submitted from this machine")
        }
        // The service's message describes the mistake in the query. The suggestion is a command that lists all tables
        // and columns.
        Exit::Usage if failure.is_of_service() => {
            failure.next("`cintel onchain-schema` lists tables and columns")
        }
        _ => failure,
    })
}

async fn dispatch(
    connection: &Connection,
    given: &ArgMatches,
    options: Options,
) -> Result<(), Failure> {
    // One signal handler for the whole run: a signal between two requests is not lost.
    let mut interrupted = pin!(terminal::interrupted());
    let job =
        |name: &str| given.get_one::<String>(name).map(|id| connection.client.sql_job(id.as_str()));
    if let Some(job) = job("wait") {
        return wait(connection, job, interrupted, options).await;
    }
    if let Some(mut job) = job("status") {
        job.refresh().await?;
        return state(&job, options);
    }
    if let Some(mut job) = job("cancel") {
        job.cancel().await?;
        return state(&job, options);
    }

    let query = query(connection, given)?;
    if given.get_flag("check") {
        let preflight = query.preflight().await?;
        let mut rows = Rows::start(options, None);
        rows.is_list(false);
        rows.push_value(&*preflight)?;
        return rows.finish();
    }
    if given.get_flag("submit") || given.get_flag("job") {
        let submitted = unless(interrupted.as_mut(), query.submit()).await;
        let job = submitted.ok_or_else(|| unsure_of_job(connection))??;
        sql_jobs::remember(job.id(), connection);
        if given.get_flag("submit") {
            if connection.sandbox.is_some() {
                terminal::note(
                    "note: the embedded sandbox and its job end with this command; `cintel sandbox` starts a sandbox that keeps jobs",
                );
            }
            return state(&job, options);
        }
        return wait(connection, job, interrupted, options).await;
    }

    let waiting = Progress::waiting("running the query");
    let reply = unless(interrupted, query.table()).await;
    drop(waiting);
    let reply = reply.ok_or_else(|| given_up(connection))??;
    print(&reply, given.get_one("max-rows").copied(), options)
}

/// Awaits the future `work`. Returns `None` if the user presses Ctrl-C first.
async fn unless<T>(
    interrupted: Pin<&mut impl Future<Output = ()>>,
    work: impl Future<Output = T>,
) -> Option<T> {
    tokio::select! {
        done = work => Some(done),
        () = interrupted => None,
    }
}

/// Creates the failure that the command returns if the user presses Ctrl-C during a query that does not run as a job.
/// The service cannot cancel such a query.
fn given_up(connection: &Connection) -> Failure {
    let mut message = "interrupted before the rows arrived".to_owned();
    let open = connection.client.ledger().unsettled();
    if connection.sandbox.is_none() && open.requests > 0 {
        message.push_str(&format!(
            "; the service may finish the query and charge the list price of {}",
            open.list_price
        ));
    }
    Failure::new(Exit::Interrupted, message)
        .next("`cintel sql --job` runs a query as a job, which can be resumed or cancelled")
}

/// Creates the failure for Ctrl-C during the submission of a job. The service has not yet returned the identifier of
/// the job, so the job may or may not exist. The embedded sandbox ends with the command, so its jobs do not remain.
fn unsure_of_job(connection: &Connection) -> Failure {
    if connection.sandbox.is_some() {
        return Failure::new(Exit::Interrupted, "interrupted; no job was created");
    }
    Failure::new(Exit::Interrupted, "interrupted; a job may have been created")
        .next("run the command again; if the job exists, the service returns it")
}

fn query(connection: &Connection, given: &ArgMatches) -> Result<Sql, Failure> {
    let text = |name: &str| given.get_one::<String>(name);
    let query = match (text("query").map(String::as_str), text("file")) {
        (Some("-"), _) => read_file("-")?,
        (Some(query), _) => query.to_owned(),
        (None, Some(file)) => read_file(file)?,
        (None, None) => {
            return Err(Failure::usage("there is no query")
                .next("write `cintel sql \"SELECT 1\"`, or name a file with `--file`"));
        }
    };
    if query.trim().is_empty() {
        return Err(Failure::usage("the query is empty")
            .next("write `cintel sql \"SELECT 1\"`, or name a file with `--file`"));
    }
    let sql = connection.client.sql(query);
    Ok(match given.get_one::<i64>("max-rows") {
        Some(rows) => sql.max_rows(*rows),
        None => sql,
    })
}

/// Waits for an SQL job and prints its rows. If the user presses Ctrl-C, the function stops waiting and returns a
/// failure that describes the state of the job.
async fn wait(
    connection: &Connection,
    mut job: Job,
    interrupted: Pin<&mut impl Future<Output = ()>>,
    options: Options,
) -> Result<(), Failure> {
    match unless(interrupted, rows(&mut job)).await {
        Some(reply) => {
            let reply = reply?;
            print(&reply, None, options)
        }
        None => Err(leave(connection, job).await?),
    }
}

/// Shows the progress of an SQL job, and returns its rows when the job has ended.
async fn rows(job: &mut Job) -> Result<Reply<Table>, Error> {
    let id = job.id().to_owned();
    let bar = Progress::waiting(&format!("job {id}"));
    let mut progress = job.progress();
    while let Some(state) = progress.try_next().await? {
        let percent = state.progress_percent.map(|p| format!(" {p:.0}%")).unwrap_or_default();
        let rows = state.processed_rows;
        bar.set_text(format!("job {id} {}{percent}, {rows} rows read", state.status));
    }

    drop(progress);
    job.table().await
}

/// Handles Ctrl-C during an SQL job. If standard error is a terminal and the job still runs, asks the user whether to
/// cancel the job. The returned failure states whether the job has ended, was cancelled or still runs.
async fn leave(connection: &Connection, mut job: Job) -> Result<Failure, Failure> {
    let left = |what: &str| {
        Failure::new(Exit::Interrupted, format!("interrupted; job {} {what}", job.id()))
    };
    if connection.sandbox.is_some() {
        return Ok(
            left("ended with the embedded sandbox").next("jobs of `cintel sandbox` continue")
        );
    }
    if job.is_finished() {
        return Ok(left("has ended").next(format!("`cintel sql --wait {}`", job.id())));
    }

    let continues = left("continues")
        .next(format!("`cintel sql --wait {0}` or `cintel sql --cancel {0}`", job.id()));
    if !terminal::stderr_is_terminal() {
        return Ok(continues);
    }
    eprint!("\ncancel job {}? [y/N] ", job.id());
    if !says_yes().await {
        return Ok(continues);
    }
    job.cancel().await?;
    Ok(Failure::new(Exit::Interrupted, format!("job {} is cancelled", job.id())))
}

/// Reads the user's answer to a yes/no question from standard input. A second Ctrl-C counts as "no".
async fn says_yes() -> bool {
    let line = tokio::task::spawn_blocking(|| {
        let mut answer = String::new();
        std::io::stdin().read_line(&mut answer).map(|_| answer)
    });
    tokio::select! {
        line = line => match line {
            Ok(Ok(answer)) => matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"),
            _ => false,
        },
        () = terminal::interrupted() => {
            eprintln!();
            false
        }
    }
}

/// Prints the state of an SQL job.
fn state(job: &Job, options: Options) -> Result<(), Failure> {
    let mut rows = Rows::start(options, None);
    rows.is_list(false);
    match job.state() {
        Some(state) => rows.push_value(state)?,
        None => rows.push_value(job.handle())?,
    }
    rows.finish()
}

/// Prints the rows of a query result. Each row is passed to the writer as a JSON object. The numbers in this object
/// keep all digits that the service sent.
fn print(table: &Table, limit: Option<i64>, options: Options) -> Result<(), Failure> {
    let mut rows = Rows::start(options.clone(), None);
    rows.in_order(table.columns());
    let names: Vec<String> = table
        .columns()
        .iter()
        .map(|name| serde_json::Value::from(name.as_str()).to_string())
        .collect();
    for cells in table.cells() {
        let members: Vec<String> =
            names.iter().zip(cells).map(|(name, cell)| format!("{name}:{}", cell.get())).collect();
        rows.push(&format!("{{{}}}", members.join(",")))?;
    }
    rows.finish()?;

    let mut completeness = table.completeness();
    if limit.is_some() && !completeness.is_complete() {
        completeness.state = CompletenessState::CutAtLimit;
    }
    let next = format!(
        "`--max-rows` can be at most {}; for more rows, sort by a key, and query the rows after the last key",
        MAX_ROWS
    );
    options.report(&Ending::new(table.len() as u64, completeness).next(next))
}
