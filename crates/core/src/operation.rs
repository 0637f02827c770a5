//! The rows of the catalogue: plain data, written by the generator, read by everyone else.

mod model;
mod paging;
mod param;
mod price;
mod table;

use http::Method;

pub use model::UnknownModel;
pub use paging::Paging;
pub use param::{Convention, In, Param, ParamKind};
pub use price::{ModelPrice, PlanRow, Price, TopUpRow};
pub use table::{Field, FieldMeaning, Record, Type};

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
    /// Description in Markdown: the meaning of the rows, their order, and known limits.
    pub description: &'static str,
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
    /// Content of a successful response.
    pub answer: Answer,
    /// How further pages are asked for.
    pub paging: Paging,
    /// List price. What a call really costs is in the answer's `meta`.
    pub price: Price,
    /// Where the knowledge about this operation comes from.
    pub provenance: Provenance,
    /// An assumption, or another remark, in one sentence.
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

    /// Most rows of a page that a call may ask for, if the description limits them.
    #[must_use]
    pub fn largest_page(&self) -> Option<u64> {
        match self.param(self.paging.limit()?)?.1.kind {
            ParamKind::Integer { max, .. } => max.and_then(|max| u64::try_from(max).ok()),
            _ => None,
        }
    }

    /// List price of one call. A price by model is resolved and never returned as such. A call without an effort
    /// counts as one with `none`.
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
    description: "",
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
