//! Settings of an export: format, limits, partitions.
//!
//! A program sets them on a request, and `to_folder` or `to_store` writes the files or continues an earlier export.

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

/// File format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Parquet, compressed with Zstandard. Timestamps are in milliseconds, since Parquet has no seconds.
    Parquet,
    /// Arrow IPC files. Open enums are strings, because a file has one dictionary for all its batches.
    #[serde(rename = "arrow")]
    ArrowIpc,
    /// Comma-separated values with a header. Nested values are JSON, and `null` is an empty cell.
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
    /// Creates an export of all rows, page after page.
    fn export(self) -> Export {
        Export::new(self.into_call())
    }
}

impl<R: Request> ExportExt for R {}

/// Function that is called after each page. An update can consist of several runs, which share the function.
pub(super) type OnProgress = Arc<Mutex<dyn FnMut(&Progress) + Send>>;

pub(super) type Stop = Shared<Pin<Box<dyn Future<Output = ()> + Send>>>;

/// An export that was not run yet.
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
    /// The first request, without the key: method, path and body.
    pub request: String,
    /// Maximum number of requests; `None` if no limit bounds it.
    pub requests: Option<u64>,
    /// Maximum sum of the list prices, which can differ from the charge; `None` if no limit bounds it.
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

    /// Writes rows into one folder per value.
    pub fn partition_by(mut self, partition: Partition) -> Self {
        self.partition = Some(partition);
        self
    }

    /// Sets the number of rows after which files and a checkpoint are written, at the end of the page; 0 counts as 1.
    pub fn rows_per_file(mut self, rows: u64) -> Self {
        self.rows_per_file = rows.max(1);
        self
    }

    /// Limits the number of rows in the folder.
    pub fn max_rows(mut self, limit: u64) -> Self {
        self.max_rows = Some(limit);
        self
    }

    /// Limits this run to pages whose list prices sum to at most `limit` credits. Without a published price this
    /// setting has no effect. For a limit on spending, use a [`Budget`](crypto_intel::credits::Budget).
    pub fn max_credits(mut self, limit: u64) -> Self {
        self.max_credits = Some(limit);
        self
    }

    /// Ends this run after the page during which `limit` was reached. The next run continues.
    pub fn max_time(mut self, limit: Duration) -> Self {
        self.max_time = Some(limit);
        self
    }

    /// Sets the maximum number of pages in flight, if the paging allows more than one; see [`Pager::side_by_side`].
    /// If a run is killed, at most this number of pages is charged again.
    pub fn side_by_side(mut self, pages: usize) -> Self {
        self.side_by_side = Some(pages);
        self
    }

    /// Reads the whole list again, and then replaces an earlier export of the same request in the same folder. The
    /// earlier files stay until the new ones are complete. If a run ends before that, the next run with this setting
    /// continues it.
    ///
    /// The new files are in the folder `_NAME.refresh` next to the folder `NAME` until the two folders are exchanged:
    /// in one step on Linux and macOS, by two renames on other systems. Object stores have no such step, so exports
    /// to a store reject this setting.
    pub fn refresh(mut self, refresh: bool) -> Self {
        self.refresh = refresh;
        self
    }

    /// Brings a complete export in a local folder up to date: requests the rows from `overlap` before its last settled
    /// row on, adds the new ones, and replaces those that have changed. A folder without an export gets the whole list.
    ///
    /// The catalogue lists the field with the time of a row, the parameter that limits the time, and the fields that
    /// identify a row ([`RowOrder`](crypto_intel::catalogue::RowOrder)). For an operation whose rows have no time
    /// this setting is rejected; [`refresh`](Self::refresh) replaces all rows. If no parameter limits the time, the
    /// whole list is read.
    ///
    /// The response replaces all rows of its time range, which begins with its first row. A row in this range that
    /// the service no longer returns is removed. Older rows stay, even if the service no longer has them. A row is
    /// settled if its time is before the watermark (`meta.watermark`), if the service reports one, and before the
    /// start of the last reading. So a folder that was updated several times, also by killed runs, has the rows of
    /// one export at the time of the last update, if rows arrive and change at most `overlap` after their time.
    ///
    /// Files whose rows all stay are kept; other files are written again, ordered by time. The new files replace the
    /// old ones in one step, as in [`refresh`](Self::refresh). All rows of a reading are in memory at the same time.
    /// The setting needs Parquet files without a partition, and no [`max_rows`](Self::max_rows).
    ///
    /// With [`Options::provenance`], replaced rows stay in the folder `_history`, and
    /// [`read_as_of`](super::read_as_of) returns the rows of any earlier time.
    pub fn update(mut self, overlap: Duration) -> Self {
        self.overlap = Some(overlap);
        self
    }

    /// Sets the name of the data source, such as `sandbox with seed 7, clock stopped at 1780000000`. The default is
    /// the base URL. A folder with data of another source is rejected. The checkpoint contains this text, so it must
    /// not contain secrets.
    pub fn from_origin(mut self, origin: impl Into<String>) -> Self {
        self.origin = Some(origin.into());
        self
    }

    /// Sets the local folder for received pages whose rows are not yet in files; see
    /// [After a kill](super#after-a-kill). The default is `_pages` in the folder of the export. For an object store
    /// it is `crypto-intel/exports` in the user's folder of program state.
    pub fn journal_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.journal_folder = Some(folder.into());
        self
    }

    /// Calls a function with the progress after each page.
    pub fn on_progress(mut self, tell: impl FnMut(&Progress) + Send + 'static) -> Self {
        self.on_progress = Some(Arc::new(Mutex::new(tell)));
        self
    }

    /// Ends this run when `signal` completes, for example when a user presses Ctrl-C. Rows that were read are
    /// written, and the next run continues. Requests in flight are cancelled, and the service may charge them.
    pub fn stop_on(mut self, signal: impl Future<Output = ()> + Send + 'static) -> Self {
        self.stop = signal.boxed().shared();
        self
    }

    /// Returns the maximum cost of a run from the beginning. Sends nothing.
    ///
    /// # Errors
    /// Errors of [`schema_of`](crate::schema_of), and errors of parameters for which the call would be rejected.
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

    /// Returns the options, adjusted to the format.
    pub(super) fn table_options(&self) -> Options {
        let options = self.options.clone();
        match self.format {
            Format::Parquet => options.times(Times::Millis),
            Format::ArrowIpc => options.enums(Enums::Text),
            Format::Csv | Format::NdJson => options,
        }
    }

    /// Returns the pages that remain. `rows` is the number of rows read before.
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

    /// Counts the list price of pages that were read against [`max_credits`](Self::max_credits).
    pub(super) fn spend(&mut self, pages: u64) {
        let price = Estimate::from(self.call.list_price()).credits().map_or(0, |credits| credits.0);
        self.max_credits = self.max_credits.map(|limit| limit.saturating_sub(pages * price));
    }

    /// Returns the name of the data source.
    pub(super) fn origin(&self) -> String {
        let address = || self.call.options().base_url.as_deref().or(self.call.handle().base_url());
        self.origin.clone().unwrap_or_else(|| without_credentials(address().unwrap_or_default()))
    }

    /// Returns the HTTP request of the first page, without the key.
    pub(super) fn request(&self) -> Result<String, Error> {
        // Called for its error, which names the argument.
        self.call.parts()?;
        Ok(request_of(&self.call).unwrap_or_default().to_string())
    }
}

/// Returns a base URL without user, password and final slash. The client rejects a URL with credentials only when it
/// sends.
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

/// Returns the page size of a call: the size that the call sets, or the default of the service.
fn page_size(call: &Call) -> Option<u64> {
    let name = call.operation().paging.limit()?;
    match call.get(name) {
        Some(Value::Integer(size)) => u64::try_from(*size).ok(),
        _ => call.operation().param(name)?.1.default?.parse().ok(),
    }
}
