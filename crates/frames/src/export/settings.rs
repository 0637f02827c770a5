//! Settings of an export: format, limits, partitions.
//!
//! A program sets them on an [`Export`]. `to_folder` or `to_store` then writes the files, or continues an earlier run
//! of the export.

use std::future::{Future, pending};
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crypto_intel::PageExt;
use crypto_intel::credits::Estimate;
use crypto_intel::paging::Pager;
use crypto_intel_core::{Call, Paging, Request, Value};
use futures_util::FutureExt;
use futures_util::future::Shared;
use serde::Deserialize;

use super::partition::Partition;
use super::report::Progress;
use crate::page::RowsRequest;
use crate::provenance::request_of;
use crate::{Enums, Error, Options, Times};

/// File format of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Parquet, compressed with Zstandard. Timestamps are in milliseconds, because Parquet has no timestamps in
    /// seconds.
    Parquet,
    /// Arrow IPC files. Columns of open enums contain strings instead of dictionary keys, because a file has only one
    /// dictionary for all batches of a column.
    #[serde(rename = "arrow")]
    ArrowIpc,
    /// Comma-separated values with a header. Nested values are JSON text, and a null is an empty cell.
    Csv,
    /// One JSON object per line. Timestamps are RFC 3339 strings.
    NdJson,
}

impl Format {
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Format::Parquet => "parquet",
            Format::ArrowIpc => "arrow",
            Format::Csv => "csv",
            Format::NdJson => "ndjson",
        }
    }
}

/// Exports the rows of a request to files.
pub trait ExportExt: Request {
    /// Creates an export of all rows of the request. For a paged operation, these are the rows of all pages.
    fn export(self) -> Export {
        Export::new(self.into_call())
    }
}

impl<R: Request> ExportExt for R {}

/// Function that is called after each page. An update can consist of several runs, which share the function.
pub(super) type OnProgress = Arc<Mutex<dyn FnMut(&Progress) + Send>>;

pub(super) type Stop = Shared<Pin<Box<dyn Future<Output = ()> + Send>>>;

/// Settings of an export. [`to_folder`](Self::to_folder) or [`to_store`](Self::to_store) runs it.
///
/// # Defaults
/// Parquet; one folder; files of up to 100,000 rows or about 32 MiB; no limits; the largest pages that the service
/// allows, unless the request sets a size; the default [`Options`].
#[must_use = "an export does nothing until `to_folder` or `to_store`"]
#[derive(Clone)]
pub struct Export {
    pub(super) call: Call,
    pub(super) format: Format,
    pub(super) options: Options,
    pub(super) partition: Option<Partition>,
    pub(super) rows_per_file: u64,
    pub(super) max_rows: Option<u64>,
    pub(super) max_credits: Option<u64>,
    pub(super) max_time: Option<Duration>,
    side_by_side: Option<usize>,
    pub(super) refresh: bool,
    pub(super) overlap: Option<Duration>,
    origin: Option<String>,
    pub(super) journal_folder: Option<PathBuf>,
    pub(super) on_progress: Option<OnProgress>,
    pub(super) stop: Stop,
}

/// Maximum cost of an export, by list price.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DryRun {
    /// HTTP request of the first page, without the API key: method, path with query, and body.
    pub request: String,
    /// Maximum number of requests. `None` if neither `max_rows` nor `max_credits` limits it.
    pub requests: Option<u64>,
    /// Maximum sum of the list prices; the credits charged can differ. `None` if the number of requests has no limit.
    pub list_price: Option<Estimate>,
}

impl Export {
    fn new(call: Call) -> Self {
        Export {
            call: call.with_largest_page(None),
            format: Format::Parquet,
            options: Options::default(),
            partition: None,
            rows_per_file: 100_000,
            max_rows: None,
            max_credits: None,
            max_time: None,
            side_by_side: None,
            refresh: false,
            overlap: None,
            origin: None,
            journal_folder: None,
            on_progress: None,
            stop: pending().boxed().shared(),
        }
    }

    /// Sets the file format.
    pub fn format(mut self, format: Format) -> Self {
        self.format = format;
        self
    }

    /// Sets the options for converting responses to tables.
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Writes the rows into one folder per value of the partition column, or per day.
    pub fn partition_by(mut self, partition: Partition) -> Self {
        self.partition = Some(partition);
        self
    }

