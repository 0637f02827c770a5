//! Handle of a running sandbox.

use std::io;
use std::sync::Arc;

use crate::app::App;
use crate::clock::Clock;
use crate::fault::{Fault, UnknownFault};
use crate::in_process::InProcess;
use crate::log::Arrived;
use crate::scenario::Scenario;
use crate::server::Server;
#[cfg(feature = "record")]
use crate::tape::Tape;

/// A running sandbox. If it is dropped, it finishes the current requests and accepts no others.
pub struct Sandbox {
    pub(crate) app: Arc<App>,
    /// `None` for a sandbox without a socket.
    pub(crate) server: Option<Server>,
    pub(crate) clock: Clock,
    pub(crate) key: String,
}

impl Sandbox {
    /// Base URL without a final slash, such as `http://127.0.0.1:40123`. Without a socket, no host
    /// has this URL.
    #[must_use]
    pub fn url(&self) -> String {
        match &self.server {
            Some(server) => format!("http://{}", server.address),
            None => "http://sandbox.invalid".to_owned(),
        }
    }

    /// The sandbox as a `tower` service for programs in the same process, without socket and HTTP
    /// client. It shares world, keys and faults. [`crate::Builder::without_socket`] creates a
    /// sandbox with nothing else.
    #[must_use]
    pub fn service(&self) -> InProcess {
        InProcess::new(Arc::clone(&self.app))
    }

    /// The first key.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Remaining credits of a key. `None` for an unknown key.
    #[must_use]
    pub fn balance(&self, key: &str) -> Option<i64> {
        self.app.accounts().balance_of(key)
    }

    /// Credits charged to a key so far. `None` for an unknown key. This includes calls whose
    /// response was lost, which a client's ledger cannot know.
    #[must_use]
    pub fn charged(&self, key: &str) -> Option<i64> {
        self.app.accounts().charged_to(key)
    }

    /// The clock. Tests can move it.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Token of the control paths, if they are [enabled](crate::Builder::control).
    #[must_use]
    pub fn control_token(&self) -> Option<&str> {
        self.app.control.as_deref()
    }

    /// Number of requests so far, rejected ones included.
    #[must_use]
    pub fn requests_served(&self) -> u64 {
        self.app.served()
    }

    /// The last thousand requests, oldest first.
    #[must_use]
    pub fn requests(&self) -> Vec<Arrived> {
        self.app.log.entries()
    }

    /// Clears the list of requests.
    pub fn forget_requests(&self) {
        self.app.log.clear();
    }

    /// Adds a fault for later requests.
    ///
    /// # Errors
    /// If no request can meet the fault.
    pub fn inject(&self, fault: Fault) -> Result<(), UnknownFault> {
        self.app.faults.add(fault)
    }

    /// Faults that still wait for requests, in the order of their use. Tests can assert that none
    /// is left.
    #[must_use]
    pub fn faults(&self) -> Vec<Fault> {
        self.app.faults.waiting()
    }

    /// Removes all faults.
    pub fn clear_faults(&self) {
        self.app.faults.clear();
    }

    /// Begins a scenario now, by the sandbox's clock. It replaces a scenario of the same name.
    pub fn play(&self, scenario: Scenario) {
        self.app.stage.begin(scenario, self.clock.now().0);
    }

    /// Ends a scenario and all its effects on the data.
    pub fn end(&self, scenario: Scenario) {
        self.app.stage.end(Some(scenario));
    }

    /// Active scenarios in the order of their start.
    #[must_use]
    pub fn playing(&self) -> Vec<Scenario> {
        self.app.stage.now_playing()
    }

    /// Exchanges that were not recorded, and the reasons: truncated or too large responses, a
    /// service without response, files that could not be written. At most the last hundred.
    #[cfg(feature = "record")]
    #[must_use]
    pub fn not_recorded(&self) -> Vec<String> {
        match &self.app.tape {
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
            None => self.app.stop.now(),
        }
        #[cfg(feature = "record")]
        if let Some(Tape::Record(recorder)) = &self.app.tape {
            recorder.settled().await;
        }
        Ok(())
    }
}

impl Drop for Sandbox {
    /// Stops SQL jobs, which run on their own threads.
    fn drop(&mut self) {
        self.app.stop.now();
    }
}

impl std::fmt::Debug for Sandbox {
    /// Formats the sandbox without its keys.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sandbox").field("url", &self.url()).finish_non_exhaustive()
    }
}
