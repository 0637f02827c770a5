//! Refreshes an export: requests the rows again and writes them into a new folder, which then replaces the old folder.
//!
//! The input is the settings of an export, and the folder of an earlier run. If the refresh ends early, this folder
//! keeps the earlier files.

use std::path::Path;

use super::checkpoint::{ExportFolder, has_checkpoint};
use super::exchange::{exchange, remove, remove_rest, sibling_folder};
use super::folder_lock::lock_folder;
use super::report::{Outcome, Report};
use super::run::{first_checkpoint, run_from};
use super::settings::Export;
use crate::error::Error;
use crate::plan::Plan;

/// Runs an export into a new folder next to `folder`. For example, if `folder` is `data/news`, the new folder is
/// `data/_news.refresh`. When the export is complete or has reached `max_rows`, the new folder replaces `folder`.
pub(super) async fn refresh(export: Export, folder: &Path) -> Result<Report, Error> {
    let new = sibling_folder(folder, "refresh")?;
    let _lock = lock_folder(folder)?;
    let plan = Plan::new(export.call.operation(), &export.table_options())?;
    let mut first = first_checkpoint(&export, &plan)?;
    let earlier = ExportFolder::local(folder)?.read(&first).await?;
    first.generation = earlier.map_or(0, |earlier| earlier.generation + 1);

    // If a refresh was killed after the exchange, `new` contains the replaced files, whose generation is older.
    if has_checkpoint(&new) {
        let found = ExportFolder::local(&new)?.read(&first).await?;
        if found.is_some_and(|found| found.generation < first.generation) {
            remove(&new)?;
        }
    }
    remove_rest(&new)?;

    let new_lock = lock_folder(&new)?;
    let report = run_from(export, ExportFolder::local(&new)?, first).await?;
    drop(new_lock);
    if matches!(report.outcome, Outcome::Complete | Outcome::RowLimit) {
        exchange(folder, &new)?;
        remove(&new)?;
    }
    Ok(report)
}
