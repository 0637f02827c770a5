//! Expressions after name resolution. Each expression has a type.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::demand::{Argument, Demand, demand};
use crate::problem::{Problem, Result};
use crate::running::Running;
use crate::types::Type;
use crate::value::Value;

/// Maximum number of nodes of one expression. A node that occurs several times in the expression is counted each time.
const LARGEST: u64 = 50_000;

/// A query inside an expression. This trait is implemented by the modules that run queries.
pub(crate) trait Subquery: Send + Sync {
    /// Returns true if the result of the subquery depends on the current row of the outer query.
    fn is_correlated(&self) -> bool;
    /// Returns the value of the only row of the subquery. If the subquery has several columns, the value is a tuple.
    /// If the subquery has no row, the method returns NULL. For some types that cannot be NULL, such as arrays, the
    /// method can return an error instead. More than one row is an error.
    fn scalar(&self, env: &Env<'_>) -> Result<Value>;
    /// Returns 1 if the subquery has at least one row, otherwise 0.
    fn exists(&self, env: &Env<'_>) -> Result<Value>;
    /// Returns 1 if the subquery contains `value`, otherwise 0. With `negated`, 1 and 0 are swapped. Returns NULL if
    /// `value` is NULL.
    fn holds(&self, value: &Value, negated: bool, env: &Env<'_>) -> Result<Value>;
}

/// Implementation of a SQL function. It computes the result from the argument values.
pub(crate) type Run = Arc<dyn Fn(&[Value]) -> Result<Value> + Send + Sync>;
/// Implementation of a function with a lambda. The second argument runs the lambda.
pub(crate) type RunLambda =
    Arc<dyn Fn(&[Value], &mut dyn FnMut(&[Value]) -> Result<Value>) -> Result<Value> + Send + Sync>;

/// A resolved expression with its type.
pub(crate) struct Node {
    /// Hash of the expression. Equal expressions have equal hashes.
    pub(crate) key: u64,
    pub(crate) ty: Type,
    pub(crate) kind: Kind,
    size: u64,
    /// Rows for which ClickHouse evaluates this node in a branch of `if`, `AND` or `OR`: all rows, or only the rows
    /// that need the result of the node.
    pub(crate) demand: Demand,
    /// True if the `demand` of this node or of a node inside it is [`Demand::Failing`]. Nodes in the body of a lambda
    /// do not count.
    pub(crate) fails_early: bool,
}

pub(crate) enum Kind {
    Const(Value),
    /// A column of the current row. The number is the column index.
    Column(usize),
    /// A lambda parameter. The number is the parameter index. The parameters of the outermost lambda have the lowest
    /// indexes.
    Param(usize),
    /// A column of an outer query: the query level and the column index. The directly enclosing query has the level 1.
    Outer(usize, usize),
    Call {
        run: Run,
        args: Vec<Arc<Node>>,
        /// True if a NULL argument makes the result NULL.
        propagates: bool,
        /// True if ClickHouse evaluates the call for each row even if all arguments are constant.
        per_row: bool,
    },
    Lazy(Lazy, Vec<Arc<Node>>),
    Lambda {
        run: RunLambda,
        body: Arc<Node>,
        /// Index of the first parameter of this lambda. The parameters of enclosing lambdas have lower indexes.
        first: usize,
        args: Vec<Arc<Node>>,
    },
    Scalar(Arc<dyn Subquery>),
    Exists(Arc<dyn Subquery>),
    In {
        value: Arc<Node>,
        set: Arc<dyn Subquery>,
        negated: bool,
    },
    /// A call of an aggregate function. The number is an index into the SELECT's list of aggregate calls. Before
    /// evaluation, the column with the result replaces this node.
    Aggregate(usize),
    Window(usize),
    ArrayJoin(usize),
}

/// Calls that control the evaluation of their arguments, such as `if(condition, a, b)`. All kinds of calls except
/// `First` can skip an argument that the result does not need.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Lazy {
    And,
    /// The conditions of WHERE, HAVING or QUALIFY that are joined by AND. If a condition is false for a row, the later
    /// conditions are not evaluated for this row.
    Filter,
    Or,
    /// `if`, `multiIf` or CASE. The arguments are pairs of a condition and a value. The last argument is the value to
    /// return if no condition is true.
    MultiIf,
    /// `if`, `multiIf` or CASE with exactly one condition. The condition is a constant other than the literal NULL, and
    /// the selected branch already has the result type. ClickHouse drops the branch that is not selected, such as `b`
    /// in `if(1, a, b)`. The arguments are as for `MultiIf`.
    Decided,
    /// Returns the value of the first argument. The other arguments are evaluated only because they can fail.
    First,
}

/// Function that returns the replacement of a node, or `None` to copy the node.
pub(crate) type Change<'a> = dyn FnMut(&Arc<Node>) -> Result<Option<Arc<Node>>> + 'a;

/// Environment in which an expression is evaluated: the current row, the lambda parameters, and the state of the
/// running query.
pub(crate) struct Env<'a> {
    pub(crate) row: &'a [Value],
    pub(crate) params: Vec<Value>,
    pub(crate) running: &'a Running<'a>,
}

impl<'a> Env<'a> {
    pub(crate) fn new(row: &'a [Value], running: &'a Running<'a>) -> Self {
        Env { row, params: Vec::new(), running }
    }
}

impl Node {
    /// Creates a node. Returns an error if the expression has too many nodes.
    pub(crate) fn make(kind: Kind, ty: Type, name: &str) -> Result<Arc<Node>> {
        let mut hasher = DefaultHasher::new();
        name.hash(&mut hasher);
        ty.hash(&mut hasher);
        std::mem::discriminant(&kind).hash(&mut hasher);
        match &kind {
            Kind::Const(value) => value.hash(&mut hasher),
            Kind::Column(at) | Kind::Param(at) => at.hash(&mut hasher),
            Kind::Outer(out, at) => (out, at).hash(&mut hasher),
            Kind::Aggregate(at) | Kind::Window(at) | Kind::ArrayJoin(at) => at.hash(&mut hasher),
            Kind::Scalar(of) | Kind::Exists(of) => Arc::as_ptr(of).cast::<()>().hash(&mut hasher),
            Kind::In { set, negated, .. } => {
                (Arc::as_ptr(set).cast::<()>(), negated).hash(&mut hasher)
            }
            Kind::Lazy(lazy, _) => lazy.hash(&mut hasher),
            Kind::Call { .. } => {}
            Kind::Lambda { body, .. } => body.key.hash(&mut hasher),
        }

        let mut size = 1_u64;
        for child in children(&kind) {
            child.key.hash(&mut hasher);
            size = size.saturating_add(child.size);
        }
        if size > LARGEST {
            return Err(Problem::text("an expression is too large after its aliases are expanded"));
        }
        let (demand, fails_early) = demand_of(&kind, &ty, name);
        Ok(Arc::new(Node { key: hasher.finish(), ty, kind, size, demand, fails_early }))
    }

