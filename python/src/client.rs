//! The native client for Python. It sends calls and SQL queries, reads lists, runs exports, and estimates costs.
//!
//! Python passes calls as tuples, and receives pending calls. It can wait for a pending call, or start the call in the
//! background.

use crypto_intel::{DynamicRequest, Error, Request, ResumeToken, WatchExt, paging};
use crypto_intel_frames::export::PreparedSync;
use crypto_intel_frames::{Frames, FramesExt, PagerFramesExt};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

use crate::answer::Answer;
use crate::arguments::{CallArguments, request};
use crate::completeness::State;
use crate::errors::Raise;
use crate::events::open;
use crate::export::{self, export};
use crate::jobs::SqlJob;
use crate::money::{estimated, ledger};
use crate::process::PerProcess;
use crate::resolve::{resolve, written};
use crate::rows::Rows;
use crate::settings::{Settings, present, seconds};
use crate::tables::{capsule_of_frames, options};
use crate::wait::{Pending, runtime};
use crate::watch::Watch;

/// A client of the service. After a fork, the child process gets its own client with the same settings. The child does
/// not share connections with the parent. The budget of the child is the remaining budget of the parent.
#[pyclass(frozen)]
pub(crate) struct Client {
    settings: Settings,
    client: PerProcess<crypto_intel::Client>,
}

#[pymethods]
impl Client {
    #[new]
    fn new(settings: &Bound<'_, PyDict>) -> PyResult<Self> {
        let client = Client { settings: Settings::read(settings)?, client: PerProcess::new() };
        client.process_client(settings.py())?;
        Ok(client)
    }

    /// Sends a call.
    fn call(&self, given: CallArguments<'_>) -> PyResult<Pending> {
        Ok(Pending::new(Answer::send(self.request(&given)?.into_call())))
    }

    /// Sends a chat question, and waits for the start of its answer.
    fn stream(&self, given: CallArguments<'_>) -> PyResult<Pending> {
        Ok(Pending::new(open(self.process_client(given.py())?, &given)?))
    }

    /// Returns an iterator over the rows of a list. `limits` contains maximum numbers of rows, pages and credits.
    fn rows(&self, given: CallArguments<'_>, limits: &Bound<'_, PyDict>) -> PyResult<Rows> {
        Ok(Rows::new(self.pager(&given, limits)?.items()))
    }

