//! The plan of a query: its steps and their expressions.
//!
//! The resolver builds the plan, and the modules of `run` execute it.

use std::sync::Arc;

use crate::aggregates::Made;
use crate::ast::{Set, Side, Strictness};
use crate::node::Node;
use crate::table::{Span, Table};
use crate::types::Type;
use crate::value::Value;

/// A planned query: its columns and the source of its rows.
pub(crate) struct Plan {
    pub(crate) columns: Vec<(String, Type)>,
    pub(crate) body: Body,
}

pub(crate) enum Body {
    Select(Box<Select>),
    /// Parts of a set operation. Values of each part are converted to the types of the plan.
    Set(Set, Vec<Arc<Plan>>),
    /// Constant rows.
    Rows(Vec<Vec<Value>>),
    /// A recursive query: its start and its recursive part.
    Recursive {
        start: Arc<Plan>,
        next: Arc<Plan>,
        working: Arc<Working>,
    },
}

/// Rows of the last round of a recursive query.
#[derive(Default)]
pub(crate) struct Working(pub(crate) std::sync::Mutex<Vec<Vec<Value>>>);

pub(crate) struct Select {
    pub(crate) source: Source,
    /// Number of values in a row.
    pub(crate) width: usize,
    pub(crate) array_joins: Vec<Explode>,
    pub(crate) lifted: Lifted,
    pub(crate) filter: Option<Arc<Node>>,
    pub(crate) group: Option<Group>,
    pub(crate) having: Option<Arc<Node>>,
    pub(crate) windows: Vec<Window>,
    pub(crate) qualify: Option<Arc<Node>>,
    /// Arrays of aggregates, whose elements become rows after GROUP BY.
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

/// Expressions that ClickHouse evaluates before ARRAY JOIN, or before the first row. They matter only for their errors.
#[derive(Default)]
pub(crate) struct Lifted {
    /// Calls that have a lambda and do not depend on a row. ClickHouse evaluates these calls also without rows.
    pub(crate) constants: Vec<Arc<Node>>,
    pub(crate) conditions: Vec<Arc<Node>>,
    /// Expressions for the rows for which all conditions hold.
    pub(crate) values: Vec<Arc<Node>>,
}

/// Arrays that produce one row per element, in parallel.
pub(crate) struct Explode {
    /// True if a row with empty arrays is kept.
    pub(crate) left: bool,
    /// Each array, the index of its element in the row, and the default for short arrays.
    pub(crate) arrays: Vec<(Arc<Node>, usize, Value)>,
}

pub(crate) struct Group {
    pub(crate) keys: Vec<Arc<Node>>,
    /// Keys that apply in each grouping set. Most queries have one set with all keys.
    pub(crate) sets: Vec<Vec<bool>>,
    pub(crate) aggregates: Vec<Aggregate>,
    /// True if the result has a group even without input rows.
    pub(crate) always: bool,
    /// Default of each key. It replaces a key that a grouping set leaves out.
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
    /// A value of another row: distance, scope (frame or partition), and default.
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

impl WindowFunction {
    /// Returns the arguments whose values are results of the function.
    pub(crate) fn values(&self) -> impl Iterator<Item = &Node> {
        let (value, other) = match self {
            WindowFunction::Shift { value, other, .. } => (Some(value), other.as_ref()),
            WindowFunction::First(value, _)
            | WindowFunction::Last(value, _)
            | WindowFunction::Nth(value, ..) => (Some(value), None),
            _ => (None, None),
        };
        value.into_iter().chain(other).map(|node| &**node)
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Frame {
    pub(crate) is_range: bool,
    pub(crate) start: Edge,
    pub(crate) end: Edge,
}

/// Edge of a frame, as a distance from the current row. Negative distances are earlier rows.
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
    /// A source of one row without columns.
    One,
    Table {
        table: Arc<dyn Table>,
        span: Span,
        /// Index in the table, index in the row, and type of each column.
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
    /// Pairs of expressions that must be equal.
    pub(crate) keys: Vec<(Arc<Node>, Arc<Node>)>,
    pub(crate) asof: Option<Asof>,
    /// Conditions of the join other than `keys` and `asof`.
    pub(crate) rest: Option<Arc<Node>>,
    /// Indexes of the columns of each side, and their defaults if the side has no row.
    pub(crate) left_slots: Vec<(usize, Value)>,
    pub(crate) right_slots: Vec<(usize, Value)>,
    /// Columns of USING: index in the row, and expressions on both sides.
    pub(crate) merged: Vec<(usize, Arc<Node>, Arc<Node>)>,
}

pub(crate) struct Asof {
    pub(crate) left: Arc<Node>,
    pub(crate) right: Arc<Node>,
    /// True if ASOF finds the nearest smaller right value, otherwise the nearest larger one.
    pub(crate) smaller: bool,
    pub(crate) or_equal: bool,
}
