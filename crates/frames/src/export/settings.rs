//! Settings of an export, such as its format, its limits and its partition.
//!
//! A program sets the settings on an [`Export`], and then calls `to_folder` or `to_store`. These methods write the
//! files, or continue an earlier run of the export.

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
    /// Parquet, compressed with Zstandard. Timestamps in seconds become milliseconds, because Parquet has no timestamps
    /// in seconds.
    Parquet,
    /// Arrow IPC files. Columns of open enums contain plain strings, not dictionary keys: an IPC file allows one
    /// dictionary per column, but each batch can contain new values.
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

/// Function that the caller has passed to [`Export::on_progress`]. An export that is updated can run several times,
/// and each run calls this function.
pub(super) type OnProgress = Arc<Mutex<dyn FnMut(&Progress) + Send>>;

pub(super) type Stop = Shared<Pin<Box<dyn Future<Output = ()> + Send>>>;

/// An export with its settings. [`to_folder`](Self::to_folder) or [`to_store`](Self::to_store) runs the export.
///
/// # Defaults
/// - Parquet files in one folder, without a partition.
/// - A new file after 100,000 rows, or at about 32 MiB.
/// - No limit on rows, credits or time.
/// - The largest pages that the service allows, unless the request sets a page size.
/// - The default [`Options`].
#[must_use = "an export does nothing until `to_folder` or `to_store` is called"]
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
    /// HTTP request for the first page, with its method, path, query and body. The request does not contain the API
    /// key.
    pub request: String,
    /// Maximum number of requests. `None` if neither `max_rows` nor `max_credits` limits the number of pages.
    pub requests: Option<u64>,
    /// List price of the maximum number of requests. The credits charged can differ. `None` if
    /// [`requests`](Self::requests) is `None`.
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

    /// Sets the partition. The export then writes one subfolder per value of a column, or one per day.
    pub fn partition_by(mut self, partition: Partition) -> Self {
        self.partition = Some(partition);
        self
    }

    /// Sets the number of rows after which the export writes files and a checkpoint. The value 0 has the effect of 1.
    /// Files can have more rows than this number, because they are written only at the end of a page.
    pub fn rows_per_file(mut self, rows: u64) -> Self {
        self.rows_per_file = rows.max(1);
        self
    }

    /// Sets the maximum number of rows in the folder. The limit applies to all runs of the export together.
    pub fn max_rows(mut self, limit: u64) -> Self {
        self.max_rows = Some(limit);
        self
    }

    /// Limits the pages that this run requests: the sum of their list prices is at most `limit` credits. If the
    /// operation has no pages or no published price, this setting has no effect. For a limit on spending, use a
    /// [`Budget`](crypto_intel::credits::Budget).
    pub fn max_credits(mut self, limit: u64) -> Self {
        self.max_credits = Some(limit);
        self
    }

    /// Sets the maximum duration of this run. When the duration has passed, the run ends after the current page. The
    /// next run continues the export.
    pub fn max_time(mut self, limit: Duration) -> Self {
        self.max_time = Some(limit);
        self
    }

    /// Sets the maximum number of pages that are requested at the same time. Some kinds of paging allow only one page
    /// at a time; see [`Pager::side_by_side`]. After a kill, the next run may request up to this number of pages again,
    /// and the service may charge them twice.
    pub fn side_by_side(mut self, pages: usize) -> Self {
        self.side_by_side = Some(pages);
        self
    }

    /// If `refresh` is true, the run requests the whole list again, and replaces the earlier export in the folder when
    /// the new files are complete. The earlier export and this export must have equal requests. If a run ends early,
    /// the next run with this setting continues the refresh.
    ///
    /// The run writes the new files into the folder `_NAME.refresh`, next to the folder `NAME`, and then exchanges the
    /// two folders. On Linux and macOS, the exchange is atomic. On other systems, the folders are renamed one after the
    /// other. Object stores cannot exchange folders, so exports to a store reject this setting.
    pub fn refresh(mut self, refresh: bool) -> Self {
        self.refresh = refresh;
        self
    }

    /// Updates a complete export in a local folder. The run requests all rows from a start time on. This start time is
    /// usually `overlap` before the time of the latest stored row. For example, if the latest row is from 10 March and
    /// `overlap` is two days, the run requests the rows from 8 March on. The run adds new rows and replaces changed
    /// rows. If the folder contains no export, the run requests the whole list.
    ///
    /// The catalogue contains the field with the time of a row, the parameter for the earliest time, and the fields
    /// that identify a row ([`RowOrder`](crypto_intel::catalogue::RowOrder)). If the rows of an operation have no time,
    /// the export returns an error. In this case, use [`refresh`](Self::refresh), which replaces all rows. If the
    /// operation has no parameter for the earliest time, an update requests the whole list.
    ///
    /// The received rows replace all stored rows from the time of the earliest received row on. So the update removes a
    /// stored row of this time range if the service no longer returns it. The update keeps older rows, even if the
    /// service no longer returns them.
    ///
    /// A stored row can be later than the start of the last run or the watermark of the service (`meta.watermark`). The
    /// start time is then `overlap` before the earlier of these two times. The service may return or change a row some
    /// time after the row's time. If this delay is never longer than `overlap`, an updated folder contains the same
    /// rows as a new export at the time of the last update. This is also true if an update was killed.
    ///
    /// An update rewrites a file if one of its rows is not older than the earliest received row. It also rewrites a
    /// file if one of its rows has the same key as a received row or another stored row. The update keeps all other
    /// files that contain rows. Rewritten rows are ordered by time. The kept and the rewritten files are stored in a
    /// new folder `_NAME.merged`. The update then exchanges this folder with the folder `NAME` of the export, as in
    /// [`refresh`](Self::refresh). All received rows and all rows of the rewritten files are in memory at the same
    /// time. The setting needs Parquet files without a partition. It cannot be combined with
    /// [`max_rows`](Self::max_rows).
    ///
    /// With [`Options::provenance`], replaced and removed rows stay in the folder `_history`, and
    /// [`read_as_of`](super::read_as_of) returns the rows of any earlier time.
    pub fn update(mut self, overlap: Duration) -> Self {
        self.overlap = Some(overlap);
        self
    }

    /// Sets the name of the data source, such as `sandbox with seed 7, clock stopped at 1780000000`. The default is the
    /// base URL. A run rejects a folder with data from another source. The name is stored in the checkpoint, so the
    /// name must not contain secrets.
    pub fn from_origin(mut self, origin: impl Into<String>) -> Self {
        self.origin = Some(origin.into());
        self
    }

    /// Sets the local folder of the journal. The journal contains received pages whose rows are not yet in files; see
    /// [After a kill](super#after-a-kill). The default is `_pages` in the folder of the export. If the export writes to
    /// an object store, the default is `crypto-intel/exports` in the user's folder for program state.
    pub fn journal_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.journal_folder = Some(folder.into());
        self
    }

    /// Sets a function that the export calls with the progress after each page. The export also calls the function when
    /// the list ends or the run is stopped.
    pub fn on_progress(mut self, tell: impl FnMut(&Progress) + Send + 'static) -> Self {
        self.on_progress = Some(Arc::new(Mutex::new(tell)));
        self
    }

    /// Ends this run when `signal` completes, for example when a user presses Ctrl-C. The run writes the rows that it
    /// has read, and cancels requests in flight. The service may still charge the cancelled requests. The next run
    /// continues the export.
    pub fn stop_on(mut self, signal: impl Future<Output = ()> + Send + 'static) -> Self {
        self.stop = signal.boxed().shared();
        self
    }

    /// Returns the maximum cost of a run into an empty folder. Sends no request.
    ///
    /// # Errors
    /// Returns the errors of [`schema_of`](crate::schema_of). Also returns an error if the request has invalid
    /// arguments.
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

    /// Returns the table options of this export: the caller's options, adapted to the file format. For example, Parquet
    /// has no timestamps in seconds, so the timestamps of a Parquet export are in milliseconds.
    pub(super) fn table_options(&self) -> Options {
        let options = self.options.clone();
        match self.format {
            Format::Parquet => options.times(Times::Millis),
            Format::ArrowIpc => options.enums(Enums::Text),
            Format::Csv | Format::NdJson => options,
        }
    }

    /// Returns a pager for the remaining pages. `rows` is the number of rows in earlier pages. This number is
    /// subtracted from [`max_rows`](Self::max_rows).
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

    /// Subtracts the list price of `pages` pages from [`max_credits`](Self::max_credits).
    pub(super) fn spend(&mut self, pages: u64) {
        let price = Estimate::from(self.call.list_price()).credits().map_or(0, |credits| credits.0);
        self.max_credits = self.max_credits.map(|limit| limit.saturating_sub(pages * price));
    }

    /// Returns the name of the data source. This is the name that the caller has set, or the base URL by default.
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

/// Returns a base URL without user, password and final slash. The client also rejects a URL with credentials, but only
/// later, when it sends a request.
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

/// Returns the page size of a call. This is the argument for the page size, or the parameter's default if the call has
/// no such argument.
fn page_size(call: &Call) -> Option<u64> {
    let name = call.operation().paging.limit()?;
    match call.get(name) {
        Some(Value::Integer(size)) => u64::try_from(*size).ok(),
        _ => call.operation().param(name)?.1.default?.parse().ok(),
    }
}
