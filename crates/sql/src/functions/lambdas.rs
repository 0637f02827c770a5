//! Array and map functions that take a lambda.
//!
//! The inputs are the arrays and the lambda of a call. The output is an expression that runs the lambda for each
//! element.

use std::sync::Arc;

use super::sorting::reducer;
use crate::node::{Kind, Node, RunLambda};
use crate::problem::{Problem, Result};
use crate::types::{BYTE, Type, UINT32};
use crate::value::{Value, default};

/// Function that resolves the body of a lambda. The argument is the list of the lambda's parameter types. The result is
/// the body, and the index of the first parameter of this lambda. Parameters of enclosing lambdas have lower indexes.
pub(crate) type Body<'a> = dyn FnMut(&[Type]) -> Result<(Arc<Node>, usize)> + 'a;

/// Functions with a lambda that returns a condition.
const CONDITIONS: [&str; 9] = [
    "arrayFilter",
    "arrayExists",
    "arrayAll",
    "arrayCount",
    "arrayFirst",
    "arrayLast",
    "arrayFirstIndex",
    "arrayLastIndex",
    "arrayFirstOrNull",
];

/// Functions with a lambda that are not in [`CONDITIONS`], such as `arrayMap`.
const OTHERS: [&str; 13] = [
    "arrayMap",
    "arraySort",
    "arrayReverseSort",
    "arraySum",
    "arrayAvg",
    "arrayMin",
    "arrayMax",
    "arrayFold",
    "arrayCumSum",
    "mapFilter",
    "mapApply",
    "arrayPartialSort",
    "arraySplit",
];

/// Creates a call of a function with a lambda. Returns `None` if the function does not accept a lambda.
pub(crate) fn higher_order(
    name: &str,
    params: usize,
    arrays: Vec<Arc<Node>>,
    body: &mut Body<'_>,
) -> Option<Result<Arc<Node>>> {
    let is_known = CONDITIONS.contains(&name) || OTHERS.contains(&name);
    is_known.then(|| build(name, params, arrays, body))
}

/// Creates a call of a function with a lambda. Checks the arrays and the number of lambda parameters, resolves the
/// lambda, checks the result type of the lambda, and selects the implementation.
fn build(
    name: &str,
    params: usize,
    arrays: Vec<Arc<Node>>,
    body: &mut Body<'_>,
) -> Result<Arc<Node>> {
    let fault = |message: &str| Problem::text(format!("`{name}`: {message}"));
    if name == "arrayFold" {
        return fold(arrays, params, body);
    }
    if name.starts_with("map") {
        return map(name, arrays, params, body);
    }

    let mut types = Vec::new();
    for array in &arrays {
        match array.ty.bare() {
            Type::Array(of) => types.push(of.full()),
            other => return Err(fault(&format!("{other} is not an array"))),
        }
    }

    if let [Type::Tuple(members)] = types.as_slice()
        && params == members.len()
        && params > 1
    {
        return Err(fault("the lambda must have one parameter, which is a tuple"));
    }
    if params != types.len() || types.is_empty() {
        return Err(fault("the lambda must have one parameter for each array"));
    }
    let sizes: Vec<usize> =
        arrays.iter().filter_map(|array| Some(array.as_const()?.items().len())).collect();
    if sizes.windows(2).any(|two| two[0] != two[1]) {
        return Err(fault("the arrays must have equal lengths"));
    }

    let (body, first) = body(&types)?;
    if CONDITIONS.contains(&name)
        && !matches!(
            body.ty.bare(),
            Type::Int { bits: 8, signed: false } | Type::Bool | Type::Nothing
        )
    {
        return Err(fault("the lambda must return UInt8"));
    }
    let (ty, run) = find_lambda(name, &types[0], &body.ty)
        .ok_or_else(|| fault("the function does not accept a lambda"))??;
    Node::make(Kind::Lambda { run, body, first, args: arrays }, ty, name)
}

