//! Plan of a query: its steps and their expressions.
//!
//! The resolver creates the plan, and the modules in `run` execute it.

use std::sync::Arc;

use crate::aggregates::Made;
use crate::ast::{Set, Side, Strictness};
use crate::node::Node;
use crate::table::{Span, Table};
use crate::types::Type;
use crate::value::Value;

/// Plan of a query. It contains the result columns and the steps that compute the rows.
pub(crate) struct Plan {
    pub(crate) columns: Vec<(String, Type)>,
    pub(crate) body: Body,
}

pub(crate) enum Body {
    Select(Box<Select>),
    /// A set operation such as UNION, and its parts. The values of each part are converted to the column types of the
    /// plan.
    Set(Set, Vec<Arc<Plan>>),
    /// Constant rows, as for DESCRIBE.
    Rows(Vec<Vec<Value>>),
    /// A recursive query. `start` runs once. `next` runs repeatedly and reads the rows of the previous iteration.
    Recursive {
        start: Arc<Plan>,
        next: Arc<Plan>,
        working: Arc<Working>,
    },
}

/// Rows that the latest iteration of a recursive query returned.
#[derive(Default)]
pub(crate) struct Working(pub(crate) std::sync::Mutex<Vec<Vec<Value>>>);

pub(crate) struct Select {
    pub(crate) source: Source,
    /// Number of values in each row before GROUP BY. ARRAY JOIN, WHERE and GROUP BY read these rows.
    pub(crate) width: usize,
    pub(crate) array_joins: Vec<Explode>,
    pub(crate) lifted: Lifted,
    pub(crate) filter: Option<Arc<Node>>,
    pub(crate) group: Option<Group>,
    pub(crate) having: Option<Arc<Node>>,
    pub(crate) windows: Vec<Window>,
    pub(crate) qualify: Option<Arc<Node>>,
    /// Array arguments of `arrayJoin` that contain an aggregate function, such as
    /// `groupArray(x)` in `arrayJoin(groupArray(x))`. These arrays are evaluated after GROUP BY.
    pub(crate) late: Vec<Explode>,
    pub(crate) list: Vec<Arc<Node>>,
    pub(crate) distinct: bool,
    pub(crate) distinct_on: Vec<Arc<Node>>,
    pub(crate) order: Vec<SortKey>,
    pub(crate) interpolate: Vec<(usize, Option<Arc<Node>>)>,
    pub(crate) limit_by: Option<LimitBy>,
    pub(crate) limit: Option<usize>,
    pub(crate) offset: usize,
    pub(crate) with_ties: bool,
}

/// Expressions that ClickHouse evaluates before ARRAY JOIN or before the first row. Their values are not used, but
/// their errors end the query.
#[derive(Default)]
pub(crate) struct Lifted {
    /// Calls that have the same value for all rows: calls that contain a lambda or a subquery, and calls such as
    /// `ifNull(0, x)`. ClickHouse evaluates all these calls before the first row, even if the input has no rows.
    pub(crate) constants: Vec<Arc<Node>>,
    pub(crate) conditions: Vec<Arc<Node>>,
    /// Expressions that are evaluated for the rows that fulfil all `conditions`.
    pub(crate) values: Vec<Arc<Node>>,
}

/// Arrays of one ARRAY JOIN. They have equal lengths, and each index produces one row.
pub(crate) struct Explode {
    /// True for LEFT ARRAY JOIN, which keeps a row whose arrays are empty.
    pub(crate) left: bool,
    /// For each array of the ARRAY JOIN: the expression of the array, an index in the output row, and a default value.
    /// The output row contains the current element of the array at this index. If LEFT ARRAY JOIN keeps a row with
    /// empty arrays, the output row contains the default value instead.
    pub(crate) arrays: Vec<(Arc<Node>, usize, Value)>,
}

pub(crate) struct Group {
    pub(crate) keys: Vec<Arc<Node>>,
    /// Grouping sets, with one flag per key. The flag is true if the set contains the key. Most queries have one set
    /// with all keys.
    pub(crate) sets: Vec<Vec<bool>>,
    pub(crate) aggregates: Vec<Aggregate>,
    /// True if an input without rows produces one group, as for `SELECT count()` without GROUP BY.
    pub(crate) always: bool,
    /// Default value of each key, for example 0 for a key of the type UInt8. In the groups of a grouping set without
    /// this key, the key has its default value.
    pub(crate) defaults: Vec<Value>,
}

