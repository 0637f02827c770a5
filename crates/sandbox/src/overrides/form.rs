//! Reads and writes overrides as JSON.
//!
//! ```json
//! {"operation": "market-price", "when": {"symbol": "BTC"}, "steps": [
//!     {"data": [{"timestamp": 1767225600, "value": 91000.0}]},
//!     {"fault": "status=503;retry-after=1", "times": 3},
//!     {"partial": {"value": 90000.0}, "times": 2},
//!     {"text": "an answer of the chat"},
//!     {"invented": true}
//! ]}
//! ```
//! An override with one step can contain the fields of this step directly, without `steps`. With `"unchecked": true`,
//! an override may contain data that contradict the API description.

use std::collections::VecDeque;

use serde_json::{Map, Value, json};

use super::script::{Content, InvalidOverride, Override, Step};
use crate::fault::Fault;

/// Names of the fields that can contain the content of a step. A step describes one response of an override, and has
/// exactly one of these fields.
const KINDS: &str = "`data`, `partial`, `text`, `fault` or `invented`";

/// Returns the override of an operation as a JSON object.
pub(super) fn override_json(operation: &str, script: &Override) -> Value {
    let steps: Vec<_> = script.steps.iter().map(step_written).collect();
    let mut whole = json!({"operation": operation, "steps": steps});
    if !script.conditions.is_empty() {
        whole["when"] = Value::Object(script.conditions.iter().cloned().collect());
    }
    if script.unchecked {
        whole["unchecked"] = true.into();
    }
    whole
}

fn step_written(step: &Step) -> Value {
    let mut written = match &step.content {
        Content::Data(data) => json!({"data": data}),
        Content::Partial(part) => json!({"partial": part}),
        Content::Text(text) => json!({"text": text}),
        Content::Fault(fault) => json!({"fault": fault.to_string()}),
        Content::Invented => json!({"invented": true}),
    };
    if let Some(times) = step.times {
        written["times"] = times.into();
    }
    written
}

/// Parses a JSON object with one override, or a JSON array of overrides. Returns each override with the id of its
/// operation.
///
/// # Errors
/// Returns the first problem in the text, with a hint how to correct it.
pub(crate) fn read_all(text: &str) -> Result<Vec<(String, Override)>, InvalidOverride> {
    let value: Value = serde_json::from_str(text)
        .map_err(|error| InvalidOverride(format!("the override is not JSON: {error}")))?;
    match value {
        Value::Array(items) => items.into_iter().map(read).collect(),
        one => Ok(vec![read(one)?]),
    }
}

/// Parses a JSON object with one override. Returns the id of its operation, and the override.
///
/// # Errors
/// Returns the first problem in the object, with a hint how to correct it.
pub(crate) fn read(value: Value) -> Result<(String, Override), InvalidOverride> {
    let wrong = |problem: &str| InvalidOverride(problem.to_owned());
    let Value::Object(mut fields) = value else {
        return Err(wrong("an override must be a JSON object with `operation` and `data`"));
    };
    let Some(Value::String(operation)) = fields.remove("operation") else {
        return Err(wrong(
            "`operation` is required: set it to an operation id such as `market-price`",
        ));
    };
    let conditions = match fields.remove("when") {
        None => Vec::new(),
        Some(Value::Object(conditions)) => conditions.into_iter().collect(),
        Some(_) => return Err(wrong("`when` must be a JSON object of parameter values")),
    };

    let unchecked = match fields.remove("unchecked") {
        None => false,
        Some(Value::Bool(unchecked)) => unchecked,
        Some(_) => return Err(wrong("`unchecked` must be true or false")),
    };

    let mut steps = match fields.remove("steps") {
        None => VecDeque::from([read_step(fields)?]),
        Some(Value::Array(steps)) if !steps.is_empty() && fields.is_empty() => {
            let step = |step| match step {
                Value::Object(fields) => read_step(fields),
                _ => Err(wrong("a step must be an object")),
            };
            steps.into_iter().map(step).collect::<Result<_, _>>()?
        }
        Some(Value::Array(_)) if !fields.is_empty() => {
            let names: Vec<_> = fields.keys().map(|name| format!("`{name}`")).collect();
            let problem = format!("{} must be inside a step", names.join(", "));
            return Err(InvalidOverride(problem));
        }
        Some(_) => return Err(wrong("`steps` must be a list with at least one step")),
    };

    let last = steps.len() - 1;
    for step in steps.iter_mut().take(last) {
        step.times.get_or_insert(1);
    }
    Ok((operation, Override { steps, conditions, problem: None, unchecked }))
}

fn read_step(mut fields: Map<String, Value>) -> Result<Step, InvalidOverride> {
    let times = match fields.remove("times") {
        None => None,
        Some(times) => match times.as_u64().and_then(|times| u32::try_from(times).ok()) {
            Some(times) => Some(times),
            None => return Err(InvalidOverride("`times` must be a whole number".to_owned())),
        },
    };

    let mut fields = fields.into_iter();
    let (Some((kind, value)), None) = (fields.next(), fields.next()) else {
        return Err(InvalidOverride(format!("a step must have exactly one of the fields {KINDS}")));
    };
    let script = match (kind.as_str(), value) {
        ("data", data) => Override::new(Content::Data(data)),
        ("partial", part) => Override::new(Content::Partial(part)),
        ("text", Value::String(text)) => Override::text(text),
        ("fault", Value::String(text)) => Override::fault(
            text.parse::<Fault>().map_err(|error| InvalidOverride(error.to_string()))?,
        ),
        ("invented", Value::Bool(true)) => Override::invented(),
        ("text" | "fault" | "invented", _) => {
            return Err(InvalidOverride(format!("`{kind}` has the wrong type")));
        }
        _ => return Err(InvalidOverride(format!("a step cannot have `{kind}`: use {KINDS}"))),
    };
    let Step { content, times: of_fault } = script.steps[0].clone();
    Ok(Step { content, times: times.or(of_fault) })
}
