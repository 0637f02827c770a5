//! Scalar functions. This module finds a function by its name and determines the result type.

mod aliases;
mod arguments;
mod arith;
mod arrays;
pub(crate) mod branches;
mod coalesce;
mod compare;
pub(crate) mod conditions;
pub(crate) mod constants;
pub(crate) mod conversion;
pub(crate) mod convert;
mod date_diff;
mod dates;
mod decimals;
mod encodings;
mod hash;
mod intersect;
mod json;
mod lambdas;
mod lenient;
mod letters;
mod list_text;
mod maps;
mod math;
mod membership;
mod nulls;
mod pattern;
mod readable;
mod regexp;
mod round;
mod search;
mod shift;
mod sorting;
mod strings;
mod timeformat;
mod timeparse;
mod transform;
mod truncate;

use std::cell::Cell;
use std::sync::Arc;

use crate::node::{Kind, Lazy, Node, Run};
use crate::problem::{Problem, Result};
use crate::types::{BYTE, Type};
use crate::value::{Value, default, wrap};

pub(crate) use compare::{Convert, literal, ordered};
pub(crate) use lambdas::higher_order;
pub(crate) use transform::compares_like_equals;

/// A function call that is to be resolved: the function name and the arguments.
pub(crate) struct FunctionCall<'a> {
    pub(crate) name: &'a str,
    /// Types of the arguments. `Nullable` is removed from these types, unless the function handles NULL itself.
    pub(crate) types: Vec<Type>,
    pub(crate) nodes: &'a [Arc<Node>],
    /// Current time of the query in Unix seconds.
    pub(crate) now: i64,
}

/// A resolved call: its result type and its implementation.
pub(crate) struct Built {
    pub(crate) ty: Type,
    pub(crate) run: Run,
}

/// Result of the function lookup in one module. `None` if the module does not contain the function.
type Made = Option<Result<Built>>;

/// Functions that resolve a call, one per module. They are tried in this order, and the first module that contains the
/// called SQL function resolves the call.
const MODULES: [fn(&FunctionCall<'_>) -> Made; 21] = [
    maps::make,
    arith::make,
    compare::make,
    math::make,
    round::make,
    strings::make,
    search::make,
    pattern::make,
    convert::make,
    dates::make,
    date_diff::make,
    shift::make,
    truncate::make,
    timeformat::make,
    timeparse::make,
    arrays::make,
    membership::make,
    sorting::make,
    readable::make,
    json::make,
    hash::make,
];

impl FunctionCall<'_> {
    pub(crate) fn count(&self) -> usize {
        self.types.len()
    }

    /// Returns the value of the argument with index `at` if it is a constant.
    pub(crate) fn constant(&self, at: usize) -> Option<&Value> {
        self.nodes.get(at).and_then(|node| node.as_const())
    }

    /// Returns the string value of the argument with index `at`, which must be a constant.
    pub(crate) fn constant_text(&self, at: usize) -> Result<String> {
        let text = self.constant(at).filter(|_| self.types[at].is_text());
        let text = text
            .ok_or_else(|| self.fault(&format!("argument {} must be a constant string", at + 1)))?;
        Ok(String::from_utf8_lossy(text.bytes()).into_owned())
    }

    pub(crate) fn constant_int(&self, at: usize) -> Result<i64> {
        let value = self.constant(at).filter(|_| self.types[at].is_int());
        let value = value.and_then(|value| i64::try_from(value.int()).ok());
        value.ok_or_else(|| self.fault(&format!("argument {} must be a constant integer", at + 1)))
    }

    pub(crate) fn fault(&self, message: &str) -> Problem {
        Problem::text(format!("`{}`: {message}", self.name))
    }

    /// Returns an error if the number of arguments is not in `counts`.
    pub(crate) fn takes(&self, counts: std::ops::RangeInclusive<usize>) -> Result<()> {
        if counts.contains(&self.count()) {
            return Ok(());
        }
        let (least, most) = (counts.start(), counts.end());
        let counts = if least == most { least.to_string() } else { format!("{least} to {most}") };
        let what = if counts == "1" { "value" } else { "values" };
        Err(Problem::text(format!("`{}` takes {counts} {what}, not {}", self.name, self.count())))
    }

    /// Returns an error if the argument with index `at` is missing or if `test` rejects its type. `what` describes the
    /// accepted types in the message.
    pub(crate) fn is(&self, at: usize, what: &str, test: impl Fn(&Type) -> bool) -> Result<()> {
        match self.types.get(at) {
            Some(ty) if test(ty) || *ty == Type::Nothing => Ok(()),
            Some(ty) => Err(self.fault(&format!("argument {} must be {what}, not {ty}", at + 1))),
            None => Err(self.fault(&format!("argument {} is missing", at + 1))),
        }
    }

    /// Returns an error if an argument is the state of an aggregate function. Returns no error for a few functions that
    /// accept states, such as `identity`, which returns its argument.
    fn takes_states(&self) -> Result<()> {
        let hands_on =
            ["finalizeAggregation", "toTypeName", "materialize", "identity", "tuple", "array"];
        if self.types.iter().any(Type::has_partial) && !hands_on.contains(&self.name) {
            return Err(self.fault("an argument must not be an aggregate state: use finalizeAggregation or the suffix -Merge"));
        }
        Ok(())
    }

    pub(crate) fn is_text(&self, at: usize) -> Result<()> {
        self.is(at, "a string", Type::is_text)
    }

    pub(crate) fn is_number(&self, at: usize) -> Result<()> {
        self.is(at, "a number", Type::is_number)
    }

    pub(crate) fn is_int(&self, at: usize) -> Result<()> {
        self.is(at, "an integer of at most 64 bits", |ty| ty.is_int() && !ty.is_wide())
    }

    /// Returns an error if the argument with index `at` is not an integer. In contrast to `is_int`, integers of more
    /// than 64 bits are accepted.
    pub(crate) fn is_any_int(&self, at: usize) -> Result<()> {
        self.is(at, "an integer", Type::is_int)
    }

    /// Returns the element type of the argument with index `at`, which must be an array.
    pub(crate) fn element(&self, at: usize) -> Result<Type> {
        self.is(at, "an array", |ty| matches!(ty, Type::Array(_)))?;
        match &self.types[at] {
            Type::Array(of) => Ok((**of).clone()),
            _ => Ok(Type::Nothing),
        }
    }
}

