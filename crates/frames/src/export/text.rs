//! Writes rows as text: NDJSON lines or CSV records.
//!
//! The input is a record batch, and the output is bytes for a file of NDJSON or CSV.

use std::io::Write as _;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Decimal128Type, Float64Type, Int32Type, Int64Type, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampSecondType, UInt64Type,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, Field, Schema, TimeUnit};
use chrono::{DateTime, SecondsFormat, Utc};

/// Appends one line of JSON per row to `text`. The lines have the format of [`Format::NdJson`](super::Format::NdJson)
/// files. Columns and struct fields with null are omitted. Lists and maps keep their nulls.
pub fn json_rows(batch: &RecordBatch, text: &mut Vec<u8>) {
    let schema = batch.schema();
    for row in 0..batch.num_rows() {
        let columns = schema.fields().iter().zip(batch.columns());
        object(columns.map(|(field, column)| (&**field, &**column)), row, text);
        text.push(b'\n');
    }
}

pub(super) fn csv_header(schema: &Schema) -> Vec<u8> {
    let mut text = Vec::new();
    for (index, field) in schema.fields().iter().enumerate() {
        if index > 0 {
            text.push(b',');
        }
        cell(field.name().as_bytes(), &mut text);
    }
    text.extend_from_slice(b"\r\n");
    text
}

/// Appends one CSV record (RFC 4180) per row to `text`.
pub(super) fn csv_rows(batch: &RecordBatch, text: &mut Vec<u8>) {
    let schema = batch.schema();
    let mut value = Vec::new();
    for row in 0..batch.num_rows() {
        for (index, (field, column)) in schema.fields().iter().zip(batch.columns()).enumerate() {
            if index > 0 {
                text.push(b',');
            }
            if has_value(column, row) {
                value.clear();
                match texts(column, row) {
                    Some(plain) => value.extend_from_slice(plain.as_bytes()),
                    None => json(field, column, row, &mut value),
                }
                cell(&value, text);
            }
        }
        text.extend_from_slice(b"\r\n");
    }
}

fn cell(value: &[u8], text: &mut Vec<u8>) {
    let special = |byte: &u8| matches!(byte, b',' | b'"' | b'\r' | b'\n');
    // An empty field in quotes is an empty string; without quotes it is null.
    if !value.is_empty() && !value.iter().any(special) {
        text.extend_from_slice(value);
        return;
    }
    text.push(b'"');
    for byte in value {
        if *byte == b'"' {
            text.push(b'"');
        }
        text.push(*byte);
    }
    text.push(b'"');
}

/// Returns true if the value in this row is not null. An array of type `Null` needs a separate check, because it has no
/// validity bits.
fn has_value(array: &dyn Array, row: usize) -> bool {
    array.data_type() != &DataType::Null && array.is_valid(row)
}

/// Returns the text of a value that JSON stores as a string, such as a string, timestamp or decimal. Returns `None` for
/// values of other types.
fn texts(array: &dyn Array, row: usize) -> Option<String> {
    let time = |time: Option<DateTime<Utc>>, format| Some(time?.to_rfc3339_opts(format, true));

    match array.data_type() {
        DataType::Utf8 => Some(array.as_string::<i32>().value(row).to_owned()),
        DataType::Dictionary(..) => {
            let texts = array.as_dictionary::<Int32Type>();
            Some(texts.values().as_string::<i32>().value(texts.key(row)?).to_owned())
        }
        DataType::Decimal128(..) => {
            Some(array.as_primitive::<Decimal128Type>().value_as_string(row))
        }

        DataType::Timestamp(TimeUnit::Second, _) => {
            let seconds = array.as_primitive::<TimestampSecondType>().value(row);
            time(DateTime::from_timestamp(seconds, 0), SecondsFormat::Secs)
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            let micros = array.as_primitive::<TimestampMicrosecondType>().value(row);
            time(DateTime::from_timestamp_micros(micros), SecondsFormat::AutoSi)
        }
        DataType::Date32 => {
            Some(array.as_primitive::<Date32Type>().value_as_date(row)?.to_string())
        }
        DataType::Timestamp(..) => {
            let millis = array.as_primitive::<TimestampMillisecondType>().value(row);
            time(DateTime::from_timestamp_millis(millis), SecondsFormat::Millis)
        }
        _ => None,
    }
}

fn object<'a>(
    members: impl Iterator<Item = (&'a Field, &'a dyn Array)>,
    row: usize,
    text: &mut Vec<u8>,
) {
    text.push(b'{');
    let mut is_first = true;
    for (field, array) in members.filter(|(_, array)| has_value(*array, row)) {
        if !std::mem::take(&mut is_first) {
            text.push(b',');
        }
        string(field.name(), text);
        text.push(b':');
        json(field, array, row, text);
    }
    text.push(b'}');
}

fn json(field: &Field, array: &dyn Array, row: usize, text: &mut Vec<u8>) {
    if array.is_null(row) {
        return text.extend_from_slice(b"null");
    }

    if let Some(value) = texts(array, row) {
        // A column with this metadata already contains JSON text. Line breaks in the text are white space between
        // values, because JSON strings cannot contain them. They become spaces, so that each row stays on one line.
        return match field.metadata().get("content").map(String::as_str) {
            Some("json") => text.extend(value.bytes().map(|byte| byte.max(b' '))),
            _ => string(&value, text),
        };
    }

    match array.data_type() {
        DataType::Boolean => plain(array.as_boolean().value(row), text),
        DataType::Int64 => plain(array.as_primitive::<Int64Type>().value(row), text),
        DataType::UInt64 => plain(array.as_primitive::<UInt64Type>().value(row), text),
        DataType::Float64 => {
            let number = array.as_primitive::<Float64Type>().value(row);
            plain(serde_json::Value::from(number), text);
        }
        // A timestamp outside the range of the calendar is written as a number.
        DataType::Timestamp(TimeUnit::Second, _) => {
            plain(array.as_primitive::<TimestampSecondType>().value(row), text);
        }
        DataType::Timestamp(..) => {
            plain(array.as_primitive::<TimestampMillisecondType>().value(row), text);
        }

        DataType::Struct(fields) => {
            let columns = fields.iter().zip(array.as_struct().columns());
            object(columns.map(|(field, column)| (&**field, &**column)), row, text);
        }
        DataType::List(item) => {
            let items = array.as_list::<i32>().value(row);
            list(items.len(), text, |index, text| json(item, &items, index, text), (b'[', b']'));
        }
        DataType::Map(..) => {
            let entries = array.as_map().value(row);
            let (keys, values) = (entries.column(0).as_string::<i32>(), entries.column(1));
            let DataType::Struct(fields) = entries.data_type() else { return };
            let entry = |index, text: &mut Vec<u8>| {
                string(keys.value(index), text);
                text.push(b':');
                json(&fields[1], values, index, text);
            };
            list(entries.len(), text, entry, (b'{', b'}'));
        }
        _ => text.extend_from_slice(b"null"),
    }
}

fn list(
    len: usize,
    text: &mut Vec<u8>,
    write: impl Fn(usize, &mut Vec<u8>),
    (open, close): (u8, u8),
) {
    text.push(open);
    for index in 0..len {
        if index > 0 {
            text.push(b',');
        }
        write(index, text);
    }
    text.push(close);
}

fn plain(value: impl std::fmt::Display, text: &mut Vec<u8>) {
    // Writing to memory cannot fail.
    let _ = write!(text, "{value}");
}

fn string(value: &str, text: &mut Vec<u8>) {
    plain(serde_json::Value::from(value), text);
}
