//! Replaces and removes folders, so that readers and later runs see either all files or none.

use std::ffi::OsString;
use std::fs::{remove_dir_all, rename};
use std::path::{Path, PathBuf};

use crate::error::Error;

/// Puts the earlier folder back if a process was killed between the first two renames of [`exchange`], and removes it
/// if the process was killed after them.
pub(super) fn restore(folder: &Path) -> Result<(), Error> {
    let Ok(old) = beside(folder, "replaced") else { return Ok(()) };
    if !old.is_dir() {
        return Ok(());
    }
    let put_back = match folder.exists() {
        true => remove_dir_all(&old),
        false => rename(&old, folder),
    };
    put_back.map_err(|error| fault(folder, &error))
}

/// Exchanges two folders in one step, so that readers see either all old or all new files.
pub(super) fn exchange(folder: &Path, new: &Path) -> Result<(), Error> {
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

/// Removes a folder, and the rest of its earlier removal.
///
/// The folder gets another name first. Otherwise, a process that is killed here could leave files without a checkpoint,
/// which the next run rejects because they may belong to somebody else.
pub(super) fn remove(folder: &Path) -> Result<(), Error> {
    remove_rest(folder)?;
    if folder.exists() {
        rename(folder, beside(folder, "removed")?).map_err(|error| fault(folder, &error))?;
    }
    remove_rest(folder)
}

/// Removes the files that a process left when it was killed in [`remove`].
pub(super) fn remove_rest(folder: &Path) -> Result<(), Error> {
    let rest = beside(folder, "removed")?;
    match rest.exists() {
        true => remove_dir_all(&rest).map_err(|error| fault(&rest, &error)),
        false => Ok(()),
    }
}

/// Returns a folder in the same parent folder, such as `_news.refresh` for `news`. Readers of the parent folder skip
/// names that begin with an underscore.
pub(super) fn beside(folder: &Path, purpose: &str) -> Result<PathBuf, Error> {
    // `file_name` of a path such as `.` exists only after it has been resolved.
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

pub(super) fn fault(folder: &Path, reason: &dyn std::fmt::Display) -> Error {
    Error::Place { place: folder.display().to_string(), reason: reason.to_string() }
}
