//! Reads the rows of an SQL query result from JSON. The result is a list of row objects, or one object with `columns`
//! and `rows`.
//!
//! The service's documentation describes both formats, so this module accepts both. The result may also be the field
//! `data` of an outer object.

use std::fmt;
use std::marker::PhantomData;

use crypto_intel_core::private::{OrderedFields, reason, spelled_out};
use crypto_intel_core::{HasMeta, HttpInfo, Reported};
use serde::de::value::MapDeserializer;
use serde::de::{
    Deserialize, DeserializeOwned, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess,
    Visitor,
};
use serde_json::Value;
use serde_json::value::RawValue;

/// Value of one column in one row, as JSON text.
pub(super) type Cell = Box<RawValue>;

/// Type into which each row of a query result is decoded.
pub(super) trait DecodeRow: DeserializeOwned {
    /// Creates a row from its values. The values are in the order of the columns, with one value for each column.
    fn from_cells(columns: &[String], cells: Vec<Cell>) -> Result<Self, serde_json::Error>;
}

/// Row of a query result, decoded as the caller's own type `T`.
pub(super) struct Typed<T>(pub(super) T);

impl<'de, T: DeserializeOwned> Deserialize<'de> for Typed<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer).map(Typed)
    }
}

impl<T: DeserializeOwned> DecodeRow for Typed<T> {
    fn from_cells(columns: &[String], cells: Vec<Cell>) -> Result<Self, serde_json::Error> {
        decode_row(columns, &cells).map(Typed)
    }
}

/// Decodes a row as `T`. `T` is decoded from an object that has the names in `columns` and the values in `cells`.
pub(super) fn decode_row<T: DeserializeOwned>(
    columns: &[String],
    cells: &[Cell],
) -> Result<T, serde_json::Error> {
    let read = |cells: &[Cell]| {
        let members = columns.iter().map(String::as_str).zip(cells.iter().map(|cell| &**cell));
        T::deserialize(MapDeserializer::new(members))
    };
    // If the row does not decode, it is decoded a second time with its whole numbers as plain digits. For example,
    // `1.0` becomes `1`.
    read(cells).or_else(|error| {
        let plain: Vec<Cell> = cells.iter().map(with_plain_digits).collect();
        read(&plain).map_err(|_| error)
    })
}

/// Returns a copy of a cell in which whole numbers are plain digits. For example, `1.0` becomes `1`.
fn with_plain_digits(cell: &Cell) -> Cell {
    spelled_out(cell.get())
        .and_then(|text| RawValue::from_string(text).ok())
        .unwrap_or_else(|| cell.clone())
}

/// Row of a query result as pairs of column name and value, in the order of the response.
pub(super) type Ordered = OrderedFields<Cell>;

impl DecodeRow for Ordered {
    fn from_cells(columns: &[String], cells: Vec<Cell>) -> Result<Self, serde_json::Error> {
        Ok(OrderedFields(columns.iter().cloned().zip(cells).collect()))
    }
}

/// Query result as CSV text that the service generated. The body of this response is not JSON.
#[derive(serde::Deserialize)]
pub(super) struct Csv(pub(super) String);