/// Returns the arguments of each lambda call. The first call gets the first elements of all arrays, the second call
/// gets the second elements, and so on.
fn rows(values: &[Value]) -> Result<Vec<Vec<Value>>> {
    let size = values[0].items().len();
    if values.iter().any(|value| value.items().len() != size) {
        return Err(Problem::text("the arrays must have equal lengths"));
    }
    Ok((0..size).map(|at| values.iter().map(|list| list.items()[at].clone()).collect()).collect())
}

type Each<'a> = &'a mut dyn FnMut(&[Value]) -> Result<Value>;

/// Returns the result type and the implementation of an array function with a lambda. `of` is the element type of the
/// first array, and `body` is the result type of the lambda. Returns `None` if the function does not accept a lambda.
fn find_lambda(name: &str, of: &Type, body: &Type) -> Option<Result<(Type, RunLambda)>> {
    let made: (Type, RunLambda) = match name {
        "arrayMap" => (
            Type::array(body.clone()),
            Arc::new(|values, each| {
                Ok(Value::list(rows(values)?.iter().map(|row| each(row)).collect::<Result<_>>()?))
            }),
        ),
        "arraySort" | "arrayReverseSort" => {
            let backwards = name == "arrayReverseSort";
            let run: RunLambda = Arc::new(move |values, each| {
                let mut keyed = Vec::new();
                for row in rows(values)? {
                    keyed.push((each(&row)?, row[0].clone()));
                }
                keyed.sort_by(|(a, _), (b, _)| a.order_as_key(b, backwards, false));
                Ok(Value::list(keyed.into_iter().map(|(_, item)| item).collect()))
            });
            (Type::array(of.clone()), run)
        }

        "arraySum" | "arrayAvg" | "arrayMin" | "arrayMax" => {
            let (ty, reduce) = match reducer(name, body) {
                Ok(made) => made,
                Err(problem) => return Some(Err(problem)),
            };
            let run: RunLambda = Arc::new(move |values, each| {
                let items = rows(values)?.iter().map(|row| each(row)).collect::<Result<Vec<_>>>();
                reduce(&items?)
            });
            (ty, run)
        }
        _ => with_condition(name, of)?,
    };
    Some(Ok(made))
}

/// Returns the result type and the implementation of an array function whose lambda returns a condition, such as
/// `arrayFilter`. `of` is the element type of the first array.
fn with_condition(name: &str, of: &Type) -> Option<(Type, RunLambda)> {
    Some(match name {
        "arrayFilter" => (
            Type::array(of.clone()),
            Arc::new(|values, each| {
                let mut kept = Vec::new();
                for row in rows(values)? {
                    if each(&row)?.is_true() {
                        kept.push(row[0].clone());
                    }
                }
                Ok(Value::list(kept))
            }),
        ),
        "arrayCount" => (
            UINT32,
            Arc::new(|values, each| {
                let mut count = 0;
                for row in rows(values)? {
                    count += i128::from(each(&row)?.is_true());
                }
                Ok(Value::Int(count))
            }),
        ),

        "arrayExists" => {
            (BYTE, Arc::new(|values, each| Ok(Value::bool(find(false, values, each)?.is_some()))))
        }
        "arrayAll" => (
            BYTE,
            Arc::new(|values, each| {
                for row in rows(values)? {
                    if !each(&row)?.is_true() {
                        return Ok(Value::Int(0));
                    }
                }
                Ok(Value::Int(1))
            }),
        ),

        "arrayFirst" | "arrayLast" | "arrayFirstOrNull" => {
            let (backwards, or_null) = (name == "arrayLast", name.ends_with("OrNull"));
            let other = if or_null { Value::Null } else { default(of) };
            let run: RunLambda = Arc::new(move |values, each| {
                let found = find(backwards, values, each)?;
                Ok(found.map_or_else(|| other.clone(), |at| values[0].items()[at].clone()))
            });
            (of.clone().nullable_if(or_null), run)
        }
        "arrayFirstIndex" | "arrayLastIndex" => {
            let backwards = name == "arrayLastIndex";
            let run: RunLambda = Arc::new(move |values, each| {
                Ok(find(backwards, values, each)?.map_or(Value::Int(0), |at| super::count(at + 1)))
            });
            (UINT32, run)
        }
        _ => return None,
    })
}

