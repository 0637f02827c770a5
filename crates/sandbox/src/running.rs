//! Handle of a running sandbox.
//!
//! It returns the address and the log of requests, and changes faults, scenarios, overrides and saved state.

use std::io;
use std::sync::Arc;

use crate::app::App;
use crate::clock::Clock;
use crate::fault::{Fault, UnknownFault};
use crate::host::Host;
use crate::in_process::InProcess;
use crate::log::Arrived;
use crate::overrides::{InvalidOverride, Override};
use crate::saved::{InvalidState, SavedState};
use crate::scenario::Scenario;
use crate::server::Server;
#[cfg(feature = "record")]
use crate::tape::Tape;

/// A running sandbox. If it is dropped, it finishes the current requests and accepts no others.
pub struct Sandbox {
    pub(crate) host: Arc<Host>,
    /// The server; `None` for a sandbox without a socket.
    pub(crate) server: Option<Server>,
    pub(crate) key: String,
}

impl Sandbox {
    fn app(&self) -> Arc<App> {
        self.host.app()
    }

    /// Returns the base URL without a final slash, such as `http://127.0.0.1:40123`. Without a socket, no host has
    /// this URL.
    #[must_use]
    pub fn url(&self) -> String {
        match &self.server {
            Some(server) => server.url(),
            None => "http://sandbox.invalid".to_owned(),
        }
    }

    /// Returns the sandbox as a `tower` service for programs in the same process, without socket and HTTP client. The
    /// service has the world, keys and faults of the sandbox. [`crate::Builder::without_socket`] creates a sandbox
    /// that has only this service.
    #[must_use]
    pub fn service(&self) -> InProcess {
        InProcess::new(Arc::clone(&self.host))
    }

    /// Returns the first key. Empty if a [loaded](crate::Builder::load) state has only hashed keys that were not used
    /// yet.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Returns the remaining credits of a key. `None` for an unknown key.
    #[must_use]
    pub fn balance(&self, key: &str) -> Option<i64> {
        self.app().accounts().balance_of(key)
    }

    /// Returns the credits charged to a key so far. `None` for an unknown key. The sum includes calls whose response
    /// was lost, which are missing in a client's ledger.
    #[must_use]
    pub fn charged(&self, key: &str) -> Option<i64> {
        self.app().accounts().charged_to(key)
    }

