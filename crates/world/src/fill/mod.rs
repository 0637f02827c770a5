//! Records out of nothing: every member of a record filled with a plausible value by its name
//! and type. What a domain knows better is given, and only the rest is filled.

pub mod metric;
pub mod number;
mod text;

use crypto_intel_api::generated::tables;
use crypto_intel_core::{Field, Type};
use serde_json::{Map, Value};

use crate::moment::DAY;
use crate::random::Seed;
use crate::times::{Role, role};

/// How deep lists and records may nest before optional ones are left out.
const DEPTH: usize = 4;

/// What filling depends on besides the place of the record.
#[derive(Debug, Clone, Copy)]
pub struct Fill {
    /// Unix seconds; no time that is filled in lies after it.
    pub now: i64,
    /// Unix seconds of the row, from which its other times are derived.
    pub time: i64,
    /// Whether optional members of the record itself are filled in.
    pub optional: bool,
}

/// The members of a record that are already known.
pub type Given = Map<String, Value>;

impl Fill {
    #[cfg(test)]
    fn new(now: i64) -> Self {
        Fill { now, time: now, optional: true }
    }

    /// The record `name` with `given` and everything else filled in.
    pub fn record(&self, name: &str, seed: Seed, given: Given) -> Value {
        self.record_at(name, seed, given, 0)
    }

    fn record_at(&self, name: &str, seed: Seed, mut given: Given, depth: usize) -> Value {
        if name == "MetricValue" && given.is_empty() {
            return metric::filled(seed);
        }

        let Some(record) = tables::record(name) else { return Value::Object(given) };
        for field in record.fields {
            match given.get(field.name) {
                Some(Value::Null) if !field.nullable => {
                    given.remove(field.name);
                    continue;
                }
                // A record that is given in part is filled in like the whole.
                Some(Value::Object(_)) if is_partial(field) => {
                    if let (Type::Record(inner), Some(Value::Object(part))) =
                        (field.ty, given.remove(field.name))
                    {
                        let value = self.record_at(inner, seed.named(field.name), part, depth + 1);
                        given.insert(field.name.to_owned(), value);
                    }
                    continue;
                }
                Some(_) => {
                    self.complete_rows(field, seed, &mut given, depth);
                    continue;
                }
                None if depth == 0 && !self.optional && !field.required => continue,
                None => {}
            }

            if let Some(value) = self.field(name, field, seed.named(field.name), depth) {
                given.insert(field.name.to_owned(), value);
            }
        }

        Value::Object(given)
    }

    /// Fills in the rows of a list that is given.
    fn complete_rows(&self, field: &Field, seed: Seed, given: &mut Given, depth: usize) {
        let Type::List(Type::Record(inner)) = field.ty else { return };
        let Some(Value::Array(rows)) = given.get_mut(field.name) else { return };
        for (index, row) in rows.iter_mut().enumerate() {
            if let Value::Object(part) = row {
                let part = std::mem::take(part);
                *row =
                    self.record_at(inner, seed.named(field.name).at(index as u64), part, depth + 1);
            }
        }
    }

    /// A value of any type outside a record.
    pub fn value(&self, ty: Type, seed: Seed) -> Value {
        self.typed("", "", ty, seed, 0)
    }

    fn field(&self, record: &str, field: &Field, seed: Seed, depth: usize) -> Option<Value> {
        if is_for_trouble(field.name) {
            return field.required.then_some(if field.nullable {
                Value::Null
            } else {
                self.typed(record, field.name, field.ty, seed, depth)
            });
        }

        if !field.required && depth >= DEPTH && is_nested(field.ty) {
            return None;
        }

        let metric = field.ty == Type::Record("MetricValue");
        // A few cells are empty, as in real data; lists only in records of lists.
        if !metric && !field.required && seed.named("absent").chance(0.06) {
            return None;
        }

        if field.nullable && depth > 0 && seed.named("null").chance(0.05) {
            return Some(Value::Null);
        }

        Some(self.typed(record, field.name, field.ty, seed, depth))
    }

