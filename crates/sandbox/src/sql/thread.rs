//! Threads for queries.

use std::sync::Arc;

use crypto_intel_sql::{Control, Problem};
use tokio::sync::oneshot;

/// Stack size of a query's thread. Functions that walk the query are recursive.
const STACK: usize = 32 << 20;

/// Stops a query when its caller no longer waits.
pub(super) struct Watched(pub(super) Arc<Control>);

impl Drop for Watched {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Runs `work` on a thread with a large stack and returns its result.
pub(super) async fn on_a_thread<T: Send + 'static>(
    control: Arc<Control>,
    work: impl FnOnce(&Control) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let (sender, receiver) = oneshot::channel();
    let thread = std::thread::Builder::new().name("sandbox-sql".to_owned()).stack_size(STACK);
    let started = thread.spawn(move || {
        let done = work(&control);
        // The caller may have left.
        drop(sender.send(done));
    });
    started.map_err(|error| Problem::Internal(error.to_string()))?;
    let ended = "the thread of the query ended early";
    receiver.await.unwrap_or_else(|_| Err(Problem::Internal(ended.to_owned())))
}
