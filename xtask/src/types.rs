//! The types of everything, from typify's own model.
//!
//! typify gets the prepared schemas and decides what each is in Rust: what is a list, a map, a tuple,
//! an `Option` or a choice, and where a type that holds itself needs a `Box`. Its model is read through its
//! type details; nothing is printed and parsed back. What it would decide differently than this project
//! (closed enums, types for formats, structs that refuse members) is taken out of the schemas
//! before. Members go in by number, so that its spelling of names does not matter.

use std::collections::{BTreeMap, BTreeSet};

use schemars::schema::Schema;
use serde_json::{Map, Value, json};
use typify_impl::{TypeDetails, TypeEnumVariant, TypeId, TypeSpace, TypeSpaceSettings};

use crate::fault::Fault;
use crate::lower::guarded;
use crate::model::Type;
use crate::schemas::{METHODS, escape};

/// Types by what has them.
#[derive(Debug, Default)]
pub struct Types {
    /// The members of records, by name on the wire.
    pub records: BTreeMap<String, BTreeMap<String, Type>>,
    /// The shapes of choices, in the order of the description.
    pub unions: BTreeMap<String, Vec<Type>>,
    /// Schemas of parameters, bodies and answers, by their place.
    pub places: BTreeMap<String, Type>,
}

impl Types {
    /// The type of the schema at a place.
    #[must_use]
    pub fn at(&self, place: &str) -> Type {
        self.places.get(place).cloned().unwrap_or(Type::Any)
    }
}

/// The types of a plain document, or why typify gave up. `enums` and `natives` are the components that are
/// written elsewhere. The document goes before typify begins: both are large.
pub fn types(
    document: Value,
    enums: &BTreeSet<String>,
    natives: &BTreeSet<String>,
) -> std::result::Result<Types, String> {
    guarded(|| {
        let asked = Asked::of(&document, enums, natives, None)?;
        drop(document);
        run(asked, enums, natives)
    })
}

const HINT: &str = "please report this; an overlay that removes the place gets you further";

/// What typify is asked.
#[derive(Default)]
struct Asked {
    /// Records and choices.
    schemas: Vec<(String, Schema)>,
    /// The members of records in their order.
    members: BTreeMap<String, Vec<String>>,
    /// The shapes of choices that are tuples, by the choice and their number: typify takes their parentheses off.
    tuples: BTreeSet<(String, usize)>,
    /// The schemas of parameters, bodies and answers by their places.
    places: Vec<(String, Schema)>,
}

impl Asked {
    /// All of a document, or these components alone, with any value for the others.
    fn of(
        document: &Value,
        enums: &BTreeSet<String>,
        natives: &BTreeSet<String>,
        few: Option<&[&str]>,
    ) -> std::result::Result<Self, String> {
        let mut asked = Asked::default();
        for (name, schema) in components(document, enums) {
            if few.is_some_and(|few| !few.contains(&name.as_str())) {
                asked.schemas.push((name.clone(), read(json!(true))?));
                continue;
            }
            let members = schema.get("properties").and_then(Value::as_object);
            let members = members.into_iter().flat_map(Map::keys).cloned().collect();
            asked.members.insert(name.clone(), members);
            let shapes = schema.get("oneOf").and_then(Value::as_array).into_iter().flatten();
            let tuples = shapes.enumerate().filter(|(_, shape)| shape.get("prefixItems").is_some());
            asked.tuples.extend(tuples.map(|(index, _)| (name.clone(), index)));
            asked.schemas.push((name.clone(), read(component(schema))?));
        }

        let all = document.pointer("/components/schemas");
        let absent = natives.iter().filter(|name| all.is_none_or(|all| all.get(name).is_none()));
        for name in enums.iter().chain(absent) {
            asked.schemas.push((name.clone(), read(json!({"type": "string"}))?));
        }

        if few.is_none() {
            asked.places = places(document, natives)?;
        }
        Ok(asked)
    }
}

/// The records and choices of a document.
fn components<'a>(
    document: &'a Value,
    enums: &BTreeSet<String>,
) -> impl Iterator<Item = (&'a String, &'a Value)> {
    let all = document.pointer("/components/schemas").and_then(Value::as_object);
    all.into_iter().flatten().filter(move |(name, _)| !enums.contains(*name))
}

fn read(schema: Value) -> std::result::Result<Schema, String> {
    serde_json::from_value(schema).map_err(|error| error.to_string())
}

/// A record or a choice, as typify reads it.
fn component(schema: &Value) -> Value {
    let Some(members) = schema.get("properties").and_then(Value::as_object) else {
        return draft(schema, false);
    };
    // All are required, so that typify says what a member is; whether it is there is ours.
    let numbered = members.values().enumerate();
    let properties: Map<String, Value> =
        numbered.map(|(index, schema)| (format!("m{index}"), draft(schema, false))).collect();
    let required: Vec<&String> = properties.keys().collect();
    json!({"type": "object", "required": required, "properties": properties})
}

