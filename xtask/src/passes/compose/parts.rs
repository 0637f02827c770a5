//! Merges the parts of an `allOf` into one schema, and merges a `oneOf` or `anyOf` into the `properties` next to it.
//! The report lists the merged schemas.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::{component, has_structure, hoist, target, visit_schemas};
use crate::origin;
use crate::report::{Change, Report};
use crate::schemas;

pub(super) fn write_out(document: &mut Value, report: &mut Report) {
    schemas::each_mut(document, &mut |place, schema| {
        move_ref_into_all_of(schema);
        remove_typeless_parts(&origin::location(schema, place), schema, report);
    });
    name_copied(document, report);
    visit_schemas(document, &mut |before, place, schema| {
        let at = origin::location(schema, place);
        all_of(before, &at, schema, report);
        members_and_shapes(before, &at, schema, report);
    });
}

/// Prepares the components that will be copied into other schemas, for example as parts of an `allOf`. Such a component
/// may contain an inner schema whose `allOf`, `oneOf` or `anyOf` must be merged. This function moves the inner schema
/// into `components.schemas`, and puts a `$ref` in its place. Each copy of the component then contains the short `$ref`
/// and not the whole inner schema.
fn name_copied(document: &mut Value, report: &mut Report) {
    let copied = super::looked_up_names(document);
    hoist::hoist_where(document, report, &|place, schema| {
        let inner =
            place.strip_prefix("/components/schemas/").and_then(|rest| rest.split_once('/'));
        let beside_members = schema.get("properties").is_some()
            && ["anyOf", "oneOf"].iter().any(|keyword| schema.get(*keyword).is_some());
        inner.is_some_and(|(name, _)| copied.contains(name))
            && (beside_members || (schema.get("allOf").is_some() && target(schema).is_none()))
    });
}

/// If a schema has a `$ref` next to `properties` or `allOf`, moves the `$ref` into the schema's `allOf`. A missing
/// `allOf` is created. OpenAPI 3.1 allows keywords next to a `$ref`.
fn move_ref_into_all_of(schema: &mut Value) {
    let Some(members) = schema.as_object_mut() else { return };
    let structured = ["properties", "allOf"].iter().any(|keyword| members.contains_key(*keyword));
    if !structured {
        return;
    }
    if let Some(target) = members.remove("$ref") {
        let parts = members.entry("allOf").or_insert_with(|| json!([]));
        if let Some(parts) = parts.as_array_mut() {
            parts.push(json!({"$ref": target}));
        }
    }
}

/// Keywords that restrict a value without defining its type.
const BOUNDS: &[&str] = &[
    "exclusiveMaximum",
    "exclusiveMinimum",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
    "uniqueItems",
];

/// Removes parts of an `allOf` that do not define a type. If the only remaining part is a `$ref`, also removes
/// `type: object` next to the `allOf`, unless other keywords there define a type or required properties.
fn remove_typeless_parts(at: &str, schema: &mut Value, report: &mut Report) {
    let Some(Value::Array(all)) = schema.get("allOf") else { return };
    let (parts, others): (Vec<&Value>, Vec<&Value>) =
        all.iter().partition(|part| has_structure(part));
    // The description of a part without a type applies to the whole schema.
    let words = others.iter().find_map(|part| part.get("description").cloned());
    let null = all.iter().any(|part| {
        part.get("nullable").is_some_and(|flag| *flag == json!(true)) && part.get("$ref").is_none()
    });
    let parts: Vec<Value> = parts.into_iter().cloned().collect();

    let bounds = others.into_iter().filter_map(Value::as_object).flatten();
    let bounds = bounds.filter(|(name, _)| BOUNDS.contains(&name.as_str()));
    let bounds: Vec<(String, Value)> =
        bounds.map(|(name, value)| (name.clone(), value.clone())).collect();

    let Some(members) = schema.as_object_mut() else { return };
    if null {
        members.insert("nullable".to_owned(), true.into());
    }
    if let Some(words) = words {
        members.entry("description").or_insert(words);
    }

    if parts.is_empty() {
        members.remove("allOf");
        for (name, value) in bounds {
            members.entry(name).or_insert(value);
        }
        return;
    }

    if !bounds.is_empty() {
        let what = "the client does not check bounds in a subschema of an `allOf`";
        report.note(Change::Loosened, what, at);
    }
    let is_reference = matches!(parts.as_slice(), [only] if only.get("$ref").is_some());
    members.insert("allOf".to_owned(), Value::Array(parts));
    if is_reference
        && !has_own(schema)
        && let Some(members) = schema.as_object_mut()
    {
        members.remove("type");
    }
}

