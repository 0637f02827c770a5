//! The model of the API: its operations, records, unions and enums with their final names and types. The generator
//! writes Rust code from the model.

use std::collections::{BTreeMap, BTreeSet};

/// The complete API from which the generator writes code.
#[derive(Debug)]
pub struct Model {
    pub title: String,
    pub version: String,
    pub tags: Vec<Tag>,
    pub operations: Vec<Operation>,
    pub records: BTreeMap<String, Record>,
    pub unions: BTreeMap<String, Union>,
    pub enums: BTreeMap<String, Enum>,
    /// Price tiers. Each entry contains the tier's name and its price in credits per call.
    pub tiers: Vec<(String, u32)>,
    /// Plans with credit prices by volume. Each entry contains the plan's name, the price of a credit in USD, and the
    /// number of credits above which the plan applies.
    pub plans: Vec<(String, String, u64)>,
    /// The smallest purchase of credits. The entry contains its price in USD and its number of credits.
    pub top_up: Option<(String, u64)>,
    /// Names of the runtime crate's types that the generated code uses.
    pub runtime_types: BTreeSet<String>,
}

/// An API domain: a tag of the OpenAPI document. It becomes a Rust module and a Cargo feature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    pub name: String,
    /// Name of the Rust module. The Cargo feature has this name with `-` instead of `_`.
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
    /// Name of the Rust module that contains the operation.
    pub module: String,
    pub tag: String,
    pub summary: String,
    pub doc: String,
    pub params: Vec<Param>,
    pub body: Body,
    /// Parameter with the search text, and row fields with the names and identifiers of the found items. `None` if the
    /// operation does not search.
    pub finds: Option<Finds>,
    /// Kinds of identifiers that the operation accepts. Each kind has the names of the parameters that together contain
    /// one identifier. For example, `contract` has the parameters `address` and `chain`.
    pub accepts: Vec<Identifier>,
    pub rules: Vec<Rule>,
    pub success: u16,
    pub answer: Answer,
    pub paging: Paging,
    pub row_order: RowOrder,
    pub price: Price,
    /// Name of the operation's price tier.
    pub tier: Option<String>,
    pub provenance: Provenance,
    pub note: Option<String>,
    pub deprecated: Option<String>,
    /// Parameters that callers may expect although the operation does not have them. Each entry is the parameter's
    /// name and advice for the caller, such as `reasoning_effort` and the advice to use `reasoning.effort`.
    pub misplaced: Vec<(String, String)>,
    /// Minimum time, in seconds, that a client should wait for the next byte of a response. `None` for an operation
    /// that is not known to be slow.
    pub patience: Option<u32>,
    /// Length of the free window in seconds: the time after a charged call in which further calls of the operation
    /// should be free. `None` for an operation without a free window.
    pub free_window: Option<u32>,
    /// Prefix of the path, such as `/v1`, if the prefix is uncertain. Users of the client can replace it by another
    /// prefix.
    pub prefix: Option<String>,
    /// Day on which the live service responded to this operation as documented. The format is `YYYY-MM-DD`.
    pub seen_live: Option<String>,
    /// Identifier of the operation that returns the same data without streaming. `None` if this operation is not a
    /// streaming variant.
    pub twin_of: Option<String>,
}

/// A kind of identifier, and the names of the fields or parameters that together contain an identifier of this kind.
/// An example is `("contract", ["address", "chain"])`.
pub type Identifier = (String, Vec<String>);

/// Properties of a search operation. `text` is the parameter with the search text. `names` lists the row fields that
/// contain a name of the found item. `kinds` lists the kinds of identifiers in a row with their row fields, such as
/// `contract` with `address` and `chain`.
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
    /// The request body consists of the value of one parameter. The string is the media type of the body.
    Whole(String),
}

