//! Reports on standard error that a list has, or may have, more rows than were printed.
//!
//! The input is the number of printed rows and the [`Completeness`] of the list. The output is one line of text or
//! JSON.

use crypto_intel::{Completeness, CompletenessState};
use serde_json::{Value, json};

use super::Options;
use crate::failure::{Exit, Failure};
use crate::format::Format;
use crate::terminal;

/// Number of rows that were read, and whether more rows exist.
#[derive(Debug)]
pub(crate) struct Ending {
    pub(crate) rows: u64,
    pub(crate) completeness: Completeness,
    /// Instruction for reading the remaining rows, such as "raise `--limit`".
    pub(crate) next: Option<String>,
}

impl Ending {
    pub(crate) fn new(rows: u64, completeness: Completeness) -> Self {
        Ending { rows, completeness, next: None }
    }

    /// Sets the instruction for reading the remaining rows.
    pub(crate) fn next(mut self, next: impl Into<String>) -> Self {
        self.next = Some(next.into());
        self
    }

    /// Returns the number of rows, the completeness and the resume token as a JSON object.
    pub(crate) fn to_json(&self) -> Value {
        json!({
            "state": self.completeness.state.as_str(),
            "rows": self.rows,
            "total": self.completeness.total,
            "resume": self.completeness.resume.as_ref().map(ToString::to_string),
            "next": self.next,
        })
    }

    /// Reports an incomplete list of rows on standard error. The report is JSON for JSON formats, and otherwise one
    /// line of text.
    ///
    /// # Errors
    /// Returns [`Exit::Incomplete`] if `--fail-incomplete` is set. A list that ends at the user's own limit is not an
    /// error.
    pub(crate) fn report(&self, format: Format, fail_incomplete: bool) -> Result<(), Failure> {
        if self.completeness.is_complete() {
            return Ok(());
        }
        let is_failure =
            fail_incomplete && self.completeness.state != CompletenessState::CutAtLimit;
        if is_failure {
            return Err(
                Failure::new(Exit::Incomplete, self.to_string()).with_completeness(self.to_json())
            );
        }

        terminal::note(&match format {
            Format::Json | Format::Ndjson | Format::Compact => {
                json!({ "completeness": self.to_json() }).to_string()
            }
            Format::Table | Format::Csv => format!("note: {self}"),
        });
        Ok(())
    }
}

impl std::fmt::Display for Ending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let more = match self.completeness.resume {
            Some(_) => "more exist",
            None => "more may exist",
        };
        match (self.rows, self.completeness.total) {
            (rows, Some(total)) => write!(f, "{rows} of {total} rows")?,
            (1, None) => write!(f, "1 row; {more}")?,
            (rows, None) => write!(f, "{rows} rows; {more}")?,
        }
        match &self.next {
            Some(next) => write!(f, ": {next}"),
            None => Ok(()),
        }
    }
}

impl Options {
    /// Calls [`Ending::report`] with the output format and the value of `--fail-incomplete` that the user set.
    pub(crate) fn report(&self, ending: &Ending) -> Result<(), Failure> {
        ending.report(self.format, self.fail_incomplete)
    }
}
