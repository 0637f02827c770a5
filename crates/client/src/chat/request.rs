//! Additional methods of chat requests: they stream an answer, return a list price, or set common parameters.

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
use crate::credits::{Estimate, list_price};

/// A chat request whose answer can be streamed.
pub trait ChatRequest: Streaming + Clone {
    /// Protocol that decodes the stream of this request.
    type Stream: StreamProtocol;

    /// Sends the request and returns its answer as a stream. If the service sends the complete answer as one JSON
    /// object, the stream has one event.
    ///
    /// # Errors
    /// - Errors that `request.await` returns.
    /// - [`ErrorKind::Decode`](crate::ErrorKind::Decode) if the response body is neither an event stream nor a JSON
    ///   object, for example an HTML page.
    fn stream(self) -> impl Future<Output = Result<AnswerStream<Self::Stream>, Error>> + Send {
        // The future is boxed, because it is large and would enlarge every future that contains it.
        Box::pin(open::open(self.into_stream_call()))
    }

    /// Returns the list price of the request for its model and reasoning effort. This method sends nothing.
    #[must_use]
    fn estimate(&self) -> Estimate {
        list_price(&self.clone().into_call())
    }
}

impl ChatRequest for ResponsesRequest {
    type Stream = ResponsesProtocol;
}

impl ChatRequest for ChatCompletionsRequest {
    type Stream = CompletionsProtocol;
}

/// Extension trait that adds short setters for common parameters to `responses` requests.
pub trait ResponsesRequestExt: Sized {
    /// Sets the reasoning effort: the field `effort` of the parameter `reasoning`. Without this parameter, the model
    /// answers without reasoning.
    #[must_use]
    fn effort(self, effort: impl Into<ResponsesReasoningEffort>) -> Self;

    /// Continues a conversation after an earlier answer: sets the parameter `previous_response_id` to the identifier of
    /// that answer.
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

/// Builder for the parameter `input` of the endpoint `responses`. It builds a JSON array of items, for requests that
/// need more than one string. The service's OpenAPI document permits such an array, but does not define its items. This
/// type writes the items in the format of other common chat APIs.
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
    /// Creates an empty array of items.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a message with the role `user`.
    #[must_use]
    pub fn user(self, text: impl Into<String>) -> Self {
        self.message("user", text)
    }

    /// Adds a message with the role `system`. Such a message instructs the model.
    #[must_use]
    pub fn system(self, text: impl Into<String>) -> Self {
        self.message("system", text)
    }

    /// Adds a message with the role `assistant`, which is an earlier answer of the model.
    #[must_use]
    pub fn assistant(self, text: impl Into<String>) -> Self {
        self.message("assistant", text)
    }

    /// Adds the result of a tool call. `call` is the identifier of the tool call.
    #[must_use]
    pub fn tool_output(self, call: &str, output: impl Into<String>) -> Self {
        let output: String = output.into();
        self.item(json!({"type": "function_call_output", "call_id": call, "output": output}))
    }

    /// Adds an item to the array `input` of the request. The item can be any JSON value.
    #[must_use]
    pub fn item(mut self, item: Value) -> Self {
        self.0.push(item);
        self
    }

    /// Adds a question to the input. A string becomes a user message. Each element of a JSON array becomes one input
    /// item. Any other JSON value becomes one input item.
    pub(super) fn with_question(self, question: Value) -> Self {
        match question {
            Value::String(text) => self.user(text),
            Value::Array(items) => items.into_iter().fold(self, Self::item),
            item => self.item(item),
        }
    }

    /// Converts a message of the endpoint `chat-completions` to items of the endpoint `responses`, and adds these items
    /// to the input. The text of the message becomes one item, and each of its tool calls becomes one item. A message
    /// with the result of a tool call becomes one item with this result.
    pub(super) fn chat_message(self, message: ChatMessage) -> Self {
        if let Some(id) = &message.tool_call_id {
            return self.tool_output(id, message.content);
        }
        let input = match message.content.as_str() {
            "" if !message.tool_calls.is_empty() => self,
            text => self.message(message.role.as_str(), text),
        };
        message.tool_calls.into_iter().fold(input, |input, ChatToolCall { id, function, .. }| {
            let function = function.unwrap_or_default();
            let (name, arguments) = (function.name, function.arguments);
            input.item(json!({"type": "function_call", "call_id": id, "name": name, "arguments": arguments}))
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

/// Creates a `chat-completions` message with the role `user`.
#[must_use]
pub fn user(text: impl Into<String>) -> ChatMessage {
    ChatMessage::new(text, ChatMessageRole::User)
}

/// Creates a `chat-completions` message with the role `system`.
#[must_use]
pub fn system(text: impl Into<String>) -> ChatMessage {
    ChatMessage::new(text, ChatMessageRole::System)
}

/// Creates a `chat-completions` message with the role `assistant`, which is an earlier answer of the model.
#[must_use]
pub fn assistant(text: impl Into<String>) -> ChatMessage {
    ChatMessage::new(text, ChatMessageRole::Assistant)
}
