//! Compares one response with the record tables and the list price.
//!
//! In: an operation and the JSON of its response. Out: [`Finding`]s, each different one once.

use crypto_intel::catalogue::Operation;
use crypto_intel_sandbox::schema::{self, Fault, FaultKind};
use serde_json::{Value, json};

/// A difference between a response and its description.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Finding {
    /// Kind for programs, such as `new_field`.
    pub(super) kind: &'static str,
    /// Path of the field, such as `data[*].price`. Empty for the whole response.
    pub(super) place: String,
    pub(super) message: String,
    /// Target and update of an overlay action that would describe the response.
    pub(super) action: Option<(String, String)>,
}

impl Finding {
    /// Returns true if the response contradicts its description. New fields, new values and other charges do not.
    pub(super) fn is_contradiction(&self) -> bool {
        !matches!(self.kind, "new_field" | "new_value" | "charge")
    }

    pub(super) fn to_json(&self) -> Value {
        json!({"kind": self.kind, "place": self.place, "message": self.message})
    }
}

impl std::fmt::Display for Finding {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.place.as_str() {
            "" => f.write_str(&self.message),
            place => write!(f, "`{place}`: {}", self.message),
        }
    }
}

/// Differences between the response and the record tables.
pub(super) fn findings(operation: &Operation, body: &Value) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    for fault in schema::faults_of_answer(operation, body) {
        let finding = finding(&fault, body);
        // Rows of a list have the same differences.
        if !findings.contains(&finding) {
            findings.push(finding);
        }
    }
    findings
}

/// Difference between the reported credits and the list price. A free repeat is none.
pub(super) fn charge(operation: &Operation, list: u64, reported: Option<i64>) -> Option<Finding> {
    let reported = u64::try_from(reported?).ok()?;
    let is_repeat = reported == 0 && operation.free_window.is_some();
    if reported == list || is_repeat {
        return None;
    }
    Some(Finding {
        kind: "charge",
        place: String::new(),
        message: format!("the service reports {reported} credits; the list price is {list}"),
        action: Some((path_of(operation), format!("{{x-credits: {reported}}}"))),
    })
}

/// Target of an overlay action for an operation.
pub(super) fn path_of(operation: &Operation) -> String {
    format!("$.paths['{}'].{}", operation.path, operation.method.as_str().to_lowercase())
}

fn finding(fault: &Fault, body: &Value) -> Finding {
    let value = body.pointer(&pointer(&fault.place)).unwrap_or(&Value::Null);
    let (kind, message) = match fault.kind {
        FaultKind::Unknown => ("new_field", format!("new field, {}", type_of(value))),
        FaultKind::Choice => ("new_value", format!("new value {value}")),
        FaultKind::Missing => ("missing_field", "the required field is missing".to_owned()),
        FaultKind::Type => ("type", fault.problem.clone()),
        FaultKind::Metric => ("metric", fault.problem.clone()),
    };
    Finding { kind, place: of_any_row(&fault.place), message, action: action(fault, value) }
}

fn action(fault: &Fault, value: &Value) -> Option<(String, String)> {
    let record = fault.record?;
    let last = fault.place.rsplit('.').next()?;
    let field = last.split('[').next()?;
    let properties = format!("$.components.schemas['{record}'].properties");
    let ty = type_of(value);
    match fault.kind {
        FaultKind::Unknown => Some((properties, format!("{{{}: {{type: {ty}}}}}", json!(field)))),
        FaultKind::Choice => {
            Some((format!("{properties}['{field}']"), format!("{{enum: [{value}]}}")))
        }
        FaultKind::Type => Some((format!("{properties}['{field}']"), format!("{{type: {ty}}}"))),
        FaultKind::Missing | FaultKind::Metric => None,
    }
}

/// Type of a JSON value, as OpenAPI names it.
fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// JSON pointer of a place such as `data[0].price`.
fn pointer(place: &str) -> String {
    match place {
        "" => String::new(),
        _ => format!("/{}", place.replace(['.', '['], "/").replace(']', "")),
    }
}

/// The place with `*` for each index.
fn of_any_row(place: &str) -> String {
    let mut parts = place.split('[');
    let mut any = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        any += "[*]";
        any += part.split_once(']').map_or("", |(_, rest)| rest);
    }
    any
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arguments::catalogue::operation;

    #[test]
    fn differences_of_rows_are_listed_once_with_an_overlay_action() {
        let operation = operation("market-fear-greed").expect("an operation");
        let row = json!({"classification": 7, "price": 1.5, "timestamp": 1, "mood": "calm"});
        let body = json!({"data": [row, row], "meta": {"credits_used": 2}});
        let findings = findings(operation, &body);
        let told: Vec<_> = findings.iter().map(ToString::to_string).collect();
        assert!(told.contains(&"`data[*].mood`: new field, string".to_owned()), "{told:?}");
        let is_type = |finding: &&Finding| finding.kind == "type";
        let types: Vec<_> = findings.iter().filter(is_type).collect();
        assert_eq!(types.len(), 1, "{told:?}");
        let (target, update) = types[0].action.as_ref().expect("an action");
        assert!(target.ends_with("'].properties['classification']"), "{target}");
        assert_eq!(update, "{type: integer}");
    }

    #[test]
    fn free_repeat_is_no_other_charge() {
        let operation = operation("market-fear-greed").expect("an operation");
        assert!(charge(operation, 2, Some(2)).is_none());
        assert!(charge(operation, 2, Some(0)).is_none());
        assert!(charge(operation, 2, None).is_none());
        let finding = charge(operation, 2, Some(5)).expect("another charge");
        assert_eq!(finding.message, "the service reports 5 credits; the list price is 2");
    }
}
