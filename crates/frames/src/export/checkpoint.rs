//! The checkpoint file in the folder of an export. It describes the export and its progress.
//!
//! The checkpoint contains the request, the columns, the number of complete files and the token of the next page. If a
//! run is interrupted, the next run continues from the checkpoint.

use std::hash::{BuildHasher, RandomState};
use std::path::{Path as Folder, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use crypto_intel::ResumeToken;
use etcetera::BaseStrategy;
use futures_util::TryStreamExt;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt, PutMode, PutPayload, PutResult, UpdateVersion};
use serde::{Deserialize, Serialize};

use super::folder_lock::LOCK_NAME;
use super::journal::Journal;
use super::report::Gap;
use crate::error::Error;

const NAME: &str = "_checkpoint.json";

/// Version of the checkpoint format. It increases when the meaning of a field changes. Version 1 had no fields
/// `origin`, `id`, `generation`, `written_at` and `run`.
const VERSION: u32 = 2;

/// Description and progress of an export. A run writes the data files first and the checkpoint afterwards, so all files
/// that the checkpoint counts exist.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Checkpoint {
    version: u32,
    /// Random identifier of the export. If the journal is not in the folder of the export, the journal is in a local
    /// folder with this identifier as its name.
    #[serde(default = "random_id")]
    pub(super) id: String,
    /// HTTP request for the first page, without the API key. An export with a different request is not allowed to
    /// continue in this folder.
    pub(super) request: String,
    /// Name of the data source, such as its base URL. `None` if the checkpoint has format version 1.
    #[serde(default)]
    origin: Option<String>,
    /// Number of refreshes and updates that have replaced the files of this folder.
    #[serde(default)]
    pub(super) generation: u64,
    /// Time at which rows were last written, in Unix seconds.
    #[serde(default)]
    written_at: Option<u64>,
    pub(super) format: String,
    pub(super) partition: String,
    /// Name and Arrow type of every column.
    pub(super) columns: Vec<(String, String)>,
    /// Random identifier of the last run. Because of this identifier, two runs never write equal checkpoints.
    #[serde(default)]
    run: String,
    /// Number for the names of the next files. The number 3 gives the name `part-00003.parquet`.
    pub(super) next_part: u64,
    pub(super) files: u64,
    pub(super) rows: u64,
    pub(super) pages: u64,
    /// Credits used by all runs together, as reported by the service.
    pub(super) credits_used: i64,
    /// Token of the next page. `None` before the first page, and after the last page.
    pub(super) resume: Option<ResumeToken>,
    /// Number of rows that are already in files, counted from the start of the page that `resume` requests. The next
    /// run skips these rows.
    pub(super) skip: u64,
    /// True if the last page of the list was read.
    pub(super) complete: bool,
    /// Metadata (`meta`) of the last page, as received.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    pub(super) meta: serde_json::Value,
    /// Time at which the first page was received, in Unix seconds. After an update, this is the time of the first page
    /// of the update.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) began_at: Option<i64>,
    /// Start of the time range that an update requests, in Unix seconds. `None` if the export is not an update, or if
    /// the update requests the whole list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) since: Option<i64>,
    /// Time ranges in which rows may be missing. For example, the stored rows end on Monday, and an update received
    /// rows from Thursday on. The gap is the time from Monday to Thursday.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) gaps: Vec<Gap>,
}

impl Checkpoint {
    pub(super) fn new(
        request: String,
        origin: String,
        format: String,
        partition: String,
        columns: Vec<(String, String)>,
    ) -> Self {
        Checkpoint {
            version: VERSION,
            id: random_id(),
            request,
            origin: Some(origin),
            generation: 0,
            written_at: None,
            format,
            partition,
            columns,

            run: random_id(),
            next_part: 0,
            files: 0,
            rows: 0,
            pages: 0,
            credits_used: 0,
            resume: None,
            skip: 0,
            complete: false,
            meta: serde_json::Value::Null,
            began_at: None,
            since: None,
            gaps: Vec::new(),
        }
    }

    /// Returns the time at which rows were last written.
    pub(super) fn written_at(&self) -> Option<SystemTime> {
        self.written_at.map(|seconds| UNIX_EPOCH + Duration::from_secs(seconds))
    }

    pub(super) fn set_written_at(&mut self, time: SystemTime) {
        self.written_at = time.duration_since(UNIX_EPOCH).ok().map(|time| time.as_secs());
    }

    /// Compares the exports that the two checkpoints describe, and returns a description of the first difference.
    /// Returns `None` if nothing differs.
    fn difference(&self, other: &Checkpoint) -> Option<String> {
        let differs = |what: &str, there: &str, here: &str| {
            (there != here)
                .then(|| format!("the {what} of the earlier export is `{there}`, not `{here}`"))
        };
        let origins = self.origin.as_deref().zip(other.origin.as_deref());
        let origin = origins.and_then(|(there, here)| differs("origin", there, here));
        origin
            .or_else(|| differs("request", &self.request, &other.request))
            .or_else(|| differs("format", &self.format, &other.format))
            .or_else(|| differs("partition", &self.partition, &other.partition))
            .or_else(|| (self.columns != other.columns).then(|| "the columns differ".to_owned()))
    }
}

