//! Tests of the engine's public API.
#![expect(unreachable_pub, reason = "the fixture is shared with an example")]

mod bounds;
mod fixture;
mod mutations;
mod oracle;
mod windows;
