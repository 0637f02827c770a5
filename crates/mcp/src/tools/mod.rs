//! The MCP tools. There are eight general tools, and one typed tool per operation that the settings select.

mod ask;
mod call;
mod credits;
mod describe;
mod read;
mod resolve;
mod search;
mod shown_result;
mod side_by_side;
mod sql;
pub(crate) mod typed;

use std::sync::Arc;

use crypto_intel::Method;
use crypto_intel::catalogue::Operation;
use rmcp::model::{Tool, ToolAnnotations};
use serde::de::{Deserialize, DeserializeOwned, Deserializer};
use serde_json::{Map, Value, json};

use crate::caller::Caller;
use crate::json::Json;
use crate::problem::Problem;
use crate::session::Session;

/// Lists the general tools, in the order in which agents use them.
pub(crate) fn general() -> Vec<Tool> {
    vec![
        search::tool(),
        describe::tool(),
        call::tool(),
        side_by_side::tool(),
        read::tool(),
        sql::tool(),
        ask::tool(),
        credits::tool(),
    ]
}

/// Runs a tool. Returns `None` if no tool has this name.
pub(crate) async fn run(
    session: &Session,
    name: &str,
    arguments: Map<String, Value>,
    caller: &Caller,
) -> Option<Result<String, Problem>> {
    let outcome = match name {
        search::NAME => parse(arguments).and_then(|parsed| search::run(session, parsed)),
        describe::NAME => parse(arguments).and_then(describe::run),
        call::NAME => with(arguments, |parsed| call::run(session, parsed, caller)).await,
        side_by_side::NAME => {
            with(arguments, |parsed| side_by_side::run(session, parsed, caller)).await
        }
        read::NAME => with(arguments, |parsed| read::run(session, parsed, caller)).await,
        sql::NAME => with(arguments, |parsed| sql::run(session, parsed, caller)).await,
        ask::NAME => with(arguments, |parsed| ask::run(session, parsed, caller)).await,
        credits::NAME => with(arguments, |parsed| credits::run(session, parsed)).await,
        _ => typed::run(session, name, arguments, caller).await?,
    };
    Some(outcome)
}

/// Parses the arguments of a tool, then runs the tool with the parsed arguments.
async fn with<T: DeserializeOwned, F: Future<Output = Result<String, Problem>>>(
    arguments: Map<String, Value>,
    run: impl FnOnce(T) -> F,
) -> Result<String, Problem> {
    run(parse(arguments)?).await
}

/// Parses the arguments of a tool.
fn parse<T: DeserializeOwned>(arguments: Map<String, Value>) -> Result<T, Problem> {
    // Callers with strict schemas write null for omitted arguments.
    let arguments: Map<_, _> =
        arguments.into_iter().filter(|(_, value)| !value.is_null()).collect();
    serde_path_to_error::deserialize(Value::Object(arguments)).map_err(|error| {
        let place = match error.path().to_string().as_str() {
            "." => String::new(),
            path => format!("`{path}`: "),
        };
        let message = WHOLE_NUMBERS.iter().fold(error.inner().to_string(), |text, name| {
            text.replace(&format!("expected {name}"), "expected a whole number of at least 0")
        });
        Problem::arguments(format!("{place}{message}"))
            .next("correct the arguments; see the tool's input schema")
    })
}

/// Names of unsigned Rust integer types. In error messages, the server replaces them by plain words: `expected u64`
/// becomes `expected a whole number of at least 0`.
const WHOLE_NUMBERS: &[&str] = &["usize", "u64", "u32"];

/// Effect of a tool. The effect determines the MCP annotations of the tool. If a tool has no annotations, clients
/// assume that the tool can delete data.
#[derive(Clone, Copy)]
pub(crate) enum Effect {
    /// The tool reads only data of this server.
    Local,
    /// The tool reads data of the service.
    Reads,
    /// The tool creates something at the service, such as a job or an answer.
    Adds,
    /// The tool deletes something at the service.
    Ends,
}

impl Effect {
    pub(crate) fn from_operation(operation: &Operation) -> Self {
        match operation.method {
            Method::GET => Effect::Reads,
            Method::DELETE => Effect::Ends,
            _ => Effect::Adds,
        }
    }

    fn annotations(self) -> ToolAnnotations {
        let (read_only, destructive, idempotent, open) = match self {
            Effect::Local => (true, false, true, false),
            Effect::Reads => (true, false, true, true),
            Effect::Adds => (false, false, false, true),
            Effect::Ends => (false, true, true, true),
        };
        ToolAnnotations::new()
            .read_only(read_only)
            .destructive(destructive)
            .idempotent(idempotent)
            .open_world(open)
    }
}

/// Builds the description of a tool for the tool list.
pub(crate) fn tool(
    name: impl Into<std::borrow::Cow<'static, str>>,
    description: impl Into<std::borrow::Cow<'static, str>>,
    input: Value,
    output: Value,
    effect: Effect,
) -> Tool {
    let object = |value: Value| match value {
        Value::Object(members) => Arc::new(members),
        _ => Arc::default(),
    };
    Tool::new(name, description, object(input))
        .with_raw_output_schema(object(output))
        .with_annotations(effect.annotations())
}

/// Returns the output schema of tools that return data of the service.
fn service_output() -> Value {
    json!({
        "type": "object",
        "properties": {
            "handle": {"type": "string"},
            "service_data": {},
            "incomplete": {"type": "object"},
            "next": {"type": "string"},
            "credits": {"type": "object"}
        }
    })
}

/// Serializes the result of a tool as JSON text.
fn text(answer: &impl serde::Serialize) -> Result<String, Problem> {
    serde_json::to_string(answer).map_err(|error| Problem::internal(error.to_string()))
}

/// Deserializes the arguments of an operation. The arguments are a JSON object. With strict schemas, they are a string
/// with the JSON text of an object.
fn object_or_text<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Map<String, Value>, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::Object(members) => Ok(members),
        Value::Null => Ok(Map::new()),
        Value::String(text) if text.trim().is_empty() => Ok(Map::new()),
        Value::String(text) => serde_json::from_str(&text).map_err(serde::de::Error::custom),
        other => {
            Err(serde::de::Error::custom(format!("`arguments` must be an object, not {other}")))
        }
    }
}

/// Converts the outputs of a jq program to rows or to a single value. The returned flag is true for rows.
fn of_outputs(outputs: Vec<Json>) -> (Vec<Json>, bool) {
    // A single list is split into its rows, so that it can be truncated.
    if let [one] = outputs.as_slice() {
        if let Ok(rows) = serde_json::from_str::<Vec<Json>>(one.get()) {
            return (rows, true);
        }
        return (outputs, false);
    }
    (outputs, true)
}
