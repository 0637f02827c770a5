//! JSON functions, which read values from JSON text or write values as JSON text.

mod extract;
mod tree;
mod write;

use super::{Built, FunctionCall, Made, count};
use crate::problem::{Problem, Result};
use crate::types::{BYTE, INT64, Type, UINT64};
use crate::value::Value;
use extract::{extract, extract_or_default};
use tree::Json;

pub(super) fn make(given: &FunctionCall<'_>) -> Made {
    let reads_json = given.name.starts_with("JSON") || given.name == "isValidJSON";
    let is_low_nullable = |ty: &Type| matches!(ty, Type::LowCardinality(_)) && ty.is_nullable();
    if reads_json && given.nodes.first().is_some_and(|node| is_low_nullable(&node.ty)) {
        return Some(Err(given.fault("the JSON text must not be LowCardinality(Nullable)")));
    }

    Some(match given.name {
        "JSONExtractString" => of_type(given, Type::String),
        "JSONExtractInt" => of_number(given, INT64),
        "JSONExtractUInt" => of_number(given, UINT64),
        "JSONExtractFloat" => of_number(given, Type::Float64),
        "JSONExtractBool" => at_path(given, BYTE, |json| match json {
            Some(Json::Bool(truth)) => Value::bool(*truth),
            Some(Json::Int(number)) => Value::bool(*number != 0),
            _ => Value::Int(0),
        }),
        "JSONExtractRaw" => at_path(given, Type::String, |json| {
            Value::text(json.map(Json::text).unwrap_or_default())
        }),
        "JSONExtract" => typed(given),

        "JSONHas" | "isValidJSON" => at_path(given, BYTE, |json| Value::bool(json.is_some())),
        "JSONLength" => at_path(given, UINT64, |json| count(json.map_or(0, Json::len))),
        "JSONArrayLength" => at_path(given, UINT64.nullable(), |json| match json {
            Some(Json::Array(items)) => count(items.len()),
            _ => Value::Null,
        }),
        "JSONKey" => key(given),

        "JSONExtractKeysAndValues" => keys_and_values(given),
        "JSONExtractKeys" => list(given, Type::String, |json| match json {
            Json::Object(members) => members.iter().map(|(key, _)| Value::text(key)).collect(),
            _ => Vec::new(),
        }),
        "JSONExtractArrayRaw" => list(given, Type::String, |json| match json {
            Json::Array(items) => items.iter().map(|json| Value::text(json.text())).collect(),
            _ => Vec::new(),
        }),
        "JSONExtractKeysAndValuesRaw" => list(given, pair_type(Type::String), |json| {
            pairs(json, |json| Ok(Some(Value::text(json.text())))).unwrap_or_default()
        }),

        "JSONType" => Err(given.fault("the result type Enum is not supported")),
        "toJSONString" => to_json(given),
        _ => return None,
    })
}

/// Returns the JSON value at a path. Each step of the path is an object key or an index.
fn find<'a>(document: Option<&'a Json>, steps: &[Value]) -> Option<&'a Json> {
    steps.iter().try_fold(document?, |json, step| json.inside(step))
}

/// Creates a SQL function that finds a JSON value by its path. The first argument of the SQL function is JSON text. The
/// other arguments are the steps of the path. The closure `of` converts the found JSON value to the result of the SQL
/// function. If no value was found, `of` receives `None`.
fn at_path(
    given: &FunctionCall<'_>,
    ty: Type,
    of: impl Fn(Option<&Json>) -> Value + Send + Sync + 'static,
) -> Result<Built> {
    try_at_path(given, ty, move |json| Ok(of(json)))
}

/// Creates a SQL function like [`at_path`]. The closure `of` can return an error.
fn try_at_path(
    given: &FunctionCall<'_>,
    ty: Type,
    of: impl Fn(Option<&Json>) -> Result<Value> + Send + Sync + 'static,
) -> Result<Built> {
    given.takes(1..=10)?;
    given.is(0, "String", |ty| *ty == Type::String)?;
    for at in 1..given.count() {
        given.is(at, "a key or an index", |ty| {
            *ty == Type::String || ty.is_int() && !ty.is_wide()
        })?;
    }
    Built::new(ty, move |v| {
        let document = Json::read(v[0].bytes())?;
        of(find(document.as_ref(), &v[1..]))
    })
}

fn to_json(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(1..=1)?;
    let from = given.types[0].clone();
    Built::new(Type::String, move |v| {
        let mut out = String::new();
        write::write(&v[0], &from, &mut out);
        // ClickHouse keeps bytes that are not UTF-8. Here, they became U+FFFD.
        if out.contains(char::REPLACEMENT_CHARACTER) {
            return Err(Problem::text("`toJSONString` supports only valid UTF-8"));
        }
        Ok(Value::text(out))
    })
}

