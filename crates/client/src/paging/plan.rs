//! Decides which page of a list the client requests next. This module sends no requests.
//!
//! The input is the settings of a [`Pager`](super::Pager) and each received page. The output is the call for the next
//! page, or the end of the list. The list can end with an error.

use std::collections::HashSet;

use crypto_intel_core::{Call, Error, ErrorKind};

use super::limits::{Counts, Limits, ReachedLimit, integer_argument, page_size};
use super::position::{Arrived, At, ReceivedPage, call_at, misses_position, next_at, wrong_field};
use super::token::{ResumeToken, Unfinished, fingerprint};
use crate::credits::{Estimate, list_price};

/// State of reading a list: the pages requested so far, and the position of the next page.
pub(super) struct PagingState {
    template: Call,
    /// Fingerprint of the list: a hash of the call's arguments. All resume tokens of the list contain it.
    list: u64,
    pub(super) limits: Limits,
    pub(super) side_by_side: usize,
    price: Estimate,
    page_size: Option<u64>,
    /// Number of pages that were requested.
    pages: u64,
    /// Number of rows that were received.
    pub(super) received: u64,
    /// Total number of rows in the list, as the service last reported it.
    pub(super) total: Option<u64>,
    /// Expected number of rows in the pages in flight: page size times number of pages.
    expected: u64,
    /// Number of consecutive pages without a row.
    empty: u64,
    /// Positions of next pages, which the received pages contained. A position is a cursor, a pagination key, or the
    /// keys of a page's last row. If a position occurs twice, the list would never end.
    places: HashSet<At>,
    course: Course,
}

/// Method of finding the position of the next page.
#[derive(Debug)]
enum Course {
    /// Each page contains the position of the next page. `None` while the last requested page is in flight.
    Follow(Option<At>),
    /// Positions are row numbers from `next` to `end`, in steps of `size` rows. The pages can be requested in parallel.
    Count { next: u64, end: u64, size: u64 },
    /// No more pages are requested. The list ends after the received rows: with this error, or without an error if the
    /// value is `None`.
    Closed(Option<Error>),
}

impl PagingState {
    pub(super) fn new(
        call: Call,
        limits: Limits,
        side_by_side: usize,
        start: Result<(At, u64), Error>,
    ) -> Self {
        let course = match start {
            Ok((at, _)) => Course::Follow(Some(at)),
            Err(error) => Course::Closed(Some(error)),
        };
        PagingState { limits, side_by_side, course, ..PagingState::from_call(call) }
    }

    /// Creates the state for reading the whole list of a call from its start, one page at a time.
    fn from_call(call: Call) -> Self {
        PagingState {
            price: list_price(&call),
            page_size: page_size(&call),
            list: fingerprint(&call),
            template: call,
            limits: Limits::default(),
            side_by_side: 1,
            pages: 0,
            received: 0,
            total: None,
            expected: 0,
            empty: 0,
            places: HashSet::new(),
            course: Course::Follow(Some(At::Start)),
        }
    }

    /// Returns the resume token for the page after the first page of a call. Returns `None` at the end of the list.
    pub(super) fn next_page_token(call: &Call, arrived: &Arrived<'_>) -> Option<ResumeToken> {
        PagingState::from_call(call.clone()).record_page(&At::Start, arrived, 0)
    }

    /// Returns the limit that forbids another page, or `None` if the limits allow another page. Rows of pages in flight
    /// are not counted.
    pub(super) fn reached_limit(&self) -> Option<ReachedLimit> {
        self.limits.reached_limit(Counts { items: self.received, pages: self.pages }, self.price)
    }

    /// Sets the position of the first page. Call this method before the first request.
    pub(super) fn start_at(&mut self, at: At) {
        self.course = Course::Follow(Some(at));
    }

    /// Ends the list: [`next_call`](Self::next_call) returns no more calls.
    pub(super) fn close(&mut self) {
        self.course = Course::Closed(None);
    }

    pub(super) fn is_closed(&self) -> bool {
        matches!(self.course, Course::Closed(_))
    }

    /// Returns the error with which the list ends, or `None`. Call this method after all received rows were returned.
    pub(super) fn take_end_error(&mut self) -> Option<Error> {
        match &mut self.course {
            Course::Closed(error) => error.take(),
            Course::Follow(_) | Course::Count { .. } => None,
        }
    }

