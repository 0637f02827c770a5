//! Stream of the rows of a list.
//!
//! The input is a list request and its limits. The output is the rows one by one. After the last row, the stream ends
//! or returns an error.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use crypto_intel_core::{Error, ErrorKind, Paged, PagedRequest};
use futures_core::Stream;
use serde::Serialize;

use super::Item;
use super::ahead::{self, Queue, SentAhead};
use super::limits::ReachedLimit;
use super::pager::Pager;
use super::pages::{Page, Pages};
use super::position::At;
use super::token::ResumeToken;

/// Stream of the rows of a list, in the order of the list.
///
/// With each returned row, the stream processes the bytes of the next page that have already arrived.
#[must_use = "a stream does nothing until it is polled"]
pub struct Items<R: PagedRequest<Answer: Paged>> {
    pages: Pages<R>,
    /// Rows of the current page that were not yet returned.
    rows: std::vec::IntoIter<Item<R>>,
    /// Position of the current page in the list.
    begin: At,
    /// Number of rows of the current page that were returned or skipped.
    taken_of_page: u64,
    /// Number of rows that must still be skipped after a resume. These rows are usually at the start of the first page.
    /// They can be on several pages if the page size is smaller than in the earlier run.
    skip: u64,
    left: Option<u64>,
    /// Resume token for the page after the current page.
    resume: Option<ResumeToken>,
    started: bool,
    /// Condition from [`resume_after`](Self::resume_after): the stream starts after the first row that fulfils the
    /// condition. `None` if no condition is set, or if the search for this row has ended.
    seek: Option<Test<R>>,
    /// Condition from [`until`](Self::until): the stream ends before the first row that fulfils it.
    until: Option<Test<R>>,
    stopped_at: Option<Item<R>>,
}

type Test<R> = Box<dyn FnMut(&Item<R>) -> bool + Send>;

impl<R: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>> Pager<R> {
    /// Returns a stream of the rows of all pages.
    pub fn items(self) -> Items<R> {
        Items::new(self)
    }

    /// Returns all rows of the list as a vector. The limits of the pager, such as [`max_items`](Self::max_items), also
    /// limit this vector.
    ///
    /// # Errors
    /// Returns the first error of any page. The rows of earlier pages are then lost.
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

