//! Resolved and typed expressions, and their evaluation.
//!
//! The inputs are a node and a row, and the output is one value.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

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

/// Functions that evaluate only the arguments that they need.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Lazy {
    And,
    Or,
    /// Pairs of condition and value, and the value if no condition is true.
    MultiIf,
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
        Ok(Arc::new(Node { key: hasher.finish(), ty, kind, size }))
    }

    pub(crate) fn constant(value: Value, ty: Type) -> Arc<Node> {
        let mut hasher = DefaultHasher::new();
        value.hash(&mut hasher);
        ty.hash(&mut hasher);
        Arc::new(Node { key: hasher.finish(), ty, kind: Kind::Const(value), size: 1 })
    }

    pub(crate) fn column(at: usize, ty: Type) -> Arc<Node> {
        let mut hasher = DefaultHasher::new();
        ("column", at).hash(&mut hasher);
        Arc::new(Node { key: hasher.finish(), ty, kind: Kind::Column(at), size: 1 })
    }

    /// Copies a node with another key.
    pub(crate) fn with_key(node: &Arc<Node>, key: u64) -> Arc<Node> {
        match &node.kind {
            Kind::Column(at) => {
                Arc::new(Node { key, ty: node.ty.clone(), kind: Kind::Column(*at), size: 1 })
            }
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

    /// Evaluates the expression for a row.
    pub(crate) fn eval(&self, env: &mut Env<'_>) -> Result<Value> {
        match &self.kind {
            Kind::Const(value) => Ok(value.clone()),
            Kind::Column(at) => Ok(env.row.get(*at).cloned().unwrap_or_default()),
            Kind::Param(at) => Ok(env.params.get(*at).cloned().unwrap_or_default()),
            Kind::Outer(out, at) => Ok(env.running.outer(*out, *at)),
            Kind::Call { run, args, propagates } => call(run, args, *propagates, env),
            Kind::Lazy(lazy, args) => lazily(*lazy, args, env),
            Kind::Lambda { run, body, first, args } => {
                let (values, held) = all(args, env)?;
                if values.iter().any(Value::is_null) {
                    env.running.release(held);
                    return Ok(Value::Null);
                }
                self.run_lambda(run, &values, body, *first, held, env)
            }
            Kind::Scalar(of) => of.scalar(env),
            Kind::Exists(of) => of.exists(env),
            Kind::In { value, set, negated } => {
                let value = value.eval(env)?;
                set.holds(&value, *negated, env)
            }
            Kind::Aggregate(_) | Kind::Window(_) | Kind::ArrayJoin(_) => {
                Err(Problem::Internal("an expression has no column index".to_owned()))
            }
        }
    }

    /// Calls a function with a lambda. The lambda's results count as memory in use until the
    /// function returns.
    fn run_lambda(
        &self,
        run: &RunLambda,
        values: &[Value],
        body: &Node,
        first: usize,
        mut held: usize,
        env: &mut Env<'_>,
    ) -> Result<Value> {
        // If the result has the type of the lambda, as in `arrayFold`, the function keeps only the last result.
        let keeps_one = self.ty == body.ty;
        let mut last = 0;
        let result = run(values, &mut |params| {
            env.running.tick()?;
            env.params.truncate(first);
            env.params.extend_from_slice(params);
            let value = body.eval(env)?;

            let size = value.size();
            let before = if keeps_one { last } else { 0 };
            env.running.hold_instead(before, size)?;
            held = held + size - before;
            last = size;
            Ok(value)
        })?;
        env.running.release(held);
        Ok(result)
    }

    /// Evaluates a condition for a row.
    pub(crate) fn holds(&self, env: &mut Env<'_>) -> Result<bool> {
        Ok(self.eval(env)?.is_true())
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
            Kind::Call { run, args, propagates } => {
                Kind::Call { run: Arc::clone(run), args: each(args)?, propagates: *propagates }
            }
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
        Ok(Arc::new(Node { key: self.key, ty: self.ty.clone(), kind, size: self.size }))
    }
}

fn children(kind: &Kind) -> Vec<&Arc<Node>> {
    match kind {
        Kind::Call { args, .. } | Kind::Lazy(_, args) => args.iter().collect(),
        Kind::Lambda { args, body, .. } => args.iter().chain(std::iter::once(body)).collect(),
        Kind::In { value, .. } => vec![value],
        _ => Vec::new(),
    }
}

/// Minimum size in bytes of a value that counts against the memory limit while other arguments are evaluated.
const LARGE: usize = 1_024;

/// Evaluates an argument. Also returns the bytes that the argument adds to the memory in use: 0 for small values and
/// for values that exist elsewhere.
fn argument(node: &Node, env: &mut Env<'_>) -> Result<(Value, usize)> {
    let value = node.eval(env)?;
    let is_shared = matches!(node.kind, Kind::Const(_) | Kind::Column(_) | Kind::Param(_));
    let size = if is_shared { 0 } else { value.size() };
    if size < LARGE {
        return Ok((value, 0));
    }
    env.running.hold(size)?;
    Ok((value, size))
}

/// Evaluates all arguments. Also returns the bytes that they add to the memory in use.
fn all(args: &[Arc<Node>], env: &mut Env<'_>) -> Result<(Vec<Value>, usize)> {
    let mut values = Vec::with_capacity(args.len());
    let mut held = 0;
    for arg in args {
        let (value, size) = argument(arg, env)?;
        values.push(value);
        held += size;
    }
    Ok((values, held))
}

fn call(run: &Run, args: &[Arc<Node>], propagates: bool, env: &mut Env<'_>) -> Result<Value> {
    let given = |values: &[Value]| {
        if propagates && values.iter().any(Value::is_null) { Ok(Value::Null) } else { run(values) }
    };
    // Most calls have one or two arguments. These need no allocation.
    let (result, held) = match args {
        [a] => {
            let (a, held) = argument(a, env)?;
            (given(&[a])?, held)
        }
        [a, b] => {
            let ((a, held_a), (b, held_b)) = (argument(a, env)?, argument(b, env)?);
            (given(&[a, b])?, held_a + held_b)
        }
        args => {
            let (values, held) = all(args, env)?;
            (given(&values)?, held)
        }
    };
    env.running.release(held);
    Ok(result)
}

fn lazily(lazy: Lazy, args: &[Arc<Node>], env: &mut Env<'_>) -> Result<Value> {
    match lazy {
        Lazy::And | Lazy::Or => {
            let ends_at = lazy == Lazy::Or;
            let mut has_null = false;
            for arg in args {
                let value = arg.eval(env)?;
                if value.is_null() {
                    has_null = true;
                } else if value.is_true() == ends_at {
                    return Ok(Value::bool(ends_at));
                }
            }
            Ok(if has_null { Value::Null } else { Value::bool(!ends_at) })
        }
        Lazy::MultiIf => {
            let (last, pairs) = args
                .split_last()
                .ok_or_else(|| Problem::Internal("a condition has no branches".to_owned()))?;
            for pair in pairs.chunks(2) {
                if pair[0].holds(env)? {
                    return pair[1].eval(env);
                }
            }
            last.eval(env)
        }
    }
}
