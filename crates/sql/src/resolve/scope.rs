//! Names that the expressions of one SELECT can use.
//!
//! The input is an identifier, split at its dots. The output is the relation and the column. For an unknown name,
//! [`Scope::nearest`] returns the most similar column name, which the error message suggests.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use super::Names;
use super::join_tree::Tree;
use crate::ast::{Expr, Window as WindowAst};
use crate::functions::branches::without_zeros;
use crate::node::Node;
use crate::problem::{Problem, Result};
use crate::run::plan::{Aggregate, Window};
use crate::table::Span;
use crate::types::Type;
use crate::value::{Value, default};

/// Ranges of days for which the conditions of a SELECT can be true. The key consists of the relation index, the column
/// name and a flag. The flag is true if the condition converts the column to a day first, as in
/// `toDate(block_time) > …`.
pub(crate) type Spans = HashMap<(usize, String, bool), Span>;

/// A relation in FROM: a table, a subquery, or the columns of USING.
pub(crate) struct Relation {
    /// Names by which the query can refer to the relation: its alias, or the name of the table with and without the
    /// database.
    pub(crate) names: Vec<String>,
    pub(crate) columns: Vec<RelationColumn>,
    /// Indexes of all relations on both sides of a join, if this relation consists of the USING columns of the join.
    /// For example, `a JOIN b USING (id)` creates a relation with the column `id`, and `merges` contains the indexes of
    /// `a` and `b`. The list is empty for a table or subquery.
    pub(crate) merges: Vec<usize>,
}

impl Relation {
    /// Returns true if the relation consists of the columns that a join lists in USING.
    pub(crate) fn is_merged(&self) -> bool {
        !self.merges.is_empty()
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.columns.iter().any(|column| column.name == name)
    }
}

pub(crate) struct RelationColumn {
    pub(crate) name: String,
    pub(crate) ty: Type,
    /// Index of the column in a row of the SELECT before GROUP BY. `None` until the query uses the column.
    pub(crate) slot: Option<usize>,
    /// Common type of the two columns on the left and the right side of the join, if the column is listed in USING.
    pub(crate) common: Option<Type>,
    /// True if the result column of `SELECT t.id` is always named `t.id`, with the table name that the query contains.
    /// This applies to a column on the left side of a RIGHT JOIN that is listed in USING.
    pub(crate) is_qualified: bool,
}

impl RelationColumn {
    /// Returns the value that an outer join writes into this column if the column's table has no matching row. The
    /// value is NULL if the column is Nullable. A column in USING counts as Nullable if the common type of the left and
    /// the right column is Nullable. For all other columns, the value is the default value of the type, such as 0.
    pub(crate) fn missing(&self) -> Value {
        match &self.common {
            Some(common) if common.is_nullable() => Value::Null,
            _ => default(&self.ty),
        }
    }
}

/// Rule that allows or rejects aggregate and window functions in a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Allowed {
    /// Aggregate and window functions are allowed, as in SELECT, HAVING and ORDER BY.
    All,
    /// Aggregate and window functions are rejected, as in WHERE, GROUP BY and the arguments of an aggregate function.
    /// The value is the name of the clause for error messages.
    Nothing(&'static str),
}

