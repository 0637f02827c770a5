//! Normalizes references. Afterwards, each schema reference refers to `components.schemas`, and path items contain no
//! references.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::fault::Fault;
use crate::names::{type_name, unique};
use crate::origin;
use crate::report::{Change, Report};
use crate::schemas::{METHODS, each_mut, escape};

const SCHEMAS: &str = "#/components/schemas/";

/// Maximum number of rounds of copying referenced schemas. A copied schema can contain further references.
const ROUNDS: usize = 20;

/// Copies each referenced schema from other parts of the document into `components.schemas`, and updates the
/// references. Repeats this for the references in the copied schemas.
pub fn references(document: &mut Value, report: &mut Report) {
    path_items(document, report);
    operations(document, report);

    let mut known: BTreeMap<String, String> = BTreeMap::new();
    for _ in 0..ROUNDS {
        let names = names(document);
        let strays = outside_components(document, &names);
        let mut made: Map<String, Value> = Map::new();
        each_mut(document, &mut |place, schema| {
            let Some(target) = schema.get("$ref").and_then(Value::as_str) else {
                if schema.get("$ref").is_some() {
                    *schema = refused(report, place, schema, "a reference that is not a string");
                }
                return;
            };
            let Some(found) = strays.get(target) else { return };
            let Some(found) = found else {
                let reason = if target.starts_with('#') {
                    format!("the reference target `{target}` is not in the document")
                } else {
                    format!("the reference target `{target}` is in another document")
                };
                *schema = refused(report, place, schema, &reason);
                return;
            };

            let name = known.entry(target.to_owned()).or_insert_with(|| {
                let name = unique(&name_of(target), |name| {
                    names.contains(name) || made.contains_key(name)
                });
                made.insert(name.clone(), found.clone());
                name
            });
            report.note(
                Change::Decided,
                format!("the schema `{target}` becomes the component `{name}`"),
                origin::location(schema, place),
            );
            schema["$ref"] = format!("{SCHEMAS}{name}").into();
        });
        if made.is_empty() {
            break;
        }
        for (name, schema) in made {
            document["components"]["schemas"][name] = schema;
        }
    }
}

/// Returns the names of all schemas in `components.schemas`.
fn names(document: &Value) -> BTreeSet<String> {
    let components = document.pointer("/components/schemas").and_then(Value::as_object);
    components.into_iter().flat_map(Map::keys).cloned().collect()
}

/// Finds each `$ref` to a schema outside `components.schemas`. Returns a map from the text of the `$ref` to a copy of
/// the schema, or to `None` if the schema does not exist.
fn outside_components(
    document: &mut Value,
    names: &BTreeSet<String>,
) -> BTreeMap<String, Option<Value>> {
    let mut targets = BTreeSet::new();
    each_mut(document, &mut |_, schema| {
        if let Some(target) = schema.get("$ref").and_then(Value::as_str)
            && !target.strip_prefix(SCHEMAS).is_some_and(|name| names.contains(name))
        {
            targets.insert(target.to_owned());
        }
    });
    targets
        .into_iter()
        .filter(|target| !is_component(document, target))
        .map(|target| {
            let found = pointed(document, &target).filter(|found| found.is_object()).cloned();
            (target, found)
        })
        .collect()
}

/// Returns true if a `$ref` refers to an existing schema in `components.schemas`.
fn is_component(document: &Value, target: &str) -> bool {
    let Some(name) = target.strip_prefix(SCHEMAS) else { return false };
    !name.contains('/') && pointed(document, target).is_some()
}

/// Returns the target of a `$ref` within the document. A `$ref` is a URI, so it should be percent-encoded, but some
/// publishers do not encode it. Both forms are accepted.
pub(crate) fn pointed<'a>(document: &'a Value, target: &str) -> Option<&'a Value> {
    let pointer = target.strip_prefix('#')?;
    let decoded = percent_encoding::percent_decode_str(pointer).decode_utf8_lossy();
    document.pointer(pointer).or_else(|| document.pointer(&decoded))
}

/// Reports an invalid `$ref` as a fault. Returns an empty schema that replaces the invalid `$ref`, so that the run can
/// continue.
fn refused(report: &mut Report, place: &str, schema: &Value, reason: &str) -> Value {
    let at = origin::location(schema, place);
    report.refuse(Fault::at(
        format!("{at}/$ref"),
        reason,
        "define the schema under `components.schemas`, or ask the publisher for a complete \
         document",
    ));
    json!({ origin::AT: at })
}

