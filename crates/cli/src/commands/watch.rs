//! `--every`: the same call again and again, and the rows that changed.

use std::collections::HashSet;
use std::time::Duration;

use clap::ArgMatches;
use crypto_intel::DynamicAnswer;
use crypto_intel::catalogue::Operation;

use super::describe;
use super::request::Planned;
use crate::connection::Connection;
use crate::failure::Failure;
use crate::output::{Options, Rows};
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
    let mut before: Option<HashSet<String>> = None;
    let mut calls = 0;
    loop {
        let answer = planned.request.clone().await?.into_inner();
        let rows: Vec<String> = answer.rows().iter().map(|row| row.get().to_owned()).collect();
        let is_new = |row: &&String| before.as_ref().is_none_or(|before| !before.contains(*row));
        let changed: Vec<&String> = rows.iter().filter(is_new).collect();
        tell(before.is_some(), changed.len(), rows.len(), connection);
        if !changed.is_empty() {
            print(operation, &answer, &changed, planned.rows, options)?;
        }

        before = Some(rows.into_iter().collect());
        calls += 1;
        if watch.times.is_some_and(|times| calls >= times) {
            return Ok(());
        }
        tokio::time::sleep(watch.every).await;
    }
}

fn tell(is_repeat: bool, changed: usize, all: usize, connection: &Connection) {
    if is_repeat {
        let spent = connection.client.ledger().total().reported;
        terminal::note(&format!("{changed} of {all} rows changed; {spent} so far"));
    }
}

fn print(
    operation: &'static Operation,
    answer: &DynamicAnswer,
    changed: &[&String],
    limit: Option<u64>,
    options: &Options,
) -> Result<(), Failure> {
    let mut rows = Rows::start(options.clone(), describe::record(operation));
    rows.is_list(answer.is_list());
    let limit = limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
    for row in changed.iter().take(limit) {
        rows.push(row)?;
    }
    rows.finish()
}
