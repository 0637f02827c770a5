//! The tool `call_side_by_side`: calls several operations at the same time.
//!
//! The input is a list of calls. The output is the result of each call. If all calls use one operation, the tool also
//! stores the rows of all successful calls as one result.

use crypto_intel::credits::{Credits, Estimate};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use rmcp::model::Tool;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::call::{self, Planned};
use super::shown_result::View;
use super::{Effect, text};
use crate::caller::Caller;
use crate::jq;
use crate::json::{Json, json_from_text, to_json};
use crate::operation_search;
use crate::problem::Problem;
use crate::result_store::Stored;
use crate::session::Session;

pub(super) const NAME: &str = "call_side_by_side";

/// Maximum number of calls in one use of the tool. All of these calls run at the same time.
const MOST: usize = 12;

pub(super) fn tool() -> Tool {
    let call = json!({
        "type": "object",
        "properties": {
            "operation": {"type": "string"},
            "arguments": {"type": "object"},
            "jq": {"type": "string"},
            "label": {"type": "string"}
        },
        "required": ["operation"]
    });

    super::tool(
        NAME,
        "Call up to 12 operations at once, e.g. one figure of several assets. Budgets limit the sum of all calls. A failed call does not stop the others. If all calls use one operation, read all rows with the handle `together`; column `label` names the call.",
        json!({
            "type": "object",
            "properties": {
                "calls": {"type": "array", "items": call},
                "max_credits": {"type": "integer"},
                "max_tokens": {"type": "integer"}
            },
            "required": ["calls"]
        }),
        json!({"type": "object", "properties": {"results": {"type": "array"}, "together": {"type": "string"}, "credits": {"type": "object"}}}),
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
    #[serde(default, deserialize_with = "super::object_or_text")]
    arguments: Map<String, Value>,
    jq: Option<String>,
    label: Option<String>,
}

impl One {
    fn label(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.operation)
    }
}

pub(super) async fn run(
    session: &Session,
    arguments: SideBySideArguments,
    caller: &Caller,
) -> Result<String, Problem> {
    let count = arguments.calls.len();
    if count == 0 || count > MOST {
        return Err(Problem::arguments(format!("pass 1 to {MOST} calls, not {count}"))
            .next("split the calls"));
    }

    let mut planned = Vec::new();
    for one in &arguments.calls {
        let checked = jq::check(session, one.jq.as_deref()).await;
        planned.push(checked.and_then(|()| plan(session, one)));
    }
    let price = planned
        .iter()
        .flatten()
        .fold(Estimate::Exactly(Credits(0)), |sum, planned| add(sum, planned.price));
    session.allow(price, arguments.max_credits, caller).await?;

    let tokens = session.tokens(arguments.max_tokens) / count;
    let mut under_way = FuturesUnordered::new();
    for (index, (one, planned)) in arguments.calls.iter().zip(planned).enumerate() {
        under_way.push(async move { (index, call_one(session, one, planned, tokens).await) });
    }

    let mut results: Vec<Option<(Json, Option<String>)>> = vec![None; count];
    let mut done = 0;
    while let Some((index, result)) = under_way.next().await {
        done += 1;
        results[index] = Some(result);
        caller.report_progress(done, Some(count as u64), format!("{done} of {count} calls")).await;
    }
    let (results, handles): (Vec<Json>, Vec<_>) = results.into_iter().flatten().unzip();
    let mut answer = json!({"results": results, "credits": {"list_price": price.credits().map(|most| most.0), "left": session.left()}});
    if let Some(handle) = together(session, &arguments.calls, &handles) {
        answer["together"] = handle.into();
    }
    text(&answer)
}

/// Combines the results of calls that have the same operation. Stores the rows of all successful calls as one result,
/// so that one SQL query or jq program can read all rows. Each row gets the label of its call. Returns the handle of
/// the combined result, or `None` if the operations differ or no call succeeded.
fn together(session: &Session, calls: &[One], handles: &[Option<String>]) -> Option<String> {
    let first = calls.first()?;
    if calls.iter().any(|call| call.operation != first.operation) {
        return None;
    }
    let mut all: Option<Stored> = None;
    let mut rows = Vec::new();
    for (call, handle) in calls.iter().zip(handles) {
        let Some(result) = handle.as_ref().and_then(|handle| session.store.get(handle).ok()) else {
            continue;
        };
        rows.extend(result.rows.iter().map(|row| labelled(row, call.label())));
        // If one result lacks rows, the common result is incomplete.
        all = Some(all.filter(|all| !all.completeness.is_complete()).unwrap_or(result));
    }

    let result = all?;
    let whole = Stored::new(result.source, rows, true);
    Some(session.store.keep(Stored { completeness: result.completeness, ..whole }))
}

/// Returns the row with the additional field `label`. A row that is not an object becomes an object with the fields
/// `label` and `value`.
fn labelled(row: &Json, label: &str) -> Json {
    let label = to_json(&label);
    let fields = match row.get().strip_prefix('{').map(str::trim_start) {
        Some("}") => "}".to_owned(),
        Some(fields) => format!(",{fields}"),
        None => format!(",\"value\":{row}}}"),
    };
    json_from_text(format!("{{\"label\":{label}{fields}"))
}

fn plan(session: &Session, one: &One) -> Result<Planned, Problem> {
    let operation = operation_search::operation(&one.operation)?;
    if operation.method != crypto_intel::Method::GET {
        return Err(call::wrong_tool(operation));
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
) -> (Json, Option<String>) {
    let label = one.label();
    let view = View { tokens, jq: one.jq.as_deref(), ..View::default() };
    let outcome = match planned {
        Ok(planned) => planned.send(session, view, &Caller::silent()).await,
        Err(problem) => Err(problem),
    };

    #[derive(serde::Serialize)]
    struct Labelled<'a, T> {
        label: &'a str,
        #[serde(flatten)]
        result: T,
    }
    match outcome {
        Ok(result) => {
            let handle = result.handle().to_owned();
            (to_json(&Labelled { label, result }), Some(handle))
        }
        Err(problem) => (to_json(&Labelled { label, result: problem.json() }), None),
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
