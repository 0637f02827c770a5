//! Settings of an export: format, limits, partitions.

use std::future::{Future, pending};
use std::path::Path as Folder;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use crypto_intel::PageExt;
use crypto_intel::credits::{Estimate, list_price};
use crypto_intel::paging::Pager;
use crypto_intel_core::{Call, Paging, ParamKind, Request, Value};
use object_store::ObjectStore;
use object_store::local::LocalFileSystem;
use object_store::path::Path;

use super::folder_lock::lock_folder;
use super::run::{Progress, Report, run};
use super::{Partition, checkpoint};
use crate::page::RowsRequest;
use crate::{Enums, Error, Options, Times};

/// The kind of the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Parquet, compressed with Zstandard. Times are in milliseconds, since Parquet has no seconds.
    Parquet,
    /// Arrow IPC files. Open enums are texts: a file has one dictionary for all its batches.
    ArrowIpc,
    /// Comma-separated values with a header. What is nested is JSON in its cell, and `null` is an
    /// empty cell.
    Csv,
    /// One JSON object a line. Times are texts as in RFC 3339.
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

/// Exports of a request to files.
pub trait ExportExt: Request {
    /// An export of all rows of the answer, page after page.
    fn export(self) -> Export {
        Export::new(self.into_call())
    }
}

impl<R: Request> ExportExt for R {}

pub(super) type OnProgress = Box<dyn FnMut(&Progress) + Send>;

pub(super) type Stop = Pin<Box<dyn Future<Output = ()> + Send>>;

/// An export, before it is run.
///
/// # Defaults
/// Parquet; one folder; files of up to 100,000 rows or about 32 MiB; no limits; pages as large as
/// the service allows, unless the request says another size; the [`Options`] of frames.
#[must_use = "an export does nothing until `to_folder` or `to_store`"]
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
    pub(super) on_progress: Option<OnProgress>,
    pub(super) stop: Stop,
}

/// Maximum cost of an export, by list price.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DryRun {
    /// The first request as it is written on the wire, without the key: the method, the path and the body.
    pub request: String,
    /// Requests; `None` when no limit bounds them.
    pub requests: Option<u64>,
    /// List price of these pages, which can differ from the charge; `None` if no limit bounds it.
    pub list_price: Option<Estimate>,
}

impl Export {
    fn new(call: Call) -> Self {
        Export {
            call: with_large_pages(call),
            format: Format::Parquet,
            options: Options::default(),
            partition: None,
            rows_per_file: 100_000,
            max_rows: None,
            max_credits: None,
            max_time: None,
            side_by_side: None,
            on_progress: None,
            stop: Box::pin(pending()),
        }
    }

    /// Sets the kind of the files.
    pub fn format(mut self, format: Format) -> Self {
        self.format = format;
        self
    }

    /// Sets how answers become tables.
    pub fn options(mut self, options: Options) -> Self {
        self.options = options;
        self
    }

    /// Puts rows into a folder for each value.
    pub fn partition_by(mut self, partition: Partition) -> Self {
        self.partition = Some(partition);
        self
    }

    /// Sets after how many rows the files are written and the checkpoint moves on, to the next end
    /// of a page; 0 counts as 1. Fewer rows cost less when an export is killed, and make more files.
    pub fn rows_per_file(mut self, rows: u64) -> Self {
        self.rows_per_file = rows.max(1);
        self
    }

    /// At most `limit` rows in the folder.
    pub fn max_rows(mut self, limit: u64) -> Self {
        self.max_rows = Some(limit);
        self
    }

    /// Reads pages whose list prices sum to at most `limit` credits in this run. Without a published
    /// price this setting has no effect. For a limit on spending, use a
    /// [`Budget`](crypto_intel::credits::Budget).
    pub fn max_credits(mut self, limit: u64) -> Self {
        self.max_credits = Some(limit);
        self
    }

    /// Ends this run after the page in which `limit` has passed. The next run goes on.
    pub fn max_time(mut self, limit: Duration) -> Self {
        self.max_time = Some(limit);
        self
    }

