//! Converts batches back to JSON, in the format of the service.

use crypto_intel::catalogue::{FieldMeaning, Type};
use crypto_intel_api::generated::tables::record;
use crypto_intel_frames::arrow_array::cast::AsArray;
use crypto_intel_frames::arrow_array::types::{
    Date32Type, Decimal128Type, Float64Type, Int32Type, Int64Type, TimestampMillisecondType,
    TimestampSecondType,
};
use crypto_intel_frames::arrow_array::{Array, RecordBatch};
use crypto_intel_frames::arrow_schema::{DataType, TimeUnit};
use serde_json::{Map, Value};

/// Returns each row of a batch as a JSON object.
pub(crate) fn rows(batch: &RecordBatch) -> Vec<Map<String, Value>> {
    let schema = batch.schema();
    let row = |index| {
        let member = |(place, field): (usize, &std::sync::Arc<_>)| {
            let field: &crypto_intel_frames::arrow_schema::Field = field;
            (field.name().clone(), value(batch.column(place), index))
        };
        schema.fields().iter().enumerate().map(member).collect()
    };
    (0..batch.num_rows()).map(row).collect()
}

fn value(array: &dyn Array, row: usize) -> Value {
    if array.is_null(row) {
        return Value::Null;
    }

    match array.data_type() {
        DataType::Boolean => array.as_boolean().value(row).into(),
        DataType::Int64 => array.as_primitive::<Int64Type>().value(row).into(),
        DataType::Float64 => array.as_primitive::<Float64Type>().value(row).into(),
        DataType::Decimal128(..) => {
            array.as_primitive::<Decimal128Type>().value_as_string(row).into()
        }

        DataType::Timestamp(TimeUnit::Second, _) => {
            array.as_primitive::<TimestampSecondType>().value(row).into()
        }
        DataType::Timestamp(..) => {
            array.as_primitive::<TimestampMillisecondType>().value(row).into()
        }
        DataType::Date32 => {
            let date = array.as_primitive::<Date32Type>().value_as_date(row);
            date.expect("a date").to_string().into()
        }

        DataType::Utf8 => array.as_string::<i32>().value(row).into(),
        DataType::Dictionary(..) => {
            let texts = array.as_dictionary::<Int32Type>();
            let key = texts.key(row).expect("a key");
            texts.values().as_string::<i32>().value(key).into()
        }

        DataType::Struct(fields) => {
            let columns = array.as_struct().columns().iter();
            let member = |(field, column): (&std::sync::Arc<_>, &std::sync::Arc<dyn Array>)| {
                let field: &crypto_intel_frames::arrow_schema::Field = field;
                (field.name().clone(), value(column, row))
            };
            Value::Object(fields.iter().zip(columns).map(member).collect())
        }
        DataType::List(_) => {
            let items = array.as_list::<i32>().value(row);
            (0..items.len()).map(|index| value(&items, index)).collect()
        }
        DataType::Map(..) => {
            let entries = array.as_map().value(row);
            let (keys, values) = (entries.column(0).as_string::<i32>(), entries.column(1));
            let entry = |index| (keys.value(index).to_owned(), value(values, index));
            Value::Object((0..entries.len()).map(entry).collect())
        }
        other => panic!("no column is {other}"),
    }
}

/// Removes values that a table cannot distinguish from a missing field: `null`, empty lists and empty objects.
pub(crate) fn settled(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let members = members.into_iter().map(|(name, value)| (name, settled(value)));
            Value::Object(members.filter(|(_, value)| !is_nothing(value)).collect())
        }
        Value::Array(items) => items.into_iter().map(settled).collect(),
        // 1.0 and 1 are the same number.
        Value::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() && float == float.trunc() && float.abs() < 1e15 => {
                Value::from(float as i64)
            }
            _ => Value::Number(number),
        },
        other => other,
    }
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

