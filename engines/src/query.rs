//! Queries, each with a budget and a cache of its own.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use crypto_intel::api::generated::catalogue::OPERATIONS;
use crypto_intel::cache::Cache;
use crypto_intel::credits::{Budget, Spending};
use crypto_intel::{Client, ClientBuilder};
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::config::SessionConfig;
use datafusion::prelude::{DataFrame, SessionContext};

use crate::exports::register;
use crate::layout::Layout;
use crate::table::Table;

/// Longer than any query: within one the same call is made once.
const CACHED_FOR: Duration = Duration::from_secs(24 * 60 * 60);

/// Every operation that is a table.
static LAYOUTS: LazyLock<Vec<Arc<Layout>>> = LazyLock::new(|| {
    OPERATIONS.iter().filter_map(|operation| Layout::of(operation)).map(Arc::new).collect()
});

/// Texts of files are of the type that rows of the service have, so that a plan for the one fits the
/// other.
pub(crate) fn settings(config: SessionConfig) -> SessionConfig {
    let config = config.with_information_schema(true);
    config.set_bool("datafusion.execution.parquet.schema_force_view_types", false)
}

/// What queries have in common: the service, and exports beside it.
#[derive(Debug, Clone)]
pub struct Engine {
    client: ClientBuilder,
    exports: Vec<(String, String)>,
}

impl Engine {
    /// Queries of the service that `client` leads to. Its cache and its budget are replaced by
    /// those of each query.
    #[must_use]
    pub fn new(client: ClientBuilder) -> Self {
        Engine { client, exports: Vec::new() }
    }

    /// A Parquet file, or a folder of them, as a table called `name`. The folders of the Hive layout
    /// (`side=buy/`) are columns of text.
    #[must_use]
    pub fn register(mut self, name: impl Into<String>, location: impl Into<String>) -> Self {
        self.exports.push((name.into(), location.into()));
        self
    }

    /// Settings of a query.
    pub fn query(&self) -> QueryBuilder {
        QueryBuilder { engine: self.clone(), budget: Budget::unlimited() }
    }

    /// The names of the tables that are operations.
    pub fn tables() -> impl Iterator<Item = String> {
        LAYOUTS.iter().map(|layout| layout.name())
    }
}

/// Settings of a query.
#[derive(Debug, Clone)]
#[must_use = "a query does nothing until it is started"]
pub struct QueryBuilder {
    engine: Engine,
    budget: Budget,
}

impl QueryBuilder {
    /// At most this many credits, by the list. A call beyond is refused, and ends the query with
    /// an error.
    pub fn max_credits(mut self, credits: u64) -> Self {
        self.budget = Budget::credits(credits);
        self
    }

    /// A budget of any kind, for example one that allows calls without a published price.
    pub fn budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// Registers all tables. Nothing is sent.
    ///
    /// # Errors
    /// When the client cannot be built, or an export cannot be read.
    pub async fn start(self) -> Result<Query> {
        let builder = self.engine.client.clone().cache(Cache::new(CACHED_FOR)).budget(self.budget);
        let client = builder.build().map_err(|error| DataFusionError::External(Box::new(error)))?;
        let context = SessionContext::new_with_config(settings(SessionConfig::new()));

        for layout in LAYOUTS.iter() {
            let table = Table { layout: layout.clone(), client: client.clone() };
            context.register_table(layout.name(), Arc::new(table))?;
        }
        for (name, location) in &self.engine.exports {
            register(&context, name, location).await?;
        }
        Ok(Query { context, client })
    }
}

/// Statements that share a budget and a cache.
#[derive(Clone)]
pub struct Query {
    context: SessionContext,
    client: Client,
}

impl Query {
    /// Plans a statement. Nothing is sent before its rows are asked for.
    ///
    /// # Errors
    /// What is wrong with the statement. A required parameter that it does not give is told when
    /// its rows are asked for, or by `EXPLAIN`.
    pub async fn sql(&self, statement: &str) -> Result<DataFrame> {
        self.context.sql(statement).await
    }

    /// The session, to register further tables and functions.
    #[must_use]
    pub fn context(&self) -> &SessionContext {
        &self.context
    }

    /// What the query has spent.
    #[must_use]
    pub fn spending(&self) -> Spending {
        self.client.ledger().total()
    }
}

impl std::fmt::Debug for Query {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Query").field("client", &self.client).finish_non_exhaustive()
    }
}
