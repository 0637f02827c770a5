//! Gives every schema in `components.schemas` a valid Rust name.
//!
//! A schema gets the name of its Rust type, so that all later steps use the same name. `x-rename` in a schema sets
//! another name. The pass `normalize_operations` names the operations.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value};

use crate::check::is_reserved;
use crate::fault::Fault;
use crate::names::{request_name, type_name, unique};
use crate::origin;
use crate::report::{Change, Report};
use crate::schemas::{self, escape};

const PREFIX: &str = "#/components/schemas/";

pub fn rename(document: &mut Value, report: &mut Report) {
    let names = component_names(document, report);
    if let Some(Value::Object(components)) = document.pointer_mut("/components/schemas") {
        let renamed: Map<String, Value> = std::mem::take(components)
            .into_iter()
            .filter_map(|(old, mut schema)| {
                if let Some(members) = schema.as_object_mut() {
                    members.remove("x-rename");
                }
                Some((names.get(&old)?.clone(), schema))
            })
            .collect();
        *components = renamed;
    }

    schemas::each_mut(document, &mut |_, schema| {
        if let Some(Value::String(target)) = schema.get_mut("$ref")
            && let Some(new) = renamed(&names, target)
        {
            *target = new;
        }
        let mapping = schema.pointer_mut("/discriminator/mapping").and_then(Value::as_object_mut);
        for target in mapping.into_iter().flat_map(Map::values_mut) {
            let Some(old) = target.as_str() else { continue };
            let new = renamed(&names, old).or_else(|| Some(format!("{PREFIX}{}", names.get(old)?)));
            *target = new.unwrap_or_default().into();
        }
    });
}

/// Returns the `$ref` with the new name of its schema. The old name in the `$ref` can be percent-encoded or not,
/// because the published OpenAPI document contains both forms.
fn renamed(names: &BTreeMap<String, String>, target: &str) -> Option<String> {
    let old = target.strip_prefix(PREFIX)?;
    let plain = percent_encoding::percent_decode_str(old).decode_utf8_lossy();
    let plain = plain.replace("~1", "/").replace("~0", "~");
    Some(format!("{PREFIX}{}", names.get(&plain).or_else(|| names.get(old))?))
}

fn component_names(document: &Value, report: &mut Report) -> BTreeMap<String, String> {
    let requests = request_names(document);
    let bodies = bodies(document);
    let components = document.pointer("/components/schemas").and_then(Value::as_object);
    let mut names = BTreeMap::new();
    let mut owners: BTreeMap<String, String> = BTreeMap::new();

    // Names from the overlay and names that are already valid are assigned first. They stay the same if other names
    // change.
    let chosen = |schema: &Value| schema.get("x-rename").and_then(Value::as_str).map(str::to_owned);
    let mut order: Vec<(&String, &Value)> = components.into_iter().flatten().collect();
    order.sort_by_cached_key(|(old, schema)| (chosen(schema).is_none(), type_name(old) != **old));
    for (old, schema) in order {
        let place = origin::location(schema, &format!("/components/schemas/{}", escape(old)));
        let wanted = type_name(chosen(schema).as_deref().unwrap_or(old));
        let wanted = if wanted.is_empty() { "Component".to_owned() } else { wanted };
        let native = ["x-native", "x-is-native"].iter().any(|key| schema.get(*key).is_some());
        // A schema that is only used as a request body becomes no Rust type, because its fields become parameters.
        let is_request = requests.contains(&wanted) && !bodies.contains(old);
        let reserved = !native && (is_reserved(&wanted) || is_request);
        let free = if reserved { format!("{wanted}Record") } else { wanted.clone() };
        let new = unique(&free, |name| {
            let is_request = requests.contains(name) && !(bodies.contains(old) && name == wanted);
            owners.contains_key(name) || is_request || (!native && is_reserved(name))
        });

        if new != wanted && chosen(schema).is_some() {
            report.refuse(
                Fault::at(
                    place.clone(),
                    match owners.get(&wanted) {
                        Some(other) => {
                            format!("`{old}` and `{other}` would both be called `{wanted}`")
                        }
                        None => format!("the generated code already uses the name `{wanted}`"),
                    },
                    "choose another name in the overlay",
                )
                .settled_by(format!("update: {{x-rename: {new}}}")),
            );
        } else if new != wanted {
            report.note(
                Change::Decided,
                format!("the name `{old}` is taken, so this type is called `{new}`"),
                place.clone(),
            );
        }

        if new != *old {
            report.note(Change::Renamed, format!("`{old}` is `{new}`"), place);
        }
        owners.insert(new.clone(), old.clone());
        names.insert(old.clone(), new);
    }
    names
}

