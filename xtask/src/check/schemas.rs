//! Schemas and references.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::fault::{Fault, Result};
use crate::graph;
use crate::names::value_name;
use crate::passes::natives;
use crate::schemas::{each_mut, escape};

/// Names that generated code uses itself, or that the macros it calls do.
pub(super) const RESERVED: &[&str] = &[
    "Api",
    "BTreeMap",
    "Box",
    "Call",
    "Default",
    "Err",
    "Error",
    "From",
    "Into",
    "IntoIterator",
    "None",
    "Ok",
    "Operation",
    "Option",
    "PartialEq",
    "Result",
    "Self",
    "Some",
    "String",
    "Value",
    "Vec",
];

/// A record's members are numbered in the runtime.
const MEMBERS: usize = 256;

/// The part that the passes themselves rely on: references lead somewhere, and not in a circle.
pub fn schemas(document: &mut Value) -> Result<()> {
    references(document)?;
    circles(document)
}

/// Every `$ref` of a schema must lead to a component.
fn references(document: &mut Value) -> Result<()> {
    let known: BTreeSet<String> = document
        .pointer("/components/schemas")
        .and_then(Value::as_object)
        .map(|schemas| schemas.keys().map(|name| format!("#/components/schemas/{name}")).collect())
        .unwrap_or_default();
    let mut fault = None;
    each_mut(document, &mut |place, schema| {
        if let Some(target) = schema.get("$ref").and_then(Value::as_str)
            && !known.contains(target)
        {
            fault.get_or_insert_with(|| {
                Fault::at(
                    format!("{place}/$ref"),
                    format!("`{target}` is not in the document"),
                    "define the schema under `components.schemas`, or ask the publisher for a whole document",
                )
            });
        }
    });
    fault.map_or(Ok(()), Err)
}

/// A schema that is made of itself, without a member or list in between, has no end.
fn circles(document: &Value) -> Result<()> {
    let empty = serde_json::Map::new();
    let schemas =
        document.pointer("/components/schemas").and_then(Value::as_object).unwrap_or(&empty);
    let made_of = |schema: &Value| -> Vec<String> {
        let parts = ["allOf", "oneOf", "anyOf"]
            .iter()
            .filter_map(|keyword| schema.get(*keyword)?.as_array());
        parts
            .flatten()
            .chain([schema])
            .filter_map(|part| part.get("$ref")?.as_str()?.rsplit('/').next())
            .map(str::to_owned)
            .collect()
    };
    let graph = schemas.iter().map(|(name, schema)| (name.clone(), made_of(schema))).collect();
    let Some((name, through)) = graph::circle(&graph) else { return Ok(()) };
    Err(Fault::at(
        format!("/components/schemas/{}", escape(name)),
        format!("`{name}` is made of itself through `{through}`"),
        "break the circle of `allOf`, `oneOf` or `$ref`",
    ))
}

/// Names of records and their members, as Rust will have them.
pub(super) fn records(document: &Value) -> Result<()> {
    for (name, schema) in
        document.pointer("/components/schemas").and_then(Value::as_object).into_iter().flatten()
    {
        let place = format!("/components/schemas/{}", escape(name));
        if RESERVED.contains(&name.as_str()) {
            return Err(Fault::at(
                place,
                format!("`{name}` is a name that generated code uses itself"),
                "give it `x-rename` in the overlay",
            ));
        }
        if natives::KNOWN.iter().any(|(known, _)| known == name)
            && schema.get("x-is-native").is_none()
        {
            return Err(Fault::at(
                place,
                format!("`{name}` is the name of a type of the runtime crate"),
                "mark it with `x-native` in the overlay if it is that type; if not, `x-rename` it",
            ));
        }
        let members = schema.get("properties").and_then(Value::as_object);
        if members.is_some_and(|members| members.len() > MEMBERS) {
            return Err(Fault::at(
                place,
                format!("a record with more than {MEMBERS} members"),
                "remove some in the overlay; they are kept among the unknown members then",
            ));
        }
        let mut names = BTreeMap::new();
        for member in members.into_iter().flat_map(|members| members.keys()) {
            let place = format!("{place}/properties/{}", escape(member));
            let field = value_name(member);
            if field.is_empty() {
                return Err(Fault::at(
                    place,
                    format!("the member `{member}` has no letters to make a name of"),
                    "remove it in the overlay; it is kept among the unknown members then",
                ));
            }
            if field == "extra" {
                return Err(Fault::at(
                    place,
                    format!("the member `{member}` would be called like the unknown members"),
                    "remove it in the overlay; it is kept among the unknown members then",
                ));
            }
            if let Some(other) = names.insert(field.clone(), member) {
                return Err(Fault::at(
                    place,
                    format!("the members `{other}` and `{member}` would both be called `{field}`"),
                    "remove one in the overlay; it is kept among the unknown members then",
                ));
            }
        }
    }
    Ok(())
}