/// A schema of the plain document in the draft of JSON Schema that typify reads.
fn draft(schema: &Value, null: bool) -> Value {
    let nullable = null && schema.get("nullable").is_some_and(|flag| *flag == json!(true));
    let plain = bare(schema);
    match nullable && plain != json!(true) {
        true => json!({"oneOf": [plain, {"type": "null"}]}),
        false => plain,
    }
}

fn bare(schema: &Value) -> Value {
    if let Some(target) = schema.get("$ref") {
        return json!({"$ref": target});
    }
    if let Some(shapes) = schema.get("oneOf").and_then(Value::as_array) {
        return json!({"oneOf": shapes.iter().map(|shape| draft(shape, true)).collect::<Vec<_>>()});
    }
    match schema.get("type").and_then(Value::as_str) {
        Some("string") => json!({"type": "string"}),
        Some("integer") => json!({"type": "integer", "format": "int64"}),
        Some("number") => json!({"type": "number", "format": "double"}),
        Some("boolean") => json!({"type": "boolean"}),
        Some("array") => match schema.get("prefixItems").and_then(Value::as_array) {
            Some(places) => {
                let items: Vec<Value> = places.iter().map(|place| draft(place, true)).collect();
                json!({"type": "array", "items": items, "minItems": places.len(), "maxItems": places.len()})
            }
            None => {
                let items = schema.get("items").map_or(json!(true), |items| draft(items, true));
                json!({"type": "array", "items": items})
            }
        },
        Some("object") => {
            let more = schema.get("additionalProperties").filter(|more| more.is_object());
            let more = more.map_or(json!(true), |more| draft(more, true));
            json!({"type": "object", "additionalProperties": more})
        }
        _ => json!(true),
    }
}

/// The schemas of parameters, bodies and answers by their places.
fn places(
    document: &Value,
    natives: &BTreeSet<String>,
) -> std::result::Result<Vec<(String, Schema)>, String> {
    let mut places = BTreeMap::new();
    let mut put = |place: String, schema: &Value, null: bool| {
        read(draft(schema, null)).map(|schema| places.insert(place, schema))
    };
    for (path, item) in document.get("paths").and_then(Value::as_object).into_iter().flatten() {
        for method in METHODS {
            let Some(operation) = item.get(*method) else { continue };
            let place = format!("/paths/{}/{method}", escape(path));
            let parameters = operation.get("parameters").and_then(Value::as_array);
            for (index, parameter) in parameters.into_iter().flatten().enumerate() {
                if let Some(schema) = parameter.get("schema") {
                    put(format!("{place}/parameters/{index}/schema"), schema, true)?;
                }
            }
            let json = "content/application~1json/schema";
            let answers = operation.get("responses").and_then(Value::as_object);
            let answers = answers.into_iter().flat_map(Map::keys);
            let answers = answers.map(|status| format!("responses/{}/{json}", escape(status)));
            for inner in answers.chain([format!("requestBody/{json}")]) {
                if let Some(schema) = operation.pointer(&format!("/{inner}")) {
                    put(format!("{place}/{inner}"), schema, true)?;
                }
            }
        }
    }

    // The runtime has the struct; its table still wants to know the members.
    for name in natives {
        let place = format!("/components/schemas/{name}/properties");
        let members = document.pointer(&place).and_then(Value::as_object);
        for (member, schema) in members.into_iter().flatten() {
            put(format!("{place}/{}", escape(member)), schema, false)?;
        }
    }
    Ok(places.into_iter().collect())
}

fn run(
    asked: Asked,
    enums: &BTreeSet<String>,
    natives: &BTreeSet<String>,
) -> std::result::Result<Types, String> {
    let mut settings = TypeSpaceSettings::default();
    for name in enums.iter().chain(natives) {
        settings.with_replacement(name, name, std::iter::empty());
    }
    let mut space = TypeSpace::new(&settings);
    let Asked { schemas, members, tuples, places } = asked;
    space.add_ref_types(schemas).map_err(|error| error.to_string())?;
    let mut given = Vec::new();
    for (place, schema) in places {
        let id = space.add_type(&schema).map_err(|error| error.to_string())?;
        given.push((place, id));
    }
    let mut named = Vec::new();
    for name in members.keys() {
        let reference = Schema::new_ref(format!("#/components/schemas/{name}"));
        named.push((name, space.add_type(&reference).map_err(|error| error.to_string())?));
    }

    let reader = Reader { space: &space, members: &members, tuples: &tuples, enums, natives };
    let mut types = Types::default();
    for (place, id) in given {
        types.places.insert(place, reader.ty(&id)?);
    }
    for (name, id) in named {
        reader.component(name, &id, &mut types)?;
    }
    Ok(types)
}

/// Reads typify's details.
struct Reader<'a> {
    space: &'a TypeSpace,
    members: &'a BTreeMap<String, Vec<String>>,
    tuples: &'a BTreeSet<(String, usize)>,
    enums: &'a BTreeSet<String>,
    natives: &'a BTreeSet<String>,
}

