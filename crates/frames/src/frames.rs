//! Stream of record batches.
//!
//! The input is a request or a pager. The output is batches, whose schema is usually known before the first response.

use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use crypto_intel::paging::{Item, Pager};
use crypto_intel::{Completeness, CompletenessState, ResumeToken};
use crypto_intel_core::{Call, Paged, PagedRequest, Paging, Request};
use futures_core::Stream;
use serde::Serialize;
use serde_json::Value;

use crate::decoder::Decoder;
use crate::error::Error;
use crate::options::Options;
use crate::page::{Page, RowsRequest};
use crate::plan::Plan;
use crate::provenance::{Origin, request_of};
use crate::reader::{Read, Reader};

/// Converts a request into a stream of Arrow record batches.
///
/// Typed requests and requests of [`Client::request`](crypto_intel::Client::request) have these methods. For a paged
/// operation, the stream contains the rows of all pages. The pages have the maximum size, unless the request sets a
/// size. To limit the pages, rows or credits, call [`pager`](crypto_intel::PageExt::pager), set the limits, and call
/// its method [`frames`](PagerFramesExt::frames).
pub trait FramesExt: Request {
    /// Returns the rows as a stream of batches, with the default [`Options`].
    ///
    /// # Errors
    /// Errors of [`schema_of`](crate::schema_of). They are returned before a request is sent.
    fn frames(self) -> Result<Frames, Error> {
        self.frames_with(&Options::default())
    }

    /// Returns the rows as a stream of batches, with these options.
    ///
    /// # Errors
    /// Errors of [`schema_of`](crate::schema_of). They are returned before a request is sent.
    fn frames_with(self, options: &Options) -> Result<Frames, Error> {
        Frames::of_call(self.into_call(), options)
    }
}

impl<R: Request> FramesExt for R {}

/// Converts a pager, which can have limits, into a stream of Arrow record batches.
pub trait PagerFramesExt {
    /// Returns the rows as a stream of batches, with the default [`Options`].
    ///
    /// # Errors
    /// Errors of [`schema_of`](crate::schema_of). They are returned before a request is sent.
    fn frames(self) -> Result<Frames, Error>;

    /// Returns the rows as a stream of batches, with these options.
    ///
    /// # Errors
    /// Errors of [`schema_of`](crate::schema_of). They are returned before a request is sent.
    fn frames_with(self, options: &Options) -> Result<Frames, Error>;
}

impl<R: PagedRequest<Answer: Paged<Item: Serialize + Send> + Unpin>> PagerFramesExt for Pager<R>
where
    Item<R>: Send,
{
    fn frames(self) -> Result<Frames, Error> {
        self.frames_with(&Options::default())
    }

    fn frames_with(self, options: &Options) -> Result<Frames, Error> {
        let pager: Pager<RowsRequest> = self.answering();
        let plan = Plan::new(pager.operation(), options)?;
        let request = options.provenance.then(|| request_of(pager.call())).flatten();
        let (skip, left) = (pager.rows_to_skip(), pager.get_max_items());
        let pager = match left {
            Some(left) => pager.max_items(left.saturating_add(skip)),
            None => pager,
        };
        Ok(Frames { skip, left, request, ..Frames::new(Reader::of_pager(pager), plan, options) })
    }
}

