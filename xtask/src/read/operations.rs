//! Operations: parameters with their bounds, answers, and what the overlay adds.

use std::collections::BTreeSet;

use serde_json::Value;

use super::extensions::{
    free_window, misplaced, paging, paging_params, patience, prefix, price, provenance, rules,
};
use super::{deprecated, module, strings, text};
use crate::fault::{Fault, Result};
use crate::model::{
    Answer, Body, Convention, Kind, Location, Operation, Paging, Param, Provenance, Rule, Type,
};
use crate::names::{unique, value_name};
use crate::origin;
use crate::report::{Change, Report};
use crate::schemas::{METHODS, escape};
use crate::types::Types;

const JSON: &str = "application~1json";

/// Every operation, by tag and then in the order of the paths.
pub fn operations(document: &Value, types: &Types, report: &mut Report) -> Vec<Operation> {
    let reader = Reader { document, types };
    let mut operations = Vec::new();
    for (path, item) in document.get("paths").and_then(Value::as_object).into_iter().flatten() {
        for method in METHODS {
            let Some(operation) = item.get(*method) else { continue };
            let place = format!("/paths/{}/{method}", escape(path));
            match reader.one(&place, path, method, operation, report) {
                Ok(operation) => operations.push(operation),
                Err(fault) => report.refuse(fault),
            }
        }
    }
    operations.sort_by(|a, b| (&a.module, &a.id).cmp(&(&b.module, &b.id)));
    operations
}

/// Components that are not written, because something else says what they hold.
#[derive(Default)]
pub(super) struct Dissolved {
    /// Envelopes of answers.
    pub envelopes: BTreeSet<String>,
    /// Bodies, whose members are parameters.
    pub bodies: BTreeSet<String>,
}

impl Dissolved {
    pub(super) fn of(document: &Value, operations: &[Operation]) -> Self {
        let enveloped: BTreeSet<&str> = operations
            .iter()
            .filter(|operation| {
                matches!(operation.answer, Answer::Rows { .. } | Answer::One { .. })
            })
            .map(|operation| operation.id.as_str())
            .collect();
        let mut dissolved = Dissolved::default();
        let items = document.get("paths").and_then(Value::as_object).into_iter().flatten();
        for operation in
            items.flat_map(|(_, item)| METHODS.iter().filter_map(|method| item.get(*method)))
        {
            let body = operation.pointer(&format!("/requestBody/content/{JSON}/schema/$ref"));
            dissolved.bodies.extend(body.and_then(name_of));
            let id = operation.get("operationId").and_then(Value::as_str).unwrap_or_default();
            let answers = operation.get("responses").and_then(Value::as_object);
            for (_, answer) in answers.into_iter().flatten().filter(|_| enveloped.contains(id)) {
                let target = answer.pointer(&format!("/content/{JSON}/schema/$ref"));
                dissolved.envelopes.extend(target.and_then(name_of));
            }
        }
        dissolved
    }
}

fn name_of(target: &Value) -> Option<String> {
    Some(target.as_str()?.rsplit('/').next()?.to_owned())
}

struct Reader<'a> {
    document: &'a Value,
    types: &'a Types,
}

