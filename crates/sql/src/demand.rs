//! Decides for which rows ClickHouse evaluates a function call in a branch of `if`, `AND` or `OR`. The decision depends
//! on the function name and the arguments.
//!
//! ClickHouse evaluates an expensive call, such as `toDate` of a string, only for the rows that need its result. A call
//! with an expensive call as an argument also counts as expensive. ClickHouse evaluates every other call for all rows.
//! If such a call fails for a row, the query fails, even if this row does not need the result. For example, a row with
//! `n = 25` makes `if(n <= 20, factorial(n), 1)` fail.

use crate::types::Type;
use crate::value::Value;

/// Set of rows for which ClickHouse evaluates a call in a branch of `if`, `AND` or `OR`. The set contains either all
/// rows or only the rows that need the result of the call. For example, a row with `c = 0` does not need the result of
/// `f(x)` in `if(c, f(x), 1)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Demand {
    /// ClickHouse evaluates the call only for the rows that need its result.
    Lazy,
    /// ClickHouse evaluates the call for all rows, even for rows that do not need its result. The call fails for some
    /// argument values. For example, `factorial(n)` fails for `n = 25`.
    Failing,
    /// ClickHouse evaluates the call for all rows. The call never fails.
    Safe,
}

/// Type of an argument, and its value if the argument is a constant.
pub(crate) type Argument<'a> = (&'a Type, Option<&'a Value>);

/// Returns the [`Demand`] of a call: whether ClickHouse evaluates the call for all rows, and whether the call can fail.
/// `ty` is the result type of the call. The caller must check that no argument is [`Demand::Lazy`].
pub(crate) fn demand(name: &str, args: &[Argument<'_>], ty: &Type) -> Demand {
    if is_lazy(name, args) {
        Demand::Lazy
    } else if can_fail(name, args, ty) {
        Demand::Failing
    } else {
        Demand::Safe
    }
}

/// Names of functions that ClickHouse evaluates for all rows, even for rows that do not need the result. For example, a
/// row with `n = 25` does not need the result of `factorial(n)` in `if(n <= 20, factorial(n), 1)`. A name that ends
/// with `*` is a prefix of several names. Functions whose names end with `OrDefault` are not listed, but are also
/// evaluated for all rows. Calls such as `intDiv` with a divisor that is not constant are exceptions, which `is_lazy`
/// checks first.
const EAGER: &str = "plus minus multiply divide modulo moduloOrZero positiveModulo intDiv intDivOrZero negate abs bitAnd \
    bitOr bitXor bitNot bitCount bitShiftLeft bitShiftRight bitTest gcd lcm sign factorial round roundBankers floor ceil \
    trunc sqrt cbrt exp exp2 exp10 log log2 log10 log1p pow sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh \
    atanh degrees radians hypot sigmoid isNaN isFinite isInfinite ifNotFinite equals notEquals less greater lessOrEquals \
    greaterOrEquals isDistinctFrom isNotDistinctFrom and or not xor if multiIf case coalesce ifNull nullIf isNull \
    isNotNull isZeroOrNull assumeNotNull toNullable identity materialize ignore greatest least length empty notEmpty hex \
    unhex char toBool toTypeName array arrayElement tuple tupleElement tupleConcat mapKeys mapValues mapFilter mapApply \
    mapFromArrays formatDateTime fromUnixTimestamp dateTrunc dateName monthName timeSlot toTimezone timezoneOf \
    timezoneOffset toYear* toMonth toMonday toDayOfMonth toDayOfYear toDaysSinceYearZero toHour toMinute toSecond \
    toQuarter toYYYYMM* toISO* toRelative* toLastDayOfMonth toStartOfMonth toStartOfYear toStartOfISOYear \
    toStartOfQuarter toStartOfDay toStartOfHour toStartOfMinute toStartOfSecond toStartOfFiveMinutes toStartOfTenMinutes \
    toStartOfFifteenMinutes toStartOfInterval add* subtract* now* today yesterday as after in scalar exists outer param";

fn is_lazy(name: &str, args: &[Argument<'_>]) -> bool {
    let is_decimal = |(ty, _): &Argument<'_>| matches!(ty.bare(), Type::Decimal { .. });
    match (name, args) {
        ("intDiv" | "modulo" | "positiveModulo", [_, (_, divisor)]) => divisor.is_none(),
        ("divide", args) => args.iter().any(is_decimal),
        ("toYearWeek", _) => true,
        ("toDate" | "toDate32" | "toDateTime" | "toDateTime64", [(ty, _), ..]) => {
            !ty.bare().is_number()
        }
        (name, _) if name.ends_with("OrDefault") => false,
        (name, _) => !EAGER.split_whitespace().any(|eager| match eager.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == eager,
        }),
    }
}

/// Returns true if a call rejects some argument values. This function handles only calls for which [`is_lazy`] returns
/// false.
fn can_fail(name: &str, args: &[Argument<'_>], ty: &Type) -> bool {
    let has = |test: fn(&Type) -> bool| args.iter().any(|(ty, _)| test(ty.bare()));
    let is_decimal = |ty: &Type| matches!(ty, Type::Decimal { .. });
    match name {
        "gcd" | "lcm" | "intDiv" | "modulo" | "positiveModulo" | "bitTest" | "bitShiftLeft"
        | "bitShiftRight" | "factorial" | "mapFromArrays" => true,
        "toBool" => has(Type::is_text),
        "toDate" | "toDate32" | "toDateTime" | "toDateTime64" => true,
        "plus" | "minus" | "multiply" | "negate" | "abs" | "as" | "greatest" | "least" => {
            is_decimal(ty.bare())
        }
        "equals" | "notEquals" | "less" | "greater" | "lessOrEquals" | "greaterOrEquals" => {
            has(is_decimal)
        }
        name => name.ends_with("OrDefault") && has(is_decimal),
    }
}