/// Returns the names of the schemas in `components.schemas` that are used only as JSON request bodies.
fn bodies(document: &Value) -> BTreeSet<String> {
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let name = |target: &str| target.strip_prefix(PREFIX).map(str::to_owned);
    let mut open = vec![document];
    while let Some(node) = open.pop() {
        match node {
            Value::Array(items) => open.extend(items),
            Value::Object(members) => {
                if let Some(name) = members.get("$ref").and_then(Value::as_str).and_then(name) {
                    counts.entry(name).or_default().0 += 1;
                }
                let body = node.pointer("/requestBody/content/application~1json/schema/$ref");
                if let Some(name) = body.and_then(Value::as_str).and_then(name) {
                    counts.entry(name).or_default().1 += 1;
                }
                open.extend(members.values());
            }
            _ => {}
        }
    }
    let only = counts.into_iter().filter(|(_, (all, bodies))| all == bodies);
    only.map(|(name, _)| name).collect()
}

/// Returns the Rust names of the request types of all operations.
fn request_names(document: &Value) -> BTreeSet<String> {
    let items = document.get("paths").and_then(Value::as_object).into_iter().flatten();
    let operations =
        items.flat_map(|(_, item)| schemas::METHODS.iter().filter_map(|method| item.get(*method)));
    operations
        .filter_map(|operation| {
            let id = operation.get("x-rename").or_else(|| operation.get("operationId"))?;
            id.as_str().map(request_name)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn components_and_their_references_follow_rust() {
        let mut document = json!({
            "paths": {"/a": {"get": {"operationId": "listing",
                "responses": {"200": {"content": {"application/json": {"schema":
                    {"$ref": "#/components/schemas/DataResponseInterface {}"}}}}}}}},
            "components": {"schemas": {
                "DataResponseInterface {}": {"properties": {"a": {"$ref": "#/components/schemas/HumaBody"}}},
                "HumaBody": {"x-rename": "Body", "type": "object"}}}
        });
        let mut report = Report::default();
        rename(&mut document, &mut report);
        insta::assert_snapshot!(serde_json::to_string_pretty(&document).unwrap());
        insta::assert_snapshot!("rename_report", report.to_markdown("---"));
    }

    /// Renames the schemas of a test document. Returns the names as text, such as `old=New`, and the faults.
    fn named(components: Value) -> (String, Option<String>) {
        let document = json!({
            "paths": {"/a": {"get": {"operationId": "a-list"}}},
            "components": {"schemas": components}});
        let mut report = Report::default();
        let names = component_names(&document, &mut report);
        let names = names.iter().map(|(old, new)| format!("{old}={new}"));
        let names = names.collect::<Vec<_>>().join(" ");
        (names, report.faults().map(|faults| faults.to_string()))
    }

    #[test]
    fn every_component_gets_a_name_of_its_own() {
        let (names, faults) = named(json!({
            "a-b": {}, "AB": {}, "Ab": {}, "Error": {}, "AListRequest": {}, "\u{5e02}": {}, "!": {}}));
        assert_eq!(
            names,
            "!=Component AB=Ab2 AListRequest=AListRequestRecord Ab=Ab Error=ErrorRecord a-b=Ab3 \u{5e02}=Shi"
        );
        assert_eq!(faults, None);
    }

    #[test]
    fn a_name_that_the_overlay_chose_must_be_free() {
        let (_, faults) = named(
            json!({"A": {"x-rename": "Result"}, "B": {"x-rename": "C"}, "C": {"x-rename": "C"}}),
        );
        insta::assert_snapshot!(faults.unwrap());
    }
}
