//! Limits for reading a list.
//!
//! The input is the number of rows and pages read so far, and the list price of a page. The output is the limit that
//! forbids the next page, or `None`.

use crypto_intel_core::{Call, Value};

use crate::credits::{Credits, Estimate};

/// Limits for reading a list. The value `None` means no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Maximum number of rows to read.
    pub(crate) items: Option<u64>,
    /// Maximum number of pages to request.
    pub(crate) pages: Option<u64>,
    /// Maximum sum of the list prices of all requested pages, in credits.
    pub(crate) credits: Option<Credits>,
    /// Maximum number of consecutive pages without a row.
    pub(crate) empty_pages: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { items: None, pages: None, credits: None, empty_pages: 5 }
    }
}

/// Numbers of rows and pages that count towards the limits. Pages in flight count too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Counts {
    pub(crate) items: u64,
    pub(crate) pages: u64,
}

/// Limit that ended the reading of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReachedLimit {
    /// The maximum number of rows or pages.
    Length,
    /// The maximum sum of the list prices of all requested pages, in credits.
    Credits,
}

impl Limits {
    /// Returns true if the limits allow one more page. `read` is the number of rows and pages so far, and `price` is
    /// the list price of a page.
    pub(crate) fn allow(&self, read: Counts, price: Estimate) -> bool {
        self.reached_limit(read, price).is_none()
    }

    /// Returns the limit that forbids one more page, or `None`. An unpublished list price counts as 0 credits, so the
    /// credit limit has no effect without a published price.
    pub(crate) fn reached_limit(&self, read: Counts, price: Estimate) -> Option<ReachedLimit> {
        let after = price.times(read.pages + 1).credits().unwrap_or_default();
        if self.items.is_some_and(|limit| read.items >= limit)
            || self.pages.is_some_and(|limit| read.pages >= limit)
        {
            return Some(ReachedLimit::Length);
        }
        self.credits.filter(|limit| after > *limit).map(|_| ReachedLimit::Credits)
    }
}

/// Returns the integer argument of a call for this parameter. Returns `None` if the argument is missing or negative.
pub(crate) fn integer_argument(call: &Call, name: &str) -> Option<u64> {
    match call.get(name) {
        Some(Value::Integer(number)) => u64::try_from(*number).ok(),
        _ => None,
    }
}

/// Returns the page size that the call sets. If the call sets none, returns the default value of the page size
/// parameter from the OpenAPI document.
pub(crate) fn page_size(call: &Call) -> Option<u64> {
    let limit = call.operation().paging.limit()?;
    let default = || call.operation().param(limit)?.1.default?.parse().ok();
    integer_argument(call, limit).or_else(default)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_beyond_limit_is_not_allowed() {
        let two = Estimate::Exactly(Credits(2));
        let read = Counts { items: 20, pages: 2 };
        let items = |items| Limits { items: Some(items), ..Limits::default() };
        let pages = |pages| Limits { pages: Some(pages), ..Limits::default() };
        let credits = |credits| Limits { credits: Some(Credits(credits)), ..Limits::default() };
        for (limits, price, allowed) in [
            (Limits::default(), two, true),
            (items(21), two, true),
            (items(20), two, false),
            (pages(3), two, true),
            (pages(2), two, false),
            (credits(6), two, true),
            (credits(5), two, false),
            (credits(0), Estimate::Unknown, true),
        ] {
            assert_eq!(limits.allow(read, price), allowed, "{limits:?} {price}");
        }
    }
}