    /// Creates a node that has no child nodes and never fails.
    fn leaf(key: u64, ty: Type, kind: Kind) -> Arc<Node> {
        Arc::new(Node { key, ty, kind, size: 1, demand: Demand::Safe, fails_early: false })
    }

    pub(crate) fn constant(value: Value, ty: Type) -> Arc<Node> {
        let mut hasher = DefaultHasher::new();
        value.hash(&mut hasher);
        ty.hash(&mut hasher);
        Node::leaf(hasher.finish(), ty, Kind::Const(value))
    }

    pub(crate) fn column(at: usize, ty: Type) -> Arc<Node> {
        let mut hasher = DefaultHasher::new();
        ("column", at).hash(&mut hasher);
        Node::leaf(hasher.finish(), ty, Kind::Column(at))
    }

    /// Copies a column node and sets the key (hash) of the copy. Returns other nodes unchanged.
    pub(crate) fn with_key(node: &Arc<Node>, key: u64) -> Arc<Node> {
        match &node.kind {
            Kind::Column(at) => Node::leaf(key, node.ty.clone(), Kind::Column(*at)),
            _ => Arc::clone(node),
        }
    }

    /// Returns the value if the expression is a constant.
    pub(crate) fn as_const(&self) -> Option<&Value> {
        match &self.kind {
            Kind::Const(value) => Some(value),
            _ => None,
        }
    }

    pub(crate) fn children(&self) -> Vec<&Arc<Node>> {
        children(&self.kind)
    }

    /// Returns true if ClickHouse evaluates this call only for the rows that need its result, but evaluates the
    /// arguments of the call for all rows.
    pub(crate) fn is_lazy_itself(&self, args: &[Arc<Node>]) -> bool {
        self.demand == Demand::Lazy && args.iter().all(|arg| arg.demand != Demand::Lazy)
    }

