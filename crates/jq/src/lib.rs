//! Runs jq programs in a child process.
//!
//! A jq program may be written by a language model that has read any text. A few characters are enough to use all
//! memory (`"a" * 10000000000`), to overflow the stack (100,000 nested brackets in `fromjson`) or to run forever
//! (`repeat(.)`). The first two abort the process that runs the program, so programs run in a separate process.
//!
//! [`Worker`] starts the caller's own executable once for each program. The child recognises its
//! role with [`is_worker`], limits itself and runs the program in [`run_worker`]:
//!
//! ```no_run
//! // At the start of `main`.
//! if crypto_intel_jq::is_worker() {
//!     return crypto_intel_jq::run_worker();
//! }
//! // Later: `Worker::new(std::env::current_exe()?)`.
//! ```
//!
//! # Limits
//! Five seconds, 16 MiB of output, 16 KiB of program text and, on Unix, 512 MiB of memory. Systems without
//! `setrlimit` limit only time and output. At most four programs of one worker run at the same time; others wait.
//!
//! # Language
//! All features of jaq, including definitions and endless generators, with two exceptions: a program has no input
//! except its data, and no output except its results. `env` and `$ENV` are empty; `input`, `debug`, `stderr`, `halt`
//! and modules are not defined. [`HELPERS`] lists the additional functions.
//!
//! `tests/differential/` has about 480 programs with the results of jq 1.6, and a list of programs whose results
//! differ. The intended difference is that numbers keep their digits: `1.50` stays `1.50`.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![warn(missing_docs)]

mod assignment;
mod error;
mod limits;
mod message;
mod process;
mod program;
mod worker;

pub use error::{Error, ErrorKind, Json};
pub use process::Worker;
pub use program::HELPERS;
pub use worker::{is_worker, run_worker};
