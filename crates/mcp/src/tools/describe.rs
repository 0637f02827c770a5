//! The tool `describe_operation`: returns the parameters, fields and price of one operation.

use rmcp::model::Tool;
use serde::Deserialize;
use serde_json::json;

use super::{Effect, text};
use crate::problem::Problem;
use crate::{describe, operation_search};

pub(super) const NAME: &str = "describe_operation";

pub(super) fn tool() -> Tool {
    super::tool(
        NAME,
        "Parameters (types, bounds, defaults), fields of the rows, price and paging of an operation. Free.",
        json!({
            "type": "object",
            "properties": {"operation": {"type": "string"}},
            "required": ["operation"]
        }),
        json!({"type": "object", "properties": {"parameters": {"type": "object"}, "answer": {}, "price": {}}}),
        Effect::Local,
    )
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DescribeArguments {
    operation: String,
}

pub(super) fn run(arguments: DescribeArguments) -> Result<String, Problem> {
    text(&describe::operation(operation_search::operation(&arguments.operation)?))
}
