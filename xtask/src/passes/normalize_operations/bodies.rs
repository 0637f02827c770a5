//! Reduces each request body to one media type. The report lists the removed media types.

use serde_json::{Map, Value, json};

use super::{unknown_members, unused_media};
use crate::origin;
use crate::report::{Change, Report};

const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";
const MULTIPART: &str = "multipart/form-data";

/// Returns a media type in lower case and without parameters, such as `text/csv` for `Text/CSV; charset=utf-8`.
fn without_parameters(kind: &str) -> String {
    kind.split(';').next().unwrap_or_default().trim().to_lowercase()
}

/// Returns true for a JSON media type, such as `application/json; charset=utf-8` or `application/problem+json`, and for
/// `*/*`.
pub(super) fn is_json(kind: &str) -> bool {
    let kind = without_parameters(kind);
    kind == JSON || kind.ends_with("+json") || kind.ends_with("/json") || kind == "*/*"
}

/// Keeps one media type of a request body. JSON is preferred to forms, and forms to other types. `x-body` contains the
/// selected media type for later passes. The schema is always stored under `application/json`.
pub(super) fn body(
    document: &Value,
    place: &str,
    operation: &mut Map<String, Value>,
    report: &mut Report,
) {
    let Some(body) = operation.get_mut("requestBody") else { return };
    let at = origin::location(body, &format!("{place}/requestBody"));
    let content = body.get("content").and_then(Value::as_object).cloned().unwrap_or_default();
    let rank = |kind: &str| match without_parameters(kind).as_str() {
        JSON => 0,
        kind if is_json(kind) && kind != "*/*" => 1,
        FORM => 2,
        MULTIPART => 3,
        "*/*" => 5,
        _ => 4,
    };
    let Some((kind, media)) = content.iter().min_by_key(|(kind, _)| (rank(kind), (*kind).clone()))
    else {
        report.note(Change::Decided, "a request body without a media type is ignored", at);
        operation.remove("requestBody");
        return;
    };

    for (other, _) in content.iter().filter(|(other, _)| *other != kind) {
        report.note(
            Change::Decided,
            format!(
                "a request body has several media types; the client sends `{kind}`, not `{other}`"
            ),
            at.clone(),
        );
    }
    unknown_members(&at, "a request body", body, &["content", "description", "required"], report);

    let schema = media.get("schema");
    let target = schema.and_then(|schema| schema.get("$ref")).and_then(Value::as_str);
    let target = target.and_then(|target| crate::passes::references::pointed(document, target));
    // If the whole body becomes one parameter, this parameter gets the description of the body.
    let is_split = target.or(schema).is_some_and(|schema| schema.get("properties").is_some());
    if is_split && body.get("description").is_some() {
        report.note(Change::Dropped, "the `description` of a request body is ignored", at.clone());
    }
    for word in ["description", "deprecated", "nullable"] {
        if is_split && schema.and_then(|schema| schema.get(word)).is_some() {
            report.note(
                Change::Dropped,
                format!("`{word}` in the schema of a request body is ignored"),
                at.clone(),
            );
        }
    }
    unused_media(&at, "a request body", media, report);

    let mut schema = media.get("schema").cloned().unwrap_or_else(|| json!({}));
    let plain = without_parameters(kind);
    let how = match plain.as_str() {
        FORM => "form",
        MULTIPART => "multipart",
        _ if is_json(&plain) => "json",
        _ => "whole",
    };
    if how != "json" {
        report.note(Change::Decided, format!("a request body is sent as `{plain}`"), at.clone());
    }

    if how == "whole" {
        let text = plain.starts_with("text/") || plain.ends_with("xml") || plain.ends_with("yaml");
        schema = if text {
            json!({"type": "string"})
        } else {
            json!({"type": "string", "format": "binary"})
        };
    }
    if matches!(how, "form" | "multipart") {
        files(document, &mut schema);
    }

    let sent = if plain == "*/*" { JSON.to_owned() } else { plain };
    body["x-body"] = json!({"how": how, "media": sent});
    body["content"] = json!({JSON: {"schema": schema}});
}

/// Marks each file field of a form with `x-file`. A file field, or its list items, have the format `binary` or the
/// keyword `contentMediaType`. Later passes remove these two keywords, but not the mark.
fn files(document: &Value, schema: &mut Value) {
    if let Some(found) = schema
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|target| crate::passes::references::pointed(document, target))
    {
        *schema = found.clone();
    }
    let members = schema.get_mut("properties").and_then(Value::as_object_mut);
    for member in members.into_iter().flat_map(|members| members.values_mut()) {
        let binary = |schema: &Value| {
            schema.get("format").is_some_and(|format| format == "binary")
                || schema.get("contentMediaType").is_some()
        };
        if (binary(member) || member.get("items").is_some_and(binary))
            && let Some(members) = member.as_object_mut()
        {
            members.insert("x-file".to_owned(), true.into());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_of_a_media_type_does_not_matter() {
        for (kind, how) in [
            ("Multipart/Form-Data", "multipart"),
            ("Application/X-WWW-Form-Urlencoded; charset=utf-8", "form"),
            ("Application/JSON", "json"),
        ] {
            let mut operation = json!({"requestBody": {"content": {kind: {"schema": {}}}}});
            let members = operation.as_object_mut().unwrap();
            body(&json!({}), "/paths", members, &mut Report::default());
            assert_eq!(operation["requestBody"]["x-body"]["how"], how, "{kind}");
        }
    }
}
