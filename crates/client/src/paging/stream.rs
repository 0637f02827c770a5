//! The streams: pages as they are needed, and rows out of pages.

use std::collections::{HashSet, VecDeque};
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use crypto_intel_core::{
    BoxFuture, Call, Error, ErrorKind, IdleTime, Paged, PagedRequest, Paging, Position, Reply,
};
use futures_core::Stream;
use futures_util::stream::FuturesOrdered;
use futures_util::{FutureExt, StreamExt};
use serde::Serialize;
use tokio::time::Instant;

use super::limits::{Limits, Taken, number};
use super::position::{At, ResumeToken, Seen, fingerprint, natural, next, placed};
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
/// is read. Dropping the stream cancels the requests under way.
#[must_use = "a stream does nothing until it is polled"]
pub struct Pages<R: PagedRequest> {
    template: Call,
    /// What tells tokens of this list from those of others.
    list: u64,
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
    /// Places that the service has led to.
    places: HashSet<At>,
    failed: Option<Error>,
    over: bool,
    /// Time in which nobody waited for a page.
    idle: IdleTime,
    /// Since when nobody waits.
    away: Option<Instant>,
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
            list: fingerprint(&pager.call),
            places: next.iter().cloned().collect(),
            template: pager.call,
            limits: pager.limits,
            side_by_side: pager.side_by_side,
            next,
            end: None,
            asked: Taken::default(),
            under_way: FuturesOrdered::new(),
            ready: VecDeque::new(),
            failed,
            over: false,
            idle: IdleTime::new(),
            away: None,
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
        while self.under_way.len() + self.ready.len() < self.side_by_side
            && self.limits.allow(self.asked, self.price)
        {
            let Some(at) = self.next.take() else { return };
            let mut call = match placed(self.template.clone(), &at) {
                Ok(call) => call,
                Err(error) => {
                    self.failed = Some(error);
                    return;
                }
            };
            call.set_idle_time(self.idle.clone());
            self.asked.pages += 1;
            // Side by side, the pages under way are taken to be full until they come.
            if let (At::Offset(offset), Some(end), Some(size)) = (&at, self.end, self.page_size) {
                self.asked.items = self.asked.items.saturating_add(size);
                self.next = offset.checked_add(size).filter(|next| *next < end).map(At::Offset);
            }
            self.under_way.push_back(call.send().map(move |reply| (at, reply)).boxed());
        }
    }

    /// Takes in a page: where the list goes on, and whether it may.
    fn take(&mut self, at: At, reply: Reply<R::Answer>) -> Page<R::Answer> {
        let paging = self.template.operation().paging;
        let position = reply.position();
        let rows = reply.items().len() as u64;
        let last = reply.items().last();
        let member = |name: &str| member(last?, name);
        let seen = Seen {
            at: &at,
            offset: match paging {
                Paging::Offset { offset, .. } => number(&self.template, offset),
                _ => None,
            },
            limit: self.page_size,
            rows,
            position: &position,
            last: &member,
        };
        let following = next(paging, &seen);
        match (&following, self.end) {
            (Some(again @ (At::Token(_) | At::Keys(_))), _)
                if !self.places.insert(again.clone()) =>
            {
                // The rows of this page are good: the error comes after them.
                let message =
                    "the service gave a cursor for the second time, which would go in a circle";
                self.failed = Some(
                    Error::new(ErrorKind::Service, message)
                        .with_operation(self.template.operation().id)
                        .with_retryable(false),
                );
            }
            (_, None) => {
                self.asked.items = self.asked.items.saturating_add(rows);
                self.next = following.clone();
                self.learn_total(paging, &position, rows, following.as_ref());
            }
            (_, Some(_)) => self.follow_total(&at, &position, rows, following.as_ref()),
        }
        let token = |at| ResumeToken::new(self.template.operation(), self.list, at, 0);
        Page { reply, resume: following.map(token), begin: at }
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
        // One that the list goes on beyond is no total.
        let Some(total) = natural(position.total).filter(|total| total > next) else { return };
        let size = natural(position.limit).filter(|size| *size > 0).or(self.page_size);
        self.page_size = Some(size.unwrap_or(0).max(rows));
        self.end = Some(total);
    }

    /// A page of a known total came. It was counted as a full one, which a filter may have thinned,
    /// and the total may have changed since.
    fn follow_total(&mut self, at: &At, position: &Position, rows: u64, following: Option<&At>) {
        let full = self.page_size.unwrap_or(rows);
        self.asked.items = self.asked.items.saturating_sub(full).saturating_add(rows);
        let At::Offset(begin) = at else { return };
        let total = natural(position.total)
            .filter(|total| *total >= begin.saturating_add(rows) || rows == 0);
        if let Some(total) = total {
            self.next = self.next.take().filter(|at| !matches!(at, At::Offset(at) if *at >= total));
        }
        // A list that grew goes on where it would have ended, as long as there are rows.
        let is_last = self.next.is_none() && self.under_way.is_empty() && self.ready.is_empty();
        if is_last && rows > 0 {
            self.next = following.cloned();
            self.end = total.or(self.end);
        }
    }
}

impl<R> Stream for Pages<R>
where
    R: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
{
    type Item = Result<Page<R::Answer>, Error>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        if let Some(since) = this.away.take() {
            this.idle.add(since.elapsed());
        }
        let page = this.poll_page(cx);
        if page.is_ready() {
            this.away = Some(Instant::now());
        }
        page
    }
}

impl<R> Pages<R>
where
    R: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
{
    fn poll_page(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Page<R::Answer>, Error>>> {
        let this = self;
        if this.over {
            return Poll::Ready(None);
        }
        this.send();
        if let Some(error) = this.failed.take() {
            this.over = true;
            return Poll::Ready(Some(Err(error)));
        }
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
        let page = outcome.map(|reply| this.take(at, reply));
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
    /// Rows to skip still, from the beginning: those of the first page, unless it is smaller than
    /// the page they were taken of.
    skip: u64,
    left: Option<u64>,
    /// Where to go on once the current page is used up.
    resume: Option<At>,
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
        let (at, skip) = match (self.started, self.rows.len()) {
            (false, _) => (self.begin.clone(), self.skip),
            (true, 0) => (self.resume.clone()?, self.skip),
            (true, _) => (self.begin.clone(), self.taken_of_page),
        };
        Some(ResumeToken::new(operation, self.pages.list, at, skip))
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

/// Says how far the reading has come, and nothing of the rows.
impl<R: PagedRequest> fmt::Debug for Pages<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pages")
            .field("operation", &self.template.operation().id)
            .field("pages_asked_for", &self.asked.pages)
            .field("over", &self.over)
            .finish_non_exhaustive()
    }
}

/// Says how far the reading has come, and nothing of the rows.
impl<R: PagedRequest<Answer: Paged>> fmt::Debug for Items<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Items").field("pages", &self.pages).finish_non_exhaustive()
    }
}

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
                    let mut rows = page.reply.into_inner().into_items();
                    let gone = usize::try_from(self.skip).unwrap_or(usize::MAX).min(rows.len());
                    rows.drain(..gone);
                    self.rows = rows.into_iter();
                    self.begin = page.begin;
                    self.taken_of_page = gone as u64;
                    self.skip -= gone as u64;
                    self.resume = page.resume.map(ResumeToken::into_at);
                    self.started = true;
                }
            }
        }
    }
}

impl<R: PagedRequest> Unpin for Pages<R> {}