fn of_type(given: &FunctionCall<'_>, ty: Type) -> Result<Built> {
    try_at_path(given, ty.clone(), move |json| extract_or_default(json, &ty))
}

/// Creates a function that returns the number at a path, such as `JSONExtractInt`. `true` and `false` do not count as
/// numbers.
fn of_number(given: &FunctionCall<'_>, ty: Type) -> Result<Built> {
    try_at_path(given, ty.clone(), move |json| {
        extract_or_default(json.filter(|json| !matches!(json, Json::Bool(_))), &ty)
    })
}

/// Removes the last argument of a call, which is the name of a type. Returns the shorter call and the type.
fn with_type<'a>(given: &FunctionCall<'a>) -> Result<(FunctionCall<'a>, Type)> {
    given.takes(2..=10)?;
    let last = given.count() - 1;
    if matches!(given.nodes[last].ty, Type::LowCardinality(_)) {
        return Err(
            given.fault("the argument with the type name must be a String, not a LowCardinality")
        );
    }
    let ty = Type::read(&given.constant_text(last)?)?;
    extract::can(&ty)?;
    let types = given.types[..last].to_vec();
    Ok((FunctionCall { name: given.name, types, nodes: &given.nodes[..last], now: given.now }, ty))
}

/// Returns an error if an argument is Nullable. Only functions whose result cannot be NULL use this check, for example
/// because the result is a list. The literal NULL is accepted: the engine returns NULL without running the function.
fn not_nullable(given: &FunctionCall<'_>) -> Result<()> {
    let has_null = given.nodes.iter().any(|node| node.ty.is_null());
    if !has_null && given.nodes.iter().any(|node| node.ty.is_nullable()) {
        return Err(given.fault("no argument may be Nullable, because the result cannot be NULL"));
    }
    Ok(())
}

fn typed(given: &FunctionCall<'_>) -> Result<Built> {
    let (without, ty) = with_type(given)?;
    if matches!(ty, Type::Array(_) | Type::Map(..) | Type::Tuple(_) | Type::LowCardinality(_)) {
        not_nullable(given)?;
    }
    let steps = without.count();
    let checked = at_path(&without, ty.clone(), |_| Value::Null)?;
    Built::new(checked.ty, move |v| {
        let document = Json::read(v[0].bytes())?;
        extract_or_default(find(document.as_ref(), &v[1..steps]), &ty)
    })
}

fn pair_type(ty: Type) -> Type {
    Type::tuple(vec![Type::String, ty])
}

/// Returns the keys and values of a JSON object as pairs. `of` converts the values. Values that cannot be converted are
/// omitted.
fn pairs(json: &Json, of: impl Fn(&Json) -> Result<Option<Value>>) -> Result<Vec<Value>> {
    let Json::Object(members) = json else { return Ok(Vec::new()) };
    let pair = |(key, json): &(String, Json)| {
        let value = of(json).transpose()?;
        Some(value.map(|value| Value::list(vec![Value::text(key), value])))
    };
    members.iter().filter_map(pair).collect()
}

fn keys_and_values(given: &FunctionCall<'_>) -> Result<Built> {
    let (without, ty) = with_type(given)?;
    not_nullable(given)?;
    at_path(&without, Type::Nothing, |_| Value::Null)?;
    let steps = without.count();
    Built::new(Type::array(pair_type(ty.clone())), move |v| {
        let document = Json::read(v[0].bytes())?;
        let found = find(document.as_ref(), &v[1..steps]);
        let pairs = found.map(|json| pairs(json, |json| extract(json, &ty))).transpose()?;
        Ok(Value::list(pairs.unwrap_or_default()))
    })
}

fn list(given: &FunctionCall<'_>, ty: Type, of: fn(&Json) -> Vec<Value>) -> Result<Built> {
    not_nullable(given)?;
    at_path(given, Type::array(ty), move |json| Value::list(json.map(of).unwrap_or_default()))
}

/// Creates `JSONKey(text, path.., index)`, which returns a key of the object at the path.
fn key(given: &FunctionCall<'_>) -> Result<Built> {
    given.takes(2..=10)?;
    given.is(0, "String", |ty| *ty == Type::String)?;
    given.is_int(given.count() - 1)?;
    let last = given.count() - 1;
    Built::new(Type::String, move |v| {
        let document = Json::read(v[0].bytes())?;
        let key = match find(document.as_ref(), &v[1..last]) {
            Some(json @ Json::Object(members)) => {
                json.find_index(&v[last]).map(|at| members[at].0.clone())
            }
            _ => None,
        };
        Ok(Value::text(key.unwrap_or_default()))
    })
}
