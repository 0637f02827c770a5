//! Operations: parameters with their bounds, answers, and what the overlay adds.

use serde_json::Value;

use super::{needed, strings, text, type_of};
use crate::fault::{Fault, Result};
use crate::model::{
    Answer, Body, Convention, Kind, Location, Operation, Paging, Param, Price, Provenance, Rule,
    Type,
};
use crate::names::value_name;
use crate::passes::streaming::TWIN_PATH;
use crate::schemas::{METHODS, escape};

/// Every operation, by tag and then in the order of the paths.
pub fn operations(document: &Value) -> Result<Vec<Operation>> {
    let mut operations = Vec::new();
    for (path, item) in document.get("paths").and_then(Value::as_object).into_iter().flatten() {
        for method in METHODS {
            if let Some(operation) = item.get(*method) {
                let place = format!("/paths/{}/{method}", escape(path));
                operations.push(one(document, &place, path, method, operation)?);
            }
        }
    }
    operations.sort_by(|a, b| (&a.module, &a.id).cmp(&(&b.module, &b.id)));
    Ok(operations)
}

fn one(
    document: &Value,
    place: &str,
    path: &str,
    method: &str,
    operation: &Value,
) -> Result<Operation> {
    let tag = operation.pointer("/tags/0").and_then(Value::as_str).unwrap_or_default().to_owned();
    let (body, params) = params(document, place, operation)?;
    let params_exist = |names: &[String]| {
        names.iter().find(|name| !params.iter().any(|param| param.name == **name)).map_or(
            Ok(()),
            |name| {
                Err(Fault::at(
                    place,
                    format!("there is no parameter `{name}`"),
                    "mend the overlay: it names parameters as they stand on the wire",
                ))
            },
        )
    };
    let rules = rules(place, operation)?;
    for Rule::AtLeastOne(names) | Rule::ExactlyOne(names) in &rules {
        params_exist(names)?;
    }
    let paging = paging(place, operation)?;
    params_exist(&paging_params(&paging))?;
    let (success, answer) = answer(document, operation);
    let provenance = provenance(place, operation)?;
    let note = operation.get("x-assumed").and_then(Value::as_str).map(str::to_owned);
    if provenance == Provenance::Assumed && note.is_none() {
        return Err(Fault::at(
            place,
            "an assumed operation that does not say what is assumed",
            "add `x-assumed` with one sentence in the overlay",
        ));
    }
    let deprecated = match operation.get("x-deprecated").and_then(Value::as_str) {
        Some(reason) => Some(reason.to_owned()),
        None if operation.get("deprecated").is_some_and(|flag| flag == true) => {
            Some("the service no longer recommends it".to_owned())
        }
        None => None,
    };
    let path = path.trim_end_matches(TWIN_PATH).to_owned();
    let price = price(place, operation)?;
    Ok(Operation {
        id: text(operation, "operationId"),
        method: method.to_uppercase(),
        misplaced: misplaced(place, operation)?,
        patience: patience(place, operation)?,
        prefix: prefix(place, &path, operation)?,
        path,
        module: value_name(&tag),
        tag,
        summary: text(operation, "summary"),
        doc: text(operation, "description"),
        params,
        body,
        rules,
        success,
        answer,
        paging,
        free_window: free_window(document, &price, success)?,
        price,
        provenance,
        note,
        deprecated,
        twin_of: operation.get("x-twin-of").and_then(Value::as_str).map(str::to_owned),
    })
}

/// Path parameters first, then the others as described; required ones become arguments in this
/// order, unless `x-arguments` gives another.
fn params(document: &Value, place: &str, operation: &Value) -> Result<(Body, Vec<Param>)> {
    let mut params = Vec::new();
    for (index, parameter) in
        operation.get("parameters").and_then(Value::as_array).into_iter().flatten().enumerate()
    {
        let place = format!("{place}/parameters/{index}");
        let schema = &parameter["schema"];
        let name = text(parameter, "name");
        let doc = Some(text(parameter, "description")).filter(|doc| !doc.is_empty());
        let location = match parameter.get("in").and_then(Value::as_str) {
            Some("path") => Location::Path,
            Some("header") => Location::Header,
            _ => Location::Query,
        };
        let word = parameter.get("x-param").and_then(Value::as_str);
        let convention = convention(word);
        let kind = match (word, type_of(document, schema)) {
            (Some("list" | "tickers" | "addresses"), _) => Kind::List { repeated: false },
            (Some("moment" | "date-time" | "day"), _) => Kind::Moment,
            (Some(other), _) if convention.is_none() => {
                return Err(Fault::at(
                    place,
                    format!("`x-param: {other}` is not known"),
                    "use one of those that the head of the overlay lists",
                ));
            }
            (_, Type::List(_)) => Kind::List {
                repeated: location == Location::Query
                    && parameter.get("explode").is_none_or(|explode| explode == true),
            },
            (_, ty) => scalar(document, schema, &ty).ok_or_else(|| {
                Fault::at(
                    &place,
                    format!("`{name}` is not a plain value"),
                    "parameters are texts, numbers, flags or lists; change it in the overlay",
                )
            })?,
        };
        params.push(Param {
            ident: value_name(&name),
            name,
            location,
            required: parameter.get("required").is_some_and(|required| required == true),
            kind,
            default: default(schema),
            doc: doc.unwrap_or_else(|| text(schema, "description")),
            convention,
            refused: parameter.get("x-refused").and_then(Value::as_str).map(str::to_owned),
        });
    }
    let body = body(document, operation, &mut params);
    order(place, operation, &mut params)?;
    Ok((body, params))
}