/// Returns true if a schema defines a type or required properties next to its `allOf`.
fn has_own(schema: &Value) -> bool {
    let mut bare = schema.clone();
    if let Some(members) = bare.as_object_mut() {
        members.remove("allOf");
        // The type `object` of a composed object adds no information.
        if members.get("type").is_some_and(|ty| ty == "object")
            && !members.contains_key("properties")
        {
            members.remove("type");
        }
    }
    has_structure(&bare) || schema.get("required").is_some()
}

fn all_of(before: &Value, at: &str, schema: &mut Value, report: &mut Report) {
    let Some(Value::Array(parts)) = schema.get("allOf") else { return };
    let (parts, own) = (parts.clone(), has_own(schema));
    if matches!(parts.as_slice(), [only] if only.get("$ref").is_some()) && !own {
        return;
    }
    let Some(members) = schema.as_object_mut() else { return };
    if let ([Value::Object(only)], false) = (parts.as_slice(), own) {
        members.remove("allOf");
        members.remove("type");
        for (name, value) in only {
            members.entry(name).or_insert_with(|| value.clone());
        }
        return;
    }

    let (mut merged, mut seen) = (Map::new(), BTreeSet::new());
    let mut whole = parts.iter().all(|part| collect(before, part, true, &mut merged, &mut seen));
    members.remove("allOf");
    let mine = Value::Object(members.clone());
    whole = whole && collect(before, &mine, true, &mut merged, &mut seen);
    if whole && merged.contains_key("properties") {
        for keyword in ["oneOf", "anyOf"] {
            if members.remove(keyword).is_some() {
                report.note(Change::Loosened, beside_members(keyword), at);
            }
        }
        parts.iter().for_each(|part| unmerged(at, part, report));
        members.extend(merged);
        members.insert("type".to_owned(), "object".into());
        report.note(Change::Rewritten, "an `allOf` is merged into one object", at);
        return;
    }
    plain(before, at, members, &parts, report);
}

fn beside_members(keyword: &str) -> String {
    format!("the fields in `{keyword}` become optional fields of the object")
}

/// Reports the keywords of an `allOf` part that are lost when the parts are merged into one object.
fn unmerged(at: &str, part: &Value, report: &mut Report) {
    for (name, value) in part.as_object().into_iter().flatten() {
        if name == "allOf" {
            value.as_array().into_iter().flatten().for_each(|part| unmerged(at, part, report));
        } else if !["$ref", "anyOf", "nullable", "oneOf", "properties", "required", "type"]
            .contains(&name.as_str())
            && !name.starts_with("x-")
        {
            report.note(
                Change::Dropped,
                format!("`{name}` in a subschema of an `allOf` is ignored"),
                at,
            );
        }
    }
}

/// Merges the parts of an `allOf` into one schema. The parts do not form an object with properties; for example, they
/// are two string schemas. If the parts have different types, the result allows any JSON value.
fn plain(
    before: &Value,
    at: &str,
    members: &mut Map<String, Value>,
    parts: &[Value],
    report: &mut Report,
) {
    for part in parts {
        let found = resolved(before, part);
        let differs = match (type_of(members), found.as_object().and_then(type_of)) {
            (Some(ours), Some(theirs)) => ours != theirs,
            _ => false,
        };
        if differs {
            for keyword in super::STRUCTURE {
                members.remove(*keyword);
            }
            report.note(
                Change::Loosened,
                "an `allOf` of different types is read as any JSON value",
                at,
            );
            return;
        }

        for (name, value) in found.as_object().into_iter().flatten() {
            if name != origin::AT {
                members.entry(name).or_insert_with(|| value.clone());
            }
        }
    }

    report.note(Change::Rewritten, "the subschemas of an `allOf` are merged into one schema", at);
}

/// Returns the schema at the end of a chain of references.
fn resolved<'a>(before: &'a Value, part: &'a Value) -> &'a Value {
    let (mut found, mut seen) = (part, BTreeSet::new());
    while let Some(target) = target(found).filter(|target| seen.insert((*target).to_owned()))
        && let Some(next) = component(before, target)
    {
        found = next;
    }
    found
}

/// Returns the `type` of a schema. A schema that has `properties` but no `type` is an object.
fn type_of(schema: &Map<String, Value>) -> Option<&str> {
    let is_object = schema.contains_key("properties").then_some("object");
    schema.get("type").and_then(Value::as_str).or(is_object)
}

