//! Limits of one program.

use std::time::Duration;

/// Time limit of one program, unless the worker sets a shorter one.
pub(crate) const TIME: Duration = Duration::from_secs(5);
/// Maximum bytes of a program's text.
pub(crate) const PROGRAM: usize = 16 * 1024;
/// Maximum bytes of all results together.
pub(crate) const OUTPUT: usize = 16 * 1024 * 1024;
/// Maximum bytes of memory of the child process.
#[cfg(unix)]
pub(crate) const MEMORY: u64 = 512 * 1024 * 1024;
/// Bytes of stack for the program. The interpreter recurses as deeply as its data are nested.
pub(crate) const STACK: usize = 64 * 1024 * 1024;
/// Maximum number of programs of one worker that run at the same time.
pub(crate) const SIDE_BY_SIDE: usize = 4;
/// Maximum bytes of a response: the results, and a few bytes around each of them.
pub(crate) const RESPONSE: u64 = 4 * OUTPUT as u64;