/// State of the resolver for one SELECT. It contains the names that expressions can use. It also collects the calls of
/// aggregate functions, window functions and `arrayJoin`.
pub(crate) struct Scope<'p> {
    pub(crate) parent: Option<&'p Scope<'p>>,
    pub(crate) names: Names,
    pub(crate) relations: RefCell<Vec<Relation>>,
    pub(crate) tree: RefCell<Option<Tree>>,
    /// Number of values in a row before GROUP BY. This number grows while the SELECT is resolved.
    pub(crate) width: Cell<usize>,
    /// Expressions of all aliases of the SELECT, by name.
    pub(crate) aliases: RefCell<HashMap<String, Expr>>,
    /// Names of the aliases whose expressions are being resolved at the moment. Inside the expression of an alias, the
    /// name of the alias refers to a column. For example, the first `a` in `a + 1 AS a` is a column.
    pub(crate) busy: RefCell<Vec<String>>,
    /// Aliases that are already resolved, by name.
    pub(crate) known: RefCell<HashMap<String, Arc<Node>>>,
    /// For each resolved alias, the number of subqueries in its expression, and two flags. The resolver counts these
    /// subqueries twice: at the definition of the alias, and at its first use. The first flag is true after the count
    /// at the definition. The second flag is true after the count at the use, which can come first.
    pub(crate) counted: RefCell<HashMap<String, (usize, [bool; 2])>>,
    /// Names and types of the parameters of the enclosing lambdas, the outermost first.
    pub(crate) params: RefCell<Vec<(String, Type)>>,
    pub(crate) allowed: Cell<Allowed>,
    pub(crate) aggregates: RefCell<Vec<(u64, Aggregate)>>,
    pub(crate) windows: RefCell<Vec<(u64, Window)>>,
    pub(crate) named_windows: RefCell<HashMap<String, WindowAst>>,
    /// Arrays of the `arrayJoin` calls that are evaluated before GROUP BY. Each pair contains the expression of an
    /// array, and the index of the column for the elements of the array.
    pub(crate) array_joins: RefCell<Vec<(Arc<Node>, usize)>>,
    /// Arrays of the `arrayJoin` calls that are evaluated after GROUP BY, as in `arrayJoin(groupArray(x))`.
    pub(crate) late: RefCell<Vec<Arc<Node>>>,
    /// Ranges of days to which the conditions of the SELECT restrict columns. For example, `day >= '2026-05-01'`
    /// restricts the column `day` to 1 May 2026 and later days.
    pub(crate) spans: RefCell<Spans>,
    /// True if a subquery reads columns of this SELECT.
    pub(crate) is_looked_at: Cell<bool>,
}

impl<'p> Scope<'p> {
    pub(crate) fn new(names: Names, parent: Option<&'p Scope<'p>>) -> Self {
        Scope {
            parent,
            names,
            relations: RefCell::default(),
            tree: RefCell::default(),
            width: Cell::new(0),
            aliases: RefCell::default(),
            busy: RefCell::default(),
            known: RefCell::default(),
            counted: RefCell::default(),
            params: RefCell::default(),
            allowed: Cell::new(Allowed::All),
            aggregates: RefCell::default(),
            windows: RefCell::default(),
            named_windows: RefCell::default(),
            array_joins: RefCell::default(),
            late: RefCell::default(),
            spans: RefCell::default(),
            is_looked_at: Cell::new(false),
        }
    }

    /// Adds one value to each row of the SELECT. Returns the index of this value in the row.
    pub(crate) fn slot(&self) -> usize {
        let slot = self.width.get();
        self.width.set(slot + 1);
        slot
    }

    /// Creates a node that reads a column of a relation. A column of USING is converted to the common type of both
    /// sides.
    pub(crate) fn column(&self, relation: usize, column: usize) -> Arc<Node> {
        let known = self.relations.borrow()[relation].columns[column].slot;
        let slot = known.unwrap_or_else(|| self.slot());
        let found = &mut self.relations.borrow_mut()[relation].columns[column];
        found.slot = Some(slot);
        let node = Node::column(slot, found.ty.clone());
        let common = found.common.as_ref().and_then(|ty| without_zeros(&node, ty).ok());
        common.unwrap_or(node)
    }

    /// Finds a column. `path` is the name of the column, optionally after the name of a table or subquery, as in
    /// `t.id`. Returns the index of the relation in the scope, and the index of the column in this relation.
    pub(crate) fn find(&self, path: &[String]) -> Option<(usize, usize)> {
        let (name, before) = path.split_last()?;
        let relations = self.relations.borrow();
        let place =
            |relation: &Relation| relation.columns.iter().position(|column| column.name == *name);
        if before.is_empty() {
            // Columns of USING are found first, then the columns of the tables from left to right.
            let merged = relations.iter().enumerate().rev();
            let merged = merged.filter(|(_, relation)| relation.is_merged());
            let plain = relations.iter().enumerate().filter(|(_, relation)| !relation.is_merged());
            return merged.chain(plain).find_map(|(at, relation)| Some((at, place(relation)?)));
        }
        let called = before.join(".");
        relations.iter().enumerate().find_map(|(at, relation)| {
            let is_it = relation.names.contains(&called);
            if is_it { Some((at, place(relation)?)) } else { None }
        })
    }

