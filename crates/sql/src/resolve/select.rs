//! One SELECT.

use std::sync::Arc;

use super::from::all_of;
use super::scope::{Allowed, Scope};
use super::{Names, Resolver};
use crate::ast::{Columns, Expr, Grouping, Literal, Order, Select};
use crate::functions::nulls::as_type;
use crate::node::{Kind, Node};
use crate::problem::{Problem, Result};
use crate::run::plan::{
    Body, Explode, Fill, Group, Key, LimitBy, Plan, Select as SelectPlan, Source, Step, Window,
};
use crate::types::{Type, Unit};
use crate::value::{Value, default};

/// Groups of groups of one row at most.
const MOST_SETS: usize = 64;

impl Resolver {
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
        let filter = self.filter(select, &scope)?;
        let list = self.list(select, &scope)?;
        let keys = self.keys(select, &list, &scope)?;
        let having = self.optional(select.having.as_ref(), &scope)?;
        let qualify = self.optional(select.qualify.as_ref(), &scope)?;
        let order = self.order(select, &list, &scope)?;
        let limit_by = self.limit_by(select, &list, &scope)?;
        let distinct_on = self.all(&select.distinct_on, &scope)?;
        let interpolate = self.interpolate(select, &list)?;
        let limit = select.limit.as_ref().map(|limit| self.count(limit, "LIMIT")).transpose()?;
        let offset =
            select.offset.as_ref().map(|offset| self.count(offset, "OFFSET")).transpose()?;
        self.settle(&scope);

