//! Answers. Their rows stay text until they are read as objects or as a table.

use std::fmt;
use std::sync::OnceLock;

use arrow_array::RecordBatch;
use crypto_intel::bytes::Bytes;
use crypto_intel::catalogue::Operation;
use crypto_intel::{Call, Charge, DynamicAnswer, Error};
use crypto_intel_frames::Error as FramesError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule};
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::errors::Raise;
use crate::tables::{capsule_of_batches, options};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// An undecoded answer. Faults in the rows of a large answer appear when they are read.
#[pyclass(frozen)]
pub(crate) struct Answer {
    operation: &'static Operation,
    body: Bytes,
    #[pyo3(get)]
    credits_used: Option<i64>,
    #[pyo3(get)]
    cached: Option<bool>,
    #[pyo3(get)]
    request_id: Option<String>,
    /// Computed on first use.
    rows: OnceLock<Option<usize>>,
}

impl Answer {
    /// Sends a call that keeps its body.
    pub(crate) async fn of(call: Call) -> Result<Answer, Error> {
        let operation = call.operation();
        let reply = call.send::<Undecoded>().await?;
        let body = reply.body().cloned().unwrap_or_default();
        let text = if body.starts_with(BYTE_ORDER_MARK) {
            body.slice(BYTE_ORDER_MARK.len()..)
        } else {
            body
        };

        Ok(Answer {
            operation,
            body: text,
            credits_used: reply.credits_used(),
            cached: reply.cached(),
            request_id: reply.http().request_id().map(str::to_owned),
            rows: OnceLock::new(),
        })
    }
}

#[pymethods]
impl Answer {
    #[getter]
    fn operation(&self) -> &'static str {
        self.operation.id
    }

    /// Number of rows. `None` for a single value.
    #[getter]
    fn rows(&self, py: Python<'_>) -> Option<usize> {
        py.detach(|| *self.rows.get_or_init(|| rows_of(&self.body)))
    }

    /// The JSON of the body.
    fn body<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.body)
    }

    /// The rows as an Arrow stream.
    fn frames<'py>(&self, py: Python<'py>, figures: &str) -> PyResult<Bound<'py, PyCapsule>> {
        let options = options(figures)?;
        let read = py.detach(|| {
            let schema = crypto_intel_frames::schema_of(self.operation, &options)?;
            let batches = crypto_intel_frames::read_answer(self.operation, &options, &self.body)?;
            let schema = batches.first().map_or(schema, RecordBatch::schema);
            Ok((schema, batches))
        });
        let (schema, batches) = read.map_err(|error: FramesError| error.raise(py))?;
        capsule_of_batches(py, schema, batches)
    }
}

fn rows_of(body: &[u8]) -> Option<usize> {
    let answer: DynamicAnswer = serde_json::from_slice(body).ok()?;
    answer.is_list().then(|| answer.rows().len())
}

/// Metadata of an answer. The rest of a small answer is only checked to be JSON; the rows of a
/// large list are checked when they are read.
struct Undecoded(Map<String, Value>);

/// Minimum size of a large answer in bytes.
const LARGE: usize = 256 << 10;

/// Bytes at the end of a large answer in which its last row is searched.
const NEAR: usize = 64 << 10;

impl Charge for Undecoded {
    fn credits_used(&self) -> Option<i64> {
        self.0.credits_used()
    }

    fn cached(&self) -> Option<bool> {
        self.0.cached()
    }

    /// Parses only the last row and the metadata after it. The start of that row is guessed. A
    /// wrong guess is noticed, since the rest is then no JSON or has no metadata.
    fn glimpse(text: &[u8]) -> Option<Self> {
        if text.len() < LARGE || !text.starts_with(b"{") {
            return None;
        }
        let end = &text[text.len() - NEAR..];
        let row = end.windows(3).rposition(|bytes| bytes == b"},{")? + 2;
        let short = [br#"{"data":["#, &end[row..]].concat();
        serde_json::from_slice(&short).ok().filter(|Undecoded(told)| !told.is_empty())
    }
}

impl<'de> Deserialize<'de> for Undecoded {
    fn deserialize<D: Deserializer<'de>>(json: D) -> Result<Self, D::Error> {
        struct Whole;

        impl<'de> Visitor<'de> for Whole {
            type Value = Undecoded;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object or a list")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Undecoded, A::Error> {
                let mut told = Map::new();
                while let Some(name) = map.next_key::<String>()? {
                    if name == "meta" {
                        told.insert(name, map.next_value()?);
                    } else {
                        map.next_value::<IgnoredAny>()?;
                    }
                }
                Ok(Undecoded(told))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Undecoded, A::Error> {
                while list.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Undecoded(Map::new()))
            }
        }

        json.deserialize_any(Whole)
    }
}
