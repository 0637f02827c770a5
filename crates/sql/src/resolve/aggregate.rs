//! Resolves calls of aggregate functions to typed expressions.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::Resolver;
use super::scope::{Allowed, Scope};
use crate::aggregates;
use crate::ast::{Call, Expr};
use crate::node::{Kind, Node};
use crate::problem::{Problem, Result};
use crate::run::plan::Aggregate;
use crate::types::Type;
use crate::value::Value;

impl Resolver {
    pub(super) fn aggregate_call(&mut self, call: &Call, scope: &Scope<'_>) -> Result<Arc<Node>> {
        if let Allowed::Nothing(place) = scope.allowed.get() {
            return Err(Problem::text(format!("`{}` is not allowed in {place}", call.name)));
        }
        if !scope.params.borrow().is_empty() {
            let message = format!("`{}` is not allowed in a lambda", call.name);
            return Err(Problem::text(message));
        }
        let inside = Allowed::Nothing("another aggregate function");
        let (key, aggregate) = scope.where_allowed(inside, || self.aggregate(call, scope))?;
        let ty = aggregate.made.ty.clone();
        let known = scope.aggregates.borrow().iter().position(|(known, _)| *known == key);
        let at = known.unwrap_or_else(|| {
            scope.aggregates.borrow_mut().push((key, aggregate));
            scope.aggregates.borrow().len() - 1
        });
        Node::make(Kind::Aggregate(at), ty, "aggregate")
    }

    /// Resolves an aggregate function and its arguments. Also returns a hash that is equal for equal calls.
    pub(super) fn aggregate(&mut self, call: &Call, scope: &Scope<'_>) -> Result<(u64, Aggregate)> {
        let mut name = call.name.clone();
        let is_star =
            matches!(call.args.as_slice(), [Expr::Columns(columns)] if columns.of.is_empty());
        let is_count = name.eq_ignore_ascii_case("count");
        let mut args = if is_star && is_count { Vec::new() } else { self.all(&call.args, scope)? };

        if call.distinct && name.ends_with("Distinct") {
            return Err(Problem::text(format!("`{name}` does not accept DISTINCT")));
        }
        if call.distinct {
            // ClickHouse runs `count(DISTINCT x)` as `uniqExact(x)`.
            let counts = is_count && !args.is_empty();
            name = if counts { "uniqExact".to_owned() } else { format!("{name}Distinct") };
        }
        if name.eq_ignore_ascii_case("countDistinct") {
            "uniqExact".clone_into(&mut name);
        }
        if name.eq_ignore_ascii_case("countDistinctIf") {
            "uniqExactIf".clone_into(&mut name);
        }
        if let Some(filter) = &call.filter {
            name.push_str("If");
            args.push(self.expr(filter, scope)?);
        }

        args.iter().try_for_each(|arg| arg.is_uncorrelated("an aggregate function"))?;
        let parameters = self.parameters(call, scope)?;
        let types: Vec<Type> = args.iter().map(|arg| arg.ty.full()).collect();
        name = aggregates::with_moved_or_null(&name).unwrap_or(name);
        let made = aggregates::make(&name, &parameters, &types)?;

        let mut hasher = DefaultHasher::new();
        (&name, &parameters).hash(&mut hasher);
        for arg in &args {
            arg.key.hash(&mut hasher);
        }
        Ok((hasher.finish(), Aggregate { made, args }))
    }

    fn parameters(&mut self, call: &Call, scope: &Scope<'_>) -> Result<Vec<Value>> {
        let mut parameters = Vec::new();
        for parameter in &call.parameters {
            let node = self.expr(parameter, scope)?;
            let value = node.as_const().cloned().ok_or_else(|| {
                Problem::text(format!("`{}` needs constant parameters", call.name))
            })?;
            parameters.push(value);
        }
        Ok(parameters)
    }
}
