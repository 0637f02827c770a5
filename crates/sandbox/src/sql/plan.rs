//! What is settled about a query before it runs: that it may, under which limits, and what it
//! will read.

use serde_json::{Value as Json, json};
use sqlparser::ast::{Expr, LimitClause, Value};

use super::compile::{Breach, Compiled};
use super::parse::{Parsed, parse};
use super::problem::Problem;
use super::run::{Limits, Run, World};
use super::settings::Settings;
use super::tables::Estimate;

/// A query with the service's limits.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    pub(super) parsed: Parsed,
    /// As it runs.
    pub(super) executed_sql: String,
    /// In one spelling.
    pub(super) normalised: String,
    pub(super) limits: Limits,
}

impl Plan {
    /// Reads `sql` and adds the limits.
    ///
    /// # Errors
    /// For anything but one SELECT.
    pub(super) fn read(sql: &str, limits: Limits) -> Result<Self, Problem> {
        let mut parsed = parse(sql)?;
        let normalised = parsed.normalised();
        limit(&mut parsed, limits.max_rows);
        let executed_sql = format!(
            "{} SETTINGS max_execution_time = {}, max_rows_to_read = {}",
            parsed.normalised(),
            limits.time.as_secs_f64(),
            limits.rows_to_read,
        );
        Ok(Plan { parsed, executed_sql, normalised, limits })
    }
}

/// Lowers the limit of a query, or gives it one.
fn limit(parsed: &mut Parsed, most: usize) {
    let wanted = Expr::value(Value::Number(most.to_string(), false));
    let lower = |limit: &mut Option<Expr>| {
        let is_lower = match limit {
            Some(Expr::Value(value)) => match &value.value {
                Value::Number(text, _) => text.parse::<usize>().is_ok_and(|limit| limit <= most),
                _ => false,
            },
            _ => false,
        };
        // Another expression is not known yet; the rows are counted as they come.
        if !is_lower && !matches!(limit, Some(other) if !matches!(other, Expr::Value(_))) {
            *limit = Some(wanted.clone());
        }
    };

    match &mut parsed.query.limit_clause {
        Some(LimitClause::LimitOffset { limit_by, .. }) if !limit_by.is_empty() => {
            lower(&mut parsed.limit);
        }
        Some(LimitClause::LimitOffset { limit, .. }) => lower(limit),
        Some(LimitClause::OffsetCommaLimit { limit, .. }) => {
            let mut one = Some(limit.clone());
            lower(&mut one);
            if let Some(one) = one {
                *limit = one;
            }
        }
        None => {
            let mut limit = None;
            lower(&mut limit);
            parsed.query.limit_clause =
                Some(LimitClause::LimitOffset { limit, offset: None, limit_by: Vec::new() });
        }
    }
}

/// What is known of a query that has been compiled.
#[derive(Debug)]
pub(super) struct Outlook {
    pub(super) estimate: Estimate,
    by_table: Vec<Json>,
    tables: Vec<Json>,
    pub(super) breaches: Vec<Breach>,
    has_wildcard: bool,
}

impl Outlook {
    pub(super) fn of(compiled: &Compiled, now: i64) -> Self {
        let mut outlook = Outlook {
            estimate: Estimate::default(),
            by_table: Vec::new(),
            tables: Vec::new(),
            breaches: compiled.breaches.clone(),
            has_wildcard: compiled.has_wildcard,
        };
        for used in &compiled.uses {
            let estimate = used.table.estimate(used.span(), now);
            outlook.estimate = outlook.estimate.plus(estimate);
            let mut shown = estimate.json();
            shown["database"] = "agent".into();
            shown["table"] = used.table.name.as_str().into();
            outlook.by_table.push(shown);
            outlook.tables.push(used.table.described(now));
        }
        outlook
    }

    /// The `SqlPreflight` record but for what names the request.
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
            let message = format!("the query reads about {rows} rows, and {most} is the most");
            warn("TOO_MANY_ROWS", message, "narrow the window on `block_date`");
        }

        if self.has_wildcard {
            let message = "`*` reads every column".to_owned();
            warn("SELECT_STAR", message, "name the columns that are needed");
        }

        if !has_limit {
            let message = format!("without a LIMIT, rows past {} are cut off", limits.max_rows);
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

/// Checks a query without running it.
///
/// # Errors
/// For a query that would not be run for what it says; one that only breaks a rule of the service
/// is answered, with `accepted` false.
pub(super) fn preflight(
    run: &Run,
    world: World,
    sql: &str,
    limits: Limits,
) -> Result<Json, Problem> {
    let asked = parse(sql)?;
    let has_limit = asked.limit.is_some() || asked.query.limit_clause.is_some();
    let plan = Plan::read(sql, limits)?;
    let compiled = run.compile(&plan.parsed)?;
    Ok(Outlook::of(&compiled, world.now).record(&plan, sql, has_limit))
}

/// Limits of a query that gives `max_rows` at most.
pub(super) fn limits(settings: &Settings, max_rows: i64, is_job: bool) -> Limits {
    Limits {
        max_rows: usize::try_from(max_rows).unwrap_or(usize::MAX),
        rows_to_read: settings.rows_to_read,
        time: if is_job { settings.job_time } else { settings.window },
        pause: if is_job { settings.pace } else { std::time::Duration::ZERO },
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn every_query_ends_in_a_limit() {
        let limits = Limits {
            max_rows: 100,
            rows_to_read: 9,
            time: Duration::from_secs(30),
            pause: Duration::ZERO,
        };

        for (sql, expected) in [
            ("SELECT 1", "SELECT 1 LIMIT 100"),
            ("SELECT 1 LIMIT 5;", "SELECT 1 LIMIT 5"),
            ("SELECT 1 LIMIT 500 OFFSET 3 -- end", "SELECT 1 LIMIT 100 OFFSET 3"),
            ("SELECT 1 LIMIT 3, 500", "SELECT 1 LIMIT 3, 100"),
            ("SELECT 1 OFFSET 2", "SELECT 1 LIMIT 100 OFFSET 2"),
            ("SELECT 1 AS a LIMIT 2 BY a", "SELECT 1 AS a LIMIT 2 BY a LIMIT 100"),
            ("SELECT 1 AS a LIMIT 2 BY a LIMIT 7", "SELECT 1 AS a LIMIT 2 BY a LIMIT 7"),
        ] {
            let plan = Plan::read(sql, limits).unwrap();
            let settings = " SETTINGS max_execution_time = 30, max_rows_to_read = 9";
            assert_eq!(plan.executed_sql.strip_suffix(settings), Some(expected), "{sql}");
        }
    }
}
