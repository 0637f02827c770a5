//! A running sandbox, as programs hold it.

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

/// A running sandbox. Dropping it stops it: the requests under way are finished, no others are
/// taken.
pub struct Sandbox {
    pub(crate) app: Arc<App>,
    /// None for a sandbox that is asked in process alone.
    pub(crate) server: Option<Server>,
    pub(crate) clock: Clock,
    pub(crate) key: String,
}

impl Sandbox {
    /// The base URL, without a slash at its end: `http://127.0.0.1:40123`. Without a socket it names
    /// a host that nothing on any network answers for.
    #[must_use]
    pub fn url(&self) -> String {
        match &self.server {
            Some(server) => format!("http://{}", server.address),
            None => "http://sandbox.invalid".to_owned(),
        }
    }

    /// What the sandbox answers, as a `tower` service, for programs in the same process: no socket
    /// and no HTTP client in between. The world, the keys and the faults are the same.
    /// [`crate::Builder::without_socket`] makes a sandbox that has nothing else.
    #[must_use]
    pub fn service(&self) -> InProcess {
        InProcess::new(Arc::clone(&self.app))
    }

    /// The first key.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// Credits left of a key; `None` for a key the sandbox does not know.
    #[must_use]
    pub fn balance(&self, key: &str) -> Option<i64> {
        self.app.accounts().balance_of(key)
    }

    /// Credits that a key was charged so far; `None` for a key the sandbox does not know. It counts
    /// calls whose answer never arrived too, which a client's ledger cannot know.
    #[must_use]
    pub fn charged(&self, key: &str) -> Option<i64> {
        self.app.accounts().charged_to(key)
    }

    /// The clock, to be moved.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// The token that control paths ask for, where they are [enabled](crate::Builder::control).
    #[must_use]
    pub fn control_token(&self) -> Option<&str> {
        self.app.control.as_deref()
    }

    /// Requests so far, refused ones included.
    #[must_use]
    pub fn requests_served(&self) -> u64 {
        self.app.served()
    }

    /// The last thousand requests, oldest first.
    #[must_use]
    pub fn requests(&self) -> Vec<Arrived> {
        self.app.log.entries()
    }

    /// Forgets the requests so far.
    pub fn forget_requests(&self) {
        self.app.log.clear();
    }

    /// Misbehaves towards requests to come.
    ///
    /// # Errors
    /// When no request can ever meet the fault.
    pub fn inject(&self, fault: Fault) -> Result<(), UnknownFault> {
        self.app.faults.add(fault)
    }

    /// The faults that still wait for requests, first the one that is due first. Empty once all
    /// have happened, which a test can assert.
    #[must_use]
    pub fn faults(&self) -> Vec<Fault> {
        self.app.faults.waiting()
    }

    /// Behaves again.
    pub fn clear_faults(&self) {
        self.app.faults.clear();
    }

    /// Begins a scenario now, by the sandbox's clock. One of the same name ends.
    pub fn play(&self, scenario: Scenario) {
        self.app.stage.begin(scenario, self.clock.now().0);
    }

    /// Ends a scenario; what it did to the world is as if it had never been.
    pub fn end(&self, scenario: Scenario) {
        self.app.stage.end(Some(scenario));
    }

    /// The scenarios that play, in the order in which they began.
    #[must_use]
    pub fn playing(&self) -> Vec<Scenario> {
        self.app.stage.now_playing()
    }

    /// What a recording lacks of what passed through, and why: answers that were cut off or too
    /// large, a service that did not answer, files that could not be written. The last hundred.
    #[cfg(feature = "record")]
    #[must_use]
    pub fn not_recorded(&self) -> Vec<String> {
        match &self.app.tape {
            Some(Tape::Record(recorder)) => recorder.missed(),
            _ => Vec::new(),
        }
    }

    /// Stops and waits until the requests under way are answered, and on file where they are
    /// recorded, but no longer than [`crate::Builder::stop_within`] says: what is under way then is cut off.
    ///
    /// # Errors
    /// When the server failed.
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
    /// Jobs run on threads of their own, socket or not.
    fn drop(&mut self) {
        self.app.stop.now();
    }
}

impl std::fmt::Debug for Sandbox {
    /// Without the keys.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sandbox").field("url", &self.url()).finish_non_exhaustive()
    }
}
