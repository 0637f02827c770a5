//! Resolves calls of functions, aggregate functions and window functions.
//!
//! The input is a call in the syntax tree. The output is a typed expression, or an error.

use std::sync::Arc;

use super::Resolver;
use super::scope::Scope;
use crate::aggregates;
use crate::ast::{Call, Expr};
use crate::functions;
use crate::node::{Kind, Node};
use crate::problem::{Problem, Result};
use crate::types::Type;
use crate::value::Value;

impl Resolver {
    pub(super) fn call(&mut self, call: &Call, scope: &Scope<'_>) -> Result<Arc<Node>> {
        let name = call.name.as_str();
        if call.over.is_some() {
            return self.window_call(call, scope);
        }
        if super::window::is_window_function(name) && !aggregates::is_aggregate(name) {
            return Err(Problem::text(format!("`{name}` needs OVER")));
        }
        if aggregates::is_aggregate(name) {
            return self.aggregate_call(call, scope);
        }
        if call.distinct || call.filter.is_some() || !call.parameters.is_empty() {
            let message = format!("there is no aggregate function `{name}`");
            return Err(Problem::text(message));
        }
        if name.eq_ignore_ascii_case("arrayJoin") {
            return self.array_join(call, scope);
        }
        if let Some(node) = self.lambda_call(call, scope)? {
            return Ok(node);
        }
        if name == "caseWithExpression" {
            return self.case(call, scope);
        }

        let args = self.all(&call.args, scope)?;
        self.are_numbers_lost |= self.subqueries > 0 && is_resolved_twice(call, &args);
        if let Some(node) = functions::conditions::lazy(name, &args) {
            return node;
        }
        functions::call(name, args, &self.calls)
    }

    /// Resolves a call with a lambda, such as `arrayMap(x -> x + 1, list)`. Returns `None` if the call has no lambda.
    fn lambda_call(&mut self, call: &Call, scope: &Scope<'_>) -> Result<Option<Arc<Node>>> {
        let Some(Expr::Lambda(params, body)) = call.args.first().map(Expr::bare) else {
            return Ok(None);
        };
        // ClickHouse resolves the lambda after the arrays. In column names, the lambda comes first.
        let before = self.numbers.len();
        let arrays = self.all(&call.args[1..], scope)?;
        let in_arrays = self.numbers.len() - before;
        let mut resolve = |types: &[Type]| -> Result<(Arc<Node>, usize)> {
            let first = scope.params.borrow().len();
            let named = params.iter().cloned().zip(types.iter().cloned());
            scope.params.borrow_mut().extend(named);
            let node = self.expr(body, scope);
            scope.params.borrow_mut().truncate(first);
            Ok((node?, first))
        };
        let made = functions::higher_order(&call.name, params.len(), arrays, &mut resolve);
        self.numbers[before..].rotate_left(in_arrays);
        let message = || Problem::text(format!("no function `{}` takes a lambda", call.name));
        made.unwrap_or_else(|| Err(message())).map(Some)
    }

    /// Resolves `CASE x WHEN 1 THEN ...`, which compares `x` with the value of each WHEN.
    fn case(&mut self, call: &Call, scope: &Scope<'_>) -> Result<Arc<Node>> {
        let args = self.all(&call.args, scope)?;
        let Some((subject, rest)) = args.split_first() else {
            return Err(Problem::text("CASE has no value"));
        };

        let mut pairs = rest.chunks_exact(2).flatten();
        let are_constant = pairs.all(|node| node.as_const().is_some());
        let mut choices = Vec::new();
        for pair in rest.chunks(2) {
            match pair {
                [when, then] => {
                    choices.push(self.is_case(subject, when, are_constant)?);
                    choices.push(Arc::clone(then));
                }
                [otherwise] => choices.push(Arc::clone(otherwise)),
                _ => {}
            }
        }

        let made = functions::conditions::lazy("caseWithExpression", &choices);
        let made = made.unwrap_or_else(|| Err(Problem::text("CASE has no branches")))?;
        let made = functions::conditions::eagerly(made, &choices)?;

        let ty = functions::low_cardinality("caseWithExpression", made.ty.clone(), &args);
        functions::branches::as_type(&made, &ty)
    }

