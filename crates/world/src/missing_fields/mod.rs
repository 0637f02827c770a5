//! Completes records: generates a value for each field that is not set yet.
//!
//! The input is the name of a record, the fields that are already set, and a random seed. The output is the complete
//! record, written to a [`Sink`].
//!
//! In this release, the module of each operation sets all fields of the operation's rows. A test checks this rule.
//! Values are generated only for records and fields that a newer API description adds.

pub mod metric;
pub mod number;
pub mod sink;
mod text;

use std::cmp::Ordering;

use crypto_intel_api::generated::tables;
use crypto_intel_core::{Field, Type};

use crate::missing_fields::sink::{Container, Sink, Tree};
use crate::random::Seed;
use crate::value::{Members, Value};

/// Nesting depth from which optional lists and records are omitted.
const DEPTH: usize = 4;

/// Settings for generating the missing fields of a record.
#[derive(Debug, Clone, Copy)]
pub struct Fill {
    /// Current time in Unix seconds. Generated fields with a Unix time are never later than this time.
    pub now: i64,
    /// Unix time of the data in the row. Generated fields with a Unix time contain `time`. If `time` is after the
    /// current time `now`, these fields contain `now`. Generated date strings always contain the day of `time`.
    pub time: i64,
    /// True if missing optional fields of the outermost record are generated too. This setting does not affect nested
    /// records.
    pub optional: bool,
}

/// Fields of a record that are already set, by name.
pub type Given = Members;

/// Value that a missing field gets: `null`, or a generated value.
#[derive(Debug, Clone, Copy)]
enum Filling {
    Null,
    /// A generated value of the field's type.
    Typed,
}

impl Fill {
    #[cfg(test)]
    fn new(now: i64) -> Self {
        Fill { now, time: now, optional: true }
    }

    /// Writes a record of type `name` to the sink. The record contains the fields in `given`. All other fields of the
    /// type are generated.
    pub fn record(&self, name: &str, seed: Seed, given: Given, sink: &mut impl Sink) {
        self.record_at(name, seed, given, 0, sink);
    }

    /// Returns the fields `names` of a record of type `name`. A field that is in `given` is moved from `given` to the
    /// result. Other fields are generated or omitted, exactly as in [`Fill::record`].
    pub fn members(&self, name: &str, seed: Seed, given: &mut Given, names: &[&str]) -> Given {
        let fields = tables::record(name).map_or(&[][..], |record| record.fields);
        let mut tree = Tree::default();
        tree.open(Container::Record);
        for field in fields.iter().filter(|field| names.contains(&field.name)) {
            self.write_field(field, seed, given.remove(field.name), 0, &mut tree);
        }
        tree.close(Container::Record);

        match tree.done() {
            Value::Object(members) => members,
            _ => Given::new(),
        }
    }

    fn record_at(&self, name: &str, seed: Seed, given: Given, depth: usize, sink: &mut impl Sink) {
        if name == "MetricValue" && given.is_empty() {
            return sink.leaf(metric::random(seed));
        }

        // The fields in the record table and the fields in `given` are both sorted by name.
        let fields = tables::record(name).map_or(&[][..], |record| record.fields);
        let mut given = given.into_iter().peekable();
        sink.open(Container::Record);

        for field in fields {
            let known = loop {
                match given.peek().map(|(other, _)| (**other).cmp(field.name)) {
                    Some(Ordering::Less) => {}
                    Some(Ordering::Equal) => break given.next().map(|(_, value)| value),
                    _ => break None,
                }
                // Fields that are not in the record table are written unchanged.
                if let Some((other, value)) = given.next() {
                    sink.name(&other);
                    sink.leaf(value);
                }
            };
            self.write_field(field, seed, known, depth, sink);
        }

        for (other, value) in given {
            sink.name(&other);
            sink.leaf(value);
        }
        sink.close(Container::Record);
    }

    /// Writes one field of a record to the sink. If `known` is `None`, generates a value for the field, or omits an
    /// optional field. Also omits the field if `known` is `null` and the field does not allow `null`.
    fn write_field(
        &self,
        field: &Field,
        seed: Seed,
        known: Option<Value>,
        depth: usize,
        sink: &mut impl Sink,
    ) {
        match known {
            Some(Value::Null) if !field.nullable => {}
            Some(value) => {
                sink.name(field.name);
                self.complete_field(field, seed, value, depth, sink);
            }

            None if depth == 0 && !self.optional && !field.required => {}
            None => {
                let seed = seed.named(field.name);
                match self.filling(field, seed, depth) {
                    Some(Filling::Null) => {
                        sink.name(field.name);
                        sink.leaf(Value::Null);
                    }
                    Some(Filling::Typed) => {
                        sink.name(field.name);
                        self.generate(field.name, field.ty, seed, depth, sink);
                    }
                    None => {}
                }
            }
        }
    }

