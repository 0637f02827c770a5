//! Reads unions (`oneOf`). Each alternative becomes a variant of a Rust enum. Constant fields of the alternatives, such
//! as `type: "user"`, select the variant when a JSON value is decoded.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{strings, text};
use crate::model::{Shape, Type, Union};
use crate::names::{type_name, unique};
use crate::origin;
use crate::schemas::escape;

/// Reads the union `name`. `types` contains the type of each alternative.
pub(super) fn union(document: &Value, name: &str, schema: &Value, types: &[Type]) -> Union {
    let described = schema["oneOf"].as_array().map(Vec::as_slice).unwrap_or_default();
    let tags = tags(document, schema, types);
    let mut shapes: Vec<Shape> = Vec::new();
    for (index, ty) in types.iter().enumerate() {
        let wanted = variant(ty, name);
        let taken = |name: &str| name == "Other" || shapes.iter().any(|shape| shape.name == name);
        shapes.push(Shape {
            name: unique(&wanted, taken),
            ty: ty.clone(),
            tags: tags.get(index).cloned().unwrap_or_default(),
        });
    }
    let mut doc = text(schema, "description");
    if doc.is_empty() {
        let words = described.iter().map(|shape| text(shape, "title"));
        let words: Vec<String> = words.filter(|title| !title.is_empty()).collect();
        doc = words.join(", or ");
    }
    let at = origin::location(schema, &format!("/components/schemas/{name}"));
    Union { name: name.to_owned(), at, doc, shapes, used_by: BTreeSet::new() }
}

/// Returns the variant name for a type. If the type's name begins with the union's name, this prefix is removed.
fn variant(ty: &Type, of: &str) -> String {
    match ty {
        Type::String => "Text".to_owned(),
        Type::Integer | Type::Wide => "Integer".to_owned(),
        Type::Number | Type::Exact => "Number".to_owned(),
        Type::Boolean => "Boolean".to_owned(),
        Type::Any => "Any".to_owned(),
        Type::List(inner) => format!("{}List", variant(inner, of)),
        Type::Map(inner) => format!("{}Map", variant(inner, of)),
        Type::Tuple(_) => "Tuple".to_owned(),
        Type::Option(inner) | Type::Boxed(inner) => variant(inner, of),
        Type::Enum(name) | Type::Named(name) | Type::Union(name) => {
            let short = type_name(name.strip_prefix(of).unwrap_or(name));
            let plain = !short.is_empty() && short.starts_with(|c: char| c.is_ascii_uppercase());
            if plain && short != "Self" { short } else { name.clone() }
        }
    }
}

/// Returns the constant fields by which the alternatives of a union can be distinguished: for each alternative, a
/// list of field names with their values. The values are taken from the discriminator, or else from the records'
/// schemas.
fn tags(document: &Value, schema: &Value, types: &[Type]) -> Vec<Vec<(String, Vec<String>)>> {
    let names: Vec<Option<&str>> = types
        .iter()
        .map(|ty| match ty.bare() {
            Type::Named(name) => Some(name.as_str()),
            _ => None,
        })
        .collect();
    let mut tags = discriminated(document, schema, &names);
    if tags.iter().any(|tags| !tags.is_empty()) {
        return tags;
    }

    let mut fields: BTreeSet<&str> = BTreeSet::new();
    for name in names.iter().flatten() {
        let properties = document.pointer(&format!("/components/schemas/{name}/properties"));
        let properties = properties.and_then(Value::as_object).into_iter().flatten();
        fields.extend(properties.map(|(field, _)| field.as_str()));
    }
    let listed = |field: &str| -> Vec<Vec<String>> {
        let constants = |name: &Option<&str>| name.map(|name| constants(document, name, field));
        names.iter().map(|name| constants(name).unwrap_or_default()).collect()
    };
    let mut found: Vec<(&str, Vec<Vec<String>>)> = fields
        .iter()
        .map(|field| (*field, listed(field)))
        .filter(|(_, listed)| tell_apart(listed))
        .collect();
    if found.is_empty() {
        let specific = fields.iter().map(|field| (*field, without_general(&listed(field))));
        let specific = specific.filter(|(_, listed)| tell_apart(listed));
        found.extend(
            specific.max_by_key(|(_, listed)| listed.iter().collect::<BTreeSet<_>>().len()),
        );
    }

    for (field, listed) in found {
        let told = tags.iter_mut().zip(listed).filter(|(_, values)| !values.is_empty());
        told.for_each(|(tags, values)| tags.push((field.to_owned(), values)));
    }
    tags
}

