//! The engine from outside.
#![expect(unreachable_pub, reason = "the fixture is shared with an example")]

mod fixture;
mod mutations;
mod oracle;
mod windows;
