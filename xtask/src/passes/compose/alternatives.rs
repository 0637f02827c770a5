//! Simplifies unions: each `oneOf` or `anyOf` becomes a `oneOf` whose alternatives all differ. The report lists the
//! changes.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::{component, has_structure, is_union, target, visit_schemas};
use crate::graph::{self, Graph};
use crate::origin;
use crate::passes::loosen::EXACT;
use crate::report::{Change, Report};

/// Maximum number of alternatives of a union. A larger union is read as any JSON value.
const SHAPES: usize = 100;

/// Rewrites each `oneOf` or `anyOf` as a `oneOf` of distinct alternatives. A single remaining alternative is merged
/// into the schema. The `oneOf` or `anyOf` is removed if no alternative remains, if an alternative allows any JSON
/// value, or if there are too many alternatives. Returns true if a `oneOf` or `anyOf` changed.
pub(super) fn alternatives(document: &mut Value, report: &mut Report) -> bool {
    let mut changed = false;
    visit_schemas(document, &mut |before, place, schema| {
        let given = ["anyOf", "oneOf"].iter().find(|keyword| schema.get(**keyword).is_some());
        let Some(keyword) = given else { return };
        let at = origin::location(schema, place);
        let Some(members) = schema.as_object_mut() else { return };
        let Some(Value::Array(given)) = members.remove(*keyword) else { return };
        if members.remove("oneOf").is_some() {
            report.note(Change::Loosened, "`oneOf` is ignored beside `anyOf`", at.as_str());
        }

        let shapes = reduce(before, &given, members);
        let settled = *keyword == "oneOf" && shapes.as_ref() == Some(&given) && given.len() > 1;
        changed |= !settled;
        put(&at, members, shapes, &given, report);
    });
    changed
}

/// Returns the type that a schema defines next to `anyOf` or `oneOf`, such as `string` in `{type: string, anyOf:
/// [{minLength: 2}, {pattern: a}]}`. The type applies to each alternative that does not define a type. Returns `None`
/// if the schema has no such type or if the type is `object`.
fn type_beside(members: &Map<String, Value>) -> Option<Value> {
    members.get("type").filter(|ty| **ty != "object")?;
    let kept = ["type", "format", "items", "prefixItems", "enum", "x-enum", "x-enum-names"];
    let own =
        members.iter().filter(|(name, _)| kept.contains(&name.as_str()) || *name == origin::AT);
    Some(own.map(|(name, value)| (name.clone(), value.clone())).collect())
}

/// Returns the distinct alternatives of a union. Returns `None` if an alternative allows any JSON value, or if there
/// are too many alternatives.
fn reduce(before: &Value, given: &[Value], members: &mut Map<String, Value>) -> Option<Vec<Value>> {
    let beside = type_beside(members);
    let mut open: Vec<&Value> = given.iter().rev().collect();
    let (mut shapes, mut texts): (Vec<Value>, Vec<&Value>) = (Vec::new(), Vec::new());
    while let Some(shape) = open.pop() {
        if shape.get("nullable").is_some_and(|flag| *flag == json!(true)) {
            members.insert("nullable".to_owned(), true.into());
        }
        let inner = ["anyOf", "oneOf"].iter().find_map(|keyword| shape.get(*keyword)?.as_array());
        if let Some(inner) = inner.filter(|_| shape.get("properties").is_none()) {
            open.extend(inner.iter().rev());
            continue;
        }

        let beside = beside.as_ref().filter(|_| !has_structure(shape));
        let shape = beside.unwrap_or(shape);
        if !has_structure(shape) {
            // An alternative that is only a rule, such as `required`, does not define a type. An empty schema accepts
            // any value.
            let rule = ["required", "not", "minProperties", "maxProperties"];
            let null = shape.get("nullable").is_some();
            if null || rule.iter().any(|keyword| shape.get(*keyword).is_some()) {
                continue;
            }
            return None;
        }

        if is_text(before, shape) {
            texts.push(shape);
            continue;
        }
        let mut shape = shape.clone();
        if let Some(members) = shape.as_object_mut() {
            members.remove("nullable");
        }
        if !shapes.iter().any(|known| without_docs(known) == without_docs(&shape)) {
            shapes.push(shape);
        }
    }

    if shapes.iter().any(|shape| is_plain(shape, "number")) {
        let before = shapes.len();
        shapes.retain(|shape| !is_plain(shape, "integer"));
        // If numbers and integers are both allowed, large integers must keep all their digits.
        let exact = shapes.len() < before;
        for shape in shapes.iter_mut().filter(|shape| exact && is_plain(shape, "number")) {
            shape["format"] = EXACT.into();
        }
    }
    shapes.extend(text(before, &texts));
    (shapes.len() <= SHAPES).then_some(shapes)
}

fn is_plain(shape: &Value, ty: &str) -> bool {
    shape.get("type").is_some_and(|known| known == ty)
}

fn is_text(before: &Value, shape: &Value) -> bool {
    let found = target(shape).and_then(|target| component(before, target)).unwrap_or(shape);
    is_plain(found, "string")
        && found.get("x-is-native").is_none()
        && found.get("x-native").is_none()
}

