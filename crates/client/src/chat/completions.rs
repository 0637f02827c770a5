//! Events of the chat completions stream, and the answer they add up to.

use std::collections::BTreeMap;

use crypto_intel_api::generated::chat::{
    ChatChoice, ChatChoiceFinishReason, ChatChoiceMessage, ChatCompletion, ChatMeta, ChatToolCall,
    ChatToolCallFunction, ChatUsage,
};
use crypto_intel_core as rt;
use crypto_intel_core::{Charge, Error, ErrorKind, Extra, UnixSeconds};
use serde_json::{Map, Value};

use super::protocol::{Fold, Fresh, StreamProtocol, Taken, error_in, text_in};

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
    /// What is new in each choice.
    pub choices: Vec<ChatChunkChoice>,
    /// Tokens read and written; in the last chunk, where it comes at all.
    pub usage: Option<ChatUsage>,
    /// What the call cost, if the service says so.
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

/// What is new in one choice.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ChatChunkChoice {
    /// Position among the choices, counted from 0; 0 where it is not said.
    pub index: Option<i64>,
    /// What is added to the message.
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

/// What is added to a message.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct ChatDelta {
    /// Who speaks; in the first chunk.
    pub role: Option<String>,
    /// More of the text.
    pub content: Option<String>,
    /// More of what the model thinks.
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

/// The stream of `chat-completions`.
#[derive(Debug, Default)]
pub struct CompletionsProtocol {
    answer: ChatCompletion,
    choices: BTreeMap<i64, Choice>,
    /// The choice whose text is that of the stream: the first that came.
    voice: Option<i64>,
    forgets: bool,
    held: usize,
}

#[derive(Debug, Default)]
struct Choice {
    choice: ChatChoice,
    /// The index that each call came under.
    calls: Vec<(Option<i64>, ChatToolCall)>,
    /// Bytes of text that were given out.
    given: usize,
}

impl StreamProtocol for CompletionsProtocol {
    type Item = ChatEvent;
}

impl Fold for CompletionsProtocol {
    type Event = ChatEvent;
    type Answer = ChatCompletion;

    fn take(&mut self, kind: &str, data: &str) -> Taken<ChatEvent> {
        match rt::private::from_slice::<ChatChunk>(data.as_bytes()) {
            Ok(chunk) if kind != "error" && is_chunk(&chunk) => self.chunk(chunk),
            _ => self.other(kind, data),
        }
    }

    fn into_text(event: ChatEvent) -> Option<String> {
        match event {
            ChatEvent::Chunk(mut chunk) => chunk.choices.pop()?.delta?.content,
            ChatEvent::Other { .. } => None,
        }
    }

    fn is_answer(&self) -> bool {
        !self.choices.is_empty()
    }

    fn is_complete(&self) -> bool {
        !self.choices.is_empty()
            && self.choices.values().all(|choice| choice.choice.finish_reason.is_some())
    }

    fn credits_used(&self) -> Option<i64> {
        self.answer.credits_used()
    }

    fn held(&self) -> usize {
        self.held
    }

    fn forget(&mut self) {
        self.forgets = true;
    }

    fn answer(self) -> ChatCompletion {
        let mut answer = self.answer;
        answer.choices = self
            .choices
            .into_iter()
            .map(|(index, choice)| {
                let mut finished = choice.choice;
                finished.index = Some(index);
                finished.message.tool_calls.extend(choice.calls.into_iter().map(|(_, call)| call));
                finished
            })
            .collect();
        answer
    }
}

/// Whether an object is a chunk at all: every member of one may be missing, but not all of them.
fn is_chunk(chunk: &ChatChunk) -> bool {
    !["error", "success"].into_iter().any(|name| chunk.extra.get(name).is_some())
        && (!chunk.choices.is_empty() || chunk.usage.is_some() || chunk.meta.is_some())
}

impl CompletionsProtocol {
    fn chunk(&mut self, chunk: ChatChunk) -> Taken<ChatEvent> {
        let answer = &mut self.answer;
        if let Some(id) = chunk.id.as_ref().filter(|_| answer.id.is_empty()) {
            answer.id.clone_from(id);
        }
        if answer.object.is_none() {
            answer.object =
                chunk.object.as_deref().map(|object| object.trim_end_matches(".chunk").to_owned());
        }
        answer.created = answer.created.or(chunk.created);
        if answer.model.is_none() {
            answer.model.clone_from(&chunk.model);
        }
        if chunk.usage.is_some() {
            answer.usage.clone_from(&chunk.usage);
        }
        if chunk.meta.is_some() {
            answer.meta.clone_from(&chunk.meta);
        }
        for (name, value) in chunk.extra.iter() {
            answer.extra.insert(name, value.clone());
        }
        let fresh = self.fresh(&chunk);
        Taken::Event(ChatEvent::Chunk(Box::new(chunk)), fresh)
    }

    /// Takes in the choices of a chunk; gives the text in them that is the stream's.
    fn fresh(&mut self, chunk: &ChatChunk) -> Fresh {
        let only = chunk.choices.len() == 1;
        let mut rest = String::new();
        for choice in &chunk.choices {
            match self.choice(choice) {
                Fresh::Event if only => return Fresh::Event,
                Fresh::Event => {
                    let delta = choice.delta.as_ref();
                    rest.push_str(delta.and_then(|delta| delta.content.as_deref()).unwrap_or(""));
                }
                Fresh::Rest(text) => rest.push_str(&text),
                Fresh::None => {}
            }
        }
        if rest.is_empty() { Fresh::None } else { Fresh::Rest(rest) }
    }

