//! Definition of a task.

use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::tools::Tools;
use crate::world::World;

/// A computed answer, or the reason why there is none.
pub(crate) type Outcome = Result<Value, String>;

/// A task of the exam.
pub struct Task {
    /// Name of the task.
    pub id: &'static str,
    /// The question, with the required form of the answer.
    pub question: &'static str,
    /// Maximum cost in credits; the server rejects calls beyond it.
    pub credits: u64,
    /// Fault that the sandbox injects, in the sandbox's syntax.
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

/// Credit limit of tasks without a tight budget. It is far more than any task needs.
pub(crate) const PLENTY: u64 = 200;

/// Builds a task from its parts. The two solutions are async blocks over `w`, the sandbox's data,
/// and `t`, the tools.
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
