//! API keys of accounts, stored as text or as hashes.
//!
//! A saved sandbox contains only a salted hash of each key. After loading, each key in a request is compared with the
//! hashes. If the key matches a hash, its text is stored.

use std::fmt::Write;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::guard;

/// An API key of an account, as text or as a hash.
#[derive(Debug)]
pub(crate) enum Key {
    Known(String),
    Hashed(SavedKey),
}

/// Salted hash of an API key. A saved state contains this hash in place of the key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SavedKey {
    /// Random text that is put before the key for hashing.
    salt: String,
    /// SHA-256 hash of the salt and the key, in hexadecimal digits.
    sha256: String,
}

impl SavedKey {
    fn new(salt: String, key: &str) -> Self {
        let hash = Sha256::new().chain_update(&salt).chain_update(key).finalize();
        let mut sha256 = String::with_capacity(64);
        for byte in hash {
            let _ = write!(sha256, "{byte:02x}");
        }
        SavedKey { salt, sha256 }
    }
}

impl Key {
    /// Returns the text of the key. `None` if only the hash of the key is stored.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Key::Known(text) => Some(text),
            Key::Hashed(_) => None,
        }
    }

    /// Returns true if `token` is this key. If only the hash was stored and matches, stores the text of the key.
    pub(crate) fn is(&mut self, token: &str) -> bool {
        match self {
            Key::Known(text) => text == token,
            Key::Hashed(saved) => {
                let is_it = SavedKey::new(saved.salt.clone(), token) == *saved;
                if is_it {
                    *self = Key::Known(token.to_owned());
                }
                is_it
            }
        }
    }

    pub(crate) fn to_saved(&self) -> SavedKey {
        match self {
            Key::Known(text) => SavedKey::new(guard::new_token(), text),
            Key::Hashed(saved) => saved.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_saved_key_is_recognised_and_not_shown() {
        let saved = Key::Known("sk-secret".to_owned()).to_saved();
        assert!(!serde_json::to_string(&saved).unwrap().contains("secret"));
        assert_ne!(saved, Key::Known("sk-secret".to_owned()).to_saved(), "each has its own salt");

        let mut key = Key::Hashed(saved.clone());
        assert_eq!((key.is("sk-other"), key.text(), key.to_saved()), (false, None, saved));
        assert!(key.is("sk-secret"));
        assert_eq!(key.text(), Some("sk-secret"));
    }
}
