//! Suffixes of aggregate functions, such as `-If` and `-Distinct`, and a wrapper that makes an aggregate function skip
//! rows with NULL.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use super::adapted::adapted;
use super::{AggregateCall, Made, State, make as whole};
use crate::problem::{Problem, Result};
use crate::types::Type;
use crate::value::{Value, default};

/// Suffixes of aggregate function names, such as `If` in `sumIf`.
pub(super) const SUFFIXES: &[&str] =
    &["If", "Distinct", "Array", "OrNull", "OrDefault", "ForEach", "Map", "State", "Merge"];

/// Creates an aggregate function whose name has a suffix, such as `sumIf`. Returns `None` if `name` is not an aggregate
/// function with a suffix.
pub(super) fn make(name: &str, parameters: &[Value], types: &[Type]) -> Option<Result<Made>> {
    let (suffix, base) =
        SUFFIXES.iter().find_map(|suffix| Some((*suffix, name.strip_suffix(suffix)?)))?;
    if base.is_empty() || !super::is_aggregate(base) {
        return None;
    }
    Some(match suffix {
        "If" => filtered(name, base, parameters, types),
        "Distinct" => distinct(base, parameters, types),
        "Array" => array_combinator(name, base, parameters, types),
        "ForEach" => by_place(name, base, parameters, types),
        "Map" => by_key(name, base, parameters, types),
        "State" => super::partial::state(base, parameters, types),
        "Merge" => super::partial::merge(base, parameters, types),
        suffix => or_else(base, parameters, types, suffix == "OrNull"),
    })
}

fn filtered(name: &str, base: &str, parameters: &[Value], types: &[Type]) -> Result<Made> {
    let Some((condition, rest)) = types.split_last() else {
        return Err(Problem::text(format!("`{name}` takes a condition")));
    };
    if !matches!(
        condition.bare(),
        Type::Int { bits: 8, signed: false } | Type::Bool | Type::Nothing
    ) {
        let message = format!("the condition of `{name}` must be UInt8, not {condition}");
        return Err(Problem::text(message));
    }
    Ok(adapted(whole(base, parameters, rest)?, |inner, args| match args.split_last() {
        Some((condition, rest)) if condition.is_true() => inner.add(rest),
        _ => Ok(()),
    }))
}

fn distinct(base: &str, parameters: &[Value], types: &[Type]) -> Result<Made> {
    let inner = whole(base, parameters, types)?;
    let start = Arc::clone(&inner.start);
    Made::new(inner.ty, move || Distinct { inner: start(), seen: HashSet::new(), size: 0 })
}

struct Distinct {
    inner: Box<dyn State>,
    seen: HashSet<Vec<Value>>,
    size: usize,
}

impl State for Distinct {
    fn add(&mut self, args: &[Value]) -> Result<()> {
        if self.seen.contains(args) {
            return Ok(());
        }
        self.size += args.iter().map(Value::size).sum::<usize>() + 80;
        self.seen.insert(args.to_vec());
        self.inner.add(args)
    }

    fn finish(&self) -> Result<Value> {
        self.inner.finish()
    }

    fn size(&self) -> usize {
        self.size + self.inner.size()
    }

    fn growing_len(&self) -> Option<usize> {
        self.inner.growing_len()
    }
}

fn array_combinator(name: &str, base: &str, parameters: &[Value], types: &[Type]) -> Result<Made> {
    let inner = whole(base, parameters, &elements(name, types)?)?;
    Ok(adapted(inner, |inner, args| rows_of(args).try_for_each(|row| inner.add(&row?))))
}

/// Returns the element types of the arguments, which must be arrays.
fn elements(name: &str, types: &[Type]) -> Result<Vec<Type>> {
    let of = types.iter().map(|ty| match ty.bare() {
        Type::Array(of) => Ok((**of).clone()),
        other => Err(Problem::text(format!("`{name}` takes arrays, not {other}"))),
    });
    of.collect()
}

/// Iterates over the elements of several lists in parallel. The first item contains the first elements of all lists,
/// the second item contains the second elements, and so on.
fn rows_of(lists: &[Value]) -> impl Iterator<Item = Result<Vec<Value>>> {
    let size = lists.iter().map(|list| list.items().len()).max().unwrap_or(0);
    (0..size).map(move |at| {
        let row: Option<_> = lists.iter().map(|list| list.items().get(at).cloned()).collect();
        row.ok_or_else(|| Problem::text("the arrays must have equal lengths"))
    })
}

