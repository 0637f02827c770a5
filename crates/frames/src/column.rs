//! Growing buffers for the values of columns. Unlike Arrow's builders, these buffers can remove their last rows. If the
//! fast decoder fails within a row, the incomplete row is removed, and the slow decoder reads the row again.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_array::types::{
    Date32Type, Decimal128Type, Float64Type, Int32Type, Int64Type, TimestampMicrosecondType,
    TimestampMillisecondType, TimestampSecondType,
};
use arrow_array::{
    ArrayRef, ArrowPrimitiveType, BooleanArray, DictionaryArray, ListArray, MapArray,
    PrimitiveArray, RecordBatch, RecordBatchOptions, StringArray, StructArray,
};
use arrow_buffer::{ArrowNativeType, ScalarBuffer};
use arrow_buffer::{BooleanBufferBuilder, Buffer, NullBuffer, NullBufferBuilder, OffsetBuffer};
use arrow_schema::{ArrowError, SchemaRef};

use crate::plan::{DIGITS, Kind, Members, entries, fields, item};

/// Maximum size of the JSON text of one row, in bytes. A batch that has reached this size gets no further row. The text
/// of a batch is therefore smaller than twice this size (1 GiB). Only operations without documented row fields can have
/// larger batches, because all their rows can become one batch.
///
/// Arrow allows 2 GiB of strings per column. The limit of 1 GiB leaves space for the column of unknown fields. This
/// column also stores the path of each value.
pub(crate) const MOST_TEXT: usize = 1 << 29;

/// Values of one column, or of one nested field.
pub(crate) struct Column {
    pub(crate) data: Data,
    pub(crate) validity: NullBufferBuilder,
    /// True if the service sends 0 in place of a missing value. The column then stores 0 as null.
    pub(crate) zero_is_null: bool,
}

pub(crate) enum Data {
    Boolean(BooleanBufferBuilder),
    Integer(Vec<i64>),
    Seconds(Vec<i64>),
    Millis(Vec<i64>),
    SecondsAsMillis(Vec<i64>),
    Days(Vec<i32>),
    Micros(Vec<i64>),
    Float(Vec<f64>),
    Decimal(Vec<i128>, u8),
    Digits(Texts),
    Text(Texts),
    Json(Texts),
    Dictionary(Names),
    Struct(Record),
    List(Vec<i32>, Box<Column>, Kind),
    Map(Vec<i32>, Texts, Box<Column>, Kind),
    Skip,
}

/// Buffers for the fields of a record, one column per field.
pub(crate) struct Record {
    pub(crate) plan: Members,
    pub(crate) columns: Vec<Column>,
    /// Field order of the records so far, as field indexes without unknown fields. Each position contains the field
    /// that was last decoded at this position. The next record usually has this order.
    pub(crate) order: Vec<usize>,
}

impl Record {
    /// Returns the `len` records as an Arrow array, and clears the columns.
    fn finish(&mut self, nulls: Option<NullBuffer>, len: usize) -> Result<ArrayRef, ArrowError> {
        let mut arrays = Vec::with_capacity(self.columns.len());
        for column in &mut self.columns {
            match column.data {
                Data::Skip => drop(column.validity.finish()),
                _ => arrays.push(column.finish()?),
            }
        }
        let fields = fields(&self.plan);
        Ok(Arc::new(StructArray::try_new_with_length(fields, arrays, nulls, len)?))
    }
}

/// Concatenated strings, with the end offset of each string.
pub(crate) struct Texts {
    ends: Vec<i32>,
    bytes: Vec<u8>,
}

impl Texts {
    fn new() -> Self {
        Texts { ends: vec![0], bytes: Vec::new() }
    }

    /// Returns true if the buffer has space for `bytes` more bytes. Arrow limits the size of the buffer to 2 GiB.
    pub(crate) fn takes(&self, bytes: usize) -> bool {
        i32::try_from(self.bytes.len() + bytes).is_ok()
    }

