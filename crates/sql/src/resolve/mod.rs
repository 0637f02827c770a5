//! Resolver, which converts the syntax tree to a plan: names become columns, and expressions get types.

mod aggregate;
mod bounds;
mod call;
mod expr;
mod from;
mod in_list;
mod in_subquery;
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

/// State of the resolver for one statement.
pub(crate) struct Resolver {
    pub(crate) database: Arc<dyn Database>,
    /// Current time, and total size of the constants. All function calls of the statement share both values.
    pub(crate) calls: CallContext,
    pub(crate) uses: Vec<Use>,
    pub(crate) breaches: Vec<Breach>,
    pub(crate) has_wildcard: bool,
    /// Setting `join_use_nulls`. If it is true and a row has no partner in a join, the columns of the missing partner
    /// are NULL. If it is false, these columns contain default values.
    pub(crate) use_nulls: bool,
    /// Number of subqueries so far. Names of result columns contain this number, as in `_subquery_1`. A subquery in an
    /// alias is counted twice: at the definition of the alias, and at the first use of its name.
    subqueries: usize,
    /// Number of subqueries that the field `subqueries` counts a second time, because the query uses the name of their
    /// alias. For example, after `(SELECT 1) AS a, a + 1`, `subqueries` is 2 and `in_names` is 1.
    in_names: usize,
    /// Numbers that are appended to each `_subquery` in the name of the current result column, in this order. For
    /// example, with the numbers 1 and 2, `plus(_subquery, _subquery)` becomes `plus(_subquery_1, _subquery_2)`.
    numbers: Vec<usize>,
    /// True if ClickHouse may have counted an earlier subquery twice. The numbers of later subqueries are then unknown.
    are_numbers_lost: bool,
    /// Number of resolved expressions so far. This number can be large, because an alias can use other aliases several
    /// times.
    work: usize,
}

/// Tables and aliases that WITH defines. They are valid in the query and in its subqueries.
#[derive(Clone, Default)]
pub(crate) struct Names {
    tables: Vec<(String, Named)>,
    values: Vec<(String, Expr)>,
}

/// A table that WITH defines.
#[derive(Clone)]
enum Named {
    /// A query, and the tables and aliases that it can use. The flag is true for WITH RECURSIVE, where the query can
    /// read its own rows.
    Query(Arc<(Query, Names)>, bool),
    /// A recursive query whose recursive part is being resolved. `Working` stores the rows of the latest iteration. The
    /// list contains the names and the types of the columns.
    Working(Arc<Working>, Vec<(String, Type)>),
}

impl Names {
    /// Returns a copy of `self`, extended by the tables and aliases of a WITH clause.
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
            are_numbers_lost: false,
            work: 0,
        }
    }

    /// Resolves a query to a plan.
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
