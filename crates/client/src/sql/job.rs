//! SQL jobs: queries that the service runs in the background.
//!
//! A [`Job`] is created by submitting a query, or from a saved handle. Its methods request the state of the job, read
//! its rows, and cancel it.

use std::time::Duration;

use crypto_intel_api::Api;
use crypto_intel_api::generated::onchain::{OnchainSqlJobGetRequest, SqlJob, SqlJobStatus};
use crypto_intel_core::{
    BoxFuture, CallOptions, Error, ErrorKind, JsonObject, Reply, Request, UnixSeconds,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::answer::{Csv, DecodeRow, Ordered, ResultRows, Typed};
use super::links::call_for_url;
use super::{JobHandle, PollPolicy, Table};

/// SQL query that the service runs in the background. Submitting the query costs credits. All methods of `Job` are
/// free. The service keeps the job for 24 hours.
///
/// If this value is dropped, the job continues, unless [`cancel_on_drop`](Self::cancel_on_drop) is set.
///
/// ```no_run
/// # // Run as `tests/client/it/sql.rs`: the sandbox that examples start has no SQL, to compile quickly.
/// # async fn run(client: crypto_intel::Client) -> Result<(), Box<dyn std::error::Error>> {
/// #[derive(serde::Deserialize)]
/// struct Day {
///     block_date: i64, // Unix seconds
///     trades: u64,
/// }
///
/// let query = "SELECT block_date, count() AS trades FROM agent.ethereum_dex_trades \
///     WHERE block_date >= today() - 30 GROUP BY block_date";
/// let mut job = client.sql(query).submit().await?;
/// let kept = serde_json::to_string(job.handle())?; // for tomorrow: `client.sql_job(handle)`
///
/// let mut progress = job.progress();
/// while let Some(state) = progress.try_next().await? {
///     println!("{} {:?} %", state.status, state.progress_percent);
/// }
/// drop(progress);
/// let days = job.rows::<Day>().await?;
/// assert_eq!(days.len(), 31);
/// assert!(days.iter().all(|day| day.block_date % 86_400 == 0 && day.trades > 0));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Job {
    api: Api,
    handle: JobHandle,
    pub(super) state: Option<Box<SqlJob>>,
    options: CallOptions,
    pub(super) poll: PollPolicy,
    cancel_on_drop: bool,
    credits_used: Option<i64>,
}

impl Job {
    pub(super) fn from_handle(api: Api, handle: JobHandle) -> Self {
        let (options, poll) = (CallOptions::default(), PollPolicy::default());
        Job { api, handle, state: None, options, poll, cancel_on_drop: false, credits_used: None }
    }

    pub(super) fn from_reply(
        api: Api,
        reply: Reply<SqlJob>,
        options: CallOptions,
        poll: PollPolicy,
    ) -> Self {
        let (handle, credits_used) = (JobHandle::from(&*reply), reply.credits_used());
        let state = Some(Box::new(reply.into_inner()));
        Job { api, handle, state, options, poll, cancel_on_drop: false, credits_used }
    }

    /// Returns the credits used for submitting the query, as the service reports them. Returns `None` if the service
    /// did not report them, or if this value was created from a handle. The service charges nothing after the
    /// submission, and refunds nothing if the job fails.
    #[must_use]
    pub fn credits_used(&self) -> Option<i64> {
        self.credits_used
    }

