//! Selects the tool that a chat answer calls: the offered tool that fits the question best. The answer contains one
//! call per subject of the question. After the caller has sent the tool results, the answer is text.

use serde_json::{Value, json};

use crate::context::Context;
use crate::refusal::Refusal;
use crypto_intel_world::args::Args;

use super::lookup::NamedValue;
use super::question::{Question, words};
use super::schema_values::Filler;

/// A tool call that a chat answer requests from the caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wish {
    pub(super) name: String,
    /// Arguments of the call as JSON text.
    pub(super) arguments: String,
}

impl Wish {
    /// Returns the tool call in the format of chat completions. `id` is the call identifier.
    pub(super) fn as_chat(&self, id: &str) -> Value {
        let function = json!({"name": self.name, "arguments": self.arguments});
        json!({"id": id, "type": "function", "function": function})
    }

    /// Returns the tool call as two pieces of a chat completions stream. The first piece has everything except the
    /// arguments, and the second piece has the arguments.
    pub(super) fn as_deltas(&self, index: usize, id: &str) -> impl Iterator<Item = Value> + use<> {
        let function = json!({"name": self.name, "arguments": ""});
        let first = json!({"index": index, "id": id, "type": "function", "function": function});
        let second = json!({"index": index, "function": {"arguments": self.arguments}});
        [first, second].into_iter()
    }

    /// Returns the tool call as an output item of the `responses` endpoint. `id` identifies the item, and `call`
    /// identifies the tool call.
    pub(super) fn as_item(&self, id: &str, call: &str, status: &str) -> Value {
        json!({
            "id": id,
            "type": "function_call",
            "status": status,
            "call_id": call,
            "name": self.name,
            "arguments": self.arguments,
        })
    }
}

/// A tool that the request offers.
#[derive(Debug, Clone)]
struct Offer {
    name: String,
    description: String,
    parameters: Value,
}

/// All tools that a request offers and that the answer may call.
#[derive(Debug, Clone, Default)]
pub(super) struct Offers {
    tools: Vec<Offer>,
    /// True if the answer must call a tool, even if the request already contains a tool result.
    must: bool,
    /// True if one answer may request at most one tool call.
    single: bool,
}

/// Reads the tools that a chat request offers.
///
/// # Errors
/// Returns an error with status 400 if `tools` is not a list, if a tool has no name, or if `tool_choice` is invalid. A
/// chat completions request also gets this error if a tool is not a function.
pub(super) fn offers(args: &Args) -> Result<Offers, Refusal> {
    let mut offers = Offers::default();
    let listed = match args.given("tools") {
        None => &[][..],
        Some(Value::Array(tools)) => tools.as_slice(),
        Some(_) => return Err(Refusal::invalid("`tools` must be a list")),
    };

    for (index, tool) in listed.iter().enumerate() {
        if tool.get("type").is_some_and(|kind| kind != "function") {
            // For chat completions, the API documentation describes only tools of the type `function`.
            if args.given("messages").is_some() {
                let message = format!("`tools[{index}].type` must be `function`");
                return Err(Refusal::invalid(message));
            }
            // The service would run other types of tools itself, so the answer never asks the caller to run them.
            continue;
        }
        let function = tool.get("function").unwrap_or(tool);
        let Some(name) = function.get("name").and_then(Value::as_str) else {
            return Err(Refusal::invalid(format!("`tools[{index}]` has no `name`")));
        };
        let description = function.get("description").and_then(Value::as_str).unwrap_or_default();
        offers.tools.push(Offer {
            name: name.to_owned(),
            description: description.to_owned(),
            parameters: function.get("parameters").cloned().unwrap_or_else(|| json!({})),
        });
    }

    offers.single = args.given("parallel_tool_calls") == Some(&Value::Bool(false));
    match args.given("tool_choice") {
        None => {}
        Some(Value::String(choice)) => match choice.as_str() {
            "auto" => {}
            "none" => offers.tools.clear(),
            "required" => offers.must = true,
            other => {
                let message =
                    format!("`tool_choice` must be none, auto, required or a tool, not `{other}`");
                return Err(Refusal::invalid(message));
            }
        },
        Some(choice) => {
            let name = choice.get("function").unwrap_or(choice).get("name").and_then(Value::as_str);
            offers.tools.retain(|tool| Some(tool.name.as_str()) == name);
            offers.must = true;
        }
    }
    if offers.must && offers.tools.is_empty() {
        return Err(Refusal::invalid("`tool_choice` names a tool that is not in `tools`"));
    }
    Ok(offers)
}

/// Maximum number of tool calls in one answer.
const MOST: usize = 8;

impl Offers {
    /// Returns true if `tool_choice` in the request demands a tool call. The arguments of a demanded call can contain
    /// values from the data endpoints, such as a price. The arguments of optional calls never contain these values.
    pub(super) fn must_call(&self) -> bool {
        self.must
    }

    /// Returns the tool calls that answer a question: one call per subject, or one call if the question has no subject.
    /// All calls use the tool whose name and description contain the largest number of words of the question. At most
    /// [`MOST`] calls are returned, and only one call if `parallel_tool_calls` is false.
    ///
    /// If the request already contains tool results for the question, returns no calls, unless `tool_choice` demands a
    /// call.
    pub(super) fn calls(
        &self,
        ctx: &Context<'_>,
        text: &str,
        question: &Question,
        values: &[NamedValue],
        has_results: bool,
    ) -> Vec<Wish> {
        if has_results && !self.must {
            return Vec::new();
        }
        let asked = words(text);
        let shared = |tool: &Offer| {
            let about = words(&format!("{} {}", tool.name, tool.description));
            asked.iter().filter(|word| word.len() > 2 && about.contains(word)).count()
        };
        // `max_by_key` returns the last of several maxima, so the order is reversed to get the first.
        let Some(tool) = self.tools.iter().rev().max_by_key(|tool| shared(tool)) else {
            return Vec::new();
        };

        let wish = |subjects| {
            let values = if self.must { values } else { &[] };
            let root = &tool.parameters;
            let filler = Filler { ctx, root, question: text, subjects, values, text: "" };
            let arguments = filler.value(root, "", 0).to_string();
            Wish { name: tool.name.clone(), arguments }
        };
        let mut wishes: Vec<_> = question.subjects.chunks(1).map(wish).collect();
        if wishes.is_empty() {
            wishes.push(wish(&[]));
        }
        wishes.dedup();
        wishes.truncate(if self.single { 1 } else { MOST });
        wishes
    }
}
