//! Content of a chat request, for both endpoints.
//!
//! The input is the arguments of the request, and the output is the question with its earlier turns, tools and
//! format.

use serde_json::{Value, json};

use crate::refusal::Refusal;
use crypto_intel_world::args::Args;

use super::tokens;
use super::tools::{self, Offers};

/// The requested form of the answer's text.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) enum Form {
    #[default]
    Text,
    /// JSON that fits this schema.
    Json(Value),
}

impl Form {
    /// Reads `response_format` of the completions, or `text.format` of the responses.
    ///
    /// # Errors
    /// 400 for the format `json_schema` without a schema.
    fn of(args: &Args) -> Result<Self, Refusal> {
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

/// Returns the schema for JSON without a given schema.
fn free_schema() -> Value {
    json!({
        "type": "object",
        "properties": {"answer": {"type": "string"}, "symbol": {"type": "string"}},
        "required": ["answer"],
    })
}

/// Maximum positions in a text at which a schema may begin.
const PLACES: usize = 64;

/// Finds the first JSON Schema of an object in a text.
fn schema_in(text: &str) -> Option<Value> {
    text.match_indices('{').take(PLACES).find_map(|(start, _)| {
        let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        let value = values.next()?.ok()?;
        value.get("properties").is_some_and(Value::is_object).then_some(value)
    })
}

/// A request to either endpoint.
#[derive(Debug, Default)]
pub(super) struct Asked {
    /// Messages of users, oldest first.
    pub(super) questions: Vec<String>,
    /// Names and results of tools since the last question.
    pub(super) results: Vec<(String, String)>,
    pub(super) offers: Offers,
    pub(super) form: Form,
    /// Tokens of the whole request.
    pub(super) tokens: usize,
}

impl Asked {
    /// Parses a request that continues `earlier` tool calls.
    ///
    /// # Errors
    /// 400 for invalid tools.
    pub(super) fn of(args: &Args, earlier: &[(String, String)]) -> Result<Self, Refusal> {
        let mut asked =
            Asked { offers: tools::offers(args)?, form: Form::of(args)?, ..Asked::default() };
        asked.tokens = args.text("instructions").map_or(0, tokens::count);
        if let Some(tools) = args.given("tools") {
            asked.tokens += tokens::count(&tools.to_string());
        }

        match args.given("input").or_else(|| args.given("messages")) {
            Some(Value::String(text)) => asked.hear(text.clone()),
            Some(Value::Array(items)) => {
                let mut calls = calls(items);
                calls.extend_from_slice(earlier);
                items.iter().for_each(|item| asked.read(item, &calls));
            }
            _ => {}
        }
        // Clients without a format, or with one without a schema, write the schema into the instructions.
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

    fn hear(&mut self, question: String) {
        self.tokens += tokens::count(&question);
        self.questions.push(question);
        self.results.clear();
    }

    /// Processes a message or an item of the input.
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
            let content = said(content);
            self.tokens += tokens::count(&content);
            self.results.push((name.unwrap_or("tool").to_owned(), content));
            return;
        }

        let text = item.get("content").map(said).unwrap_or_default();
        match role {
            Some("system" | "developer" | "assistant") => {
                self.tokens += tokens::count(&text);
                let calls = item.get("tool_calls").or_else(|| item.get("arguments"));
                self.tokens += calls.map_or(0, |calls| tokens::count(&calls.to_string()));
            }
            _ if kind == Some("function_call") => {
                self.tokens += member("arguments").map_or(0, tokens::count);
            }
            _ => self.hear(text),
        }
    }
}

/// Returns the texts of the system and developer messages.
fn guidance_in(args: &Args) -> Vec<String> {
    let items = args.given("input").or_else(|| args.given("messages")).and_then(Value::as_array);
    let is_guidance = |item: &&Value| item["role"] == "system" || item["role"] == "developer";
    let items = items.into_iter().flatten().filter(is_guidance);
    items.filter_map(|item| item.get("content").map(said)).collect()
}

/// Returns the content of a message as text. The texts of a list of parts are joined. Other values become JSON text.
fn said(content: &Value) -> String {
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

/// Returns the tool calls that the request repeats: identifiers and tool names.
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
