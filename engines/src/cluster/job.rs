//! Sends a statement to the scheduler as a job, and waits for the end of the job. Returns the locations of the result
//! files. The executors write these files and store them.

use std::sync::Arc;
use std::time::{Duration, Instant};

use ballista::prelude::SessionConfigExt;
use ballista_core::serde::protobuf::execute_query_params::Query;
use ballista_core::serde::protobuf::execute_query_result::Result as Accepted;
use ballista_core::serde::protobuf::job_status::Status;
use ballista_core::serde::protobuf::scheduler_grpc_client::SchedulerGrpcClient;
use ballista_core::serde::protobuf::{
    ExecuteQueryParams, GetJobMetricsParams, GetJobStatusParams, KeyValuePair, PartitionLocation,
};
use ballista_core::utils::{GrpcClientConfig, create_grpc_client_endpoint};
use ballista_core::version::insert_version_header;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::common::{DataFusionError, Result, exec_datafusion_err, exec_err};
use datafusion::execution::SessionState;
use datafusion::logical_expr::LogicalPlan;
use datafusion_proto::logical_plan::AsLogicalPlan;
use datafusion_proto::protobuf::LogicalPlanNode;
use tonic::transport::Channel;

use super::parts::{Part, complete};
use super::watch::{Report, Watch};

/// Time between two requests for the status of a job.
const STATUS_EVERY: Duration = Duration::from_millis(50);

/// Time for which the scheduler may report a job as unknown after it has accepted the job. After this time, the job
/// is treated as lost.
const UNKNOWN_FOR: Duration = Duration::from_secs(5);

/// Outcome of a job.
pub(super) enum Outcome {
    /// The job has finished. These parts contain its result rows. Each part is a file on an executor.
    Parts(Vec<Part>),
    /// The job ended early. The string is the reason. Another job with the same statement may succeed.
    Disturbed(String),
}

/// Statement that the executors run. Each run is a new job of the scheduler.
pub(super) struct Job {
    scheduler: String,
    query: ExecuteQueryParams,
    pub(super) schema: SchemaRef,
    pub(super) max_message_size: usize,
    pub(super) watch: Watch,
}

impl Job {
    /// Encodes the logical plan of a statement. This function sends nothing.
    pub(super) fn new(
        scheduler: &str,
        state: &SessionState,
        plan: &LogicalPlan,
        report: Report,
    ) -> Result<Job> {
        let codec = state.config().ballista_logical_extension_codec();
        let mut encoded = Vec::new();
        LogicalPlanNode::try_from_logical_plan(plan, &*codec)?.try_encode(&mut encoded)?;

        let entries = state.config().options().entries().into_iter();
        let settings = entries.map(|entry| KeyValuePair { key: entry.key, value: entry.value });
        let query = ExecuteQueryParams {
            query: Some(Query::LogicalPlan(encoded)),
            settings: settings.collect(),
            session_id: state.session_id().to_owned(),
            operation_id: String::new(),
        };
        Ok(Job {
            scheduler: scheduler.to_owned(),
            query,
            schema: Arc::new(plan.schema().as_arrow().clone()),
            max_message_size: state.config().ballista_grpc_client_max_message_size(),
            watch: Watch::new(scheduler.to_owned(), report),
        })
    }

    /// Runs the statement once, until the executors have written all its rows.
    ///
    /// # Errors
    /// Returns an error if the statement fails, if the scheduler or all executors are lost, or if parts of the rows are
    /// missing.
    pub(super) async fn run(&mut self) -> Result<Outcome> {
        let mut scheduler = self.connect().await?;
        let mut request = tonic::Request::new(self.query.clone());
        insert_version_header(request.metadata_mut());
        let accepted = scheduler.execute_query(request).await.map_err(|error| self.lost(&error))?;
        let job = match accepted.into_inner().result {
            Some(Accepted::Success(accepted)) => accepted.job_id,
            other => {
                return exec_err!(
                    "the scheduler at {} rejects the statement: {other:?}",
                    self.scheduler
                );
            }
        };

        let locations = match self.wait(&mut scheduler, &job).await? {
            Ok(locations) => locations,
            Err(reason) => return Ok(Outcome::Disturbed(reason)),
        };
        let stage =
            locations.iter().find_map(|location| Some(location.partition_id.as_ref()?.stage_id));
        let stages = scheduler.get_job_metrics(GetJobMetricsParams { job_id: job });
        let stages = stages.await.map_err(|error| self.lost(&error))?.into_inner().stages;
        let last = stages.iter().find(|known| Some(known.stage_id) == stage);
        let parts = complete(locations, last.map_or(0, |stage| stage.partitions as usize))?;
        Ok(Outcome::Parts(parts))
    }

