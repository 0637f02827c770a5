//! Calls and lists.

use std::time::Duration;

use crypto_intel::bytes::Bytes;
use crypto_intel::catalogue::Operation;
use crypto_intel::{CallOptions, DynamicRequest, paging};
use crypto_intel_frames::{Frames, Options, PagerFramesExt};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyDict};

use crate::arguments::request;
use crate::errors::{of_frames, raised};
use crate::tables::{capsule_of_batches, capsule_of_frames};
use crate::text::TextStream;
use crate::wait::{runtime, wait};

#[pyclass(frozen)]
pub(crate) struct Client(crypto_intel::Client);

#[pymethods]
impl Client {
    #[new]
    #[pyo3(signature = (api_key=None, base_url=None, deadline=None))]
    fn new(
        py: Python<'_>,
        api_key: Option<String>,
        base_url: Option<String>,
        deadline: Option<f64>,
    ) -> PyResult<Self> {
        let mut builder = crypto_intel::Client::builder().from_env();
        if let Some(key) = api_key {
            builder = builder.api_key(key);
        }
        if let Some(url) = base_url {
            builder = builder.base_url(url);
        }
        if let Some(seconds) = deadline {
            let deadline = Duration::try_from_secs_f64(seconds);
            builder = builder.deadline(deadline.map_err(|e| PyValueError::new_err(e.to_string()))?);
        }
        // The HTTP client of some features wants to be within a runtime.
        let _within = runtime()?.enter();
        builder.build().map(Client).map_err(|error| raised(py, &error))
    }

    /// Sends a call and waits for its answer.
    fn call(
        &self,
        py: Python<'_>,
        operation: &str,
        arguments: &Bound<'_, PyDict>,
    ) -> PyResult<Answer> {
        let options = CallOptions::default().keep_body(true);
        let request = request(&self.0, operation, arguments)?.with_options(options);
        let operation = request.operation();
        let reply = wait(py, async move { request.await })?.map_err(|error| raised(py, &error))?;
        Ok(Answer {
            operation,
            body: reply.body().cloned().unwrap_or_default(),
            credits_used: reply.credits_used(),
            cached: reply.cached(),
            request_id: reply.http().request_id().map(str::to_owned),
            rows: reply.is_list().then(|| reply.rows().len()),
        })
    }

    /// The pages of a list, from its beginning.
    fn pages(
        &self,
        operation: &str,
        arguments: &Bound<'_, PyDict>,
        limits: &Bound<'_, PyDict>,
    ) -> PyResult<Pages> {
        Ok(Pages(Some(self.pager(operation, arguments, limits)?.pages())))
    }

    /// The rows of a list as an Arrow stream of batches.
    fn frames<'py>(
        &self,
        py: Python<'py>,
        operation: &str,
        arguments: &Bound<'py, PyDict>,
        limits: &Bound<'py, PyDict>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let pager = self.pager(operation, arguments, limits)?;
        let frames: Frames =
            pager.frames_with(&options()).map_err(|error| of_frames(py, &error))?;
        capsule_of_frames(py, frames)
    }

    /// The text of an answer of the chat, as it is written.
    fn ask(&self, py: Python<'_>, model: String, question: String) -> PyResult<TextStream> {
        TextStream::open(py, &self.0, model, question)
    }

    /// Credits that the service said were used, by this client.
    fn credits_used(&self) -> u64 {
        self.0.ledger().total().reported.0
    }
}

impl Client {
    fn pager(
        &self,
        operation: &str,
        arguments: &Bound<'_, PyDict>,
        limits: &Bound<'_, PyDict>,
    ) -> PyResult<paging::Pager<DynamicRequest>> {
        let pager = request(&self.0, operation, arguments)?.pager();
        let mut pager = pager.ok_or_else(|| {
            PyValueError::new_err(format!("{operation} has no pages: its answer is whole"))
        })?;
        let limit = |name: &str| -> PyResult<Option<u64>> {
            limits.get_item(name)?.map_or(Ok(None), |limit| limit.extract())
        };
        if let Some(items) = limit("items")? {
            pager = pager.max_items(items);
        }
        if let Some(pages) = limit("pages")? {
            pager = pager.max_pages(pages);
        }
        if let Some(credits) = limit("credits")? {
            pager = pager.max_credits(credits);
        }
        Ok(pager)
    }
}

/// Tables as Python's libraries like them: figures and times in types that they compute with.
fn options() -> Options {
    Options::default().figure_values(crypto_intel_frames::Numbers::Float)
}

/// An answer, undecoded.
#[pyclass(frozen)]
pub(crate) struct Answer {
    operation: &'static Operation,
    body: Bytes,
    #[pyo3(get)]
    credits_used: Option<i64>,
    #[pyo3(get)]
    cached: Option<bool>,
    #[pyo3(get)]
    request_id: Option<String>,
    /// Rows of a list; `None` for one value.
    #[pyo3(get)]
    rows: Option<usize>,
}

#[pymethods]
impl Answer {
    #[getter]
    fn operation(&self) -> &'static str {
        self.operation.id
    }

    /// The JSON as it came.
    fn body<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.body)
    }

    /// The rows as an Arrow stream.
    fn frames<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let options = options();
        let read = py.detach(|| {
            let schema = crypto_intel_frames::schema_of(self.operation, &options)?;
            let batches = crypto_intel_frames::read_answer(self.operation, &options, &self.body)?;
            Ok((schema, batches))
        });
        let (schema, batches) = read.map_err(|error| of_frames(py, &error))?;
        capsule_of_batches(py, schema, batches)
    }
}

/// Pages of a list.
#[pyclass]
pub(crate) struct Pages(Option<paging::Pages<DynamicRequest>>);

#[pymethods]
impl Pages {
    /// The rows of the next page as a JSON list; `None` at the end.
    fn next_page(&mut self, py: Python<'_>) -> PyResult<Option<String>> {
        let Some(pages) = &mut self.0 else { return Ok(None) };
        let page = match wait(py, pages.try_next())? {
            Ok(page) => page,
            Err(error) => {
                self.0 = None;
                return Err(raised(py, &error));
            }
        };
        Ok(page.map(|page| {
            let rows: Vec<&str> = page.reply.rows().iter().map(crypto_intel::Row::get).collect();
            format!("[{}]", rows.join(","))
        }))
    }
}
