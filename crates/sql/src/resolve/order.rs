//! Resolves ORDER BY, WITH FILL, LIMIT BY and INTERPOLATE.
//!
//! The input is the clauses of a SELECT. The output is the sort keys, fills and limits of its plan.

use std::sync::Arc;

use super::scope::Scope;
use super::select::position;
use super::{Names, Resolver};
use crate::ast::{Expr, Order, Select};
use crate::functions::branches::as_type;
use crate::node::Node;
use crate::problem::{Problem, Result};
use crate::run::plan::{Fill, Key, LimitBy, Step};
use crate::types::{Type, Unit};
use crate::value::Value;

impl Resolver {
    pub(super) fn order(
        &mut self,
        select: &Select,
        list: &[(String, Arc<Node>)],
        scope: &Scope<'_>,
    ) -> Result<Vec<Key>> {
        if select.order_all {
            let key = |node: &Arc<Node>| Key {
                node: Arc::clone(node),
                descending: false,
                nulls_first: false,
                fill: None,
            };
            return Ok(list.iter().map(|(_, node)| key(node)).collect());
        }

        let mut keys = Vec::new();
        for order in &select.order {
            let node = match position(&order.expr, list)? {
                Some(node) => node,
                None => self.expr(&order.expr, scope)?,
            };
            node.is_uncorrelated("ORDER BY")?;
            if node.ty.has_partial() {
                let message = "ORDER BY cannot sort aggregate states";
                return Err(Problem::text(message));
            }
            let fill = self.fill(order, &node, scope)?;
            keys.push(Key {
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
    ) -> Result<Option<Fill>> {
        let Some(fill) = &order.fill else { return Ok(None) };
        let ty = node.ty.bare().clone();
        if !ty.is_number() && !ty.is_date() && !ty.is_time() || ty.is_wide() {
            return Err(Problem::text(format!("WITH FILL is not supported for keys of type {ty}")));
        }

        let mut edge = |expr: &Option<Expr>| -> Result<Option<Value>> {
            let Some(expr) = expr else { return Ok(None) };
            let found = self.expr(expr, scope)?;
            let is_given = found.ty.is_number() || found.ty.is_date() || found.ty.is_time();
            if !is_given || found.ty.is_wide() {
                let message = format!("FROM and TO of WITH FILL cannot have type {}", found.ty);
                return Err(Problem::text(message));
            }
            if !found.ty.is_number() && !are_same_moments(&found.ty, &ty) {
                let message = format!("FROM and TO of WITH FILL must be {ty}, not {}", found.ty);
                return Err(Problem::text(message));
            }
            let found = as_type(&found, &ty)?;
            let value = found.as_const().cloned();
            Ok(Some(value.ok_or_else(|| Problem::text("WITH FILL takes constant values"))?))
        };
        let (from, to) = (edge(&fill.from)?, edge(&fill.to)?);
        if let (Some(from), Some(to)) = (&from, &to)
            && (if order.descending { to.order(from) } else { from.order(to) }).is_gt()
        {
            return Err(Problem::text("in the sort order, TO of WITH FILL must not precede FROM"));
        }

        let step = match &fill.step {
            None => Step::Number(Value::Int(if order.descending { -1 } else { 1 })),
            Some(step) => self.step(step, &ty, scope)?,
        };
        let forward = match &step {
            Step::Number(step) => step.float() > 0.0,
            Step::Months(months) => *months > 0,
        };
        if forward == order.descending {
            return Err(Problem::text(
                "the STEP of WITH FILL has the opposite direction of ORDER BY",
            ));
        }

        Ok(Some(Fill { from, to, step }))
    }

    pub(super) fn step(&mut self, step: &Expr, ty: &Type, scope: &Scope<'_>) -> Result<Step> {
        let node = self.expr(step, scope)?;
        let fault =
            || Problem::text("the STEP of WITH FILL must be a number or INTERVAL other than 0");
        let value = node.as_const().filter(|value| value.is_true()).ok_or_else(fault)?;

        let Type::Interval(unit) = &node.ty else {
            return match (ty, &node.ty) {
                (Type::Decimal { .. }, _) => Err(fault()),
                (ty, step) if ty.is_float() && step.is_number() => {
                    Ok(Step::Number(Value::Float(value.float())))
                }
                (_, step) if step.is_int() => Ok(Step::Number(value.clone())),
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
        if let Some(months) = months {
            return Ok(Step::Months(n.checked_mul(months).ok_or_else(fault)?));
        }

        let seconds =
            unit.seconds().and_then(|seconds| seconds.checked_mul(n)).ok_or_else(fault)?;
        match ty {
            ty if ty.is_date() && seconds % crate::time::DAY == 0 => {
                Ok(Step::Number(Value::Int((seconds / crate::time::DAY).into())))
            }
            Type::DateTime(_) => Ok(Step::Number(Value::Int(seconds.into()))),
            Type::DateTime64(scale, _) => {
                Ok(Step::Number(Value::Int(i128::from(seconds) * 10_i128.pow((*scale).into()))))
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

    /// Resolves the columns of INTERPOLATE. Returns the index of each column, and the expression after AS if the column
    /// has one. The expression computes the value of an inserted row from the previous row.
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

/// Returns true if both types are the same date or time type, ignoring the time zone of a DateTime. For DateTime64, the
/// scales must be equal.
fn are_same_moments(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::DateTime(_), Type::DateTime(_)) => true,
        (Type::DateTime64(a, _), Type::DateTime64(b, _)) => a == b,
        (a, b) => a == b,
    }
}
