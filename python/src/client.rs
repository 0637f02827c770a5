//! Calls and lists.

use std::future::Future;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use crypto_intel::credits::Budget;
use crypto_intel::{CallOptions, DynamicRequest, Error, Request, ResumeToken, RetryPolicy, paging};
use crypto_intel_frames::{Error as FramesError, Frames, PagerFramesExt};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use tokio::sync::Mutex;

use crate::answer::Answer;
use crate::arguments::request;
use crate::errors::Raise;
use crate::export::{Exported, export};
use crate::process::PerProcess;
use crate::tables::{capsule_of_frames, options};
use crate::text::{TextStream, open};
use crate::wait::{Task, called, runtime};

/// A client of this process. A forked child gets a client of its own with the same settings: connections are not
/// shared, and what is left of the budget is the budget of the child.
#[pyclass(frozen)]
pub(crate) struct Client {
    settings: Settings,
    client: PerProcess<crypto_intel::Client>,
}

/// Arguments of the constructor.
struct Settings {
    api_key: Option<String>,
    base_url: Option<String>,
    deadline: Option<Duration>,
    budget: Option<u64>,
    retries: Option<u32>,
    /// Name of the data source in exports, instead of the base URL.
    origin: Option<String>,
}

impl Settings {
    /// Builds a client. `parent` is the client of the process from which this one was forked.
    fn build(&self, parent: Option<&crypto_intel::Client>) -> Result<crypto_intel::Client, Error> {
        let mut builder = crypto_intel::Client::builder().from_env();
        if let Some(key) = &self.api_key {
            builder = builder.api_key(key.clone());
        }
        if let Some(url) = &self.base_url {
            builder = builder.base_url(url.clone());
        }
        if let Some(deadline) = self.deadline {
            builder = builder.deadline(deadline);
        }

        let left = parent.and_then(|parent| parent.ledger().remaining());
        if let Some(credits) = left.map(|credits| credits.0).or(self.budget) {
            builder = builder.budget(Budget::credits(credits));
        }
        if let Some(retries) = self.retries {
            let attempts = retries.saturating_add(1);
            builder = builder.retry(RetryPolicy::default().attempts(attempts));
        }
        builder.build()
    }
}

#[pymethods]
impl Client {
    #[new]
    #[pyo3(signature = (
        api_key=None, base_url=None, deadline=None, budget=None, retries=None, origin=None
    ))]
    fn new(
        py: Python<'_>,
        api_key: Option<String>,
        base_url: Option<String>,
        deadline: Option<f64>,
        budget: Option<u64>,
        retries: Option<u32>,
        origin: Option<String>,
    ) -> PyResult<Self> {
        let deadline = deadline.map(Duration::try_from_secs_f64).transpose();
        let deadline =
            deadline.map_err(|error| PyValueError::new_err(format!("deadline: {error}")))?;
        let settings = Settings { api_key, base_url, deadline, budget, retries, origin };

        let client = Client { settings, client: PerProcess::new() };
        client.own(py)?;
        Ok(client)
    }

    /// Sends a call and waits for its answer.
    fn call(
        &self,
        py: Python<'_>,
        operation: &str,
        arguments: &Bound<'_, PyDict>,
    ) -> PyResult<Answer> {
        called(py, self.sent(operation, arguments)?)
    }

    /// Sends a call.
    fn start_call(
        &self,
        operation: &str,
        arguments: &Bound<'_, PyDict>,
        done: Py<PyAny>,
    ) -> PyResult<Task> {
        Task::begin(self.sent(operation, arguments)?, done)
    }

    /// Sends a chat question, and waits for the start of its answer.
    fn stream(
        &self,
        py: Python<'_>,
        operation: &str,
        arguments: &Bound<'_, PyDict>,
    ) -> PyResult<TextStream> {
        called(py, open(self.own(py)?, operation, arguments)?)
    }

    /// Sends a chat question.
    fn start_stream(
        &self,
        operation: &str,
        arguments: &Bound<'_, PyDict>,
        done: Py<PyAny>,
    ) -> PyResult<Task> {
        Task::begin(open(self.own(arguments.py())?, operation, arguments)?, done)
    }

    /// The rows of a list, from its beginning or from a resume token.
    fn batches(
        &self,
        operation: &str,
        arguments: &Bound<'_, PyDict>,
        limits: &Bound<'_, PyDict>,
        resume: Option<&str>,
    ) -> PyResult<Batches> {
        Ok(Batches::new(self.pager(operation, arguments, limits, resume)?.items()))
    }

    /// The rows of a list as an Arrow stream of batches.
    fn frames<'py>(
        &self,
        py: Python<'py>,
        operation: &str,
        arguments: &Bound<'py, PyDict>,
        limits: &Bound<'py, PyDict>,
        resume: Option<&str>,
        figures: &str,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let options = options(figures)?;
        let pager = self.pager(operation, arguments, limits, resume)?;
        let frames: Frames = pager.frames_with(&options).map_err(|error| error.raise(py))?;
        capsule_of_frames(py, frames)
    }

    /// Writes the rows of a list to a folder.
    fn export(
        &self,
        py: Python<'_>,
        operation: &str,
        arguments: &Bound<'_, PyDict>,
        folder: String,
        settings: &Bound<'_, PyDict>,
    ) -> PyResult<Exported> {
        called(py, self.exported(operation, arguments, folder, settings)?)
    }

    fn start_export(
        &self,
        operation: &str,
        arguments: &Bound<'_, PyDict>,
        folder: String,
        settings: &Bound<'_, PyDict>,
        done: Py<PyAny>,
    ) -> PyResult<Task> {
        Task::begin(self.exported(operation, arguments, folder, settings)?, done)
    }

    /// Credits used by this client, as the service reports them.
    fn credits_used(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.own(py)?.ledger().total().reported.0)
    }
}