    fn typed(&self, record: &str, name: &str, ty: Type, seed: Seed, depth: usize) -> Value {
        match ty {
            Type::String => text::of(name, record, seed, self.time).into(),
            Type::Integer => number::integer(name, seed).into(),
            Type::Number => number::decimal(name, seed).into(),
            Type::Boolean => seed.chance(0.7).into(),
            Type::Any => text::of(name, record, seed, self.time).into(),
            Type::UnixSeconds => self.moment(name, seed).into(),
            Type::UnixMillis => (self.moment(name, seed) * 1000 + seed.range(0, 999)).into(),
            Type::Enum(values) => seed.pick(values).into(),
            Type::Record(inner) => self.record_at(inner, seed, Map::new(), depth + 1),
            Type::List(item) => {
                let count = if depth >= DEPTH { 1 } else { seed.named("count").range(1, 3) };
                (0..count.unsigned_abs())
                    .map(|n| self.typed(record, name, *item, seed.at(n), depth + 1))
                    .collect()
            }
            Type::Map(item) => ["en", "zh"]
                .into_iter()
                .map(|key| {
                    (key.to_owned(), self.typed(record, name, *item, seed.named(key), depth + 1))
                })
                .collect::<Map<_, _>>()
                .into(),
        }
    }

    /// A time by the name of its member. Ends lie after starts, and what is past stays where it
    /// is: of a thing that is shown as it is now, only the times of the view itself move along.
    fn moment(&self, name: &str, seed: Seed) -> i64 {
        let is_event = self.time != self.now;
        match role(name) {
            Role::View => self.time,
            Role::Event if is_event => self.time,
            Role::Before if is_event => self.time - seed.range(5, 90) * DAY,
            Role::End if is_event => self.time + seed.range(1, 30) * DAY,
            // Before 2022, and from 2030 on.
            Role::Event | Role::Before => (ANCHOR + seed.range(0, 1_000) * DAY).min(self.now),
            Role::End => ANCHOR + seed.range(4_018, 5_000) * DAY,
            Role::Update => (self.time - seed.range(60, 7200)).min(self.now),
        }
    }
}

/// 2019-01-01, from which what is past is counted.
const ANCHOR: i64 = 1_546_300_800;

/// Members that tell of partial failure or emptiness: nothing went wrong here.
fn is_for_trouble(name: &str) -> bool {
    matches!(name, "errors" | "error" | "empty_reason" | "incomplete_details" | "$schema")
}

/// Whether a given record may still lack members. Metric cells and what tells of paging are
/// whole as they are given.
fn is_partial(field: &Field) -> bool {
    matches!(field.ty, Type::Record(name) if name != "MetricValue")
        && !matches!(field.name, "meta" | "pagination")
}

fn is_nested(ty: Type) -> bool {
    matches!(ty, Type::Record(_) | Type::List(_) | Type::Map(_))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema;

    #[test]
    fn every_record_of_the_tables_can_be_filled() {
        let fill = Fill::new(1_767_225_600);
        let mut faults = Vec::new();
        for record in tables::RECORDS {
            for n in 0..20 {
                let value = fill.record(record.name, Seed::new(n), Map::new());
                schema::judge(Type::Record(record.name), &value, record.name, &mut faults);
            }
        }
        let texts: Vec<_> = faults.iter().map(ToString::to_string).collect();
        assert!(texts.is_empty(), "{texts:#?}");
    }

    #[test]
    fn what_is_given_stays() {
        let given = Map::from_iter([("address".to_owned(), Value::from("0xabc"))]);
        let value = Fill::new(0).record("WalletSearchAddress", Seed::new(1), given);
        assert_eq!(value["address"], "0xabc");
        assert!(value["chain"].is_string());
    }
}