impl Built {
    pub(crate) fn new(
        ty: Type,
        run: impl Fn(&[Value]) -> Result<Value> + Send + Sync + 'static,
    ) -> Result<Built> {
        Ok(Built { ty, run: Arc::new(run) })
    }
}

/// Converts a `usize` to an integer value.
pub(super) fn count(count: usize) -> Value {
    Value::Int(i128::try_from(count).unwrap_or(i128::MAX))
}

/// Reads an index as ClickHouse does, as a signed number of 64 bits: 18446744073709551615 is -1.
pub(super) fn signed(value: &Value) -> i128 {
    wrap(value.int(), 64, true)
}

/// Reads a length as ClickHouse does, as a signed number of 64 bits. ClickHouse rejects the smallest of these numbers.
pub(super) fn signed_length(value: &Value) -> Result<i128> {
    let fault = || Problem::text("a length must not be -9223372036854775808");
    Some(signed(value)).filter(|length| *length != i128::from(i64::MIN)).ok_or_else(fault)
}

/// Returns the index range that `substring` and `arraySlice` select. `from` starts at 1, and a negative `from` counts
/// from the end. A negative `length` excludes elements at the end: with the length -2, the last two elements are not
/// selected.
pub(super) fn slice(size: usize, from: i128, length: Option<i128>) -> std::ops::Range<usize> {
    let size = i128::try_from(size).unwrap_or(i128::MAX);
    let start = if from > 0 { from - 1 } else { size + from };
    let end = match length {
        None => size,
        Some(length) if length < 0 => size + length,
        Some(length) => start.saturating_add(length),
    };
    let place = |at: i128| usize::try_from(at.clamp(0, size)).unwrap_or(0);
    let (start, end) = (place(start), place(end));
    start..end.max(start)
}

/// Current time of a query, and total size of the query's constants so far. The resolver passes the same context to
/// [`call`] for all function calls of the query, including the calls in subqueries.
pub(crate) struct CallContext {
    /// Current time of the query in Unix seconds.
    now: i64,
    /// Total size in bytes of the constants computed so far.
    constants: Cell<usize>,
}

