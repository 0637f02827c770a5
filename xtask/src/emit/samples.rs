//! Writes code samples: a call of each operation in Rust and with `curl`, with example arguments.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value};

use super::Homes;
use crate::model::{
    Answer, Body, Convention, Location, Model, Operation, Paging, Param, ParamKind, Record, Rule,
    Type,
};
use crate::names::value_name;

/// Characters that are percent-encoded in URL paths and queries.
const ESCAPED: &AsciiSet =
    &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b'~').remove(b',').remove(b':');

/// Returns the lines of a Rust sample that calls an operation and prints its result. The sample expects a variable
/// `client`.
pub(super) fn rust(operation: &Operation, model: &Model, homes: &Homes) -> Vec<String> {
    let call = call(operation, model, homes);
    match &operation.answer {
        Answer::Stream => stream(operation, model, homes),
        Answer::Empty => vec![format!("{call}.await?;")],

        _ if operation.paging != Paging::None => [
            &format!("let mut rows = {call}.items();"),
            "while let Some(row) = rows.try_next().await? {",
            "    println!(\"{row:?}\");",
            "}",
        ]
        .map(str::to_owned)
        .to_vec(),
        Answer::Rows { .. } => [
            &format!("let answer = {call}.await?;"),
            "for row in &answer.data {",
            "    println!(\"{row:?}\");",
            "}",
        ]
        .map(str::to_owned)
        .to_vec(),

        Answer::One { .. } => {
            vec![
                format!("let answer = {call}.await?;"),
                "println!(\"{:?}\", answer.data);".to_owned(),
            ]
        }
        Answer::Bare(_) | Answer::Bytes => {
            vec![format!("let answer = {call}.await?;"), "println!(\"{answer:?}\");".to_owned()]
        }
    }
}

/// Returns the code sample of a streaming operation. If `operation` is the streaming variant of another operation, the
/// sample calls the method `stream` of the other operation's request.
fn stream(operation: &Operation, model: &Model, homes: &Homes) -> Vec<String> {
    let whole = operation.twin_of.as_ref();
    let whole = whole.and_then(|id| model.operations.iter().find(|whole| whole.id == *id));
    let Some(whole) = whole else {
        return vec![format!("let stream = {};", call(operation, model, homes))];
    };

    let call = call(whole, model, homes);
    [
        &format!("let mut answer = {call}.stream().await?;"),
        "while let Some(text) = answer.next_text().await? {",
        "    print!(\"{text}\");",
        "}",
    ]
    .map(str::to_owned)
    .to_vec()
}

fn call(operation: &Operation, model: &Model, homes: &Homes) -> String {
    let value = |param: &Param| argument(param, operation, model, homes);
    let required: Vec<String> = arguments(operation).map(value).collect();
    let mut call = format!("client.{}({})", value_name(&operation.id), required.join(", "));
    for param in chosen(operation) {
        call.push_str(&format!(".{}({})", param.ident, value(param)));
    }
    call
}

/// Returns the required parameters of an operation, in the order of the method's arguments.
fn arguments(operation: &Operation) -> impl Iterator<Item = &Param> {
    operation
        .params
        .iter()
        .filter(|param| param.required && !matches!(param.kind, ParamKind::Constant(_)))
}

/// Returns the optional parameters that a sample must set. For each rule, such as "at least one of `id` and `symbol`",
/// chooses the parameter with the shortest example.
fn chosen(operation: &Operation) -> Vec<&Param> {
    let find = |name: &String| operation.params.iter().find(|param| param.name == *name);
    let chosen = operation.rules.iter().filter_map(|rule| {
        let (Rule::AtLeastOne(names) | Rule::ExactlyOne(names)) = rule;
        let length = |param: &&Param| param.example.as_ref().map_or(usize::MAX, String::len);
        names.iter().filter_map(find).min_by_key(length)
    });
    chosen.filter(|param| !param.required).collect()
}

/// Returns Rust code for a parameter's example value in a code sample, such as `"BTC"` or
/// `crypto_intel::UnixSeconds(1700000000)`.
fn argument(param: &Param, operation: &Operation, model: &Model, homes: &Homes) -> String {
    let text = text(param);
    let quoted = format!("{text:?}");
    match &param.kind {
        ParamKind::Integer { .. } => match param.convention {
            Some(Convention::UnixSeconds) => format!("crypto_intel::UnixSeconds({text})"),
            Some(Convention::UnixMillis) => format!("crypto_intel::UnixMillis({text})"),
            _ => text,
        },
        ParamKind::Number { .. } => {
            text.parse::<f64>().map_or(text, |number| format!("{number:?}"))
        }
        ParamKind::Boolean | ParamKind::Constant(_) => text,
        ParamKind::Json(ty) => {
            let example = parsed_example(param).unwrap_or(Value::String(text));
            json(ty, &example, operation, model, homes)
        }
        ParamKind::Bytes => format!("{quoted}.to_owned()"),
        _ => quoted,
    }
}

/// Parses the example of a parameter as JSON. Returns `None` unless it is a JSON array or object.
fn parsed_example(param: &Param) -> Option<Value> {
    let example = serde_json::from_str::<Value>(param.example.as_ref()?).ok()?;
    (example.is_array() || example.is_object()).then_some(example)
}

fn json(ty: &Type, example: &Value, operation: &Operation, model: &Model, homes: &Homes) -> String {
    let quoted = format!("{:?}", example.as_str().unwrap_or_default());
    match ty.bare() {
        Type::List(inner) => match inner.bare() {
            Type::String => quoted,
            inner => {
                let first = example.get(0).unwrap_or(&Value::Null);
                format!("[{}]", json(inner, first, operation, model, homes))
            }
        },
        Type::Named(name) => match model.records.get(name) {
            Some(record) => constructor(record, example, operation, homes),
            None => quoted,
        },
        Type::Map(_) => "Default::default()".to_owned(),
        _ => quoted,
    }
}

