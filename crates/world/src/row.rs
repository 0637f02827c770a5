//! A row: the fields that a domain sets, before the missing ones are generated.
//!
//! Lists are long and pages are short. So a row may be computed in two steps: first the fields that filters
//! and sorting need, and the rest only if the row is on the page. Past rows never change, so their JSON text
//! is cached if the domain allows it.

use std::fmt;
use std::rc::Rc;

use crypto_intel_core::Type;
use serde_json::Value as Document;

use crate::context::Context;
use crate::missing_fields::sink::{Sink, Tree};
use crate::missing_fields::{Fill, Given};
use crate::random::Seed;
use crate::value::Value;

/// Fields of one record that a domain has set, and a way to compute the rest.
#[derive(Debug, Clone)]
pub struct Row {
    /// Fields that the domain has set.
    pub given: Given,
    /// Seed of the entity that the row describes. Generated fields derive from it, so they agree in all rows about
    /// this entity.
    pub seed: Seed,
    /// Time of the row in Unix seconds.
    pub time: i64,
    /// True if missing optional fields stay absent.
    pub complete: bool,
    /// Computes the remaining fields.
    rest: Option<Rest>,
    /// Cache key of the row's JSON text.
    past: Option<Seed>,
}

/// Function that computes the remaining fields of a row.
#[derive(Clone)]
struct Rest(Rc<dyn Fn() -> Value>);

impl fmt::Debug for Rest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Rest")
    }
}

impl Row {
    /// Creates a row from a JSON object. Fields that are `null` stay absent if the record does not allow
    /// `null`.
    pub fn new(seed: Seed, time: i64, given: impl Into<Value>) -> Self {
        let given = match given.into() {
            Value::Object(members) => members,
            _ => Given::new(),
        };
        Row { given, seed, time, complete: false, rest: None, past: None }
    }

    /// Creates a row in two steps: `known` has the fields for filters and sorting, `rest` computes all
    /// others.
    pub(crate) fn later(
        seed: Seed,
        time: i64,
        known: Value,
        rest: impl Fn() -> Value + 'static,
    ) -> Self {
        Row { rest: Some(Rest(Rc::new(rest))), ..Row::new(seed, time, known) }
    }

    /// Marks a row that never changes, so that its text may be cached. Seed, time and `view` must identify
    /// the row among all rows of its record in this world.
    pub(crate) fn past(mut self, ctx: &Context, view: &str) -> Self {
        let is_past = self.time < ctx.now && ctx.scenario.is_none();
        self.past = is_past
            .then(|| ctx.seed.named("past").named(view).at(self.seed.bits()).at_time(self.time));
        self
    }

    /// Computes the remaining fields.
    #[must_use]
    pub fn whole(mut self) -> Self {
        self.past = None;
        if let Some(rest) = self.rest.take()
            && let Value::Object(members) = (rest.0)()
        {
            self.given.extend(members);
        }
        self
    }

    /// Marks the row as complete: missing optional fields stay absent.
    pub fn complete(mut self) -> Self {
        self.complete = true;
        self
    }

    /// Returns the complete record as a JSON value for code that inspects it.
    pub fn filled(self, ctx: &Context, ty: Type) -> Document {
        self.value(ctx, ty).into()
    }

    /// Returns the complete record as a value inside another row.
    pub fn value(self, ctx: &Context, ty: Type) -> Value {
        let mut tree = Tree::default();
        self.write(ctx, ty, &mut tree);
        tree.done()
    }

    /// Writes the complete record of type `ty`.
    pub fn write(self, ctx: &Context, ty: Type, sink: &mut impl Sink) {
        match (self.past, ty) {
            (Some(key), Type::Record(name)) => {
                let key = key.named(name).at(self.complete.into());
                sink.kept(key, |sink| self.whole().write_whole(ctx, ty, sink));
            }
            _ => self.whole().write_whole(ctx, ty, sink),
        }
    }

    fn write_whole(mut self, ctx: &Context, ty: Type, sink: &mut impl Sink) {
        let fill = self.fill(ctx);
        match ty {
            Type::Record(name) => fill.record(name, self.seed, self.given, sink),
            Type::Map(_) | Type::Any => {
                if self.given.is_empty() {
                    let mut number = Tree::default();
                    fill.value(Type::Number, self.seed, &mut number);
                    self.given.insert("id", self.seed.uuid());
                    self.given.insert("value", number.done());
                }
                sink.leaf(Value::Object(self.given));
            }
            other => fill.value(other, self.seed, sink),
        }
    }

    /// Generates the fields called `names` of a row of type `ty`, for filters and sorting.
    pub fn decide(&mut self, ctx: &Context, ty: Type, names: &[&str]) {
        let past = self.past;
        if self.rest.is_some() {
            let unmade = Row::new(self.seed, self.time, Value::Null);
            *self = std::mem::replace(self, unmade).whole();
        }
        // The fields get the values that they would have later, so the cached text stays valid.
        self.past = past;
        if let Type::Record(name) = ty {
            let decided = self.fill(ctx).members(name, self.seed, &mut self.given, names);
            self.given.extend(decided);
        }
    }

    fn fill(&self, ctx: &Context) -> Fill {
        Fill { now: ctx.now, time: self.time, optional: !self.complete }
    }
}

/// Rows, or one record, that a domain (such as `market`) returns for one request.
#[derive(Debug)]
pub enum Data {
    /// All rows, before filters, sorting and paging.
    Rows(Vec<Row>),
    /// One record.
    One(Row),
}
