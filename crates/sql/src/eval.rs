//! Evaluation of resolved expressions.
//!
//! The inputs are an expression ([`Node`]) and a row. The output is one value.

use std::sync::Arc;

use crate::demand::Demand;
use crate::node::{Env, Kind, Lazy, Node, Run, RunLambda};
use crate::problem::{Problem, Result};
use crate::value::Value;

impl Node {
    /// Evaluates the expression for the row in `env`.
    pub(crate) fn eval(&self, env: &mut Env<'_>) -> Result<Value> {
        match &self.kind {
            Kind::Const(value) => Ok(value.clone()),
            Kind::Column(at) => Ok(env.row.get(*at).cloned().unwrap_or_default()),
            Kind::Param(at) => Ok(env.params.get(*at).cloned().unwrap_or_default()),
            Kind::Outer(out, at) => Ok(env.running.outer(*out, *at)),

            Kind::Call { run, args, propagates, .. } => call(run, args, *propagates, env),
            Kind::Lazy(lazy, args) => lazily(*lazy, args, env),
            Kind::Lambda { run, body, first, args } => {
                let (values, held) = eval_arguments(args, env)?;
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

            Kind::Aggregate(_) | Kind::Window(_) | Kind::ArrayJoin(_) => Err(Problem::Internal(
                "an aggregate function, a window function or arrayJoin was evaluated without the index of its column".to_owned(),
            )),
        }
    }

    /// Calls a function that has a lambda. The results of the lambda count against the memory limit until the function
    /// returns.
    fn run_lambda(
        &self,
        run: &RunLambda,
        values: &[Value],
        body: &Node,
        first: usize,
        mut held: usize,
        env: &mut Env<'_>,
    ) -> Result<Value> {
        // `arrayFold` stores only the last result of the lambda. Its last argument, the initial value, has the type of
        // the results.
        let begins = |args: &[Arc<Node>]| args.last().is_some_and(|start| start.ty == body.ty);
        let keeps_one =
            self.ty == body.ty && matches!(&self.kind, Kind::Lambda { args, .. } if begins(args));

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

    /// Evaluates a condition for the row in `env`. Returns false if its value is 0 or NULL.
    pub(crate) fn holds(&self, env: &mut Env<'_>) -> Result<bool> {
        Ok(self.eval(env)?.is_true())
    }

    /// Evaluates calls with the demand [`Demand::Failing`] in an argument that the current row does not need.
    /// ClickHouse evaluates these calls for all rows, so their errors must end the query. An example is `gcd(x, y)` in
    /// `if(c, gcd(x, y), 0)`, for a row with `c = 0`.
    fn fail_early(&self, env: &mut Env<'_>) -> Result<()> {
        match &self.kind {
            _ if !self.fails_early => Ok(()),
            _ if self.demand == Demand::Failing => self.eval(env).map(|_| ()),
            Kind::Lambda { args, .. } => args.iter().try_for_each(|arg| arg.fail_early(env)),
            _ => self.children().iter().try_for_each(|child| child.fail_early(env)),
        }
    }
}

/// Minimum size in bytes of an argument value that counts against the memory limit while a call is evaluated.
const LARGE: usize = 1_024;

/// Evaluates an argument. Returns its value, and the number of bytes that the value adds to the memory in use. The
/// number is 0 for values of less than 1,024 bytes. The number is 0 for constants, columns and lambda parameters too,
/// because the argument shares the memory of these values.
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

/// Evaluates all arguments. Also returns the number of bytes that their values add to the memory in use.
fn eval_arguments(args: &[Arc<Node>], env: &mut Env<'_>) -> Result<(Vec<Value>, usize)> {
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
            let (values, held) = eval_arguments(args, env)?;
            (given(&values)?, held)
        }
    };
    env.running.release(held);
    Ok(result)
}

fn lazily(lazy: Lazy, args: &[Arc<Node>], env: &mut Env<'_>) -> Result<Value> {
    match lazy {
        Lazy::And | Lazy::Filter | Lazy::Or => connect(lazy, args, env),

        Lazy::MultiIf | Lazy::Decided => {
            let (last, pairs) = args
                .split_last()
                .ok_or_else(|| Problem::Internal("a condition has no branches".to_owned()))?;
            for (at, pair) in pairs.chunks(2).enumerate() {
                if pair[0].holds(env)? {
                    fail_early(lazy, args, &args[2 * at + 2..], env)?;
                    return pair[1].eval(env);
                }
                fail_early(lazy, args, &pair[1..], env)?;
            }
            last.eval(env)
        }

        Lazy::First => {
            let (first, others) = args
                .split_first()
                .ok_or_else(|| Problem::Internal("a call has no arguments".to_owned()))?;
            let value = first.eval(env)?;
            for other in others {
                other.eval(env)?;
            }
            Ok(value)
        }
    }
}

/// Evaluates the conditions of `AND`, `OR` or a filter up to the first one that decides the result.
fn connect(lazy: Lazy, args: &[Arc<Node>], env: &mut Env<'_>) -> Result<Value> {
    let ends_at = lazy == Lazy::Or;
    let mut has_null = false;
    for (at, arg) in args.iter().enumerate() {
        let value = arg.eval(env)?;
        if value.is_null() {
            has_null = true;
        } else if value.is_true() == ends_at {
            if lazy != Lazy::Filter {
                fail_early(lazy, args, &args[at + 1..], env)?;
            }
            return Ok(Value::bool(ends_at));
        }
    }
    Ok(if has_null { Value::Null } else { Value::bool(!ends_at) })
}

/// Returns the first error of the arguments `skipped`, which the current row does not need. ClickHouse evaluates some
/// calls in these arguments for all rows, so the errors of these calls end the query. `args` contains all arguments.
fn fail_early(
    lazy: Lazy,
    args: &[Arc<Node>],
    skipped: &[Arc<Node>],
    env: &mut Env<'_>,
) -> Result<()> {
    if !skipped.iter().any(|arg| arg.fails_early) || is_decided(lazy, args) {
        return Ok(());
    }
    skipped.iter().try_for_each(|arg| arg.fail_early(env))
}

/// Returns true if a constant argument decides the result of a condition, such as 0 in `x AND 0`. ClickHouse then drops
/// the other arguments without evaluating them.
fn is_decided(lazy: Lazy, args: &[Arc<Node>]) -> bool {
    match lazy {
        Lazy::MultiIf => false,
        Lazy::Decided => true,
        lazy => args.iter().any(|arg| {
            let constant = arg.as_const().filter(|value| !value.is_null());
            constant.is_some_and(|value| value.is_true() == (lazy == Lazy::Or))
        }),
    }
}
