//! Names of result columns that have no alias. The name of such a column is the text of its expression, as
//! ClickHouse spells it.

use crate::ast::{Bound, Call, Expr, Literal, Order, Over, Window};
use crate::quote::quoted;

/// Returns the name of the result column for an expression: `plus(a, 1)` for `a + 1`, or `x` for `a + 1 AS x`.
pub(crate) fn column_name(expr: &Expr) -> String {
    match expr {
        Expr::Literal(literal) => of_literal(literal),
        Expr::Name(names) => names.join("."),
        Expr::DoubleQuoted(name) => name.clone(),
        Expr::Columns(_) => "*".to_owned(),
        Expr::Call(call) => of_call(call),
        Expr::Array(items) => of_array(items),
        Expr::Tuple(items) => format!("({})", of_literals(items).join(", ")),
        Expr::Lambda(params, body) => {
            format!("lambda(tuple({}), {})", params.join(", "), column_name(body))
        }
        Expr::Subquery(_) => "_subquery".to_owned(),
        Expr::Exists(_) => "exists(_subquery)".to_owned(),
        Expr::In(value, set, negated) => {
            let name = if *negated { "notIn" } else { "in" };
            format!("{name}({}, {})", column_name(value), column_name(set))
        }
        Expr::Alias(_, name) => name.clone(),
    }
}

/// Returns the column name of an array. Literals are spelled as values of their common type. For example, `[1, 2.5]` is
/// spelled as `[1., 2.5]`, and `[true, 2]` as `[1, 1]`.
fn of_array(items: &[Expr]) -> String {
    let mut literals = Vec::new();
    let are_literals = items.iter().all(|item| collect_literals(item, &mut literals));
    let is_number = |one: &&Literal| !matches!(one, Literal::Text(_));
    let is_float = |one: &&Literal| matches!(one, Literal::Float(_));
    let are_floats = literals.iter().any(is_float) && literals.iter().all(is_number);
    let are_bits = are_bits(items);
    let change = |literal: &Literal| match literal {
        #[expect(clippy::cast_precision_loss, reason = "the array has floats")]
        Literal::Int(number) if are_floats => of_literal(&Literal::Float(*number as f64)),
        Literal::Int(number) if are_bits => u8::from(*number != 0).to_string(),
        Literal::Bool(truth) if are_floats => format!("{}.", u8::from(*truth)),
        Literal::Bool(truth) => u8::from(*truth).to_string(),
        literal => of_literal(literal),
    };
    if are_literals && (are_floats || are_bits) {
        return of_changed_array(items, &change);
    }
    format!("[{}]", of_literals(items).join(", "))
}

/// Returns true if ClickHouse converts the integers of an array to 0 or 1. For example, `[true, 2]` becomes `[1, 1]`.
/// The first literal of the array must be `true` or `false`. The array and its nested arrays must contain only NULL,
/// Booleans and integers from 0 to 255.
pub(crate) fn are_bits(items: &[Expr]) -> bool {
    let mut literals = Vec::new();
    let are_literals = items.iter().all(|item| collect_literals(item, &mut literals));
    let is_bit = |one: &&Literal| match one {
        Literal::Int(number) => u8::try_from(*number).is_ok(),
        one => matches!(one, Literal::Bool(_) | Literal::Null),
    };
    are_literals
        && matches!(literals.first(), Some(Literal::Bool(_)))
        && literals.iter().all(is_bit)
}

/// Collects the literals of nested arrays. Returns false if an element is neither a literal nor an array.
fn collect_literals<'a>(expr: &'a Expr, into: &mut Vec<&'a Literal>) -> bool {
    match expr {
        Expr::Literal(literal) => {
            into.push(literal);
            true
        }
        Expr::Array(items) => items.iter().all(|item| collect_literals(item, into)),
        _ => false,
    }
}

fn of_changed_array(items: &[Expr], change: &dyn Fn(&Literal) -> String) -> String {
    let one = |item: &Expr| match item {
        Expr::Literal(literal) => change(literal),
        Expr::Array(items) => of_changed_array(items, change),
        item => column_name(item),
    };
    format!("[{}]", items.iter().map(one).collect::<Vec<_>>().join(", "))
}