/// What a word of `x-param` says of the text of a parameter; `None` too for a word that says
/// something else.
fn convention(word: Option<&str>) -> Option<Convention> {
    Some(match word? {
        "ticker" | "tickers" => Convention::Ticker,
        "address" | "addresses" => Convention::Address,
        "date-time" => Convention::DateTime,
        "day" => Convention::Day,
        "unix-seconds" => Convention::UnixSeconds,
        "unix-millis" => Convention::UnixMillis,
        _ => return None,
    })
}

fn body(document: &Value, operation: &Value, params: &mut Vec<Param>) -> Body {
    let Some(body) = operation.get("requestBody") else { return Body::None };
    let schema = &body["content"]["application/json"]["schema"];
    let schema = match schema.get("$ref").and_then(Value::as_str) {
        Some(target) => document.pointer(target.trim_start_matches('#')).unwrap_or(schema),
        None => schema,
    };
    let required = strings(&schema["required"]);
    let stream = operation.get("x-stream-member");
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        let mut kind = match type_of(document, member) {
            ty @ (Type::List(_) | Type::Map(_) | Type::Named(_) | Type::Any) => Kind::Json(ty),
            ty => scalar(document, member, &ty).unwrap_or(Kind::Json(ty)),
        };
        if let Some(stream) = stream.filter(|stream| stream["name"] == **name) {
            if stream["sent"] != true {
                continue;
            }
            kind = Kind::Constant(true);
        }
        params.push(Param {
            name: name.clone(),
            ident: value_name(name),
            location: Location::Body,
            required: required.contains(name) && !matches!(kind, Kind::Constant(_)),
            kind,
            default: default(member),
            doc: text(member, "description"),
            convention: convention(member.get("x-param").and_then(Value::as_str)),
            refused: member.get("x-refused").and_then(Value::as_str).map(str::to_owned),
        });
    }
    let optional = body.get("required").is_none_or(|required| required == false);
    if optional { Body::Optional } else { Body::Required }
}

fn scalar(document: &Value, schema: &Value, ty: &Type) -> Option<Kind> {
    let integer = |name: &str| schema.get(name).and_then(whole);
    let number = |name: &str| schema.get(name).and_then(Value::as_f64);
    Some(match ty {
        Type::String => Kind::String {
            min: schema.get("minLength").and_then(Value::as_u64),
            max: schema.get("maxLength").and_then(Value::as_u64),
        },
        // An exclusive bound of a whole number is the inclusive one next to it; of a decimal
        // number it is left to the service.
        Type::Integer => {
            let step = |flag: &str| i64::from(schema.get(flag).is_some_and(|flag| flag == true));
            Kind::Integer {
                min: integer("minimum").map(|min| min.saturating_add(step("exclusiveMinimum"))),
                max: integer("maximum").map(|max| max.saturating_sub(step("exclusiveMaximum"))),
            }
        }
        Type::Number => Kind::Number { min: number("minimum"), max: number("maximum") },
        Type::Boolean => Kind::Boolean,
        Type::Enum(name) => {
            let mut values = strings(&schema["x-values"]);
            if values.is_empty() {
                values = strings(&document["components"]["schemas"][name]["x-values"]);
            }
            Kind::Enum(name.clone(), values)
        }
        _ => return None,
    })
}

/// A whole number, which some descriptions write as `1.0`.
fn whole(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| {
        let number = value.as_f64()?;
        // Up to here every whole number has an exact `f64`.
        (number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0).then_some(number as i64)
    })
}

