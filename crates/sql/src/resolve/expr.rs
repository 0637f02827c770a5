//! Resolves expressions.
//!
//! The inputs are an expression of the syntax tree and the scope of names. The output is a typed expression, or an
//! error.

use std::sync::Arc;

use super::Resolver;
use super::scope::Scope;
use crate::ast::{Expr, Literal, Query};
use crate::functions;
use crate::names;
use crate::node::{Kind, Node};
use crate::problem::{Problem, Result};
use crate::run::plan::{Body, Plan};
use crate::run::subquery::PlannedSubquery;
use crate::types::{BYTE, Type};
use crate::value::Value;

/// Maximum number of expressions in a query, counted after aliases are replaced by their expressions.
const MOST: usize = 100_000;

/// Way in which an alias occurs in a query: as its definition (`1 AS x`), or as a use of its name (`x`).
#[derive(Clone, Copy, PartialEq)]
enum Role {
    Definition,
    Name,
}

impl Resolver {
    /// Resolves an expression.
    pub(crate) fn expr(&mut self, expr: &Expr, scope: &Scope<'_>) -> Result<Arc<Node>> {
        self.work += 1;
        if self.work > MOST {
            return Err(Problem::text("the query is too large after its aliases are expanded"));
        }

        match expr {
            Expr::Literal(literal) => Ok(constant(literal)),
            Expr::Name(path) => self.name(path, scope),
            Expr::DoubleQuoted(name) => self
                .name(std::slice::from_ref(name), scope)
                .map_err(|problem| Problem::text(format!("{problem}; strings need single quotes"))),
            Expr::Columns(_) => Err(Problem::text("`*` is allowed only in SELECT")),
            Expr::Call(call) => self.call(call, scope),
            Expr::Array(items) => self.array(items, scope),
            Expr::Tuple(items) => {
                let args = self.all(items, scope)?;
                functions::call("tuple", args, &self.calls)
            }
            Expr::Lambda(..) => {
                Err(Problem::text("`->` is allowed only in array functions such as arrayMap"))
            }
            Expr::Subquery(query) => {
                let plan = self.subquery(query, scope)?;
                self.scalar(plan.0, plan.1)
            }
            Expr::Exists(query) => self.exists(query, scope),
            Expr::In(value, set, negated) => self.in_set(value, set, *negated, scope),
            Expr::Alias(inner, name) => self.alias(inner, name, Role::Definition, scope),
        }
    }

    /// Resolves an array in square brackets.
    fn array(&mut self, items: &[Expr], scope: &Scope<'_>) -> Result<Arc<Node>> {
        let args = self.all(items, scope)?;
        let array = functions::call("array", args, &self.calls)?;
        match array.as_const() {
            Some(list) if names::are_bits(items) => {
                Ok(Node::constant(bits(list), array.ty.clone()))
            }
            _ => Ok(array),
        }
    }

    pub(crate) fn all(&mut self, exprs: &[Expr], scope: &Scope<'_>) -> Result<Vec<Arc<Node>>> {
        exprs.iter().map(|expr| self.expr(expr, scope)).collect()
    }

    /// Resolves a subquery in an expression. The returned flag is true if the subquery is correlated, that is,
    /// if it reads columns of the outer query.
    pub(crate) fn subquery(&mut self, query: &Query, scope: &Scope<'_>) -> Result<(Plan, bool)> {
        self.subqueries += 1;
        let mut numbers = std::mem::take(&mut self.numbers);
        numbers.push(self.subqueries);
        let before = scope.is_looked_at.replace(false);
        let plan = self.query(query, &scope.names, Some(scope));
        self.numbers = numbers;
        let correlated = scope.is_looked_at.replace(before);
        Ok((plan?, correlated))
    }

    /// Resolves EXISTS with a subquery.
    fn exists(&mut self, query: &Query, scope: &Scope<'_>) -> Result<Arc<Node>> {
        let (plan, correlated) = self.subquery(query, scope)?;
        if correlated {
            check_correlated(&plan, true)?;
        } else {
            // ClickHouse names this column after the value of EXISTS.
            self.numbers.clear();
        }
        let subquery = Arc::new(PlannedSubquery::new(plan, correlated, None));
        Node::make(Kind::Exists(subquery), BYTE, "exists")
    }

