//! How answers become tables.

use arrow_schema::SchemaRef;

/// How answers become tables.
///
/// # Defaults
/// Nested records as structs; figures as structs with their values as text; other numbers as
/// 64-bit floats, as the records of the client have them; open enums as dictionaries; times in the
/// unit that the service sends; what fits no column in the column `_extra`; batches of 8,192 rows
/// or 8 MiB, whichever comes first.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Records inside records.
    pub nested: Nested,
    /// Figures of statements, which may be missing for a reason.
    pub figures: Figures,
    /// The values of figures, which the service sends as exact decimals.
    pub figure_values: Numbers,
    /// All other numbers that need not be whole.
    pub numbers: Numbers,
    /// Values of open enums.
    pub enums: Enums,
    /// The unit of times.
    pub times: Times,
    /// Treatment of values that no column can hold.
    pub unknown: Unknown,
    /// Columns of operations that name none.
    pub columns: Columns,
    /// Whether tables have the columns `_fetched_at`, `_watermark` and `_request` with the origin of each row.
    pub provenance: bool,
    /// Most rows of a batch; 0 counts as 1.
    pub batch_rows: usize,
    /// Bytes of JSON after which a batch is full, whatever its rows.
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

/// Records inside records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Nested {
    /// A struct column.
    Struct,
    /// A column for each member, named by the path to it with this text between the parts. Records
    /// inside lists and maps stay structs.
    Flat(String),
}

/// Figures of statements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Figures {
    /// A struct with the value, its status, the reason where there is none, and where it is from.
    Struct,
    /// A column with the value alone, and beside it `NAME.status` and `NAME.reason_code` (with the
    /// separator of [`Nested::Flat`] where that is set). Sources and versions are left out.
    Columns,
}

/// Decimal numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    /// The nearest 64-bit float.
    Float,
    /// Text, exactly as it was sent.
    Text,
    /// A decimal of 38 digits, this many of them behind the point (0 to 38). A number that needs
    /// more digits is kept as [`Options::unknown`] says; nothing is rounded.
    Decimal(u8),
}

/// Values of open enums, which the service may add to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Enums {
    /// A dictionary column, which is small and quick to group by.
    Dictionary,
    /// A text column.
    Text,
}

/// The unit of times that the service sends as numbers. All have the zone UTC. Times that it sends as texts are in
/// microseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Times {
    /// Seconds where the service sends seconds, and milliseconds where it sends those.
    AsSent,
    /// Milliseconds throughout, the coarsest unit that Parquet has.
    Millis,
}

/// Treatment of values that no column can hold: fields that this release does not know, and values of another type
/// than the description states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unknown {
    /// A text column of this name: an object from the place in the row, as a JSON pointer, to the
    /// JSON that was there, byte for byte; `null` for rows that fit, which are nearly all.
    Column(String),
    /// Members that are not known are left out. A value that does not fit is an error.
    Drop,
    /// Both are errors.
    Refuse,
}

/// Columns of operations whose rows have any names, such as SQL queries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Columns {
    /// The members of all rows, in the order in which they first appear. The type of a column is the
    /// narrowest one that holds every value without loss: `Boolean`, `Int64`, `UInt64`, `Float64`,
    /// `Utf8`, lists and structs of them, or `Null`. Numbers that no type holds exactly are text, and
    /// values of several kinds are JSON. The types are known when all rows are there, so the whole
    /// answer is one batch.
    Inferred,
    /// As [`Inferred`](Self::Inferred), but a column that this schema names has the type of the schema if all its
    /// values fit. [`preflight_columns`](crate::preflight_columns) creates it from the check of a query.
    Preferred(SchemaRef),
    /// These columns. A value of another type is an error, and members that the schema does not name
    /// are left out.
    Given(SchemaRef),
    /// One column `value` with the JSON of each row. The schema is known before a request is sent.
    Json,
}

impl Options {
    /// Sets the columns of operations that name none.
    #[must_use]
    pub fn columns(mut self, columns: Columns) -> Self {
        self.columns = columns;
        self
    }

    /// Adds columns with the origin of each row: `_fetched_at`, the time at which the service answered; `_watermark`,
    /// the time up to which the data reach, where the service reports it; and `_request`, the request of the list
    /// without the key.
    #[must_use]
    pub fn provenance(mut self, provenance: bool) -> Self {
        self.provenance = provenance;
        self
    }

    /// Sets what becomes of records inside records.
    #[must_use]
    pub fn nested(mut self, nested: Nested) -> Self {
        self.nested = nested;
        self
    }

    /// Sets what becomes of figures.
    #[must_use]
    pub fn figures(mut self, figures: Figures) -> Self {
        self.figures = figures;
        self
    }

    /// Sets the type of the values of figures.
    #[must_use]
    pub fn figure_values(mut self, numbers: Numbers) -> Self {
        self.figure_values = numbers;
        self
    }

    /// Sets the type of all other numbers that need not be whole.
    #[must_use]
    pub fn numbers(mut self, numbers: Numbers) -> Self {
        self.numbers = numbers;
        self
    }

    /// Sets what becomes of open enums.
    #[must_use]
    pub fn enums(mut self, enums: Enums) -> Self {
        self.enums = enums;
        self
    }

    /// Sets the unit of times.
    #[must_use]
    pub fn times(mut self, times: Times) -> Self {
        self.times = times;
        self
    }

    /// Sets the treatment of values that no column can hold.
    #[must_use]
    pub fn unknown(mut self, unknown: Unknown) -> Self {
        self.unknown = unknown;
        self
    }

    /// Sets the most rows of a batch.
    #[must_use]
    pub fn batch_rows(mut self, rows: usize) -> Self {
        self.batch_rows = rows;
        self
    }

    /// Sets the bytes of JSON after which a batch is full.
    #[must_use]
    pub fn batch_bytes(mut self, bytes: usize) -> Self {
        self.batch_bytes = bytes;
        self
    }
}
