//! Limits of one jq program.

use std::time::Duration;

/// Time limit of one program, unless the worker sets a shorter one.
pub(crate) const TIME: Duration = Duration::from_secs(5);
/// Maximum length of a program's text in bytes.
pub(crate) const PROGRAM: usize = 16 * 1024;
/// Maximum length of all results of one program together, in bytes.
pub(crate) const OUTPUT: usize = 16 * 1024 * 1024;
/// Maximum memory of the child process in bytes.
#[cfg(unix)]
pub(crate) const MEMORY: u64 = 512 * 1024 * 1024;
/// Stack size, in bytes, of the thread that runs the program. The stack is large because the interpreter recurses into
/// nested data.
pub(crate) const STACK: usize = 64 * 1024 * 1024;
/// Maximum number of programs of one worker that run at the same time.
pub(crate) const SIDE_BY_SIDE: usize = 4;
/// Maximum length of a worker's response in bytes. A few bytes surround each result, so this limit is larger than
/// [`OUTPUT`].
pub(crate) const RESPONSE: u64 = 4 * OUTPUT as u64;