#[derive(Clone)]
pub(crate) struct Aggregate {
    pub(crate) made: Made,
    pub(crate) args: Vec<Arc<Node>>,
}

pub(crate) struct Window {
    pub(crate) partition: Vec<Arc<Node>>,
    pub(crate) order: Vec<SortKey>,
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
    /// Returns the value of the expression `value` in another row of the partition, as in `lag` and `lead`. The other
    /// row is `by` rows after the current row, or `by` rows before the current row if `back` is true. If `in_frame` is
    /// true, the other row must be in the frame too. If the partition or the frame does not contain the other row, the
    /// result is the value of the expression `other` in the current row. Without `other`, the result is `none`, the
    /// default value of the result type.
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
    /// Returns the arguments from which the result of the function is taken. For `lag(x, 2, y)`, these arguments are
    /// `x` and `y`, but not the offset 2. Functions such as `row_number` and `ntile` have no such arguments.
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

/// Start or end of a window frame. `At` contains the distance from the current row: a number of rows for ROWS, or a
/// difference between sort keys for RANGE. Negative distances are before the current row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Edge {
    First,
    Last,
    Current,
    At(f64),
}

#[derive(Clone)]
pub(crate) struct SortKey {
    pub(crate) node: Arc<Node>,
    pub(crate) descending: bool,
    pub(crate) nulls_first: bool,
    pub(crate) fill: Option<FillRange>,
}

#[derive(Clone)]
pub(crate) struct FillRange {
    pub(crate) from: Option<Value>,
    pub(crate) to: Option<Value>,
    pub(crate) step: FillStep,
}

#[derive(Clone)]
pub(crate) enum FillStep {
    Number(Value),
    Days(i64),
    Months(i64),
}

pub(crate) struct LimitBy {
    pub(crate) limit: usize,
    pub(crate) offset: usize,
    pub(crate) by: Vec<Arc<Node>>,
}

pub(crate) enum Source {
    /// One row without columns, for a SELECT without FROM.
    One,
    Table {
        table: Arc<dyn Table>,
        span: Span,
        /// Columns that the query reads. Each entry contains the index of the column in the table, its index in the
        /// rows before GROUP BY, and its type.
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
    /// Pairs of a left and a right expression whose values must be equal.
    pub(crate) keys: Vec<(Arc<Node>, Arc<Node>)>,
    pub(crate) asof: Option<Asof>,
    /// True if a condition in the field `rest` reads columns of both sides of the join.
    pub(crate) is_mixed: bool,
    /// Conditions of the join that are neither in `keys` nor in `asof`.
    pub(crate) rest: Option<Arc<Node>>,
    /// Columns of the left side that the query uses. Each entry contains the index of the column in the joined row, and
    /// a substitute value, such as 0 or NULL. An outer join or an ANTI JOIN writes the substitute value if a right row
    /// has no matching left row.
    pub(crate) left_slots: Vec<(usize, Value)>,
    /// Columns of the right side that the query uses. Each entry contains the index of the column in the joined row,
    /// and a substitute value, such as 0 or NULL. If a left row has no matching right row, an outer join or an ANTI
    /// JOIN writes the substitute value into the column.
    pub(crate) right_slots: Vec<(usize, Value)>,
    /// Columns of USING that the query uses. Each entry contains the index of the column in the joined row, the
    /// expression of the left side, and the expression of the right side.
    pub(crate) merged: Vec<(usize, Arc<Node>, Arc<Node>)>,
}

pub(crate) struct Asof {
    pub(crate) left: Arc<Node>,
    pub(crate) right: Arc<Node>,
    /// True if ASOF JOIN selects the largest right value below the left value. False if ASOF JOIN selects the smallest
    /// right value above the left value. If `or_equal` is true, a right value equal to the left value is also allowed.
    pub(crate) smaller: bool,
    pub(crate) or_equal: bool,
}
