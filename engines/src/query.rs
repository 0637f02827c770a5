//! Queries over the service and over exports. Each query has its own budget and cache.
//!
//! The input is SQL text. The output is record batches, or the plan of a statement with its cost.

use std::sync::{Arc, LazyLock};
use std::time::{Duration, SystemTime};

use crypto_intel::api::generated::catalogue::OPERATIONS;
use crypto_intel::cache::Cache;
use crypto_intel::credits::{Budget, Spending};
use crypto_intel::{Client, ClientBuilder};
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::SessionStateBuilder;
use datafusion::execution::config::SessionConfig;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_optimizer::optimizer::PhysicalOptimizer;
use datafusion::prelude::{DataFrame, SessionContext};

use crate::exports::register;
use crate::joins::JoinedParameters;
use crate::layout::Layout;
use crate::table::Table;

/// Maximum age of cached responses. It is longer than any query, so equal calls within a query are sent only once.
const CACHED_FOR: Duration = Duration::from_secs(24 * 60 * 60);

/// Layouts of all SQL tables for operations of the service. Operations without a [`Layout`] have no table.
static LAYOUTS: LazyLock<Vec<Arc<Layout>>> = LazyLock::new(|| {
    OPERATIONS
        .iter()
        .filter_map(|operation| Layout::from_operation(operation))
        .map(Arc::new)
        .collect()
});

/// Returns the session settings. With these settings, text columns of Parquet files have the same type as text columns
/// of the service. A plan can therefore combine tables of files with tables of the service.
pub(crate) fn settings(config: SessionConfig) -> SessionConfig {
    let config = config.with_information_schema(true);
    config.set_bool("datafusion.execution.parquet.schema_force_view_types", false)
}

/// Creates a DataFusion session in which the rows of a join can set required parameters of an operation.
fn session() -> SessionContext {
    let mut rules: Vec<Arc<dyn PhysicalOptimizerRule + Send + Sync>> =
        vec![Arc::new(JoinedParameters)];
    rules.extend(PhysicalOptimizer::new().rules);
    let state = SessionStateBuilder::new()
        .with_config(settings(SessionConfig::new()))
        .with_default_features()
        .with_physical_optimizer_rules(rules)
        .build();
    SessionContext::new_with_state(state)
}

/// SQL engine with client settings and registered exports (Parquet files). All queries of the engine use these
/// settings, and can read these exports as tables.
#[derive(Debug, Clone)]
pub struct Engine {
    client: ClientBuilder,
    exports: Vec<(String, String)>,
    as_of: Option<SystemTime>,
}

impl Engine {
    /// Creates an engine. Each query of the engine calls the service with a client that `client` builds, but with its
    /// own cache and budget.
    #[must_use]
    pub fn new(client: ClientBuilder) -> Self {
        Engine { client, exports: Vec::new(), as_of: None }
    }

    /// Adds a Parquet file, or a folder of Parquet files, as the table `name`. In a folder, the name of a subfolder
    /// such as `side=buy` adds a text column `side` with the value `buy` (Hive layout).
    #[must_use]
    pub fn register(mut self, name: impl Into<String>, location: impl Into<String>) -> Self {
        self.exports.push((name.into(), location.into()));
        self
    }

    /// Sets a time in the past for all exports. The tables of the exports then contain the rows that the exports had at
    /// this time. Each export must be a local folder, and must have the columns of
    /// [`crypto_intel_frames::Options::provenance`]. Rows that a later refresh replaced are missing; see
    /// [`crypto_intel_frames::export::read_as_of`].
    #[must_use]
    pub fn as_of(mut self, time: SystemTime) -> Self {
        self.as_of = Some(time);
        self
    }

    /// Returns a builder with the settings of a new query.
    pub fn query(&self) -> QueryBuilder {
        QueryBuilder { engine: self.clone(), budget: Budget::unlimited() }
    }

    /// Returns the names of all tables that are operations of the service.
    pub fn tables() -> impl Iterator<Item = String> {
        LAYOUTS.iter().map(|layout| layout.name())
    }
}

/// Builder with the settings of a query.
#[derive(Debug, Clone)]
#[must_use = "a query does nothing until it is started"]
pub struct QueryBuilder {
    engine: Engine,
    budget: Budget,
}

impl QueryBuilder {
    /// Sets the maximum list price of the query in credits. A call that would exceed it is not sent, and the query ends
    /// with an error.
    pub fn max_credits(mut self, credits: u64) -> Self {
        self.budget = Budget::credits(credits);
        self
    }

    /// Sets the budget of the query, for example a budget that allows calls without a published price.
    pub fn budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// Starts the query: builds its client and registers all tables. This method sends no requests to the service.
    ///
    /// # Errors
    /// Returns an error if the client cannot be built, or if an export cannot be read.
    pub async fn start(self) -> Result<Query> {
        let builder = self.engine.client.clone().cache(Cache::new(CACHED_FOR)).budget(self.budget);
        let client = builder.build().map_err(|error| DataFusionError::External(Box::new(error)))?;
        let context = session();
        for layout in LAYOUTS.iter() {
            let table = Table { layout: layout.clone(), client: client.clone() };
            context.register_table(layout.name(), Arc::new(table))?;
        }
        for (name, location) in &self.engine.exports {
            register(&context, name, location, self.engine.as_of).await?;
        }
        Ok(Query { context, client })
    }
}

/// Query session whose statements share one budget and one cache.
#[derive(Clone)]
pub struct Query {
    context: SessionContext,
    client: Client,
}

impl Query {
    /// Plans a statement without sending requests. Reading the rows of the returned `DataFrame` sends the requests. An
    /// exception is `CREATE TABLE … AS`: this method runs the query after `AS` and reads its rows.
    ///
    /// # Errors
    /// Returns an error if the statement is invalid. A missing required parameter is reported later, by `EXPLAIN` or
    /// when rows are read.
    pub async fn sql(&self, statement: &str) -> Result<DataFrame> {
        self.context.sql(statement).await
    }

    /// Returns the DataFusion session of the query. Callers can register further tables and functions in it.
    #[must_use]
    pub fn context(&self) -> &SessionContext {
        &self.context
    }

    /// Returns the cost of all calls of the query so far.
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
