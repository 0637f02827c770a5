//! Resolves the FROM clause, which contains tables, subqueries and joins.
//!
//! The input is the FROM clause. The output is a tree of tables and joins. The tables and their columns are added to
//! the scope.

use std::sync::Arc;

use super::join_tree::{JoinTree, Leaf, Tree};
use super::prepared::Use;
use super::scope::{Allowed, Relation, RelationColumn, Scope};
use super::{Named, Resolver};
use crate::ast::{Expr, From, Join, On, Side, Strictness};
use crate::functions;
use crate::node::Node;
use crate::problem::{Problem, Result};
use crate::run::plan::{Join as JoinPlan, Plan, Source};
use crate::table::{Span, Table};
use crate::types::{Type, UINT64};

impl Resolver {
    pub(super) fn from(&mut self, from: &From, scope: &Scope<'_>) -> Result<Tree> {
        match from {
            From::Table { name, alias } => self.table(name, alias.as_deref(), scope),
            From::Function { name, args, alias } => {
                let (from, count) = self.numbers(name, args)?;
                let columns = vec![("number".to_owned(), UINT64)];
                let names = vec![alias.clone().unwrap_or_else(|| name.clone())];
                Ok(Tree::Leaf {
                    relation: relation(scope, names, columns),
                    kind: Leaf::Numbers { from, count },
                })
            }

            From::Query { query, alias, columns } => {
                self.subqueries += 1;
                let mut plan = self.query(query, &scope.names, None)?;
                if !columns.is_empty() && columns.len() != plan.columns.len() {
                    return Err(Problem::text(
                        "the column list of a subquery alias must name every column",
                    ));
                }
                for (column, name) in plan.columns.iter_mut().zip(columns) {
                    column.0.clone_from(name);
                }
                Ok(leaf_of_plan(scope, plan, alias.iter().cloned().collect()))
            }

            From::Join(join) => self.join(join, scope),
        }
    }

    /// Evaluates the arguments of `numbers(count)` or `numbers(from, count)`.
    pub(super) fn numbers(&mut self, name: &str, args: &[Expr]) -> Result<(u64, u64)> {
        let database = self.database.name().to_owned();
        if !name.eq_ignore_ascii_case("numbers") {
            return Err(Problem::text(format!(
                "`{name}` is not a table: use `{database}.<table>` or `numbers(n)`"
            )));
        }
        let scope = Scope::new(super::Names::default(), None);
        let mut values = Vec::new();
        for arg in args {
            let node = self.expr(arg, &scope)?;
            let value = node.as_const().filter(|_| node.ty.is_int() && !node.ty.is_wide());
            let value = value.and_then(|value| u64::try_from(value.int()).ok());
            values.push(value.ok_or_else(|| Problem::text("`numbers` takes integers from 0"))?);
        }
        match values.as_slice() {
            [count] => Ok((0, *count)),
            [from, count] => Ok((*from, *count)),
            _ => Err(Problem::text("`numbers` takes 1 to 2 values")),
        }
    }

    /// Finds a table by its name. The name includes the database, as in `agent.trades`. Tables of a database with an
    /// empty name are found without a database name.
    pub(super) fn find_table(&self, name: &[String]) -> Result<(String, Arc<dyn Table>)> {
        let database = self.database.name();
        let (table, is_qualified) = match name {
            [table] => (table, false),
            [of, table] if of == database => (table, true),
            [of, ..] => {
                let message =
                    format!("there is no database `{of}`; write tables as `{database}.<table>`");
                return Err(Problem::text(message));
            }
            [] => return Err(Problem::text("a table has no name")),
        };

        let known = self.database.table(table);
        if database.is_empty() {
            let found = known.map(|known| (table.clone(), known));
            return found.ok_or_else(|| Problem::text(format!("there is no table `{table}`")));
        }

        match (known, is_qualified) {
            (Some(known), true) => Ok((table.clone(), known)),
            (Some(_), false) => Err(Problem::text(format!(
                "there is no table `{table}`; did you mean `{database}.{table}`?"
            ))),
            (None, true) => Err(Problem::text(format!("there is no table `{database}.{table}`"))),
            (None, false) => Err(Problem::text(format!(
                "there is no table `{table}`; write tables as `{database}.<table>`"
            ))),
        }
    }

    fn table(&mut self, name: &[String], alias: Option<&str>, scope: &Scope<'_>) -> Result<Tree> {
        if let [only] = name
            && let Some(named) = scope.names.table(only).cloned()
        {
            let names = vec![alias.unwrap_or(only).to_owned()];
            return self.with_table(only, named, names, scope);
        }
        let (found, table) = self.find_table(name)?;
        let mut columns = Vec::new();
        for column in table.columns() {
            columns.push((column.name.into_owned(), Type::read(column.ty)?));
        }
        let names = match alias {
            Some(alias) => vec![alias.to_owned()],
            None => vec![found.clone(), name.join(".")],
        };
        let used = self.uses.len();
        self.uses.push(Use { name: found, table: Arc::clone(&table), span: (None, None) });
        Ok(Tree::Leaf {
            relation: relation(scope, names, columns),
            kind: Leaf::Table { table, used },
        })
    }