    /// Returns the rows of a single response, or of a list with limits, as an Arrow stream of batches.
    fn frames<'py>(
        &self,
        given: CallArguments<'py>,
        limits: &Bound<'py, PyDict>,
        table: &Bound<'py, PyDict>,
    ) -> PyResult<(Bound<'py, PyCapsule>, State)> {
        let (py, options) = (given.py(), options(table)?);
        let request = self.request(&given)?;
        let frames: Result<Frames, _> = match request.clone().pager() {
            Some(_) => self.pager(&given, limits)?.frames_with(&options),
            None => request.frames_with(&options),
        };
        capsule_of_frames(py, frames.map_err(|error| error.raise(py))?)
    }

    /// Writes the rows of an answer or a list to a folder.
    fn export(
        &self,
        given: CallArguments<'_>,
        folder: String,
        settings: &Bound<'_, PyDict>,
    ) -> PyResult<Pending> {
        export(self.request(&given)?, self.settings.origin.clone(), folder, settings)
    }

    /// Returns the name, the number of requests and the list price of each export of a plan. `plan` is JSON text.
    fn bill(
        &self,
        py: Python<'_>,
        plan: &str,
    ) -> PyResult<Vec<(String, Option<u64>, Option<u64>)>> {
        Ok(export::bill(&self.prepared(py, plan)?))
    }

    /// Runs all exports of a plan. `plan` is JSON text.
    fn sync(&self, py: Python<'_>, plan: &str, folder: String) -> PyResult<Pending> {
        Ok(export::sync(self.prepared(py, plan)?, folder))
    }

    /// Returns the minimum and the maximum list price of a call, or of a list with limits.
    fn estimate(
        &self,
        given: CallArguments<'_>,
        limits: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Option<(u64, u64)>> {
        let own = self.process_client(given.py())?;
        Ok(match limits {
            Some(limits) => self.pager(&given, limits)?.estimate().and_then(estimated),
            None => estimated(own.estimate(&request(own, &given)?)),
        })
    }

    /// Repeats a call at an interval.
    fn watch(&self, given: CallArguments<'_>, every: &Bound<'_, PyAny>) -> PyResult<Watch> {
        let request = self.request(&given)?;
        let call = request.call().clone();
        Ok(Watch::new(call, request.watch(seconds("every", every)?)))
    }

    /// Submits a query as a job.
    fn submit(
        &self,
        given: CallArguments<'_>,
        query: String,
        max_rows: Option<i64>,
    ) -> PyResult<Pending> {
        let mut sql = self.process_client(given.py())?.sql(query).with_options(given.options()?);
        if let Some(rows) = max_rows {
            sql = sql.max_rows(rows);
        }
        Ok(Pending::new(async move { Ok::<_, Error>(SqlJob::new(sql.submit().await?)) }))
    }

    /// Creates a job from the identifier of an earlier submission.
    fn job(&self, given: CallArguments<'_>, id: String) -> PyResult<SqlJob> {
        let job = self.process_client(given.py())?.sql_job(id);
        Ok(SqlJob::new(job.with_options(given.options()?)))
    }

    /// Searches for the identifiers of a name. The result is JSON.
    fn resolve(
        &self,
        py: Python<'_>,
        name: String,
        kinds: Vec<String>,
        operation: Option<&str>,
    ) -> PyResult<Pending> {
        let (resolve, operation) = resolve(self.process_client(py)?, name, kinds, operation)?;
        Ok(Pending::new(async move { Ok::<_, Error>(written(&resolve.await?, operation)) }))
    }

    /// Returns the minimum and the maximum list price of the searches that `resolve` would send.
    fn resolve_estimate(
        &self,
        py: Python<'_>,
        name: String,
        kinds: Vec<String>,
        operation: Option<&str>,
    ) -> PyResult<Option<(u64, u64)>> {
        let (resolve, _) = resolve(self.process_client(py)?, name, kinds, operation)?;
        Ok(estimated(resolve.estimate()))
    }

    /// Returns the credit ledger of the client as JSON text. For example, the ledger contains the credits used by each
    /// operation.
    fn ledger(&self, py: Python<'_>) -> PyResult<String> {
        Ok(ledger(&self.process_client(py)?.ledger()).to_string())
    }
}

impl Client {
    /// Returns the client of this process, and creates it if necessary.
    fn process_client(&self, py: Python<'_>) -> PyResult<&crypto_intel::Client> {
        // With some features, the HTTP client must be created inside a runtime.
        let _within = runtime()?.enter();
        let client = self.client.get_or_make(|parent| self.settings.build(parent));
        client.map_err(|error| error.raise(py))
    }

    fn prepared(&self, py: Python<'_>, plan: &str) -> PyResult<PreparedSync> {
        let sync = export::prepare(self.process_client(py)?, self.settings.origin.clone(), plan);
        sync.map_err(|error| error.raise(py))
    }

    fn request(&self, given: &CallArguments<'_>) -> PyResult<DynamicRequest> {
        request(self.process_client(given.py())?, given)
    }

    fn pager(
        &self,
        given: &CallArguments<'_>,
        limits: &Bound<'_, PyDict>,
    ) -> PyResult<paging::Pager<DynamicRequest>> {
        let (py, operation) = (given.py(), given.operation());
        let pager = self.request(given)?.pager();
        let mut pager =
            pager.ok_or_else(|| PyValueError::new_err(format!("{operation} is not paged")))?;

        for (name, value) in present(limits) {
            let name: String = name.extract()?;
            if name == "resume" {
                let token: ResumeToken =
                    value.extract::<String>()?.parse().map_err(|error: Error| error.raise(py))?;
                pager = pager.resume_from(token);
                continue;
            }
            let limit = value.extract::<u64>().map_err(|_| {
                let what =
                    format!("`max_{name}` must be a whole number of at least 0, not {value}");
                PyValueError::new_err(what)
            })?;
            pager = match name.as_str() {
                "items" => pager.max_items(limit),
                "pages" => pager.max_pages(limit),
                "credits" => pager.max_credits(limit),
                _ => return Err(PyValueError::new_err(format!("there is no limit `max_{name}`"))),
            };
        }
        Ok(pager.largest_pages())
    }
}
