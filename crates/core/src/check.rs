//! Checks a call before it is sent: required parameters must be set, and values must be within their bounds and have
//! the required text formats.
//!
//! The catalogue lists the values of each enum parameter. A value outside this list is usually accepted, because the
//! service adds values without notice. Two kinds of values outside the list are rejected:
//! - A value that the catalogue lists only for other operations, for a parameter with an equal name. For example, some
//!   operations accept the value `8h` for the parameter `interval`, and others do not.
//! - Another spelling of a value in the list, such as `Ethereum` or the short name `ETH` for `ethereum`.

use crate::call::Call;
use crate::convention;
use crate::error::Error;
use crate::operation::{In, Param, ParamKind, Rule};
use crate::value::Value;

impl Call {
    /// Checks the call against the catalogue. Returns an error if the service would reject the call, or would charge
    /// for it without a useful result. For example, the service charges for a name in place of a UUID, and returns no
    /// data.
    ///
    /// # Errors
    /// Returns [`ErrorKind::InvalidRequest`](crate::ErrorKind::InvalidRequest) if a parameter value is missing or
    /// invalid. The message contains the name of the parameter and, for most invalid values, the values that the
    /// parameter accepts.
    pub fn check(&self) -> Result<(), Error> {
        for (index, value) in self.values() {
            let Some(param) = self.operation().params.get(*index) else {
                let reason = format!("the operation has no parameter with the index {index}");
                return Err(self.invalid(reason));
            };
            if let Some(why) = param.refused.filter(|_| !self.options().unchecked) {
                return Err(self.invalid(format!("`{}` {why}", param.name)));
            }
            if let Some(reason) = value_fault(param, value, self.options().unchecked) {
                return Err(self.invalid(format!("`{}` {reason}", param.name)));
            }
        }

        for (name, _) in self.extra() {
            if let Some(reason) = self.extra_fault(name) {
                return Err(self.invalid(format!("`{name}` {reason}")));
            }
        }

        for (index, param) in self.operation().params.iter().enumerate() {
            // Compares indexes, because a path parameter and a query parameter can have equal names.
            if param.required && !self.values().iter().any(|(set, _)| *set == index) {
                return Err(self.invalid(format!("`{}` is required", param.name)));
            }
        }
        self.operation().rules.iter().try_for_each(|rule| self.check_rule(*rule))
    }

    /// Returns the reason why [`set_extra`](Call::set_extra) cannot set the parameter `name`. Returns `None` if it can.
    fn extra_fault(&self, name: &str) -> Option<String> {
        let misplaced = self.operation().misplaced.iter().find(|misplaced| misplaced.name == name);
        if let Some(misplaced) = misplaced {
            return Some(misplaced.instead.to_owned());
        }
        match self.operation().param(name)?.1.kind {
            ParamKind::Constant(flag) => {
                Some(format!("is always `{flag}` in this operation: do not set it"))
            }
            _ => None,
        }
    }

    fn check_rule(&self, rule: Rule) -> Result<(), Error> {
        let count = |names: &[&str]| names.iter().filter(|name| self.get(name).is_some()).count();
        let list = |names: &[&str]| {
            names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ")
        };
        match rule {
            Rule::AtLeastOne(names) if count(names) == 0 => {
                Err(self.invalid(format!("{} is required", list(names))))
            }
            Rule::ExactlyOne(names) if count(names) == 0 => {
                Err(self.invalid(format!("{} is required", list(names))))
            }
            Rule::ExactlyOne(names) if count(names) > 1 => {
                Err(self.invalid(format!("only one of {} may be set", list(names))))
            }
            Rule::AtLeastOne(_) | Rule::ExactlyOne(_) => Ok(()),
        }
    }
}

