//! Tools: the sandbox asks for the first one on offer once, and repeats what it gave.

use serde_json::{Map, Value, json};

use crate::args::Args;

/// A tool that is to be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wish {
    pub(super) name: String,
    /// JSON text, as models write it.
    pub(super) arguments: String,
}

impl Wish {
    /// In the form of the completions.
    pub(super) fn as_chat(&self, id: &str) -> Value {
        let function = json!({"name": self.name, "arguments": self.arguments});
        json!({"id": id, "type": "function", "function": function})
    }

    /// The same in two pieces, the arguments apart from the rest.
    pub(super) fn as_deltas(&self, id: &str) -> impl Iterator<Item = Value> {
        let function = json!({"name": self.name, "arguments": ""});
        let first = json!({"index": 0, "id": id, "type": "function", "function": function});
        let second = json!({"index": 0, "function": {"arguments": self.arguments}});
        [first, second].into_iter()
    }

    /// As an item of a response's output.
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

/// The call of the first tool on offer, unless a tool has been run already.
pub(super) fn wish(args: &Args) -> Option<Wish> {
    let tool = args.given("tools")?.as_array()?.first()?;
    if result(args).is_some() {
        return None;
    }
    let tool = tool.get("function").unwrap_or(tool);
    let arguments = tool.get("parameters").map_or_else(|| json!({}), |schema| sample(schema, 0));
    Some(Wish { name: tool.get("name")?.as_str()?.to_owned(), arguments: arguments.to_string() })
}

/// What the last tool that was run gave.
pub(super) fn result(args: &Args) -> Option<&str> {
    let items = args.given("input").or_else(|| args.given("messages"))?.as_array()?;
    items.iter().rev().find_map(|item| match item.get("role") {
        Some(role) if role == "tool" => item.get("content")?.as_str(),
        _ if item.get("type")? == "function_call_output" => item.get("output")?.as_str(),
        _ => None,
    })
}

/// A value that fits a plain schema: what is required, as an example or of its type.
fn sample(schema: &Value, depth: usize) -> Value {
    let chosen =
        schema.pointer("/examples/0").or(schema.pointer("/enum/0")).or(schema.get("const"));
    if let Some(chosen) = chosen {
        return chosen.clone();
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("integer" | "number") => schema.get("minimum").cloned().unwrap_or(json!(1)),
        Some("boolean") => json!(true),
        Some("string") => json!("BTC"),
        Some("object") if depth < DEPTH => {
            let required = schema.get("required").and_then(Value::as_array);
            let members = required.into_iter().flatten().filter_map(|name| {
                let name = name.as_str()?;
                Some((name.to_owned(), sample(schema.get("properties")?.get(name)?, depth + 1)))
            });
            Value::Object(members.collect::<Map<_, _>>())
        }
        Some("array") => json!([]),
        _ => Value::Null,
    }
}

/// Objects within objects that are filled.
const DEPTH: usize = 8;
