//! `count`, `sum`, `avg` and `sumMap`.

use super::{Asked, Made, State};
use crate::problem::{Problem, Result};
use crate::types::{Type, UINT64};
use crate::value::{Value, default, wide, wrap};

pub(super) const NAMES: &[&str] = &[
    "count",
    "sum",
    "sumKahan",
    "avg",
    "groupBitAnd",
    "groupBitOr",
    "groupBitXor",
    "sumMap",
    "deltaSum",
];

pub(super) fn make(asked: &Asked<'_>) -> Option<Result<Made>> {
    Some(match asked.name {
        "count" => asked.takes(0..=1).and_then(|()| Made::new(UINT64, || Count(0))),
        "sum" | "sumKahan" => sum(asked),
        "avg" => average(asked),
        "groupBitAnd" | "groupBitOr" | "groupBitXor" => bits(asked),
        "sumMap" => sum_map(asked),
        "deltaSum" => delta(asked),
        _ => return None,
    })
}

struct Count(i128);

impl State for Count {
    fn add(&mut self, _: &[Value]) -> Result<()> {
        self.0 += 1;
        Ok(())
    }

    fn finish(&self) -> Result<Value> {
        Ok(Value::Int(self.0))
    }
}

/// Result type of a sum.
fn sum_type(asked: &Asked<'_>) -> Result<Type> {
    Ok(match asked.number(0)? {
        Type::Float32 | Type::Float64 => Type::Float64,
        Type::Decimal { scale, .. } => Type::Decimal { precision: 38, scale: *scale },
        Type::Int { bits, signed } => Type::int((*bits).max(64), *signed),
        Type::Nothing => Type::Nothing.nullable(),
        _ => UINT64,
    })
}

fn sum(asked: &Asked<'_>) -> Result<Made> {
    asked.takes(1..=1)?;
    let ty = sum_type(asked)?;
    if asked.name == "sumKahan" || ty == Type::Float64 {
        if asked.name == "sumKahan" && ty != Type::Float64 {
            return Err(asked.fault("it adds fractions"));
        }
        return Made::new(ty, Floats::default);
    }
    let start = default(&ty);
    let result = ty.clone();
    Made::new(ty, move || Sum { ty: result.clone(), sum: start.clone() })
}

struct Sum {
    ty: Type,
    sum: Value,
}

impl State for Sum {
    fn add(&mut self, args: &[Value]) -> Result<()> {
        self.sum = match (&self.sum, &self.ty) {
            (Value::Int(sum), Type::Decimal { .. }) => {
                let next = sum.checked_add(args[0].int());
                Value::Int(
                    next.ok_or_else(|| Problem::text("a sum of decimal fractions overflows"))?,
                )
            }
            (Value::Int(sum), ty) => {
                let (bits, signed) = ty.int_parts().unwrap_or((64, true));
                Value::Int(wrap(sum + args[0].int(), bits, signed))
            }
            (sum, Type::Int { bits, signed }) => {
                wide(sum.wide().wrapping_add(args[0].wide()), *bits, *signed)
            }
            (sum, _) => sum.clone(),
        };
        Ok(())
    }

    fn finish(&self) -> Result<Value> {
        Ok(self.sum.clone())
    }
}

#[derive(Default)]
struct Floats {
    sum: f64,
}

impl State for Floats {
    fn add(&mut self, args: &[Value]) -> Result<()> {
        self.sum += args[0].float();
        Ok(())
    }

    fn finish(&self) -> Result<Value> {
        Ok(Value::Float(self.sum))
    }
}

fn average(asked: &Asked<'_>) -> Result<Made> {
    asked.takes(1..=1)?;
    let scale = match asked.number(0)? {
        Type::Decimal { scale, .. } => 10_f64.powi(i32::from(*scale)),
        _ => 1.0,
    };
    let exact = asked.types[0].is_int() && !asked.types[0].is_wide();
    let signed = asked.types[0].int_parts().is_some_and(|(_, signed)| signed);
    Made::new(Type::Float64, move || Average {
        sum: 0.0,
        whole: 0,
        exact,
        signed,
        rows: 0.0,
        scale,
    })
}

struct Average {
    sum: f64,
    /// Sum of whole numbers. It wraps at 64 bits as in ClickHouse.
    whole: i128,
    exact: bool,
    signed: bool,
    rows: f64,
    scale: f64,
}

