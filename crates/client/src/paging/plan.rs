//! Which page of a list is asked for next. Pure: it sends nothing.

use std::collections::HashSet;

use crypto_intel_core::{Call, Error, ErrorKind, Paged};
use serde::Serialize;

use super::limits::{Limits, Reached, Taken, number, page_size};
use super::pager::Pager;
use super::position::{At, Seen, next, placed, unclear};
use super::token::{ResumeToken, Unfinished, fingerprint};
use crate::credits::{Estimate, price_of};

/// The pages of a list that were asked for and those that are to come.
pub(super) struct Plan {
    template: Call,
    /// Fingerprint of the list, which its tokens carry.
    list: u64,
    pub(super) limits: Limits,
    pub(super) side_by_side: usize,
    price: Estimate,
    page_size: Option<u64>,
    /// Pages that were asked for.
    pages: u64,
    /// Rows that came.
    pub(super) received: u64,
    /// Rows of the whole list, as the last page reported them.
    pub(super) total: Option<u64>,
    /// Rows that pages under way are taken to hold: those of full pages.
    expected: u64,
    /// Pages without a row, since the last row.
    empty: u64,
    /// Places that the service has led to.
    places: HashSet<At>,
    course: Course,
}

/// How a list goes on.
#[derive(Debug)]
enum Course {
    /// Page by page, each known from the one before; `None` while that is under way.
    Follow(Option<At>),
    /// By number up to a known total, in pages of one size that can be asked for side by side.
    Count { next: u64, end: u64, size: u64 },
    /// Nothing more is asked for. What came is followed by this error.
    Closed(Option<Error>),
}

impl Plan {
    pub(super) fn new<R>(pager: Pager<R>) -> Self {
        let course = match pager.start {
            Ok((at, _)) => Course::Follow(Some(at)),
            Err(error) => Course::Closed(Some(error)),
        };
        let (limits, side_by_side) = (pager.limits, pager.side_by_side);
        Plan { limits, side_by_side, course, ..Plan::of_call(pager.call) }
    }

