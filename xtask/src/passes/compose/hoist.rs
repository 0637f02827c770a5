//! Moves inline schemas into `components.schemas`. Each moved schema gets a name, and a `$ref` replaces it.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use super::{is_component, is_union};
use crate::check::is_reserved;
use crate::names::{request_name, type_name, unique};
use crate::origin;
use crate::report::{Change, Report};
use crate::schemas::{self, METHODS, escape};

/// Moves every inline object and union into `components.schemas`.
pub(super) fn hoist(document: &mut Value, report: &mut Report) {
    hoist_where(document, report, &|_, schema| {
        let members = schema.get("properties").and_then(Value::as_object);
        members.is_some_and(|members| !members.is_empty()) || is_union(schema)
    });
}

/// Moves each inline schema for which `wanted` returns true into `components.schemas`. If the schema is inside a
/// parameter, it is not moved, but replaced by a string schema. The arguments of `wanted` are the schema's JSON pointer
/// and the schema.
pub(super) fn hoist_where(
    document: &mut Value,
    report: &mut Report,
    wanted: &dyn Fn(&str, &Value) -> bool,
) {
    let operations = operation_names(document);
    let requests: BTreeSet<String> = operations.values().map(|id| request_name(id)).collect();
    let before: BTreeSet<String> = document
        .pointer("/components/schemas")
        .and_then(Value::as_object)
        .into_iter()
        .flat_map(Map::keys)
        .cloned()
        .collect();
    let mut made: BTreeMap<String, Value> = BTreeMap::new();

    schemas::each_mut(document, &mut |place, schema| {
        if is_component(place) || !wanted(place, schema) {
            return;
        }
        let at = origin::location(schema, place);
        if place.contains("/parameters/") {
            report.note(
                Change::Decided,
                "a parameter that is an object or a union becomes a string",
                at.as_str(),
            );
            *schema = json!({"type": "string", origin::AT: at});
            return;
        }

        let mut moved = std::mem::take(schema);
        let mut left = Map::new();
        for kept in ["description", "nullable", "default", "deprecated", "x-deprecated", origin::AT]
        {
            if let Some(value) = moved.get(kept).cloned() {
                left.insert(kept.to_owned(), value);
            }
        }
        if let Some(members) = moved.as_object_mut() {
            for gone in ["nullable", "default", "deprecated", "x-deprecated"] {
                members.remove(gone);
            }
        }

        let wanted = name_of(place, &operations, &moved);
        // Equal inline objects that would get the same name become one record.
        let again = made.get(&wanted).is_some_and(|known| origin::same(known, &moved));
        let taken = |name: &str| {
            before.contains(name)
                || made.contains_key(name)
                || is_reserved(name)
                || requests.contains(name)
        };
        let name = if again { wanted.clone() } else { unique(&wanted, taken) };

        if name != wanted {
            report.note(
                Change::Decided,
                format!("the name `{wanted}` is taken, so this object or union is called `{name}`"),
                at.as_str(),
            );
        }
        report.note(
            Change::Renamed,
            format!("an object or union without a name is called `{name}`"),
            at,
        );
        left.insert("$ref".to_owned(), format!("#/components/schemas/{name}").into());
        *schema = Value::Object(left);
        made.insert(name, moved);
    });

    for (name, schema) in made {
        document["components"]["schemas"][name] = schema;
    }
}

/// Returns the `operationId` of each operation. The key is the JSON pointer of the operation.
fn operation_names(document: &Value) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for (path, item) in document.get("paths").and_then(Value::as_object).into_iter().flatten() {
        for method in METHODS {
            if let Some(id) =
                item.get(*method).and_then(|operation| operation.get("operationId")?.as_str())
            {
                names.insert(format!("/paths/{}/{method}", escape(path)), id.to_owned());
            }
        }
    }
    names
}

/// Returns a name for an inline schema, from its JSON pointer. The name consists of the component or operation that
/// contains the schema, and of the names of the enclosing fields.
fn name_of(place: &str, operations: &BTreeMap<String, String>, schema: &Value) -> String {
    let mut name = String::new();
    let rest = match place.strip_prefix("/components/schemas/") {
        Some(rest) => rest.to_owned(),
        None => {
            // An operation's pointer is `/paths/PATH/METHOD`, so the pointer is split at the fourth slash.
            let end = place.match_indices('/').nth(3).map_or(place.len(), |(end, _)| end);
            match operations.get(&place[..end]) {
                Some(id) => {
                    name = type_name(id);
                    place[end..].trim_start_matches('/').to_owned()
                }
                None => place.to_owned(),
            }
        }
    };

    let mut shape = false;
    for token in rest.split('/') {
        // The segment after `oneOf` is the index of the alternative.
        if std::mem::take(&mut shape) {
            let title = schema.get("title").and_then(Value::as_str).map(type_name);
            let title = title.filter(|title| !title.is_empty());
            let number = token.parse::<usize>().map_or(0, |number| number + 1);
            name.push_str(&title.unwrap_or_else(|| format!("Shape{number}")));
            continue;
        }

        name.push_str(&match token {
            "properties" | "schema" | "content" | "application~1json" | "parameters"
            | "components" | "schemas" | "paths" => String::new(),
            "oneOf" => {
                shape = true;
                String::new()
            }
            "prefixItems" => "Place".to_owned(),
            "items" => "Item".to_owned(),
            "additionalProperties" => "Entry".to_owned(),
            "requestBody" => "Body".to_owned(),
            "responses" => "Answer".to_owned(),
            status if status.len() == 3 && status.bytes().all(|b| b.is_ascii_digit()) => {
                String::new()
            }
            token => type_name(&token.replace("~1", "/").replace("~0", "~")),
        });
    }

    let name = type_name(&name);
    if name.is_empty() { "Object".to_owned() } else { name }
}