impl Reader<'_> {
    fn one(
        &self,
        place: &str,
        path: &str,
        method: &str,
        operation: &Value,
        report: &mut Report,
    ) -> Result<Operation> {
        let tag =
            operation.pointer("/tags/0").and_then(Value::as_str).unwrap_or_default().to_owned();
        let at = &origin::of(operation, place);
        let (body, params) = self.params(place, at, operation, report)?;
        let params_exist = |names: &[String]| {
            names.iter().find(|name| !params.iter().any(|param| param.name == **name)).map_or(
                Ok(()),
                |name| {
                    Err(Fault::at(
                        at,
                        format!("there is no parameter `{name}`"),
                        "mend the overlay: it names parameters as they stand on the wire",
                    ))
                },
            )
        };
        let rules = rules(at, operation)?;
        for Rule::AtLeastOne(names) | Rule::ExactlyOne(names) in &rules {
            params_exist(names)?;
        }
        let paging = paging(at, operation)?;
        params_exist(&paging_params(&paging))?;
        let (success, answer) = self.answer(place, operation);
        let paging = self.fitting(paging, &answer, at, report);

        let provenance = provenance(at, operation)?;
        let note = operation.get("x-assumed").and_then(Value::as_str).map(str::to_owned);
        if provenance == Provenance::Assumed && note.is_none() {
            return Err(Fault::at(
                at,
                "an assumed operation that does not say what is assumed",
                "add `x-assumed` with one sentence in the overlay",
            )
            .settled_by("update: {x-assumed: ...}"));
        }

        let price = price(at, operation)?;
        let path = path.split('#').next().unwrap_or_default().to_owned();
        let id = text(operation, "operationId");
        let mut summary = text(operation, "summary");
        if summary.is_empty() {
            summary = first_sentence(&text(operation, "description"), &id);
        }
        Ok(Operation {
            method: method.to_uppercase(),
            misplaced: misplaced(at, operation)?,
            patience: patience(at, operation)?,
            prefix: prefix(at, &path, operation)?,
            path,
            module: module(&tag),
            tag,
            id,
            summary,
            doc: text(operation, "description"),
            params,
            body,
            rules,
            success,
            answer,
            paging,
            free_window: free_window(self.document, &price, success)?,
            price,
            provenance,
            note,
            deprecated: deprecated(operation),
            twin_of: operation.get("x-twin-of").and_then(Value::as_str).map(str::to_owned),
        })
    }

    /// Path parameters first, then the others as described; required ones become arguments in this
    /// order, unless `x-arguments` gives another.
    fn params(
        &self,
        place: &str,
        at: &str,
        operation: &Value,
        report: &mut Report,
    ) -> Result<(Body, Vec<Param>)> {
        let mut params = Vec::new();
        for (index, parameter) in
            operation.get("parameters").and_then(Value::as_array).into_iter().flatten().enumerate()
        {
            let place = format!("{place}/parameters/{index}");
            params.push(self.param(&place, parameter, report)?);
        }
        let body = self.body(place, operation, &mut params);
        for index in 0..params.len() {
            params[index].ident = free_ident(&params, index, at, report);
        }
        order(at, operation, &mut params)?;
        Ok((body, params))
    }

    fn param(&self, place: &str, parameter: &Value, report: &mut Report) -> Result<Param> {
        let at = origin::of(parameter, place);
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
        let ty = self.types.at(&format!("{place}/schema"));
        let kind = match (word, ty.bare()) {
            (Some("list" | "tickers" | "addresses"), _) => Kind::List { repeated: false },
            (Some("moment" | "date-time" | "day"), _) => Kind::Moment,
            (Some(other), _) if convention.is_none() => {
                return Err(Fault::at(
                    at,
                    format!("`x-param: {other}` is not known"),
                    "use one of those that the head of the overlay lists",
                ));
            }
            (_, ty) if parameter.get("x-json").is_some() => Kind::Json(ty.clone()),
            (_, Type::List(inner)) => {
                let items = &schema["items"];
                let bound = ["minimum", "maximum", "minLength", "maxLength"];
                if matches!(**inner, Type::Enum(_))
                    || bound.iter().any(|key| items.get(*key).is_some())
                {
                    report.note(
                        Change::Loosened,
                        "values or bounds of the parts of a list, which the service checks",
                        at.as_str(),
                    );
                }
                Kind::List {
                    repeated: location == Location::Query
                        && parameter.get("explode").is_none_or(|explode| explode == true),
                }
            }
            (_, ty) => self.scalar(schema, ty).unwrap_or(Kind::String { min: None, max: None }),
        };

        Ok(Param {
            ident: value_name(&name),
            name,
            location,
            required: parameter.get("required").is_some_and(|required| required == true),
            kind,
            default: default(schema),
            example: example(parameter).or_else(|| example(schema)),
            doc: doc.unwrap_or_else(|| text(schema, "description")),
            convention,
            refused: parameter.get("x-refused").and_then(Value::as_str).map(str::to_owned),
            deprecated: deprecated(parameter).or_else(|| deprecated(schema)),
        })
    }

    fn body(&self, place: &str, operation: &Value, params: &mut Vec<Param>) -> Body {
        let Some(body) = operation.get("requestBody") else { return Body::None };
        let schema = &body["content"]["application/json"]["schema"];
        let how = body.pointer("/x-body/how").and_then(Value::as_str).unwrap_or("json");
        let media =
            body.pointer("/x-body/media").and_then(Value::as_str).unwrap_or("application/json");
        let needed = body.get("required").is_some_and(|required| required == true);

        let record = schema.get("$ref").and_then(name_of).filter(|_| how != "whole");
        let members = record.as_ref().and_then(|name| {
            self.document.pointer(&format!("/components/schemas/{name}/properties"))?.as_object()
        });
        let Some(members) = members else {
            let form = match how {
                "form" => Some(Body::Form),
                "multipart" => Some(Body::Multipart),
                _ => None,
            };
            return form.unwrap_or_else(|| {
                let json = how == "json";
                let ty = self.types.at(&format!("{place}/requestBody/content/{JSON}/schema"));
                let text = schema.get("format").is_none();
                params.push(Param {
                    name: "body".to_owned(),
                    ident: "body".to_owned(),
                    location: Location::Body,
                    required: needed,
                    kind: match (json, text) {
                        (true, _) => Kind::Json(ty.bare().clone()),
                        (false, true) => Kind::String { min: None, max: None },
                        (false, false) => Kind::Bytes,
                    },
                    default: None,
                    example: example(schema),
                    doc: Some(text_of(body))
                        .filter(|doc| !doc.is_empty())
                        .unwrap_or_else(|| format!("The whole body (`{media}`).")),
                    convention: None,
                    refused: None,
                    deprecated: None,
                });
                Body::Whole(media.to_owned())
            });
        };

        let name = record.unwrap_or_default();
        let schema = &self.document["components"]["schemas"][&name];
        let required = strings(&schema["required"]);
        let stream = operation.get("x-stream-member");
        for (member, described) in members {
            let place = format!("/components/schemas/{name}/properties/{}", escape(member));
            let known = self.types.records.get(&name).and_then(|members| members.get(member));
            let ty = known.cloned().unwrap_or_else(|| self.types.at(&place));
            let mut kind = self.member(described, ty.bare(), how);
            if let Some(stream) = stream.filter(|stream| stream["name"] == **member) {
                if stream["sent"] != true {
                    continue;
                }
                kind = Kind::Constant(true);
            }
            params.push(Param {
                name: member.clone(),
                ident: value_name(member),
                location: Location::Body,
                required: required.contains(member) && !matches!(kind, Kind::Constant(_)),
                kind,
                default: default(described),
                example: example(described),
                doc: text(described, "description"),
                convention: convention(described.get("x-param").and_then(Value::as_str)),
                refused: described.get("x-refused").and_then(Value::as_str).map(str::to_owned),
                deprecated: deprecated(described),
            });
        }
        match how {
            "form" => Body::Form,
            "multipart" => Body::Multipart,
            _ if needed => Body::Required,
            _ => Body::Optional,
        }
    }

    fn member(&self, schema: &Value, ty: &Type, how: &str) -> Kind {
        if how != "json" {
            return match ty {
                _ if schema.get("x-file").is_some() => Kind::Bytes,
                Type::List(_) => Kind::List { repeated: true },
                ty => self.scalar(schema, ty).unwrap_or_else(|| Kind::Json(ty.clone())),
            };
        }
        match ty {
            Type::List(_) | Type::Map(_) | Type::Named(_) | Type::Union(_) | Type::Any => {
                Kind::Json(ty.clone())
            }
            ty => self.scalar(schema, ty).unwrap_or_else(|| Kind::Json(ty.clone())),
        }
    }

    fn scalar(&self, schema: &Value, ty: &Type) -> Option<Kind> {
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
                let step =
                    |flag: &str| i64::from(schema.get(flag).is_some_and(|flag| flag == true));
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
                    values = strings(&self.document["components"]["schemas"][name]["x-values"]);
                }
                Kind::Enum(name.clone(), values)
            }
            _ => return None,
        })
    }

    fn answer(&self, place: &str, operation: &Value) -> (u16, Answer) {
        let answers = operation.get("responses").and_then(Value::as_object);
        let success = answers
            .into_iter()
            .flatten()
            .find_map(|(status, answer)| Some((status.parse::<u16>().ok()?, status, answer)));
        let Some((status, key, answer)) = success.filter(|(code, ..)| (200..300).contains(code))
        else {
            return (200, Answer::Empty);
        };
        if answer.get("x-bytes").is_some() {
            return (status, Answer::Bytes);
        }
        let content = answer.get("content").and_then(Value::as_object);
        let Some(content) = content.filter(|content| !content.is_empty()) else {
            return (status, Answer::Empty);
        };
        if !content.contains_key("application/json") {
            return (status, Answer::Stream);
        }
        let ty = self.types.at(&format!("{place}/responses/{key}/content/{JSON}/schema"));
        (status, self.envelope(&ty).unwrap_or(Answer::Bare(ty)))
    }

    /// An object of `data` and `meta` and nothing else, both required.
    fn envelope(&self, ty: &Type) -> Option<Answer> {
        let Type::Named(name) = ty else { return None };
        let schema = &self.document["components"]["schemas"][name];
        let members = self.types.records.get(name)?;
        let mut required = strings(&schema["required"]);
        required.sort();
        if members.len() != 2 || required != ["data", "meta"] {
            return None;
        }
        let Type::Named(meta) = members.get("meta")? else { return None };
        let nullable = schema.pointer("/properties/data/nullable").is_some_and(|flag| flag == true);
        Some(match members.get("data")?.clone() {
            Type::List(row) => Answer::Rows { row: *row, meta: meta.clone() },
            data if nullable && !matches!(data, Type::Any | Type::Map(_)) => {
                Answer::One { data: Type::Option(Box::new(data)), meta: meta.clone() }
            }
            data => Answer::One { data, meta: meta.clone() },
        })
    }

    /// The paging, where the answer has the rows that it is about.
    fn fitting(&self, paging: Paging, answer: &Answer, at: &str, report: &mut Report) -> Paging {
        let fits = match (&paging, answer) {
            (Paging::None, _) => true,
            (Paging::PaginationKey { position, items, .. }, Answer::Bare(Type::Named(name))) => {
                let members = self.types.records.get(name);
                let member = |name: &str| members.and_then(|members| members.get(name));
                let schema = &self.document["components"]["schemas"][name];
                let needed = strings(&schema["required"]).contains(position);
                needed
                    && matches!(member(position), Some(Type::Named(_)))
                    && matches!(member(items), Some(Type::List(_)))
            }
            (Paging::PaginationKey { .. }, _) => false,
            (_, Answer::Rows { .. }) => true,
            _ => false,
        };
        if fits {
            return paging;
        }
        report.note(
            Change::Decided,
            "an operation that the overlay calls paged, but whose answer has no rows in `data`, is not",
            at,
        );
        Paging::None
    }
}

