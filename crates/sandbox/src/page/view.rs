//! Data that the page is rendered from.

use std::net::IpAddr;

use crate::account::{Accounts, Identity};
use crate::control::Desk;
use crate::log::Arrived;

/// State of a sandbox at one time, for the page.
pub(crate) struct View<'a> {
    pub(crate) accounts: &'a mut Accounts,
    pub(crate) requests: &'a [Arrived],
    pub(crate) served: u64,
    /// Current time in Unix milliseconds.
    pub(crate) now: i64,
    pub(crate) peer: IpAddr,
    /// Settings that the page can change.
    pub(crate) desk: Desk<'a>,
    /// Token of the control paths, if they are enabled. Only pages of this machine can read it.
    pub(crate) token: Option<&'a str>,
}

impl View<'_> {
    /// Returns the remaining credits of the free allowance of the viewer.
    pub(super) fn free_remaining(&mut self) -> Option<i64> {
        self.accounts.balance(&Identity::Address(self.peer), self.now).free_remaining
    }
}
