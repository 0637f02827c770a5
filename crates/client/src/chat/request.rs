//! Methods of chat requests besides `await`: streams, estimates, typed answers.

use std::future::Future;

use crypto_intel_api::generated::chat::{
    ChatCompletionsRequest, ChatMessage, ChatMessageRole, Response, ResponsesReasoning,
    ResponsesReasoningEffort, ResponsesRequest,
};
use crypto_intel_core::{Error, Streaming};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::completions::CompletionsProtocol;
use super::open;
use super::protocol::StreamProtocol;
use super::responses::ResponsesProtocol;
use super::stream::AnswerStream;
use crate::credits::{Estimate, price_of};

/// A request that can be answered as a stream.
pub trait ChatRequest: Streaming + Clone {
    /// How its stream reads.
    type Stream: StreamProtocol;

    /// Sends the request, and reads the answer while it is written.
    ///
    /// # Errors
    /// The errors of the request for a whole answer if the service rejects it, and
    /// [`ErrorKind::Decode`](crate::ErrorKind::Decode) if the body is not an answer, such as an HTML
    /// page. A whole answer in place of a stream is read as a stream of one event.
    fn stream(self) -> impl Future<Output = Result<AnswerStream<Self::Stream>, Error>> + Send {
        let call = self.into_stream_call();
        open::open(call)
    }

    /// List price of the request for its model and effort. Nothing is sent.
    #[must_use]
    fn estimate(&self) -> Estimate {
        price_of(&self.clone().into_call())
    }
}

impl ChatRequest for ResponsesRequest {
    type Stream = ResponsesProtocol;
}

impl ChatRequest for ChatCompletionsRequest {
    type Stream = CompletionsProtocol;
}

/// Shorthands of requests of `responses`.
pub trait ResponsesRequestExt: Sized {
    /// How deeply to think: `reasoning.effort`. Leave it out for one quick pass.
    #[must_use]
    fn effort(self, effort: impl Into<ResponsesReasoningEffort>) -> Self;

    /// Goes on from an earlier answer.
    #[must_use]
    fn after(self, earlier: &Response) -> Self;
}

impl ResponsesRequestExt for ResponsesRequest {
    fn effort(self, effort: impl Into<ResponsesReasoningEffort>) -> Self {
        self.reasoning(ResponsesReasoning::new().effort(effort))
    }

    fn after(self, earlier: &Response) -> Self {
        self.previous_response_id(earlier.id.as_str())
    }
}

/// A list of items as the `input` of `responses`, where a text is not enough. The interface says
/// that there is such a list and does not show its items; these are the usual ones.
///
/// ```
/// use crypto_intel::chat::ResponseInput;
///
/// let input = ResponseInput::new().system("Be brief.").user("What is a perpetual?");
/// assert_eq!(serde_json::Value::from(input)[1]["role"], "user");
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ResponseInput(Vec<Value>);

impl ResponseInput {
    /// No items yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds what the user says.
    #[must_use]
    pub fn user(self, text: impl Into<String>) -> Self {
        self.message("user", text)
    }

    /// Adds guidance above what the user says.
    #[must_use]
    pub fn system(self, text: impl Into<String>) -> Self {
        self.message("system", text)
    }

    /// Adds what the model said.
    #[must_use]
    pub fn assistant(self, text: impl Into<String>) -> Self {
        self.message("assistant", text)
    }

    /// Adds what a tool gave; `call` is the identifier of the call that asked for it.
    #[must_use]
    pub fn tool_output(self, call: &str, output: impl Into<String>) -> Self {
        let output: String = output.into();
        self.item(json!({"type": "function_call_output", "call_id": call, "output": output}))
    }

    /// Adds an item of any shape.
    #[must_use]
    pub fn item(mut self, item: Value) -> Self {
        self.0.push(item);
        self
    }

    fn message(self, role: &str, text: impl Into<String>) -> Self {
        let text: String = text.into();
        self.item(json!({"role": role, "content": text}))
    }
}

impl From<ResponseInput> for Value {
    fn from(input: ResponseInput) -> Value {
        Value::Array(input.0)
    }
}

/// A message of the user, for `chat-completions`.
#[must_use]
pub fn user(text: impl Into<String>) -> ChatMessage {
    ChatMessage::new(text, ChatMessageRole::User)
}

/// Guidance above what the user says, for `chat-completions`.
#[must_use]
pub fn system(text: impl Into<String>) -> ChatMessage {
    ChatMessage::new(text, ChatMessageRole::System)
}

/// A message of the model, for `chat-completions`.
#[must_use]
pub fn assistant(text: impl Into<String>) -> ChatMessage {
    ChatMessage::new(text, ChatMessageRole::Assistant)
}
