//! Response rows, before their missing fields are generated.
//!
//! Lists are long and pages are short, so a row may be computed in two steps. The first step computes the fields for
//! filters and sorting. The second step computes the other fields of the rows on the requested page. Rows about the
//! past never change, so their JSON text can be cached.

use std::fmt;
use std::rc::Rc;

use crypto_intel_core::Type;
use serde_json::Value as Document;

use crate::context::Context;
use crate::missing_fields::sink::{Sink, Tree};
use crate::missing_fields::{Fill, Given};
use crate::random::Seed;
use crate::value::Value;

/// One response row: the fields that are already set, and a function that computes the remaining fields.
#[derive(Debug, Clone)]
pub struct Row {
    /// Fields that are already set.
    pub given: Given,
    /// Random seed of the entity that the row describes. Generated fields are derived from this seed. So a generated
    /// field has the same value in all rows about the entity.
    pub seed: Seed,
    /// Unix time of the data in the row, in seconds. For example, a transfer has the time of the transfer, and a
    /// balance has the current time. Generated Unix timestamp fields have this value, or the current time if `time` is
    /// in the future.
    pub time: i64,
    /// True if missing optional fields stay absent. False if they are generated.
    pub complete: bool,
    /// Function that computes further fields: the argument `rest` of [`Row::lazy`]. `None` for rows that were created
    /// by another function. Also `None` after these fields are computed.
    rest: Option<Rest>,
    /// Key of the row's JSON text in the cache. `None` if the row must not be cached.
    past: Option<Seed>,
}

/// Function that computes the fields of a row that are not yet set.
#[derive(Clone)]
struct Rest(Rc<dyn Fn() -> Value>);

impl fmt::Debug for Rest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Rest")
    }
}

impl Row {
    /// Creates a row from a JSON object. A field with the value `null` is omitted if the record type does not allow
    /// `null`.
    pub fn new(seed: Seed, time: i64, given: impl Into<Value>) -> Self {
        let given = match given.into() {
            Value::Object(members) => members,
            _ => Given::new(),
        };
        Row { given, seed, time, complete: false, rest: None, past: None }
    }

    /// Creates a row that is computed in two steps. `known` contains the fields for filters and sorting. The function
    /// `rest` computes all other fields.
    pub(crate) fn lazy(
        seed: Seed,
        time: i64,
        known: Value,
        rest: impl Fn() -> Value + 'static,
    ) -> Self {
        Row { rest: Some(Rest(Rc::new(rest))), ..Row::new(seed, time, known) }
    }

    /// Allows the cache to keep the JSON text of the row, if the row's time is in the past and no scenario is active.
    /// The caller guarantees that the text of the row never changes again.
    ///
    /// `view` is a part of the cache key, such as `trade` or `labelled trade`. Two different rows of one record type
    /// must differ in the seed, the time or `view`.
    pub(crate) fn cacheable(mut self, ctx: &Context, view: &str) -> Self {
        let is_past = self.time < ctx.now && ctx.scenario.is_none();
        self.past = is_past
            .then(|| ctx.seed.named("past").named(view).at(self.seed.bits()).at_time(self.time));
        self
    }

    /// Computes the fields of the row that are not yet set.
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

    /// Marks the row as complete, so that missing optional fields stay absent.
    pub fn complete(mut self) -> Self {
        self.complete = true;
        self
    }

    /// Returns the complete record of type `ty` as a `serde_json` value, for code that inspects the record.
    pub fn filled(self, ctx: &Context, ty: Type) -> Document {
        self.value(ctx, ty).into()
    }

    /// Returns the complete record of type `ty` as a [`Value`], which can be a field of another row.
    pub fn value(self, ctx: &Context, ty: Type) -> Value {
        let mut tree = Tree::default();
        self.write(ctx, ty, &mut tree);
        tree.done()
    }

    /// Writes the complete record of type `ty` to `sink`.
    pub fn write(self, ctx: &Context, ty: Type, sink: &mut impl Sink) {
        match (self.past, ty) {
            (Some(key), Type::Record(name)) => {
                let key = key.named(name).at(self.complete.into());
                sink.kept(key, |sink| self.whole().write_complete(ctx, ty, sink));
            }
            _ => self.whole().write_complete(ctx, ty, sink),
        }
    }

    fn write_complete(mut self, ctx: &Context, ty: Type, sink: &mut impl Sink) {
        let fill = self.fill_settings(ctx);
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

    /// Computes or generates the values of the fields `names` of this row, so that filters and sorting can read the
    /// values. `ty` is the type of the row.
    pub fn decide(&mut self, ctx: &Context, ty: Type, names: &[&str]) {
        let past = self.past;
        if self.rest.is_some() {
            let unmade = Row::new(self.seed, self.time, Value::Null);
            *self = std::mem::replace(self, unmade).whole();
        }
        // The fields get the same values that `write` would generate, so the cached JSON text stays valid.
        self.past = past;
        if let Type::Record(name) = ty {
            let decided = self.fill_settings(ctx).members(name, self.seed, &mut self.given, names);
            self.given.extend(decided);
        }
    }

    fn fill_settings(&self, ctx: &Context) -> Fill {
        Fill { now: ctx.now, time: self.time, optional: !self.complete }
    }
}

/// Data of one response: a list of rows, or one record.
#[derive(Debug)]
pub enum Data {
    /// All rows of a list, before filters, sorting and paging.
    Rows(Vec<Row>),
    /// One record, for a response that is not a list.
    One(Row),
}
