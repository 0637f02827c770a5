//! Checks a SQL query before it runs. For example, a query must not read too many rows. A query on a large table must
//! set the first day that it reads, for example with `block_date >= today() - 7`.

use std::sync::Arc;

use crypto_intel_sql::{Breach, Control, Limits, Outcome, Parsed, Prepared, Problem};
use serde_json::{Value as Json, json};

use super::settings::Settings;
use super::tables::{self, Estimate};
use super::world::World;

/// A parsed SQL query, and the limits for running the query, such as the maximum number of result rows.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    pub(super) parsed: Parsed,
    /// SQL text of the query with its limits. For example, the text of `SELECT 7 AS n` is `SELECT 7 AS n LIMIT 1000
    /// SETTINGS max_execution_time = 300, max_rows_to_read = 2000000`. The field `executed_sql` of a response contains
    /// this text.
    pub(super) executed_sql: String,
    /// SQL text with uniform white space and without comments. Queries are equal if these texts are equal.
    pub(super) normalised: String,
    pub(super) limits: Limits,
}

impl Plan {
    /// Parses the query `sql`, and adds `limits` to the text of the query. For example, `SELECT 7 AS n` gets
    /// `LIMIT 1000` and settings such as `max_execution_time = 300`.
    ///
    /// # Errors
    /// Returns an error if `sql` is not exactly one SELECT or DESCRIBE statement.
    pub(super) fn read(sql: &str, limits: Limits) -> Result<Self, Problem> {
        let parsed = Parsed::read(sql)?;
        let settings = if parsed.has_settings() { "," } else { " SETTINGS" };
        let executed_sql = format!(
            "{}{settings} max_execution_time = {}, max_rows_to_read = {}",
            parsed.limited(limits.max_rows),
            limits.time.as_secs_f64(),
            limits.rows_to_read,
        );
        let normalised = parsed.normalised().to_owned();
        Ok(Plan { parsed, executed_sql, normalised, limits })
    }

    /// Resolves the names of tables and columns in the query.
    ///
    /// # Errors
    /// Returns an error if a table or column does not exist, or if the query is invalid.
    pub(super) fn prepare(&self, world: World) -> Result<Prepared, Problem> {
        Prepared::new(&self.parsed, Arc::new(world), world.now)
    }

    /// Resolves the names of tables and columns in the query, and runs the query.
    pub(super) fn run(&self, world: World, control: &Control) -> Result<Outcome, Problem> {
        self.prepare(world)?.run(&self.limits, control)
    }
}

/// Result of checking a query. It contains the estimated cost, the tables of the query, and the violated rules for
/// large tables. For example, a query violates a rule if it does not set the first day that it reads.
#[derive(Debug)]
pub(super) struct Outlook {
    pub(super) estimate: Estimate,
    by_table: Vec<Json>,
    tables: Vec<Json>,
    pub(super) breaches: Vec<Breach>,
    has_wildcard: bool,
}

impl Outlook {
    pub(super) fn new(prepared: &Prepared, world: World) -> Self {
        let mut outlook = Outlook {
            estimate: Estimate::default(),
            by_table: Vec::new(),
            tables: Vec::new(),
            breaches: prepared.breaches().to_vec(),
            has_wildcard: prepared.has_wildcard(),
        };
        for used in prepared.uses() {
            let Some(table) = tables::find(&used.name) else { continue };
            let estimate = table.estimate(used.span, world.now);
            outlook.estimate = outlook.estimate.plus(estimate);
            let mut shown = estimate.json();
            shown["database"] = "agent".into();
            shown["table"] = used.name.as_str().into();
            outlook.by_table.push(shown);
            outlook.tables.push(world.with(|ctx| table.described(ctx)));
        }
        outlook
    }

    /// Returns the result of checking the query `sql`, as a JSON object with the fields of the record `SqlPreflight`.
    /// The caller adds the fields `request_id` and `query_id`.
    fn record(&self, plan: &Plan, sql: &str, has_limit: bool) -> Json {
        let limits = &plan.limits;
        let mut warnings = Vec::new();
        let mut warn = |code: &str, message: String, advice: &str| {
            warnings.push(json!({
                "code": code, "message": message, "severity": "warning",
                "recommended_action": advice,
            }));
        };
        for breach in &self.breaches {
            warn(breach.code, breach.message.clone(), &breach.advice);
        }

        let too_much = self.estimate.rows > limits.rows_to_read;
        if too_much {
            let (rows, most) = (self.estimate.rows, limits.rows_to_read);
            let message = format!("the query reads about {rows} rows; the maximum is {most}");
            warn("TOO_MANY_ROWS", message, "use a shorter range of `block_date`");
        }

        if self.has_wildcard {
            let message = "`*` reads every column".to_owned();
            warn("SELECT_STAR", message, "select only the needed columns");
        }

        if !has_limit {
            let message = format!("without a LIMIT, only {} rows are returned", limits.max_rows);
            warn("NO_LIMIT", message, "add a LIMIT");
        }

        let mut estimate = self.estimate.json();
        estimate["by_table"] = json!(self.by_table);
        json!({
            "accepted": self.breaches.is_empty() && !too_much,
            "sql": sql, "executed_sql": plan.executed_sql,
            "budget": {
                "max_bytes_to_read": limits.rows_to_read.saturating_mul(400),
                "max_execution_time_seconds": limits.time.as_secs_f64(),
                "max_rows_to_read": limits.rows_to_read,
            },
            "estimate": estimate, "tables": self.tables, "warnings": warnings,
        })
    }
}

/// Checks a query without running it. Returns the JSON of the record `SqlPreflight`. The field `accepted` is false in
/// these cases:
/// - The query would read too many rows.
/// - The query reads a large table, and no condition such as `block_date >= '2026-05-01'` sets the first day to read.
/// - The query reads a large table, and would read too many days of this table.
///
/// # Errors
/// Returns an error if a table or column does not exist, or if the query is invalid.
pub(super) fn preflight(world: World, sql: &str, limits: Limits) -> Result<Json, Problem> {
    let plan = Plan::read(sql, limits)?;
    let outlook = Outlook::new(&plan.prepare(world)?, world);
    Ok(outlook.record(&plan, sql, plan.parsed.has_limit()))
}

/// Returns the limits of a query that returns at most `max_rows` rows.
pub(super) fn limits(settings: &Settings, max_rows: i64, is_job: bool) -> Limits {
    Limits {
        max_rows: usize::try_from(max_rows).unwrap_or(usize::MAX),
        rows_to_read: settings.rows_to_read,
        time: if is_job { settings.job_time } else { settings.window },
        pause: if is_job { settings.pace } else { std::time::Duration::ZERO },
        ..Limits::default()
    }
}
