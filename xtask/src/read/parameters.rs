//! Reads the parameters of an operation from the path, query, headers and request body.

use serde_json::Value;

use super::inlined_components::name_of;
use super::reader::{JSON, Reader};
use super::{deprecated, strings, text};
use crate::fault::{Fault, Result};
use crate::model::{Body, Convention, Location, Param, ParamKind, Type};
use crate::names::{unique, value_name};
use crate::origin;
use crate::report::{Change, Report};
use crate::schemas::escape;

impl Reader<'_> {
    /// Reads the parameters of an operation in the order of the Rust arguments: first the parameters in `x-arguments`,
    /// next the path parameters, and last all others in the order of the document.
    pub(super) fn params(
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
        name_nulls(&mut params);
        order(at, operation, &mut params)?;
        Ok((body, params))
    }

    /// Reads a path, query or header parameter. If `x-param` is `list`, `tickers`, `addresses`, `moment`, `date-time`
    /// or `day`, `x-param` determines the parameter's kind. Otherwise, the parameter's schema determines the kind.
    fn param(&self, place: &str, parameter: &Value, report: &mut Report) -> Result<Param> {
        let at = origin::location(parameter, place);
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
            (Some("list" | "tickers" | "addresses"), _) => ParamKind::List { repeated: false },
            (Some("moment" | "date-time" | "day"), _) => ParamKind::Moment,
            (Some(other), _) if convention.is_none() => {
                return Err(Fault::at(
                    format!("{at}/x-param"),
                    format!("the format `x-param: {other}` does not exist"),
                    "use a value of `x-param` that the comment at the top of spec/overlay.yaml lists",
                ));
            }

            (_, ty) if parameter.get("x-json").is_some() => ParamKind::Json(ty.clone()),
            (_, Type::List(inner)) => {
                let items = &schema["items"];
                let bound = ["minimum", "maximum", "minLength", "maxLength"];
                if matches!(**inner, Type::Enum(_))
                    || bound.iter().any(|key| items.get(*key).is_some())
                {
                    report.note(
                        Change::Loosened,
                        "the client does not check the values or bounds of list items",
                        at.as_str(),
                    );
                }
                ParamKind::List {
                    repeated: location == Location::Query
                        && parameter.get("explode").is_none_or(|explode| explode == true),
                }
            }
            (_, ty) => {
                self.scalar(schema, ty).unwrap_or(ParamKind::String { min: None, max: None })
            }
        };

        Ok(Param {
            ident: value_name(&name),
            name,
            location,
            required: parameter.get("required").is_some_and(|required| required == true),
            null: None,
            kind,
            default: default(schema),
            example: example(parameter).or_else(|| example(schema)),
            doc: doc.unwrap_or_else(|| text(schema, "description")),
            convention,
            refused: parameter.get("x-refused").and_then(Value::as_str).map(str::to_owned),
            deprecated: deprecated(parameter).or_else(|| deprecated(schema)),
        })
    }

    /// Reads the request body and appends its parameters to `params`. The fields of a JSON object or form become
    /// parameters. Any other body becomes one parameter.
    fn body(&self, place: &str, operation: &Value, params: &mut Vec<Param>) -> Body {
        let Some(body) = operation.get("requestBody") else { return Body::None };
        let schema = &body["content"]["application/json"]["schema"];
        let how = body.pointer("/x-body/how").and_then(Value::as_str).unwrap_or("json");
        let needed = body.get("required").is_some_and(|required| required == true);

        let record = schema.get("$ref").and_then(name_of).filter(|_| how != "whole");
        let members = record.as_ref().and_then(|name| {
            self.document.pointer(&format!("/components/schemas/{name}/properties"))?.as_object()
        });
        let Some(members) = members else {
            match how {
                "form" => return Body::Form,
                "multipart" => return Body::Multipart,
                _ => {}
            }
            let media = body.pointer("/x-body/media").and_then(Value::as_str);
            let media = media.unwrap_or("application/json");
            params.push(self.whole_body(place, body, how, media, needed));
            return Body::Whole(media.to_owned());
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
                kind = ParamKind::Constant(true);
            }

            params.push(Param {
                name: member.clone(),
                ident: value_name(member),
                location: Location::Body,
                required: required.contains(member) && !matches!(kind, ParamKind::Constant(_)),
                null: (how == "json" && described["nullable"] == true).then(String::new),
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

    /// Returns the parameter `body` for a request body that is sent as one value, such as a JSON array or a text.
    fn whole_body(&self, place: &str, body: &Value, how: &str, media: &str, needed: bool) -> Param {
        let schema = &body["content"]["application/json"]["schema"];
        let ty = self.types.at(&format!("{place}/requestBody/content/{JSON}/schema"));
        let kind = match (how, schema.get("format")) {
            ("json", _) => ParamKind::Json(ty.bare().clone()),
            (_, None) => ParamKind::String { min: None, max: None },
            (_, Some(_)) => ParamKind::Bytes,
        };
        let doc = Some(text(body, "description")).filter(|doc| !doc.is_empty());

        Param {
            name: "body".to_owned(),
            ident: "body".to_owned(),
            location: Location::Body,
            required: needed,
            null: None,
            kind,
            default: None,
            example: example(schema),
            doc: doc.unwrap_or_else(|| format!("The whole body (`{media}`).")),
            convention: None,
            refused: None,
            deprecated: None,
        }
    }

    fn member(&self, schema: &Value, ty: &Type, how: &str) -> ParamKind {
        if how != "json" {
            return match ty {
                _ if schema.get("x-file").is_some() => ParamKind::Bytes,
                Type::List(_) => ParamKind::List { repeated: true },
                ty => self.scalar(schema, ty).unwrap_or_else(|| ParamKind::Json(ty.clone())),
            };
        }
        match ty {
            Type::List(_) | Type::Map(_) | Type::Named(_) | Type::Union(_) | Type::Any => {
                ParamKind::Json(ty.clone())
            }
            ty => self.scalar(schema, ty).unwrap_or_else(|| ParamKind::Json(ty.clone())),
        }
    }

    fn scalar(&self, schema: &Value, ty: &Type) -> Option<ParamKind> {
        let integer = |name: &str| schema.get(name).and_then(integer);
        let number = |name: &str| schema.get(name).and_then(Value::as_f64);
        Some(match ty {
            Type::String => ParamKind::String {
                min: schema.get("minLength").and_then(Value::as_u64),
                max: schema.get("maxLength").and_then(Value::as_u64),
            },

            // An exclusive bound of an integer is converted to the next inclusive bound. An exclusive bound of a
            // decimal number is read as inclusive, so only the service rejects the bound itself.
            Type::Integer | Type::Wide => {
                let step =
                    |flag: &str| i64::from(schema.get(flag).is_some_and(|flag| flag == true));
                ParamKind::Integer {
                    min: integer("minimum").map(|min| min.saturating_add(step("exclusiveMinimum"))),
                    max: integer("maximum").map(|max| max.saturating_sub(step("exclusiveMaximum"))),
                }
            }
            Type::Number | Type::Exact => {
                ParamKind::Number { min: number("minimum"), max: number("maximum") }
            }

            Type::Boolean => ParamKind::Boolean,
            Type::Enum(name) => {
                let mut values = strings(&schema["x-values"]);
                if values.is_empty() {
                    values = strings(&self.document["components"]["schemas"][name]["x-values"]);
                }
                ParamKind::Enum(name.clone(), values)
            }
            _ => return None,
        })
    }
}

/// Names of the methods that every request has. A generated setter must not have one of these names.
const REQUEST_METHODS: &[&str] = &["extra_param", "into_call", "with_options"];

/// Returns the Rust name of a parameter, such as `limit`. If an earlier parameter or a method in [`REQUEST_METHODS`]
/// has this name, appends the parameter's location, as in `limit_query`. If the longer name is also taken, appends a
/// number.
fn free_ident(params: &[Param], index: usize, at: &str, report: &mut Report) -> String {
    let param = &params[index];
    let wanted = value_name(&param.name);
    let wanted = if wanted.is_empty() { "parameter".to_owned() } else { wanted };
    let taken = |name: &str| {
        REQUEST_METHODS.contains(&name) || params[..index].iter().any(|known| known.ident == name)
    };
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

/// Sets the names of the setters that send `null`. For example, the setter for `limit` is `limit_null`.
fn name_nulls(params: &mut [Param]) {
    for index in 0..params.len() {
        if params[index].null.is_none() {
            continue;
        }
        let wanted = format!("{}_null", params[index].ident);
        let name = unique(&wanted, |name| {
            params.iter().any(|param| param.ident == name || param.null.as_deref() == Some(name))
        });
        params[index].null = Some(name);
    }
}

/// Returns the text format for a value of `x-param`. For example, `tickers` means that the parameter contains tickers.
/// Returns `None` for values that do not name a text format, such as `list`.
fn convention(word: Option<&str>) -> Option<Convention> {
    Some(match word? {
        "ticker" | "tickers" => Convention::Ticker,
        "address" | "addresses" => Convention::Address,
        "date-time" => Convention::DateTime,
        "day" => Convention::Day,
        "unix-seconds" => Convention::UnixSeconds,
        "unix-millis" => Convention::UnixMillis,
        "handle" => Convention::Handle,
        "uuid" => Convention::Uuid,
        _ => return None,
    })
}

/// Returns a JSON number as an integer. Some OpenAPI documents write integers as `1.0`.
fn integer(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| {
        let number = value.as_f64()?;
        // Below this limit, an `f64` represents every integer exactly.
        (number.fract() == 0.0 && number.abs() < 9_007_199_254_740_992.0).then_some(number as i64)
    })
}

fn default(schema: &Value) -> Option<String> {
    word(schema.get("default")?)
}

/// Returns the field `example` as text. A list of strings is joined with commas, and any other value is formatted as
/// JSON.
fn example(node: &Value) -> Option<String> {
    let example = node.get("example")?;
    let words = example.as_array().map(|items| items.iter().map(Value::as_str).collect());
    let example = match words {
        Some(Some::<Vec<&str>>(words)) => words.join(","),
        _ => word(example)?,
    };
    Some(example).filter(|example| !example.is_empty())
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
                format!("{at}/x-arguments"),
                format!("the operation has no required parameter `{name}`"),
                "correct `x-arguments` in the overlay",
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
