//! Options for converting responses to tables.
//!
//! The options determine which columns a table has, and which types the columns of metrics, numbers, enums and
//! timestamps have.

use arrow_schema::SchemaRef;

/// Options for converting responses to tables.
///
/// # Defaults
/// Nested records become struct columns. Metrics become struct columns with the value as a string. Other decimal
/// numbers become 64-bit floats, as in the client's records. Open enums become dictionaries. Timestamps have the unit
/// that the service sends. Values that no column can store are in the column `_extra`. Batches have up to 8,192 rows or
/// 8 MiB of JSON text.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Column type of nested records.
    pub nested: Nested,
    /// Column type of metrics in financial statements. A metric contains a value, or the reason why the value is
    /// missing.
    pub figures: Figures,
    /// Column type for the value of a metric in a financial statement. The service sends the value as an exact decimal.
    pub figure_values: Numbers,
    /// Column type of decimal numbers that are not values of metrics.
    pub numbers: Numbers,
    /// Column type of open enums, to which the service may add values.
    pub enums: Enums,
    /// Unit of timestamps.
    pub times: Times,
    /// Handling of values that fit no column.
    pub unknown: Unknown,
    /// Selects the columns of a table whose rows have arbitrary fields, such as the rows of a SQL result.
    pub columns: Columns,
    /// True to add the columns `_fetched_at`, `_watermark` and `_request` with the origin of each row.
    pub provenance: bool,
    /// Maximum number of rows per batch. The value 0 has the effect of 1. Rows with arbitrary fields always become one
    /// batch, unless `columns` is [`Columns::Json`].
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
    /// One column per field of the nested record, such as `token.symbol` with the separator `.`. Records inside lists
    /// and maps stay structs.
    Flat(String),
}

/// Column type of metrics in financial statements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Figures {
    /// A struct column with the value, the status of the value, the reason for a missing value, and the sources.
    Struct,
    /// Three columns for a metric in the field `NAME`: `NAME` with the value, `NAME.status`, and `NAME.reason_code`. If
    /// [`Nested::Flat`] is set, its separator replaces the dot. The sources and versions of the metric are omitted.
    /// Metrics inside lists, maps and struct columns stay structs.
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
    /// are never rounded. A number with too many digits before or after the point is handled like a value of a wrong
    /// type. For example, `1.555` has too many digits for `Decimal(2)`. See [`Options::unknown`].
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
    /// The unit in which the service sends the timestamp: seconds or milliseconds.
    AsSent,
    /// Milliseconds for all timestamps. Exports to Parquet always use this unit, because Parquet has no timestamps in
    /// seconds.
    Millis,
}

/// Handling of values that no column can store. These are values of unknown fields, and values whose type differs from
/// the type in the OpenAPI document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unknown {
    /// An additional string column with this name stores the values that no other column can store. A cell is a JSON
    /// object such as `{"/items/0/price":"n/a"}`. The keys are JSON pointers, and the values are the received JSON,
    /// byte for byte. The cell is null if the other columns can store all values of the row.
    Column(String),
    /// Unknown fields are omitted. A value of a wrong type is an error.
    Drop,
    /// An unknown field or a value of a wrong type is an error.
    Refuse,
}

/// Selects the columns of a table whose rows have arbitrary fields, such as the rows of a SQL result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Columns {
    /// One column per field that appears in any row, in the order of first appearance. The type of a column is the
    /// narrowest type that represents all of its values exactly. The types are `Boolean`, `Int64`, `UInt64`, `Float64`,
    /// `Utf8`, `Null`, and lists and structs of these types. If no number type represents all numbers of a column
    /// exactly, the column contains strings. A column with values of different types contains JSON text. The types are
    /// known only after the last row, so the response becomes one batch.
    Inferred,
    /// The columns are chosen as with [`Inferred`](Self::Inferred), but this schema contains preferred column types. A
    /// column has its preferred type if this type can store all values of the column.
    /// [`preflight_columns`](crate::preflight_columns) creates such a schema from the service's check of a SQL query.
    Preferred(SchemaRef),
    /// The table has the columns of this schema and the columns of [`Options::provenance`]. Whatever the schema
    /// declares, every column can contain null, list items are named `item`, and times are in UTC. A value that does
    /// not fit the type of its column is an error. Fields without a column in the schema are omitted. The response
    /// becomes one batch.
    Given(SchemaRef),
    /// One column `value` with the JSON of each row. The schema is known before a request is sent.
    Json,
}

impl Options {
    /// Selects the columns of a table whose rows have arbitrary fields, such as the rows of a SQL result.
    #[must_use]
    pub fn columns(mut self, columns: Columns) -> Self {
        self.columns = columns;
        self
    }

    /// If `provenance` is true, adds three columns with the origin of each row. `_fetched_at` contains the time of the
    /// response. `_watermark` contains the time up to which the data are complete, if the service reports this time.
    /// `_request` contains the HTTP request without the API key. For a paged list, all rows contain the request of the
    /// first page.
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

    /// Sets the column type for the value of a metric in a financial statement.
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
