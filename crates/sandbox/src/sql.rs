//! The SQL operations: the place where an engine goes.
//!
//! There is none yet. A query is answered with invented rows whatever it says, and a job is done
//! the moment it is asked for; what a job record says of itself is nevertheless consistent.

use crypto_intel_core::Operation;
use serde_json::{Value, json};

use crate::args::Args;
use crate::context::Context;
use crate::random::Seed;
use crate::refusal::Refusal;
use crate::world::{Data, Row};

/// Seconds for which a job is kept.
const KEPT: i64 = 86_400;
/// Rows of any result.
const ROWS: i64 = 10;

/// What the SQL operations answer; `None` for all others.
///
/// # Errors
/// 422 for SQL that does not only read.
pub(crate) fn data(ctx: &Context<'_>, args: &Args) -> Result<Option<Data>, Refusal> {
    let id = args.operation.id;
    if takes_sql(args.operation) {
        check_reads_only(args.text("sql").unwrap_or_default())?;
    }
    Ok(Some(match id {
        "onchain-sql" => Data::Rows(rows(ctx, args)),
        "onchain-sql-job-create" => Data::One(job(ctx, args, "queued")),
        "onchain-sql-job-get" => Data::One(job(ctx, args, "succeeded")),
        "onchain-sql-job-cancel" => Data::One(job(ctx, args, "succeeded")),
        "onchain-sql-job-results" => {
            let rows: Vec<_> = rows(ctx, args).into_iter().map(|row| row.given).collect();
            Data::One(Row::new(ctx.seed, ctx.now, json!({"data": rows})))
        }
        _ => return Ok(None),
    }))
}

fn takes_sql(operation: &Operation) -> bool {
    operation.param("sql").is_some()
}

fn check_reads_only(sql: &str) -> Result<(), Refusal> {
    let first = sql.trim_start().split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    if first.eq_ignore_ascii_case("select") || first.eq_ignore_ascii_case("with") {
        return Ok(());
    }
    Err(Refusal::unfit("`sql` must begin with SELECT or WITH"))
}

fn rows(ctx: &Context<'_>, args: &Args) -> Vec<Row> {
    let seed = ctx.seed.named("sql").named(args.text("sql").unwrap_or_default());
    (0..ROWS.min(args.integer("max_rows").unwrap_or(ROWS)))
        .map(|n| {
            Row::new(seed, ctx.now, json!({"n": n, "value": seed.at_time(n).range(1, 1_000_000)}))
        })
        .collect()
}

fn job(ctx: &Context<'_>, args: &Args, status: &str) -> Row {
    let sql = args.text("sql").unwrap_or("SELECT 1");
    let id = match args.text("job_id") {
        Some(id) => id.to_owned(),
        None => Seed::new(0).named("job").named(sql).uuid(),
    };
    let seed = ctx.seed.named("job").named(&id);
    let max_rows = args.integer("max_rows").unwrap_or(1_000);
    let is_done = status == "succeeded";
    let done = |value: Value| if is_done { value } else { Value::Null };
    let path = format!("/gateway/v1/onchain/sql/jobs/{id}");
    Row::new(seed, ctx.now, json!({
        "job_id": id, "query_id": seed.named("query").uuid(), "request_id": seed.named("request").uuid(),
        "status": status, "sql": sql, "executed_sql": format!("{sql} LIMIT {max_rows}"),
        "parameters": {}, "max_rows": max_rows, "created_at": ctx.now, "expires_at": ctx.now + KEPT,
        "started_at": done(ctx.now.into()), "finished_at": done(ctx.now.into()),
        "elapsed_ms": 0, "processed_rows": 0, "processed_bytes": 0,
        "row_count": done(ROWS.into()), "progress_percent": if is_done { 100.0 } else { 0.0 },
        "retryable": false, "cancellation_requested": false,
        "recommended_action": if is_done { "read_results" } else { "poll" },
        "poll_url": path, "result_url": done(format!("{path}/results").into()),
    }))
    .complete()
}
