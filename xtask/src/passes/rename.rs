//! Gives every component and operation a name that Rust can spell.
//!
//! Components are named as their Rust types will be, so that later passes and the generator
//! agree on one spelling. `x-rename` on a component or an operation chooses another name.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::fault::{Fault, Result};
use crate::names::type_name;
use crate::report::{Change, Report};
use crate::schemas::{self, escape};

const PREFIX: &str = "#/components/schemas/";

pub fn rename(document: &mut Value, report: &mut Report) -> Result<()> {
    let names = component_names(document, report)?;
    if let Some(Value::Object(components)) = document.pointer_mut("/components/schemas") {
        let renamed: Map<String, Value> = std::mem::take(components)
            .into_iter()
            .map(|(old, mut schema)| {
                if let Some(members) = schema.as_object_mut() {
                    members.remove("x-rename");
                }
                (names[&old].clone(), schema)
            })
            .collect();
        *components = renamed;
    }
    schemas::each_mut(document, &mut |_, schema| {
        let Some(Value::String(target)) = schema.get_mut("$ref") else { return };
        let Some(old) = target.strip_prefix(PREFIX) else { return };
        // A `$ref` is a URI: the published description writes `Interface {}` with its blank
        // encoded or plain.
        let plain = percent_encoding::percent_decode_str(old).decode_utf8_lossy();
        let plain = plain.replace("~1", "/").replace("~0", "~");
        if let Some(new) = names.get(&plain) {
            *target = format!("{PREFIX}{new}");
        }
    });
    operations(document, report);
    Ok(())
}

fn component_names(document: &Value, report: &mut Report) -> Result<BTreeMap<String, String>> {
    let mut names = BTreeMap::new();
    let mut owners: BTreeMap<String, String> = BTreeMap::new();
    let components = document.pointer("/components/schemas").and_then(Value::as_object);
    for (old, schema) in components.into_iter().flatten() {
        let wanted = schema.get("x-rename").and_then(Value::as_str);
        let new = type_name(wanted.unwrap_or(old));
        let place = format!("/components/schemas/{}", escape(old));
        if new.is_empty() {
            return Err(Fault::at(
                place,
                format!("`{old}` has no letters to make a name of"),
                "give it `x-rename` in the overlay",
            ));
        }
        if let Some(other) = owners.insert(new.clone(), old.clone()) {
            return Err(Fault::at(
                place,
                format!("`{old}` and `{other}` would both be called `{new}`"),
                "give one of them `x-rename` in the overlay",
            ));
        }
        if new != *old {
            report.note(Change::Renamed, format!("`{old}` is `{new}`"), place);
        }
        names.insert(old.clone(), new);
    }
    Ok(names)
}

fn operations(document: &mut Value, report: &mut Report) {
    let Some(paths) = document.get_mut("paths").and_then(Value::as_object_mut) else { return };
    for (path, item) in paths {
        for method in schemas::METHODS {
            let Some(operation) = item.get_mut(*method).and_then(Value::as_object_mut) else {
                continue;
            };
            if let Some(Value::String(new)) = operation.remove("x-rename") {
                let old = operation.insert("operationId".to_owned(), new.clone().into());
                let old = old.as_ref().and_then(Value::as_str).unwrap_or_default();
                report.note(
                    Change::Renamed,
                    format!("`{old}` is `{new}`"),
                    format!("/paths/{}/{method}", escape(path)),
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn components_and_their_references_follow_rust() {
        let mut document = json!({
            "paths": {"/a": {"get": {"operationId": "listing", "x-rename": "market-listing",
                "responses": {"200": {"content": {"application/json": {"schema":
                    {"$ref": "#/components/schemas/DataResponseInterface {}"}}}}}}}},
            "components": {"schemas": {
                "DataResponseInterface {}": {"properties": {"a": {"$ref": "#/components/schemas/HumaBody"}}},
                "HumaBody": {"x-rename": "Body", "type": "object"}}}
        });
        let mut report = Report::default();
        rename(&mut document, &mut report).unwrap();
        insta::assert_snapshot!(serde_json::to_string_pretty(&document).unwrap());
        insta::assert_snapshot!("rename_report", report.to_markdown("---"));
    }

    #[test]
    fn two_components_may_not_get_one_name() {
        let mut document = json!({"components": {"schemas": {"a-b": {}, "AB": {}, "aB": {}}}});
        insta::assert_snapshot!(rename(&mut document, &mut Report::default()).unwrap_err(), @"
        error: `a-b` and `AB` would both be called `Ab`
           at: #/components/schemas/a-b
         hint: give one of them `x-rename` in the overlay
        ");
    }
}
