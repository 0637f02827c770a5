//! Writes several files of the repository in one step: either all of them or none.
//!
//! The new files and copies of the old files are first written to a separate folder. Then a journal records that the
//! folder is complete, and the new files are moved to their paths. If a move fails, the old files are restored. If the
//! process is killed, the journal remains, and the next command restores the old files.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::fault::{Fault, Result};

/// Temporary folder in the root of the repository, for the new files and for copies of the old files. It is in the file
/// system of the repository, so that moving a new file to its path is atomic.
const BESIDE: &str = ".adopt";

/// Files to write. The key is the path relative to the root of the repository. The value is the new text, or `None` to
/// remove the file.
pub type Files = BTreeMap<PathBuf, Option<String>>;

/// Returns the files whose new text differs from the text in the repository.
#[must_use]
pub fn differing(root: &Path, files: Files) -> Files {
    let same =
        |path: &Path, text: &Option<String>| match (fs::read_to_string(root.join(path)), text) {
            (Ok(known), Some(text)) => known == *text,
            (Err(error), None) => error.kind() == io::ErrorKind::NotFound,
            _ => false,
        };
    files.into_iter().filter(|(path, text)| !same(path, text)).collect()
}

/// Writes all files to the repository, or none if an error occurs.
pub fn write(root: &Path, files: &Files) -> Result<()> {
    write_until(root, files, usize::MAX)
}

/// Works like `write`, but moves or removes at most `moves` files. If more files remain, stops as if the process had
/// been killed. Only tests use this function.
#[doc(hidden)]
pub fn write_until(root: &Path, files: &Files, moves: usize) -> Result<()> {
    begin(root)?;
    let outcome = prepare(root, files).and_then(|()| move_into_place(root, files, moves));
    match outcome {
        Ok(true) => clean(root).map_err(|error| fault(root, &error)),
        Ok(false) => Ok(()),
        Err(error) => {
            restore(root)?;
            Err(fault(root, &error))
        }
    }
}

/// Restores the old files if an earlier run was killed, and records this process as the one that writes files.
pub fn begin(root: &Path) -> Result<()> {
    restore(root)?;
    let owner = root.join(BESIDE).join("owner");
    fs::create_dir_all(root.join(BESIDE))
        .and_then(|()| fs::write(&owner, std::process::id().to_string()))
        .map_err(|error| fault(&owner, &error))
}

/// Returns the process id in the file `owner`, if another process with this id is running. The other process is
/// probably another run of `cargo xtask adopt`.
fn at_work(root: &Path) -> Option<u32> {
    let owner = fs::read_to_string(root.join(BESIDE).join("owner")).ok()?;
    let owner: u32 = owner.trim().parse().ok()?;
    // On systems without `/proc`, no process is considered running.
    let lives = Path::new("/proc").join(owner.to_string()).exists();
    (lives && owner != std::process::id()).then_some(owner)
}

/// Restores the old files if an earlier run was killed while it moved files. Returns true if files were restored.
/// Returns an error if another process is writing files.
pub fn restore(root: &Path) -> Result<bool> {
    let beside = root.join(BESIDE);
    if let Some(process) = at_work(root) {
        return Err(Fault::file(
            &beside,
            format!("another `cargo xtask adopt` (process id {process}) is writing files"),
            "wait until the process has ended; if the process is not `cargo xtask`, delete the file `owner` in the folder",
        ));
    }

    let journal = match fs::read_to_string(beside.join("journal")) {
        Ok(journal) => journal,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // Without a journal, the earlier run had not yet moved any file.
            clean(root).map_err(|error| fault(root, &error))?;
            return Ok(false);
        }
        Err(error) => return Err(fault(root, &error)),
    };

    for path in journal.lines() {
        let (old, place) = (beside.join("old").join(path), root.join(path));
        let back = if old.exists() { copy(&old, &place) } else { remove(&place) };
        back.map_err(|error| fault(&place, &error))?;
    }
    clean(root).map_err(|error| fault(root, &error))?;
    Ok(true)
}