impl Csv {
    /// Returns true if the `Content-Type` of a response is CSV or plain text, or if it is missing.
    pub(super) fn matches_type(http: &HttpInfo) -> bool {
        let kind = http.headers.get(http::header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        kind.is_none_or(|kind| kind.starts_with("text/csv") || kind.starts_with("text/plain"))
    }
}

impl HasMeta for Csv {
    fn glimpse(text: &[u8]) -> Option<Self> {
        std::str::from_utf8(text).ok().map(|text| Csv(text.to_owned()))
    }
}

/// Decoded response with the rows of a query result.
pub(super) struct ResultRows<R> {
    pub(super) rows: Vec<R>,
    /// Column names, if the response has a separate list of them. If the response has no such list, this field is
    /// empty.
    pub(super) columns: Vec<String>,
    /// Number of rows of the whole query result, if the response contains it.
    pub(super) row_count: Option<u64>,
    meta: Value,
}

impl<R> ResultRows<R> {
    /// Returns true if the query result has more rows than the response. Returns `None` if the response contains
    /// neither `has_more` nor the number of rows of the query result.
    pub(super) fn has_more(&self) -> Option<bool> {
        let reported = self.meta.get("has_more").and_then(Value::as_bool);
        reported.or_else(|| self.row_count.map(|count| count > self.rows.len() as u64))
    }
}

impl<R> Default for ResultRows<R> {
    fn default() -> Self {
        ResultRows { rows: Vec::new(), columns: Vec::new(), row_count: None, meta: Value::Null }
    }
}

impl<R> HasMeta for ResultRows<R> {
    fn reported(&self) -> Reported {
        Reported::from_meta(&self.meta)
    }
}

impl<'de, R: DecodeRow> Deserialize<'de> for ResultRows<R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ResultVisitor(PhantomData))
    }
}

struct ResultVisitor<R>(PhantomData<R>);

impl<'de, R: DecodeRow> Visitor<'de> for ResultVisitor<R> {
    type Value = ResultRows<R>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of rows, an object with `data`, or an object with `columns` and `rows`")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<ResultRows<R>, A::Error> {
        let mut answer = ResultRows::default();
        while let Some(row) = seq.next_element()? {
            answer.rows.push(row);
        }
        Ok(answer)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ResultRows<R>, A::Error> {
        let mut answer: Option<ResultRows<R>> = None;
        let (mut columns, mut rows) = (Vec::new(), None);
        let (mut row_count, mut meta) = (None, Value::Null);

        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                "data" => answer = Some(map.next_value::<Option<_>>()?.unwrap_or_default()),
                "meta" => meta = map.next_value()?,
                "columns" => {
                    columns = map.next_value::<Option<Vec<Column>>>()?.unwrap_or_default();
                }
                "rows" => rows = Some(map.next_value::<Option<Vec<Cell>>>()?.unwrap_or_default()),
                "row_count" => row_count = map.next_value::<Option<u64>>()?,
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }

        if let Some(answer) = answer {
            return Ok(ResultRows { meta, ..answer });
        }

        let rows = rows.ok_or_else(|| A::Error::missing_field("data"))?;
        let columns: Vec<String> = columns.into_iter().map(|Column(name)| name).collect();
        let rows = rows.into_iter().enumerate();
        let rows = rows
            .map(|(index, row)| {
                parse_row(&columns, &row)
                    .map_err(|error| A::Error::custom(format!("row {index}: {}", reason(&error))))
            })
            .collect::<Result<_, _>>()?;

        Ok(ResultRows { rows, columns, row_count, meta })
    }
}

/// Decodes one row of a query result whose JSON has the fields `columns` and `rows`. The row is a list of values in
/// column order, or an object.
fn parse_row<R: DecodeRow>(columns: &[String], row: &RawValue) -> Result<R, serde_json::Error> {
    if !row.get().starts_with('[') {
        return serde_json::from_str(row.get());
    }
    let cells: Vec<Cell> = serde_json::from_str(row.get())?;
    if cells.len() != columns.len() {
        let (cells, columns) = (cells.len(), columns.len());
        return Err(serde_json::Error::custom(format!("{cells} values for {columns} columns")));
    }
    R::from_cells(columns, cells)
}

/// Column name. In JSON it is a string, or an object with the field `name`.
struct Column(String);

impl<'de> Deserialize<'de> for Column {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::String(name) => Ok(Column(name)),
            Value::Object(mut column) => match column.remove("name") {
                Some(Value::String(name)) => Ok(Column(name)),
                _ => Err(D::Error::missing_field("name")),
            },
            _ => Err(D::Error::custom("a column must be a name, or an object with a `name`")),
        }
    }
}
