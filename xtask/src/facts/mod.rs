//! Facts: all properties of the public Rust API, for each API item. API items are operations, records, unions, enums
//! and modules, and their parts: parameters, fields, variants and enum values. The service itself, with its prices, is
//! an API item too. The module `lines` formats the facts as snapshots, and `diff` compares them.
//!
//! The facts agree with the generated Rust code, because both are made from the same model.

mod lines;
mod operations;
mod types;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::emit::{Homes, named};
use crate::model::{Model, Operation};

pub use lines::{SNAPSHOTS, snapshots};
pub(crate) use types::spelled as type_name;

/// Kind of an API item. Snapshot lines are sorted in the order of these variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ItemKind {
    Service,
    Domain,
    Operation,
    Record,
    Choice,
    Enum,
}

impl ItemKind {
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            ItemKind::Service => "service",
            ItemKind::Domain => "domain",
            ItemKind::Operation => "operation",
            ItemKind::Record => "record",
            ItemKind::Choice => "choice",
            ItemKind::Enum => "enum",
        }
    }
}

/// Name of an API item, such as an operation, record, union or enum. If `part` is set, this is the name of one part of
/// the item, such as a parameter, field, variant or enum value. An example is the field `usd` of the record `Price`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Subject {
    pub kind: ItemKind,
    pub name: String,
    pub part: Option<String>,
}

impl Subject {
    fn whole(kind: ItemKind, name: &str) -> Self {
        Subject { kind, name: name.to_owned(), part: None }
    }

    fn part(&self, part: &str) -> Self {
        Subject { part: Some(part.to_owned()), ..self.clone() }
    }
}

impl std::fmt::Display for Subject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.kind.word())?;
        if !self.name.is_empty() {
            write!(f, " {}", self.name)?;
        }
        match (&self.part, self.kind) {
            (None, _) => Ok(()),
            (Some(part), ItemKind::Enum) => write!(f, " {part:?}"),
            (Some(part), ItemKind::Service) => write!(f, " plan {part}"),
            (Some(part), _) => write!(f, ".{part}"),
        }
    }
}

/// Property of an API item. A snapshot contains the properties of an item in the order of these variants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Aspect {
    /// Main property of an API item. For an operation, this is the HTTP method and the path. For an enum value, it is
    /// the name of the Rust variant. For a record, it states how the record is used, such as `built by callers` or
    /// `read`.
    Is,
    /// Position of a parameter in the Rust API, such as `argument 1` or `optional`.
    Place,
    /// Rust type of a parameter, field or union variant.
    Type,
    /// Whether a record field is required, and whether it may be null. For a parameter, whether it may be sent as
    /// `null`.
    Presence,
    /// Rust name of a parameter or field, if it differs from the name that the generator derives from the JSON name.
    Ident,
    Unit,
    Travels,
    Convention,
    Default,
    Bounds,
    Values,
    Version,
    Answers,
    Status,
    Body,
    Pages,
    /// Names of the fields by which the rows of a list are ordered and identified.
    RowOrder,
    Costs,
    Tier,
    FreeWindow,
    TopUp,
    Finds,
    Accepts,
    Rules,
    Misplaced,
    Patience,
    Prefix,
    TwinOf,
    Source,
    SeenLive,
    Assumed,
    Refused,
    Deprecated,
    Summary,
    Docs,
}

impl Aspect {
    /// Returns the word that a snapshot line contains before the property's value, such as `default`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Aspect::Is | Aspect::Place | Aspect::Type | Aspect::Presence => "",
            Aspect::Ident => "called",

            Aspect::Unit => "in",
            Aspect::Travels => "in the",
            Aspect::Convention => "written as",
            Aspect::Default => "default",
            Aspect::Bounds => "range",
            Aspect::Values => "one of",

            Aspect::Version => "version",
            Aspect::Answers => "answers",
            Aspect::Status => "status",
            Aspect::Body => "body",
            Aspect::Pages => "pages",
            Aspect::RowOrder => "rows",

            Aspect::Costs => "costs",
            Aspect::Tier => "tier",
            Aspect::FreeWindow => "free window",
            Aspect::TopUp => "smallest purchase",

            Aspect::Finds => "finds",
            Aspect::Accepts => "accepts",
            Aspect::Rules => "rule",
            Aspect::Misplaced => "misplaced",
            Aspect::Patience => "patience",
            Aspect::Prefix => "prefix",

