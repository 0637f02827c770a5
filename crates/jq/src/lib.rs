//! Runs jq programs in a child process.
//!
//! A jq program may be written by a language model that was influenced by untrusted text. A short program can
//! do harm in three ways:
//!
//! - `"a" * 10000000000` uses all memory.
//! - `fromjson` of 100,000 nested brackets overflows the stack.
//! - `repeat(.)` runs forever.
//!
//! The first two programs abort their process, so each program runs in a separate process.
//!
//! [`Worker`] starts the caller's own executable once for each program. In the child process, [`is_worker`] returns
//! true. [`run_worker`] then limits the resources of the process and runs the program:
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
//! Each program is limited to five seconds, 16 MiB of output, 16 KiB of program text and, on Unix, 512 MiB of memory.
//! On systems without `setrlimit`, the memory is not limited. At most four programs of one worker run at the same
//! time. Further programs wait.
//!
//! # Language
//! The interpreter is jaq. A program can read only its input data and the clock, and write only its results. Therefore
//! `env` and `$ENV` are empty, and `input`, `debug`, `stderr`, `halt` and modules are not defined. Nearly all other
//! features work, including definitions and endless generators. [`HELPERS`] contains additional functions for lists of
//! rows.
//!
//! `tests/differential/` has about 480 programs with the results of jq 1.6. It also lists the programs for which
//! `crypto_intel_jq` returns other results, with the reasons. The most frequent difference is intended: numbers keep
//! their digits, so `1.50` stays `1.50`.
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
