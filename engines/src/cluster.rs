//! Runs statements on a Ballista scheduler with executors.
//!
//! This process calls the service, since it has the key and the budget. It writes the rows to
//! Parquet files in a folder that the executors read. Executors never get the key.

use std::any::Any;
use std::path::Path;

use ballista::prelude::{SessionConfigExt, SessionContextExt};
use datafusion::catalog::TableProvider;
use datafusion::common::tree_node::{Transformed, TreeNodeRecursion};
use datafusion::common::{DataFusionError, Result, internal_datafusion_err};
use datafusion::datasource::{provider_as_source, source_as_provider};
use datafusion::execution::SessionStateBuilder;
use datafusion::logical_expr::{LogicalPlan, LogicalPlanBuilder, TableScan};
use datafusion::prelude::{DataFrame, ParquetReadOptions, SessionConfig, SessionContext};
use tempfile::TempDir;

use crate::output::{Format, write};
use crate::query::{Query, settings};
use crate::table::Table;

/// A scheduler, and the folder with rows of the service for its executors.
#[derive(Debug)]
pub struct Cluster {
    scheduler: String,
    stage: TempDir,
}

impl Cluster {
    /// Creates a cluster with the scheduler at `host_and_port`, and a new folder in `stage`. Every
    /// executor must see `stage` at the same path. The folder is removed when the value is dropped.
    ///
    /// # Errors
    /// If the folder cannot be created.
    pub fn new(host_and_port: &str, stage: &Path) -> std::io::Result<Cluster> {
        let stage = TempDir::with_prefix_in("crypto-intel-", stage)?;
        Ok(Cluster { scheduler: format!("df://{host_and_port}"), stage })
    }

    /// Calls the service for the rows that `statement` needs, and plans the rest for the executors.
    ///
    /// # Errors
    /// For an invalid statement, a failed call, or an unreachable scheduler.
    pub async fn sql(&self, query: &Query, statement: &str) -> Result<DataFrame> {
        let state = query.context().state();
        let plan = state.create_logical_plan(statement).await?;
        let plan = state.optimize(&plan)?;

        let config = settings(SessionConfig::new_with_ballista());
        let state = SessionStateBuilder::new().with_config(config).with_default_features().build();
        let remote = SessionContext::remote_with_state(&self.scheduler, state).await?;
        let scans = scans(&plan)?;
        let mut staged = Vec::with_capacity(scans.len());
        for (number, scan) in scans.iter().enumerate() {
            staged.push(self.stage(query, &remote, scan, number).await?);
        }

        let mut staged = staged.into_iter();
        let plan = plan.transform_up_with_subqueries(|node| match node {
            LogicalPlan::TableScan(scan) if is_of_the_service(&scan)? => {
                let staged = staged.next();
                Ok(Transformed::yes(staged.ok_or_else(|| internal_datafusion_err!("a scan more"))?))
            }
            other => Ok(Transformed::no(other.recompute_schema()?)),
        })?;
        Ok(DataFrame::new(remote.state(), plan.data))
    }

    /// Reads a table of the service into a file. Returns a scan of the file.
    async fn stage(
        &self,
        query: &Query,
        remote: &SessionContext,
        scan: &TableScan,
        number: usize,
    ) -> Result<LogicalPlan> {
        let file = self.stage.path().join(format!("{number}.parquet"));
        let rows = DataFrame::new(query.context().state(), LogicalPlan::TableScan(scan.clone()));
        write(rows, Format::Parquet, &mut std::fs::File::create(&file)?).await?;

        let name = format!("staged_{number}");
        let location = file.to_str().ok_or_else(|| {
            DataFusionError::Configuration(format!("{} is not a UTF-8 path", file.display()))
        })?;
        remote.register_parquet(&name, location, ParquetReadOptions::default()).await?;
        let source = provider_as_source(remote.table_provider(name).await?);
        LogicalPlanBuilder::scan(scan.table_name.clone(), source, None)?.build()
    }
}

/// Returns the scans of the service, in the order of their replacement.
fn scans(plan: &LogicalPlan) -> Result<Vec<TableScan>> {
    let mut scans = Vec::new();
    // The scans are replaced later in the order of this walk. The walk itself changes nothing.
    plan.clone().transform_up_with_subqueries(|node| {
        if let LogicalPlan::TableScan(scan) = &node
            && is_of_the_service(scan)?
        {
            scans.push(scan.clone());
        }
        Ok(Transformed::new(node, false, TreeNodeRecursion::Continue))
    })?;
    Ok(scans)
}

fn is_of_the_service(scan: &TableScan) -> Result<bool> {
    let provider = source_as_provider(&scan.source)?;
    let provider: &dyn TableProvider = &*provider;
    let provider: &dyn Any = provider;
    Ok(provider.is::<Table>())
}
