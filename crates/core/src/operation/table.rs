//! Tables of the records in responses: their names, fields and types.
//!
//! Programs that choose operations at run time read these tables, for example to derive the columns of a data frame.

/// Description of one record: a JSON object with named fields that occurs in responses.
#[derive(Debug)]
pub struct Record {
    /// Name of the Rust struct for the record.
    pub name: &'static str,
    /// Fields of the record, in the order of the Rust struct.
    pub fields: &'static [Field],
}

/// Description of one field of a record.
#[derive(Debug)]
pub struct Field {
    /// Name of the field in JSON.
    pub name: &'static str,
    /// Type of the field's value.
    pub ty: Type,
    /// True if every record of this type contains the field.
    pub required: bool,
    /// True if the value can be `null`.
    pub nullable: bool,
    /// Meaning of the field, with its unit. Empty if the OpenAPI document does not describe the field.
    pub doc: &'static str,
    /// Reason why the field is deprecated, or `None` if it is not.
    pub deprecated: Option<&'static str>,
    /// Meaning of the field's values, if the field's type does not express this meaning. For example, a string can
    /// contain a date.
    pub meaning: Option<FieldMeaning>,
}

/// Meaning of a field's values, if the field's type does not express this meaning. For example, the type is a string,
/// and each string is a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldMeaning {
    /// The string is a date such as `2026-01-31`.
    Date,
    /// The string is an RFC 3339 timestamp such as `2026-01-31T12:00:00Z`.
    DateTime,
    /// The number 0 stands for an unknown value.
    ZeroIsUnknown,
}

impl Field {
    /// Creates a field that can be absent but is never `null`.
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

    /// Marks the field as nullable: its value can be `null`.
    #[must_use]
    pub const fn nullable(mut self) -> Self {
        self.nullable = true;
        self
    }

    /// Sets the text that describes the field.
    #[must_use]
    pub const fn doc(mut self, doc: &'static str) -> Self {
        self.doc = doc;
        self
    }

    /// Sets a meaning of the field's values that the field's type does not express. For example, the type is a string,
    /// and each string is a date.
    #[must_use]
    pub const fn meaning(mut self, meaning: FieldMeaning) -> Self {
        self.meaning = Some(meaning);
        self
    }

    /// Marks the field as deprecated. `reason` describes why the field is deprecated.
    #[must_use]
    pub const fn deprecated(mut self, reason: &'static str) -> Self {
        self.deprecated = Some(reason);
        self
    }
}

/// Type of a JSON value in a response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    /// A string.
    String,
    /// A whole number.
    Integer,
    /// A decimal number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// Any JSON value.
    Any,
    /// A Unix timestamp in seconds.
    UnixSeconds,
    /// A Unix timestamp in milliseconds.
    UnixMillis,
    /// One of these strings. The service can add values.
    Enum(&'static [&'static str]),
    /// A record. The string is the [`name`](Record::name) of the record.
    Record(&'static str),
    /// A list whose items have this type.
    List(&'static Type),
    /// A JSON object with arbitrary field names. All its values have this type.
    Map(&'static Type),
}
