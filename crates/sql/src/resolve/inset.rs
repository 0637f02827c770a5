//! Resolves the operators IN and NOT IN.
//!
//! The input is a value, and a list, tuple, array or subquery. The output is a typed expression.

use std::collections::HashSet;
use std::sync::Arc;

use super::Resolver;
use super::scope::Scope;
use crate::ast::{Expr, Query, Select};
use crate::functions;
use crate::functions::conversion::convert;
use crate::node::{Kind, Node, Run};
use crate::problem::{Problem, Result};
use crate::run::subquery::{Convert, PlannedSubquery, converter};
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
        if left.ty.is_null()
            && left.as_const().is_some()
            && !matches!(set.bare(), Expr::Subquery(_))
        {
            return Ok(left);
        }
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
        let converts = converters(&left.ty, &right)?;
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
                if left_is_tuple && !are_tuples {
                    vec![functions::call("tuple", nodes, &self.calls)?]
                } else {
                    nodes
                }
            }
            one => self.unpacked(one, left_is_tuple, scope)?,
        };

        let mut known: HashSet<Value> = HashSet::new();
        let mut common = left.ty.bare().clone();
        for item in &items {
            let is_read = item.ty.bare().is_text() && !left.ty.bare().is_text();
            if !item.ty.is_null() && !is_read && !left_is_tuple {
                common = functions::ordered(&common, &item.ty).ok_or_else(|| {
                    let (left, right) = (&left.ty, &item.ty);
                    Problem::text(format!("values of {right} and {left} can never be equal"))
                })?;
            }
        }
        let members = |ty: &Type| match ty.bare() {
            Type::Tuple(members) => members.len(),
            _ => 1,
        };
        if items.iter().any(|item| !item.ty.is_null() && members(&item.ty) != members(&left.ty)) {
            return Err(Problem::text("IN needs tuples of equal length on both sides"));
        }
        for item in &items {
            let value = item
                .as_const()
                .ok_or_else(|| Problem::text("IN needs constants or a subquery on the right"))?;
            if let Some(value) = member(value, &item.ty, &left.ty, &common)? {
                known.insert(value);
            }
        }

        let (from, to) = (left.ty.bare().clone(), common);
        let run: Run = Arc::new(move |v| {
            let value = if from == to { v[0].clone() } else { convert(&v[0], &from, &to)? };
            Ok(Value::bool(known.contains(&value) != negated))
        });
        let is_low = matches!(left.ty, Type::LowCardinality(_));
        let ty = BYTE.nullable_if(left.ty.is_nullable());
        let ty = if is_low { Type::LowCardinality(Box::new(ty)) } else { ty };
        if let Some(value) = left.as_const() {
            let value =
                if value.is_null() { Value::Null } else { run(std::slice::from_ref(value))? };
            return Ok(Node::constant(value, ty));
        }
        // The name contains the list, so that nodes with different lists have different keys.
        let name = format!("{} {negated} {}", "in", crate::names::of(set));
        let args = vec![Arc::clone(left)];
        Node::make(Kind::Call { run, args, propagates: true, per_row: false }, ty, &name)
    }

    /// Resolves a right side of IN that is not written as a list, for example a function call. Returns the elements of
    /// a constant array. Also returns the elements of a constant tuple, unless the left side is a tuple. In all other
    /// cases, returns only the expression itself.
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

/// Converts an element of an IN list to the common type. Returns `None` if the element cannot be equal to any value of
/// the left side.
fn member(value: &Value, ty: &Type, left: &Type, common: &Type) -> Result<Option<Value>> {
    if value.is_null() {
        return Ok(None);
    }
    let left = left.bare();
    if let Type::FixedString(size) = left
        && value.bytes().len() > *size
    {
        return Err(Problem::text(format!("a string in the IN list does not fit in {left}")));
    }
    if ty.bare().is_text() && !left.is_text() {
        let read = functions::literal(value.bytes(), left)?;
        return convert(&read, left, common).map(Some);
    }
    if let Type::Decimal { .. } = left {
        // ClickHouse rejects elements that do not fit into the decimal type.
        convert(value, ty.bare(), left)?;
    }
    // A tuple that contains NULL is not equal to any tuple.
    if matches!(common, Type::Tuple(_)) && value.items().iter().any(Value::is_null) {
        return Ok(None);
    }
    convert(value, ty.bare(), &not_nullable(common)).map(Some)
}

/// Removes Nullable from the type and from the members of tuples. Otherwise a conversion of an invalid string would
/// return NULL in place of an error.
fn not_nullable(ty: &Type) -> Type {
    match ty.bare() {
        Type::Tuple(members) => {
            Type::tuple(members.iter().map(|(_, ty)| not_nullable(ty)).collect())
        }
        ty => ty.clone(),
    }
}

/// Returns the conversions that make the values of the left and the right side of IN comparable.
fn converters(left: &Type, right: &Type) -> Result<(Convert, Convert)> {
    let fault = || Problem::text(format!("values of {left} and {right} can never be equal"));
    let common = match (left.bare(), right.bare()) {
        (Type::Tuple(a), Type::Tuple(b)) => {
            if a.len() != b.len() {
                return Err(fault());
            }
            let parts = a.iter().zip(b).map(|((_, a), (_, b))| functions::ordered(a, b));
            Type::tuple(parts.collect::<Option<Vec<_>>>().ok_or_else(fault)?)
        }
        (a, b) => functions::ordered(a, b).ok_or_else(fault)?,
    };
    Ok((converter(left.bare(), &common), converter(right.bare(), &common)))
}