impl Reader<'_> {
    fn component(
        &self,
        name: &str,
        id: &TypeId,
        types: &mut Types,
    ) -> std::result::Result<(), String> {
        let ty = self.space.get_type(id).map_err(|error| error.to_string())?;
        match ty.details() {
            TypeDetails::Struct(details) => {
                let members = &self.members[name];
                let mut read = BTreeMap::new();
                for (number, id) in details.properties() {
                    let index =
                        number.strip_prefix('m').and_then(|index| index.parse::<usize>().ok());
                    let member = index.and_then(|index| members.get(index));
                    let member = member.ok_or_else(|| format!("a member `{number}` of its own"))?;
                    read.insert(member.clone(), self.ty(&id)?);
                }
                types.records.insert(name.to_owned(), read);
            }
            TypeDetails::Enum(details) => {
                let mut shapes = Vec::new();
                for (index, (_, variant)) in details.variants().enumerate() {
                    let TypeEnumVariant::Tuple(held) = variant else {
                        return Err(format!("a shape of `{name}` that is no type"));
                    };
                    let is_tuple = self.tuples.contains(&(name.to_owned(), index));
                    shapes.push(match held.as_slice() {
                        [held] if !is_tuple => self.ty(held)?,
                        places => {
                            let places = places.iter().map(|id| self.ty(id));
                            Type::Tuple(places.collect::<std::result::Result<_, _>>()?)
                        }
                    });
                }
                types.unions.insert(name.to_owned(), shapes);
            }
            _ => {}
        }
        Ok(())
    }

    fn ty(&self, id: &TypeId) -> std::result::Result<Type, String> {
        let ty = self.space.get_type(id).map_err(|error| error.to_string())?;
        let inner = |id: &TypeId| self.ty(id).map(Box::new);
        Ok(match ty.details() {
            TypeDetails::Enum(_) => Type::Union(ty.name()),
            TypeDetails::Struct(_) => Type::Named(ty.name()),
            TypeDetails::Newtype(details) => self.ty(&details.inner())?,
            TypeDetails::Option(id) => Type::Option(inner(&id)?),
            TypeDetails::Vec(id) | TypeDetails::Set(id) | TypeDetails::Array(id, _) => {
                Type::List(inner(&id)?)
            }
            TypeDetails::Map(_, id) => Type::Map(inner(&id)?),
            TypeDetails::Box(id) => Type::Boxed(inner(&id)?),
            TypeDetails::Tuple(ids) => {
                Type::Tuple(ids.map(|id| self.ty(&id)).collect::<std::result::Result<_, _>>()?)
            }
            TypeDetails::Builtin(name) => self.builtin(name),
            TypeDetails::Unit => Type::Any,
            TypeDetails::String => Type::String,
        })
    }

    fn builtin(&self, name: &str) -> Type {
        match name {
            "bool" => Type::Boolean,
            "f64" => Type::Number,
            "i64" => Type::Integer,
            name if self.enums.contains(name) => Type::Enum(name.to_owned()),
            name if self.natives.contains(name) => Type::Named(name.to_owned()),
            _ => Type::Any,
        }
    }
}

/// The fault of a document that is too much for typify: finds the component that alone is, in a few runs however
/// many there are.
pub fn locate(
    document: &Value,
    enums: &BTreeSet<String>,
    natives: &BTreeSet<String>,
    reason: String,
) -> Fault {
    let names: Vec<&str> = components(document, enums).map(|(name, _)| name.as_str()).collect();
    let work = |few: &[&str], places: Vec<(String, Schema)>| {
        let outcome = guarded(|| {
            let asked = Asked::of(document, enums, natives, Some(few))?;
            run(Asked { places, ..asked }, enums, natives)
        });
        outcome.is_err()
    };
    let fails = |few: &[&str]| work(few, Vec::new());

    if fails(&names) {
        // The first one without which those before it are fine.
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

    let places = places(document, natives).unwrap_or_default();
    let lone = places.into_iter().find(|place| work(&names, vec![place.clone()]));
    Fault::at(lone.map_or(String::new(), |(place, _)| place), reason, HINT)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(schemas: Value) -> Types {
        let document = json!({"components": {"schemas": schemas}});
        types(
            document,
            &BTreeSet::from(["Chain".to_owned()]),
            &BTreeSet::from(["UnixSeconds".to_owned()]),
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
    fn what_typify_gives_up_on_is_found_among_many() {
        let broken = json!({"$ref": "#/components/schemas/None"});
        let mut schemas: Map<String, Value> = (0..100)
            .map(|n| (format!("S{n}"), json!({"properties": {"a": {"type": "string"}}})))
            .collect();
        schemas.insert("S42x".to_owned(), json!({"properties": {"a": broken}}));
        let document = json!({"components": {"schemas": schemas}});
        let none = BTreeSet::new();
        let reason = types(document.clone(), &none, &none).unwrap_err();
        let fault = locate(&document, &none, &none, reason).to_string();
        assert!(fault.contains("at: #/components/schemas/S42x"), "{fault}");
    }
}
