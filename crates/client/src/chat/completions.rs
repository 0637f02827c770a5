//! Builds a `chat-completions` answer from the events of its stream.
//!
//! The input is the events of one stream, in order of arrival. The output is the new text of each event, and the
//! complete answer at the end of the stream.

use std::collections::BTreeMap;

use crypto_intel_api::generated::chat::{
    ChatChoice, ChatChoiceMessage, ChatCompletion, ChatToolCall,
};
use crypto_intel_core as rt;
use crypto_intel_core::{Error, ErrorKind, Extra, HasMeta, Json};
use serde_json::{Map, Value};

use super::chunks::{
    ChatChunk, ChatChunkChoice, ChatDelta, ChatEvent, ChatToolCallDelta, PlainChoice, PlainChunk,
};
use super::ends;
use super::progress::{New, TextProgress};
use super::protocol::{Fold, Fresh, StreamProtocol, Taken, Verdict, event_text, is_error_report};

/// Decoder for the stream of the endpoint `chat-completions`. It collects the answer while events arrive.
#[derive(Debug, Default)]
pub struct CompletionsProtocol {
    answer: ChatCompletion,
    choices: BTreeMap<i64, Choice>,
    /// Index of the choice whose text the stream returns. This is the first choice that arrived.
    voice: Option<i64>,
    forgets: bool,
    /// True if the service sent the complete answer as one JSON object instead of a stream.
    is_whole: bool,
    /// True if the service sent a text twice and the two versions differ. One version is the complete text. The other
    /// version is a series of deltas.
    contradicts: bool,
    held: usize,
}

#[derive(Debug, Default)]
struct Choice {
    choice: ChatChoice,
    /// Tool calls of the choice. Each tool call has the index that the service sent for it.
    calls: Vec<(Option<i64>, ChatToolCall)>,
    progress: TextProgress,
}

impl StreamProtocol for CompletionsProtocol {
    type Item = ChatEvent;
}

impl Fold for CompletionsProtocol {
    type Event = ChatEvent;
    type Answer = ChatCompletion;

    fn add(&mut self, kind: &str, data: &str) -> Taken<ChatEvent> {
        match rt::private::from_slice::<ChatChunk>(data.as_bytes()) {
            Ok(chunk) if kind != "error" && is_chunk(&chunk) => self.add_chunk(chunk),
            _ => self.add_other_event(kind, data),
        }
    }

    fn add_text(&mut self, kind: &str, data: &str) -> Option<String> {
        if !matches!(kind, "message" | "") {
            return None;
        }
        let chunk = serde_json::from_str::<PlainChunk<'_>>(data).ok()?;
        let [PlainChoice { index, delta, .. }] = chunk.choices;
        // The first chunk of a stream contains more than text, for example the identifier and the model. This fast path
        // reads only text, so it is used after the answer has these fields.
        let choice = self.choices.get_mut(&index).filter(|_| self.voice == Some(index))?;
        let known = !self.answer.id.is_empty()
            && self.answer.model.is_some()
            && self.answer.created.is_some()
            && self.answer.object.is_some();
        if !known || !choice.progress.is_level() {
            return None;
        }
        choice.progress.add_delta(None, &delta.content);
        if !self.forgets {
            self.held += delta.content.len();
            choice.choice.message.content.get_or_insert_default().push_str(&delta.content);
        }
        Some(delta.content.into_owned())
    }

    fn into_text(event: ChatEvent) -> Option<String> {
        match event {
            ChatEvent::Chunk(mut chunk) => chunk.choices.pop()?.delta?.content,
            ChatEvent::Other { .. } => None,
        }
    }

    fn add_whole(&mut self, data: &str) -> Taken<ChatEvent> {
        self.is_whole = true;
        self.add("", data)
    }

    fn is_complete(&self) -> bool {
        !self.choices.is_empty()
            && self.choices.values().all(|choice| ends::has_ended(&choice.choice, self.is_whole))
    }

    fn check(&self) -> Result<(), Verdict> {
        match self.choices.values().find_map(|choice| ends::choice_error(&choice.choice)) {
            Some(error) => Err(Verdict::Failed(error)),
            None if self.contradicts => Err(Verdict::Contradiction),
            None => Ok(()),
        }
    }

    fn has_usage(&self) -> bool {
        self.answer.usage.is_some()
    }

    const CLOSES_WITH_DONE: bool = true;

    fn credits_used(&self) -> Option<i64> {
        self.answer.reported().credits_used
    }

    fn stored_bytes(&self) -> usize {
        self.held
    }

    fn stop_storing(&mut self) {
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
                let mut calls = choice.calls;
                // The service can send parallel tool calls in any order, so they are sorted by index. Tool calls
                // without an index come last.
                calls.sort_by_key(|(index, _)| index.unwrap_or(i64::MAX));
                finished.message.tool_calls.extend(calls.into_iter().map(|(_, call)| call));
                finished
            })
            .collect();
        answer
    }
}

/// Returns true if a JSON object is a chunk of an answer. All fields of a chunk are optional, so an object counts as a
/// chunk if it has `choices`, `usage` or `meta`. An object with a field `error` or `success` is not a chunk, because it
/// may be an error report.
fn is_chunk(chunk: &ChatChunk) -> bool {
    !["error", "success"].into_iter().any(|name| chunk.extra.get(name).is_some())
        && (!chunk.choices.is_empty() || chunk.usage.is_some() || chunk.meta.is_some())
}

impl CompletionsProtocol {
    fn add_chunk(&mut self, chunk: ChatChunk) -> Taken<ChatEvent> {
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
        answer.extra.extend_from(&chunk.extra);
        let fresh = self.add_choices(&chunk);
        Taken::Event(ChatEvent::Chunk(Box::new(chunk)), fresh)
    }

