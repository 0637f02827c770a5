//! Streamed chat answers.

use std::pin::Pin;
use std::sync::Arc;

use crypto_intel::chat::{
    AnswerStream, ChatCompletionsRequest, ChatRequest, ResponsesRequest, StreamProtocol,
};
use crypto_intel::{BoxFuture, Client, Error, ErrorKind, Request, Streaming};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use tokio::sync::Mutex;

use crate::arguments::request;
use crate::wait::{Task, called};

/// The pieces of an answer, and the whole answer at the end. Dropping it cancels the rest.
#[pyclass(frozen)]
pub(crate) struct TextStream(Arc<Mutex<Option<Box<dyn Answering>>>>);

type Next<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A streamed answer of any operation.
pub(crate) trait Answering: Send {
    fn next_text(&mut self) -> Next<'_, Result<Option<String>, Error>>;

    /// Reads the rest, and returns the whole answer as JSON.
    fn whole(self: Box<Self>) -> BoxFuture<Result<Vec<u8>, Error>>;
}

impl<P: StreamProtocol> Answering for AnswerStream<P>
where
    P::Answer: serde::Serialize,
{
    fn next_text(&mut self) -> Next<'_, Result<Option<String>, Error>> {
        Box::pin(AnswerStream::next_text(self))
    }

    fn whole(self: Box<Self>) -> BoxFuture<Result<Vec<u8>, Error>> {
        Box::pin(async move {
            let answer = AnswerStream::whole(*self).await.map_err(|ended| ended.into_parts().0)?;
            serde_json::to_vec(&answer.into_inner())
                .map_err(|error| Error::new(ErrorKind::Decode, error.to_string()))
        })
    }
}

/// Opens a stream. It returns after the first bytes have arrived.
pub(crate) fn open(
    client: &Client,
    operation: &str,
    arguments: &Bound<'_, PyDict>,
) -> PyResult<BoxFuture<Result<TextStream, Error>>> {
    match operation {
        _ if operation == ResponsesRequest::STREAM.id => {
            opened::<ResponsesRequest>(client, arguments)
        }
        _ if operation == ChatCompletionsRequest::STREAM.id => {
            opened::<ChatCompletionsRequest>(client, arguments)
        }
        _ => Err(PyValueError::new_err(format!("{operation} does not stream"))),
    }
}

fn opened<R: ChatRequest + Send + 'static>(
    client: &Client,
    arguments: &Bound<'_, PyDict>,
) -> PyResult<BoxFuture<Result<TextStream, Error>>>
where
    AnswerStream<R::Stream>: Answering + 'static,
{
    // The question belongs to the non-streaming operation.
    let question = request(client, R::OPERATION.id, arguments)?;
    let question = R::from_call(question.into_call());
    Ok(Box::pin(async move {
        let stream = question.stream().await?;
        Ok(TextStream(Arc::new(Mutex::new(Some(Box::new(stream))))))
    }))
}

impl TextStream {
    fn text(&self) -> impl Future<Output = Result<Option<String>, Error>> + Send + 'static {
        let shared = self.0.clone();
        async move {
            let mut held = shared.lock().await;
            match &mut *held {
                Some(stream) => stream.next_text().await,
                None => Ok(None),
            }
        }
    }

    fn rest(&self) -> impl Future<Output = Result<Json, Error>> + Send + 'static {
        let shared = self.0.clone();
        async move {
            let stream = shared.lock().await.take();
            let gone = || Error::new(ErrorKind::InvalidRequest, "the answer was taken already");
            stream.ok_or_else(gone)?.whole().await.map(Json)
        }
    }
}

#[pymethods]
impl TextStream {
    fn next_text(&self, py: Python<'_>) -> PyResult<Option<String>> {
        called(py, self.text())
    }

    fn start_next_text(&self, done: Py<PyAny>) -> PyResult<Task> {
        Task::begin(self.text(), done)
    }

    fn whole(&self, py: Python<'_>) -> PyResult<Json> {
        called(py, self.rest())
    }

    fn start_whole(&self, done: Py<PyAny>) -> PyResult<Task> {
        Task::begin(self.rest(), done)
    }
}

/// JSON that becomes bytes in Python.
pub(crate) struct Json(Vec<u8>);

impl<'py> IntoPyObject<'py> for Json {
    type Target = PyBytes;
    type Output = Bound<'py, PyBytes>;
    type Error = std::convert::Infallible;

    fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Self::Error> {
        Ok(PyBytes::new(py, &self.0))
    }
}
