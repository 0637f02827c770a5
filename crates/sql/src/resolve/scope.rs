//! Names within one SELECT.
//!
//! The input is a path of names. The output is the relation and the column, or an error with the most similar name.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

use super::Names;
use super::join_tree::Tree;
use crate::ast::{Expr, Window as WindowAst};
use crate::functions::branches::without_zeros;
use crate::node::Node;
use crate::run::plan::{Aggregate, Window};
use crate::table::Span;
use crate::types::Type;
use crate::value::{Value, default};

/// Days that the conditions allow, by relation and column name. The flag is true if the condition
/// converts the column to days first, as in `toDate(block_time) > …`.
pub(crate) type Spans = HashMap<(usize, String, bool), Span>;

/// A table of FROM.
pub(crate) struct Relation {
    /// Names of the table: its alias, or its own name.
    pub(crate) names: Vec<String>,
    pub(crate) columns: Vec<RelationColumn>,
    /// True for the columns of USING, which belong to both sides.
    pub(crate) is_merged: bool,
}

pub(crate) struct RelationColumn {
    pub(crate) name: String,
    pub(crate) ty: Type,
    /// Index of the column in a row, once the column is used.
    pub(crate) slot: Option<usize>,
    /// Common type of both sides for a column of USING.
    pub(crate) common: Option<Type>,
    /// True if the name of a result column includes the name of the table: left columns of a RIGHT JOIN with USING.
    pub(crate) is_qualified: bool,
}

impl RelationColumn {
    /// Returns the value of the column in rows of a join to which its side has no row: NULL if its type is Nullable, or
    /// becomes Nullable because of the other side.
    pub(crate) fn missing(&self) -> Value {
        match &self.common {
            Some(common) if common.is_nullable() => Value::Null,
            _ => default(&self.ty),
        }
    }
}

/// Permission for aggregate and window functions in a clause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Allowed {
    /// Aggregate and window functions are allowed: in SELECT, HAVING and ORDER BY.
    All,
    /// Aggregate and window functions are rejected: in WHERE, GROUP BY and the arguments of an aggregate function.
    /// The value names the clause.
    Nothing(&'static str),
}

/// The names of one SELECT.
pub(crate) struct Scope<'p> {
    pub(crate) parent: Option<&'p Scope<'p>>,
    pub(crate) names: Names,
    pub(crate) relations: RefCell<Vec<Relation>>,
    pub(crate) tree: RefCell<Option<Tree>>,
    /// Number of values in a row so far.
    pub(crate) width: Cell<usize>,
    /// All aliases of the SELECT.
    pub(crate) aliases: RefCell<HashMap<String, Expr>>,
    /// Aliases whose expressions are being resolved. Within its own expression, the name of an alias refers to a
    /// column.
    pub(crate) busy: RefCell<Vec<String>>,
    /// Resolved aliases.
    pub(crate) known: RefCell<HashMap<String, Arc<Node>>>,
    /// Number of subqueries in each resolved alias, and true for each of its roles in which they are already counted: at
    /// its definition, and as a name.
    pub(crate) counted: RefCell<HashMap<String, (usize, [bool; 2])>>,
    /// Parameters of lambdas.
    pub(crate) params: RefCell<Vec<(String, Type)>>,
    pub(crate) allowed: Cell<Allowed>,
    pub(crate) aggregates: RefCell<Vec<(u64, Aggregate)>>,
    pub(crate) windows: RefCell<Vec<(u64, Window)>>,
    pub(crate) named_windows: RefCell<HashMap<String, WindowAst>>,
    /// Arrays of `arrayJoin`, before and after GROUP BY.
    pub(crate) array_joins: RefCell<Vec<(Arc<Node>, usize)>>,
    pub(crate) late: RefCell<Vec<Arc<Node>>>,
    /// Days that the conditions allow.
    pub(crate) spans: RefCell<Spans>,
    /// True if a subquery reads rows of this SELECT.
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

    /// Returns the index of a new value in the row.
    pub(crate) fn slot(&self) -> usize {
        let slot = self.width.get();
        self.width.set(slot + 1);
        slot
    }

    /// Creates a reference to a column of a relation.
    pub(crate) fn column(&self, relation: usize, column: usize) -> Arc<Node> {
        let known = self.relations.borrow()[relation].columns[column].slot;
        let slot = known.unwrap_or_else(|| self.slot());
        let found = &mut self.relations.borrow_mut()[relation].columns[column];
        found.slot = Some(slot);
        let node = Node::column(slot, found.ty.clone());
        let common = found.common.as_ref().and_then(|ty| without_zeros(&node, ty).ok());
        common.unwrap_or(node)
    }

    /// Finds a column by its name, with or without the names of its table.
    pub(crate) fn find(&self, path: &[String]) -> Option<(usize, usize)> {
        let (name, before) = path.split_last()?;
        let relations = self.relations.borrow();
        let place =
            |relation: &Relation| relation.columns.iter().position(|column| column.name == *name);
        if before.is_empty() {
            // Columns of USING come first, then the tables from left to right.
            let merged = relations.iter().enumerate().rev();
            let merged = merged.filter(|(_, relation)| relation.is_merged);
            let plain = relations.iter().enumerate().filter(|(_, relation)| !relation.is_merged);
            return merged.chain(plain).find_map(|(at, relation)| Some((at, place(relation)?)));
        }
        let called = before.join(".");
        relations.iter().enumerate().find_map(|(at, relation)| {
            let is_it = relation.names.contains(&called);
            if is_it { Some((at, place(relation)?)) } else { None }
        })
    }

    /// Returns the name of a column in the result. The name includes the name of the table if an earlier table has a
    /// column of the same name.
    pub(crate) fn shown(&self, relation: usize, column: usize) -> String {
        let relations = self.relations.borrow();
        let of = &relations[relation];
        let name = &of.columns[column].name;
        let plain = relations.iter().filter(|relation| !relation.is_merged).count();
        // With two tables, the first one keeps its column names. With three or more tables, none does.
        let is_taken = relations.iter().enumerate().any(|(at, other)| {
            let counts = at < relation || (plain > 2 && at != relation);
            counts && other.columns.iter().any(|column| column.name == *name)
        });
        match of.names.first() {
            Some(table) if is_taken && !of.is_merged => format!("{table}.{name}"),
            _ => name.clone(),
        }
    }

    /// Returns the existing column name that is closest to an unknown name.
    pub(crate) fn nearest(&self, name: &str) -> Option<String> {
        let relations = self.relations.borrow();
        let columns = relations.iter().flat_map(|relation| &relation.columns);
        let near = columns.map(|column| (distance(name, &column.name), column.name.clone()));
        near.filter(|(distance, _)| *distance <= 2).min().map(|(_, name)| name)
    }

    /// Runs `work` in a clause that accepts or rejects aggregates.
    pub(crate) fn where_allowed<T>(&self, allowed: Allowed, work: impl FnOnce() -> T) -> T {
        let before = self.allowed.replace(allowed);
        let done = work();
        self.allowed.set(before);
        done
    }
}

/// Returns the edit distance of two names.
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
