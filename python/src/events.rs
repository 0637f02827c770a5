//! Streams chat answers to Python. The Python module `crypto_intel._stream` reads an answer as text or as JSON events.
//!
//! The input is a chat call, and the output is an iterator of events.

use std::pin::Pin;
use std::sync::Arc;

use crypto_intel::chat::{
    AnswerStream, ChatCompletionsRequest, ChatEvent, ChatRequest, ResponseEvent, ResponsesRequest,
    StreamProtocol,
};
use crypto_intel::{
    Client, Error, ErrorKind, Request,
    extend::{BoxFuture, Streaming},
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::Mutex;

use crate::arguments::{CallArguments, request};
use crate::wait::Pending;

/// Iterator over the events of a streamed chat answer. Dropping it cancels the rest of the stream.
#[pyclass(frozen)]
pub(crate) struct Events(Arc<Mutex<Option<Box<dyn Answering>>>>);

type Next<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Common interface for the answer streams of all chat operations.
pub(crate) trait Answering: Send {
    fn next_text(&mut self) -> Next<'_, Result<Option<String>, Error>>;

    /// Returns the next event as a list of JSON objects. Each object has a field `type`. A chat chunk with reasoning
    /// and text becomes two objects. The list is empty if the event has no new content, for example if it only starts
    /// an output item. Returns `None` at the end of the stream.
    fn next_events(&mut self) -> Next<'_, Result<Option<Vec<Value>>, Error>>;

    /// Reads the rest of the stream, and returns the whole answer as JSON.
    fn read_whole(self: Box<Self>) -> BoxFuture<Result<Vec<u8>, Error>>;
}

/// Conversion of one stream event to a list of JSON objects, as described at [`Answering::next_events`].
trait ToJson {
    fn to_json(self) -> Vec<Value>;
}

impl<P: StreamProtocol<Item: ToJson>> Answering for AnswerStream<P>
where
    P::Answer: Serialize,
{
    fn next_text(&mut self) -> Next<'_, Result<Option<String>, Error>> {
        Box::pin(AnswerStream::next_text(self))
    }

    fn next_events(&mut self) -> Next<'_, Result<Option<Vec<Value>>, Error>> {
        Box::pin(async move { Ok(self.next_event().await?.map(ToJson::to_json)) })
    }

    fn read_whole(self: Box<Self>) -> BoxFuture<Result<Vec<u8>, Error>> {
        Box::pin(async move {
            let answer =
                AnswerStream::read_to_end(*self).await.map_err(|ended| ended.into_parts().0)?;
            encoded(&answer.into_inner())
        })
    }
}

fn encoded(value: &impl Serialize) -> Result<Vec<u8>, Error> {
    serde_json::to_vec(value).map_err(|error| Error::new(ErrorKind::Decode, error.to_string()))
}

impl ToJson for ResponseEvent {
    fn to_json(self) -> Vec<Value> {
        vec![match self {
            ResponseEvent::TextDelta(place, text) => {
                json!({"type": "text", "text": text, "item": place.output_index})
            }
            ResponseEvent::ReasoningDelta(place, text) => {
                json!({"type": "reasoning", "text": text, "item": place.output_index})
            }
            ResponseEvent::RefusalDelta(place, text) => {
                json!({"type": "refusal", "text": text, "item": place.output_index})
            }
            ResponseEvent::ArgumentsDelta(place, text) => {
                json!({"type": "arguments", "text": text, "item": place.output_index})
            }

            ResponseEvent::ItemDone(place, item) => {
                json!({"type": "item", "data": item, "item": place.output_index})
            }
            ResponseEvent::PartDone(place, part) => {
                json!({"type": "part", "data": part, "item": place.output_index})
            }
            ResponseEvent::Response(phase, answer) => {
                json!({"type": "response", "kind": phase.as_str(), "data": answer})
            }
            ResponseEvent::Other { kind, data } => {
                json!({"type": "other", "kind": kind, "data": data})
            }

            // Starts of parts, and content that other events contain too.
            _ => return Vec::new(),
        }]
    }
}

