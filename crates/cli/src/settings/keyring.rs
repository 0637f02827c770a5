//! The system's keyring: Keychain, Credential Manager or Secret Service. Builds without the feature
//! `keyring` say that they have none.

use crate::failure::{Exit, Failure};

/// The key of a profile.
pub(super) fn get(profile: &str) -> Result<Option<String>, Failure> {
    system::get(profile).map_err(|why| failed("cannot be read", &why))
}

/// Keeps the key of a profile.
pub(super) fn set(profile: &str, key: &str) -> Result<(), Failure> {
    system::set(profile, key).map_err(|why| failed("cannot be written", &why))
}

/// Forgets the key of a profile.
pub(super) fn delete(profile: &str) -> Result<(), Failure> {
    system::delete(profile).map_err(|why| failed("cannot be removed", &why))
}

fn failed(what: &str, why: &str) -> Failure {
    Failure::new(Exit::Local, format!("the key in the system's keyring {what}: {why}"))
        .next("`cintel auth login` keeps a key in a file, and CRYPTO_INTEL_API_KEY wins over both")
}

#[cfg(feature = "keyring")]
mod system {
    use keyring::v1::{Entry, Error};

    const SERVICE: &str = "cintel";

    fn entry(profile: &str) -> Result<Entry, String> {
        if let Err(error) = Entry::store_status() {
            return Err(error.to_string());
        }
        Entry::new(SERVICE, profile).map_err(|error| error.to_string())
    }

    pub(super) fn get(profile: &str) -> Result<Option<String>, String> {
        match entry(profile)?.get_password() {
            Ok(key) => Ok(Some(key)),
            Err(Error::NoEntry) => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    }

    pub(super) fn set(profile: &str, key: &str) -> Result<(), String> {
        entry(profile)?.set_password(key).map_err(|error| error.to_string())
    }

    pub(super) fn delete(profile: &str) -> Result<(), String> {
        match entry(profile)?.delete_credential() {
            Ok(()) | Err(Error::NoEntry) => Ok(()),
            Err(error) => Err(error.to_string()),
        }
    }
}

#[cfg(not(feature = "keyring"))]
mod system {
    const NONE: &str = "this build has no keyring (feature `keyring`)";

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
