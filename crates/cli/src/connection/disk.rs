//! Response cache on disk: one file per response. The variable `CINTEL_CACHE` contains the path of the folder. The
//! default is the platform's cache folder.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crypto_intel::cache::{CacheKey, CacheStore, CachedAnswer};
use crypto_intel::{extend::BoxFuture, http};

use crate::failure::Failure;
use crate::settings::{cache_folder, variable, write_private};
use crate::terminal;

/// Age above which the next run with `--max-age` deletes a cached response.
const KEPT: Duration = Duration::from_secs(7 * 86_400);

/// Version of the format of the cache files. Older releases wrote cache files without a version number, and the store
/// still reads these files.
const VERSION: &str = "1";

/// Store of cached responses, with one file per response. The file name is a hash of the cache key. The first line is
/// the whole key as a JSON string, because two keys can have equal hashes. The second line contains the format version,
/// the HTTP status and the media type. The response body follows. Files with a newer format version are ignored.
#[derive(Debug)]
pub(super) struct DiskStore {
    folder: PathBuf,
}

impl DiskStore {
    pub(super) fn open() -> Result<Self, Failure> {
        let folder = match variable("CINTEL_CACHE") {
            Some(folder) => PathBuf::from(folder),
            None => cache_folder()?,
        };
        if let Err(error) = std::fs::create_dir_all(&folder) {
            let folder = folder.display();
            terminal::note(&format!(
                "note: responses are not cached, because the folder {folder} cannot be used: {error}"
            ));
        }
        remove_old(&folder);
        Ok(DiskStore { folder })
    }

    fn path(&self, key: &CacheKey) -> PathBuf {
        let half = |salt: u8| {
            let mut hasher = DefaultHasher::new();
            (salt, key.as_str()).hash(&mut hasher);
            hasher.finish()
        };
        self.folder.join(format!("{:016x}{:016x}.answer", half(0), half(1)))
    }
}

impl CacheStore for DiskStore {
    fn get(&self, key: &CacheKey, max_age: Duration) -> BoxFuture<Option<CachedAnswer>> {
        let answer = read(&self.path(key), key.as_str(), max_age);
        Box::pin(std::future::ready(answer))
    }

    fn put(&self, key: &CacheKey, answer: CachedAnswer) -> BoxFuture<()> {
        let head = answer.headers.get(http::header::CONTENT_TYPE);
        let media = head.and_then(|value| value.to_str().ok()).unwrap_or("application/json");
        let key_line = serde_json::Value::from(key.as_str());
        let mut text =
            format!("{key_line}\n{VERSION} {} {media}\n", answer.status.as_u16()).into_bytes();
        text.extend_from_slice(&answer.body);

        // A cache has no way to report an error. A response that cannot be stored is requested
        // again.
        let _ = write_private(&self.path(key), &text);
        Box::pin(std::future::ready(()))
    }
}

fn read(path: &Path, key: &str, max_age: Duration) -> Option<CachedAnswer> {
    let age = std::fs::metadata(path).ok()?.modified().ok()?.elapsed().ok()?;
    if age >= max_age {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    let (key_line, rest) = split_line(&bytes)?;
    let (head, body) = split_line(rest)?;
    if serde_json::from_slice::<String>(key_line).ok()? != key {
        return None;
    }

    let (first, rest) = std::str::from_utf8(head).ok()?.split_once(' ')?;
    let (status, media) = match first {
        VERSION => rest.split_once(' ')?,
        status if status.len() == 3 => (status, rest),
        _ => return None,
    };
    let mut headers = http::HeaderMap::new();
    headers.insert(http::header::CONTENT_TYPE, media.parse().ok()?);
    let body = bytes::Bytes::copy_from_slice(body);
    Some(CachedAnswer { status: status.parse().ok()?, headers, body })
}

fn split_line(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    Some((&bytes[..end], &bytes[end + 1..]))
}

/// Deletes cached responses in `folder` that are older than [`KEPT`].
fn remove_old(folder: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let age = entry.metadata().ok().and_then(|data| data.modified().ok()?.elapsed().ok());
        let is_answer = entry.path().extension().is_some_and(|end| end == "answer");
        if is_answer && age.is_some_and(|age| age > KEPT) {
            // Another process may have deleted the file first.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn responses_of_older_releases_are_read_and_those_of_newer_ones_are_absent() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("x.answer");
        for (file, body) in [
            ("\"key\"\n200 text/csv\na,b\n", Some("a,b\n")),
            ("\"key\"\n1 200 text/csv\na,b\n", Some("a,b\n")),
            ("\"key\"\n2 new 200 text/csv\na,b\n", None),
            ("\"another\"\n1 200 text/csv\na,b\n", None),
            ("", None),
        ] {
            std::fs::write(&path, file).expect("a file");
            let answer = read(&path, "key", KEPT);
            let read =
                answer.as_ref().map(|answer| std::str::from_utf8(&answer.body).expect("text"));
            assert_eq!(read, body, "{file}");
        }
    }
}
