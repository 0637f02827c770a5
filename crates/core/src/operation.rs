//! The rows of the catalogue: plain data that the generator writes.
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

/// One operation of the service, as data.
#[derive(Debug)]
pub struct Operation {
    /// Identifier in kebab case, unique in the catalogue.
    pub id: &'static str,
    /// HTTP method.
    pub method: Method,
    /// Path below the base URL; `{name}` marks a path parameter.
    pub path: &'static str,
    /// Domain of the operation, as the description spells it.
    pub tag: &'static str,
    /// Description in one line, for lists.
    pub summary: &'static str,
    /// Description in Markdown: the meaning of the rows, their order, and known limits.
    pub description: &'static str,
    /// Parameters of query, path, headers and body, in the order of the description.
    pub params: &'static [Param],
    /// Kind of body.
    pub body: Body,
    /// Identifiers that the rows of a search contain.
    pub finds: Option<Finds>,
    /// Kinds of identifiers that the operation accepts, with the parameters for their parts.
    pub accepts: &'static [IdentifierRow],
    /// Rules over several parameters, checked before anything is sent.
    pub rules: &'static [Rule],
    /// Parameters that callers may expect here but that other operations have. A call with one of them is rejected
    /// before it is sent.
    pub misplaced: &'static [Misplaced],
    /// HTTP status of success.
    pub success: u16,
    /// Content of a successful response.
    pub answer: Answer,
    /// Kind of paging: how to request further pages.
    pub paging: Paging,
    /// Fields that order and identify the rows, if this is known.
    pub row_order: RowOrder,
    /// List price. The `meta` of the response reports the credits used.
    pub price: Price,
    /// Name of the price tier, such as `Light`. `None` if the interface text does not state it for this operation.
    pub tier: Option<&'static str>,
    /// Source of the data in this row.
    pub provenance: Provenance,
    /// An assumption or another remark, in one sentence.
    pub note: Option<&'static str>,
    /// Reason why the operation is deprecated.
    pub deprecated: Option<&'static str>,
    /// Minimum time in seconds that a caller should wait for the next byte, if the service is known to respond
    /// slowly.
    pub patience: Option<u32>,
    /// Seconds within which a repeated call is free, also with other parameters, by the interface text. The live
    /// service has reported other costs. The response contains the credits used.
    pub free_window: Option<u32>,
    /// Day on which the live service answered this operation, `YYYY-MM-DD`, by `cintel doctor --contract`.
    pub seen_live: Option<&'static str>,
    /// Prefix of [`path`](Self::path), such as `/v1`, that is uncertain because the texts of the service differ. A user
    /// of the client can set another prefix.
    pub prefix: Option<&'static str>,
}

impl Operation {
    /// Finds the parameter called `name` on the wire, with its index.
    #[must_use]
    pub fn param(&self, name: &str) -> Option<(usize, &'static Param)> {
        self.params.iter().enumerate().find(|(_, p)| p.name == name)
    }

    /// Returns the maximum number of rows of a page, if the description limits it.
    #[must_use]
    pub fn largest_page(&self) -> Option<u64> {
        match self.param(self.paging.limit()?)?.1.kind {
            ParamKind::Integer { max, .. } => max.and_then(|max| u64::try_from(max).ok()),
            _ => None,
        }
    }

    /// Returns the name of the price tier in words: `not stated` if the interface text does not contain it. `None`
    /// for operations that are free, priced by model, or without a published price.
    #[must_use]
    pub fn tier_in_words(&self) -> Option<&'static str> {
        let has_tier = matches!(self.price, Price::Credits(_));
        has_tier.then_some(self.tier.unwrap_or("not stated"))
    }

    /// Returns the list price of one call. A price by model is resolved, so the result is never `ByModel`. A missing
    /// effort counts as `none`.
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

/// Row of calls that are not in the catalogue.
pub static RAW: Operation = Operation {
    id: "raw",
    method: Method::GET,
    path: "",
    tag: "Raw",
    summary: "A call that is not in the catalogue",
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

/// Fields that order the rows of a list in time, and fields that identify a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowOrder {
    /// Field with the time of a row. The rows of a response can be in another order.
    pub time: Option<&'static str>,
    /// Fields whose values together identify a row among the rows of one list; empty if such fields are unknown.
    pub key: &'static [&'static str],
    /// Parameter with the earliest `time` of the rows to return.
    pub since: Option<&'static str>,
}

impl RowOrder {
    /// Row order without known fields: nothing is known to order or identify the rows.
    pub const UNKNOWN: RowOrder = RowOrder { time: None, key: &[], since: None };
}

/// Kind of request body. The fields of a body are parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    /// No body.
    None,
    /// A JSON object, sent if one of its fields is set.
    Optional,
    /// A JSON object, always sent.
    Required,
    /// A URL-encoded form (`application/x-www-form-urlencoded`).
    Form,
    /// A multipart form (`multipart/form-data`), which may contain files.
    Multipart,
    /// The value of the only body parameter, in this media type.
    Whole(&'static str),
}

/// A search whose rows contain identifiers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finds {
    /// Name of the parameter with the text.
    pub text: &'static str,
    /// Fields of a row that name its subject. A row matches a text exactly if one of these fields equals the text.
    pub names: &'static [&'static str],
    /// Kinds of identifiers, with the fields of a row that contain their parts.
    pub kinds: &'static [IdentifierRow],
}

/// A kind of identifier and the names of its parts in one operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdentifierRow {
    /// Kind of identifier, such as `contract`.
    pub kind: &'static str,
    /// Fields or parameters that contain the parts of the identifier, such as `address` and `chain`. The order of the
    /// parts is the same in all operations.
    pub parts: &'static [&'static str],
}

/// A rule over several parameters of one operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// At least one of these parameters must be given.
    AtLeastOne(&'static [&'static str]),
    /// Exactly one of these parameters must be given.
    ExactlyOne(&'static [&'static str]),
}

/// A parameter that similar operations have, but the operation of this row does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Misplaced {
    /// Name on the wire.
    pub name: &'static str,
    /// The alternative, as the end of a sentence that begins with the name.
    pub instead: &'static str,
}

/// Content of a successful response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// An envelope around rows of this record.
    Rows {
        /// Type of one row.
        row: Type,
        /// Record of the `meta` field.
        meta: &'static str,
    },
    /// An envelope around one value.
    One {
        /// Type of `data`.
        data: Type,
        /// Record of the `meta` field.
        meta: &'static str,
    },
    /// A record without an envelope.
    Bare(Type),
    /// A stream of bytes, such as server-sent events.
    Stream,
    /// A body that is not JSON, such as an image or CSV, returned as bytes.
    Bytes,
    /// No body.
    Empty,
}

/// Source of the data about an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provenance {
    /// The operation is specified only in the interface text.
    InterfaceText,
    /// The operation is in a published machine-readable description.
    PublishedDescription,
    /// Some of the data is assumed; [`Operation::note`] describes the assumption.
    Assumed,
}
