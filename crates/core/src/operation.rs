//! The rows of the catalogue: plain data, written by the generator, read by everyone else.

use http::Method;

use crate::convention::Convention;

/// One operation of the service: everything known about it that is not code.
#[derive(Debug)]
pub struct Operation {
    /// Identifier in kebab case, unique in the catalogue.
    pub id: &'static str,
    /// HTTP method.
    pub method: Method,
    /// Path below the base URL; `{name}` marks a path parameter.
    pub path: &'static str,
    /// The domain the operation belongs to, as the description spells it.
    pub tag: &'static str,
    /// One line for listings.
    pub summary: &'static str,
    /// Parameters in the order of the description, wherever they travel.
    pub params: &'static [Param],
    /// Whether the call has a JSON body.
    pub body: Body,
    /// Rules over several parameters, checked before anything is sent.
    pub rules: &'static [Rule],
    /// Parameters that belong elsewhere; a call that carries one is refused before it is sent.
    pub misplaced: &'static [Misplaced],
    /// HTTP status of success.
    pub success: u16,
    /// What a successful answer holds.
    pub answer: Answer,
    /// How further pages are asked for.
    pub paging: Paging,
    /// List price. What a call really costs is in the answer's `meta`.
    pub price: Price,
    /// Where the knowledge about this operation comes from.
    pub provenance: Provenance,
    /// What is assumed or otherwise needs saying, in one sentence.
    pub note: Option<&'static str>,
    /// Why the operation should no longer be used.
    pub deprecated: Option<&'static str>,
    /// Silence that a caller should bear at least, in seconds, where the service is known to
    /// think for long.
    pub patience: Option<u32>,
    /// Seconds within which a repeat costs nothing, whatever its parameters, as the interface text
    /// has it. Live figures have been seen to differ: what an answer reports counts.
    pub free_window: Option<u32>,
    /// The beginning of [`path`](Self::path) that sources disagree on, and that a client lets its
    /// user choose.
    pub prefix: Option<&'static str>,
}

impl Operation {
    /// The parameter called `name` on the wire, with its index.
    #[must_use]
    pub fn param(&self, name: &str) -> Option<(usize, &'static Param)> {
        self.params.iter().enumerate().find(|(_, p)| p.name == name)
    }

    /// What one call costs by the published list. A price by model is looked up, and never comes
    /// back as such; a call without an effort counts as one with `none`.
    #[must_use]
    pub fn list_price(&self, model: Option<&str>, effort: Option<&str>) -> Price {
        let Price::ByModel(table) = self.price else { return self.price };
        let effort = effort.unwrap_or("none");
        let fits = |line: &&ModelPrice| {
            Some(line.model) == model && line.effort.is_none_or(|of_line| of_line == effort)
        };
        table.iter().find(fits).map_or(Price::Unknown, |line| Price::Credits(line.credits))
    }
}

/// Stands in the place of a row for calls that the catalogue does not know.
pub static RAW: Operation = Operation {
    id: "raw",
    method: Method::GET,
    path: "",
    tag: "Raw",
    summary: "A call that the catalogue does not know",
    params: &[],
    body: Body::None,
    rules: &[],
    misplaced: &[],
    success: 200,
    answer: Answer::Bare(Type::Any),
    paging: Paging::None,
    price: Price::Unknown,
    provenance: Provenance::Assumed,
    note: None,
    deprecated: None,
    patience: None,
    free_window: None,
    prefix: None,
};

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
    /// What the service assumes when the parameter is left out, as it would be written.
    pub default: Option<&'static str>,
    /// Meaning and unit.
    pub doc: &'static str,
    /// What its text must look like beyond its type.
    pub convention: Option<Convention>,
    /// Values that the service takes elsewhere under the same name. One of them that is not among
    /// those of [`kind`](Self::kind) is refused before it is sent.
    pub elsewhere: &'static [&'static str],
    /// Why not to use it.
    pub deprecated: Option<&'static str>,
    /// Why the service refuses it although its description lists it, as the end of a sentence that
    /// begins with the name. A call that sets it is refused before it is sent.
    pub refused: Option<&'static str>,
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
        }
    }

    /// The same, required.
    #[must_use]
    pub const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// The same with what the service assumes when it is left out.
    #[must_use]
    pub const fn default(mut self, default: &'static str) -> Self {
        self.default = Some(default);
        self
    }

    /// The same with the values that the service takes elsewhere.
    #[must_use]
    pub const fn elsewhere(mut self, values: &'static [&'static str]) -> Self {
        self.elsewhere = values;
        self
    }

    /// The same with the reason not to use it.
    #[must_use]
    pub const fn deprecated(mut self, reason: &'static str) -> Self {
        self.deprecated = Some(reason);
        self
    }

    /// The same with a shape for its text.
    #[must_use]
    pub const fn convention(mut self, convention: Convention) -> Self {
        self.convention = Some(convention);
        self
    }

    /// The same, which the service refuses.
    #[must_use]
    pub const fn refused(mut self, why: &'static str) -> Self {
        self.refused = Some(why);
        self
    }
}

/// Whether a call has a body, and how it is written. Its members are parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    /// None.
    None,
    /// A JSON object, only when one of its members is set.
    Optional,
    /// A JSON object, always.
    Required,
    /// A form as browsers send it (`application/x-www-form-urlencoded`).
    Form,
    /// A form in parts (`multipart/form-data`), which may hold files.
    Multipart,
    /// The value of the one parameter of the body, in this media type.
    Whole(&'static str),
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

/// A rule over several parameters of one operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// At least one of these parameters must be given.
    AtLeastOne(&'static [&'static str]),
    /// Exactly one of these parameters must be given.
    ExactlyOne(&'static [&'static str]),
}

