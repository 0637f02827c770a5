//! Resolves one SELECT.
//!
//! The inputs are the clauses of the SELECT and the scope of the outer query. The output is the plan of the SELECT, or
//! an error.

use std::sync::Arc;

use super::from::all_of;
use super::lifted::collect_from_joins;
use super::scope::{Allowed, Scope};
use super::stages::stages;
use super::star::renamed;
use super::{Names, Resolver};
use crate::ast::{Expr, Literal, Select};
use crate::node::{Kind, Node};
use crate::problem::{Problem, Result};
use crate::run::plan::{Body, Explode, Lifted, Plan, Select as SelectPlan, Source};
use crate::types::Type;
use crate::value::default;

/// Appends a number to each `_subquery` in the name of a result column, as in `_subquery_1`. Returns the new name.
fn numbered(name: &str, numbers: &[usize]) -> Result<String> {
    let mut parts = name.split("_subquery");
    let mut numbered = parts.next().unwrap_or_default().to_owned();
    let mut numbers = numbers.iter();
    for part in parts {
        let number = numbers.next().ok_or_else(|| {
            Problem::text("a result column that combines subqueries or EXISTS in one expression needs a name: add AS name")
        })?;
        numbered.push_str(&format!("_subquery_{number}{part}"));
    }
    Ok(numbered)
}

impl Resolver {
    /// Resolves a SELECT. Resolves FROM first, and then the list of expressions and the other clauses. Finally,
    /// replaces aggregate and window functions by columns.
    pub(super) fn select(
        &mut self,
        select: &Select,
        names: &Names,
        parent: Option<&Scope<'_>>,
    ) -> Result<Plan> {
        let scope = Scope::new(names.clone(), parent);
        if let Some(from) = &select.from {
            note_aliases(select, &scope)?;
            let tree = self.from(from, &scope)?;
            *scope.tree.borrow_mut() = Some(tree);
        } else {
            note_aliases(select, &scope)?;
        }
        scope.named_windows.borrow_mut().extend(select.windows.iter().cloned());

        let array_joins = self.array_joins(select, &scope)?;
        let list = self.list(select, &scope)?;
        let filter = self.filter(select, &scope)?;
        let keys = self.keys(select, &list, &scope)?;
        let having = self.optional(select.having.as_ref(), "HAVING", &scope)?;
        let qualify = self.optional(select.qualify.as_ref(), "QUALIFY", &scope)?;
        let order = self.order(select, &list, &scope)?;
        let limit_by = self.limit_by(select, &list, &scope)?;
        let distinct_on = self.all(&select.distinct_on, &scope)?;
        let interpolate = self.interpolate(select, &list)?;
        let limit = select.limit.as_ref().map(|limit| self.count(limit, "LIMIT")).transpose()?;
        let offset =
            select.offset.as_ref().map(|offset| self.count(offset, "OFFSET")).transpose()?;
        self.check_days(&scope);

        let columns = list.iter().map(|(name, node)| (name.clone(), node.ty.clone())).collect();
        let mut plan = SelectPlan {
            source: Source::One,
            width: 0,
            array_joins,
            lifted: Lifted::default(),
            filter,
            group: None,
            having,
            windows: Vec::new(),
            qualify,
            late: Vec::new(),
            list: list.into_iter().map(|(_, node)| node).collect(),
            distinct: select.distinct,
            distinct_on,
            order,
            interpolate,
            limit_by,
            limit,
            offset: offset.unwrap_or(0),
            with_ties: select.with_ties,
        };

        if plan.with_ties && plan.order.is_empty() {
            return Err(Problem::text("WITH TIES needs ORDER BY"));
        }
        stages(select, keys, &mut plan, &scope)?;

        let tree = scope.tree.borrow_mut().take();
        if let Some(tree) = tree {
            plan.source = tree.finish(&scope, &self.uses);
            collect_from_joins(&plan.source, &mut plan.lifted.constants)?;
        }
        Ok(Plan { columns, body: Body::Select(Box::new(plan)) })
    }

