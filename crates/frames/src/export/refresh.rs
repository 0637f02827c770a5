//! Refresh of an export: a new export into a second folder, which then takes the place of the first one.
//!
//! In: an export, and the folder of an earlier run of it. Out: the folder with the new files, or with the earlier
//! files if the run ended early.

use std::ffi::OsString;
use std::fs::{remove_dir_all, rename};
use std::path::{Path, PathBuf};

use super::checkpoint::{Place, has_checkpoint};
use super::folder_lock::lock_folder;
use super::report::{Outcome, Report};
use super::run::{first_checkpoint, run_from};
use super::settings::Export;
use crate::error::Error;
use crate::plan::Plan;

/// Runs an export into `_NAME.refresh` beside `folder`, and exchanges the two folders when it is complete.
pub(super) async fn refresh(export: Export, folder: &Path) -> Result<Report, Error> {
    let new = beside(folder, "refresh")?;
    let _lock = lock_folder(folder)?;
    let plan = Plan::new(export.call.operation(), &export.table_options())?;
    let mut first = first_checkpoint(&export, &plan)?;
    let earlier = Place::local(folder)?.read(&first).await?;
    first.generation = earlier.map_or(0, |earlier| earlier.generation + 1);

    // A refresh that was killed after the exchange leaves the replaced files there, which are of an older generation.
    if has_checkpoint(&new) {
        let found = Place::local(&new)?.read(&first).await?;
        if found.is_some_and(|found| found.generation < first.generation) {
            remove_dir_all(&new).map_err(|error| fault(&new, &error))?;
        }
    }

    let new_lock = lock_folder(&new)?;
    let report = run_from(export, Place::local(&new)?, first).await?;
    drop(new_lock);
    if matches!(report.outcome, Outcome::Complete | Outcome::RowLimit) {
        exchange(folder, &new)?;
        remove_dir_all(&new).map_err(|error| fault(&new, &error))?;
    }
    Ok(report)
}

/// Puts the earlier folder back if a process was killed between the two renames of [`exchange`].
pub(super) fn restore(folder: &Path) -> Result<(), Error> {
    let Ok(old) = beside(folder, "replaced") else { return Ok(()) };
    if old.is_dir() && !folder.exists() {
        rename(&old, folder).map_err(|error| fault(folder, &error))?;
    }
    Ok(())
}

/// Exchanges two folders in one step, so that readers see either all old or all new files.
fn exchange(folder: &Path, new: &Path) -> Result<(), Error> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        if renameat_with(CWD, folder, CWD, new, RenameFlags::EXCHANGE).is_ok() {
            return Ok(());
        }
    }

    // Some file systems cannot exchange folders.
    let old = beside(folder, "replaced")?;
    rename(folder, &old).map_err(|error| fault(folder, &error))?;
    rename(new, folder).map_err(|error| fault(folder, &error))?;
    rename(&old, new).map_err(|error| fault(new, &error))
}

/// A folder in the same parent folder, such as `_news.refresh` for `news`. Readers of the parent folder skip names
/// that begin with an underscore.
fn beside(folder: &Path, purpose: &str) -> Result<PathBuf, Error> {
    // `file_name` of a path such as `.` exists only after the path is resolved.
    let whole = folder.canonicalize().or_else(|_| std::path::absolute(folder));
    let whole = whole.map_err(|error| fault(folder, &error))?;
    let Some(name) = whole.file_name() else {
        return Err(fault(folder, &"the root of a file system cannot be replaced"));
    };
    let mut beside = OsString::from("_");
    beside.push(name);
    beside.push(format!(".{purpose}"));
    Ok(whole.with_file_name(beside))
}

fn fault(folder: &Path, reason: &dyn std::fmt::Display) -> Error {
    Error::Place { place: folder.display().to_string(), reason: reason.to_string() }
}
