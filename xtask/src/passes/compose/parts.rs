//! Writes `allOf` out, and alternatives that stand beside members.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use super::{component, each, says, target};
use crate::origin;
use crate::report::{Change, Report};
use crate::schemas;

pub(super) fn write_out(document: &mut Value, report: &mut Report) {
    schemas::each_mut(document, &mut |_, schema| beside(schema));
    each(document, &mut |before, place, schema| {
        let at = origin::of(schema, place);
        all_of(before, &at, schema, report);
        members_and_shapes(before, &at, schema, report);
    });
}

/// 3.1 lets members stand beside a reference.
fn beside(schema: &mut Value) {
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

fn all_of(before: &Value, at: &str, schema: &mut Value, report: &mut Report) {
    let Some(Value::Array(parts)) = schema.get("allOf") else { return };
    let parts: Vec<Value> = parts.iter().filter(|part| says(part)).cloned().collect();
    let null = schema["allOf"].as_array().into_iter().flatten().any(|part| {
        part.get("nullable").is_some_and(|flag| *flag == json!(true)) && part.get("$ref").is_none()
    });
    // A part of words alone is about the whole.
    let mut about = schema["allOf"].as_array().into_iter().flatten().filter(|part| !says(part));
    let words = about.find_map(|part| part.get("description").cloned());
    let mut bare = schema.clone();
    if let Some(members) = bare.as_object_mut() {
        members.remove("allOf");
        // Of an object that is put together, the type says nothing.
        if members.get("type").is_some_and(|ty| ty == "object")
            && !members.contains_key("properties")
        {
            members.remove("type");
        }
    }
    let own = says(&bare) || schema.get("required").is_some();

    let Some(members) = schema.as_object_mut() else { return };
    if null {
        members.insert("nullable".to_owned(), true.into());
    }
    if let Some(words) = words {
        members.entry("description").or_insert(words);
    }
    if parts.is_empty() {
        members.remove("allOf");
        return;
    }
    if let ([only], false) = (parts.as_slice(), own)
        && only.get("$ref").is_some()
    {
        members.remove("type");
        members.insert("allOf".to_owned(), json!([only]));
        return;
    }

    let (mut merged, mut seen) = (Map::new(), BTreeSet::new());
    let mut whole = parts.iter().all(|part| collect(before, part, true, &mut merged, &mut seen));
    members.remove("allOf");
    let mine = Value::Object(members.clone());
    whole = whole && collect(before, &mine, true, &mut merged, &mut seen);
    if whole && merged.contains_key("properties") {
        members.remove("oneOf");
        members.remove("anyOf");
        members.extend(merged);
        members.insert("type".to_owned(), "object".into());
        report.note(Change::Rewritten, "`allOf` as one object", at);
        return;
    }
    plain(before, at, members, &parts, report);
}

/// `allOf` of values that are no objects: what the first of them says, unless they disagree.
fn plain(
    before: &Value,
    at: &str,
    members: &mut Map<String, Value>,
    parts: &[Value],
    report: &mut Report,
) {
    for part in parts {
        let found = target(part).and_then(|target| component(before, target)).unwrap_or(part);
        let differs = match (members.get("type"), found.get("type")) {
            (Some(ours), Some(theirs)) => ours != theirs,
            _ => false,
        };
        if differs {
            for keyword in super::STRUCTURE {
                members.remove(*keyword);
            }
            report.note(Change::Loosened, "`allOf` of values that cannot be one, as any value", at);
            return;
        }
        for (name, value) in found.as_object().into_iter().flatten() {
            if name != origin::AT {
                members.entry(name).or_insert_with(|| value.clone());
            }
        }
    }
    report.note(Change::Rewritten, "`allOf` of values as one value", at);
}

/// Alternatives beside members: one record with the members of all of them.
fn members_and_shapes(before: &Value, at: &str, schema: &mut Value, report: &mut Report) {
    let Some(members) = schema.as_object_mut().filter(|m| m.contains_key("properties")) else {
        return;
    };
    let (mut merged, mut seen) = (Map::new(), BTreeSet::new());
    for keyword in ["anyOf", "oneOf"] {
        let Some(Value::Array(shapes)) = members.remove(keyword) else { continue };
        for shape in &shapes {
            collect(before, shape, false, &mut merged, &mut seen);
        }
        report.note(
            Change::Loosened,
            format!("`{keyword}` beside members, as members that may be absent"),
            at,
        );
    }
    let Some(Value::Object(more)) = merged.remove("properties") else { return };
    if let Some(own) = members.get_mut("properties").and_then(Value::as_object_mut) {
        for (name, schema) in more {
            own.entry(name).or_insert(schema);
        }
    }
}

/// Adds the members and requirements of an object schema; false if it is not one. What `seen`
/// holds was added before: parts that share a part would otherwise double the work at each step.
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
    let mut parts = parts.into_iter().flatten().filter(|part| says(part));
    if !parts.all(|part| collect(before, part, required, into, seen)) {
        return false;
    }
    let object = schema.get("type").is_none_or(|ty| ty == "object");
    if !object || schema.get("enum").is_some() || schema.get("items").is_some() {
        return false;
    }
    for keyword in ["oneOf", "anyOf"] {
        // One of these holds, so none of their members must be there.
        for shape in schema.get(keyword).and_then(Value::as_array).into_iter().flatten() {
            collect(before, shape, false, into, seen);
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
    if let Some(Value::Array(names)) = schema.get("required").filter(|_| required) {
        let all = into.entry("required").or_insert_with(|| json!([]));
        if let Some(all) = all.as_array_mut() {
            let new = names.iter().filter(|name| !all.contains(name)).cloned();
            let new: Vec<_> = new.collect();
            all.extend(new);
        }
    }
    true
}

/// A later part may say more of a member. Alternatives that disagree on one leave it open.
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
            let at = known.get(origin::AT).cloned();
            let mut open = Map::new();
            open.extend(at.map(|at| (origin::AT.to_owned(), at)));
            all.insert(name.to_owned(), Value::Object(open));
        }
        Some(_) if !required || !says(schema) => {}
        _ => drop(all.insert(name.to_owned(), schema.clone())),
    }
}
