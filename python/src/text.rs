//! Answers of the chat, as they are written.

use crypto_intel::chat::{AnswerStream, ChatRequest, ResponsesProtocol};
use pyo3::prelude::*;

use crate::errors::raised;
use crate::wait::wait;

/// An iterator of pieces of text. What is unread when it is dropped is not waited for.
#[pyclass]
pub(crate) struct TextStream(Option<AnswerStream<ResponsesProtocol>>);

impl TextStream {
    pub(crate) fn open(
        py: Python<'_>,
        client: &crypto_intel::Client,
        model: String,
        question: String,
    ) -> PyResult<TextStream> {
        let request = client.responses(model, question);
        let stream = wait(py, async move { request.stream().await })?;
        stream.map(|stream| TextStream(Some(stream))).map_err(|error| raised(py, &error))
    }
}

#[pymethods]
impl TextStream {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<String>> {
        let Some(stream) = &mut self.0 else { return Ok(None) };
        match wait(py, stream.next_text())? {
            Ok(Some(text)) => Ok(Some(text)),
            Ok(None) => {
                self.0 = None;
                Ok(None)
            }
            Err(error) => {
                self.0 = None;
                Err(raised(py, &error))
            }
        }
    }
}