    /// Adds a string. The buffer must have space for the string: the caller calls [`takes`](Self::takes) first, or
    /// limits the JSON text of a batch to less than 2 GiB.
    pub(crate) fn push(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
        self.ends.push(i32::try_from(self.bytes.len()).unwrap_or(i32::MAX));
    }

    fn len(&self) -> usize {
        self.ends.len() - 1
    }

    fn truncate(&mut self, len: usize) {
        self.ends.truncate(len + 1);
        self.bytes.truncate(self.ends[len].as_usize());
    }

    fn finish(&mut self, nulls: Option<NullBuffer>) -> Result<StringArray, ArrowError> {
        let texts = std::mem::replace(self, Texts::new());
        StringArray::try_new(offsets(texts.ends), Buffer::from_vec(texts.bytes), nulls)
    }
}

/// Dictionary-encoded values of an enum column. The dictionary contains the documented values, and any other values in
/// the rows of the current batch.
pub(crate) struct Names {
    known: &'static [&'static str],
    keys: Vec<i32>,
    others: Vec<Box<str>>,
    by_other: HashMap<Box<str>, i32>,
}

impl Names {
    pub(crate) fn push(&mut self, text: &str) {
        // The list is so short that a linear search is faster than a hash map.
        let known = self.known.iter().position(|name| *name == text);
        let key = match known.or_else(|| self.by_other.get(text).map(|key| key.as_usize())) {
            Some(key) => key,
            None => {
                let key = self.known.len() + self.others.len();
                self.others.push(text.into());
                self.by_other.insert(text.into(), i32::try_from(key).unwrap_or(i32::MAX));
                key
            }
        };
        self.keys.push(i32::try_from(key).unwrap_or(i32::MAX));
    }

    fn finish(&mut self, nulls: Option<NullBuffer>) -> Result<ArrayRef, ArrowError> {
        let others = std::mem::take(&mut self.others);
        self.by_other.clear();
        let names = self.known.iter().copied().chain(others.iter().map(|name| &**name));
        let values = Arc::new(StringArray::from_iter_values(names));
        let keys = primitive::<Int32Type>(&mut self.keys, nulls);
        Ok(Arc::new(DictionaryArray::try_new(keys, values)?))
    }
}

impl Data {
    fn new(kind: &Kind) -> Data {
        match kind {
            Kind::ZeroIsNull(inner) => Data::new(inner),
            Kind::Date => Data::Days(Vec::new()),
            Kind::DateTime => Data::Micros(Vec::new()),
            Kind::Boolean => Data::Boolean(BooleanBufferBuilder::new(0)),
            Kind::Integer => Data::Integer(Vec::new()),
            Kind::Seconds => Data::Seconds(Vec::new()),
            Kind::Millis => Data::Millis(Vec::new()),
            Kind::SecondsAsMillis => Data::SecondsAsMillis(Vec::new()),
            Kind::Float => Data::Float(Vec::new()),
            Kind::Decimal(scale) => Data::Decimal(Vec::new(), *scale),

            Kind::Digits => Data::Digits(Texts::new()),
            Kind::Text => Data::Text(Texts::new()),
            Kind::Json => Data::Json(Texts::new()),
            Kind::Dictionary(known) => Data::Dictionary(Names {
                known,
                keys: Vec::new(),
                others: Vec::new(),
                by_other: HashMap::new(),
            }),

            Kind::Struct(plan) => Data::Struct(Record {
                columns: plan.members.iter().map(|member| Column::new(&member.kind)).collect(),
                order: Vec::new(),
                plan: plan.clone(),
            }),
            Kind::List(inner) => {
                Data::List(vec![0], Box::new(Column::new(inner)), (**inner).clone())
            }
            Kind::Map(inner) => {
                let values = Box::new(Column::new(inner));
                Data::Map(vec![0], Texts::new(), values, (**inner).clone())
            }
            Kind::Skip => Data::Skip,
        }
    }
}

