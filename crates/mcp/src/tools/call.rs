//! The tool `call_operation`: calls one operation and reads its pages.
//!
//! The input is an operation, arguments, and the number of pages. The tool stores the rows of these pages as a
//! [`Stored`] result. The output is the part of the stored result that an agent sees, and the cost of the call.

use crypto_intel::catalogue::{Answer, Operation, Paging, Param};
use crypto_intel::credits::Estimate;
use crypto_intel::paging::Page;
use crypto_intel::{
    Completeness, CompletenessState, DynamicAnswer, DynamicRequest, Method, ResumeToken, Row,
    extend::Paged as _,
};
use crypto_intel_core::private::OrderedFields;
use rmcp::model::Tool;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::shown_result::{self, Shown, View};
use super::{Effect, resolve, service_output, text};
use crate::allowed_operations;
use crate::caller::Caller;
use crate::jq;
use crate::json::{Json, json_from_text, to_json};
use crate::operation_search;
use crate::problem::Problem;
use crate::result_store::Stored;
use crate::session::Session;

pub(super) const NAME: &str = "call_operation";

pub(super) fn tool() -> Tool {
    super::tool(
        NAME,
        "Call one operation. `service_data` has the rows as {columns, rows}, cut to `max_tokens` (default 1200); values equal in all rows are only in `same_in_all_rows`; get columns in `left_out` (pictures, links) with jq; read_result with `handle` returns more rows. Prefer `jq` to get just the figures you need, e.g. `map(select(.volume>1e6)|.symbol)`; functions that skip missing values: sum(f), mean(f), median(f), stdev(f), top(n;f), count_by(f). `dry_run` shows price and request, sends nothing.",
        json!({
            "type": "object",
            "properties": {
                "operation": {"type": "string", "description": "or `resolve`, which finds identifiers by {name, kind}"},
                "arguments": {"type": "object"},
                "jq": {"type": "string", "description": "jq program over the list of rows"},
                "pages": {"type": "integer", "default": 1, "description": "each page costs the price"},
                "dry_run": {"type": "boolean"},
                "max_credits": {"type": "integer"},
                "max_tokens": {"type": "integer"}
            },
            "required": ["operation"]
        }),
        service_output(),
        Effect::Reads,
    )
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CallArguments {
    pub(super) operation: String,
    #[serde(default, deserialize_with = "super::object_or_text")]
    pub(super) arguments: Map<String, Value>,
    pub(super) jq: Option<String>,
    pub(super) pages: Option<u64>,
    #[serde(default)]
    pub(super) dry_run: bool,
    pub(super) max_credits: Option<u64>,
    pub(super) max_tokens: Option<usize>,
}

pub(super) async fn run(
    session: &Session,
    arguments: CallArguments,
    caller: &Caller,
) -> Result<String, Problem> {
    if arguments.operation == resolve::NAME {
        let CallArguments { arguments, dry_run, max_credits, .. } = arguments;
        return resolve::run(session, arguments, dry_run, max_credits, caller).await;
    }
    let operation = operation_search::operation(&arguments.operation)?;
    if operation.method != Method::GET {
        return Err(wrong_tool(operation));
    }
    run_any(session, operation, arguments, caller).await
}

/// Creates the error for an operation that needs another tool, because the response of the operation is a stream, or
/// because its HTTP method is not GET. The MCP annotations of `call_operation` promise that no call changes data of the
/// service.
pub(super) fn wrong_tool(operation: &Operation) -> Problem {
    let next = match operation_search::domain(operation).as_str() {
        "chat" => "use the tool `ask`".to_owned(),
        _ => format!(
            "to run a query, use the tool `sql`; to call this operation itself, ask the user to start the server with `--tools {}`",
            operation.id
        ),
    };
    let reason = match operation.answer {
        Answer::Stream => "returns a stream, which this tool does not read".to_owned(),
        _ => {
            format!("is a {} operation, and this tool calls only GET operations", operation.method)
        }
    };
    Problem::arguments(format!("`{}` {reason}", operation.id)).next(next)
}

/// Calls any operation that returns JSON or bytes. Returns an error for an operation that streams its response.
pub(super) async fn run_any(
    session: &Session,
    operation: &'static Operation,
    arguments: CallArguments,
    caller: &Caller,
) -> Result<String, Problem> {
    if matches!(operation.answer, Answer::Stream) {
        return Err(wrong_tool(operation));
    }
    let planned = plan(session, operation, &arguments)?;
    jq::check(session, arguments.jq.as_deref()).await?;
    if arguments.dry_run {
        return text(&planned.dry_run(session)?);
    }

    session.allow(planned.price, arguments.max_credits, caller).await?;
    let tokens = session.tokens(arguments.max_tokens);
    let view = View { tokens, jq: arguments.jq.as_deref(), ..View::default() };
    text(&planned.send(session, view, caller).await?)
}

/// A validated call that is not sent yet.
pub(super) struct Planned {
    request: DynamicRequest,
    pages: u64,
    pub(super) price: Estimate,
}

/// Validates the arguments of a call with the catalogue, and estimates the price of the call. Sends no request.
pub(super) fn plan(
    session: &Session,
    operation: &'static Operation,
    arguments: &CallArguments,
) -> Result<Planned, Problem> {
    allowed_operations::check(&session.settings, operation)?;
    let mut request = session.client.request(operation.id)?;
    for (name, value) in &arguments.arguments {
        if !value.is_null() {
            request = set(request, operation, name, value)?;
        }
    }
    // Checks bounds, required parameters and rules before a request is sent.
    request.call().parts()?;

    let pages = arguments.pages.unwrap_or(1).max(1);
    if pages > 1 && operation.paging == Paging::None {
        return Err(Problem::arguments(format!("`{}` has a single page", operation.id))
            .next("leave `pages` out"));
    }
    let price = session.client.estimate(&request).times(pages);
    Ok(Planned { request, pages, price })
}

/// Sets the parameter `name` of the request to a JSON value of any type.
fn set(
    request: DynamicRequest,
    operation: &Operation,
    name: &str,
    value: &Value,
) -> Result<DynamicRequest, Problem> {
    use crypto_intel::catalogue::ParamKind;

    let is_json =
        operation.param(name).is_some_and(|(_, param)| matches!(param.kind, ParamKind::Json(_)));
    let text = match value {
        _ if is_json => value.to_string(),
        Value::String(text) => known_spelling(operation, name, text),
        Value::Array(items) => {
            let plain =
                |item: &Value| item.as_str().map_or_else(|| item.to_string(), str::to_owned);
            items.iter().map(plain).collect::<Vec<_>>().join(",")
        }
        other => other.to_string(),
    };
    Ok(request.with_text(name, &text)?)
}

/// Corrects upper and lower case in an enum argument. If a known value of the parameter differs from `text` only in
/// case, returns the known value. Returns `text` in all other cases.
fn known_spelling(operation: &Operation, name: &str, text: &str) -> String {
    use crypto_intel::catalogue::ParamKind;

    let Some((_, Param { kind: ParamKind::Enum(known), .. })) = operation.param(name) else {
        return text.to_owned();
    };
    let exact = known.iter().find(|known| **known == text);
    let known = exact.or_else(|| known.iter().find(|known| known.eq_ignore_ascii_case(text)));
    known.map_or_else(|| text.to_owned(), |known| (*known).to_owned())
}

impl Planned {
    fn dry_run(&self, session: &Session) -> Result<Value, Problem> {
        let parts = self.request.call().parts()?;
        let mut answer = json!({
            "request": format!("{} {}", parts.method, parts.target),
            "list_price": self.price.credits().map(|most| most.0),
            "left": session.left(),
        });
        if let Some(least) = self.price.least().filter(|least| Some(*least) != self.price.credits())
        {
            answer["perhaps_only"] = least.0.into();
        }
        Ok(answer)
    }

    /// Sends the call and stores its result.
    pub(super) async fn send(
        self,
        session: &Session,
        view: View<'_>,
        caller: &Caller,
    ) -> Result<Shown, Problem> {
        let price = self.price;
        let (result, charged) = read(self.request, self.pages, caller).await?;
        shown_result::keep_and_show(session, result, view, session.cost(price, charged)).await
    }
}

/// Requests up to `pages` pages. Returns the rows of all pages, and the number of credits that the service reported.
async fn read(
    request: DynamicRequest,
    pages: u64,
    caller: &Caller,
) -> Result<(Stored, Option<i64>), Problem> {
    let source = request.operation().id;
    let Some(pager) = request.clone().pager() else { return read_single(request).await };

    let mut stream = pager.max_pages(pages).pages();
    let mut result = Stored::new(source, Vec::new(), true);
    let (mut all, mut charged, mut read) = (Vec::new(), None, 0);
    loop {
        match stream.try_next().await {
            Ok(Some(page)) => {
                read += 1;
                charged = sum(charged, page.reply.credits_used());
                result.completeness = state(&page);
                result.meta = meta(&page.reply);
                let further = page.resume;
                let (rows, is_list) = rows_of(page.reply.into_inner());
                result.is_list = is_list || read > 1;
                all.extend(rows);
                result.further = further.map(|token| (request.clone(), token));

                caller
                    .report_progress(
                        read,
                        Some(pages),
                        format!("page {read}: {} rows so far", all.len()),
                    )
                    .await;
            }
            Ok(None) => break,
            // The caller has paid for the earlier pages, so the result contains their rows and the error.
            Err(error) if read > 0 => {
                result.completeness = result.completeness.after_error(&error);
                result.failure = Some(Problem::from(error).json());
                break;
            }
            Err(error) => return Err(error.into()),
        }
    }
    result.rows = std::sync::Arc::new(all);
    Ok((result, charged))
}

/// Sends a request of an operation without pages. Returns the rows of the response, and the number of credits that the
/// service reported.
async fn read_single(request: DynamicRequest) -> Result<(Stored, Option<i64>), Problem> {
    let operation = request.operation();
    if matches!(operation.answer, Answer::Bytes | Answer::Empty) {
        return plain(request).await;
    }

    let call = request.call().clone();
    let reply = request.await?;
    let charged = reply.credits_used();
    let completeness = Completeness::of_answer(&call, &reply.position(), reply.rows().len());
    let (beside, meta) = (other_fields(&reply), meta(&reply));
    let (rows, is_list) = rows_of(reply.into_inner());
    let result = Stored::new(operation.id, rows, is_list);
    Ok((Stored { beside, meta, completeness, ..result }, charged))
}

/// Returns the completeness of a list after `page` was read.
fn state(page: &Page<DynamicAnswer>) -> Completeness {
    let rows = page.reply.rows().len();
    let mut completeness = Completeness::of_page(&page.reply.position(), rows);
    completeness.state = match page.resume {
        Some(_) => CompletenessState::MoreAvailable,
        None => CompletenessState::Complete,
    };
    completeness
}

/// Requests the next page of a list. `token` is the resume token of this page.
pub(super) async fn next_page(
    request: DynamicRequest,
    token: ResumeToken,
) -> Result<NextPage, Problem> {
    let again = request.clone();
    let Some(pager) = request.pager() else {
        return Err(Problem::internal("this operation has no pages, so it has no next page"));
    };
    let mut pages = pager.resume_from(token).max_pages(1).pages();
    let Some(page) = pages.try_next().await? else {
        let completeness = Completeness::new(CompletenessState::Complete);
        return Ok(NextPage { rows: Vec::new(), further: None, completeness, charged: None });
    };

    let completeness = state(&page);
    let further = page.resume.map(|token| (again, token));
    let charged = page.reply.credits_used();
    let (rows, _) = rows_of(page.reply.into_inner());
    Ok(NextPage { rows, further, completeness, charged })
}

/// Next page of a list.
pub(super) struct NextPage {
    pub(super) rows: Vec<Json>,
    pub(super) further: Option<(DynamicRequest, ResumeToken)>,
    pub(super) completeness: Completeness,
    pub(super) charged: Option<i64>,
}

/// Sends a request of an operation that does not return JSON. Returns the response as one text.
async fn plain(request: DynamicRequest) -> Result<(Stored, Option<i64>), Problem> {
    let source = request.operation().id;
    let body = request.call().clone().send_raw().await?.body;
    let text = String::from_utf8_lossy(&body);
    Ok((Stored::new(source, vec![to_json(&text)], false), None))
}

/// Returns all fields of a response except the rows, the metadata, the pagination and `$schema`. Returns `None` if no
/// field remains, if the response is not a JSON object, or if the whole response is one row.
fn other_fields(answer: &DynamicAnswer) -> Option<Json> {
    let whole = serde_json::to_string(answer).ok()?;
    let is_whole = answer.rows().first().is_some_and(|row| row.get() == whole);
    if is_whole || !whole.starts_with('{') {
        return None;
    }

    const LEFT_OUT: &[&str] = &["meta", "pagination", "$schema"];
    // The field with the rows comes first.
    let OrderedFields::<&RawValue>(members) = serde_json::from_str(&whole).ok()?;
    let told: Vec<_> = members
        .iter()
        .skip(1)
        .filter(|(name, _)| !LEFT_OUT.contains(&name.as_str()))
        .map(|(name, value)| format!("{}:{}", to_json(name).get(), value.get()))
        .collect();
    (!told.is_empty()).then(|| json_from_text(format!("{{{}}}", told.join(","))))
}

/// Returns the fields of `meta` that explain the rows: `cached`, `empty_reason` and `watermark`. Fields with the value
/// `false` or `null` are omitted. The tool result has other fields for credits and totals.
fn meta(answer: &DynamicAnswer) -> Option<Json> {
    const NAMES: &[&str] = &["cached", "empty_reason", "watermark"];
    let whole = serde_json::to_string(answer).ok()?;
    let OrderedFields::<&RawValue>(members) = serde_json::from_str(&whole).ok()?;
    let (_, meta) = members.iter().find(|(name, _)| name == "meta")?;
    let OrderedFields::<&RawValue>(members) = serde_json::from_str(meta.get()).ok()?;
    let told: Vec<_> = members
        .iter()
        .filter(|(name, _)| NAMES.contains(&name.as_str()))
        .filter(|(_, value)| !["null", "false"].contains(&value.get()))
        .map(|(name, value)| format!("{}:{}", to_json(name).get(), value.get()))
        .collect();
    (!told.is_empty()).then(|| json_from_text(format!("{{{}}}", told.join(","))))
}

fn rows_of(answer: DynamicAnswer) -> (Vec<Json>, bool) {
    let is_list = answer.is_list();
    let json = |row: Row| json_from_text(row.get().to_owned());
    (answer.into_rows().into_iter().map(json).collect(), is_list)
}

/// Returns the sum of two numbers of reported credits. A missing number counts as 0. Returns `None` if both numbers are
/// missing.
pub(super) fn sum(one: Option<i64>, other: Option<i64>) -> Option<i64> {
    match (one, other) {
        (None, None) => None,
        (one, other) => Some(one.unwrap_or_default() + other.unwrap_or_default()),
    }
}
