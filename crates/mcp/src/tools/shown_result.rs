//! Builds the part of a stored result that an agent sees. If the call contains a jq program, this part is the output of
//! the program. The part is truncated to the token budget.

use crypto_intel::CompletenessState;
use serde::Serialize;
use serde_json::Value;

use super::of_outputs;
use crate::compact::Fields;
use crate::jq;
use crate::json::Json;
use crate::problem::Problem;
use crate::result_store::Stored;
use crate::session::{Cost, Session};
use crate::truncate;

/// Options that select the part of a result that an agent sees.
#[derive(Debug, Default)]
pub(super) struct View<'a> {
    /// Index of the first row that the agent sees, counted from 0.
    pub(super) from: usize,
    /// Maximum number of rows that the agent sees.
    pub(super) limit: Option<usize>,
    pub(super) jq: Option<&'a str>,
    pub(super) tokens: usize,
}

/// Result of a tool as an agent sees it.
#[derive(Debug, Serialize)]
pub(super) struct Shown {
    handle: String,
    /// Number of stored rows, including rows that the jq program removes. `None` if the result is a single value.
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<usize>,
    service_data: Json,
    /// Fields of the response that are not rows, such as a summary.
    #[serde(skip_serializing_if = "Option::is_none")]
    service_data_beside: Option<Json>,
    /// Metadata of the response: `empty_reason`, `watermark` and `cached`.
    #[serde(skip_serializing_if = "Option::is_none")]
    service_data_meta: Option<Json>,
    /// Information about a stored result that may lack rows, such as the state `cut_at_limit`. `None` if the stored
    /// result is complete.
    #[serde(skip_serializing_if = "Option::is_none")]
    incomplete: Option<Incomplete>,
    /// Instructions to the agent for reading the omitted rows and the omitted parts of texts.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) credits: Option<Cost>,
}

impl Shown {
    pub(super) fn handle(&self) -> &str {
        &self.handle
    }
}

/// Information for the agent about a stored result that may lack rows. For example, `state` is `more_available` if the
/// service may have more rows than the tool has read.
#[derive(Debug, Serialize)]
struct Incomplete {
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<u64>,
    /// Error that prevented the tool from reading further pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<&'static str>,
}

impl Incomplete {
    fn of_result(result: &Stored) -> Option<Self> {
        if result.completeness.is_complete() {
            return None;
        }
        let next = match (&result.further, result.source) {
            (Some(_), _) => Some("read_result next_page"),
            (None, "sql") => Some(
                "raise max_rows (at most 10000), or sort by a key column and query the rows whose key is greater than the last row's key",
            ),
            (None, _) if result.completeness.state == CompletenessState::CutAtLimit => {
                Some("raise limit")
            }
            (None, _) => None,
        };
        Some(Incomplete {
            state: result.completeness.state.as_str(),
            total: result.completeness.total,
            problem: result.failure.clone(),
            next,
        })
    }
}

/// Builds the part of a stored result that an agent sees.
pub(super) async fn show(
    session: &Session,
    handle: &str,
    result: &Stored,
    view: View<'_>,
) -> Result<Shown, Problem> {
    let rows = result.is_list.then_some(result.rows.len());
    let (values, is_list) = match view.jq {
        Some(program) => of_outputs(jq::run(session, program, result).await?),
        None => (result.rows.to_vec(), result.is_list),
    };

    let fields = if view.jq.is_some() { Fields::All } else { Fields::Informative };
    let (service_data, next, shortened) = if is_list {
        list(&values, fields, &view)
    } else {
        let whole = values.first().cloned().unwrap_or_default();
        let (one, shortened) = truncate::single_value(&whole, fields, view.tokens);
        (one, None, shortened)
    };
    let shorter = shortened.then_some("shortened: select fields with read_result and jq");
    let next: Vec<&str> = next.as_deref().into_iter().chain(shorter).collect();
    // Other fields than the rows are shown with the first rows, and not again with further rows or with the outputs of
    // a jq program.
    let beside = result.beside.as_ref().filter(|_| view.from == 0 && view.jq.is_none());
    let beside =
        beside.map(|beside| truncate::single_value(beside, Fields::Informative, view.tokens / 4).0);
    // A filtered result shows metadata only if it has no rows, because the metadata contain the reason.
    let shows_meta = view.from == 0 && (view.jq.is_none() || result.rows.is_empty());
    let meta = result.meta.clone().filter(|_| shows_meta);

    Ok(Shown {
        handle: handle.to_owned(),
        rows,
        service_data,
        service_data_beside: beside,
        service_data_meta: meta,
        incomplete: Incomplete::of_result(result),
        next: (!next.is_empty()).then(|| next.join("; ")),
        credits: None,
    })
}

fn list(values: &[Json], fields: Fields, view: &View<'_>) -> (Json, Option<String>, bool) {
    let from = view.from.min(values.len());
    let end = view.limit.map_or(values.len(), |limit| from.saturating_add(limit).min(values.len()));
    let cut = truncate::rows(&values[from..end], fields, view.tokens);

    let shown = from + cut.next.unwrap_or(end - from);
    let next = (shown < values.len()).then(|| {
        let program = if view.jq.is_some() { " and the same jq" } else { "" };
        format!("read_result from {shown}{program}")
    });
    (cut.json, next, cut.shortened)
}

/// Stores a result, and builds the part that an agent sees.
pub(super) async fn keep_and_show(
    session: &Session,
    result: Stored,
    view: View<'_>,
    cost: Cost,
) -> Result<Shown, Problem> {
    let handle = session.store.keep(result.clone());
    match show(session, &handle, &result, view).await {
        Ok(mut shown) => {
            shown.credits = Some(cost);
            Ok(shown)
        }
        // The result stays stored after an error in the filter, because its credits are already spent.
        Err(problem) => Err(problem.with_stored_result(&handle)),
    }
}
