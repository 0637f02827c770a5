//! Resolves UNION, INTERSECT, EXCEPT and recursive queries.

use std::sync::Arc;

use super::scope::Scope;
use super::{Named, Names, Resolver};
use crate::ast::{Query, Set};
use crate::problem::{Problem, Result};
use crate::run::plan::{Body, Plan, Working};
use crate::types::{self, Type};

impl Resolver {
    pub(super) fn set(
        &mut self,
        set: Set,
        parts: &[Query],
        names: &Names,
        parent: Option<&Scope<'_>>,
    ) -> Result<Plan> {
        let mut plans = Vec::new();
        let mut inherited = names.clone();
        for part in parts {
            // The WITH of the first SELECT is also valid in the other SELECTs.
            if plans.is_empty()
                && let Query::Select(select) = part
            {
                inherited = names.with(&select.with);
            }
            plans.push(Arc::new(self.query(part, &inherited, parent)?));
        }
        let columns = common_columns(&plans)?;
        Ok(Plan { columns, body: Body::Set(set, plans) })
    }

    /// Resolves a query of WITH RECURSIVE. The query consists of a start part and a recursive part, joined by UNION
    /// ALL. The recursive part reads the table `name`.
    pub(super) fn recursive(&mut self, name: &str, query: &Query, names: &Names) -> Result<Plan> {
        let Query::Set(Set::UnionAll, parts) = query else {
            return self.query(query, names, None);
        };
        let [start, next] = parts.as_slice() else {
            return Err(Problem::text("a recursive query must be two SELECTs joined by UNION ALL"));
        };
        let start = Arc::new(self.query(start, names, None)?);
        let working = Arc::new(Working::default());
        let mut columns = start.columns.clone();
        let (uses, breaches) = (self.uses.len(), self.breaches.len());
        // The column types are widened until both parts fit: with `n + 1`, UInt8 becomes UInt16, then UInt32 and
        // finally UInt64.
        let plan = loop {
            let mut seen = names.clone();
            let rows = Named::Working(Arc::clone(&working), columns.clone());
            seen.tables.push((name.to_owned(), rows));
            self.uses.truncate(uses);
            self.breaches.truncate(breaches);
            let plan = self.query(next, &seen, None)?;

            if columns.len() != plan.columns.len() {
                let message = "the two SELECTs of a recursive query have different column counts";
                return Err(Problem::text(message));
            }
            let before = columns.clone();
            for (column, (_, added)) in columns.iter_mut().zip(&plan.columns) {
                column.1 = types::common(&[&column.1, added]).ok_or_else(|| {
                    let (name, ty) = column;
                    Problem::text(format!("column `{name}` has types {ty} and {added}: use CAST"))
                })?;
            }
            if columns == before {
                break plan;
            }
        };
        Ok(Plan { columns, body: Body::Recursive { start, next: Arc::new(plan), working } })
    }
}

fn common_columns(plans: &[Arc<Plan>]) -> Result<Vec<(String, Type)>> {
    let mut columns = plans.first().map(|plan| plan.columns.clone()).unwrap_or_default();
    for at in 0..columns.len() {
        let mut all = Vec::new();
        for plan in plans {
            if plan.columns.len() != columns.len() {
                return Err(Problem::text(
                    "the queries of a UNION have different numbers of columns",
                ));
            }
            all.push(&plan.columns[at].1);
        }
        let common = types::common(&all).ok_or_else(|| {
            let name = &columns[at].0;
            Problem::text(format!("the queries of a UNION have no common type for column `{name}`"))
        })?;
        columns[at].1 = common;
    }
    if plans.iter().any(|plan| plan.columns.len() != columns.len()) {
        return Err(Problem::text("the queries of a UNION have different numbers of columns"));
    }
    Ok(columns)
}
