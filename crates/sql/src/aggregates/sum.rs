//! Aggregate functions that count, sum or average: `count`, `sum`, `avg`, `avgWeighted`, `deltaSum`, and bit functions
//! such as `groupBitAnd`.
//!
//! The input is the name and the argument types of a call. The output is an aggregate function.

use super::{AggregateCall, Made, State};
use crate::problem::{Problem, Result};
use crate::types::{BYTE, Type, UINT64};
use crate::value::{Value, default, wide, wrap};

pub(super) const NAMES: &[&str] = &[
    "count",
    "sum",
    "sumKahan",
    "avg",
    "groupBitAnd",
    "groupBitOr",
    "groupBitXor",
    "avgWeighted",
    "deltaSum",
];

pub(super) fn make(asked: &AggregateCall<'_>) -> Option<Result<Made>> {
    Some(match asked.name {
        "count" => asked.takes(0..=1).and_then(|()| Made::new(UINT64, || Count(0))),
        "sum" | "sumKahan" => sum(asked),
        "avg" => average(asked),
        "groupBitAnd" | "groupBitOr" | "groupBitXor" => bits(asked),
        "avgWeighted" => weighted(asked),
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

/// Returns the result type of `sum` for its argument type.
fn sum_type(asked: &AggregateCall<'_>) -> Result<Type> {
    Ok(match asked.number(0)? {
        Type::Float32 | Type::Float64 => Type::Float64,
        Type::Decimal { scale, .. } => Type::Decimal { precision: 38, scale: *scale },
        Type::Int { bits, signed } => Type::int((*bits).max(64), *signed),
        Type::Nothing => Type::Nothing.nullable(),
        _ => UINT64,
    })
}

fn sum(asked: &AggregateCall<'_>) -> Result<Made> {
    asked.takes(1..=1)?;
    let ty = sum_type(asked)?;
    if asked.name == "sumKahan" || ty == Type::Float64 {
        if asked.name == "sumKahan" && ty != Type::Float64 {
            return Err(asked.fault("the argument must be a float"));
        }
        let is_exact = asked.name == "sumKahan";
        return Made::new(ty, move || Floats { is_exact, ..Floats::default() });
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
                Value::Int(next.ok_or_else(|| Problem::text("a sum of decimals overflows"))?)
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

/// Sum of floats. With `is_exact`, each addition corrects the rounding error of the previous one (Kahan summation).
#[derive(Default)]
struct Floats {
    sum: f64,
    error: f64,
    is_exact: bool,
}

impl State for Floats {
    fn add(&mut self, args: &[Value]) -> Result<()> {
        let number = args[0].float();
        if self.is_exact {
            let added = number - self.error;
            let sum = self.sum + added;
            self.error = (sum - self.sum) - added;
            self.sum = sum;
        } else {
            self.sum += number;
        }
        Ok(())
    }

    fn finish(&self) -> Result<Value> {
        Ok(Value::Float(self.sum))
    }
}

fn average(asked: &AggregateCall<'_>) -> Result<Made> {
    asked.takes(1..=1)?;
    let scale = match asked.number(0)? {
        Type::Decimal { scale, .. } => 10_f64.powi(i32::from(*scale)),
        _ => 1.0,
    };
    let wraps_at = match asked.types[0] {
        Type::Decimal { .. } => Some((128, true)),
        ref ty => ty.int_parts().map(|(bits, signed)| (bits.max(64), signed)),
    };
    let start = if wraps_at.is_some() { Value::Int(0) } else { Value::Float(0.0) };
    Made::new(Type::Float64, move || Average { sum: start.clone(), wraps_at, rows: 0.0, scale })
}

struct Average {
    /// Sum of the numbers. For decimals it is the sum of the unscaled integers: 150 for `1.50`.
    sum: Value,
    /// Integer type of `sum`: the number of bits, and a flag that is true for signed types. Int64 is `(64, true)`. If
    /// the sum is too large for this type, the sum wraps around, as in ClickHouse. `None` if the sum is a float.
    wraps_at: Option<(u16, bool)>,
    rows: f64,
    scale: f64,
}

impl State for Average {
    fn add(&mut self, args: &[Value]) -> Result<()> {
        self.sum = match (self.wraps_at, &self.sum, &args[0]) {
            (None, sum, number) => Value::Float(sum.float() + number.float()),
            (Some((bits, signed)), Value::Int(sum), Value::Int(number)) => {
                Value::Int(wrap(sum.wrapping_add(*number), bits, signed))
            }
            (Some((bits, signed)), sum, number) => {
                wide(sum.wide().wrapping_add(number.wide()), bits, signed)
            }
        };
        self.rows += 1.0;
        Ok(())
    }

    fn finish(&self) -> Result<Value> {
        Ok(Value::Float(self.sum.float() / self.scale / self.rows))
    }
}

/// Returns UInt8 for Bool. Returns other types unchanged.
fn not_bool(ty: &Type) -> Type {
    if *ty == Type::Bool { BYTE } else { ty.clone() }
}

fn bits(asked: &AggregateCall<'_>) -> Result<Made> {
    asked.takes(1..=1)?;
    let ty = not_bool(&asked.types[0]);
    let Some((bits, signed)) = ty.int_parts().filter(|(bits, _)| *bits <= 64) else {
        return Err(asked.fault("the argument must be an integer of up to 64 bits"));
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

/// Creates `avgWeighted(value, weight)`, the weighted average of the values.
fn weighted(asked: &AggregateCall<'_>) -> Result<Made> {
    asked.takes(2..=2)?;
    let is_taken = |ty: &Type| (ty.is_int() && !ty.is_wide()) || ty.is_float();
    if !asked.types.iter().all(is_taken) {
        return Err(asked.fault("each argument must be an integer of up to 64 bits or a float"));
    }
    // ClickHouse computes the sums in the type of the weights. Integer weights therefore truncate fractional values.
    let of_whole = asked.types[1].int_parts().map(|(_, signed)| signed);
    Made::new(Type::Float64, move || Weighted { of_whole, ..Weighted::default() })
}

/// State of `avgWeighted`: the sum of the weighted values and the sum of the weights.
#[derive(Default)]
struct Weighted {
    /// Type of the weights: `Some(true)` for signed integers, `Some(false)` for unsigned integers, and `None` for
    /// floats.
    of_whole: Option<bool>,
    sum: f64,
    weights: f64,
    whole_sum: i128,
    whole_weights: i128,
}

impl State for Weighted {
    fn add(&mut self, args: &[Value]) -> Result<()> {
        let Some(signed) = self.of_whole else {
            self.sum += args[0].float() * args[1].float();
            self.weights += args[1].float();
            return Ok(());
        };
        let value = match &args[0] {
            Value::Float(number) => crate::value::machine_int(*number, 64, signed),
            value => value.int(),
        };
        let product = wrap(value, 64, signed).wrapping_mul(args[1].int());
        self.whole_sum = wrap(self.whole_sum.wrapping_add(product), 64, signed);
        self.whole_weights = wrap(self.whole_weights + args[1].int(), 64, signed);
        Ok(())
    }

    fn finish(&self) -> Result<Value> {
        let (sum, weights) = match self.of_whole {
            Some(_) => (Value::Int(self.whole_sum).float(), Value::Int(self.whole_weights).float()),
            None => (self.sum, self.weights),
        };
        Ok(Value::Float(sum / weights))
    }
}

fn delta(asked: &AggregateCall<'_>) -> Result<Made> {
    asked.takes(1..=1)?;
    let ty = not_bool(asked.number(0)?);
    if matches!(ty, Type::Decimal { .. }) || ty.is_wide() {
        return Err(asked.fault("the argument must be a number of up to 64 bits"));
    }
    let start = default(&ty);
    let bits = ty.int_parts().unwrap_or((64, true));
    let is_single = ty == Type::Float32;
    Made::new(ty, move || Delta { last: None, sum: start.clone(), bits, is_single })
}

struct Delta {
    last: Option<Value>,
    sum: Value,
    bits: (u16, bool),
    /// True if the argument is Float32. Each intermediate sum is then rounded to 32 bits.
    is_single: bool,
}

impl Delta {
    #[expect(clippy::cast_possible_truncation, reason = "the sum has 32 bits")]
    fn rounded(&self, number: f64) -> f64 {
        if self.is_single { f64::from(number as f32) } else { number }
    }
}

impl State for Delta {
    fn add(&mut self, args: &[Value]) -> Result<()> {
        if let Some(last) = &self.last
            && !args[0].is_nan()
            && args[0].order(last).is_gt()
        {
            self.sum = match (&self.sum, &args[0]) {
                (Value::Float(sum), next) => {
                    let step = self.rounded(next.float() - last.float());
                    Value::Float(self.rounded(sum + step))
                }
                (sum, next) => {
                    let (bits, signed) = self.bits;
                    Value::Int(wrap(sum.int() + next.int() - last.int(), bits, signed))
                }
            };
        }
        self.last = Some(args[0].clone());
        Ok(())
    }

    fn finish(&self) -> Result<Value> {
        Ok(self.sum.clone())
    }
}
