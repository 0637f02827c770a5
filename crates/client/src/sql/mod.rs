//! SQL over on-chain data: a query at once, its check beforehand, or a job that runs on its own.
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
//! Queries are in the ClickHouse dialect, tables are named `agent.<table>`, and the large ones need
//! a lower bound on `block_date`. Times in the rows are Unix seconds, date columns included.
//!
//! This module never parses or changes a query. A query that the service rejects is an
//! [`Error`]; a job that was refused because too many run ([`ErrorKind::SqlRejected`]) is submitted
//! again by the client's retries if the service says so, after the wait it asks for.

mod answer;
mod handle;
mod job;
mod links;
mod poll_policy;
mod quotes;
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
    /// A query, not yet sent. Awaited, it returns a [`Table`]; the methods of [`Sql`] give rows as your
    /// own types, CSV, a check beforehand, or a job.
    pub fn sql(&self, query: impl Into<String>) -> Sql {
        Sql {
            api: Api::clone(self),
            query: query.into(),
            max_rows: None,
            options: CallOptions::default(),
            poll: PollPolicy::default(),
        }
    }

    /// A job that was submitted before, by its identifier or its [`JobHandle`]. Nothing is sent.
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
    /// It was answered at once.
    Done(Reply<Table>),
    /// It took too long and goes on as a job.
    Job(Job),
}

impl Outcome {
    /// The result, waiting for the job if there is one.
    ///
    /// # Errors
    /// Those of [`Job::table`].
    pub async fn table(self) -> Result<Reply<Table>, Error> {
        match self {
            Outcome::Done(table) => Ok(table),
            Outcome::Job(mut job) => job.table().await,
        }
    }
}

/// Sets what the three requests that take a query have in common.
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
    /// Most rows the result may have; see
    /// [`OnchainSqlRequest::max_rows`](crate::onchain::OnchainSqlRequest::max_rows)
    /// for the allowed range and the default.
    pub fn max_rows(mut self, max_rows: i64) -> Self {
        self.max_rows = Some(max_rows);
        self
    }

    /// Sets what each request does differently from the client.
    pub fn with_options(mut self, options: CallOptions) -> Self {
        self.options = options;
        self
    }

    /// Sets how a job is waited for.
    pub fn poll_policy(mut self, poll: PollPolicy) -> Self {
        self.poll = poll;
        self
    }

    /// Runs the query and gives its rows as values of a type that has a field a column. Costs
    /// what [`Api::onchain_sql`] does.
    ///
    /// # Errors
    /// [`ErrorKind::Timeout`] with status 408 when the query runs for more than about 30 s: it belongs
    /// into a job. [`ErrorKind::Decode`] when a row does not fit. [`ErrorKind::InvalidRequest`] when the
    /// service refuses the query.
    pub async fn rows<T: DeserializeOwned>(self) -> Result<Reply<Vec<T>>, Error> {
        let reply = self.run::<Typed<T>>().await?;
        Ok(reply.map(|answer| answer.rows.into_iter().map(|Typed(row)| row).collect()))
    }

    /// Returns the result as a table with any columns.
    ///
    /// # Errors
    /// Those of [`rows`](Self::rows).
    pub async fn table(self) -> Result<Reply<Table>, Error> {
        let values = self.double_quoted_values();
        Ok(self.run::<Ordered>().await?.map(|answer| Table::from(answer).of_query(values)))
    }

    /// Returns the result as JSON objects; see [`Table::json`].
    ///
    /// # Errors
    /// Those of [`rows`](Self::rows).
    pub async fn json(self) -> Result<Reply<Vec<JsonObject>>, Error> {
        Ok(self.table().await?.map(|table| table.json()))
    }

    /// Returns the result as CSV; see [`Table::csv`].
    ///
    /// # Errors
    /// Those of [`rows`](Self::rows).
    pub async fn csv(self) -> Result<Reply<String>, Error> {
        Ok(self.table().await?.map(|table| table.csv()))
    }

    /// Checks the query without running it: whether it would be accepted, what it would read, and
    /// what the service advises. Only what begins with `SELECT` or `WITH`. Costs what
    /// [`Api::onchain_sql_preflight`] does.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidRequest`] when the service refuses to check it.
    pub async fn preflight(self) -> Result<Reply<SqlPreflight>, Error> {
        Ok(request!(self, onchain_sql_preflight).await?.map(|envelope| envelope.data))
    }

    /// Submits the query as a job. Costs what [`Api::onchain_sql_job_create`] does, once, and the
    /// charge is not returned if the job fails. The service recognises a query equal to one of a
    /// job it still keeps, so that the job may have ended already.
    ///
    /// # Errors
    /// [`ErrorKind::SqlRejected`] when no job was made, with
    /// [`retry_after`](Error::retry_after) and [`recommended_action`](Error::recommended_action).
    /// An error of [`ErrorKind::Transport`] or [`ErrorKind::Timeout`] leaves it open whether there is a job.
    pub async fn submit(self) -> Result<Job, Error> {
        self.submit_again().await
    }

    async fn submit_again(&self) -> Result<Job, Error> {
        self.warn();
        let reply = request!(self, onchain_sql_job_create).await?;
        let reply = reply.map(|envelope| envelope.data);
        Ok(Job::submitted(self.api.clone(), reply, self.options.clone(), self.poll))
    }

    /// Runs the query, and submits it as a job if the service answers that it takes too long
    /// (408). Failures are not charged as far as has been seen, so that this should cost one of the
    /// two.
    ///
    /// # Errors
    /// Those of [`rows`](Self::rows) but the 408, and those of [`submit`](Self::submit).
    pub async fn run_or_submit(self) -> Result<Outcome, Error> {
        match self.run::<Ordered>().await {
            Ok(reply) => Ok(Outcome::Done(reply.map(Table::from))),
            Err(error) if takes_too_long(&error) => self.submit_again().await.map(Outcome::Job),
            Err(error) => Err(error),
        }
    }

    /// Texts in double quotes that look like values, such as `ethereum` in `chain = "ethereum"`. SQL
    /// takes them for names of columns; values have single quotes. They are logged as a warning when
    /// the query is sent, and the query is sent as it is.
    #[must_use]
    pub fn double_quoted_values(&self) -> Vec<String> {
        quotes::double_quoted_values(&self.query)
    }

    fn warn(&self) {
        let values = self.double_quoted_values();
        if !values.is_empty() {
            tracing::warn!(?values, "double quotes name columns in SQL; values have single quotes");
        }
    }

    async fn run<R: Row>(&self) -> Result<Reply<Answer<R>>, Error> {
        self.warn();
        request!(self, onchain_sql).into_call().send().await
    }
}

/// Awaited, a query returns its table, as [`Sql::table`] does.
impl IntoFuture for Sql {
    type Output = Result<Reply<Table>, Error>;
    type IntoFuture = BoxFuture<Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.table())
    }
}

/// A limit on time of this client says nothing about the query: only the service's own word does.
fn takes_too_long(error: &Error) -> bool {
    error.kind() == ErrorKind::Timeout && error.status() == Some(StatusCode::REQUEST_TIMEOUT)
}
