//! Resolves ORDER BY, WITH FILL, LIMIT BY and INTERPOLATE.
//!
//! The input is the clauses of a SELECT. The output is the sort keys, fills and limits of its plan.

use std::sync::Arc;

use super::scope::Scope;
use super::select::position;
use super::{Names, Resolver};
use crate::ast::{Expr, Order, Select};
use crate::functions::branches::as_type;
use crate::node::{Kind, Node};
use crate::problem::{Problem, Result};
use crate::run::plan::{FillRange, FillStep, LimitBy, SortKey};
use crate::time::DAY;
use crate::types::{Type, Unit};
use crate::value::Value;

impl Resolver {
    pub(super) fn order(
        &mut self,
        select: &Select,
        list: &[(String, Arc<Node>)],
        scope: &Scope<'_>,
    ) -> Result<Vec<SortKey>> {
        if select.order_all {
            let key = |node: &Arc<Node>| SortKey {
                node: Arc::clone(node),
                descending: false,
                nulls_first: false,
                fill: None,
            };
            list.iter().try_for_each(|(_, node)| check_key(node))?;
            return Ok(list.iter().map(|(_, node)| key(node)).collect());
        }

        let mut keys = Vec::new();
        for order in &select.order {
            let node = match position(&order.expr, list)? {
                Some(node) => node,
                None => self.expr(&order.expr, scope)?,
            };
            check_key(&node)?;
            let fill = self.fill(order, &node, scope)?;
            keys.push(SortKey {
                node,
                descending: order.descending,
                nulls_first: order.nulls_first.unwrap_or(false),
                fill,
            });
        }

        if keys.iter().filter(|key| key.fill.is_some()).count() > 1 {
            return Err(Problem::text("only one key of ORDER BY can have WITH FILL"));
        }
        Ok(keys)
    }

    pub(super) fn fill(
        &mut self,
        order: &Order,
        node: &Arc<Node>,
        scope: &Scope<'_>,
    ) -> Result<Option<FillRange>> {
        let Some(fill) = &order.fill else { return Ok(None) };
        let ty = node.ty.bare().clone();
        let is_supported = ty.is_int() || ty.is_float() || ty.is_date() || ty.is_time();
        if !is_supported || ty.is_wide() {
            return Err(Problem::text(format!("WITH FILL is not supported for keys of type {ty}")));
        }

        let mut edge = |expr: &Option<Expr>| -> Result<Option<Value>> {
            let Some(expr) = expr else { return Ok(None) };
            let found = self.expr(expr, scope)?;
            let is_number = found.ty.is_int() || found.ty.is_float() && ty.is_float();
            if found.ty.is_wide() || !is_number && !are_same_moments(&found.ty, &ty) {
                let message = format!("FROM and TO of WITH FILL must be {ty}, not {}", found.ty);
                return Err(Problem::text(message));
            }

            let converted = as_type(&found, &ty)?;
            let (Some(value), Some(number)) = (converted.as_const(), found.as_const()) else {
                return Err(Problem::text("WITH FILL takes constant values"));
            };
            // ClickHouse compares a number outside the range of the type, and then inserts it as another number.
            let units = if let Type::DateTime64(scale, _) = &ty { power(*scale) } else { 1 };
            if found.ty.is_int() && !ty.is_float() && value.int() / units != number.int() {
                let message = format!("FROM and TO of WITH FILL must be in the range of {ty}");
                return Err(Problem::text(message));
            }
            Ok(Some(value.clone()))
        };

        let (from, to) = (edge(&fill.from)?, edge(&fill.to)?);
        if let (Some(from), Some(to)) = (&from, &to)
            && !(if order.descending { to.order(from) } else { from.order(to) }).is_lt()
        {
            return Err(Problem::text("in the sort order, TO of WITH FILL must be after FROM"));
        }

        let step = match &fill.step {
            None => {
                let one = if let Type::DateTime64(scale, _) = &ty { power(*scale) } else { 1 };
                FillStep::Number(Value::Int(if order.descending { -one } else { one }))
            }
            Some(step) => self.step(step, &ty, scope)?,
        };
        let forward = match &step {
            FillStep::Number(step) => step.float() > 0.0,
            FillStep::Days(number) | FillStep::Months(number) => *number > 0,
        };
        if forward == order.descending {
            return Err(Problem::text(
                "the STEP of WITH FILL has the opposite direction of ORDER BY",
            ));
        }

        Ok(Some(FillRange { from, to, step }))
    }

