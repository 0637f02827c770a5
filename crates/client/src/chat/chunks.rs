//! Types of the events in a `chat-completions` stream.
//!
//! Each type is decoded from the JSON data of one event. Unknown JSON fields are stored in the field `extra`.

use std::borrow::Cow;

use crypto_intel_api::generated::chat::{
    ChatChoiceFinishReason, ChatChoiceMessage, ChatMeta, ChatToolCallFunction, ChatUsage,
};
use crypto_intel_core as rt;
use crypto_intel_core::{Extra, UnixSeconds};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;

/// An event of a `chat-completions` stream.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ChatEvent {
    /// A chunk: the next piece of the answer.
    Chunk(Box<ChatChunk>),
    /// An event that is not a chunk, for example an event of a type that this release of the client does not know.
    Other {
        /// Type of the event: the field `type` of the event data, or the SSE event name if the data has no such field.
        kind: String,
        /// Data of the event as a JSON value. Data that is not valid JSON is stored as a JSON string.
        data: Value,
    },
}

/// A chunk of a `chat-completions` stream: the next piece of the answer. The service's OpenAPI document does not define
/// the fields of chunks. This type has the fields of the widely used chat completions format. Other fields are stored
/// in `extra`.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ChatChunk {
    /// Identifier of the answer. It is equal in all chunks of one stream.
    pub id: Option<String>,
    /// Type of the JSON object, usually `chat.completion.chunk`.
    pub object: Option<String>,
    /// Time at which the service created the answer.
    pub created: Option<UnixSeconds>,
    /// Name of the model that writes the answer.
    pub model: Option<String>,
    /// New data for the choices of the answer. Each element belongs to one choice.
    pub choices: Vec<ChatChunkChoice>,
    /// Numbers of input and output tokens of the call. Only the last chunk of a stream can contain this field. Some
    /// streams do not contain it.
    pub usage: Option<ChatUsage>,
    /// Credits that the call used, if the service sends this field.
    pub meta: Option<ChatMeta>,
    /// JSON fields of the chunk that this type does not define.
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

/// New data for one choice, from one chunk.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ChatChunkChoice {
    /// Index of the choice in the answer, counted from 0. A missing index counts as 0.
    pub index: Option<i64>,
    /// New data for the message of the choice.
    pub delta: Option<ChatDelta>,
    /// The complete message of the choice. Some services send it in place of a delta.
    pub message: Option<ChatChoiceMessage>,
    /// Reason why the choice ended, for example `stop`. `None` while the model still writes.
    pub finish_reason: Option<ChatChoiceFinishReason>,
    /// JSON fields of the choice that this type does not define.
    pub extra: Extra,
}

rt::record!(ChatChunkChoice {
    0 optional index "index",
    1 optional delta "delta",
    2 optional message "message",
    3 optional finish_reason "finish_reason",
});

/// New part of a message, such as the next words of its text. Each chunk contains such a part for each of its choices.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ChatDelta {
    /// Role of the message's author, usually `assistant`. Only the first chunk of a choice has this field.
    pub role: Option<String>,
    /// Next piece of the message's text.
    pub content: Option<String>,
    /// Next piece of the model's reasoning text.
    pub reasoning: Option<String>,
    /// New data for the tool calls of the message.
    pub tool_calls: Vec<ChatToolCallDelta>,
    /// JSON fields of the delta that this type does not define.
    pub extra: Extra,
}

rt::record!(ChatDelta {
    0 optional role "role",
    1 optional content "content",
    2 optional reasoning "reasoning",
    3 optional_list tool_calls "tool_calls",
});

/// New data for one tool call of a message.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ChatToolCallDelta {
    /// Index of the tool call in the message, counted from 0.
    pub index: Option<i64>,
    /// Identifier of the tool call. Only the first delta of a tool call has this field.
    pub id: Option<String>,
    /// Type of the tool, usually `function`. Only the first delta of a tool call has this field.
    pub type_: Option<String>,
    /// Name of the function to call, and the next piece of its arguments as JSON text.
    pub function: Option<ChatToolCallFunction>,
    /// JSON fields of the delta that this type does not define.
    pub extra: Extra,
}

rt::record!(ChatToolCallDelta {
    0 optional index "index",
    1 optional id "id",
    2 optional type_ "type",
    3 optional function "function",
});

/// A chunk with new text for one choice and no other new data. This type borrows from the event data, so that it is
/// cheap to decode. Decoding fails if the chunk has an unexpected field, or a field with an unexpected JSON type.
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
    /// Field `usage` of the chunk, which must be absent or `null`. If the field contains token counts, decoding the
    /// chunk fails, because the type `()` accepts only `null`.
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
