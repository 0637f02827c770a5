//! Converts the filters of a query to calls of an operation. This module sends no requests.
//!
//! The input is the columns of a table and the filters. The output is the request parameters of each call.

use std::collections::{BTreeMap, BTreeSet};

use crypto_intel_core::Param;
use datafusion::common::{Column, ScalarValue};
use datafusion::logical_expr::{BinaryExpr, Expr, Operator, expr::InList};

use crate::layout::{Argument, Arguments, Layout, Window};

/// Condition of an SQL filter, expressed as the values of one request parameter. For example, the filter
/// `symbol IN ('BTC', 'ETH')` becomes [`Wish::OneOf`] with the parameter `symbol` and the values `BTC` and `ETH`.
#[derive(Debug, PartialEq)]
pub(crate) enum Wish {
    /// The request parameter must have one of these values. `is_exact` is true if the engine need not filter the
    /// returned rows again.
    OneOf { param: &'static str, values: BTreeSet<String>, is_exact: bool },
    /// Start or end of a time range: the start if `is_lower` is true, otherwise the end. `param` is the name of the
    /// request parameter. `value` is the time in the unit of this parameter, seconds or milliseconds.
    Bound { param: &'static str, value: i64, is_lower: bool },
}

impl Wish {
    /// Returns true if the request parameter fully replaces the filter, and false if the engine must also filter the
    /// returned rows.
    pub(crate) fn is_exact(&self) -> bool {
        matches!(self, Wish::OneOf { is_exact: true, .. })
    }
}

/// Converts a filter to values of a request parameter. Returns `None` if the service cannot apply the filter.
pub(crate) fn wish(layout: &Layout, filter: &Expr) -> Option<Wish> {
    if let Some((argument, values)) = equalities(layout, filter) {
        let (param, is_exact) = (argument.param.name, argument.is_exact);
        return Some(Wish::OneOf { param, values, is_exact });
    }
    bound(layout, filter)
}

/// Returns the request parameters of each call, as text. There is one call for every combination of the values that the
/// filters allow. The result is empty if two filters allow no common value of a parameter, such as
/// `symbol = 'BTC' AND symbol = 'ETH'`.
pub(crate) fn calls(layout: &Layout, filters: &[Expr]) -> Vec<Arguments> {
    let mut sets: BTreeMap<&'static str, BTreeSet<String>> = BTreeMap::new();
    let mut bounds: BTreeMap<&'static str, i64> = BTreeMap::new();
    for wish in filters.iter().filter_map(|filter| wish(layout, filter)) {
        match wish {
            Wish::OneOf { param, values, .. } => {
                let both = match sets.get(param) {
                    Some(known) => known.intersection(&values).cloned().collect(),
                    None => values,
                };
                sets.insert(param, both);
            }
            Wish::Bound { param, value, is_lower } => {
                let known = *bounds.get(param).unwrap_or(&value);
                bounds.insert(param, if is_lower { known.max(value) } else { known.min(value) });
            }
        }
    }

    // A parameter that the query sets directly overrides a bound of the time range.
    let bounds = bounds.into_iter().filter(|(param, _)| !sets.contains_key(param));
    let first: Arguments = bounds.map(|(param, value)| (param, value.to_string())).collect();
    sets.iter().fold(vec![first], |calls, (param, values)| {
        let each = |call: &Arguments| {
            let with = |value: &String| {
                let mut call = call.clone();
                call.insert(*param, value.clone());
                call
            };
            values.iter().map(with).collect::<Vec<_>>()
        };
        calls.iter().flat_map(each).collect()
    })
}

/// Returns the required parameters that a call lacks.
pub(crate) fn missing(layout: &Layout, call: &Arguments) -> Vec<&'static Param> {
    let params = layout.arguments.iter().map(|argument| argument.param);
    params.filter(|param| param.required && !call.contains_key(param.name)).collect()
}

/// Recognizes the filters `column = value`, `column IN (…)`, and `column` or `NOT column` for a boolean column. Also
/// recognizes several of these filters that are joined by OR, if all have the same column. An example is
/// `symbol = 'BTC' OR symbol = 'ETH'`. Returns the parameter of the column and the allowed values.
fn equalities<'a>(layout: &'a Layout, filter: &Expr) -> Option<(&'a Argument, BTreeSet<String>)> {
    let one = |column: &Column, value: &ScalarValue| {
        Some((layout.argument_of(&column.name)?, [text(value)?].into()))
    };

    match filter {
        Expr::Column(column) => one(column, &ScalarValue::Boolean(Some(true))),
        Expr::Not(inner) => match &**inner {
            Expr::Column(column) => one(column, &ScalarValue::Boolean(Some(false))),
            _ => None,
        },
        Expr::BinaryExpr(BinaryExpr { left, op: Operator::Eq, right }) => {
            let (column, value) = sides(left, right).or_else(|| sides(right, left))?;
            one(column, value)
        }

        Expr::BinaryExpr(BinaryExpr { left, op: Operator::Or, right }) => {
            let (argument, mut values) = equalities(layout, left)?;
            let (other, more) = equalities(layout, right)?;
            values.extend(more);
            (argument.column == other.column).then_some((argument, values))
        }
        Expr::InList(InList { expr, list, negated: false }) => {
            let Expr::Column(column) = &**expr else { return None };
            let argument = layout.argument_of(&column.name)?;
            let values = list.iter().map(|value| match value {
                Expr::Literal(value, _) => text(value),
                _ => None,
            });
            Some((argument, values.collect::<Option<_>>()?))
        }
        _ => None,
    }
}

