//! What the emitters write: operations, records and enums, with everything decided.

use std::collections::{BTreeMap, BTreeSet};

/// Everything that is generated.
#[derive(Debug)]
pub struct Model {
    pub title: String,
    pub version: String,
    pub tags: Vec<Tag>,
    pub operations: Vec<Operation>,
    pub records: BTreeMap<String, Record>,
    pub unions: BTreeMap<String, Union>,
    pub enums: BTreeMap<String, Enum>,
    /// Price of a credit in USD by volume: name, USD, and the purchase the plan begins above.
    pub plans: Vec<(String, String, u64)>,
    /// The smallest purchase: USD, and the credits it buys.
    pub top_up: Option<(String, u64)>,
    /// Types of the runtime crate that are used.
    pub runtime_types: BTreeSet<String>,
}

/// One domain: a module and a Cargo feature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    pub name: String,
    /// Name of the module, and of the feature with `-` for `_`.
    pub module: String,
    pub doc: String,
}

impl Tag {
    pub fn feature(&self) -> String {
        self.module.replace('_', "-")
    }
}

#[derive(Debug)]
pub struct Operation {
    pub id: String,
    pub method: String,
    pub path: String,
    /// Module of its tag.
    pub module: String,
    pub tag: String,
    pub summary: String,
    pub doc: String,
    pub params: Vec<Param>,
    pub body: Body,
    pub rules: Vec<Rule>,
    pub success: u16,
    pub answer: Answer,
    pub paging: Paging,
    pub price: Price,
    pub provenance: Provenance,
    pub note: Option<String>,
    pub deprecated: Option<String>,
    /// Name of a parameter that belongs elsewhere, and what to do instead.
    pub misplaced: Vec<(String, String)>,
    /// Seconds of silence that a caller should bear at least.
    pub patience: Option<u32>,
    /// Seconds in which a repeat costs nothing.
    pub free_window: Option<u32>,
    /// The configurable beginning of the path.
    pub prefix: Option<String>,
    /// The operation that answers the same question whole.
    pub twin_of: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    None,
    Optional,
    Required,
    Form,
    Multipart,
    /// The one parameter of the body, in this media type.
    Whole(String),
}

