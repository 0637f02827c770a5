//! Aggregate functions that collect the values of a group: arrays, distinct values, and the number of rows per value.

use std::collections::{HashMap, HashSet};

use super::{AggregateCall, Made, State};
use crate::problem::{Problem, Result};
use crate::text;
use crate::types::{Type, UINT64};
use crate::value::Value;

pub(super) const NAMES: &[&str] = &[
    "groupArray",
    "groupUniqArray",
    "uniq",
    "uniqExact",
    "uniqCombined",
    "uniqCombined64",
    "uniqHLL12",
    "topK",
    "groupConcat",
    "entropy",
    "groupArrayLast",
    "groupArraySorted",
];

pub(super) fn make(asked: &AggregateCall<'_>) -> Option<Result<Made>> {
    Some(match asked.name {
        "groupArray" | "groupArrayLast" | "groupArraySorted" => array(asked),
        "groupUniqArray" => unique(asked),
        "uniq" | "uniqExact" | "uniqCombined" | "uniqCombined64" | "uniqHLL12" => count(asked),
        "topK" => top(asked),
        "groupConcat" => group_concat(asked),
        "entropy" => {
            let fits =
                if asked.types.is_empty() { Err(asked.fault("expected a value")) } else { Ok(()) };
            fits.and_then(|()| {
                Made::new(Type::Float64, || Counts { most: None, ..Counts::default() })
            })
        }
        _ => return None,
    })
}

/// Returns the maximum number of elements in the result. It is the parameter of the function, such as 10 in
/// `groupArray(10)(x)`. Without a parameter, it is `default`.
fn size_limit(asked: &AggregateCall<'_>, default: usize) -> Result<usize> {
    match asked.parameters {
        [] => Ok(default),
        [one] if one.int() > 0 => Ok(usize::try_from(one.int()).unwrap_or(usize::MAX)),
        _ => Err(asked.fault("the parameter must be a number above 0")),
    }
}

fn array(asked: &AggregateCall<'_>) -> Result<Made> {
    asked.takes(1..=1)?;
    let most = size_limit(asked, usize::MAX)?;
    let kind = match asked.name {
        "groupArray" => Kept::First,
        "groupArrayLast" => Kept::Last,
        _ => Kept::Least,
    };
    if kind != Kept::First && asked.parameters.is_empty() {
        return Err(asked.fault("add the number of values as a parameter, such as `(10)`"));
    }
    Made::new(Type::array(asked.types[0].clone()), move || Array {
        items: Vec::new(),
        most,
        replaced: 0,
        size: 0,
        kind,
    })
}

#[derive(Clone, Copy, PartialEq)]
enum Kept {
    First,
    Last,
    Least,
}

struct Array {
    items: Vec<Value>,
    most: usize,
    /// Number of times that `groupArrayLast` has overwritten an old value. The next value to overwrite has the index
    /// `replaced % most` in `items`, which contains at most `most` values.
    replaced: usize,
    size: usize,
    kind: Kept,
}

impl State for Array {
    fn add(&mut self, args: &[Value]) -> Result<()> {
        if self.kind == Kept::Least && args[0].is_nan() {
            return Err(Problem::text("`groupArraySorted` does not support NaN"));
        }
        match self.kind {
            Kept::First if self.items.len() >= self.most => return Ok(()),
            Kept::Last if self.items.len() >= self.most => {
                // The next value overwrites the oldest one.
                let place = self.replaced % self.most;
                self.replaced += 1;
                self.size = self.size + args[0].size() - self.items[place].size();
                self.items[place] = args[0].clone();
                return Ok(());
            }
            _ => {}
        }
        self.size += args[0].size();
        self.items.push(args[0].clone());
        Ok(())
    }

    fn finish(&self) -> Result<Value> {
        let mut items = self.items.clone();
        if matches!(self.kind, Kept::Least) {
            items.sort_by(Value::order);
            items.truncate(self.most);
        }
        Ok(Value::list(items))
    }

    fn size(&self) -> usize {
        self.size + 64
    }

    fn growing_len(&self) -> Option<usize> {
        matches!(self.kind, Kept::First).then_some(self.items.len())
    }
}

fn unique(asked: &AggregateCall<'_>) -> Result<Made> {
    asked.takes(1..=1)?;
    let most = size_limit(asked, usize::MAX)?;
    Made::new(Type::array(asked.types[0].clone()), move || Unique { most, ..Unique::default() })
}

/// State of `groupUniqArray`: the distinct values in the order of their first appearance.
#[derive(Default)]
struct Unique {
    seen: HashSet<Value>,
    items: Vec<Value>,
    most: usize,
    size: usize,
}

impl State for Unique {
    fn add(&mut self, args: &[Value]) -> Result<()> {
        if self.items.len() < self.most && self.seen.insert(args[0].clone()) {
            self.size += 2 * args[0].size() + 40;
            self.items.push(args[0].clone());
        }
        Ok(())
    }

    fn finish(&self) -> Result<Value> {
        Ok(Value::list(self.items.clone()))
    }

    fn size(&self) -> usize {
        self.size + 64
    }

