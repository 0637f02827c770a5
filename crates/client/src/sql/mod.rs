//! SQL queries over on-chain data. A program can run a query, check it without running it, or submit it as a background
//! job.
//!
//! ```no_run
//! # // Run as `tests/client/it/sql.rs`: the sandbox that examples start has no SQL, to compile quickly.
//! # async fn run(client: crypto_intel::Client) -> Result<(), Box<dyn std::error::Error>> {
//! use crypto_intel::sql::Outcome;
//!
//! #[derive(serde::Deserialize)]
//! struct Trades {
//!     project: String,
//!     trades: u64,
//! }
//!
//! let query = "SELECT project, count() AS trades FROM agent.ethereum_dex_trades \
//!     WHERE block_date >= today() - 30 GROUP BY project ORDER BY trades DESC";
//! for row in &*client.sql(query).max_rows(100).rows::<Trades>().await? {
//!     println!("{} {}", row.project, row.trades);
//! }
//!
//! // This submits the query as a job if it takes more than 30 seconds.
//! match client.sql(query).run_or_submit().await? {
//!     Outcome::Done(table) => println!("{}", table.csv()),
//!     Outcome::Job(mut job) => println!("{}", job.csv().await?.into_inner()),
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Queries are written in the ClickHouse dialect. Table names have the form `agent.<table>`. Queries over large tables
//! need a lower bound for `block_date`. All times in result rows are Unix seconds, also in date columns.
//!
//! This module sends each query unchanged. If the service rejects a query, the method that sent the query returns an
//! [`Error`]. If the service rejects a job because too many jobs are running, the error kind is
//! [`ErrorKind::SqlRejected`]. If the service marks this rejection as retryable, the client first retries the
//! submission according to its [`RetryPolicy`](crate::RetryPolicy).

mod answer;
mod handle;
mod job;
mod links;
mod poll_policy;
mod rejection;
mod table;
mod watch;

use crypto_intel_api::Api;
use crypto_intel_api::generated::onchain::SqlPreflight;
use crypto_intel_core::{BoxFuture, CallOptions, Error, ErrorKind, JsonObject, Reply, Request};
use http::StatusCode;
use serde::de::DeserializeOwned;

use answer::{DecodeRow, Ordered, ResultRows, Typed};

pub use handle::JobHandle;
pub use job::Job;
pub use poll_policy::PollPolicy;
pub use rejection::SqlRejection;
pub use table::Table;
pub use watch::Progress;

use crate::Client;

impl Client {
    /// Creates an SQL query without sending it. Awaiting the query runs it and returns a [`Table`]. [`Sql`] has methods
    /// that return the rows as CSV or as values of the program's own types. Other methods check the query, or submit it
    /// as a job.
    pub fn sql(&self, query: impl Into<String>) -> Sql {
        Sql {
            api: Api::clone(self),
            query: query.into(),
            max_rows: None,
            options: CallOptions::default(),
            poll: PollPolicy::default(),
        }
    }

    /// Returns a job that was submitted earlier. `handle` is the identifier of the job or its saved [`JobHandle`]. No
    /// request is sent.
    #[must_use]
    pub fn sql_job(&self, handle: impl Into<JobHandle>) -> Job {
        Job::from_handle(Api::clone(self), handle.into())
    }
}

/// SQL query with its settings, before it is sent.
#[derive(Debug, Clone)]
#[must_use = "a query does nothing until it is sent"]
pub struct Sql {
    api: Api,
    query: String,
    max_rows: Option<i64>,
    options: CallOptions,
    poll: PollPolicy,
}

/// Result of [`Sql::run_or_submit`]: the rows of the query, or a job that computes them.
#[derive(Debug)]
pub enum Outcome {
    /// The service returned the rows within its time limit.
    Done(Reply<Table>),
    /// The query exceeded the time limit of the service, so it was submitted as this job.
    Job(Job),
}

impl Outcome {
    /// Returns the rows as a table. If the query became a job, waits until the job has succeeded.
    ///
    /// # Errors
    /// Returns the same errors as [`Job::table`].
    pub async fn table(self) -> Result<Reply<Table>, Error> {
        match self {
            Outcome::Done(table) => Ok(table),
            Outcome::Job(mut job) => job.table().await,
        }
    }
}

/// Creates a request with the query, the row limit and the options of a [`Sql`]. `$start` is the method of [`Api`] that
/// starts the request, such as `onchain_sql`.
macro_rules! request {
    ($sql:expr, $start:ident) => {{
        let sql = $sql;
        let request = sql.api.$start(&*sql.query).with_options(sql.options.clone());
        match sql.max_rows {
            Some(max_rows) => request.max_rows(max_rows),
            None => request,
        }
    }};
}

impl Sql {
    /// Sets the maximum number of rows of the query result. The allowed range and the default are described at
    /// [`OnchainSqlRequest::max_rows`](crate::onchain::OnchainSqlRequest::max_rows).
    pub fn max_rows(mut self, max_rows: i64) -> Self {
        self.max_rows = Some(max_rows);
        self
    }

    /// Sets options for all requests of this query and its job. They take precedence over the settings of the client.
    pub fn with_options(mut self, options: CallOptions) -> Self {
        self.options = options;
        self
    }

    /// Sets the policy for waiting until a job of this query ends. The policy contains the intervals between polls, and
    /// the limits after which the program gets an error.
    pub fn poll_policy(mut self, poll: PollPolicy) -> Self {
        self.poll = poll;
        self
    }

