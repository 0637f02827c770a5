//! Extracts the string enums of an OpenAPI document. They become Rust enums that also accept unknown values.
//!
//! Without this pass, the library typify would generate enums that reject unknown values. Typify would also panic on
//! values that differ only in case.
//!
//! The name of an enum is its `x-enum`, or is derived from the enum's JSON pointer. Enums with the same `x-enum` become
//! one enum with all their values. `x-values` lists the values that each parameter or field accepts.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use crate::check::is_reserved;
use crate::fault::Fault;
use crate::model::Enum;
use crate::names::{free_variant, request_name, type_name, unique, variant_name};
use crate::origin;
use crate::passes::loosen;
use crate::report::{Change, Report};
use crate::schemas::{self, METHODS, escape};

/// Extracts the string enums of an OpenAPI document. Returns a map from the name of each enum to the enum.
pub fn enums(document: &mut Value, report: &mut Report) -> BTreeMap<String, Enum> {
    let names = Names {
        parameters: place_names(document),
        components: components(document),
        requests: operation_ids(document).map(request_name).collect(),
    };

    let mut found = BTreeMap::new();
    schemas::each_mut(document, &mut |place, schema| {
        take(place, schema, &names, &mut found, report);
    });

    for name in found.keys() {
        let components = &mut document["components"]["schemas"];
        match components.get(name) {
            None => components[name] = json!({"type": "string", "x-is-enum": true}),
            Some(known) if known.get("x-is-enum").is_some() => {}
            Some(known) if known.get("x-is-native").is_some() => {
                components[name]["x-is-enum"] = true.into();
            }
            Some(known) => report.refuse(
                Fault::at(
                    origin::location(known, &format!("/components/schemas/{name}")),
                    format!("an enum and a record would both be called `{name}`"),
                    "in the overlay, rename the record with `x-rename` or the enum with `x-enum`",
                )
                .settled_by(format!("update: {{x-rename: {name}Record}}")),
            ),
        }
    }
    found
}

/// Names that [`free_name`] uses to choose the name of an enum without `x-enum`. An enum of a request parameter gets
/// its name in `parameters`. The names in `components` and `requests` belong to other types. If the name of the enum is
/// one of them, the function appends a number.
struct Names {
    /// Enum names for request parameters. The key is the JSON pointer of the parameter's schema.
    parameters: BTreeMap<String, String>,
    /// Names of the schemas in `components.schemas` that are not enums.
    components: BTreeSet<String>,
    requests: BTreeSet<String>,
}

fn take(
    place: &str,
    schema: &mut Value,
    names: &Names,
    found: &mut BTreeMap<String, Enum>,
    report: &mut Report,
) {
    let at = origin::location(schema, place);
    let Some(members) = schema.as_object_mut() else { return };
    let Some(Value::Array(values)) = members.get("enum") else { return };
    if members.get("type").is_some_and(|ty| ty != "string") || !values.iter().all(Value::is_string)
    {
        let values: Vec<String> = values.iter().map(Value::to_string).collect();
        let listed = values.join(", ");
        let what = format!("the enum `[{listed}]` also accepts other values of its type");
        report.note(Change::Opened, what, at);
        members.remove("enum");
        // The values stay as `x-constants`, because unions distinguish their alternatives by them.
        members.insert("x-constants".to_owned(), values.into());
        return;
    }

    let mut values: Vec<String> =
        values.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    if values.iter().any(String::is_empty) {
        values.retain(|value| !value.is_empty());
        report.note(
            Change::Dropped,
            "the empty enum value is ignored, because it means the same as no value",
            at.as_str(),
        );
    }

    let component = place.strip_prefix("/components/schemas/").filter(|rest| !rest.contains('/'));
    let chosen = members.get("x-enum").and_then(Value::as_str).map(type_name);
    let name = match (&chosen, component) {
        (Some(name), _) => name.clone(),
        (None, Some(name)) => name.to_owned(),
        (None, None) => free_name(place, &at, &values, names, found, report),
    };
    if chosen.is_some() && is_reserved(&name) && members.get("x-is-native").is_none() {
        report.refuse(
            Fault::at(
                at,
                format!("the generated code already uses the name `{name}`"),
                "name the enum differently with `x-enum` in the overlay",
            )
            .settled_by(format!("update: {{x-enum: {name}Kind}}")),
        );
        return;
    }

    let native = members.get("x-is-native").is_some();
    let doc = members.get("description").and_then(Value::as_str).unwrap_or_default();
    let entry = found.entry(name.clone()).or_insert_with(|| Enum {
        name: name.clone(),
        doc: doc.to_owned(),
        variants: Vec::new(),
        native,
        component: false,
        integers: false,
    });
    entry.component |= component.is_some();
    entry.integers |= members.get("x-integers") == Some(&Value::Bool(true));
    let named = members.get("x-enum-names").and_then(Value::as_object);
    for value in &values {
        add(&at, entry, value, named, report);
    }

    report.note(
        Change::Opened,
        format!("unknown values are also accepted by the enum `{name}`"),
        at.as_str(),
    );
    loosen::note_removed(&at, members, false, report);
    for keyword in ["$ref", "allOf", "format", "required"] {
        if members.contains_key(keyword) {
            report.note(Change::Dropped, format!("`{keyword}` of an enum is ignored"), at.as_str());
        }
    }

    *schema = if component.is_some() {
        json!({"type": "string", "x-is-enum": true, "x-values": values, origin::AT: at})
    } else {
        let mut rest = Map::new();
        rest.insert("$ref".to_owned(), format!("#/components/schemas/{name}").into());
        rest.insert("x-values".to_owned(), json!(values));
        for kept in [
            "description",
            "default",
            "nullable",
            "deprecated",
            "x-deprecated",
            "x-file",
            origin::AT,
        ] {
            rest.extend(members.remove(kept).map(|value| (kept.to_owned(), value)));
        }
        Value::Object(rest)
    };
}

