//! Targets of an export: a local folder or an object store.

use std::path::Path as Folder;
use std::sync::Arc;

use object_store::ObjectStore;
use object_store::path::Path;

use super::checkpoint::{ExportFolder, has_checkpoint};
use super::exchange::restore;
use super::folder_lock::lock_folder;
use super::refresh::refresh;
use super::report::Report;
use super::run::run;
use super::settings::Export;
use super::update::update;
use crate::error::Error;

impl Export {
    /// Runs the export into a folder on the local disk, and creates the folder if necessary. Continues an earlier run
    /// of the same export.
    ///
    /// # Errors
    /// Returns an error if a call fails or a row does not fit the table. The export still writes the rows before the
    /// error. Returns [`Error::Place`] if the folder contains other files or another export, or if another run is
    /// writing to the folder.
    pub async fn to_folder(self, folder: impl AsRef<Folder>) -> Result<Report, Error> {
        let folder = folder.as_ref();
        restore(folder)?;
        if self.refresh && has_checkpoint(folder) {
            return refresh(self, folder).await;
        }
        if self.overlap.is_some() && !self.refresh {
            return update(self, folder).await;
        }
        // Two runs in one folder would remove each other's files. The lock is held until this run ends.
        let _lock = lock_folder(folder)?;
        run(self, ExportFolder::local(folder)?).await
    }

    /// Runs the export into the folder `prefix` of an object store, like [`to_folder`](Self::to_folder).
    ///
    /// # Errors
    /// Returns the errors of [`to_folder`](Self::to_folder). Also returns [`Error::Place`] if
    /// [`refresh`](Self::refresh) or [`update`](Self::update) is set.
    pub async fn to_store(
        self,
        store: Arc<dyn ObjectStore>,
        prefix: Path,
    ) -> Result<Report, Error> {
        if self.refresh || self.overlap.is_some() {
            let reason = "an object store cannot replace files in one step, so `refresh` and `update` are rejected; choose \
                          a new prefix";
            return Err(Error::Place { place: format!("/{prefix}"), reason: reason.to_owned() });
        }
        run(self, ExportFolder::new(store, prefix)).await
    }
}
