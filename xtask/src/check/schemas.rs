//! Checks the schemas of an OpenAPI document after its operations were normalized. Each violation becomes a fault in
//! the report.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::fault::Fault;
use crate::graph;
use crate::origin;
use crate::passes::runtime_types;
use crate::report::Report;
use crate::schemas::{each_mut, escape};

/// Names of types, traits and variants that the generated code uses, directly or through macros. A generated type must
/// not have one of these names.
const RESERVED: &[&str] = &[
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

/// Returns true if generated code or the runtime library uses this name. A generated type must not have such a name.
#[must_use]
pub fn is_reserved(name: &str) -> bool {
    RESERVED.contains(&name) || runtime_types::KNOWN.iter().any(|(known, _)| *known == name)
}

/// Checks that all schema references resolve, and that no schema includes itself through `$ref` or `allOf`.
pub fn schemas(document: &mut Value, report: &mut Report) {
    references(document, report);
    circles(document, report);
}

/// Checks that every `$ref` of a schema refers to a schema in `components.schemas`.
fn references(document: &mut Value, report: &mut Report) {
    let known: BTreeSet<String> = document
        .pointer("/components/schemas")
        .and_then(Value::as_object)
        .map(|schemas| schemas.keys().map(|name| format!("#/components/schemas/{name}")).collect())
        .unwrap_or_default();
    each_mut(document, &mut |place, schema| {
        if let Some(target) = schema.get("$ref").and_then(Value::as_str)
            && !known.contains(target)
        {
            let at = origin::location(schema, place);
            report.refuse(Fault::at(
                format!("{at}/$ref"),
                format!("the reference target `{target}` is not in the document"),
                "define the schema under `components.schemas`, or ask the publisher for a \
                 complete document",
            ));
            *schema = json!({ origin::AT: at });
        }
    });
}

/// Rejects a schema that includes itself through `$ref` or `allOf`, because such a schema does not define a type. An
/// example is a schema `A` that is only a `$ref` to `A`. A cycle through a property, an array or a union is valid.
fn circles(document: &mut Value, report: &mut Report) {
    loop {
        let empty = serde_json::Map::new();
        let schemas =
            document.pointer("/components/schemas").and_then(Value::as_object).unwrap_or(&empty);
        let made_of = |schema: &Value| -> Vec<String> {
            let parts = schema.get("allOf").and_then(Value::as_array).into_iter().flatten();
            parts
                .chain([schema])
                .filter_map(|part| part.get("$ref")?.as_str()?.rsplit('/').next())
                .map(str::to_owned)
                .collect()
        };
        let graph = schemas.iter().map(|(name, schema)| (name.clone(), made_of(schema))).collect();
        let Some((name, through)) = graph::circle(&graph) else { return };

        let name = name.to_owned();
        let schema = &mut document["components"]["schemas"][&name];
        let at = origin::location(schema, &format!("/components/schemas/{}", escape(&name)));
        report.refuse(Fault::at(
            at.clone(),
            format!("`{name}` contains itself through `{through}`"),
            "remove one `$ref` of this cycle",
        ));
        *schema = json!({ origin::AT: at });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults_of(components: Value) -> Option<String> {
        let mut document = json!({"components": {"schemas": components}});
        let mut report = Report::default();
        schemas(&mut document, &mut report);
        report.faults().map(|faults| faults.to_string())
    }

    #[test]
    fn circles_through_several_schemas_are_found() {
        let told_of = faults_of(json!({
            "A": {"allOf": [{"$ref": "#/components/schemas/B"}]},
            "B": {"allOf": [{"$ref": "#/components/schemas/C"}, {"type": "string"}]},
            "C": {"$ref": "#/components/schemas/A"}}));
        assert!(told_of.unwrap().contains("contains itself through `C`"));
        // A cycle through a property or a union is valid.
        for fine in [
            json!({"properties": {"children": {"type": "array", "items": {"$ref": "#/components/schemas/A"}}}}),
            json!({"oneOf": [{"$ref": "#/components/schemas/A"}, {"type": "string"}]}),
        ] {
            assert_eq!(faults_of(json!({"A": fine})), None);
        }
    }

    #[test]
    fn every_reference_that_leads_nowhere_is_told() {
        let none = json!({"$ref": "#/components/schemas/None"});
        let told = faults_of(json!({"A": {"properties": {"a": none, "b": none}}})).unwrap();
        assert!(told.ends_with("2 faults in 1 groups"), "{told}");
    }
}
