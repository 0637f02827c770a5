//! The tool `sql`: runs or checks a query over on-chain data.
//!
//! The output is the rows of the query, or the result of the check. A long query runs as a job of the service. The tool
//! waits for the end of the job.

use crypto_intel::Request;
use crypto_intel::sql::{Outcome, Table};
use rmcp::model::Tool;
use serde::Deserialize;
use serde_json::json;

use super::shown_result::{self, View};
use super::{Effect, service_output, text};
use crate::caller::Caller;
use crate::jq;
use crate::json::{Json, json_from_text, to_json};
use crate::problem::Problem;
use crate::result_store::Stored;
use crate::result_tables;
use crate::session::Session;

pub(super) const NAME: &str = "sql";

pub(super) fn tool() -> Tool {
    super::tool(
        NAME,
        "Read-only SQL (ClickHouse dialect) over on-chain tables `agent.<table>`; large tables need a lower bound on `block_date`. For tables and columns, call `onchain-schema` with jq. Long queries run as jobs, and the tool waits for them. `preflight` checks the query without running it. With `over_results`, the tables are stored results (`SELECT … FROM r1 JOIN r2 ON …`): free.",
        json!({
            "type": "object",
            "properties": {
                "query": {"type": "string"},
                "max_rows": {"type": "integer", "description": "at most 10000; default 1000"},
                "jq": {"type": "string"},
                "preflight": {"type": "boolean"},
                "over_results": {"type": "boolean"},
                "max_credits": {"type": "integer"},
                "max_tokens": {"type": "integer"}
            },
            "required": ["query"]
        }),
        service_output(),
        Effect::Reads,
    )
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SqlArguments {
    query: String,
    max_rows: Option<i64>,
    jq: Option<String>,
    #[serde(default)]
    preflight: bool,
    #[serde(default)]
    over_results: bool,
    max_credits: Option<u64>,
    max_tokens: Option<usize>,
}

pub(super) async fn run(
    session: &Session,
    arguments: SqlArguments,
    caller: &Caller,
) -> Result<String, Problem> {
    jq::check(session, arguments.jq.as_deref()).await?;
    let tokens = session.tokens(arguments.max_tokens);
    let view = View { tokens, jq: arguments.jq.as_deref(), ..View::default() };
    if arguments.over_results {
        let result = result_tables::query(&session.store, &arguments.query, NAME).await?;
        let handle = session.store.keep(result.clone());
        return text(&shown_result::show(session, &handle, &result, view).await?);
    }

    let client = &session.client;
    let price = if arguments.preflight {
        client.estimate(&client.onchain_sql_preflight(&*arguments.query))
    } else {
        client.estimate(&client.onchain_sql(&*arguments.query))
    };
    session.allow(price, arguments.max_credits, caller).await?;

    let mut sql = client.sql(&*arguments.query);
    if let Some(max_rows) = arguments.max_rows {
        sql = sql.max_rows(max_rows);
    }
    if arguments.preflight {
        let call = client.onchain_sql_preflight(&*arguments.query).into_call();
        let reply: crypto_intel::Reply<crypto_intel::DynamicAnswer> = call.send().await?;
        let charged = reply.credits_used();
        let rows = reply
            .into_inner()
            .into_rows()
            .into_iter()
            .map(|row| json_from_text(row.get().to_owned()));
        let result = Stored::new(NAME, rows.collect(), false);
        let cost = session.cost(price, charged);
        return text(&shown_result::keep_and_show(session, result, view, cost).await?);
    }

    let (table, charged) = table(sql, caller).await?;
    let completeness = table.completeness();
    let result = Stored { completeness, ..Stored::new(NAME, rows(&table), true) };
    text(&shown_result::keep_and_show(session, result, view, session.cost(price, charged)).await?)
}

/// Runs the query, and returns the rows and the reported credits. If the service responds that the query takes too
/// long, the query runs as a job instead. If the caller cancels the tool call, the job is cancelled too.
async fn table(
    sql: crypto_intel::sql::Sql,
    caller: &Caller,
) -> Result<(Table, Option<i64>), Problem> {
    let mut job = match sql.run_or_submit().await? {
        Outcome::Done(reply) => {
            let charged = reply.credits_used();
            return Ok((reply.into_inner(), charged));
        }
        Outcome::Job(job) => job.cancel_on_drop(true),
    };

    let mut states = job.progress();
    let mut looked = 0;
    while let Some(state) = states.try_next().await? {
        looked += 1;
        caller
            .report_progress(looked, None, format!("the query runs as a job: {}", state.status))
            .await;
    }
    drop(states);
    let charged = job.credits_used();
    Ok((job.table().await?.into_inner(), charged))
}

/// Converts the rows of a query to JSON objects. Numbers keep the digits that the service sent.
fn rows(table: &Table) -> Vec<Json> {
    let names: Vec<_> = table.columns().iter().map(to_json).collect();
    let object = |cells: &Vec<Json>| {
        let members: Vec<_> = names
            .iter()
            .zip(cells)
            .map(|(name, cell)| format!("{}:{}", name.get(), cell.get()))
            .collect();
        json_from_text(format!("{{{}}}", members.join(",")))
    };
    table.cells().iter().map(object).collect()
}
