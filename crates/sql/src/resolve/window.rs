//! Resolves calls of window functions.
//!
//! The input is a call with its window. The output is an expression that reads the column with the result of the
//! window function.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::Resolver;
use super::scope::{Allowed, Scope};
use crate::aggregates;
use crate::ast::{Bound, Call, Expr, Over, Window as WindowAst};
use crate::functions::branches::as_type;
use crate::node::{Kind, Node};
use crate::problem::{Problem, Result};
use crate::run::plan::{Edge, Frame, SortKey, Window, WindowFunction};
use crate::types::{self, BYTE, Type, UINT64};
use crate::value::{Value, default};

/// Returns true for window functions. They require an OVER clause, except for `first_value` and `last_value`, which are
/// also aggregate functions.
pub(super) fn is_window_function(name: &str) -> bool {
    let names = [
        "row_number",
        "rank",
        "dense_rank",
        "denseRank",
        "percent_rank",
        "percentRank",
        "cume_dist",
        "ntile",
        "lag",
        "lead",
        "lagInFrame",
        "leadInFrame",
        "first_value",
        "last_value",
        "nth_value",
    ];
    names.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Returns true if values of the type can be a number of rows, as in the second argument of `lag`.
fn is_offset(ty: &Type) -> bool {
    ty.plain().is_int() && !ty.bare().is_wide()
}

impl Resolver {
    /// Resolves a call with OVER. Resolves the window definition first, and then the function. If several calls in a
    /// SELECT are equal, the function is computed once, and all these calls read the same result column.
    pub(super) fn window_call(&mut self, call: &Call, scope: &Scope<'_>) -> Result<Arc<Node>> {
        if let Allowed::Nothing(place) = scope.allowed.get() {
            let message = format!("a window function is not allowed in {place}");
            return Err(Problem::text(message));
        }
        if call.args.iter().any(has_window) {
            return Err(Problem::text("window functions must not be nested"));
        }
        let written = match &call.over {
            Some(Over::Name(name)) => self.named_window(name, scope)?,
            Some(Over::Window(window)) => match &window.base {
                Some(base) => merged(self.named_window(base, scope)?, window),
                None => (**window).clone(),
            },
            None => return Err(Problem::Internal("a window is missing".to_owned())),
        };

        let partition = self.all(&written.partition, scope)?;
        let mut order = Vec::new();
        for key in &written.order {
            let node = self.expr(&key.expr, scope)?;
            order.push(SortKey {
                node,
                descending: key.descending,
                nulls_first: key.nulls_first.unwrap_or(false),
                fill: None,
            });
        }
        check_frame(&call.name, &written)?;
        let frame = self.frame(&written, &order, scope)?;
        let (ty, function, args_key) = self.window_function(call, scope)?;

        let mut hasher = DefaultHasher::new();
        (&call.name, args_key).hash(&mut hasher);
        partition.iter().for_each(|node| node.key.hash(&mut hasher));
        for key in &order {
            (key.node.key, key.descending, key.nulls_first).hash(&mut hasher);
        }
        format!("{frame:?}").hash(&mut hasher);
        let key = hasher.finish();
        let window = Window { partition, order, frame, function };
        let known = scope.windows.borrow().iter().position(|(known, _)| *known == key);
        let at = known.unwrap_or_else(|| {
            scope.windows.borrow_mut().push((key, window));
            scope.windows.borrow().len() - 1
        });
        Node::make(Kind::Window(at), ty, "window")
    }

    fn named_window(&self, name: &str, scope: &Scope<'_>) -> Result<WindowAst> {
        let found = scope.named_windows.borrow().get(name).cloned();
        let found = found.ok_or_else(|| Problem::text(format!("there is no window `{name}`")))?;
        match &found.base {
            Some(base) if base != name => Ok(merged(self.named_window(base, scope)?, &found)),
            _ => Ok(found),
        }
    }

    /// Resolves the function and the arguments of a call with OVER. Returns the result type, the implementation, and a
    /// hash of the arguments. The hash of an aggregate function includes the function and its parameters. The hash of a
    /// window function such as `rank` does not. The OVER clause does not change the hash.
    fn window_function(
        &mut self,
        call: &Call,
        scope: &Scope<'_>,
    ) -> Result<(Type, WindowFunction, u64)> {
        let lower = call.name.to_ascii_lowercase();
        let is_own = is_window_function(&lower) || is_window_function(&call.name);
        if !is_own || (aggregates::is_aggregate(&call.name) && !lower.ends_with("_value")) {
            if !aggregates::is_aggregate(&call.name) {
                let message = format!("`{}` is not an aggregate or window function", call.name);
                return Err(Problem::text(message));
            }
            if call.name.starts_with("groupArraySorted") {
                let message = "`groupArraySorted` cannot have OVER: use groupArray and arraySort";
                return Err(Problem::text(message));
            }
            return self.aggregate_over_window(call, scope);
        }

        let has_clause = call.filter.is_some() || call.distinct || !call.parameters.is_empty();
        if has_clause {
            if aggregates::is_aggregate(&call.name) {
                return self.aggregate_over_window(call, scope);
            }
            let message = format!(
                "`{}` is not an aggregate function: it accepts no FILTER, DISTINCT or parameters",
                call.name
            );
            return Err(Problem::text(message));
        }

        let args = self.all(&call.args, scope)?;
        let mut hasher = DefaultHasher::new();
        args.iter().for_each(|arg| arg.key.hash(&mut hasher));
        let key = hasher.finish();
        let count = |counts: std::ops::RangeInclusive<usize>| {
            if counts.contains(&args.len()) {
                return Ok(());
            }
            Err(Problem::text(format!("`{}` does not accept {} arguments", call.name, args.len())))
        };
        let simple = |ty: Type, function| count(0..=0).map(|()| (ty, function, key));

        match lower.as_str() {
            "row_number" => simple(UINT64, WindowFunction::RowNumber),
            "rank" => simple(UINT64, WindowFunction::Rank),
            "dense_rank" | "denserank" => simple(UINT64, WindowFunction::DenseRank),
            "percent_rank" | "percentrank" => simple(Type::Float64, WindowFunction::PercentRank),
            "cume_dist" => simple(Type::Float64, WindowFunction::CumeDist),

            "ntile" => {
                count(1..=1)?;
                let is_unsigned = is_offset(&args[0].ty)
                    && !matches!(args[0].ty.plain(), Type::Int { signed: true, .. });
                let parts = args[0].as_const().map(Value::int);
                if !is_unsigned || parts.is_none_or(|parts| parts < 1) {
                    return Err(Problem::text("`ntile` takes an unsigned integer above 0"));
                }
                Ok((UINT64, WindowFunction::Ntile(Arc::clone(&args[0])), key))
            }
            "lag" | "lead" | "laginframe" | "leadinframe" => {
                count(1..=3)?;
                shift(&call.name, &args).map(|(ty, function)| (ty, function, key))
            }

            "nth_value" => {
                count(2..=2)?;
                if !is_offset(&args[1].ty) {
                    return Err(Problem::text("`nth_value` takes an integer that is not Nullable"));
                }
                let none = default(&args[0].ty);
                let ty = args[0].ty.full();
                Ok((ty, WindowFunction::Nth(Arc::clone(&args[0]), Arc::clone(&args[1]), none), key))
            }
            _ => {
                count(1..=1)?;
                if args[0].ty.is_nullable() {
                    // As in aggregate functions, NULL values are skipped.
                    return self.aggregate_over_window(call, scope);
                }

                let (value, none) = (Arc::clone(&args[0]), default(&args[0].ty));
                let ty = value.ty.full();
                let first = lower.starts_with("first");
                let function = if first {
                    WindowFunction::First(value, none)
                } else {
                    WindowFunction::Last(value, none)
                };
                Ok((ty, function, key))
            }
        }
    }

    fn aggregate_over_window(
        &mut self,
        call: &Call,
        scope: &Scope<'_>,
    ) -> Result<(Type, WindowFunction, u64)> {
        let (key, aggregate) = self.aggregate(call, scope)?;
        Ok((aggregate.made.ty.clone(), WindowFunction::Aggregate(aggregate), key))
    }

    fn frame(&mut self, window: &WindowAst, order: &[SortKey], scope: &Scope<'_>) -> Result<Frame> {
        let Some(frame) = &window.frame else {
            // The default frame ends with the last row that has the same sort key as the current row. Without ORDER BY,
            // all rows have the same sort key.
            let end = if order.is_empty() { Edge::Last } else { Edge::Current };
            return Ok(Frame { is_range: true, start: Edge::First, end });
        };
        let start = self.edge(&frame.start, frame.is_range, order, scope)?;
        let end = self.edge(&frame.end, frame.is_range, order, scope)?;
        if start == Edge::Last || end == Edge::First {
            let message = "a window frame must not start at UNBOUNDED FOLLOWING or end at UNBOUNDED PRECEDING";
            return Err(Problem::text(message));
        }
        let place = |edge: Edge| match edge {
            Edge::First => f64::NEG_INFINITY,
            Edge::Last => f64::INFINITY,
            Edge::Current => 0.0,
            Edge::At(by) => by,
        };
        if place(start) > place(end) {
            return Err(Problem::text("the window frame must not start after its end"));
        }
        Ok(Frame { is_range: frame.is_range, start, end })
    }

    fn edge(
        &mut self,
        bound: &Bound,
        is_range: bool,
        order: &[SortKey],
        scope: &Scope<'_>,
    ) -> Result<Edge> {
        let (distance, sign) = match bound {
            Bound::UnboundedPreceding => return Ok(Edge::First),
            Bound::UnboundedFollowing => return Ok(Edge::Last),
            Bound::Current => return Ok(Edge::Current),
            Bound::Preceding(distance) => (distance, -1.0),
            Bound::Following(distance) => (distance, 1.0),
        };

        let node = self.expr(distance, scope)?;
        let fault = || Problem::text("the bounds of a window frame must be constants");
        let value = node.as_const().ok_or_else(fault)?;
        let by = match &node.ty {
            ty if ty.is_number() => value.float(),
            Type::Interval(_) if is_range => {
                return Err(Problem::text("a frame with INTERVAL is not supported: use a number"));
            }
            _ => return Err(fault()),
        };
        if by < 0.0 || by.is_nan() || (!is_range && by.fract() != 0.0) {
            return Err(Problem::text("frame bounds must be at least 0, and ROWS needs integers"));
        }

        if is_range {
            let [key] = order else {
                return Err(Problem::text(
                    "a numeric bound of RANGE needs exactly one key in ORDER BY",
                ));
            };
            let is_low = matches!(key.node.ty, Type::LowCardinality(_));
            if is_low || !is_distance_key(key.node.ty.bare()) {
                let message =
                    format!("a numeric bound of RANGE does not support ORDER BY {}", key.node.ty);
                return Err(Problem::text(message));
            }
            if key.node.ty.bare().is_int() && by.fract() != 0.0 {
                let message = "RANGE bounds must be integers for an integer key in ORDER BY";
                return Err(Problem::text(message));
            }
        }

        Ok(Edge::At(sign * by))
    }
}

/// Returns the result type and the implementation of `lag`, `lead`, `lagInFrame` or `leadInFrame`.
fn shift(name: &str, args: &[Arc<Node>]) -> Result<(Type, WindowFunction)> {
    let value = Arc::clone(&args[0]);
    let ty = value.ty.full();
    let by = args.get(1).cloned().unwrap_or_else(|| Node::constant(Value::Int(1), BYTE));
    if !is_offset(&by.ty) {
        return Err(Problem::text(format!("`{name}` needs an integer offset")));
    }
    if let Some(other) = args.get(2)
        && (types::common(&[&ty, &other.ty.full()]).as_ref() != Some(&ty)
            || matches!(other.ty.bare(), Type::FixedString(_)) && *other.ty.bare() != *ty.bare())
    {
        let message = format!("the default of `{name}` must be {ty}, not {}", other.ty);
        return Err(Problem::text(message));
    }

    let other = args.get(2).map(|other| as_type(other, &ty)).transpose()?;
    let lower = name.to_ascii_lowercase();
    let (back, in_frame) = (lower.starts_with("lag"), lower.ends_with("inframe"));
    let none = default(&ty);
    Ok((ty, WindowFunction::Shift { value, by, other, back, in_frame, none }))
}

/// Returns true if a sort key of the type can be used with a frame such as `RANGE 5 PRECEDING`.
fn is_distance_key(ty: &Type) -> bool {
    let is_number = ty.is_number() && !ty.is_wide() && !matches!(ty, Type::Decimal { .. });
    is_number || ty.is_date() || matches!(ty, Type::DateTime(_))
}

/// Returns an error if the window has a frame and the function does not accept a frame. Also returns an error for
/// `ntile` without ORDER BY.
fn check_frame(name: &str, window: &WindowAst) -> Result<()> {
    let lower = name.to_ascii_lowercase();
    let takes_none = ["lag", "lead", "ntile", "percent_rank", "percentrank", "cume_dist"];
    if window.frame.is_some() && takes_none.contains(&lower.as_str()) {
        return Err(Problem::text(format!("`{name}` does not support a window frame")));
    }
    if lower == "ntile" && window.order.is_empty() {
        return Err(Problem::text("`ntile` needs ORDER BY in its window"));
    }
    Ok(())
}

/// Extends a named window by the clauses of another window definition, as in `OVER (w ORDER BY x)`. If the window `w`
/// already has an ORDER BY, `ORDER BY x` replaces it. PARTITION BY and the frame are replaced in the same way.
fn merged(mut base: WindowAst, more: &WindowAst) -> WindowAst {
    if !more.partition.is_empty() {
        base.partition.clone_from(&more.partition);
    }
    if !more.order.is_empty() {
        base.order.clone_from(&more.order);
    }
    if more.frame.is_some() {
        base.frame.clone_from(&more.frame);
    }
    base.base = None;
    base
}

/// Returns true if an expression is a call with OVER, or contains such a call in the arguments of other calls.
fn has_window(expr: &Expr) -> bool {
    match expr {
        Expr::Call(call) => call.over.is_some() || call.args.iter().any(has_window),
        Expr::Alias(inner, _) => has_window(inner),
        _ => false,
    }
}