/// Creates a function with the suffix `-ForEach`, such as `sumForEach(list)`. It returns a list with one result per
/// index of the argument lists.
fn by_place(name: &str, base: &str, parameters: &[Value], types: &[Type]) -> Result<Made> {
    let made = whole(base, parameters, &elements(name, types)?)?;
    Made::new(Type::array(made.ty.clone()), move || ByPlace {
        made: made.clone(),
        states: Vec::new(),
    })
}

struct ByPlace {
    made: Made,
    states: Vec<Box<dyn State>>,
}

impl State for ByPlace {
    fn add(&mut self, args: &[Value]) -> Result<()> {
        for (at, row) in rows_of(args).enumerate() {
            let row = row?;
            if at >= self.states.len() {
                self.states.push((self.made.start)());
            }
            self.states[at].add(&row)?;
        }
        Ok(())
    }

    fn finish(&self) -> Result<Value> {
        Ok(Value::list(self.states.iter().map(|state| state.finish()).collect::<Result<_>>()?))
    }

    fn size(&self) -> usize {
        self.states.iter().map(|state| state.size() + 64).sum::<usize>() + 64
    }
}

/// Creates a function with the suffix `-Map`, such as `sumMap(map)`. It returns a map with one result per key of the
/// argument maps.
fn by_key(name: &str, base: &str, parameters: &[Value], types: &[Type]) -> Result<Made> {
    let [Type::Map(key, value)] = types else {
        return Err(Problem::text(format!("`{name}` takes one map")));
    };
    let made = whole(base, parameters, &[(**value).clone()])?;
    let ty = Type::Map(key.clone(), Box::new(made.ty.clone()));
    Made::new(ty, move || ByKey { made: made.clone(), states: BTreeMap::new(), size: 0 })
}

struct ByKey {
    made: Made,
    states: BTreeMap<MapKey, Box<dyn State>>,
    size: usize,
}

/// A key of the argument maps, such as `'a'` in `map('a', 1)`. The keys are sorted in the order of SQL values.
#[derive(PartialEq, Eq)]
struct MapKey(Value);

impl PartialOrd for MapKey {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for MapKey {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.order(&other.0)
    }
}

impl State for ByKey {
    fn add(&mut self, args: &[Value]) -> Result<()> {
        for pair in args[0].items() {
            if let [key, value] = pair.items() {
                let state = self.states.entry(MapKey(key.clone())).or_insert_with(|| {
                    // Two copies of the key (in `states` and in the result), plus the fixed size of the entry.
                    self.size += 2 * key.size() + 200;
                    (self.made.start)()
                });
                let before = state.size();
                state.add(std::slice::from_ref(value))?;
                self.size = (self.size + state.size()).saturating_sub(before);
            }
        }
        Ok(())
    }

    fn finish(&self) -> Result<Value> {
        let mut pairs = Vec::with_capacity(self.states.len());
        for (key, state) in &self.states {
            pairs.push(Value::list(vec![key.0.clone(), state.finish()?]));
        }
        Ok(Value::list(pairs))
    }

    fn size(&self) -> usize {
        self.size + 64
    }
}

fn or_else(base: &str, parameters: &[Value], types: &[Type], null: bool) -> Result<Made> {
    let bare: Vec<Type> = types.iter().map(|ty| ty.bare().clone()).collect();
    let inner = whole(base, parameters, &bare)?;
    if let Some(literal) = types.iter().find(|ty| ty.is_null() && ty.is_nullable()) {
        return whole(without_suffixes(base), parameters, std::slice::from_ref(literal));
    }
    if null && matches!(inner.ty, Type::Tuple(_)) {
        return Err(Problem::text(format!(
            "`{base}OrNull` cannot return a tuple: use {base}OrDefault"
        )));
    }
    let ty = inner.ty.clone().nullable_if(null);
    let (other, start) = (default(&ty), Arc::clone(&inner.start));
    let made = Made::new(ty, move || OrElse { inner: start(), any: false, other: other.clone() })?;
    if !types.iter().any(Type::is_nullable) {
        return Ok(made);
    }
    let asked = AggregateCall { name: without_suffixes(base), parameters, types: &bare };
    skip_nulls(&asked, made)
}

