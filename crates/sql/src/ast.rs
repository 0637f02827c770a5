//! Syntax tree of a query. Names are not resolved yet.
//!
//! Operators are function calls, as in ClickHouse: `a + b` is `plus(a, b)`, `CASE` is `multiIf`, and `x[1]` is
//! `arrayElement(x, 1)`.

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Expr {
    Literal(Literal),
    /// An identifier, split at its dots: `t.a` has two parts.
    Name(Vec<String>),
    /// An identifier in double quotes. If the name is unknown, the error message recommends single quotes for strings.
    DoubleQuoted(String),
    /// `*`, `t.*`, or `COLUMNS('...')`.
    Columns(Columns),
    Call(Box<Call>),
    Array(Vec<Expr>),
    Tuple(Vec<Expr>),
    Lambda(Vec<String>, Box<Expr>),
    Subquery(Box<Query>),
    Exists(Box<Query>),
    /// `value IN set`. The flag is true for `NOT IN`.
    In(Box<Expr>, Box<Expr>, bool),
    Alias(Box<Expr>, String),
}

/// A literal in the query text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Literal {
    Null,
    Bool(bool),
    /// An integer literal of at most 64 bits.
    Int(i128),
    Float(f64),
    Text(Vec<u8>),
}

/// A placeholder for several columns: `*` or `COLUMNS`, with its modifiers EXCEPT, REPLACE and APPLY.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Columns {
    /// Table name before the star, split at its dots: `t` in `t.*`. Empty for a star without a table name.
    pub(crate) of: Vec<String>,
    /// Regular expression that selects columns by name, from `COLUMNS('...')`. `None` for a star.
    pub(crate) pattern: Option<String>,
    pub(crate) except: Vec<String>,
    pub(crate) replace: Vec<(Expr, String)>,
    pub(crate) apply: Vec<Expr>,
}

/// A function call, with the clauses that can follow the function name, such as FILTER and OVER.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Call {
    pub(crate) name: String,
    /// Parameters of an aggregate function, such as `0.5` in `quantile(0.5)(x)`.
    pub(crate) parameters: Vec<Expr>,
    pub(crate) args: Vec<Expr>,
    pub(crate) distinct: bool,
    pub(crate) filter: Option<Expr>,
    pub(crate) over: Option<Over>,
}

/// The window after OVER: the name of a window, or its definition.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Over {
    Name(String),
    Window(Box<Window>),
}

#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Window {
    pub(crate) base: Option<String>,
    pub(crate) partition: Vec<Expr>,
    pub(crate) order: Vec<Order>,
    pub(crate) frame: Option<Frame>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Frame {
    pub(crate) is_range: bool,
    pub(crate) start: Bound,
    pub(crate) end: Bound,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Bound {
    UnboundedPreceding,
    Preceding(Expr),
    Current,
    Following(Expr),
    UnboundedFollowing,
}

/// A sort key of ORDER BY, with its options.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Order {
    pub(crate) expr: Expr,
    pub(crate) descending: bool,
    /// True for `NULLS FIRST`, false for `NULLS LAST`, and `None` if neither is written.
    pub(crate) nulls_first: Option<bool>,
    pub(crate) fill: Option<Fill>,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Fill {
    pub(crate) from: Option<Expr>,
    pub(crate) to: Option<Expr>,
    pub(crate) step: Option<Expr>,
}

/// A SELECT, or several queries that are combined by UNION, INTERSECT or EXCEPT.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Query {
    Select(Box<Select>),
    Set(Set, Vec<Query>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Set {
    UnionAll,
    UnionDistinct,
    /// EXCEPT. The flag is true for `EXCEPT DISTINCT`.
    Except(bool),
    Intersect(bool),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum With {
    Value(Expr, String),
    /// `name AS (query)`. The flag is true if the query can read its own rows, as in `WITH RECURSIVE`.
    Table(String, Query, bool),
}

#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Select {
    pub(crate) with: Vec<With>,
    pub(crate) distinct: bool,
    pub(crate) distinct_on: Vec<Expr>,
    pub(crate) list: Vec<Expr>,
    pub(crate) from: Option<From>,
    pub(crate) array_join: Vec<ArrayJoin>,
    pub(crate) prewhere: Option<Expr>,
    pub(crate) filter: Option<Expr>,
    pub(crate) group: Vec<Expr>,
    pub(crate) group_all: bool,
    pub(crate) grouping: Grouping,
    pub(crate) sets: Vec<Vec<Expr>>,
    pub(crate) totals: bool,
    pub(crate) having: Option<Expr>,
    pub(crate) windows: Vec<(String, Window)>,
    pub(crate) qualify: Option<Expr>,
    pub(crate) order: Vec<Order>,
    pub(crate) order_all: bool,
    /// `INTERPOLATE (column AS expression)`.
    pub(crate) interpolate: Option<Vec<(String, Option<Expr>)>>,
    pub(crate) limit_by: Option<LimitBy>,
    pub(crate) limit: Option<Expr>,
    pub(crate) offset: Option<Expr>,
    pub(crate) with_ties: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Grouping {
    #[default]
    Plain,
    Rollup,
    Cube,
    Sets,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ArrayJoin {
    pub(crate) left: bool,
    pub(crate) arrays: Vec<Expr>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LimitBy {
    pub(crate) limit: Expr,
    pub(crate) offset: Option<Expr>,
    pub(crate) by: Vec<Expr>,
}

/// A source of rows in the FROM clause.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum From {
    Table { name: Vec<String>, alias: Option<String> },
    Function { name: String, args: Vec<Expr>, alias: Option<String> },
    Query { query: Box<Query>, alias: Option<String>, columns: Vec<String> },
    Join(Box<Join>),
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Join {
    pub(crate) left: From,
    pub(crate) right: From,
    pub(crate) side: Side,
    pub(crate) strictness: Strictness,
    pub(crate) on: On,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Inner,
    Left,
    Right,
    Full,
    Cross,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Strictness {
    All,
    Any,
    Semi,
    Anti,
    Asof,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum On {
    Nothing,
    Condition(Expr),
    Using(Vec<String>),
}

impl Expr {
    /// Creates a call of the function `name`.
    pub(crate) fn call(name: &str, args: Vec<Expr>) -> Expr {
        let name = name.to_owned();
        let parameters = Vec::new();
        let call = Call { name, parameters, args, distinct: false, filter: None, over: None };
        Expr::Call(Box::new(call))
    }

    pub(crate) fn text(text: &str) -> Expr {
        Expr::Literal(Literal::Text(text.as_bytes().to_vec()))
    }

    pub(crate) fn name(name: &str) -> Expr {
        Expr::Name(vec![name.to_owned()])
    }

    /// Returns the expression without its alias.
    pub(crate) fn bare(&self) -> &Expr {
        match self {
            Expr::Alias(inner, _) => inner.bare(),
            other => other,
        }
    }
}
