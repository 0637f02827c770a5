//! The rows of the catalogue. The catalogue is a table of all operations of the service, which the generator writes as
//! Rust constants.
//!
//! A row describes one operation: its path, parameters, body, response, price, paging and provenance.

mod model;
mod paging;
mod param;
mod price;
mod table;

use http::Method;

pub use model::UnknownModel;
pub use paging::Paging;
pub use param::{Convention, In, Param, ParamKind};
pub use price::{ModelPrice, PlanRow, Price, TierRow, TopUpRow};
pub use table::{Field, FieldMeaning, Record, Type};

/// One row of the catalogue: the description of one operation of the service.
#[derive(Debug)]
pub struct Operation {
    /// Identifier of the operation in kebab case, such as `market-price`. It is unique in the catalogue.
    pub id: &'static str,
    /// HTTP method.
    pub method: Method,
    /// Path relative to the base URL. `{name}` marks a path parameter.
    pub path: &'static str,
    /// Name of the group to which the operation belongs, from its `tags` in the OpenAPI document.
    pub tag: &'static str,
    /// Summary of the operation in one line, for lists of operations.
    pub summary: &'static str,
    /// Description of the operation in Markdown: the meaning and order of the rows that it returns, and known limits.
    pub description: &'static str,
    /// Parameters of path, query, headers and body, in the order of the OpenAPI document.
    pub params: &'static [Param],
    /// Kind of request body, such as a JSON object or a form.
    pub body: Body,
    /// Request parameter with the search text, and response fields with names and identifiers, such as `ticker`. `None`
    /// if the operation is not a search.
    pub finds: Option<Finds>,
    /// Kinds of identifiers that the operation accepts. Each entry lists the parameters for the parts of an identifier,
    /// such as `address` and `chain` for a contract.
    pub accepts: &'static [IdentifierRow],
    /// Rules about combinations of parameters. The client checks them before it sends a request.
    pub rules: &'static [Rule],
    /// Parameters that similar operations have but this operation lacks, such as `reasoning_effort`. If a call sets one
    /// of these parameters, the client rejects the call before it sends a request.
    pub misplaced: &'static [Misplaced],
    /// HTTP status of a successful response.
    pub success: u16,
    /// Content of a successful response.
    pub answer: Answer,
    /// Kind of paging, which determines how further pages are requested.
    pub paging: Paging,
    /// Names of two kinds of response fields: the field with a row's timestamp, and the fields that identify a row,
    /// such as `tx_hash`. These fields are not known for every operation.
    pub row_order: RowOrder,
    /// List price of one call. The credits that a call used are in the `meta` of its response.
    pub price: Price,
    /// Name of the price tier, such as `Light`. It is `None` if the documentation of the service does not state the
    /// tier.
    pub tier: Option<&'static str>,
    /// Source from which the catalogue's description of this operation was generated.
    pub provenance: Provenance,
    /// A remark about the catalogue's description of this operation, in one sentence. For example, the remark can state
    /// that only the path of the operation is known, and that its parameters are assumed.
    pub note: Option<&'static str>,
    /// Reason why the operation is deprecated, or `None` if it is not.
    pub deprecated: Option<&'static str>,
    /// Minimum time, in seconds, that a client should wait for the next byte of a response. It is set for operations
    /// that are known to be slow.
    pub patience: Option<u32>,
    /// Length of the free window in seconds. After a charged call, further calls of this operation should be free for
    /// this time, even with other parameter values. The documentation of the service states the length, but the live
    /// service has charged for calls in the window.
    pub free_window: Option<u32>,
    /// Date (`YYYY-MM-DD`) on which `cintel doctor --contract` received a response of this operation from the live
    /// service.
    pub seen_live: Option<&'static str>,
    /// Uncertain prefix of [`path`](Self::path), such as `/v1`. The service's documents contain different prefixes for
    /// this path, so a setting of the client can replace the prefix. `None` if the whole path is certain.
    pub prefix: Option<&'static str>,
}

impl Operation {
    /// Returns the parameter called `name` and its index in the parameter list.
    #[must_use]
    pub fn param(&self, name: &str) -> Option<(usize, &'static Param)> {
        self.params.iter().enumerate().find(|(_, p)| p.name == name)
    }

    /// Returns the maximum number of rows of a page, if the catalogue has a maximum for the page size parameter.
    #[must_use]
    pub fn largest_page(&self) -> Option<u64> {
        match self.param(self.paging.limit()?)?.1.kind {
            ParamKind::Integer { max, .. } => max.and_then(|max| u64::try_from(max).ok()),
            _ => None,
        }
    }

    /// Returns the name of the price tier, such as `Light`. If the catalogue contains a price but no tier, returns
    /// `not stated`. Returns `None` if the operation is free, is priced by model, or has no published price.
    #[must_use]
    pub fn tier_in_words(&self) -> Option<&'static str> {
        let has_tier = matches!(self.price, Price::Credits(_));
        has_tier.then_some(self.tier.unwrap_or("not stated"))
    }

    /// Returns the list price of one call with this model and reasoning effort. The result is never [`Price::ByModel`].
    /// A missing effort is treated as `none`. The result is [`Price::Unknown`] if the price depends on the model, and
    /// no price is listed for this model and effort.
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