    fn scalar(&mut self, mut plan: Plan, correlated: bool) -> Result<Arc<Node>> {
        let ty = match plan.columns.as_slice() {
            [(_, Type::Tuple(_))] => {
                let message = "a subquery must not return a tuple: select its elements as columns";
                return Err(Problem::text(message));
            }
            // An uncorrelated subquery is computed before the query runs, and keeps a LowCardinality type.
            [(_, ty @ Type::LowCardinality(_))] if !correlated => ty.clone(),
            [(_, ty)] => ty.clone().nullable(),
            columns => Type::Tuple(
                columns.iter().map(|(name, ty)| (Some(name.clone()), ty.clone())).collect(),
            ),
        };

        if correlated {
            check_correlated(&plan, false)?;
        }
        // ClickHouse runs a correlated subquery as a join. A row without a partner has no aggregate result, not even a
        // count of 0.
        if correlated
            && let Body::Select(select) = &mut plan.body
            && let Some(group) = &mut select.group
        {
            group.always = false;
        }

        Node::make(
            Kind::Scalar(Arc::new(PlannedSubquery::new(plan, correlated, None))),
            ty,
            "scalar",
        )
    }

    /// Resolves an alias, either at its definition or where its name is used. Also counts the subqueries in the alias,
    /// for the numbers in column names such as `_subquery_1`. As in ClickHouse, each subquery counts twice: at the
    /// definition of the alias, and at the first use of its name.
    fn alias(
        &mut self,
        inner: &Expr,
        name: &str,
        role: Role,
        scope: &Scope<'_>,
    ) -> Result<Arc<Node>> {
        if let Some(known) = scope.known.borrow().get(name) {
            if let Some((count, is_counted)) = scope.counted.borrow_mut().get_mut(name)
                && !std::mem::replace(&mut is_counted[role as usize], true)
            {
                self.subqueries += *count;
                self.in_names += if role == Role::Name { *count } else { 0 };
            }
            return Ok(Arc::clone(known));
        }

        let (before, in_names, shown) = (self.subqueries, self.in_names, self.numbers.len());
        scope.busy.borrow_mut().push(name.to_owned());
        let node = self.expr(inner, scope);
        scope.busy.borrow_mut().pop();
        let node = node?;
        // The column name contains the alias instead of the subquery.
        self.numbers.truncate(shown);
        let mut is_counted = [false; 2];
        is_counted[role as usize] = true;
        let count = (self.subqueries - before) - (self.in_names - in_names);
        self.in_names += if role == Role::Name { count } else { 0 };
        scope.counted.borrow_mut().insert(name.to_owned(), (count, is_counted));
        if scope.params.borrow().is_empty() {
            scope.known.borrow_mut().insert(name.to_owned(), Arc::clone(&node));
        }
        Ok(node)
    }

    /// Resolves an identifier: a lambda parameter, an alias, a column, a member of a tuple, or a column of an outer
    /// query.
    fn name(&mut self, path: &[String], scope: &Scope<'_>) -> Result<Arc<Node>> {
        if let Some(node) = self.name_here(path, scope)? {
            return Ok(node);
        }
        // The part before the dot can be a tuple.
        if let Some((member, of)) = path.split_last()
            && !of.is_empty()
            && let Some(node) = self.name_here(of, scope)?
        {
            let args = vec![node, constant(&Literal::Text(member.as_bytes().to_vec()))];
            return functions::call("tupleElement", args, &self.calls);
        }
        if let Some(node) = self.name_around(path, scope)? {
            return Ok(node);
        }

        let shown = path.join(".");
        let mut message = format!("there is no column `{shown}`");
        if let Some(near) = path.last().and_then(|name| scope.nearest(name)) {
            message.push_str(&format!("; `{near}` is the nearest name"));
        }
        Err(Problem::text(message))
    }

    fn name_here(&mut self, path: &[String], scope: &Scope<'_>) -> Result<Option<Arc<Node>>> {
        if let [name] = path {
            return self.simple_name(name, scope);
        }

        let found = scope.find(path).or_else(|| {
            // The first part can be the name of the database.
            let (first, rest) = path.split_first()?;
            if first == self.database.name() { scope.find(rest) } else { None }
        });
        let Some((relation, column)) = found else { return Ok(None) };
        scope.check_unique(path, relation)?;
        Ok(Some(scope.column(relation, column)))
    }