fn default(schema: &Value) -> Option<String> {
    match schema.get("default")? {
        Value::String(text) => Some(text.clone()),
        Value::Null => None,
        other => Some(other.to_string()),
    }
}

fn order(place: &str, operation: &Value, params: &mut [Param]) -> Result<()> {
    let wanted = strings(&operation["x-arguments"]);
    for name in &wanted {
        if !params.iter().any(|param| param.name == *name && param.required) {
            return Err(Fault::at(
                place,
                format!("there is no required parameter `{name}`"),
                "mend `x-arguments` in the overlay",
            ));
        }
    }
    let rank = |param: &Param| {
        let chosen = wanted.iter().position(|name| *name == param.name);
        (chosen.is_none(), chosen, param.location != Location::Path)
    };
    params.sort_by_key(rank);
    Ok(())
}

fn answer(document: &Value, operation: &Value) -> (u16, Answer) {
    let answers = operation.get("responses").and_then(Value::as_object);
    let success = answers
        .into_iter()
        .flatten()
        .find_map(|(status, answer)| Some((status.parse::<u16>().ok()?, answer)));
    let Some((status, answer)) = success.filter(|(status, _)| (200..300).contains(status)) else {
        return (200, Answer::Empty);
    };
    let content = answer.get("content").and_then(Value::as_object);
    let Some(content) = content.filter(|content| !content.is_empty()) else {
        return (status, Answer::Empty);
    };
    let Some(media) = content.get("application/json") else { return (status, Answer::Stream) };
    let ty = type_of(document, &media["schema"]);
    (status, envelope(document, &ty).unwrap_or(Answer::Bare(ty)))
}

/// An object of `data` and `meta` and nothing else, both required.
fn envelope(document: &Value, ty: &Type) -> Option<Answer> {
    let Type::Named(name) = ty else { return None };
    let schema = &document["components"]["schemas"][name];
    let properties = schema.get("properties")?.as_object()?;
    let mut required = strings(&schema["required"]);
    required.sort();
    if properties.len() != 2 || required != ["data", "meta"] {
        return None;
    }
    let Type::Named(meta) = type_of(document, properties.get("meta")?) else { return None };
    Some(match type_of(document, properties.get("data")?) {
        Type::List(row) => Answer::Rows { row: *row, meta },
        data => Answer::One { data, meta },
    })
}

fn paging(place: &str, operation: &Value) -> Result<Paging> {
    let Some(paging) = operation.get("x-paging") else { return Ok(Paging::None) };
    let place = format!("{place}/x-paging");
    let member = |name: &str| needed(&place, paging, name);
    let ends_by_token = match text(paging, "end").as_str() {
        "" | "has-more" => false,
        "token" => true,
        other => {
            return Err(Fault::at(
                format!("{place}/end"),
                format!("`{other}` does not end a list"),
                "write token where only a missing token does, and nothing otherwise",
            ));
        }
    };

    Ok(match text(paging, "kind").as_str() {
        "none" => Paging::None,
        "offset" => Paging::Offset { limit: member("limit")?, offset: member("offset")? },
        "cursor" => {
            Paging::Cursor { limit: member("limit")?, cursor: member("cursor")?, ends_by_token }
        }
        "keyset" => Paging::Keyset {
            limit: member("limit")?,
            cursor: member("cursor")?,
            keys: paging["keys"]
                .as_object()
                .into_iter()
                .flatten()
                .filter_map(|(param, member)| Some((param.clone(), member.as_str()?.to_owned())))
                .collect(),
            ends_by_token,
        },
        "pagination-key" => Paging::PaginationKey {
            limit: member("limit")?,
            key: member("key")?,
            position: member("position")?,
            items: member("items")?,
        },
        other => {
            return Err(Fault::at(
                place,
                format!("`{other}` is not a kind of paging"),
                "use none, offset, cursor, keyset or pagination-key",
            ));
        }
    })
}

fn paging_params(paging: &Paging) -> Vec<String> {
    match paging {
        Paging::None => Vec::new(),
        Paging::Offset { limit, offset } => vec![limit.clone(), offset.clone()],
        Paging::Cursor { limit, cursor, .. } => vec![limit.clone(), cursor.clone()],
        Paging::Keyset { limit, cursor, keys, .. } => [limit.clone(), cursor.clone()]
            .into_iter()
            .chain(keys.iter().map(|(param, _)| param.clone()))
            .collect(),
        Paging::PaginationKey { limit, key, .. } => vec![limit.clone(), key.clone()],
    }
}

