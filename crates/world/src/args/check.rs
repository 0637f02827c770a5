//! Checks one argument of a request against its parameter. Checks the type, the range, the length and the allowed
//! values.

use crypto_intel_core::{Param, ParamKind, long_chain_name};
use serde_json::Value;

use crate::refusal::Refusal;
use crate::schema;
use crate::timestamp::{self, Forms};

/// Returns an error if the service rejects the parameter `param`, although the published API description lists this
/// parameter. Returns `Ok` for all other parameters.
pub(super) fn check_supported(param: &Param) -> Result<(), Refusal> {
    match param.refused {
        Some(why) => Err(Refusal::invalid(format!("`{}` {why}", param.name))),
        None => Ok(()),
    }
}

/// Splits a comma-separated list into its items.
pub(super) fn split_list(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|item| !item.is_empty())
}

/// Parses and checks the text of an argument from the query string or the path.
pub(super) fn parse_text(param: &Param, text: &str) -> Result<Value, Refusal> {
    let name = param.name;
    let unfit =
        |expected: &str| Refusal::unfit(format!("`{name}` must be {expected}, not `{text}`"));

    match param.kind {
        ParamKind::Integer { min, max } => {
            let number: i64 = text.parse().map_err(|_| unfit("a whole number"))?;
            check_bounds(name, number, min, max)?;
            Ok(number.into())
        }
        ParamKind::Number { min, max } => {
            let number: f64 = text.parse().map_err(|_| unfit("a number"))?;
            if !number.is_finite() {
                return Err(unfit("a finite number"));
            }
            check_bounds(name, number, min, max)?;
            Ok(number.into())
        }

        ParamKind::Boolean | ParamKind::Constant(_) => match text {
            "true" => Ok(true.into()),
            "false" => Ok(false.into()),
            _ => Err(unfit("true or false")),
        },
        ParamKind::Enum(values) => {
            // The interface description allows a number without a unit here. It most likely means days.
            let days = format!("{text}d");
            let text = if values.contains(&days.as_str()) { &days } else { text };
            check_choice(name, text, values)?;
            Ok(text.into())
        }

        ParamKind::String { min, max } => {
            check_length(name, text, min, max)?;
            Ok(text.into())
        }
        ParamKind::List { .. } => {
            let items: Vec<Value> = split_list(text).map(Value::from).collect();
            if items.is_empty() && param.required {
                return Err(Refusal::unfit(format!("`{name}` must contain at least one value")));
            }
            Ok(items.into())
        }
        ParamKind::Moment => match timestamp::read(text, Forms::from_param(param)) {
            Some(_) => Ok(text.into()),
            None => Err(unfit("Unix seconds or YYYY-MM-DD")),
        },
        ParamKind::Json(_) => Ok(text.into()),
    }
}

/// Converts a checked value of an integer parameter to a JSON integer: `20.0` becomes `20`. Returns other values
/// unchanged.
pub(super) fn to_json_integer(param: &Param, value: &Value) -> Value {
    match param.kind {
        ParamKind::Integer { .. } => as_integer(value).map_or_else(|| value.clone(), Value::from),
        _ => value.clone(),
    }
}

/// Returns the integer value of a JSON number. Returns `None` for other values and for a number with a fraction. Also
/// returns `None` for a float above 2^53, such as `1e300`, and for an integer outside the range of `i64`.
fn as_integer(value: &Value) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    let whole = |number: &f64| number.fract() == 0.0 && number.abs() <= EXACT;
    #[expect(clippy::cast_possible_truncation, reason = "the number has at most 53 bits")]
    value.as_i64().or_else(|| value.as_f64().filter(whole).map(|number| number as i64))
}

/// Checks one field of a JSON body against its parameter.
pub(super) fn check_json(param: &Param, value: &Value) -> Result<(), Refusal> {
    let name = param.name;
    let unfit = |expected: &str| Err(Refusal::unfit(format!("`{name}` must be {expected}")));

    match (param.kind, value) {
        (ParamKind::Integer { min, max }, value) => match as_integer(value) {
            Some(number) => check_bounds(name, number, min, max),
            None => unfit("a whole number"),
        },
        (ParamKind::Number { min, max }, Value::Number(number)) => match number.as_f64() {
            Some(number) => check_bounds(name, number, min, max),
            None => unfit("a number"),
        },
        (ParamKind::Number { .. }, _) => unfit("a number"),

        (ParamKind::Boolean | ParamKind::Constant(_), Value::Bool(_)) => Ok(()),
        (ParamKind::Boolean | ParamKind::Constant(_), _) => unfit("true or false"),
        (ParamKind::Enum(values), Value::String(text)) => check_choice(name, text, values),
        (ParamKind::String { min, max }, Value::String(text)) => check_length(name, text, min, max),
        (ParamKind::Moment, Value::String(_)) => Ok(()),
        (ParamKind::Enum(_) | ParamKind::String { .. } | ParamKind::Moment, _) => unfit("a string"),
        (ParamKind::List { .. }, Value::Array(items)) if items.iter().all(Value::is_string) => {
            Ok(())
        }
        (ParamKind::List { .. }, _) => unfit("a list of strings"),

        (ParamKind::Json(ty), value) => {
            let mut faults = Vec::new();
            schema::validate(ty, value, name, &mut faults);
            match faults.first() {
                None => Ok(()),
                Some(fault) if fault.is_structural() => Err(Refusal::invalid(fault.to_string())),
                Some(fault) => Err(Refusal::unfit(fault.to_string())),
            }
        }
    }
}

fn check_bounds<T: PartialOrd + std::fmt::Display>(
    name: &str,
    number: T,
    min: Option<T>,
    max: Option<T>,
) -> Result<(), Refusal> {
    if let Some(min) = min.as_ref().filter(|min| number < **min) {
        return Err(Refusal::unfit(format!("`{name}` must be at least {min}, not {number}")));
    }
    if let Some(max) = max.as_ref().filter(|max| number > **max) {
        return Err(Refusal::unfit(format!("`{name}` must be at most {max}, not {number}")));
    }
    Ok(())
}

fn check_length(name: &str, text: &str, min: Option<u32>, max: Option<u32>) -> Result<(), Refusal> {
    let length = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
    let fault = match (min, max) {
        (Some(min), _) if length < min => format!("at least {min}"),
        (_, Some(max)) if length > max => format!("at most {max}"),
        _ => return Ok(()),
    };
    Err(Refusal::unfit(format!("`{name}` must be {fault} characters long, not {length}")))
}

fn check_choice(name: &str, text: &str, values: &[&str]) -> Result<(), Refusal> {
    if values.contains(&text) {
        return Ok(());
    }
    let hint = match long_chain_name(text).filter(|long| name == "chain" && values.contains(long)) {
        Some(long) => format!("; use the long name of the chain, `{long}`"),
        None => String::new(),
    };
    let message = format!("`{name}` must be one of {}, not `{text}`{hint}", values.join(", "));
    Err(Refusal::unfit(message))
}
