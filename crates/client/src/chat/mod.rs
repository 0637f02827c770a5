//! Chat questions through the endpoint `responses` and the deprecated endpoint `chat-completions`.
//!
//! An awaited chat request returns the complete answer. This module adds:
//!
//! - [`stream`](ChatRequest::stream) reads an answer while the model writes it. It returns an [`AnswerStream`].
//! - [`estimate`](ChatRequest::estimate) returns the list price of the question.
//! - [`ResponseExt`] and [`ChatCompletionExt`] return the text, the reasoning and the tool calls of an answer. They
//!   also decode its text into a Rust type.
//! - [`Thread`] and [`History`] are conversations. A program can save and resume them.
//! - [`Tools`] offers Rust functions to the model as tools. It needs the feature `tools`.
//! - [`structured`](StructuredExt::structured) requests an answer that decodes into a Rust type. It needs the feature
//!   `tools`.
//!
//! The model can reason for minutes before it sends text. By default, a chat request waits up to ten minutes for the
//! next byte ([`Operation::patience`](crate::catalogue::Operation::patience)).
//!
//! A question costs credits as soon as the service has accepted it. The client therefore retries a question only if the
//! service cannot have executed it.
#![doc = include_str!("ends.md")]

mod answer;
mod chunks;
mod citations;
mod completions;
mod conversation;
mod ends;
mod events;
mod items;
mod open;
mod outcome;
mod progress;
mod protocol;
mod request;
mod responses;
mod stream;
mod structured;
#[cfg(feature = "tools")]
mod tools;
#[cfg(feature = "tools")]
mod typed;

#[cfg(test)]
mod tests;

pub use answer::{ChatCompletionExt, ResponseExt, ToolCall};
pub use chunks::{ChatChunk, ChatChunkChoice, ChatDelta, ChatEvent, ChatToolCallDelta};
pub use citations::Citation;
pub use completions::CompletionsProtocol;
pub use conversation::{History, Thread};
#[doc(no_inline)]
pub use crypto_intel_api::generated::chat::*;
pub use crypto_intel_api::generated::chat::{
    ChatChoiceFinishReason as FinishReason, ChatCompletion,
    ChatCompletionsRequestModel as ChatModel, ChatMessage, Response,
    ResponsesReasoningEffort as Effort, ResponsesRequestModel as Model,
};
pub(crate) use ends::check_reply;
pub use events::{EventPlace, ResponseEvent, ResponsePhase};
pub use outcome::{FinishedAnswer, UnfinishedAnswer, UsageMissing, failed_answer};
pub use protocol::StreamProtocol;
pub use request::{ChatRequest, ResponseInput, ResponsesRequestExt, assistant, system, user};
pub use responses::ResponsesProtocol;
pub use stream::AnswerStream;
#[cfg(feature = "tools")]
pub use tools::{Tool, ToolLoop, ToolLoopEnd, ToolLoopOutcome, ToolRequest, ToolRun, Tools};
#[cfg(feature = "tools")]
pub use typed::StructuredExt;
