//! Validates JSON values against the record types of the API. The sandbox validates request bodies with the same rules
//! as the service. Tests validate responses.

use crypto_intel_api::generated::tables;
use crypto_intel_core::{Answer, Operation, Type};
use serde_json::{Map, Value};

/// A validation error in one field of a JSON value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Path of the field, for example `data[0].price`. Empty if the error is about the whole JSON value.
    pub place: String,
    /// Description of the problem, for example `is required`. The error message consists of the path of the field and
    /// this description.
    pub problem: String,
    /// Kind of the problem.
    pub kind: FaultKind,
    /// Name of the innermost record type in which the error was found. If a required field is missing, this is the type
    /// that requires the field. `None` if the error is not inside a record, for example if `data` is missing in a
    /// response.
    pub record: Option<&'static str>,
}

/// Kind of a [`Fault`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// A required field is absent.
    Missing,
    /// The record type has no field with this name, or the record type itself is unknown.
    Unknown,
    /// The string is not among the allowed values.
    Choice,
    /// The value does not have the expected type.
    Type,
    /// A value of a financial statement contradicts its status. For example, the status is `available` and the value
    /// is `null`.
    Metric,
}

impl Fault {
    fn new(place: &str, kind: FaultKind, problem: impl Into<String>) -> Self {
        Fault { place: place.to_owned(), problem: problem.into(), kind, record: None }
    }

