//! Fast decoder for a whole response that matches the OpenAPI document. The decoder reads the response in one pass.
//! Several threads decode the parts of a large response in parallel. At the first mismatch, the decoder stops and
//! returns `None`, and the caller decodes the rows one by one.

use std::{fmt, thread};

use arrow_array::RecordBatch;
use serde::de::{
    DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};

use crate::column::{MOST_TEXT, Table};
use crate::fast::Value;
use crate::options::{Options, Unknown};
use crate::plan::Plan;

/// Minimum size of a response that several threads decode, in bytes.
const LARGE: usize = 256 << 10;

/// Number of parts of a large response, each with its own thread. The number does not depend on the machine, so the
/// batches are the same on every machine.
const PARTS: usize = 4;

/// Decodes a response into batches. Returns `None` if the rows of the response must be decoded one by one.
pub(crate) fn read(plan: &Plan, options: &Options, body: &[u8]) -> Option<Vec<RecordBatch>> {
    // A batch of a larger response could exceed the maximum size in bytes, which this module does not check.
    if !plan.is_record || body.len() > options.batch_bytes.min(MOST_TEXT) {
        return None;
    }
    let text = std::str::from_utf8(body).ok()?;
    let by_threads = || (text.len() >= LARGE).then(|| side_by_side(plan, options, text)).flatten();
    by_threads().or_else(|| read_part(plan, options, text, false))
}

/// Decodes the rows with several threads, each for one part of the text. Returns `None` if the text cannot be split
/// between two rows, or if a part does not match the OpenAPI document.
fn side_by_side(plan: &Plan, options: &Options, text: &str) -> Option<Vec<RecordBatch>> {
    let parts = parts(text)?;
    let last = parts.len() - 1;
    thread::scope(|scope| {
        let read = |(index, rows)| {
            let begin = if index > 0 { BEGIN } else { "" };
            let end = if index < last { END } else { "" };
            let answer = [begin, rows, end];
            // The thread that decodes the part also copies it.
            scope.spawn(move || read_part(plan, options, &answer.concat(), !end.is_empty()))
        };
        let readers: Vec<_> = parts.into_iter().enumerate().map(read).collect();

        let mut batches = Vec::new();
        for reader in readers {
            batches.extend(reader.join().ok()??);
        }
        Some(batches)
    })
}

/// Text that the decoder puts before each part of a response except the first. The decoder puts the text `END` after
/// each part except the last. Each part then is a valid JSON object.
const BEGIN: &str = r#"{"data":["#;
const END: &str = "]}";

/// Cuts a response into parts at the text `},{`, which usually stands between two rows. The decoder detects each wrong
/// cut. After a cut inside a string or a row, a part is not valid JSON. After a cut inside a field behind the rows, such
/// as `meta`, the last part with rows also contains a piece of this field.
fn parts(text: &str) -> Option<Vec<&str>> {
    let mut parts = Vec::new();
    let mut rest = text;
    for part in (1..PARTS).rev() {
        let from = text.len() / PARTS * part;
        let near = &text.as_bytes()[from..text.len().min(from + NEAR)];
        let comma = from + 1 + near.windows(3).position(|bytes| bytes == b"},{")?;
        let (before, after) = (rest.get(..comma)?, rest.get(comma + 1..)?);
        parts.push(after);
        rest = before;
    }
    parts.push(rest);
    parts.reverse();
    Some(parts)
}

/// Maximum number of bytes that [`parts`] reads to find one cut. A cut is made at a text `},{`, which usually stands
/// between two rows.
const NEAR: usize = 64 << 10;

/// Decodes a response, or a part of a response, into batches. Returns `None` if `text` does not match the OpenAPI
/// document. `is_cut` is true if another part of the response follows `text`. If `is_cut` is true and `text` has a
/// field after the rows, such as `meta`, the cut is not between two rows, and the function returns `None`.
fn read_part(plan: &Plan, options: &Options, text: &str, is_cut: bool) -> Option<Vec<RecordBatch>> {
    let mut rows = Rows {
        table: Table::new(plan),
        batches: Vec::new(),
        batch_rows: options.batch_rows.max(1),
        drops_unknown: plan.unknown == Unknown::Drop,
        is_cut,
    };
    let mut json = serde_json::Deserializer::from_str(text);
    Answer(&mut rows).deserialize(&mut json).ok()?;
    json.end().ok()?;
    rows.flush().ok()?;
    Some(rows.batches)
}

struct Rows {
    table: Table,
    batches: Vec<RecordBatch>,
    batch_rows: usize,
    drops_unknown: bool,
    /// True if the response was cut into parts, and this is not the last part. The part must then end with a row. If a
    /// field such as `meta` follows the rows, the cut was at a wrong position and the decoder returns an error.
    is_cut: bool,
}

impl Rows {
    fn flush(&mut self) -> Result<(), arrow_schema::ArrowError> {
        if self.table.len() > 0 {
            self.batches.push(self.table.finish()?);
        }
        Ok(())
    }
}

/// Deserializer seed for the response object, which contains the rows in `data`.
struct Answer<'a>(&'a mut Rows);

impl<'de> DeserializeSeed<'de> for Answer<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Answer<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a response with rows in `data`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut has_rows = false;
        while let Some(name) = map.next_key::<String>()? {
            if name != "data" {
                if has_rows && self.0.is_cut {
                    return Err(A::Error::custom("cut behind the rows"));
                }
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            // If `data` is repeated, the caller decodes the rows one by one, and keeps the last value of `data`.
            if std::mem::replace(&mut has_rows, true) {
                return Err(A::Error::custom("rows twice"));
            }
            map.next_value_seed(List(&mut *self.0))?;
        }
        if has_rows { Ok(()) } else { Err(A::Error::custom("no rows")) }
    }
}

struct List<'a>(&'a mut Rows);

impl<'de> DeserializeSeed<'de> for List<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for List<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of rows")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let rows = self.0;
        while list.next_element_seed(Row(rows))?.is_some() {
            if let Some(unknown) = &mut rows.table.unknown {
                unknown.push_null();
            }
            if rows.table.len() >= rows.batch_rows {
                rows.flush().map_err(A::Error::custom)?;
            }
        }
        Ok(())
    }
}

/// Deserializer seed for one row, which must be an object.
struct Row<'a>(&'a mut Rows);

impl<'de> DeserializeSeed<'de> for Row<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        json.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Row<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a row")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        let drops_unknown = self.0.drops_unknown;
        Value { column: &mut self.0.table.row, drops_unknown }.visit_map(map)
    }
}
