//! Chat questions: `responses`, and the deprecated `chat-completions`.
//!
//! Await a chat request like any other to get the whole answer. This module adds:
//!
//! - [`stream`](ChatRequest::stream) reads an answer while the model writes it ([`AnswerStream`]), and
//!   [`estimate`](ChatRequest::estimate) returns the list price.
//! - [`ResponseExt`] and [`ChatCompletionExt`] return text, reasoning and tool calls of an answer, and decode it into
//!   a type.
//! - [`Thread`] and [`History`] are conversations, which can be saved and resumed.
//! - With the feature `tools`, [`Tools`] offers functions to the model, and [`structured`](StructuredExt::structured)
//!   requests an answer that decodes to a Rust type.
//!
//! The model can reason for minutes. By default a chat request waits up to ten minutes for the next byte
//! ([`Operation::patience`](crate::catalogue::Operation::patience)). A question costs credits once the service has
//! accepted it, so the client does not send it again unless it was surely rejected.
//!
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
pub(crate) use ends::judge;
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