    /// Returns the service's identifier of the job.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.handle.job_id
    }

    /// Returns the handle of the job. With the handle, a program can resume the job later.
    #[must_use]
    pub fn handle(&self) -> &JobHandle {
        &self.handle
    }

    /// Returns the job record that was received last. Returns `None` if this `Job` was created from a handle and no
    /// record has been received yet.
    #[must_use]
    pub fn state(&self) -> Option<&SqlJob> {
        self.state.as_deref()
    }

    /// Returns true if the job has ended according to the last received record, with or without success. An unknown
    /// status counts as running.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.state.as_ref().is_some_and(|state| is_final(&state.status))
    }

    /// Sets the intervals between the polls of the job, and the limits after which waiting for the job returns an
    /// error.
    #[must_use]
    pub fn poll_policy(mut self, poll: PollPolicy) -> Self {
        self.poll = poll;
        self
    }

    /// Sets options for all requests of this job. They take precedence over the settings of the client.
    #[must_use]
    pub fn with_options(mut self, options: CallOptions) -> Self {
        self.options = options;
        self
    }

    /// Sets whether dropping this value cancels the job. If the last job record from the service reports that the job
    /// has ended, no cancel request is sent.
    ///
    /// `drop` cannot wait for a response, so it spawns the cancel request on the current tokio runtime. Without a
    /// runtime, or if the runtime stops before the request is sent, the job continues. Call [`cancel`](Self::cancel) to
    /// be certain.
    #[must_use]
    pub fn cancel_on_drop(mut self, cancel: bool) -> Self {
        self.cancel_on_drop = cancel;
        self
    }

    /// Requests the job record once and returns it.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NotFound`] if the job does not exist, or if the service has deleted it. Also returns an
    /// error if the request fails.
    pub async fn refresh(&mut self) -> Result<&SqlJob, Error> {
        let request = self.api.onchain_sql_job_get(self.id()).with_options(self.options.clone());
        let url = self.state.as_ref().and_then(|state| state.poll_url.as_deref());
        let own = request.clone().into_call();
        let call_for_url = call_for_url(own, url).map(OnchainSqlJobGetRequest::from_call);
        let request = call_for_url.unwrap_or(request);
        let reply = request.await.map_err(|error| self.explain_missing_job(error))?;
        Ok(self.store_state(reply.into_inner().data))
    }

    fn store_state(&mut self, state: SqlJob) -> &SqlJob {
        self.handle.expires_at = JobHandle::from(&state).expires_at.or(self.handle.expires_at);
        self.state.insert(Box::new(state))
    }

    /// Cancels the job and returns the job record from the response.
    ///
    /// If this method succeeds, a queued job is canceled. A running job will stop, and [`progress`](Self::progress)
    /// reports when it has stopped. A job that has already ended keeps its status.
    ///
    /// # Errors
    /// Returns [`ErrorKind::NotFound`] if the job does not exist, or if the service has deleted it. Returns
    /// [`ErrorKind::Service`] if the service responded but did not register the cancellation. Also returns an error if
    /// the request fails.
    pub async fn cancel(&mut self) -> Result<&SqlJob, Error> {
        let request = self.api.onchain_sql_job_cancel(self.id()).with_options(self.options.clone());
        let reply = request.await.map_err(|error| self.explain_missing_job(error))?;
        let (status, operation) = (reply.http().status, reply.operation().id);
        let state = self.store_state(reply.into_inner().data);
        if is_final(&state.status) || state.cancellation_requested {
            return Ok(state);
        }
        let message = "the service responded but did not record the cancellation; try again";
        Err(Error::new(ErrorKind::Service, message).with_status(status).with_operation(operation))
    }

    /// Waits until the job has succeeded, and returns its rows as values of `T`. `T` is usually a struct whose fields
    /// have the names of the columns.
    ///
    /// # Errors
    /// Returns the errors of [`wait`](Self::wait), and [`ErrorKind::Decode`] if a row cannot be decoded as `T`.
    pub async fn rows<T: DeserializeOwned>(&mut self) -> Result<Reply<Vec<T>>, Error> {
        let reply = self.results::<Typed<T>>().await?;
        Ok(reply.map(|answer| answer.rows.into_iter().map(|Typed(row)| row).collect()))
    }

    /// Waits until the job has succeeded, and returns its rows as a table. The program needs no Rust type for the rows.
    ///
    /// # Errors
    /// Returns the same errors as [`rows`](Self::rows).
    pub async fn table(&mut self) -> Result<Reply<Table>, Error> {
        let reply = self.results::<Ordered>().await?;
        let query = self.state.as_ref().map_or("", |state| &*state.sql);
        Ok(reply.map(|answer| Table::from_answer(query, answer)))
    }

    /// Waits until the job has succeeded, and returns its rows as JSON objects; see [`Table::json`].
    ///
    /// # Errors
    /// Returns the same errors as [`rows`](Self::rows).
    pub async fn json(&mut self) -> Result<Reply<Vec<JsonObject>>, Error> {
        Ok(self.table().await?.map(|table| table.json()))
    }

    /// Waits until the job has succeeded, and returns its rows as CSV.
    ///
    /// If the job record has a `csv_url` below the base URL of the service, the client requests the CSV from this URL.
    /// If the record has no such URL, or if the response is not CSV, the client generates the CSV from the rows, as
    /// [`Table::csv`] does.
    ///
    /// # Errors
    /// Returns the same errors as [`rows`](Self::rows).
    pub async fn csv(&mut self) -> Result<Reply<String>, Error> {
        self.wait().await?;
        let url = self.state.as_ref().and_then(|state| state.csv_url.as_deref());
        let request =
            self.api.onchain_sql_job_results(self.id()).with_options(self.options.clone());

        if let Some(call) = call_for_url(request.into_call(), url) {
            let reply =
                call.send::<Csv>().await.map_err(|error| self.explain_missing_job(error))?;
            if Csv::matches_type(reply.http()) {
                return Ok(reply.map(|Csv(text)| text));
            }
            tracing::warn!(
                job = self.id(),
                "`csv_url` returned no CSV, so the client generates the CSV from the rows"
            );
        }
        Ok(self.table().await?.map(|table| table.csv()))
    }

    async fn results<R: DecodeRow>(&mut self) -> Result<Reply<ResultRows<R>>, Error> {
        self.wait().await?;
        let request =
            self.api.onchain_sql_job_results(self.id()).with_options(self.options.clone());
        let url = self.state.as_ref().and_then(|state| state.result_url.as_deref());
        let own = request.into_call();
        let call = call_for_url(own.clone(), url).unwrap_or(own);
        call.send().await.map_err(|error| self.explain_missing_job(error))
    }

    /// Returns the job record if the job succeeded, or an error if the job failed or was canceled. Call this method
    /// only after the job has ended.
    pub(super) fn require_success(&self) -> Result<&SqlJob, Error> {
        match &self.state {
            Some(state) if state.status == SqlJobStatus::Succeeded => Ok(state),
            Some(state) => Err(self.mask_error(job_error(state))),
            // Unreachable: this method is called only for a job that has ended, so a record was received.
            None => Err(Error::new(ErrorKind::Service, "the state of the job is not yet known")),
        }
    }

    /// Masks API keys in an error. The error of a failed job contains text from the service. This text may repeat a
    /// key.
    pub(super) fn mask_error(&self, error: Error) -> Error {
        let call = self.api.onchain_sql_job_get(self.id()).into_call();
        call.handle().masked(error)
    }

    /// Replaces the error that the service returns for an unknown job. The message of the new error explains that the
    /// service keeps jobs only for a limited time. Returns all other errors unchanged.
    fn explain_missing_job(&self, error: Error) -> Error {
        // A 404 response without an error code is probably not from the service, but from a wrong base URL.
        if error.kind() != ErrorKind::NotFound || error.code().is_none() {
            return error;
        }

        let until = self.handle.expires_at.and_then(UnixSeconds::to_system_time);
        let kept = match until {
            Some(time) => format!("the job only until {}", httpdate::fmt_http_date(time)),
            None => "jobs only for 24 hours".to_owned(),
        };
        let message = format!(
            "the service has no job `{}`; the service keeps {kept}; submit the query again",
            self.id()
        );
        let mut gone = Error::new(ErrorKind::NotFound, message).with_attempts(error.attempts());
        if let Some(status) = error.status() {
            gone = gone.with_status(status);
        }
        if let Some(code) = error.code() {
            gone = gone.with_code(code);
        }
        if let Some(operation) = error.operation() {
            gone = gone.with_operation(operation);
        }
        if let Some(id) = error.request_id() {
            gone = gone.with_request_id(id);
        }

        gone.with_source(error)
    }
}

