//! Where the key is, and where it is kept.

use std::fmt;
use std::path::{Path, PathBuf};

use super::{Profile, variable, write_private};
use crate::failure::{Exit, Failure};

/// Where a key comes from, in the order in which the places are asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum KeySource {
    /// `CRYPTO_INTEL_API_KEY`, or the variable of the profile.
    Environment(String),
    /// The file of the profile, or the one that `cintel auth login` writes.
    File(PathBuf),
}

impl fmt::Display for KeySource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeySource::Environment(name) => write!(f, "the variable {name}"),
            KeySource::File(path) => write!(f, "{}", path.display()),
        }
    }
}

/// A key and where it comes from.
#[derive(Clone)]
pub(crate) struct Key {
    pub(crate) text: String,
    pub(crate) source: KeySource,
}

impl Key {
    /// Enough of it to tell two keys apart.
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

/// The key of this run: the environment, then the profile, then what `cintel auth login` keeps.
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
    if let Some(variable) = &profile.key_env {
        return Ok(of_variable(variable));
    }

    match &profile.key_file {
        Some(path) => KeyStore::at(PathBuf::from(path)).read(),
        None => KeyStore::of(name, config_file).read(),
    }
}

/// The file that holds a key.
#[derive(Debug)]
pub(crate) struct KeyStore(PathBuf);

impl KeyStore {
    /// The file of a profile, beside the configuration.
    pub(crate) fn of(profile: Option<&str>, config_file: &Path) -> Self {
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
        let text = text.trim().to_owned();
        let source = KeySource::File(self.0.clone());
        Ok((!text.is_empty()).then_some(Key { text, source }))
    }

    /// Keeps a key, readable for its owner alone.
    pub(crate) fn write(&self, key: &str) -> Result<(), Failure> {
        write_private(&self.0, format!("{key}\n").as_bytes())
            .map_err(|error| self.failure("cannot be written", &error))
    }

    /// Forgets the key; tells whether there was one.
    pub(crate) fn remove(&self) -> Result<bool, Failure> {
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

    #[test]
    fn a_key_is_shown_masked_alone() {
        let source = KeySource::Environment("X".to_owned());
        let key = Key { text: "sk-1234567890abcdef".to_owned(), source: source.clone() };
        assert_eq!(key.masked(), "****cdef");
        assert!(!format!("{key:?}").contains("1234"));
        assert_eq!(Key { text: "sk-short".to_owned(), source }.masked(), "****");
    }
}
