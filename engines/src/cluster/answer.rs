//! Reads the rows of a statement from the executors that store them.

use std::sync::Arc;
use std::time::Duration;

use ballista_core::client::BallistaClient;
use ballista_core::extension::BallistaConfigGrpcEndpoint;
use datafusion::arrow::array::RecordBatch;
use datafusion::common::{DataFusionError, Result, exec_datafusion_err, exec_err};
use datafusion::execution::SendableRecordBatchStream;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use futures_util::{TryStreamExt, stream};

use super::job::{Job, Outcome};
use super::parts::{Part, check_rows};

/// Maximum number of runs of a statement. The loss of one executor can end two runs. The first run cannot fetch rows
/// from the executor. The second run is cancelled when the scheduler notices the loss.
const MOST_RUNS: usize = 6;

/// Timeout for connecting to an executor and for its responses to keep-alive requests. After this time, the executor is
/// treated as lost. This is also the interval of the keep-alive requests.
const SILENCE: Duration = Duration::from_secs(5);

/// Rows of a statement that the cluster runs. If an executor is lost before the first rows are returned, the statement
/// runs again, at most [`MOST_RUNS`] times in total.
pub(super) struct Answer {
    job: Job,
    runs: usize,
    has_rows: bool,
    reading: Option<Reading>,
}

impl Answer {
    pub(super) fn new(job: Job) -> Answer {
        Answer { job, runs: 0, has_rows: false, reading: None }
    }

    /// Returns the rows as a stream. The stream ends with an error if some rows cannot be read.
    pub(super) fn into_stream(self) -> SendableRecordBatchStream {
        let schema = self.job.schema.clone();
        let rows = stream::try_unfold(self, async |mut answer| {
            Ok(answer.next().await?.map(|batch| (batch, answer)))
        });
        Box::pin(RecordBatchStreamAdapter::new(schema, rows))
    }

    /// Returns the next batch of rows, or `None` after the last batch.
    async fn next(&mut self) -> Result<Option<RecordBatch>> {
        loop {
            let Some(reading) = &mut self.reading else {
                self.run().await?;
                continue;
            };
            match reading.next().await {
                // An executor may be lost after the statement has finished.
                Err(lost) if !self.has_rows && self.runs < MOST_RUNS => {
                    self.report_run(lost.message().as_ref());
                    self.reading = None;
                }
                Ok(batch) => {
                    self.has_rows = true;
                    return Ok(batch);
                }
                Err(lost) => return Err(lost),
            }
        }
    }

    /// Runs the statement, and repeats it if the loss of an executor disturbed the run.
    async fn run(&mut self) -> Result<()> {
        loop {
            self.runs += 1;
            match self.job.run().await? {
                Outcome::Parts(parts) => {
                    let (parts, max_message_size) = (parts.into_iter(), self.job.max_message_size);
                    self.reading = Some(Reading { parts, current: None, max_message_size });
                    return Ok(());
                }
                Outcome::Disturbed(reason) if self.runs == MOST_RUNS => {
                    return exec_err!(
                        "executors were lost in {MOST_RUNS} runs of the statement ({reason})"
                    );
                }
                Outcome::Disturbed(_) => self.report_run("an executor of the cluster has failed"),
            }
        }
    }

    fn report_run(&self, reason: &str) {
        self.job
            .watch
            .report_line(&format!("{reason}: the statement runs again on the other executors"));
    }
}

/// Reader for the rows of a finished statement. Each part of the rows is a file on an executor. The reader reads one
/// part after the other.
struct Reading {
    parts: std::vec::IntoIter<Part>,
    current: Option<Current>,
    max_message_size: usize,
}

struct Current {
    part: Part,
    rows: SendableRecordBatchStream,
    arrived: u64,
}

impl Reading {
    async fn next(&mut self) -> Result<Option<RecordBatch>> {
        loop {
            let Some(current) = &mut self.current else {
                let Some(part) = self.parts.next() else { return Ok(None) };
                if part.rows > 0 {
                    let rows = fetch(&part, self.max_message_size).await?;
                    self.current = Some(Current { part, rows, arrived: 0 });
                }
                continue;
            };
            match current.rows.try_next().await.map_err(|error| lost(&current.part, &error))? {
                Some(batch) => {
                    current.arrived += batch.num_rows() as u64;
                    return Ok(Some(batch));
                }
                None => check_rows(&current.part, current.arrived)?,
            }
            self.current = None;
        }
    }
}

/// Connects to the executor that stores this part of the result rows, and starts to read the part.
async fn fetch(part: &Part, max_message_size: usize) -> Result<SendableRecordBatchStream> {
    let location = part.location.clone();
    let (Some(executor), Some(id)) =
        (location.executor_meta.as_ref(), location.partition_id.clone())
    else {
        return Err(exec_datafusion_err!(
            "the scheduler does not report where some rows are stored"
        ));
    };
    let port = u16::try_from(executor.port).map_err(|error| lost(part, &error))?;

    let endpoint = BallistaConfigGrpcEndpoint::new(Arc::new(|endpoint| {
        let endpoint = endpoint.connect_timeout(SILENCE).http2_keep_alive_interval(SILENCE);
        Ok(endpoint.keep_alive_timeout(SILENCE))
    }));
    let endpoint = Some(Arc::new(endpoint));
    let client = BallistaClient::try_new(
        &executor.host,
        port,
        max_message_size,
        false,
        endpoint,
        1,
        0,
        0,
        0,
    );
    let mut client = client.await.map_err(|error| lost(part, &error))?;
    let (layout, id) = (location.layout(), id.into());
    let rows = client.fetch_partition(&executor.id, &id, location.file_id, layout, true);
    rows.await.map_err(|error| lost(part, &error))
}

fn lost(part: &Part, error: &dyn std::error::Error) -> DataFusionError {
    exec_datafusion_err!("executor {}, which held result rows, is lost ({error})", part.executor())
}
