//! Infers the type of a column from its values.
//!
//! The input is the JSON values of a column. The output is the narrowest Arrow type that represents all values.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_schema::{ArrowError, DataType, Field, Fields, TimeUnit};
use crypto_intel_core::private::OrderedFields;
use serde_json::value::RawValue;

/// Maximum number of fields of a JSON object that becomes a struct. [`DEEPEST`] is the maximum nesting depth. Larger or
/// deeper objects are stored as JSON text.
const MOST_MEMBERS: usize = 200;
const DEEPEST: usize = 16;

/// Column type, which is inferred from JSON values or set by the caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Shape {
    /// Column that contains only nulls.
    Null,
    Boolean,
    Number(Fits),
    /// The JSON values are Unix seconds. The column stores them as timestamps in this unit: seconds or milliseconds.
    Time(TimeUnit),
    Text,
    List(Box<Shape>),
    Struct(Vec<(String, Shape)>),
    /// Values that are stored as JSON text: values of different types, empty objects, and values that are too large or
    /// too deeply nested for a struct or list.
    Json,
}

/// Set of number types, with one flag per type. The flag of a type is true if the type represents all numbers of a
/// column exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fits {
    pub(super) signed: bool,
    pub(super) unsigned: bool,
    pub(super) float: bool,
}

impl Shape {
    /// Infers the column type from all values of a column.
    pub(super) fn of_cells(cells: &[Option<&RawValue>]) -> Shape {
        Shape::of_all(cells.iter().flatten().copied(), DEEPEST)
    }

    fn of_all<'a>(values: impl Iterator<Item = &'a RawValue>, depth: usize) -> Shape {
        values.fold(Shape::Null, |shape, value| shape.merged(Shape::from_value(value, depth)))
    }

    fn from_value(value: &RawValue, depth: usize) -> Shape {
        let text = value.get();
        match text.as_bytes().first() {
            Some(b'n') => Shape::Null,
            Some(b't' | b'f') => Shape::Boolean,
            Some(b'"') => Shape::Text,
            Some(b'[') if depth > 0 => match serde_json::from_str::<Vec<&RawValue>>(text) {
                Ok(items) => Shape::List(Box::new(Shape::of_all(items.into_iter(), depth - 1))),
                Err(_) => Shape::Json,
            },
            Some(b'{') if depth > 0 => match members(value) {
                // Parquet has no structs without fields.
                Some(OrderedFields(members)) if (1..=MOST_MEMBERS).contains(&members.len()) => {
                    let members = members.into_iter();
                    Shape::Struct(
                        members
                            .map(|(name, value)| (name, Shape::from_value(value, depth - 1)))
                            .collect(),
                    )
                }
                _ => Shape::Json,
            },
            Some(b'[' | b'{') => Shape::Json,
            _ => Shape::Number(Fits::from_text(text)),
        }
    }

    /// Returns the narrowest column type that can store the values of both column types.
    fn merged(self, other: Shape) -> Shape {
        match (self, other) {
            (Shape::Null, shape) | (shape, Shape::Null) => shape,
            (Shape::Number(one), Shape::Number(other)) => Shape::Number(Fits {
                signed: one.signed && other.signed,
                unsigned: one.unsigned && other.unsigned,
                float: one.float && other.float,
            }),
            (Shape::List(one), Shape::List(other)) => Shape::List(Box::new(one.merged(*other))),
            (Shape::Struct(one), Shape::Struct(other)) => Shape::of_members(one, other),
            (one, other) if one == other => one,
            _ => Shape::Json,
        }
    }

    fn of_members(mut all: Vec<(String, Shape)>, others: Vec<(String, Shape)>) -> Shape {
        for (name, shape) in others {
            match all.iter_mut().find(|(known, _)| *known == name) {
                Some((_, known)) => *known = std::mem::replace(known, Shape::Null).merged(shape),
                None => all.push((name, shape)),
            }
        }
        if all.len() > MOST_MEMBERS { Shape::Json } else { Shape::Struct(all) }
    }

    /// Converts an Arrow type, which the caller has set, to a column type. Returns an error for an unsupported type.
    pub(super) fn of_type(ty: &DataType) -> Result<Shape, ArrowError> {
        let only = |signed, unsigned, float| Shape::Number(Fits { signed, unsigned, float });
        Ok(match ty {
            DataType::Null => Shape::Null,
            DataType::Boolean => Shape::Boolean,
            DataType::Int64 => only(true, false, false),
            DataType::UInt64 => only(false, true, false),
            DataType::Float64 => only(false, false, true),
            DataType::Utf8 => Shape::Text,
            DataType::Timestamp(unit @ (TimeUnit::Second | TimeUnit::Millisecond), _) => {
                Shape::Time(*unit)
            }

            DataType::List(item) => Shape::List(Box::new(Shape::of_type(item.data_type())?)),
            DataType::Struct(fields) => {
                let member =
                    |field: &Field| Ok((field.name().clone(), Shape::of_type(field.data_type())?));
                Shape::Struct(
                    fields.iter().map(|field| member(field)).collect::<Result<_, ArrowError>>()?,
                )
            }
            other => {
                return Err(ArrowError::SchemaError(format!(
                    "a column cannot have the type {other}; use Boolean, Int64, UInt64, Float64, Utf8, \
                     Timestamp of seconds or milliseconds, or a list or struct of these types"
                )));
            }
        })
    }

    /// Returns the Arrow type of the column.
    pub(super) fn data_type(&self) -> DataType {
        match self {
            Shape::Null => DataType::Null,
            Shape::Boolean => DataType::Boolean,
            Shape::Number(fits) => fits.data_type(),
            Shape::Time(unit) => DataType::Timestamp(*unit, Some("UTC".into())),
            Shape::Text | Shape::Json => DataType::Utf8,
            Shape::List(item) => {
                DataType::List(Arc::new(item.field(Field::LIST_FIELD_DEFAULT_NAME)))
            }
            Shape::Struct(members) => DataType::Struct(fields(members)),
        }
    }

    /// Creates the Arrow field of a column. If the column contains JSON text, the field has the metadata `content` =
    /// `json`. Columns of documented fields with JSON text have the same metadata.
    pub(super) fn field(&self, name: &str) -> Field {
        let field = Field::new(name, self.data_type(), true);
        match self {
            Shape::Json => field.with_metadata([("content".into(), "json".into())].into()),
            _ => field,
        }
    }
}

