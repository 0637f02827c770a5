//! Writes exchanges to files. A file is written completely or not at all, and never overwritten.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use crypto_intel_world::random::Seed;

use super::exchange::{Asked, Exchange};

/// A directory of exchanges.
#[derive(Debug)]
pub(super) struct Store {
    directory: PathBuf,
    /// Number of the next exchange of each request, by the stem of its file names.
    next: Mutex<HashMap<String, u32>>,
}

/// The position of an exchange among those of its request.
#[derive(Debug)]
pub(super) struct Slot {
    stem: String,
    number: u32,
}

impl Store {
    /// Opens a directory, and creates it if it is missing. Numbers continue after those of existing
    /// files.
    ///
    /// # Errors
    /// If it cannot be created or read.
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

    /// Reserves the next position of a request. Positions follow the order of requests, not of
    /// responses.
    pub(super) fn reserve(&self, asked: &Asked) -> Slot {
        let stem = stem(asked);
        let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let next = next.entry(stem.clone()).or_insert(1);
        let number = *next;
        *next = next.saturating_add(1);
        Slot { stem, number }
    }

    /// Writes an exchange to its position, or to the next free one.
    ///
    /// # Errors
    /// If it cannot be written.
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
                match place(&temporary, &path) {
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

        // It no longer exists if it was renamed.
        let _ = fs::remove_file(&temporary);
        placed
    }
}

/// Renames a file unless the name exists.
fn place(temporary: &Path, path: &Path) -> io::Result<()> {
    match fs::hard_link(temporary, path) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
            // The file system has no links. No other program writes files with such names.
            if path.try_exists()? {
                return Err(io::ErrorKind::AlreadyExists.into());
            }
            fs::rename(temporary, path)
        }
        linked => linked,
    }
}

/// Returns the stem of a request's file names: the end of its path, and a hash.
fn stem(asked: &Asked) -> String {
    let path = asked.path.rsplit_once("/v1/").map_or(asked.path.as_str(), |(_, end)| end);
    let plain = path.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' });
    let plain: String = plain.take(60).collect();
    let plain = plain.trim_matches('-');
    let method = asked.method.to_ascii_lowercase();
    let mark = Seed::new(0).named(&asked.identity()).hex(12);
    format!("{method}-{}-{mark}", if plain.is_empty() { "root" } else { plain })
}