impl Column {
    pub(crate) fn new(kind: &Kind) -> Column {
        if let Kind::ZeroIsNull(inner) = kind {
            return Column { zero_is_null: true, ..Column::new(inner) };
        }
        Column { data: Data::new(kind), validity: NullBufferBuilder::new(0), zero_is_null: false }
    }

    pub(crate) fn len(&self) -> usize {
        self.validity.len()
    }

    /// Appends a row with the value null.
    pub(crate) fn push_null(&mut self) {
        match &mut self.data {
            Data::Boolean(bits) => bits.append(false),
            Data::Integer(numbers)
            | Data::Seconds(numbers)
            | Data::Millis(numbers)
            | Data::SecondsAsMillis(numbers)
            | Data::Micros(numbers) => numbers.push(0),
            Data::Days(days) => days.push(0),
            Data::Float(numbers) => numbers.push(0.0),
            Data::Decimal(numbers, _) => numbers.push(0),
            Data::Digits(texts) | Data::Text(texts) | Data::Json(texts) => texts.push(""),
            Data::Dictionary(names) => names.keys.push(0),
            Data::Struct(record) => record.columns.iter_mut().for_each(Column::push_null),
            Data::List(ends, ..) | Data::Map(ends, ..) => ends.push(last(ends)),
            Data::Skip => {}
        }
        self.validity.append_null();
    }

    /// Removes all rows after the first `len` rows.
    pub(crate) fn truncate(&mut self, len: usize) {
        match &mut self.data {
            Data::Boolean(bits) => bits.truncate(len),
            Data::Integer(numbers)
            | Data::Seconds(numbers)
            | Data::Millis(numbers)
            | Data::SecondsAsMillis(numbers)
            | Data::Micros(numbers) => numbers.truncate(len),
            Data::Days(days) => days.truncate(len),
            Data::Float(numbers) => numbers.truncate(len),
            Data::Decimal(numbers, _) => numbers.truncate(len),

            Data::Digits(texts) | Data::Text(texts) | Data::Json(texts) => {
                texts.truncate(len.min(texts.len()));
            }
            Data::Dictionary(names) => names.keys.truncate(len),

            Data::Struct(record) => {
                record.columns.iter_mut().for_each(|column| column.truncate(len));
            }
            Data::List(ends, items, _) => {
                ends.truncate(len + 1);
                items.truncate(last(ends).as_usize());
            }
            Data::Map(ends, keys, values, _) => {
                ends.truncate(len + 1);
                let entries = last(ends).as_usize();
                keys.truncate(entries.min(keys.len()));
                values.truncate(entries);
            }
            Data::Skip => {}
        }

        self.validity.truncate(len.min(self.validity.len()));
    }

