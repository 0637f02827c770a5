//! Writes recordings to files. Each file contains one request and its response. A file is written completely or not at
//! all, and is never overwritten.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crypto_intel_world::random::Seed;

use super::exchange::{Exchange, RecordedRequest};

/// A directory with recordings.
#[derive(Debug)]
pub(super) struct Store {
    directory: PathBuf,
    /// Number of the next file for each request. The key is the start of the file name, as [`file_prefix`] returns it.
    /// Equal requests have equal keys.
    next: Mutex<HashMap<String, u32>>,
}

/// Reserved file name of a recording. Its start identifies the request, and its end is a number.
#[derive(Debug)]
pub(super) struct Slot {
    stem: String,
    number: u32,
}

impl Store {
    /// Opens a directory for recordings, and creates it if it is missing. New files get higher numbers than the
    /// existing files.
    ///
    /// # Errors
    /// Returns an error if the directory cannot be created or read.
    pub(super) fn open(directory: &Path) -> io::Result<Self> {
        fs::create_dir_all(directory)?;
        let mut next: HashMap<String, u32> = HashMap::new();
        for entry in fs::read_dir(directory)? {
            let name = entry?.file_name();
            let parts = name.to_str().and_then(|name| name.strip_suffix(".json")?.rsplit_once('-'));
            if let Some((stem, number)) = parts
                && let Ok(number) = number.parse::<u32>()
            {
                let next = next.entry(stem.to_owned()).or_default();
                *next = number.saturating_add(1).max(*next);
            }
        }
        Ok(Store { directory: directory.to_owned(), next: Mutex::new(next) })
    }

    /// Reserves the next file name for a request. Equal requests are numbered in the order in which they were received,
    /// not in the order of their responses.
    pub(super) fn reserve(&self, asked: &RecordedRequest) -> Slot {
        let stem = file_prefix(asked);
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let next = next.entry(stem.clone()).or_insert(1);
        let number = *next;
        *next = next.saturating_add(1);
        Slot { stem, number }
    }

    /// Writes a request and its response to a new file with the reserved name `slot`. If a file with this name exists,
    /// increases the number in the name until the name is free.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub(super) fn write(&self, slot: Slot, exchange: &Exchange, time: &str) -> io::Result<PathBuf> {
        let Slot { stem, mut number } = slot;
        let temporary = self.directory.join(format!(".{stem}-{number:04}.{}", std::process::id()));
        let mut text = serde_json::to_string_pretty(&exchange.to_json(time))?;
        text.push('\n');
        let written = fs::File::create(&temporary).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.sync_all()
        });

        let placed = written.and_then(|()| {
            loop {
                let path = self.directory.join(format!("{stem}-{number:04}.json"));
                match rename_to_new(&temporary, &path) {
                    Ok(()) => return Ok(path),
                    Err(error)
                        if error.kind() == io::ErrorKind::AlreadyExists && number < u32::MAX =>
                    {
                        number += 1;
                    }
                    Err(error) => return Err(error),
                }
            }
        });

        // Fails if the temporary file was renamed and therefore no longer exists.
        let _ = fs::remove_file(&temporary);
        placed
    }
}

/// Renames a file, unless a file with the new name exists.
///
/// # Errors
/// Returns an error if a file with the new name exists, or if the file cannot be renamed.
fn rename_to_new(temporary: &Path, path: &Path) -> io::Result<()> {
    match fs::hard_link(temporary, path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            // The file system has no hard links. Checking first is safe, because no other program writes files with
            // these names.
            if path.try_exists()? {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            fs::rename(temporary, path)
        }
        linked => linked,
    }
}

/// Returns the prefix of the file names for the recordings of a request: the method, the end of the path, and a hash
/// that identifies the request. An example is `get-market-ranking-` plus 12 hexadecimal digits.
fn file_prefix(asked: &RecordedRequest) -> String {
    let path = asked.path.rsplit_once("/v1/").map_or(asked.path.as_str(), |(_, end)| end);
    let plain = path.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' });
    let plain: String = plain.take(60).collect();
    let plain = plain.trim_matches('-');
    let method = asked.method.to_ascii_lowercase();
    let mark = Seed::new(0).named(&asked.identity()).hex(12);
    format!("{method}-{}-{mark}", if plain.is_empty() { "root" } else { plain })
}
