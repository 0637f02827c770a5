//! `--every`: repeats a call and prints the changes.

use std::pin::pin;
use std::time::Duration;

use clap::ArgMatches;
use crypto_intel::catalogue::Operation;
use crypto_intel::{Completeness, WatchExt as _, extend::Paged as _};

use super::missing_parts::missing;
use super::plan::Planned;
use crate::arguments::catalogue::record;
use crate::connection::Connection;
use crate::failure::{Exit, Failure};
use crate::output::{Ending, Options, Watched};
use crate::settings::duration;
use crate::terminal;

/// Interval and number of repeated calls.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Repetition {
    every: Duration,
    times: Option<u64>,
}

impl Repetition {
    pub(crate) fn read(given: &ArgMatches) -> Result<Option<Self>, Failure> {
        let Some(every) = given.get_one::<String>("every") else { return Ok(None) };
        let times = given.get_one::<u64>("times").copied();
        Ok(Some(Repetition { every: duration(every)?, times }))
    }
}

/// Repeats a call until the user stops it, all repetitions are done, or a failure ends the watch.
pub(crate) async fn run(
    operation: &'static Operation,
    planned: &Planned,
    options: Options,
    watch: Repetition,
    connection: &Connection,
) -> Result<(), Failure> {
    let mut watched = Watched::new(options.clone(), record(operation));
    let limit = planned.rows.and_then(|limit| usize::try_from(limit).ok());
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
        // Intervals shorter than a call are a way to say "as often as possible".
        if update.left_out > 0 && watch.every >= Duration::from_secs(1) {
            let turns = update.left_out;
            terminal::note(&format!("note: the last call took long, so {turns} were left out"));
        }
        let answer = update.reply.into_inner();
        if let Some((rows, changed)) = watched.push(&answer, limit.unwrap_or(usize::MAX))? {
            let spent = connection.client.ledger().total().reported;
            terminal::note(&format!("{changed} of {rows} rows changed; {spent} used so far"));
        }
        if let Some(parts) = missing(&answer) {
            terminal::note(&format!("note: the response lacks {parts}"));
        }

        if calls == 0 {
            let count = answer.rows().len();
            let call = planned.request.call();
            let completeness = Completeness::of_answer(call, &answer.position(), count);
            let ending = Ending::new(count as u64, completeness).next("`--every` reads one page");
            options.report(&ending)?;
        }
        calls += 1;
        if watch.times.is_some_and(|times| calls >= times) {
            return Ok(());
        }
    }
}

fn stopped(calls: u64) -> Failure {
    let calls = if calls == 1 { "1 call".to_owned() } else { format!("{calls} calls") };
    Failure::new(Exit::Interrupted, format!("stopped after {calls}"))
}