fn name_of(target: &str) -> String {
    let skipped =
        ["components", "schemas", "properties", "paths", "content", "schema", "responses"];
    let tokens = target.trim_start_matches('#').split('/');
    let tokens = tokens.filter(|token| !token.is_empty() && !skipped.contains(token));
    let name: String =
        tokens.map(|token| type_name(&token.replace("~1", "/").replace("~0", "~"))).collect();
    let name = type_name(&name);
    if name.is_empty() { "Referred".to_owned() } else { name }
}

/// Rejects operations that consist of a `$ref`. Without this check, the generator would treat them as operations
/// without parameters and responses.
fn operations(document: &mut Value, report: &mut Report) {
    let Some(paths) = document.get_mut("paths").and_then(Value::as_object_mut) else { return };
    for (path, item) in paths {
        for method in METHODS {
            let Some(target) = item.get(*method).and_then(|operation| operation.get("$ref")) else {
                continue;
            };
            let place = format!("/paths/{}/{method}/$ref", escape(path));
            let reason = match target.as_str() {
                Some(target) => format!("the operation is a reference to `{target}`"),
                None => "the operation is a reference".to_owned(),
            };
            let hint = "replace the reference with the operation, or remove the reference; OpenAPI \
                allows references to path items, not to operations";
            report.refuse(Fault::at(place, reason, hint));
            item[*method] = json!({});
        }
    }
}

/// Replaces the `$ref` of path items by copies of their targets.
fn path_items(document: &mut Value, report: &mut Report) {
    let items = document.get("paths").and_then(Value::as_object).into_iter().flatten();
    let targets = items.filter_map(|(_, item)| item.get("$ref")?.as_str());
    let known: BTreeMap<String, Value> = targets
        .filter_map(|target| Some((target.to_owned(), pointed(document, target)?.clone())))
        .collect();

    let Some(paths) = document.get_mut("paths").and_then(Value::as_object_mut) else { return };
    paths.retain(|path, item| {
        let Some(target) = item.get("$ref").and_then(Value::as_str) else { return true };
        let place = format!("/paths/{}", escape(path));
        // Only one step is followed: to a component or to another path. Longer chains occur only across several
        // documents.
        let found = known.get(target).filter(|found| found.get("$ref").is_none());
        let Some(found) = found.and_then(Value::as_object) else {
            report.refuse(Fault::at(
                format!("{}/$ref", origin::location(item, &place)),
                format!("the reference target `{target}` is not a path item of the document"),
                "replace the reference with the path item, or remove the path",
            ));
            return false;
        };

        let mut own = found.clone();
        let methods = METHODS.iter().filter_map(|method| Some((*method, item.get(*method)?)));
        for (method, operation) in methods {
            own.insert(method.to_owned(), operation.clone());
        }
        let mut own = Value::Object(own);
        origin::copied(&mut own, target.trim_start_matches('#'), &place);
        *item = own;
        report.note(Change::Rewritten, "a reference is replaced with its target", place);
        true
    });
}

/// Replaces each media type that is a `$ref` by a copy of the referenced media type. OpenAPI does not allow such a
/// `$ref`, but its meaning is clear. Must run before `check::outline`, which rejects every `$ref` in place of a media
/// type.
pub fn media_types(document: &mut Value, report: &mut Report) {
    let mut contents = Vec::new();
    for (path, item) in document["paths"].as_object().into_iter().flatten() {
        for method in METHODS.iter().filter(|method| item.get(**method).is_some()) {
            let place = format!("/paths/{}/{method}", escape(path));
            let statuses = item[*method].get("responses").and_then(Value::as_object);
            for status in statuses.into_iter().flat_map(Map::keys) {
                contents.push(format!("{place}/responses/{}/content", escape(status)));
            }
            contents.push(format!("{place}/requestBody/content"));
        }
    }

    for content in contents {
        let kinds = document.pointer(&content).and_then(Value::as_object);
        let kinds: Vec<String> = kinds.into_iter().flat_map(Map::keys).cloned().collect();
        for kind in kinds {
            let place = format!("{content}/{}", escape(&kind));
            let target = document.pointer(&format!("{place}/$ref")).and_then(Value::as_str);
            let found = target.and_then(|target| pointed(document, target));
            let Some(found) = found.filter(|found| found.get("schema").is_some()).cloned() else {
                continue;
            };
            if let Some(media) = document.pointer_mut(&place) {
                *media = found;
                report.note(Change::Rewritten, "a reference is replaced with its target", place);
            }
        }
    }
}
