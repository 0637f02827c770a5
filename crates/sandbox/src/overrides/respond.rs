//! Builds the JSON of a response from one step of an override. An override replaces generated responses. Each of its
//! steps determines the responses to one or more calls.
//!
//! The inputs are the request, the generated response and the content of the step. The output is the JSON of the new
//! response.

use crypto_intel_api::generated::tables;
use crypto_intel_core::{Answer, Type};
use crypto_intel_world::Row;
use crypto_intel_world::args::Args;
use serde_json::{Value, json};

use crate::answer::{self, meta};
use crate::context::Context;
use crate::paging::{self, Gaps, Page};
use crate::refusal::Refusal;

pub(super) use crate::answer::metas;

/// Returns true if `data` is a whole response, which is a JSON object with `data` and `meta`.
pub(super) fn is_whole(data: &Value) -> bool {
    data.get("data").is_some() && data.get("meta").is_some()
}

/// Finds the first list of records among the fields of a record type. Returns the name of this list field, and the type
/// of the records in the list.
pub(super) fn list_of(ty: Type) -> Option<(&'static str, &'static Type)> {
    let Type::Record(name) = ty else { return None };
    tables::record(name)?.fields.iter().find_map(|field| match field.ty {
        Type::List(row @ Type::Record(_)) => Some((field.name, row)),
        _ => None,
    })
}

/// Returns true if the overriding value `part` applies to the rows in a list field of a record, and false if `part`
/// applies to the record itself. `part` applies to the rows if it is an array, or an object with a field that the
/// record type `ty` lacks.
pub(super) fn is_for_rows(ty: Type, part: &Value) -> bool {
    let Type::Record(name) = ty else { return false };
    let fields = tables::record(name).map_or(&[][..], |record| record.fields);
    let is_known = |name: &String| fields.iter().any(|field| field.name == name);
    part.is_array() || part.as_object().is_some_and(|part| !part.keys().all(is_known))
}

/// Returns a whole response that contains `data`, the data of an override. The response of some operations, such as
/// `market-price`, is a record that contains a list of rows. For these operations, `data` can be the rows of this list.
/// The other fields of the record are then generated.
///
/// # Errors
/// Returns status 400 if the request contains an invalid cursor or a cursor of another query. Also returns errors that
/// occur while the other fields are generated.
pub(crate) fn full_response(ctx: &Context<'_>, args: &Args, data: Value) -> Result<Value, Refusal> {
    match args.operation.answer {
        Answer::Rows { .. } | Answer::One { .. } if is_whole(&data) => Ok(data),
        Answer::Rows { meta: record, .. } => {
            let (rows, page) = page_of(ctx, args, data)?;
            let meta = meta(ctx, record, &page, page.token(ctx, args));
            Ok(json!({"$schema": answer::schema_uri(args.operation), "data": rows, "meta": meta}))
        }
        Answer::One { meta: record, .. } => {
            let meta = meta(ctx, record, &Page::single(), None);
            Ok(json!({"$schema": answer::schema_uri(args.operation), "data": data, "meta": meta}))
        }

        Answer::Bare(ty) => match list_of(ty) {
            Some((name, _)) if data.is_array() => {
                let mut whole = around_a_list(ctx, args, ty, name)?;
                let (rows, page) = page_of(ctx, args, data)?;
                whole[name] = rows.into();
                for (name, record) in metas(ty) {
                    whole[name] = meta(ctx, record, &page, page.token(ctx, args));
                }
                Ok(whole)
            }
            _ => {
                let mut whole = data;
                for (name, record) in metas(ty) {
                    if whole.get(name).is_none() {
                        whole[name] = meta(ctx, record, &Page::single(), None);
                    }
                }
                Ok(whole)
            }
        },
        // Such overrides were rejected when they were added.
        Answer::Stream | Answer::Bytes | Answer::Empty => Ok(Value::Null),
    }
}

/// Generates the response of an operation for an override that contains a list of rows. The caller replaces three
/// fields of the response: `meta`, `pagination`, and the field with the name `list`. If the generation fails and the
/// record `ty` requires no other fields, returns an empty JSON object.
///
/// # Errors
/// Returns the error of the generation if the record requires other fields, or if `ty` is not a record.
fn around_a_list(ctx: &Context<'_>, args: &Args, ty: Type, list: &str) -> Result<Value, Refusal> {
    let invented = answer::compose(ctx, args).map(|found| found.document(ctx, args));
    let Type::Record(name) = ty else { return invented };
    let fields = tables::record(name).map_or(&[][..], |record| record.fields);
    let is_added = |name: &str| name == list || metas(ty).any(|(meta, _)| meta == name);
    let needs_others = fields.iter().any(|field| field.required && !is_added(field.name));
    match invented {
        Err(_) if !needs_others => Ok(json!({})),
        invented => invented,
    }
}

/// Selects the rows of the requested page from `data`, which contains the rows of all pages. Returns the selected rows,
/// and the offset and limit of the page.
fn page_of(ctx: &Context<'_>, args: &Args, data: Value) -> Result<(Vec<Value>, Page), Refusal> {
    let mut rows = match data {
        Value::Array(rows) => rows,
        Value::Null => Vec::new(),
        one => vec![one],
    };
    let known: Vec<_> = rows.iter().map(|row| Row::new(ctx.seed, ctx.now, row.clone())).collect();
    let page = paging::page(ctx, args, &known, Gaps::None)?;
    rows.truncate(page.rows.end);
    rows.drain(..page.rows.start);
    Ok((rows, page))
}

/// Replaces fields of a generated response by the fields of `part`. Returns a warning if `part` has fields for more
/// rows than the response contains.
pub(crate) fn lay_over(args: &Args, response: &mut Value, part: &Value) -> Option<String> {
    let place = match args.operation.answer {
        Answer::Rows { .. } | Answer::One { .. } => Some("data"),
        Answer::Bare(ty) if is_for_rows(ty, part) => list_of(ty).map(|(name, _)| name),
        _ => None,
    };
    let target = match place {
        Some(name) => response.get_mut(name)?,
        None => response,
    };

    match (target, part) {
        (Value::Array(rows), Value::Array(parts)) => {
            rows.iter_mut().zip(parts).for_each(|(row, part)| merge(row, part));
            let (rows, parts) = (rows.len(), parts.len());
            (parts > rows).then(|| {
                format!("the override has {parts} partial rows, but the response has {rows} rows")
            })
        }
        (Value::Array(rows), part) => {
            rows.iter_mut().for_each(|row| merge(row, part));
            rows.is_empty()
                .then(|| "the response has no rows that the override could change".to_owned())
        }
        (target, part) => {
            merge(target, part);
            None
        }
    }
}

fn merge(value: &mut Value, part: &Value) {
    match (value, part) {
        (Value::Object(fields), Value::Object(parts)) => {
            for (name, part) in parts {
                merge(fields.entry(name).or_insert(Value::Null), part);
            }
        }
        (value, part) => *value = part.clone(),
    }
}
