//! Tests of the public API of the engine.
#![expect(unreachable_pub, reason = "the fixture is shared with an example")]

mod bounds;
mod fixture;
mod json_table;
mod mutations;
mod oracle;
mod outcome;
mod parsed;
mod refusals;
mod windows;