        let columns = list.iter().map(|(name, node)| (name.clone(), node.ty.clone())).collect();
        let mut plan = SelectPlan {
            source: Source::One,
            width: 0,
            array_joins,
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
                    _ => return Err(Problem::text("an array of ARRAY JOIN needs a name: AS x")),
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
            // From here on the names stand for elements.
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
                let message = format!("an aggregate function cannot stand in {place}: use HAVING");
                return Err(Problem::text(message));
            }
            check_condition(&node, place)?;
            all.push(node);
            scope.where_allowed(Allowed::Nothing(place), || self.bounds(condition, scope, None));
        }
        if all.is_empty() { Ok(None) } else { all_of(all).map(Some) }
    }

    fn optional(&mut self, expr: Option<&Expr>, scope: &Scope<'_>) -> Result<Option<Arc<Node>>> {
        let Some(expr) = expr else { return Ok(None) };
        let node = self.expr(expr, scope)?;
        check_condition(&node, "HAVING")?;
        Ok(Some(node))
    }

    /// The columns of the result: names and meanings.
    fn list(&mut self, select: &Select, scope: &Scope<'_>) -> Result<Vec<(String, Arc<Node>)>> {
        let mut list = Vec::new();
        for expr in &select.list {
            match expr {
                Expr::Columns(columns) => self.star(columns, scope, &mut list)?,
                Expr::Exists(_) => {
                    let message = "a column of EXISTS needs a name: EXISTS (...) AS name";
                    return Err(Problem::text(message));
                }
                Expr::Subquery(_) => {
                    let node = self.expr(expr, scope)?;
                    list.push((format!("_subquery_{}", self.subqueries), node));
                }
                expr => {
                    let node = self.expr(expr, scope)?;
                    list.push((self.shown(expr, scope), node));
                }
            }
        }
        if list.is_empty() {
            return Err(Problem::text("SELECT has no columns"));
        }
        Ok(list)
    }

    /// What a column is called: for a plain column its name, else how it is written.
    fn shown(&self, expr: &Expr, scope: &Scope<'_>) -> String {
        let name = |path: &[String]| -> Option<String> {
            if path.len() == 1 && scope.aliases.borrow().contains_key(&path[0]) {
                return None;
            }
            let without = || {
                let (first, rest) = path.split_first()?;
                if first == self.database.name() { scope.find(rest) } else { None }
            };
            let (relation, column) = scope.find(path).or_else(without)?;
            Some(scope.shown(relation, column))
        };
        crate::names::of(&renamed(expr, &name))
    }

    fn star(
        &mut self,
        columns: &Columns,
        scope: &Scope<'_>,
        list: &mut Vec<(String, Arc<Node>)>,
    ) -> Result<()> {
        self.has_wildcard |= columns.pattern.is_none();
        let pattern = match &columns.pattern {
            Some(text) => Some(
                regex::Regex::new(text)
                    .map_err(|_| Problem::text(format!("`{text}` is no regular expression")))?,
            ),
            None => None,
        };
        if scope.relations.borrow().is_empty() {
            return Err(Problem::text("`*` needs FROM"));
        }
        let called = columns.of.join(".");
        let wanted = |at: usize| {
            let relations = scope.relations.borrow();
            called.is_empty() || relations[at].names.contains(&called)
        };
        let count = scope.relations.borrow().len();
        let mut any_relation = false;
        let mut used_merged: Vec<String> = Vec::new();
        let mut found = Vec::new();
        for relation in (0..count).filter(|at| wanted(*at)) {
            if scope.relations.borrow()[relation].is_merged {
                continue;
            }
            any_relation = true;
            let size = scope.relations.borrow()[relation].columns.len();
            for column in 0..size {
                let name = scope.relations.borrow()[relation].columns[column].name.clone();
                let merged = if called.is_empty() { merged(&name, scope) } else { None };
                let is_wanted = pattern.as_ref().is_none_or(|pattern| pattern.is_match(&name));
                let is_dropped = columns.except.contains(&name);
                if !is_wanted || is_dropped {
                    continue;
                }
                let (relation, column) = match merged {
                    Some(_) if used_merged.contains(&name) => continue,
                    Some(place) => {
                        used_merged.push(name.clone());
                        place
                    }
                    None => (relation, column),
                };
                found.push((name, relation, column));
            }
        }
        if !any_relation {
            return Err(Problem::text(format!("there is no table `{called}`")));
        }
        for name in &columns.except {
            let known = scope
                .relations
                .borrow()
                .iter()
                .any(|relation| relation.columns.iter().any(|column| column.name == *name));
            if !known {
                return Err(Problem::text(format!("there is no column `{name}`")));
            }
        }

        for (name, relation, column) in found {
            let replaced = columns.replace.iter().find(|(_, of)| *of == name);
            let (shown, node) = match replaced {
                Some((value, _)) => (name.clone(), self.expr(value, scope)?),
                None => (scope.shown(relation, column), scope.column(relation, column)),
            };
            let (shown, node) = self.applied(columns, &name, shown, node, scope)?;
            list.push((shown, node));
        }
        Ok(())
    }

    /// `* APPLY(sum)`.
    fn applied(
        &mut self,
        columns: &Columns,
        name: &str,
        shown: String,
        node: Arc<Node>,
        scope: &Scope<'_>,
    ) -> Result<(String, Arc<Node>)> {
        if columns.apply.is_empty() {
            return Ok((shown, node));
        }
        let mut expr = Expr::name(name);
        for function in &columns.apply {
            expr = match function {
                Expr::Name(path) if path.len() == 1 => Expr::call(&path[0], vec![expr]),
                _ => return Err(Problem::text("APPLY takes the name of a function")),
            };
        }
        Ok((crate::names::of(&expr), self.expr(&expr, scope)?))
    }

    /// The keys of GROUP BY; none at all where there is none.
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
                return Err(Problem::text("an aggregate function cannot stand in GROUP BY"));
            }
            keys.push(node);
        }
        Ok(keys)
    }

    fn order(
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
            let fill = self.fill(order, &node, scope)?;
            keys.push(Key {
                node,
                descending: order.descending,
                nulls_first: order.nulls_first.unwrap_or(false),
                fill,
            });
        }
        if keys.iter().filter(|key| key.fill.is_some()).count() > 1 {
            return Err(Problem::text("WITH FILL is run for one key"));
        }
        Ok(keys)
    }

    fn fill(&mut self, order: &Order, node: &Arc<Node>, scope: &Scope<'_>) -> Result<Option<Fill>> {
        let Some(fill) = &order.fill else { return Ok(None) };
        let ty = node.ty.bare().clone();
        if !ty.is_number() && !ty.is_date() && !ty.is_time() || ty.is_wide() {
            return Err(Problem::text(format!("WITH FILL does not fit {ty}")));
        }
        let mut edge = |expr: &Option<Expr>| -> Result<Option<Value>> {
            let Some(expr) = expr else { return Ok(None) };
            let found = self.expr(expr, scope)?;
            let found = as_type(&found, &ty)?;
            let value = found.as_const().cloned();
            Ok(Some(value.ok_or_else(|| Problem::text("WITH FILL takes values that are known"))?))
        };
        let (from, to) = (edge(&fill.from)?, edge(&fill.to)?);
        let step = match &fill.step {
            None => Step::Number(Value::Int(if order.descending { -1 } else { 1 })),
            Some(step) => self.step(step, &ty, scope)?,
        };
        let forward = match &step {
            Step::Number(step) => step.float() > 0.0,
            Step::Months(months) => *months > 0,
        };
        if forward == order.descending {
            return Err(Problem::text("the STEP of WITH FILL goes the other way than ORDER BY"));
        }
        Ok(Some(Fill { from, to, step }))
    }

    fn step(&mut self, step: &Expr, ty: &Type, scope: &Scope<'_>) -> Result<Step> {
        let node = self.expr(step, scope)?;
        let fault = || Problem::text("the STEP of WITH FILL is a number or INTERVAL other than 0");
        let value = node.as_const().filter(|value| value.is_true()).ok_or_else(fault)?;
        let Type::Interval(unit) = node.ty.bare() else {
            return match (ty, node.ty.bare()) {
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

    fn limit_by(
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

    /// The columns that INTERPOLATE fills in, each by what it is worth in the row before.
    fn interpolate(
        &mut self,
        select: &Select,
        list: &[(String, Arc<Node>)],
    ) -> Result<Vec<(usize, Option<Arc<Node>>)>> {
        let Some(wanted) = &select.interpolate else { return Ok(Vec::new()) };
        if wanted.is_empty() {
            return Err(Problem::text("INTERPOLATE names its columns"));
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
                Problem::text(format!("INTERPOLATE: there is no column `{name}`"))
            })?;
            let value = match value {
                Some(value) => Some(as_type(&self.expr(value, &scope)?, &list[at].1.ty)?),
                None => None,
            };
            made.push((at, value));
        }
        Ok(made)
    }

    /// A number of rows.
    fn count(&mut self, expr: &Expr, what: &str) -> Result<usize> {
        let scope = Scope::new(Names::default(), None);
        let node = self.expr(expr, &scope)?;
        let value = node.as_const().filter(|_| node.ty.bare().is_int()).map(Value::int);
        let fault = || Problem::text(format!("{what} takes a whole number that is not negative"));
        let value = value.filter(|value| *value >= 0).ok_or_else(fault)?;
        Ok(usize::try_from(value).unwrap_or(usize::MAX))
    }
}

/// An expression with other names for some of its columns.
fn renamed(expr: &Expr, name: &dyn Fn(&[String]) -> Option<String>) -> Expr {
    let all = |exprs: &[Expr]| exprs.iter().map(|expr| renamed(expr, name)).collect::<Vec<_>>();
    match expr {
        Expr::Name(path) => name(path).map_or_else(|| expr.clone(), |name| Expr::Name(vec![name])),
        Expr::Call(call) => {
            let mut call = call.clone();
            call.args = all(&call.args);
            call.filter = call.filter.map(|filter| renamed(&filter, name));
            Expr::Call(call)
        }
        Expr::Array(items) => Expr::Array(all(items)),
        Expr::Tuple(items) => Expr::Tuple(all(items)),
        Expr::In(value, set, negated) => {
            Expr::In(Box::new(renamed(value, name)), set.clone(), *negated)
        }
        other => other.clone(),
    }
}

/// Says what else could be done.
fn hint(problem: Problem, place: &str) -> Problem {
    match problem {
        Problem::Text(message) if message.ends_with(&format!("cannot stand in {place}")) => {
            let other = if message.starts_with("a window") { "QUALIFY" } else { "HAVING" };
            Problem::Text(format!("{message}: use {other}"))
        }
        other => other,
    }
}

fn check_condition(node: &Arc<Node>, place: &str) -> Result<()> {
    let ty = node.ty.bare();
    if ty.is_number() && !matches!(ty, Type::Decimal { .. }) || *ty == Type::Nothing {
        return Ok(());
    }
    Err(Problem::text(format!("{place} takes a condition, and {ty} is none")))
}

/// The column of a number that stands in ORDER BY or GROUP BY.
fn position(expr: &Expr, list: &[(String, Arc<Node>)]) -> Result<Option<Arc<Node>>> {
    let Expr::Literal(Literal::Int(number)) = expr.bare() else { return Ok(None) };
    let size = i128::try_from(list.len()).unwrap_or(0);
    let at = if *number < 0 { size + number } else { number - 1 };
    let found = usize::try_from(at).ok().and_then(|at| list.get(at));
    match found {
        Some((_, node)) => Ok(Some(Arc::clone(node))),
        None => Err(Problem::text(format!("there is no column {number} in SELECT"))),
    }
}

/// A column of USING called so.
fn merged(name: &str, scope: &Scope<'_>) -> Option<(usize, usize)> {
    let relations = scope.relations.borrow();
    relations.iter().enumerate().filter(|(_, relation)| relation.is_merged).find_map(
        |(at, relation)| {
            Some((at, relation.columns.iter().position(|column| column.name == name)?))
        },
    )
}

/// Notes what stands behind AS, wherever it does.
fn note_aliases(select: &Select, scope: &Scope<'_>) -> Result<()> {
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

fn note(expr: &Expr, scope: &Scope<'_>) -> Result<()> {
    match expr {
        Expr::Alias(inner, name) => {
            note(inner, scope)?;
            let known = scope.aliases.borrow().get(name).cloned();
            if known.is_some_and(|known| known != **inner) {
                let message = format!("the alias `{name}` has more than one meaning");
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

/// Settles what expressions mean after GROUP BY and windows.
fn stages(
    select: &Select,
    keys: Vec<Arc<Node>>,
    plan: &mut SelectPlan,
    scope: &Scope<'_>,
) -> Result<()> {
    plan.width = scope.width.get();
    for (array, slot) in scope.array_joins.borrow().iter() {
        let Type::Array(of) = array.ty.bare() else { continue };
        let arrays = vec![(Arc::clone(array), *slot, default(of))];
        plan.array_joins.push(Explode { left: false, arrays });
    }
    let aggregates: Vec<_> = scope.aggregates.borrow().iter().map(|(_, one)| one.clone()).collect();
    let is_grouped =
        !keys.is_empty() || !aggregates.is_empty() || select.grouping == Grouping::Sets;
    if (select.totals || select.grouping != Grouping::Plain) && !is_grouped {
        return Err(Problem::text("TOTALS, ROLLUP and CUBE need GROUP BY"));
    }

    let width = if is_grouped { keys.len() + aggregates.len() } else { plan.width };
    let late_slots = width;
    let window_slots = width + scope.late.borrow().len();
    let change = |node: &Arc<Node>| -> Result<Arc<Node>> {
        node.rewrite(&mut |node| place(node, &keys, is_grouped, late_slots, window_slots))
    };
    let all = |nodes: &mut Vec<Arc<Node>>| -> Result<()> {
        for node in nodes {
            *node = change(node)?;
        }
        Ok(())
    };

    for (at, array) in scope.late.borrow().iter().enumerate() {
        let Type::Array(of) = array.ty.bare() else { continue };
        let arrays = vec![(change(array)?, late_slots + at, default(of))];
        plan.late.push(Explode { left: false, arrays });
    }
    let windows: Vec<Window> = scope.windows.borrow_mut().drain(..).map(|(_, one)| one).collect();
    for mut window in windows {
        all(&mut window.partition)?;
        for key in &mut window.order {
            key.node = change(&key.node)?;
        }
        change_function(&mut window.function, &change)?;
        plan.windows.push(window);
    }
    // Fill and list are compared by their keys, which stay.
    all(&mut plan.list)?;
    all(&mut plan.distinct_on)?;
    for key in &mut plan.order {
        key.node = change(&key.node)?;
    }
    if let Some(limit_by) = &mut plan.limit_by {
        all(&mut limit_by.by)?;
    }
    for condition in [&mut plan.having, &mut plan.qualify].into_iter().flatten() {
        *condition = change(condition)?;
    }
    if plan.qualify.is_some() && plan.windows.is_empty() {
        return Err(Problem::text("QUALIFY needs a window function: use HAVING or WHERE"));
    }
    if is_grouped {
        let sets = grouping(select, &keys)?;
        let defaults = keys.iter().map(|key| default(&key.ty)).collect();
        let always = keys.is_empty();
        plan.group = Some(Group { keys, sets, aggregates, always, defaults });
    }
    Ok(())
}

/// The place where a node stands after GROUP BY and windows.
fn place(
    node: &Arc<Node>,
    keys: &[Arc<Node>],
    is_grouped: bool,
    late: usize,
    windows: usize,
) -> Result<Option<Arc<Node>>> {
    let at = |slot: usize| {
        let moved = Node::column(slot, node.ty.clone());
        Ok(Some(Node::with_key(&moved, node.key)))
    };
    if is_grouped && let Some(key) = keys.iter().position(|key| key.key == node.key) {
        return at(key);
    }
    match &node.kind {
        Kind::Aggregate(number) => at(keys.len() + number),
        Kind::ArrayJoin(number) => at(late + number),
        Kind::Window(number) => at(windows + number),
        Kind::Column(_) if is_grouped => {
            Err(Problem::text("a column stands neither in an aggregate function nor in GROUP BY"))
        }
        Kind::Scalar(query) | Kind::Exists(query) | Kind::In { set: query, .. }
            if is_grouped && query.is_correlated() =>
        {
            let message = "a query that looks at rows around it is not run with GROUP BY";
            Err(Problem::text(message))
        }
        _ => Ok(None),
    }
}

fn change_function(
    function: &mut crate::run::plan::WindowFunction,
    change: &dyn Fn(&Arc<Node>) -> Result<Arc<Node>>,
) -> Result<()> {
    use crate::run::plan::WindowFunction as F;

    match function {
        F::Aggregate(aggregate) => {
            for arg in &mut aggregate.args {
                *arg = change(arg)?;
            }
        }
        F::Ntile(node) | F::First(node, _) | F::Last(node, _) => *node = change(node)?,
        F::Nth(value, n, _) => {
            *value = change(value)?;
            *n = change(n)?;
        }
        F::Shift { value, by, other, .. } => {
            *value = change(value)?;
            *by = change(by)?;
            if let Some(other) = other {
                *other = change(other)?;
            }
        }
        F::RowNumber | F::Rank | F::DenseRank | F::PercentRank | F::CumeDist => {}
    }
    Ok(())
}

/// Which keys count, for each kind of group.
fn grouping(select: &Select, keys: &[Arc<Node>]) -> Result<Vec<Vec<bool>>> {
    let count = keys.len();
    let sets: Vec<Vec<bool>> = match select.grouping {
        Grouping::Plain => vec![vec![true; count]],
        Grouping::Rollup => {
            (0..=count).rev().map(|kept| (0..count).map(|at| at < kept).collect()).collect()
        }
        Grouping::Cube if count > 6 => {
            return Err(Problem::text("CUBE takes at most 6 keys"));
        }
        Grouping::Cube => (0..1_usize << count)
            .map(|bits| (0..count).map(|at| bits >> at & 1 == 0).collect())
            .collect(),
        Grouping::Sets => {
            let mut first = 0;
            let mut sets = Vec::new();
            for set in &select.sets {
                let wanted: Vec<u64> =
                    keys[first..first + set.len()].iter().map(|key| key.key).collect();
                first += set.len();
                sets.push(keys.iter().map(|key| wanted.contains(&key.key)).collect());
            }
            sets
        }
    };
    if sets.len() > MOST_SETS {
        return Err(Problem::text(format!("GROUP BY makes more than {MOST_SETS} kinds of groups")));
    }
    Ok(sets)
}
