//! Tree of the tables in FROM and their joins. [`Tree::finish`] converts it to the source of rows of a plan.

use std::sync::Arc;

use crate::ast::{Side, Strictness};
use crate::node::Node;
use crate::run::plan::{Asof, Plan, Working};
use crate::table::Table;

/// A table, a subquery, or a join of two trees.
pub(crate) enum Tree {
    Leaf { relation: usize, kind: Leaf },
    Join(Box<JoinTree>),
}

impl Tree {
    /// Returns true if the tree contains a FULL JOIN with USING.
    pub(super) fn has_full_using(&self) -> bool {
        match self {
            Tree::Leaf { .. } => false,
            Tree::Join(join) => {
                let is_full = join.side == Side::Full && !join.merged.is_empty();
                is_full || join.left.has_full_using() || join.right.has_full_using()
            }
        }
    }
}

pub(crate) enum Leaf {
    Table { table: Arc<dyn Table>, used: usize },
    Numbers { from: u64, count: u64 },
    Plan(Arc<Plan>),
    Working(Arc<Working>),
}

pub(crate) struct JoinTree {
    pub(super) left: Tree,
    pub(super) right: Tree,
    pub(super) side: Side,
    pub(super) strictness: Strictness,
    pub(super) keys: Vec<(Arc<Node>, Arc<Node>)>,
    pub(super) asof: Option<Asof>,
    /// Conditions of the join that are neither in `keys` nor in `asof`, joined by AND.
    pub(super) rest: Option<Arc<Node>>,
    /// True if a condition in `rest` reads columns of both sides of the join.
    pub(super) is_mixed: bool,
    pub(super) merged: Vec<(usize, usize, Arc<Node>, Arc<Node>)>,
    /// Indexes of the relations on the left side of the join.
    pub(super) left_relations: Vec<usize>,
    pub(super) right_relations: Vec<usize>,
}
