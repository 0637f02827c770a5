//! Computes the Rust types of all schemas with the library typify.
//!
//! For each schema, typify decides whether its type is a list, map, tuple, `Option` or union, and where a recursive
//! type needs a `Box`. This module reads typify's data structures and does not use its generated code. Typify's types
//! for unchanged schemas would be too strict. For example, its enums and records would reject unknown values and
//! fields. Therefore, the schemas are changed before typify reads them. In the changed schemas, numbers replace the
//! field names of a record, so that typify cannot change the spelling of the names.
//!
//! Typify copies its input several times, so the schemas of a large document are processed in batches. Records that
//! refer to each other in a cycle need a `Box`. To find a cycle, typify must see all of its records. Therefore, one
//! batch contains all records that belong to a cycle or refer to one, directly or through other records. For a
//! reference to a record outside the batch, typify needs only the name of the record.

mod batch;
mod read;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::fault::Fault;
use crate::graph::{self, Graph};
use crate::model::Type;
use crate::passes::loosen::Loosen;
use crate::progenitor::guarded;
use crate::report::Report;
use crate::schemas::escape;
use batch::KnownTypes;

/// Types of all records, unions, parameters, request bodies and responses of an OpenAPI document.
#[derive(Debug, Default)]
pub struct Types {
    /// Types of the fields of each record. The keys are the record's name and the field's JSON name.
    pub records: BTreeMap<String, BTreeMap<String, Type>>,
    /// For each union, the types of its alternatives in the order of the OpenAPI document. The key is the union's name.
    pub unions: BTreeMap<String, Vec<Type>>,
    /// Types of parameters, request bodies and responses. The key is the JSON pointer of the schema.
    pub places: BTreeMap<String, Type>,
}

impl Types {
    /// Returns the type of the parameter, request body or response whose schema has this JSON pointer. Returns
    /// [`Type::Any`] for an unknown pointer.
    #[must_use]
    pub fn at(&self, place: &str) -> Type {
        self.places.get(place).cloned().unwrap_or(Type::Any)
    }
}

/// Maximum number of schemas in one batch for typify.
const BATCH: usize = 1_000;

/// Computes the types of all schemas in an OpenAPI document. Schemas in `enums` and `runtime_types` are skipped,
/// because the generator or the runtime crate defines their types.
///
/// # Errors
///
/// Returns typify's message if typify fails.
pub fn types(
    document: &Value,
    enums: &BTreeSet<String>,
    runtime_types: &BTreeSet<String>,
    report: &mut Report,
) -> Result<Types, String> {
    in_batches(BATCH, document, enums, runtime_types, report)
}

fn in_batches(
    size: usize,
    document: &Value,
    enums: &BTreeSet<String>,
    runtime_types: &BTreeSet<String>,
    report: &mut Report,
) -> Result<Types, String> {
    let parts = PreparedDocument::new(document, enums, runtime_types);
    let places = parts.typify_schemas(report);
    let mut known =
        KnownTypes { enums, runtime_types, records: BTreeSet::new(), others: BTreeMap::new() };
    let mut held = Graph::new();

    for names in parts.all_names().chunks(size) {
        for (name, schema) in parts.components(names, report) {
            held.insert(name.clone(), batch::direct_types(&schema));
            if batch::is_record(&schema) {
                known.records.insert(name);
            } else {
                known.others.insert(name, schema);
            }
        }
    }

    let endless = graph::endless(&held);
    let (endless, rest): (Vec<&str>, Vec<&str>) =
        held.keys().map(String::as_str).partition(|name| endless.contains(name));
    guarded(|| {
        let mut types = Types::default();
        for names in std::iter::once(endless.as_slice()).chain(rest.chunks(size)) {
            let components = parts.components(names, &mut Report::default());
            read::run(known.batch(components, &[])?, &known, &mut types)?;
        }
        for places in places.chunks(size) {
            read::run(known.batch(Vec::new(), places)?, &known, &mut types)?;
        }
        Ok(types)
    })
}

/// An OpenAPI document whose schemas are prepared for the type generator typify. Its methods copy some of the schemas,
/// for example the records of one batch. The copies lack keywords that would make the Rust types reject values.
struct PreparedDocument<'a> {
    document: &'a Value,
    loosen: Loosen,
    enums: &'a BTreeSet<String>,
    runtime_types: &'a BTreeSet<String>,
}

impl<'a> PreparedDocument<'a> {
    fn new(
        document: &'a Value,
        enums: &'a BTreeSet<String>,
        runtime_types: &'a BTreeSet<String>,
    ) -> Self {
        PreparedDocument { document, loosen: Loosen::new(document), enums, runtime_types }
    }

