//! Sessions of HTTP callers that send their own API key of the service.
//!
//! There is one session per API key. Each session has its own client, credit limit, credit ledger and stored results.
//! Callers without a key use the server's key.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crypto_intel::{ClientBuilder, Error};

use crate::session::Session;
use crate::settings::Settings;

/// Name of the HTTP header in which a caller sends its own API key of the service. A caller with this header has its
/// own credit limit, credit ledger and results. All other callers use the server's API key and share one credit limit.
pub const KEY: &str = "x-crypto-intel-key";

/// Maximum number of API keys in one map. Each of these keys has a session. The limit prevents callers from filling the
/// memory with sessions.
const KEYS: usize = 256;

/// Map from API keys to sessions.
pub(crate) struct Callers {
    builder: ClientBuilder,
    settings: Settings,
    /// True if several connections share these sessions. The handles of stored results are then random, so that one
    /// caller cannot guess the handle of another caller's result.
    is_shared: bool,
    sessions: Mutex<HashMap<String, Arc<Session>>>,
}

impl Callers {
    pub(crate) fn new(builder: ClientBuilder, settings: Settings, is_shared: bool) -> Self {
        Callers { builder, settings, is_shared, sessions: Mutex::default() }
    }

    /// Creates a `Callers` without sessions, for one MCP connection. The new `Callers` gets copies of the client
    /// builder and the settings of `self`.
    pub(crate) fn of_connection(&self) -> Self {
        Callers::new(self.builder.clone(), self.settings.clone(), false)
    }

    /// Returns the session of an API key, and creates it if necessary.
    pub(crate) fn session(&self, key: &str) -> Result<Arc<Session>, Error> {
        // A panic cannot leave the map in an inconsistent state.
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = sessions.get(key) {
            return Ok(Arc::clone(known));
        }
        if sessions.len() >= KEYS {
            return Err(Error::invalid(format!(
                "this server already has {KEYS} callers with keys"
            )));
        }

        let session = Session::new(self.builder.clone().api_key(key), self.settings.clone())?;
        let session = if self.is_shared { session } else { session.with_own_results() };
        let session = Arc::new(session);
        sessions.insert(key.to_owned(), Arc::clone(&session));
        Ok(session)
    }
}

/// Formats only the type name, because the API keys are secret.
impl std::fmt::Debug for Callers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Callers")
    }
}
