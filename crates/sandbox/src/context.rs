//! Context of a request. A response depends only on this context and on the arguments of the request.

use std::ops::Deref;

use crypto_intel_world as world;

use crate::cursor::Cursors;

/// Data that determine the response to one request, in addition to the arguments of the request.
#[derive(Debug)]
pub(crate) struct Context<'a> {
    /// Random seed, time and active scenarios, on which all generated data depend.
    pub(crate) world: world::Context,
    pub(crate) cursors: &'a Cursors,
    /// Number that is different for each request. Values that must differ between equal requests, such as cursors,
    /// depend on this number.
    pub(crate) nonce: u64,
    pub(crate) credits_used: i64,
    pub(crate) cached: bool,
    /// Text of the chat answer, if an [`Override`](crate::Override) sets it.
    pub(crate) text: Option<String>,
}

impl<'a> Context<'a> {
    /// Creates the context of a request that is not charged.
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
