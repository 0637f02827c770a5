//! Rows of a statement, read from the executors that have them.

use std::sync::Arc;
use std::time::Duration;

use ballista_core::client::BallistaClient;
use ballista_core::extension::BallistaConfigGrpcEndpoint;
use datafusion::arrow::array::RecordBatch;
use datafusion::common::{DataFusionError, Result, exec_datafusion_err};
use datafusion::execution::SendableRecordBatchStream;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use futures_util::{TryStreamExt, stream};

use super::job::Job;
use super::parts::{Part, whole};

/// Maximum runs of a statement whose rows are lost before the first of them has arrived.
const MOST_RUNS: usize = 3;

/// Time without a sign of life after which an executor is lost.
const SILENCE: Duration = Duration::from_secs(5);

/// The rows of a statement.
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

    /// Returns the rows. The stream ends with an error unless all rows arrive.
    pub(super) fn into_stream(self) -> SendableRecordBatchStream {
        let schema = self.job.schema.clone();
        let rows = stream::try_unfold(self, async |mut answer| {
            Ok(answer.next().await?.map(|batch| (batch, answer)))
        });
        Box::pin(RecordBatchStreamAdapter::new(schema, rows))
    }

    /// Returns the next batch. An executor may be lost after the statement has finished. The statement runs again, if
    /// none of its rows was returned before.
    async fn next(&mut self) -> Result<Option<RecordBatch>> {
        loop {
            let reading = match &mut self.reading {
                Some(reading) => reading,
                None => {
                    self.runs += 1;
                    let parts = self.job.run().await?.into_iter();
                    let max_message_size = self.job.max_message_size;
                    self.reading.insert(Reading { parts, current: None, max_message_size })
                }
            };
            match reading.next().await {
                Err(lost) if !self.has_rows && self.runs < MOST_RUNS => {
                    (self.job.report)(&format!("{}. The statement runs again", lost.message()));
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
}

/// The rows of finished parts, one part after the other.
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
                None => whole(&current.part, current.arrived)?,
            }
            self.current = None;
        }
    }
}

/// Begins to read a part.
async fn fetch(part: &Part, max_message_size: usize) -> Result<SendableRecordBatchStream> {
    let location = part.location.clone();
    let (Some(executor), Some(id)) =
        (location.executor_meta.as_ref(), location.partition_id.clone())
    else {
        return Err(exec_datafusion_err!("the scheduler reports a part without its executor"));
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
    exec_datafusion_err!(
        "executor {} with rows of the statement is lost ({error})",
        part.executor()
    )
}
