//! Typed tools. There is one tool per operation that the settings select. Its input and output schemas are generated
//! from the catalogue.

use crypto_intel::catalogue::{Answer, Operation};
use crypto_intel_search::record_of;
use rmcp::model::Tool;
use serde_json::{Map, Value, json};

use super::call::{self, CallArguments};
use super::{Effect, tool};
use crate::caller::Caller;
use crate::problem::Problem;
use crate::session::Session;
use crate::settings::{NATIVE, Settings};
use crate::{describe, operation_search, schema};

/// Names of additional arguments that every typed tool accepts. A test checks that no operation has a parameter with
/// one of these names.
const OWN: &[&str] = &["jq", "max_tokens"];

/// Depth limit of an output schema. The schema describes the fields of a row. For nested records, the schema allows any
/// JSON.
const DEPTH: usize = 1;

/// Returns the operations that get a typed tool according to the settings. Operations that stream their response are
/// left out. The list has no duplicates, but can contain operations that [`Settings::only`] does not allow.
pub(crate) fn chosen(settings: &Settings) -> Result<Vec<&'static Operation>, Problem> {
    let mut chosen: Vec<&'static Operation> = Vec::new();
    for name in &settings.tools {
        let name = if name == NATIVE { "all" } else { name };
        for operation in operation_search::named(name)? {
            let is_new = chosen.iter().all(|known| known.id != operation.id);
            if is_new && !matches!(operation.answer, Answer::Stream) {
                chosen.push(operation);
            }
        }
    }
    Ok(chosen)
}

/// Returns the name of an operation's typed tool. For example, the name for `market-price` is `market_price`.
pub(crate) fn name(operation: &Operation) -> String {
    operation.id.replace('-', "_")
}

/// Describes an operation's typed tool for the tool list. The description contains the tool name, the price, and the
/// input and output schemas.
pub(crate) fn tool_of(operation: &Operation) -> Tool {
    let mut input = schema::input(operation);
    if let Some(properties) = input.get_mut("properties").and_then(Value::as_object_mut) {
        properties.insert(
            "jq".to_owned(),
            json!({"type": "string", "description": "applied to the rows"}),
        );
        properties.insert("max_tokens".to_owned(), json!({"type": "integer"}));
    }

    let price = match describe::price(operation) {
        Value::Number(credits) => format!("{credits} credits"),
        Value::String(words) => format!("price {words}"),
        _ => String::new(),
    };
    let note = operation.note.map(|note| format!(" {note}")).unwrap_or_default();
    let deprecated =
        operation.deprecated.map(|why| format!(" Deprecated: {why}")).unwrap_or_default();
    let description = format!("{} ({price}).{note}{deprecated}", operation.summary);
    tool(
        name(operation),
        description,
        input.into(),
        output(operation),
        Effect::from_operation(operation),
    )
}

/// Returns the output schema of a typed tool. The schema allows any JSON for the field `service_data`, because this
/// field can contain a table, outputs of a jq program, or shortened rows. If the rows have a record type, `$defs`
/// describes this type, but the schema does not require it.
fn output(operation: &Operation) -> Value {
    let data = record_of(operation).map_or_else(
        || json!({}),
        |row| {
            let row = schema::record_schema(row, DEPTH);
            json!({"$comment": "two or more rows usually have the form {columns, rows}; with the argument jq, the result has the form that the program returns", "$defs": {"row": row}})
        },
    );
    json!({
        "type": "object",
        "properties": {
            "handle": {"type": "string"},
            "rows": {"type": "integer"},
            "service_data": data,
            "incomplete": {"type": "object"},
            "next": {"type": "string"},
            "credits": {"type": "object"}
        }
    })
}

/// Runs a typed tool. Returns `None` if no typed tool has this name.
pub(super) async fn run(
    session: &Session,
    tool: &str,
    mut arguments: Map<String, Value>,
    caller: &Caller,
) -> Option<Result<String, Problem>> {
    let chosen = chosen(&session.settings).ok()?;
    let operation = chosen.into_iter().find(|operation| name(operation) == tool)?;

    let mut own = |name: &str| arguments.remove(name).filter(|value| !value.is_null());
    let jq = own(OWN[0]).and_then(|value| value.as_str().map(str::to_owned));
    let max_tokens = own(OWN[1]).and_then(|value| usize::try_from(value.as_u64()?).ok());
    let arguments = CallArguments {
        operation: operation.id.to_owned(),
        arguments,
        jq,
        max_tokens,
        ..CallArguments::default()
    };
    Some(call::run_any(session, operation, arguments, caller).await)
}

#[cfg(test)]
mod tests {
    use crypto_intel::catalogue::OPERATIONS;

    use super::*;

    #[test]
    fn no_operation_has_a_parameter_with_the_name_of_an_own_one() {
        for operation in OPERATIONS {
            for name in OWN {
                assert!(operation.param(name).is_none(), "{} takes `{name}`", operation.id);
            }
        }
    }
}