fn text_of(node: &Value) -> String {
    text(node, "description")
}

/// The first sentence of a text, or the words of the identifier.
fn first_sentence(text: &str, id: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let end = line.find(". ").unwrap_or(line.trim_end_matches('.').len());
    let sentence: String = line[..end].chars().take(120).collect();
    if sentence.is_empty() { value_name(id).replace('_', " ") } else { sentence }
}

/// A name for the argument that none before it has.
fn free_ident(params: &[Param], index: usize, at: &str, report: &mut Report) -> String {
    let param = &params[index];
    let wanted = value_name(&param.name);
    let wanted = if wanted.is_empty() { "parameter".to_owned() } else { wanted };
    let taken = |name: &str| params[..index].iter().any(|known| known.ident == name);
    let place = match param.location {
        Location::Path => "path",
        Location::Query => "query",
        Location::Header => "header",
        Location::Body => "body",
    };
    let free = if taken(&wanted) { format!("{wanted}_{place}") } else { wanted };
    let ident = unique(&free, taken);
    if ident != value_name(&param.name) {
        report.note(
            Change::Decided,
            format!("the parameter `{}` is called `{ident}`", param.name),
            at,
        );
    }
    ident
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

/// A whole number, which some descriptions write as `1.0`.
fn whole(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| {
        let number = value.as_f64()?;
        // Up to here every whole number has an exact `f64`.
        (number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0).then_some(number as i64)
    })
}

fn default(schema: &Value) -> Option<String> {
    word(schema.get("default")?)
}

/// An example that is one word or number.
fn example(node: &Value) -> Option<String> {
    let example = node.get("example").filter(|example| !example.is_array() && !example.is_object());
    word(example?).filter(|word| !word.is_empty())
}

fn word(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Null => None,
        other => Some(other.to_string()),
    }
}

fn order(at: &str, operation: &Value, params: &mut [Param]) -> Result<()> {
    let wanted = strings(&operation["x-arguments"]);
    for name in &wanted {
        if !params.iter().any(|param| param.name == *name && param.required) {
            return Err(Fault::at(
                at,
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
