//! Takes the string enums out of the description, so that they become open enums.
//!
//! The generator closes them (one new value and a whole page fails to decode), names them by
//! place, and panics on values that differ in case only. Here every enum gets a name: the one
//! `x-enum` gives (equal names share one enum with the union of their values), or that of its
//! place. `x-values` keeps what this very place accepts.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::fault::{Fault, Result};
use crate::names::{type_name, variant_name};
use crate::report::{Change, Report};
use crate::schemas::{self, METHODS, escape};

/// One open enum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enum {
    pub name: String,
    pub doc: String,
    /// Value and name of each variant, in the order they were met.
    pub variants: Vec<(String, String)>,
    /// Written by hand in the runtime crate.
    pub native: bool,
}

/// The enums of the document, by name.
pub fn enums(document: &mut Value, report: &mut Report) -> Result<BTreeMap<String, Enum>> {
    // Inner schemas are visited first, so what holds an enum among its alternatives is joined
    // before the enum is taken out of it.
    schemas::each_mut(document, &mut |place, schema| {
        if let Some(members) = schema.as_object_mut() {
            collapse(place, members, report);
        }
    });
    let names = place_names(document);
    let mut found = BTreeMap::new();
    let mut fault = None;
    schemas::each_mut(document, &mut |place, schema| {
        if let Err(error) = take(place, schema, &names, &mut found, report) {
            fault.get_or_insert(error);
        }
    });
    if let Some(fault) = fault {
        return Err(fault);
    }
    for name in found.keys() {
        let components = &mut document["components"]["schemas"];
        match components.get(name) {
            None => components[name] = json!({"type": "string", "x-is-enum": true}),
            Some(known) if known.get("x-is-enum").is_some() => {}
            Some(known) if known.get("x-is-native").is_some() => {
                components[name]["x-is-enum"] = true.into();
            }
            Some(_) => {
                return Err(Fault::at(
                    format!("/components/schemas/{name}"),
                    format!("an enum and a record would both be called `{name}`"),
                    "give the record `x-rename` or the enum `x-enum` in the overlay",
                ));
            }
        }
    }
    Ok(found)
}

fn take(
    place: &str,
    schema: &mut Value,
    names: &BTreeMap<String, String>,
    found: &mut BTreeMap<String, Enum>,
    report: &mut Report,
) -> Result<()> {
    let Some(members) = schema.as_object_mut() else { return Ok(()) };
    let Some(Value::Array(values)) = members.get("enum") else { return Ok(()) };
    if members.get("type").is_some_and(|ty| ty != "string") || !values.iter().all(Value::is_string)
    {
        members.remove("enum");
        report.note(Change::Opened, "an enum that is not of strings, as its plain type", place);
        return Ok(());
    }
    let mut values: Vec<String> =
        values.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    if values.iter().any(String::is_empty) {
        values.retain(|value| !value.is_empty());
        report.note(Change::Dropped, "the empty enum value, which means the same as none", place);
    }
    let component = place.strip_prefix("/components/schemas/").filter(|rest| !rest.contains('/'));
    let (name, shared) = match (members.get("x-enum").and_then(Value::as_str), component) {
        (Some(name), _) | (None, Some(name)) => (type_name(name), true),
        (None, None) => (names.get(place).cloned().unwrap_or_else(|| place_name(place)), false),
    };
    if !shared && found.contains_key(&name) {
        return Err(Fault::at(
            place,
            format!("this enum would be called `{name}` like another"),
            "give both `x-enum` in the overlay: the same name to share one enum, or two names",
        ));
    }
    let native = members.get("x-is-native").is_some();
    let doc = members.get("description").and_then(Value::as_str).unwrap_or_default();
    let entry = found.entry(name.clone()).or_insert_with(|| Enum {
        name: name.clone(),
        doc: doc.to_owned(),
        variants: Vec::new(),
        native,
    });
    let chosen = members.get("x-enum-names").and_then(Value::as_object);
    for value in &values {
        add(place, entry, value, chosen)?;
    }
    report.note(Change::Opened, format!("a closed enum as the open enum `{name}`"), place);
    *schema = if component.is_some() {
        json!({"type": "string", "x-is-enum": true})
    } else {
        let mut rest = Map::new();
        rest.insert("$ref".to_owned(), format!("#/components/schemas/{name}").into());
        rest.insert("x-values".to_owned(), json!(values));
        for kept in ["description", "default", "nullable"] {
            rest.extend(members.remove(kept).map(|value| (kept.to_owned(), value)));
        }
        Value::Object(rest)
    };
    Ok(())
}

fn add(
    place: &str,
    entry: &mut Enum,
    value: &str,
    chosen: Option<&Map<String, Value>>,
) -> Result<()> {
    if entry.variants.iter().any(|(known, _)| known == value) {
        return Ok(());
    }
    let variant = chosen
        .and_then(|names| names.get(value))
        .and_then(Value::as_str)
        .map_or_else(|| variant_name(value), str::to_owned);
    let clash = entry.variants.iter().find(|(_, known)| *known == variant);
    let reason = match clash {
        Some((other, _)) => {
            format!("`{value}` and `{other}` would both be `{}::{variant}`", entry.name)
        }
        None if variant == "Other" => format!("`{value}` would be called like the unknown arm"),
        None if variant.is_empty() => format!("`{value}` has no letters to make a name of"),
        None => {
            entry.variants.push((value.to_owned(), variant));
            return Ok(());
        }
    };
    Err(Fault::at(place, reason, "choose variant names with `x-enum-names` in the overlay"))
}

