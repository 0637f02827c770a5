//! Options for converting responses to tables.
//!
//! They select the columns, and the types of figures, numbers, enums and times.

use arrow_schema::SchemaRef;

/// Options for converting responses to tables.
///
/// # Defaults
/// Nested records as structs; metrics as structs with their values as strings; other numbers as 64-bit floats, as in
/// the client's records; open enums as dictionaries; timestamps in the unit that the service sends; values that fit
/// no column in the column `_extra`; batches of 8,192 rows or 8 MiB, whichever is reached first.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Form of nested records.
    pub nested: Nested,
    /// Form of metrics of statements, which may be missing for a reason.
    pub figures: Figures,
    /// Type of metric values, which the service sends as exact decimals.
    pub figure_values: Numbers,
    /// Type of all other decimal numbers.
    pub numbers: Numbers,
    /// Form of open enums.
    pub enums: Enums,
    /// Unit of timestamps.
    pub times: Times,
    /// Handling of values that fit no column.
    pub unknown: Unknown,
    /// Columns of operations without a record table.
    pub columns: Columns,
    /// True if tables have the columns `_fetched_at`, `_watermark` and `_request` with the origin of each row.
    pub provenance: bool,
    /// Maximum rows of a batch; 0 counts as 1.
    pub batch_rows: usize,
    /// Bytes of JSON at which a batch is full, for any number of rows.
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

/// Form of nested records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Nested {
    /// A struct column.
    Struct,
    /// One column for each field, named by its path with this separator. Records inside lists and maps stay structs.
    Flat(String),
}

/// Form of metrics of statements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Figures {
    /// A struct with the value, its status, the reason if it is missing, and its sources.
    Struct,
    /// A column with the value, and two more: `NAME.status` and `NAME.reason_code` (with the separator of
    /// [`Nested::Flat`] if that is set). Sources and versions are omitted.
    Columns,
}

/// Type of decimal numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    /// The nearest 64-bit float.
    Float,
    /// String, with the digits as received.
    Text,
    /// A decimal with 38 digits, this many of them after the decimal point (0 to 38). Nothing is rounded: a number
    /// that needs more digits is handled by [`Options::unknown`].
    Decimal(u8),
}

/// Form of open enums, to which the service may add values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Enums {
    /// A dictionary column, which is small and fast to group by.
    Dictionary,
    /// A string column.
    Text,
}

/// Unit of timestamps that the service sends as numbers. All are in UTC. Timestamps that it sends as strings are in
/// microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Times {
    /// The unit that the service sends: seconds or milliseconds.
    AsSent,
    /// Milliseconds for all, the coarsest unit of Parquet.
    Millis,
}

/// Handling of values that fit no column: unknown fields, and values of another type than described.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unknown {
    /// A string column of this name. Each cell is a JSON object from the path in the row (a JSON pointer) to the
    /// received JSON, byte for byte. It is `null` for rows that fit, which is the normal case.
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
    /// Like [`Inferred`](Self::Inferred), but a column in this schema has the type of the schema if all its values
    /// fit. [`preflight_columns`](crate::preflight_columns) creates the schema from the check of a query.
    Preferred(SchemaRef),
    /// The columns of this schema. A value of another type is an error, and fields outside the schema are omitted.
    Given(SchemaRef),
    /// One column `value` with the JSON of each row. The schema is known before a request is sent.
    Json,
}

impl Options {
    /// Sets the columns of operations without a record table.
    #[must_use]
    pub fn columns(mut self, columns: Columns) -> Self {
        self.columns = columns;
        self
    }

    /// Adds columns with the origin of each row: `_fetched_at`, the time of the response; `_watermark`, the time up
    /// to which the data are complete, if the service reports it; and `_request`, the request of the list without the
    /// key.
    #[must_use]
    pub fn provenance(mut self, provenance: bool) -> Self {
        self.provenance = provenance;
        self
    }

    /// Sets the form of nested records.
    #[must_use]
    pub fn nested(mut self, nested: Nested) -> Self {
        self.nested = nested;
        self
    }

    /// Sets the form of metrics.
    #[must_use]
    pub fn figures(mut self, figures: Figures) -> Self {
        self.figures = figures;
        self
    }

    /// Sets the type of metric values.
    #[must_use]
    pub fn figure_values(mut self, numbers: Numbers) -> Self {
        self.figure_values = numbers;
        self
    }

    /// Sets the type of decimal numbers that are not metric values.
    #[must_use]
    pub fn numbers(mut self, numbers: Numbers) -> Self {
        self.numbers = numbers;
        self
    }

    /// Sets the form of open enums.
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

    /// Sets the maximum rows of a batch.
    #[must_use]
    pub fn batch_rows(mut self, rows: usize) -> Self {
        self.batch_rows = rows;
        self
    }

    /// Sets the bytes of JSON at which a batch is full.
    #[must_use]
    pub fn batch_bytes(mut self, bytes: usize) -> Self {
        self.batch_bytes = bytes;
        self
    }
}
