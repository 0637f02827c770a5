//! Suffixes of aggregate functions, such as `-If` and `-Distinct`, and the handling of NULL.

use std::collections::HashSet;
use std::sync::Arc;

use super::{Made, State, make as whole};
use crate::problem::{Problem, Result};
use crate::types::Type;
use crate::value::{Value, default};

/// Suffixes of function names.
pub(super) const SUFFIXES: &[&str] = &["If", "Distinct", "Array", "OrNull", "OrDefault"];

/// Creates a function from a name with a suffix. Returns `None` if the name has no suffix.
pub(super) fn make(name: &str, parameters: &[Value], types: &[Type]) -> Option<Result<Made>> {
    let (suffix, base) =
        SUFFIXES.iter().find_map(|suffix| Some((*suffix, name.strip_suffix(suffix)?)))?;
    if base.is_empty() || !super::is_aggregate(base) {
        return None;
    }
    Some(match suffix {
        "If" => filtered(name, base, parameters, types),
        "Distinct" => distinct(base, parameters, types),
        "Array" => each(name, base, parameters, types),
        suffix => or_else(base, parameters, types, suffix == "OrNull"),
    })
}

fn filtered(name: &str, base: &str, parameters: &[Value], types: &[Type]) -> Result<Made> {
    let Some((condition, rest)) = types.split_last() else {
        return Err(Problem::text(format!("`{name}` takes a condition")));
    };
    if !matches!(condition.bare(), Type::Int { bits: 8, .. } | Type::Bool | Type::Nothing) {
        let message = format!("`{name}`: its condition must be UInt8, not {condition}");
        return Err(Problem::text(message));
    }
    let inner = whole(base, parameters, rest)?;
    let start = Arc::clone(&inner.start);
    Made::new(inner.ty, move || If(start()))
}

struct If(Box<dyn State>);

impl State for If {
    fn add(&mut self, args: &[Value]) -> Result<()> {
        match args.split_last() {
            Some((condition, rest)) if condition.is_true() => self.0.add(rest),
            _ => Ok(()),
        }
    }

    fn finish(&self) -> Result<Value> {
        self.0.finish()
    }

    fn size(&self) -> usize {
        self.0.size()
    }

    fn growing_len(&self) -> Option<usize> {
        self.0.growing_len()
    }
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

fn each(name: &str, base: &str, parameters: &[Value], types: &[Type]) -> Result<Made> {
    let of = types.iter().map(|ty| match ty.bare() {
        Type::Array(of) => Ok((**of).clone()),
        other => Err(Problem::text(format!("`{name}` takes arrays, not {other}"))),
    });
    let inner = whole(base, parameters, &of.collect::<Result<Vec<_>>>()?)?;
    let start = Arc::clone(&inner.start);
    Made::new(inner.ty, move || Each(start()))
}

struct Each(Box<dyn State>);

impl State for Each {
    fn add(&mut self, args: &[Value]) -> Result<()> {
        let size = args.first().map_or(0, |list| list.items().len());
        for at in 0..size {
            let row: Option<Vec<Value>> =
                args.iter().map(|list| list.items().get(at).cloned()).collect();
            self.0.add(&row.ok_or_else(|| Problem::text("arrays of one length are expected"))?)?;
        }
        Ok(())
    }

    fn finish(&self) -> Result<Value> {
        self.0.finish()
    }

    fn size(&self) -> usize {
        self.0.size()
    }

    fn growing_len(&self) -> Option<usize> {
        self.0.growing_len()
    }
}

fn or_else(base: &str, parameters: &[Value], types: &[Type], null: bool) -> Result<Made> {
    let inner = whole(base, parameters, types)?;
    let ty = inner.ty.clone().nullable_if(null);
    let (other, start) = (default(&ty), Arc::clone(&inner.start));
    Made::new(ty, move || OrElse { inner: start(), any: false, other: other.clone() })
}

/// Returns a default if there was no row.
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

/// Functions that never return NULL, for any argument.
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
    "minMap",
    "maxMap",
    "countEqual",
];

/// Wraps a function so that it skips rows with NULL. It returns NULL if no row is left.
pub(super) fn skip_nulls(name: &str, inner: Made) -> Made {
    let never_null = NEVER_NULL.contains(&name);
    let start = Arc::clone(&inner.start);
    let ty = if never_null { inner.ty } else { inner.ty.nullable() };
    let nullable = ty.is_nullable();
    let start =
        move || -> Box<dyn State> { Box::new(SkipNulls { inner: start(), any: false, nullable }) };
    Made { ty, start: Arc::new(start) }
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