#[derive(Debug)]
pub struct Param {
    pub name: String,
    pub ident: String,
    pub location: Location,
    pub required: bool,
    /// Name of the setter that sends `null`, if the parameter is in a JSON body and can be `null`. An unset parameter
    /// is not sent, and a service may treat `null` and a missing value differently.
    pub null: Option<String>,
    pub kind: ParamKind,
    pub default: Option<String>,
    /// Example value of the parameter, from the OpenAPI document or the overlay.
    pub example: Option<String>,
    pub doc: String,
    /// Text format of the parameter, such as a ticker or a date. The runtime crate has an enum with the same variants.
    pub convention: Option<Convention>,
    pub deprecated: Option<String>,
    /// Reason why the service rejects this parameter, although the OpenAPI document contains it. `None` for other
    /// parameters.
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
pub enum ParamKind {
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
    /// Name of a generated enum, and its values that this operation accepts.
    Enum(String, Vec<String>),
    /// A list of strings. Its items are joined with commas, or the parameter is repeated for each item.
    List {
        repeated: bool,
    },
    Moment,
    Json(Type),
    /// Raw bytes, for example of an uploaded file or of a whole request body.
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
    /// A response body that is not JSON. It is returned as raw bytes.
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

/// Order and identity of the rows of a list. `time` is the field by which rows are ordered. `key` lists the fields that
/// identify a row. `since` is the parameter for the earliest time.
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
    /// JSON pointer of the record's schema in the OpenAPI document.
    pub at: String,
    pub doc: String,
    pub fields: Vec<Field>,
    /// True if the runtime crate contains a hand-written definition of this record. The generator then writes no
    /// definition.
    pub native: bool,
    /// Names of the Rust modules whose operations use this record.
    pub used_by: BTreeSet<String>,
    /// True if request bodies contain this record, so that callers must be able to construct it.
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
    /// Accepted values in the schema of this field. The generated enum can have more values, because several fields
    /// and parameters can share one enum.
    pub values: Vec<String>,
    pub deprecated: Option<String>,
    pub meaning: Option<Meaning>,
}

/// Meaning of a field's values that the field's type does not express. For example, the values of a string field can be
/// dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meaning {
    Date,
    DateTime,
    ZeroIsUnknown,
}

/// A type for JSON values that can have one of several types. It becomes a Rust enum. OpenAPI documents define such
/// types by `oneOf` or `anyOf`.
#[derive(Debug)]
pub struct Union {
    pub name: String,
    /// JSON pointer of the union's schema in the OpenAPI document.
    pub at: String,
    pub doc: String,
    pub shapes: Vec<Shape>,
    /// Names of the Rust modules whose operations use this union.
    pub used_by: BTreeSet<String>,
}

/// One of the alternative types of a union.
#[derive(Debug)]
pub struct Shape {
    /// Name of the Rust enum variant.
    pub name: String,
    pub ty: Type,
    /// Fields that distinguish this type from the union's other types. Each field name is followed by the field's
    /// values in this type, such as `kind` with the value `user`.
    pub tags: Vec<(String, Vec<String>)>,
}

/// Rule for decoding and encoding a record field. For example, the rule decides whether a missing field is an error.
/// The macro `record!` uses the same names for these rules.
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

/// Type of a JSON value. It also determines the Rust type in generated code: a `List` of `Integer` becomes a
/// `Vec<i64>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Type {
    String,
    /// An integer that becomes an `i64`.
    Integer,
    /// An integer that becomes an `i128`, because neither its format nor its bounds limit it to the range of `i64`.
    Wide,
    /// A number that becomes an `f64`.
    Number,
    /// A number for which the OpenAPI document allows both integers and decimal numbers. The Rust type keeps all
    /// digits, because an `f64` would round large integers.
    Exact,
    Boolean,
    Any,
    Enum(String),
    /// Name of a record, or of a type in the runtime crate.
    Named(String),
    /// Name of a union of several types.
    Union(String),
    List(Box<Type>),
    Map(Box<Type>),
    /// A value of the inner type, or `null`.
    Option(Box<Type>),
    /// A recursive type. It contains itself, so the generated Rust type uses a `Box`.
    Boxed(Box<Type>),
    Tuple(Vec<Type>),
}

impl Type {
    /// Returns the type without enclosing `Option` and `Boxed`.
    pub fn bare(&self) -> &Type {
        match self {
            Type::Option(inner) | Type::Boxed(inner) => inner.bare(),
            ty => ty,
        }
    }

    /// Returns the names of the records, unions and enums that the type mentions.
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

/// A generated Rust enum of strings that also accepts unknown values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enum {
    pub name: String,
    pub doc: String,
    /// JSON value and Rust name of each variant, in the order of the OpenAPI document.
    pub variants: Vec<(String, String)>,
    /// True if the runtime crate contains a hand-written definition of this enum. The generator then writes no
    /// definition.
    pub native: bool,
    /// True if `components.schemas` of the OpenAPI document defines the enum. The values of any other enum are
    /// documented at the fields and parameters that use it.
    pub component: bool,
    /// True if the API accepts integers as values of this enum, in addition to strings. The generated enum then
    /// implements `From` for each integer type of Rust, such as `From<u32>`.
    pub integers: bool,
}
