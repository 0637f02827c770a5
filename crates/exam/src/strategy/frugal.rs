//! The strategy `Frugal`: reads only the needed fields with jq, in pages as large as the operation allows.

use crypto_intel::catalogue::ParamKind;
use serde_json::{Map, Value, json};

use super::object;
use super::projection::projection;
use super::shown_rows::rows_of;
use crate::plan::{Arguments, Call, Plan, Source};
use crate::tools::{Failure, Tools};

/// Token limit of one tool result, which each tool call sets as `max_tokens`.
pub(super) const MAX_TOKENS: u64 = 4_000;
/// Maximum number of operations in one call of the tool `call_side_by_side`.
const SIDE_BY_SIDE: usize = 12;

pub(super) struct Frugal<'a> {
    pub(super) tools: &'a Tools,
    pub(super) plan: &'a Plan,
}

impl Source for Frugal<'_> {
    async fn read(&mut self, call: &Call, arguments: &Arguments) -> Result<Vec<Value>, String> {
        let read = read(self.tools, call, arguments, &self.program(call)).await;
        Ok(Failure::or_nothing(read)?.rows)
    }

    async fn read_each(
        &mut self,
        call: &Call,
        arguments: &[Arguments],
    ) -> Result<Vec<Vec<Value>>, String> {
        if call.each.is_none() {
            return Ok(vec![self.read(call, &arguments[0]).await?]);
        }

        let program = self.program(call);
        let (results, _) = side_by_side(self.tools, call, arguments, &program).await?;
        let mut all = Vec::new();
        for result in &results {
            let count = result["rows"].as_u64().unwrap_or_default();
            let rows = all_shown(self.tools, result, &program, count).await;
            all.push(Failure::or_nothing(rows)?);
        }
        Ok(all)
    }
}

impl Frugal<'_> {
    /// Returns a jq program that reduces the rows of an operation to the fields that the plan needs.
    fn program(&self, call: &Call) -> String {
        match call.operation {
            Some(operation) => projection(operation, |name| self.plan.uses(name)),
            None => ".".to_owned(),
        }
    }
}

/// Rows of an operation that were read through MCP tools, page by page.
#[derive(Debug, Default)]
pub(super) struct Read {
    pub(super) handle: String,
    /// Output of the jq program for the rows that were read.
    pub(super) rows: Vec<Value>,
}

/// Reads the pages of an operation, and applies a jq program to their rows. Stops when [`Call::first`] rows are read:
/// if `first` is 30 and a page has 20 rows, reads only two pages.
pub(super) async fn read(
    tools: &Tools,
    call: &Call,
    arguments: &Arguments,
    program: &str,
) -> Result<Read, Failure> {
    let mut answer = start(tools, call, arguments, program).await?;
    let handle = answer["handle"].as_str().unwrap_or_default().to_owned();
    let (mut rows, mut stored) = (Vec::new(), 0);
    loop {
        let before = stored;
        stored = answer["rows"].as_u64().unwrap_or_default();
        let page = format!(".[{before}:] | {program}");
        // The output of `length` is one number, so the tool result always contains all of it.
        let count = if program == "length" { 0 } else { stored - before };
        rows.append(&mut all_shown(tools, &answer, &page, count).await?);

        let is_enough = call.first.is_some_and(|first| stored >= first as u64);
        if is_enough || answer["incomplete"]["state"] != "more_available" {
            break;
        }
        let page = format!(".[{stored}:] | {program}");
        let next =
            json!({"handle": handle, "next_page": true, "jq": page, "max_tokens": MAX_TOKENS});
        match tools.call("read_result", next).await {
            Ok(more) => answer = more,
            // The service fails for later rows, so the answer is computed from the rows before them.
            Err(Failure::Service(_)) => break,
            Err(other) => return Err(other),
        }
    }
    Ok(Read { handle, rows })
}

/// Returns all `count` outputs of a jq program. If the tool result `answer` contains only the first outputs, reads the
/// remaining outputs with the tool `read_result`. If `answer` contains no output, returns an empty vector.
async fn all_shown(
    tools: &Tools,
    answer: &Value,
    program: &str,
    count: u64,
) -> Result<Vec<Value>, Failure> {
    let mut shown = rows_of(answer);
    while !shown.is_empty() && (shown.len() as u64) < count {
        let from = shown.len();
        let more = json!({"handle": answer["handle"], "jq": program, "from": from, "max_tokens": MAX_TOKENS});
        shown.extend(rows_of(&tools.call("read_result", more).await?));
    }
    Ok(shown)
}

/// Runs the SQL query of a call. If the call has no SQL query, requests the first page of the call's operation, with
/// the page size that [`with_limit`] sets. If the service fails for this page size, requests a page of the default
/// size.
async fn start(
    tools: &Tools,
    call: &Call,
    arguments: &Arguments,
    program: &str,
) -> Result<Value, Failure> {
    if let Some(query) = call.sql() {
        let query =
            json!({"query": query, "max_rows": 10_000, "jq": program, "max_tokens": MAX_TOKENS});
        return tools.call("sql", query).await;
    }
    let id = call.operation.map(|operation| operation.id);
    let whole = |arguments: Map<String, Value>| json!({"operation": id, "arguments": arguments, "jq": program, "max_tokens": MAX_TOKENS});
    match tools.call("call_operation", whole(with_limit(call, arguments))).await {
        Err(Failure::Service(_)) => tools.call("call_operation", whole(object(arguments))).await,
        other => other,
    }
}

/// Calls an operation once for each item of `arguments`. One tool call contains up to 12 of these operation calls. For
/// example, 15 items need two tool calls.
///
/// Returns the results of all operation calls, and one handle for each tool call with a successful operation call. A
/// handle refers to the rows of all operation calls in one tool call.
pub(super) async fn side_by_side(
    tools: &Tools,
    call: &Call,
    arguments: &[Arguments],
    program: &str,
) -> Result<(Vec<Value>, Vec<String>), String> {
    let id = call.operation.map(|operation| operation.id);
    let one = |arguments: &Arguments| json!({"operation": id, "arguments": with_limit(call, arguments), "jq": program, "label": arguments.label});
    let (mut results, mut together) = (Vec::new(), Vec::new());
    for part in arguments.chunks(SIDE_BY_SIDE) {
        let before = results.len();
        let calls: Vec<_> = part.iter().map(one).collect();
        let calls = json!({"calls": calls, "max_tokens": MAX_TOKENS});
        let mut answer = Failure::or_nothing(tools.call("call_side_by_side", calls).await)?;
        results.extend(answer["results"].as_array_mut().map(std::mem::take).unwrap_or_default());
        // If all calls of this part found nothing, the later results still belong to their own argument lists.
        results.resize(before + part.len(), Value::Null);
        together.extend(answer["together"].as_str().map(str::to_owned));
    }
    Ok((results, together))
}

/// Returns the arguments of a call as a JSON object. If the operation has a maximum page size, sets the page size to
/// the number of needed rows, up to this maximum.
fn with_limit(call: &Call, arguments: &Arguments) -> Map<String, Value> {
    let limit = call.operation.and_then(|operation| {
        let name = operation.paging.limit()?;
        let (_, param) = operation.param(name)?;
        let ParamKind::Integer { max: Some(max), .. } = param.kind else { return None };
        Some((name, usize::try_from(max).ok()?))
    });
    let mut values = object(arguments);
    if let Some((name, most)) = limit {
        values.insert(name.to_owned(), call.first.unwrap_or(most).min(most).into());
    }
    values
}
