//! A resolved query, and information about it that is available before it runs.
//!
//! The input is a parsed query and a database. The output is the result columns, the tables that the query reads, and
//! an estimate of the rows to read. [`Prepared::run`] returns the result.

use std::sync::Arc;

use super::{Names, Resolver};
use crate::ast::From;
use crate::outcome::Outcome;
use crate::parse::{Parsed, Statement};
use crate::problem::{Problem, Result};
use crate::run::plan::{Body, Plan};
use crate::running::{Control, Limits, Running};
use crate::table::{Database, Span, Table};
use crate::types::Type;
use crate::value::Value;

/// One use of a table in a query. If a query reads a table twice, there are two uses.
#[derive(Clone)]
pub struct Use {
    /// Name of the table without the name of the database.
    pub name: String,
    /// The table that the query reads.
    pub table: Arc<dyn Table>,
    /// First and last day of the rows that the query reads from the table.
    pub span: Span,
}

impl std::fmt::Debug for Use {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Use").field("name", &self.name).field("span", &self.span).finish()
    }
}

/// Violation of a rule about tables. For example, a table requires a lower bound on its date column, but the query does
/// not contain a condition such as `block_date >= '2026-05-01'`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Breach {
    /// Stable code of the violated rule, for example `MISSING_BLOCK_DATE_BOUND`.
    pub code: &'static str,
    /// Message for the user that describes the violated rule, for example that a table needs a lower bound on
    /// `block_date`.
    pub message: String,
    /// Advice on how to change the query.
    pub advice: String,
}

impl Breach {
    /// Returns an error with the message and the advice of this violation. If a query violates several rules,
    /// [`Prepared::run`] returns the error of the first violation.
    #[must_use]
    pub fn problem(&self) -> Problem {
        Problem::Text(format!("{}; {}", self.message, self.advice))
    }
}

/// A query that is ready to run: its names are resolved and its types are known.
pub struct Prepared {
    plan: Plan,
    uses: Vec<Use>,
    breaches: Vec<Breach>,
    has_wildcard: bool,
}

impl std::fmt::Debug for Prepared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prepared").field("columns", &self.plan.columns).finish_non_exhaustive()
    }
}

impl Prepared {
    /// Resolves the names and types of a query. `now` is the value of the SQL function `now()` in Unix seconds.
    ///
    /// # Errors
    /// Returns an error if a name does not exist, if a function does not accept its arguments, or if the query is not
    /// supported.
    pub fn new(parsed: &Parsed, database: Arc<dyn Database>, now: i64) -> Result<Self> {
        let mut resolver = Resolver::new(database, now);
        resolver.use_nulls = parsed.use_nulls;
        let plan = match &parsed.statement {
            Statement::Query(query) => resolver.query(query, &Names::default(), None)?,
            Statement::Describe(from) => resolver.describe(from)?,
        };
        if let Some((name, ty)) = plan.columns.iter().find(|(_, ty)| ty.has_partial()) {
            let message = format!(
                "the result column `{name}` is {ty}, which cannot be written as text: use \
                 finalizeAggregation or the suffix -Merge"
            );
            return Err(Problem::text(message));
        }
        let Resolver { uses, breaches, has_wildcard, .. } = resolver;
        let is_description = matches!(parsed.statement, Statement::Describe(_));
        let (uses, breaches) =
            if is_description { (Vec::new(), Vec::new()) } else { (uses, breaches) };
        Ok(Prepared { plan, uses, breaches, has_wildcard })
    }

    /// Returns the names and types of the result columns.
    #[must_use]
    pub fn columns(&self) -> &[(String, Type)] {
        &self.plan.columns
    }

    /// Returns the tables that the query reads. The list is empty for DESCRIBE.
    #[must_use]
    pub fn uses(&self) -> &[Use] {
        &self.uses
    }

    /// Returns the violations of rules about tables. For example, a table requires a lower bound on its date column,
    /// such as `block_date >= '2026-05-01'`, but the query contains no lower bound.
    #[must_use]
    pub fn breaches(&self) -> &[Breach] {
        &self.breaches
    }

    /// Returns true if the query contains `*` as a list of columns, as in `SELECT *` or `SELECT t.*`.
    #[must_use]
    pub fn has_wildcard(&self) -> bool {
        self.has_wildcard
    }

    /// Returns the estimated number of rows that the query reads from its tables.
    #[must_use]
    pub fn estimate(&self) -> i64 {
        self.uses.iter().map(|used| used.table.estimate(used.span)).fold(0, i64::saturating_add)
    }

    /// Runs the query and returns its result.
    ///
    /// # Errors
    /// Returns an error if the query violates a rule about tables, exceeds a limit or is stopped. Also returns an error
    /// if a function does not accept a value.
    pub fn run(&self, limits: &Limits, control: &Control) -> Result<Outcome> {
        if let Some(breach) = self.breaches.first() {
            return Err(breach.problem());
        }
        let expected = self.estimate();
        if expected > limits.rows_to_read {
            let most = limits.rows_to_read;
            let message = format!("the query reads about {expected} rows; the maximum is {most}");
            return Err(Problem::TooMuch(message));
        }

        let running = Running::new(limits, control);
        let days = self.plan.days();
        running.expect_days(days);
        if days == 0 {
            running.pause()?;
        }
        let mut rows: Vec<Vec<Value>> = Vec::new();
        let mut size = 0;
        let mut cut = false;
        self.plan.run(&running, &mut |row| {
            if rows.len() >= limits.max_rows {
                cut = true;
                return Ok(false);
            }
            running.hold_row(row)?;
            size += row.iter().map(Value::written_size).sum::<usize>();
            if size > limits.result {
                let message = format!("the result is larger than {} bytes", limits.result);
                return Err(Problem::TooMuch(message));
            }
            rows.push(row.to_vec());
            Ok(true)
        })?;
        Ok(Outcome::new(self.plan.columns.clone(), rows, cut))
    }
}

impl Resolver {
    /// Creates the plan of DESCRIBE. The plan returns one row per column of the described table or query, with the name
    /// and the type of the column.
    fn describe(&mut self, from: &From) -> Result<Plan> {
        let described: Vec<(String, String, String)> = match from {
            From::Table { name, .. } => {
                let (_, table) = self.find_table(name)?;
                let columns = table.columns().into_iter();
                columns
                    .map(|column| {
                        (column.name.into_owned(), column.ty.to_owned(), column.comment.to_owned())
                    })
                    .collect()
            }
            From::Query { query, .. } => {
                let plan = self.query(query, &Names::default(), None)?;
                let columns = plan.columns.into_iter();
                columns.map(|(name, ty)| (name, ty.to_string(), String::new())).collect()
            }
            From::Function { name, args, .. } => {
                self.numbers(name, args)?;
                vec![("number".to_owned(), "UInt64".to_owned(), String::new())]
            }
            From::Join(_) => return Err(Problem::text("DESCRIBE takes one table or one query")),
        };

        let names = [
            "name",
            "type",
            "default_type",
            "default_expression",
            "comment",
            "codec_expression",
            "ttl_expression",
        ];
        let columns = names.map(|name| (name.to_owned(), Type::String)).to_vec();
        let row = |(name, ty, comment): (String, String, String)| {
            [name.as_str(), &ty, "", "", &comment, "", ""].map(Value::text).to_vec()
        };
        Ok(Plan { columns, body: Body::Rows(described.into_iter().map(row).collect()) })
    }
}