    /// Resolves a table that WITH defines.
    fn with_table(
        &mut self,
        name: &str,
        named: Named,
        names: Vec<String>,
        scope: &Scope<'_>,
    ) -> Result<Tree> {
        match named {
            Named::Query(seen, recursive) => {
                self.subqueries += 1;
                let (query, inner) = &*seen;
                let plan = if recursive {
                    self.recursive(name, query, inner)?
                } else {
                    self.query(query, inner, None)?
                };
                Ok(leaf_of_plan(scope, plan, names))
            }
            Named::Working(rows, columns) => Ok(Tree::Leaf {
                relation: relation(scope, names, columns),
                kind: Leaf::Working(rows),
            }),
        }
    }

    /// Resolves a join. Resolves both sides first, and then the condition. Returns an error if this kind of join does
    /// not allow the condition. With the setting `join_use_nulls`, a LEFT JOIN makes the columns of the right side
    /// Nullable, a RIGHT JOIN the columns of the left side, and a FULL JOIN all columns.
    fn join(&mut self, join: &Join, scope: &Scope<'_>) -> Result<Tree> {
        let first = scope.relations.borrow().len();
        let left = self.from(&join.left, scope)?;
        let middle = scope.relations.borrow().len();
        let right = self.from(&join.right, scope)?;
        let last = scope.relations.borrow().len();

        let mut tree = JoinTree {
            left,
            right,
            side: join.side,
            strictness: join.strictness,
            keys: Vec::new(),
            asof: None,
            rest: None,
            is_mixed: false,
            merged: Vec::new(),
            left_relations: (first..middle).collect(),
            right_relations: (middle..last).collect(),
        };

        match &join.on {
            On::Nothing => {}
            On::Using(names) => self.using(names, &mut tree, scope)?,
            On::Condition(condition) => {
                let mut all = Vec::new();
                conjuncts(condition, &mut all);
                let mut rest: Vec<Arc<Node>> = Vec::new();
                for one in all {
                    let allowed = Allowed::Nothing("ON");
                    scope.where_allowed(allowed, || {
                        self.condition(one, &mut tree, &mut rest, scope)
                    })?;
                }
                functions::conditions::checked("and", &rest)?;
                self.check_keys(condition, &mut tree, &rest, scope)?;
                if !rest.is_empty() {
                    tree.rest = Some(all_of(rest)?);
                }

                let inner = matches!(join.side, Side::Inner | Side::Left);
                if inner {
                    self.bounds(condition, scope, Some(&tree.right_relations));
                }
                if join.side == Side::Inner {
                    self.bounds(condition, scope, Some(&tree.left_relations));
                }
            }
        }

        let is_asof = join.strictness == Strictness::Asof;
        if is_asof && (tree.asof.is_none() || tree.keys.is_empty() || tree.rest.is_some()) {
            let message =
                "ASOF JOIN needs at least one equality and exactly one of `>=`, `>`, `<=` or `<`";
            return Err(Problem::text(message));
        }
        if is_asof && !matches!(join.side, Side::Inner | Side::Left) {
            return Err(Problem::text("ASOF JOIN must be INNER or LEFT"));
        }

        let needs_side = matches!(join.strictness, Strictness::Semi | Strictness::Anti);
        if needs_side && !matches!(join.side, Side::Left | Side::Right) {
            return Err(Problem::text("SEMI and ANTI JOIN must be LEFT or RIGHT"));
        }

        if join.strictness == Strictness::Any && join.side == Side::Full {
            return Err(Problem::text("FULL JOIN does not support ANY"));
        }

        if self.use_nulls {
            let left = matches!(join.side, Side::Right | Side::Full);
            let right = matches!(join.side, Side::Left | Side::Full);
            make_nullable(&tree.left_relations, left, scope)?;
            make_nullable(&tree.right_relations, right, scope)?;
            if join.side == Side::Full && matches!(join.on, On::Using(_)) {
                return Err(Problem::text(
                    "`join_use_nulls` is not supported with FULL JOIN USING",
                ));
            }
        }
        Ok(Tree::Join(Box::new(tree)))
    }
}

/// Makes the columns of the given relations Nullable if `is_outer` is true. `is_outer` is true if an outer join can
/// return rows without a matching row of these relations.
fn make_nullable(relations: &[usize], is_outer: bool, scope: &Scope<'_>) -> Result<()> {
    let mut known = scope.relations.borrow_mut();
    for relation in relations.iter().filter(|_| is_outer) {
        for column in &mut known[*relation].columns {
            if matches!(column.ty, Type::Tuple(_)) {
                return Err(Problem::text(format!(
                    "`join_use_nulls` does not support the tuple `{}`",
                    column.name
                )));
            }
            column.ty = column.ty.clone().nullable();
            column.common = column.common.take().map(Type::nullable);
        }
    }
    Ok(())
}

