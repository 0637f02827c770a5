//! Reads and writes the system's keyring: Keychain, Credential Manager or Secret Service. Without the Cargo feature
//! `keyring`, all functions return an error.

use crate::failure::{Exit, Failure};

/// Reads the API key of a profile from the keyring. Returns `None` if no entry exists.
pub(super) fn get(profile: &str) -> Result<Option<String>, Failure> {
    system::get(profile).map_err(|why| failed("cannot be read", &why))
}

/// Stores the API key of a profile in the keyring.
pub(super) fn set(profile: &str, key: &str) -> Result<(), Failure> {
    system::set(profile, key).map_err(|why| failed("cannot be written", &why))
}

/// Deletes the API key of a profile from the keyring.
pub(super) fn delete(profile: &str) -> Result<(), Failure> {
    system::delete(profile).map_err(|why| failed("cannot be removed", &why))
}

fn failed(what: &str, why: &str) -> Failure {
    Failure::new(Exit::Local, format!("the key in the system's keyring {what}: {why}")).next(
        "`cintel auth login` without `--keyring` stores the key in a file; CRYPTO_INTEL_API_KEY overrides stored keys",
    )
}

#[cfg(feature = "keyring")]
mod system {
    use std::sync::Arc;

    use keyring_core::{CredentialStore, Error};

    use super::entry;

    pub(super) fn get(profile: &str) -> Result<Option<String>, String> {
        entry::get(&*store()?, profile).map_err(|error| in_words(&error))
    }

    pub(super) fn set(profile: &str, key: &str) -> Result<(), String> {
        entry::set(&*store()?, profile, key).map_err(|error| in_words(&error))
    }

    pub(super) fn delete(profile: &str) -> Result<(), String> {
        entry::delete(&*store()?, profile).map_err(|error| in_words(&error))
    }

    /// Returns the credential store of this platform. The keyring library opens the store once per process.
    fn store() -> Result<Arc<CredentialStore>, String> {
        let none = |error: &Error| format!("no keyring is available ({})", in_words(error));
        keyring::v1::Entry::store_status().as_ref().map_err(none)?;
        keyring_core::get_default_store().ok_or_else(|| none(&Error::NoDefaultStore))
    }

    /// Returns the message of a keyring error. If the error has a cause, returns the more precise message of the cause.
    fn in_words(error: &Error) -> String {
        match error {
            Error::PlatformFailure(cause) | Error::NoStorageAccess(cause) => cause.to_string(),
            other => other.to_string(),
        }
    }
}

#[cfg(not(feature = "keyring"))]
mod system {
    const NONE: &str = "this build was compiled without the feature `keyring`";

    pub(super) fn get(_: &str) -> Result<Option<String>, String> {
        Err(NONE.to_owned())
    }

    pub(super) fn set(_: &str, _: &str) -> Result<(), String> {
        Err(NONE.to_owned())
    }

    pub(super) fn delete(_: &str) -> Result<(), String> {
        Err(NONE.to_owned())
    }
}

/// Reads and writes entries of a credential store. Tests use a store in memory.
#[cfg(any(feature = "keyring", test))]
mod entry {
    use keyring_core::{CredentialStore, Entry, Error, Result};

    /// Service name of all keyring entries of `cintel`.
    const SERVICE: &str = "cintel";

    fn build(store: &CredentialStore, profile: &str) -> Result<Entry> {
        store.build(SERVICE, profile, None)
    }

    pub(super) fn get(store: &CredentialStore, profile: &str) -> Result<Option<String>> {
        match build(store, profile)?.get_password() {
            Ok(key) => Ok(Some(key)),
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(error),
        }
    }

    pub(super) fn set(store: &CredentialStore, profile: &str, key: &str) -> Result<()> {
        build(store, profile)?.set_password(key)
    }

    pub(super) fn delete(store: &CredentialStore, profile: &str) -> Result<()> {
        match build(store, profile)?.delete_credential() {
            Ok(()) | Err(Error::NoEntry) => Ok(()),
            Err(error) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use keyring_core::{CredentialStore, Error, mock};

    use super::*;

    /// Makes the next access to a keyring entry fail, as if the keyring were locked.
    fn lock(store: &CredentialStore, profile: &str) {
        let entry = store.build("cintel", profile, None).expect("an entry");
        let credential = entry.as_any().downcast_ref::<mock::Cred>().expect("of the mock");
        credential.set_error(Error::NoStorageAccess("the keyring is locked".into()));
    }

    #[test]
    fn each_profile_has_a_key_of_its_own() {
        let store = mock::Store::new().expect("a store in memory");
        let store: &CredentialStore = &*store;
        assert_eq!(entry::get(store, "default").expect("no key"), None);
        entry::delete(store, "default").expect("nothing to forget is no error");

        entry::set(store, "default", "sk-first-0123456789").expect("kept");
        entry::set(store, "work", "sk-work-0123456789").expect("kept");
        entry::set(store, "default", "sk-second-0123456789").expect("kept instead");
        let kept = |profile| entry::get(store, profile).expect("read");
        assert_eq!(kept("default").as_deref(), Some("sk-second-0123456789"));
        assert_eq!(kept("work").as_deref(), Some("sk-work-0123456789"));

        entry::delete(store, "default").expect("forgotten");
        assert_eq!(entry::get(store, "default").expect("none is left"), None);
        assert!(entry::get(store, "work").expect("of another profile").is_some());
    }

    #[test]
    fn a_keyring_that_refuses_is_not_taken_for_one_without_a_key() {
        let store = mock::Store::new().expect("a store in memory");
        let store: &CredentialStore = &*store;
        entry::set(store, "default", "sk-first-0123456789").expect("kept");

        lock(store, "default");
        let error = entry::get(store, "default").expect_err("locked");
        assert!(error.to_string().contains("locked"), "{error}");
        lock(store, "default");
        assert!(entry::set(store, "default", "sk-other-0123456789").is_err());
        lock(store, "default");
        assert!(entry::delete(store, "default").is_err());
        let kept = entry::get(store, "default").expect("unlocked");
        assert_eq!(kept.as_deref(), Some("sk-first-0123456789"));
    }

    #[test]
    fn a_failure_names_the_way_out_and_not_the_key() {
        let failure = failed("cannot be written", "the keyring is locked");
        let told = format!("{failure:?}");
        for words in ["the keyring is locked", "`cintel auth login`", "CRYPTO_INTEL_API_KEY"] {
            assert!(told.contains(words), "{told}");
        }
    }
}
