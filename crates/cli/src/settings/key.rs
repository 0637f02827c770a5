//! Finds the API key of a run, and stores API keys in files or in the system's keyring.

use std::fmt;
use std::path::{Path, PathBuf};

use super::{Profile, keyring, variable, write_private};
use crate::failure::{Exit, Failure};
use crate::terminal;

/// Source of an API key. The sources are searched in this order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum KeySource {
    /// Name of an environment variable: `CRYPTO_INTEL_API_KEY`, or the name in the profile's setting `key_env`.
    Environment(String),
    /// Path of a file: the profile's setting `key_file`, or the file that `cintel auth login` writes.
    File(PathBuf),
    /// The system's keyring, in which `cintel auth login --keyring` stores the key.
    Keyring,
}

impl fmt::Display for KeySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeySource::Environment(name) => write!(f, "the variable {name}"),
            KeySource::File(path) => write!(f, "{}", path.display()),
            KeySource::Keyring => f.write_str("the system's keyring"),
        }
    }
}

/// API key and its source.
#[derive(Clone)]
pub(crate) struct Key {
    pub(crate) text: String,
    pub(crate) source: KeySource,
}

impl Key {
    /// Returns the last four characters of the key after four asterisks, such as `****3f9a`. Returns only asterisks for
    /// keys of fewer than 12 characters.
    pub(crate) fn masked(&self) -> String {
        let letters: Vec<char> = self.text.chars().collect();
        match letters.len() {
            0..12 => "****".to_owned(),
            length => {
                let last: String = letters[length - 4..].iter().collect();
                format!("****{last}")
            }
        }
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key").field("source", &self.source).finish_non_exhaustive()
    }
}

/// Finds the API key of this run. The sources are searched in this order: the environment variable
/// `CRYPTO_INTEL_API_KEY`, the key source in the profile's settings, the key that `cintel auth login` stored.
pub(crate) fn find(
    profile: &Profile,
    name: Option<&str>,
    config_file: &Path,
) -> Result<Option<Key>, Failure> {
    let of_variable = |name: &str| {
        let text = variable(name)?.trim().to_owned();
        Some(Key { text, source: KeySource::Environment(name.to_owned()) })
    };
    if let Some(key) = of_variable(crypto_intel::KEY_VARIABLE) {
        return Ok(Some(key));
    }
    // If a profile refers to a key, the key must exist. Without this error, requests would be sent without a key.
    let missing = |place: String, setting: &str| {
        Failure::new(Exit::Authentication, format!("the {place} of the profile contains no key"))
            .next(format!("store a key in the {place}, or remove `{setting}` from the profile"))
    };
    if let Some(variable) = &profile.key_env {
        let key = of_variable(variable);
        let place = format!("environment variable {variable}");
        return key.map(Some).ok_or_else(|| missing(place, "key_env"));
    }

    match &profile.key_file {
        Some(path) => {
            let key = KeyStore::at(PathBuf::from(path)).read()?;
            key.map(Some).ok_or_else(|| missing(format!("key file {path}"), "key_file"))
        }
        None => KeyStore::for_profile(name, config_file).read(),
    }
}

/// Text that a key file contains if the API key is stored in the keyring. No API key contains `@`.
const IN_KEYRING: &str = "@keyring";

/// File with the API key of one profile: the file that `cintel auth login` writes, or the profile's `key_file`.
#[derive(Debug)]
pub(crate) struct KeyStore(PathBuf);

impl KeyStore {
    /// Returns the key file of a profile, in the folder of the configuration file.
    pub(crate) fn for_profile(profile: Option<&str>, config_file: &Path) -> Self {
        let folder = config_file.parent().unwrap_or(Path::new("."));
        KeyStore(folder.join("keys").join(profile.unwrap_or("default")))
    }

    fn at(path: PathBuf) -> Self {
        KeyStore(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    fn read(&self) -> Result<Option<Key>, Failure> {
        let text = match std::fs::read_to_string(&self.0) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(self.failure("cannot be read", &error)),
        };
        if text.trim() == IN_KEYRING {
            let text = keyring::get(self.name())?;
            return Ok(text.map(|text| Key { text, source: KeySource::Keyring }));
        }

        let text = text.trim().to_owned();
        let source = KeySource::File(self.0.clone());
        Ok((!text.is_empty()).then_some(Key { text, source }))
    }

    /// Returns the name of the key file. `cintel auth login` names this file after the profile, such as `work`. If the
    /// key is in the keyring, the keyring entry has this name.
    fn name(&self) -> &str {
        self.0.file_name().and_then(|name| name.to_str()).unwrap_or("default")
    }

    /// Stores an API key in the system's keyring, and writes the marker [`IN_KEYRING`] to this key file.
    pub(crate) fn write_to_keyring(&self, key: &str) -> Result<(), Failure> {
        keyring::set(self.name(), key)?;
        self.put(IN_KEYRING)
    }

    /// Stores an API key in a file. On Unix, only the owner of the file can read it. Deletes an earlier key from the
    /// keyring.
    pub(crate) fn write(&self, key: &str) -> Result<(), Failure> {
        let was_in_keyring = self.is_in_keyring();
        self.put(key)?;
        // The replaced key should not stay in the keyring.
        if was_in_keyring && let Err(failure) = keyring::delete(self.name()) {
            terminal::note(&format!("note: {}", failure.message()));
        }
        Ok(())
    }

    fn put(&self, text: &str) -> Result<(), Failure> {
        write_private(&self.0, format!("{text}\n").as_bytes())
            .map_err(|error| self.failure("cannot be written", &error))
    }

    fn is_in_keyring(&self) -> bool {
        std::fs::read_to_string(&self.0).is_ok_and(|text| text.trim() == IN_KEYRING)
    }

    /// Deletes the stored API key. Returns false if no key was stored.
    pub(crate) fn remove(&self) -> Result<bool, Failure> {
        if self.is_in_keyring() {
            keyring::delete(self.name())?;
        }
        match std::fs::remove_file(&self.0) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(self.failure("cannot be removed", &error)),
        }
    }

    fn failure(&self, what: &str, error: &std::io::Error) -> Failure {
        Failure::new(Exit::Local, format!("the key file {} {what}: {error}", self.0.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that an unreadable keyring is reported as an error, and not as a missing key.
    #[test]
    fn unreadable_keyring_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let store = KeyStore::at(folder.path().join("no-such-profile-of-a-test"));
        store.put(IN_KEYRING).expect("a file");
        match store.read() {
            Err(failure) => assert!(failure.message().contains("keyring"), "{}", failure.message()),
            // This machine has a keyring without such an entry.
            Ok(key) => assert!(key.is_none()),
        }
    }

    #[test]
    fn debug_and_mask_hide_the_key() {
        let source = KeySource::Environment("X".to_owned());
        let key = Key { text: "sk-1234567890abcdef".to_owned(), source: source.clone() };
        assert_eq!(key.masked(), "****cdef");
        assert!(!format!("{key:?}").contains("1234"));
        assert_eq!(Key { text: "sk-short".to_owned(), source }.masked(), "****");
    }
}
