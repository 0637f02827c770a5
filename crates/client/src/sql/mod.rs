//! SQL over on-chain data: run a query, check it first, or submit it as a background job.
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
//! // What runs for more than 30 seconds becomes a job, if it is asked to.
//! match client.sql(query).run_or_submit().await? {
//!     Outcome::Done(table) => println!("{}", table.csv()),
//!     Outcome::Job(mut job) => println!("{}", job.csv().await?.into_inner()),
//! }
//! # Ok(())
//! # }
//! ```
//!
//! Queries use the ClickHouse dialect. Tables are named `agent.<table>`, and large tables need a lower bound on
//! `block_date`. Times in the rows are Unix seconds, also in date columns.
//!
//! This module never changes a query. If the service rejects a query, the call returns an [`Error`]. If the service
//! rejects a job because too many jobs are running ([`ErrorKind::SqlRejected`]), the client's retries submit the query
//! again after the wait that the service asks for.

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

use answer::{Answer, Ordered, Row, Typed};

pub use handle::JobHandle;
pub use job::Job;
pub use poll_policy::PollPolicy;
pub use rejection::SqlRejection;
pub use table::Table;
pub use watch::Progress;

use crate::Client;

impl Client {
    /// Creates a query, without sending it. Awaiting it returns a [`Table`]. The methods of [`Sql`] return rows as
    /// your own types or as CSV, check the query, or submit it as a job.
    pub fn sql(&self, query: impl Into<String>) -> Sql {
        Sql {
            api: Api::clone(self),
            query: query.into(),
            max_rows: None,
            options: CallOptions::default(),
            poll: PollPolicy::default(),
        }
    }

    /// Returns the job that was submitted earlier under this identifier or [`JobHandle`]. No request is sent.
    #[must_use]
    pub fn sql_job(&self, handle: impl Into<JobHandle>) -> Job {
        Job::attached(Api::clone(self), handle.into())
    }
}

/// A query, not yet sent.
#[derive(Debug, Clone)]
#[must_use = "a query does nothing until it is sent"]
pub struct Sql {
    api: Api,
    query: String,
    max_rows: Option<i64>,
    options: CallOptions,
    poll: PollPolicy,
}

/// Result of a query that may become a job.
#[derive(Debug)]
pub enum Outcome {
    /// The query returned its result directly.
    Done(Reply<Table>),
    /// The query took too long and continues as a job.
    Job(Job),
}

impl Outcome {
    /// Returns the result. Waits for the job if there is one.
    ///
    /// # Errors
    /// Errors of [`Job::table`].
    pub async fn table(self) -> Result<Reply<Table>, Error> {
        match self {
            Outcome::Done(table) => Ok(table),
            Outcome::Job(mut job) => job.table().await,
        }
    }
}

