//! Writes the record tables: a list of every record with its fields and their types, and a function that finds a record
//! by its name.

use super::literal::lines;
use super::{Homes, SHARED, type_row};
use crate::model::{Field, Meaning, Model};

pub(crate) fn tables(model: &Model) -> String {
    let records = model.records.values().map(|record| {
        let fields = lines(record.fields.iter().map(|field| self::field(field, model)));
        format!("    rt::RecordRow {{ name: {:?}, fields: {fields} }},\n", record.name)
    });
    TABLES.replace("    // records\n", &records.collect::<String>())
}

fn field(field: &Field, model: &Model) -> String {
    let mut row = format!("rt::Field::new({:?}, {})", field.name, type_row(&field.ty, model));
    if field.required {
        row.push_str(".required()");
    }
    if field.nullable {
        row.push_str(".nullable()");
    }
    let doc = field.doc.split_whitespace().collect::<Vec<_>>().join(" ");
    if !doc.is_empty() {
        row.push_str(&format!(".doc({doc:?})"));
    }
    if let Some(reason) = &field.deprecated {
        row.push_str(&format!(".deprecated({reason:?})"));
    }
    if let Some(meaning) = field.meaning {
        let meaning = match meaning {
            Meaning::Date => "Date",
            Meaning::DateTime => "DateTime",
            Meaning::ZeroIsUnknown => "ZeroIsUnknown",
        };
        row.push_str(&format!(".meaning(rt::FieldMeaning::{meaning})"));
    }
    row
}

const TABLES: &str = r#"use crypto_intel_core as rt;

/// The record called `name`, such as `"XTweet"`.
#[must_use]
pub fn record(name: &str) -> Option<&'static rt::RecordRow> {
    RECORDS.binary_search_by_key(&name, |record| record.name).ok().map(|index| &RECORDS[index])
}

/// Every record, sorted by name.
pub static RECORDS: &[rt::RecordRow] = &[
    // records
];
"#;

/// Writes the function that decodes and encodes a record by its name, for tests. The code is not passed through the
/// formatter, which would write three lines per record.
pub(crate) fn round_trip(model: &Model, homes: &Homes) -> String {
    let mut arms = String::new();
    for (name, record) in &model.records {
        let (gate, home) = if record.native {
            (String::new(), "crypto_intel_core".to_owned())
        } else if let Some(tag) = model.tags.iter().find(|tag| homes.is(name, &tag.module)) {
            let gate = format!("#[cfg(feature = {:?})] ", tag.feature());
            (gate, format!("super::{}", tag.module))
        } else {
            (String::new(), format!("super::{SHARED}"))
        };
        arms.push_str(&format!("        {gate}{name:?} => trip::<{home}::{name}>(text),\n"));
    }
    if arms.is_empty() {
        NO_RECORDS.to_owned()
    } else {
        ROUND_TRIP.replace("        // arms\n", &arms)
    }
}

/// Code of the generated function `round_trip` for an OpenAPI document that defines no records. This function always
/// returns `None`.
const NO_RECORDS: &str = r#"use serde_json::{Error, Value};

/// Returns `None`, because the OpenAPI document defines no records.
#[must_use]
pub fn round_trip(_name: &str, _text: &str) -> Option<Result<Value, Error>> {
    None
}
"#;

const ROUND_TRIP: &str = r#"use crypto_intel_core::{Record, private::serde};
use serde_json::{Error, Value};

/// Decodes `text` as the record called `name` and encodes it again. Returns `None` if the
/// enabled features have no such record.
#[must_use]
pub fn round_trip(name: &str, text: &str) -> Option<Result<Value, Error>> {
    Some(match name {
        // arms
        _ => return None,
    })
}

fn trip<T: Record + serde::Serialize + serde::de::DeserializeOwned>(text: &str) -> Result<Value, Error> {
    serde_json::from_str(&serde_json::to_string(&serde_json::from_str::<T>(text)?)?)
}
"#;
