//! Aggregate functions. Each function has a state per group, from which it computes its result.

mod adapted;
mod behaviour;
mod collect;
mod combine;
pub(crate) mod partial;
mod pick;
mod quantile;
mod statistics;
mod sum;

use std::sync::Arc;

pub(crate) use combine::with_moved_or_null;

use crate::problem::{Problem, Result};
use crate::types::Type;
use crate::value::Value;

/// State of an aggregate function for one group.
pub(crate) trait State: Send {
    /// Adds one row to this state. `args` contains the values of the function's arguments in this row.
    fn add(&mut self, args: &[Value]) -> Result<()>;
    /// Returns the result for all rows added so far.
    fn finish(&self) -> Result<Value>;
    /// Returns the approximate size of the state in bytes. The result of some functions, such as `groupArray`, grows
    /// with the number of rows. For these functions, the size is at least the size of the result. A call of `size`
    /// takes the same time for any number of rows.
    fn size(&self) -> usize {
        64
    }
    /// Returns the current length of the result list if later rows can only append elements to this list, as for
    /// `groupArray`. Otherwise returns `None`.
    fn growing_len(&self) -> Option<usize> {
        None
    }
}

/// An aggregate function that is resolved for its argument types. It contains the result type, and a function that
/// creates the state of a group.
#[derive(Clone)]
pub(crate) struct Made {
    pub(crate) ty: Type,
    pub(crate) start: Arc<dyn Fn() -> Box<dyn State> + Send + Sync>,
}

impl Made {
    pub(crate) fn new<S: State + 'static>(
        ty: Type,
        start: impl Fn() -> S + Send + Sync + 'static,
    ) -> Result<Made> {
        Ok(Made { ty, start: Arc::new(move || Box::new(start())) })
    }
}

/// An aggregate function call that is to be resolved. Its argument types have no `Nullable` wrapper.
pub(crate) struct AggregateCall<'a> {
    pub(crate) name: &'a str,
    pub(crate) parameters: &'a [Value],
    pub(crate) types: &'a [Type],
}

impl AggregateCall<'_> {
    pub(crate) fn fault(&self, message: &str) -> Problem {
        Problem::text(format!("`{}`: {message}", self.name))
    }

    pub(crate) fn takes(&self, counts: std::ops::RangeInclusive<usize>) -> Result<()> {
        if counts.contains(&self.types.len()) {
            return Ok(());
        }
        let (least, most) = (counts.start(), counts.end());
        let counts = if least == most { least.to_string() } else { format!("{least} to {most}") };
        Err(Problem::text(format!(
            "`{}` takes {counts} values, not {}",
            self.name,
            self.types.len()
        )))
    }

    pub(crate) fn number(&self, at: usize) -> Result<&Type> {
        let ty = self.types.get(at).ok_or_else(|| self.fault("an argument is missing"))?;
        if ty.is_number() || *ty == Type::Nothing {
            return Ok(ty);
        }
        Err(self.fault(&format!("argument {} must be a number, not {ty}", at + 1)))
    }
}

/// Pairs of an alias in lower case and the name of the aggregate function.
const ALIASES: &[(&str, &str)] = &[
    ("first_value", "any"),
    ("any_value", "any"),
    ("last_value", "anyLast"),
    ("anyvalue", "any"),
    ("array_agg", "groupArray"),
    ("group_concat", "groupConcat"),
    ("stddev_pop", "stddevPop"),
    ("stddev_samp", "stddevSamp"),
    ("stddev", "stddevSamp"),
    ("std", "stddevPop"),
    ("var_pop", "varPop"),
    ("var_samp", "varSamp"),
    ("variance", "varSamp"),
    ("covar_pop", "covarPop"),
    ("covar_samp", "covarSamp"),
    ("bit_and", "groupBitAnd"),
    ("bit_or", "groupBitOr"),
    ("bit_xor", "groupBitXor"),
    ("count", "count"),
    ("sum", "sum"),
    ("avg", "avg"),
    ("min", "min"),
    ("max", "max"),
    ("corr", "corr"),
    ("any", "any"),
];

