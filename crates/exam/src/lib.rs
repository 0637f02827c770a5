//! An exam for agents: tasks in plain words about the sandbox's data, for any program that speaks
//! MCP.
//!
//! The right answers are computed during the exam, in the examiner's process and without the MCP server. Each seed is
//! a new exam, and an examinee can read neither the seed nor the answers, because the sandbox has no socket. Scripted
//! strategies ([`Strategy`]) use only the tools. They prove that the tasks are solvable, and show the cost.
//!
//! ```no_run
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), String> {
//! use crypto_intel_exam::{Exam, JqWorker, Strategy};
//!
//! // An executable that runs jq programs, such as `cintel`.
//! let worker = JqWorker::new("cintel");
//! let marks = Exam::with_seed(7).solve(Strategy::Frugal, Some("price"), &worker).await?;
//! assert!(marks[0].right, "{:?}", marks[0]);
//! println!("{} calls, {} credits, {} tokens", marks[0].calls, marks[0].credits, marks[0].tokens);
//! # Ok(())
//! # }
//! ```
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]

mod exam;
mod interference;
mod judge;
mod plan;
mod report;
mod run;
mod sandbox;
mod secrecy;
mod seed;
mod strategy;
mod tables;
mod task;
mod task_environment;
mod template;
mod tools;
mod world;

pub use crypto_intel_mcp::JqWorker;
pub use exam::Exam;
pub use judge::agrees;
pub use report::{Mark, Score, table};
pub use run::{Candidate, run};
pub use strategy::Strategy;
pub use task::{Kind, Task, tasks};
