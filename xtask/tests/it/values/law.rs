//! Tests two rules. A JSON value that a schema allows is unchanged after decoding and encoding. For a value of a
//! union, the decoder selects a record whose schema allows the value.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use jsonschema::Validator;
use serde_json::Value;
use xtask::model::{Model, Type};

use super::compare::difference;
use super::decode::{Choice, Decoder};
use super::sample::{CASES, Case, Sampler};
use super::schemas::Schemas;
use super::untyped::{Untyped, untyped};

/// Function of the generated code that decodes and encodes a record. The arguments are the record's name and a
/// JSON text. Returns `None` if no record has this name.
pub(crate) type Generated = fn(&str, &str) -> Option<serde_json::Result<Value>>;

/// An OpenAPI document to test: its generator model, its schemas, and its compiled code if there is any.
pub(crate) struct Subject<'a> {
    pub(crate) name: &'a str,
    pub(crate) model: &'a Model,
    pub(crate) schemas: &'a Schemas,
    pub(crate) generated: Option<Generated>,
}

/// Test results for one OpenAPI document, which are one row of the printed table.
#[derive(Debug, Default)]
pub(crate) struct Row {
    pub(crate) name: String,
    /// Number of records and unions with at least one sample.
    pub(crate) components: usize,
    /// Number of records and unions with at least one sample and without a failed sample.
    pub(crate) held: usize,
    /// Number of records and unions for which no valid sample was found.
    pub(crate) unsampled: usize,
    pub(crate) samples: usize,
    pub(crate) errors: usize,
    pub(crate) lost: usize,
    /// Number of samples for which the decoder made a wrong choice in a union. Either the decoder selected no
    /// alternative, or it selected a record whose schema does not allow the value.
    pub(crate) wrong: usize,
    /// Fields whose Rust type is any JSON value, counted by the reason for this type.
    pub(crate) untyped: Untyped,
    /// Messages, one for each sample that failed.
    pub(crate) troubles: Vec<String>,
}

/// Reason why a sample failed, with a message.
enum Trouble {
    Error(String),
    Lost(String),
    Wrong(String),
}

/// Maximum number of attempts to generate one valid sample.
const TRIES: u64 = 12;

/// Tests the records and unions of an OpenAPI document, except the records that `crypto-intel-core` defines. For each
/// record or union, the test uses at most `count` samples of [`Case::Valid`]. For each other [`Case`], it uses at most
/// a quarter as many samples, rounded up.
pub(crate) fn run(subject: &Subject<'_>, count: usize) -> Row {
    let untyped = untyped(subject.model, subject.schemas);
    let mut row = Row { name: subject.name.to_owned(), untyped, ..Row::default() };
    let mut validators = Validators { schemas: subject.schemas, known: BTreeMap::new() };
    let records = subject.model.records.values().filter(|record| !record.native);
    let records = records.map(|record| (&record.name, &record.at));
    let unions = subject.model.unions.values().map(|union| (&union.name, &union.at));
    for (name, at) in records.chain(unions) {
        component(subject, name, at, count, &mut validators, &mut row);
    }
    row
}

fn component(
    subject: &Subject<'_>,
    name: &str,
    at: &str,
    count: usize,
    validators: &mut Validators<'_>,
    row: &mut Row,
) {
    let (mut seen, mut held) = (0, true);
    for case in CASES {
        let count = if case == Case::Valid { count } else { count.div_ceil(4) };
        for number in 0..count {
            let Some(value) = sample(subject, name, at, case, number, validators) else { continue };
            seen += 1;
            let Err(trouble) = survives(subject, name, &value, case, validators) else { continue };

            held = false;
            let (counter, what) = match &trouble {
                Trouble::Error(what) => (&mut row.errors, what),
                Trouble::Lost(what) => (&mut row.lost, what),
                Trouble::Wrong(what) => (&mut row.wrong, what),
            };
            *counter += 1;
            row.troubles
                .push(format!("{}: {name} ({case:?}, {at}): {what}\n    {value}", subject.name));
        }
    }

    row.samples += seen;
    row.unsampled += usize::from(seen == 0);
    row.components += usize::from(seen > 0);
    row.held += usize::from(seen > 0 && held);
}

fn sample(
    subject: &Subject<'_>,
    name: &str,
    at: &str,
    case: Case,
    number: usize,
    validators: &mut Validators<'_>,
) -> Option<Value> {
    let schema = subject.schemas.at(at)?;
    (0..TRIES).find_map(|attempt| {
        let mut hasher = DefaultHasher::new();
        (subject.name, name, case as u8, number, attempt).hash(&mut hasher);
        let value = Sampler::new(subject.schemas, hasher.finish(), case).value(schema)?;
        // In these cases, the schema may not allow the value. A later version of the service may send it.
        let is_new = !matches!(case, Case::Valid | Case::Large);
        let is_object = value.is_object() || subject.model.unions.contains_key(name);
        (is_object && (is_new || validators.allows(at, &value)?)).then_some(value)
    })
}

