//! Finds the schema of a response field in the OpenAPI document.
//!
//! The input is an operation and the path of a field, such as `data[0].price`. The output is a [`Part`] with the schema
//! and the JSONPath of the schema. An action in `spec/overlay.yaml` can use this JSONPath as its `target`.

use std::sync::LazyLock;

use crypto_intel::catalogue::Operation;
use serde_json::Value;

/// OpenAPI document that `cintel openapi` prints, as a JSON value.
static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| serde_json::from_str(crypto_intel_api::OPENAPI).unwrap_or_default());

/// Schema in the OpenAPI document, with its JSONPath.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) path: String,
    schema: &'static Value,
}

impl Part {
    fn at(path: String, schema: Option<&'static Value>) -> Option<Self> {
        Some(Part { path, schema: schema? }.resolved())
    }

    /// Replaces a reference (`$ref`) by the component schema to which it points. Returns every other schema unchanged.
    fn resolved(self) -> Self {
        let reference = self.schema["$ref"].as_str();
        let name = reference.and_then(|text| text.strip_prefix("#/components/schemas/"));
        let Some(name) = name else { return self };
        // `name` is the name in the reference URL. `x-component` contains the published name.
        let schema = &DOCUMENT["components"]["schemas"][name];
        let published = schema["x-component"].as_str().unwrap_or(name);
        Part { path: format!("$.components.schemas['{published}']"), schema }
    }

    /// Iterates over the member schemas in `allOf`, `oneOf` and `anyOf` of this schema.
    fn members(&self) -> impl Iterator<Item = Part> {
        ["allOf", "oneOf", "anyOf"].into_iter().flat_map(move |name| {
            let members = self.schema[name].as_array().into_iter().flatten().enumerate();
            members.filter_map(move |(index, schema)| {
                Part::at(format!("{}.{name}[{index}]", self.path), Some(schema))
            })
        })
    }

    /// Finds a schema that contains a keyword such as `items`: this schema, or one of its `allOf`, `oneOf` and `anyOf`
    /// members at any depth.
    fn with(&self, keyword: &str) -> Option<Part> {
        match self.schema.get(keyword) {
            Some(_) => Some(self.clone()),
            None => self.members().find_map(|member| member.with(keyword)),
        }
    }

    /// Returns the schema of the field `name`, if this schema describes objects with this field. Searches `properties`,
    /// the members of `allOf`, `oneOf` and `anyOf`, and `additionalProperties`.
    fn field(&self, name: &str) -> Option<Part> {
        let of_map = || {
            let map = self.with("additionalProperties")?;
            let schema = map.schema.get("additionalProperties");
            Part::at(format!("{}.additionalProperties", map.path), schema)
        };
        let schema = self.schema["properties"].get(name);
        let own = Part::at(format!("{}.properties['{name}']", self.path), schema);
        own.or_else(|| self.members().find_map(|member| member.field(name))).or_else(of_map)
    }

    /// Returns the schema of the items of this array schema.
    fn item(&self) -> Option<Part> {
        let list = self.with("items")?;
        let schema = list.schema.get("items");
        Part::at(format!("{}.items", list.path), schema)
    }

    /// Returns the JSONPath of the keyword `properties` in this schema, or in one of its `allOf`, `oneOf` and `anyOf`
    /// members at any depth. Returns `None` if the keyword is missing in all of them.
    pub(super) fn properties(&self) -> Option<String> {
        self.with("properties").map(|part| format!("{}.properties", part.path))
    }

    /// Searches the `required` lists of this schema and of its `allOf`, `oneOf` and `anyOf` members for a field.
    /// Returns the JSONPath of the list entry that names the field. Returns `None` if no list contains the field.
    pub(super) fn required(&self, field: &str) -> Option<String> {
        let has = |part: &Part| {
            let mut required = part.schema["required"].as_array().into_iter().flatten();
            required.any(|name| name == field)
        };
        let part = if has(self) { Some(self.clone()) } else { self.members().find(has) };
        part.map(|part| format!("{}.required[?@=='{field}']", part.path))
    }
}

/// Returns the JSONPath of an operation in the OpenAPI document, such as `$.paths['/gateway/v1/market/price'].get`. An
/// action in `spec/overlay.yaml` can use this JSONPath as its `target`.
pub(super) fn path_of(operation: &Operation) -> String {
    format!("$.paths['{}'].{}", operation.path, operation.method.as_str().to_lowercase())
}

/// Finds the schema for one part of a response. `place` is the path of this part, such as `data[0].price`.
pub(super) fn find(operation: &Operation, place: &str) -> Option<Part> {
    let method = operation.method.as_str().to_lowercase();
    let described = &DOCUMENT["paths"][operation.path][&method]["responses"];
    let (status, response) =
        described.as_object()?.iter().find(|(status, _)| status.starts_with('2'))?;
    let media_type = "application/json";
    let path =
        format!("{}.responses['{status}'].content['{media_type}'].schema", path_of(operation));

    let mut part = Part::at(path, response["content"][media_type].get("schema"))?;
    for step in place.split('.').filter(|step| !step.is_empty()) {
        let (name, indexes) = step.split_once('[').map_or((step, ""), |(name, rest)| (name, rest));
        if !name.is_empty() {
            part = part.field(name)?;
        }
        for _ in indexes.matches(']') {
            part = part.item()?;
        }
    }
    Some(part)
}

/// Splits the path of a field into the path of its record and the name of the field. Returns `None` if the path ends
/// with an index.
pub(super) fn around(place: &str) -> Option<(&str, &str)> {
    let (above, field) = place.rsplit_once('.').unwrap_or(("", place));
    (!field.contains('[')).then_some((above, field))
}

#[cfg(test)]
mod tests {
    use crypto_intel::catalogue::{Answer, OPERATIONS, Type};
    use crypto_intel_api::generated::tables;

    use super::*;

    /// Checks that [`find`] finds the schema of a value in the response of `operation`. `place` is the path of the
    /// value, such as `data[0]`, and `ty` is the type of the value. Checks the items of lists and maps and the fields
    /// of records too, down to `depth` nested records. Appends a message to `lost` for each missing schema, and for
    /// each record schema without properties.
    fn check(operation: &Operation, ty: Type, place: &str, depth: usize, lost: &mut Vec<String>) {
        let Some(part) = find(operation, place) else {
            return lost.push(format!("{}: {place}", operation.id));
        };
        match ty {
            Type::List(item) => check(operation, *item, &format!("{place}[0]"), depth, lost),
            Type::Map(item) => check(operation, *item, &format!("{place}.any"), depth, lost),
            Type::Record(name) if depth > 0 => {
                if part.properties().is_none() {
                    lost.push(format!("{}: the fields of {place}", operation.id));
                }
                for field in tables::record(name).expect("a record").fields {
                    let place = format!("{place}.{}", field.name);
                    check(operation, field.ty, place.trim_matches('.'), depth - 1, lost);
                }
            }
            _ => {}
        }
    }

    #[test]
    fn each_field_of_each_response_is_found_in_the_descriptions() {
        let mut lost = Vec::new();
        for operation in OPERATIONS {
            match operation.answer {
                Answer::Rows { row, .. } => check(operation, row, "data[0]", 4, &mut lost),
                Answer::One { data, .. } => check(operation, data, "data", 4, &mut lost),
                Answer::Bare(ty) => check(operation, ty, "", 4, &mut lost),
                Answer::Stream | Answer::Bytes | Answer::Empty => {}
            }
        }
        assert!(lost.is_empty(), "{} lost: {:#?}", lost.len(), &lost[..lost.len().min(20)]);
    }
}
