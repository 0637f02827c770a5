//! The streams: pages as they are needed, and rows out of pages.

use std::collections::{HashSet, VecDeque};
use std::pin::Pin;
use std::task::{Context, Poll};

use crypto_intel_core::{
    BoxFuture, Call, Error, Kind, Paged, PagedRequest, Paging, Position, Reply, Value,
};
use futures_core::Stream;
use futures_util::stream::FuturesOrdered;
use futures_util::{FutureExt, StreamExt};
use serde::Serialize;

use super::limits::{Limits, Taken};
use super::position::{At, ResumeToken, Seen, next};
use super::{Item, Pager, page_size};
use crate::credits::{Estimate, price_of};

/// One page.
#[derive(Debug)]
#[non_exhaustive]
pub struct Page<T> {
    /// The page as it was answered.
    pub reply: Reply<T>,
    /// Where to go on after this page; `None` at the end of the list.
    pub resume: Option<ResumeToken>,
    /// Where this page began.
    begin: At,
}

type Fetched<T> = (At, Result<Reply<T>, Error>);

/// The pages of a list, in order.
///
/// When a page is given out the next request has been sent already, and proceeds while the page
/// is read.
#[must_use = "a stream does nothing until it is polled"]
pub struct Pages<R: PagedRequest> {
    template: Call,
    limits: Limits,
    side_by_side: usize,
    price: Estimate,
    page_size: Option<u64>,
    /// Where the next request begins; `None` while that is not known, and at the end.
    next: Option<At>,
    /// Offset at which a known total ends.
    end: Option<u64>,
    asked: Taken,
    under_way: FuturesOrdered<BoxFuture<Fetched<R::Answer>>>,
    ready: VecDeque<Fetched<R::Answer>>,
    tokens: HashSet<String>,
    failed: Option<Error>,
    over: bool,
}

impl<R> Pages<R>
where
    R: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
{
    pub(super) fn new(pager: Pager<R>) -> Self {
        let (next, failed) = match pager.start {
            Ok((at, _)) => (Some(at), None),
            Err(error) => (None, Some(error)),
        };
        Pages {
            price: price_of(&pager.call),
            page_size: page_size(&pager.call),
            template: pager.call,
            limits: pager.limits,
            side_by_side: pager.side_by_side,
            next,
            end: None,
            asked: Taken::default(),
            under_way: FuturesOrdered::new(),
            ready: VecDeque::new(),
            tokens: HashSet::new(),
            failed,
            over: false,
        }
    }

    /// The next page, or `None` at the end.
    ///
    /// # Errors
    /// That of the request; nothing more is asked for after it.
    pub async fn try_next(&mut self) -> Result<Option<Page<R::Answer>>, Error> {
        self.next().await.transpose()
    }

    /// Sends requests as far as the next places are known and the limits allow.
    fn send(&mut self) {
        while self.under_way.len() + self.ready.len() < self.side_by_side {
            let Some(at) = self.next.take() else { return };
            if !self.limits.allow(self.asked, self.price) {
                return;
            }
            self.asked.pages += 1;
            // Side by side, the rows of the pages under way are taken to be full pages.
            if let (At::Offset(offset), Some(end), Some(size)) = (&at, self.end, self.page_size) {
                self.asked.items += size;
                self.next = offset.checked_add(size).filter(|next| *next < end).map(At::Offset);
            }
            let call = placed(self.template.clone(), &at);
            self.under_way.push_back(call.send().map(move |reply| (at, reply)).boxed());
        }
    }

    /// Takes in a page: where the list goes on, and whether it may.
    fn take(&mut self, at: At, reply: Reply<R::Answer>) -> Result<Page<R::Answer>, Error> {
        let paging = self.template.operation().paging;
        let position = reply.position();
        let rows = reply.items().len() as u64;
        let last = reply.items().last();
        let member = |name: &str| member(last?, name);
        let seen =
            Seen { at: &at, limit: self.page_size, rows, position: &position, last: &member };
        let following = next(paging, &seen);
        if let Some(At::Token(token)) = &following
            && !self.tokens.insert(token.clone())
        {
            let message =
                "the service gave a cursor for the second time, which would go in a circle";
            return Err(Error::new(Kind::Service, message)
                .with_operation(self.template.operation().id)
                .with_retryable(false));
        }
        if self.end.is_none() {
            self.asked.items += rows;
            self.next = following.clone();
            self.learn_total(paging, &position, rows, following.as_ref());
        }
        let resume = following.map(|at| ResumeToken::new(self.template.operation(), at, 0));
        Ok(Page { reply, resume, begin: at })
    }

    /// From the first page on, offset pages of a known total are known by their number.
    fn learn_total(
        &mut self,
        paging: Paging,
        position: &Position,
        rows: u64,
        following: Option<&At>,
    ) {
        let (Paging::Offset { .. }, Some(At::Offset(next))) = (paging, following) else { return };
        let Some(total) = position.total.and_then(|total| u64::try_from(total).ok()) else {
            return;
        };
        let size =
            position.limit.and_then(|size| u64::try_from(size).ok()).filter(|size| *size > 0);
        self.page_size = size.or(self.page_size).or(Some(rows));
        let wanted = self
            .limits
            .items
            .map(|items| next.saturating_add(items.saturating_sub(self.asked.items)));
        self.end = Some(wanted.map_or(total, |wanted| wanted.min(total)));
    }
}