/// Creates the Arrow fields of a struct column.
pub(super) fn fields(members: &[(String, Shape)]) -> Fields {
    members.iter().map(|(name, shape)| shape.field(name)).collect()
}

impl Fits {
    fn from_text(text: &str) -> Fits {
        // An integer type has no negative zero.
        let is_whole = text != "-0";
        Fits {
            signed: is_whole && text.parse::<i64>().is_ok(),
            unsigned: is_whole && text.parse::<u64>().is_ok(),
            float: fits_float(text),
        }
    }

    /// Returns the narrowest Arrow type that represents all numbers exactly. If no number type represents all numbers
    /// exactly, returns `Utf8`.
    pub(super) fn data_type(self) -> DataType {
        match self {
            Fits { signed: true, .. } => DataType::Int64,
            Fits { unsigned: true, .. } => DataType::UInt64,
            Fits { float: true, .. } => DataType::Float64,
            _ => DataType::Utf8,
        }
    }
}

/// Returns true if a 64-bit float can store the number. This is the case if a conversion to a float and back to text
/// returns an equal number. For example, the result is true for `1.10` and `0.1`, and false for `9007199254740993`.
fn fits_float(text: &str) -> bool {
    let Ok(float) = text.parse::<f64>() else { return false };
    float.is_finite() && scientific(text) == scientific(&format!("{float:e}"))
}

/// Splits a number into sign, digits without leading and trailing zeros, and the power of ten of the last digit. The
/// sign is true for a negative number. For example, `1.50` has the digits `15` and the power -1. Returns `None` if the
/// power is out of range.
fn scientific(text: &str) -> Option<(bool, String, i64)> {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let negative = mantissa.starts_with('-');
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{}{fraction}", whole.trim_start_matches('-'));

    let kept = digits.trim_end_matches('0');
    let dropped = i64::try_from(digits.len() - kept.len()).ok()?;
    let kept = kept.trim_start_matches('0');
    if kept.is_empty() {
        return Some((negative, String::new(), 0));
    }
    let power = exponent.parse::<i64>().ok()?.checked_sub(i64::try_from(fraction.len()).ok()?)?;
    Some((negative, kept.to_owned(), power.checked_add(dropped)?))
}

/// Fields of a JSON object, with the JSON text of each value.
pub(super) type Members<'a> = OrderedFields<&'a RawValue>;

/// Parses the fields of a JSON object. Returns `None` for any other JSON value.
pub(super) fn members(value: &RawValue) -> Option<Members<'_>> {
    serde_json::from_str(value.get()).ok()
}

/// Returns the fields of all rows, in the order of first appearance. Each field has one value per row; the value is
/// `None` if the row lacks the field. If a row repeats a field, the last value is kept.
pub(super) fn columns<'a>(rows: &[Members<'a>]) -> Vec<(String, Vec<Option<&'a RawValue>>)> {
    let mut columns: Vec<(String, Vec<Option<&RawValue>>)> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (index, OrderedFields(members)) in rows.iter().enumerate() {
        for (name, value) in members {
            let place = *places.entry(name).or_insert_with(|| {
                columns.push((name.clone(), vec![None; rows.len()]));
                columns.len() - 1
            });
            columns[place].1[index] = Some(value);
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(values: &[&str]) -> DataType {
        let values: Vec<Box<RawValue>> =
            values.iter().map(|text| RawValue::from_string((*text).to_owned()).unwrap()).collect();
        let cells: Vec<_> = values.iter().map(|value| Some(&**value)).collect();
        Shape::of_cells(&cells).data_type()
    }

    #[test]
    fn a_column_has_the_narrowest_type_that_loses_nothing() {
        use DataType::{Boolean, Float64, Int64, Null, UInt64, Utf8};
        for (values, expected) in [
            (&["null", "null"][..], Null),
            (&["true", "null"], Boolean),
            (&["1", "-9223372036854775808"], Int64),
            (&["1", "18446744073709551615"], UInt64),
            (&["-1", "18446744073709551615"], Utf8),
            (&["18446744073709551616"], Utf8),
            (&["18446744073709551617"], Utf8),
            (&["1.10", "2", "1e300"], Float64),
            (&["0.1", "9007199254740993"], Utf8),
            (&["1.00000000000000000001"], Utf8),
            (&["1e999999999999"], Utf8),
            (&["-0"], Float64),
            (&["\"a\"", "\"b\""], Utf8),
            (&["\"a\"", "1"], Utf8),
            (&["[1]", "[]"], DataType::new_list(Int64, true)),
            (&["[1]", "{}"], Utf8),
            (&["{}"], Utf8),
        ] {
            assert_eq!(shape(values), expected, "{values:?}");
        }

        let both = shape(&[r#"{"a":1}"#, r#"{"b":[true],"a":null}"#]);
        let list = Field::new("b", DataType::new_list(Boolean, true), true);
        assert_eq!(both, DataType::Struct(vec![Field::new("a", Int64, true), list].into()));
    }
}
