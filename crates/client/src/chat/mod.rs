//! Questions in plain language: `responses`, and the retired `chat-completions`.
//!
//! Their requests are awaited like all others, for the whole answer. This module adds what else
//! can be done with them:
//!
//! - [`stream`](ChatRequest::stream) reads an answer while it is written ([`AnswerStream`]), and
//!   [`estimate`](ChatRequest::estimate) returns its list price;
//! - [`ResponseExt`] and [`ChatCompletionExt`] find text, thoughts and tool calls in an answer,
//!   and decode it into a type;
//! - [`Thread`] and [`History`] hold conversations, which can be saved and resumed;
//! - with the feature `tools`, [`Tools`] are functions that the model may have run, and
//!   [`structured`](StructuredExt::structured) asks for an answer of a type.
//!
//! The service can think for minutes: silence of up to ten minutes is borne without being asked
//! for ([`Operation::patience`](crate::catalogue::Operation::patience)). A question costs credits once it is
//! accepted, so that it is never sent twice on its own account.
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
