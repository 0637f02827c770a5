//! From the dialect to the engine's: a query becomes a text that the engine runs, the stretch of
//! the stored tables it needs, and the names and types of its columns.
//!
//! Nothing of a query is pasted into that text. Tables and columns get names of ours (`t0`, `c3`,
//! `k1`), texts become bound parameters, numbers are read and written again, and functions are
//! looked up in a table: what is not in it does not get through.

mod aggregates;
mod bounds;
mod call;
mod compare;
mod convert;
mod expr;
mod from;
mod functions;
mod order;
mod scope;
mod select;
mod sets;
mod types;
mod units;
mod windows;

use std::collections::BTreeSet;

use rusqlite::Connection;
use rusqlite::types::Value;
use sqlparser::ast::{Expr, LimitClause, OrderByKind, Query, SetExpr, TableAlias};

use super::parse::Parsed;
use super::problem::Problem;
use super::tables::Table;

use scope::{Column, Scope, Source};
pub(super) use types::{Sql, Ty};

/// A query as the engine takes it.
#[derive(Debug)]
pub(super) struct Compiled {
    pub(super) sql: String,
    /// What `?1`, `?2` and so on stand for.
    pub(super) parameters: Vec<String>,
    pub(super) columns: Vec<(String, Ty)>,
    pub(super) uses: Vec<Use>,
    /// What breaks a rule of the service without being wrong as a query.
    pub(super) breaches: Vec<Breach>,
    pub(super) has_wildcard: bool,
    /// Most rows, where that is said behind a LIMIT BY.
    pub(super) most: Option<usize>,
}

/// What a query needs of a stored table.
#[derive(Debug)]
pub(super) struct Use {
    pub(super) table: &'static Table,
    pub(super) columns: BTreeSet<usize>,
    /// First and last day, for each place that reads the table.
    pub(super) spans: Vec<(Option<i64>, Option<i64>)>,
}

impl Use {
    /// First and last day that any place needs; `None` for no bound.
    pub(super) fn span(&self) -> (Option<i64>, Option<i64>) {
        let first = self.spans.iter().map(|span| span.0).min().flatten();
        let open = self.spans.iter().any(|span| span.1.is_none());
        let last = self.spans.iter().filter_map(|span| span.1).max();
        (first, last.filter(|_| !open))
    }
}

/// A rule of the service that a query breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Breach {
    pub(super) code: &'static str,
    pub(super) message: String,
    pub(super) advice: String,
}

impl Breach {
    pub(super) fn problem(&self) -> Problem {
        Problem::Text(format!("{}; {}", self.message, self.advice))
    }
}

/// The columns and the text of a query inside another.
#[derive(Debug)]
struct Output {
    sql: String,
    columns: Vec<(String, Ty)>,
}

impl Output {
    /// The columns as a FROM sees them.
    fn columns(&self) -> Vec<Column> {
        let named = self.columns.iter().enumerate();
        named
            .map(|(at, (name, ty))| Column {
                name: name.clone(),
                emitted: format!("k{at}"),
                ty: *ty,
            })
            .collect()
    }
}

/// A table of a WITH.
#[derive(Debug, Clone)]
struct WithTable {
    name: String,
    emitted: String,
    columns: Vec<Column>,
}

struct Compiler<'a> {
    /// Evaluates what does not depend on rows.
    engine: &'a Connection,
    now: i64,
    parameters: Vec<String>,
    uses: Vec<Use>,
    breaches: Vec<Breach>,
    has_wildcard: bool,
    tables: Vec<WithTable>,
    scalars: Vec<(String, Expr)>,
    /// Names given so far.
    names: usize,
    /// Expressions compiled so far: aliases of aliases may stand for very many.
    work: usize,
}

/// Longest text of one compiled expression.
const LONGEST: usize = 64 << 10;
/// Most expressions, once every alias stands for what it means.
const MOST_WORK: usize = 100_000;

/// Compiles `parsed` for the moment `now`.
///
/// # Errors
/// For what the engine has no table, column, function or clause for.
pub(super) fn compile(engine: &Connection, parsed: &Parsed, now: i64) -> Result<Compiled, Problem> {
    let mut compiler = Compiler {
        engine,
        now,
        parameters: Vec::new(),
        uses: Vec::new(),
        breaches: Vec::new(),
        has_wildcard: false,
        tables: Vec::new(),
        scalars: parsed.scalars.clone(),
        names: 0,
        work: 0,
    };
    let output = compiler.query(&parsed.query, None)?;
    let most = parsed.limit.as_ref().map(|limit| compiler.whole(limit, "LIMIT")).transpose()?;

    Ok(Compiled {
        sql: output.sql,
        parameters: compiler.parameters,
        columns: unique(output.columns),
        uses: compiler.uses,
        breaches: compiler.breaches,
        has_wildcard: compiler.has_wildcard,
        most: most.map(|most| usize::try_from(most).unwrap_or(usize::MAX)),
    })
}

fn is_limit_by(limit: &LimitClause) -> bool {
    matches!(limit, LimitClause::LimitOffset { limit_by, .. } if !limit_by.is_empty())
}

/// Columns of a row are members of an object, so that no two may be called alike.
fn unique(columns: Vec<(String, Ty)>) -> Vec<(String, Ty)> {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    columns
        .into_iter()
        .map(|(name, ty)| {
            let mut unique = name.clone();
            let mut number = 1;
            while !seen.insert(unique.clone()) {
                number += 1;
                unique = format!("{name}_{number}");
            }
            (unique, ty)
        })
        .collect()
}

