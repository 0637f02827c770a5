//! Lock of a local folder, so that only one run at a time writes to the folder.

use std::fs::{File, OpenOptions};
use std::path::Path;

use fs4::fs_std::FileExt;

use crate::error::Error;

/// Name of the file that is locked. The file is empty and always stays in the folder. If a run removed the file, two
/// runs could hold a lock at the same time: one on the removed file, and one on a new file.
pub(super) const LOCK_NAME: &str = "_lock";

/// A locked folder. Dropping it unlocks the folder.
pub(super) struct FolderLock(File);

impl Drop for FolderLock {
    /// Unlocks the folder explicitly, because closing the file is not enough. If another thread is starting a child
    /// process, the child has a copy of the open file. The copy would keep the lock until the child executes its own
    /// program.
    fn drop(&mut self) {
        let _ = FileExt::unlock(&self.0);
    }
}

/// Creates a folder if necessary, and locks it until the returned value is dropped. The operating system also ends the
/// lock when the process ends, so a killed run does not block the next one.
///
/// Returns [`Error::Place`] if another run holds the lock, or if the file cannot be opened or locked.
pub(super) fn lock_folder(folder: &Path) -> Result<FolderLock, Error> {
    let fault = |reason: String| Error::Place { place: folder.display().to_string(), reason };
    std::fs::create_dir_all(folder).map_err(|error| fault(error.to_string()))?;
    let file =
        OpenOptions::new().create(true).truncate(false).write(true).open(folder.join(LOCK_NAME));
    let file = file.map_err(|error| fault(format!("cannot open the file {LOCK_NAME}: {error}")))?;

    // Called through the trait, since newer standard libraries have methods with similar names.
    match FileExt::try_lock_exclusive(&file) {
        Ok(true) => Ok(FolderLock(file)),
        Ok(false) => {
            Err(fault("another run is writing to this folder; wait until it has ended".to_owned()))
        }
        Err(error) => Err(fault(format!("the folder cannot be locked: {error}"))),
    }
}