/// Operation of all raw calls. A raw call is a call of an operation that is not in the catalogue.
pub static RAW: Operation = Operation {
    id: "raw",
    method: Method::GET,
    path: "",
    tag: "Raw",
    summary: "A call of an operation that is not in the catalogue",
    description: "",
    params: &[],
    body: Body::None,
    finds: None,
    accepts: &[],
    rules: &[],
    misplaced: &[],
    success: 200,
    answer: Answer::Bare(Type::Any),
    paging: Paging::None,
    row_order: RowOrder::UNKNOWN,
    price: Price::Unknown,
    tier: None,
    provenance: Provenance::Assumed,
    note: None,
    deprecated: None,
    patience: None,
    free_window: None,
    prefix: None,
    seen_live: None,
};

/// Names of the response fields that contain the timestamp of a row or identify the row, and name of the request
/// parameter that sets the earliest timestamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowOrder {
    /// Name of the field with the timestamp of a row. The rows of a response are not always sorted by this field.
    pub time: Option<&'static str>,
    /// Names of the fields that together identify a row. Two rows of one list never have equal values in all these
    /// fields. Empty if these fields are unknown.
    pub key: &'static [&'static str],
    /// Name of the request parameter that sets the earliest timestamp of the rows, such as `from`.
    pub since: Option<&'static str>,
}

impl RowOrder {
    /// Row order of a list whose timestamp field and identifying fields are unknown.
    pub const UNKNOWN: RowOrder = RowOrder { time: None, key: &[], since: None };
}

/// Kind of request body. The fields of a body are parameters of the operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    /// The request has no body.
    None,
    /// A JSON object, which is sent only if one of its fields is set.
    Optional,
    /// A JSON object, which is always sent. If none of its fields is set, the body is the empty object `{}`.
    Required,
    /// A URL-encoded form (`application/x-www-form-urlencoded`).
    Form,
    /// A multipart form (`multipart/form-data`), which may contain files.
    Multipart,
    /// The whole body is the value of the only body parameter. The string in this variant is the media type of the
    /// body.
    Whole(&'static str),
}

/// Description of a search operation: its rows contain identifiers that other operations accept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finds {
    /// Name of the request parameter with the search text.
    pub text: &'static str,
    /// Response fields with the names of a row's entity, such as `ticker` and `security_name` for a stock. A row is an
    /// exact match if one of these fields equals the search text, ignoring ASCII case.
    pub names: &'static [&'static str],
    /// Kinds of identifiers in the rows. Each entry lists the response fields that contain the parts of an identifier,
    /// such as `pair` and `exchange` for a trading pair.
    pub kinds: &'static [IdentifierRow],
}

/// A kind of identifier that an operation returns or accepts, such as `contract`. An identifier has one or more parts,
/// such as `address` and `chain`. Each part is a response field or request parameter of the operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdentifierRow {
    /// Kind of identifier, such as `contract`.
    pub kind: &'static str,
    /// Names of the response fields or request parameters that contain the parts of the identifier, such as `address`
    /// and `chain`. The parts have the same order in all operations.
    pub parts: &'static [&'static str],
}

/// A rule about a combination of parameters of one operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// At least one of the parameters with these names must be set.
    AtLeastOne(&'static [&'static str]),
    /// Exactly one of the parameters with these names must be set.
    ExactlyOne(&'static [&'static str]),
}

/// A parameter that an operation does not have although similar operations have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Misplaced {
    /// Name of the parameter in HTTP requests.
    pub name: &'static str,
    /// Part after the parameter's name in the error message for a call that sets this parameter. An example of the
    /// message is "`reasoning_effort` is only a parameter of `chat-completions`; …".
    pub instead: &'static str,
}

/// Structure of a successful response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// A JSON object with the fields `data`, which is a list of rows, and `meta`.
    Rows {
        /// Type of one row.
        row: Type,
        /// Name of the record type of `meta`.
        meta: &'static str,
    },
    /// A JSON object with the fields `data`, which is one value, and `meta`.
    One {
        /// Type of the value in the response field `data`.
        data: Type,
        /// Name of the record type that describes the response field `meta`.
        meta: &'static str,
    },
    /// A JSON value of this type, without the fields `data` and `meta` around it.
    Bare(Type),
    /// A response that is read in chunks, such as server-sent events.
    Stream,
    /// A body that is not JSON, such as an image or CSV. The client returns it as bytes.
    Bytes,
    /// A response without a body.
    Empty,
}

/// Source from which the catalogue's description of an operation was generated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provenance {
    /// Only the interface text describes the operation, and no OpenAPI document contains it. The interface text is the
    /// prose documentation of the service.
    InterfaceText,
    /// An OpenAPI document that the service published.
    PublishedDescription,
    /// A part of the operation's catalogue entry is assumed, for example its parameters. [`Operation::note`] describes
    /// the assumption.
    Assumed,
}