/// Returns Rust code that creates a record. The required fields get their values from `example`. If there are no
/// required fields, or if one of their example values is not a string, the code calls `default`.
fn constructor(record: &Record, example: &Value, operation: &Operation, homes: &Homes) -> String {
    let home = homes.of_name(&record.name).unwrap_or(&operation.module);
    let ty = format!("crypto_intel::{home}::{}", record.name);
    let required = record.fields.iter().filter(|field| field.required);
    let texts: Option<Vec<String>> =
        required.map(|field| Some(format!("{:?}", example.get(&field.name)?.as_str()?))).collect();

    match texts.filter(|texts| !texts.is_empty()) {
        Some(texts) => format!("{ty}::new({})", texts.join(", ")),
        None => format!("{ty}::default()"),
    }
}

/// Returns an example value of a parameter as text. The value is the documented example if the example fits the
/// parameter. Without a fitting example, the function returns a valid value such as the minimum, or the parameter's
/// name in capital letters.
pub(super) fn text(param: &Param) -> String {
    let named = param.example.clone().or_else(|| in_words(&param.doc));

    match &param.kind {
        ParamKind::Enum(_, values) => {
            let named = named.filter(|named| values.contains(named));
            named.or_else(|| values.first().cloned()).unwrap_or_default()
        }

        ParamKind::Integer { min, max } => {
            let fits = |number: &i64| {
                min.is_none_or(|min| *number >= min) && max.is_none_or(|max| *number <= max)
            };
            let named = named.and_then(|named| named.parse().ok()).filter(fits);
            let usual = match param.convention {
                // The timestamp of 2026-01-01T00:00:00Z.
                Some(Convention::UnixSeconds) => 1_767_225_600,
                Some(Convention::UnixMillis) => 1_767_225_600_000,
                _ => min.unwrap_or(1),
            };
            named.unwrap_or(usual).to_string()
        }
        ParamKind::Number { min, .. } => {
            let named = named.and_then(|named| named.parse::<f64>().ok());
            named.or(*min).unwrap_or(1.0).to_string()
        }

        ParamKind::Boolean => "true".to_owned(),
        ParamKind::Constant(flag) => flag.to_string(),
        ParamKind::Moment => named.unwrap_or_else(|| "2026-01-01".to_owned()),
        _ => named.unwrap_or_else(|| value_name(&param.name).to_uppercase()),
    }
}

/// Extracts the example value from a documentation text, such as `BTC` from "for example `BTC`".
fn in_words(doc: &str) -> Option<String> {
    let (_, rest) = doc.split_once("for example `").or_else(|| doc.split_once("such as `"))?;
    let (value, _) = rest.split_once('`')?;
    let plain = !value.is_empty() && !value.contains(char::is_whitespace);
    plain.then(|| value.to_owned())
}

/// Formats a `curl` command that sends an example request of the operation.
pub(super) fn curl(operation: &Operation) -> String {
    let mut path = operation.path.clone();
    let (mut query, mut headers, mut body) = (Vec::new(), Vec::new(), Map::new());
    let sent = operation.params.iter().filter(|param| matches!(param.kind, ParamKind::Constant(_)));
    for param in arguments(operation).chain(chosen(operation)).chain(sent) {
        let text = text(param);
        let escaped = utf8_percent_encode(&text, ESCAPED).to_string();
        match param.location {
            Location::Path => path = path.replace(&format!("{{{}}}", param.name), &escaped),
            Location::Query => query.push(format!("{}={escaped}", param.name)),
            Location::Header => headers.push(format!("{}: {text}", param.name)),
            Location::Body => {
                body.insert(param.name.clone(), in_body(param, text));
            }
        }
    }

    let mut words = vec!["curl".to_owned()];
    if operation.method != "GET" {
        words.push(format!("-X {}", operation.method));
    }
    words.push("-H \"Authorization: Bearer $API_KEY\"".to_owned());
    words.extend(headers.iter().map(|header| format!("-H \"{header}\"")));

    match &operation.body {
        Body::None => {}
        Body::Form | Body::Multipart => {
            let flag = if operation.body == Body::Form { "--data-urlencode" } else { "-F" };
            words.extend(body.iter().map(|(name, value)| {
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                format!("{flag} {}", quoted(&format!("{name}={value}")))
            }));
        }
        Body::Whole(media) => {
            words.push(format!("-H \"Content-Type: {media}\" --data-binary @BODY"));
        }
        Body::Optional | Body::Required => {
            words.push("-H \"Content-Type: application/json\"".to_owned());
            words.push(format!("-d {}", quoted(&Value::Object(body).to_string())));
        }
    }

    let query = if query.is_empty() { String::new() } else { format!("?{}", query.join("&")) };
    words.push(format!("\"$BASE_URL{path}{query}\""));
    words.join(" \\\n  ")
}

fn in_body(param: &Param, text: String) -> Value {
    match &param.kind {
        ParamKind::Integer { .. }
        | ParamKind::Number { .. }
        | ParamKind::Boolean
        | ParamKind::Constant(_) => serde_json::from_str(&text).unwrap_or(Value::String(text)),
        ParamKind::Json(ty) => parsed_example(param).unwrap_or_else(|| match ty.bare() {
            Type::List(inner) if matches!(inner.bare(), Type::String) => {
                Value::Array(vec![Value::String(text)])
            }
            Type::List(_) => Value::Array(vec![Value::Object(Map::new())]),
            Type::Named(_) | Type::Map(_) => Value::Object(Map::new()),
            _ => Value::String(text),
        }),
        _ => Value::String(text),
    }
}

/// Quotes an argument for a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
