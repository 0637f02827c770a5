//! What every answer depends on besides its arguments.

use crate::random::Seed;

/// The world at one moment.
#[derive(Debug, Clone, Copy)]
pub struct Context {
    /// From which everything is invented.
    pub seed: Seed,
    /// The time, in Unix seconds.
    pub now: i64,
}
