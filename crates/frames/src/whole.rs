//! An answer whose rows are as the description says, from its bytes into columns in one pass: no row
//! is cut out, and nothing is copied in between. At the first surprise it gives up; then the rows
//! are found first, and read one by one.

use std::fmt;

use arrow_array::RecordBatch;
use serde::de::{
    DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};

use crate::column::Table;
use crate::fast::Value;
use crate::plan::Plan;
use crate::{Options, Unknown};

/// The batches of an answer; `None` where its rows are to be read one by one.
pub(crate) fn read(plan: &Plan, options: &Options, body: &[u8]) -> Option<Vec<RecordBatch>> {
    // A batch of a larger answer may be full by its bytes, which nobody counts here.
    if !plan.is_record || body.len() > options.batch_bytes {
        return None;
    }
    let text = std::str::from_utf8(body).ok()?;

    let mut rows = Rows {
        table: Table::new(plan),
        batches: Vec::new(),
        batch_rows: options.batch_rows.max(1),
        drops_unknown: plan.unknown == Unknown::Drop,
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
}

impl Rows {
    fn flush(&mut self) -> Result<(), arrow_schema::ArrowError> {
        if self.table.len() > 0 {
            self.batches.push(self.table.finish()?);
        }
        Ok(())
    }
}

/// The object that holds the rows in `data`.
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
        f.write_str("an answer with rows in `data`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut has_rows = false;
        while let Some(name) = map.next_key::<String>()? {
            if name != "data" {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            // Of a member that comes twice the last counts.
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

/// One row, which must be an object.
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
