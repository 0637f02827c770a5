//! Accessors of chat answers: text, tool calls, reasoning, a typed value.
//!
//! There is one trait for each type of answer. The traits have methods of equal names, so programs read both types in
//! the same way.

use std::borrow::Cow;

use crypto_intel_api::generated::chat::{
    ChatChoice, ChatCompletion, Response, ResponseContentPart, ResponseOutputItem,
};
use crypto_intel_core::{Error, Extra};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::citations::{Citation, citations};
use super::{ends, structured};

/// A tool call that the model requests. Both endpoints use this type.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolCall {
    /// Identifier of the call. The message with the result of the call repeats it.
    pub id: String,
    /// Name of the tool.
    pub name: String,
    /// Arguments as JSON text. The model writes this text, so it may be invalid.
    pub arguments: String,
}

impl ToolCall {
    /// Decodes the arguments.
    ///
    /// # Errors
    /// [`ErrorKind::Decode`](crate::ErrorKind::Decode), with the position of the mismatch.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, Error> {
        // For a tool without parameters, some models send an empty string.
        let text = if self.arguments.trim().is_empty() { "{}" } else { &self.arguments };
        structured::parse(&format!("the argument of `{}`", self.name), text)
    }
}

/// Accessors of a `responses` answer.
pub trait ResponseExt {
    /// Returns the answer as text: `output_text`, or else the joined texts of the output's messages.
    fn text(&self) -> Cow<'_, str>;

    /// Returns the reason why the answer is incomplete, such as `max_output_tokens`; `None` for a complete answer. A
    /// failed answer is returned as an error, never as a value.
    fn incomplete_reason(&self) -> Option<&str>;

    /// Returns the reasoning of the model, if the service returns it.
    fn reasoning(&self) -> Option<String>;

    /// Returns the tool calls that the model requests.
    fn tool_calls(&self) -> Vec<ToolCall>;

    /// Returns the cited sources, in the order of the text. Request citations with the parameter `citation`.
    fn citations(&self) -> Vec<Citation>;

    /// Decodes the text as a value of a type. The text must be JSON, or contain JSON in its first code block.
    ///
    /// # Errors
    /// [`ErrorKind::Decode`](crate::ErrorKind::Decode), with the position of the mismatch. [`Error::body`] contains
    /// the text.
    fn parse<T: DeserializeOwned>(&self) -> Result<T, Error>;
}

/// Returns true if a part contains text of the answer.
pub(crate) fn is_text(part: &ResponseContentPart) -> bool {
    part.type_ == "output_text" || part.type_ == "text"
}

impl ResponseExt for Response {
    fn text(&self) -> Cow<'_, str> {
        if let Some(text) = self.output_text.as_deref().filter(|text| !text.is_empty()) {
            return Cow::Borrowed(text);
        }
        let texts = self
            .output
            .iter()
            .filter(|item| item.type_ == "message")
            .flat_map(|item| &item.content)
            .filter(|part| is_text(part))
            .filter_map(|part| part.text.as_deref());
        one_or_joined(texts)
    }

    fn incomplete_reason(&self) -> Option<&str> {
        ends::incomplete_response(self)
    }

    fn reasoning(&self) -> Option<String> {
        let mut thoughts = String::new();
        for item in self.output.iter().filter(|item| item.type_ == "reasoning") {
            for text in item.content.iter().filter_map(|part| part.text.as_deref()) {
                thoughts.push_str(text);
            }
            let summary = item.extra.get("summary").and_then(|summary| summary.as_array());
            for text in summary.into_iter().flatten().filter_map(|part| part["text"].as_str()) {
                thoughts.push_str(text);
            }
        }
        if thoughts.is_empty() {
            thoughts.push_str(self.extra.get("reasoning")?.as_str()?);
        }
        Some(thoughts)
    }

    fn tool_calls(&self) -> Vec<ToolCall> {
        self.output.iter().filter_map(call_of).collect()
    }

    fn citations(&self) -> Vec<Citation> {
        let messages = self.output.iter().filter(|item| item.type_ == "message");
        let parts = messages.flat_map(|item| &item.content);
        parts
            .flat_map(|part| citations(part.extra.get("annotations").map(|list| &**list)))
            .collect()
    }

    fn parse<T: DeserializeOwned>(&self) -> Result<T, Error> {
        structured::parse("the answer", &self.text())
    }
}

