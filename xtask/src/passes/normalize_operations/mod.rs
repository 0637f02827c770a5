//! Normalizes the operations of an OpenAPI document: identifiers, tags, paths, parameters, request bodies and
//! responses. The report lists each change, and contains a fault for each part that cannot be normalized.

mod answers;
mod bodies;
mod parameters;
mod paths;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::fault::Fault;
use crate::names::{static_name, type_name, unique, value_name};
use crate::origin;
use crate::passes::unused_parts::EXTENSIONS;
use crate::report::{Change, Report};
use crate::schemas::{METHODS, escape};

/// Names that an operation must not have, because generated code or the methods of `Api` already use them.
const TAKEN_IDS: &[&str] = &[
    "call",
    "clone",
    "new",
    "OPERATIONS",
    "PLANS",
    "TITLE",
    "TOP_UPS",
    "VERSION",
    "operations",
    "plans",
    "title",
    "top_ups",
    "version",
];

pub fn normalize_operations(document: &mut Value, report: &mut Report) {
    whole_document(document, report);
    paths::paths(document, report);
    identifiers(document, report);

    // The paths are taken out of the document while they are processed, because a copy would be large. The functions
    // below look up only components.
    let Some(mut paths) = document.get_mut("paths").map(Value::take) else { return };
    for (path, item) in paths.as_object_mut().into_iter().flatten() {
        let Some(members) = item.as_object_mut() else { continue };
        path_item(&format!("/paths/{}", escape(path)), members, report);
        for method in METHODS {
            let Some(operation) = members.get_mut(*method).and_then(Value::as_object_mut) else {
                continue;
            };
            let place = format!("/paths/{}/{method}", escape(path));
            tag(&place, path, operation, report);
            left_out(&place, operation, report);
            parameters::parameters(document, &place, path, operation, report);
            bodies::body(document, &place, operation, report);
            answers::answers(&place, operation, report);
        }
    }
    document["paths"] = paths;
    paths::styles(document);
}

/// Reports fields that the generated client does not use, such as `servers`, in the document itself, `info`, the tags
/// and `components`. Also removes the fields of `components` that no later step reads.
fn whole_document(document: &mut Value, report: &mut Report) {
    unknown_members("/", "the document", document, DOCUMENT, report);
    let Some(members) = document.as_object_mut() else { return };
    for (name, why) in [
        ("servers", "server URLs are ignored; callers set the base URL of the client"),
        (
            "security",
            "security requirements are ignored; the client sends its API key with every call",
        ),
        ("externalDocs", "a link to documentation is ignored"),
    ] {
        if members.get(name).is_some() {
            report.note(Change::Dropped, why, format!("/{name}"));
        }
    }

    let info = members.get("info").and_then(Value::as_object).into_iter().flatten();
    for (name, _) in info.filter(|(name, _)| !["title", "version"].contains(&name.as_str())) {
        report.note(Change::Dropped, "a field of `info` is ignored", format!("/info/{name}"));
    }
    for (index, tag) in
        members.get("tags").and_then(Value::as_array).into_iter().flatten().enumerate()
    {
        let place = format!("/tags/{index}");
        if tag.get("externalDocs").is_some() {
            report.note(Change::Dropped, "a link to documentation is ignored", place.as_str());
        }
        let known = ["name", "description", "externalDocs"];
        unknown_members(&place, "a tag", tag, &known, report);
    }
    components(members, report);
}

/// Removes and reports the components that no later step reads. The pass `inline` has already copied parameters,
/// request bodies and responses into the operations that use them.
fn components(members: &mut Map<String, Value>, report: &mut Report) {
    let Some(components) = members.get_mut("components").filter(|all| all.is_object()) else {
        return;
    };
    let known = [COPIED, UNUSED, &["schemas", "securitySchemes"]].concat();
    unknown_members("/components", "the components", components, &known, report);
    for kind in COPIED.iter().chain(UNUSED) {
        // If the components stayed, enums in unused components would become Rust types.
        if components.as_object_mut().and_then(|all| all.remove(*kind)).is_none() {
            continue;
        }
        let (change, what) = if COPIED.contains(kind) {
            (Change::Rewritten, "removed; each reference is replaced with a copy of its target")
        } else {
            (Change::Dropped, "ignored, because the client does not use it")
        };
        let what = format!("`components.{kind}` is {what}");
        report.note(change, what, format!("/components/{kind}"));
    }
}

/// Fields of `components` that an earlier pass has copied into the operations that use them.
const COPIED: &[&str] = &["parameters", "requestBodies", "responses"];

/// Fields of `components` that no step reads.
const UNUSED: &[&str] = &["callbacks", "examples", "headers", "links"];

