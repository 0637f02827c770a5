//! The tool `search_operations`: finds operations by search words.

use rmcp::model::Tool;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Effect, text};
use crate::allowed_operations;
use crate::describe;
use crate::operation_search;
use crate::problem::Problem;
use crate::session::Session;

pub(super) const NAME: &str = "search_operations";

/// Maximum number of operations in a result, if the caller sets no limit.
const LIMIT: usize = 8;

pub(super) fn tool() -> Tool {
    super::tool(
        NAME,
        "Find operations of the data service by words (\"funding rate history\"). Returns names, summaries, prices in credits, required arguments. Free.",
        json!({
            "type": "object",
            "properties": {
                "query": {"type": "string"},
                "domain": {"type": "string", "description": "e.g. market, equity, wallet"},
                "limit": {"type": "integer", "default": LIMIT}
            },
            "required": ["query"]
        }),
        json!({"type": "object", "properties": {"operations": {"type": "array"}, "more": {"type": "integer"}}}),
        Effect::Local,
    )
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchArguments {
    query: String,
    domain: Option<String>,
    limit: Option<usize>,
}

pub(super) fn run(session: &Session, arguments: SearchArguments) -> Result<String, Problem> {
    let domain = arguments.domain.map(|domain| domain.to_lowercase().replace(' ', "-"));
    if let Some(domain) =
        domain.as_ref().filter(|domain| !operation_search::domains().contains(domain))
    {
        return Err(Problem::unknown(format!("there is no domain `{domain}`")).next(format!(
            "use one of the domains {}, or omit `domain`",
            operation_search::domains().join(", ")
        )));
    }

    let mut found = operation_search::search(&arguments.query, domain.as_deref());
    found.retain(|found| allowed_operations::allows(&session.settings, found.operation));
    let limit = arguments.limit.unwrap_or(LIMIT).clamp(1, 50);
    let more = found.len().saturating_sub(limit);
    let lines: Vec<Value> =
        found.into_iter().take(limit).map(|found| describe::brief(found.operation)).collect();

    let mut answer = json!({"operations": lines});
    if more > 0 {
        answer["more"] = more.into();
    }
    if answer["operations"] == json!([]) {
        answer["next"] = format!(
            "try other words, or one of the domains {}",
            operation_search::domains().join(", ")
        )
        .into();
    }
    text(&answer)
}
