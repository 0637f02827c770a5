//! Checks that an override fits its operation. The data of the override must have the types that the operation returns.
//!
//! The inputs are the id of an operation and an override. The output is the operation, or an error with the JSON paths
//! of the first wrong fields.

use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_core::{Answer, Operation, Type};
use crypto_intel_world::schema::{self, Fault as Wrong, FaultKind};
use serde_json::Value;

use super::respond::{is_for_rows, is_whole, list_of, metas};
use super::script::{Content, InvalidOverride, Override};
use crate::chat;
use crate::fault::Action;

/// Maximum number of wrong fields that an error lists. An override with many rows can have a wrong field in each row.
const LISTED: usize = 3;

/// Finds the operation with the id `id`, and checks that the conditions and all steps of `script` fit this operation.
///
/// # Errors
/// Returns an error for the first problem. If fields in the data of a step are wrong, the message contains the JSON
/// paths of the first three wrong fields.
pub(super) fn checked(id: &str, script: &Override) -> Result<&'static Operation, InvalidOverride> {
    let operation = OPERATIONS.iter().find(|operation| operation.id == id);
    let operation = operation.ok_or_else(|| unknown(id))?;
    let error = |problem: String| Err(InvalidOverride(format!("`{id}`: {problem}")));
    if let Some(problem) = &script.problem {
        return error(format!("the data cannot be written as JSON: {problem}"));
    }

    for (name, _) in &script.conditions {
        if operation.param(name).is_none() {
            let known: Vec<_> = operation.params.iter().map(|param| param.name).collect();
            return error(format!("there is no parameter `{name}` (known: {})", known.join(", ")));
        }
    }

    for (index, step) in script.steps.iter().enumerate() {
        let problem = match step.times {
            Some(0) => Some("`times` must be at least 1".to_owned()),
            _ => problem(operation, &step.content, script.unchecked),
        };
        match problem {
            Some(problem) if script.steps.len() > 1 => {
                return error(format!("step {}: {problem}", index + 1));
            }
            Some(problem) => return error(problem),
            None => {}
        }
    }
    Ok(operation)
}

fn unknown(id: &str) -> InvalidOverride {
    let scored = OPERATIONS.iter().map(|known| (strsim::jaro_winkler(id, known.id), known.id));
    let closest = scored.max_by(|(one, _), (other, _)| one.total_cmp(other));
    let closest = closest.map_or("", |(_, id)| id);
    InvalidOverride(format!("no operation has the id `{id}`: did you mean `{closest}`?"))
}

/// Checks the content of one step of an override. Returns a description of the problem, or `None` if the content fits
/// the operation. If `unchecked` is true, the fields and types of the data are not checked.
fn problem(operation: &'static Operation, content: &Content, unchecked: bool) -> Option<String> {
    let checked = |faults: Vec<Wrong>, fix| if unchecked { Ok(()) } else { listed(&faults, fix) };
    match content {
        Content::Data(data) => faults(operation, data).and_then(|list| checked(list, FIX_DATA)),
        Content::Partial(part) => {
            check_partial(operation, part).and_then(|list| checked(list, FIX_PART))
        }
        Content::Text(_) if !chat::is_chat(operation) => {
            return Some("`text` is only for chat operations: use `data` or `partial`".to_owned());
        }
        Content::Fault(fault) => {
            return match fault.action {
                Action::Clock(_) => {
                    Some("an override cannot contain `clock`: use `Sandbox::inject`".to_owned())
                }
                _ => fault.check().err().map(|error| error.to_string()),
            };
        }
        Content::Text(_) | Content::Invented => Ok(()),
    }
    .err()
}

const FIX_DATA: &str = "; `partial` keeps the invented values of all other fields";
const FIX_PART: &str = "";

/// Returns an error message that lists the wrong fields, or `Ok` if no field is wrong. If a field is missing, the
/// message ends with `fix`, a suggestion to the user.
fn listed(faults: &[Wrong], fix: &str) -> Result<(), String> {
    let text = |fault: &Wrong| match fault.place.as_str() {
        "" => format!("the answer {}", fault.problem),
        _ => fault.to_string(),
    };
    let texts: Vec<_> = faults.iter().take(LISTED).map(text).collect();
    if texts.is_empty() {
        return Ok(());
    }
    let more = match faults.len() - texts.len() {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let is_missing = faults.iter().any(|fault| fault.kind == FaultKind::Missing);
    Err(format!("{}{more}{}", texts.join(", "), if is_missing { fix } else { "" }))
}

/// Finds wrong fields in the data of an override. The data can be a list of rows, a record, or a whole response.
fn faults(operation: &'static Operation, data: &Value) -> Result<Vec<Wrong>, String> {
    Ok(match &operation.answer {
        Answer::Rows { .. } | Answer::One { .. } if is_whole(data) => {
            schema::faults_of_answer(operation, data)
        }
        Answer::Rows { row, .. } if data.is_object() => {
            schema::faults_of_value(*row, data, "data[0]")
        }
        Answer::Rows { row, .. } => schema::faults_of_value(Type::List(row), data, "data"),
        Answer::One { data: ty, .. } => schema::faults_of_value(*ty, data, "data"),
        Answer::Bare(ty) => match list_of(*ty) {
            Some((name, row)) if data.is_array() => {
                schema::faults_of_value(Type::List(row), data, name)
            }
            _ => {
                let mut faults = schema::faults_of_value(*ty, data, "");
                // `meta` and `pagination` can be missing, because the sandbox adds them.
                faults.retain(|fault| !metas(*ty).any(|(name, _)| fault.place == name));
                faults
            }
        },
        Answer::Stream | Answer::Bytes | Answer::Empty => return Err(without_json(operation)),
    })
}

/// Finds wrong fields in `part`. The fields of `part` replace fields of the generated response.
fn check_partial(operation: &'static Operation, part: &Value) -> Result<Vec<Wrong>, String> {
    Ok(match &operation.answer {
        Answer::Rows { row, .. } if part.is_object() => {
            schema::faults_of_part(*row, part, "data[*]")
        }
        Answer::Rows { row, .. } => schema::faults_of_part(Type::List(row), part, "data"),
        Answer::One { data, .. } => schema::faults_of_part(*data, part, "data"),
        Answer::Bare(ty) => match list_of(*ty) {
            Some((name, row)) if part.is_array() => {
                schema::faults_of_part(Type::List(row), part, name)
            }
            Some((name, row)) if is_for_rows(*ty, part) => {
                schema::faults_of_part(*row, part, &format!("{name}[*]"))
            }
            _ => schema::faults_of_part(*ty, part, ""),
        },
        Answer::Stream | Answer::Bytes | Answer::Empty => return Err(without_json(operation)),
    })
}

fn without_json(operation: &Operation) -> String {
    let is_chat = operation.answer == Answer::Stream;
    let other =
        if is_chat { "a `text`, a `status` or a `fault`" } else { "a `status` or a `fault`" };
    format!("the operation does not return JSON: use {other}")
}
