//! The model: operations, records and enums after all decisions. The emitters write it as code.

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
    /// Price tiers: name, and credits per call.
    pub tiers: Vec<(String, u32)>,
    /// Price of a credit by volume: name, USD, and the number of credits above which the plan applies.
    pub plans: Vec<(String, String, u64)>,
    /// The smallest purchase: USD, and the credits that it buys.
    pub top_up: Option<(String, u64)>,
    /// Types of the runtime crate that the generated code uses.
    pub runtime_types: BTreeSet<String>,
}

/// A domain: a module and a Cargo feature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    pub name: String,
    /// Name of the module. The feature has the same name with `-` for `_`.
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
    /// Module of the operation's tag.
    pub module: String,
    pub tag: String,
    pub summary: String,
    pub doc: String,
    pub params: Vec<Param>,
    pub body: Body,
    /// Identifiers that the rows of a search contain.
    pub finds: Option<Finds>,
    /// Kinds of identifiers that the operation accepts, with the parameters for their parts.
    pub accepts: Vec<Identifier>,
    pub rules: Vec<Rule>,
    pub success: u16,
    pub answer: Answer,
    pub paging: Paging,
    pub row_order: RowOrder,
    pub price: Price,
    /// Name of the price tier.
    pub tier: Option<String>,
    pub provenance: Provenance,
    pub note: Option<String>,
    pub deprecated: Option<String>,
    /// Names of parameters that only other operations have, each with advice.
    pub misplaced: Vec<(String, String)>,
    /// Minimum seconds without a byte that a caller should wait.
    pub patience: Option<u32>,
    /// Minimum seconds without a received byte before a caller should give up.
    pub free_window: Option<u32>,
    /// Seconds in which repeating a call is free.
    pub prefix: Option<String>,
    /// Day on which the live service responded to the operation, `YYYY-MM-DD`.
    pub seen_live: Option<String>,
    /// The non-streaming operation with the same response.
    pub twin_of: Option<String>,
}

/// A kind of identifier, and the fields or parameters with its parts.
pub type Identifier = (String, Vec<String>);

/// A search whose rows contain identifiers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finds {
    pub text: String,
    pub names: Vec<String>,
    pub kinds: Vec<Identifier>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Body {
    None,
    Optional,
    Required,
    Form,
    Multipart,
    /// The body is one parameter in this media type.
    Whole(String),
}

#[derive(Debug)]
pub struct Param {
    pub name: String,
    pub ident: String,
    pub location: Location,
    pub required: bool,
    /// Name of the method that sends `null`, for a part of a JSON body that can be `null`. Otherwise a missing value
    /// is not sent. Services may distinguish the two.
    pub null: Option<String>,
    pub kind: Kind,
    pub default: Option<String>,
    /// A value that the description gives as an example.
    pub example: Option<String>,
    pub doc: String,
    /// Text format. The variants are those of the runtime crate.
    pub convention: Option<Convention>,
    pub deprecated: Option<String>,
    /// Reason why the service rejects this parameter.
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
    /// Name of the enum, and the values that this operation accepts.
    Enum(String, Vec<String>),
    /// Joined with commas, or repeated.
    List {
        repeated: bool,
    },
    Moment,
    Json(Type),
    /// A file, or a body of raw bytes.
    Bytes,
    /// A boolean that is always sent with this value. Callers cannot set it.
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
    /// A body that is not JSON, as raw bytes.
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

/// Order and identity of the rows of a list: the field with the time, the fields that identify a row, and the parameter
/// that sets the earliest time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RowOrder {
    pub time: Option<String>,
    pub key: Vec<String>,
    pub since: Option<String>,
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
    /// JSON pointer of the record's schema in the input.
    pub at: String,
    pub doc: String,
    pub fields: Vec<Field>,
    /// True if the runtime crate contains a hand-written definition of this record.
    pub native: bool,
    /// Modules of the operations that use this record.
    pub used_by: BTreeSet<String>,
    /// True if requests contain this record, so that callers construct it.
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
    /// Values that the record's own description lists, for an enum without a component.
    pub values: Vec<String>,
    pub deprecated: Option<String>,
    pub meaning: Option<Meaning>,
}

/// Meaning of the values of a field, beyond their type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    Date,
    DateTime,
    ZeroIsUnknown,
}

/// A union of several shapes.
#[derive(Debug)]
pub struct Union {
    pub name: String,
    /// JSON pointer of the union's schema in the input.
    pub at: String,
    pub doc: String,
    pub shapes: Vec<Shape>,
    /// Modules of the operations that use this union.
    pub used_by: BTreeSet<String>,
}

/// A shape of a union.
#[derive(Debug)]
pub struct Shape {
    /// Name of the variant.
    pub name: String,
    pub ty: Type,
    /// Fields that identify the shape, with their values in it.
    pub tags: Vec<(String, Vec<String>)>,
}

/// Mode of decoding and encoding a field. The names are those of the macro `record!`.
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
    /// `i128`: an integer without a format of 64 bits.
    Wide,
    /// `f64`
    Number,
    /// A number that keeps all its digits, because the description allows integers and floats.
    Exact,
    Boolean,
    Any,
    Enum(String),
    /// A record, or a type of the runtime crate.
    Named(String),
    /// A union of several shapes.
    Union(String),
    List(Box<Type>),
    Map(Box<Type>),
    /// The value, or `null`.
    Option(Box<Type>),
    /// A type that contains itself.
    Boxed(Box<Type>),
    Tuple(Vec<Type>),
}

impl Type {
    /// Returns the type without `Option` and `Boxed`.
    pub fn bare(&self) -> &Type {
        match self {
            Type::Option(inner) | Type::Boxed(inner) => inner.bare(),
            ty => ty,
        }
    }

    /// Returns the names of the records and enums in the type.
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

/// An open enum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enum {
    pub name: String,
    pub doc: String,
    /// Value and name of each variant, in the order of the description.
    pub variants: Vec<(String, String)>,
    /// True if the runtime crate contains a hand-written definition of this enum.
    pub native: bool,
    /// True if the enum is a named component of the description. The values of other enums are documented at their
    /// uses.
    pub component: bool,
    /// True if integers are valid values too.
    pub integers: bool,
}