    /// Returns the clock. Tests can move it.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.host.clock
    }

    /// Returns the token of the control paths, if they are [enabled](crate::Builder::control).
    #[must_use]
    pub fn control_token(&self) -> Option<&str> {
        self.host.serving.control.as_deref()
    }

    /// Returns the number of requests so far, rejected ones included.
    #[must_use]
    pub fn requests_served(&self) -> u64 {
        self.app().served()
    }

    /// Returns the last thousand requests, oldest first.
    #[must_use]
    pub fn requests(&self) -> Vec<Arrived> {
        self.app().log.entries()
    }

    /// Clears the list of requests.
    pub fn forget_requests(&self) {
        self.app().log.clear();
    }

    /// Adds a fault for later requests.
    ///
    /// # Errors
    /// If the fault cannot apply to any request.
    pub fn inject(&self, fault: Fault) -> Result<(), UnknownFault> {
        self.app().faults.add(fault)
    }

    /// Returns the faults that still wait for requests, in the order of their use. Tests can assert that none is
    /// left.
    #[must_use]
    pub fn faults(&self) -> Vec<Fault> {
        self.app().faults.waiting()
    }

    /// Removes all faults.
    pub fn clear_faults(&self) {
        self.app().faults.clear();
    }

    /// Sets responses of an operation, by its id, in place of generated ones: rows or a record, typed or as JSON, or
    /// an [`Override`] with several steps. It replaces earlier responses of the operation with the same
    /// [conditions](Override::when). Keys, credits, limits and arguments are checked as usual.
    ///
    /// # Errors
    /// If no operation has this id, or if the response does not fit the operation; the error names the path of the
    /// field and the fix. A sandbox that records or replays accepts no responses.
    pub fn answer(
        &self,
        operation: &str,
        answers: impl Into<Override>,
    ) -> Result<(), InvalidOverride> {
        self.app().overrides.add(operation, answers.into())
    }

    /// Returns the remaining set responses, as JSON in the form of the control path.
    #[must_use]
    pub fn answers(&self) -> Vec<serde_json::Value> {
        self.app().overrides.written()
    }

    /// Removes the set responses of an operation, or of all operations.
    pub fn forget_answers(&self, operation: Option<&str>) {
        self.app().overrides.clear(operation);
    }

    /// Saves the state: clock, keys and charges, faults, scenarios, set responses, chats, and SQL jobs. A running job
    /// is saved as queued.
    ///
    /// # Errors
    /// For a sandbox that records or replays.
    pub fn save(&self) -> Result<SavedState, InvalidState> {
        self.host.save()
    }

    /// Replaces the state by a saved one, and sets the clock to its time. Address, control token and stream delays
    /// stay. A state with another seed is another world.
    ///
    /// # Errors
    /// For a sandbox that records or replays, and for a state with parts that do not exist in this release.
    pub fn load(&self, state: &SavedState) -> Result<(), InvalidState> {
        self.host.load(state)
    }

    /// Starts a second sandbox that continues from the present state, on a free port and with its own clock. Both
    /// have the same past. Later changes in one do not affect the other.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use crypto_intel_sandbox::{Sandbox, Scenario};
    ///
    /// let calm = Sandbox::start().await?;
    /// let crash = calm.fork().await?;
    /// crash.play(Scenario::market_crash());
    /// assert!(calm.playing().is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// For a sandbox that records or replays, and if no port is available.
    pub async fn fork(&self) -> io::Result<Self> {
        let host = Arc::new(self.host.fork()?);
        let server = match &self.server {
            Some(_) => Some(host.listen(0).await?),
            None => None,
        };
        Ok(Sandbox { host, server, key: self.key.clone() })
    }

    /// Begins a scenario now, by the sandbox's clock. It replaces a scenario of the same name.
    pub fn play(&self, scenario: Scenario) {
        self.app().stage.begin(scenario, self.host.clock.now().0);
    }

    /// Ends a scenario and all its effects on the data.
    pub fn end(&self, scenario: Scenario) {
        self.app().stage.end(Some(scenario));
    }

    /// Returns the active scenarios in the order of their start.
    #[must_use]
    pub fn playing(&self) -> Vec<Scenario> {
        self.app().stage.now_playing()
    }

    /// Returns the exchanges that were not recorded, and the reasons: truncated or too large responses, a service
    /// without response, files that could not be written. At most the last hundred.
    #[cfg(feature = "record")]
    #[must_use]
    pub fn not_recorded(&self) -> Vec<String> {
        match &self.app().tape {
            Some(Tape::Record(recorder)) => recorder.missed(),
            _ => Vec::new(),
        }
    }

    /// Stops the sandbox. Waits until current requests have responses and are recorded, at most as
    /// long as [`crate::Builder::stop_within`]; then their connections are closed.
    ///
    /// # Errors
    /// If the server failed.
    pub async fn stop(mut self) -> io::Result<()> {
        match self.server.take() {
            Some(server) => server.stop().await?,
            None => self.host.stop.now(),
        }
        #[cfg(feature = "record")]
        if let Some(Tape::Record(recorder)) = &self.app().tape {
            recorder.settled().await;
        }
        Ok(())
    }
}

impl Drop for Sandbox {
    /// Stops SQL jobs, which run on their own threads.
    fn drop(&mut self) {
        self.host.stop.now();
    }
}

impl std::fmt::Debug for Sandbox {
    /// Formats the sandbox without its keys.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sandbox").field("url", &self.url()).finish_non_exhaustive()
    }
}
