//! Resolves the syntax tree to a plan: names become columns, and expressions get types.

mod aggregate;
mod bounds;
mod call;
mod expr;
mod from;
mod inset;
mod join_tree;
mod lifted;
mod on;
mod order;
pub(crate) mod prepared;
mod prewhere;
mod scope;
mod select;
mod sets;
mod stages;
mod star;
mod window;

use std::sync::Arc;

use crate::ast::{Expr, Query, With};
use crate::functions::CallContext;
use crate::problem::Result;
use crate::run::plan::{Plan, Working};
use crate::table::Database;
use crate::types::Type;
use prepared::{Breach, Use};
use scope::Scope;

/// Resolver of one statement.
pub(crate) struct Resolver {
    pub(crate) database: Arc<dyn Database>,
    /// Current time and computed constants of the statement.
    pub(crate) calls: CallContext,
    pub(crate) uses: Vec<Use>,
    pub(crate) breaches: Vec<Breach>,
    pub(crate) has_wildcard: bool,
    /// True if a row without a partner has NULL in the columns of the other side of a join.
    pub(crate) use_nulls: bool,
    /// Number of subqueries so far. Columns without a name are numbered by it.
    subqueries: usize,
    /// Number of these subqueries that belong to aliases and were counted at the use of a name.
    in_names: usize,
    /// Numbers of the subqueries in the result column that is being resolved.
    numbers: Vec<usize>,
    /// Number of resolved expressions so far. Aliases of aliases can multiply it.
    work: usize,
}

/// Tables and aliases of WITH, for a query and its subqueries.
#[derive(Clone, Default)]
pub(crate) struct Names {
    tables: Vec<(String, Named)>,
    values: Vec<(String, Expr)>,
}

/// A table of WITH.
#[derive(Clone)]
enum Named {
    /// A query, the names that it can use, and true if it can read its own rows.
    Query(Arc<(Query, Names)>, bool),
    /// Current rows of a recursive query, and its columns.
    Working(Arc<Working>, Vec<(String, Type)>),
}

impl Names {
    /// Adds the names of a WITH.
    fn with(&self, with: &[With]) -> Names {
        let mut names = self.clone();
        for one in with {
            match one {
                With::Value(value, name) => names.values.push((name.clone(), value.clone())),
                With::Table(name, query, recursive) => {
                    let seen = Arc::new((query.clone(), names.clone()));
                    names.tables.push((name.clone(), Named::Query(seen, *recursive)));
                }
            }
        }
        names
    }

    fn table(&self, name: &str) -> Option<&Named> {
        self.tables.iter().rev().find(|(known, _)| known == name).map(|(_, table)| table)
    }
}

impl Resolver {
    pub(crate) fn new(database: Arc<dyn Database>, now: i64) -> Self {
        Resolver {
            database,
            calls: CallContext::new(now),
            uses: Vec::new(),
            breaches: Vec::new(),
            has_wildcard: false,
            use_nulls: false,
            subqueries: 0,
            in_names: 0,
            numbers: Vec::new(),
            work: 0,
        }
    }

    /// Plans a query.
    pub(crate) fn query(
        &mut self,
        query: &Query,
        names: &Names,
        parent: Option<&Scope<'_>>,
    ) -> Result<Plan> {
        match query {
            Query::Select(select) => {
                let names = names.with(&select.with);
                self.select(select, &names, parent)
            }
            Query::Set(set, parts) => self.set(*set, parts, names, parent),
        }
    }
}
