//! Accessor traits for chat answers. They return the text, the tool calls, the reasoning and the citations of an
//! answer, or decode its text into a Rust type.
//!
//! Each answer type has its own trait: [`ResponseExt`] or [`ChatCompletionExt`]. Methods with the same purpose have the
//! same name in both traits.

use std::borrow::Cow;

use crypto_intel_api::generated::chat::{
    ChatChoice, ChatCompletion, Response, ResponseContentPart, ResponseOutputItem,
};
use crypto_intel_core::{Error, Extra};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::citations::{Citation, citations};
use super::{ends, structured};

/// A tool call that the model requests in its answer. Answers from the endpoints `responses` and `chat-completions` use
/// this type.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolCall {
    /// Identifier of the tool call. The message that returns the tool's result to the model must contain this
    /// identifier.
    pub id: String,
    /// Name of the tool to call.
    pub name: String,
    /// Arguments of the tool call as JSON text. The model writes this text, so it may be invalid JSON.
    pub arguments: String,
}

impl ToolCall {
    /// Decodes the arguments of the tool call into a Rust type.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Decode`](crate::ErrorKind::Decode) if the arguments are not JSON or do not match the type.
    /// The error contains the position of the mismatch.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T, Error> {
        // Some models send an empty string as the arguments of a tool without parameters.
        let text = if self.arguments.trim().is_empty() { "{}" } else { &self.arguments };
        structured::parse(&format!("the argument of `{}`", self.name), text)
    }
}

/// Extension trait that adds accessor methods to answers from the endpoint `responses`.
pub trait ResponseExt {
    /// Returns the text of the answer. This is the field `output_text`, or the joined texts of all messages in `output`
    /// if `output_text` is empty.
    fn text(&self) -> Cow<'_, str>;

    /// Returns the reason why the answer is incomplete, for example `max_output_tokens`. Returns `None` for a complete
    /// answer. The client returns a failed answer as an error.
    fn incomplete_reason(&self) -> Option<&str>;

    /// Returns the reasoning text of the model, or `None` if the service did not send any.
    fn reasoning(&self) -> Option<String>;

    /// Returns the tool calls that the model requests in this answer.
    fn tool_calls(&self) -> Vec<ToolCall>;

    /// Returns the sources that the answer cites, in the order in which the service sent them. The service sends
    /// citations only if the request sets the parameter `citation`.
    fn citations(&self) -> Vec<Citation>;

    /// Decodes the text of the answer into a Rust type. The text must be JSON, or its first Markdown code block must
    /// contain JSON.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Decode`](crate::ErrorKind::Decode) if the text contains no JSON, or if the JSON does not
    /// match the type. The error contains the position of the mismatch, and [`Error::body`] contains the text of the
    /// answer.
    fn parse<T: DeserializeOwned>(&self) -> Result<T, Error>;
}

/// Returns true if a content part of an output item contains text of the answer.
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
        concat_texts(texts)
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
        self.output.iter().filter_map(tool_call).collect()
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

fn tool_call(item: &ResponseOutputItem) -> Option<ToolCall> {
    if item.type_ != "function_call" {
        return None;
    }
    Some(ToolCall {
        id: field_text(&item.extra, "call_id").or_else(|| item.id.clone())?,
        name: field_text(&item.extra, "name")?,
        arguments: field_text(&item.extra, "arguments").unwrap_or_default(),
    })
}

/// Returns the value of a field as text, or `None` if the field is absent or `null`. A value that is not a string
/// becomes JSON text: the number `1` becomes `"1"`.
fn field_text(extra: &Extra, name: &str) -> Option<String> {
    match &**extra.get(name)? {
        Value::String(text) => Some(text.clone()),
        Value::Null => None,
        other => Some(other.to_string()),
    }
}

fn concat_texts<'a>(mut texts: impl Iterator<Item = &'a str>) -> Cow<'a, str> {
    let Some(first) = texts.next() else { return Cow::Borrowed("") };
    let Some(second) = texts.next() else { return Cow::Borrowed(first) };
    let mut joined = [first, second].concat();
    joined.extend(texts);
    Cow::Owned(joined)
}

/// Extension trait that adds accessor methods to answers from the endpoint `chat-completions`. All methods read only
/// the choice with the lowest index.
pub trait ChatCompletionExt {
    /// Returns the choice with the lowest index, or `None` if the answer has no choices.
    fn choice(&self) -> Option<&ChatChoice>;

    /// Returns the text of the first choice, or an empty string if it has no text.
    fn text(&self) -> &str;

    /// Returns the reason why the first choice is incomplete: `length` or `content_filter`. Returns `None` in all other
    /// cases.
    fn incomplete_reason(&self) -> Option<&str>;

    /// Returns the reasoning text of the first choice, or `None` if the service did not send any.
    fn reasoning(&self) -> Option<&str>;

    /// Returns the tool calls that the model requests in the first choice.
    fn tool_calls(&self) -> Vec<ToolCall>;

    /// Returns the sources that the first choice cites, in the order in which the service sent them. The service sends
    /// citations only if the request sets the parameter `citation`.
    fn citations(&self) -> Vec<Citation>;

    /// Decodes the text of the first choice into a Rust type. The text must be JSON, or its first Markdown code block
    /// must contain JSON.
    ///
    /// # Errors
    /// Returns [`ErrorKind::Decode`](crate::ErrorKind::Decode) if the text contains no JSON, or if the JSON does not
    /// match the type. The error contains the position of the mismatch, and [`Error::body`] contains the text of the
    /// choice.
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
                        .or_else(|| field_text(&function.extra, "arguments"))
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
