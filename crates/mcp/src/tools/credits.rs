//! The tool `credits`: returns the spent and remaining credits.

use rmcp::model::Tool;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Effect, text};
use crate::problem::Problem;
use crate::session::Session;

pub(super) const NAME: &str = "credits";

pub(super) fn tool() -> Tool {
    super::tool(
        NAME,
        "The account's balance, this connection's spending by operation, and its remaining caps. Free.",
        json!({"type": "object", "properties": {}}),
        json!({"type": "object", "properties": {"connection": {"type": "object"}, "balance": {}}}),
        Effect::Reads,
    )
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CreditsArguments {}

pub(super) async fn run(session: &Session, _: CreditsArguments) -> Result<String, Problem> {
    let ledger = session.client.ledger();
    let total = ledger.total();
    let operations: Map<String, Value> = ledger
        .by_operation()
        .into_iter()
        .map(|(id, spent)| {
            let line = json!({"calls": spent.calls, "list_price": spent.list_price.0, "reported": spent.reported.0});
            (id.to_owned(), line)
        })
        .collect();

    // If the balance cannot be read, the other numbers are still useful.
    let balance = match session.client.credit_balance().await {
        Ok(reply) => serde_json::to_value(&*reply).unwrap_or_default(),
        Err(error) => Problem::from(error).json(),
    };
    text(&json!({
        "connection": {
            "cap": session.settings.max_credits,
            "left": session.left(),
            "cap_per_call": session.settings.max_credits_per_call,
            "list_price": total.list_price.0,
            "reported": total.reported.0,
            "perhaps_charged": ledger.unsettled().list_price.0,
            "operations": operations,
        },
        "balance": {"service_data": balance},
    }))
}
