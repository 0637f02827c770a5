//! Creates JSON Schemas and short descriptions of parameters and responses from the catalogue of operations.

use crypto_intel::catalogue::Operation;
use crypto_intel::catalogue::{Answer, Field, Param, ParamKind, RecordRow, Rule, Type};
use crypto_intel_api::generated::tables::record;
use serde_json::{Map, Value, json};

/// Depth limit of a parameter's schema. The schema describes the fields of the parameter's record. For records inside
/// this record, the schema allows any JSON.
const DEPTH: usize = 2;

/// Returns the parameters of an operation that a caller can set. Omits parameters with a constant value, and parameters
/// that the service rejects.
pub(crate) fn settable(operation: &Operation) -> impl Iterator<Item = &'static Param> {
    let params = operation.params;
    params
        .iter()
        .filter(|param| !matches!(param.kind, ParamKind::Constant(_)) && param.refused.is_none())
}

/// Returns the JSON Schema of an operation's arguments.
pub(crate) fn input(operation: &Operation) -> Map<String, Value> {
    let properties: Map<String, Value> =
        settable(operation).map(|param| (param.name.to_owned(), parameter(param))).collect();
    let required: Vec<_> =
        settable(operation).filter(|param| param.required).map(|param| param.name).collect();

    let mut schema = Map::new();
    schema.insert("type".to_owned(), json!("object"));
    schema.insert("properties".to_owned(), properties.into());
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    schema.insert("additionalProperties".to_owned(), json!(false));
    schema
}

/// Returns the JSON Schema of one parameter.
pub(crate) fn parameter(param: &Param) -> Value {
    let mut schema = match param.kind {
        ParamKind::String { min, max } => bounded("string", ("minLength", min), ("maxLength", max)),
        ParamKind::Integer { min, max } => bounded("integer", ("minimum", min), ("maximum", max)),
        ParamKind::Number { min, max } => bounded("number", ("minimum", min), ("maximum", max)),
        ParamKind::Boolean | ParamKind::Constant(_) => json!({"type": "boolean"}),
        // The service may accept further values, so the known values are only examples.
        ParamKind::Enum(values) => json!({"type": "string", "examples": values}),
        ParamKind::List { .. } => json!({"type": ["string", "array"], "items": {"type": "string"}}),
        ParamKind::Moment => json!({"type": ["string", "integer"]}),
        ParamKind::Json(ty) => of_type(ty, DEPTH),
    };

    if let Some(members) = schema.as_object_mut() {
        members.insert("description".to_owned(), param.doc.into());
        if let Some(default) = param.default {
            members.insert("default".to_owned(), default_of(param, default));
        }
        if let Some(reason) = param.deprecated {
            members.insert("deprecated".to_owned(), true.into());
            members.insert(
                "description".to_owned(),
                format!("{} Deprecated: {reason}", param.doc).into(),
            );
        }
    }
    schema
}

/// Converts `text`, the default of a parameter, to a JSON value. The value has the type of the parameter.
fn default_of(param: &Param, text: &str) -> Value {
    match param.kind {
        ParamKind::Integer { .. } | ParamKind::Number { .. } | ParamKind::Boolean => {
            serde_json::from_str(text).unwrap_or_else(|_| text.into())
        }
        _ => text.into(),
    }
}

fn bounded<T: Into<Value>>(kind: &str, min: (&str, Option<T>), max: (&str, Option<T>)) -> Value {
    let mut schema = Map::new();
    schema.insert("type".to_owned(), kind.into());
    for (name, bound) in [min, max] {
        if let Some(bound) = bound {
            schema.insert(name.to_owned(), bound.into());
        }
    }
    schema.into()
}

/// Returns true if the response is a list of rows.
pub(crate) fn is_list(operation: &Operation) -> bool {
    match operation.answer {
        Answer::Rows { .. } => true,
        Answer::Bare(Type::Record(name)) => record(name)
            .and_then(|whole| whole.fields.iter().find(|field| field.name == "data"))
            .is_some_and(|field| matches!(field.ty, Type::List(_))),
        Answer::Bare(Type::List(_)) => true,
        _ => false,
    }
}

/// Returns the JSON Schema of a record. With a `depth` of 1, the schema allows any JSON for nested records. With a
/// `depth` of 2, the schema also describes the fields of nested records, and so on. Each field may be absent or `null`.
/// In both cases, the value is unknown, which is different from 0.
pub(crate) fn record_schema(row: &RecordRow, depth: usize) -> Value {
    let member = |field: &Field| {
        let mut schema = of_type(field.ty, depth);
        if field.deprecated.is_some() {
            schema["deprecated"] = true.into();
        }
        (field.name.to_owned(), schema)
    };
    let members: Map<String, Value> = row.fields.iter().map(member).collect();
    json!({"type": "object", "properties": members})
}

