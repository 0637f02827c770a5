//! Tests that each record is unchanged after decoding and encoding. Some records have all fields, and some have only
//! required fields. Others have unknown fields and values, which a later version of the service might add.
//!
//! Two differences are allowed. An optional field that was null is not written. For a list or a map, `null`, a missing
//! field and an empty value are equal.

use crypto_intel_api::generated::round_trip::round_trip;
use crypto_intel_api::generated::tables::{self, RECORDS};
use crypto_intel_core::{RecordRow, Type};
use serde_json::{Map, Value, json};

/// Kind of JSON object that is generated for a record.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Case {
    /// A JSON object that has all fields of the record.
    Full,
    /// Object with only the required fields. A required field is `null` if the type of the field allows `null`.
    Minimal,
    /// Object with all fields. The object and each nested record also have unknown fields.
    UnknownMembers,
    /// Object with all fields. The enum fields have unknown values.
    UnknownValues,
    /// Object with all fields. Optional fields, nullable fields, lists and maps are `null`.
    Nulls,
}

const CASES: [Case; 5] =
    [Case::Full, Case::Minimal, Case::UnknownMembers, Case::UnknownValues, Case::Nulls];

/// Nesting depth from which generated records have only required fields. Without this limit, a record type that
/// contains itself would be nested without end.
const DEPTH: usize = 4;

fn record(row: &RecordRow, case: Case, depth: usize) -> Value {
    let mut members = Map::new();
    for field in row.fields {
        let container = matches!(field.ty, Type::List(_) | Type::Map(_));
        let spare = !field.required && (case == Case::Minimal || depth == 0);
        if spare {
            continue;
        }

        let null = match case {
            Case::Minimal => field.nullable,
            Case::Nulls => field.nullable || !field.required || container,
            _ => false,
        };
        let value = if null { Value::Null } else { value(&field.ty, case, depth) };
        members.insert(field.name.to_owned(), value);
    }

    if case == Case::UnknownMembers {
        members.insert("added_tomorrow".to_owned(), json!({"deep": [1, null, "x"]}));
        members.insert("gone_tomorrow".to_owned(), Value::Null);
    }

    Value::Object(members)
}

fn value(ty: &Type, case: Case, depth: usize) -> Value {
    match ty {
        Type::String => json!("text \u{1f600} \"quoted\""),
        Type::Integer => json!(-9_007_199_254_740_993_i64),
        Type::Number => json!(-0.125),
        Type::Boolean => json!(true),
        Type::Any => json!({"any": [1.5, null, {"x": "y"}]}),
        Type::UnixSeconds => json!(1_767_225_600),
        Type::UnixMillis => json!(1_767_225_600_123_i64),
        Type::Enum(_) if case == Case::UnknownValues => json!("Value of Tomorrow!"),
        Type::Enum(values) => json!(values.last().unwrap()),
        Type::Record(name) => record(tables::record(name).unwrap(), case, depth.saturating_sub(1)),
        Type::List(_) if depth == 0 => json!([]),
        Type::List(inner) => json!([value(inner, case, depth), value(inner, case, depth)]),
        Type::Map(inner) => json!({"a key": value(inner, case, depth)}),
    }
}

/// Returns a copy of a JSON value without the record fields that are `null`, an empty list or an empty map. The test
/// treats these fields as missing. Fields that the record type does not contain are copied unchanged.
fn canonical(ty: &Type, value: &Value) -> Value {
    match (ty, value) {
        (Type::Record(name), Value::Object(members)) => {
            let row = tables::record(name).unwrap();
            let mut kept = Map::new();
            for (name, member) in members {
                let field = row.fields.iter().find(|field| field.name == name);
                let member = field.map_or(member.clone(), |field| canonical(&field.ty, member));
                let empty = match &member {
                    Value::Null => true,
                    Value::Array(items) => items.is_empty(),
                    Value::Object(members) => {
                        members.is_empty()
                            && matches!(field, Some(field) if matches!(field.ty, Type::Map(_)))
                    }
                    _ => false,
                };

                if field.is_none() || !empty {
                    kept.insert(name.clone(), member);
                }
            }

            Value::Object(kept)
        }
        (Type::List(inner), Value::Array(items)) => {
            items.iter().map(|item| canonical(inner, item)).collect()
        }
        (Type::Map(inner), Value::Object(members)) => members
            .iter()
            .map(|(name, member)| (name.clone(), canonical(inner, member)))
            .collect::<Map<_, _>>()
            .into(),
        _ => value.clone(),
    }
}

fn trouble(row: &'static RecordRow, case: Case) -> Option<String> {
    let ty = Type::Record(row.name);
    let sent = record(row, case, DEPTH);
    let there = |value: &Value| match round_trip(row.name, &value.to_string()) {
        None => Err("there is no such record".to_owned()),
        Some(Err(error)) => Err(error.to_string()),
        Some(Ok(back)) => Ok(back),
    };
    let told = |what: String| Some(format!("{} {case:?}: {what}", row.name));

    let back = match there(&sent) {
        Ok(back) => back,
        Err(error) => return told(format!("{error}\n  sent {sent}")),
    };
    if canonical(&ty, &sent) != canonical(&ty, &back) {
        return told(format!("\n  sent {sent}\n  back {back}"));
    }

    match there(&back) {
        Ok(again) if again == back => None,
        Ok(again) => told(format!("\n  back {back}\n  again {again}")),
        Err(error) => told(format!("{error}\n  back {back}")),
    }
}

#[test]
fn every_record_survives_every_case() {
    let troubles: Vec<String> = RECORDS
        .iter()
        .flat_map(|row| CASES.iter().filter_map(|case| trouble(row, *case)))
        .collect();
    assert!(troubles.is_empty(), "{} troubles\n{}", troubles.len(), troubles.join("\n"));
    assert!(RECORDS.len() > 200, "{}", RECORDS.len());
}

/// Tests that `canonical` removes only the differences that the comment at the start of this file allows.
#[test]
fn only_what_is_documented_may_differ() {
    let ty = Type::Record("MetricValue");
    let same = |a: Value, b: Value| canonical(&ty, &a) == canonical(&ty, &b);
    assert!(same(json!({"value": null, "source_revision_ids": []}), json!({})));
    assert!(!same(json!({"value": 0.0}), json!({})));
    assert!(!same(json!({"reason_code": ""}), json!({})));
    assert!(!same(json!({"added_tomorrow": null}), json!({})));
    assert!(!same(json!({"source_revision_ids": ["a"]}), json!({"source_revision_ids": ["b"]})));
}

#[test]
fn a_required_member_of_the_wrong_type_is_refused_with_its_name() {
    let row = RECORDS.iter().find(|row| row.name == "AirdropTaskSummary").unwrap();
    let mut sent = record(row, Case::Full, DEPTH);
    sent.as_object_mut().unwrap().remove("open");
    let error = round_trip(row.name, &sent.to_string()).unwrap().unwrap_err();
    assert!(error.to_string().contains("missing field `open`"), "{error}");
    assert!(round_trip("NoSuchRecord", "{}").is_none());
}
