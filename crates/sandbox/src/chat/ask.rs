//! Reads the content of a chat request, for both chat endpoints.
//!
//! The input is the arguments of the request. The output is the questions, the offered tools, the results of earlier
//! tool calls, and the requested format of the answer.

use serde_json::{Value, json};

use crate::refusal::Refusal;
use crypto_intel_world::args::Args;

use super::tokens;
use super::tools::{self, Offers};

/// Requested format of a chat answer's text.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) enum Form {
    #[default]
    Text,
    /// The answer must be JSON text that fits this JSON Schema.
    Json(Value),
}

impl Form {
    /// Reads the requested format from the arguments of a chat request. Requests to chat completions have the argument
    /// `response_format`. Requests to the `responses` endpoint have the field `format` in the argument `text`.
    ///
    /// # Errors
    /// Returns status 400 for the format `json_schema` without a schema.
    fn from_args(args: &Args) -> Result<Self, Refusal> {
        let nested = args.given("text").and_then(|text| text.get("format"));
        let Some(format) = args.given("response_format").or(nested) else { return Ok(Form::Text) };
        match format.get("type").and_then(Value::as_str) {
            Some("json_schema") => {
                let schema = format.pointer("/json_schema/schema").or_else(|| format.get("schema"));
                match schema.filter(|schema| schema.is_object()) {
                    Some(schema) => Ok(Form::Json(schema.clone())),
                    None => Err(Refusal::invalid("the format `json_schema` has no `schema`")),
                }
            }
            Some("json_object") => Ok(Form::Json(free_schema())),
            _ => Ok(Form::Text),
        }
    }
}

/// Returns the JSON Schema for the answer to a request with the format `json_object`. Such a request demands JSON, but
/// contains no schema.
fn free_schema() -> Value {
    json!({
        "type": "object",
        "properties": {"answer": {"type": "string"}, "symbol": {"type": "string"}},
        "required": ["answer"],
    })
}

/// Maximum number of `{` characters in a text at which [`schema_in`] tries to parse a JSON Schema.
const PLACES: usize = 64;

/// Finds the first JSON object with a field `properties` in a text. This object is taken as a JSON Schema.
fn schema_in(text: &str) -> Option<Value> {
    text.match_indices('{').take(PLACES).find_map(|(start, _)| {
        let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        let value = values.next()?.ok()?;
        value.get("properties").is_some_and(Value::is_object).then_some(value)
    })
}

/// Content of a request to one of the two chat endpoints.
#[derive(Debug, Default)]
pub(super) struct ChatRequest {
    /// Texts of the user messages, oldest first.
    pub(super) questions: Vec<String>,
    /// Tool results since the last question. Each entry is the name of the tool and the text of its result.
    pub(super) results: Vec<(String, String)>,
    pub(super) offers: Offers,
    pub(super) form: Form,
    /// Number of tokens of the whole request.
    pub(super) tokens: usize,
}

impl ChatRequest {
    /// Parses the arguments of a chat request. `earlier` contains the tool calls of the previous answer: call
    /// identifiers and tool names.
    ///
    /// # Errors
    /// Returns status 400 for invalid tools, or for a format without a schema.
    pub(super) fn from_args(args: &Args, earlier: &[(String, String)]) -> Result<Self, Refusal> {
        let mut asked = ChatRequest {
            offers: tools::offers(args)?,
            form: Form::from_args(args)?,
            ..ChatRequest::default()
        };
        asked.tokens = args.text("instructions").map_or(0, tokens::count);
        if let Some(tools) = args.given("tools") {
            asked.tokens += tokens::count(&tools.to_string());
        }

        match args.given("input").or_else(|| args.given("messages")) {
            Some(Value::String(text)) => asked.add_question(text.clone()),
            Some(Value::Array(items)) => {
                let mut calls = calls(items);
                calls.extend_from_slice(earlier);
                items.iter().for_each(|item| asked.read(item, &calls));
            }
            _ => {}
        }
        // Some clients send no format, or a format without a schema, and write the schema into the instructions.
        let is_free = asked.form == Form::Json(free_schema());
        if is_free || asked.form == Form::Text {
            let instructions = args.text("instructions").map(str::to_owned);
            let question = asked.questions.last().filter(|_| is_free).cloned();
            let mut texts = instructions.into_iter().chain(guidance_in(args)).chain(question);
            let schema = texts.find_map(|text| schema_in(&text));
            asked.form = schema.map_or(asked.form, Form::Json);
        }
        Ok(asked)
    }

    fn add_question(&mut self, question: String) {
        self.tokens += tokens::count(&question);
        self.questions.push(question);
        self.results.clear();
    }

    /// Adds one message or input item of the request to `questions` or to `results`, and counts its tokens. System
    /// messages, earlier answers and tool calls are counted but not added. `calls` contains the call identifier and the
    /// tool name of each tool call.
    fn read(&mut self, item: &Value, calls: &[(String, String)]) {
        let member = |name: &str| item.get(name).and_then(Value::as_str);
        let (role, kind) = (member("role"), member("type"));
        let result = match (role, kind) {
            (Some("tool"), _) => item.get("content").map(|content| ("tool_call_id", content)),
            (_, Some("function_call_output")) => {
                item.get("output").map(|output| ("call_id", output))
            }
            _ => None,
        };
        if let Some((id, content)) = result {
            let id = member(id).unwrap_or_default();
            let name = calls.iter().find(|(call, _)| call == id).map(|(_, name)| name.as_str());
            let content = content_text(content);
            self.tokens += tokens::count(&content);
            self.results.push((name.unwrap_or("tool").to_owned(), content));
            return;
        }

        let text = item.get("content").map(content_text).unwrap_or_default();
        match role {
            Some("system" | "developer" | "assistant") => {
                self.tokens += tokens::count(&text);
                let calls = item.get("tool_calls").or_else(|| item.get("arguments"));
                self.tokens += calls.map_or(0, |calls| tokens::count(&calls.to_string()));
            }
            _ if kind == Some("function_call") => {
                self.tokens += member("arguments").map_or(0, tokens::count);
            }
            _ => self.add_question(text),
        }
    }
}

/// Returns the texts of all system and developer messages.
fn guidance_in(args: &Args) -> Vec<String> {
    let items = args.given("input").or_else(|| args.given("messages")).and_then(Value::as_array);
    let is_guidance = |item: &&Value| item["role"] == "system" || item["role"] == "developer";
    let items = items.into_iter().flatten().filter(is_guidance);
    items.filter_map(|item| item.get("content").map(content_text)).collect()
}

/// Returns the content of a message as text. The texts of a list of content parts are joined. Other JSON values become
/// JSON text.
fn content_text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            let texts = parts.iter().filter_map(|part| part.get("text")?.as_str());
            texts.collect::<Vec<_>>().join("\n")
        }
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// Returns the tool calls in the messages or input items of a request. Each entry is a call identifier and a tool name.
fn calls(items: &[Value]) -> Vec<(String, String)> {
    let text = |value: &Value, name: &str| Some(value.get(name)?.as_str()?.to_owned());
    let of_messages = items.iter().flat_map(|item| {
        let calls = item.get("tool_calls").and_then(Value::as_array);
        calls
            .into_iter()
            .flatten()
            .filter_map(|call| Some((text(call, "id")?, text(call.get("function")?, "name")?)))
    });
    let of_items =
        items.iter().filter_map(|item| Some((text(item, "call_id")?, text(item, "name")?)));
    of_messages.chain(of_items).collect()
}