    async fn connect(&self) -> Result<SchedulerGrpcClient<Channel>> {
        let config = GrpcClientConfig {
            connect_timeout_seconds: 5,
            timeout_seconds: 10,
            http2_keepalive_interval_seconds: 5,
            ..GrpcClientConfig::default()
        };
        let endpoint =
            create_grpc_client_endpoint(format!("http://{}", self.scheduler), Some(&config))
                .map_err(|error| self.lost(&error))?;
        let channel = endpoint.connect().await.map_err(|error| self.lost(&error))?;
        Ok(SchedulerGrpcClient::new(channel)
            .max_encoding_message_size(self.max_message_size)
            .max_decoding_message_size(self.max_message_size))
    }

    /// Waits until a job ends, and returns the locations of its result rows. If an executor was lost, or if its rows
    /// could not be fetched, the inner result is an `Err` with the error message of the job.
    async fn wait(
        &mut self,
        scheduler: &mut SchedulerGrpcClient<Channel>,
        job: &str,
    ) -> Result<Result<Vec<PartitionLocation>, String>> {
        let begin = Instant::now();
        let mut is_known = false;

        loop {
            let status = scheduler.get_job_status(GetJobStatusParams { job_id: job.to_owned() });
            let status = status.await.map_err(|error| self.lost(&error))?.into_inner().status;
            match status.and_then(|status| status.status) {
                Some(Status::Successful(done)) => return Ok(Ok(done.partition_location)),
                Some(Status::Failed(failed)) if is_disturbed(&failed.error) => {
                    return Ok(Err(failed.error));
                }
                Some(Status::Failed(failed)) => {
                    return exec_err!("the cluster at {}: {}", self.scheduler, failed.error);
                }
                Some(Status::Queued(_) | Status::Running(_)) => is_known = true,
                None if is_known || begin.elapsed() > UNKNOWN_FOR => {
                    return exec_err!(
                        "the scheduler at {} has lost the statement, probably because it was restarted: run the \
                         statement again",
                        self.scheduler
                    );
                }
                None => {}
            }

            self.watch.update().await?;
            tokio::time::sleep(STATUS_EVERY).await;
        }
    }

    fn lost(&self, error: &dyn std::error::Error) -> DataFusionError {
        let mut reason = error.to_string();
        if let Some(source) = error.source() {
            reason = format!("{reason}: {source}");
        }
        exec_datafusion_err!(
            "no connection to the scheduler at {} ({reason}): start `crypto-intel-cluster scheduler`, and run the \
             statement again",
            self.scheduler
        )
    }
}

/// Returns true if a job failed because an executor was lost, or because the rows of an executor could not be fetched.
/// Another job with the same statement may succeed. `error` is the error message of the job.
fn is_disturbed(error: &str) -> bool {
    // Only executors exchange rows as Arrow IPC, so this error means that a connection between them was lost.
    error == "Cancelled" || error.contains("failed 1 times") || error.contains("IpcError(")
}

#[cfg(test)]
mod tests {
    use super::is_disturbed;

    #[test]
    fn job_is_disturbed_by_its_executors_and_not_by_its_statement() {
        let cut = "Job failed due to stage 4 failed: Task failed due to runtime execution error: DataFusionError(\
                   Shared(External(ArrowError(IpcError(\"Arrow error: Ipc error: code: 'Unknown error', message: \
                   \\\"h2 protocol error: error reading a body from connection\\\"\")))))";
        let fetch = "Job failed due to stage 4 failed: Stage 2 has failed 1 times";
        let statement = "Job failed due to stage 4 failed: Task failed due to runtime execution error: \
                         DataFusionError(ArrowError(DivideByZero, None))";

        assert!(is_disturbed("Cancelled") && is_disturbed(fetch) && is_disturbed(cut));
        assert!(!is_disturbed(statement));
    }
}
