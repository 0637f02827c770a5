//! Fuzzes the decoding and encoding of every record. If a JSON text can be decoded as a record, encoding the record
//! must return equal JSON. The returned JSON must not change in a second decoding and encoding. The function
//! `canonical` normalises the JSON values before each comparison. For example, `canonical` removes declared fields with
//! the value null.
#![no_main]

mod made;

use crypto_intel_api::generated::round_trip::round_trip;
use crypto_intel_api::generated::tables::{self, RECORDS};
use crypto_intel_core::Type;
use libfuzzer_sys::arbitrary::{Result, Unstructured};
use libfuzzer_sys::fuzz_target;
use serde_json::{Map, Value};

fuzz_target!(|bytes: &[u8]| {
    let _ = run(&mut Unstructured::new(bytes));
});

fn run(input: &mut Unstructured<'_>) -> Result<()> {
    let name = input.choose(RECORDS)?.name;
    let mut text = String::new();
    made::record(input, name, 0, &mut text)?;
    let decoded = round_trip(name, &text).expect("a record");
    let (Ok(back), Ok(sent)) = (decoded, serde_json::from_str::<Value>(&text)) else {
        return Ok(());
    };

    let ty = Type::Record(name);
    assert_eq!(canonical(&ty, &back), canonical(&ty, &sent), "{name} of {text}");
    let again =
        round_trip(name, &back.to_string()).expect("a record").expect("a record that was encoded");
    assert_eq!(canonical(&ty, &again), canonical(&ty, &back), "{name} of {text}, second time");
    Ok(())
}

/// Returns a normalised copy of a JSON value: empty fields are removed, and equal numbers are spelled equally.
fn canonical(ty: &Type, value: &Value) -> Value {
    match (ty, value) {
        (Type::Record(name), Value::Object(members)) => {
            let fields = tables::record(name).expect("a record").fields;
            let mut kept = Map::new();
            for (name, member) in members {
                let Some(field) = fields.iter().find(|field| field.name == name) else {
                    kept.insert(name.clone(), canonical(&Type::Any, member));
                    continue;
                };
                let member = canonical(&field.ty, member);

                // `null` in place of a required record becomes an empty record.
                let can_be_empty = field.required || matches!(field.ty, Type::Map(_));
                let is_empty = match &member {
                    Value::Null => true,
                    Value::Array(items) => items.is_empty(),
                    Value::Object(members) => members.is_empty() && can_be_empty,
                    _ => false,
                };
                if !is_empty {
                    kept.insert(name.clone(), member);
                }
            }
            Value::Object(kept)
        }

        (_, Value::Array(items)) => {
            let inner = if let Type::List(inner) = ty { inner } else { &Type::Any };
            items.iter().map(|item| canonical(inner, item)).collect()
        }
        (_, Value::Object(members)) => {
            let inner = if let Type::Map(inner) = ty { inner } else { &Type::Any };
            let members =
                members.iter().map(|(name, value)| (name.clone(), canonical(inner, value)));
            members.collect::<Map<_, _>>().into()
        }

        // A number field has the precision of a 64-bit float. An integer field has all its digits.
        (Type::Number, Value::Number(number)) => number.as_f64().into(),
        (_, Value::Number(number)) => match number.as_f64() {
            Some(float) if number.is_f64() && float.fract() == 0.0 && float.abs() < 9e15 => {
                (float as i64).into()
            }
            _ => value.clone(),
        },
        _ => value.clone(),
    }
}