    /// Returns the rows as an Arrow array, and clears the column.
    pub(crate) fn finish(&mut self) -> Result<ArrayRef, ArrowError> {
        let len = self.len();
        let nulls = self.validity.finish();
        Ok(match &mut self.data {
            Data::Boolean(bits) => Arc::new(BooleanArray::new(bits.finish(), nulls)),
            Data::Integer(numbers) => Arc::new(primitive::<Int64Type>(numbers, nulls)),
            Data::Seconds(numbers) => {
                Arc::new(primitive::<TimestampSecondType>(numbers, nulls).with_timezone("UTC"))
            }
            Data::Millis(numbers) | Data::SecondsAsMillis(numbers) => {
                Arc::new(primitive::<TimestampMillisecondType>(numbers, nulls).with_timezone("UTC"))
            }
            Data::Micros(numbers) => {
                Arc::new(primitive::<TimestampMicrosecondType>(numbers, nulls).with_timezone("UTC"))
            }
            Data::Days(days) => Arc::new(primitive::<Date32Type>(days, nulls)),
            Data::Float(numbers) => Arc::new(primitive::<Float64Type>(numbers, nulls)),
            Data::Decimal(numbers, scale) => Arc::new(
                primitive::<Decimal128Type>(numbers, nulls)
                    .with_precision_and_scale(DIGITS, scale.cast_signed())?,
            ),

            Data::Digits(texts) | Data::Text(texts) | Data::Json(texts) => {
                Arc::new(texts.finish(nulls)?)
            }
            Data::Dictionary(names) => names.finish(nulls)?,

            Data::Struct(record) => record.finish(nulls, len)?,
            Data::List(ends, items, inner) => {
                let ends = offsets(std::mem::replace(ends, vec![0]));
                Arc::new(ListArray::try_new(Arc::new(item(inner)), ends, items.finish()?, nulls)?)
            }
            Data::Map(ends, keys, values, inner) => {
                let ends = offsets(std::mem::replace(ends, vec![0]));
                let field = entries(inner);
                let arrow_schema::DataType::Struct(fields) = field.data_type() else {
                    return Err(ArrowError::SchemaError("a map has a struct of entries".into()));
                };
                let arrays: Vec<ArrayRef> = vec![Arc::new(keys.finish(None)?), values.finish()?];
                let rows = StructArray::try_new(fields.clone(), arrays, None)?;
                Arc::new(MapArray::try_new(Arc::new(field), ends, rows, nulls, false)?)
            }
            Data::Skip => Arc::new(arrow_array::NullArray::new(len)),
        })
    }

    /// Appends one Arrow array per field of the record to `into`, and clears the columns. If a field contains a
    /// flattened record, each field of that record becomes a separate array.
    fn finish_columns(&mut self, into: &mut Vec<ArrayRef>) -> Result<(), ArrowError> {
        let Data::Struct(record) = &mut self.data else {
            into.push(self.finish()?);
            return Ok(());
        };

        self.validity.finish();
        for column in &mut record.columns {
            match &column.data {
                Data::Skip => drop(column.validity.finish()),
                Data::Struct(inner) if inner.plan.flat.is_some() => column.finish_columns(into)?,
                _ => into.push(column.finish()?),
            }
        }
        Ok(())
    }
}

/// Columns of the record batch that is being filled.
pub(crate) struct Table {
    pub(crate) row: Column,
    /// Column for JSON values that fit no other column. `None` if the options do not request this column.
    pub(crate) unknown: Option<Column>,
    schema: SchemaRef,
}

impl Table {
    pub(crate) fn new(plan: &crate::plan::Plan) -> Table {
        let keeps = matches!(plan.unknown, crate::options::Unknown::Column(_));
        let unknown = keeps.then(|| Column::new(&Kind::Json));
        Table { row: Column::new(&plan.row), unknown, schema: plan.of_rows.clone() }
    }

    pub(crate) fn len(&self) -> usize {
        self.row.len()
    }

    /// Returns the rows as a record batch, and clears the table.
    pub(crate) fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        let rows = self.len();
        let mut arrays = Vec::with_capacity(self.schema.fields().len());
        self.row.finish_columns(&mut arrays)?;
        if let Some(unknown) = &mut self.unknown {
            arrays.push(unknown.finish()?);
        }
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        RecordBatch::try_new_with_options(self.schema.clone(), arrays, &options)
    }
}

pub(crate) fn last(ends: &[i32]) -> i32 {
    ends.last().copied().unwrap_or(0)
}

fn offsets(ends: Vec<i32>) -> OffsetBuffer<i32> {
    OffsetBuffer::new(ScalarBuffer::from(ends))
}

fn primitive<T: ArrowPrimitiveType>(
    numbers: &mut Vec<T::Native>,
    nulls: Option<NullBuffer>,
) -> PrimitiveArray<T> {
    PrimitiveArray::new(ScalarBuffer::from(std::mem::take(numbers)), nulls)
}
