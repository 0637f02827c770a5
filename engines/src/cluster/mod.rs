//! Runs statements on a Ballista scheduler with executors.
//!
//! Only this process has the API key and the budget, so only this process calls the service. Module `stage` writes the
//! rows of the service to Parquet files in a folder that the executors read. Module `job` sends the rest of the
//! statement to the scheduler as a job, and waits for its end. Meanwhile, module `watch` reports lost executors. Module
//! `answer` reads the result rows from the executors, and checks their number.

mod answer;
mod executors;
mod job;
mod parts;
mod stage;
mod watch;

use std::path::Path;
use std::sync::Arc;

use ballista::prelude::{SessionConfigExt, SessionContextExt};
use ballista_core::planner::scans_only_information_schema;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{Result, plan_err};
use datafusion::execution::{SendableRecordBatchStream, SessionStateBuilder};
use datafusion::logical_expr::LogicalPlan;
use datafusion::prelude::{SessionConfig, SessionContext};
use tempfile::TempDir;

use crate::query::{Query, settings};
use answer::Answer;
use job::Job;
use watch::Report;

/// Cluster of a scheduler and its executors, and the folder through which the executors receive rows of the service.
pub struct Cluster {
    scheduler: String,
    stage: TempDir,
    report: Report,
}

impl Cluster {
    /// Creates a cluster with the scheduler at `host_and_port`, and a new folder inside the folder `stage`. Every
    /// executor must be able to read `stage` at the same path. The new folder is removed when the cluster is dropped.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be created.
    pub fn new(host_and_port: &str, stage: &Path) -> std::io::Result<Cluster> {
        let stage = TempDir::with_prefix_in("crypto-intel-", stage)?;
        Ok(Cluster { scheduler: host_and_port.to_owned(), stage, report: Arc::new(|_| ()) })
    }

    /// Sets a function that receives messages about lost and new executors. It also receives messages about statements
    /// that run again, or that run for a long time without returning rows. Each message is one line without a line
    /// break at its end.
    #[must_use]
    pub fn on_report(mut self, report: impl Fn(&str) + Send + Sync + 'static) -> Cluster {
        self.report = Arc::new(report);
        self
    }

    /// Runs a statement: calls the service for the rows that the statement needs, and returns the rows that the
    /// executors computed. The stream ends with an error unless all rows arrive. `EXPLAIN`, `SHOW`, `DESCRIBE`, and
    /// statements that read no table, run in this process.
    ///
    /// # Errors
    /// Returns an error if the statement is invalid, if it is `EXPLAIN ANALYZE`, or if a call of the service fails. If
    /// the scheduler cannot be reached, the stream returns the error.
    pub async fn sql(&self, query: &Query, statement: &str) -> Result<SendableRecordBatchStream> {
        let state = query.context().state();
        let plan = state.create_logical_plan(statement).await?;
        if matches!(plan, LogicalPlan::Analyze(_)) {
            return plan_err!(
                "EXPLAIN ANALYZE does not run on a cluster: run it without a cluster"
            );
        }
        if !needs_executors(&plan)? {
            return query.sql(statement).await?.execute_stream().await;
        }

        let plan = state.optimize(&plan)?;
        // The adaptive planner is off, because it does not handle lost executors: a job may report success before its
        // last stage.
        let config = SessionConfig::new_with_ballista().with_ballista_adaptive_query_planner(false);
        let state =
            SessionStateBuilder::new().with_config(settings(config)).with_default_features();
        let url = format!("df://{}", self.scheduler);
        let remote = SessionContext::remote_with_state(&url, state.build()).await?;
        let plan = stage::stage(query, &remote, plan, self.stage.path()).await?;

        let state = remote.state();
        let job = Job::new(&self.scheduler, &state, &state.optimize(&plan)?, self.report.clone())?;
        Ok(Answer::new(job).into_stream())
    }
}

/// Returns true if the executors must run the statement, because it reads rows of tables. Returns false for statements
/// such as `EXPLAIN`, `DESCRIBE` and `SHOW TABLES`, which run without executors.
fn needs_executors(plan: &LogicalPlan) -> Result<bool> {
    let is_about_plans = matches!(
        plan,
        LogicalPlan::Explain(_)
            | LogicalPlan::DescribeTable(_)
            | LogicalPlan::Statement(_)
            | LogicalPlan::Ddl(_)
    );
    if is_about_plans || scans_only_information_schema(plan)? {
        return Ok(false);
    }

    let mut has_scan = false;
    plan.apply_with_subqueries(|node| {
        has_scan |= matches!(node, LogicalPlan::TableScan(_));
        Ok(if has_scan { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
    })?;
    Ok(has_scan)
}

impl std::fmt::Debug for Cluster {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cluster").field("scheduler", &self.scheduler).finish_non_exhaustive()
    }
}
