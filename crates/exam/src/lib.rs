//! An exam for agents. Its tasks are questions in plain words about the data of the sandbox. Any MCP client can take
//! the exam.
//!
//! The examiner's process computes the right answers during the exam. Each seed gives a new exam. The examined program
//! can read neither the seed nor the answers, because only the examiner's process can reach the sandbox. The scripted
//! strategies ([`Strategy`]) use only the MCP tools. They prove that the tasks are solvable, and show the cost of a
//! solution.
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
