//! What an answer depends on besides the parameters.

use crate::cursor::Cursors;
use crate::random::Seed;

/// The surroundings of one request.
#[derive(Debug)]
pub(crate) struct Context<'a> {
    pub(crate) seed: Seed,
    pub(crate) cursors: &'a Cursors,
    /// Unix seconds.
    pub(crate) now: i64,
    /// Differs from request to request; only for what the service does not repeat either.
    pub(crate) nonce: u64,
    pub(crate) credits_used: i64,
    pub(crate) cached: bool,
}
