//! Stream of the pages of a list.
//!
//! The input is a [`Pager`]. The output is the pages of its list. Each page has a resume token for the next page.

use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use crypto_intel_core::{Error, Paged, PagedRequest, Reply};
use futures_core::Stream;
use serde::Serialize;

use super::ahead::{self, Ahead, Queue, SentAhead};
use super::limits::ReachedLimit;
use super::pager::Pager;
use super::plan::PagingState;
use super::position::{Arrived, At};
use super::token::ResumeToken;

/// A page of a list, with its resume tokens.
#[derive(Debug)]
#[non_exhaustive]
pub struct Page<T> {
    /// Response that contains the rows of this page.
    pub reply: Reply<T>,
    /// Resume token for the next page, or `None` at the end of the list.
    pub resume: Option<ResumeToken>,
    /// Resume token for this page.
    pub start: ResumeToken,
    /// Position of this page in the list.
    pub(super) begin: At,
}

type Fetched<T> = (At, Result<Reply<T>, Error>);

/// Stream of the pages of a list, in order.
///
/// When the stream returns a page, it has already started the request for the next page. The service can therefore
/// charge for a page that the caller does not read. Timeouts run only while a caller waits for a page. Dropping the
/// stream cancels the requests in flight.
#[must_use = "a stream does nothing until it is polled"]
pub struct Pages<R: PagedRequest> {
    pub(super) plan: PagingState,
    ahead: Ahead<Fetched<R::Answer>>,
}

impl<R: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>> Pager<R> {
    /// Returns a stream of all pages.
    pub fn pages(self) -> Pages<R> {
        Pages::new(self)
    }
}

impl<R> Pages<R>
where
    R: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
{
    pub(super) fn new(pager: Pager<R>) -> Self {
        let plan = PagingState::new(pager.call, pager.limits, pager.side_by_side, pager.start);
        Pages { plan, ahead: Ahead::new() }
    }

    /// Returns the limit that ended the stream, and the total number of rows in the list. The limit is `None` if no
    /// limit ended the stream. The number is `None` if the service did not report it.
    pub(crate) fn limit_and_total(&self) -> (Option<ReachedLimit>, Option<u64>) {
        let reached = self.plan.reached_limit().filter(|_| self.ahead.len() == 0);
        (reached, self.plan.total)
    }

    /// Returns the next page, or `None` at the end of the list.
    ///
    /// # Errors
    /// Returns the error of the request for this page, or an error that ends the list, such as a repeated cursor. The
    /// stream sends no request after an error.
    pub async fn try_next(&mut self) -> Result<Option<Page<R::Answer>>, Error> {
        ahead::next(self).await.transpose()
    }

    /// Sends all requests that the limits allow now, and waits for the next page. The page may allow further requests,
    /// which the caller sends with [`send_ahead`](Self::send_ahead).
    pub(super) fn poll_page(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Page<R::Answer>, Error>>> {
        self.send_requests();
        let page = match ready!(self.ahead.poll_next(cx)) {
            Some((at, reply)) => reply.map(|reply| self.receive_page(at, reply)),
            None => return Poll::Ready(self.plan.take_end_error().map(Err)),
        };

        if page.is_err() {
            self.close();
        }
        Poll::Ready(Some(page))
    }

    /// Sends all requests that the limits allow now, and processes the response data that has arrived.
    pub(super) fn send_ahead(&mut self, cx: &mut Context<'_>) {
        self.send_requests();
        self.ahead.poll_requests(cx);
    }

    /// Ends the stream and cancels the requests in flight.
    pub(super) fn close(&mut self) {
        self.plan.close();
        self.ahead.clear();
    }

    fn send_requests(&mut self) {
        while let Some((at, mut call)) = self.plan.next_call(self.ahead.len()) {
            call.set_idle_time(self.ahead.idle_time());
            self.ahead.push(async move { (at, call.send().await) });
        }
    }

    fn receive_page(&mut self, begin: At, reply: Reply<R::Answer>) -> Page<R::Answer> {
        let resume = self.plan.record_page(&begin, &Arrived::new(&*reply), self.ahead.len());
        if self.plan.is_closed() {
            self.ahead.clear();
        }
        Page { reply, resume, start: self.plan.token(begin.clone(), 0), begin }
    }
}

impl<R> Stream for Pages<R>
where
    R: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
{
    type Item = Result<Page<R::Answer>, Error>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let page = ready!(self.poll_page(cx));
        self.send_ahead(cx);
        Poll::Ready(page)
    }
}

impl<R> SentAhead for Pages<R>
where
    R: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>,
{
    fn queue(&mut self) -> &mut Queue {
        self.ahead.queue()
    }
}

impl<R: PagedRequest> Unpin for Pages<R> {}

/// Prints the progress of the stream, but no rows.
impl<R: PagedRequest> fmt::Debug for Pages<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pages")
            .field("operation", &self.plan.operation().id)
            .field("pages_asked_for", &self.plan.pages())
            .field("over", &self.plan.is_closed())
            .finish_non_exhaustive()
    }
}
