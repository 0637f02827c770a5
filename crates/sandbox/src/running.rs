//! A running sandbox.
//!
//! The methods of [`Sandbox`] return the URL and the log of requests. Other methods change the faults, scenarios,
//! overrides and the state.

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

/// A running sandbox. A dropped sandbox accepts no new requests, and finishes the requests in progress.
pub struct Sandbox {
    pub(crate) host: Arc<Host>,
    /// Server of the sandbox. `None` for a sandbox without a socket.
    pub(crate) server: Option<Server>,
    pub(crate) key: String,
}

impl Sandbox {
    fn app(&self) -> Arc<App> {
        self.host.app()
    }

    /// Returns the base URL without a final slash, such as `http://127.0.0.1:40123`. For a sandbox without a socket, no
    /// server exists at the returned URL.
    #[must_use]
    pub fn url(&self) -> String {
        match &self.server {
            Some(server) => server.url(),
            None => "http://sandbox.invalid".to_owned(),
        }
    }

    /// Returns the sandbox as a `tower` service. Code in the same process can call this service without a socket. The
    /// service has the same data, keys and faults as the sandbox. To create a sandbox without an HTTP server, use
    /// [`crate::Builder::without_socket`].
    #[must_use]
    pub fn service(&self) -> InProcess {
        InProcess::new(Arc::clone(&self.host))
    }

    /// Returns the first API key. A [loaded](crate::Builder::load) state contains only hashes of keys. After loading,
    /// the returned text is therefore empty, unless the key is set by [`Builder::key`](crate::Builder::key) or is
    /// [`DEFAULT_KEY`](crate::DEFAULT_KEY).
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Returns the remaining credits of an API key. Returns `None` for an unknown key.
    #[must_use]
    pub fn balance(&self, key: &str) -> Option<i64> {
        self.app().accounts().balance_of(key)
    }

    /// Returns the credits charged to an API key so far. Returns `None` for an unknown key. The sum includes calls
    /// whose responses did not reach the client.
    #[must_use]
    pub fn charged(&self, key: &str) -> Option<i64> {
        self.app().accounts().charged_to(key)
    }