/// Stream of record batches with one schema, from one response or from all pages of a list.
///
/// The stream returns a batch when it is full. The rows of a batch may come from several pages, and the next page is
/// requested while rows are decoded. The stream keeps at most one batch and one page in memory, also for a long list.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let sandbox = crypto_intel_sandbox::Sandbox::start().await?;
/// # let client = crypto_intel::Client::builder().base_url(sandbox.url()).api_key(sandbox.key()).build()?;
/// use crypto_intel_frames::FramesExt;
///
/// let mut frames = client.market_price("BTC").time_range("7d").frames()?;
/// while let Some(batch) = frames.try_next().await? {
///     println!("{} rows of {} columns", batch.num_rows(), batch.num_columns());
/// }
/// # Ok(())
/// # }
/// ```
#[must_use = "a stream does nothing until it is polled"]
pub struct Frames {
    reader: Reader,
    /// Call of an operation without pages. `None` for a list.
    call: Option<Call>,
    decoder: Decoder,
    page: Page,
    /// Resume token of the current page.
    start: Option<ResumeToken>,
    /// Resume token of the page after the current page.
    resume: Option<ResumeToken>,
    /// HTTP request without the API key, if the table has provenance columns.
    request: Option<Arc<str>>,
    /// Completeness after an error, or of a single response. `None` while pages are read.
    ended: Option<Completeness>,
    /// Number of rows of the current page that are in a batch or were skipped.
    taken: usize,
    /// Number of rows to skip at the beginning of the next page.
    skip: u64,
    /// Number of rows that may still be read. `None` if the number has no limit.
    left: Option<u64>,
    /// Error that ended the list. The stream returns it after the rows before the error.
    error: Option<Error>,
    is_over: bool,
    /// First batch, if [`ready`](Self::ready) has read it in order to infer the schema.
    first: Option<RecordBatch>,
    /// Schema that [`ready`](Self::ready) has inferred from the rows of the first batch.
    inferred: Option<SchemaRef>,
}

impl Frames {
    pub(crate) fn of_call(call: Call, options: &Options) -> Result<Frames, Error> {
        let plan = Plan::new(call.operation(), options)?;
        let request = options.provenance.then(|| request_of(&call)).flatten();
        let whole = (call.operation().paging == Paging::None).then(|| call.clone());
        let reader = match call.operation().paging {
            Paging::None => Reader::of_call(call),
            _ => {
                let pager = crypto_intel::PageExt::pager(RowsRequest::from_call(call));
                Reader::of_pager(pager.largest_pages())
            }
        };
        Ok(Frames { call: whole, request, ..Frames::new(reader, plan, options) })
    }

    fn new(reader: Reader, plan: Plan, options: &Options) -> Frames {
        Frames {
            left: reader.most_rows(),
            reader,
            call: None,
            decoder: Decoder::new(plan, options),
            page: Page::default(),
            start: None,
            resume: None,
            request: None,
            ended: None,
            taken: 0,
            skip: 0,
            error: None,
            is_over: false,
            first: None,
            inferred: None,
        }
    }