    /// Resolves an identifier without a dot: a lambda parameter, an alias, a column, or a value that WITH defines.
    fn simple_name(&mut self, name: &String, scope: &Scope<'_>) -> Result<Option<Arc<Node>>> {
        let param = scope.params.borrow().iter().rposition(|(known, _)| known == name);
        if let Some(at) = param {
            let ty = scope.params.borrow()[at].1.clone();
            return Node::make(Kind::Param(at), ty, "param").map(Some);
        }

        let is_busy = scope.busy.borrow().contains(name);
        let busy = scope.busy.borrow().clone();
        if let Some(last) = busy.last()
            && is_busy
            && last != name
        {
            let message = format!("the aliases `{name}` and `{last}` refer to each other");
            return Err(Problem::text(message));
        }

        if !is_busy {
            let alias = scope.aliases.borrow().get(name).cloned();
            if let Some(alias) = alias {
                return self.alias(&alias, name, Role::Name, scope).map(Some);
            }
        }
        if let Some((relation, column)) = scope.find(std::slice::from_ref(name)) {
            scope.check_unique(std::slice::from_ref(name), relation)?;
            return Ok(Some(scope.column(relation, column)));
        }

        if !is_busy {
            let value = scope.names.values.iter().rev().find(|(known, _)| known == name);
            if let Some((_, value)) = value.cloned() {
                return self.alias(&value, name, Role::Name, scope).map(Some);
            }
        }
        if is_busy && scope.aliases.borrow().contains_key(name) {
            return Err(Problem::text(format!("the alias `{name}` refers to itself")));
        }
        Ok(None)
    }

    /// Resolves a column of an outer query. Returns `None` if no outer query has this column.
    fn name_around(&mut self, path: &[String], scope: &Scope<'_>) -> Result<Option<Arc<Node>>> {
        let mut out = 1;
        let mut around = scope.parent;
        while let Some(outer) = around {
            if let Some((relation, column)) = outer.find(path) {
                let node = outer.column(relation, column);
                let Kind::Column(slot) = node.kind else { return Ok(None) };
                let mut looked = scope.parent;
                for _ in 0..out {
                    if let Some(scope) = looked {
                        scope.is_looked_at.set(true);
                        looked = scope.parent;
                    }
                }
                return Node::make(Kind::Outer(out, slot), node.ty.clone(), "outer").map(Some);
            }
            out += 1;
            around = outer.parent;
        }
        Ok(None)
    }
}

/// Returns an error if a correlated subquery contains a clause that ClickHouse supports only in uncorrelated
/// subqueries, such as ORDER BY.
fn check_correlated(plan: &Plan, is_exists: bool) -> Result<()> {
    let is_supported = match &plan.body {
        Body::Select(select) => {
            let is_sorted = !select.order.is_empty() || select.limit_by.is_some();
            let is_distinct = select.distinct || !select.distinct_on.is_empty();
            // EXISTS ignores LIMIT.
            let is_limited = !is_exists && (select.limit.is_some() || select.offset > 0);
            !is_sorted && !is_distinct && !is_limited
        }
        _ => false,
    };
    if is_supported {
        return Ok(());
    }
    let clauses = "ORDER BY, LIMIT, DISTINCT and UNION";
    Err(Problem::text(format!("{clauses} are not supported in a correlated subquery")))
}

/// Replaces all numbers other than 0 by 1, also in nested arrays.
fn bits(value: &Value) -> Value {
    match value {
        Value::List(_) => Value::list(value.items().iter().map(bits).collect()),
        Value::Null => Value::Null,
        number => Value::bool(number.is_true()),
    }
}

/// Creates a constant node from a literal.
pub(crate) fn constant(literal: &Literal) -> Arc<Node> {
    let (value, ty) = match literal {
        Literal::Null => (Value::Null, Type::Nothing.nullable()),
        Literal::Bool(truth) => (Value::bool(*truth), Type::Bool),
        Literal::Int(number) => (Value::Int(*number), int_type(*number)),
        Literal::Float(number) => (Value::Float(*number), Type::Float64),
        Literal::Text(bytes) => (Value::text(bytes), Type::String),
    };
    Node::constant(value, ty)
}

/// Returns the smallest integer type that contains the number, with up to 64 bits.
fn int_type(number: i128) -> Type {
    let signed = number < 0;
    let fits = |bits: u16| crate::value::wrap(number, bits, signed) == number;
    let bits = [8, 16, 32].into_iter().find(|bits| fits(*bits)).unwrap_or(64);
    Type::int(bits, signed)
}
