//! WITH and UNION: queries made of queries.

use sqlparser::ast::{Query, SetExpr, SetOperator, SetQuantifier, TableAlias, With};

use super::super::problem::Problem;
use super::scope::Scope;
use super::types::Ty;
use super::{Compiler, Output, WithTable, check_clauses, renamed};

impl Compiler<'_> {
    pub(super) fn with(
        &mut self,
        with: &With,
        parent: Option<&Scope<'_>>,
    ) -> Result<String, Problem> {
        let mut parts = Vec::new();
        for table in &with.cte_tables {
            let name = table.alias.name.value.clone();
            let emitted = self.fresh('w');
            let output = if with.recursive {
                self.recursive(&table.query, &table.alias, &emitted, parent)?
            } else {
                self.query(&table.query, parent)?
            };
            let columns = renamed(output.columns(), &table.alias)?;
            let names: Vec<_> = columns.iter().map(|column| column.emitted.as_str()).collect();
            parts.push(format!("{emitted}({}) AS ({})", names.join(", "), output.sql));
            self.tables.push(WithTable { name, emitted, columns });
        }

        Ok(format!("WITH RECURSIVE {} ", parts.join(", ")))
    }

    /// A table of a WITH RECURSIVE: what stands before the first UNION gives it its columns.
    pub(super) fn recursive(
        &mut self,
        query: &Query,
        alias: &TableAlias,
        emitted: &str,
        parent: Option<&Scope<'_>>,
    ) -> Result<Output, Problem> {
        let SetExpr::SetOperation { op: SetOperator::Union, set_quantifier, left, right } =
            &*query.body
        else {
            return self.query(query, parent);
        };

        check_clauses(query)?;

        if query.with.is_some() || query.order_by.is_some() {
            let message = "a table of WITH RECURSIVE takes neither WITH nor ORDER BY of its own";
            return Err(Problem::text(message));
        }

        let first = self.set(left, parent)?;
        let columns = renamed(first.columns(), alias)?;
        let name = alias.name.value.clone();
        let itself = WithTable { name, emitted: emitted.to_owned(), columns };
        self.tables.push(itself);
        let next = self.set(right, parent);
        self.tables.pop();
        let next = next?;
        let columns = same_columns(&first, &next)?;

        let limit = match &query.limit_clause {
            Some(limit) => self.limit(limit)?,
            None => String::new(),
        };
        let union = union_word(SetOperator::Union, *set_quantifier)?;

        Ok(Output { sql: format!("{} {union} {}{limit}", first.sql, next.sql), columns })
    }

    pub(super) fn set(
        &mut self,
        body: &SetExpr,
        parent: Option<&Scope<'_>>,
    ) -> Result<Output, Problem> {
        self.spend()?;
        match body {
            SetExpr::Select(select) => self.select(select, None, None, parent),
            SetExpr::Query(query) => {
                let inner = self.query(query, parent)?;
                // A part of a union has no ORDER BY or LIMIT of its own, but a subquery may.
                let sql = format!("SELECT * FROM ({})", inner.sql);
                Ok(Output { sql, columns: inner.columns })
            }
            SetExpr::SetOperation { op, set_quantifier, left, right } => {
                let (left, right) = (self.set(left, parent)?, self.set(right, parent)?);
                let columns = same_columns(&left, &right)?;
                let word = union_word(*op, *set_quantifier)?;
                // The engine reads unions and intersections from left to right.
                let sql = format!("{} {word} SELECT * FROM ({})", left.sql, right.sql);
                Ok(Output { sql, columns })
            }
            other => {
                let text = other.to_string();
                let word = text.split_whitespace().next().unwrap_or_default().to_owned();
                Err(Problem::text(format!("{word} is not run here: a query begins with SELECT")))
            }
        }
    }
}

fn union_word(op: SetOperator, quantifier: SetQuantifier) -> Result<&'static str, Problem> {
    Ok(match (op, quantifier) {
        (SetOperator::Union, SetQuantifier::All) => "UNION ALL",
        (SetOperator::Union, SetQuantifier::Distinct) => "UNION",
        (SetOperator::Union, SetQuantifier::None) => {
            return Err(Problem::text("UNION needs ALL or DISTINCT after it"));
        }
        (SetOperator::Intersect, SetQuantifier::None | SetQuantifier::Distinct) => "INTERSECT",
        (SetOperator::Except, SetQuantifier::None | SetQuantifier::Distinct) => "EXCEPT",
        (op, quantifier) => {
            return Err(Problem::text(format!("{op} {quantifier} is not run here")));
        }
    })
}

fn same_columns(left: &Output, right: &Output) -> Result<Vec<(String, Ty)>, Problem> {
    let (a, b) = (left.columns.len(), right.columns.len());
    if a != b {
        return Err(Problem::text(format!("the parts of a UNION have {a} and {b} columns")));
    }
    let both = left.columns.iter().zip(&right.columns);
    Ok(both.map(|((name, a), (_, b))| (name.clone(), a.or(*b))).collect())
}
