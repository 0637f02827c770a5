//! Refreshes an export: writes all rows into a second folder, which then replaces the folder of the earlier export.
//!
//! The input is an export, and the folder with the files of an earlier run of this export. If the refresh completes,
//! the folder contains the new files. If the refresh ends early, the folder still contains the earlier files.

use std::path::Path;

use super::checkpoint::{Place, has_checkpoint};
use super::exchange::{beside, exchange, remove, remove_rest};
use super::folder_lock::lock_folder;
use super::report::{Outcome, Report};
use super::run::{first_checkpoint, run_from};
use super::settings::Export;
use crate::error::Error;
use crate::plan::Plan;

/// Runs an export into the folder `_NAME.refresh`, which is next to `folder`. When the export is complete, the two
/// folders are exchanged.
pub(super) async fn refresh(export: Export, folder: &Path) -> Result<Report, Error> {
    let new = beside(folder, "refresh")?;
    let _lock = lock_folder(folder)?;
    let plan = Plan::new(export.call.operation(), &export.table_options())?;
    let mut first = first_checkpoint(&export, &plan)?;
    let earlier = Place::local(folder)?.read(&first).await?;
    first.generation = earlier.map_or(0, |earlier| earlier.generation + 1);

    // If a refresh was killed after the exchange, `new` contains the replaced files, whose generation is older.
    if has_checkpoint(&new) {
        let found = Place::local(&new)?.read(&first).await?;
        if found.is_some_and(|found| found.generation < first.generation) {
            remove(&new)?;
        }
    }
    remove_rest(&new)?;

    let new_lock = lock_folder(&new)?;
    let report = run_from(export, Place::local(&new)?, first).await?;
    drop(new_lock);
    if matches!(report.outcome, Outcome::Complete | Outcome::RowLimit) {
        exchange(folder, &new)?;
        remove(&new)?;
    }
    Ok(report)
}
