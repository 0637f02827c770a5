//! Journal of received pages: one file per response, on the local disk.
//!
//! The input is the calls of an export. The output is their responses, from the service or from an interrupted earlier
//! run. The steps for a response are:
//!
//! 1. The journal stores the response.
//! 2. The export reads the rows of the response, and writes all of them to data files.
//! 3. The export writes a checkpoint.
//! 4. The journal removes the response.
//!
//! If a run is killed, even by SIGKILL, only responses that are not completely stored are lost.
//!
//! The journal does not flush files to the disk, so a crash of the operating system or a power failure can lose
//! responses.

use std::collections::HashMap;
use std::fs::{File, create_dir_all, read_dir, remove_dir, remove_dir_all, remove_file, rename};
use std::io::{BufRead, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crypto_intel_core::{
    BoxFuture, Call, Error as CallError, Handle, ModelUse, Operation, RawReply, RawStream, Redact,
    Transport,
};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use serde::{Deserialize, Serialize};

use super::folder_lock::{FolderLock, lock_folder};
use crate::error::Error;
use crate::reader::JOURNAL_ENTRY;

/// Name of the journal's folder, which is inside the folder of an export.
pub(super) const FOLDER: &str = "_pages";

/// Version of the format of journal files.
const VERSION: u32 = 1;

const EXTENSION: &str = "page";

/// First line of a journal file, as JSON. The body of the response follows this line.
#[derive(Serialize, Deserialize)]
struct Head {
    version: u32,
    /// Identifier of the export.
    export: String,
    /// HTTP request without the API key: method, path with query, headers that carry parameters, and body.
    request: String,
    status: u16,
    headers: Vec<(String, String)>,
    /// Length of the body in bytes.
    length: usize,
}

/// The journal of one export.
pub(super) struct Journal {
    folder: PathBuf,
    export: String,
    entries: Mutex<Entries>,
    /// Lock of the journal's folder. `None` if the journal is inside the export's folder, which is already locked.
    _lock: Option<FolderLock>,
}

#[derive(Default)]
struct Entries {
    /// Unused responses of earlier runs. The key is the HTTP request, and the value is the number of the response in
    /// the journal. A response is used at most once. An equal second request goes to the service.
    unused: HashMap<String, u64>,
    next: u64,
}

impl Journal {
    /// Opens the journal inside the folder of a local export. The caller must have locked this folder.
    pub(super) fn in_export(folder: &Path, export: &str) -> Result<Arc<Journal>, Error> {
        Journal::open(folder.join(FOLDER), export, None)
    }

    /// Opens and locks the journal of an export in a subfolder of `root`. `root` contains one folder per export.
    pub(super) fn below(root: &Path, export: &str) -> Result<Arc<Journal>, Error> {
        let folder = root.join(export);
        let lock = lock_folder(&folder)?;
        Journal::open(folder, export, Some(lock))
    }

    fn open(
        folder: PathBuf,
        export: &str,
        lock: Option<FolderLock>,
    ) -> Result<Arc<Journal>, Error> {
        let fault = |reason: String| Error::Place { place: folder.display().to_string(), reason };
        create_dir_all(&folder).map_err(|error| fault(error.to_string()))?;

        let mut numbers = Vec::new();
        for file in read_dir(&folder).map_err(|error| fault(error.to_string()))? {
            let path = file.map_err(|error| fault(error.to_string()))?.path();
            match number(&path) {
                Some(number) => numbers.push(number),
                // A temporary file of a killed run.
                None if path.extension().is_some_and(|extension| extension == "new") => {
                    let _ = remove_file(path);
                }
                None => {}
            }
        }
        numbers.sort_unstable();

        let journal = Journal {
            entries: Mutex::default(),
            export: export.to_owned(),
            folder: folder.clone(),
            _lock: lock,
        };

        let mut entries = journal.entries();
        entries.next = numbers.last().map_or(0, |last| last + 1);
        for number in numbers {
            let Some((head, _)) = journal.read(number) else { continue };
            if head.version > VERSION {
                return Err(fault(format!(
                    "the journal has pages of format {}, and this release reads formats up to {VERSION}; use the newer \
                     release that wrote them",
                    head.version
                )));
            }
            // If two responses belong to the same request, the later one is kept: the earlier one could not be decoded.
            if head.export == journal.export
                && let Some(earlier) = entries.unused.insert(head.request, number)
            {
                journal.forget(earlier);
            }
        }
        drop(entries);
        Ok(Arc::new(journal))
    }

    /// Returns a transport handle that first looks for the response of a call in the journal. If the journal has no
    /// response, the call is sent through the transport of `call`.
    pub(super) fn handle(self: &Arc<Self>, call: &Call) -> Handle {
        let inner = call.handle().transport();
        Handle::new(Arc::new(Journaled { inner, journal: self.clone() }))
    }

    /// Removes the response with this number from the journal. If the removal fails, a later run may find and use the
    /// response, and then sends no request.
    pub(super) fn forget(&self, number: u64) {
        let _ = remove_file(self.path(number));
    }

    /// Removes the journal with all of its responses. The export calls this function after the last page of the list.
    pub(super) fn remove(&self) {
        let _ = remove_dir_all(&self.folder);
    }

    /// Removes the journal's folder at the end of a run if the folder is empty. A folder with responses is kept for the
    /// next run.
    pub(super) fn close(&self) {
        let _ = remove_dir(&self.folder);
    }

    fn entries(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn path(&self, number: u64) -> PathBuf {
        self.folder.join(format!("{number:08}.{EXTENSION}"))
    }

    /// Reads the first line of the journal file with this number. The returned reader continues with the body. Returns
    /// `None` for an incomplete file.
    fn read(&self, number: u64) -> Option<(Head, BufReader<File>)> {
        let mut file = BufReader::new(File::open(self.path(number)).ok()?);
        let mut line = String::new();
        file.read_line(&mut line).ok()?;
        Some((serde_json::from_str(&line).ok()?, file))
    }

    /// Returns the response that an earlier run has received for this request. Each response is returned only once.
    fn take(&self, request: &str) -> Option<RawReply> {
        let number = self.entries().unused.remove(request)?;
        let (head, mut file) = self.read(number)?;
        let mut body = Vec::new();
        file.read_to_end(&mut body).ok()?;
        if body.len() != head.length {
            return None;
        }

        let pairs = head.headers.iter().filter_map(|(name, value)| {
            Some((HeaderName::try_from(name).ok()?, HeaderValue::try_from(value).ok()?))
        });
        let mut headers: HeaderMap = pairs.collect();
        headers.insert(JOURNAL_ENTRY, number.into());
        Some(RawReply {
            status: StatusCode::from_u16(head.status).ok()?,
            headers,
            body: body.into(),
            attempts: 0,
            elapsed: Duration::ZERO,
            reused: true,
        })
    }

    /// Removes the responses that earlier runs have stored and this run has not used. The journal calls this function
    /// before it sends a request, so that the run requests all following pages too. For example, new rows may have
    /// moved a row from page 2 to page 3. If the run requested page 2 but used the stored page 3, the run would lose
    /// this row.
    fn forget_unused(&self) {
        let unused = std::mem::take(&mut self.entries().unused);
        for number in unused.into_values() {
            self.forget(number);
        }
    }

    /// Writes a response to the journal. Then adds the header [`JOURNAL_ENTRY`] to the response, with the number of the
    /// response in the journal. If the response cannot be written, the function returns the response without this
    /// header. This is not an error, because the response has already cost credits.
    fn put(&self, request: String, mut reply: RawReply) -> RawReply {
        let text = |value: &HeaderValue| value.to_str().ok().map(str::to_owned);
        let headers = reply.headers.iter().filter(|(name, _)| *name != http::header::SET_COOKIE);
        let headers = headers.filter_map(|(name, value)| Some((name.to_string(), text(value)?)));
        let head = Head {
            version: VERSION,
            export: self.export.clone(),
            request,
            status: reply.status.as_u16(),
            headers: headers.collect(),
            length: reply.body.len(),
        };

        let number = {
            let mut entries = self.entries();
            entries.next += 1;
            entries.next - 1
        };
        let path = self.path(number);
        let unfinished = path.with_extension("new");
        let write = || {
            let mut file = File::create(&unfinished)?;
            file.write_all(&[&serde_json::to_vec(&head)?[..], b"\n"].concat())?;
            file.write_all(&reply.body)?;
            rename(&unfinished, &path)
        };
        if write().is_ok() {
            reply.headers.insert(JOURNAL_ENTRY, number.into());
        }
        reply
    }
}

/// Parses the number of a response from the path of its journal file. Returns `None` for other files.
fn number(path: &Path) -> Option<u64> {
    let extension = path.extension()?;
    (extension == EXTENSION).then(|| path.file_stem()?.to_str()?.parse().ok())?
}

/// Returns a text that identifies the HTTP request of a call. The text does not contain the API key. If two requests of
/// an export have equal texts, they request the same page. Returns `None` for an invalid call.
fn name_of(call: &Call) -> Option<String> {
    let parts = call.parts().ok()?;
    let body = String::from_utf8_lossy(parts.body.as_deref().unwrap_or_default());
    Some(format!("{} {} {:?} {body}", parts.method, parts.target, parts.headers))
}

/// Transport that returns responses from a journal. If the journal has no usable response for a call, the transport
/// sends the call through `inner`. It then writes the response to the journal.
struct Journaled {
    inner: Arc<dyn Transport>,
    journal: Arc<Journal>,
}

impl Redact for Journaled {
    fn redact(&self, text: &mut String) {
        self.inner.redact(text);
    }
}

impl Transport for Journaled {
    fn send(self: Arc<Self>, call: Call) -> BoxFuture<Result<RawReply, CallError>> {
        let Some(request) = name_of(&call) else { return self.inner.clone().send(call) };
        // A response that cannot be decoded is requested again.
        if let Some(reply) = self.journal.take(&request).filter(|reply| call.accepts(reply)) {
            return Box::pin(std::future::ready(Ok(reply)));
        }
        self.journal.forget_unused();
        Box::pin(async move {
            let reply = self.inner.clone().send(call).await?;
            Ok(self.journal.put(request, reply))
        })
    }

    fn open(self: Arc<Self>, call: Call) -> BoxFuture<Result<RawStream, CallError>> {
        self.inner.clone().open(call)
    }

    fn settled(
        &self,
        operation: &'static Operation,
        model: Option<&ModelUse>,
        credits_used: Option<i64>,
    ) {
        self.inner.settled(operation, model, credits_used);
    }

    fn max_body(&self) -> usize {
        self.inner.max_body()
    }

    fn keep_body(&self) -> bool {
        self.inner.keep_body()
    }

    fn base_url(&self) -> Option<&str> {
        self.inner.base_url()
    }
}