    /// The whole list of a call, page by page.
    fn of_call(call: Call) -> Self {
        Plan {
            price: price_of(&call),
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

    /// Where the list of `call` goes on after the page that answered it.
    pub(super) fn after_answer(
        call: &Call,
        page: &impl Paged<Item: Serialize>,
    ) -> Option<ResumeToken> {
        Plan::of_call(call.clone()).take(&At::Start, page, 0)
    }

    /// The limit that forbids another page.
    pub(super) fn limit_reached(&self) -> Option<Reached> {
        self.limits.reached(Taken { items: self.received, pages: self.pages }, self.price)
    }

    /// Begins elsewhere. Only before the first request.
    pub(super) fn begin_at(&mut self, at: At) {
        self.course = Course::Follow(Some(at));
    }

    /// Asks for nothing more.
    pub(super) fn close(&mut self) {
        self.course = Course::Closed(None);
    }

    pub(super) fn is_closed(&self) -> bool {
        matches!(self.course, Course::Closed(_))
    }

    /// The error that the list ends with, once everything that came was given out.
    pub(super) fn end(&mut self) -> Option<Error> {
        match &mut self.course {
            Course::Closed(error) => error.take(),
            Course::Follow(_) | Course::Count { .. } => None,
        }
    }

    pub(super) fn operation(&self) -> &'static crypto_intel_core::Operation {
        self.template.operation()
    }

    /// Pages that were asked for.
    pub(super) fn pages(&self) -> u64 {
        self.pages
    }

    /// A token for this place, `skip` rows of whose page were taken.
    pub(super) fn token(&self, at: At, skip: u64) -> ResumeToken {
        ResumeToken::new(self.operation(), self.list, at, skip)
    }

    /// The next call to send, if its place is known and the limits allow it.
    pub(super) fn next_call(&mut self, under_way: usize) -> Option<(At, Call)> {
        let taken = Taken { items: self.received.saturating_add(self.expected), pages: self.pages };
        if under_way >= self.side_by_side || !self.limits.allow(taken, self.price) {
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

        match placed(self.template.clone(), &at) {
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

    /// Takes in the page that began at `at`, and says where to go on after it.
    pub(super) fn take(
        &mut self,
        at: &At,
        page: &impl Paged<Item: Serialize>,
        under_way: usize,
    ) -> Option<ResumeToken> {
        let paging = self.operation().paging;
        let position = page.position();
        let last = page.items().last();
        let seen = Seen {
            at,
            offset: paging.offset().and_then(|offset| number(&self.template, offset)),
            limit: self.page_size,
            most: self.template.operation().largest_page(),
            rows: page.items().len() as u64,
            position: &position,
            last: &|name| member(last?, name),
        };

        let following = next(paging, &seen);
        self.total = seen.total().or(self.total);
        self.received = self.received.saturating_add(seen.rows);
        self.course = match std::mem::replace(&mut self.course, Course::Closed(None)) {
            Course::Follow(_) => self.follow(&seen, following.as_ref()),
            Course::Count { next, end, size } => {
                self.expected = self.expected.saturating_sub(size);
                let end = seen.total().map_or(end, |total| total.min(end));
                count(&seen, following.as_ref(), under_way, (next, end, size))
            }
            closed @ Course::Closed(_) => closed,
        };
        self.check_progress(seen.rows, following.as_ref(), under_way);

        match (&self.course, following) {
            (_, Some(at)) => Some(self.token(at, 0)),
            (Course::Closed(Some(error)), None) => ResumeToken::of(error).cloned(),
            _ => None,
        }
    }

    /// From the first page on, pages by offset of a known total are known by their number.
    fn follow(&mut self, seen: &Seen<'_>, following: Option<&At>) -> Course {
        match (following, seen.total()) {
            (None, _) => Course::Closed(self.unclear_end(seen)),
            // A total that the list goes on beyond is none.
            (Some(At::Offset(next)), Some(end)) if end > *next => {
                let size = seen.step();
                self.page_size = Some(size);
                Course::Count { next: *next, end, size }
            }
            (Some(again @ (At::Token(_) | At::Keys(_))), _)
                if !self.places.insert(again.clone()) =>
            {
                // The rows of this page are good: the error comes after them.
                let message =
                    "the service gave a cursor for the second time, which would go in a circle";
                Course::Closed(Some(self.service_error(message)))
            }
            (Some(at), _) => Course::Follow(Some(at.clone())),
        }
    }

    /// The error of a list that may go on, in which case the last page says where, but cannot be
    /// read. That page is the place to resume from, once it can be.
    fn unclear_end(&self, seen: &Seen<'_>) -> Option<Error> {
        let member = unclear(self.operation().paging, seen)?;
        let message = format!(
            "`{member}` of the last page is not of its type, so it is not known whether more rows \
             follow; the resume token leads behind the rows that came"
        );

        let cause = Unfinished(self.token(seen.at.clone(), seen.rows));
        Some(self.service_error(message).with_source(cause))
    }

    /// Ends a list that goes on and on without a row: each of its pages may cost.
    fn check_progress(&mut self, rows: u64, following: Option<&At>, under_way: usize) {
        self.empty = if rows == 0 { self.empty + 1 } else { 0 };
        let goes_on = match &self.course {
            Course::Follow(next) => next.is_some(),
            Course::Count { next, end, .. } => next < end || under_way > 0,
            Course::Closed(_) => false,
        };

        if let (true, Some(at)) = (goes_on && self.empty >= self.limits.empty_pages, following) {
            let message = format!(
                "{} pages in a row without a row, and the service says that more follow; go on \
                 with the resume token, or allow more with `max_empty_pages`",
                self.empty
            );
            let cause = Unfinished(self.token(at.clone(), 0));
            let error = self.service_error(message).with_source(cause);
            self.course = Course::Closed(Some(error));
        }
    }

    /// Not retryable: the list would be read, and paid for, from its beginning.
    fn service_error(&self, message: impl Into<String>) -> Error {
        Error::new(ErrorKind::Service, message)
            .with_operation(self.operation().id)
            .with_retryable(false)
    }
}

/// A page of a known total came. The total may have changed since.
fn count(
    seen: &Seen<'_>,
    following: Option<&At>,
    under_way: usize,
    (next, end, size): (u64, u64, u64),
) -> Course {
    if seen.is_last() {
        return Course::Closed(None);
    }
    if next < end || under_way > 0 {
        return Course::Count { next, end, size };
    }

    // A list that grew goes on where it would have ended, as long as there are rows.
    match following {
        Some(at) if seen.rows > 0 => Course::Follow(Some(at.clone())),
        _ => Course::Closed(None),
    }
}

/// A member of a row as text.
fn member(row: &impl Serialize, name: &str) -> Option<String> {
    match serde_json::to_value(row).ok()?.get(name)? {
        serde_json::Value::String(text) => Some(text.clone()),
        serde_json::Value::Null => None,
        other => Some(other.to_string()),
    }
}
