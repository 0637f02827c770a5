//! The tool `call_side_by_side`: calls several operations at once.

use crypto_intel::credits::{Credits, Estimate};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use rmcp::model::Tool;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::call::{self, Planned};
use super::shown_result::View;
use super::{Effect, text};
use crate::json::{Json, to_json};
use crate::operation_search;
use crate::problem::Problem;
use crate::progress::Progress;
use crate::session::Session;

pub(super) const NAME: &str = "call_side_by_side";

/// Maximum number of calls.
const MOST: usize = 12;

pub(super) fn tool() -> Tool {
    super::tool(
        NAME,
        "Call up to 12 operations at once, e.g. one figure of several assets. Budgets apply to all together. A failed call does not stop the others.",
        json!({
            "type": "object",
            "properties": {
                "calls": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "properties": {
                            "operation": {"type": "string"},
                            "arguments": {"type": "object"},
                            "jq": {"type": "string"},
                            "label": {"type": "string"}
                        },
                        "required": ["operation"]
                    }
                },
                "max_credits": {"type": "integer"},
                "max_tokens": {"type": "integer"}
            },
            "required": ["calls"]
        }),
        json!({"type": "object", "properties": {"results": {"type": "array"}, "credits": {"type": "object"}}}),
        Effect::Reads,
    )
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SideBySideArguments {
    calls: Vec<One>,
    max_credits: Option<u64>,
    max_tokens: Option<usize>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct One {
    operation: String,
    #[serde(default)]
    arguments: Map<String, Value>,
    jq: Option<String>,
    label: Option<String>,
}

pub(super) async fn run(
    session: &Session,
    arguments: SideBySideArguments,
    progress: &Progress,
) -> Result<String, Problem> {
    let count = arguments.calls.len();
    if count == 0 || count > MOST {
        return Err(Problem::arguments(format!("{count} calls; there must be 1 to {MOST}"))
            .next("split the calls"));
    }

    let planned: Vec<_> = arguments.calls.iter().map(|one| plan(session, one)).collect();
    let price = planned
        .iter()
        .flatten()
        .fold(Estimate::Exactly(Credits(0)), |sum, planned| add(sum, planned.price));
    session.check(price, arguments.max_credits)?;

    let tokens = session.tokens(arguments.max_tokens) / count;
    let mut under_way = FuturesUnordered::new();
    for (index, (one, planned)) in arguments.calls.iter().zip(planned).enumerate() {
        under_way.push(async move { (index, call_one(session, one, planned, tokens).await) });
    }

    let mut results: Vec<Option<Json>> = vec![None; count];
    let mut done = 0;
    while let Some((index, result)) = under_way.next().await {
        done += 1;
        results[index] = Some(result);
        progress.tell(done, Some(count as u64), format!("{done} of {count} calls")).await;
    }
    let results: Vec<Json> = results.into_iter().flatten().collect();
    text(
        &json!({"results": results, "credits": {"list_price": price.credits().map(|most| most.0), "left": session.left()}}),
    )
}

fn plan(session: &Session, one: &One) -> Result<Planned, Problem> {
    let operation = operation_search::operation(&one.operation)?;
    if operation.method != crypto_intel::Method::GET {
        return Err(call::elsewhere(operation));
    }
    let arguments =
        call::CallArguments { arguments: one.arguments.clone(), ..call::CallArguments::default() };
    call::plan(session, operation, &arguments)
}

async fn call_one(
    session: &Session,
    one: &One,
    planned: Result<Planned, Problem>,
    tokens: usize,
) -> Json {
    let label = one.label.clone().unwrap_or_else(|| one.operation.clone());
    let view = View { tokens, jq: one.jq.as_deref(), ..View::default() };
    let outcome = match planned {
        Ok(planned) => planned.send(session, view, &Progress::silent()).await,
        Err(problem) => Err(problem),
    };

    #[derive(serde::Serialize)]
    struct Labelled<T> {
        label: String,
        #[serde(flatten)]
        result: T,
    }
    match outcome {
        Ok(result) => to_json(&Labelled { label, result }),
        Err(problem) => to_json(&Labelled { label, result: problem.json() }),
    }
}

fn add(one: Estimate, other: Estimate) -> Estimate {
    match (one, other) {
        (Estimate::Unknown, _) | (_, Estimate::Unknown) => Estimate::Unknown,
        (one, other) => {
            let sum = |one: Option<Credits>, other: Option<Credits>| {
                one.unwrap_or_default() + other.unwrap_or_default()
            };
            Estimate::Between(sum(one.least(), other.least()), sum(one.credits(), other.credits()))
        }
    }
}
