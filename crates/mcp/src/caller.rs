//! Connection to the caller of a tool. Through this connection, the server sends progress messages and asks for
//! consent, and the caller cancels calls.

use std::sync::atomic::{AtomicU64, Ordering};

use rmcp::model::{
    ElicitRequestParams, ElicitationAction, ElicitationSchema, ProgressNotificationParam,
    ProgressToken,
};
use rmcp::service::{ElicitationMode, Peer, RequestContext, RoleServer};

use crate::clean::clean_text;
use crate::problem::Problem;

/// Connection to the caller of a tool.
pub(crate) struct Caller {
    peer: Option<Peer<RoleServer>>,
    /// Progress token that the caller has sent. Each progress message contains this token. `None` if the caller has not
    /// requested progress messages.
    token: Option<ProgressToken>,
    told: AtomicU64,
}

/// Answer to a request for the user's consent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Consent {
    Given,
    Declined,
    /// The server could not ask the user for consent, or received no answer. For example, the client does not support
    /// MCP elicitation requests, or the elicitation request failed.
    CannotAsk,
}

impl Caller {
    pub(crate) fn from_context(context: &RequestContext<RoleServer>) -> Self {
        let token = context.meta.get_progress_token();
        Caller { peer: Some(context.peer.clone()), token, told: AtomicU64::new(0) }
    }

    /// Creates a `Caller` that sends no messages. It is used for the operations that one tool call runs in parallel.
    /// The tool call reports progress and asks for consent, so its operations do not.
    pub(crate) fn silent() -> Self {
        Caller { peer: None, token: None, told: AtomicU64::new(0) }
    }

    /// Asks the user of the MCP client for consent. The user sees the text `question`, for example a question whether a
    /// call may spend credits.
    pub(crate) async fn consent(&self, question: String) -> Consent {
        let Some(peer) = &self.peer else { return Consent::CannotAsk };
        if !peer.supported_elicitation_modes().contains(&ElicitationMode::Form) {
            return Consent::CannotAsk;
        }
        let request = ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: question,
            requested_schema: ElicitationSchema::new(Default::default()),
        };
        match peer.create_elicitation(request).await {
            Ok(answer) if answer.action == ElicitationAction::Accept => Consent::Given,
            Ok(_) => Consent::Declined,
            Err(_) => Consent::CannotAsk,
        }
    }

    /// Sends a progress message: `done` of `total` parts are complete. Does nothing if the caller has not requested
    /// progress, or if `done` is 0 or not greater than in an earlier message. If the connection is closed, the message
    /// is lost without an error.
    pub(crate) async fn report_progress(
        &self,
        done: u64,
        total: Option<u64>,
        message: impl Into<String>,
    ) {
        let (Some(peer), Some(token)) = (&self.peer, &self.token) else { return };
        // The protocol requires increasing numbers, so a message with a smaller or equal number is not sent.
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

/// Converts a count to a float. All counts are so small that the float is exact.
#[expect(clippy::cast_precision_loss, reason = "a count of pages or characters is far below 2^52")]
fn precise(count: u64) -> f64 {
    count as f64
}

/// Waits for the result of a tool call (`work`). If the caller cancels the call, drops `work`, which cancels its HTTP
/// requests, and returns an error.
pub(crate) async fn unless_cancelled<T>(
    context: &RequestContext<RoleServer>,
    work: impl Future<Output = Result<T, Problem>>,
) -> Result<T, Problem> {
    tokio::select! {
        outcome = work => outcome,
        () = context.ct.cancelled() => Err(Problem::cancelled()),
    }
}
