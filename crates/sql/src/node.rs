//! Resolved and typed expressions.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::demand::{Argument, Demand, demand};
use crate::problem::{Problem, Result};
use crate::running::Running;
use crate::types::Type;
use crate::value::Value;

/// Maximum number of nodes of one expression. A node that is evaluated several times counts several
/// times.
const LARGEST: u64 = 50_000;

/// A query inside an expression. The modules that run plans implement it.
pub(crate) trait Subquery: Send + Sync {
    /// Returns true if the subquery's rows depend on the row of the outer query.
    fn is_correlated(&self) -> bool;
    /// Returns the value of the subquery's only row, or NULL if there is no row.
    fn scalar(&self, env: &Env<'_>) -> Result<Value>;
    /// Returns 1 if the subquery has a row, otherwise 0.
    fn exists(&self, env: &Env<'_>) -> Result<Value>;
    /// Returns 1 if `value` is among the subquery's rows, otherwise 0; NULL if unknown. `negated` inverts the result.
    fn holds(&self, value: &Value, negated: bool, env: &Env<'_>) -> Result<Value>;
}

/// Implementation of a function.
pub(crate) type Run = Arc<dyn Fn(&[Value]) -> Result<Value> + Send + Sync>;
/// Implementation of a function with a lambda.
pub(crate) type RunLambda =
    Arc<dyn Fn(&[Value], &mut dyn FnMut(&[Value]) -> Result<Value>) -> Result<Value> + Send + Sync>;

/// An expression.
pub(crate) struct Node {
    /// Hash that is equal for equal expressions.
    pub(crate) key: u64,
    pub(crate) ty: Type,
    pub(crate) kind: Kind,
    size: u64,
    /// How ClickHouse evaluates this node in a branch.
    pub(crate) demand: Demand,
    /// True if the node or a node inside it is [`Demand::Failing`].
    pub(crate) fails_early: bool,
}

pub(crate) enum Kind {
    Const(Value),
    /// A column of the row, by index.
    Column(usize),
    /// A lambda parameter, by index from the outermost lambda.
    Param(usize),
    /// A column of an outer query: the number of levels, and the index.
    Outer(usize, usize),
    Call {
        run: Run,
        args: Vec<Arc<Node>>,
        /// True if a NULL argument makes the result NULL.
        propagates: bool,
        /// True if ClickHouse evaluates the call for each row although it knows all arguments.
        per_row: bool,
    },
    Lazy(Lazy, Vec<Arc<Node>>),
    Lambda {
        run: RunLambda,
        body: Arc<Node>,
        /// Index of the first parameter among those of all lambdas.
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
    /// An aggregate. It is replaced by its column before evaluation.
    Aggregate(usize),
    Window(usize),
    ArrayJoin(usize),
}

/// Calls that evaluate their arguments themselves. All but `First` evaluate only those that they need.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Lazy {
    And,
    /// The conditions of WHERE, HAVING or QUALIFY that AND joins. Each one runs only for the rows that the ones before
    /// it select.
    Filter,
    Or,
    /// Pairs of condition and value, and the value if no condition is true.
    MultiIf,
    /// Like `MultiIf`, but a constant condition has decided. ClickHouse drops the branch that is not taken.
    Decided,
    /// The first argument. The others are evaluated because they can fail.
    First,
}

/// Returns the replacement of a node, or `None` to keep it.
pub(crate) type Change<'a> = dyn FnMut(&Arc<Node>) -> Result<Option<Arc<Node>>> + 'a;

/// Environment of an evaluation.
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
            return Err(Problem::text("an expression is too large: its aliases repeat each other"));
        }
        let (demand, fails_early) = demand_of(&kind, &ty, name);
        Ok(Arc::new(Node { key: hasher.finish(), ty, kind, size, demand, fails_early }))
    }

    /// Creates a node without children, which never fails.
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

    /// Copies a node with another key.
    pub(crate) fn with_key(node: &Arc<Node>, key: u64) -> Arc<Node> {
        match &node.kind {
            Kind::Column(at) => Node::leaf(key, node.ty.clone(), Kind::Column(*at)),
            _ => Arc::clone(node),
        }
    }

    /// Returns the value of a constant expression.
    pub(crate) fn as_const(&self) -> Option<&Value> {
        match &self.kind {
            Kind::Const(value) => Some(value),
            _ => None,
        }
    }

    pub(crate) fn children(&self) -> Vec<&Arc<Node>> {
        children(&self.kind)
    }

    /// Returns true if ClickHouse evaluates the call only for the rows that need it, and not because of its arguments.
    pub(crate) fn is_lazy_itself(&self, args: &[Arc<Node>]) -> bool {
        self.demand == Demand::Lazy && args.iter().all(|arg| arg.demand != Demand::Lazy)
    }

    /// Returns true if `test` is true for the node or any node inside it.
    pub(crate) fn any(&self, test: &dyn Fn(&Node) -> bool) -> bool {
        test(self) || self.children().iter().any(|child| child.any(test))
    }

    /// Returns an error if a subquery of the expression reads the row, because ClickHouse rejects that in `place`.
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

    /// Returns a condition in which each of the conditions that AND joins runs only for the rows that the ones before it
    /// select.
    pub(crate) fn as_filter(self: &Arc<Self>) -> Arc<Node> {
        let Kind::Lazy(Lazy::And, parts) = &self.kind else { return Arc::clone(self) };
        let parts = parts.iter().map(Node::as_filter).collect();
        self.with_kind(Kind::Lazy(Lazy::Filter, parts))
    }

    /// Copies the node with another kind, without changing its key.
    fn with_kind(&self, kind: Kind) -> Arc<Node> {
        let ty = self.ty.clone();
        let Node { key, size, demand, fails_early, .. } = *self;
        Arc::new(Node { key, ty, kind, size, demand, fails_early })
    }

    /// Copies the expression. `change` returns replacements of nodes.
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

/// Returns how ClickHouse evaluates a new node in a branch, and true if the node contains a call that fails in all rows.
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