    fn array_joins(&mut self, select: &Select, scope: &Scope<'_>) -> Result<Vec<Explode>> {
        let mut made = Vec::new();
        for join in &select.array_join {
            let mut arrays = Vec::new();
            let mut named = Vec::new();
            for expr in &join.arrays {
                let name = match expr {
                    Expr::Alias(_, name) => name.clone(),
                    Expr::Name(path) => path.last().cloned().unwrap_or_default(),
                    _ => return Err(Problem::text("each ARRAY JOIN array needs a name: add AS x")),
                };
                let node = self.expr(expr.bare(), scope)?;
                let of = match node.ty.bare().clone() {
                    Type::Array(of) => *of,
                    other => {
                        let message = format!("ARRAY JOIN takes arrays, not {other}");
                        return Err(Problem::text(message));
                    }
                };

                let slot = scope.slot();
                let none = default(&of);
                named.push((name, Node::column(slot, of)));
                arrays.push((node, slot, none));
            }

            // In all other clauses, the names refer to the elements of the arrays.
            for (name, node) in named {
                scope.aliases.borrow_mut().insert(name.clone(), Expr::name(&name));
                scope.known.borrow_mut().insert(name, node);
            }
            made.push(Explode { left: join.left, arrays });
        }
        Ok(made)
    }

    fn filter(&mut self, select: &Select, scope: &Scope<'_>) -> Result<Option<Arc<Node>>> {
        let mut all = Vec::new();
        for (condition, place) in [(&select.prewhere, "PREWHERE"), (&select.filter, "WHERE")] {
            let Some(condition) = condition else { continue };
            let node = scope
                .where_allowed(Allowed::Nothing(place), || self.expr(condition, scope))
                .map_err(|problem| hint(problem, place))?;
            if node.any(&|node| matches!(node.kind, Kind::Aggregate(_))) {
                let message =
                    format!("an aggregate function is not allowed in {place}: use HAVING");
                return Err(Problem::text(message));
            }

            check_condition(&node, place)?;
            // ClickHouse finds the aggregate function of such a subquery in the outer query.
            if matches!(&node.kind, Kind::Scalar(query) if query.is_correlated()) {
                let message =
                    format!("a correlated subquery alone is not allowed in {place}: compare it");
                return Err(Problem::text(message));
            }
            if place == "PREWHERE" {
                super::prewhere::check(&node, scope)?;
            }
            scope.where_allowed(Allowed::Nothing(place), || {
                self.check_floats(condition, &mut all, scope)?;
                self.bounds(condition, scope, None);
                Ok(())
            })?;
            all.push(node);
        }
        if all.is_empty() { Ok(None) } else { all_of(all).map(|node| Some(node.as_filter())) }
    }

    pub(super) fn optional(
        &mut self,
        expr: Option<&Expr>,
        place: &str,
        scope: &Scope<'_>,
    ) -> Result<Option<Arc<Node>>> {
        let Some(expr) = expr else { return Ok(None) };
        let node = self.expr(expr, scope)?;
        check_condition(&node, place)?;
        Ok(Some(node.as_filter()))
    }

    /// Resolves the list of expressions after SELECT. Returns the name and the expression of each result column.
    fn list(&mut self, select: &Select, scope: &Scope<'_>) -> Result<Vec<(String, Arc<Node>)>> {
        let mut list = Vec::new();
        for expr in &select.list {
            match expr {
                Expr::Columns(columns) => self.star(columns, scope, &mut list)?,
                Expr::Exists(_) => {
                    let message = "a result column with EXISTS needs a name: add AS name";
                    return Err(Problem::text(message));
                }
                expr => {
                    self.numbers.clear();
                    let node = self.expr(expr, scope)?;
                    let name = self.result_name(expr, scope);

                    let numbers = if self.are_numbers_lost { &[] } else { &self.numbers[..] };
                    if node.ty == Type::Nothing {
                        return Err(Problem::text(format!(
                            "the column `{name}` has no type: use CAST"
                        )));
                    }
                    list.push((numbered(&name, numbers)?, node));
                }
            }
        }
        if list.is_empty() {
            return Err(Problem::text("SELECT has no columns"));
        }
        Ok(list)
    }

    /// Returns the name of a result column. For a plain column it is the name of the column, otherwise the text of the
    /// expression.
    pub(super) fn result_name(&self, expr: &Expr, scope: &Scope<'_>) -> String {
        let name = |path: &[String]| -> Option<String> {
            if path.len() == 1 && scope.aliases.borrow().contains_key(&path[0]) {
                return None;
            }
            let without = || {
                let (first, rest) = path.split_first()?;
                if first == self.database.name() { scope.find(rest) } else { None }
            };
            let (relation, column) = scope.find(path).or_else(without)?;
            let column_of = &scope.relations.borrow()[relation].columns[column];
            if path.len() > 1 && column_of.is_qualified {
                return Some(path.join("."));
            }
            Some(scope.qualified_name(relation, column))
        };
        crate::names::column_name(&renamed(expr, &name))
    }

