//! Parameters of operations.
//!
//! A parameter has a name, a location, a type, bounds and conventions. The checks of a call read them.

use super::Type;

/// One parameter of an operation: a query, path or header parameter, or a field of the JSON body.
#[derive(Debug)]
pub struct Param {
    /// Name on the wire.
    pub name: &'static str,
    /// Part of the request that contains the parameter.
    pub location: In,
    /// True if the parameter is required: a call without it is rejected.
    pub required: bool,
    /// Type and bounds.
    pub kind: ParamKind,
    /// Default of the service, as a string.
    pub default: Option<&'static str>,
    /// Meaning and unit.
    pub doc: &'static str,
    /// Text format, in addition to the type.
    pub convention: Option<Convention>,
    /// Values that other operations of the service accept under this name. A value that is listed here but not in
    /// [`kind`](Self::kind) is rejected before it is sent.
    pub elsewhere: &'static [&'static str],
    /// Reason why the parameter is deprecated.
    pub deprecated: Option<&'static str>,
    /// Reason why the service rejects this parameter although its description lists it. The reason is the end of a
    /// sentence that begins with the name. A call that sets the parameter is rejected before it is sent.
    pub refused: Option<&'static str>,
    /// A value for which the sandbox returns data, as a string. Samples and help texts use it.
    pub example: Option<&'static str>,
}

impl Param {
    /// Creates an optional parameter without a default.
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

    /// Marks the parameter as rejected by the service, with the reason.
    #[must_use]
    pub const fn refused(mut self, why: &'static str) -> Self {
        self.refused = Some(why);
        self
    }

    /// Sets a value for which the sandbox returns data.
    #[must_use]
    pub const fn example(mut self, value: &'static str) -> Self {
        self.example = Some(value);
        self
    }
}

/// Text format of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Convention {
    /// Ticker. The service accepts only uppercase.
    Ticker,
    /// Address of a contract, account or wallet, or an ENS name.
    Address,
    /// A [`Moment`](crate::value::Moment) that may also be an ISO 8601 date and time.
    DateTime,
    /// A [`Moment`](crate::value::Moment) that must be a date.
    Day,
    /// Unix time in seconds.
    UnixSeconds,
    /// Unix time in milliseconds.
    UnixMillis,
    /// Name of a social account, without `@`.
    Handle,
    /// Identifier of an entity: a UUID.
    Uuid,
}

/// Part of a request that contains a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum In {
    /// Query string.
    Query,
    /// A path segment.
    Path,
    /// Request header.
    Header,
    /// A field of the JSON body.
    Body,
}

/// Type and bounds of a parameter. Bounds are inclusive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParamKind {
    /// String, with bounds on its length in characters.
    String {
        /// Minimum length.
        min: Option<u32>,
        /// Maximum length.
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
    /// One of these known values. The set is open: the service may add values.
    Enum(&'static [&'static str]),
    /// Several strings.
    List {
        /// True if each string is sent under its own key. Otherwise the strings are joined with commas.
        repeated: bool,
    },
    /// A point in time: Unix seconds or `YYYY-MM-DD`.
    Moment,
    /// A JSON value of the body.
    Json(Type),
    /// A constant that is always sent.
    Constant(bool),
}
