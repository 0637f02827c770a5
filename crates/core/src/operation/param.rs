//! Parameters of operations.
//!
//! A parameter has a name, a location in the request, a type, bounds and a text format.
//! [`Call::check`](crate::Call::check) checks the values of a call against these definitions.

use super::Type;

/// One parameter of an operation: a query, path or header parameter, or a field of the request body.
#[derive(Debug)]
pub struct Param {
    /// Name of the parameter in HTTP requests.
    pub name: &'static str,
    /// Part of the request that contains the parameter.
    pub location: In,
    /// True if the parameter is required. A call without it is rejected before it is sent.
    pub required: bool,
    /// Type of the values, and their bounds.
    pub kind: ParamKind,
    /// Value that the service uses if the parameter is not set, as a string.
    pub default: Option<&'static str>,
    /// Description of the parameter, with its unit.
    pub doc: &'static str,
    /// Text format of the values, such as a UUID, if the type alone does not define it.
    pub convention: Option<Convention>,
    /// Values that parameters of the same name accept in other operations. For example, only some operations accept
    /// `1m` for the parameter `interval`. The client rejects these values unless [`kind`](Self::kind) lists them too.
    /// An [unchecked](crate::CallOptions::unchecked) call may contain any of them.
    pub elsewhere: &'static [&'static str],
    /// Reason why the parameter is deprecated, or `None` if it is not.
    pub deprecated: Option<&'static str>,
    /// Reason why the service rejects this parameter although the OpenAPI document lists it. The reason completes a
    /// sentence that begins with the parameter's name. A call that sets the parameter is rejected before it is sent,
    /// unless the call is [unchecked](crate::CallOptions::unchecked).
    pub refused: Option<&'static str>,
    /// Example value, as a string. The sandbox returns data for this value. Generated samples and help texts contain
    /// it.
    pub example: Option<&'static str>,
}

impl Param {
    /// Creates an optional parameter without a default value.
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

    /// Sets the value that the service uses if the parameter is not set.
    #[must_use]
    pub const fn default(mut self, default: &'static str) -> Self {
        self.default = Some(default);
        self
    }

    /// Sets the values that a parameter with this name accepts in other operations. The client rejects such a value if
    /// [`kind`](Self::kind) does not list it, unless the call is unchecked.
    #[must_use]
    pub const fn elsewhere(mut self, values: &'static [&'static str]) -> Self {
        self.elsewhere = values;
        self
    }

    /// Marks the parameter as deprecated for this reason.
    #[must_use]
    pub const fn deprecated(mut self, reason: &'static str) -> Self {
        self.deprecated = Some(reason);
        self
    }

    /// Sets the text format of the parameter's values, such as a UUID.
    #[must_use]
    pub const fn convention(mut self, convention: Convention) -> Self {
        self.convention = Some(convention);
        self
    }

    /// Marks the parameter as rejected by the service. `why` completes the error message after the parameter's name.
    /// For example, `why` can be `is defined in the OpenAPI document, but the service responds with status 400`.
    #[must_use]
    pub const fn refused(mut self, why: &'static str) -> Self {
        self.refused = Some(why);
        self
    }

    /// Sets an example value for which the sandbox returns data.
    #[must_use]
    pub const fn example(mut self, value: &'static str) -> Self {
        self.example = Some(value);
        self
    }
}

/// Text format of the values of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Convention {
    /// Ticker of a token or stock, such as `BTC`. The service accepts only uppercase.
    Ticker,
    /// Address of a contract, account or wallet on a blockchain, or an ENS name.
    Address,
    /// Unix seconds, a date, or an ISO 8601 date and time.
    DateTime,
    /// A date in the form `YYYY-MM-DD`.
    Day,
    /// Unix timestamp in seconds.
    UnixSeconds,
    /// Unix timestamp in milliseconds.
    UnixMillis,
    /// Name of a social media account, without `@`.
    Handle,
    /// UUID of an entity.
    Uuid,
}

/// Part of a request that contains a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum In {
    /// The query string.
    Query,
    /// A path segment.
    Path,
    /// A request header.
    Header,
    /// A field of the request body.
    Body,
}

/// Type and bounds of a parameter. Bounds are inclusive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParamKind {
    /// A string, with bounds on its length in characters.
    String {
        /// Minimum length in characters.
        min: Option<u32>,
        /// Maximum length in characters.
        max: Option<u32>,
    },
    /// A whole number.
    Integer {
        /// Smallest accepted value.
        min: Option<i64>,
        /// Largest accepted value.
        max: Option<i64>,
    },
    /// A decimal number.
    Number {
        /// Smallest accepted value.
        min: Option<f64>,
        /// Largest accepted value.
        max: Option<f64>,
    },
    /// `true` or `false`.
    Boolean,
    /// The value is one of these strings. Other strings are sent too, because the service can add values. Only two
    /// kinds of strings are rejected:
    /// - Another spelling of a value in the list, such as `ETH` for `ethereum`.
    /// - A value that the catalogue lists only for other operations.
    ///
    /// An [unchecked](crate::CallOptions::unchecked) call may contain any string.
    Enum(&'static [&'static str]),
    /// A list of strings.
    List {
        /// True if the parameter is repeated for each string: `a=1&a=2`. Otherwise the strings are joined with commas:
        /// `a=1,2`.
        repeated: bool,
    },
    /// A point in time, as Unix seconds or as a date `YYYY-MM-DD`.
    Moment,
    /// A JSON value of this type in the request body.
    Json(Type),
    /// A constant that every request of the operation contains. The caller cannot set it.
    Constant(bool),
}