/// Returns the column names of several expressions. If all expressions are literals or tuples of literals, `true` and
/// `false` are spelled as 1 and 0.
fn of_literals(items: &[Expr]) -> Vec<String> {
    let are_literals = items.iter().all(is_literal);
    let one = |item: &Expr| match item {
        Expr::Literal(Literal::Bool(truth)) if are_literals => u8::from(*truth).to_string(),
        item => column_name(item),
    };
    items.iter().map(one).collect()
}

fn is_literal(expr: &Expr) -> bool {
    match expr {
        Expr::Tuple(items) => items.iter().all(is_literal),
        expr => matches!(expr, Expr::Literal(_)),
    }
}

fn list(items: &[Expr]) -> String {
    items.iter().map(column_name).collect::<Vec<_>>().join(", ")
}

fn of_literal(literal: &Literal) -> String {
    match literal {
        Literal::Null => "NULL".to_owned(),
        Literal::Bool(truth) => truth.to_string(),
        Literal::Int(number) => number.to_string(),
        Literal::Float(number) => {
            let text = crate::text::float(*number);
            let is_fraction = text.contains(['.', 'e', 'n', 'f']);
            if is_fraction { text } else { format!("{text}.") }
        }
        // Column names are returned as JSON text, in which bytes that are not UTF-8 become U+FFFD.
        Literal::Text(bytes) => quoted(String::from_utf8_lossy(bytes).as_bytes()),
    }
}

fn of_call(call: &Call) -> String {
    let Call { name, parameters, args, distinct, filter, over } = call;
    match name.as_str() {
        "tuple" => return format!("({})", list(args)),
        "array" => return format!("[{}]", list(args)),
        _ => {}
    }
    let is_count = name.eq_ignore_ascii_case("count");
    let mut args: Vec<String> = match args.as_slice() {
        [Expr::Columns(_)] if is_count => Vec::new(),
        args => args.iter().map(column_name).collect(),
    };
    let mut name = canonical(name).to_owned();
    if *distinct {
        name.push_str("Distinct");
    }
    if let Some(filter) = filter {
        name.push_str("If");
        args.push(column_name(filter));
    }

    let mut text = name;
    if !parameters.is_empty() {
        text.push_str(&format!("({})", list(parameters)));
    }
    text.push_str(&format!("({})", args.join(", ")));
    match over {
        None => {}
        Some(Over::Name(name)) => text.push_str(&format!(" OVER {name}")),
        Some(Over::Window(window)) => text.push_str(&format!(" OVER ({})", of_window(window))),
    }
    text
}

/// Returns the spelling of a function name in column names, for example `trimLeft` for `ltrim`.
fn canonical(name: &str) -> &str {
    match name.to_ascii_lowercase().as_str() {
        "cast" => "CAST",
        "ltrim" => "trimLeft",
        "rtrim" => "trimRight",
        "trim" => "trimBoth",
        _ => name,
    }
}

fn of_window(window: &Window) -> String {
    let mut parts = Vec::new();
    parts.extend(window.base.clone());
    if !window.partition.is_empty() {
        parts.push(format!("PARTITION BY {}", list(&window.partition)));
    }
    if !window.order.is_empty() {
        let keys: Vec<String> = window.order.iter().map(of_order).collect();
        parts.push(format!("ORDER BY {}", keys.join(", ")));
    }
    if let Some(frame) = &window.frame {
        let kind = if frame.is_range { "RANGE" } else { "ROWS" };
        parts.push(format!("{kind} BETWEEN {} AND {}", bound(&frame.start), bound(&frame.end)));
    }
    parts.join(" ")
}

fn of_order(order: &Order) -> String {
    let way = if order.descending { "DESC" } else { "ASC" };
    let nulls = match order.nulls_first {
        Some(true) => " NULLS FIRST",
        Some(false) => " NULLS LAST",
        None => "",
    };
    format!("{} {way}{nulls}", column_name(&order.expr))
}

fn bound(bound: &Bound) -> String {
    match bound {
        Bound::UnboundedPreceding => "UNBOUNDED PRECEDING".to_owned(),
        Bound::UnboundedFollowing => "UNBOUNDED FOLLOWING".to_owned(),
        Bound::Current => "CURRENT ROW".to_owned(),
        Bound::Preceding(distance) => format!("{} PRECEDING", column_name(distance)),
        Bound::Following(distance) => format!("{} FOLLOWING", column_name(distance)),
    }
}
