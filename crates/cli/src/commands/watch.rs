//! Option `--every`: repeats a call and prints the changes. `--until` sets a condition that ends the repetition.
//! `--exec` runs a shell command when this condition is met. Without `--until`, the shell command runs after each call
//! with new or changed rows, except the first call.

use std::pin::pin;
use std::process::Stdio;
use std::time::Duration;

use clap::ArgMatches;
use crypto_intel::catalogue::Operation;
use crypto_intel::{Completeness, DynamicAnswer, WatchExt as _, extend::Paged as _};
use tokio::io::AsyncWriteExt as _;
use tokio::process::Command;

use super::missing_parts::missing;
use super::plan::Planned;
use crate::arguments::catalogue::record;
use crate::connection::Connection;
use crate::failure::{Exit, Failure};
use crate::output::{Ending, Options, Watched, check_jq, jq_holds};
use crate::settings::duration;
use crate::terminal;

/// Parsed options of repeated calls: interval, end condition, and the command to run.
#[derive(Debug, Clone)]
pub(crate) struct Repetition {
    every: Duration,
    times: Option<u64>,
    /// jq program with the rows of a response as its input. If the first result of the program is neither false nor
    /// null, the repetition ends.
    until: Option<String>,
    /// Shell command to run. With `until`, it runs once when the condition of `until` is met. Without `until`, it runs
    /// after each call with new or changed rows, from the second call on.
    exec: Option<String>,
}

impl Repetition {
    pub(crate) fn read(given: &ArgMatches) -> Result<Option<Self>, Failure> {
        let Some(every) = given.get_one::<String>("every") else { return Ok(None) };
        let text = |name: &str| given.get_one::<String>(name).cloned();
        let until = text("until");
        if let Some(program) = &until {
            check_jq(program).map_err(|failure| failure.within("--until"))?;
        }
        let times = given.get_one::<u64>("times").copied();
        Ok(Some(Repetition { every: duration(every)?, times, until, exec: text("exec") }))
    }

    /// Returns true if the rows meet the condition of `--until`. `rows` is a JSON array.
    fn is_met(&self, operation: &Operation, rows: &str) -> Result<bool, Failure> {
        let Some(program) = &self.until else { return Ok(false) };
        let fields = record(operation).into_iter().flat_map(|record| record.fields);
        let members: Vec<_> = fields.map(|field| field.name).collect();
        jq_holds(program, rows, &members).map_err(|failure| failure.within("--until"))
    }
}

/// Returns the first `limit` rows of a response as a JSON array.
fn rows_of(answer: &DynamicAnswer, limit: usize) -> String {
    let rows: Vec<_> = answer.rows().iter().take(limit).map(|row| row.get()).collect();
    format!("[{}]", rows.join(","))
}

/// Runs a shell command with the rows on its standard input.
///
/// # Errors
/// Returns an error if the command cannot be started or exits with a code other than 0.
async fn execute(command: &str, rows: &str) -> Result<(), Failure> {
    let failed = |problem: String| Failure::new(Exit::Local, format!("--exec: {problem}"));
    let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let child = Command::new(shell).args([flag, command]).stdin(Stdio::piped()).spawn();
    let mut child =
        child.map_err(|error| failed(format!("`{shell}` cannot be started: {error}")))?;

    if let Some(mut stdin) = child.stdin.take() {
        // The write fails if the command closes its standard input without reading it. This is not an error.
        let _ = stdin.write_all(rows.as_bytes()).await;
    }
    let status = child.wait().await.map_err(|error| failed(error.to_string()))?;
    match status.success() {
        true => Ok(()),
        false => Err(failed(format!("the command ended with {status}"))),
    }
}

/// Repeats a call. The repetition ends when the user presses Ctrl-C, when the condition of `--until` is met, or after
/// `--times` successful calls.
///
/// # Errors
/// Returns an error if the first call fails, or if a later call fails and cannot be retried. Also returns an error
/// after ten failed calls in a row, after Ctrl-C, and if a jq program or the shell command of `--exec` fails.
pub(crate) async fn run(
    operation: &'static Operation,
    planned: &Planned,
    options: Options,
    watch: Repetition,
    connection: &Connection,
) -> Result<(), Failure> {
    let mut watched = Watched::new(options.clone(), record(operation));
    let limit = planned.rows.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
    let mut calls = 0;
    let mut repeated = planned.request.clone().watch(watch.every).on_failure(|error, wait| {
        terminal::note(&format!("{error}; the next call is in {} s", wait.as_secs_f64()));
    });
    // One signal handler for all calls: a signal between two calls is not lost.
    let mut interrupted = pin!(terminal::interrupted());

    loop {
        let update = tokio::select! {
            update = repeated.next() => update?,
            () = &mut interrupted => return Err(stopped(calls)),
        };
        // A user who sets an interval shorter than one second wants calls as often as possible, so omitted calls are
        // not reported.
        if update.left_out > 0 && watch.every >= Duration::from_secs(1) {
            let calls = match update.left_out {
                1 => "1 call was".to_owned(),
                more => format!("{more} calls were"),
            };
            terminal::note(&format!(
                "note: the last call took longer than the interval, so {calls} skipped"
            ));
        }

        let answer = update.reply.into_inner();
        let changes = watched.push(&answer, limit)?;
        if let Some((rows, changed)) = changes {
            let spent = connection.client.ledger().total().reported;
            terminal::note(&format!("{changed} of {rows} rows changed; {spent} used so far"));
        }
        if let Some(parts) = missing(&answer) {
            terminal::note(&format!("note: the response has no {parts}"));
        }

        if calls == 0 {
            let count = answer.rows().len();
            let call = planned.request.call();
            let completeness = Completeness::of_answer(call, &answer.position(), count);
            let ending = Ending::new(count as u64, completeness).next("`--every` reads one page");
            options.report(&ending)?;
        }
        calls += 1;

        let rows = rows_of(&answer, limit);
        let is_met = watch.is_met(operation, &rows)?;
        let has_changed = changes.is_some_and(|(_, changed)| changed > 0);
        let wants_command = if watch.until.is_some() { is_met } else { has_changed };
        if let Some(command) = watch.exec.as_deref().filter(|_| wants_command) {
            execute(command, &rows).await?;
        }
        if is_met {
            return Ok(());
        }
        if watch.times.is_some_and(|times| calls >= times) {
            return Ok(());
        }
    }
}

fn stopped(calls: u64) -> Failure {
    let calls = if calls == 1 { "1 call".to_owned() } else { format!("{calls} calls") };
    Failure::new(Exit::Interrupted, format!("stopped after {calls}"))
}