    /// Returns true if `test` returns true for this node or for a node inside it.
    pub(crate) fn any(&self, test: &dyn Fn(&Node) -> bool) -> bool {
        test(self) || self.children().iter().any(|child| child.any(test))
    }

    /// Returns an error if a subquery of the expression depends on the current row. ClickHouse rejects correlated
    /// subqueries in some clauses. `place` is the name of the clause for the message.
    pub(crate) fn is_uncorrelated(&self, place: &str) -> Result<()> {
        let reads_row = self.any(&|node| match &node.kind {
            Kind::Scalar(of) | Kind::Exists(of) | Kind::In { set: of, .. } => of.is_correlated(),
            _ => false,
        });
        if reads_row {
            let message = format!("a correlated subquery is not supported in {place}");
            return Err(Problem::text(message));
        }
        Ok(())
    }

    /// Converts conditions that are joined by AND to a filter. If a condition of the filter is false for a row, the
    /// later conditions are not evaluated for this row.
    pub(crate) fn as_filter(self: &Arc<Self>) -> Arc<Node> {
        let Kind::Lazy(Lazy::And, parts) = &self.kind else { return Arc::clone(self) };
        let parts = parts.iter().map(Node::as_filter).collect();
        self.with_kind(Kind::Lazy(Lazy::Filter, parts))
    }

    /// Returns a copy of the node with `kind` instead of its own kind. The copy has the same key (hash).
    fn with_kind(&self, kind: Kind) -> Arc<Node> {
        let ty = self.ty.clone();
        let Node { key, size, demand, fails_early, .. } = *self;
        Arc::new(Node { key, ty, kind, size, demand, fails_early })
    }

    /// Copies the expression. Nodes for which `change` returns a replacement are replaced.
    pub(crate) fn rewrite(self: &Arc<Self>, change: &mut Change<'_>) -> Result<Arc<Node>> {
        if let Some(changed) = change(self)? {
            return Ok(changed);
        }
        let mut each = |nodes: &[Arc<Node>]| -> Result<Vec<Arc<Node>>> {
            nodes.iter().map(|node| node.rewrite(change)).collect()
        };

        let kind = match &self.kind {
            Kind::Call { run, args, propagates, per_row } => Kind::Call {
                run: Arc::clone(run),
                args: each(args)?,
                propagates: *propagates,
                per_row: *per_row,
            },
            Kind::Lazy(lazy, args) => Kind::Lazy(*lazy, each(args)?),
            Kind::Lambda { run, body, first, args } => {
                let args = each(args)?;
                let body = each(std::slice::from_ref(body))?.remove(0);
                Kind::Lambda { run: Arc::clone(run), body, first: *first, args }
            }
            Kind::In { value, set, negated } => {
                let value = each(std::slice::from_ref(value))?.remove(0);
                Kind::In { value, set: Arc::clone(set), negated: *negated }
            }
            _ => return Ok(Arc::clone(self)),
        };
        Ok(self.with_kind(kind))
    }
}

/// Returns the [`Demand`] of a new node. A demand determines for which rows ClickHouse evaluates the node in a branch
/// of `if`, `AND` or `OR`. The returned flag is true if the node has the demand [`Demand::Failing`], or if its
/// arguments contain a call with this demand.
fn demand_of(kind: &Kind, ty: &Type, name: &str) -> (Demand, bool) {
    let args: Vec<&Arc<Node>> = match kind {
        Kind::Lambda { args, .. } => args.iter().collect(),
        kind => children(kind),
    };
    let types: Vec<Argument<'_>> = args.iter().map(|arg| (&arg.ty, arg.as_const())).collect();
    let demand = match kind {
        _ if args.iter().any(|arg| arg.demand == Demand::Lazy) => Demand::Lazy,
        Kind::Call { .. } | Kind::Lazy(..) | Kind::Lambda { .. } => demand(name, &types, ty),
        _ => Demand::Safe,
    };
    (demand, demand == Demand::Failing || args.iter().any(|arg| arg.fails_early))
}

fn children(kind: &Kind) -> Vec<&Arc<Node>> {
    match kind {
        Kind::Call { args, .. } | Kind::Lazy(_, args) => args.iter().collect(),
        Kind::Lambda { args, body, .. } => args.iter().chain(std::iter::once(body)).collect(),
        Kind::In { value, .. } => vec![value],
        _ => Vec::new(),
    }
}