/// Merges a `oneOf` or `anyOf` into the `properties` next to it. The object gets the properties of all alternatives.
fn members_and_shapes(before: &Value, at: &str, schema: &mut Value, report: &mut Report) {
    let Some(members) = schema.as_object_mut().filter(|m| m.contains_key("properties")) else {
        return;
    };
    let (mut merged, mut seen) = (Map::new(), BTreeSet::new());
    for keyword in ["anyOf", "oneOf"] {
        let Some(Value::Array(shapes)) = members.remove(keyword) else { continue };
        let only = shapes.len() == 1;
        for shape in &shapes {
            collect(before, shape, only, &mut merged, &mut seen);
        }
        if only {
            report.note(
                Change::Rewritten,
                format!(
                    "the fields of the only alternative in `{keyword}` become fields of the object"
                ),
                at,
            );
        } else {
            report.note(Change::Loosened, beside_members(keyword), at);
        }
    }

    require(members, merged.remove("required"));
    let Some(Value::Object(more)) = merged.remove("properties") else { return };
    if let Some(own) = members.get_mut("properties").and_then(Value::as_object_mut) {
        for (name, schema) in more {
            own.entry(name).or_insert(schema);
        }
    }
}

/// Adds the properties and required names of an object schema to `into`. Returns false if the schema is not an
/// object. `seen` contains the references that were already added, so that each referenced schema is added only once.
fn collect(
    before: &Value,
    schema: &Value,
    required: bool,
    into: &mut Map<String, Value>,
    seen: &mut BTreeSet<String>,
) -> bool {
    if let Some(target) = schema.get("$ref").and_then(Value::as_str) {
        return !seen.insert(target.to_owned())
            || component(before, target)
                .is_some_and(|found| collect(before, found, required, into, seen));
    }

    let parts = schema.get("allOf").and_then(Value::as_array);
    let mut parts = parts.into_iter().flatten().filter(|part| has_structure(part));
    if !parts.all(|part| collect(before, part, required, into, seen)) {
        return false;
    }
    let object = schema.get("type").is_none_or(|ty| ty == "object");
    if !object || schema.get("enum").is_some() || schema.get("items").is_some() {
        return false;
    }

    for keyword in ["oneOf", "anyOf"] {
        let shapes = schema.get(keyword).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        // Only one of several alternatives applies, so their properties are not required.
        let required = required && shapes.len() == 1;
        let mut objects = true;
        for shape in shapes {
            objects &= collect(before, shape, required, into, seen);
        }
        // A union with a string or list alternative is not an object.
        if !objects && schema.get("properties").is_none() {
            return false;
        }
    }

    let properties = schema.get("properties").and_then(Value::as_object);
    let all = into.entry("properties").or_insert_with(|| json!({}));
    if let Some(all) = all.as_object_mut() {
        for (name, schema) in properties.into_iter().flatten() {
            add(all, name, schema, required);
        }
        if all.is_empty() {
            into.remove("properties");
        }
    }
    if required {
        require(into, schema.get("required").cloned());
    }
    true
}

/// Adds property names to the `required` list of a schema.
fn require(members: &mut Map<String, Value>, names: Option<Value>) {
    let Some(Value::Array(names)) = names else { return };
    let all = members.entry("required").or_insert_with(|| json!([]));
    if let Some(all) = all.as_array_mut() {
        let new: Vec<_> = names.into_iter().filter(|name| !all.contains(name)).collect();
        all.extend(new);
    }
}

/// Adds a property to the merged properties `all`. If `required` is true, `schema` replaces an earlier schema of the
/// property. Otherwise two different schemas become a union of both.
fn add(all: &mut Map<String, Value>, name: &str, schema: &Value, required: bool) {
    let shape = |schema: &Value| {
        let keys =
            super::STRUCTURE.iter().filter_map(|key| Some((*key, schema.get(*key)?.clone())));
        let mut shape: Value =
            keys.map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>().into();
        origin::unmark(&mut shape);
        if let Some(members) = shape.as_object_mut() {
            members.remove("enum");
        }
        shape
    };
    match all.get(name) {
        Some(known) if !required && shape(known) != shape(schema) => {
            let mut choice = Map::new();
            for word in [origin::AT, "description"] {
                choice.extend(known.get(word).map(|about| (word.to_owned(), about.clone())));
            }
            choice.insert("anyOf".to_owned(), json!([known, schema]));
            all.insert(name.to_owned(), Value::Object(choice));
        }
        Some(_) if !required || !has_structure(schema) => {}
        _ => drop(all.insert(name.to_owned(), schema.clone())),
    }
}
