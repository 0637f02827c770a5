//! Answers of operations for Python. The rows stay JSON text until Python reads them as objects or as a table.

use std::fmt;
use std::sync::OnceLock;

use arrow_array::RecordBatch;
use crypto_intel::bytes::Bytes;
use crypto_intel::catalogue::{OPERATIONS, Operation};
use crypto_intel::extend::{Call, HasMeta, Reported};
use crypto_intel::onchain::OnchainSqlRequest;
use crypto_intel::sql::Table;
use crypto_intel::{Completeness, DynamicAnswer, Error, Reply, Request};
use crypto_intel_frames::Error as FramesError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyDict};
use serde::Deserialize;
use serde::de::{Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

use crate::completeness::{Parts, parts};
use crate::errors::Raise;
use crate::tables::{capsule_of_batches, options};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Response of a call, as undecoded bytes. If the rows of a large response are invalid, reading them raises the error.
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
    /// Call that returned this answer. `None` if `pickle` restored the answer, or if the answer is the result of a SQL
    /// job.
    call: Option<Call>,
    /// Number of rows and completeness of the answer. They are computed on first use.
    contents: OnceLock<Contents>,
}

/// Number of rows and completeness of an answer.
struct Contents {
    /// Number of rows. `None` if the answer is not a list.
    rows: Option<usize>,
    completeness: Option<Parts>,
}

impl Answer {
    /// Sends a call, and returns its answer. The answer contains the undecoded body of the response.
    pub(crate) async fn send(mut call: Call) -> Result<Answer, Error> {
        call.set_options(call.options().clone().keep_body(true));
        let reply = call.clone().send::<Undecoded>().await?;
        Ok(Answer::new(call, &reply))
    }

    /// Converts the client's reply to `call` to an answer for Python. The reply must contain the body of the HTTP
    /// response (call option `keep_body`).
    pub(crate) fn new<T: HasMeta>(call: Call, reply: &Reply<T>) -> Answer {
        let body = reply.body().cloned().unwrap_or_default();
        let text = if body.starts_with(BYTE_ORDER_MARK) {
            body.slice(BYTE_ORDER_MARK.len()..)
        } else {
            body
        };

        Answer {
            operation: call.operation(),
            body: text,
            credits_used: reply.credits_used(),
            cached: reply.cached(),
            request_id: reply.http().request_id().map(str::to_owned),
            call: Some(call),
            contents: OnceLock::new(),
        }
    }

    /// Converts the result of a SQL job to an answer. The answer has the same format as the answer of a query that ran
    /// without a job.
    pub(crate) fn of_table(reply: &Reply<Table>) -> Answer {
        let rows: Vec<String> = reply.object_texts().collect();
        let contents =
            Contents { rows: Some(reply.len()), completeness: Some(parts(&reply.completeness())) };
        Answer {
            operation: <OnchainSqlRequest as Request>::OPERATION,
            body: format!(r#"{{"data":[{}]}}"#, rows.join(",")).into(),
            credits_used: reply.credits_used(),
            cached: reply.cached(),
            request_id: reply.http().request_id().map(str::to_owned),
            call: None,
            contents: contents.into(),
        }
    }

    fn contents(&self) -> &Contents {
        self.contents.get_or_init(|| {
            let answer: Option<DynamicAnswer> = serde_json::from_slice(&self.body).ok();
            let rows = answer.as_ref().filter(|answer| answer.is_list());
            let completeness = self.call.as_ref().zip(answer.as_ref());
            Contents {
                rows: rows.map(|answer| answer.rows().len()),
                completeness: completeness
                    .map(|(call, answer)| parts(&Completeness::of_reply(call, answer))),
            }
        })
    }
}

#[pymethods]
impl Answer {
    /// Creates an answer from the values that `pickle` stored, for example in another process.
    #[staticmethod]
    fn restored(
        operation: &str,
        body: Vec<u8>,
        used: (Option<i64>, Option<bool>, Option<String>),
        contents: (Option<usize>, Option<(String, Option<u64>, Option<String>)>),
    ) -> PyResult<Answer> {
        let known = OPERATIONS.iter().find(|known| known.id == operation);
        let unknown = || PyValueError::new_err(format!("there is no operation {operation}"));
        let (rows, completeness) = contents;
        let completeness = completeness.map(|(state, total, resume)| {
            let states = ["complete", "cut_at_limit", "more_available"];
            let state = states.into_iter().find(|known| *known == state);
            (state.unwrap_or("more_available"), total, resume)
        });
        let (credits_used, cached, request_id) = used;

        Ok(Answer {
            operation: known.ok_or_else(unknown)?,
            body: body.into(),
            credits_used,
            cached,
            request_id,
            call: None,
            contents: Contents { rows, completeness }.into(),
        })
    }

    #[getter]
    fn operation(&self) -> &'static str {
        self.operation.id
    }

    /// Returns the number of rows, or `None` if the answer is not a list.
    #[getter]
    fn rows(&self, py: Python<'_>) -> Option<usize> {
        py.detach(|| self.contents().rows)
    }

    /// Returns whether the rows are complete, the number of rows of the whole list, and the resume token. Returns
    /// `None` if the answer is not valid JSON.
    #[getter]
    fn completeness(&self, py: Python<'_>) -> Option<Parts> {
        py.detach(|| self.contents().completeness.clone())
    }

    /// Returns the response body, which contains JSON text.
    fn body<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.body)
    }

    /// Returns the rows as an Arrow stream.
    fn frames<'py>(&self, table: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyCapsule>> {
        let (py, options) = (table.py(), options(table)?);
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

/// Metadata (`meta`) of a response. Rows are not decoded: in a small response, the decoder only checks that they are
/// valid JSON. In a large response, rows are checked later, when Python reads them.
struct Undecoded(Map<String, Value>);

/// Minimum size of a response that counts as large, in bytes.
const LARGE: usize = 256 << 10;

/// Number of bytes at the end of a large response in which the decoder searches for the start of the last row.
const NEAR: usize = 64 << 10;

impl HasMeta for Undecoded {
    fn reported(&self) -> Reported {
        self.0.reported()
    }

    /// Parses only the end of a large response: the last row and the metadata after this row. The function assumes that
    /// the last row starts after the last text `},{`. Returns `None` if this assumption is wrong, because the parsed
    /// text is then not valid JSON or has no metadata.
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
