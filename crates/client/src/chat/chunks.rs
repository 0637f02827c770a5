//! Events of the chat completions stream, as they come over the wire.

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
    /// An event that this release does not know, as it came.
    Other {
        /// Its kind: the member `type`, or else the name of the event.
        kind: String,
        /// Its data; a text where they are not JSON.
        data: Value,
    },
}

/// A chunk of a streamed chat completion. The interface does not show its members; those of
/// common services are known, and others are kept.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ChatChunk {
    /// Identifies the completion, the same in every chunk.
    pub id: Option<String>,
    /// Kind of document, typically `chat.completion.chunk`.
    pub object: Option<String>,
    /// When the completion was made.
    pub created: Option<UnixSeconds>,
    /// The model that answers.
    pub model: Option<String>,
    /// Additions to each choice.
    pub choices: Vec<ChatChunkChoice>,
    /// Tokens read and written; in the last chunk, where it comes at all.
    pub usage: Option<ChatUsage>,
    /// Cost of the call, if the service sends it.
    pub meta: Option<ChatMeta>,
    /// Members that this release does not know.
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
    /// Position among the choices, counted from 0; 0 where it is not said.
    pub index: Option<i64>,
    /// Additions to the message.
    pub delta: Option<ChatDelta>,
    /// The message as a whole, where a service sends it in place of a delta.
    pub message: Option<ChatChoiceMessage>,
    /// Why the text ended, once it has.
    pub finish_reason: Option<ChatChoiceFinishReason>,
    /// Members that this release does not know.
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
    /// More of the text.
    pub content: Option<String>,
    /// Further reasoning of the model.
    pub reasoning: Option<String>,
    /// More of the calls of tools.
    pub tool_calls: Vec<ChatToolCallDelta>,
    /// Members that this release does not know.
    pub extra: Extra,
}

rt::record!(ChatDelta {
    0 optional role "role",
    1 optional content "content",
    2 optional reasoning "reasoning",
    3 optional_list tool_calls "tool_calls",
});

/// More of one call of a tool.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ChatToolCallDelta {
    /// Position among the calls, counted from 0.
    pub index: Option<i64>,
    /// Identifies the call; in its first delta.
    pub id: Option<String>,
    /// Kind of tool; in its first delta.
    pub type_: Option<String>,
    /// The function, and more of its arguments.
    pub function: Option<ChatToolCallFunction>,
    /// Members that this release does not know.
    pub extra: Extra,
}

rt::record!(ChatToolCallDelta {
    0 optional index "index",
    1 optional id "id",
    2 optional type_ "type",
    3 optional function "function",
});

/// A chunk that brings text and nothing else that is new, read in place. A member that is not here,
/// or has another type, makes it no such chunk.
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
    /// `null`, as in [`PlainChoice`].
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