    /// Writes a field that has a value. Generates the missing fields of records inside the value.
    fn complete_field(
        &self,
        field: &Field,
        seed: Seed,
        value: Value,
        depth: usize,
        sink: &mut impl Sink,
    ) {
        match (field.ty, value) {
            (Type::Record(inner), Value::Object(part)) if is_partial(field) => {
                self.record_at(inner, seed.named(field.name), part, depth + 1, sink);
            }

            (Type::List(Type::Record(inner)), Value::Array(rows)) => {
                let seed = seed.named(field.name);
                sink.open(Container::List);
                for (index, row) in rows.into_iter().enumerate() {
                    match row {
                        Value::Object(part) => {
                            self.record_at(inner, seed.at(index as u64), part, depth + 1, sink);
                        }
                        other => sink.leaf(other),
                    }
                }
                sink.close(Container::List);
            }

            (_, value) => sink.leaf(value),
        }
    }

    /// Writes a generated value of the type `ty` to the sink. Use this method for a value without a field name. In a
    /// record, the value can depend on the field name: for example, the string in a field `hash` is a hexadecimal
    /// number.
    pub fn value(&self, ty: Type, seed: Seed, sink: &mut impl Sink) {
        self.generate("", ty, seed, 0, sink);
    }

    /// Decides whether a field without a value is set to `null` or to a generated value. Returns `None` if the field
    /// stays absent.
    fn filling(&self, field: &Field, seed: Seed, depth: usize) -> Option<Filling> {
        if is_error_field(field.name) {
            let filling = if field.nullable { Filling::Null } else { Filling::Typed };
            return field.required.then_some(filling);
        }

        if !field.required && depth >= DEPTH && is_nested(field.ty) {
            return None;
        }

        let metric = field.ty == Type::Record("MetricValue");
        // About 6% of the optional fields are absent, as in real data.
        if !metric && !field.required && seed.named("absent").chance(0.06) {
            return None;
        }

        let is_null = field.nullable && depth > 0 && seed.named("null").chance(0.05);
        Some(if is_null { Filling::Null } else { Filling::Typed })
    }

    fn generate(&self, name: &str, ty: Type, seed: Seed, depth: usize, sink: &mut impl Sink) {
        let leaf: Value = match ty {
            Type::String | Type::Any => text::text_for(name, seed, self.time).into(),
            Type::Integer => number::integer(seed).into(),
            Type::Number => number::decimal(name, seed).into(),
            Type::Boolean => seed.chance(0.7).into(),
            Type::UnixSeconds => self.time.min(self.now).into(),
            Type::UnixMillis => (self.time.min(self.now) * 1000).into(),
            Type::Enum(values) => seed.pick(values).into(),

            Type::Record(inner) => {
                return self.record_at(inner, seed, Given::new(), depth + 1, sink);
            }
            Type::List(item) => {
                let count = if depth >= DEPTH { 1 } else { seed.named("count").range(1, 3) };
                sink.open(Container::List);
                for n in 0..count.unsigned_abs() {
                    self.generate(name, *item, seed.at(n), depth + 1, sink);
                }
                return sink.close(Container::List);
            }
            Type::Map(item) => {
                sink.open(Container::Record);
                for key in ["sample_1", "sample_2"] {
                    sink.name(key);
                    self.generate(name, *item, seed.named(key), depth + 1, sink);
                }
                return sink.close(Container::Record);
            }
        };

        sink.leaf(leaf);
    }
}

/// Returns true for `$schema`, and for the names of fields about a failure or an empty result, such as `errors`. If
/// these fields are missing and optional, they stay absent.
fn is_error_field(name: &str) -> bool {
    matches!(name, "errors" | "error" | "empty_reason" | "incomplete_details" | "$schema")
}

/// Returns true if the record in `field` may lack fields, so that its missing fields are generated. Returns false for
/// financial values (`MetricValue`), `meta` and `pagination`, because these records are always complete.
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
    use crate::missing_fields::sink::Text;
    use crate::schema;

    fn complete_record(fill: &Fill, name: &str, seed: Seed, given: Given) -> serde_json::Value {
        let mut tree = Tree::default();
        fill.record(name, seed, given, &mut tree);
        tree.done().into()
    }

    #[test]
    fn record_tables_are_sorted_by_field_name() {
        for record in tables::RECORDS {
            assert!(record.fields.is_sorted_by_key(|field| field.name), "{}", record.name);
        }
    }

    #[test]
    fn text_sink_writes_same_json_as_tree_sink() {
        let fill = Fill::new(1_767_225_600);
        for record in tables::RECORDS {
            let mut text = Text::default();
            fill.record(record.name, Seed::new(5), Given::new(), &mut text);
            let document = complete_record(&fill, record.name, Seed::new(5), Given::new());
            assert_eq!(text.done(), document.to_string(), "{}", record.name);
        }
    }

    #[test]
    fn generated_records_of_all_types_are_valid() {
        let fill = Fill::new(1_767_225_600);
        let mut faults = Vec::new();
        for record in tables::RECORDS {
            for n in 0..20 {
                let value = complete_record(&fill, record.name, Seed::new(n), Given::new());
                schema::validate(Type::Record(record.name), &value, record.name, &mut faults);
            }
        }
        let texts: Vec<_> = faults.iter().map(ToString::to_string).collect();
        assert!(texts.is_empty(), "{texts:#?}");
    }

    #[test]
    fn given_fields_stay_unchanged() {
        let given = Given::from_iter([("address", "0xabc")]);
        let value = complete_record(&Fill::new(0), "WalletSearchAddress", Seed::new(1), given);
        assert_eq!(value["address"], "0xabc");
        assert!(value["chain"].is_string());
    }
}