    pub(super) fn operation(&self) -> &'static crypto_intel_core::Operation {
        self.template.operation()
    }

    /// Returns the number of pages that were requested.
    pub(super) fn pages(&self) -> u64 {
        self.pages
    }

    /// Returns a resume token for the page at `at`. Resuming skips the first `skip` rows of this page.
    pub(super) fn token(&self, at: At, skip: u64) -> ResumeToken {
        ResumeToken::new(self.operation(), self.list, at, skip)
    }

    /// Returns the position and the call of the next page. Returns `None` if the list has ended, or if the position is
    /// not yet known. Also returns `None` if enough pages are in flight, or if a limit on rows, pages or credits
    /// forbids one more page.
    pub(super) fn next_call(&mut self, under_way: usize) -> Option<(At, Call)> {
        let read = Counts { items: self.received.saturating_add(self.expected), pages: self.pages };
        if under_way >= self.side_by_side || !self.limits.allow(read, self.price) {
            return None;
        }

        let at = match &mut self.course {
            Course::Follow(next) => next.take()?,
            Course::Count { next, end, size } if *next < *end => {
                let at = At::Offset(*next);
                *next = next.saturating_add(*size);
                self.expected = self.expected.saturating_add(*size);
                at
            }
            Course::Count { .. } | Course::Closed(_) => return None,
        };

        match call_at(self.template.clone(), &at) {
            Ok(call) => {
                self.pages += 1;
                Some((at, call))
            }
            Err(error) => {
                self.course = Course::Closed(Some(error));
                None
            }
        }
    }

    /// Updates the state with a received page. `at` is the position of this page in the list. Returns the token to
    /// resume the list after this page, or `None` at the end of the list.
    pub(super) fn record_page(
        &mut self,
        at: &At,
        arrived: &Arrived<'_>,
        under_way: usize,
    ) -> Option<ResumeToken> {
        let paging = self.operation().paging;
        let page = ReceivedPage {
            at,
            offset: paging.offset().and_then(|offset| integer_argument(&self.template, offset)),
            limit: self.page_size,
            most: self.template.operation().largest_page(),
            rows: arrived.rows,
            position: &arrived.position,
            last: &*arrived.last,
        };

        let following = next_at(paging, &page);
        self.total = page.total().or(self.total);
        self.received = self.received.saturating_add(page.rows);
        self.course = match std::mem::replace(&mut self.course, Course::Closed(None)) {
            Course::Follow(_) => self.course_after_followed(&page, following.as_ref()),
            Course::Count { next, end, size } => {
                self.expected = self.expected.saturating_sub(size);
                let end = page.total().map_or(end, |total| total.min(end));
                course_after_counted(&page, following.as_ref(), under_way, (next, end, size))
            }
            closed @ Course::Closed(_) => closed,
        };
        self.check_progress(page.rows, following.as_ref());

        match (&self.course, following) {
            (_, Some(at)) => Some(self.token(at, 0)),
            (Course::Closed(Some(error)), None) => ResumeToken::from_error(error).cloned(),
            _ => None,
        }
    }

    /// Returns how the page after `page` is found. Returns [`Course::Count`] for offset paging with a known total
    /// number of rows. Returns [`Course::Closed`] at the end of the list, or if a cursor repeats. Otherwise returns
    /// [`Course::Follow`].
    fn course_after_followed(&mut self, page: &ReceivedPage<'_>, following: Option<&At>) -> Course {
        match (following, page.total()) {
            (None, _) => Course::Closed(self.unclear_end(page)),
            (Some(At::Offset(next)), Some(end)) => {
                let size = page.step();
                self.page_size = Some(size);
                Course::Count { next: *next, end, size }
            }
            (Some(again @ (At::Token(_) | At::Keys(_))), _)
                if !self.places.insert(again.clone()) =>
            {
                // The rows of this page are valid, so they are returned before the error.
                let message =
                    "the service returned the same cursor twice, so the list would never end";
                Course::Closed(Some(self.service_error(message)))
            }
            (Some(at), _) => Course::Follow(Some(at.clone())),
        }
    }

    /// Returns an error if more rows may follow the last page, but the position of the next page is unknown. The error
    /// contains a resume token that continues after the received rows.
    fn unclear_end(&self, page: &ReceivedPage<'_>) -> Option<Error> {
        let paging = self.operation().paging;
        let reason = match wrong_field(paging, page) {
            Some(member) => format!(
                "`{member}` of the last page has the wrong type, so it is unknown whether more \
                 rows follow"
            ),
            None if misses_position(paging, page) => "the last page has `has_more: true`, but \
                 the position of the next page is unknown"
                .to_owned(),
            None => return None,
        };

        let message = format!("{reason}; the resume token continues after the received rows");
        let cause = Unfinished(self.token(page.at.clone(), page.rows));
        Some(self.service_error(message).with_source(cause))
    }

    /// Ends the list with an error after too many consecutive pages without a row. Each page may cost credits, so the
    /// client limits the number of such pages.
    fn check_progress(&mut self, rows: u64, following: Option<&At>) {
        self.empty = if rows == 0 { self.empty + 1 } else { 0 };
        let goes_on = match &self.course {
            Course::Follow(next) => next.is_some(),
            // The service has already charged the pages in flight, so they are still read.
            Course::Count { next, end, .. } => next < end,
            Course::Closed(_) => false,
        };

        if let (true, Some(at)) = (goes_on && self.empty >= self.limits.empty_pages, following) {
            let message = format!(
                "{} consecutive pages were empty, but the list has more pages; continue with the resume token, or increase `max_empty_pages`",
                self.empty
            );
            let cause = Unfinished(self.token(at.clone(), 0));
            let error = self.service_error(message).with_source(cause);
            self.course = Course::Closed(Some(error));
        }
    }

    /// Creates an error that is not retryable. A retry would read the list from its beginning and pay again.
    fn service_error(&self, message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Service, message)
            .with_operation(self.operation().id)
            .with_retryable(false)
    }
}

/// Chooses how the pager finds the next page. `page` is a received page that was requested by its row numbers. The
/// first case that applies is the result:
///
/// 1. [`Course::Closed`] if the service reports that no row follows `page`.
/// 2. [`Course::Count`] if other pages with known row numbers are in flight or not yet requested.
/// 3. [`Course::Follow`] if `page` has rows and `following` is the position of a next page. For example, the list has
///    grown.
/// 4. [`Course::Closed`] in all other cases.
fn course_after_counted(
    page: &ReceivedPage<'_>,
    following: Option<&At>,
    under_way: usize,
    (next, end, size): (u64, u64, u64),
) -> Course {
    if page.is_last() {
        return Course::Closed(None);
    }
    if next < end || under_way > 0 {
        return Course::Count { next, end, size };
    }

    // If the list has grown, reading continues at its old end, as long as pages contain rows.
    match following {
        Some(at) if page.rows > 0 => Course::Follow(Some(at.clone())),
        _ => Course::Closed(None),
    }
}
