//! Copies `nullable` from a schema in `components.schemas` to each `$ref` that refers to this schema.
//!
//! A schema in `components.schemas` can contain `nullable: true`, as in `Error: {nullable: true, properties: …}`. Later
//! passes read only a `nullable` that is next to the `$ref` in a property, an array item or a map value.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{is_component, name_of, target};
use crate::origin;
use crate::report::{Change, Report};
use crate::schemas;

pub(super) fn nullable(document: &mut Value, report: &mut Report) {
    let names = nullable_components(document);
    if names.is_empty() {
        return;
    }

    schemas::each_mut(document, &mut |place, schema| {
        if !is_nullable(schema) && accepts_null(schema, &names) && !is_component(place) {
            report.note(
                Change::Rewritten,
                "`nullable` of a component is copied to each reference to the component",
                origin::location(schema, place),
            );
            schema["nullable"] = true.into();
        }
    });
}

/// Returns the names of the schemas in `components.schemas` that allow `null`, directly or through references and
/// unions.
fn nullable_components(document: &Value) -> BTreeSet<String> {
    let components = document.pointer("/components/schemas").and_then(Value::as_object);
    let mut names = BTreeSet::new();
    loop {
        let more = components.into_iter().flatten().filter(|(name, schema)| {
            !names.contains(*name) && (is_nullable(schema) || accepts_null(schema, &names))
        });
        let more: Vec<String> = more.map(|(name, _)| name.clone()).collect();
        if more.is_empty() {
            return names;
        }
        names.extend(more);
    }
}

fn is_nullable(schema: &Value) -> bool {
    schema.get("nullable").is_some_and(|flag| *flag == json!(true))
}

/// Returns true if a schema refers to a schema that allows `null`, directly or in a union. `names` lists the names of
/// the schemas that allow `null`.
fn accepts_null(schema: &Value, names: &BTreeSet<String>) -> bool {
    let other = ["properties", "type", "enum"].iter().any(|keyword| schema.get(*keyword).is_some());
    if let Some(target) = target(schema) {
        return !other && name_of(target).is_some_and(|name| names.contains(name));
    }
    let several = |keyword: &str| schema.get(keyword).and_then(Value::as_array);
    let shapes = several("anyOf").or_else(|| several("oneOf")).filter(|_| !other);
    shapes.is_some_and(|shapes| {
        shapes.iter().any(|shape| is_nullable(shape) || accepts_null(shape, names))
    })
}