impl Client {
    /// The client of this process.
    fn own(&self, py: Python<'_>) -> PyResult<&crypto_intel::Client> {
        // With some features, the HTTP client must be created inside a runtime.
        let _within = runtime()?.enter();
        let client = self.client.get_or_make(|parent| self.settings.build(parent));
        client.map_err(|error| error.raise(py))
    }

    fn sent(
        &self,
        operation: &str,
        arguments: &Bound<'_, PyDict>,
    ) -> PyResult<impl Future<Output = Result<Answer, Error>> + Send + 'static> {
        let options = CallOptions::default().keep_body();
        let request =
            request(self.own(arguments.py())?, operation, arguments)?.with_options(options);
        Ok(Answer::of(request.into_call()))
    }

    fn exported(
        &self,
        operation: &str,
        arguments: &Bound<'_, PyDict>,
        folder: String,
        settings: &Bound<'_, PyDict>,
    ) -> PyResult<impl Future<Output = Result<Exported, FramesError>> + Send + 'static> {
        let request = request(self.own(arguments.py())?, operation, arguments)?;
        export(request, self.settings.origin.clone(), folder, settings)
    }

    fn pager(
        &self,
        operation: &str,
        arguments: &Bound<'_, PyDict>,
        limits: &Bound<'_, PyDict>,
        resume: Option<&str>,
    ) -> PyResult<paging::Pager<DynamicRequest>> {
        let pager = request(self.own(arguments.py())?, operation, arguments)?.pager();
        let mut pager = pager.ok_or_else(|| {
            PyValueError::new_err(format!("{operation} has no pages: its answer is whole"))
        })?;

        let limit = |name: &str| -> PyResult<Option<u64>> {
            let given = limits.get_item(name)?.filter(|limit| !limit.is_none());
            let whole = |limit: Bound<'_, PyAny>| {
                limit.extract().map_err(|_| {
                    PyValueError::new_err(format!(
                        "`max_{name}` must be a whole number from 0, not {limit}"
                    ))
                })
            };
            given.map(whole).transpose()
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
        pager = pager.largest_pages();
        if let Some(token) = resume {
            let token: ResumeToken =
                token.parse().map_err(|error: Error| error.raise(arguments.py()))?;
            pager = pager.resume_from(token);
        }
        Ok(pager)
    }
}

/// The rows of a list, in batches.
#[pyclass(frozen)]
pub(crate) struct Batches(Arc<Mutex<Reading>>);

/// State of a list that is being read.
struct Reading {
    items: Option<paging::Items<DynamicRequest>>,
    /// Error after the rows of the last batch.
    error: Option<Error>,
    resume: Option<String>,
}

/// Maximum rows of one batch.
const BATCH: usize = 1_000;

#[pymethods]
impl Batches {
    /// The next rows as a JSON list; `None` at the end.
    fn next_batch(&self, py: Python<'_>) -> PyResult<Option<String>> {
        called(py, self.batch())
    }

    fn start_next_batch(&self, done: Py<PyAny>) -> PyResult<Task> {
        Task::begin(self.batch(), done)
    }

    /// Token of the position after the last batch; `None` at the end of the list.
    fn resume_token(&self, py: Python<'_>) -> Option<String> {
        py.detach(|| self.0.blocking_lock().resume.clone())
    }
}

impl Batches {
    fn new(items: paging::Items<DynamicRequest>) -> Self {
        let resume = items.resume_token().map(|token| token.to_string());
        Batches(Arc::new(Mutex::new(Reading { items: Some(items), error: None, resume })))
    }

    fn batch(&self) -> impl Future<Output = Result<Option<String>, Error>> + Send + 'static {
        let shared = self.0.clone();
        async move { shared.lock().await.batch().await }
    }
}

impl Reading {
    /// Waits for a row, and adds the rows that have arrived with it.
    async fn batch(&mut self) -> Result<Option<String>, Error> {
        if let Some(error) = self.error.take() {
            self.items = None;
            return Err(error);
        }
        let Some(items) = &mut self.items else { return Ok(None) };
        let first = match items.try_next().await {
            Ok(first) => first,
            Err(error) => {
                self.items = None;
                return Err(error);
            }
        };

        let mut batch = String::from("[");
        if let Some(first) = &first {
            batch.push_str(first.get());
            for _ in 1..BATCH {
                match at_once(items.try_next()) {
                    Some(Ok(Some(row))) => {
                        batch.push(',');
                        batch.push_str(row.get());
                    }
                    Some(Err(error)) => self.error = Some(error),
                    Some(Ok(None)) | None => break,
                }
                if self.error.is_some() {
                    break;
                }
            }
            batch.push(']');
        }
        self.resume = items.resume_token().map(|token| token.to_string());
        Ok(first.map(|_| batch))
    }
}

/// Result of a future that is ready now. `None` if it is pending.
fn at_once<T>(future: impl Future<Output = T>) -> Option<T> {
    let mut future = std::pin::pin!(future);
    match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    }
}