/// Returns a copy of a schema without documentation, examples, defaults and formats, for comparisons.
fn without_docs(shape: &Value) -> Value {
    let mut bare = shape.clone();
    origin::unmark(&mut bare);
    if let Some(members) = bare.as_object_mut() {
        for word in ["description", "title", "example", "default", "format", "deprecated"] {
            members.remove(word);
        }
    }
    bare
}

/// Merges all string alternatives of a union into one. If any of them is an enum, the result is an enum, because
/// generated enums also accept unknown strings.
fn text(before: &Value, texts: &[&Value]) -> Option<Value> {
    let first = *texts.first()?;
    let resolved: Vec<&Value> = texts
        .iter()
        .map(|shape| target(shape).and_then(|target| component(before, target)).unwrap_or(shape))
        .collect();
    let enums: Vec<usize> =
        (0..texts.len()).filter(|index| resolved[*index].get("enum").is_some()).collect();
    if let [only] = enums.as_slice() {
        return Some((*texts[*only]).clone());
    }
    if enums.is_empty() {
        let mut plain = first.clone();
        if let Some(members) = plain.as_object_mut().filter(|_| texts.len() > 1) {
            members.remove("format");
        }
        return Some(plain);
    }

    let mut values: Vec<Value> = Vec::new();
    let mut joined = json!({"type": "string"});
    if let Some(at) = first.get(origin::AT) {
        joined[origin::AT] = at.clone();
    }
    for index in enums {
        for value in resolved[index]["enum"].as_array().into_iter().flatten() {
            if !values.contains(value) {
                values.push(value.clone());
            }
        }
        for kept in ["x-enum", "x-enum-names", "x-integers"] {
            if let Some(value) = resolved[index].get(kept) {
                joined[kept] = value.clone();
            }
        }
    }
    joined["enum"] = Value::Array(values);
    Some(joined)
}

fn put(
    at: &str,
    members: &mut Map<String, Value>,
    shapes: Option<Vec<Value>>,
    given: &[Value],
    report: &mut Report,
) {
    members.remove("type");
    match shapes.map(<[Value; 1]>::try_from) {
        None => report.note(
            Change::Loosened,
            "a union with an alternative that accepts any value, or with too many alternatives, is \
             read as any JSON value",
            at,
        ),

        // One alternative. The members of the union itself have precedence.
        Some(Ok([Value::Object(only)])) => {
            if given.iter().any(|shape| !has_structure(shape)) {
                report.note(
                    Change::Loosened,
                    "in a union, an alternative that has only keywords such as `minLength`, and no type, is ignored",
                    at,
                );
            } else if given.len() > 1 {
                report.note(Change::Rewritten, "equal alternatives of a union are merged", at);
            }
            for (name, value) in only {
                members.entry(name).or_insert(value);
            }
        }
        Some(Ok(_)) => {}

        // None or several alternatives.
        Some(Err(none)) if none.is_empty() => {
            report.note(
                Change::Loosened,
                "a union is ignored if its alternatives define no types, only keywords such as \
                 `required`",
                at,
            );
        }
        Some(Err(shapes)) => {
            members.insert("oneOf".to_owned(), Value::Array(shapes));
        }
    }
}

/// Removes cycles of unions that are alternatives of each other, because decoding a union in a cycle would never end.
/// For example, `A` is an alternative of `B`, and `B` is an alternative of `A`. The reference to `A` in `B` is then
/// replaced by those alternatives of `A` that are not unions.
pub(super) fn circles(document: &mut Value, report: &mut Report) {
    loop {
        let components = document.pointer("/components/schemas").and_then(Value::as_object);
        let graph: Graph = components
            .into_iter()
            .flatten()
            .filter(|(_, schema)| is_union(schema))
            .map(|(name, schema)| {
                let shapes = schema["oneOf"].as_array().into_iter().flatten();
                let names = shapes.filter_map(|shape| target(shape)?.rsplit('/').next());
                (name.clone(), names.map(str::to_owned).collect())
            })
            .collect();
        let Some((to, from)) = graph::circle(&graph) else { return };
        let (to, from) = (format!("#/components/schemas/{to}"), from.to_owned());

        // The alternatives of the referenced union become alternatives of the union that refers to it.
        let others = component(document, &to).and_then(|other| other.get("oneOf")?.as_array());
        let is_choice = |shape: &Value| {
            target(shape).and_then(|target| component(document, target)).is_some_and(is_union)
        };
        let others: Vec<Value> =
            others.into_iter().flatten().filter(|shape| !is_choice(shape)).cloned().collect();

        let schema = &mut document["components"]["schemas"][&from];
        let at = origin::location(schema, &format!("/components/schemas/{from}"));
        report.note(
            Change::Decided,
            "a union contains itself through a second union, so the alternatives of the second union are copied into the first union",
            at,
        );
        let Some(Value::Array(shapes)) = schema.get_mut("oneOf") else { return };
        shapes.retain(|shape| target(shape) != Some(to.as_str()));
        for other in others {
            if !shapes.iter().any(|known| without_docs(known) == without_docs(&other)) {
                shapes.push(other);
            }
        }
        // If fewer than two alternatives remain, `string` is added, so that the schema stays a union.
        let left: BTreeSet<String> = shapes.iter().map(Value::to_string).collect();
        if left.len() < 2 {
            let only = shapes.pop().unwrap_or_else(|| json!({}));
            *schema =
                json!({"oneOf": [only, {"type": "string"}], origin::AT: schema.get(origin::AT)});
        }
    }
}
