//! Merges rows that an update has received into the rows of an export. All functions of this module are pure.
//!
//! The input is the stored rows of the table, and all rows that the service returned for a time range. The output is
//! all rows of the updated table, ordered by time, and the rows that the update replaced or removed.

use std::collections::HashMap;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use arrow_array::cast::AsArray;
use arrow_array::types::{
    Date32Type, TimestampMicrosecondType, TimestampMillisecondType, TimestampSecondType,
};
use arrow_array::{Array, RecordBatch};
use arrow_schema::{DataType, SchemaRef, TimeUnit};
use arrow_select::concat::concat_batches;
use arrow_select::interleave::interleave_record_batch;
use crypto_intel_core::{Operation, RowOrder};

use super::text::json_rows;
use crate::error::Error;
use crate::provenance::{FETCHED_AT, REQUEST, WATERMARK};

/// Milliseconds of a day.
const DAY: i64 = 86_400_000;

/// Names of the fields by which the rows of an operation are sorted and identified.
#[derive(Debug, Clone, Copy)]
pub(super) struct Order {
    pub(super) operation: &'static Operation,
    /// Name of the field with the time of a row.
    pub(super) time: &'static str,
    /// Names of the key fields, which identify a row. The list is empty if the operation has no key fields. In this
    /// case, two rows are equal if all of their fields are equal.
    pub(super) key: &'static [&'static str],
    /// Name of the parameter that limits a request to rows at or after a given time.
    pub(super) since: Option<&'static str>,
}

impl Order {
    /// Returns the names of the fields by which the rows of an operation are sorted and identified. Returns an error if
    /// the rows have no field with a time.
    pub(super) fn new(operation: &'static Operation) -> Result<Order, Error> {
        let RowOrder { time, key, since } = operation.row_order;
        match time {
            Some(time) => Ok(Order { operation, time, key, since }),
            None => Err(Error::NoTable {
                operation: operation.id,
                reason: "the rows have no time, so an update cannot find the new rows; use `refresh`, which \
                         replaces all rows"
                    .to_owned(),
            }),
        }
    }

    /// Returns the time of each row in Unix milliseconds. Returns an error if a row has no time.
    pub(super) fn times(&self, rows: &RecordBatch) -> Result<Vec<i64>, Error> {
        let fault = |reason: String| Error::NoTable { operation: self.operation.id, reason };
        let Some(column) = rows.column_by_name(self.time) else {
            return Err(fault(format!("there is no column `{}`", self.time)));
        };
        let missing =
            || fault(format!("a row has no `{}`, so the row cannot be sorted by time", self.time));
        let time = |row: usize| millis(column, row).ok_or_else(missing);
        (0..rows.num_rows()).map(time).collect()
    }

    /// Returns one hash per row. The hash is computed from the key fields. The list is empty if the operation has no
    /// key fields.
    pub(super) fn key_hashes(&self, rows: &RecordBatch) -> Result<Vec<u64>, Error> {
        if self.key.is_empty() {
            return Ok(Vec::new());
        }
        let hash = |name: &Vec<u8>| BuildHasherDefault::<DefaultHasher>::default().hash_one(name);
        Ok(self.identities(rows, &[])?.iter().map(hash).collect())
    }