    pub(super) fn step(&mut self, step: &Expr, ty: &Type, scope: &Scope<'_>) -> Result<FillStep> {
        let node = self.expr(step, scope)?;
        let fault =
            || Problem::text("the STEP of WITH FILL must be a number or INTERVAL other than 0");
        let value = node.as_const().filter(|value| value.is_true()).ok_or_else(fault)?;

        let Type::Interval(unit) = &node.ty else {
            return match (ty, &node.ty) {
                (ty, step) if ty.is_float() && (step.is_int() || step.is_float()) => {
                    Ok(FillStep::Number(Value::Float(value.float())))
                }
                // The number is in seconds.
                (Type::DateTime64(scale, _), step) if step.is_int() => {
                    let ticks = value.int().checked_mul(power(*scale)).ok_or_else(fault)?;
                    Ok(FillStep::Number(Value::Int(ticks)))
                }
                (_, step) if step.is_int() => Ok(FillStep::Number(value.clone())),
                _ => Err(fault()),
            };
        };

        let n = i64::try_from(value.int()).map_err(|_| fault())?;
        let months = match unit {
            Unit::Month => Some(1),
            Unit::Quarter => Some(3),
            Unit::Year => Some(12),
            _ => None,
        };
        if !ty.is_date() && !ty.is_time() {
            return Err(Problem::text(format!(
                "a STEP with INTERVAL needs a date or time, not {ty}"
            )));
        }
        if let Some(months) = months {
            return Ok(FillStep::Months(n.checked_mul(months).ok_or_else(fault)?));
        }

        let seconds =
            unit.seconds().and_then(|seconds| seconds.checked_mul(n)).ok_or_else(fault)?;
        match ty {
            _ if matches!(unit, Unit::Day | Unit::Week) => Ok(FillStep::Days(seconds / DAY)),
            Type::DateTime(_) => Ok(FillStep::Number(Value::Int(seconds.into()))),
            Type::DateTime64(scale, _) => {
                Ok(FillStep::Number(Value::Int(i128::from(seconds) * power(*scale))))
            }
            _ => Err(fault()),
        }
    }

    pub(super) fn limit_by(
        &mut self,
        select: &Select,
        list: &[(String, Arc<Node>)],
        scope: &Scope<'_>,
    ) -> Result<Option<LimitBy>> {
        let Some(limit_by) = &select.limit_by else { return Ok(None) };
        let limit = self.count(&limit_by.limit, "LIMIT")?;
        let offset =
            limit_by.offset.as_ref().map(|offset| self.count(offset, "OFFSET")).transpose()?;
        let mut by = Vec::new();
        for expr in &limit_by.by {
            by.push(match position(expr, list)? {
                Some(node) => node,
                None => self.expr(expr, scope)?,
            });
        }
        Ok(Some(LimitBy { limit, offset: offset.unwrap_or(0), by }))
    }

    /// Resolves the columns of INTERPOLATE. Returns the index of each column, and its expression after AS, if any. The
    /// expression computes the value of an inserted row from the previous row.
    pub(super) fn interpolate(
        &mut self,
        select: &Select,
        list: &[(String, Arc<Node>)],
    ) -> Result<Vec<(usize, Option<Arc<Node>>)>> {
        let Some(wanted) = &select.interpolate else { return Ok(Vec::new()) };
        if wanted.is_empty() {
            return Err(Problem::text("INTERPOLATE needs a list of columns"));
        }

        let scope = Scope::new(Names::default(), None);
        for (at, (name, node)) in list.iter().enumerate() {
            let column = Node::column(at, node.ty.clone());
            scope.aliases.borrow_mut().insert(name.clone(), Expr::name(name));
            scope.known.borrow_mut().insert(name.clone(), column);
        }

        let mut made = Vec::new();
        for (name, value) in wanted {
            let at = list.iter().position(|(known, _)| known == name);
            let at = at.ok_or_else(|| {
                Problem::text(format!("INTERPOLATE uses the unknown column `{name}`"))
            })?;
            let value = match value {
                Some(value) => Some(as_type(&self.expr(value, &scope)?, &list[at].1.ty)?),
                None => None,
            };
            made.push((at, value));
        }

        // ClickHouse reads default values instead of the interpolated values of another column.
        let is_made = |column| made.iter().any(|(at, _)| *at == column);
        let reads_other = |(at, value): &(usize, Option<Arc<Node>>)| {
            let is_other = |node: &Node| matches!(node.kind, Kind::Column(column) if column != *at && is_made(column));
            value.as_ref().is_some_and(|value| value.any(&is_other))
        };
        if made.iter().any(reads_other) {
            let message = "an expression of INTERPOLATE must not use another column of INTERPOLATE";
            return Err(Problem::text(message));
        }
        Ok(made)
    }

    /// Evaluates the constant number of rows in LIMIT or OFFSET. `what` is the name of the clause for error messages.
    pub(super) fn count(&mut self, expr: &Expr, what: &str) -> Result<usize> {
        let scope = Scope::new(Names::default(), None);
        let node = self.expr(expr, &scope)?;
        let is_low = matches!(node.ty, Type::LowCardinality(_));
        let is_count = node.ty.bare().is_int() && !is_low;
        let value = node.as_const().filter(|_| is_count).map(Value::int);
        let fault = || Problem::text(format!("{what} must be an integer of at least 0"));
        let value = value.filter(|value| *value >= 0).ok_or_else(fault)?;
        Ok(usize::try_from(value).unwrap_or(usize::MAX))
    }
}

fn check_key(node: &Node) -> Result<()> {
    node.is_uncorrelated("ORDER BY")?;
    if node.ty.has_partial() {
        return Err(Problem::text("ORDER BY cannot sort aggregate states"));
    }
    Ok(())
}

/// Returns the number of units of `DateTime64(scale)` in a second.
fn power(scale: u8) -> i128 {
    10_i128.pow(scale.into())
}

/// Returns true if both types are the same date or time type, ignoring the time zone of a DateTime. For DateTime64, the
/// scales must be equal.
fn are_same_moments(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::DateTime(_), Type::DateTime(_)) => true,
        (Type::DateTime64(a, _), Type::DateTime64(b, _)) => a == b,
        (a, b) => a == b,
    }
}
