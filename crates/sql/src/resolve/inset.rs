//! Resolves the operators IN and NOT IN.
//!
//! The input is a value, and a list, tuple, array or subquery. The output is a typed expression.

use std::sync::Arc;

use super::in_list::ConstantSet;
use super::scope::Scope;
use super::{Resolver, in_subquery};
use crate::ast::{Expr, Query, Select};
use crate::functions;
use crate::node::{Kind, Node, Run};
use crate::problem::{Problem, Result};
use crate::run::subquery::PlannedSubquery;
use crate::types::{BYTE, Type};
use crate::value::Value;

impl Resolver {
    pub(super) fn in_set(
        &mut self,
        value: &Expr,
        set: &Expr,
        negated: bool,
        scope: &Scope<'_>,
    ) -> Result<Arc<Node>> {
        let left = self.expr(value, scope)?;
        match set.bare() {
            Expr::Subquery(query) => self.in_query(left, query, negated, scope),
            Expr::Name(path) if path.len() == 1 && scope.names.table(&path[0]).is_some() => {
                let from = crate::ast::From::Table { name: path.clone(), alias: None };
                let list = vec![Expr::Columns(crate::ast::Columns::default())];
                let select = Select { list, from: Some(from), ..Select::default() };
                self.in_query(left, &Query::Select(Box::new(select)), negated, scope)
            }
            set => self.in_list(&left, set, negated, scope),
        }
    }

    fn in_query(
        &mut self,
        left: Arc<Node>,
        query: &Query,
        negated: bool,
        scope: &Scope<'_>,
    ) -> Result<Arc<Node>> {
        let (plan, correlated) = self.subquery(query, scope)?;
        if correlated {
            return Err(Problem::text(
                "a correlated subquery is not supported with IN: use EXISTS",
            ));
        }

        let right = match plan.columns.as_slice() {
            [(_, ty)] => ty.clone(),
            columns => Type::tuple(columns.iter().map(|(_, ty)| ty.clone()).collect()),
        };
        let converts = in_subquery::converters(&left.ty, &right)?;
        if left.ty.is_null() && left.ty.is_nullable() {
            return Ok(Node::constant(Value::Null, left.ty.clone()));
        }

        let nullable = left.ty.is_nullable();
        let set = Arc::new(PlannedSubquery::new(plan, correlated, Some(converts)));
        let ty = BYTE.nullable_if(nullable);
        let is_low = matches!(left.ty, Type::LowCardinality(_));
        let ty = if is_low { Type::LowCardinality(Box::new(ty)) } else { ty };
        Node::make(Kind::In { value: left, set, negated }, ty, "in")
    }

    fn in_list(
        &mut self,
        left: &Arc<Node>,
        set: &Expr,
        negated: bool,
        scope: &Scope<'_>,
    ) -> Result<Arc<Node>> {
        let left_is_tuple = matches!(left.ty.bare(), Type::Tuple(_));
        let items: Vec<Arc<Node>> = match set {
            Expr::Tuple(items) | Expr::Array(items) => {
                let nodes = self.all(items, scope)?;
                let are_tuples = nodes.iter().all(|node| matches!(node.ty.bare(), Type::Tuple(_)));
                if left_is_tuple && !are_tuples && matches!(set, Expr::Tuple(_)) {
                    vec![functions::call("tuple", nodes, &self.calls)?]
                } else {
                    nodes
                }
            }
            one => self.unpacked(one, left_is_tuple, scope)?,
        };

        let mut constants = Vec::new();
        for item in &items {
            let value = item
                .as_const()
                .ok_or_else(|| Problem::text("IN needs constants or a subquery on the right"))?;
            constants.push((value, &item.ty));
        }
        let set_of = ConstantSet::new(&left.ty, &constants)?;
        if left.ty.is_null() && left.as_const().is_some() {
            return Ok(Arc::clone(left));
        }

        let run: Run = Arc::new(move |v| Ok(Value::bool(set_of.contains(&v[0])? != negated)));
        let is_low = matches!(left.ty, Type::LowCardinality(_));
        let ty = BYTE.nullable_if(left.ty.is_nullable());
        let ty = if left.ty.is_null() { left.ty.clone() } else { ty };
        let ty = if is_low { Type::LowCardinality(Box::new(ty)) } else { ty };

        if let Some(value) = left.as_const() {
            let value =
                if value.is_null() { Value::Null } else { run(std::slice::from_ref(value))? };
            return Ok(Node::constant(value, ty));
        }

        // The name contains the list, so that nodes with different lists have different keys.
        let name = format!("{} {negated} {}", "in", crate::names::column_name(set));
        let args = vec![Arc::clone(left)];
        Node::make(Kind::Call { run, args, propagates: true, per_row: false }, ty, &name)
    }

    /// Resolves a right side of IN that is not written as a list. A constant array becomes the list of its elements.
    /// For example, `range(3)` in `x IN range(3)` becomes the list 0, 1, 2. A constant tuple becomes the list of its
    /// elements, unless the left side is also a tuple. Any other right side becomes a list with one element.
    fn unpacked(
        &mut self,
        expr: &Expr,
        left_is_tuple: bool,
        scope: &Scope<'_>,
    ) -> Result<Vec<Arc<Node>>> {
        let node = self.expr(expr, scope)?;
        let types: Vec<Type> = match (node.ty.bare(), node.as_const()) {
            (Type::Array(of), Some(list)) => vec![(**of).clone(); list.items().len()],
            (Type::Tuple(members), Some(_)) if !left_is_tuple => {
                members.iter().map(|(_, ty)| ty.clone()).collect()
            }
            _ => return Ok(vec![node]),
        };
        let items = node.as_const().map(Value::items).unwrap_or_default();
        Ok(items.iter().zip(types).map(|(item, ty)| Node::constant(item.clone(), ty)).collect())
    }
}