fn prepare(root: &Path, files: &Files) -> io::Result<()> {
    let beside = root.join(BESIDE);
    let mut journal = String::new();
    for (path, text) in files {
        let known = root.join(path);
        if known.exists() {
            copy(&known, &beside.join("old").join(path))?;
        }
        if let Some(text) = text {
            let place = beside.join("new").join(path);
            fs::create_dir_all(place.parent().unwrap_or(&beside))?;
            fs::write(place, text)?;
        }
        journal.push_str(&format!("{}\n", path.display()));
    }
    fs::create_dir_all(&beside)?;
    // The journal is renamed after it was written, so it is either complete or missing.
    fs::write(beside.join("journal.part"), journal)?;
    fs::rename(beside.join("journal.part"), beside.join("journal"))
}

/// Moves the new files from the temporary folder [`BESIDE`] to their paths. Deletes files that have no new text. Stops
/// after `moves` files. Returns true if all files were moved or deleted.
fn move_into_place(root: &Path, files: &Files, moves: usize) -> io::Result<bool> {
    for (done, (path, text)) in files.iter().enumerate() {
        if done == moves {
            return Ok(false);
        }
        let place = root.join(path);
        match text {
            Some(_) => {
                fs::create_dir_all(place.parent().unwrap_or(root))?;
                fs::rename(root.join(BESIDE).join("new").join(path), &place)?;
            }
            None => remove(&place)?,
        }
    }
    Ok(true)
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to.parent().unwrap_or(Path::new(".")))?;
    fs::copy(from, to).map(|_| ())
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Deletes the temporary folder with the new files, the old files and the journal. The journal is deleted first, so
/// that no later command restores files from an incomplete folder.
fn clean(root: &Path) -> io::Result<()> {
    let beside = root.join(BESIDE);
    remove(&beside.join("journal"))?;
    match fs::remove_dir_all(&beside) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

fn fault(path: &Path, error: &io::Error) -> Fault {
    Fault::file(path, error.to_string(), "correct the error and run the command again")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    fn read(root: &Path) -> BTreeMap<String, String> {
        let mut seen = BTreeMap::new();
        let mut open = vec![root.to_owned()];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    open.push(path);
                } else {
                    let name = path.strip_prefix(root).unwrap().display().to_string();
                    seen.insert(name, fs::read_to_string(path).unwrap());
                }
            }
        }
        seen
    }

    fn tree() -> (TempDir, Files) {
        let dir = TempDir::new().unwrap();
        fs::create_dir(dir.path().join("sub")).unwrap();
        fs::write(dir.path().join("a"), "old a").unwrap();
        fs::write(dir.path().join("sub/gone"), "old gone").unwrap();
        let files = Files::from([
            ("a".into(), Some("new a".to_owned())),
            ("b/new".into(), Some("new b".to_owned())),
            ("sub/gone".into(), None),
        ]);
        (dir, files)
    }

    #[test]
    fn a_run_that_is_killed_anywhere_leaves_the_tree_as_it_was() {
        for moves in 0..3 {
            let (dir, files) = tree();
            let before = read(dir.path());
            write_until(dir.path(), &files, moves).unwrap();
            assert!(dir.path().join(BESIDE).exists());

            assert!(restore(dir.path()).unwrap());
            assert_eq!(read(dir.path()), before, "after {moves} moves");
            assert!(!restore(dir.path()).unwrap());
        }
    }

    #[test]
    fn a_run_that_fails_leaves_the_tree_as_it_was() {
        let (dir, mut files) = tree();
        // The write must fail, because a folder exists at the path of a new file.
        fs::create_dir_all(dir.path().join("z/file")).unwrap();
        files.insert("z".into(), Some("a file".to_owned()));
        let before = read(dir.path());
        write(dir.path(), &files).unwrap_err();
        assert_eq!(read(dir.path()), before);
    }

    #[test]
    fn a_whole_run_writes_all_and_leaves_nothing_beside() {
        let (dir, files) = tree();
        write(dir.path(), &files).unwrap();
        let wanted = [("a", "new a"), ("b/new", "new b")];
        let wanted = wanted.map(|(name, text)| (name.to_owned(), text.to_owned()));
        assert_eq!(read(dir.path()), BTreeMap::from(wanted));
        assert!(!dir.path().join(BESIDE).exists());
        assert!(differing(dir.path(), files).is_empty());
    }
}
