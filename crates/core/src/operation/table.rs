//! The record tables: records and their fields as data.
//!
//! Programs that choose operations at run time read the tables, for example to derive the columns of a table.

/// One record of the description.
#[derive(Debug)]
pub struct Record {
    /// Name in the client.
    pub name: &'static str,
    /// Fields in the order of the Rust struct.
    pub fields: &'static [Field],
}

/// One field of a record.
#[derive(Debug)]
pub struct Field {
    /// Name on the wire.
    pub name: &'static str,
    /// Type of a value.
    pub ty: Type,
    /// True if the field is always present.
    pub required: bool,
    /// True if the value can be `null`.
    pub nullable: bool,
    /// Meaning and unit; empty if the description has none.
    pub doc: &'static str,
    /// Reason why the field is deprecated, if it is.
    pub deprecated: Option<&'static str>,
    /// Meaning of the values that the type does not express.
    pub meaning: Option<FieldMeaning>,
}

/// Meaning of the values of a field, beyond their type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldMeaning {
    /// A string with a date such as `2026-01-31`.
    Date,
    /// A string with an RFC 3339 timestamp such as `2026-01-31T12:00:00Z`.
    DateTime,
    /// The number 0 stands for an unknown value.
    ZeroIsUnknown,
}

impl Field {
    /// Creates a field that may be absent and is never `null`.
    #[must_use]
    pub const fn new(name: &'static str, ty: Type) -> Self {
        Field {
            name,
            ty,
            required: false,
            nullable: false,
            doc: "",
            deprecated: None,
            meaning: None,
        }
    }

    /// Marks the field as always present.
    #[must_use]
    pub const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// Marks the field as nullable.
    #[must_use]
    pub const fn nullable(mut self) -> Self {
        self.nullable = true;
        self
    }

    /// Sets the meaning of the field.
    #[must_use]
    pub const fn doc(mut self, doc: &'static str) -> Self {
        self.doc = doc;
        self
    }

    /// Sets the meaning of the values.
    #[must_use]
    pub const fn meaning(mut self, meaning: FieldMeaning) -> Self {
        self.meaning = Some(meaning);
        self
    }

    /// Marks the field as deprecated, with the reason.
    #[must_use]
    pub const fn deprecated(mut self, reason: &'static str) -> Self {
        self.deprecated = Some(reason);
        self
    }
}

/// Type of a value in a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    /// String.
    String,
    /// Whole number.
    Integer,
    /// Decimal number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// Any JSON value.
    Any,
    /// Time in Unix seconds.
    UnixSeconds,
    /// Time in Unix milliseconds.
    UnixMillis,
    /// One of these known values. The set is open.
    Enum(&'static [&'static str]),
    /// Another record, by name.
    Record(&'static str),
    /// A list.
    List(&'static Type),
    /// An object whose values have one type.
    Map(&'static Type),
}