    /// Returns the schema of all batches. If the row fields of the operation are not documented, the schema has no
    /// fields until the rows have arrived; see [`ready`](Self::ready).
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        self.inferred.as_ref().unwrap_or(&self.decoder.plan().schema).clone()
    }

    /// Requests the rows of an operation whose row fields are not documented, so that [`schema`](Self::schema) returns
    /// the schema of the batches. For all other operations, no request is sent.
    ///
    /// # Errors
    /// Errors of [`try_next`](Self::try_next).
    pub async fn ready(&mut self) -> Result<SchemaRef, Error> {
        if self.decoder.plan().is_untyped && self.inferred.is_none() {
            self.first = self.try_next().await?;
            self.inferred = self.first.as_ref().map(RecordBatch::schema);
        }
        Ok(self.schema())
    }

    /// Returns the next batch, or `None` at the end. No batch is empty.
    ///
    /// # Errors
    /// The error of a call, or of a row that does not fit the table. All rows before the error are returned first. The
    /// stream ends after an error.
    pub async fn try_next(&mut self) -> Result<Option<RecordBatch>, Error> {
        std::future::poll_fn(|cx| Pin::new(&mut *self).poll_next(cx)).await.transpose()
    }

    /// Returns the state of the list after the last batch: whether the service has more rows, the total number of rows,
    /// and a token to continue. Before the last batch, the state is [`CompletenessState::MoreAvailable`] without a
    /// token.
    #[must_use]
    pub fn completeness(&self) -> Completeness {
        if let Some(ended) = &self.ended {
            return ended.clone();
        }
        let state = self.state();
        match self.is_over {
            true => state,
            false => Completeness::new(CompletenessState::MoreAvailable).with_total(state.total),
        }
    }

    /// Returns the state of the list after the rows that were decoded so far.
    fn state(&self) -> Completeness {
        if self.taken == self.page.rows() {
            return self.reader.completeness(self.resume.clone());
        }
        let token = self.start.clone().map(|start| start.skipping(self.taken as u64));
        let total = self.reader.completeness(token.clone()).total;
        Completeness::new(CompletenessState::CutAtLimit).with_total(total).with_resume(token)
    }

    /// Returns the metadata of the last page, as received; `null` before the first page.
    #[must_use]
    pub fn meta(&self) -> &Value {
        self.page.meta()
    }

    /// Starts to read a page, which becomes the current page.
    fn open(&mut self, read: Read) {
        if let Some(call) = &self.call {
            let (position, rows) = (read.page.position(), read.page.rows());
            self.ended = Some(Completeness::of_answer(call, &position, rows));
        }
        let rows = read.page.rows();
        self.taken = usize::try_from(self.skip).unwrap_or(usize::MAX).min(rows);
        self.skip -= self.taken as u64;
        self.page = read.page;
        (self.start, self.resume) = (read.start, read.resume);
        self.decoder.set_origin(|| Origin { request: self.request.clone(), ..read.origin });
    }

    /// Records the error that ends the list. The stream returns the rows before the error first.
    fn fail(&mut self, error: Error) {
        let state = self.state();
        self.ended = Some(match &error {
            Error::Call(error) => state.after_error(error),
            _ => Completeness::new(CompletenessState::Failed)
                .with_total(state.total)
                .with_resume(state.resume),
        });
        self.error = Some(error);
    }

    /// Returns all remaining batches.
    ///
    /// # Errors
    /// The first error. The batches before the error are lost.
    pub async fn collect(&mut self) -> Result<Vec<RecordBatch>, Error> {
        let mut batches = Vec::new();
        while let Some(batch) = self.try_next().await? {
            batches.push(batch);
        }
        Ok(batches)
    }

    /// Adds rows of the current page to the batch. Returns true if the batch is full, and false if no rows are left.
    fn fill(&mut self) -> Result<bool, Error> {
        while !self.decoder.is_full() {
            if self.taken == self.page.rows() || self.left == Some(0) {
                return Ok(false);
            }
            self.decoder.push(self.page.row(self.taken))?;
            self.taken += 1;
            self.left = self.left.map(|left| left - 1);
        }
        Ok(true)
    }

    /// Ends the stream. Returns the last rows as a batch. If there are none, returns the error that ended the list.
    fn end(&mut self) -> Option<Result<RecordBatch, Error>> {
        self.is_over = true;
        match self.decoder.finish() {
            Ok(None) => self.error.take().map(Err),
            Ok(Some(batch)) => Some(Ok(batch)),
            Err(error) => Some(Err(error)),
        }
    }
}

impl Stream for Frames {
    type Item = Result<RecordBatch, Error>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if let Some(batch) = self.first.take() {
            return Poll::Ready(Some(Ok(batch)));
        }
        loop {
            if self.is_over {
                return Poll::Ready(self.error.take().map(Err));
            }
            match self.fill() {
                Ok(true) => return Poll::Ready(self.decoder.finish().transpose()),
                Ok(false) if self.left == Some(0) => return Poll::Ready(self.end()),
                Ok(false) => {}
                Err(error) => {
                    self.fail(error);
                    return Poll::Ready(self.end());
                }
            }

            match ready!(self.reader.poll_page(cx)) {
                Some(Ok(read)) => self.open(read),
                Some(Err(error)) => {
                    self.fail(error.into());
                    return Poll::Ready(self.end());
                }
                None => return Poll::Ready(self.end()),
            }
        }
    }
}

impl fmt::Debug for Frames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Frames")
            .field("operation", &self.decoder.plan().operation.id)
            .field("over", &self.is_over)
            .finish_non_exhaustive()
    }
}
