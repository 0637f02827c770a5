//! Normalizes request parameters. Afterwards, each parameter is in the path, the query or a header. An object parameter
//! is split into several parameters or becomes a string, unless it has JSON content (`x-json`).

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::{unknown_members, unused_media};
use crate::fault::Fault;
use crate::origin;
use crate::passes::references::pointed;
use crate::report::{Change, Report};

/// Normalizes the parameters of an operation. Removes duplicate parameters, and path parameters whose names are not in
/// the path. Adds missing path parameters.
pub(super) fn parameters(
    document: &Value,
    place: &str,
    path: &str,
    operation: &mut Map<String, Value>,
    report: &mut Report,
) {
    let given = match operation.remove("parameters") {
        Some(Value::Array(given)) => given,
        _ => Vec::new(),
    };
    let in_path = in_path(path);
    let mut settled: Vec<Value> = Vec::new();

    for (index, parameter) in given.into_iter().enumerate() {
        let place = format!("{place}/parameters/{index}");
        let at = origin::location(&parameter, &place);
        for parameter in normalize_parameter(document, &at, parameter, report) {
            let own = |known: &Value| (known["name"].clone(), known["in"].clone());
            if settled.iter().any(|known| own(known) == own(&parameter)) {
                report.note(
                    Change::Decided,
                    "a second parameter with the same name and location is ignored",
                    at.clone(),
                );
                continue;
            }

            let name = parameter["name"].as_str().unwrap_or_default();
            if parameter["in"] == "path" && !in_path.contains(name) {
                report.note(
                    Change::Decided,
                    "a path parameter is ignored if the path does not contain it",
                    at.clone(),
                );
                continue;
            }
            settled.push(parameter);
        }
    }

    for name in in_path {
        if !settled.iter().any(|known| known["in"] == "path" && known["name"] == *name) {
            report.note(
                Change::Decided,
                format!("the parameter `{name}` of the path has no definition, so the client sends a string"),
                place,
            );
            settled.push(
                json!({"name": name, "in": "path", "required": true, "schema": {"type": "string"}}),
            );
        }
    }
    if !settled.is_empty() {
        operation.insert("parameters".to_owned(), Value::Array(settled));
    }
}

/// Fields that OpenAPI defines for a parameter.
const KNOWN: &[&str] = &[
    "allowEmptyValue",
    "allowReserved",
    "content",
    "deprecated",
    "description",
    "example",
    "examples",
    "explode",
    "in",
    "name",
    "required",
    "schema",
    "style",
];

/// Returns the names in braces in a path, such as `id` in `/things/{id}`.
fn in_path(path: &str) -> BTreeSet<String> {
    let parts = path.split('{').skip(1);
    parts.filter_map(|part| Some(part.split_once('}')?.0.to_owned())).collect()
}

/// Normalizes one parameter of the document. Returns this parameter, or an empty list for an unsupported parameter.
/// Some object parameters are split into one parameter per property.
fn normalize_parameter(
    document: &Value,
    at: &str,
    mut parameter: Value,
    report: &mut Report,
) -> Vec<Value> {
    let name = parameter.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
    let location = parameter.get("in").and_then(Value::as_str).unwrap_or_default().to_owned();
    if name.is_empty() {
        report.refuse(
            Fault::at(at, "the parameter has no name", "add a name, or remove the parameter")
                .settled_by("update: {name: ...}"),
        );
        return Vec::new();
    }
    unknown_members(at, "a parameter", &parameter, KNOWN, report);

    match location.as_str() {
        "path" => {
            if parameter.get("required").is_none_or(|required| required != true) {
                report.note(Change::Decided, "a path parameter becomes required", at);
                parameter["required"] = true.into();
            }
        }
        "query" => {}
        "header" => {
            if !is_usable_header(at, &name, report) {
                return Vec::new();
            }
        }

        // The client does not send these parameters.
        "cookie" => {
            report.note(
                Change::Dropped,
                "a cookie parameter is ignored; `CallOptions::headers` can send cookies",
                at,
            );
            return Vec::new();
        }
        other => {
            report.refuse(
                Fault::at(
                    at,
                    format!(
                        "the location of the parameter `{name}` is {}, which is not supported",
                        if other.is_empty() { "empty" } else { other }
                    ),
                    "use path, query or header as the location",
                )
                .settled_by("update: {in: query}"),
            );
            return Vec::new();
        }
    }

    content(at, &mut parameter, report);
    for (word, why) in [
        ("examples", "a list of examples is ignored"),
        ("allowEmptyValue", "`allowEmptyValue` is not checked"),
        ("allowReserved", "`allowReserved` is ignored; the client percent-encodes all values"),
    ] {
        if parameter.get(word).is_some() {
            report.note(Change::Dropped, why, at);
        }
    }
    if parameter["schema"]["nullable"] == true {
        let what =
            "`null` is not accepted as a parameter value; the client omits the parameter instead";
        report.note(Change::Loosened, what, at);
    }
    style(document, at, parameter, report)
}

/// Returns true if callers can set the header `name`. If they cannot set it, reports the reason and returns false.
fn is_usable_header(at: &str, name: &str, report: &mut Report) -> bool {
    // OpenAPI requires that these three header parameters are ignored.
    if ["accept", "content-type", "authorization"].contains(&name.to_lowercase().as_str()) {
        report.note(
            Change::Dropped,
            "a header parameter is ignored, because the client sets the header itself",
            at,
        );
        return false;
    }

    let token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    let is_valid = name.chars().all(token);
    if !is_valid {
        report.refuse(
            Fault::at(
                format!("{at}/name"),
                format!("`{name}` is not a valid header name"),
                "correct the name; header names consist of letters, digits and `-`",
            )
            .settled_by("update: ..."),
        );
    }
    is_valid
}