    /// Sets the number of rows after which files and a checkpoint are written; 0 counts as 1. They are written at the
    /// end of a page.
    pub fn rows_per_file(mut self, rows: u64) -> Self {
        self.rows_per_file = rows.max(1);
        self
    }

    /// Limits the number of rows in the folder, over all runs.
    pub fn max_rows(mut self, limit: u64) -> Self {
        self.max_rows = Some(limit);
        self
    }

    /// Limits this run to pages whose list prices sum to at most `limit` credits. If the operation has no published
    /// price, this setting has no effect. For a limit on spending, use a [`Budget`](crypto_intel::credits::Budget).
    pub fn max_credits(mut self, limit: u64) -> Self {
        self.max_credits = Some(limit);
        self
    }

    /// Ends this run at the end of the page during which `limit` has passed. The next run continues the export.
    pub fn max_time(mut self, limit: Duration) -> Self {
        self.max_time = Some(limit);
        self
    }

    /// Sets the maximum number of pages in flight, if the kind of paging allows more than one page; see
    /// [`Pager::side_by_side`]. If a run is killed, at most this number of pages is charged again.
    pub fn side_by_side(mut self, pages: usize) -> Self {
        self.side_by_side = Some(pages);
        self
    }

    /// If `refresh` is true, requests the whole list again, and then replaces the earlier export of the same request in
    /// the same folder. The earlier files stay until the new files are complete. If a run ends early, the next run with
    /// this setting continues the new export.
    ///
    /// The new files are in the folder `_NAME.refresh` next to the folder `NAME` until the two folders are exchanged.
    /// On Linux and macOS, the exchange is one step; on other systems, the folders are renamed one after the other.
    /// Object stores cannot exchange folders, so exports to a store reject this setting.
    pub fn refresh(mut self, refresh: bool) -> Self {
        self.refresh = refresh;
        self
    }

    /// Updates a complete export in a local folder. The run requests the rows from `overlap` before the last settled
    /// row on (see below), adds new rows, and replaces rows that have changed. If the folder contains no export, the
    /// run requests the whole list.
    ///
    /// The catalogue lists the field with the time of a row, the parameter that limits the time, and the fields that
    /// identify a row ([`RowOrder`](crypto_intel::catalogue::RowOrder)). If the rows of an operation have no time, this
    /// setting is rejected; use [`refresh`](Self::refresh) instead, which replaces all rows. If no parameter limits the
    /// time, an update requests the whole list.
    ///
    /// The received rows replace all stored rows of their time range, which begins at the earliest received row. A
    /// stored row in this range that the service no longer returns is removed. Older rows stay, even if the service no
    /// longer returns them. A row is settled if its time is before the start of the last run that read the list and, if
    /// the service reports a watermark (`meta.watermark`), before the watermark. If rows arrive and change at most
    /// `overlap` after their time, an updated folder has the same rows as a new export at the time of the last update.
    /// This is also true if updates were killed.
    ///
    /// Files in which no row changes are kept. Other files are written again, with the rows ordered by time. The new
    /// files replace the old files in one step, as in [`refresh`](Self::refresh). All received rows and all rows of the
    /// rewritten files are in memory at the same time. The setting needs Parquet files without a partition, and no
    /// [`max_rows`](Self::max_rows).
    ///
    /// With [`Options::provenance`], replaced and removed rows stay in the folder `_history`, and
    /// [`read_as_of`](super::read_as_of) returns the rows of any earlier time.
    pub fn update(mut self, overlap: Duration) -> Self {
        self.overlap = Some(overlap);
        self
    }

    /// Sets the name of the data source, such as `sandbox with seed 7, clock stopped at 1780000000`. The default is the
    /// base URL. A run rejects a folder with data of another source. The checkpoint contains this name, so it must not
    /// contain secrets.
    pub fn from_origin(mut self, origin: impl Into<String>) -> Self {
        self.origin = Some(origin.into());
        self
    }

