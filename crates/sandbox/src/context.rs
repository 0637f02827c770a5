//! Context of a response: all data on which it depends, except its arguments.

use std::ops::Deref;

use crypto_intel_world as world;

use crate::cursor::Cursors;

/// Context of one request.
#[derive(Debug)]
pub(crate) struct Context<'a> {
    /// The world at the time of the request.
    pub(crate) world: world::Context,
    pub(crate) cursors: &'a Cursors,
    /// Random value of the request. Parts of a response that differ in each response of the service depend on it.
    pub(crate) nonce: u64,
    pub(crate) credits_used: i64,
    pub(crate) cached: bool,
    /// Text that an override sets for a chat answer.
    pub(crate) text: Option<String>,
}

impl<'a> Context<'a> {
    /// Returns the context of a call that costs nothing.
    pub(crate) fn new(world: world::Context, cursors: &'a Cursors) -> Self {
        Context { world, cursors, nonce: 0, credits_used: 0, cached: false, text: None }
    }
}

impl Deref for Context<'_> {
    type Target = world::Context;

    fn deref(&self) -> &world::Context {
        &self.world
    }
}
