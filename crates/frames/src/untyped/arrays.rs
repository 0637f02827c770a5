//! Converts the JSON values of a column to an Arrow array.
//!
//! The inputs are the type and the JSON values of one column. The output is an array, or an error that describes the
//! first value that does not fit the type.

use std::sync::Arc;

use arrow_array::{
    ArrayRef, BooleanArray, Float64Array, Int64Array, ListArray, NullArray, StringArray,
    StructArray, TimestampMillisecondArray, TimestampSecondArray, UInt64Array,
};
use arrow_buffer::{ArrowNativeType, NullBuffer, OffsetBuffer};
use arrow_schema::{ArrowError, DataType, Field, TimeUnit};
use crypto_intel_core::private::OrderedFields;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::shape::{Members, Shape, columns, fields};

/// Error for a value that does not fit the type of its column.
#[derive(Debug)]
pub(crate) enum Unfit {
    /// A value does not fit the type of its column. Contains the index of the value's row, counted from 0, and the
    /// error message.
    Value(usize, String),
    Arrow(ArrowError),
}

impl From<ArrowError> for Unfit {
    fn from(error: ArrowError) -> Self {
        Unfit::Arrow(error)
    }
}

/// Builds the Arrow array of a column. Missing values (`None`) and JSON `null` become null.
pub(super) fn array(shape: &Shape, cells: &[Option<&RawValue>]) -> Result<ArrayRef, Unfit> {
    Ok(match shape {
        Shape::Null => {
            let none: Vec<Option<()>> = read(cells, |_| None, "null")?;
            Arc::new(NullArray::new(none.len()))
        }
        Shape::Boolean => Arc::new(BooleanArray::from(plain::<bool>(cells, "a truth value")?)),
        Shape::Number(fits) => match fits.data_type() {
            DataType::Int64 => Arc::new(Int64Array::from(plain::<i64>(cells, "a 64-bit integer")?)),
            DataType::UInt64 => {
                Arc::new(UInt64Array::from(plain::<u64>(cells, "an integer of at least 0")?))
            }
            DataType::Float64 => Arc::new(Float64Array::from(plain::<f64>(cells, "a number")?)),
            _ => {
                Arc::new(StringArray::from(read(cells, |text| Some(text.to_owned()), "a number")?))
            }
        },

        Shape::Time(TimeUnit::Second) => {
            let seconds = plain::<i64>(cells, "Unix seconds")?;
            Arc::new(TimestampSecondArray::from(seconds).with_timezone("UTC"))
        }
        Shape::Time(_) => {
            let millis = |text: &str| text.parse::<i64>().ok()?.checked_mul(1_000);
            let millis = read(cells, millis, "Unix seconds")?;
            Arc::new(TimestampMillisecondArray::from(millis).with_timezone("UTC"))
        }

        Shape::Text => Arc::new(StringArray::from(plain::<String>(cells, "a text")?)),
        Shape::Json => {
            Arc::new(StringArray::from(read(cells, |text| Some(text.to_owned()), "JSON")?))
        }
        Shape::List(item) => list(item, cells)?,
        Shape::Struct(members) => record(members, cells)?,
    })
}

/// Parses each JSON value as `T`. `expected` describes the type in error messages.
fn plain<T: DeserializeOwned>(
    cells: &[Option<&RawValue>],
    expected: &str,
) -> Result<Vec<Option<T>>, Unfit> {
    read(cells, |text| serde_json::from_str(text).ok(), expected)
}

fn read<'a, T>(
    cells: &[Option<&'a RawValue>],
    convert: impl Fn(&'a str) -> Option<T>,
    expected: &str,
) -> Result<Vec<Option<T>>, Unfit> {
    let cells = cells.iter().enumerate();
    cells
        .map(|(index, cell)| match cell.map(RawValue::get).filter(|text| *text != "null") {
            None => Ok(None),
            Some(text) => match convert(text) {
                Some(value) => Ok(Some(value)),
                None => {
                    // A value may be a large JSON object.
                    let shown: String = text.chars().take(60).collect();
                    Err(Unfit::Value(index, format!("{shown} is not {expected}")))
                }
            },
        })
        .collect()
}

fn list(item: &Shape, cells: &[Option<&RawValue>]) -> Result<ArrayRef, Unfit> {
    let lists: Vec<Option<Vec<&RawValue>>> =
        read(cells, |text| serde_json::from_str(text).ok(), "a list")?;
    let lengths = lists.iter().map(|list| list.as_ref().map_or(0, Vec::len));
    let offsets = OffsetBuffer::from_lengths(lengths);
    let nulls = NullBuffer::from_iter(lists.iter().map(Option::is_some));
    let items: Vec<Option<&RawValue>> = lists.into_iter().flatten().flatten().map(Some).collect();

    let values = array(item, &items).map_err(|unfit| match unfit {
        Unfit::Value(index, what) => {
            // The row is the last one whose items begin at or before the item.
            let begins = offsets.partition_point(|offset: &i32| offset.as_usize() <= index);
            Unfit::Value(begins - 1, what)
        }
        other => other,
    })?;
    let field = Arc::new(item.field(Field::LIST_FIELD_DEFAULT_NAME));
    Ok(Arc::new(ListArray::try_new(field, offsets, values, Some(nulls))?))
}

fn record(members: &[(String, Shape)], cells: &[Option<&RawValue>]) -> Result<ArrayRef, Unfit> {
    let objects: Vec<Option<Members<'_>>> =
        read(cells, |text| serde_json::from_str(text).ok(), "an object")?;
    let nulls = NullBuffer::from_iter(objects.iter().map(Option::is_some));
    let rows: Vec<Members<'_>> =
        objects.into_iter().map(|object| object.unwrap_or(OrderedFields(Vec::new()))).collect();

    let found = columns(&rows);
    let nothing = vec![None; rows.len()];
    let arrays = members.iter().map(|(name, shape)| {
        let cells = found.iter().find(|(known, _)| known == name);
        array(shape, cells.map_or(&nothing, |(_, cells)| cells))
    });
    let arrays = arrays.collect::<Result<Vec<_>, _>>()?;
    Ok(Arc::new(StructArray::try_new(fields(members), arrays, Some(nulls))?))
}