            Aspect::TwinOf => "streams",
            Aspect::Source => "source",
            Aspect::SeenLive => "seen live",
            Aspect::Assumed => "assumed",

            Aspect::Refused => "refused",
            Aspect::Deprecated => "deprecated",
            Aspect::Summary => "summary",
            Aspect::Docs => "docs",
        }
    }
}

/// All properties of one API item.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thing {
    /// Name of the generated Rust module that contains the API item. The value is `service` for a property of the whole
    /// service, such as the price of a credit.
    pub domain: String,
    pub aspects: BTreeMap<Aspect, String>,
}

impl Thing {
    fn new(domain: &str) -> Self {
        Thing { domain: domain.to_owned(), aspects: BTreeMap::new() }
    }

    /// Adds a property of the API item. Ignores an empty value.
    fn with(mut self, aspect: Aspect, value: impl Into<String>) -> Self {
        let value = value.into();
        let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
        if !value.is_empty() {
            self.aspects.insert(aspect, value);
        }
        self
    }

    fn with_some<T: ToString>(self, aspect: Aspect, value: &Option<T>) -> Self {
        match value {
            Some(value) => self.with(aspect, value.to_string()),
            None => self,
        }
    }

    #[must_use]
    pub fn says(&self, aspect: Aspect) -> &str {
        self.aspects.get(&aspect).map_or("", String::as_str)
    }
}

/// Properties of all API items of one version of the API.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Facts {
    pub things: BTreeMap<Subject, Thing>,
    /// Names of the records, unions and enums that each operation uses, directly or through other types. The key is the
    /// operation's identifier.
    pub reach: BTreeMap<String, BTreeSet<String>>,
}

impl Facts {
    #[must_use]
    pub fn from_model(model: &Model) -> Self {
        let homes = Homes::new(model);
        let mut facts = Facts::default();
        service(model, &mut facts);
        for tag in &model.tags {
            let thing = Thing::new(&tag.module)
                .with(Aspect::Is, format!("{}, feature `{}`", tag.name, tag.feature()))
                .with(Aspect::Docs, &*tag.doc);
            facts.things.insert(Subject::whole(ItemKind::Domain, &tag.module), thing);
        }
        operations::operations(model, &mut facts);
        types::types(model, &homes, &mut facts);
        for operation in &model.operations {
            facts.reach.insert(operation.id.clone(), reach(operation, model));
        }
        facts
    }
}

fn service(model: &Model, facts: &mut Facts) {
    let whole = Subject::whole(ItemKind::Service, "");
    for (name, usd, above) in &model.plans {
        let price = format!("{usd} USD per credit, above {above} credits");
        facts.things.insert(whole.part(name), Thing::new("service").with(Aspect::Is, price));
    }

    for (name, credits) in &model.tiers {
        let price = format!("{credits} credits for a call");
        facts.things.insert(whole.part(name), Thing::new("service").with(Aspect::Is, price));
    }

    let windows: BTreeSet<u32> =
        model.operations.iter().filter_map(|operation| operation.free_window).collect();
    let windows: Vec<String> = windows.iter().map(|seconds| format!("{seconds} seconds")).collect();
    let mut thing = Thing::new("service")
        .with(Aspect::Is, &*model.title)
        .with(Aspect::Version, &*model.version)
        .with(Aspect::FreeWindow, windows.join(", "));
    if let Some((usd, credits)) = &model.top_up {
        thing = thing.with(Aspect::TopUp, format!("{usd} USD for {credits} credits"));
    }
    facts.things.insert(whole, thing);
}

/// Returns the names of all records, unions and enums that an operation uses, directly or through other types.
fn reach(operation: &Operation, model: &Model) -> BTreeSet<String> {
    let mut reached = BTreeSet::new();
    let mut open: Vec<&str> = named(operation).into_iter().collect();
    while let Some(name) = open.pop() {
        if !reached.insert(name.to_owned()) {
            continue;
        }
        if let Some(record) = model.records.get(name) {
            open.extend(record.fields.iter().flat_map(|field| field.ty.names()));
        }
        if let Some(union) = model.unions.get(name) {
            open.extend(union.shapes.iter().flat_map(|shape| shape.ty.names()));
        }
    }
    reached
}