    /// Takes in what is new in one choice; gives its text if the stream's text is this choice's.
    fn choice(&mut self, new: &ChatChunkChoice) -> Fresh {
        let index = new.index.unwrap_or_default();
        let is_voice = *self.voice.get_or_insert(index) == index;
        let (keeps, choice) = (!self.forgets, self.choices.entry(index).or_default());
        let mut fresh = Fresh::None;
        if let Some(delta) = &new.delta {
            let message = &mut choice.choice.message;
            if message.role.is_none() {
                message.role.clone_from(&delta.role);
            }
            if let Some(text) = &delta.content {
                choice.given += text.len();
                if keeps {
                    message.content.get_or_insert_default().push_str(text);
                    self.held += text.len();
                }
                fresh = Fresh::Event;
            }
            if let Some(text) = &delta.reasoning {
                message.reasoning.get_or_insert_default().push_str(text);
                self.held += text.len();
            }
            for (name, value) in delta.extra.iter() {
                self.held += append(&mut message.extra, name, value);
            }
            for call in &delta.tool_calls {
                self.held += choice.call(call);
            }
        }
        if let Some(message) = &new.message {
            fresh = choice.message(message, keeps);
        }
        if new.finish_reason.is_some() {
            choice.choice.finish_reason.clone_from(&new.finish_reason);
        }
        for (name, value) in new.extra.iter() {
            choice.choice.extra.insert(name, value.clone());
        }
        if is_voice { fresh } else { Fresh::None }
    }

    /// What is not a chunk.
    fn other(&mut self, kind: &str, data: &str) -> Taken<ChatEvent> {
        let unnamed = matches!(kind, "" | "message");
        let data = match serde_json::from_str(data) {
            Ok(Value::Object(members)) if kind == "error" || error_in(&members) => {
                return Taken::Reported(members);
            }
            Ok(data) => data,
            Err(_) if kind == "error" => {
                return Taken::Reported(Map::from_iter([("message".to_owned(), data.into())]));
            }
            Err(_) if !unnamed => data.into(),
            Err(error) => {
                let message = format!("an event of the stream is not JSON: {error}");
                let error = Error::new(ErrorKind::Decode, message).with_body(data.to_owned());
                return Taken::Unreadable(error);
            }
        };
        let name = data.get("type").and_then(Value::as_str).filter(|name| *name != "message");
        let text = text_in(&data).filter(|text| !text.is_empty() && (unnamed && name.is_none()));
        let fresh = match text {
            Some(text) => {
                let delta = ChatDelta { content: Some(text.into_owned()), ..ChatDelta::default() };
                let choice = ChatChunkChoice { delta: Some(delta), ..ChatChunkChoice::default() };
                match self.choice(&choice) {
                    Fresh::None => Fresh::None,
                    _ => choice
                        .delta
                        .and_then(|delta| delta.content)
                        .map_or(Fresh::None, Fresh::Rest),
                }
            }
            None => Fresh::None,
        };
        let kind = name.unwrap_or(kind).to_owned();
        Taken::Event(ChatEvent::Other { kind, data }, fresh)
    }
}

/// Members of deltas are increments: texts are joined, anything else replaces. Gives the bytes
/// that were added.
fn append(extra: &mut Extra, name: &str, value: &Value) -> usize {
    match (extra.remove(name), value) {
        (Some(Value::String(mut before)), Value::String(more)) => {
            before.push_str(more);
            extra.insert(name, before.into());
            more.len()
        }
        (_, value) => {
            extra.insert(name, value.clone());
            value.as_str().map_or(0, str::len)
        }
    }
}

/// Memory that a call costs besides its text, in bytes.
const CALL_SIZE: usize = 256;

impl Choice {
    /// Takes in more of one call. The index tells which, but some services give every call the
    /// same one: another identifier is another call. Gives the bytes that were added.
    fn call(&mut self, new: &ChatToolCallDelta) -> usize {
        let id = new.id.as_deref().filter(|id| !id.is_empty());
        let differs = |call: &ChatToolCall| match (id, call.id.as_deref()) {
            (Some(id), Some(known)) => id != known,
            _ => false,
        };
        let place = self.calls.iter().rposition(|(index, call)| {
            (new.index.is_none() || *index == new.index) && !differs(call)
        });
        let (place, size) = match place {
            Some(place) => (place, 0),
            None => {
                self.calls.push((new.index, ChatToolCall::default()));
                (self.calls.len() - 1, CALL_SIZE)
            }
        };
        let call = &mut self.calls[place].1;
        if let Some(id) = id {
            call.id.get_or_insert_with(|| id.to_owned());
        }
        if call.type_.is_none() {
            call.type_.clone_from(&new.type_);
        }
        for (name, value) in new.extra.iter() {
            call.extra.insert(name, value.clone());
        }
        let Some(more) = &new.function else { return size };
        let function = call.function.get_or_insert_default();
        if function.name.as_deref().unwrap_or_default().is_empty() {
            function.name.clone_from(&more.name);
        }
        let arguments = more.arguments.as_deref().unwrap_or_default();
        function.arguments.get_or_insert_default().push_str(arguments);
        for (name, value) in more.extra.iter() {
            function.extra.insert(name, value.clone());
        }
        size + arguments.len()
    }

    /// Takes in the message as a whole; gives what of its text is new.
    fn message(&mut self, message: &ChatChoiceMessage, keeps: bool) -> Fresh {
        let before = self.choice.message.content.take().unwrap_or_default();
        let whole = message.content.as_deref().unwrap_or_default();
        let repeats = !keeps || whole.starts_with(&before);
        let rest = whole.get(self.given..).filter(|rest| repeats && !rest.is_empty());
        let rest = rest.map(str::to_owned);
        self.given += rest.as_ref().map_or(0, String::len);
        self.choice.message.clone_from(message);
        self.calls.clear();
        rest.map_or(Fresh::None, Fresh::Rest)
    }
}