/// Replaces the `content` of a parameter by a `schema`. A JSON media type keeps its schema. Any other media type
/// becomes a string schema.
fn content(at: &str, parameter: &mut Value, report: &mut Report) {
    let Some(members) = parameter.as_object_mut() else { return };
    if let Some(Value::Object(kinds)) = members.remove("content")
        && let Some((kind, media)) = kinds.into_iter().next()
    {
        unused_media(at, "a parameter", &media, report);
        let schema = media.get("schema").cloned().unwrap_or_else(|| json!({}));
        if super::bodies::is_json(&kind) {
            report.note(Change::Decided, "a parameter is sent as JSON", at);
            members.insert("x-json".to_owned(), true.into());
            members.insert("schema".to_owned(), schema);
        } else {
            report.note(
                Change::Decided,
                format!("a parameter with the media type `{kind}` becomes a string"),
                at,
            );
            members.insert("schema".to_owned(), json!({"type": "string"}));
        }
    }
    if !members.get("schema").is_some_and(Value::is_object) {
        report.note(Change::Decided, "a parameter without a schema becomes a string", at);
        members.insert("schema".to_owned(), json!({"type": "string"}));
    }
}

fn style(document: &Value, at: &str, mut parameter: Value, report: &mut Report) -> Vec<Value> {
    if parameter.get("x-json").is_some() {
        return vec![parameter];
    }
    let location = parameter["in"].as_str().unwrap_or_default().to_owned();
    let usual = if location == "query" { "form" } else { "simple" };
    let style = parameter.get("style").and_then(Value::as_str).unwrap_or(usual).to_owned();
    let explode = parameter.get("explode").and_then(Value::as_bool).unwrap_or(style == "form");
    let schema = resolved(document, &parameter["schema"]);
    let object = schema.get("properties").and_then(Value::as_object).filter(|all| !all.is_empty());

    if let Some(members) = object
        && location == "query"
        && (style == "deepObject" || (style == "form" && explode))
    {
        report.note(Change::Decided, "an object parameter becomes one parameter per field", at);
        return split_object(&parameter, members, &schema, style == "deepObject");
    }
    if is_object(&schema) {
        report.note(
            Change::Decided,
            "an object parameter becomes a string that the caller formats",
            at,
        );
        parameter["schema"] = text_of(&parameter["schema"]);
        return vec![parameter];
    }

    match style.as_str() {
        "form" | "simple" => {}
        "label" | "matrix" if location == "path" => {
            report.note(
                Change::Decided,
                format!("the prefix and separators of the style `{style}` are written into the path template"),
                at,
            );
            parameter["x-path-style"] = style.into();
        }

        "spaceDelimited" | "pipeDelimited" => {
            let sign = if style == "pipeDelimited" { "`|`" } else { "blanks" };
            report.note(
                Change::Decided,
                format!(
                    "a list of the style `{style}` becomes a string; the caller joins the items with {sign}"
                ),
                at,
            );
            let said = parameter.get("description").and_then(Value::as_str).unwrap_or_default();
            parameter["description"] =
                format!("{said}\n\nA list, joined with {sign}.").trim().into();
            parameter["schema"] = text_of(&parameter["schema"]);
        }
        other => report.note(
            Change::Decided,
            format!("the style `{other}` is replaced with the default style"),
            at,
        ),
    }

    if let Some(members) = parameter.as_object_mut() {
        members.remove("style");
    }
    vec![parameter]
}

fn text_of(schema: &Value) -> Value {
    json!({"type": "string", origin::AT: origin::location(schema, "")})
}

/// Returns the schema at the end of a chain of references.
fn resolved(document: &Value, schema: &Value) -> Value {
    let mut schema = schema;
    for _ in 0..8 {
        let target = schema.get("$ref").or_else(|| schema.pointer("/allOf/0/$ref"));
        let Some(found) = target.and_then(Value::as_str).and_then(|to| pointed(document, to))
        else {
            break;
        };
        schema = found;
    }
    schema.clone()
}

fn is_object(schema: &Value) -> bool {
    schema.get("type").is_some_and(|ty| ty == "object") || schema.get("properties").is_some()
}

/// Splits an object parameter into one parameter per property. For example, the parameter `filter` has the property
/// `name`. The new parameter is then called `filter[name]` in the style `deepObject`, and `name` in other styles.
fn split_object(
    parameter: &Value,
    members: &Map<String, Value>,
    schema: &Value,
    deep: bool,
) -> Vec<Value> {
    let name = parameter["name"].as_str().unwrap_or_default();
    let required = parameter.get("required").is_some_and(|required| required == true);
    let needed: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();

    let one = |(member, schema): (&String, &Value)| {
        let own = schema.get("description").and_then(Value::as_str);
        let about = own.or_else(|| parameter.get("description").and_then(Value::as_str));
        let wire = if deep { format!("{name}[{member}]") } else { member.clone() };
        let nested = is_object(schema);
        json!({
            "name": wire,
            "in": "query",
            "required": required && needed.contains(&member.as_str()),
            "description": about.unwrap_or_default(),
            "schema": if nested { text_of(schema) } else { schema.clone() },
            origin::AT: parameter.get(origin::AT).cloned().unwrap_or_default(),
        })
    };

    members.iter().map(one).collect()
}