    /// Returns the clock of the sandbox. Tests can change its time.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.host.clock
    }

    /// Returns the token for the [control paths](crate#control-over-http), such as `/sandbox/faults`. Requests for
    /// these paths must contain the token in the header `x-sandbox-token`. Returns `None` if the control paths are not
    /// [enabled](crate::Builder::control).
    #[must_use]
    pub fn control_token(&self) -> Option<&str> {
        self.host.serving.control.as_deref()
    }

    /// Returns the number of requests so far, including requests that get an error such as 404. Not counted are
    /// requests for the control paths, the web page and the OpenAPI document, and CORS preflight requests from allowed
    /// origins. Also not counted are requests that are rejected because of their host or origin, or because their body
    /// is too large or too slow.
    #[must_use]
    pub fn requests_served(&self) -> u64 {
        self.app().served()
    }

    /// Returns the last 1,000 requests, oldest first.
    #[must_use]
    pub fn requests(&self) -> Vec<Arrived> {
        self.app().log.entries()
    }

    /// Clears the log of requests.
    pub fn forget_requests(&self) {
        self.app().log.clear();
    }

    /// Adds a fault that affects later requests.
    ///
    /// # Errors
    /// Returns an error if the fault cannot affect any request, for example because it is limited to an unknown
    /// operation.
    pub fn inject(&self, fault: Fault) -> Result<(), UnknownFault> {
        self.app().faults.add(fault)
    }

    /// Returns the queued faults, oldest first. Tests can assert that the list is empty.
    #[must_use]
    pub fn faults(&self) -> Vec<Fault> {
        self.app().faults.waiting()
    }

    /// Removes all queued faults.
    pub fn clear_faults(&self) {
        self.app().faults.clear();
    }

    /// Sets the responses of an operation, in place of generated responses. `operation` is the id of the operation.
    /// `answers` can be rows or a record, typed or as JSON, or an [`Override`] with several steps.
    ///
    /// Replaces an earlier override of this operation with equal [conditions](Override::when). Keys, credits, limits
    /// and arguments are checked as usual.
    ///
    /// # Errors
    /// Returns an error if no operation has this id, or if the operation cannot return the response. If a field is
    /// wrong, the error contains the JSON path of this field, and in some cases a suggested fix. A sandbox that records
    /// or replays always returns an error.
    pub fn answer(
        &self,
        operation: &str,
        answers: impl Into<Override>,
    ) -> Result<(), InvalidOverride> {
        self.app().overrides.add(operation, answers.into())
    }

    /// Returns the overrides that still affect later requests, as JSON objects. The control path `/sandbox/answers`
    /// accepts these objects.
    #[must_use]
    pub fn answers(&self) -> Vec<serde_json::Value> {
        self.app().overrides.written()
    }

    /// Removes the overrides of the operation with the id `operation`. If `operation` is `None`, removes all overrides.
    pub fn forget_answers(&self, operation: Option<&str>) {
        self.app().overrides.clear(operation);
    }

    /// Returns the state of the sandbox. It contains the clock, keys and charges, faults, scenarios, overrides, chats,
    /// and SQL jobs. A running job is saved as queued.
    ///
    /// # Errors
    /// Returns an error if the sandbox records or replays.
    pub fn save(&self) -> Result<SavedState, InvalidState> {
        self.host.save()
    }

    /// Replaces the state by a saved state, and sets the clock to the time and speed of the saved state. Does not
    /// change the address, the control token or the delays of chat streams. All generated data change if the saved
    /// state has another random seed.
    ///
    /// # Errors
    /// Returns an error if the sandbox records or replays. Also returns an error if the saved state contains a fault,
    /// scenario or override that this release does not support.
    pub fn load(&self, state: &SavedState) -> Result<(), InvalidState> {
        self.host.load(state)
    }

    /// Starts a second sandbox that continues from the present state. The second sandbox has its own clock and its own
    /// free port. If the first sandbox has no port, the second sandbox has none either. Later changes of one sandbox do
    /// not affect the other sandbox.
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
    /// Returns an error if the sandbox records or replays, or if no port is available.
    pub async fn fork(&self) -> io::Result<Self> {
        let host = Arc::new(self.host.fork()?);
        let server = match &self.server {
            Some(_) => Some(host.listen(0).await?),
            None => None,
        };
        Ok(Sandbox { host, server, key: self.key.clone() })
    }

    /// Begins a scenario at the present time of the sandbox's clock. Replaces an active scenario of the same name.
    pub fn play(&self, scenario: Scenario) {
        self.app().stage.begin(scenario, self.host.clock.now().0);
    }

    /// Ends the active scenario that has the same name as `scenario`. The values after `=` are not compared. For
    /// example, `exchange-halt=okx` also ends `exchange-halt=binance`.
    pub fn end(&self, scenario: Scenario) {
        self.app().stage.end(Some(scenario));
    }

    /// Returns the active scenarios, in the order in which they began.
    #[must_use]
    pub fn playing(&self) -> Vec<Scenario> {
        self.app().stage.now_playing()
    }

    /// Returns the requests whose responses were not recorded, each with the reason. For example, the response was
    /// truncated or too large, the service did not respond, or the file could not be written. The list has at most 100
    /// entries, and the oldest entries are dropped.
    #[cfg(feature = "record")]
    #[must_use]
    pub fn not_recorded(&self) -> Vec<String> {
        match &self.app().tape {
            Some(Tape::Record(recorder)) => recorder.missed(),
            _ => Vec::new(),
        }
    }

    /// Stops the sandbox. Waits for requests in progress, at most for the time of [`crate::Builder::stop_within`], and
    /// then closes the remaining connections. A sandbox that records waits until all recordings are written.
    ///
    /// # Errors
    /// Returns an error if the server failed.
    pub async fn stop(mut self) -> io::Result<()> {
        match self.server.take() {
            Some(server) => server.stop().await?,
            None => self.host.stop.now(),
        }
        #[cfg(feature = "record")]
        if let Some(Tape::Record(recorder)) = &self.app().tape {
            recorder.wait_until_written().await;
        }
        Ok(())
    }
}

impl Drop for Sandbox {
    /// Stops the sandbox. SQL jobs, which run on threads of their own, stop too.
    fn drop(&mut self) {
        self.host.stop.now();
    }
}

impl std::fmt::Debug for Sandbox {
    /// Formats the URL of the sandbox. API keys are left out.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sandbox").field("url", &self.url()).finish_non_exhaustive()
    }
}