/// Returns one list for each alternative of a union. The list contains the discriminator field with the values that
/// select the alternative. The list is empty if no key of the discriminator's `mapping` refers to the alternative.
///
/// The values are the keys that refer to the alternative, and the constants of the field in the alternative's record. A
/// constant that is a key of another alternative is not a value.
///
/// For example, the `mapping` of the field `kind` is `{"cat": "#/components/schemas/Pet"}`, and the field `kind` of
/// `Pet` has the constants `cat` and `kitten`. The list for `Pet` is then `[("kind", ["cat", "kitten"])]`.
fn discriminated(
    document: &Value,
    schema: &Value,
    names: &[Option<&str>],
) -> Vec<Vec<(String, Vec<String>)>> {
    let mut tags = vec![Vec::new(); names.len()];
    let field = schema.pointer("/discriminator/propertyName").and_then(Value::as_str);
    let mapping = schema.pointer("/discriminator/mapping").and_then(Value::as_object);
    let (Some(field), Some(mapping)) = (field, mapping) else { return tags };
    for (tags, name) in tags.iter_mut().zip(names) {
        let Some(name) = name else { continue };
        let target = format!("#/components/schemas/{name}");
        let values = mapping.iter().filter(|(_, to)| **to == *target);
        let mut values: Vec<String> = values.map(|(value, _)| value.clone()).collect();
        if !values.is_empty() {
            let mapped = |value: &String| mapping.contains_key(value.as_str());
            values.extend(
                constants(document, name, field).into_iter().filter(|value| !mapped(value)),
            );
            tags.push((field.to_owned(), values));
        }
    }
    tags
}

/// Returns the constant values of a record's field. The values are in the field's schema, or in the enum to which
/// this schema refers.
fn constants(document: &Value, record: &str, field: &str) -> Vec<String> {
    let place = format!("/components/schemas/{record}/properties/{}", escape(field));
    let Some(schema) = document.pointer(&place) else { return Vec::new() };
    let target =
        schema.get("$ref").and_then(Value::as_str).map(|target| target.trim_start_matches('#'));
    let referred = target.and_then(|target| document.pointer(target)?.get("x-values"));
    let own = schema.get("x-values").or_else(|| schema.get("x-constants"));
    own.or(referred).map(strings).unwrap_or_default()
}

/// Returns a copy of `listed`, in which each general alternative has an empty list. `listed` contains one list of
/// constants per alternative. An alternative is general if it has all constants of a second alternative and at least
/// one more. The second alternative must have at least one constant. For example, `[["a", "b"], ["a"]]` becomes
/// `[[], ["a"]]`, because the value `a` can belong to both alternatives.
fn without_general(listed: &[Vec<String>]) -> Vec<Vec<String>> {
    let is_general = |values: &Vec<String>| {
        listed.iter().any(|other| {
            let contained = other.iter().all(|value| values.contains(value));
            !other.is_empty() && other.len() < values.len() && contained
        })
    };
    listed
        .iter()
        .map(|values| if is_general(values) { Vec::new() } else { values.clone() })
        .collect()
}

/// Returns true if one JSON value can match two records of a union. This is possible if one record has all fields that
/// the other record requires. It is not possible if both records require a field with different constants. For example,
/// the field `kind` is always `a` in one record, and always `b` in the other.
pub(super) fn is_ambiguous(document: &Value, union: &Union) -> bool {
    let records = union.shapes.iter().filter_map(|shape| match shape.ty.bare() {
        Type::Named(name) => {
            let schema = document.pointer(&format!("/components/schemas/{name}"))?;
            Some((schema, strings(&schema["required"]), &shape.tags))
        }
        _ => None,
    });
    let records: Vec<_> = records.collect();
    let covers = |schema: &Value, required: &[String]| {
        required.iter().all(|field| schema["properties"].get(field).is_some())
    };
    records.iter().enumerate().any(|(index, (one, needed, tags))| {
        records[..index].iter().any(|(other, others_needed, others_tags)| {
            let differs = |(field, values): &(String, Vec<String>)| {
                let both = needed.contains(field) && others_needed.contains(field);
                let theirs = others_tags.iter().find(|(name, _)| name == field);
                both && theirs
                    .is_some_and(|(_, theirs)| !theirs.iter().any(|value| values.contains(value)))
            };
            !tags.iter().any(differs) && (covers(one, others_needed) || covers(other, needed))
        })
    })
}

/// Returns true if the constants of a field distinguish alternatives of a union. `listed` contains the field's
/// constants in each alternative. Alternatives without constants are ignored. The other alternatives must fulfil two
/// conditions:
/// - Two alternatives with a common constant have exactly the same constants. `[["a"], ["a", "b"]]` returns false.
/// - At least two alternatives have different constants. `[["b"], ["b"]]` returns false.
///
/// For example, `[["a"], ["b"], ["b"]]` returns true.
fn tell_apart(listed: &[Vec<String>]) -> bool {
    let sets: Vec<BTreeSet<&String>> = listed
        .iter()
        .filter(|values| !values.is_empty())
        .map(|values| values.iter().collect())
        .collect();
    let apart = |one: &BTreeSet<&String>, other: &BTreeSet<&String>| one.is_disjoint(other);
    let pairs = || {
        sets.iter()
            .enumerate()
            .flat_map(|(index, one)| sets[..index].iter().map(move |other| (one, other)))
    };
    pairs().all(|(one, other)| one == other || apart(one, other))
        && pairs().any(|(one, other)| apart(one, other))
}
