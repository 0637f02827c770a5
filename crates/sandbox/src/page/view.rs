//! Data from which the sandbox's web page is rendered.

use std::net::IpAddr;

use crate::account::{Accounts, Identity};
use crate::control::Desk;
use crate::log::Arrived;

/// State of a sandbox at the time of a request for its web page.
pub(crate) struct View<'a> {
    pub(crate) accounts: &'a mut Accounts,
    pub(crate) requests: &'a [Arrived],
    pub(crate) served: u64,
    /// Current time of the sandbox's clock in Unix milliseconds.
    pub(crate) now: i64,
    pub(crate) peer: IpAddr,
    /// Faults, scenarios and overrides of the sandbox. The page lists the faults and the scenarios, but not the
    /// overrides.
    pub(crate) desk: Desk<'a>,
    /// Token that requests for the control paths, such as `/sandbox/faults`, must contain. `None` if these paths are
    /// disabled. The HTML of the page contains the token. Web pages of other hosts cannot read this HTML.
    pub(crate) token: Option<&'a str>,
}

impl View<'_> {
    /// Returns the remaining free credits of the IP address that requested the page.
    pub(super) fn free_remaining(&mut self) -> Option<i64> {
        self.accounts.balance(&Identity::Address(self.peer), self.now).free_remaining
    }
}