/// Returns a name for an enum that has no `x-enum` and is not in `components.schemas`. If another enum has this name
/// and the same values, the two enums share the name. If the name is reserved or belongs to another type, a number is
/// appended, as in `Kind2`.
fn free_name(
    place: &str,
    at: &str,
    values: &[String],
    names: &Names,
    found: &BTreeMap<String, Enum>,
    report: &mut Report,
) -> String {
    let wanted = names.parameters.get(place).cloned().unwrap_or_else(|| place_name(place));
    let wanted = if wanted.is_empty() { "Kind".to_owned() } else { wanted };
    let same = |known: &Enum| known.variants.iter().map(|(value, _)| value).eq(values.iter());
    if found.get(&wanted).is_some_and(same) {
        return wanted;
    }

    let taken = |name: &str| {
        found.contains_key(name)
            || names.components.contains(name)
            || names.requests.contains(name)
            || is_reserved(name)
    };
    let name = unique(&wanted, taken);

    if name != wanted {
        report.note(
            Change::Decided,
            format!(
                "the name `{wanted}` is taken, so this enum is called `{name}`; to merge both \
                 enums, give them the same `x-enum`"
            ),
            at,
        );
    }
    name
}

fn add(
    at: &str,
    entry: &mut Enum,
    value: &str,
    named: Option<&Map<String, Value>>,
    report: &mut Report,
) {
    if entry.variants.iter().any(|(known, _)| known == value) {
        return;
    }

    let taken =
        |name: &str| name == "Other" || entry.variants.iter().any(|(_, known)| known == name);
    let chosen = named.and_then(|names| names.get(value)).and_then(Value::as_str);
    let variant = match chosen {
        Some(name) if taken(name) || syn::parse_str::<syn::Ident>(name).is_err() => {
            report.refuse(Fault::at(
                at,
                format!(
                    "`{name}` cannot be the name of the value `{value}`, because the name is \
                     invalid or taken"
                ),
                "choose another variant name with `x-enum-names` in the overlay",
            ));
            return;
        }
        Some(name) => name.to_owned(),
        None => free_variant(value, taken),
    };

    if chosen.is_none() && variant != variant_name(value) {
        report.note(
            Change::Decided,
            format!(
                "the variant of the value `{value}` is called `{}::{variant}`; `x-enum-names` can \
                 set another name",
                entry.name
            ),
            at,
        );
    }

    entry.variants.push((value.to_owned(), variant));
}

/// Returns the names of the schemas in `components.schemas` that are not enums.
fn components(document: &Value) -> BTreeSet<String> {
    let components = document.pointer("/components/schemas").and_then(Value::as_object);
    let others =
        components.into_iter().flatten().filter(|(_, schema)| schema.get("enum").is_none());
    others.map(|(name, _)| name.clone()).collect()
}

fn operation_ids(document: &Value) -> impl Iterator<Item = &str> {
    let items = document.get("paths").and_then(Value::as_object).into_iter().flatten();
    let operations =
        items.flat_map(|(_, item)| METHODS.iter().filter_map(|method| item.get(*method)));
    operations.filter_map(|operation| operation.get("operationId")?.as_str())
}

/// Returns an enum name for each request parameter: the operation's name followed by the parameter's name. The key is
/// the JSON pointer of the parameter's schema.
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

/// Converts the JSON pointer of a schema to an enum name: `/components/schemas/S/properties/kind` → `SKind`.
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

    fn taken(document: &mut Value) -> String {
        let found = enums(document, &mut Report::default());
        let list = found.values().map(|found| {
            let variants = found.variants.iter().map(|(value, name)| format!("{name}={value}"));
            format!("{}: {}", found.name, variants.collect::<Vec<_>>().join(" "))
        });
        list.collect::<Vec<_>>().join("\n")
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
                    "kind": {"type": "string", "enum": ["x"]},
                    "flag": {"type": "string", "enum": ["true", "false", ""]},
                    "level": {"type": "integer", "enum": [1, 2]}}}}}
        });

        insta::assert_snapshot!(taken(&mut document), @"
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
            json!({"type": "integer", "x-constants": ["1", "2"]})
        );
    }

    fn variants(values: Value) -> String {
        let mut document = json!({"components": {"schemas": {"S": {"properties": {"p": {"type": "string", "enum": values}}}, "Sp": {}}}});
        taken(&mut document)
    }

    #[test]
    fn every_value_and_every_enum_gets_a_name() {
        assert_eq!(variants(json!(["a-b", "a_b", "AB"])), "Sp2: AB=a-b AUnderscoreB=a_b Ab=AB");
        assert_eq!(
            variants(json!(["other", "*", ".", "+1", "-1", "1"])),
            "Sp2: OtherValue=other Star=* Dot=. N1=+1 Minus1=-1 N12=1"
        );
        assert_eq!(
            variants(json!(["asc", "ASC", "self", "\u{fc}ber"])),
            "Sp2: Asc=asc Asc2=ASC Self_=self Uber=\u{fc}ber"
        );
    }
}