/// Returns the index of the first or the last row for which the condition holds.
fn find(backwards: bool, values: &[Value], each: Each<'_>) -> Result<Option<usize>> {
    let rows = rows(values)?;
    let places: Vec<usize> =
        if backwards { (0..rows.len()).rev().collect() } else { (0..rows.len()).collect() };
    for at in places {
        if each(&rows[at])?.is_true() {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

/// Creates `arrayFold(lambda, array, start)`, for example `arrayFold((sum, x) -> sum + x, array, 0)`.
fn fold(mut args: Vec<Arc<Node>>, params: usize, body: &mut Body<'_>) -> Result<Arc<Node>> {
    let fault = |message: &str| Problem::text(format!("`arrayFold`: {message}"));
    let start = args.pop().ok_or_else(|| fault("the initial value is missing"))?;

    let mut types = vec![start.ty.clone()];
    for array in &args {
        match array.ty.bare() {
            Type::Array(of) => types.push(of.full()),
            other => return Err(fault(&format!("{other} is not an array"))),
        }
    }
    if params != types.len() || args.is_empty() {
        return Err(fault("the lambda needs parameters for the accumulator and each array"));
    }

    let (body, first) = body(&types)?;
    if body.ty != start.ty {
        return Err(fault(&format!(
            "the lambda returns type {}, but the initial value has type {}",
            body.ty, start.ty
        )));
    }

    let ty = start.ty.clone();
    args.push(start);
    let run: RunLambda = Arc::new(|values, each| {
        let (start, arrays) =
            values.split_last().ok_or_else(|| Problem::text("the initial value is missing"))?;
        let mut sum = start.clone();
        for mut row in rows(arrays)? {
            row.insert(0, sum);
            sum = each(&row)?;
        }
        Ok(sum)
    });
    Node::make(Kind::Lambda { run, body, first, args }, ty, "arrayFold")
}

/// Creates `mapFilter` or `mapApply`, for example `mapFilter((k, v) -> v > 1, m)` or
/// `mapApply((k, v) -> (k, v + 1), m)`.
fn map(name: &str, args: Vec<Arc<Node>>, params: usize, body: &mut Body<'_>) -> Result<Arc<Node>> {
    let fault = |message: &str| Problem::text(format!("`{name}`: {message}"));
    let Some(Type::Map(key, value)) = args.first().map(|arg| arg.ty.bare()) else {
        return Err(fault("expected a map"));
    };
    if params != 2 || args.len() != 1 {
        return Err(fault("the lambda must have two parameters, a key and a value"));
    }

    let (body, first) = body(&[key.full(), value.full()])?;
    let is_filter = name == "mapFilter";
    let ty = match &body.ty {
        _ if is_filter => args[0].ty.clone(),
        Type::Tuple(members) if members.len() == 2 && members[0].1.is_nullable() => {
            return Err(fault("the lambda returns a Nullable key"));
        }
        Type::Tuple(members) if members.len() == 2 => {
            Type::Map(Box::new(members[0].1.clone()), Box::new(members[1].1.clone()))
        }
        _ => return Err(fault("the lambda must return a tuple of a key and a value")),
    };

    let run: RunLambda = Arc::new(move |values, each| {
        let mut pairs = Vec::new();
        for pair in values[0].items() {
            let made = each(pair.items())?;
            if !is_filter {
                pairs.push(made);
            } else if made.is_true() {
                pairs.push(pair.clone());
            }
        }
        Ok(Value::list(pairs))
    });
    Node::make(Kind::Lambda { run, body, first, args }, ty, name)
}
