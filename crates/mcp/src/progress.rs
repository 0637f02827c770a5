//! Reports the progress of a call to the caller, and stops cancelled calls.

use std::sync::atomic::{AtomicU64, Ordering};

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext, RoleServer};

use crate::clean::clean_text;
use crate::problem::Problem;

/// Receiver of progress messages.
pub(crate) struct Progress {
    to: Option<(Peer<RoleServer>, ProgressToken)>,
    told: AtomicU64,
}

impl Progress {
    pub(crate) fn from_context(context: &RequestContext<RoleServer>) -> Self {
        let token = context.meta.get_progress_token();
        let to = token.map(|token| (context.peer.clone(), token));
        Progress { to, told: AtomicU64::new(0) }
    }

    /// Progress of one part of a call, which reports nothing: the whole call reports.
    pub(crate) fn silent() -> Self {
        Progress { to: None, told: AtomicU64::new(0) }
    }

    /// Reports that `done` of `total` parts are complete. Callers that did not request progress get
    /// no message. A closed connection is no error, because the call is cancelled separately.
    pub(crate) async fn tell(&self, done: u64, total: Option<u64>, message: impl Into<String>) {
        let Some((peer, token)) = &self.to else { return };
        // The protocol requires growing numbers; others are skipped.
        if self.told.fetch_max(done, Ordering::Relaxed) >= done {
            return;
        }

        let mut progress = ProgressNotificationParam::new(token.clone(), precise(done));
        if let Some(total) = total {
            progress = progress.with_total(precise(total));
        }
        let message = clean_text(&message.into());
        let _ = peer.notify_progress(progress.with_message(message)).await;
    }
}

/// Such counts are far below the integers that a float represents exactly.
#[expect(clippy::cast_precision_loss, reason = "counts of pages and characters are small")]
fn precise(count: u64) -> f64 {
    count as f64
}

/// Runs a call until it ends or the caller cancels it. Dropping the call drops its requests.
pub(crate) async fn unless_cancelled<T>(
    context: &RequestContext<RoleServer>,
    work: impl Future<Output = Result<T, Problem>>,
) -> Result<T, Problem> {
    tokio::select! {
        outcome = work => outcome,
        () = context.ct.cancelled() => Err(Problem::cancelled()),
    }
}
