//! Context of a request. With the arguments of the request, it contains all data on which the response depends.

use std::ops::Deref;

use crypto_intel_world as world;

use crate::cursor::Cursors;

/// Context of one request, on which the response depends.
#[derive(Debug)]
pub(crate) struct Context<'a> {
    /// Random seed, time and active scenarios, on which all generated data depend.
    pub(crate) world: world::Context,
    pub(crate) cursors: &'a Cursors,
    /// Number that is different for each request. Values that must differ between equal requests, such as cursors,
    /// depend on it.
    pub(crate) nonce: u64,
    pub(crate) credits_used: i64,
    pub(crate) cached: bool,
    /// Text of the chat answer, if an [`Override`](crate::Override) sets it.
    pub(crate) text: Option<String>,
}

impl<'a> Context<'a> {
    /// Returns the context of a request that costs nothing.
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
