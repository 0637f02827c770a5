//! Saved state of a sandbox as JSON. It contains everything on which later responses depend.
//!
//! The format has a version. This release reads its own version and all older versions. `tests/states/` contains a file
//! of each version.
//!
//! Data are generated again from the random seed, so a saved state is small. It contains the random seed, the clock,
//! faults, scenarios, overrides, the last chats, and SQL jobs with their results. It also contains a hash of each API
//! key, with the credits charged to this key.

use std::fmt;
use std::io;
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::account::SavedAccounts;
use crate::chat::SavedTurn;
use crate::clock::SavedClock;
use crate::sql;

/// Name of the file format. Every saved state contains this name in the field `format`.
const FORMAT: &str = "crypto-intel-sandbox";
/// Version of the file format that this release writes. This release also reads all older versions.
const VERSION: u64 = 1;

/// Saved state of a sandbox. A new sandbox can start with this state.
///
/// [`Sandbox::save`](crate::Sandbox::save) returns the state, and [`Builder::load`](crate::Builder::load) starts a
/// sandbox with it. The new sandbox and the saved sandbox return equal responses, byte for byte. As text, a state is
/// JSON with a version number. States of a newer version are rejected.
///
/// The state contains salted hashes in place of API keys. Overrides, chat questions and SQL texts are stored as they
/// were sent. The log of requests is not part of the state.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use crypto_intel_sandbox::{Sandbox, SavedState};
///
/// let sandbox = Sandbox::builder().seed(7).key("sk-mine", 500).start().await?;
/// let text = sandbox.save()?.to_string();
/// assert!(!text.contains("sk-mine"));
///
/// let state: SavedState = text.parse()?;
/// let again = Sandbox::builder().load(state).key("sk-mine", 0).start().await?;
/// assert_eq!(again.balance("sk-mine"), Some(500));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct SavedState(pub(crate) State);

/// Error of a saved state. This error occurs in three cases:
///
/// - A text cannot be parsed as a [`SavedState`].
/// - This release cannot load the state.
/// - The state of a sandbox cannot be saved or replaced.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct InvalidState(pub(crate) String);

/// A saved state with the name and version of its file format.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct State {
    format: String,
    version: u64,
    #[serde(flatten)]
    pub(crate) content: Content,
}

/// Content of a saved state, without the name and version of the file format.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Content {
    pub(crate) seed: u64,
    pub(crate) clock: SavedClock,
    /// Number of requests since the sandbox started. Identifiers and cursors in responses depend on this number.
    pub(crate) served: u64,
    pub(crate) strict_chat: bool,
    pub(crate) accounts: SavedAccounts,
    /// Faults that the sandbox will inject into later requests, each as text, such as `status=429`.
    pub(crate) faults: Vec<String>,
    /// Active scenarios, each as text, such as `market-crash`, and with its start time in Unix seconds.
    pub(crate) scenarios: Vec<(String, i64)>,
    /// Overrides as JSON objects. The control path `/sandbox/answers` accepts the same objects.
    pub(crate) answers: Vec<Value>,
    pub(crate) chats: Vec<SavedTurn>,
    pub(crate) sql: sql::Settings,
    pub(crate) jobs: sql::SavedJobs,
}

impl SavedState {
    pub(crate) fn new(content: Content) -> Self {
        SavedState(State { format: FORMAT.to_owned(), version: VERSION, content })
    }

    /// Reads a saved state from a file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, if it does not contain a state, or if the state has a newer format
    /// version than this release can read.
    pub fn read(path: impl AsRef<Path>) -> io::Result<Self> {
        let text = std::fs::read_to_string(path)?;
        text.parse().map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
    }

    /// Writes the state to a file. Other programs that read the file see either the old or the new content.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn write(&self, path: impl AsRef<Path>) -> io::Result<()> {
        let path = path.as_ref();
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}", std::process::id()));
        let temporary = path.with_file_name(name);
        std::fs::write(&temporary, self.to_string())?;
        std::fs::rename(&temporary, path).inspect_err(|_| drop(std::fs::remove_file(&temporary)))
    }
}

impl fmt::Display for SavedState {
    /// Writes the state as JSON text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = serde_json::to_string(&self.0).map_err(|_| fmt::Error)?;
        f.write_str(&text)
    }
}

impl FromStr for SavedState {
    type Err = InvalidState;

    fn from_str(text: &str) -> Result<Self, InvalidState> {
        let error = |problem: String| InvalidState(problem);
        let value: Value = serde_json::from_str(text)
            .map_err(|problem| error(format!("the saved sandbox is not JSON: {problem}")))?;
        if value["format"] != FORMAT {
            let problem = format!("the JSON is not a saved sandbox: `format` must be `{FORMAT}`");
            return Err(error(problem));
        }
        match value["version"].as_u64() {
            Some(1..=VERSION) => {}
            Some(newer) if newer > VERSION => {
                return Err(error(format!(
                    "the saved sandbox has version {newer}, but this release reads only versions up to {VERSION}: use a newer release"
                )));
            }
            _ => return Err(error("the saved sandbox has no valid `version`".to_owned())),
        }
        let state = serde_json::from_value(value);
        state
            .map(SavedState)
            .map_err(|problem| error(format!("the saved sandbox is damaged: {problem}")))
    }
}