/// Returns the JSON Schema of a type. The schema allows `null` in place of the value and of each nested value.
fn of_type(ty: Type, depth: usize) -> Value {
    match ty {
        Type::String | Type::Enum(_) => json!({"type": ["string", "null"]}),
        Type::Integer => json!({"type": ["integer", "null"]}),
        Type::Number => json!({"type": ["number", "null"]}),
        Type::Boolean => json!({"type": ["boolean", "null"]}),
        Type::UnixSeconds => {
            json!({"type": ["integer", "string", "null"], "description": "Unix seconds"})
        }
        Type::UnixMillis => {
            json!({"type": ["integer", "string", "null"], "description": "Unix milliseconds"})
        }
        Type::Any => json!({}),
        Type::List(item) => json!({"type": ["array", "null"], "items": of_type(*item, depth)}),
        Type::Map(_) => json!({"type": ["object", "null"]}),
        Type::Record(name) => match record(name).filter(|_| depth > 1) {
            Some(row) => {
                let mut schema = record_schema(row, depth - 1);
                schema["type"] = json!(["object", "null"]);
                schema
            }
            None => json!({}),
        },
    }
}

/// Describes a type in one or two words, such as `unix seconds`.
pub(crate) fn word(ty: Type) -> String {
    match ty {
        Type::String => "text".to_owned(),
        Type::Integer => "integer".to_owned(),
        Type::Number => "number".to_owned(),
        Type::Boolean => "boolean".to_owned(),
        Type::Any => "any".to_owned(),
        Type::UnixSeconds => "unix seconds".to_owned(),
        Type::UnixMillis => "unix milliseconds".to_owned(),
        Type::Enum(values) => values.join("|"),
        Type::Record(name) => name.to_owned(),
        Type::List(item) => format!("[{}]", word(*item)),
        Type::Map(value) => format!("{{…: {}}}", word(*value)),
    }
}

/// Describes a parameter in words. The text begins with the type, the bounds and the default. The parameter's
/// description and the reason for a deprecation follow.
pub(crate) fn parameter_words(param: &Param) -> String {
    let range = |min: Option<String>, max: Option<String>, what: &str| match (min, max) {
        (Some(min), Some(max)) => format!("{what} {min}–{max}"),
        (Some(min), None) => format!("{what} from {min}"),
        (None, Some(max)) => format!("{what} up to {max}"),
        (None, None) => what.to_owned(),
    };
    let text = |number: Option<u32>| number.map(|number| number.to_string());
    let kind = match param.kind {
        ParamKind::String { min, max } if min.is_some() || max.is_some() => {
            format!("text ({} characters)", range(text(min), text(max), "").trim())
        }
        ParamKind::String { .. } => "text".to_owned(),
        ParamKind::Integer { min, max } => {
            range(min.map(|min| min.to_string()), max.map(|max| max.to_string()), "integer")
        }
        ParamKind::Number { min, max } => {
            range(min.map(|min| min.to_string()), max.map(|max| max.to_string()), "number")
        }
        ParamKind::Boolean | ParamKind::Constant(_) => "boolean".to_owned(),
        ParamKind::Enum(values) => values.join("|"),
        ParamKind::List { .. } => "list of texts".to_owned(),
        ParamKind::Moment => "unix seconds or YYYY-MM-DD".to_owned(),
        ParamKind::Json(ty) => format!("JSON: {}", word(ty)),
    };

    let required = if param.required { ", required" } else { "" };
    let default = param.default.map(|default| format!(", default {default}")).unwrap_or_default();
    let deprecated = param.deprecated.map(|why| format!(" Deprecated: {why}")).unwrap_or_default();
    format!("{kind}{required}{default}. {}{deprecated}", param.doc)
}

/// Describes a rule for several parameters in words, such as `at least one of id, slug`.
pub(crate) fn rule_words(rule: &Rule) -> String {
    match rule {
        Rule::AtLeastOne(names) => format!("at least one of {}", names.join(", ")),
        Rule::ExactlyOne(names) => format!("exactly one of {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use crypto_intel::catalogue::In;

    use super::*;

    #[test]
    fn a_retired_parameter_says_so() {
        let param = Param::new("months", In::Query, ParamKind::Boolean, "Whether by months.");
        assert_eq!(parameter_words(&param), "boolean. Whether by months.");
        let param = param.deprecated("use `days`");
        assert_eq!(parameter_words(&param), "boolean. Whether by months. Deprecated: use `days`");
        assert_eq!(parameter(&param)["deprecated"], true);
    }
}