    /// How many pages may be under way at once where the paging allows it; see
    /// [`Pager::side_by_side`].
    pub fn side_by_side(mut self, pages: usize) -> Self {
        self.side_by_side = Some(pages);
        self
    }

    /// Calls a function with the progress after each page.
    pub fn on_progress(mut self, tell: impl FnMut(&Progress) + Send + 'static) -> Self {
        self.on_progress = Some(Box::new(tell));
        self
    }

    /// Ends this run when `signal` comes, such as that of a user who presses Ctrl-C: rows that were read
    /// go to the folder, and the next run goes on. The page that is under way is given up; the service
    /// may charge it.
    pub fn stop_on(mut self, signal: impl Future<Output = ()> + Send + 'static) -> Self {
        self.stop = Box::pin(signal);
        self
    }

    /// Maximum cost of a run from the beginning. Sends nothing.
    ///
    /// # Errors
    /// As of [`schema_of`](crate::schema_of), and for parameters that the call would be refused for.
    pub fn dry_run(&self) -> Result<DryRun, Error> {
        crate::schema_of(self.call.operation(), &self.table_options())?;
        let request = self.request()?;

        let price = list_price(self.call.operation(), None, None);
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

    /// Writes to a folder of the local disk, which is created if need be; goes on where an earlier
    /// run of the same export stopped.
    ///
    /// # Errors
    /// Of a call or a row, after what was good has been written; [`Error::Place`] when the folder
    /// holds something else, or when another run is writing to it.
    pub async fn to_folder(self, folder: impl AsRef<Folder>) -> Result<Report, Error> {
        let folder = folder.as_ref();
        let place = |reason: String| Error::Place { place: folder.display().to_string(), reason };
        std::fs::create_dir_all(folder).map_err(|error| place(error.to_string()))?;
        // Two runs in one folder would remove each other's files. The lock is held until this run ends.
        let _lock = lock_folder(folder).map_err(place)?;

        let store = LocalFileSystem::new_with_prefix(folder)?.with_automatic_cleanup(true);
        let outcome = self.to_store(Arc::new(store), Path::default()).await;
        // The store knows the folder as its root.
        outcome.map_err(|error| match error {
            Error::Place { reason, .. } => place(reason),
            error => error,
        })
    }

    /// Writes below `prefix` of an object store; else as [`to_folder`](Self::to_folder).
    ///
    /// # Errors
    /// As of [`to_folder`](Self::to_folder).
    pub async fn to_store(
        self,
        store: Arc<dyn ObjectStore>,
        prefix: Path,
    ) -> Result<Report, Error> {
        run(self, checkpoint::Place::new(store, prefix)).await
    }

    /// The options, as far as the format leaves a choice.
    pub(super) fn table_options(&self) -> Options {
        let options = self.options.clone();
        match self.format {
            Format::Parquet => options.times(Times::Millis),
            Format::ArrowIpc => options.enums(Enums::Text),
            Format::Csv | Format::NdJson => options,
        }
    }

    /// The pages from here on; `rows` are those of the pages before.
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

    /// The call as it is written on the wire, without the key.
    pub(super) fn request(&self) -> Result<String, Error> {
        let parts = self.call.parts()?;
        let body = String::from_utf8_lossy(parts.body.as_deref().unwrap_or_default()).into_owned();
        Ok(format!("{} {} {body}", parts.method, parts.target).trim_end().to_owned())
    }
}

/// A page costs what it costs, whatever its size.
fn with_large_pages(mut call: Call) -> Call {
    let operation = call.operation();
    let limit = operation.paging.limit().and_then(|name| operation.param(name));
    if let Some((index, param)) = limit
        && let ParamKind::Integer { max: Some(most), .. } = param.kind
        && call.get(param.name).is_none()
    {
        call.set(index, most);
    }
    call
}

/// Rows of a page, as the call asks or as the service takes it by default.
fn page_size(call: &Call) -> Option<u64> {
    let name = call.operation().paging.limit()?;
    match call.get(name) {
        Some(Value::Integer(size)) => u64::try_from(*size).ok(),
        _ => call.operation().param(name)?.1.default?.parse().ok(),
    }
}
