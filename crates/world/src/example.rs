//! Example arguments for each operation. A request with these arguments succeeds. Most values are the examples of the
//! catalogue.

use crypto_intel_core::{In, Operation, Param, ParamKind, Rule, Type};
use serde_json::{Map, Value, json};

use crate::Refusal;
use crate::args::{Args, Carriers};

/// Id of an SQL job that exists in every sandbox. The job has succeeded with one row.
pub const JOB: &str = "11111111-1111-4111-8111-111111111111";

/// Returns arguments with which a request for `operation` succeeds. Required and constant parameters are set. For each
/// rule such as "at least one of `q` and `id`", one parameter is set. The values have the types of a JSON body.
#[must_use]
pub fn parameters(operation: &Operation) -> Vec<(&'static str, Value)> {
    // If a rule requires one of several parameters, the parameter with the shortest example is used.
    let length = |name: &&&str| {
        let example = operation.param(name).and_then(|(_, param)| param.example);
        example.map_or(usize::MAX, str::len)
    };
    let of_rules = operation.rules.iter().filter_map(|rule| {
        let (Rule::AtLeastOne(names) | Rule::ExactlyOne(names)) = rule;
        names.iter().min_by_key(length).copied()
    });
    operation
        .params
        .iter()
        .filter(|param| param.required || matches!(param.kind, ParamKind::Constant(_)))
        .map(|param| param.name)
        .chain(of_rules)
        .filter_map(|name| Some((name, value(operation.param(name)?.1))))
        .collect()
}

/// Formats an argument for a path, query string or header. The items of a list are joined with commas.
#[must_use]
pub fn written(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

/// Parses arguments as if a request had sent them. The catalogue defines whether an argument belongs to the path, query
/// string, headers or body. Arguments with unknown names are put into the query string.
///
/// # Errors
/// See [`Args::read`].
pub fn args(operation: &'static Operation, values: &[(&str, Value)]) -> Result<Args, Refusal> {
    let mut query = form_urlencoded::Serializer::new(String::new());
    let (mut path, mut headers, mut body) = (Vec::new(), Vec::new(), Map::new());
    for (name, value) in values {
        let text = written(value);
        match operation.param(name).map(|(_, param)| (param.name, param.location)) {
            Some((name, In::Path)) => path.push((name, text)),
            Some((name, In::Header)) => headers.push((name, text)),
            Some((name, In::Body)) => drop(body.insert(name.to_owned(), value.clone())),
            _ => drop(query.append_pair(name, &text)),
        }
    }

    let headers: Vec<_> = headers.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    let carriers = Carriers {
        query: &query.finish(),
        path_values: &path,
        headers: &headers,
        body: (!body.is_empty()).then_some(&body),
        ..Carriers::default()
    };
    Args::read(operation, carriers)
}

/// Returns a value that the sandbox accepts for `param`. For most parameters, this is the example in the catalogue. If
/// the example is missing or not allowed, this is another allowed value. For booleans, constants and decimal numbers,
/// the function ignores the example and returns a fixed value or the minimum.
#[must_use]
pub fn value(param: &Param) -> Value {
    let example = param.example;
    let number = |usual: i64| example.and_then(|text| text.parse().ok()).unwrap_or(usual);
    match param.kind {
        ParamKind::Enum(values) => {
            let example = example.filter(|example| values.contains(example));
            example.or(values.first().copied()).unwrap_or_default().into()
        }
        ParamKind::Integer { min, max } => {
            number(10).clamp(min.unwrap_or(i64::MIN), max.unwrap_or(i64::MAX)).into()
        }
        ParamKind::Number { min, .. } => min.unwrap_or(1.0).into(),
        ParamKind::Boolean => true.into(),
        ParamKind::Constant(value) => value.into(),
        ParamKind::Json(ty) => example_or_empty(example, ty),
        ParamKind::List { .. } => json!([example.unwrap_or(ANY_TEXT)]),
        ParamKind::Moment => example.unwrap_or("2026-01-01").into(),
        ParamKind::String { .. } => example.unwrap_or(ANY_TEXT).into(),
    }
}

/// Argument for a string parameter without an example in the catalogue. If a list parameter has no example, its list
/// contains only this value. The sandbox accepts the value for all of these parameters.
const ANY_TEXT: &str = "bitcoin";

fn example_or_empty(example: Option<&str>, ty: Type) -> Value {
    let parsed = example.map(|text| serde_json::from_str(text).unwrap_or_else(|_| text.into()));
    parsed.unwrap_or_else(|| match ty {
        Type::List(_) => json!([]),
        Type::Map(_) | Type::Record(_) => json!({}),
        _ => "".into(),
    })
}