/// Folder of an export, on the local disk or in an object store.
pub(super) struct ExportFolder {
    store: Arc<dyn ObjectStore>,
    prefix: Path,
    /// Path of the folder. Error messages contain this path.
    name: String,
    /// Path of the export's folder on the local disk. `None` if the folder is in an object store.
    folder: Option<PathBuf>,
    /// Object version of the checkpoint file after this run's last read or write. A conditional write succeeds only if
    /// the stored file still has this version.
    known: Option<UpdateVersion>,
}

impl ExportFolder {
    pub(super) fn new(store: Arc<dyn ObjectStore>, prefix: Path) -> ExportFolder {
        let name = format!("/{prefix}");
        ExportFolder { store, prefix, name, folder: None, known: None }
    }

    /// Opens a folder of the local disk. The folder must exist.
    pub(super) fn local(folder: &Folder) -> Result<ExportFolder, Error> {
        let store = LocalFileSystem::new_with_prefix(folder)?.with_automatic_cleanup(true);
        let name = folder.display().to_string();
        let folder = Some(folder.to_owned());
        Ok(ExportFolder { name, folder, ..ExportFolder::new(Arc::new(store), Path::default()) })
    }

    /// Opens the journal of the export that `checkpoint` describes. The journal stores the responses of the service
    /// until their rows are in data files. The location of the journal is:
    /// - with `root`: a subfolder of `root`;
    /// - without `root`, for an export to a local folder: a subfolder of the export's folder;
    /// - without `root`, for an export to an object store: a subfolder of the user's folder for program state.
    pub(super) fn journal(
        &self,
        checkpoint: &Checkpoint,
        root: Option<&Folder>,
    ) -> Result<Arc<Journal>, Error> {
        match (&self.folder, root) {
            (Some(folder), None) => Journal::in_export(folder, &checkpoint.id),
            (_, Some(root)) => Journal::below(root, &checkpoint.id),
            (None, None) => {
                let state = etcetera::choose_base_strategy().ok().map(|base| {
                    base.state_dir().unwrap_or_else(|| base.data_dir()).join("crypto-intel/exports")
                });
                let root =
                    state.unwrap_or_else(|| std::env::temp_dir().join("crypto-intel/exports"));
                Journal::below(&root, &checkpoint.id)
            }
        }
    }

    fn refused(&self, reason: impl Into<String>) -> Error {
        Error::Place { place: self.name.clone(), reason: reason.into() }
    }

    /// Reads the checkpoint that is stored in the folder, and compares it with `fresh`, the first checkpoint of the
    /// current export. Returns an error if the two checkpoints describe different exports. Returns `None` if the folder
    /// contains no checkpoint.
    pub(super) async fn read(&mut self, fresh: &Checkpoint) -> Result<Option<Checkpoint>, Error> {
        let Some(mut found) = self.read_any().await? else { return Ok(None) };
        if let Some(difference) = found.difference(fresh) {
            let reason = format!("the folder contains a different export: {difference}");
            return Err(self.refused(reason));
        }
        found.origin.clone_from(&fresh.origin);
        Ok(Some(found))
    }

