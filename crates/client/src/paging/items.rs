//! The stream of rows.

use std::collections::VecDeque;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use crypto_intel_core::{Error, ErrorKind, Paged, PagedRequest};
use futures_core::Stream;
use serde::Serialize;

use super::Item;
use super::ahead::{self, Ahead, SentAhead};
use super::limits::Reached;
use super::pager::Pager;
use super::pages::{Fetched, Page, Pages};
use super::position::At;
use super::token::ResumeToken;

/// The rows of a list, in order.
///
/// Each returned row also processes the data of the next page that has already arrived.
#[must_use = "a stream does nothing until it is polled"]
pub struct Items<R: PagedRequest<Answer: Paged>> {
    pages: Pages<R>,
    /// Rows of the current page that were not given out yet.
    rows: VecDeque<Item<R>>,
    /// Where the current page began.
    begin: At,
    /// Rows of the current page that were given out or skipped.
    taken_of_page: u64,
    /// Rows to skip still, from the beginning: those of the first page, unless it is smaller than
    /// the page they were taken of.
    skip: u64,
    left: Option<u64>,
    /// Where to go on once the current page is used up.
    resume: Option<ResumeToken>,
    started: bool,
    /// Matches the row after which reading starts; `None` once that row is found.
    seek: Option<Test<R>>,
    /// Matches the row before which the list ends.
    until: Option<Test<R>>,
    stopped_at: Option<Item<R>>,
}

type Test<R> = Box<dyn FnMut(&Item<R>) -> bool + Send>;

impl<R: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>> Pager<R> {
    /// The rows, page after page.
    pub fn items(self) -> Items<R> {
        Items::new(self)
    }

    /// Every row within the limits, in one list.
    ///
    /// # Errors
    /// The first error of any page; the rows before it are lost.
    pub async fn collect_all(self) -> Result<Vec<Item<R>>, Error> {
        self.items().collect_all().await
    }
}