#[derive(Debug)]
pub struct Param {
    pub name: String,
    pub ident: String,
    pub location: Location,
    pub required: bool,
    pub kind: Kind,
    pub default: Option<String>,
    /// A value that the description gives as an example.
    pub example: Option<String>,
    pub doc: String,
    /// What its text must look like; the arms are the runtime's.
    pub convention: Option<Convention>,
    pub deprecated: Option<String>,
    /// Why the service refuses it.
    pub refused: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Convention {
    Ticker,
    Address,
    DateTime,
    Day,
    UnixSeconds,
    UnixMillis,
    Handle,
    Uuid,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Location {
    Path,
    Query,
    Header,
    Body,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    String {
        min: Option<u64>,
        max: Option<u64>,
    },
    Integer {
        min: Option<i64>,
        max: Option<i64>,
    },
    Number {
        min: Option<f64>,
        max: Option<f64>,
    },
    Boolean,
    /// Enum and the values this operation accepts.
    Enum(String, Vec<String>),
    /// Joined with commas, or repeated.
    List {
        repeated: bool,
    },
    Moment,
    Json(Type),
    /// A file, or a body that is no text.
    Bytes,
    /// Always sent, never set.
    Constant(bool),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rule {
    AtLeastOne(Vec<String>),
    ExactlyOne(Vec<String>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    Rows {
        row: Type,
        meta: String,
    },
    One {
        data: Type,
        meta: String,
    },
    Bare(Type),
    Stream,
    /// Something that is not JSON, as it came.
    Bytes,
    Empty,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Paging {
    None,
    Offset { limit: String, offset: String },
    Cursor { limit: String, cursor: String, ends_by_token: bool },
    Keyset { limit: String, cursor: String, keys: Vec<(String, String)>, ends_by_token: bool },
    PaginationKey { limit: String, key: String, position: String, items: String },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Price {
    Free,
    Credits(u32),
    ByModel(Vec<(String, Option<String>, u32)>),
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provenance {
    InterfaceText,
    PublishedDescription,
    Assumed,
}

#[derive(Debug)]
pub struct Record {
    pub name: String,
    /// Place of its schema in the input.
    pub at: String,
    pub doc: String,
    pub fields: Vec<Field>,
    /// Written by hand in the runtime crate.
    pub native: bool,
    /// Modules of the operations that use it.
    pub used_by: BTreeSet<String>,
    /// Part of a request, so that people build it.
    pub requestable: bool,
}

#[derive(Debug)]
pub struct Field {
    pub name: String,
    pub ident: String,
    pub doc: String,
    pub mode: Mode,
    pub ty: Type,
    pub required: bool,
    pub nullable: bool,
    /// What its own description lists of an enum that is described in place.
    pub values: Vec<String>,
    pub deprecated: Option<String>,
}

/// A choice between shapes.
#[derive(Debug)]
pub struct Union {
    pub name: String,
    /// Place of its schema in the input.
    pub at: String,
    pub doc: String,
    pub shapes: Vec<Shape>,
    /// Modules of the operations that use it.
    pub used_by: BTreeSet<String>,
}

/// One of the shapes.
#[derive(Debug)]
pub struct Shape {
    /// Name of the variant.
    pub name: String,
    pub ty: Type,
    /// Members that tell the shape, with the texts that they hold in it.
    pub tags: Vec<(String, Vec<String>)>,
}

/// How a member is read and written; the words of the runtime's `record!`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Required,
    Nullable,
    Optional,
    List,
    OptionalList,
    Loose,
    Metric,
    Meta,
}

impl Mode {
    pub fn word(self) -> &'static str {
        match self {
            Mode::Required => "required",
            Mode::Nullable => "nullable",
            Mode::Optional => "optional",
            Mode::List => "list",
            Mode::OptionalList => "optional_list",
            Mode::Loose => "loose",
            Mode::Metric => "metric",
            Mode::Meta => "meta",
        }
    }
}

/// Type of a JSON value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    String,
    /// `i64`
    Integer,
    /// `i128`: a whole number without a format of 64 bits.
    Wide,
    /// `f64`
    Number,
    /// A number of which each digit counts: a choice between whole and decimal numbers.
    Exact,
    Boolean,
    Any,
    Enum(String),
    /// A record or a native.
    Named(String),
    /// A choice between shapes.
    Union(String),
    List(Box<Type>),
    Map(Box<Type>),
    /// `null` may stand in for the value.
    Option(Box<Type>),
    /// Held by itself.
    Boxed(Box<Type>),
    Tuple(Vec<Type>),
}

impl Type {
    /// The type without what only says how it is held.
    pub fn bare(&self) -> &Type {
        match self {
            Type::Option(inner) | Type::Boxed(inner) => inner.bare(),
            ty => ty,
        }
    }

    /// The names of records and enums within.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Type::Enum(name) | Type::Named(name) | Type::Union(name) => vec![name],
            Type::List(inner) | Type::Map(inner) | Type::Option(inner) | Type::Boxed(inner) => {
                inner.names()
            }
            Type::Tuple(places) => places.iter().flat_map(Type::names).collect(),
            _ => Vec::new(),
        }
    }
}

/// One open enum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enum {
    pub name: String,
    pub doc: String,
    /// Value and name of each variant, in the order of the description.
    pub variants: Vec<(String, String)>,
    /// Whether the runtime crate defines it by hand.
    pub native: bool,
    /// Whether a component describes it. The values of other enums are described where they are used.
    pub component: bool,
    /// Whether whole numbers are values too.
    pub integers: bool,
}