    /// Returns the indexes of the relations in `among` that have a column with this name. In `a JOIN b USING (id)`,
    /// three relations have the column `id`: `a`, `b`, and the relation of the USING columns. The result contains only
    /// the last of these relations. Its field `merges` lists the omitted relations.
    pub(crate) fn holders(&self, name: &str, among: &[usize]) -> Vec<usize> {
        let relations = self.relations.borrow();
        let all = || among.iter().copied().filter(|at| relations[*at].has(name));
        all().filter(|at| !all().any(|other| relations[other].merges.contains(at))).collect()
    }

    /// Rejects an ambiguous column name. Accepts every name if the query has fewer than three tables.
    ///
    /// # Errors
    /// - The name has no table, as in `id`, and several tables have a column with this name.
    /// - The name has a table, as in `t.id`, and the column is in two USING clauses. ClickHouse changes the type of
    ///   such a column.
    pub(crate) fn check_unique(&self, path: &[String], relation: usize) -> Result<()> {
        let relations = self.relations.borrow();
        let Some((name, before)) = path.split_last() else { return Ok(()) };
        if relations.iter().filter(|relation| !relation.is_merged()).count() < 3 {
            return Ok(());
        }
        let all: Vec<usize> = (0..relations.len()).collect();
        let merging = relations.iter().filter(|of| of.merges.contains(&relation) && of.has(name));
        let is_unique = match before {
            [] => self.holders(name, &all).len() < 2,
            _ => merging.count() < 2,
        };
        if is_unique {
            return Ok(());
        }
        Err(Problem::text(match before {
            [] => {
                format!("the column `{name}` is in several tables: write the table before the name")
            }
            _ => format!("the column `{name}` is in two USING clauses: write it without a table"),
        }))
    }

    /// Returns the name of a column in the result. If two tables have a column with this name, the returned name
    /// contains the name of the column's table, as in `t.id`. There is one exception: if the query has two tables, the
    /// columns of the first table keep their short names.
    pub(crate) fn qualified_name(&self, relation: usize, column: usize) -> String {
        let relations = self.relations.borrow();
        let of = &relations[relation];
        let name = &of.columns[column].name;
        let plain = relations.iter().filter(|relation| !relation.is_merged()).count();
        // With two tables, the first one has names without prefix. With three or more tables, all equal names get a
        // prefix.
        let is_taken = relations.iter().enumerate().any(|(at, other)| {
            let counts = at < relation || (plain > 2 && at != relation);
            counts && other.has(name)
        });
        match of.names.first() {
            Some(table) if is_taken && !of.is_merged() => format!("{table}.{name}"),
            _ => name.clone(),
        }
    }

    /// Returns the column name that is most similar to an unknown name. Returns `None` if no column name is similar.
    pub(crate) fn nearest(&self, name: &str) -> Option<String> {
        let relations = self.relations.borrow();
        let columns = relations.iter().flat_map(|relation| &relation.columns);
        let near = columns.map(|column| (distance(name, &column.name), column.name.clone()));
        near.filter(|(distance, _)| *distance <= 2).min().map(|(_, name)| name)
    }

    /// Runs `work` with the permission `allowed` for aggregate and window functions. Then restores the previous
    /// permission.
    pub(crate) fn where_allowed<T>(&self, allowed: Allowed, work: impl FnOnce() -> T) -> T {
        let before = self.allowed.replace(allowed);
        let done = work();
        self.allowed.set(before);
        done
    }
}

/// Returns the edit distance of two names in characters.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut before = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let changed = before + usize::from(x != *y);
            before = row[j + 1];
            row[j + 1] = changed.min(before + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