impl<R> Items<R>
where
    R: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
{
    pub(super) fn new(pager: Pager<R>) -> Self {
        let (begin, skip) = pager.start.as_ref().map_or((At::Start, 0), Clone::clone);
        let mut items = Items {
            left: pager.limits.items,
            pages: Pages::new(pager),
            rows: VecDeque::new(),
            begin,
            taken_of_page: 0,
            skip,
            resume: None,
            started: false,
            seek: None,
            until: None,
            stopped_at: None,
        };
        items.limit_pages();
        items
    }

    /// Ends the list before the first row of which `is_end` is true, such as the newest one that
    /// is known already in a list that begins with the newest. That row is not lost:
    /// [`stopped_at`](Self::stopped_at) shows it, and the [`resume_token`](Self::resume_token) leads
    /// to it.
    ///
    /// Each page is looked through when it comes, in order and up to that row. No page after it is
    /// asked for, so pages are not asked for side by side.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = crypto_intel_sandbox::Sandbox::start().await?;
    /// # let client = crypto_intel::Client::builder().base_url(sandbox.url()).build()?;
    /// use crypto_intel::prelude::*;
    ///
    /// let posts = || client.social_user_posts("eth_daily").limit(5);
    /// let known = posts().max_items(8).collect_all().await?.remove(7).tweet_id;
    ///
    /// let newest = known.clone();
    /// let mut news = posts().items().until(move |post| post.tweet_id == newest);
    /// assert_eq!(news.collect_all().await?.len(), 7);
    /// assert_eq!(news.stopped_at().expect("the eighth").tweet_id, known);
    /// # Ok(())
    /// # }
    /// ```
    pub fn until(mut self, is_end: impl FnMut(&Item<R>) -> bool + Send + 'static) -> Self {
        self.until = Some(Box::new(is_end));
        self.look_through();
        self
    }

    /// Leaves out the first row of which `is_last` is true and all before it: that is how to go on
    /// after the last row of an earlier reading when the list may have changed since.
    ///
    /// The search begins at the start of the list, or with
    /// [`resume_from`](super::Pager::resume_from) about where the token leads. Rows that are left
    /// out do not count as items, but their pages cost. A list that ends without such a row gives
    /// an error of [`ErrorKind::NotFound`] at its end, as the row may have been removed.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let sandbox = crypto_intel_sandbox::Sandbox::start().await?;
    /// # let client = crypto_intel::Client::builder().base_url(sandbox.url()).build()?;
    /// use crypto_intel::prelude::*;
    ///
    /// let posts = || client.social_user_posts("eth_daily").limit(5);
    /// let mut read = posts().max_items(7).collect_all().await?;
    /// let last = read.pop().expect("the seventh").tweet_id;
    ///
    /// let mut rest = posts().items().resume_after(move |post| post.tweet_id == last);
    /// let eighth = rest.try_next().await?.expect("more posts");
    /// assert!(read.iter().all(|post| post.tweet_id != eighth.tweet_id));
    /// # Ok(())
    /// # }
    /// ```
    pub fn resume_after(mut self, is_last: impl FnMut(&Item<R>) -> bool + Send + 'static) -> Self {
        if !self.started {
            let Some(begin) = search_from(&self.begin, self.skip) else { return self };
            if begin != self.begin {
                self.pages.plan.begin_at(begin.clone());
            }
            (self.begin, self.skip) = (begin, 0);
        }
        self.seek = Some(Box::new(is_last));
        self.look_through();
        self
    }

    /// The row that [`until`](Self::until) stopped before, once it has.
    #[must_use]
    pub fn stopped_at(&self) -> Option<&Item<R>> {
        self.stopped_at.as_ref()
    }

    /// The next row, or `None` at the end.
    ///
    /// # Errors
    /// That of the request for its page; the rows before it have been given out.
    pub async fn try_next(&mut self) -> Result<Option<Item<R>>, Error> {
        ahead::next(self).await.transpose()
    }

    /// All further rows, in one list.
    ///
    /// # Errors
    /// The first error of any page; the rows before it are lost.
    pub async fn collect_all(&mut self) -> Result<Vec<Item<R>>, Error> {
        let mut rows = Vec::new();
        while let Some(row) = self.try_next().await? {
            rows.push(row);
        }
        Ok(rows)
    }

    /// Where to go on after the rows given out so far; `None` once the list is read to its end.
    #[must_use]
    pub fn resume_token(&self) -> Option<ResumeToken> {
        let in_page = !self.rows.is_empty() || self.stopped_at.is_some();
        match (self.started, in_page) {
            (false, _) => Some(self.pages.plan.token(self.begin.clone(), self.skip)),
            (true, true) => Some(self.pages.plan.token(self.begin.clone(), self.taken_of_page)),
            (true, false) => self.resume.clone().map(|token| token.skipping(self.skip)),
        }
    }

    /// The limit that ended the list, and the rows of the whole list, if the service reports them.
    pub(crate) fn ending(&self) -> (Option<Reached>, Option<u64>) {
        let (reached, total) = self.pages.ending();
        match self.left {
            Some(0) => (Some(Reached::Length), total),
            _ => (reached.filter(|_| self.rows.is_empty()), total),
        }
    }

    /// Begins to give out a page.
    fn open(&mut self, page: Page<R::Answer>) {
        self.rows = page.reply.into_inner().into_items().into();
        self.begin = page.begin;
        self.taken_of_page = 0;
        self.resume = page.resume;
        self.started = true;

        let gone = usize::try_from(self.skip).unwrap_or(usize::MAX).min(self.rows.len());
        self.leave_out(gone);
        self.skip -= gone as u64;
        self.look_through();
    }

    fn leave_out(&mut self, rows: usize) {
        self.rows.drain(..rows);
        self.taken_of_page += rows as u64;
    }

    /// Looks in the rows at hand for those to begin after and to end before.
    fn look_through(&mut self) {
        if let Some(is_last) = &mut self.seek {
            match self.rows.iter().position(is_last) {
                Some(last) => {
                    self.leave_out(last + 1);
                    self.seek = None;
                }
                None => self.leave_out(self.rows.len()),
            }
        }
        if let Some(is_end) = &mut self.until
            && let Some(end) = self.rows.iter().position(is_end)
        {
            self.stopped_at = self.rows.drain(end..).next();
            self.pages.close();
        }

        if self.seek.is_some() || self.until.is_some() {
            self.pages.plan.side_by_side = 1;
        }
        self.limit_pages();
    }

    /// Requests no more rows than the caller still wants. During the search for a start row this
    /// number is unknown, so each page is requested after the page before it has been read.
    fn limit_pages(&mut self) {
        let received = self.pages.plan.received;
        let before = received.saturating_sub(self.rows.len() as u64).saturating_add(self.skip);
        self.pages.plan.limits.items = self.left.map(|left| match &self.seek {
            Some(_) => received + u64::from(left > 0),
            None => before.saturating_add(left),
        });
    }

    /// The end of the list: an error if a row is looked for still.
    fn end(&mut self) -> Option<Error> {
        self.seek.take().map(|_| {
            let rows = self.pages.plan.received;
            let message = format!("none of {rows} rows is the one to resume after");
            Error::new(ErrorKind::NotFound, message).with_operation(self.pages.plan.operation().id)
        })
    }
}

/// Where to look for the last row that was given out before this place; `None` when it cannot have
/// moved, because the place is not a number of rows.
fn search_from(at: &At, skip: u64) -> Option<At> {
    match at {
        At::Offset(offset) => Some(At::Offset(offset.saturating_add(skip).saturating_sub(1))),
        At::Start => Some(At::Start),
        At::Token(_) | At::Keys(_) => (skip > 0).then(|| at.clone()),
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
            if let Some(row) = self.rows.pop_front() {
                self.taken_of_page += 1;
                self.left = self.left.map(|left| left - 1);
                self.pages.go_ahead(cx);
                return Poll::Ready(Some(Ok(row)));
            }

            match ready!(self.pages.poll_page(cx)) {
                Some(Ok(page)) => {
                    self.open(page);
                    self.pages.go_ahead(cx);
                }
                Some(Err(error)) => {
                    self.seek = None;
                    return Poll::Ready(Some(Err(error)));
                }
                None => return Poll::Ready(self.end().map(Err)),
            }
        }
    }
}

impl<R> SentAhead for Items<R>
where
    R: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
{
    type Outcome = Fetched<R::Answer>;

    fn ahead(&mut self) -> &mut Ahead<Self::Outcome> {
        self.pages.ahead()
    }
}

impl<R> Unpin for Items<R> where R: PagedRequest<Answer: Paged> {}

/// Says how far the reading has come, and nothing of the rows.
impl<R: PagedRequest<Answer: Paged>> fmt::Debug for Items<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Items").field("pages", &self.pages).finish_non_exhaustive()
    }
}
