//! The record tables.

/// One record of the description.
#[derive(Debug)]
pub struct Record {
    /// Name in the client.
    pub name: &'static str,
    /// Members in the order of the client.
    pub fields: &'static [Field],
}

/// One member of a record.
#[derive(Debug)]
pub struct Field {
    /// Name on the wire.
    pub name: &'static str,
    /// Type of a value that is present.
    pub ty: Type,
    /// Whether the member is always there.
    pub required: bool,
    /// Whether `null` may stand in for a value.
    pub nullable: bool,
    /// Meaning and unit; empty where the description says nothing.
    pub doc: &'static str,
    /// Why it should not be used any more, where the description retires it.
    pub deprecated: Option<&'static str>,
    /// Meaning of the values that the type does not state.
    pub meaning: Option<FieldMeaning>,
}

/// Meaning of the values of a field, beyond their type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FieldMeaning {
    /// A text is a date such as `2026-01-31`.
    Date,
    /// A text is a time of RFC 3339 such as `2026-01-31T12:00:00Z`.
    DateTime,
    /// The number 0 stands for an unknown value.
    ZeroIsUnknown,
}

impl Field {
    /// A member that may be absent and is never `null`.
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
    /// Text.
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
    /// One of these values today; the set is open.
    Enum(&'static [&'static str]),
    /// Another record, by name.
    Record(&'static str),
    /// A list.
    List(&'static Type),
    /// An object with members of one type.
    Map(&'static Type),
}
