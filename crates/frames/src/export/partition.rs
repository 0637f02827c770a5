//! Splits record batches into one batch per partition folder.
//!
//! The input is a batch and a [`Partition`], which names a column. The output is one batch per value or day in this
//! column.

use std::collections::BTreeMap;
use std::fmt;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, Int32Type, Int64Type, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampSecondType,
};
use arrow_array::{Array, RecordBatch, UInt64Array};
use arrow_schema::{DataType, Schema, SchemaRef, TimeUnit};
use arrow_select::take::take_record_batch;

use crate::Error;

/// Rule that assigns rows to folders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Partition {
    /// One folder per value of this column, such as `side=buy/`. The column must contain strings, integers or booleans.
    /// The files do not contain this column, because readers of partitioned folders read the value from the folder
    /// name.
    Column(String),
    /// One folder per UTC day of the times in this column, such as `day=2026-01-31/`. The column must contain
    /// timestamps or dates.
    Day(String),
}

impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Partition::Column(name) => f.write_str(name),
            Partition::Day(name) => write!(f, "day:{name}"),
        }
    }
}

/// Text that replaces a null or an empty string in a folder name, such as `side=__HIVE_DEFAULT_PARTITION__`. Hive uses
/// the same text.
const NO_VALUE: &str = "__HIVE_DEFAULT_PARTITION__";

/// Maximum length of a folder name in bytes. All common file systems allow this length.
const MOST_NAME: usize = 255;

/// Text before `=` in the folder names of [`Partition::Day`], such as `day=2026-01-31`.
const DAY: &str = "day";

/// Assigns the rows of a batch to folders.
pub(super) struct Divider {
    operation: &'static str,
    partition: Partition,
    column: usize,
    /// Indexes of the columns that are written to the files.
    kept: Vec<usize>,
    pub(super) schema: SchemaRef,
}

impl Divider {
    pub(super) fn new(
        partition: &Partition,
        operation: &'static str,
        schema: &Schema,
    ) -> Result<Divider, Error> {
        let refused = |reason| Error::NoTable { operation, reason };
        let (Partition::Column(name) | Partition::Day(name)) = partition;
        let Some((column, field)) = schema.column_with_name(name) else {
            let names: Vec<_> = schema.fields().iter().map(|field| field.name().as_str()).collect();
            let names = names.join(", ");
            return Err(refused(format!(
                "cannot partition by the unknown column `{name}`; the columns are {names}"
            )));
        };

        let is_time = matches!(field.data_type(), DataType::Timestamp(..) | DataType::Date32);
        let fits = match partition {
            Partition::Day(_) if schema.column_with_name(DAY).is_some() => {
                return Err(refused(format!(
                    "cannot partition by day: the rows already have a column `{DAY}`"
                )));
            }
            Partition::Day(_) => is_time,
            Partition::Column(_) => matches!(
                field.data_type(),
                DataType::Utf8 | DataType::Dictionary(..) | DataType::Int64 | DataType::Boolean
            ),
        };
        if !fits {
            let ty = field.data_type();
            return Err(refused(format!("cannot partition by `{name}`, which has the type {ty}")));
        }

        let drops = matches!(partition, Partition::Column(_));
        let kept: Vec<_> =
            (0..schema.fields().len()).filter(|index| !drops || *index != column).collect();
        let schema = std::sync::Arc::new(schema.project(&kept)?);
        Ok(Divider { operation, partition: partition.clone(), column, kept, schema })
    }

    /// Splits a batch by partition folder. The keys of the result are folder names. The rows of each folder keep their
    /// order.
    pub(super) fn divide(
        &self,
        batch: &RecordBatch,
    ) -> Result<BTreeMap<String, RecordBatch>, Error> {
        let array = batch.column(self.column);
        let mut rows: BTreeMap<String, Vec<u64>> = BTreeMap::new();
        for (row, index) in (0..array.len()).zip(0_u64..) {
            rows.entry(self.folder(array, row)?).or_default().push(index);
        }

        let kept = batch.project(&self.kept)?;
        if rows.len() == 1 {
            return Ok(rows.into_keys().map(|folder| (folder, kept.clone())).collect());
        }
        rows.into_iter()
            .map(|(folder, rows)| Ok((folder, take_record_batch(&kept, &UInt64Array::from(rows))?)))
            .collect()
    }

    fn folder(&self, array: &dyn Array, row: usize) -> Result<String, Error> {
        let value = array.is_valid(row).then(|| text(array, row)).flatten();
        let name = match &self.partition {
            Partition::Column(name) => name,
            Partition::Day(_) => DAY,
        };
        let folder = match value.as_deref() {
            None | Some("") => format!("{}={NO_VALUE}", escaped(name)),
            Some(value) => format!("{}={}", escaped(name), escaped(value)),
        };
        if folder.len() > MOST_NAME {
            let reason = format!(
                "a value of the column `{name}` needs a folder name of {} bytes, but file \
                 systems allow at most {MOST_NAME}; export without a partition, or partition by \
                 another column",
                folder.len()
            );
            return Err(Error::NoTable { operation: self.operation, reason });
        }
        Ok(folder)
    }
}

fn text(array: &dyn Array, row: usize) -> Option<String> {
    let day =
        |seconds| Some(chrono::DateTime::from_timestamp(seconds, 0)?.date_naive().to_string());
    match array.data_type() {
        DataType::Utf8 => Some(array.as_string::<i32>().value(row).to_owned()),
        DataType::Dictionary(..) => {
            let texts = array.as_dictionary::<Int32Type>();
            Some(texts.values().as_string::<i32>().value(texts.key(row)?).to_owned())
        }
        DataType::Int64 => Some(array.as_primitive::<Int64Type>().value(row).to_string()),
        DataType::Boolean => Some(array.as_boolean().value(row).to_string()),
        DataType::Timestamp(TimeUnit::Second, _) => {
            day(array.as_primitive::<TimestampSecondType>().value(row))
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            day(array.as_primitive::<TimestampMicrosecondType>().value(row).div_euclid(1_000_000))
        }
        DataType::Date32 => {
            Some(array.as_primitive::<Date32Type>().value_as_date(row)?.to_string())
        }
        DataType::Timestamp(..) => {
            day(array.as_primitive::<TimestampMillisecondType>().value(row).div_euclid(1_000))
        }
        _ => None,
    }
}

/// Percent-encodes a column name or a value for a folder name. The encoding is `%` and two hexadecimal digits per byte,
/// as in Hive.
pub(super) fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for char in text.chars() {
        if char.is_ascii_alphanumeric() || matches!(char, '-' | '_' | '.' | ' ' | '+' | '@') {
            escaped.push(char);
            continue;
        }
        let mut bytes = [0; 4];
        for byte in char.encode_utf8(&mut bytes).bytes() {
            escaped.push_str(&format!("%{byte:02X}"));
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::StringArray;

    use super::*;

    #[test]
    fn partition_rejects_value_that_is_too_long_for_a_folder_name() {
        for (value, is_short) in [("a".repeat(253), true), ("a".repeat(254), false)] {
            let column = Arc::new(StringArray::from(vec![value]));
            let batch = RecordBatch::try_from_iter([("n", column as _)]).expect("a batch");
            let by = Partition::Column("n".to_owned());
            let divider = Divider::new(&by, "x", &batch.schema()).expect("a text column");
            assert_eq!(divider.divide(&batch).is_ok(), is_short);
        }
    }
}
