//! Stores the identifiers of SQL jobs that were submitted from this machine, because the service has no list of jobs.

use std::path::PathBuf;

use serde_json::json;

use crate::connection::Connection;
use crate::failure::{Exit, Failure};
use crate::output::{Options, Rows};
use crate::settings::{cache_folder, write_private};
use crate::terminal;

/// Maximum number of jobs in the stored list. The oldest jobs are removed first; the service deletes old jobs too.
const KEPT: usize = 50;

/// Adds a job to the stored list. If this fails, the command prints a note instead of an error, because the job
/// itself runs and is charged.
pub(crate) fn remember(id: &str, connection: &Connection) {
    // Jobs of the embedded sandbox end with this run, so they are not stored.
    if connection.sandbox.is_some() {
        return;
    }
    if let Err(failure) = note(id, &connection.base_url) {
        terminal::note(&format!(
            "note: job {id} was not added to the list of jobs: {}",
            failure.message()
        ));
    }
}

fn note(id: &str, base_url: &str) -> Result<(), Failure> {
    let path = jobs_file()?;
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    let since = jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    let line = json!({"job_id": id, "submitted_at": since, "base_url": base_url}).to_string();

    let mut lines: Vec<&str> = text.lines().collect();
    lines.push(&line);
    let first = lines.len().saturating_sub(KEPT);
    write_private(&path, format!("{}\n", lines[first..].join("\n")).as_bytes())
        .map_err(|error| Failure::new(Exit::Local, format!("{}: {error}", path.display())))
}

/// Prints the stored jobs, the newest last.
pub(crate) fn list(options: Options) -> Result<(), Failure> {
    let text = std::fs::read_to_string(jobs_file()?).unwrap_or_default();
    let mut rows = Rows::start(options, None);
    rows.in_order(["job_id", "submitted_at", "base_url"]);
    for line in text.lines() {
        rows.push(line)?;
    }
    rows.finish()
}

/// Returns the path of the file with the stored jobs, `jobs.ndjson` in the cache folder.
fn jobs_file() -> Result<PathBuf, Failure> {
    Ok(cache_folder()?.join("jobs.ndjson"))
}