/// Replaces each 0 that means an unknown value by `null`. A test can then compare the JSON of a response with a table,
/// because a table contains null in place of such a 0.
pub(crate) fn without_zeros(value: Value, ty: Type) -> Value {
    match (value, ty) {
        (Value::Array(items), Type::List(of)) => {
            items.into_iter().map(|item| without_zeros(item, *of)).collect()
        }
        (Value::Object(members), Type::Record(name)) => {
            let fields = record(name).map_or(&[][..], |record| record.fields);
            let member = |(name, value): (String, Value)| {
                let Some(field) = fields.iter().find(|field| field.name == name) else {
                    return (name, value);
                };
                let is_unknown = field.meaning == Some(FieldMeaning::ZeroIsUnknown) && value == 0;
                (name, if is_unknown { Value::Null } else { without_zeros(value, field.ty) })
            };
            Value::Object(members.into_iter().map(member).collect())
        }
        (value, _) => value,
    }
}

/// Converts a row of a table back to the JSON row of the response. The function puts the values of the column `_extra`
/// back at their original paths.
pub(crate) fn whole(row: Type, mut frame: Map<String, Value>) -> Value {
    let extra = frame.remove("_extra").unwrap_or_default();
    let mut row = match row {
        Type::Record(_) => read(Value::Object(frame), row),
        _ => read(frame.remove("value").expect("the only column"), row),
    };
    if let Value::String(text) = extra {
        let Value::Object(extra) = serde_json::from_str(&text).expect("JSON") else {
            panic!("no object: {text}");
        };
        for (place, value) in extra {
            put(&mut row, &place, value);
        }
    }
    row
}

/// Sets the value at a JSON pointer. The parent value must exist.
fn put(row: &mut Value, place: &str, value: Value) {
    let Some((parent, name)) = place.rsplit_once('/') else {
        *row = value;
        return;
    };
    let name = name.replace("~1", "/").replace("~0", "~");
    match row.pointer_mut(parent) {
        Some(Value::Object(members)) => {
            members.insert(name, value);
        }
        Some(Value::Array(items)) => items[name.parse::<usize>().expect("an index")] = value,
        other => panic!("nothing at {parent} to put {name} in: {other:?}"),
    }
}

/// Parses JSON text in fields that can contain any JSON value, and in fields that contain a record.
fn read(value: Value, ty: Type) -> Value {
    match (value, ty) {
        (Value::String(text), Type::Any) => serde_json::from_str(&text).expect("JSON"),
        (Value::Array(items), Type::List(of)) => items.into_iter().map(|v| read(v, *of)).collect(),
        (Value::Object(members), Type::Map(of)) => {
            Value::Object(members.into_iter().map(|(name, v)| (name, read(v, *of))).collect())
        }
        (Value::Object(members), Type::Record(name)) => {
            let of = |name: &str, wanted: &str| {
                record(name)?.fields.iter().find(|field| field.name == wanted).map(|field| field.ty)
            };
            let member = |(wanted, v): (String, Value)| {
                let ty = of(name, &wanted).unwrap_or(Type::Any);
                (wanted, read(v, ty))
            };
            Value::Object(members.into_iter().map(member).collect())
        }
        // A recursive record becomes JSON, and so does a record without fields.
        (Value::String(text), Type::Record(_)) => serde_json::from_str(&text).expect("JSON"),
        (value, _) => value,
    }
}

/// Converts each number, and each string that contains a number, to a string in one format. For example, the number 1.5
/// and the string `1.50` both become the string `1.5`. A test can then compare a metric, which a table stores as a
/// string, with the number in a record.
pub(crate) fn plain(value: Value) -> Value {
    match value {
        Value::Number(number) => format!("{}", number.as_f64().unwrap_or(f64::NAN)).into(),
        // Parsed like JSON: the client's floats may differ in the last digit.
        Value::String(text) => match serde_json::from_str::<f64>(text.trim()) {
            Ok(number) if number.is_finite() => format!("{number}").into(),
            _ => text.into(),
        },
        Value::Array(items) => items.into_iter().map(plain).collect(),
        Value::Object(members) => {
            Value::Object(members.into_iter().map(|(name, v)| (name, plain(v))).collect())
        }
        other => other,
    }
}
