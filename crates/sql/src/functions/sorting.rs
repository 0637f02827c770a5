//! Functions that sort arrays or aggregate their elements, such as `arraySort` and `arraySum`.

use super::conversion::convert;
use super::{Built, FunctionCall, Made};
use crate::aggregates;
use crate::problem::{Problem, Result};
use crate::types::Type;
use crate::value::{Value, wide};

pub(super) fn make(given: &FunctionCall<'_>) -> Made {
    Some(match given.name {
        "arraySort" | "arrayReverseSort" => sorted(given),
        "arraySum" | "arrayAvg" | "arrayMin" | "arrayMax" => aggregate(given),
        "arrayProduct" => product(given),
        "arrayCount" => given.takes(1..=1).and_then(|()| given.element(0)).and_then(|_| {
            Built::new(Type::int(32, false), |v| {
                let count = v[0].items().iter().filter(|item| item.is_true()).count();
                Ok(super::count(count))
            })
        }),
        "arrayDotProduct" => dot(given),
        _ => return None,
    })
}

fn sorted(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(1..=1)?;
    given.element(0)?;
    let backwards = given.name == "arrayReverseSort";
    Built::new(given.types[0].clone(), move |v| {
        let mut items = v[0].items().to_vec();
        items.sort_by(|a, b| a.order_as_key(b, backwards, false));
        Ok(Value::list(items))
    })
}

fn aggregate(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(1..=1)?;
    let (ty, reduce) = reducer(given.name, &given.element(0)?)?;
    Built::new(ty, move |v| reduce(v[0].items()))
}

/// Function that computes `arraySum`, `arrayAvg`, `arrayMin` or `arrayMax` from the elements of an array.
type Reduce = Box<dyn Fn(&[Value]) -> Result<Value> + Send + Sync>;

/// Returns the result type and the implementation of `arraySum`, `arrayAvg`, `arrayMin` or `arrayMax`. `of` is the
/// element type.
pub(super) fn reducer(name: &str, of: &Type) -> Result<(Type, Reduce)> {
    let base = name["array".len()..].to_ascii_lowercase();
    let is_average = base == "avg";
    if *of == Type::Nothing {
        return Err(Problem::text(format!(
            "`{name}` does not take `[]`, whose elements have no type"
        )));
    }
    if of.is_nullable() && (is_average || base == "sum") {
        return Err(Problem::text(format!("`{name}` does not accept Nullable elements")));
    }

    let made = aggregates::make(&base, &[], std::slice::from_ref(of))?;
    let (ty, of) = (made.ty.clone(), of.clone());
    let reduce: Reduce = Box::new(move |items| {
        let count = i128::try_from(items.len()).unwrap_or(i128::MAX);
        match of {
            // The average of an empty array is 0 here, but NaN in `avg`. The average of decimals has the scale of the
            // elements.
            _ if is_average && count == 0 => return Ok(Value::Float(0.0)),
            Type::Decimal { .. } if is_average => {
                // The sum wraps around in 128 bits, as in `avg`.
                let sum = items.iter().map(Value::int).fold(0_i128, i128::wrapping_add);
                return convert(&Value::Int(sum / count), &of, &Type::Float64);
            }
            _ => {}
        }
        let mut state = (made.start)();
        items.iter().try_for_each(|item| state.add(std::slice::from_ref(item)))?;
        state.finish()
    });
    Ok((ty, reduce))
}

fn product(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(1..=1)?;
    if !given.element(0)?.is_number() {
        return Err(given.fault("the elements must be numbers and not Nullable"));
    }
    // Products of integers wrap around in at least 64 bits, and products of decimals in 128 bits.
    let (whole, scale) = match given.element(0)? {
        Type::Nothing => return Err(given.fault("an empty array has no element type")),
        Type::Decimal { scale, .. } => (Some((128, true)), i32::from(scale)),
        of => (of.int_parts().map(|(bits, signed)| (bits.max(64), signed)), 0),
    };
    Built::new(Type::Float64, move |v| {
        let items = v[0].items();
        let Some(first) = items.first() else { return Ok(Value::Float(0.0)) };
        let Some((bits, signed)) = whole else {
            return Ok(Value::Float(items.iter().map(Value::float).product()));
        };

        let product = items[1..].iter().fold(first.clone(), |product, item| {
            wide(product.wide().wrapping_mul(item.wide()), bits, signed)
        });
        let digits = items.iter().map(|_| scale).sum();
        Ok(Value::Float(product.float() / 10_f64.powi(digits)))
    })
}

fn dot(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=2)?;
    let both = (given.element(0)?, given.element(1)?);
    if !both.0.is_float() && !both.1.is_float() {
        return Err(given.fault("the elements must be floats"));
    }
    Built::new(Type::Float64, |v| {
        if v[0].items().len() != v[1].items().len() {
            return Err(Problem::text("`arrayDotProduct` takes arrays of equal lengths"));
        }
        let pairs = v[0].items().iter().zip(v[1].items());
        Ok(Value::Float(pairs.map(|(a, b)| a.float() * b.float()).sum()))
    })
}