/// `anyOf` of an enum and a plain string is an open enum already, which the generator would turn
/// into a struct that never decodes.
fn collapse(place: &str, members: &mut Map<String, Value>, report: &mut Report) {
    for keyword in ["anyOf", "oneOf"] {
        let Some(Value::Array(alternatives)) = members.get(keyword) else { continue };
        let strings =
            alternatives.iter().all(|schema| schema.get("type").is_some_and(|ty| ty == "string"));
        let values: Vec<Value> = alternatives
            .iter()
            .flat_map(|schema| {
                schema.get("enum").and_then(Value::as_array).cloned().unwrap_or_default()
            })
            .collect();
        if strings && !values.is_empty() {
            let alternatives = members.remove(keyword).unwrap_or_default();
            for alternative in alternatives.as_array().into_iter().flatten() {
                for kept in ["x-enum", "x-enum-names"] {
                    if let Some(value) = alternative.get(kept) {
                        members.entry(kept).or_insert_with(|| value.clone());
                    }
                }
            }
            members.insert("type".to_owned(), "string".into());
            members.insert("enum".to_owned(), Value::Array(values));
            report.note(Change::Rewritten, "an enum or any string as an open enum", place);
        }
    }
}

/// Names for the enums of parameters, by the place of their schema: operation and parameter.
fn place_names(document: &Value) -> BTreeMap<String, String> {
    let mut names = BTreeMap::new();
    for (path, item) in document.get("paths").and_then(Value::as_object).into_iter().flatten() {
        for method in METHODS {
            let Some(operation) = item.get(*method) else { continue };
            let id = operation.get("operationId").and_then(Value::as_str).unwrap_or_default();
            let place = format!("/paths/{}/{method}/parameters", escape(path));
            let parameters = operation.get("parameters").and_then(Value::as_array);
            for (index, parameter) in parameters.into_iter().flatten().enumerate() {
                let name = parameter.get("name").and_then(Value::as_str).unwrap_or_default();
                let name = type_name(&format!("{}{}", type_name(id), type_name(name)));
                names.insert(format!("{place}/{index}/schema/items"), name.clone());
                names.insert(format!("{place}/{index}/schema"), name);
            }
        }
    }
    names
}

/// `/components/schemas/S/properties/kind` → `SKind`.
fn place_name(place: &str) -> String {
    let tokens = place.split('/').filter(|token| {
        !matches!(
            *token,
            "" | "components"
                | "schemas"
                | "properties"
                | "items"
                | "paths"
                | "content"
                | "schema"
                | "requestBody"
                | "application~1json"
                | "additionalProperties"
        )
    });
    type_name(&tokens.map(|token| type_name(&token.replace("~1", "/"))).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(document: &mut Value) -> Result<String> {
        let found = enums(document, &mut Report::default())?;
        let list = found.values().map(|found| {
            let variants = found.variants.iter().map(|(value, name)| format!("{name}={value}"));
            format!("{}: {}", found.name, variants.collect::<Vec<_>>().join(" "))
        });
        Ok(list.collect::<Vec<_>>().join("\n"))
    }

    #[test]
    fn enums_are_named_by_place_or_shared_by_name() {
        let chain = |values: Value| {
            json!({"name": "chain", "in": "query",
            "schema": {"type": "string", "enum": values, "x-enum": "Chain", "default": "base"}})
        };
        let mut document = json!({
            "paths": {
                "/a": {"get": {"operationId": "a-list", "parameters": [
                    chain(json!(["base", "tron"])),
                    {"name": "interval", "in": "query", "schema": {"type": "string", "enum": ["1m", "1M"]}}]}},
                "/b": {"get": {"operationId": "b", "parameters": [chain(json!(["base", "solana"]))]}}},
            "components": {"schemas": {
                "Side": {"type": "string", "enum": ["buy", "sell"]},
                "S": {"properties": {
                    "side": {"$ref": "#/components/schemas/Side"},
                    "kind": {"anyOf": [{"type": "string", "enum": ["x"]}, {"type": "string"}]},
                    "flag": {"type": "string", "enum": ["true", "false", ""]},
                    "level": {"type": "integer", "enum": [1, 2]}}}}}
        });
        insta::assert_snapshot!(taken(&mut document).unwrap(), @"
        AListInterval: Minute1=1m Month1=1M
        Chain: Base=base Tron=tron Solana=solana
        SFlag: True=true False=false
        SKind: X=x
        Side: Buy=buy Sell=sell
        ");
        assert_eq!(
            document["paths"]["/b"]["get"]["parameters"][0]["schema"],
            json!({"$ref": "#/components/schemas/Chain", "default": "base", "x-values": ["base", "solana"]})
        );
        assert_eq!(
            document["components"]["schemas"]["S"]["properties"]["level"],
            json!({"type": "integer"})
        );
    }

    #[test]
    fn names_that_clash_are_faults() {
        let fault = |schema: Value| {
            let mut document =
                json!({"components": {"schemas": {"S": {"properties": {"p": schema}}, "Sp": {}}}});
            taken(&mut document).unwrap_err().to_string()
        };
        insta::assert_snapshot!(fault(json!({"type": "string", "enum": ["a-b", "a_b"]})), @"
        error: `a_b` and `a-b` would both be `Sp::AB`
           at: #/components/schemas/S/properties/p
         hint: choose variant names with `x-enum-names` in the overlay
        ");
        insta::assert_snapshot!(fault(json!({"type": "string", "enum": ["a"]})), @"
        error: an enum and a record would both be called `Sp`
           at: #/components/schemas/Sp
         hint: give the record `x-rename` or the enum `x-enum` in the overlay
        ");
    }
}
