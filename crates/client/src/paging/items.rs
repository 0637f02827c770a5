//! The stream of rows.
//!
//! The input is a list request with limits. The output is its rows one by one, and then an error or the end.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use crypto_intel_core::{Error, ErrorKind, Paged, PagedRequest};
use futures_core::Stream;
use serde::Serialize;

use super::Item;
use super::ahead::{self, Queue, SentAhead};
use super::limits::Reached;
use super::pager::Pager;
use super::pages::{Page, Pages};
use super::position::At;
use super::token::ResumeToken;

/// The rows of a list, in order.
///
/// Each returned row also processes the data of the next page that has already arrived.
#[must_use = "a stream does nothing until it is polled"]
pub struct Items<R: PagedRequest<Answer: Paged>> {
    pages: Pages<R>,
    /// Rows of the current page that were not returned yet.
    rows: std::vec::IntoIter<Item<R>>,
    /// Position of the current page.
    begin: At,
    /// Number of rows of the current page that were returned or skipped.
    taken_of_page: u64,
    /// Number of rows at the start that are still to be skipped. These rows are on the first page, and also on later
    /// pages if pages are smaller than in the earlier read.
    skip: u64,
    left: Option<u64>,
    /// Token for the page after the current one.
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
    /// Returns the rows of all pages.
    pub fn items(self) -> Items<R> {
        Items::new(self)
    }

    /// Returns all rows within the limits as one list.
    ///
    /// # Errors
    /// The first error of any page. The rows before it are lost.
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
            rows: Vec::new().into_iter(),
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

    /// Ends the list before the first row for which `is_end` returns true. Use it to read a list from the newest row to
    /// the first row that is already known. The end row is not lost: [`stopped_at`](Self::stopped_at) returns it, and
    /// the [`resume_token`](Self::resume_token) leads to it.
    ///
    /// The rows of each page are tested in order when the page arrives. Pages are requested one at a time, so that no
    /// page after the end row is requested.
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

    /// Skips all rows up to and including the first row for which `is_last` returns true. Use it to continue after
    /// the last row of an earlier read, if the list may have changed since.
    ///
    /// The search begins at the start of the list or, with [`resume_from`](super::Pager::resume_from), near the
    /// position of the token. Skipped rows do not count as items, but their pages cost credits. If no row matches,
    /// the list ends with an error of [`ErrorKind::NotFound`], as the row may have been removed.
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

    /// Returns the row before which [`until`](Self::until) stopped.
    #[must_use]
    pub fn stopped_at(&self) -> Option<&Item<R>> {
        self.stopped_at.as_ref()
    }

    /// Returns the next row, or `None` at the end.
    ///
    /// # Errors
    /// The error of the request for the row's page. All rows before that page have been returned.
    pub async fn try_next(&mut self) -> Result<Option<Item<R>>, Error> {
        ahead::next(self).await.transpose()
    }

    /// Returns all further rows as one list.
    ///
    /// # Errors
    /// The first error of any page. The rows before it are lost.
    pub async fn collect_all(&mut self) -> Result<Vec<Item<R>>, Error> {
        let mut rows = Vec::new();
        while let Some(row) = self.try_next().await? {
            rows.push(row);
        }
        Ok(rows)
    }

    /// Returns the token to continue after the rows returned so far; `None` at the end of the list.
    #[must_use]
    pub fn resume_token(&self) -> Option<ResumeToken> {
        let in_page = self.rows.len() > 0 || self.stopped_at.is_some();
        match (self.started, in_page) {
            (false, _) => Some(self.pages.plan.token(self.begin.clone(), self.skip)),
            (true, true) => Some(self.pages.plan.token(self.begin.clone(), self.taken_of_page)),
            (true, false) => self.resume.clone().map(|token| token.skipping(self.skip)),
        }
    }

    /// Returns the limit that ended the list, and the number of rows of the whole list, if the service reports it.
    pub(crate) fn ending(&self) -> (Option<Reached>, Option<u64>) {
        let (reached, total) = self.pages.ending();
        match self.left {
            Some(0) => (Some(Reached::Length), total),
            _ => (reached.filter(|_| self.rows.len() == 0), total),
        }
    }

    /// Starts returning the rows of a page.
    fn open(&mut self, page: Page<R::Answer>) {
        self.rows = page.reply.into_inner().into_items().into_iter();
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
        self.rows.by_ref().take(rows).for_each(drop);
        self.taken_of_page += rows as u64;
    }

    /// Searches the received rows for the start row and the end row.
    fn look_through(&mut self) {
        if let Some(is_last) = &mut self.seek {
            match self.rows.as_slice().iter().position(is_last) {
                Some(last) => {
                    self.leave_out(last + 1);
                    self.seek = None;
                }
                None => self.leave_out(self.rows.len()),
            }
        }
        if let Some(is_end) = &mut self.until
            && let Some(end) = self.rows.as_slice().iter().position(is_end)
        {
            let mut before: Vec<_> = std::mem::take(&mut self.rows).collect();
            self.stopped_at = before.drain(end..).next();
            self.rows = before.into_iter();
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

    /// Ends the list, with an error if the start row was not found.
    fn end(&mut self) -> Option<Error> {
        self.seek.take().map(|_| {
            let rows = self.pages.plan.received;
            let message = format!("none of the {rows} rows is the row to resume after");
            Error::new(ErrorKind::NotFound, message).with_operation(self.pages.plan.operation().id)
        })
    }
}

/// Returns the position at which to search for the last returned row. `None` if that row cannot have moved, because
/// the position is not a row number.
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
            if let Some(row) = self.rows.next() {
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
    fn queue(&mut self) -> &mut Queue {
        self.pages.queue()
    }
}

impl<R> Unpin for Items<R> where R: PagedRequest<Answer: Paged> {}

/// Formats the progress, and no rows.
impl<R: PagedRequest<Answer: Paged>> fmt::Debug for Items<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Items").field("pages", &self.pages).finish_non_exhaustive()
    }
}