    /// Returns true if the error is that a required field is missing or that a field is unknown.
    #[must_use]
    pub fn is_structural(&self) -> bool {
        matches!(self.kind, FaultKind::Missing | FaultKind::Unknown)
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` {}", self.place, self.problem)
    }
}

/// Validates the JSON body of a successful response of `operation`, and returns all errors. Unknown fields are errors.
/// An object with `data` and `meta` may also contain `$schema`. Streamed, binary and empty responses are not validated.
#[must_use]
pub fn faults_of_answer(operation: &Operation, body: &Value) -> Vec<Fault> {
    let mut faults = Vec::new();
    let (data, meta) = match operation.answer {
        Answer::Rows { row, meta } => (Slot::Rows(row), meta),
        Answer::One { data, meta } => (Slot::One(data), meta),
        Answer::Bare(ty) => {
            validate(ty, body, "", &mut faults);
            return faults;
        }
        Answer::Stream | Answer::Bytes | Answer::Empty => return faults,
    };

    let Value::Object(members) = body else {
        faults.push(wrong_type("", "an object", body));
        return faults;
    };

    match (data, members.get("data")) {
        (_, None) => faults.push(missing_field("data")),
        (Slot::Rows(_), Some(Value::Null)) => {}
        (Slot::Rows(row), Some(Value::Array(rows))) => {
            for (index, value) in rows.iter().enumerate() {
                validate(row, value, &format!("data[{index}]"), &mut faults);
            }
        }
        (Slot::Rows(_), Some(other)) => faults.push(wrong_type("data", "a list", other)),
        (Slot::One(ty), Some(value)) => validate(ty, value, "data", &mut faults),
    }

    match members.get("meta") {
        None => faults.push(missing_field("meta")),
        Some(value) => validate(Type::Record(meta), value, "meta", &mut faults),
    }

    for name in members.keys().filter(|name| !matches!(name.as_str(), "data" | "meta" | "$schema"))
    {
        faults.push(unknown_field(name, name, ["data", "meta"].into_iter()));
    }

    faults
}

/// Validates a JSON value against type `ty`, and returns all errors. The paths of the errors begin with `place`.
#[must_use]
pub fn faults_of_value(ty: Type, value: &Value, place: &str) -> Vec<Fault> {
    let mut faults = Vec::new();
    validate(ty, value, place, &mut faults);
    faults
}

/// Validates an incomplete JSON value against type `ty`, and returns all errors. Ignores missing required fields. Also
/// ignores contradictions in financial statements, for example the value `null` with the status `available`.
#[must_use]
pub fn faults_of_part(ty: Type, value: &Value, place: &str) -> Vec<Fault> {
    let mut faults = faults_of_value(ty, value, place);
    faults.retain(|fault| !matches!(fault.kind, FaultKind::Missing | FaultKind::Metric));
    faults
}

enum Slot {
    Rows(Type),
    One(Type),
}

fn missing_field(place: &str) -> Fault {
    Fault::new(place, FaultKind::Missing, "is required")
}

/// Creates the error for a field that is not in its record type. The error suggests the most similar field name, if one
/// is similar enough.
fn unknown_field<'a>(place: &str, member: &str, known: impl Iterator<Item = &'a str>) -> Fault {
    let scored = known.map(|name| (strsim::jaro_winkler(member, name), name));
    let closest = scored.max_by(|(one, _), (other, _)| one.total_cmp(other));
    let problem = match closest.filter(|(similarity, _)| *similarity >= SIMILAR) {
        Some((_, name)) => format!("is unknown: did you mean `{name}`?"),
        None => "is not a known field".to_owned(),
    };
    Fault::new(place, FaultKind::Unknown, problem)
}

/// Minimum similarity of an unknown and a known field name, from 0 to 1, for a suggestion in the error.
const SIMILAR: f64 = 0.8;

fn wrong_type(place: &str, expected: &str, value: &Value) -> Fault {
    let actual = match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    };
    Fault::new(place, FaultKind::Type, format!("must be {expected}, not {actual}"))
}

/// Validates `value` against type `ty`, and adds all errors to `faults`. The paths of the errors begin with `place`.
pub(crate) fn validate(ty: Type, value: &Value, place: &str, faults: &mut Vec<Fault>) {
    let expected = match (ty, value) {
        (Type::Any, _)
        | (Type::String, Value::String(_))
        | (Type::Number, Value::Number(_))
        | (Type::Boolean, Value::Bool(_)) => return,
        (Type::Integer | Type::UnixSeconds | Type::UnixMillis, Value::Number(number))
            if number.is_i64() || number.is_u64() =>
        {
            return;
        }

        (Type::Enum(values), Value::String(text)) => {
            if !values.contains(&text.as_str()) {
                let problem = format!("must be one of {}, not `{text}`", values.join(", "));
                faults.push(Fault::new(place, FaultKind::Choice, problem));
            }
            return;
        }

        (Type::Record(name), Value::Object(members)) => {
            return validate_record(name, members, place, faults);
        }
        (Type::List(item), Value::Array(items)) => {
            for (index, item_value) in items.iter().enumerate() {
                validate(*item, item_value, &format!("{place}[{index}]"), faults);
            }
            return;
        }

        (Type::Map(item), Value::Object(members)) => {
            for (name, member) in members {
                validate(*item, member, &join_path(place, name), faults);
            }
            return;
        }

        (Type::String | Type::Enum(_), _) => "a string",
        (Type::Integer | Type::UnixSeconds | Type::UnixMillis, _) => "a whole number",
        (Type::Number, _) => "a number",
        (Type::Boolean, _) => "true or false",
        (Type::List(_), _) => "a list",
        (Type::Record(_) | Type::Map(_), _) => "an object",
    };
    faults.push(wrong_type(place, expected, value));
}

fn validate_record(
    name: &'static str,
    members: &Map<String, Value>,
    place: &str,
    faults: &mut Vec<Fault>,
) {
    let Some(record) = tables::record(name) else {
        let problem = format!("has the unknown record type {name}");
        faults.push(Fault::new(place, FaultKind::Unknown, problem));
        return;
    };

    let before = faults.len();

    for field in record.fields {
        match members.get(field.name) {
            None if field.required => faults.push(missing_field(&join_path(place, field.name))),
            None => {}
            Some(Value::Null) if field.nullable => {}
            Some(value) => validate(field.ty, value, &join_path(place, field.name), faults),
        }
    }

    for member in members.keys() {
        if !record.fields.iter().any(|field| field.name == member) {
            let known = record.fields.iter().map(|field| field.name);
            faults.push(unknown_field(&join_path(place, member), member, known));
        }
    }

    // A value of a financial statement has either a number or a reason for its absence. The schemas of the interface
    // description cannot express this rule.
    if name == "MetricValue" {
        let available = members.get("status").and_then(Value::as_str) == Some("available");
        if available == members.get("value").is_none_or(Value::is_null) {
            let problem = "must have a `value` if and only if its `status` is `available`";
            faults.push(Fault::new(place, FaultKind::Metric, problem));
        }
    }
    // Errors in nested records already contain the name of the nested record type.
    faults[before..].iter_mut().for_each(|fault| {
        fault.record.get_or_insert(name);
    });
}

fn join_path(place: &str, member: &str) -> String {
    if place.is_empty() { member.to_owned() } else { format!("{place}.{member}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(ty: Type, value: Value, expected: &[&str]) {
        let mut faults = Vec::new();
        validate(ty, &value, "x", &mut faults);
        let seen: Vec<_> = faults.iter().map(ToString::to_string).collect();
        assert_eq!(seen, expected, "{value}");
    }

    #[test]
    fn validate_reports_every_wrong_member() {
        let ty = Type::Record("ChatMessage");
        check(ty, json!({"role": "user", "content": "c"}), &[]);
        check(
            ty,
            json!({"role": "robot", "text": 1}),
            &[
                "`x.content` is required",
                "`x.role` must be one of system, user, assistant, tool, not `robot`",
                "`x.text` is not a known field",
            ],
        );
        check(Type::Integer, json!(1.5), &["`x` must be a whole number, not a number"]);
        check(Type::Number, json!(null), &["`x` must be a number, not null"]);
        check(
            Type::List(&Type::String),
            json!(["a", 2]),
            &["`x[1]` must be a string, not a number"],
        );

        check(
            Type::Map(&Type::Boolean),
            json!({"k": 0}),
            &["`x.k` must be true or false, not a number"],
        );
    }

    #[test]
    fn metric_value_must_agree_with_its_status() {
        let ty = Type::Record("MetricValue");
        check(ty, json!({"value": null, "status": "missing"}), &[]);
        let message = "`x` must have a `value` if and only if its `status` is `available`";
        check(ty, json!({"value": 0, "status": "missing"}), &[message]);
        check(ty, json!({"value": null, "status": "available"}), &[message]);
    }
}
