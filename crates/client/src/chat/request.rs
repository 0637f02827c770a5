//! Methods of chat requests in addition to `await`: streams, estimates, typed answers.

use std::future::Future;

use crypto_intel_api::generated::chat::{
    ChatCompletionsRequest, ChatMessage, ChatMessageRole, ChatToolCall, Response,
    ResponsesReasoning, ResponsesReasoningEffort, ResponsesRequest,
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

/// A request whose answer can be streamed.
pub trait ChatRequest: Streaming + Clone {
    /// Protocol of the stream.
    type Stream: StreamProtocol;

    /// Sends the request, and returns the answer as a stream.
    ///
    /// # Errors
    /// Errors of awaiting the request, and [`ErrorKind::Decode`](crate::ErrorKind::Decode) if the body is not an
    /// answer, such as an HTML page. A complete answer in place of a stream is read as a stream of one event.
    fn stream(self) -> impl Future<Output = Result<AnswerStream<Self::Stream>, Error>> + Send {
        // Boxed, because opening has several steps, and a large future would enlarge the futures of the program.
        Box::pin(open::open(self.into_stream_call()))
    }

    /// Returns the list price of the request for its model and effort. Nothing is sent.
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

/// Shorter setters for `responses` requests.
pub trait ResponsesRequestExt: Sized {
    /// Sets the reasoning effort: `reasoning.effort`. Without it the model answers without reasoning.
    #[must_use]
    fn effort(self, effort: impl Into<ResponsesReasoningEffort>) -> Self;

    /// Continues the conversation after an earlier answer.
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

/// Builds the `input` of `responses` as a list of items, for requests that need more than one string. The interface
/// mentions such a list and does not describe its items. This type writes the items that common services accept.
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
    /// Creates an empty list.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a message of the user.
    #[must_use]
    pub fn user(self, text: impl Into<String>) -> Self {
        self.message("user", text)
    }

    /// Adds a system message.
    #[must_use]
    pub fn system(self, text: impl Into<String>) -> Self {
        self.message("system", text)
    }

    /// Adds a message of the model.
    #[must_use]
    pub fn assistant(self, text: impl Into<String>) -> Self {
        self.message("assistant", text)
    }

    /// Adds the result of a tool. `call` is the identifier of the tool call.
    #[must_use]
    pub fn tool_output(self, call: &str, output: impl Into<String>) -> Self {
        let output: String = output.into();
        self.item(json!({"type": "function_call_output", "call_id": call, "output": output}))
    }

    /// Adds an item of any form.
    #[must_use]
    pub fn item(mut self, item: Value) -> Self {
        self.0.push(item);
        self
    }

    /// Adds the next question: a text of the user, or a list of items.
    pub(super) fn followed_by(self, question: Value) -> Self {
        match question {
            Value::String(text) => self.user(text),
            Value::Array(items) => items.into_iter().fold(self, Self::item),
            item => self.item(item),
        }
    }

    /// Adds a message of `chat-completions`, with its tool calls or as the result of a tool call.
    pub(super) fn chat_message(self, message: ChatMessage) -> Self {
        if let Some(id) = &message.tool_call_id {
            return self.tool_output(id, message.content);
        }
        let said = match message.content.as_str() {
            "" if !message.tool_calls.is_empty() => self,
            text => self.message(message.role.as_str(), text),
        };
        message.tool_calls.into_iter().fold(said, |said, ChatToolCall { id, function, .. }| {
            let function = function.unwrap_or_default();
            let (name, arguments) = (function.name, function.arguments);
            said.item(json!({"type": "function_call", "call_id": id, "name": name, "arguments": arguments}))
        })
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

/// Creates a message of the user, for `chat-completions`.
#[must_use]
pub fn user(text: impl Into<String>) -> ChatMessage {
    ChatMessage::new(text, ChatMessageRole::User)
}

/// Creates a system message, for `chat-completions`.
#[must_use]
pub fn system(text: impl Into<String>) -> ChatMessage {
    ChatMessage::new(text, ChatMessageRole::System)
}

/// Creates a message of the model, for `chat-completions`.
#[must_use]
pub fn assistant(text: impl Into<String>) -> ChatMessage {
    ChatMessage::new(text, ChatMessageRole::Assistant)
}
