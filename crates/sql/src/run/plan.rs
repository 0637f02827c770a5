//! What is to be done, step by step.

use std::sync::Arc;

use crate::aggregates::Made;
use crate::ast::{Set, Side, Strictness};
use crate::node::Node;
use crate::table::{Span, Table};
use crate::types::Type;
use crate::value::Value;

/// A query: its columns, and how its rows come about.
pub(crate) struct Plan {
    pub(crate) columns: Vec<(String, Type)>,
    pub(crate) body: Body,
}

pub(crate) enum Body {
    Select(Box<Select>),
    /// Queries whose columns have types of their own: each is converted.
    Set(Set, Vec<Arc<Plan>>),
    /// Rows that are known.
    Rows(Vec<Vec<Value>>),
    /// A query that reads what it gave before: how it begins, and how it goes on.
    Recursive {
        start: Arc<Plan>,
        next: Arc<Plan>,
        working: Arc<Working>,
    },
}

/// The rows that a recursive query gave last.
#[derive(Default)]
pub(crate) struct Working(pub(crate) std::sync::Mutex<Vec<Vec<Value>>>);

pub(crate) struct Select {
    pub(crate) source: Source,
    /// Places of a row.
    pub(crate) width: usize,
    pub(crate) array_joins: Vec<Explode>,
    pub(crate) filter: Option<Arc<Node>>,
    pub(crate) group: Option<Group>,
    pub(crate) having: Option<Arc<Node>>,
    pub(crate) windows: Vec<Window>,
    pub(crate) qualify: Option<Arc<Node>>,
    /// Arrays of aggregates that become rows.
    pub(crate) late: Vec<Explode>,
    pub(crate) list: Vec<Arc<Node>>,
    pub(crate) distinct: bool,
    pub(crate) distinct_on: Vec<Arc<Node>>,
    pub(crate) order: Vec<Key>,
    pub(crate) interpolate: Vec<(usize, Option<Arc<Node>>)>,
    pub(crate) limit_by: Option<LimitBy>,
    pub(crate) limit: Option<usize>,
    pub(crate) offset: usize,
    pub(crate) with_ties: bool,
}

/// Arrays that make a row of each element, side by side.
pub(crate) struct Explode {
    /// Whether a row stays when its arrays are empty.
    pub(crate) left: bool,
    /// Each array, where its element goes, and what goes there when there is none.
    pub(crate) arrays: Vec<(Arc<Node>, usize, Value)>,
}

pub(crate) struct Group {
    pub(crate) keys: Vec<Arc<Node>>,
    /// Which keys count, for each kind of group. One kind with all keys, mostly.
    pub(crate) sets: Vec<Vec<bool>>,
    pub(crate) aggregates: Vec<Aggregate>,
    /// Whether there is a group even without rows.
    pub(crate) always: bool,
    /// Bytes that all groups of a recursive call may hold are noted elsewhere.
    pub(crate) defaults: Vec<Value>,
}

#[derive(Clone)]
pub(crate) struct Aggregate {
    pub(crate) made: Made,
    pub(crate) args: Vec<Arc<Node>>,
}

pub(crate) struct Window {
    pub(crate) partition: Vec<Arc<Node>>,
    pub(crate) order: Vec<Key>,
    pub(crate) frame: Frame,
    pub(crate) function: WindowFunction,
}

pub(crate) enum WindowFunction {
    Aggregate(Aggregate),
    RowNumber,
    Rank,
    DenseRank,
    PercentRank,
    CumeDist,
    Ntile(Arc<Node>),
    /// A value of another row: how far on, in the frame or the partition, and what else.
    Shift {
        value: Arc<Node>,
        by: Arc<Node>,
        other: Option<Arc<Node>>,
        back: bool,
        in_frame: bool,
        none: Value,
    },
    First(Arc<Node>, Value),
    Last(Arc<Node>, Value),
    Nth(Arc<Node>, Arc<Node>, Value),
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Frame {
    pub(crate) is_range: bool,
    pub(crate) start: Edge,
    pub(crate) end: Edge,
}

/// An edge of a frame: how far from the current row, and back when negative.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Edge {
    First,
    Last,
    Current,
    At(f64),
}

#[derive(Clone)]
pub(crate) struct Key {
    pub(crate) node: Arc<Node>,
    pub(crate) descending: bool,
    pub(crate) nulls_first: bool,
    pub(crate) fill: Option<Fill>,
}

#[derive(Clone)]
pub(crate) struct Fill {
    pub(crate) from: Option<Value>,
    pub(crate) to: Option<Value>,
    pub(crate) step: Step,
}

#[derive(Clone)]
pub(crate) enum Step {
    Number(Value),
    Months(i64),
}

pub(crate) struct LimitBy {
    pub(crate) limit: usize,
    pub(crate) offset: usize,
    pub(crate) by: Vec<Arc<Node>>,
}

pub(crate) enum Source {
    /// One row without columns.
    One,
    Table {
        table: Arc<dyn Table>,
        span: Span,
        /// Columns and where they go, with the types they have.
        columns: Vec<(usize, usize, Type)>,
    },
    Numbers {
        from: u64,
        count: u64,
        slot: Option<usize>,
    },
    Plan {
        plan: Arc<Plan>,
        slots: Vec<Option<usize>>,
    },
    Working {
        rows: Arc<Working>,
        slots: Vec<Option<usize>>,
    },
    Join(Box<Join>),
}

pub(crate) struct Join {
    pub(crate) left: Source,
    pub(crate) right: Source,
    pub(crate) side: Side,
    pub(crate) strictness: Strictness,
    /// What must be equal on both sides.
    pub(crate) keys: Vec<(Arc<Node>, Arc<Node>)>,
    pub(crate) asof: Option<Asof>,
    /// What must hold besides.
    pub(crate) rest: Option<Arc<Node>>,
    /// Places of each side, and what stands there when the side has no row.
    pub(crate) left_slots: Vec<(usize, Value)>,
    pub(crate) right_slots: Vec<(usize, Value)>,
    /// Columns of USING: where they go, and what they are on both sides.
    pub(crate) merged: Vec<(usize, Arc<Node>, Arc<Node>)>,
}

pub(crate) struct Asof {
    pub(crate) left: Arc<Node>,
    pub(crate) right: Arc<Node>,
    /// Whether the nearest smaller one on the right is wanted, not the nearest larger.
    pub(crate) smaller: bool,
    pub(crate) or_equal: bool,
}
