//! What a task is.

use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::tools::Tools;
use crate::world::World;

/// What is computed, or why not.
pub(crate) type Outcome = Result<Value, String>;

/// One task.
pub struct Task {
    /// Its name.
    pub id: &'static str,
    /// What it asks, with the form of the answer.
    pub question: &'static str,
    /// Credits that it may cost; the server refuses more.
    pub credits: u64,
    /// What goes wrong meanwhile, as the sandbox writes its faults.
    pub fault: Option<&'static str>,
    pub(crate) truth: for<'a> fn(&'a World) -> BoxFuture<'a, Outcome>,
    pub(crate) solve: for<'a> fn(&'a Tools) -> BoxFuture<'a, Outcome>,
}

impl std::fmt::Debug for Task {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Task")
            .field("id", &self.id)
            .field("question", &self.question)
            .finish_non_exhaustive()
    }
}

/// Credits of a task that does not limit them: far more than any needs.
pub(crate) const PLENTY: u64 = 200;

/// A task from its parts: the two ways are async blocks over `w`, the world, and `t`, the tools.
macro_rules! task {
    ($id:literal, $question:literal, truth |$w:ident| $truth:block, solve |$t:ident| $solve:block $(, credits $credits:literal)? $(, fault $fault:literal)?) => {{
        #[allow(unused_mut, unused_assignments, reason = "only some tasks have a limit or a fault")]
        {
            let mut credits = crate::task::PLENTY;
            let mut fault = None;
            $(credits = $credits;)?
            $(fault = Some($fault);)?
            crate::task::Task {
                id: $id,
                question: $question,
                credits,
                fault,
                truth: |$w| Box::pin(async move { $truth }),
                solve: |$t| Box::pin(async move { $solve }),
            }
        }
    }};
}
pub(crate) use task;