/// Splits a condition at AND and appends its parts to `all`. A nested AND is also split: `a AND (b AND c)` becomes `a`,
/// `b` and `c`.
pub(super) fn conjuncts<'e>(expr: &'e Expr, all: &mut Vec<&'e Expr>) {
    match expr.bare() {
        Expr::Call(call) if call.name.eq_ignore_ascii_case("and") => {
            for arg in &call.args {
                conjuncts(arg, all);
            }
        }
        other => all.push(other),
    }
}

/// Creates a condition that joins the given conditions by AND.
pub(super) fn all_of(mut nodes: Vec<Arc<Node>>) -> Result<Arc<Node>> {
    if nodes.len() == 1 {
        return Ok(nodes.remove(0));
    }
    functions::conditions::lazy("and", &nodes)
        .unwrap_or_else(|| Err(Problem::text("AND has no conditions")))
}

pub(super) fn relation(
    scope: &Scope<'_>,
    names: Vec<String>,
    columns: Vec<(String, Type)>,
) -> usize {
    let column =
        |(name, ty)| RelationColumn { name, ty, slot: None, common: None, is_qualified: false };
    let columns = columns.into_iter().map(column).collect();
    scope.relations.borrow_mut().push(Relation { names, columns, merges: Vec::new() });
    scope.relations.borrow().len() - 1
}

fn leaf_of_plan(scope: &Scope<'_>, plan: Plan, names: Vec<String>) -> Tree {
    let columns = plan.columns.clone();
    Tree::Leaf { relation: relation(scope, names, columns), kind: Leaf::Plan(Arc::new(plan)) }
}

/// Creates the [`Source`] that returns the rows of a table or subquery.
fn leaf_source(relation: usize, kind: Leaf, scope: &Scope<'_>, uses: &[Use]) -> Source {
    let relations = scope.relations.borrow();
    let columns = &relations[relation].columns;
    let slots: Vec<Option<usize>> = columns.iter().map(|column| column.slot).collect();

    match kind {
        Leaf::Numbers { from, count } => Source::Numbers { from, count, slot: slots[0] },
        Leaf::Plan(plan) => Source::Plan { plan, slots },
        Leaf::Working(rows) => Source::Working { rows, slots },
        Leaf::Table { table, used } => {
            let used_columns = columns.iter().enumerate();
            let columns = used_columns
                .filter_map(|(at, column)| Some((at, column.slot?, column.ty.clone())))
                .collect();
            let span: Span = uses[used].span;
            Source::Table { table, span, columns }
        }
    }
}

/// Creates the [`Source`] that returns the rows of a join.
fn join_source(join: JoinTree, scope: &Scope<'_>, uses: &[Use]) -> Source {
    let slots = |side: &[usize]| {
        let relations = scope.relations.borrow();
        let columns = side.iter().flat_map(|at| &relations[*at].columns);
        columns.filter_map(|column| Some((column.slot?, column.missing()))).collect::<Vec<_>>()
    };

    let JoinTree { left, right, side, strictness, keys, asof, rest, is_mixed, .. } = join;
    let (left_slots, right_slots) = (slots(&join.left_relations), slots(&join.right_relations));
    let merged = join.merged.into_iter().filter_map(|(relation, at, left, right)| {
        let slot = scope.relations.borrow()[relation].columns[at].slot?;
        Some((slot, left, right))
    });
    Source::Join(Box::new(JoinPlan {
        left: left.finish(scope, uses),
        right: right.finish(scope, uses),
        side,
        strictness,
        keys,
        asof,
        is_mixed,
        rest,
        left_slots,
        right_slots,
        merged: merged.collect(),
    }))
}

impl Tree {
    /// Creates the source of rows for the plan. All used columns must already have an index in the row.
    pub(crate) fn finish(self, scope: &Scope<'_>, uses: &[Use]) -> Source {
        match self {
            Tree::Leaf { relation, kind } => leaf_source(relation, kind, scope, uses),
            Tree::Join(join) => join_source(*join, scope, uses),
        }
    }

    /// Appends the tables of this FROM clause to `found`. Each entry contains two indexes of the table: in the
    /// relations of the scope, and in [`Resolver::uses`].
    pub(crate) fn tables(&self, found: &mut Vec<(usize, usize)>) {
        match self {
            Tree::Leaf { relation, kind: Leaf::Table { used, .. } } => {
                found.push((*relation, *used))
            }
            Tree::Leaf { .. } => {}
            Tree::Join(join) => {
                join.left.tables(found);
                join.right.tables(found);
            }
        }
    }
}