/// Returns the name of an aggregate function without suffixes, such as `sum` for `sumArrayIf`.
fn without_suffixes(name: &str) -> &str {
    let name = super::canonical(name);
    let is_plain = super::ALL.iter().any(|names| names.contains(&name));
    let mut bases = SUFFIXES.iter().filter_map(|suffix| name.strip_suffix(suffix));
    if is_plain { name } else { bases.next().map_or(name, without_suffixes) }
}

/// Returns the name of the function that ClickHouse runs for a call of `name`: `sumOrNullIf` for `sumIfOrNull`, and
/// `sumOrNullState` for `sumStateOrNull`. So `sumIfOrNull` returns NULL if no row fulfils the condition. For some
/// functions, ClickHouse does not move the suffix, so `countIfOrNull` returns 0.
pub(crate) fn with_moved_or_null(name: &str) -> Option<String> {
    let whole = name.strip_suffix("OrNull")?;
    let moved = ["If", "MergeState", "State", "Merge"];
    let (base, suffix) =
        moved.iter().find_map(|suffix| Some((whole.strip_suffix(suffix)?, suffix)))?;
    let plain = without_suffixes(base);
    let stays = ["count", "uniq", "uniqExact", "uniqHLL12", "deltaSum"].contains(&plain)
        || plain.starts_with("quantiles");
    (!stays).then(|| format!("{base}OrNull{suffix}"))
}

/// State of a function with the suffix `-OrNull` or `-OrDefault`. For a group without rows, `sumOrDefault` returns the
/// default value of its result type (0), and `sumOrNull` returns NULL. If the result type cannot be Nullable, as for
/// arrays, `-OrNull` also returns the default value. `countIfOrNull` returns 0 for a group whose rows do not fulfil the
/// condition.
struct OrElse {
    inner: Box<dyn State>,
    any: bool,
    other: Value,
}

impl State for OrElse {
    fn add(&mut self, args: &[Value]) -> Result<()> {
        self.any = true;
        self.inner.add(args)
    }

    fn finish(&self) -> Result<Value> {
        if self.any { self.inner.finish() } else { Ok(self.other.clone()) }
    }

    fn size(&self) -> usize {
        self.inner.size()
    }

    fn growing_len(&self) -> Option<usize> {
        self.inner.growing_len().filter(|_| self.any)
    }
}

/// Aggregate functions that do not return NULL even if all argument values are NULL. For example, `count` returns 0.
const NEVER_NULL: &[&str] = &[
    "count",
    "uniq",
    "uniqExact",
    "uniqHLL12",
    "groupArray",
    "groupUniqArray",
    "topK",
    "groupArraySample",
    "sumMap",
    "deltaSum",
    "retention",
    "groupArrayLast",
    "groupArraySorted",
];

/// Wraps an aggregate function so that it skips rows in which an argument is NULL. If all rows of a group are skipped,
/// most functions return NULL. Functions in [`NEVER_NULL`], and functions that return arrays or maps, return their
/// result for a group without rows, such as 0 for `count`.
pub(super) fn skip_nulls(asked: &AggregateCall<'_>, inner: Made) -> Result<Made> {
    let never_null = NEVER_NULL.contains(&asked.name);
    if !never_null && matches!(inner.ty, Type::Tuple(_)) {
        let message = "the result is a tuple, so no argument may be Nullable: use assumeNotNull";
        return Err(asked.fault(message));
    }
    let start = Arc::clone(&inner.start);
    let ty = if never_null { inner.ty } else { inner.ty.nullable() };
    let nullable = ty.is_nullable();
    let start =
        move || -> Box<dyn State> { Box::new(SkipNulls { inner: start(), any: false, nullable }) };
    Ok(Made { ty, start: Arc::new(start) })
}

struct SkipNulls {
    inner: Box<dyn State>,
    any: bool,
    nullable: bool,
}

impl State for SkipNulls {
    fn add(&mut self, args: &[Value]) -> Result<()> {
        if args.iter().any(Value::is_null) {
            return Ok(());
        }
        self.any = true;
        self.inner.add(args)
    }

    fn finish(&self) -> Result<Value> {
        if self.nullable && !self.any { Ok(Value::Null) } else { self.inner.finish() }
    }

    fn size(&self) -> usize {
        self.inner.size()
    }

    fn growing_len(&self) -> Option<usize> {
        self.inner.growing_len().filter(|_| self.any || !self.nullable)
    }
}
