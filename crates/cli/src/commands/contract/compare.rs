//! Compares one response of the service with the catalogue of operations. [`findings`] compares the fields of the
//! response with the record types of the operation. [`charge`] compares the reported credits with the list price.
//!
//! The input is an operation and the JSON value of its response. The output is a list of distinct [`Finding`]s.

use crypto_intel::catalogue::Operation;
use crypto_intel_sandbox::schema::{self, Fault, FaultKind};
use serde_json::{Value, json};

use super::place::{self, path_of};

/// Difference between a response and its description in the catalogue.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Finding {
    /// Machine-readable kind of the difference, such as `new_field`.
    pub(super) kind: &'static str,
    /// Path of the field in the response, such as `data[*].price`. Empty if the difference concerns the whole response.
    pub(super) place: String,
    pub(super) message: String,
    /// Suggested action for `spec/overlay.yaml`, if any. The action would change the OpenAPI document so that the
    /// document matches the response.
    pub(super) action: Option<Action>,
}

/// Action for `spec/overlay.yaml`. The action changes a part of the OpenAPI document.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Action {
    /// JSONPath of the part to change in the OpenAPI document, such as `$.paths['/gateway/v1/market/price'].get`.
    pub(super) target: String,
    /// Change of the part at `target`, as YAML, such as `update: {type: string}` or `remove: true`.
    pub(super) change: String,
    /// True if this overlay action replaces a wrong part of the OpenAPI document, such as the wrong type of a field.
    /// Such an action needs the key `x-corrects` with a reason.
    pub(super) is_correction: bool,
}

impl Action {
    pub(super) fn update(target: String, schema: String) -> Self {
        Action { target, change: format!("update: {schema}"), is_correction: false }
    }

    fn correction(target: String, schema: String) -> Self {
        Action { is_correction: true, ..Action::update(target, schema) }
    }
}

impl Finding {
    /// Returns true if the response contradicts its description in the catalogue. New fields, new enum values and
    /// unexpected charges are not contradictions.
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

/// Returns the distinct differences between the fields of a response and their description in the catalogue.
pub(super) fn findings(operation: &Operation, body: &Value) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    for fault in schema::faults_of_answer(operation, body) {
        let finding = finding(operation, &fault, body);
        // All rows of a list often have the same difference, which is listed once.
        if !findings.contains(&finding) {
            findings.push(finding);
        }
    }
    findings
}

/// Returns a finding if the credits that the service reports differ from the list price. If repeated calls of the
/// operation can be free, a report of 0 credits is not a difference.
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
        action: Some(Action::update(path_of(operation), format!("{{x-credits: {reported}}}"))),
    })
}

fn finding(operation: &Operation, fault: &Fault, body: &Value) -> Finding {
    let value = body.pointer(&pointer(&fault.place)).unwrap_or(&Value::Null);
    let (kind, message) = match fault.kind {
        FaultKind::Unknown => ("new_field", format!("new field, {}", type_of(value))),
        FaultKind::Choice => ("new_value", format!("new value {value}")),
        FaultKind::Missing => ("missing_field", "the required field is missing".to_owned()),
        FaultKind::Type => ("type", fault.problem.clone()),
        FaultKind::Metric => ("metric", fault.problem.clone()),
    };
    let action = action(operation, fault, value);
    Finding { kind, place: of_any_row(&fault.place), message, action }
}

fn action(operation: &Operation, fault: &Fault, value: &Value) -> Option<Action> {
    match fault.kind {
        FaultKind::Unknown => {
            let (above, field) = place::around(&fault.place)?;
            let target = place::find(operation, above)?.properties()?;
            Some(Action::update(target, format!("{{{}: {}}}", json!(field), schema_of(value))))
        }
        FaultKind::Choice => {
            let target = place::find(operation, &fault.place)?.path;
            Some(Action::correction(target, format!("{{enum: [{value}]}}")))
        }
        FaultKind::Type => {
            let target = place::find(operation, &fault.place)?.path;
            Some(Action::correction(target, schema_of(value)))
        }
        FaultKind::Missing => {
            let (above, field) = place::around(&fault.place)?;
            let target = place::find(operation, above)?.required(field)?;
            Some(Action { target, change: "remove: true".to_owned(), is_correction: false })
        }
        FaultKind::Metric => None,
    }
}

/// Returns an OpenAPI schema that describes a JSON value, as YAML on one line: `1.5` becomes `{type: number}`.
fn schema_of(value: &Value) -> String {
    match value {
        Value::Null => "{nullable: true}".to_owned(),
        Value::Array(items) => {
            let item = items.first().map_or_else(|| "{}".to_owned(), schema_of);
            format!("{{type: array, items: {item}}}")
        }
        other => format!("{{type: {}}}", type_of(other)),
    }
}

/// Returns the OpenAPI name of a JSON value's type, such as `integer`.
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

/// Converts a path such as `data[0].price` to a JSON pointer such as `/data/0/price`.
fn pointer(place: &str) -> String {
    match place {
        "" => String::new(),
        _ => format!("/{}", place.replace(['.', '['], "/").replace(']', "")),
    }
}

/// Replaces each index in a path by `*`: `data[0].price` becomes `data[*].price`.
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
        let action = types[0].action.as_ref().expect("an action");
        assert!(action.target.ends_with("'].properties['classification']"), "{action:?}");
        assert_eq!(action.change, "update: {type: integer}");
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
