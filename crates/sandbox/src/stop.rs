//! The signal that stops a sandbox.

use tokio::sync::watch;

/// The signal to stop. Tasks can wait for it.
#[derive(Debug, Clone)]
pub(crate) struct Stop(watch::Sender<bool>);

impl Stop {
    pub(crate) fn new() -> Self {
        Stop(watch::Sender::new(false))
    }

    pub(crate) fn now(&self) {
        self.0.send_replace(true);
    }

    /// Waits until the sandbox stops.
    pub(crate) async fn wait(&self) {
        // `wait_for` fails only if all senders are dropped, and `self` is a sender.
        let _ = self.0.subscribe().wait_for(|stopped| *stopped).await;
    }
}