/// Maximum total size in bytes of all constants that a query computes before it runs. A call with constant arguments
/// that would exceed this maximum is evaluated for each row. Its result then counts against the memory limit of the
/// query.
const CONSTANTS: usize = 32 << 20;

impl CallContext {
    pub(crate) fn new(now: i64) -> Self {
        CallContext { now, constants: Cell::new(0) }
    }

    /// Adds the size of `value` to the total size of the constants and returns true. If the total would exceed
    /// [`CONSTANTS`], the method changes nothing and returns false.
    fn has_room(&self, value: &Value) -> bool {
        let size = self.constants.get().saturating_add(value.size());
        if size > CONSTANTS {
            return false;
        }
        self.constants.set(size);
        true
    }
}

/// Resolves a call of the function `name`. Most calls with constant arguments become constants. The function [`finish`]
/// lists the exceptions.
///
/// # Errors
/// Returns an error if the function does not exist or does not accept the arguments. Also returns an error if the
/// function fails for constant arguments.
pub(crate) fn call(name: &str, args: Vec<Arc<Node>>, context: &CallContext) -> Result<Arc<Node>> {
    let now = context.now;
    let name = aliases::canonical(name);
    // ClickHouse does not evaluate the argument if the argument type already decides the result.
    if let ([arg], "isNull" | "isNotNull") = (args.as_slice(), name)
        && !arg.ty.is_nullable()
        && !arg.ty.is_null()
    {
        return Ok(Node::constant(Value::bool(name == "isNotNull"), BYTE));
    }

    // Only functions that create tuples or maps, or return a member of them, keep LowCardinality types inside them.
    let keeps_low = matches!(name, "tupleElement" | "mapFromArrays" | "tupleConcat");
    let full: Vec<Type> = args
        .iter()
        .map(|arg| if keeps_low { arg.ty.plain().clone() } else { arg.ty.full() })
        .collect();
    let seen = FunctionCall { name, types: full.clone(), nodes: &args, now };
    seen.takes_states()?;
    constants::check(&seen)?;
    if let Some(made) = nulls::make(&seen) {
        return finish(name, made?, args, false, context);
    }

    let is_null = args.iter().any(|arg| arg.ty.is_null() && arg.ty.is_nullable());
    // The name of a time zone is a part of the type.
    let nullable = name != "timezoneOf" && args.iter().any(|arg| arg.ty.is_nullable());
    let types = full.iter().map(|ty| ty.bare().clone()).collect();
    let given = FunctionCall { name, types, nodes: &args, now };
    let given = dates::zoned(&given).unwrap_or(Ok(given))?;
    arguments::check(&given)?;

    let made = MODULES.iter().find_map(|make| make(&given));
    let mut built = made.ok_or_else(|| unknown(name))??;

    if is_null {
        let null = Node::constant(Value::Null, Type::Nothing.nullable());
        // ClickHouse does not evaluate an argument that is compared with a literal NULL.
        let is_unread = compare::is_comparison(name);
        return if is_unread { Ok(null) } else { branches::also_evaluate(null, &args) };
    }
    if nullable && matches!(built.ty, Type::Array(_)) {
        return finish(name, without_nulls(name, built, &args), args, false, context);
    }
    built.ty = built.ty.nullable_if(nullable);
    match arith::run_with_null(name, &built.run, &args).filter(|_| nullable) {
        Some(run) => finish(name, Built { ty: built.ty, run }, args, false, context),
        None => finish(name, built, args, nullable, context),
    }
}

/// Wraps a function that returns a list, because a list cannot be NULL. The wrapper replaces each NULL argument by the
/// default value of the argument type, such as 0. For the function `range`, the wrapper returns an error if an argument
/// is NULL.
fn without_nulls(name: &str, built: Built, args: &[Arc<Node>]) -> Built {
    let rejects = name == "range";
    let defaults: Vec<Value> = args.iter().map(|arg| default(arg.ty.bare())).collect();
    let run = built.run;
    let run = move |v: &[Value]| {
        if rejects && v.iter().any(Value::is_null) {
            return Err(Problem::text("`range` takes numbers, not NULL"));
        }
        let pairs = v.iter().zip(&defaults);
        let values: Vec<Value> =
            pairs.map(|(v, other)| if v.is_null() { other.clone() } else { v.clone() }).collect();
        run(&values)
    };
    Built { ty: built.ty, run: Arc::new(run) }
}