    fn all_names(&self) -> Vec<&'a str> {
        let schemas = self.document.pointer("/components/schemas").and_then(Value::as_object);
        schemas.into_iter().flat_map(Map::keys).map(String::as_str).collect()
    }

    /// Returns the prepared schemas of the named records and unions. Enums and runtime types are left out.
    fn components(&self, names: &[&str], report: &mut Report) -> Vec<(String, Value)> {
        let elsewhere = |name: &str| self.enums.contains(name) || self.runtime_types.contains(name);
        let loosened = self.loosened(names, report).into_iter();
        loosened.filter(|(name, _)| !elsewhere(name)).collect()
    }

    fn loosened(&self, names: &[&str], report: &mut Report) -> Map<String, Value> {
        let all = self.document.pointer("/components/schemas");
        let schemas = names.iter().filter_map(|name| Some((*name, all?.get(name)?)));
        let schemas: Map<String, Value> =
            schemas.map(|(name, schema)| (name.to_owned(), schema.clone())).collect();
        let mut part = json!({"components": {"schemas": schemas}});
        self.loosen.part(&mut part, report);
        match part["components"]["schemas"].take() {
            Value::Object(schemas) => schemas,
            _ => Map::new(),
        }
    }

    /// Returns the schemas of parameters, request bodies and responses, and the schemas of the fields in runtime types.
    /// The schemas are prepared for the type generator typify. Each schema has its JSON pointer.
    fn typify_schemas(&self, report: &mut Report) -> Vec<(String, Value)> {
        let members = self.document.as_object().into_iter().flatten();
        let mut part: Map<String, Value> = members
            .filter(|(name, _)| *name != "components")
            .map(|(name, member)| (name.clone(), member.clone()))
            .collect();
        let components = self.document.get("components").and_then(Value::as_object);
        let components = components.into_iter().flatten().filter(|(kind, _)| *kind != "schemas");
        let components: Map<String, Value> =
            components.map(|(kind, all)| (kind.clone(), all.clone())).collect();
        part.insert("components".to_owned(), components.into());

        let mut part = Value::Object(part);
        self.loosen.part(&mut part, report);
        let mut places = batch::typify_schemas(&part);
        let runtime_types: Vec<&str> = self.runtime_types.iter().map(String::as_str).collect();
        for (name, schema) in self.loosened(&runtime_types, &mut Report::default()) {
            places.extend(batch::members(&name, &schema));
        }
        places.into_iter().collect()
    }
}

const HINT: &str =
    "please report the error; until it is corrected, remove the schema with an overlay action";