fn call_of(item: &ResponseOutputItem) -> Option<ToolCall> {
    if item.type_ != "function_call" {
        return None;
    }
    Some(ToolCall {
        id: text_of(&item.extra, "call_id").or_else(|| item.id.clone())?,
        name: text_of(&item.extra, "name")?,
        arguments: text_of(&item.extra, "arguments").unwrap_or_default(),
    })
}

/// Returns a field as text; `None` for `null`. A value of another type is written as JSON.
fn text_of(extra: &Extra, name: &str) -> Option<String> {
    match &**extra.get(name)? {
        Value::String(text) => Some(text.clone()),
        Value::Null => None,
        other => Some(other.to_string()),
    }
}

fn one_or_joined<'a>(mut texts: impl Iterator<Item = &'a str>) -> Cow<'a, str> {
    let Some(first) = texts.next() else { return Cow::Borrowed("") };
    let Some(second) = texts.next() else { return Cow::Borrowed(first) };
    let mut joined = [first, second].concat();
    joined.extend(texts);
    Cow::Owned(joined)
}

/// Accessors of a `chat-completions` answer. They read the first choice.
pub trait ChatCompletionExt {
    /// Returns the first choice.
    fn choice(&self) -> Option<&ChatChoice>;

    /// Returns the text of the first choice.
    fn text(&self) -> &str;

    /// Returns the reason why the choice is incomplete, such as `length`; `None` for a complete choice. A failed
    /// answer is returned as an error, never as a value.
    fn incomplete_reason(&self) -> Option<&str>;

    /// Returns the reasoning of the model, if the service returns it.
    fn reasoning(&self) -> Option<&str>;

    /// Returns the tool calls that the model requests.
    fn tool_calls(&self) -> Vec<ToolCall>;

    /// Returns the cited sources, in the order of the text. Request citations with the parameter `citation`.
    fn citations(&self) -> Vec<Citation>;

    /// Decodes the text as a value of a type. The text must be JSON, or contain JSON in its first code block.
    ///
    /// # Errors
    /// [`ErrorKind::Decode`](crate::ErrorKind::Decode), with the position of the mismatch. [`Error::body`] contains
    /// the text.
    fn parse<T: DeserializeOwned>(&self) -> Result<T, Error>;
}

impl ChatCompletionExt for ChatCompletion {
    fn choice(&self) -> Option<&ChatChoice> {
        self.choices.iter().min_by_key(|choice| choice.index.unwrap_or_default())
    }

    fn text(&self) -> &str {
        self.choice().and_then(|choice| choice.message.content.as_deref()).unwrap_or_default()
    }

    fn incomplete_reason(&self) -> Option<&str> {
        ends::incomplete_choice(self.choice()?)
    }

    fn reasoning(&self) -> Option<&str> {
        self.choice()?.message.reasoning.as_deref()
    }

    fn tool_calls(&self) -> Vec<ToolCall> {
        let calls = self.choice().into_iter().flat_map(|choice| &choice.message.tool_calls);
        calls
            .filter_map(|call| {
                let function = call.function.as_ref()?;
                let arguments = function.arguments.clone();
                Some(ToolCall {
                    id: call.id.clone().unwrap_or_default(),
                    name: function.name.clone()?,
                    arguments: arguments
                        .or_else(|| text_of(&function.extra, "arguments"))
                        .unwrap_or_default(),
                })
            })
            .collect()
    }

    fn citations(&self) -> Vec<Citation> {
        let choice = self.choice();
        let annotations = choice.and_then(|choice| choice.message.extra.get("annotations"));
        citations(annotations.map(|list| &**list)).collect()
    }

    fn parse<T: DeserializeOwned>(&self) -> Result<T, Error> {
        structured::parse("the answer", self.text())
    }
}
