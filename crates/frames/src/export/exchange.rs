//! Replaces and removes whole folders. Readers and later runs never see a folder with only some of its files.

use std::ffi::OsString;
use std::fs::{remove_dir_all, rename};
use std::path::{Path, PathBuf};

use crate::error::Error;

/// Repairs `folder` after a process was killed in [`exchange`]. The process may have renamed the earlier folder, for
/// example from `news` to `_news.replaced`. If `folder` is missing, this function gives the earlier folder its name
/// back. Otherwise it removes the earlier folder.
pub(super) fn restore(folder: &Path) -> Result<(), Error> {
    let Ok(old) = sibling_folder(folder, "replaced") else { return Ok(()) };
    if !old.is_dir() {
        return Ok(());
    }
    let put_back = match folder.exists() {
        true => remove_dir_all(&old),
        false => rename(&old, folder),
    };
    put_back.map_err(|error| fault(folder, &error))
}

/// Exchanges two folders. On Linux and macOS the exchange is atomic: readers see either all old or all new files.
/// Without an atomic exchange in the file system, the function renames one folder after the other.
pub(super) fn exchange(folder: &Path, new: &Path) -> Result<(), Error> {
    #[cfg(any(target_os = "linux", target_os = "macos"))]
    {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        if renameat_with(CWD, folder, CWD, new, RenameFlags::EXCHANGE).is_ok() {
            return Ok(());
        }
    }

    // Some systems cannot exchange folders in one step.
    let old = sibling_folder(folder, "replaced")?;
    rename(folder, &old).map_err(|error| fault(folder, &error))?;
    rename(new, folder).map_err(|error| fault(folder, &error))?;
    rename(&old, new).map_err(|error| fault(new, &error))
}

/// Removes a folder. Also removes the files that remained after an interrupted removal of this folder.
///
/// The function renames the folder before it removes the files. Without the renaming, a process that is killed during
/// the removal could leave files without a checkpoint. The next run would reject a folder with such files, because they
/// could belong to another program.
pub(super) fn remove(folder: &Path) -> Result<(), Error> {
    remove_rest(folder)?;
    if folder.exists() {
        rename(folder, sibling_folder(folder, "removed")?)
            .map_err(|error| fault(folder, &error))?;
    }
    remove_rest(folder)
}

/// Removes the folder that [`remove`] has renamed, such as `_news.removed` for the folder `news`. This folder may also
/// come from an earlier process that was killed during [`remove`].
pub(super) fn remove_rest(folder: &Path) -> Result<(), Error> {
    let rest = sibling_folder(folder, "removed")?;
    match rest.exists() {
        true => remove_dir_all(&rest).map_err(|error| fault(&rest, &error)),
        false => Ok(()),
    }
}

/// Returns the path of a folder next to `folder`, such as `_news.refresh` for the folder `news` and the purpose
/// `refresh`. Many readers of the parent folder skip names that begin with an underscore.
pub(super) fn sibling_folder(folder: &Path, purpose: &str) -> Result<PathBuf, Error> {
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