fn price(place: &str, operation: &Value) -> Result<Price> {
    let place = format!("{place}/x-credits");
    let fault = || {
        Fault::at(
            &place,
            "this is not a price",
            "write a number of credits, `unknown`, or a table by model",
        )
    };
    let credits =
        |value: &Value| value.as_u64().and_then(|n| u32::try_from(n).ok()).ok_or_else(fault);
    match operation.get("x-credits") {
        None => Ok(Price::Unknown),
        Some(Value::String(word)) if word == "unknown" => Ok(Price::Unknown),
        Some(value @ Value::Number(_)) => Ok(match credits(value)? {
            0 => Price::Free,
            number => Price::Credits(number),
        }),
        Some(Value::Array(lines)) => lines
            .iter()
            .map(|line| {
                let model = needed(&place, line, "model")?;
                let effort = line.get("effort").and_then(Value::as_str).map(str::to_owned);
                Ok((model, effort, credits(&line["credits"])?))
            })
            .collect::<Result<Vec<_>>>()
            .map(Price::ByModel),
        Some(_) => Err(fault()),
    }
}

fn rules(place: &str, operation: &Value) -> Result<Vec<Rule>> {
    let mut rules = Vec::new();
    for rule in operation.get("x-identifiers").and_then(Value::as_array).into_iter().flatten() {
        rules.push(match (rule.get("at-least-one"), rule.get("exactly-one")) {
            (Some(names), None) => Rule::AtLeastOne(strings(names)),
            (None, Some(names)) => Rule::ExactlyOne(strings(names)),
            _ => {
                return Err(Fault::at(
                    format!("{place}/x-identifiers"),
                    "this is not a rule",
                    "write `at-least-one: [..]` or `exactly-one: [..]`",
                ));
            }
        });
    }
    Ok(rules)
}

fn misplaced(place: &str, operation: &Value) -> Result<Vec<(String, String)>> {
    let place = format!("{place}/x-misplaced");
    let Some(value) = operation.get("x-misplaced") else { return Ok(Vec::new()) };
    let fault = || {
        Fault::at(
            &place,
            "this is not a list of misplaced parameters",
            "write `{name: what to do instead}`",
        )
    };
    value
        .as_object()
        .ok_or_else(fault)?
        .iter()
        .map(|(name, instead)| Ok((name.clone(), instead.as_str().ok_or_else(fault)?.to_owned())))
        .collect()
}

fn patience(place: &str, operation: &Value) -> Result<Option<u32>> {
    let Some(value) = operation.get("x-patience") else { return Ok(None) };
    match value.as_u64().and_then(|seconds| u32::try_from(seconds).ok()) {
        Some(seconds) => Ok(Some(seconds)),
        None => Err(Fault::at(
            format!("{place}/x-patience"),
            format!("`{value}` is not a number of seconds"),
            "write a whole number",
        )),
    }
}

/// Seconds in which a repeat of an operation costs nothing: of one price, and answered at once.
fn free_window(document: &Value, price: &Price, success: u16) -> Result<Option<u32>> {
    let Some(value) = document.get("x-free-window") else { return Ok(None) };
    let seconds = value.as_u64().and_then(|seconds| u32::try_from(seconds).ok());
    let Some(seconds) = seconds else {
        return Err(Fault::at(
            "/x-free-window",
            format!("`{value}` is not a number of seconds"),
            "write a whole number",
        ));
    };
    let has_one = matches!(price, Price::Credits(_)) && success == 200;
    Ok(has_one.then_some(seconds))
}

fn prefix(place: &str, path: &str, operation: &Value) -> Result<Option<String>> {
    let Some(value) = operation.get("x-prefix") else { return Ok(None) };
    match value.as_str().filter(|prefix| path.starts_with(&format!("{prefix}/"))) {
        Some(prefix) => Ok(Some(prefix.to_owned())),
        None => Err(Fault::at(
            format!("{place}/x-prefix"),
            format!("`{path}` does not begin with {value} and a slash"),
            "name whole segments of the path, without the slash after them",
        )),
    }
}

fn provenance(place: &str, operation: &Value) -> Result<Provenance> {
    match operation.get("x-provenance").and_then(Value::as_str) {
        None | Some("published description") => Ok(Provenance::PublishedDescription),
        Some("interface text") => Ok(Provenance::InterfaceText),
        Some("assumed") => Ok(Provenance::Assumed),
        Some(other) => Err(Fault::at(
            format!("{place}/x-provenance"),
            format!("`{other}` is not a provenance"),
            "use interface text, published description or assumed",
        )),
    }
}
