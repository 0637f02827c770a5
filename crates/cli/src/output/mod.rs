//! Writes the rows of responses. Tables and charts are for human readers. JSON, NDJSON and CSV are for programs and
//! contain the exact digits that the service sent.
//!
//! The input is rows as JSON text, one by one ([`Rows`]) or as the responses of a repeated call ([`Watched`]). The
//! output is text on standard output, and a note on standard error if rows are missing ([`Ending`]).

mod cell;
mod changes;
mod chart;
mod columns;
mod completeness;
mod csv;
mod events;
mod fields;
mod find_series;
mod jq;
mod node;
#[cfg(feature = "plot")]
mod plot;
mod rows;
mod selection;
mod series;
mod table;
mod watched;

use std::io::IsTerminal;
use std::path::PathBuf;

use clap::ArgMatches;
use crypto_intel::catalogue::{Operation, RecordRow};
use crypto_intel::{Completeness, DynamicAnswer, extend::Paged as _};

pub(crate) use completeness::Ending;
#[cfg(feature = "agents")]
pub(crate) use jq::worker as jq_worker;
pub(crate) use jq::{check as check_jq, holds as jq_holds};
pub(crate) use rows::Rows;
pub(crate) use watched::Watched;

use crate::arguments::catalogue;
use crate::failure::Failure;
use crate::format::Format;
use crate::settings::Settings;
use crate::terminal;
use fields::Path;
use find_series::ChartKind;
use selection::Selection;

/// Output settings of one response.
#[derive(Debug, Clone)]
pub(crate) struct Options {
    pub(crate) format: Format,
    fields: Vec<Path>,
    selection: Selection,
    jq: Option<String>,
    /// Maximum number of written rows.
    limit: Option<u64>,
    pub(crate) raw: bool,
    fail_incomplete: bool,
    chart: Option<ChartKind>,
    /// Names of the fields to draw in a chart (`--y`).
    figures: Vec<String>,
    plot: Option<PathBuf>,
    #[cfg(feature = "plot")]
    theme: String,
    /// Title of charts and images.
    pub(crate) title: String,
}

impl Options {
    pub(crate) fn read(given: &ArgMatches, settings: &Settings) -> Result<Self, Failure> {
        // Some commands do not define all of these options.
        let text = |name: &str| given.try_get_one::<String>(name).ok().flatten().cloned();
        let fields = text("out-fields").map(|list| Path::list(&list)).transpose()?;
        let conditions = given.try_get_many::<String>("out-where").ok().flatten().into_iter();
        let conditions = conditions.flatten().map(String::as_str);
        let selection = Selection::parse(conditions, text("out-sort").as_deref(), settings.now())?;
        let jq = text("out-jq");
        if let Some(program) = &jq {
            jq::check(program)?;
        }
        let plot = text("out-plot").map(PathBuf::from);
        if let Some(path) = &plot {
            check_plot(path)?;
        }

        Ok(Options {
            format: settings.format(),
            fields: fields.unwrap_or_default(),
            selection,
            jq,
            limit: given.try_get_one("rows").ok().flatten().copied(),
            raw: given.try_get_one("out-raw").ok().flatten().copied().unwrap_or_default(),
            fail_incomplete: settings.fail_incomplete,
            chart: text("out-chart").map(|kind| ChartKind::named(&kind)),
            figures: text("out-y")
                .map(|list| list.split(',').map(|name| name.trim().to_owned()).collect())
                .unwrap_or_default(),
            plot,
            #[cfg(feature = "plot")]
            theme: text("out-theme").unwrap_or_default(),
            title: String::new(),
        })
    }

    /// Rejects requested fields that the operation's record does not have, before a request is sent.
    pub(crate) fn check_fields(&self, operation: &Operation) -> Result<(), Failure> {
        let Some(record) = catalogue::record(operation) else { return Ok(()) };
        self.fields.iter().try_for_each(|path| path.check(record).map(drop))?;
        self.selection.check(record)
    }

    /// Returns true if `--where` or `--sort` is set.
    pub(crate) fn has_selection(&self) -> bool {
        !self.selection.is_empty()
    }
}

#[cfg(feature = "plot")]
use plot::check as check_plot;

#[cfg(not(feature = "plot"))]
fn check_plot(_: &std::path::Path) -> Result<(), Failure> {
    Err(Failure::usage("this build draws no images").next("`--chart` draws in the terminal"))
}

/// Writes a complete response body: unchanged with `--raw`, otherwise as rows.
pub(crate) fn whole(
    options: Options,
    record: Option<&'static RecordRow>,
    body: &[u8],
) -> Result<(), Failure> {
    if options.raw {
        write_guarded(body);
        return Ok(());
    }
    let Ok(answer) = serde_json::from_slice::<DynamicAnswer>(body) else {
        // The body is not JSON, such as CSV or the error page of a proxy.
        write_guarded(body);
        return Ok(());
    };
    let mut rows = Rows::start(options.clone(), record);
    rows.is_list(answer.is_list());
    rows.meta(answer.meta());
    for row in answer.rows() {
        rows.push(row.get())?;
    }
    let count = answer.rows().len();
    let completeness = Completeness::of_page(&answer.position(), count);
    rows.finish()?;
    options.report(&Ending::new(count as u64, completeness).next("ask for the next page"))
}

/// Writes bytes that the service sent. A terminal receives them without escape sequences, a pipe receives them
/// unchanged.
pub(crate) fn write_guarded(bytes: &[u8]) {
    match std::io::stdout().is_terminal() {
        true => terminal::print(&terminal::escape_controls(&String::from_utf8_lossy(bytes))),
        false => terminal::write(bytes),
    }
}