/// Returns the reason to reject `value`, or `None` if the value is accepted. The reason completes a sentence that
/// begins with the parameter's name: `must be 1 to 100, not 0`.
fn value_fault(param: &Param, value: &Value, unchecked: bool) -> Option<String> {
    // An empty path segment would address another resource, and `..` would lead to the parent path.
    if param.location == In::Path && matches!(&*value.to_text(), "" | "." | "..") {
        return Some(format!("cannot be `{}` in a path", value.to_text()));
    }

    if unchecked {
        return None;
    }

    match (param.kind, value) {
        (ParamKind::Integer { min, max }, Value::Integer(number)) => {
            integer_fault(param, *number, min, max)
        }
        (ParamKind::Integer { min, max }, Value::Text(text)) => match (text.parse(), min, max) {
            (Ok(number), ..) => integer_fault(param, number, min, max),
            // The text is a number that does not fit in 64 bits, or it is not a whole number.
            (Err(_), Some(_), Some(_)) => {
                Some(format!("must be {}, not {text}", range_text(min, max)))
            }
            (Err(_), None, None) => {
                Some(format!("must be a whole number that fits in 64 bits, not {text}"))
            }
            _ => Some(format!("must be a 64-bit integer of {}, not {text}", range_text(min, max))),
        },
        (ParamKind::Number { min, max }, Value::Number(_) | Value::Integer(_) | Value::Text(_)) => {
            let text = value.to_text();
            let is_in_range = text.parse().is_ok_and(|number: f64| {
                number.is_finite()
                    && min.is_none_or(|min| number >= min)
                    && max.is_none_or(|max| number <= max)
            });
            (!is_in_range).then(|| format!("must be {}, not {text}", range_text(min, max)))
        }

        (ParamKind::String { min, max }, Value::Text(text)) => {
            let length = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
            (min.is_some_and(|min| length < min) || max.is_some_and(|max| length > max))
                .then(|| format!("must be {} characters long, not {length}", range_text(min, max)))
                .or_else(|| convention::fault(param, text))
        }
        (ParamKind::List { .. }, Value::List(list))
            if param.required && list.iter().next().is_none() =>
        {
            Some("must contain at least one value".to_owned())
        }
        (ParamKind::Enum(values), Value::Text(text)) if is_only_elsewhere(param, values, text) => {
            let values = values.join(", ");
            Some(format!("cannot be `{text}` in this operation; use one of the values {values}"))
        }

        (_, Value::Text(text)) => convention::fault(param, text),
        (_, Value::List(list)) => list.iter().find_map(|text| convention::fault(param, text)),
        _ => None,
    }
}

fn integer_fault(param: &Param, number: i64, min: Option<i64>, max: Option<i64>) -> Option<String> {
    let is_in_range = min.is_none_or(|min| number >= min) && max.is_none_or(|max| number <= max);
    match is_in_range {
        true => convention::time_fault(param, number),
        false => Some(format!("must be {}, not {number}", range_text(min, max))),
    }
}

/// Returns true if `values`, the catalogue's values of `param`, do not contain `text`, but another operation accepts
/// `text` for its parameter with this name.
fn is_only_elsewhere(param: &Param, values: &[&str], text: &str) -> bool {
    param.elsewhere.contains(&text) && !values.contains(&text)
}

fn range_text<T: std::fmt::Display>(min: Option<T>, max: Option<T>) -> String {
    match (min, max) {
        (Some(min), Some(max)) => format!("{min} to {max}"),
        (Some(min), None) => format!("at least {min}"),
        (None, Some(max)) => format!("at most {max}"),
        (None, None) => "a finite number".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::ParamKind;

    #[test]
    fn bounds_apply_to_numbers_that_are_passed_as_text_or_as_another_type() {
        let limit = ParamKind::Integer { min: Some(1), max: Some(100) };
        let amount = ParamKind::Number { min: Some(0.0), max: None };
        for (kind, value, expected) in [
            (limit, Value::from("100"), None),
            (limit, Value::from("500"), Some("must be 1 to 100, not 500")),
            (limit, Value::from("1.5"), Some("must be 1 to 100, not 1.5")),
            (amount, Value::from("0.5"), None),
            (amount, Value::from(7), None),
            (amount, Value::from(-1), Some("must be at least 0, not -1")),
            (amount, Value::from("-1"), Some("must be at least 0, not -1")),
            (amount, Value::from("x"), Some("must be at least 0, not x")),
            (amount, Value::from(f64::NAN), Some("must be at least 0, not NaN")),
        ] {
            let param = Param::new("p", In::Query, kind, "");
            let found = value_fault(&param, &value, false);
            assert_eq!(found.as_deref(), expected, "{value:?}");
        }
    }

    #[test]
    fn value_of_another_operation_is_rejected_and_new_value_accepted() {
        const HERE: &[&str] = &["base", "solana"];
        let param = Param::new("chain", In::Query, ParamKind::Enum(HERE), "")
            .elsewhere(&["base", "cyber", "solana"]);
        let verdict = |text: &str, unchecked| value_fault(&param, &text.into(), unchecked);

        assert_eq!(verdict("solana", false), None);
        assert_eq!(
            verdict("cyber", false).as_deref(),
            Some("cannot be `cyber` in this operation; use one of the values base, solana")
        );
        assert_eq!(verdict("cyber", true), None);
        assert_eq!(verdict("founded-tomorrow", false), None);
    }
}
