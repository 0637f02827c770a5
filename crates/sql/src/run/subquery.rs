//! Runs subqueries in expressions.
//!
//! The input is the plan of the subquery and the current row of the outer query. The output is a value, a set of values
//! or a Boolean.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use super::plan::Plan;
use crate::functions::Convert;
use crate::node::{Env, Subquery};
use crate::problem::{Problem, Result};
use crate::running::{Row, Running};
use crate::types::Type;
use crate::value::Value;

/// A subquery that returns a value or a set of values. An uncorrelated subquery runs only once. Its result is then used
/// for all rows of the outer query.
pub(crate) struct PlannedSubquery {
    plan: Plan,
    correlated: bool,
    /// Conversions for the operator `IN`: one for the left value, and one for the values of the subquery. The converted
    /// values can be compared.
    converts: Option<(Convert, Convert)>,
    known: Mutex<Option<Known>>,
}

#[derive(Clone)]
enum Known {
    Value(Value),
    Set(Arc<HashSet<Value>>),
}

impl PlannedSubquery {
    pub(crate) fn new(plan: Plan, correlated: bool, converts: Option<(Convert, Convert)>) -> Self {
        PlannedSubquery { plan, correlated, converts, known: Mutex::new(None) }
    }

    fn remembered(&self, env: &Env<'_>, work: impl FnOnce() -> Result<Known>) -> Result<Known> {
        if self.correlated {
            return env.running.inside(env.row, work);
        }
        if let Some(known) = &*self.known.lock().unwrap_or_else(PoisonError::into_inner) {
            return Ok(known.clone());
        }
        let found = work()?;
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = Some(found.clone());
        Ok(found)
    }

    /// Returns NULL, which is the value of a scalar subquery without rows. If the subquery is uncorrelated and its only
    /// column is an array, a map or LowCardinality, returns an error instead.
    fn missing(&self) -> Result<Value> {
        match self.plan.columns.as_slice() {
            [(_, ty @ (Type::LowCardinality(_) | Type::Array(_) | Type::Map(..)))]
                if !self.correlated =>
            {
                let message = format!("a scalar subquery returns no row, and {ty} cannot be NULL");
                Err(Problem::text(message))
            }
            _ => Ok(Value::Null),
        }
    }

    /// Runs the subquery and returns at most `most` rows.
    fn rows(&self, running: &Running<'_>, most: usize) -> Result<Vec<Row>> {
        let mut rows = Vec::new();
        self.plan.run(running, &mut |row| {
            running.hold_row(row)?;
            rows.push(row.to_vec());
            Ok(rows.len() < most)
        })?;
        Ok(rows)
    }
}

impl Subquery for PlannedSubquery {
    fn is_correlated(&self) -> bool {
        self.correlated
    }

    fn scalar(&self, env: &Env<'_>) -> Result<Value> {
        let found = self.remembered(env, || {
            let rows = self.rows(env.running, 2)?;
            if rows.len() > 1 {
                return Err(Problem::text("a scalar subquery returns more than one row"));
            }
            let row = rows.into_iter().next();
            Ok(Known::Value(match row {
                None => self.missing()?,
                Some(mut row) if row.len() == 1 => row.remove(0),
                Some(row) => Value::list(row),
            }))
        })?;
        match found {
            Known::Value(value) => Ok(value),
            Known::Set(_) => Ok(Value::Null),
        }
    }

    fn exists(&self, env: &Env<'_>) -> Result<Value> {
        let found = self.remembered(env, || {
            Ok(Known::Value(Value::bool(!self.rows(env.running, 1)?.is_empty())))
        })?;
        match found {
            Known::Value(value) => Ok(value),
            Known::Set(_) => Ok(Value::Null),
        }
    }

    fn holds(&self, value: &Value, negated: bool, env: &Env<'_>) -> Result<Value> {
        let found = self.remembered(env, || {
            let mut set = HashSet::new();
            for mut row in self.rows(env.running, usize::MAX)? {
                let item = if row.len() == 1 { row.remove(0) } else { Value::list(row) };
                let item = match &self.converts {
                    Some((_, convert)) if !item.is_null() => convert(&item)?,
                    _ => item,
                };
                set.insert(item);
            }
            Ok(Known::Set(Arc::new(set)))
        })?;
        let Known::Set(set) = found else { return Ok(Value::Null) };
        if value.is_null() {
            return Ok(Value::Null);
        }
        let value = match &self.converts {
            Some((convert, _)) => convert(value)?,
            None => value.clone(),
        };
        Ok(Value::bool((!value.is_null() && set.contains(&value)) != negated))
    }
}