/// Converts a comparison with the time column to the start or end of the requested time range. The time is rounded down
/// to whole units of the parameter. An end is then increased by one unit, because the service may exclude the end of
/// the range. For example, in seconds, the start 10.5 becomes 10, and the end 10.5 becomes 11. So the range contains
/// all matching rows.
fn bound(layout: &Layout, filter: &Expr) -> Option<Wish> {
    let Expr::BinaryExpr(BinaryExpr { left, op, right }) = filter else { return None };
    let window = layout.window.as_ref()?;
    let (column, value, op) = match sides(left, right) {
        Some((column, value)) => (column, value, *op),
        None => {
            let (column, value) = sides(right, left)?;
            (column, value, op.swap()?)
        }
    };
    if layout.schema.index_of(&column.name).ok()? != window.column {
        return None;
    }

    let nanos = nanoseconds(value)?;
    let unit = i128::from(1_000_000_000 / window.per_second);
    let whole = nanos.div_euclid(unit);
    let bound = |Window { from, to, .. }: &Window| match op {
        Operator::Gt | Operator::GtEq => Some((from.name, whole, true)),
        Operator::Lt | Operator::LtEq => Some((to.name, whole + 1, false)),
        _ => None,
    };
    let (param, value, is_lower) = bound(window)?;
    Some(Wish::Bound { param, value: i64::try_from(value).ok()?, is_lower })
}

/// Returns the column and the literal of a comparison if `left` is a column and `right` is a literal.
fn sides<'a>(left: &'a Expr, right: &'a Expr) -> Option<(&'a Column, &'a ScalarValue)> {
    match (left, right) {
        (Expr::Column(column), Expr::Literal(value, _)) => Some((column, value)),
        _ => None,
    }
}

/// Formats an SQL literal as the text of a request parameter. Returns `None` for NULL, and for literals of other types
/// than text, boolean, integer and float.
fn text(value: &ScalarValue) -> Option<String> {
    match value {
        ScalarValue::Utf8(text) | ScalarValue::LargeUtf8(text) | ScalarValue::Utf8View(text) => {
            text.clone()
        }
        ScalarValue::Dictionary(_, value) => text(value),
        ScalarValue::Boolean(Some(_))
        | ScalarValue::Int8(Some(_))
        | ScalarValue::Int16(Some(_))
        | ScalarValue::Int32(Some(_))
        | ScalarValue::Int64(Some(_))
        | ScalarValue::UInt8(Some(_))
        | ScalarValue::UInt16(Some(_))
        | ScalarValue::UInt32(Some(_))
        | ScalarValue::UInt64(Some(_))
        | ScalarValue::Float32(Some(_))
        | ScalarValue::Float64(Some(_)) => Some(value.to_string()),
        _ => None,
    }
}

/// Converts a timestamp literal to nanoseconds since 1970. Returns `None` for other literals.
fn nanoseconds(value: &ScalarValue) -> Option<i128> {
    let (value, unit) = match value {
        ScalarValue::TimestampSecond(value, _) => ((*value)?, 1_000_000_000),
        ScalarValue::TimestampMillisecond(value, _) => ((*value)?, 1_000_000),
        ScalarValue::TimestampMicrosecond(value, _) => ((*value)?, 1_000),
        ScalarValue::TimestampNanosecond(value, _) => ((*value)?, 1),
        _ => return None,
    };
    Some(i128::from(value) * unit)
}
