//! The checkpoint file, which describes the export in a folder.

use std::sync::Arc;

use crypto_intel::ResumeToken;
use futures_util::TryStreamExt;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt, PutMode, PutPayload, UpdateVersion};
use serde::{Deserialize, Serialize};

use super::folder_lock::LOCK_NAME;
use crate::Error;

const NAME: &str = "_checkpoint.json";

/// Version of the format. It changes when the meaning of the file changes.
const VERSION: u32 = 1;

/// How far an export has come. Written after the files that it counts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Checkpoint {
    version: u32,
    /// Description of the export. A different export cannot continue in this folder.
    pub(super) request: String,
    pub(super) format: String,
    pub(super) partition: String,
    /// Name and type of every column.
    pub(super) columns: Vec<(String, String)>,
    /// Runs so far. Each counts itself first, so that one that went on meanwhile notices.
    #[serde(default)]
    runs: u64,
    /// Number of the next files.
    pub(super) next_part: u64,
    pub(super) files: u64,
    pub(super) rows: u64,
    pub(super) pages: u64,
    /// Credits that the service reported, in all runs.
    pub(super) credits_used: i64,
    /// Where the list goes on; `None` at its beginning, and at its end.
    pub(super) resume: Option<ResumeToken>,
    /// Rows of the page at `resume` that are in files already.
    pub(super) skip: u64,
    /// Whether the list was read to its end.
    pub(super) complete: bool,
}

impl Checkpoint {
    pub(super) fn new(
        request: String,
        format: String,
        partition: String,
        columns: Vec<(String, String)>,
    ) -> Self {
        Checkpoint {
            version: VERSION,
            request,
            format,
            partition,
            columns,
            runs: 1,
            next_part: 0,
            files: 0,
            rows: 0,
            pages: 0,
            credits_used: 0,
            resume: None,
            skip: 0,
            complete: false,
        }
    }

    /// Difference between the export in the folder and this one, if there is one.
    fn difference(&self, other: &Checkpoint) -> Option<String> {
        let differs = |what: &str, there: &str, here: &str| {
            (there != here)
                .then(|| format!("its {what} is `{there}`, and that of this one `{here}`"))
        };
        differs("request", &self.request, &other.request)
            .or_else(|| differs("format", &self.format, &other.format))
            .or_else(|| differs("partition", &self.partition, &other.partition))
            .or_else(|| {
                (self.columns != other.columns).then(|| "its columns are others".to_owned())
            })
    }
}

/// A folder of a store.
pub(super) struct Place {
    store: Arc<dyn ObjectStore>,
    prefix: Path,
    /// The checkpoint as this run knows it.
    known: Option<UpdateVersion>,
}

impl Place {
    pub(super) fn new(store: Arc<dyn ObjectStore>, prefix: Path) -> Place {
        Place { store, prefix, known: None }
    }

    fn refused(&self, reason: impl Into<String>) -> Error {
        Error::Place { place: format!("/{}", self.prefix), reason: reason.into() }
    }

    /// Goes on from the checkpoint of the folder, or begins as `fresh` says.
    pub(super) async fn open(&mut self, fresh: Checkpoint) -> Result<Checkpoint, Error> {
        let found = match self.store.get(&self.prefix.clone().join(NAME)).await {
            Ok(found) => {
                let object_store::ObjectMeta { e_tag, version, .. } = found.meta.clone();
                self.known = Some(UpdateVersion { e_tag, version });
                found.bytes().await?
            }
            Err(object_store::Error::NotFound { .. }) => {
                if self.holds_files().await? {
                    let reason = "it holds files but no checkpoint; choose an empty one";
                    return Err(self.refused(reason));
                }
                // From here on the folder belongs to this export, also if it is killed.
                self.save(&fresh).await?;
                return Ok(fresh);
            }
            Err(error) => return Err(error.into()),
        };

        let mut found: Checkpoint = serde_json::from_slice(&found)
            .map_err(|error| self.refused(format!("its {NAME} cannot be read: {error}")))?;
        if found.version != VERSION {
            return Err(self.refused("its checkpoint is one of another release"));
        }
        if let Some(difference) = found.difference(&fresh) {
            return Err(self.refused(format!("another export is there: {difference}")));
        }
        found.runs += 1;
        self.save(&found).await?;
        self.remove_uncounted(&found).await?;
        Ok(found)
    }

    /// Returns true if the folder holds any file besides the lock of this run.
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

    /// Removes the files that were written after the last checkpoint.
    async fn remove_uncounted(&self, found: &Checkpoint) -> Result<(), Error> {
        let files: Vec<_> = self.store.list(Some(&self.prefix)).try_collect().await?;
        for file in files {
            let number = file.location.filename().and_then(part_number);
            if number.is_some_and(|number| number >= found.next_part) {
                self.store.delete(&file.location).await?;
            }
        }
        Ok(())
    }

    /// Writes the checkpoint, unless another run has written it since.
    pub(super) async fn save(&mut self, checkpoint: &Checkpoint) -> Result<(), Error> {
        let text = serde_json::to_vec_pretty(checkpoint)
            .map_err(|error| self.refused(format!("its checkpoint cannot be written: {error}")))?;
        let text = PutPayload::from(text);
        let place = self.prefix.clone().join(NAME);
        let mode = self.known.take().map_or(PutMode::Create, PutMode::Update);

        let written = match self.store.put_opts(&place, text.clone(), mode.into()).await {
            // A disk replaces a file in one step, and cannot check for another writer.
            Err(object_store::Error::NotImplemented { .. }) => self.store.put(&place, text).await?,
            other => self.alone(other)?,
        };
        self.known = Some(written.into());
        Ok(())
    }

    /// Result of a conditional put.
    fn alone<T>(&self, written: Result<T, object_store::Error>) -> Result<T, Error> {
        match written {
            Err(
                object_store::Error::AlreadyExists { .. }
                | object_store::Error::Precondition { .. },
            ) => Err(self.refused("another run writes to it; let one end before the next")),
            other => Ok(other?),
        }
    }

    /// Writes a file, whole or not at all.
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
        // No checkpoint counts a file of this name, and those that were left behind are gone.
        let mode = PutMode::Create;
        let written = self.store.put_opts(&place, PutPayload::from(bytes), mode.into()).await;
        self.alone(written).map(drop)
    }
}

pub(super) fn part_name(number: u64, extension: &str) -> String {
    format!("part-{number:05}.{extension}")
}

fn part_number(name: &str) -> Option<u64> {
    let (number, _) = name.strip_prefix("part-")?.split_once('.')?;
    number.parse().ok()
}
