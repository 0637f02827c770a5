//! Runs each SQL query on a new thread.

use std::sync::Arc;

use crypto_intel_sql::{Control, Problem};
use tokio::sync::oneshot;

/// Stack size in bytes of the thread that runs a query. The stack is large because recursive functions process the
/// query.
const STACK: usize = 32 << 20;

/// Guard of a running query. Dropping the guard stops the query. The guard is dropped when the caller no longer waits
/// for the result.
pub(super) struct Watched(pub(super) Arc<Control>);

impl Drop for Watched {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// Runs `work` on a new thread with a large stack, and returns its result.
///
/// # Errors
/// Returns the error of `work`, or an internal error if the thread cannot start or panics.
pub(super) async fn on_a_thread<T: Send + 'static>(
    control: Arc<Control>,
    work: impl FnOnce(&Control) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let (sender, receiver) = oneshot::channel();
    let thread = std::thread::Builder::new().name("sandbox-sql".to_owned()).stack_size(STACK);
    let started = thread.spawn(move || {
        let done = work(&control);
        // Sending fails if the caller no longer waits.
        drop(sender.send(done));
    });
    started.map_err(|error| Problem::Internal(error.to_string()))?;
    let ended = "the thread of the query ended early";
    receiver.await.unwrap_or_else(|_| Err(Problem::Internal(ended.to_owned())))
}
