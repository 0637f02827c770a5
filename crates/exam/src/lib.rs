//! An exam for agents: tasks in plain words about the sandbox's data, for any program that speaks
//! MCP.
//!
//! The right answers are computed from the sandbox at run time, without the MCP server. So each
//! seed is a new exam, and answers cannot be memorised. Each task has a scripted solution that uses
//! only the tools ([`solve`]). It proves that the task is solvable, and shows the minimum cost.
//!
//! ```no_run
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() {
//! use crypto_intel_exam::{JqWorker, solve};
//!
//! // An executable that runs jq programs, such as `cintel`.
//! let marks = solve(7, Some("btc-price"), &JqWorker::new("cintel")).await;
//! assert!(marks[0].right, "{:?}", marks[0]);
//! println!("{} calls, {} credits, {} tokens", marks[0].calls, marks[0].credits, marks[0].tokens);
//! # }
//! ```
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]

mod judge;
mod report;
mod run;
mod sandbox;
mod task;
mod task_environment;
mod tasks;
mod tools;
mod world;

pub use crypto_intel_mcp::JqWorker;
pub use judge::agrees;
pub use report::{Mark, table};
pub use run::{Candidate, run};
pub use task::Task;
pub use tasks::all;

use task_environment::TaskEnvironment;
use tools::Tools;

/// Solves the tasks of a seed by script, or only the task named `only`.
pub async fn solve(seed: u64, only: Option<&str>, jq_worker: &JqWorker) -> Vec<Mark> {
    let mut marks = Vec::new();
    for task in all().iter().filter(|task| only.is_none_or(|id| id == task.id)) {
        let environment = match TaskEnvironment::start(seed, task, jq_worker).await {
            Ok(environment) => environment,
            Err(error) => {
                marks.push(Mark::failed(task, seed, error.to_string()));
                continue;
            }
        };

        let tools = Tools::connect(environment.server.clone()).await;
        let answer = match tools {
            Ok(tools) => (task.solve)(&tools).await,
            Err(error) => Err(error),
        };
        marks.push(environment.mark(task, answer).await);
    }
    marks
}
