//! What a domain says of one thing, before it is filled in.
//!
//! Lists are long and pages short: a row may be made in two steps, first what rows are chosen by, and
//! the rest when it is shown. What is past never changes, so its text is kept where a domain says so.

use std::fmt;
use std::rc::Rc;

use crypto_intel_core::Type;
use serde_json::Value as Document;

use crate::context::Context;
use crate::missing_fields::sink::{Sink, Tree};
use crate::missing_fields::{Fill, Given};
use crate::random::Seed;
use crate::value::Value;

/// What is known of one record, and where the rest of it comes from.
#[derive(Debug, Clone)]
pub struct Row {
    /// Its known members.
    pub given: Given,
    /// Of the thing shown, so that its filled-in members agree wherever it appears.
    pub seed: Seed,
    /// Unix seconds.
    pub time: i64,
    /// Whether optional members that are not given stay absent.
    pub complete: bool,
    /// Gives the members that nobody has asked for yet.
    rest: Option<Rest>,
    /// Under which its text is kept.
    past: Option<Seed>,
}

/// Makes the rest of a row.
#[derive(Clone)]
struct Rest(Rc<dyn Fn() -> Value>);

impl fmt::Debug for Rest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Rest")
    }
}

impl Row {
    /// A row of an object; anything else has no members. A member that is `null` where the
    /// record has no `null` stays absent.
    pub fn new(seed: Seed, time: i64, given: impl Into<Value>) -> Self {
        let given = match given.into() {
            Value::Object(members) => members,
            _ => Given::new(),
        };
        Row { given, seed, time, complete: false, rest: None, past: None }
    }

    /// A row of which `known` is what rows are chosen by; `rest` gives all of it.
    pub(crate) fn later(
        seed: Seed,
        time: i64,
        known: Value,
        rest: impl Fn() -> Value + 'static,
    ) -> Self {
        Row { rest: Some(Rest(Rc::new(rest))), ..Row::new(seed, time, known) }
    }

    /// Says that nothing changes the row any more, and that seed, time and `view` tell it from all
    /// others of its record in this world.
    pub(crate) fn past(mut self, ctx: &Context, view: &str) -> Self {
        let is_past = self.time < ctx.now && ctx.scenario.is_none();
        self.past = is_past
            .then(|| ctx.seed.named("past").named(view).at(self.seed.bits()).at_time(self.time));
        self
    }

    /// The row with all its members, to be looked into or changed.
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

    /// The same, of which nothing optional is filled in.
    pub fn complete(mut self) -> Self {
        self.complete = true;
        self
    }

    /// The row as a document of type `ty`, with what nobody has decided filled in.
    pub fn filled(self, ctx: &Context, ty: Type) -> Document {
        self.value(ctx, ty).into()
    }

    /// The same as a part of another row.
    pub fn value(self, ctx: &Context, ty: Type) -> Value {
        let mut tree = Tree::default();
        self.write(ctx, ty, &mut tree);
        tree.done()
    }

    /// The same, written out.
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

    /// Fills in the members called `names` of a row of type `ty`, for who chooses rows by them.
    pub fn decide(&mut self, ctx: &Context, ty: Type, names: &[&str]) {
        let past = self.past;
        if self.rest.is_some() {
            let unmade = Row::new(self.seed, self.time, Value::Null);
            *self = std::mem::replace(self, unmade).whole();
        }
        // What is decided is what would be filled in, so that the text stays the same.
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

/// What a domain has for a request.
#[derive(Debug)]
pub enum Data {
    /// Every row, before it is filtered, sorted and cut into pages.
    Rows(Vec<Row>),
    /// One record.
    One(Row),
}
