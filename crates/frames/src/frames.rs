//! Stream of record batches.
//!
//! The input is a request or a pager. The output is record batches. In most cases, the schema of the batches is known
//! before the first response.

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
/// Both typed requests and requests of [`Client::request`](crypto_intel::Client::request) have these methods. For a
/// paged operation, the stream contains the rows of all pages. Each page has the maximum size, unless the request sets
/// a page size. To limit the number of pages, rows or credits, first create a pager with
/// [`pager`](crypto_intel::PageExt::pager) and set its limits. Then call [`frames`](PagerFramesExt::frames) on the
/// pager.
pub trait FramesExt: Request {
    /// Returns the rows as a stream of batches, with the default [`Options`].
    ///
    /// # Errors
    /// Returns the errors of [`schema_of`](crate::schema_of). These errors occur before a request is sent.
    fn frames(self) -> Result<Frames, Error> {
        self.frames_with(&Options::default())
    }

    /// Returns the rows as a stream of batches, with these options.
    ///
    /// # Errors
    /// Returns the errors of [`schema_of`](crate::schema_of). These errors occur before a request is sent.
    fn frames_with(self, options: &Options) -> Result<Frames, Error> {
        Frames::of_call(self.into_call(), options)
    }
}

impl<R: Request> FramesExt for R {}

/// Converts a pager into a stream of Arrow record batches. The stream respects the limits of the pager.
pub trait PagerFramesExt {
    /// Returns the rows as a stream of batches, with the default [`Options`].
    ///
    /// # Errors
    /// Returns the errors of [`schema_of`](crate::schema_of). These errors occur before a request is sent.
    fn frames(self) -> Result<Frames, Error>;

    /// Returns the rows as a stream of batches, with these options.
    ///
    /// # Errors
    /// Returns the errors of [`schema_of`](crate::schema_of). These errors occur before a request is sent.
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
/// The stream returns a batch as soon as the batch is full. A batch may contain rows of several pages. The stream
/// requests the next page while it decodes the rows of the current page. The size of the list does not affect the
/// memory use. The stream keeps at most one batch, the current page, and the pages that it requested ahead.
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
    /// Call of an operation without pages. `None` if the operation has pages.
    call: Option<Call>,
    decoder: Decoder,
    page: Page,
    /// Resume token for the start of the current page.
    start: Option<ResumeToken>,
    /// Resume token for the start of the next page.
    resume: Option<ResumeToken>,
    /// HTTP request without the API key. `None` if the table has no provenance columns.
    request: Option<Arc<str>>,
    /// Result of [`completeness`](Self::completeness). It is set when an error ends the list, or when the response of
    /// an operation without pages has arrived. If the field is `None`, `completeness` computes the result.
    ended: Option<Completeness>,
    /// Number of rows of the current page that are already decoded or skipped.
    taken: usize,
    /// Number of rows to skip at the beginning of the next page.
    skip: u64,
    /// Number of rows that may still be read. `None` if the number has no limit.
    left: Option<u64>,
    /// Error that ended the list. The stream first returns the remaining rows, and then this error.
    error: Option<Error>,
    is_over: bool,
    /// First batch, if [`ready`](Self::ready) has read it to infer the schema. The stream returns this batch next, and
    /// sets the field to `None`.
    first: Option<RecordBatch>,
    /// Schema of the first batch, if [`ready`](Self::ready) has inferred the schema from the rows of this batch.
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

    /// Returns the schema of all batches. The columns are inferred from the rows if neither the OpenAPI document nor
    /// [`Options::columns`] defines them. An inferred schema has no fields until [`ready`](Self::ready) has received
    /// the rows.
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        self.inferred.as_ref().unwrap_or(&self.decoder.plan().schema).clone()
    }

    /// Returns the schema of the batches. If the OpenAPI document does not describe the fields of the rows, this method
    /// requests rows and infers the schema. For all other operations, and with [`Columns::Json`](crate::Columns::Json),
    /// this method sends no request.
    ///
    /// # Errors
    /// Returns the errors of [`try_next`](Self::try_next).
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
    /// Returns an error if a call fails or a row does not fit the table. The stream first returns all rows before the
    /// error, then the error, and then ends.
    pub async fn try_next(&mut self) -> Result<Option<RecordBatch>, Error> {
        std::future::poll_fn(|cx| Pin::new(&mut *self).poll_next(cx)).await.transpose()
    }

    /// Returns whether the stream has read the whole list. The result contains a state such as "complete". The result
    /// can also contain the total number of rows and a token to continue. Call this method after the end of the stream.
    /// Before the stream of a paged list ends, the state is [`CompletenessState::MoreAvailable`], and the result
    /// contains no token.
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

    /// Returns the completeness of the list as if the stream ended after the rows decoded so far.
    fn state(&self) -> Completeness {
        if self.taken == self.page.rows() {
            return self.reader.completeness(self.resume.clone());
        }
        let token = self.start.clone().map(|start| start.skipping(self.taken as u64));
        let total = self.reader.completeness(token.clone()).total;
        Completeness::new(CompletenessState::CutAtLimit).with_total(total).with_resume(token)
    }

    /// Returns the metadata of the last page, as received. Returns `null` before the first page.
    #[must_use]
    pub fn meta(&self) -> &Value {
        self.page.meta()
    }

    /// Replaces the current page of the stream by the received page, which `read` contains.
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

    /// Stores the error that ends the list. The stream first returns the rows before the error, and then the error.
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
    /// Returns the first error of [`try_next`](Self::try_next). The batches before the error are lost.
    pub async fn collect(&mut self) -> Result<Vec<RecordBatch>, Error> {
        let mut batches = Vec::new();
        while let Some(batch) = self.try_next().await? {
            batches.push(batch);
        }
        Ok(batches)
    }

    /// Decodes rows of the current page into the current batch. Returns true if the batch is full. Returns false if the
    /// page or the row limit is exhausted.
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

    /// Ends the stream. Returns the remaining decoded rows as a batch. If no rows remain, returns the error that ended
    /// the list, or `None`.
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
