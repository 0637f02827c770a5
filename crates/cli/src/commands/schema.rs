//! `cintel schema`: prints the JSON Schema of an operation's rows. The schema is built from the generated tables of
//! record fields.

use std::collections::BTreeMap;

use clap::{Arg, ArgMatches, Command};
use crypto_intel::catalogue::{Answer, Field, Operation, Type};
use crypto_intel_api::generated::tables;
use serde_json::{Map, Value, json};

use super::{completions, describe};
use crate::arguments::catalogue::record;
use crate::failure::Failure;
use crate::terminal;

/// URL of the JSON Schema version that the printed schemas use (`$schema`).
const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

pub(crate) fn arguments(command: Command) -> Command {
    let id = Arg::new("id").value_name("OPERATION").required(true);
    let id = id.add(completions::operations());
    command.arg(id.help("Identifier of an operation; `cintel ops` lists all identifiers")).after_help(
        "The schema describes what the operation's command prints with `--output json`. Enum values are examples, \
         because the service may add values. `cintel openapi` prints the schemas of requests and whole responses.",
    )
}

pub(crate) async fn run(given: &ArgMatches) -> Result<(), Failure> {
    let operation = describe::operation_of(given)?;
    terminal::print(&format!("{:#}\n", schema(operation)));
    Ok(())
}

/// Returns the JSON Schema of the rows or the record that an operation's command prints.
fn schema(operation: &Operation) -> Value {
    let row = record(operation).map_or(Type::Any, |record| Type::Record(record.name));
    let (row, is_list) = match operation.answer {
        Answer::Rows { .. } | Answer::Bare(Type::List(_)) => (row, true),
        // The rows of this operation are a field of the response object.
        Answer::Bare(Type::Record(name)) => {
            (row, record(operation).is_some_and(|record| record.name != name))
        }
        Answer::One { data, .. } => (data, false),
        Answer::Bare(ty) => (ty, false),
        Answer::Stream | Answer::Bytes | Answer::Empty => (Type::Any, false),
    };

    let mut records = BTreeMap::new();
    let row = of_type(row, &mut records);
    let mut schema = match is_list {
        true => json!({"type": "array", "items": row}),
        false => row,
    };
    schema["$schema"] = DIALECT.into();
    schema["title"] = operation.id.into();
    schema["description"] = operation.summary.into();
    if !records.is_empty() {
        schema["$defs"] = records.into_iter().collect::<Map<_, _>>().into();
    }
    schema
}

/// Returns the JSON Schema of a type. Inserts into `records` the schema of each record that the type contains. The keys
/// of `records` are record names.
fn of_type(ty: Type, records: &mut BTreeMap<String, Value>) -> Value {
    match ty {
        Type::String => json!({"type": "string"}),
        Type::Enum(values) => json!({"type": "string", "examples": values}),
        Type::Integer => json!({"type": "integer"}),
        Type::Number => json!({"type": "number"}),
        Type::Boolean => json!({"type": "boolean"}),
        Type::UnixSeconds => json!({"type": "integer", "description": "Unix seconds"}),
        Type::UnixMillis => json!({"type": "integer", "description": "Unix milliseconds"}),
        Type::Any => json!({}),
        Type::List(item) => json!({"type": "array", "items": of_type(*item, records)}),
        Type::Map(value) => {
            json!({"type": "object", "additionalProperties": of_type(*value, records)})
        }
        Type::Record(name) => {
            if !records.contains_key(name) {
                // Records can contain themselves, so the record is entered before its fields are converted.
                records.insert(name.to_owned(), Value::Null);
                let schema = of_record(name, records);
                records.insert(name.to_owned(), schema);
            }
            json!({"$ref": format!("#/$defs/{name}")})
        }
    }
}

fn of_record(name: &str, records: &mut BTreeMap<String, Value>) -> Value {
    let fields = tables::record(name).map(|record| record.fields).unwrap_or_default();
    let mut field = |field: &Field| {
        let mut schema = of_type(field.ty, records);
        // A field without a value is absent or `null`.
        if field.nullable || !field.required {
            schema = match schema.get("type").and_then(Value::as_str) {
                Some(ty) => {
                    schema["type"] = json!([ty, "null"]);
                    schema
                }
                None if schema.get("$ref").is_some() => {
                    json!({"anyOf": [schema, {"type": "null"}]})
                }
                None => schema,
            };
        }

        if !field.doc.is_empty() {
            schema["description"] = field.doc.into();
        }
        if field.deprecated.is_some() {
            schema["deprecated"] = true.into();
        }
        (field.name.to_owned(), schema)
    };

    let properties: Map<String, Value> = fields.iter().map(&mut field).collect();
    let required: Vec<_> =
        fields.iter().filter(|field| field.required).map(|field| field.name).collect();
    json!({"type": "object", "properties": properties, "required": required})
}
