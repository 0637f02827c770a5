//! Parameters of operations.

use super::Type;

/// One parameter of an operation: a query, path or header parameter, or a member of the JSON body.
#[derive(Debug)]
pub struct Param {
    /// Name on the wire.
    pub name: &'static str,
    /// Where it travels.
    pub location: In,
    /// Whether a call without it is refused.
    pub required: bool,
    /// Type and bounds.
    pub kind: ParamKind,
    /// Value that the service uses if the parameter is absent, as text.
    pub default: Option<&'static str>,
    /// Meaning and unit.
    pub doc: &'static str,
    /// Text format, beyond the type.
    pub convention: Option<Convention>,
    /// Values that the service takes elsewhere under the same name. One of them that is not among
    /// those of [`kind`](Self::kind) is refused before it is sent.
    pub elsewhere: &'static [&'static str],
    /// Why not to use it.
    pub deprecated: Option<&'static str>,
    /// Why the service refuses it although its description lists it, as the end of a sentence that
    /// begins with the name. A call that sets it is refused before it is sent.
    pub refused: Option<&'static str>,
    /// A value that the sandbox answers with data, as text. Samples and help texts use it.
    pub example: Option<&'static str>,
}

impl Param {
    /// An optional parameter without a default.
    #[must_use]
    pub const fn new(name: &'static str, location: In, kind: ParamKind, doc: &'static str) -> Self {
        Param {
            name,
            location,
            required: false,
            kind,
            default: None,
            doc,
            convention: None,
            elsewhere: &[],
            deprecated: None,
            refused: None,
            example: None,
        }
    }

    /// Marks the parameter as required.
    #[must_use]
    pub const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// Sets the default of the service.
    #[must_use]
    pub const fn default(mut self, default: &'static str) -> Self {
        self.default = Some(default);
        self
    }

    /// Sets the values that other operations accept.
    #[must_use]
    pub const fn elsewhere(mut self, values: &'static [&'static str]) -> Self {
        self.elsewhere = values;
        self
    }

    /// Marks the parameter as deprecated, with the reason.
    #[must_use]
    pub const fn deprecated(mut self, reason: &'static str) -> Self {
        self.deprecated = Some(reason);
        self
    }

    /// Sets the text format.
    #[must_use]
    pub const fn convention(mut self, convention: Convention) -> Self {
        self.convention = Some(convention);
        self
    }

    /// Marks the parameter as one that the service rejects, with the reason.
    #[must_use]
    pub const fn refused(mut self, why: &'static str) -> Self {
        self.refused = Some(why);
        self
    }

    /// Sets a value that the sandbox answers with data.
    #[must_use]
    pub const fn example(mut self, value: &'static str) -> Self {
        self.example = Some(value);
        self
    }
}

/// The shape of a parameter's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Convention {
    /// Tickers, which the service knows in uppercase only.
    Ticker,
    /// A contract, account or wallet, or an ENS name.
    Address,
    /// A [`Moment`](crate::value::Moment) that may also be an ISO 8601 date-time.
    DateTime,
    /// A [`Moment`](crate::value::Moment) that must be a date.
    Day,
    /// A number of seconds since 1970.
    UnixSeconds,
    /// A number of milliseconds since 1970.
    UnixMillis,
    /// Name of a social account, without `@`.
    Handle,
    /// Identifier of an entity in the form of a UUID.
    Uuid,
}

/// Where a parameter travels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum In {
    /// Query string.
    Query,
    /// A segment of the path.
    Path,
    /// Request header.
    Header,
    /// A member of the JSON body.
    Body,
}

/// Type and bounds of a parameter. Bounds are inclusive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParamKind {
    /// Text, with bounds on its length in characters.
    String {
        /// Shortest accepted text.
        min: Option<u32>,
        /// Longest accepted text.
        max: Option<u32>,
    },
    /// Whole number.
    Integer {
        /// Smallest accepted value.
        min: Option<i64>,
        /// Largest accepted value.
        max: Option<i64>,
    },
    /// Decimal number.
    Number {
        /// Smallest accepted value.
        min: Option<f64>,
        /// Largest accepted value.
        max: Option<f64>,
    },
    /// `true` or `false`.
    Boolean,
    /// One of these values today. The set is open: the service may add to it.
    Enum(&'static [&'static str]),
    /// Several texts.
    List {
        /// Whether each has a key of its own in the query; otherwise they are joined with commas.
        repeated: bool,
    },
    /// A point in time: Unix seconds or `YYYY-MM-DD`.
    Moment,
    /// A JSON value of the body.
    Json(Type),
    /// Always sent with this value, and never set.
    Constant(bool),
}