/// Waits until the job has succeeded, and returns its rows as a table, like [`Job::table`].
impl IntoFuture for Job {
    type Output = Result<Reply<Table>, Error>;
    type IntoFuture = BoxFuture<Self::Output>;

    fn into_future(mut self) -> Self::IntoFuture {
        Box::pin(async move { self.table().await })
    }
}

impl Drop for Job {
    fn drop(&mut self) {
        if !self.cancel_on_drop || self.is_finished() {
            return;
        }
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            tracing::warn!(
                job = self.id(),
                "the `Job` was dropped outside an async runtime, so the job is not canceled"
            );
            return;
        };
        let request = self.api.onchain_sql_job_cancel(self.id()).with_options(self.options.clone());
        let id = self.handle.job_id.clone();
        runtime.spawn(async move {
            if let Err(error) = request.await {
                tracing::warn!(
                    job = id, %error,
                    "could not cancel the job after its `Job` was dropped"
                );
            }
        });
    }
}

/// Returns true if a job with this status has ended: it has succeeded, failed or been canceled. The service documents
/// these three statuses as final.
pub(super) fn is_final(status: &SqlJobStatus) -> bool {
    matches!(status, SqlJobStatus::Succeeded | SqlJobStatus::Failed | SqlJobStatus::Canceled)
}

/// Returns the error for a job that failed or was canceled.
fn job_error(state: &SqlJob) -> Error {
    let message = match (&state.error, &state.status) {
        (_, SqlJobStatus::Canceled) => "the job was canceled".to_owned(),
        (Some(error), _) => format!("the job failed: {}", error.message),
        (None, _) => "the job failed without a reason".to_owned(),
    };

    // The service's documentation names `FORBIDDEN` as the code for insufficient credits.
    let kind = match &state.error {
        Some(error) if error.code == "FORBIDDEN" => ErrorKind::InsufficientCredits,
        _ => ErrorKind::SqlFailed,
    };
    let mut failed = Error::new(kind, message).with_retryable(state.retryable);
    if let Some(error) = &state.error {
        failed = failed.with_code(&*error.code);
    }
    if let Some(wait) = requested_wait(state) {
        failed = failed.with_retry_after(wait);
    }
    if let Ok(Value::Object(details)) = serde_json::to_value(state) {
        failed = failed.with_details(details);
    }

    failed.with_request_id(&*state.request_id)
}

/// Returns the wait before the next poll that the service asks for. The field `retry_after_ms` of the job record
/// contains this wait.
pub(super) fn requested_wait(state: &SqlJob) -> Option<Duration> {
    u64::try_from(state.retry_after_ms?).ok().map(Duration::from_millis)
}