/// Finds the schema on which typify fails, and returns a fault with the JSON pointer of this schema. Records and unions
/// are searched by bisection, which needs few runs of typify. Other schemas are tested one by one.
pub fn locate(
    document: &Value,
    enums: &BTreeSet<String>,
    runtime_types: &BTreeSet<String>,
    reason: String,
) -> Fault {
    let parts = PreparedDocument::new(document, enums, runtime_types);
    let names = parts.all_names();
    // No schemas are passed here, because all types refer to each other by name only.
    let records = names.iter().map(|name| (*name).to_owned()).collect();
    let known = KnownTypes { enums, runtime_types, records, others: BTreeMap::new() };
    let work = |few: &[&str], places: &[(String, Value)]| {
        let components = parts.components(few, &mut Report::default());
        guarded(|| read::run(known.batch(components, places)?, &known, &mut Types::default()))
            .is_err()
    };
    let fails = |few: &[&str]| work(few, &[]);

    if fails(&names) {
        // Searches for the schema whose addition to the batch makes typify fail.
        let (mut fine, mut broken) = (0, names.len());
        while broken - fine > 1 {
            let middle = fine + (broken - fine) / 2;
            if fails(&names[..middle]) {
                broken = middle;
            } else {
                fine = middle;
            }
        }
        let place = format!("/components/schemas/{}", escape(names[broken - 1]));
        return Fault::at(place, reason, HINT);
    }

    let places = parts.typify_schemas(&mut Report::default());
    let lone = places.into_iter().find(|place| work(&[], std::slice::from_ref(place)));
    Fault::at(lone.map_or(String::new(), |(place, _)| place), reason, HINT)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(schemas: Value) -> Types {
        let document = json!({"components": {"schemas": schemas}});
        types(
            &document,
            &BTreeSet::from(["Chain".to_owned()]),
            &BTreeSet::from(["UnixSeconds".to_owned()]),
            &mut Report::default(),
        )
        .unwrap()
    }

    #[test]
    fn every_form_of_a_member_has_a_type() {
        let types = read(json!({
            "Chain": {"type": "string"},
            "UnixSeconds": {"type": "integer"},
            "S": {"type": "object", "required": ["a"], "properties": {
                "a": {"type": "string"}, "b": {"type": "number"},
                "chain": {"$ref": "#/components/schemas/Chain"},
                "at": {"$ref": "#/components/schemas/UnixSeconds"},
                "either": {"$ref": "#/components/schemas/U"},
                "list": {"type": "array", "items": {"$ref": "#/components/schemas/S"}},
                "self": {"$ref": "#/components/schemas/S"},
                "holes": {"type": "array", "items": {"type": "integer", "nullable": true}},
                "map": {"type": "object", "additionalProperties": {"type": "integer"}},
                "place": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "number", "nullable": true}]},
                "any": {}, "object": {"type": "object"}, "a-b": {"type": "boolean"}, "aB": {}}},
            "U": {"oneOf": [{"$ref": "#/components/schemas/S"}, {"type": "integer"}, {"type": "array", "items": {"type": "string"}}]}
        }));
        let fields: Vec<String> =
            types.records["S"].iter().map(|(name, ty)| format!("{name}: {ty:?}")).collect();
        insta::assert_snapshot!(fields.join("\n"));
        insta::assert_snapshot!(format!("{:?}", types.unions["U"]));
    }

    #[test]
    fn batches_make_no_difference() {
        let to = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
        let record = |members: Value| json!({"type": "object", "properties": members});
        let document = json!({"components": {"schemas": {
            "Chain": {"type": "string"},
            "A": record(json!({"b": to("B"), "leaf": to("Leaf"), "chain": to("Chain")})),
            // The schemas contain two cycles, one of them through a union, and a path from outside to the cycles.
            "B": record(json!({"a": to("A"), "u": to("U"), "many": {"type": "array", "items": to("B")}})),
            "C": record(json!({"b": to("B"), "v": to("V")})),
            "Leaf": record(json!({"n": {"type": "integer"}, "map": {"type": "object", "additionalProperties": to("A")}})),
            "U": {"oneOf": [to("B"), {"type": "string"}]},
            // The union `V` contains the union `W`.
            "V": {"oneOf": [to("Leaf"), to("W")]},
            "W": {"oneOf": [{"type": "integer"}, {"type": "array", "items": to("Leaf")}]},
            "Empty": record(json!({})),
            "Z": record(json!({"empty": to("Empty"), "v": {"type": "array", "items": to("V")}}))}},
            "paths": {"/a": {"get": {"responses": {"200": {"content": {"application/json":
                {"schema": {"type": "array", "items": to("V")}}}}}}}}});

        let enums = BTreeSet::from(["Chain".to_owned()]);
        let of = |size| {
            let report = &mut Report::default();
            let types = in_batches(size, &document, &enums, &BTreeSet::new(), report).unwrap();
            format!("{types:#?}")
        };

        let whole = of(1_000);
        assert!(whole.contains("Boxed(") && whole.contains("Enum(\n"), "{whole}");
        for size in [1, 2, 3] {
            assert_eq!(of(size), whole, "in batches of {size}");
        }
    }

    proptest::proptest! {
        /// Tests a record with a field whose type is another record. The type generator typify processes the two
        /// records in different batches. The type of the field must have the name of the other record. The test creates
        /// this name from random letters, digits and punctuation.
        #[test]
        fn a_record_of_another_batch_keeps_its_name(words in "[A-Za-z0-9_.é-]{1,12}") {
            let name = crate::names::type_name(&format!("{words}Row"));
            let member = json!({"$ref": format!("#/components/schemas/{name}")});
            let document = json!({"components": {"schemas": {
                "Holder": {"type": "object", "properties": {"row": member}},
                &name: {"type": "object", "properties": {"n": {"type": "integer"}}}}}});

            let (none, report) = (BTreeSet::new(), &mut Report::default());
            let types = in_batches(1, &document, &none, &none, report).unwrap();
            proptest::prop_assert_eq!(&types.records["Holder"]["row"], &Type::Named(name));
        }
    }

    #[test]
    fn what_typify_gives_up_on_is_found_among_many() {
        let broken = json!({"$ref": "#/components/schemas/None"});
        let mut schemas: Map<String, Value> = (0..100)
            .map(|n| (format!("S{n}"), json!({"properties": {"a": {"type": "string"}}})))
            .collect();
        schemas.insert("S42x".to_owned(), json!({"properties": {"a": broken}}));
        let document = json!({"components": {"schemas": schemas}});
        let none = BTreeSet::new();
        let reason = types(&document, &none, &none, &mut Report::default()).unwrap_err();
        let fault = locate(&document, &none, &none, reason).to_string();
        assert!(fault.contains("at: #/components/schemas/S42x"), "{fault}");
    }
}