impl Compiler<'_> {
    /// A name that nothing else has.
    fn fresh(&mut self, letter: char) -> String {
        self.names += 1;
        format!("{letter}{}", self.names)
    }

    /// The place of a text among the parameters.
    fn parameter(&mut self, text: &str) -> String {
        let at = self.parameters.iter().position(|other| other == text).unwrap_or_else(|| {
            self.parameters.push(text.to_owned());
            self.parameters.len() - 1
        });
        format!("?{}", at + 1)
    }

    /// The value of an expression that no row changes.
    fn evaluate(&self, sql: &Sql) -> Result<Value, Problem> {
        let text = format!("SELECT {}", sql.text);
        let run = || {
            let mut statement = self.engine.prepare(&text)?;
            for at in 1..=statement.parameter_count() {
                if let Some(text) = self.parameters.get(at - 1) {
                    statement.raw_bind_parameter(at, text)?;
                }
            }
            let mut rows = statement.raw_query();
            match rows.next()? {
                Some(row) => row.get::<_, Value>(0),
                None => Ok(Value::Null),
            }
        };
        run().map_err(|error| super::run::problem_of(&error))
    }

    /// A whole number that must be known before the query runs.
    fn whole(&mut self, expr: &Expr, what: &str) -> Result<i64, Problem> {
        let sql = self.expr(expr, &Scope::default())?;
        let value = if sql.is_constant { self.evaluate(&sql)? } else { Value::Null };
        match value {
            Value::Integer(number) if number >= 0 => Ok(number),
            _ => Err(Problem::text(format!("{what} must be a whole number, not `{expr}`"))),
        }
    }

    fn query(&mut self, query: &Query, parent: Option<&Scope<'_>>) -> Result<Output, Problem> {
        self.spend()?;
        check_clauses(query)?;

        let visible = self.tables.len();
        let with = match &query.with {
            Some(with) => self.with(with, parent)?,
            None => String::new(),
        };
        let mut output = match &*query.body {
            SetExpr::Select(select) => {
                let (order, limit) = (query.order_by.as_ref(), query.limit_clause.as_ref());
                self.select(select, order, limit, parent)?
            }
            body => {
                let inner = self.set(body, parent)?;
                self.ordered(inner, query)?
            }
        };
        self.tables.truncate(visible);
        output.sql.insert_str(0, &with);

        Ok(output)
    }

    /// ORDER BY and LIMIT of what is no single SELECT.
    fn ordered(&mut self, inner: Output, query: &Query) -> Result<Output, Problem> {
        let emitted = self.fresh('s');
        let source = Source {
            names: Vec::new(),
            emitted: emitted.clone(),
            columns: inner.columns(),
            stored: None,
        };
        let scope = Scope { sources: vec![source], ..Scope::default() };
        let names: Vec<_> =
            (0..inner.columns.len()).map(|at| format!("{emitted}.k{at} AS k{at}")).collect();
        let mut sql = format!("SELECT {} FROM ({}) AS {emitted}", names.join(", "), inner.sql);

        if let Some(order) = &query.order_by {
            let OrderByKind::Expressions(exprs) = &order.kind else {
                return Err(Problem::text("ORDER BY ALL is taken by a single SELECT only"));
            };
            let keys = self.order(exprs, &scope, &inner.columns)?;
            sql.push_str(&format!(" ORDER BY {keys}"));
        }

        match &query.limit_clause {
            Some(limit) if is_limit_by(limit) => {
                return Err(Problem::text("LIMIT BY is taken by a single SELECT only"));
            }
            Some(limit) => sql.push_str(&self.limit(limit)?),
            None => {}
        }

        Ok(Output { sql, columns: inner.columns })
    }

    /// ` LIMIT n OFFSET m`.
    fn limit(&mut self, limit: &LimitClause) -> Result<String, Problem> {
        let (limit, offset) = match limit {
            LimitClause::LimitOffset { limit, offset, .. } => {
                (limit.as_ref(), offset.as_ref().map(|offset| &offset.value))
            }
            LimitClause::OffsetCommaLimit { offset, limit } => (Some(limit), Some(offset)),
        };
        let most = match limit {
            Some(limit) => self.whole(limit, "LIMIT")?,
            None => -1,
        };
        let skipped = match offset {
            Some(offset) => self.whole(offset, "OFFSET")?,
            None => 0,
        };
        Ok(format!(" LIMIT {most} OFFSET {skipped}"))
    }

    /// Counts one step of the work.
    fn spend(&mut self) -> Result<(), Problem> {
        self.work += 1;
        if self.work > MOST_WORK {
            return Err(Problem::text("the query is too large once every alias is replaced"));
        }
        Ok(())
    }
}

/// Columns under the names that an alias gives them, if it does.
fn renamed(mut columns: Vec<Column>, alias: &TableAlias) -> Result<Vec<Column>, Problem> {
    if alias.columns.is_empty() {
        return Ok(columns);
    }
    let (given, there) = (alias.columns.len(), columns.len());
    if given != there {
        let message = format!("`{}` names {given} columns and has {there}", alias.name);
        return Err(Problem::text(message));
    }
    for (column, given) in columns.iter_mut().zip(&alias.columns) {
        column.name.clone_from(&given.name.value);
    }
    Ok(columns)
}

fn check_clauses(query: &Query) -> Result<(), Problem> {
    let refused =
        |clause: &str, why: &str| Err(Problem::text(format!("{clause} is not taken: {why}")));
    if query.settings.is_some() {
        return refused("SETTINGS", "limits are the service's");
    }
    if query.format_clause.is_some() {
        return refused("FORMAT", "rows always come as JSON");
    }
    if !query.locks.is_empty() || query.for_clause.is_some() {
        return refused("FOR", "a query only reads");
    }
    if query.fetch.is_some() {
        return refused("FETCH", "use LIMIT");
    }
    if !query.pipe_operators.is_empty() {
        return refused("a pipe", "use a subquery");
    }
    Ok(())
}