impl State for Average {
    fn add(&mut self, args: &[Value]) -> Result<()> {
        if self.exact {
            self.whole = wrap(self.whole + args[0].int(), 64, self.signed);
        } else {
            self.sum += args[0].float();
        }
        self.rows += 1.0;
        Ok(())
    }

    fn finish(&self) -> Result<Value> {
        let sum = if self.exact { Value::Int(self.whole).float() } else { self.sum / self.scale };
        Ok(Value::Float(sum / self.rows))
    }
}

fn bits(asked: &Asked<'_>) -> Result<Made> {
    asked.takes(1..=1)?;
    let ty = asked.types[0].clone();
    let Some((bits, signed)) = ty.int_parts().filter(|(bits, _)| *bits <= 64) else {
        return Err(asked.fault("it takes whole numbers of up to 64 bits"));
    };
    let of: fn(i128, i128) -> i128 = match asked.name {
        "groupBitAnd" => |a, b| a & b,
        "groupBitOr" => |a, b| a | b,
        _ => |a, b| a ^ b,
    };
    let start = if asked.name == "groupBitAnd" { wrap(-1, bits, signed) } else { 0 };
    Made::new(ty, move || Bits { bits: start, of })
}

struct Bits {
    bits: i128,
    of: fn(i128, i128) -> i128,
}

impl State for Bits {
    fn add(&mut self, args: &[Value]) -> Result<()> {
        self.bits = (self.of)(self.bits, args[0].int());
        Ok(())
    }

    fn finish(&self) -> Result<Value> {
        Ok(Value::Int(self.bits))
    }
}

/// `sumMap`: one sum per key.
fn sum_map(asked: &Asked<'_>) -> Result<Made> {
    asked.takes(1..=1)?;
    let Type::Map(key, value) = &asked.types[0] else {
        return Err(asked.fault("it takes a map"));
    };
    let summed = Asked { name: "sum", parameters: &[], types: &[(**value).clone()] };
    let made = sum(&summed)?;
    let ty = Type::Map(key.clone(), Box::new(made.ty.clone()));
    Made::new(ty, move || SumMap {
        made: made.clone(),
        sums: std::collections::BTreeMap::new(),
        size: 0,
    })
}

struct SumMap {
    made: Made,
    sums: std::collections::BTreeMap<Key, Box<dyn State>>,
    size: usize,
}

/// A key, ordered like values.
#[derive(PartialEq, Eq)]
struct Key(Value);

impl PartialOrd for Key {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.order(&other.0)
    }
}

impl State for SumMap {
    fn add(&mut self, args: &[Value]) -> Result<()> {
        for pair in args[0].items() {
            if let [key, value] = pair.items() {
                let sum = self.sums.entry(Key(key.clone())).or_insert_with(|| {
                    // Size of the key, its sum, and the pair of both in the result.
                    self.size += 2 * key.size() + 200;
                    (self.made.start)()
                });
                sum.add(std::slice::from_ref(value))?;
            }
        }
        Ok(())
    }

    fn finish(&self) -> Result<Value> {
        let mut pairs = Vec::with_capacity(self.sums.len());
        for (key, sum) in &self.sums {
            pairs.push(Value::list(vec![key.0.clone(), sum.finish()?]));
        }
        Ok(Value::list(pairs))
    }

    fn size(&self) -> usize {
        self.size + 64
    }
}

fn delta(asked: &Asked<'_>) -> Result<Made> {
    asked.takes(1..=1)?;
    let ty = asked.number(0)?.clone();
    if matches!(ty, Type::Decimal { .. }) || ty.is_wide() {
        return Err(asked.fault("it takes numbers of up to 64 bits"));
    }
    let start = default(&ty);
    Made::new(ty, move || Delta { last: None, sum: start.clone() })
}

struct Delta {
    last: Option<Value>,
    sum: Value,
}

impl State for Delta {
    fn add(&mut self, args: &[Value]) -> Result<()> {
        if let Some(last) = &self.last
            && args[0].order(last).is_gt()
        {
            self.sum = match (&self.sum, &args[0]) {
                (Value::Float(sum), next) => Value::Float(sum + next.float() - last.float()),
                (sum, next) => Value::Int(sum.int() + next.int() - last.int()),
            };
        }
        self.last = Some(args[0].clone());
        Ok(())
    }

    fn finish(&self) -> Result<Value> {
        Ok(self.sum.clone())
    }
}