fn path_item(place: &str, members: &mut Map<String, Value>, report: &mut Report) {
    members.retain(|name, _| {
        let keep = METHODS.contains(&name.as_str()) || name == origin::AT || name.starts_with("x-");
        if !keep {
            report.note(Change::Dropped, format!("`{name}` of a path is ignored"), place);
        }
        keep
    });
}

/// Removes the fields `servers`, `security`, `externalDocs` and `callbacks` of an operation, because the generated
/// client does not use them. Also reports unknown fields of the operation.
fn left_out(place: &str, operation: &mut Map<String, Value>, report: &mut Report) {
    for (name, why) in [
        ("servers", "server URLs are ignored; callers set the base URL of the client"),
        (
            "security",
            "security requirements are ignored; the client sends its API key with every call",
        ),
        ("externalDocs", "a link to documentation is ignored"),
        ("callbacks", "callbacks of the service are ignored"),
    ] {
        if operation.remove(name).is_some() {
            report.note(Change::Dropped, why, place);
        }
    }
    for name in operation.keys() {
        note_unknown(place, "an operation", name, OPERATION, report);
    }
}

/// Fields that OpenAPI defines for an operation and that the generator handles.
const OPERATION: &[&str] = &[
    "operationId",
    "tags",
    "summary",
    "description",
    "parameters",
    "requestBody",
    "responses",
    "deprecated",
];

/// Top-level fields that OpenAPI defines for a document.
const DOCUMENT: &[&str] = &[
    "components",
    "externalDocs",
    "info",
    "jsonSchemaDialect",
    "openapi",
    "paths",
    "security",
    "servers",
    "tags",
    "webhooks",
];

/// Reports the fields of a JSON object that OpenAPI does not define, such as a misspelled `required`. `whole` names the
/// kind of object for the report, such as `a parameter`.
fn unknown_members(place: &str, whole: &str, node: &Value, known: &[&str], report: &mut Report) {
    for name in node.as_object().into_iter().flat_map(Map::keys) {
        note_unknown(place, whole, name, known, report);
    }
}

fn note_unknown(place: &str, whole: &str, name: &str, known: &[&str], report: &mut Report) {
    if known.contains(&name) || EXTENSIONS.contains(&name) {
        return;
    }
    let kind = if name.starts_with("x-") { "extension" } else { "unknown field" };
    report.note(Change::Dropped, format!("the {kind} `{name}` of {whole} is ignored"), place);
}

/// Reports the fields of a media type that the generated client does not use, such as `examples`.
fn unused_media(place: &str, whole: &str, media: &Value, report: &mut Report) {
    for word in ["example", "examples", "encoding"] {
        if media.get(word).is_some() {
            report.note(Change::Dropped, format!("`{word}` of {whole} is ignored"), place);
        }
    }
    let known = ["schema", "example", "examples", "encoding"];
    unknown_members(place, whole, media, &known, report);
}

/// Reduces the tags of an operation to its first tag. If the operation has no tags, the first word of its path becomes
/// its tag.
fn tag(place: &str, path: &str, operation: &mut Map<String, Value>, report: &mut Report) {
    let said = operation.get("tags").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let usable = |tag: &&str| !value_name(tag).is_empty();
    let first = said.iter().filter_map(Value::as_str).find(usable).map(str::to_owned);

    let decision = match &first {
        Some(_) if said.len() > 1 => Some("an operation keeps only the first of its tags"),
        Some(_) => None,
        None => Some("an operation without a tag gets the first word of its path as tag"),
    };
    if let Some(decision) = decision {
        report.note(Change::Decided, decision, format!("{place}/tags"));
    }

    let tag = first.unwrap_or_else(|| first_word(path));
    operation.insert("tags".to_owned(), json!([tag]));
}