/// Creates the node of a resolved call. If all arguments are constant, the function evaluates the call and returns a
/// constant. The exceptions are functions in [`NOT_CONSTANT`], and results that would raise the total size of all
/// constants above [`CONSTANTS`].
fn finish(
    name: &str,
    built: Built,
    args: Vec<Arc<Node>>,
    propagates: bool,
    context: &CallContext,
) -> Result<Arc<Node>> {
    let Built { mut ty, run } = built;
    ty = low_cardinality(name, ty, &args);
    // The result depends only on the type of the argument.
    if matches!(name, "timezoneOf" | "toTypeName") {
        return Ok(Node::constant(run(&[])?, ty));
    }

    let values: Option<Vec<Value>> = args.iter().map(|arg| arg.as_const().cloned()).collect();
    if let Some(values) = values
        && !NOT_CONSTANT.contains(&name)
    {
        let has_null = propagates && values.iter().any(Value::is_null);
        let value = if has_null { Value::Null } else { run(&values)? };
        if context.has_room(&value) {
            return Ok(Node::constant(value, ty));
        }
    }

    if name == "ignore" {
        let zero = Node::constant(Value::Int(0), ty.clone());
        let parts = std::iter::once(zero).chain(args).collect();
        return Node::make(Kind::Lazy(Lazy::First, parts), ty, name);
    }
    let per_row = NOT_CONSTANT.contains(&name) && constants::are_known(&args);
    Node::make(Kind::Call { run, args, propagates, per_row }, ty, name)
}

/// Functions that ClickHouse evaluates only while the query runs, even if all arguments are constant.
const NOT_CONSTANT: [&str; 13] = [
    "concatWithSeparator",
    "emptyArrayUInt8",
    "extractGroups",
    "identity",
    "ignore",
    "leftPad",
    "leftPadUTF8",
    "materialize",
    "rightPad",
    "rightPadUTF8",
    "sleep",
    "space",
    "transform",
];

/// Returns the result type of a call: `ty` or `LowCardinality(ty)`. For `LowCardinality(ty)`, the only argument that is
/// not constant must be LowCardinality. If all arguments are constant, one of them must be LowCardinality. Some
/// functions and some types, such as decimals, are never LowCardinality.
pub(crate) fn low_cardinality(name: &str, ty: Type, args: &[Arc<Node>]) -> Type {
    let only_one = coalesce::one_low_cardinality(&args.iter().collect::<Vec<_>>());
    let fits = ty.bare().is_text()
        || ty.bare().is_number()
        || ty.bare().is_date()
        || matches!(ty.bare(), Type::DateTime(_) | Type::Interval(_));

    let plain = matches!(
        name,
        "toTypeName"
            | "array"
            | "tuple"
            | "map"
            | "isNull"
            | "isNotNull"
            | "assumeNotNull"
            | "materialize"
            | "ifNull"
            | "toNullable"
            | "CAST"
            | "toLowCardinality"
            | "mapContains"
            | "mapContainsKey"
            | "has"
            | "indexOf"
            | "countEqual"
            | "ignore"
            | "isValidJSON"
    );
    let plain = plain || name.starts_with("JSON");

    let stays = match ty.bare() {
        Type::Decimal { .. } => false,
        Type::Bool => matches!(name, "arrayElement" | "caseWithExpression" | "toBool"),
        _ => true,
    };

    if only_one && fits && !plain && stays && !matches!(ty, Type::LowCardinality(_)) {
        Type::LowCardinality(Box::new(ty))
    } else {
        ty
    }
}

fn unknown(name: &str) -> Problem {
    let random = [
        "rand",
        "rand32",
        "rand64",
        "randConstant",
        "generateUUIDv4",
        "randUniform",
        "randNormal",
        "canonicalRand",
        "randCanonical",
        "randomString",
        "generateUUIDv7",
        "fuzzBits",
    ];
    if random.contains(&name) {
        let message =
            format!("`{name}` is not supported: a query must return the same result each time");
        return Problem::text(message);
    }
    Problem::text(format!("there is no function `{name}`"))
}