impl ToJson for ChatEvent {
    fn to_json(self) -> Vec<Value> {
        let chunk = match self {
            ChatEvent::Chunk(chunk) => chunk,
            ChatEvent::Other { kind, data } => {
                return vec![json!({"type": "other", "kind": kind, "data": data})];
            }
            _ => return Vec::new(),
        };

        let mut events = Vec::new();
        for choice in &chunk.choices {
            let item = choice.index.unwrap_or_default();
            let Some(delta) = &choice.delta else { continue };
            let texts = [("reasoning", &delta.reasoning), ("text", &delta.content)];
            for (kind, text) in texts {
                if let Some(text) = text.as_ref().filter(|text| !text.is_empty()) {
                    events.push(json!({"type": kind, "text": text, "item": item}));
                }
            }
            if let Some(annotations) = delta.extra.get("annotations") {
                events.push(json!({"type": "annotations", "data": annotations, "item": item}));
            }
            for call in &delta.tool_calls {
                events.push(json!({"type": "tool_call_delta", "data": call, "item": item}));
            }
        }
        if events.is_empty() {
            events.push(json!({"type": "chunk", "data": chunk}));
        }
        events
    }
}

/// Opens the stream of a chat call. The future completes when the response headers have arrived. If the headers contain
/// no known content type, the future also waits for the first bytes of the body.
pub(crate) fn open(
    client: &Client,
    given: &CallArguments<'_>,
) -> PyResult<BoxFuture<Result<Events, Error>>> {
    match given.operation() {
        operation if operation == ResponsesRequest::STREAM.id => {
            opened::<ResponsesRequest>(client, given)
        }
        operation if operation == ChatCompletionsRequest::STREAM.id => {
            opened::<ChatCompletionsRequest>(client, given)
        }
        operation => Err(PyValueError::new_err(format!("{operation} cannot be streamed"))),
    }
}

fn opened<R: ChatRequest + Send + 'static>(
    client: &Client,
    given: &CallArguments<'_>,
) -> PyResult<BoxFuture<Result<Events, Error>>>
where
    R::Stream: StreamProtocol<Item: ToJson, Answer: Serialize>,
{
    // The arguments of the call are parameters of the operation that does not stream.
    let question = request(client, &given.of_operation(R::OPERATION.id))?;
    let question = R::from_call(question.into_call());
    Ok(Box::pin(async move {
        let stream = question.stream().await?;
        Ok(Events(Arc::new(Mutex::new(Some(Box::new(stream))))))
    }))
}

#[pymethods]
impl Events {
    /// Returns the next piece of text, or `None` at the end of the stream.
    fn next_text(&self) -> Pending {
        let shared = self.0.clone();
        Pending::new(async move {
            match &mut *shared.lock().await {
                Some(stream) => stream.next_text().await,
                None => Ok(None),
            }
        })
    }

    /// Returns the next events as a JSON list, or `None` at the end of the stream.
    fn next_events(&self) -> Pending {
        let shared = self.0.clone();
        Pending::new(async move {
            let mut stream = shared.lock().await;
            let Some(stream) = &mut *stream else { return Ok(None) };
            let events = stream.next_events().await?;
            events.map(|events| encoded(&events).map(Json)).transpose()
        })
    }

    /// Reads the rest of the stream, and returns the complete answer as JSON text.
    fn read_whole(&self) -> Pending {
        let shared = self.0.clone();
        Pending::new(async move {
            let stream = shared.lock().await.take();
            let gone = || Error::new(ErrorKind::InvalidRequest, "the answer was already read");
            stream.ok_or_else(gone)?.read_whole().await.map(Json)
        })
    }
}

/// JSON text that becomes a `bytes` object in Python.
pub(crate) struct Json(pub(crate) Vec<u8>);

impl<'py> IntoPyObject<'py> for Json {
    type Target = PyBytes;
    type Output = Bound<'py, PyBytes>;
    type Error = std::convert::Infallible;

    fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Self::Error> {
        Ok(PyBytes::new(py, &self.0))
    }
}
