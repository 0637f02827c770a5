//! Aggregation states as SQL values, and the function suffixes `-State` and `-Merge`.
//!
//! A state is stored as a list that contains the argument values of each row. For example, `sumMerge` runs `sum` over
//! the rows of all states. Therefore `-State` and `-Merge` work for every aggregate function.

use super::adapted::adapted;
use super::{Made, State, canonical, make as whole};
use crate::lex::{Token, TokenKind, tokens};
use crate::problem::{Problem, Result};
use crate::types::{Partial, Type};
use crate::value::Value;

/// Creates a function with the suffix `-State`, such as `sumState(x)`. It returns the aggregation state of `sum`.
pub(super) fn state(base: &str, parameters: &[Value], types: &[Type]) -> Result<Made> {
    if types.iter().any(Type::is_null) {
        return Err(Problem::text(format!("`{base}State` does not take NULL")));
    }
    // Return an error if the function does not accept the arguments.
    whole(base, parameters, types)?;
    let partial = Partial {
        name: canonical(base).to_owned(),
        parameters: parameters.iter().map(parameter_text).collect(),
        types: types.to_vec(),
    };
    Made::new(Type::Partial(Box::new(partial)), Rows::default)
}

/// Creates a function with the suffix `-Merge`, such as `sumMerge(state)`. Each state contains the argument values of
/// several rows. `sumMerge` returns the result of `sum` over the rows in all states.
pub(super) fn merge(base: &str, parameters: &[Value], types: &[Type]) -> Result<Made> {
    let [Type::Partial(partial)] = types else {
        return Err(Problem::text(format!(
            "`{base}Merge` needs an aggregate state, such as the result of `{base}State`"
        )));
    };
    if partial.name != canonical(base) {
        let message = format!("`{base}Merge` does not accept a state of `{}`", partial.name);
        return Err(Problem::text(message));
    }
    let inner = whole(base, parameters, &partial.types)?;
    Ok(adapted(inner, |inner, args| {
        args[0].items().iter().try_for_each(|row| inner.add(row.items()))
    }))
}

fn parameter_text(parameter: &Value) -> String {
    match parameter {
        Value::Text(text) => crate::quote::quoted(text),
        Value::Float(number) => crate::text::float(*number),
        other => other.int().to_string(),
    }
}

/// Parses a parameter of an aggregate function, such as 0.5 in `quantile(0.5)(x)`. The text is a number, or a string in
/// single quotes as [`crate::quote::quoted`] writes it.
fn parsed(text: &str) -> Value {
    if text.starts_with('\'')
        && let Ok(tokens) = tokens(text)
        && let Some(Token { kind: TokenKind::Text(bytes), .. }) = tokens.into_iter().next()
    {
        return Value::Text(bytes.into());
    }
    match text.parse() {
        Ok(number) => Value::Int(number),
        Err(_) => Value::Float(crate::text::read_float(text).unwrap_or(f64::NAN)),
    }
}

/// Returns the aggregate function with which `finalizeAggregation` computes the final result of a state.
pub(crate) fn function_of(partial: &Partial) -> Result<Made> {
    let types = [Type::Partial(Box::new(partial.clone()))];
    let parameters: Vec<Value> = partial.parameters.iter().map(|text| parsed(text)).collect();
    merge(&partial.name, &parameters, &types)
}

/// State of a function with the suffix `-State`: the argument values of all rows.
#[derive(Default)]
struct Rows {
    rows: Vec<Value>,
    size: usize,
}

impl State for Rows {
    fn add(&mut self, args: &[Value]) -> Result<()> {
        let row = Value::list(args.to_vec());
        self.size += row.size();
        self.rows.push(row);
        Ok(())
    }

    fn finish(&self) -> Result<Value> {
        Ok(Value::list(self.rows.clone()))
    }

    fn size(&self) -> usize {
        self.size + 64
    }

    fn growing_len(&self) -> Option<usize> {
        Some(self.rows.len())
    }
}
