//! The tool `read_result`, which reads or filters a stored result. The tool can also request the next page of a list
//! and add its rows to the stored result.

use std::sync::Arc;

use rmcp::model::Tool;
use serde::Deserialize;
use serde_json::json;

use super::shown_result::{self, View};
use super::{Effect, call, service_output, text};
use crate::caller::Caller;
use crate::problem::Problem;
use crate::session::Session;

pub(super) const NAME: &str = "read_result";

pub(super) fn tool() -> Tool {
    super::tool(
        NAME,
        "Read more rows of a stored result, or filter and aggregate it with jq. Free, except `next_page`: reads the next page at list price.",
        json!({
            "type": "object",
            "properties": {
                "handle": {"type": "string"},
                "from": {"type": "integer", "description": "index of the first row"},
                "limit": {"type": "integer"},
                "jq": {"type": "string"},
                "next_page": {"type": "boolean"},
                "max_tokens": {"type": "integer"}
            },
            "required": ["handle"]
        }),
        service_output(),
        Effect::Reads,
    )
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReadArguments {
    handle: String,
    from: Option<usize>,
    limit: Option<usize>,
    jq: Option<String>,
    #[serde(default)]
    next_page: bool,
    max_tokens: Option<usize>,
}

pub(super) async fn run(
    session: &Session,
    arguments: ReadArguments,
    caller: &Caller,
) -> Result<String, Problem> {
    let handle = arguments.handle.as_str();
    let mut result = session.store.get(handle)?;
    let mut from = arguments.from;
    let mut cost = None;

    if arguments.next_page {
        let Some((request, token)) = result.further.take() else {
            return Err(Problem::arguments(format!(
                "no next page can be requested for `{handle}` ({})",
                result.source
            ))
            .next("read the stored rows, or filter them with `jq`"));
        };
        let price = session.client.estimate(&request);
        session.allow(price, None, caller).await?;
        let page = call::next_page(request, token).await?;

        // Rows of earlier pages are skipped, unless a filter needs all rows or the caller sets `from`.
        if arguments.jq.is_none() {
            from = from.or(Some(result.rows.len()));
        }
        Arc::make_mut(&mut result.rows).extend(page.rows);
        result.further = page.further;
        result.completeness = page.completeness;
        result.failure = None;
        session.store.replace(handle, result.clone());
        cost = Some(session.cost(price, page.charged));
    }

    let view = View {
        from: from.unwrap_or_default(),
        limit: arguments.limit,
        jq: arguments.jq.as_deref(),
        tokens: session.tokens(arguments.max_tokens),
    };
    let mut shown = shown_result::show(session, handle, &result, view).await?;
    shown.credits = cost;
    text(&shown)
}