    /// Resolves the keys of GROUP BY. Returns an empty list for a query without GROUP BY.
    fn keys(
        &mut self,
        select: &Select,
        list: &[(String, Arc<Node>)],
        scope: &Scope<'_>,
    ) -> Result<Vec<Arc<Node>>> {
        if select.group_all {
            let is_key = |node: &&Arc<Node>| {
                !node.any(&|node| matches!(node.kind, Kind::Aggregate(_) | Kind::Window(_)))
            };
            return Ok(list.iter().map(|(_, node)| node).filter(is_key).cloned().collect());
        }

        let mut keys = Vec::new();
        let sets = select.sets.iter().flatten();
        for expr in select.group.iter().chain(sets) {
            let node = match position(expr, list)? {
                Some(node) => node,
                None => {
                    scope.where_allowed(Allowed::Nothing("GROUP BY"), || self.expr(expr, scope))?
                }
            };
            if node.any(&|node| matches!(node.kind, Kind::Aggregate(_) | Kind::Window(_))) {
                return Err(Problem::text("an aggregate function is not allowed in GROUP BY"));
            }
            node.is_uncorrelated("GROUP BY")?;
            keys.push(node);
        }
        Ok(keys)
    }
}

/// Appends advice to an error message that ends with `is not allowed in {place}`. The advice is `use QUALIFY` for a
/// window function, and otherwise `use HAVING`. Does not change other errors. `place` is the name of a clause, such as
/// WHERE.
pub(super) fn hint(problem: Problem, place: &str) -> Problem {
    match problem {
        Problem::Text(message) if message.ends_with(&format!("is not allowed in {place}")) => {
            let other = if message.starts_with("a window") { "QUALIFY" } else { "HAVING" };
            Problem::Text(format!("{message}: use {other}"))
        }
        other => other,
    }
}

pub(super) fn check_condition(node: &Arc<Node>, place: &str) -> Result<()> {
    let ty = node.ty.bare();
    if ty.is_number() && !matches!(ty, Type::Decimal { .. }) || *ty == Type::Nothing {
        return Ok(());
    }
    Err(Problem::text(format!("{place} takes a condition, not {ty}")))
}

/// Resolves a column number in ORDER BY, GROUP BY or LIMIT BY: `ORDER BY 2` sorts by the second column of SELECT, and
/// `ORDER BY -1` by the last column. Returns `None` if the expression is not an integer literal.
pub(super) fn position(expr: &Expr, list: &[(String, Arc<Node>)]) -> Result<Option<Arc<Node>>> {
    let Expr::Literal(Literal::Int(number)) = expr.bare() else { return Ok(None) };
    let size = i128::try_from(list.len()).unwrap_or(0);
    let at = if *number < 0 { size + number } else { number - 1 };
    let found = usize::try_from(at).ok().and_then(|at| list.get(at));
    match found {
        Some((_, node)) => Ok(Some(Arc::clone(node))),
        None => Err(Problem::text(format!("SELECT has no column number {number}"))),
    }
}

/// Records the aliases in the clauses SELECT, PREWHERE, WHERE, GROUP BY, HAVING, QUALIFY and ORDER BY.
pub(super) fn note_aliases(select: &Select, scope: &Scope<'_>) -> Result<()> {
    let mut exprs: Vec<&Expr> = select.list.iter().collect();
    exprs.extend(
        select.prewhere.iter().chain(&select.filter).chain(&select.having).chain(&select.qualify),
    );
    exprs.extend(&select.group);
    exprs.extend(select.order.iter().map(|order| &order.expr));
    for expr in exprs {
        note(expr, scope)?;
    }
    Ok(())
}

pub(super) fn note(expr: &Expr, scope: &Scope<'_>) -> Result<()> {
    match expr {
        Expr::Alias(inner, name) => {
            note(inner, scope)?;
            let known = scope.aliases.borrow().get(name).cloned();
            if known.is_some_and(|known| known != **inner) {
                let message = format!("the alias `{name}` names two different expressions");
                return Err(Problem::text(message));
            }
            scope.aliases.borrow_mut().insert(name.clone(), (**inner).clone());
        }
        Expr::Call(call) => {
            for arg in &call.args {
                note(arg, scope)?;
            }
        }
        Expr::Array(items) | Expr::Tuple(items) => {
            for item in items {
                note(item, scope)?;
            }
        }
        Expr::In(value, ..) => note(value, scope)?,
        _ => {}
    }
    Ok(())
}
