//! Provenance columns, which contain the origin of each row. The three columns contain the time of the response, the
//! time up to which the data are complete, and the request. The functions of this module are pure.

use std::sync::Arc;

use arrow_array::types::{TimestampMillisecondType, TimestampSecondType};
use arrow_array::{ArrayRef, PrimitiveArray, RecordBatch, RecordBatchOptions, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Fields, Schema, SchemaRef, TimeUnit};
use crypto_intel_core::{Call, HttpInfo};
use serde_json::Value;

use crate::options::Times;

/// Origin of the rows of a page: the time of the response, the watermark, and the request.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Origin {
    /// Time of the response, in Unix milliseconds.
    pub(crate) fetched_at: Option<i64>,
    /// Time up to which the data are complete, in Unix seconds.
    pub(crate) watermark: Option<i64>,
    /// HTTP request of the list, without the API key.
    pub(crate) request: Option<Arc<str>>,
}

impl Origin {
    /// Creates the origin of the rows in one response. The time of the response is its header `date`, also for a
    /// response from the journal of an export. If the header is missing or invalid, the function uses the clock of this
    /// machine.
    pub(crate) fn new(http: &HttpInfo, meta: &Value, request: Option<Arc<str>>) -> Origin {
        let sent = http.headers.get("date").and_then(|date| date.to_str().ok());
        let sent = sent.and_then(|date| chrono::DateTime::parse_from_rfc2822(date).ok());
        let now = chrono::Utc::now().timestamp_millis();
        Origin {
            fetched_at: Some(sent.map_or(now, |sent| sent.timestamp_millis())),
            watermark: meta.get("watermark").and_then(Value::as_i64),
            request,
        }
    }

    /// Creates the origin for rows that were read from a response body. It does not contain the time of the response,
    /// because the response headers are unknown.
    pub(crate) fn of_body(meta: &Value) -> Origin {
        Origin { watermark: meta.get("watermark").and_then(Value::as_i64), ..Origin::default() }
    }
}

/// Returns the HTTP request of a call as one text: the method, the path with its query, and the body. The text does not
/// contain the API key. Returns `None` if the call is invalid.
pub(crate) fn request_of(call: &Call) -> Option<Arc<str>> {
    let parts = call.parts().ok()?;
    let body = String::from_utf8_lossy(parts.body.as_deref().unwrap_or_default()).into_owned();
    Some(format!("{} {} {body}", parts.method, parts.target).trim_end().into())
}

/// Name of the column with the time of the response.
pub(crate) const FETCHED_AT: &str = "_fetched_at";
pub(crate) const WATERMARK: &str = "_watermark";
pub(crate) const REQUEST: &str = "_request";

/// Returns the Arrow fields of the three provenance columns. `times` determines the unit of the column `_watermark`.
pub(crate) fn fields(times: Times) -> [Field; 3] {
    let utc = || Some("UTC".into());
    let unit = match times {
        Times::AsSent => TimeUnit::Second,
        Times::Millis => TimeUnit::Millisecond,
    };
    let field = |name: &str, ty, meaning: &str| {
        let meaning = ("description".to_owned(), meaning.to_owned());
        Field::new(name, ty, true).with_metadata([meaning].into())
    };

    [
        field(
            FETCHED_AT,
            DataType::Timestamp(TimeUnit::Millisecond, utc()),
            "Time of the response.",
        ),
        field(
            WATERMARK,
            DataType::Timestamp(unit, utc()),
            "Time up to which the data are complete, according to the service.",
        ),
        field(
            REQUEST,
            DataType::Utf8,
            "HTTP request without the API key. For a list with several pages, this is the request \
             for the first page.",
        ),
    ]
}

/// List with one origin per row of a batch, in the order of the rows. An origin contains the time of the response, the
/// watermark and the request.
#[derive(Debug)]
pub(crate) struct Origins {
    times: Times,
    now: Origin,
    /// Run-length encoded origins. Each entry contains an origin and the number of consecutive rows with this origin.
    runs: Vec<(Origin, usize)>,
}

impl Origins {
    pub(crate) fn new(times: Times) -> Origins {
        Origins { times, now: Origin::default(), runs: Vec::new() }
    }

    /// Sets the origin (response time, watermark and request) for all rows that [`push`](Self::push) adds after this
    /// call.
    pub(crate) fn set(&mut self, origin: Origin) {
        self.now = origin;
    }

    /// Appends a row with the current origin, which the last call of [`Origins::set`] has set.
    pub(crate) fn push(&mut self) {
        match self.runs.last_mut() {
            Some((origin, rows)) if *origin == self.now => *rows += 1,
            _ => self.runs.push((self.now.clone(), 1)),
        }
    }

    /// Returns the batch with the provenance columns. The batch must contain one row per call of [`push`](Self::push)
    /// since the last call of this method.
    pub(crate) fn add_to(&mut self, batch: RecordBatch) -> Result<RecordBatch, ArrowError> {
        let runs = std::mem::take(&mut self.runs);
        let rows = || runs.iter().flat_map(|(origin, rows)| std::iter::repeat_n(origin, *rows));
        let fetched: PrimitiveArray<TimestampMillisecondType> =
            rows().map(|origin| origin.fetched_at).collect();
        let requests: StringArray = rows().map(|origin| origin.request.as_deref()).collect();
        let watermark: ArrayRef = match self.times {
            Times::AsSent => {
                let seconds: PrimitiveArray<TimestampSecondType> =
                    rows().map(|origin| origin.watermark).collect();
                Arc::new(seconds.with_timezone("UTC"))
            }
            Times::Millis => {
                let millis = rows().map(|origin| origin.watermark?.checked_mul(1_000));
                let millis: PrimitiveArray<TimestampMillisecondType> = millis.collect();
                Arc::new(millis.with_timezone("UTC"))
            }
        };

        let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        let mut columns = batch.columns().to_vec();
        columns.extend([
            Arc::new(fetched.with_timezone("UTC")) as ArrayRef,
            watermark,
            Arc::new(requests),
        ]);
        let schema = with_fields(&batch.schema(), self.times);
        RecordBatch::try_new_with_options(schema, columns, &options)
    }
}

/// Returns a copy of the schema with three more fields: the provenance columns.
pub(crate) fn with_fields(schema: &Schema, times: Times) -> SchemaRef {
    let own = schema.fields().iter().cloned();
    let fields: Fields = own.chain(fields(times).map(Arc::new)).collect();
    Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()))
}
