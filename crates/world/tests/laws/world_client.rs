//! Calls operations of the crate `world` directly, without an HTTP server. If the code of an operation does not set all
//! fields of a row, values for the missing fields are generated, as in the sandbox.

use crypto_intel_api::generated::catalogue::OPERATIONS;
use crypto_intel_api::generated::tables;
use crypto_intel_core::{Answer, In, Operation, Paging, ParamKind, Type};
use crypto_intel_world::args::Args;
use crypto_intel_world::missing_fields::sink::{Container as Part, Sink, Text};
use crypto_intel_world::random::Seed;
use crypto_intel_world::row_filters::RowFilters;
use crypto_intel_world::{Context, Data, Refusal, Row, data, example};
use serde_json::Value;

use crate::Held;

/// The invented data for one random seed at one time.
pub(crate) struct World {
    pub(crate) ctx: Context,
}

/// A row of a response, with the row's own random seed and Unix time.
pub(crate) struct Shown {
    pub(crate) seed: Seed,
    pub(crate) time: i64,
    pub(crate) value: Value,
}

/// Maximum number of rows that [`World::completed_twice`] returns for one response.
const FEW: usize = 5;

/// Bounds for the random current time of a test case, as Unix times: 2024-01-01 and 2030-01-01.
const TIMES: (i64, i64) = (1_704_067_200, 1_893_456_000);

impl World {
    /// Creates the invented data for the random seed `n`. The time is a special date, such as New Year, for the first
    /// four seeds, and random for the other seeds.
    pub(crate) fn from_number(n: u64) -> Self {
        let seed = Seed::new(n);
        let now = match n {
            // The middle of 2026, a Saturday, midnight of a New Year, and one second before midnight.
            0 => 1_781_530_662,
            1 => 1_781_357_405,
            2 => 1_798_761_600,
            3 => 1_782_863_999,
            _ => seed.named("law").range(TIMES.0, TIMES.1),
        };
        World { ctx: Context::new(seed, now) }
    }

    /// Copies the world, with the same seed and a clock that is `seconds` later.
    pub(crate) fn later(&self, seconds: i64) -> Self {
        World { ctx: Context { now: self.ctx.now + seconds, ..self.ctx } }
    }

    pub(crate) fn now(&self) -> i64 {
        self.ctx.now
    }

    /// Returns the rows of all pages of an operation.
    pub(crate) fn all_rows(
        &self,
        id: &str,
        params: &[(&str, &str)],
    ) -> Result<Vec<Shown>, Refusal> {
        let operation = operation(id);
        let Paging::Offset { limit, offset } = operation.paging else {
            return self.page(operation, params);
        };
        let is_ours = |(name, _): &&(&str, &str)| *name != limit && *name != offset;
        let kept: Vec<_> = params.iter().filter(is_ours).copied().collect();
        let size = match operation.param(limit).map(|(_, param)| param.kind) {
            Some(ParamKind::Integer { max: Some(max), .. }) => max,
            _ => 100,
        };

        let mut all: Vec<Shown> = Vec::new();
        loop {
            let (size, from) = (size.to_string(), all.len());
            let start = from.to_string();
            let page = [(limit, size.as_str()), (offset, start.as_str())];
            let rows = self.page(operation, &[&kept[..], &page].concat())?;
            let (total, size) = (rows.len(), size.parse().unwrap_or(100));
            all.extend(rows.into_iter().skip(from).take(size));
            if all.len() >= total || all.len() == from {
                return Ok(all);
            }
        }
    }

    fn page(
        &self,
        operation: &'static Operation,
        params: &[(&str, &str)],
    ) -> Result<Vec<Shown>, Refusal> {
        let args = args(operation, params)?;
        let ty = match operation.answer {
            Answer::Rows { row, .. } => row,
            Answer::One { data, .. } => data,
            Answer::Bare(ty) => ty,
            Answer::Stream | Answer::Bytes | Answer::Empty => return Ok(Vec::new()),
        };
        let rows = match data(&self.ctx, &args)? {
            Data::One(row) => vec![row],
            Data::Rows(rows) => {
                // A response without an envelope contains its rows in a list.
                let ty = if matches!(operation.answer, Answer::Bare(_)) { Type::Any } else { ty };
                return Ok(self.filtered_rows(&args, ty, rows));
            }
        };
        Ok(rows.into_iter().map(|row| self.fill(row, ty)).collect())
    }