    /// Sets the local folder for received pages whose rows are not yet in files; see [After a
    /// kill](super#after-a-kill). The default is `_pages` in the folder of the export. If the export writes to an
    /// object store, the default is `crypto-intel/exports` in the user's folder of program state.
    pub fn journal_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.journal_folder = Some(folder.into());
        self
    }

    /// Sets a function that is called with the progress after each page.
    pub fn on_progress(mut self, tell: impl FnMut(&Progress) + Send + 'static) -> Self {
        self.on_progress = Some(Arc::new(Mutex::new(tell)));
        self
    }

    /// Ends this run when `signal` completes, for example when a user presses Ctrl-C. Rows that were read are written,
    /// and the next run continues the export. Requests in flight are cancelled, but the service may still charge them.
    pub fn stop_on(mut self, signal: impl Future<Output = ()> + Send + 'static) -> Self {
        self.stop = signal.boxed().shared();
        self
    }

    /// Returns the maximum cost of a run into an empty folder. Sends no request.
    ///
    /// # Errors
    /// Errors of [`schema_of`](crate::schema_of), and errors of invalid arguments, as when the request is sent.
    pub fn dry_run(&self) -> Result<DryRun, Error> {
        crate::schema_of(self.call.operation(), &self.table_options())?;
        let request = self.request()?;

        let price = Estimate::from(self.call.list_price());
        if self.call.operation().paging == Paging::None {
            return Ok(DryRun { request, requests: Some(1), list_price: Some(price) });
        }

        let by_rows = self.max_rows.zip(page_size(&self.call));
        let by_rows = by_rows.map(|(rows, size)| rows.div_ceil(size.max(1)));
        let one = price.credits().filter(|credits| credits.0 > 0);
        let by_credits = self.max_credits.zip(one).map(|(limit, one)| limit / one.0);
        let requests = by_rows.into_iter().chain(by_credits).min();
        let list_price = requests.map(|requests| price.times(requests));
        Ok(DryRun { request, requests, list_price })
    }

    /// Returns the options, adjusted to the types that the file format supports.
    pub(super) fn table_options(&self) -> Options {
        let options = self.options.clone();
        match self.format {
            Format::Parquet => options.times(Times::Millis),
            Format::ArrowIpc => options.enums(Enums::Text),
            Format::Csv | Format::NdJson => options,
        }
    }

    /// Returns a pager of the remaining pages. `rows` is the number of rows of earlier pages, which count against
    /// [`max_rows`](Self::max_rows).
    pub(super) fn pager(&self, rows: u64) -> Pager<RowsRequest> {
        let mut pager = PageExt::pager(RowsRequest::from_call(self.call.clone()));
        if let Some(limit) = self.max_rows {
            pager = pager.max_items(limit.saturating_sub(rows));
        }
        if let Some(limit) = self.max_credits {
            pager = pager.max_credits(limit);
        }
        match self.side_by_side {
            Some(pages) => pager.side_by_side(pages),
            None => pager,
        }
    }

    /// Subtracts the list price of this number of pages from [`max_credits`](Self::max_credits).
    pub(super) fn spend(&mut self, pages: u64) {
        let price = Estimate::from(self.call.list_price()).credits().map_or(0, |credits| credits.0);
        self.max_credits = self.max_credits.map(|limit| limit.saturating_sub(pages * price));
    }

    /// Returns the name of the data source: the name that the caller set, or the base URL.
    pub(super) fn origin(&self) -> String {
        let address = || self.call.options().base_url.as_deref().or(self.call.handle().base_url());
        self.origin.clone().unwrap_or_else(|| without_credentials(address().unwrap_or_default()))
    }

    /// Returns the HTTP request of the first page, without the API key.
    pub(super) fn request(&self) -> Result<String, Error> {
        // If an argument is invalid, this error contains its name.
        self.call.parts()?;
        Ok(request_of(&self.call).unwrap_or_default().to_string())
    }
}

/// Returns a base URL without user, password and final slash. The client rejects a URL with credentials too, but only
/// when it sends a request.
fn without_credentials(url: &str) -> String {
    let url = url.trim_end_matches('/');
    match url.split_once("://") {
        Some((scheme, rest)) => {
            let (authority, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
            let host = authority.rsplit('@').next().unwrap_or_default();
            format!("{scheme}://{host}{path}")
        }
        None => url.to_owned(),
    }
}

/// Returns the page size of a call: the argument that the call sets, or the default of the parameter.
fn page_size(call: &Call) -> Option<u64> {
    let name = call.operation().paging.limit()?;
    match call.get(name) {
        Some(Value::Integer(size)) => u64::try_from(*size).ok(),
        _ => call.operation().param(name)?.1.default?.parse().ok(),
    }
}