    /// Returns one identifying text per row. The text is the JSON of the key fields. If the operation has no key
    /// fields, the text is the JSON of the whole row, which `contents` contains.
    fn identities(&self, rows: &RecordBatch, contents: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, Error> {
        if self.key.is_empty() {
            return Ok(contents.to_vec());
        }
        let schema = rows.schema();
        let is_key = |index: &usize| self.key.contains(&schema.field(*index).name().as_str());
        texts(rows, &(0..rows.num_columns()).filter(is_key).collect::<Vec<_>>())
    }
}

/// Returns the time that `column` contains at index `row`, in Unix milliseconds. Returns `None` if the value is null or
/// the column contains neither timestamps nor dates.
pub(super) fn millis(column: &dyn Array, row: usize) -> Option<i64> {
    if column.is_null(row) {
        return None;
    }
    match column.data_type() {
        DataType::Timestamp(TimeUnit::Second, _) => {
            column.as_primitive::<TimestampSecondType>().value(row).checked_mul(1_000)
        }
        DataType::Timestamp(TimeUnit::Millisecond, _) => {
            Some(column.as_primitive::<TimestampMillisecondType>().value(row))
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            Some(column.as_primitive::<TimestampMicrosecondType>().value(row).div_euclid(1_000))
        }
        DataType::Date32 => Some(i64::from(column.as_primitive::<Date32Type>().value(row)) * DAY),
        _ => None,
    }
}

/// Returns one JSON text per row. The text contains only the columns whose indexes are in `columns`.
fn texts(rows: &RecordBatch, columns: &[usize]) -> Result<Vec<Vec<u8>>, Error> {
    let mut text = Vec::new();
    json_rows(&rows.project(columns)?, &mut text);
    // Line breaks inside of values are escaped.
    let lines = text.split(|byte| *byte == b'\n').take(rows.num_rows());
    Ok(lines.map(<[u8]>::to_vec).collect())
}

/// Returns the JSON text of each row, without the provenance columns, which contain the origin of the row.
fn contents(rows: &RecordBatch) -> Result<Vec<Vec<u8>>, Error> {
    let schema = rows.schema();
    let is_origin = |name: &str| [FETCHED_AT, WATERMARK, REQUEST].contains(&name);
    let of_rows = (0..rows.num_columns()).filter(|index| !is_origin(schema.field(*index).name()));
    texts(rows, &of_rows.collect::<Vec<_>>())
}

/// Rows of a table after an update, and the rows that the update changed.
pub(super) struct Merged {
    /// Rows of the table, ordered by time.
    pub(super) rows: RecordBatch,
    /// Stored rows that the update has replaced or removed. For each of these rows, `replaced_by` contains the index of
    /// the replacement in the received rows, or `None` if the row has no replacement.
    pub(super) superseded: RecordBatch,
    pub(super) replaced_by: Vec<Option<usize>>,
    pub(super) added: u64,
    /// Number of stored rows that the service no longer returns.
    pub(super) removed: u64,
}

/// Merges the rows `new`, which the service returned, into the stored rows `old`. `new` must be complete from its
/// earliest row on. For example, if the earliest row of `new` is from 10:00, stored rows from 10:00 or later are
/// removed if they are missing in `new`.
pub(super) fn merge(
    order: &Order,
    schema: &SchemaRef,
    old: &[RecordBatch],
    new: &RecordBatch,
) -> Result<Merged, Error> {
    let old = concat_batches(schema, old)?;
    let (old_times, new_times) = (order.times(&old)?, order.times(new)?);
    let (old_contents, new_contents) = (contents(&old)?, contents(new)?);
    let old_names = order.identities(&old, &old_contents)?;
    let new_names = order.identities(new, &new_contents)?;
    let start = new_times.iter().min().copied().unwrap_or(i64::MAX);

    // Rows of `new` that are not matched with a row of `old` yet. The key is the identifying text, and the value is the
    // row indexes.
    let mut open: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for (row, name) in new_names.iter().enumerate() {
        let rows = open.entry(name).or_default();
        // If the list shifted while its pages were read, `new` contains a row twice. The last occurrence is the latest.
        if !order.key.is_empty() {
            rows.clear();
        }
        rows.push(row);
    }

    // If an export was interrupted while the list shifted, `old` can also contain a row twice. The last occurrence is
    // the latest.
    let mut last: HashMap<&[u8], usize> = HashMap::new();
    if !order.key.is_empty() {
        last.extend(old_names.iter().enumerate().map(|(row, name)| (name.as_slice(), row)));
    }

    let (mut picked, mut superseded, mut replaced_by) = (Vec::new(), Vec::new(), Vec::new());
    let mut removed = 0;
    for (row, time) in old_times.iter().enumerate() {
        let name = old_names[row].as_slice();
        if last.get(name).is_some_and(|last| *last != row) {
            superseded.push(row);
            replaced_by.push(None);
            continue;
        }

        let is_covered = *time >= start || !order.key.is_empty() && open.contains_key(name);
        if !is_covered {
            picked.push((*time, (0, row)));
            continue;
        }
        match open.get_mut(name).and_then(Vec::pop) {
            // An unchanged row keeps the provenance of its first response.
            Some(same) if old_contents[row] == new_contents[same] => picked.push((*time, (0, row))),
            Some(other) => {
                picked.push((new_times[other], (1, other)));
                superseded.push(row);
                replaced_by.push(Some(other));
            }
            None => {
                superseded.push(row);
                replaced_by.push(None);
                removed += 1;
            }
        }
    }

    let mut left: Vec<usize> = open.into_values().flatten().collect();
    left.sort_unstable();
    let added = left.len() as u64;
    picked.extend(left.into_iter().map(|row| (new_times[row], (1, row))));
    picked.sort_by_key(|(time, _)| *time);
    let picked: Vec<(usize, usize)> = picked.into_iter().map(|(_, place)| place).collect();
    let superseded: Vec<(usize, usize)> = superseded.into_iter().map(|row| (0, row)).collect();
    Ok(Merged {
        rows: take(&[&old, new], &picked)?,
        superseded: take(&[&old, new], &superseded)?,
        replaced_by,
        added,
        removed,
    })
}

fn take(batches: &[&RecordBatch], places: &[(usize, usize)]) -> Result<RecordBatch, Error> {
    match places {
        [] => Ok(batches[0].slice(0, 0)),
        _ => Ok(interleave_record_batch(batches, places)?),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{ArrayRef, Int64Array, StringArray, TimestampSecondArray};

    use super::*;

    /// Creates a batch of rows from tuples of time, key and value.
    fn batch(rows: &[(i64, &str, i64)]) -> RecordBatch {
        let times: TimestampSecondArray = rows.iter().map(|row| Some(row.0)).collect();
        let keys: StringArray = rows.iter().map(|row| Some(row.1)).collect();
        let values: Int64Array = rows.iter().map(|row| Some(row.2)).collect();
        let columns: [(&str, ArrayRef); 3] =
            [("time", Arc::new(times)), ("key", Arc::new(keys)), ("value", Arc::new(values))];
        RecordBatch::try_from_iter(columns).expect("a batch")
    }

    /// Formats each row as a JSON text.
    fn written(rows: &RecordBatch) -> Vec<String> {
        let mut text = Vec::new();
        json_rows(rows, &mut text);
        String::from_utf8(text).expect("JSON").lines().map(str::to_owned).collect()
    }

    fn merged(
        key: &'static [&'static str],
        old: &[(i64, &str, i64)],
        new: &[(i64, &str, i64)],
    ) -> Merged {
        let order = Order {
            operation: crypto_intel::catalogue::OPERATIONS[0],
            time: "time",
            key,
            since: None,
        };
        let (old, new) = (batch(old), batch(new));
        merge(&order, &old.schema(), &[old], &new).expect("rows")
    }

    #[test]
    fn merge_adds_replaces_removes_and_keeps() {
        let old = [(1, "a", 1), (2, "b", 2), (3, "c", 3), (4, "d", 4)];
        let new = [(5, "e", 5), (4, "d", 40), (3, "late", 30), (2, "b", 2), (5, "e", 50)];
        let result = merged(&["key"], &old, &new);
        let expected = [(1, "a", 1), (2, "b", 2), (3, "late", 30), (4, "d", 40), (5, "e", 50)];
        assert_eq!(written(&result.rows), written(&batch(&expected)));
        assert_eq!(written(&result.superseded), written(&batch(&[(3, "c", 3), (4, "d", 4)])));
        assert_eq!(result.replaced_by, [None, Some(1)]);
        assert_eq!(result.added, 2);
    }

    #[test]
    fn rows_with_one_key_are_one_row_wherever_their_times_are() {
        let old = [(1, "a", 1), (2, "b", 1), (2, "b", 2), (3, "c", 3)];
        let result = merged(&["key"], &old, &[(4, "a", 4), (3, "c", 3)]);
        let expected = [(2, "b", 2), (3, "c", 3), (4, "a", 4)];
        assert_eq!(written(&result.rows), written(&batch(&expected)));
        assert_eq!((result.added, result.removed, result.superseded.num_rows()), (0, 0, 2));
    }

    #[test]
    fn rows_without_key_are_compared_as_a_whole_and_keep_their_number() {
        let old = [(1, "a", 1), (1, "a", 1), (2, "b", 2)];
        let new = [(1, "a", 1), (1, "a", 1), (1, "a", 1), (2, "b", 3)];
        let result = merged(&[], &old, &new);
        let expected = [(1, "a", 1), (1, "a", 1), (1, "a", 1), (2, "b", 3)];
        assert_eq!(written(&result.rows), written(&batch(&expected)));
        assert_eq!((result.added, result.superseded.num_rows()), (2, 1));
    }

    #[test]
    fn empty_reading_changes_nothing() {
        let old = [(1, "a", 1), (2, "b", 2)];
        let result = merged(&["key"], &old, &[]);
        assert_eq!(written(&result.rows), written(&batch(&old)));
        assert_eq!((result.added, result.superseded.num_rows()), (0, 0));
    }
}