/// Returns the first meaningful segment of a path as a type name: `/api/v1/coins/{id}` → `Coins`. Skips `api`,
/// versions such as `v1`, and variables such as `{id}`.
fn first_word(path: &str) -> String {
    let version = |part: &str| {
        part.strip_prefix(['v', 'V'])
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    path.split(['/', '?'])
        .filter(|part| {
            !part.contains(['{', '}']) && !part.eq_ignore_ascii_case("api") && !version(part)
        })
        .find(|part| !value_name(part).is_empty())
        .map_or_else(|| "General".to_owned(), type_name)
}

/// Reports a fault for each `x-rename` of an operation whose new name is also the name of another operation.
fn chosen_names(document: &Value, report: &mut Report) {
    let paths = document.get("paths").and_then(Value::as_object);
    let operations = paths.into_iter().flatten().flat_map(|(path, item)| {
        METHODS.iter().filter_map(move |method| {
            let operation = item.get(*method)?;
            Some((format!("/paths/{}/{method}", escape(path)), operation, identifier(operation)?))
        })
    });
    let operations: Vec<_> = operations.collect();
    for (place, _, name) in
        operations.iter().filter(|(_, operation, _)| operation.get("x-rename").is_some())
    {
        let owner = operations.iter().find(|(other_place, _, other)| {
            place != other_place && value_name(other) == value_name(name)
        });
        if let Some((owner, ..)) = owner {
            let reason = format!("the operation at {owner} also has the name `{name}`");
            let hint = "choose a name that no operation has, or also rename the operation that has the name";
            report.refuse(Fault::at(format!("{place}/x-rename"), reason, hint));
        }
    }
}

/// Sets a unique identifier for each operation.
fn identifiers(document: &mut Value, report: &mut Report) {
    chosen_names(document, report);
    let Some(paths) = document.get_mut("paths").and_then(Value::as_object_mut) else { return };
    let mut taken: BTreeSet<String> = TAKEN_IDS.iter().map(|name| (*name).to_owned()).collect();
    let mut given: BTreeMap<String, usize> = BTreeMap::new();
    for item in paths.values() {
        for method in METHODS {
            if let Some(id) = item.get(*method).and_then(identifier) {
                *given.entry(value_name(&id)).or_default() += 1;
            }
        }
    }

    for (path, item) in paths {
        for method in METHODS {
            let Some(operation) = item.get_mut(*method).filter(|node| node.is_object()) else {
                continue;
            };
            let place = format!("/paths/{}/{method}", escape(path));
            // An identifier determines three names: those of the request type, the method and the catalogue row.
            // Different identifiers can result in the same name.
            let is_taken = |taken: &BTreeSet<String>, id: &str| {
                [type_name(id), value_name(id), static_name(id)]
                    .iter()
                    .any(|name| taken.contains(name))
            };

            let said = identifier(operation).filter(|id| !type_name(id).is_empty());
            let id = match &said {
                Some(id) if !is_taken(&taken, id) => id.clone(),
                Some(id) if given.get(&value_name(id)).is_some_and(|count| *count > 1) => {
                    unique(&by_path(method, path), |name| is_taken(&taken, name))
                }
                Some(id) => unique(&format!("{id}-operation"), |name| is_taken(&taken, name)),
                None => unique(&by_path(method, path), |name| is_taken(&taken, name)),
            };
            taken.extend([type_name(&id), value_name(&id), static_name(&id)]);

            match &said {
                Some(said) if *said == id => {}
                Some(said) => report.note(
                    Change::Decided,
                    format!("the name `{said}` is taken, so this operation is called `{id}`"),
                    place,
                ),
                None => report.note(
                    Change::Decided,
                    format!("an operation without `operationId` is called `{id}`"),
                    place,
                ),
            }

            let old = operation.get("operationId").and_then(Value::as_str).unwrap_or_default();
            if operation.get("x-rename").is_some() {
                report.note(
                    Change::Renamed,
                    format!("`{old}` is `{id}`"),
                    format!("/paths/{}/{method}", escape(path)),
                );
            }
            if let Some(members) = operation.as_object_mut() {
                members.remove("x-rename");
                members.insert("operationId".to_owned(), id.into());
            }
        }
    }
}

/// Returns the name of an operation: its `x-rename` from the overlay, or else its `operationId`.
fn identifier(operation: &Value) -> Option<String> {
    let chosen = operation.get("x-rename").or_else(|| operation.get("operationId"))?;
    Some(chosen.as_str()?.to_owned())
}

/// Creates an operation identifier from the HTTP method and the path: `get /things/{id}` becomes `get-things-by-id`.
fn by_path(method: &str, path: &str) -> String {
    let mut name = method.to_owned();
    for part in path.split(['/', '.', '?', '&', '=', '#']).filter(|part| !part.is_empty()) {
        let by = if part.contains('{') { "-by-" } else { "-" };
        name.push_str(by);
        name.push_str(&value_name(part).replace('_', "-"));
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_from_the_path_where_there_are_none() {
        assert_eq!(by_path("get", "/v1/things/{id}/parts.json"), "get-v1-things-by-id-parts-json");
        assert_eq!(by_path("post", "/"), "post");
        for (path, word) in [
            ("/v1/things/{id}", "Things"),
            ("/api/v2.1/{x}/more", "More"),
            ("/{x}", "General"),
            ("/", "General"),
        ] {
            assert_eq!(first_word(path), word, "{path}");
        }
    }
}