    /// Ends the stream before the first row for which `is_end` returns true. For example, a program can read only new
    /// rows: from the newest row of the list to the first row that it already has.
    ///
    /// The stream does not return the end row. [`stopped_at`](Self::stopped_at) returns it, and
    /// [`resume_token`](Self::resume_token) resumes at this row.
    ///
    /// When a page arrives, `is_end` tests its rows in order. The client requests one page at a time, so it requests no
    /// page after the end row.
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
        self.find_bounds();
        self
    }

    /// Skips all rows up to and including the first row for which `is_last` returns true. A program that has already
    /// read a part of the list can use this method to continue after the last row of this part, even if the list has
    /// changed.
    ///
    /// The search starts at the beginning of the list, or at the next row of a stream that has already returned rows.
    /// With [`resume_from`](super::Pager::resume_from), the search starts at the last row before the position of the
    /// token, or at the start of that row's page. If the token points to the first row of a page with a cursor or key,
    /// the stream does not search and does not call `is_last`.
    ///
    /// Skipped rows do not count towards the limit on rows, but their pages cost credits. If no row matches, the stream
    /// ends with an error of [`ErrorKind::NotFound`]. The service may have removed the row from the list.
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
            let Some(begin) = search_start(&self.begin, self.skip) else { return self };
            if begin != self.begin {
                self.pages.plan.start_at(begin.clone());
            }
            (self.begin, self.skip) = (begin, 0);
        }
        self.seek = Some(Box::new(is_last));
        self.find_bounds();
        self
    }

    /// Returns the row that matched the condition of [`until`](Self::until). The stream ends before this row. Returns
    /// `None` if no row has matched.
    #[must_use]
    pub fn stopped_at(&self) -> Option<&Item<R>> {
        self.stopped_at.as_ref()
    }

    /// Returns the next row, or `None` at the end of the list.
    ///
    /// # Errors
    /// Returns an error if the request for the next page fails. Also returns an error if the list cannot continue, for
    /// example because the service repeats a cursor. All rows of earlier pages were returned before this error.
    pub async fn try_next(&mut self) -> Result<Option<Item<R>>, Error> {
        ahead::next(self).await.transpose()
    }

    /// Returns the remaining rows of the list as a vector.
    ///
    /// # Errors
    /// Returns the first error of any page. The rows of earlier pages are then lost.
    pub async fn collect_all(&mut self) -> Result<Vec<Item<R>>, Error> {
        let mut rows = Vec::new();
        while let Some(row) = self.try_next().await? {
            rows.push(row);
        }
        Ok(rows)
    }

    /// Returns the resume token that continues after the last returned row. Returns `None` at the end of the list.
    #[must_use]
    pub fn resume_token(&self) -> Option<ResumeToken> {
        let in_page = self.rows.len() > 0 || self.stopped_at.is_some();
        match (self.started, in_page) {
            (false, _) => Some(self.pages.plan.token(self.begin.clone(), self.skip)),
            (true, true) => Some(self.pages.plan.token(self.begin.clone(), self.taken_of_page)),
            (true, false) => self.resume.clone().map(|token| token.skipping(self.skip)),
        }
    }

    /// Returns the limit that ended the stream, and the total number of rows in the list. The limit is `None` if no
    /// limit ended the stream. The number is `None` if the service did not report it.
    pub(crate) fn limit_and_total(&self) -> (Option<ReachedLimit>, Option<u64>) {
        let (reached, total) = self.pages.limit_and_total();
        match self.left {
            Some(0) => (Some(ReachedLimit::Length), total),
            _ => (reached.filter(|_| self.rows.len() == 0), total),
        }
    }

    /// Starts to return the rows of a page.
    fn start_page(&mut self, page: Page<R::Answer>) {
        self.rows = page.reply.into_inner().into_items().into_iter();
        self.begin = page.begin;
        self.taken_of_page = 0;
        self.resume = page.resume;
        self.started = true;

        let gone = usize::try_from(self.skip).unwrap_or(usize::MAX).min(self.rows.len());
        self.skip_rows(gone);
        self.skip -= gone as u64;
        self.find_bounds();
    }

    fn skip_rows(&mut self, rows: usize) {
        self.rows.by_ref().take(rows).for_each(drop);
        self.taken_of_page += rows as u64;
    }

    /// Searches the rows of the current page for the start row of [`resume_after`](Self::resume_after) and the end row
    /// of [`until`](Self::until).
    fn find_bounds(&mut self) {
        if let Some(is_last) = &mut self.seek {
            match self.rows.as_slice().iter().position(is_last) {
                Some(last) => {
                    self.skip_rows(last + 1);
                    self.seek = None;
                }
                None => self.skip_rows(self.rows.len()),
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

    /// Applies the caller's row limit to the page stream, so that the stream requests no page beyond the limit. While
    /// [`resume_after`](Self::resume_after) searches for its start row, the number of rows to skip is unknown. During
    /// this search, the page stream requests one page at a time.
    fn limit_pages(&mut self) {
        let received = self.pages.plan.received;
        let before = received.saturating_sub(self.rows.len() as u64).saturating_add(self.skip);
        self.pages.plan.limits.items = self.left.map(|left| match &self.seek {
            Some(_) => received + u64::from(left > 0),
            None => before.saturating_add(left),
        });
    }

    /// Ends the stream. Returns an error if [`resume_after`](Self::resume_after) did not find its start row.
    fn finish(&mut self) -> Option<Error> {
        self.seek.take().map(|_| {
            let rows = self.pages.plan.received;
            let message =
                format!("none of the {rows} received rows matches the condition of `resume_after`");
            Error::new(ErrorKind::NotFound, message).with_operation(self.pages.plan.operation().id)
        })
    }
}

/// Returns the position at which [`Items::resume_after`] searches for the last received row. A resume token consists of
/// `at`, the start of a page, and `skip`, the number of received rows from `at` on. For example, if `at` is offset 20
/// and `skip` is 3, the rows 20, 21 and 22 were received. The search starts at the last of these rows, offset 22.
///
/// Returns `None` if `at` contains a cursor or keys and `skip` is 0. The page at `at` starts directly after the last
/// received row, so no search is needed.
fn search_start(at: &At, skip: u64) -> Option<At> {
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
                self.pages.send_ahead(cx);
                return Poll::Ready(Some(Ok(row)));
            }

            match ready!(self.pages.poll_page(cx)) {
                Some(Ok(page)) => {
                    self.start_page(page);
                    self.pages.send_ahead(cx);
                }
                Some(Err(error)) => {
                    self.seek = None;
                    return Poll::Ready(Some(Err(error)));
                }
                None => return Poll::Ready(self.finish().map(Err)),
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

/// Prints the progress of the stream, but no rows.
impl<R: PagedRequest<Answer: Paged>> fmt::Debug for Items<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Items").field("pages", &self.pages).finish_non_exhaustive()
    }
}
