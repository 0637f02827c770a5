//! Limits of one program.

use std::time::Duration;

/// Time that one program may take, unless the worker sets less.
pub(crate) const TIME: Duration = Duration::from_secs(5);
/// Bytes of the text of a program.
pub(crate) const PROGRAM: usize = 16 * 1024;
/// Bytes of all results together.
pub(crate) const OUTPUT: usize = 16 * 1024 * 1024;
/// Bytes of memory of the child.
#[cfg(unix)]
pub(crate) const MEMORY: u64 = 512 * 1024 * 1024;
/// Bytes of stack for the program: the interpreter recurses as deeply as its data nests.
pub(crate) const STACK: usize = 64 * 1024 * 1024;
/// Programs of one worker that run at the same time.
pub(crate) const SIDE_BY_SIDE: usize = 4;
/// Bytes of a response: the results, and a few bytes around each of them.
pub(crate) const RESPONSE: u64 = 4 * OUTPUT as u64;
