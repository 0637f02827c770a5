//! An answer of the service as a result: kept under a handle, filtered, cut to the budget.

use std::sync::Arc;

use serde::Serialize;

use super::of_outputs;
use crate::jq;
use crate::problem::Problem;
use crate::result_store::Stored;
use crate::session::{Cost, Session};
use crate::truncate::{self, Json};

/// How a result is shown.
#[derive(Debug, Default)]
pub(super) struct View<'a> {
    /// Index of the first row.
    pub(super) from: usize,
    /// Rows at most.
    pub(super) limit: Option<usize>,
    pub(super) jq: Option<&'a str>,
    pub(super) tokens: usize,
}

/// A result as a tool answers with it.
#[derive(Debug, Serialize)]
pub(super) struct Shown {
    handle: String,
    /// Rows that the result has, before a filter; absent for one value.
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<usize>,
    service_data: Json,
    /// What the answer says beside its rows; from outside as well.
    #[serde(skip_serializing_if = "Option::is_none")]
    service_data_beside: Option<Json>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    shortened: bool,
    /// How to see what is not here.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) credits: Option<Cost>,
}

/// Shows a stored result.
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

    let (service_data, next, shortened) = if is_list {
        list(handle, &values, &view)
    } else {
        let whole = values.first().cloned().unwrap_or_default();
        let (one, shortened) = truncate::one(&whole, view.tokens);
        (one, None, shortened)
    };
    let shorter = shortened.then(|| {
        format!("too large for one answer; pick members with read_result {{\"handle\":\"{handle}\",\"jq\":…}}")
    });
    let page = result.further.as_ref().filter(|_| next.is_none() && view.jq.is_none()).map(|_| {
        format!("the list goes on: read_result {{\"handle\":\"{handle}\",\"next_page\":true}} asks for the next page, which costs")
    });
    // Once is enough: reading on and filters look at the rows.
    let beside = result.beside.as_ref().filter(|_| view.from == 0 && view.jq.is_none());
    let beside = beside.map(|beside| truncate::one(beside, view.tokens / 4).0);
    Ok(Shown {
        handle: handle.to_owned(),
        rows,
        service_data,
        service_data_beside: beside,
        shortened,
        next: next.or(shorter).or(page),
        credits: None,
    })
}

fn list(handle: &str, values: &[Json], view: &View<'_>) -> (Json, Option<String>, bool) {
    let from = view.from.min(values.len());
    let end = view.limit.map_or(values.len(), |limit| from.saturating_add(limit).min(values.len()));
    let cut = truncate::rows(&values[from..end], view.tokens);

    let shown = from + cut.next.unwrap_or(end - from);
    let next = (shown < values.len()).then(|| {
        let program = if view.jq.is_some() { ",\"jq\":…the same" } else { "" };
        format!(
            "rows {from}–{} of {} shown; free: read_result {{\"handle\":\"{handle}\",\"from\":{shown}{program}}}, or filter with jq",
            shown.saturating_sub(1),
            values.len()
        )
    });
    (cut.json, next, cut.shortened)
}

/// Keeps a result and shows it.
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
        // What was paid for is not lost by a slip in a filter.
        Err(problem) => Err(problem.kept(&handle)),
    }
}

/// A result of rows.
pub(super) fn stored(source: &'static str, rows: Vec<Json>, is_list: bool) -> Stored {
    Stored { source, rows: Arc::new(rows), is_list, beside: None, further: None }
}
