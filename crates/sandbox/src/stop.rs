//! Signal that stops a sandbox and its tasks.

use tokio::sync::watch;

/// Signal that stops a sandbox. Tasks can wait for the signal. Clones share one signal.
#[derive(Debug, Clone)]
pub(crate) struct Stop(watch::Sender<bool>);

impl Stop {
    pub(crate) fn new() -> Self {
        Stop(watch::Sender::new(false))
    }

    pub(crate) fn now(&self) {
        self.0.send_replace(true);
    }

    /// Waits until [`now`](Self::now) is called on this signal or on a clone. Returns at once if it was already called.
    pub(crate) async fn wait(&self) {
        // `wait_for` fails only if all senders are dropped, and `self` is a sender.
        let _ = self.0.subscribe().wait_for(|stopped| *stopped).await;
    }
}