/// Names of all aggregate functions without suffixes, one list per module.
const ALL: [&[&str]; 6] =
    [sum::NAMES, pick::NAMES, collect::NAMES, quantile::NAMES, statistics::NAMES, behaviour::NAMES];

/// Prefixes of function names. An aggregate function accepts parameters only if its name starts with one of these
/// prefixes. For example, `quantile` has the parameter `0.5` in `quantile(0.5)(x)`.
const WITH_PARAMETERS: &[&str] = &[
    "groupArray",
    "groupConcat",
    "groupUniqArray",
    "median",
    "quantile",
    "sequence",
    "topK",
    "uniqCombined",
    "windowFunnel",
];

fn canonical(name: &str) -> &str {
    let lower = name.to_ascii_lowercase();
    ALIASES.iter().find(|(alias, _)| *alias == lower).map_or(name, |(_, name)| *name)
}

/// Returns true if `name` is an aggregate function, with or without suffixes such as `If`.
pub(crate) fn is_aggregate(name: &str) -> bool {
    let name = canonical(name);
    ALL.iter().any(|names| names.contains(&name))
        || combine::SUFFIXES.iter().any(|suffix| {
            name.strip_suffix(suffix).is_some_and(|base| !base.is_empty() && is_aggregate(base))
        })
}

/// Resolves a call of an aggregate function by its name, parameters and argument types.
///
/// # Errors
/// Returns an error if the function does not exist, or if it does not accept the parameters or arguments.
pub(crate) fn make(name: &str, parameters: &[Value], types: &[Type]) -> Result<Made> {
    let name = canonical(name);
    if !ALL.iter().any(|names| names.contains(&name))
        && let Some(made) = combine::make(name, parameters, types)
    {
        return made;
    }

    if !parameters.is_empty() && !WITH_PARAMETERS.iter().any(|prefix| name.starts_with(prefix)) {
        return Err(Problem::text(format!("`{name}` takes no parameters")));
    }
    let keeps_states = ["count", "any", "anyLast", "groupArray"];
    if types.iter().any(Type::has_partial) && !keeps_states.contains(&name) {
        return Err(Problem::text(format!("`{name}` takes no aggregate state: use suffix -Merge")));
    }

    let counts = ["count", "uniq", "uniqExact", "uniqHLL12"];
    if types.iter().any(|ty| ty.is_null() && ty.is_nullable()) && !counts.contains(&name) {
        if name == "deltaSum" || name.starts_with("quantiles") {
            return Err(Problem::text(format!("`{name}` does not take NULL, which has no type")));
        }
        let ty = Type::Nothing.nullable();
        return Made::new(ty, || NullOnly);
    }

    let bare: Vec<Type> = types.iter().map(|ty| ty.bare().clone()).collect();
    let asked = AggregateCall { name, parameters, types: &bare };
    let plain = || -> Option<Result<Made>> {
        sum::make(&asked)
            .or_else(|| pick::make(&asked))
            .or_else(|| collect::make(&asked))
            .or_else(|| quantile::make(&asked))
            .or_else(|| statistics::make(&asked))
            .or_else(|| behaviour::make(&asked))
    };
    let made = plain().ok_or_else(|| Problem::text(format!("there is no function `{name}`")))??;
    if types.iter().any(Type::is_nullable) { combine::skip_nulls(&asked, made) } else { Ok(made) }
}

/// State of an aggregate function call in which an argument is the literal NULL. The result is NULL.
struct NullOnly;

impl State for NullOnly {
    fn add(&mut self, _: &[Value]) -> Result<()> {
        Ok(())
    }

    fn finish(&self) -> Result<Value> {
        Ok(Value::Null)
    }
}

/// Splits a text such as `quantile(0.5)` into the function name and its numeric parameters.
pub(crate) fn split_parameters(text: &str) -> Result<(String, Vec<Value>)> {
    let Some((name, rest)) = text.split_once('(') else { return Ok((text.to_owned(), Vec::new())) };
    let numbers = rest.trim_end_matches(')').split(',').map(|number| {
        let number = crate::text::read_float(number.trim()).map(Value::Float);
        number.ok_or_else(|| Problem::text(format!("the parameters of `{text}` must be numbers")))
    });
    Ok((name.to_owned(), numbers.collect::<Result<_>>()?))
}
