//! The wish that a sandbox stop.

use tokio::sync::watch;

/// The wish to stop, which whoever waits can wait for as well.
#[derive(Debug, Clone)]
pub(crate) struct Stop(watch::Sender<bool>);

impl Stop {
    pub(crate) fn new() -> Self {
        Stop(watch::Sender::new(false))
    }

    pub(crate) fn now(&self) {
        self.0.send_replace(true);
    }

    /// Returns when the sandbox stops.
    pub(crate) async fn wait(&self) {
        // It fails when no sender is left, and this one is.
        let _ = self.0.subscribe().wait_for(|stopped| *stopped).await;
    }
}