/// A parameter that callers know from a similar operation and that this one does not take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Misplaced {
    /// Name on the wire.
    pub name: &'static str,
    /// What to do instead, as the end of a sentence that begins with the name.
    pub instead: &'static str,
}

/// What a successful answer holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// An envelope around rows of this record.
    Rows {
        /// Type of one row.
        row: Type,
        /// Record of the `meta` member.
        meta: &'static str,
    },
    /// An envelope around one value.
    One {
        /// Type of `data`.
        data: Type,
        /// Record of the `meta` member.
        meta: &'static str,
    },
    /// The record itself, without an envelope.
    Bare(Type),
    /// A stream of bytes, such as server-sent events.
    Stream,
    /// Something that is not JSON, such as a picture or CSV: its bytes as they came.
    Bytes,
    /// Nothing.
    Empty,
}

/// How further pages are asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paging {
    /// One answer holds everything.
    None,
    /// Rows are skipped by number.
    Offset {
        /// Parameter with the page size.
        limit: &'static str,
        /// Parameter with the number of rows to skip.
        offset: &'static str,
    },
    /// An opaque token of the answer's `meta` leads on.
    Cursor {
        /// Parameter with the page size.
        limit: &'static str,
        /// Parameter that takes the token.
        cursor: &'static str,
        /// Whether only a missing token ends the list, and `has_more` has no say.
        ends_by_token: bool,
    },
    /// A token of the answer leads on, or the keys of the last row of a page do.
    Keyset {
        /// Parameter with the page size.
        limit: &'static str,
        /// Parameter that takes the token.
        cursor: &'static str,
        /// Parameters and the members of the last row that fill them.
        keys: &'static [(&'static str, &'static str)],
        /// Whether a token leads on whatever `has_more` says.
        ends_by_token: bool,
    },
    /// A token of the answer's `pagination` member leads on.
    PaginationKey {
        /// Parameter with the page size.
        limit: &'static str,
        /// Parameter that takes the token.
        key: &'static str,
    },
}

impl Paging {
    /// Parameter with the page size.
    #[must_use]
    pub const fn limit(self) -> Option<&'static str> {
        match self {
            Paging::None => None,
            Paging::Offset { limit, .. }
            | Paging::Cursor { limit, .. }
            | Paging::Keyset { limit, .. }
            | Paging::PaginationKey { limit, .. } => Some(limit),
        }
    }

    /// Parameter with the number of rows to skip.
    #[must_use]
    pub const fn offset(self) -> Option<&'static str> {
        match self {
            Paging::Offset { offset, .. } => Some(offset),
            _ => None,
        }
    }

    /// Parameter that takes the token of the next page.
    #[must_use]
    pub const fn token(self) -> Option<&'static str> {
        match self {
            Paging::Cursor { cursor, .. } | Paging::Keyset { cursor, .. } => Some(cursor),
            Paging::PaginationKey { key, .. } => Some(key),
            Paging::None | Paging::Offset { .. } => None,
        }
    }

    /// Parameters that take members of the last row, and these members.
    #[must_use]
    pub const fn keys(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Paging::Keyset { keys, .. } => keys,
            _ => &[],
        }
    }

    /// Every parameter that says which page is meant.
    pub fn parameters(self) -> impl Iterator<Item = &'static str> {
        let keys = self.keys().iter().map(|(parameter, _)| *parameter);
        [self.limit(), self.offset(), self.token()].into_iter().flatten().chain(keys)
    }
}

/// List price of one call, in credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Price {
    /// Nothing is charged.
    Free,
    /// This many credits.
    Credits(u32),
    /// Depends on the model and the reasoning effort; a call without an effort counts as one with
    /// `none`.
    ByModel(&'static [ModelPrice]),
    /// Not published.
    Unknown,
}

/// One line of a price table by model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelPrice {
    /// Model name.
    pub model: &'static str,
    /// Reasoning effort; `None` stands for every effort.
    pub effort: Option<&'static str>,
    /// Credits per call.
    pub credits: u32,
}

/// The price of a credit at one volume.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// Name of the plan.
    pub name: &'static str,
    /// USD per credit, as a decimal number in text so that it stays exact.
    pub usd_per_credit: &'static str,
    /// The plan holds for purchases of more than this many credits.
    pub above: u64,
}

/// The smallest purchase of credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TopUp {
    /// What is paid in USD, as a decimal number in text so that it stays exact.
    pub usd: &'static str,
    /// The credits that it buys at the list price, about.
    pub credits: u64,
}

/// Where the knowledge about an operation comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provenance {
    /// The interface text specifies it.
    InterfaceText,
    /// A published machine-readable description specifies it.
    PublishedDescription,
    /// Some of it is assumed; [`Operation::note`] says what.
    Assumed,
}

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
    /// Why the member should no longer be read.
    pub deprecated: Option<&'static str>,
}

impl Field {
    /// A member that may be absent and is never `null`.
    #[must_use]
    pub const fn new(name: &'static str, ty: Type) -> Self {
        Field { name, ty, required: false, nullable: false, deprecated: None }
    }

    /// The same, always there.
    #[must_use]
    pub const fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// The same, where `null` may stand in for a value.
    #[must_use]
    pub const fn nullable(mut self) -> Self {
        self.nullable = true;
        self
    }

    /// The same, and why it should no longer be read.
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