    /// Reads the checkpoint of the folder, if there is one. Converts a checkpoint of an older format to the current
    /// format.
    ///
    /// Returns an error for a format that only a newer release can read.
    pub(super) async fn read_any(&mut self) -> Result<Option<Checkpoint>, Error> {
        let found = match self.store.get(&self.prefix.clone().join(NAME)).await {
            Ok(found) => found,
            Err(object_store::Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let object_store::ObjectMeta { e_tag, version, last_modified, .. } = found.meta.clone();
        self.known = Some(UpdateVersion { e_tag, version });
        let text = found.bytes().await?;

        self.check_version(&text)?;
        let mut found: Checkpoint =
            serde_json::from_slice(&text).map_err(|error| self.unreadable(&error))?;
        found.version = VERSION;
        if found.written_at.is_none() {
            found.set_written_at(last_modified.into());
        }
        Ok(Some(found))
    }

    /// Returns an error if this release cannot read the format version of the checkpoint. Parses only the field
    /// `version`, because a newer format may have other fields.
    fn check_version(&self, text: &[u8]) -> Result<(), Error> {
        #[derive(Deserialize)]
        struct Version {
            version: u32,
        }

        let Version { version } =
            serde_json::from_slice(text).map_err(|error| self.unreadable(&error))?;
        match version {
            1..=VERSION => Ok(()),
            _ => Err(self.refused(format!(
                "the file {NAME} has format {version}, and this release reads formats up to {VERSION}; use the newer \
                 release that wrote it"
            ))),
        }
    }

    fn unreadable(&self, error: &serde_json::Error) -> Error {
        self.refused(format!("the file {NAME} cannot be read: {error}"))
    }

    /// Starts a run from `found`, which is the checkpoint in the folder. If `found` is `None`, checks that the folder
    /// is empty and writes `first` as the checkpoint.
    pub(super) async fn begin(
        &mut self,
        found: Option<Checkpoint>,
        first: Checkpoint,
    ) -> Result<Checkpoint, Error> {
        let Some(mut found) = found else {
            if self.holds_files().await? {
                let reason = "the folder contains files but no checkpoint; choose an empty folder";
                return Err(self.refused(reason));
            }
            // From here on the folder belongs to this export, even if the process is killed.
            self.save(&first).await?;
            return Ok(first);
        };

        found.run = random_id();
        self.save(&found).await?;
        self.remove_uncounted(&found).await?;
        Ok(found)
    }

    /// Returns true if the folder contains any file other than the lock file.
    async fn holds_files(&self) -> Result<bool, Error> {
        let lock = self.prefix.clone().join(LOCK_NAME);
        let mut files = self.store.list(Some(&self.prefix));
        while let Some(file) = files.try_next().await? {
            if file.location != lock {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Removes the data files that were written after the last checkpoint.
    pub(super) async fn remove_uncounted(&self, found: &Checkpoint) -> Result<(), Error> {
        let files: Vec<_> = self.store.list(Some(&self.prefix)).try_collect().await?;
        for file in files {
            let number = file.location.filename().and_then(part_number);
            if number.is_some_and(|number| number >= found.next_part) {
                self.store.delete(&file.location).await?;
            }
        }
        Ok(())
    }

    /// Writes the checkpoint file. In an object store, returns an error if another run has changed the file since this
    /// run's last read or write.
    pub(super) async fn save(&mut self, checkpoint: &Checkpoint) -> Result<(), Error> {
        let text = serde_json::to_vec_pretty(checkpoint)
            .map_err(|error| self.refused(format!("the checkpoint cannot be written: {error}")))?;
        let text = PutPayload::from(text);
        let place = self.prefix.clone().join(NAME);
        let mode = self.known.take().map_or(PutMode::Create, PutMode::Update);

        let written = match self.store.put_opts(&place, text.clone(), mode.into()).await {
            // A local disk replaces a file in one step, but cannot check for another writer.
            Err(object_store::Error::NotImplemented { .. }) => {
                self.store.put(&place, text).await?.into()
            }
            other => self.only_writer(other, &place, &text).await?,
        };
        self.known = Some(written);
        Ok(())
    }

    /// Checks the result `written` of a conditional write. A failed condition is an error, because usually another run
    /// has changed the object. But if the object already contains `bytes`, the write succeeded, and only its response
    /// was lost.
    async fn only_writer(
        &self,
        written: Result<PutResult, object_store::Error>,
        place: &Path,
        bytes: &PutPayload,
    ) -> Result<UpdateVersion, Error> {
        match written {
            Err(
                object_store::Error::AlreadyExists { .. }
                | object_store::Error::Precondition { .. },
            ) => {}
            other => return Ok(other?.into()),
        }

        let found = self.store.get(place).await?;
        let object_store::ObjectMeta { e_tag, version, .. } = found.meta.clone();
        if found.bytes().await? == Bytes::from(bytes.clone()) {
            return Ok(UpdateVersion { e_tag, version });
        }
        Err(self.refused("another run is writing to this folder; wait until it has ended"))
    }

    /// Writes a file completely or not at all.
    pub(super) async fn put(&self, folder: &str, name: &str, bytes: Vec<u8>) -> Result<(), Error> {
        let path = match folder {
            "" => name.to_owned(),
            folder => format!("{folder}/{name}"),
        };
        let place = match self.prefix.as_ref() {
            "" => path,
            prefix => format!("{prefix}/{path}"),
        };
        let place = Path::parse(&place).map_err(object_store::Error::from)?;
        // This file cannot exist yet: no checkpoint counts it, and uncounted files of earlier runs were removed.
        let mode = PutMode::Create;
        let bytes = PutPayload::from(bytes);
        let written = self.store.put_opts(&place, bytes.clone(), mode.into()).await;
        self.only_writer(written, &place, &bytes).await.map(drop)
    }
}

/// Creates a random identifier. The randomness comes from the hash seeds of the standard library.
pub(super) fn random_id() -> String {
    let half = || RandomState::new().hash_one(SystemTime::now());
    format!("{:016x}{:016x}", half(), half())
}

/// Returns true if a local folder contains a checkpoint.
pub(super) fn has_checkpoint(folder: &Folder) -> bool {
    folder.join(NAME).is_file()
}

pub(super) fn part_name(number: u64, extension: &str) -> String {
    format!("part-{number:05}.{extension}")
}

pub(super) fn part_number(name: &str) -> Option<u64> {
    let (number, _) = name.strip_prefix("part-")?.split_once('.')?;
    number.parse().ok()
}