    /// Runs the query and returns its rows as values of `T`. `T` is usually a struct whose fields have the names of the
    /// columns. The price is the same as for [`Api::onchain_sql`].
    ///
    /// # Errors
    /// Returns [`ErrorKind::Timeout`] with status 408 if the query runs for more than about 30 s. The program can then
    /// [submit](Self::submit) the query as a job. Returns [`ErrorKind::Decode`] if a row cannot be decoded as `T`, and
    /// [`ErrorKind::InvalidRequest`] if the service rejects the query. Also returns an error if the request fails for
    /// another reason.
    pub async fn rows<T: DeserializeOwned>(self) -> Result<Reply<Vec<T>>, Error> {
        let reply = self.run::<Typed<T>>().await?;
        Ok(reply.map(|answer| answer.rows.into_iter().map(|Typed(row)| row).collect()))
    }

    /// Runs the query and returns its rows as a table. The program needs no Rust type for the rows.
    ///
    /// # Errors
    /// Returns the same errors as [`rows`](Self::rows).
    pub async fn table(self) -> Result<Reply<Table>, Error> {
        let reply = self.run::<Ordered>().await?;
        Ok(reply.map(|answer| Table::from_answer(&self.query, answer)))
    }

    /// Runs the query and returns its rows as JSON objects; see [`Table::json`].
    ///
    /// # Errors
    /// Returns the same errors as [`rows`](Self::rows).
    pub async fn json(self) -> Result<Reply<Vec<JsonObject>>, Error> {
        Ok(self.table().await?.map(|table| table.json()))
    }

    /// Runs the query and returns its rows as CSV; see [`Table::csv`].
    ///
    /// # Errors
    /// Returns the same errors as [`rows`](Self::rows).
    pub async fn csv(self) -> Result<Reply<String>, Error> {
        Ok(self.table().await?.map(|table| table.csv()))
    }

    /// Asks the service to check the query without running it. The response contains the result of the check, the
    /// estimated amount of data, and the service's advice. The query must begin with `SELECT` or `WITH`. The price is
    /// the same as for [`Api::onchain_sql_preflight`].
    ///
    /// # Errors
    /// Returns [`ErrorKind::InvalidRequest`] if the service cannot check the query. Also returns an error if the
    /// request fails for another reason.
    pub async fn preflight(self) -> Result<Reply<SqlPreflight>, Error> {
        Ok(request!(self, onchain_sql_preflight).await?.map(|envelope| envelope.data))
    }

    /// Submits the query as a job. The service charges the list price of [`Api::onchain_sql_job_create`] once, and does
    /// not refund the credits if the job fails.
    ///
    /// If the service still has an earlier job with an equal query, the service returns the earlier job. The earlier
    /// job may have ended already.
    ///
    /// # Errors
    /// Returns [`ErrorKind::SqlRejected`] if the service created no job. [`retry_after`](Error::retry_after) and
    /// [`recommended_action`](Error::recommended_action) of this error contain the service's advice. After an error of
    /// the kind [`ErrorKind::Transport`] or [`ErrorKind::Timeout`], the job may exist.
    pub async fn submit(self) -> Result<Job, Error> {
        self.submit_job().await
    }

    async fn submit_job(&self) -> Result<Job, Error> {
        let reply = request!(self, onchain_sql_job_create).await?;
        let reply = reply.map(|envelope| envelope.data);
        Ok(Job::from_reply(self.api.clone(), reply, self.options.clone(), self.poll))
    }

    /// Runs the query. If the service responds with status 408 because the query takes too long, submits the query as a
    /// job. So far, the service has never charged a query that failed. Only one of the two requests should therefore
    /// cost credits.
    ///
    /// # Errors
    /// Returns the errors of [`rows`](Self::rows), except those with status 408, and the errors of
    /// [`submit`](Self::submit).
    pub async fn run_or_submit(self) -> Result<Outcome, Error> {
        match self.run::<Ordered>().await {
            Ok(reply) => {
                Ok(Outcome::Done(reply.map(|answer| Table::from_answer(&self.query, answer))))
            }
            Err(error) if is_query_timeout(&error) => self.submit_job().await.map(Outcome::Job),
            Err(error) => Err(error),
        }
    }

    /// Returns the strings in double quotes that the author of this query probably meant as values, such as `ethereum`
    /// in `chain = "ethereum"`. SQL reads text in double quotes as a column name, and only text in single quotes as a
    /// value.
    ///
    /// If the query contains strings of this kind, the client logs a warning and sends the query unchanged.
    #[must_use]
    pub fn double_quoted_values(&self) -> Vec<String> {
        crate::sql_quotes::double_quoted_values(&self.query)
    }

    async fn run<R: DecodeRow>(&self) -> Result<Reply<ResultRows<R>>, Error> {
        request!(self, onchain_sql).into_call().send().await
    }
}

/// Awaiting a query runs it and returns its rows as a table, like [`Sql::table`].
impl IntoFuture for Sql {
    type Output = Result<Reply<Table>, Error>;
    type IntoFuture = BoxFuture<Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.table())
    }
}

/// Returns true if the service responded with status 408 because the query takes too long. Returns false for a timeout
/// of the client itself.
fn is_query_timeout(error: &Error) -> bool {
    error.kind() == ErrorKind::Timeout && error.status() == Some(StatusCode::REQUEST_TIMEOUT)
}
