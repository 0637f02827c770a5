//! Exports the rows of an operation to files, in a local folder or in an object store.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # use crypto_intel_sandbox::{Clock, Sandbox, UnixSeconds};
//! # let clock = Clock::stopped_at(UnixSeconds(1_780_000_000));
//! # let sandbox = Sandbox::builder().clock(clock).start().await?;
//! # let client = crypto_intel::Client::builder().base_url(sandbox.url()).api_key(sandbox.key()).build()?;
//! # let folder = tempfile::tempdir()?;
//! use crypto_intel_frames::export::{ExportExt, Outcome, Partition};
//!
//! let fills = client.hyperliquid_fills("0x1111111111111111111111111111111111111111");
//! let export = fills.export().max_rows(100).partition_by(Partition::Day("time_ms".to_owned()));
//! println!("at most {:?} requests", export.dry_run()?.requests);
//!
//! let report = export.to_folder(folder.path()).await?;
//! assert_eq!((report.rows, report.outcome), (100, Outcome::RowLimit));
//! # Ok(())
//! # }
//! ```
//!
//! # Files in the folder
//!
//! The data files are `part-00000.parquet`, `part-00001.parquet` and so on, in the order of the rows. With a
//! [`Partition`], the data files are in subfolders `NAME=VALUE/`. Spark, Trino, DuckDB and DataFusion read `NAME` as a
//! column. All other files and folders have names that begin with an underscore. The file `_checkpoint.json` contains
//! the request, the columns and the progress of the export.
//!
//! # After a kill
//!
//! Each data file gets its final name only when it is complete. The checkpoint is written after the data files. If the
//! same export is started again with the same folder, the new run continues from the last checkpoint. The run first
//! removes data files that are newer than the checkpoint, so no row is lost or duplicated.
//!
//! Each received page is written to a journal on the local disk before its rows are read. The journal is the folder
//! `_pages` in the folder of the export, unless [`Export::journal_folder`] is set or the export writes to an object
//! store. The next run reads these pages from the journal, up to the first missing page. It requests the missing page
//! and all later pages, even if the journal contains some of them. Otherwise rows could be lost: if the list has grown,
//! a row of page 2 may have moved to page 3.
//!
//! After Ctrl-C, SIGTERM, SIGHUP or SIGKILL, the service charges at most [`Export::side_by_side`] pages again. After a
//! crash of the operating system, pages since the last checkpoint may be charged again. On a local disk, a kill may
//! leave an incomplete file whose name ends in `#` and a number. Readers of `*.parquet` skip such a file.
//!
//! Only one run at a time may write to a folder; a second run ends with [`Error::Place`](crate::Error::Place). On a
//! local disk, a run locks its folder. In an object store, files and checkpoints are written with conditional requests.
//!
//! # Updates
//!
//! [`Export::update`] adds newer rows to a complete export and replaces rows that have changed, so that a table grows
//! from day to day. [`read_as_of`] returns the rows that such a table had at an earlier time. [`SyncPlan`] runs many
//! exports together, within one budget.
//!
//! With some kinds of paging, a resumed export may miss or repeat rows if the list changed during the export. See
//! [`ResumeToken`](crypto_intel::ResumeToken).

mod as_of;
mod checkpoint;
mod exchange;
mod files;
mod folder_lock;
mod journal;
mod merge;
mod partition;
mod refresh;
mod report;
mod run;
mod settings;
mod sync;
mod target;
mod text;
mod update;
mod writer;

pub use as_of::read_as_of;
pub use partition::Partition;
pub use report::{Changes, Gap, Outcome, Progress, Report};
pub use settings::{DryRun, Export, ExportExt, Format};
pub use sync::{Bill, PlannedExport, PreparedSync, SyncPlan, Synced, Windows};
pub use text::json_rows;
// Exported for callers that write to object stores.
pub use object_store;