impl<R> Stream for Pages<R>
where
    R: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
{
    type Item = Result<Page<R::Answer>, Error>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        if let Some(error) = this.failed.take() {
            this.over = true;
            return Poll::Ready(Some(Err(error)));
        }
        if this.over {
            return Poll::Ready(None);
        }
        this.send();
        let fetched = match this.ready.pop_front() {
            Some(fetched) => Some(fetched),
            None => match this.under_way.poll_next_unpin(cx) {
                Poll::Ready(fetched) => fetched,
                Poll::Pending => return Poll::Pending,
            },
        };
        let Some((at, outcome)) = fetched else {
            this.over = true;
            return Poll::Ready(None);
        };
        let page = outcome.and_then(|reply| this.take(at, reply));
        if page.is_err() {
            // Nothing more is asked for; dropping cancels what is under way.
            this.over = true;
            this.under_way = FuturesOrdered::new();
            return Poll::Ready(Some(page));
        }
        this.send();
        // Polled once, a request leaves for the service and proceeds while the page is read.
        while let Poll::Ready(Some(fetched)) = this.under_way.poll_next_unpin(cx) {
            this.ready.push_back(fetched);
        }
        Poll::Ready(Some(page))
    }
}

/// The call of the page that begins at `at`.
fn placed(mut call: Call, at: &At) -> Call {
    let operation = call.operation();
    let index = |name: &str| operation.param(name).map(|(index, _)| index);
    match (operation.paging, at) {
        (Paging::Offset { offset: name, .. }, At::Offset(offset)) => {
            if let (Some(index), Ok(offset)) = (index(name), i64::try_from(*offset)) {
                call.set(index, offset);
            }
        }
        (
            Paging::Cursor { cursor: name, .. }
            | Paging::Keyset { cursor: name, .. }
            | Paging::PaginationKey { key: name, .. },
            At::Token(token),
        ) => {
            if let Some(index) = index(name) {
                call.set(index, Value::Text(token.clone()));
            }
        }
        (Paging::Keyset { .. }, At::Keys(keys)) => {
            for (name, value) in keys {
                // The text is a member of a row, so it reads as what the parameter is.
                let _ = call.set_text(name, value);
            }
        }
        _ => {}
    }
    call
}

/// A member of a row as text.
fn member(row: &impl Serialize, name: &str) -> Option<String> {
    match serde_json::to_value(row).ok()?.get(name)? {
        serde_json::Value::String(text) => Some(text.clone()),
        serde_json::Value::Null => None,
        other => Some(other.to_string()),
    }
}

/// The rows of a list, in order.
#[must_use = "a stream does nothing until it is polled"]
pub struct Items<R: PagedRequest<Answer: Paged>> {
    pages: Pages<R>,
    /// Rows of the current page that were not given out yet.
    rows: std::vec::IntoIter<Item<R>>,
    /// Where the current page began.
    begin: At,
    /// Rows of the current page that were given out or skipped.
    taken_of_page: u64,
    /// Rows to skip at the beginning of the first page.
    skip: u64,
    left: Option<u64>,
    /// Where to go on once the current page is used up.
    resume: Option<ResumeToken>,
    started: bool,
}

impl<R> Items<R>
where
    R: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
{
    pub(super) fn new(pager: Pager<R>) -> Self {
        let skip = pager.start.as_ref().map_or(0, |(_, skip)| *skip);
        let begin = pager.start.as_ref().map_or(At::Start, |(at, _)| at.clone());
        let left = pager.limits.items;
        let mut pages = Pages::new(pager);
        // Skipped rows come with the first page but are not among those wanted.
        pages.limits.items = left.map(|left| left.saturating_add(skip));
        Items {
            pages,
            rows: Vec::new().into_iter(),
            begin,
            taken_of_page: 0,
            skip,
            left,
            resume: None,
            started: false,
        }
    }

    /// The next row, or `None` at the end.
    ///
    /// # Errors
    /// That of the request for its page; the rows before it have been given out.
    pub async fn try_next(&mut self) -> Result<Option<Item<R>>, Error> {
        self.next().await.transpose()
    }

    /// Where to go on after the rows given out so far; `None` once the list is read to its end.
    #[must_use]
    pub fn resume_token(&self) -> Option<ResumeToken> {
        let operation = self.pages.template.operation();
        if self.started && self.rows.len() == 0 {
            return self.resume.clone();
        }
        Some(ResumeToken::new(operation, self.begin.clone(), self.taken_of_page.max(self.skip)))
    }

    pub(super) async fn collect_all(mut self) -> Result<Vec<Item<R>>, Error> {
        let mut rows = Vec::new();
        while let Some(row) = self.try_next().await? {
            rows.push(row);
        }
        Ok(rows)
    }
}

impl<R> Unpin for Items<R> where R: PagedRequest<Answer: Paged> {}

impl<R> Stream for Items<R>
where
    R: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
{
    type Item = Result<Item<R>, Error>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if self.left == Some(0) {
                return Poll::Ready(None);
            }
            if let Some(row) = self.rows.next() {
                self.taken_of_page += 1;
                self.left = self.left.map(|left| left - 1);
                return Poll::Ready(Some(Ok(row)));
            }
            match self.pages.poll_next_unpin(cx) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(None) => return Poll::Ready(None),
                Poll::Ready(Some(Err(error))) => return Poll::Ready(Some(Err(error))),
                Poll::Ready(Some(Ok(page))) => {
                    let skip = std::mem::take(&mut self.skip);
                    let mut rows = page.reply.into_inner().into_items();
                    rows.drain(..usize::try_from(skip).unwrap_or(usize::MAX).min(rows.len()));
                    self.rows = rows.into_iter();
                    self.begin = page.begin;
                    self.taken_of_page = skip;
                    self.resume = page.resume;
                    self.started = true;
                }
            }
        }
    }
}

impl<R: PagedRequest> Unpin for Pages<R> {}
