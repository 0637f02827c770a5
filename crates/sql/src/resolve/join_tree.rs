//! The tables of FROM and their joins, before each column has its position in a row.

use std::sync::Arc;

use crate::ast::{Side, Strictness};
use crate::node::Node;
use crate::run::plan::{Asof, Plan, Working};
use crate::table::Table;

/// A table, or a join of two trees.
pub(crate) enum Tree {
    Leaf { relation: usize, kind: Leaf },
    Join(Box<JoinTree>),
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
    pub(super) rest: Option<Arc<Node>>,
    pub(super) merged: Vec<(usize, usize, Arc<Node>, Arc<Node>)>,
    /// Relations of each side, by index.
    pub(super) left_relations: Vec<usize>,
    pub(super) right_relations: Vec<usize>,
}