    fn growing_len(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

/// Creates `uniq`, which counts distinct values, and its variants such as `uniqCombined`. ClickHouse estimates the
/// result of some variants. This engine always counts exactly.
fn count(asked: &AggregateCall<'_>) -> Result<Made> {
    if asked.types.is_empty() {
        return Err(asked.fault("a value is missing"));
    }
    let is_precise = |value: &Value| (12..=20).contains(&value.int());
    if !asked.parameters.iter().all(is_precise) {
        return Err(asked.fault("the precision must be from 12 to 20"));
    }
    let most = if asked.name == "uniqHLL12" { EXACT_HLL } else { usize::MAX };
    let is_hashed = asked.name != "uniqExact";
    Made::new(UINT64, move || Distinct { most, is_hashed, ..Distinct::default() })
}

/// Maximum number of distinct values that ClickHouse's `uniqHLL12` counts exactly. ClickHouse only estimates larger
/// numbers, so this engine rejects groups with more distinct values.
const EXACT_HLL: usize = 16;

#[derive(Default)]
struct Distinct {
    /// Maximum number of distinct values in a group. If a group has more distinct values, the query fails.
    most: usize,
    /// True if the query fails for a negative argument of the type `Int128` or `Int256`. All functions except
    /// `uniqExact` fail: ClickHouse counts hashes for these functions, and different negative integers of these types
    /// can have equal hashes.
    is_hashed: bool,
    seen: HashSet<Vec<Value>>,
    size: usize,
}

impl State for Distinct {
    fn add(&mut self, args: &[Value]) -> Result<()> {
        if !self.seen.contains(args) {
            let is_negative =
                |value: &Value| matches!(value, Value::Wide(number) if number.is_negative());
            if self.is_hashed && args.iter().any(is_negative) {
                return Err(Problem::text("negative integers of 128 or 256 bits need uniqExact"));
            }
            if self.seen.len() == self.most {
                let message = "`uniqHLL12` estimates more than 16 values: use uniqExact";
                return Err(Problem::text(message));
            }
            self.size += args.iter().map(Value::size).sum::<usize>() + 80;
            self.seen.insert(args.to_vec());
        }
        Ok(())
    }

    fn finish(&self) -> Result<Value> {
        Ok(Value::Int(i128::try_from(self.seen.len()).unwrap_or(0)))
    }

    fn size(&self) -> usize {
        self.size + 64
    }
}

fn top(asked: &AggregateCall<'_>) -> Result<Made> {
    asked.takes(1..=1)?;
    let most = Some(size_limit(asked, 10)?);
    Made::new(Type::array(asked.types[0].clone()), move || Counts { most, ..Counts::default() })
}

/// State of `topK` and `entropy`: the number of rows per value.
#[derive(Default)]
struct Counts {
    /// Number of values that `topK` returns. `None` if the state belongs to `entropy`.
    most: Option<usize>,
    counts: HashMap<Vec<Value>, (usize, u64)>,
    size: usize,
}

impl State for Counts {
    fn add(&mut self, args: &[Value]) -> Result<()> {
        let next = self.counts.len();
        // `entropy` ignores NaN.
        if self.most.is_none() && matches!(args, [value] if value.is_nan()) {
            return Ok(());
        }
        let key = args.to_vec();
        if !self.counts.contains_key(&key) {
            self.size += key.iter().map(Value::size).sum::<usize>() + 100;
        }
        self.counts.entry(key).or_insert((next, 0)).1 += 1;
        Ok(())
    }

    #[expect(clippy::cast_precision_loss, reason = "a count of rows is far below 2^53")]
    fn finish(&self) -> Result<Value> {
        let Some(most) = self.most else {
            let all: u64 = self.counts.values().map(|(_, count)| *count).sum();
            let part = |count: u64| count as f64 / all as f64;
            let parts = self.counts.values().map(|(_, count)| part(*count));
            // The sum of an empty iterator of floats is -0 in Rust.
            return Ok(Value::Float(parts.map(|part| -part * part.log2()).sum::<f64>() + 0.0));
        };
        let mut all: Vec<_> = self.counts.iter().collect();
        all.sort_by_key(|(_, (first, count))| (std::cmp::Reverse(*count), *first));
        Ok(Value::list(all.into_iter().take(most).map(|(args, _)| args[0].clone()).collect()))
    }

    fn size(&self) -> usize {
        self.size + 64
    }
}

fn group_concat(asked: &AggregateCall<'_>) -> Result<Made> {
    asked.takes(1..=1)?;
    if !matches!(asked.parameters, [] | [Value::Text(_)]) {
        return Err(Problem::text("the separator of `groupConcat` must be a string"));
    }
    let separator =
        asked.parameters.first().map(|value| value.bytes().to_vec()).unwrap_or_default();
    let ty = asked.types[0].clone();
    Made::new(Type::String, move || Joined {
        text: Vec::new(),
        separator: separator.clone(),
        ty: ty.clone(),
    })
}

struct Joined {
    text: Vec<u8>,
    separator: Vec<u8>,
    ty: Type,
}

impl State for Joined {
    fn add(&mut self, args: &[Value]) -> Result<()> {
        // No separator follows the empty strings at the start of the result.
        if !self.text.is_empty() {
            self.text.extend_from_slice(&self.separator);
        }
        match self.ty {
            Type::FixedString(_) => {
                self.text.extend_from_slice(text::without_padding(args[0].bytes()));
            }
            _ => text::write(&args[0], &self.ty, &mut self.text),
        }
        crate::running::check_size(self.text.len())
    }

    fn finish(&self) -> Result<Value> {
        Ok(Value::text(&self.text))
    }

    fn size(&self) -> usize {
        self.text.len() + 64
    }
}
