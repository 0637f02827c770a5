//! Options for converting responses to tables.
//!
//! They select the columns, and the column types of metrics, numbers, enums and timestamps.

use arrow_schema::SchemaRef;

/// Options for converting responses to tables.
///
/// # Defaults
/// Nested records are structs. Metrics are structs whose values are strings. Other numbers are 64-bit floats, as in the
/// client's records. Open enums are dictionaries. Timestamps have the unit that the service sends. Values that fit no
/// column are in the column `_extra`. Batches have up to 8,192 rows or 8 MiB of JSON text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Column type of nested records.
    pub nested: Nested,
    /// Column type of metrics in financial statements. A metric contains a value, or the reason why the value is
    /// missing.
    pub figures: Figures,
    /// Column type of the values of metrics, which the service sends as exact decimals.
    pub figure_values: Numbers,
    /// Column type of decimal numbers that are not values of metrics.
    pub numbers: Numbers,
    /// Column type of open enums, to which the service may add values.
    pub enums: Enums,
    /// Unit of timestamps.
    pub times: Times,
    /// Handling of values that fit no column.
    pub unknown: Unknown,
    /// Columns of operations whose row fields are not documented.
    pub columns: Columns,
    /// True to add the columns `_fetched_at`, `_watermark` and `_request` with the origin of each row.
    pub provenance: bool,
    /// Maximum number of rows per batch; 0 counts as 1.
    pub batch_rows: usize,
    /// Size of the JSON text, in bytes, at which a batch is full even if it has few rows.
    pub batch_bytes: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            nested: Nested::Struct,
            figures: Figures::Struct,
            figure_values: Numbers::Text,
            numbers: Numbers::Float,
            enums: Enums::Dictionary,
            times: Times::AsSent,
            unknown: Unknown::Column("_extra".to_owned()),
            columns: Columns::Inferred,
            provenance: false,
            batch_rows: 8_192,
            batch_bytes: 8 << 20,
        }
    }
}

/// Column type of nested records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Nested {
    /// One struct column per record.
    Struct,
    /// One column for each field. The column name is the path of the field, joined by this separator. Records inside
    /// lists and maps stay structs.
    Flat(String),
}

/// Column type of metrics in financial statements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Figures {
    /// A struct column with the value, its status, the reason if the value is missing, and its sources.
    Struct,
    /// A column with the value, and the columns `NAME.status` and `NAME.reason_code`. If [`Nested::Flat`] is set, its
    /// separator replaces the dot. Sources and versions of the metric are omitted.
    Columns,
}

/// Column type of decimal numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    /// 64-bit float that is nearest to the number.
    Float,
    /// String with the digits as received.
    Text,
    /// 128-bit decimal with 38 digits. The argument is the number of digits after the decimal point (0 to 38). Numbers
    /// are never rounded: [`Options::unknown`] handles a number that needs more digits.
    Decimal(u8),
}

/// Column type of open enums, to which the service may add values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Enums {
    /// A dictionary column, which is small and fast to group by.
    Dictionary,
    /// A string column.
    Text,
}

/// Unit of timestamps that the service sends as numbers. Timestamps that the service sends as strings are always in
/// microseconds. All timestamps are in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Times {
    /// The unit that the service sends: seconds or milliseconds.
    AsSent,
    /// Milliseconds for all timestamps, because Parquet has no coarser unit.
    Millis,
}

/// Handling of values that fit no column: unknown fields, and values of another type than the OpenAPI document
/// describes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unknown {
    /// String column with this name. A cell is a JSON object that maps the path of each value (a JSON pointer) to the
    /// received JSON, byte for byte. The cell is null if all values of the row fit, which is the normal case.
    Column(String),
    /// Unknown fields are omitted. A value that does not fit is an error.
    Drop,
    /// Unknown fields and values that do not fit are errors.
    Refuse,
}

/// Columns of operations whose rows have arbitrary fields, such as SQL queries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Columns {
    /// The fields of all rows, in the order in which they first appear. The type of a column is the narrowest one
    /// that represents each value exactly: `Boolean`, `Int64`, `UInt64`, `Float64`, `Utf8`, lists and structs of
    /// them, or `Null`. Numbers that no type represents exactly are strings, and mixed values are JSON. The types are
    /// known after the last row, so the response is one batch.
    Inferred,
    /// Like [`Inferred`](Self::Inferred), but a column in this schema has the type of the schema if all of its values
    /// fit. [`preflight_columns`](crate::preflight_columns) creates such a schema from the service's check of a SQL
    /// query.
    Preferred(SchemaRef),
    /// The columns of this schema. A value of another type is an error, and fields outside the schema are omitted.
    Given(SchemaRef),
    /// One column `value` with the JSON of each row. The schema is known before a request is sent.
    Json,
}

impl Options {
    /// Sets the columns of operations whose row fields are not documented.
    #[must_use]
    pub fn columns(mut self, columns: Columns) -> Self {
        self.columns = columns;
        self
    }

    /// Adds columns with the origin of each row. `_fetched_at` is the time of the response. `_watermark` is the time up
    /// to which the data are complete, if the service reports it. `_request` is the request of the list without the API
    /// key.
    #[must_use]
    pub fn provenance(mut self, provenance: bool) -> Self {
        self.provenance = provenance;
        self
    }

    /// Sets the column type of nested records.
    #[must_use]
    pub fn nested(mut self, nested: Nested) -> Self {
        self.nested = nested;
        self
    }

    /// Sets the column type of metrics in financial statements.
    #[must_use]
    pub fn figures(mut self, figures: Figures) -> Self {
        self.figures = figures;
        self
    }

    /// Sets the column type of the values of metrics.
    #[must_use]
    pub fn figure_values(mut self, numbers: Numbers) -> Self {
        self.figure_values = numbers;
        self
    }

    /// Sets the column type of decimal numbers that are not values of metrics.
    #[must_use]
    pub fn numbers(mut self, numbers: Numbers) -> Self {
        self.numbers = numbers;
        self
    }

    /// Sets the column type of open enums, to which the service may add values.
    #[must_use]
    pub fn enums(mut self, enums: Enums) -> Self {
        self.enums = enums;
        self
    }

    /// Sets the unit of timestamps.
    #[must_use]
    pub fn times(mut self, times: Times) -> Self {
        self.times = times;
        self
    }

    /// Sets the handling of values that fit no column.
    #[must_use]
    pub fn unknown(mut self, unknown: Unknown) -> Self {
        self.unknown = unknown;
        self
    }

    /// Sets the maximum number of rows per batch.
    #[must_use]
    pub fn batch_rows(mut self, rows: usize) -> Self {
        self.batch_rows = rows;
        self
    }

    /// Sets the size of the JSON text, in bytes, at which a batch is full.
    #[must_use]
    pub fn batch_bytes(mut self, bytes: usize) -> Self {
        self.batch_bytes = bytes;
        self
    }
}
