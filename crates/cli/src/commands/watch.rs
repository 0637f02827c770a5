//! `--every`: the same call again and again, and what changed: for people old and new values, for
//! programs the rows as they are now.

use std::collections::HashSet;
use std::pin::pin;
use std::time::Duration;

use clap::ArgMatches;
use crypto_intel::DynamicAnswer;
use crypto_intel::catalogue::Operation;

use super::describe;
use super::request::Planned;
use crate::connection::Connection;
use crate::failure::{Exit, Failure};
use crate::output::{self, Options, Rows};
use crate::settings::duration;
use crate::terminal;

/// How often a call is repeated.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Watch {
    every: Duration,
    times: Option<u64>,
}

impl Watch {
    pub(crate) fn read(given: &ArgMatches) -> Result<Option<Self>, Failure> {
        let Some(every) = given.get_one::<String>("every") else { return Ok(None) };
        let times = given.get_one::<u64>("times").copied();
        Ok(Some(Watch { every: duration(every)?, times }))
    }
}

/// Calls until the user stops it, the times are over, or a call fails.
pub(crate) async fn run(
    operation: &'static Operation,
    planned: &Planned,
    options: &Options,
    watch: Watch,
    connection: &Connection,
) -> Result<(), Failure> {
    let mut before: Option<Vec<String>> = None;
    let mut calls = 0;
    // One for all calls: a signal between two of them is not lost.
    let mut interrupted = pin!(terminal::interrupted());
    loop {
        let answer = tokio::select! {
            answer = planned.request.clone() => answer?.into_inner(),
            () = &mut interrupted => return Err(stopped(calls)),
        };
        let limit = planned.rows.and_then(|limit| usize::try_from(limit).ok());
        let rows = answer.rows().iter().take(limit.unwrap_or(usize::MAX));
        let rows: Vec<String> = rows.map(|row| row.get().to_owned()).collect();
        match &before {
            None => print(operation, &answer, rows.iter(), options)?,
            Some(before) => repeat(operation, &answer, before, &rows, options, connection)?,
        }

        before = Some(rows);
        calls += 1;
        if watch.times.is_some_and(|times| calls >= times) {
            return Ok(());
        }
        tokio::select! {
            () = tokio::time::sleep(watch.every) => {}
            () = &mut interrupted => return Err(stopped(calls)),
        }
    }
}

fn stopped(calls: u64) -> Failure {
    let calls = if calls == 1 { "1 call".to_owned() } else { format!("{calls} calls") };
    Failure::new(Exit::Interrupted, format!("stopped after {calls}"))
}

/// A later answer: what is not as it was.
fn repeat(
    operation: &'static Operation,
    answer: &DynamicAnswer,
    before: &[String],
    rows: &[String],
    options: &Options,
    connection: &Connection,
) -> Result<(), Failure> {
    let known: HashSet<&String> = before.iter().collect();
    let changed: Vec<&String> = rows.iter().filter(|row| !known.contains(row)).collect();
    let spent = connection.client.ledger().total().reported;
    terminal::note(&format!("{} of {} rows changed; {spent} so far", changed.len(), rows.len()));

    if !output::tells_changes(options) {
        return match changed.is_empty() {
            true => Ok(()),
            false => print(operation, answer, changed.into_iter(), options),
        };
    }
    let new = output::print_changes(options, describe::record(operation), before, rows);
    match new.is_empty() {
        true => Ok(()),
        false => print(operation, answer, new.iter().map(|index| &rows[*index]), options),
    }
}

fn print<'a>(
    operation: &'static Operation,
    answer: &DynamicAnswer,
    rows: impl Iterator<Item = &'a String>,
    options: &Options,
) -> Result<(), Failure> {
    let mut out = Rows::start(options.clone(), describe::record(operation));
    out.is_list(answer.is_list());
    for row in rows {
        out.push(row)?;
    }
    out.finish()
}
