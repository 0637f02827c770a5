//! Event types of the chat completions stream.
//!
//! Each type is decoded from the JSON of one event, and keeps unknown fields.

use std::borrow::Cow;

use crypto_intel_api::generated::chat::{
    ChatChoiceFinishReason, ChatChoiceMessage, ChatMeta, ChatToolCallFunction, ChatUsage,
};
use crypto_intel_core as rt;
use crypto_intel_core::{Extra, UnixSeconds};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

/// An event of a streamed chat completion.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ChatEvent {
    /// A chunk of the answer.
    Chunk(Box<ChatChunk>),
    /// An event of a type that this release does not have.
    Other {
        /// Type of the event: its field `type`, or else the event name.
        kind: String,
        /// Data of the event. If the data is not JSON, the value is a string.
        data: Value,
    },
}

/// A chunk of a streamed chat completion. The interface does not describe its fields. This type has the fields that
/// common services send, and keeps others.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ChatChunk {
    /// Identifier of the completion, the same in every chunk.
    pub id: Option<String>,
    /// Type of the object, typically `chat.completion.chunk`.
    pub object: Option<String>,
    /// Creation time of the completion.
    pub created: Option<UnixSeconds>,
    /// Model that writes the answer.
    pub model: Option<String>,
    /// Additions to each choice.
    pub choices: Vec<ChatChunkChoice>,
    /// Tokens read and written. Only the last chunk has it, and not every service sends it.
    pub usage: Option<ChatUsage>,
    /// Cost of the call, if the service sends it.
    pub meta: Option<ChatMeta>,
    /// Fields that this release does not know.
    pub extra: Extra,
}

rt::record!(ChatChunk {
    0 optional id "id",
    1 optional object "object",
    2 optional created "created",
    3 optional model "model",
    4 optional_list choices "choices",
    5 optional usage "usage",
    6 optional meta "meta",
});

/// Additions to one choice.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ChatChunkChoice {
    /// Index of the choice, counted from 0; 0 if the service does not send it.
    pub index: Option<i64>,
    /// Additions to the message.
    pub delta: Option<ChatDelta>,
    /// Complete message, which some services send in place of a delta.
    pub message: Option<ChatChoiceMessage>,
    /// Reason why the text ended, once it has ended.
    pub finish_reason: Option<ChatChoiceFinishReason>,
    /// Fields that this release does not know.
    pub extra: Extra,
}

rt::record!(ChatChunkChoice {
    0 optional index "index",
    1 optional delta "delta",
    2 optional message "message",
    3 optional finish_reason "finish_reason",
});

/// Additions to a message.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ChatDelta {
    /// Role of the speaker; only in the first chunk.
    pub role: Option<String>,
    /// Next part of the text.
    pub content: Option<String>,
    /// Further reasoning of the model.
    pub reasoning: Option<String>,
    /// Next parts of the tool calls.
    pub tool_calls: Vec<ChatToolCallDelta>,
    /// Fields that this release does not know.
    pub extra: Extra,
}

rt::record!(ChatDelta {
    0 optional role "role",
    1 optional content "content",
    2 optional reasoning "reasoning",
    3 optional_list tool_calls "tool_calls",
});

/// Addition to one tool call.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ChatToolCallDelta {
    /// Index of the call, counted from 0.
    pub index: Option<i64>,
    /// Identifier of the call. Only its first delta has it.
    pub id: Option<String>,
    /// Type of the tool. Only the first delta of the call has it.
    pub type_: Option<String>,
    /// The function, with the next part of its arguments.
    pub function: Option<ChatToolCallFunction>,
    /// Fields that this release does not know.
    pub extra: Extra,
}

rt::record!(ChatToolCallDelta {
    0 optional index "index",
    1 optional id "id",
    2 optional type_ "type",
    3 optional function "function",
});

/// A chunk that contains new text and no other new data. It borrows from the event. Decoding fails for chunks with
/// unknown fields or other types.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlainChunk<'a> {
    #[serde(default, rename = "id")]
    _id: IgnoredAny,
    #[serde(default, rename = "object")]
    _object: IgnoredAny,
    #[serde(default, rename = "created")]
    _created: IgnoredAny,
    #[serde(default, rename = "model")]
    _model: IgnoredAny,
    #[serde(borrow)]
    pub(super) choices: [PlainChoice<'a>; 1],
    /// Accepts only `null`, as the unit fields of [`PlainChoice`] do.
    #[serde(default, rename = "usage")]
    _usage: (),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlainChoice<'a> {
    #[serde(default)]
    pub(super) index: i64,
    #[serde(borrow)]
    pub(super) delta: PlainText<'a>,
    #[serde(default, rename = "finish_reason")]
    _finish_reason: (),
    #[serde(default, rename = "logprobs")]
    _logprobs: (),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PlainText<'a> {
    #[serde(borrow)]
    pub(super) content: Cow<'a, str>,
}