    /// Creates the condition that selects the branch `WHEN when` of `CASE subject`. NULL is equal to NULL. 0 and -0 are
    /// different if the values of all WHEN and THEN are constants.
    fn is_case(
        &self,
        subject: &Arc<Node>,
        when: &Arc<Node>,
        are_constant: bool,
    ) -> Result<Arc<Node>> {
        // ClickHouse cannot convert inf and NaN to an integer. It compares NULL in tuples in several ways. It also
        // treats a column of a subquery as a constant if all its values are the same, which decides whether 0 is -0.
        let is_infinite = |value: &Value| matches!(value, Value::Float(n) if !n.is_finite());
        let fails = subject.ty.bare().is_int() && when.as_const().is_some_and(is_infinite)
            || [subject, when].iter().all(|node| node.ty.has_nullable_member())
            || subject.ty.bare().is_float() && matches!(when.kind, Kind::Column(_));
        if fails || !functions::compares_like_equals(&subject.ty, &when.ty) {
            let types = format!("{} with {}", subject.ty, when.ty);
            return Err(Problem::text(format!("CASE cannot compare {types}: convert one of them")));
        }

        let mut both = vec![Arc::clone(subject), Arc::clone(when)];
        let constant = when.as_const().filter(|_| are_constant && subject.ty.bare().is_float());
        if let Some(zero) = constant.filter(|value| !value.is_null() && !value.is_true()) {
            let text = if zero.float().is_sign_negative() { "-0" } else { "0" };
            let subject = functions::call("toString", vec![Arc::clone(subject)], &self.calls)?;
            both = vec![subject, Node::constant(Value::text(text), Type::String)];
        }
        functions::call("isNotDistinctFrom", both, &self.calls)
    }

    /// Resolves `arrayJoin(list)`, which creates one row per element of the list.
    fn array_join(&mut self, call: &Call, scope: &Scope<'_>) -> Result<Arc<Node>> {
        let [array] = call.args.as_slice() else {
            return Err(Problem::text("`arrayJoin` takes 1 value"));
        };
        if !scope.params.borrow().is_empty() {
            return Err(Problem::text("`arrayJoin` is not supported in a lambda"));
        }
        let array = self.expr(array, scope)?;
        let Type::Array(of) = array.ty.bare().clone() else {
            return Err(Problem::text(format!("`arrayJoin` takes an array, not {}", array.ty)));
        };

        let is_late = array.any(&|node| matches!(node.kind, Kind::Aggregate(_)));
        if array.any(&|node| matches!(node.kind, Kind::Window(_))) {
            return Err(Problem::text("`arrayJoin` does not accept results of window functions"));
        }
        if is_late {
            let known = scope.late.borrow().iter().position(|known| known.key == array.key);
            let at = known.unwrap_or_else(|| {
                scope.late.borrow_mut().push(array);
                scope.late.borrow().len() - 1
            });
            return Node::make(Kind::ArrayJoin(at), *of, "arrayJoin");
        }
        let known = scope
            .array_joins
            .borrow()
            .iter()
            .find(|(known, _)| known.key == array.key)
            .map(|(_, slot)| *slot);
        let slot = known.unwrap_or_else(|| {
            let slot = scope.slot();
            scope.array_joins.borrow_mut().push((array, slot));
            slot
        });
        Ok(Node::column(slot, *of))
    }
}

/// Returns true if ClickHouse may resolve and count a subquery in a call of `if` or `multiIf` twice. The numbers in the
/// names of later subqueries, such as `_subquery_2`, are then unknown. This happens in two cases: the first condition is
/// a subquery, or the first condition has the same value for all rows and a branch contains a subquery.
fn is_resolved_twice(call: &Call, args: &[Arc<Node>]) -> bool {
    let is_if = call.name.eq_ignore_ascii_case("if");
    let [condition, branches @ ..] = args else { return false };
    if !is_if && !call.name.eq_ignore_ascii_case("multiIf") {
        return false;
    }

    let is_subquery = matches!(call.args[0].bare(), Expr::Subquery(_));
    let reads_subquery = |node: &Arc<Node>| {
        node.any(&|node| matches!(node.kind, Kind::Scalar(_) | Kind::Exists(_) | Kind::In { .. }))
    };
    let may_be_dropped = match (condition.as_const(), branches) {
        (Some(known), [yes, no]) if is_if => reads_subquery(if known.is_true() { no } else { yes }),
        _ => functions::constants::has_one_value(condition) && branches.iter().any(reads_subquery),
    };
    is_subquery || may_be_dropped
}
