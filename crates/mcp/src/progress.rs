//! Telling the caller how far a call has come, and stopping when the caller goes away.

use std::sync::atomic::{AtomicU64, Ordering};

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RequestContext, RoleServer};

use crate::clean::clean_text;
use crate::problem::Problem;

/// Where the progress of a call is told.
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

    /// Tells nobody: for a part of a call whose whole tells.
    pub(crate) fn silent() -> Self {
        Progress { to: None, told: AtomicU64::new(0) }
    }

    /// Tells that `done` of `total` are through. A caller that did not ask is told nothing, and one
    /// that is gone is no error: the call ends by its cancellation.
    pub(crate) async fn tell(&self, done: u64, total: Option<u64>, message: impl Into<String>) {
        let Some((peer, token)) = &self.to else { return };
        // Progress must grow; what does not is left out.
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

/// Counts are far below what a float holds exactly.
#[expect(clippy::cast_precision_loss, reason = "counts of pages and characters are small")]
fn precise(count: u64) -> f64 {
    count as f64
}

/// The outcome, or that the caller cancelled: dropping the work drops its requests.
pub(crate) async fn unless_cancelled<T>(
    context: &RequestContext<RoleServer>,
    work: impl Future<Output = Result<T, Problem>>,
) -> Result<T, Problem> {
    tokio::select! {
        outcome = work => outcome,
        () = context.ct.cancelled() => Err(Problem::cancelled()),
    }
}