    /// Adds the data of a chunk to the choices of the answer. Returns the new text of the choice with the index
    /// [`voice`](Self::voice). The stream does not return the text of other choices.
    fn add_choices(&mut self, chunk: &ChatChunk) -> Fresh {
        let only = chunk.choices.len() == 1;
        let mut rest = String::new();
        for choice in &chunk.choices {
            match self.add_choice(choice) {
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

    /// Adds the data of a chunk to one choice. Returns the part of the choice's text that was not streamed before. The
    /// stream returns the text of only one choice, the choice with the index [`voice`](Self::voice). For all other
    /// choices, this function returns [`Fresh::None`].
    fn add_choice(&mut self, new: &ChatChunkChoice) -> Fresh {
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
                let known = keeps.then(|| message.content.as_deref().unwrap_or_default());
                let more = match choice.progress.add_delta(known, text) {
                    New::All => {
                        fresh = Fresh::Event;
                        text
                    }
                    New::Rest(rest) => {
                        fresh = Fresh::Rest(rest.to_owned());
                        rest
                    }
                    New::Nothing => "",
                    New::Other => {
                        self.contradicts = true;
                        fresh = Fresh::Event;
                        text
                    }
                };
                if keeps {
                    message.content.get_or_insert_default().push_str(more);
                    self.held += more.len();
                }
            }

            if let Some(text) = &delta.reasoning {
                message.reasoning.get_or_insert_default().push_str(text);
                self.held += text.len();
            }
            for (name, value) in delta.extra.iter() {
                self.held += append_field(&mut message.extra, name, value);
            }
            for call in &delta.tool_calls {
                self.held += choice.add_call(call);
            }
        }

        if let Some(message) = &new.message {
            let (more, repeats) = choice.replace_message(message, keeps);
            self.contradicts |= !repeats;
            fresh = more;
        }
        if new.finish_reason.as_ref().is_some_and(|reason| !reason.as_str().is_empty()) {
            choice.choice.finish_reason.clone_from(&new.finish_reason);
        }
        choice.choice.extra.extend_from(&new.extra);
        if is_voice { fresh } else { Fresh::None }
    }

    /// Handles an event that is not a chunk: an error, plain text or an event of an unknown type.
    fn add_other_event(&mut self, kind: &str, data: &str) -> Taken<ChatEvent> {
        let unnamed = matches!(kind, "" | "message");
        let data = match serde_json::from_str(data) {
            Ok(Value::Object(members)) if kind == "error" || is_error_report(&members) => {
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
        let text = event_text(&data).filter(|text| !text.is_empty() && (unnamed && name.is_none()));
        let fresh = match text {
            Some(text) => {
                let delta = ChatDelta { content: Some(text.into_owned()), ..ChatDelta::default() };
                let choice = ChatChunkChoice { delta: Some(delta), ..ChatChunkChoice::default() };
                match self.add_choice(&choice) {
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

/// Adds a field of a delta to the fields of a message. A string or a JSON array is appended to the earlier value of the
/// field. A value of any other JSON type replaces the earlier value. Returns the approximate number of added bytes.
fn append_field(extra: &mut Extra, name: &str, value: &Json) -> usize {
    match (extra.remove(name).map(Json::into_value), &**value) {
        (Some(Value::String(mut before)), Value::String(more)) => {
            before.push_str(more);
            extra.insert(name, before);
            more.len()
        }
        (Some(Value::Array(mut before)), Value::Array(more)) => {
            before.extend_from_slice(more);
            extra.insert(name, before);
            size_of_val(more.as_slice())
        }
        _ => {
            extra.insert(name, value.clone());
            value.as_str().map_or(0, str::len)
        }
    }
}

/// Estimated memory of a tool call in bytes, without its arguments.
const CALL_SIZE: usize = 256;

impl Choice {
    /// Adds a delta to the last tool call whose index and identifier match the delta. If no tool call matches, the
    /// delta starts a new tool call. A delta without an index matches every index, and a missing identifier matches
    /// every identifier. Some services send one index for all tool calls, so the identifier is compared too. Returns
    /// the approximate number of bytes that the delta added to the answer.
    fn add_call(&mut self, new: &ChatToolCallDelta) -> usize {
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
        call.extra.extend_from(&new.extra);

        let Some(more) = &new.function else { return size };
        let function = call.function.get_or_insert_default();
        if function.name.as_deref().unwrap_or_default().is_empty() {
            function.name.clone_from(&more.name);
        }
        let arguments = more.arguments.as_deref().unwrap_or_default();
        function.arguments.get_or_insert_default().push_str(arguments);
        function.extra.extend_from(&more.extra);
        size + arguments.len()
    }

    /// Replaces the message of the choice by a complete message. Returns the text that was not streamed before. The
    /// returned boolean is false if the complete text differs from the streamed text. If `keeps` is false, the answer
    /// stores no text.
    fn replace_message(&mut self, message: &ChatChoiceMessage, keeps: bool) -> (Fresh, bool) {
        let before = self.choice.message.content.take();
        let known = keeps.then(|| before.as_deref().unwrap_or_default());
        let whole = message.content.as_deref().unwrap_or_default();
        let (fresh, repeats) = match self.progress.add_whole(known, whole) {
            New::All => (Fresh::Rest(whole.to_owned()), true),
            New::Rest(rest) => (Fresh::Rest(rest.to_owned()), true),
            New::Nothing => (Fresh::None, true),
            New::Other => (Fresh::None, false),
        };
        self.choice.message.clone_from(message);
        if whole.is_empty() {
            self.choice.message.content = before;
        } else if !keeps {
            self.choice.message.content = None;
        }
        if !message.tool_calls.is_empty() {
            self.calls.clear();
        }
        (fresh, repeats)
    }
}