/// Builds one of the three requests that take a query, with the settings of a [`Sql`].
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
    /// Sets the maximum number of rows of the result.
    /// [`OnchainSqlRequest::max_rows`](crate::onchain::OnchainSqlRequest::max_rows) documents the range and the
    /// default.
    pub fn max_rows(mut self, max_rows: i64) -> Self {
        self.max_rows = Some(max_rows);
        self
    }

    /// Sets options for each request that differ from those of the client.
    pub fn with_options(mut self, options: CallOptions) -> Self {
        self.options = options;
        self
    }

    /// Sets the intervals and limits of the wait for a job.
    pub fn poll_policy(mut self, poll: PollPolicy) -> Self {
        self.poll = poll;
        self
    }

    /// Runs the query and returns its rows as values of `T`, which must have one field per column. Costs as much as
    /// [`Api::onchain_sql`].
    ///
    /// # Errors
    /// [`ErrorKind::Timeout`] with status 408 if the query runs for more than about 30 s: submit it as a job.
    /// [`ErrorKind::Decode`] if a row does not decode. [`ErrorKind::InvalidRequest`] if the service rejects the
    /// query.
    pub async fn rows<T: DeserializeOwned>(self) -> Result<Reply<Vec<T>>, Error> {
        let reply = self.run::<Typed<T>>().await?;
        Ok(reply.map(|answer| answer.rows.into_iter().map(|Typed(row)| row).collect()))
    }

    /// Returns the result as a table with any columns.
    ///
    /// # Errors
    /// Errors of [`rows`](Self::rows).
    pub async fn table(self) -> Result<Reply<Table>, Error> {
        let values = self.double_quoted_values();
        Ok(self.run::<Ordered>().await?.map(|answer| Table::from(answer).of_query(values)))
    }

    /// Returns the result as JSON objects; see [`Table::json`].
    ///
    /// # Errors
    /// Errors of [`rows`](Self::rows).
    pub async fn json(self) -> Result<Reply<Vec<JsonObject>>, Error> {
        Ok(self.table().await?.map(|table| table.json()))
    }

    /// Returns the result as CSV; see [`Table::csv`].
    ///
    /// # Errors
    /// Errors of [`rows`](Self::rows).
    pub async fn csv(self) -> Result<Reply<String>, Error> {
        Ok(self.table().await?.map(|table| table.csv()))
    }

    /// Checks the query without running it. The response contains the verdict, the estimated amount of data, and the
    /// advice of the service. The query must begin with `SELECT` or `WITH`. Costs as much as
    /// [`Api::onchain_sql_preflight`].
    ///
    /// # Errors
    /// [`ErrorKind::InvalidRequest`] if the service cannot check it.
    pub async fn preflight(self) -> Result<Reply<SqlPreflight>, Error> {
        Ok(request!(self, onchain_sql_preflight).await?.map(|envelope| envelope.data))
    }

    /// Submits the query as a job. Costs as much as [`Api::onchain_sql_job_create`], once. The charge is not returned
    /// if the job fails. If the service still has a job with an equal query, it returns that job, which may have
    /// ended already.
    ///
    /// # Errors
    /// [`ErrorKind::SqlRejected`] if no job was created, with [`retry_after`](Error::retry_after) and
    /// [`recommended_action`](Error::recommended_action). After an error of [`ErrorKind::Transport`] or
    /// [`ErrorKind::Timeout`] the job may exist.
    pub async fn submit(self) -> Result<Job, Error> {
        self.submit_again().await
    }

    async fn submit_again(&self) -> Result<Job, Error> {
        let reply = request!(self, onchain_sql_job_create).await?;
        let reply = reply.map(|envelope| envelope.data);
        Ok(Job::submitted(self.api.clone(), reply, self.options.clone(), self.poll))
    }

    /// Runs the query, and submits it as a job if the service responds that it takes too long (408). In observations
    /// so far, failures were not charged, so only one of the two requests should cost credits.
    ///
    /// # Errors
    /// Errors of [`rows`](Self::rows) except status 408, and errors of [`submit`](Self::submit).
    pub async fn run_or_submit(self) -> Result<Outcome, Error> {
        match self.run::<Ordered>().await {
            Ok(reply) => Ok(Outcome::Done(reply.map(Table::from))),
            Err(error) if takes_too_long(&error) => self.submit_again().await.map(Outcome::Job),
            Err(error) => Err(error),
        }
    }

    /// Returns the strings in double quotes that look like values, such as `ethereum` in `chain = "ethereum"`. SQL
    /// reads them as column names; values have single quotes. When the query is sent, it is sent unchanged, and a
    /// warning is logged.
    #[must_use]
    pub fn double_quoted_values(&self) -> Vec<String> {
        crate::sql_quotes::double_quoted_values(&self.query)
    }

    async fn run<R: Row>(&self) -> Result<Reply<Answer<R>>, Error> {
        request!(self, onchain_sql).into_call().send().await
    }
}

/// Awaiting a query returns its table, like [`Sql::table`].
impl IntoFuture for Sql {
    type Output = Result<Reply<Table>, Error>;
    type IntoFuture = BoxFuture<Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.table())
    }
}

/// Returns true if the service reported that the query takes too long. A timeout of this client does not count.
fn takes_too_long(error: &Error) -> bool {
    error.kind() == ErrorKind::Timeout && error.status() == Some(StatusCode::REQUEST_TIMEOUT)
}
