//! Selects the tools that a server offers, according to its settings.

use std::sync::Arc;

use rmcp::model::Tool;

use crate::allowed_operations::allows;
use crate::operation_search::named;
use crate::problem::Problem;
use crate::settings::Settings;
use crate::strict_schema::strict;
use crate::tools;

/// Names of the general tools that search, describe and call operations. If the settings contain the tool name
/// `native`, typed tools replace these general tools. A typed tool calls one operation.
const GENERIC: &[&str] =
    &["search_operations", "describe_operation", "call_operation", "call_side_by_side"];

/// Returns the tools of the server: the general tools, and the typed tools (one per operation) that the settings add.
/// Tools that the settings remove are left out.
///
/// # Errors
/// Returns an error if the settings contain the name of an unknown tool, operation or domain.
pub(crate) fn tools(settings: &Settings) -> Result<Vec<Tool>, Problem> {
    let general = tools::general();
    for name in &settings.without {
        if !general.iter().any(|tool| tool.name == name.as_str()) {
            let known: Vec<_> = general.iter().map(|tool| tool.name.as_ref()).collect();
            let known = known.join(", ");
            return Err(Problem::unknown(format!(
                "there is no tool `{name}`; the tools are {known}"
            ))
            .next("correct or remove the name"));
        }
    }
    for name in &settings.only {
        named(name)?;
    }

    let typed = tools::typed::chosen(settings)?.into_iter();
    let typed = typed.filter(|operation| allows(settings, operation)).map(tools::typed::tool_of);
    let kept = general.into_iter().filter(|tool| keeps(settings, &tool.name));
    let all = kept.chain(typed).filter(|tool| !settings.read_only || only_reads(tool));
    Ok(all
        .map(|tool| if settings.strict_schemas { with_strict_input(tool) } else { tool })
        .collect())
}

fn with_strict_input(mut tool: Tool) -> Tool {
    tool.input_schema = Arc::new(strict(&tool.input_schema));
    tool
}

/// Returns true if the server offers the general tool. Returns false if the settings remove it.
fn keeps(settings: &Settings, tool: &str) -> bool {
    let operation = match tool {
        "sql" => Some("onchain-sql"),
        "ask" => Some("responses"),
        _ => None,
    };
    let operation = operation.and_then(|id| crate::operation_search::operation(id).ok());
    let is_allowed = operation.is_none_or(|operation| allows(settings, operation));
    let is_native = settings.is_native() && GENERIC.contains(&tool);
    is_allowed && !is_native && !settings.without.iter().any(|name| name == tool)
}

fn only_reads(tool: &Tool) -> bool {
    tool.annotations.as_ref().and_then(|annotations| annotations.read_only_hint) == Some(true)
}