    fn filtered_rows(&self, args: &Args, ty: Type, mut rows: Vec<Row>) -> Vec<Shown> {
        let filters = RowFilters::new(&self.ctx, args, ty);
        filters.decide(&self.ctx, ty, &mut rows);
        filters.apply(&mut rows);
        rows.into_iter().map(|row| self.fill(row, ty)).collect()
    }

    fn fill(&self, row: Row, ty: Type) -> Shown {
        let (seed, time) = (row.seed, row.time);
        Shown { seed, time, value: row.filled(&self.ctx, ty) }
    }

    /// Returns the first rows of a call, at most [`FEW`], each in two versions. The two versions generate missing
    /// fields with different random seeds. If a field differs between the two versions, the operation's own code did
    /// not set this field.
    pub(crate) fn completed_twice(
        &self,
        operation: &'static Operation,
        params: &[(&'static str, Value)],
    ) -> Result<Vec<(Value, Value)>, Refusal> {
        let args = example::args(operation, params)?;
        let (rows, ty) = match (data(&self.ctx, &args)?, operation.answer) {
            (Data::One(row), Answer::One { data, .. } | Answer::Bare(data)) => (vec![row], data),
            (Data::Rows(rows), Answer::Rows { row, .. }) => (rows, row),
            (Data::Rows(rows), Answer::Bare(ty)) => (rows, row_type(ty)),
            _ => return Ok(Vec::new()),
        };
        let twice = |row: Row| {
            let mut other = row.clone();
            other.seed = row.seed.named("other");
            (self.fill(row, ty).value, self.fill(other, ty).value)
        };
        Ok(rows.into_iter().take(FEW).map(twice).collect())
    }

    /// Returns the first 100 rows of a call as JSON text. Returns the error message if the call fails.
    pub(crate) fn text(&self, operation: &'static Operation, params: &[(&str, &str)]) -> String {
        let found = args(operation, params).and_then(|args| {
            let found = data(&self.ctx, &args)?;
            Ok((args, found))
        });
        let (args, found) = match found {
            Ok(found) => found,
            Err(refusal) => return refusal.to_string(),
        };

        let ty = match operation.answer {
            Answer::Rows { row, .. } => row,
            Answer::One { data, .. } => data,
            Answer::Bare(ty) => ty,
            Answer::Stream | Answer::Bytes | Answer::Empty => return String::new(),
        };
        let mut text = Text::new();
        match found {
            Data::One(row) => row.write(&self.ctx, ty, &mut text),
            Data::Rows(mut rows) => {
                let ty =
                    if matches!(operation.answer, Answer::Bare(_)) { row_type(ty) } else { ty };
                let filters = RowFilters::new(&self.ctx, &args, ty);
                filters.decide(&self.ctx, ty, &mut rows);
                filters.apply(&mut rows);

                text.open(Part::List);
                rows.into_iter().take(100).for_each(|row| row.write(&self.ctx, ty, &mut text));
                text.close(Part::List);
            }
        }
        text.done()
    }

    /// Returns all rows of a call, or a message with the operation and its arguments if the call fails.
    pub(crate) fn rows(&self, id: &str, params: &[(&str, &str)]) -> Result<Vec<Value>, String> {
        let shown = self.all_rows(id, params);
        let shown = shown.map_err(|refusal| format!("{id} {params:?}: {refusal}"))?;
        Ok(shown.into_iter().map(|shown| shown.value).collect())
    }

    /// Returns the first row of a call, or a message if the call fails or returns no rows.
    pub(crate) fn first_row(&self, id: &str, params: &[(&str, &str)]) -> Result<Value, String> {
        let first = self.rows(id, params)?.into_iter().next();
        first.ok_or_else(|| format!("{id} {params:?} has no rows"))
    }

    /// Returns the rows of a call with the example arguments of the operation.
    pub(crate) fn example(&self, operation: &'static Operation) -> Result<Vec<Shown>, Refusal> {
        let params: Vec<_> = example::parameters(operation)
            .into_iter()
            .map(|(name, value)| (name, example::written(&value)))
            .collect();
        let params: Vec<_> = params.iter().map(|(name, text)| (*name, text.as_str())).collect();
        self.all_rows(operation.id, &params)
    }
}

/// Returns the row type of the response type `answer`: the item type of its first field that is a list of records.
/// Returns [`Type::Any`] if no field is a list of records.
fn row_type(answer: Type) -> Type {
    let Type::Record(name) = answer else { return Type::Any };
    let fields = tables::record(name).map_or(&[][..], |record| record.fields);
    let rows = fields.iter().find_map(|field| match field.ty {
        Type::List(row @ Type::Record(_)) => Some(*row),
        _ => None,
    });
    rows.unwrap_or(Type::Any)
}

pub(crate) fn operation(id: &str) -> &'static Operation {
    OPERATIONS.iter().find(|operation| operation.id == id).unwrap_or_else(|| panic!("no {id}"))
}

/// Converts argument texts to checked arguments. The text of a body parameter may be JSON.
fn args(operation: &'static Operation, params: &[(&str, &str)]) -> Result<Args, Refusal> {
    let mut values = Vec::new();
    for (name, text) in params {
        let found = operation.param(name);
        let (_, param) = found.unwrap_or_else(|| panic!("{} has no {name}", operation.id));
        let value = match param.location {
            In::Body => serde_json::from_str(text).unwrap_or_else(|_| Value::from(*text)),
            _ => Value::from(*text),
        };
        values.push((param.name, value));
    }

    example::args(operation, &values)
}

/// Checks a condition. If the condition `is` is false, returns the error message that the function `seen` creates.
pub(crate) fn ensure(is: bool, seen: impl FnOnce() -> String) -> Held {
    if is { Ok(()) } else { Err(seen()) }
}

/// Returns an error if two numbers differ by more than a rounding error.
pub(crate) fn near(what: &str, a: f64, b: f64) -> Held {
    within(what, a, b, 2e-6)
}

/// Returns an error if two numbers differ by more than the fraction `part` of the larger one.
pub(crate) fn within(what: &str, a: f64, b: f64, part: f64) -> Held {
    let most = part * a.abs().max(b.abs()) + 1e-12;
    ensure((a - b).abs() <= most, || format!("{what}: {a} and {b}"))
}

/// Returns an error if two JSON values differ.
pub(crate) fn same(what: &str, a: &Value, b: &Value) -> Held {
    ensure(a == b, || format!("{what}: {a} and {b}"))
}

/// Returns the number in a field. The field may be a number or a text with a number. Returns NaN for other values.
pub(crate) fn figure(value: &Value, name: &str) -> f64 {
    match &value[name] {
        Value::String(text) => text.parse().unwrap_or(f64::NAN),
        other => other.as_f64().unwrap_or(f64::NAN),
    }
}

/// Returns the string in a field, or an empty string if the field is missing or not a string.
pub(crate) fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

/// Returns the Unix time in a field, or `i64::MIN` if the field is missing or not an integer.
pub(crate) fn timestamp(value: &Value, name: &str) -> i64 {
    value[name].as_i64().unwrap_or(i64::MIN)
}

/// Returns the list in a field, or an empty list if the field is missing or not a list.
pub(crate) fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().map_or(&[], Vec::as_slice)
}

/// Returns the sum of a number field over all rows.
pub(crate) fn sum(rows: &[Value], name: &str) -> f64 {
    rows.iter().map(|row| figure(row, name)).sum()
}

/// Returns the first row in which the field `name` equals the text `is`. Returns an error if no such row exists.
pub(crate) fn find<'a>(rows: &'a [Value], name: &str, is: &str) -> Result<&'a Value, String> {
    let found = rows.iter().find(|row| row[name] == is);
    found.ok_or_else(|| format!("no row with {name} {is}"))
}