fn survives(
    subject: &Subject<'_>,
    name: &str,
    value: &Value,
    case: Case,
    validators: &mut Validators<'_>,
) -> Result<(), Trouble> {
    let (back, choices) = Decoder::new(subject.model).round_trip(name, value);
    let generated = subject
        .generated
        .filter(|_| case != Case::Large)
        .and_then(|trip| trip(name, &value.to_string()));

    if let Some(generated) = generated {
        match (&generated, &back) {
            (Ok(theirs), Ok(ours)) => {
                let agree = difference(ours, theirs).or_else(|| difference(theirs, ours));
                assert_eq!(
                    agree, None,
                    "{name}: the generated code differs from the decoder of this test, for {value}"
                );
            }
            (Err(_), Err(_)) => {}
            (theirs, ours) => panic!(
                "{name}: the generated code gives {theirs:?}, this test {ours:?}, for {value}"
            ),
        }
    }

    let back = back.map_err(Trouble::Error)?;
    if let Some(found) = difference(value, &back) {
        return Err(Trouble::Lost(found));
    }
    if case != Case::Valid {
        return Ok(());
    }
    match choices.iter().find_map(|choice| wrong(choice, subject.model, validators)) {
        Some(found) => Err(Trouble::Wrong(found)),
        None => Ok(()),
    }
}

/// Checks the decoder's choice for a value that the union's schema allows. Returns a message if the decoder selected no
/// alternative, or selected a record whose schema does not allow the value.
fn wrong(choice: &Choice<'_>, model: &Model, validators: &mut Validators<'_>) -> Option<String> {
    let (union, value) = (choice.union, &choice.value);
    if value.is_null() || !validators.allows(&union.at, value)? {
        return None;
    }
    let Some(shape) = choice.shape else {
        return Some(format!("`{}` keeps {value} without a shape", union.name));
    };
    let Type::Named(record) = shape.ty.bare() else { return None };
    let at = &model.records.get(record)?.at;
    (!validators.allows(at, value)?)
        .then(|| format!("`{}` takes {value} as `{record}`", union.name))
}

/// Cache of validators, by the JSON pointer of their schema.
struct Validators<'a> {
    schemas: &'a Schemas,
    known: BTreeMap<String, Option<Validator>>,
}

impl Validators<'_> {
    /// Returns true if the schema at a JSON pointer allows the value. Returns `None` if no valid schema exists
    /// at the pointer.
    fn allows(&mut self, at: &str, value: &Value) -> Option<bool> {
        if !self.known.contains_key(at) {
            let schema = self.schemas.at(at);
            let validator = schema.and_then(|schema| self.schemas.validator(schema));
            self.known.insert(at.to_owned(), validator);
        }
        Some(self.known[at].as_ref()?.is_valid(value))
    }
}

/// Formats the rows as a table. The last row contains the sums.
pub(crate) fn table(rows: &[Row]) -> String {
    let mut text =
        "components  held  unsampled  samples  errors  lost  wrong shape  untyped  unexplained  description\n".to_owned();
    let mut total = Row { name: "all".to_owned(), ..Row::default() };
    for row in rows {
        total.components += row.components;
        total.held += row.held;
        total.unsampled += row.unsampled;
        total.samples += row.samples;
        total.errors += row.errors;
        total.lost += row.lost;
        total.wrong += row.wrong;
        for (reason, count) in &row.untyped.reasons {
            *total.untyped.reasons.entry(reason).or_default() += count;
        }
        total.untyped.unexplained.extend(row.untyped.unexplained.iter().cloned());
    }

    for row in rows.iter().chain([&total]) {
        text.push_str(&format!(
            "{:>10}  {:>4}  {:>9}  {:>7}  {:>6}  {:>4}  {:>11}  {:>7}  {:>11}  {}\n",
            row.components,
            row.held,
            row.unsampled,
            row.samples,
            row.errors,
            row.lost,
            row.wrong,
            row.untyped.reasons.values().sum::<usize>(),
            row.untyped.unexplained.len(),
            row.name
        ));
    }
    for (reason, count) in &total.untyped.reasons {
        text.push_str(&format!("untyped because of {reason}: {count}\n"));
    }
    for place in &total.untyped.unexplained {
        text.push_str(&format!("untyped without a reason: {place}\n"));
    }
    text
}
