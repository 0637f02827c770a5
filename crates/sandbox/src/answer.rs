//! From checked parameters to the JSON of an answer: rows, paging and `meta`.

use crypto_intel_api::generated::tables;
use crypto_intel_core::{Answer, Field, Paging, Type};
use serde_json::{Map, Value, json};

use crate::args::Args;
use crate::context::Context;
use crate::fill::{Fill, Given};
use crate::paging::{self, Page};
use crate::random::Seed;
use crate::refusal::Refusal;
use crate::series;

/// The JSON body of a successful answer; `None` for an operation that answers otherwise.
///
/// # Errors
/// Whatever the request asks for and cannot be had: 404, or 400 for a cursor of another query.
pub(crate) fn body(ctx: &Context<'_>, args: &Args) -> Result<Option<Value>, Refusal> {
    Ok(match args.operation.answer {
        Answer::Rows { row, meta } => {
            let (rows, page) = rows(ctx, args, row)?;
            Some(json!({"data": rows, "meta": self::meta(ctx, meta, &page)}))
        }
        Answer::One { data, meta } => {
            let data = one(ctx, args, data);
            Some(json!({"data": data, "meta": self::meta(ctx, meta, &Page::single())}))
        }
        Answer::Bare(ty) => Some(bare(ctx, args, ty)?),
        Answer::Stream | Answer::Empty => None,
    })
}

/// The rows of one page.
fn rows(ctx: &Context<'_>, args: &Args, row: Type) -> Result<(Vec<Value>, Page), Refusal> {
    let seed = identity(ctx, args);
    let times = series::of(ctx, args, row);
    let items = items_asked_for(args);
    let total = match (&items, &times) {
        (Some((_, items)), _) => items.len(),
        (None, Some(times)) => times.len(),
        (None, None) => usize::try_from(seed.named("total").range(30, 240)).unwrap_or(30),
    };
    let page = paging::page(ctx, args, total)?;
    let rows = page
        .rows
        .clone()
        .map(|index| {
            let seed = seed.named("row").at(index as u64);
            let time = times.as_ref().map_or(ctx.now, |times| times.at(index));
            let mut given = echo(args, row);
            if let (Some((name, items)), Some(fields)) = (&items, fields(row)) {
                let item = items.get(index).copied().unwrap_or_default();
                if let Some(field) = fields.iter().find(|field| is_one_of(name, field.name)) {
                    given.insert(field.name.to_owned(), item.into());
                }
            }
            filled(ctx, row, seed, given, time)
        })
        .collect();
    Ok((rows, page))
}

fn one(ctx: &Context<'_>, args: &Args, ty: Type) -> Value {
    filled(ctx, ty, identity(ctx, args), echo(args, ty), ctx.now)
}

/// A record that is the whole answer: its lists are pages, and it may have a `meta` or a
/// `pagination` of its own.
fn bare(ctx: &Context<'_>, args: &Args, ty: Type) -> Result<Value, Refusal> {
    let seed = identity(ctx, args);
    let mut given = echo(args, ty);
    let list = fields(ty).into_iter().flatten().find_map(|field| match field.ty {
        Type::List(row @ Type::Record(_)) => Some((field.name, *row)),
        _ => None,
    });
    let mut page = Page::single();
    if let Some((name, row)) = list {
        let (rows, rows_page) = rows(ctx, args, row)?;
        given.insert(name.to_owned(), rows.into());
        page = rows_page;
    }
    for field in fields(ty).into_iter().flatten() {
        if let (Type::Record(record), "meta" | "pagination") = (field.ty, field.name) {
            given.insert(field.name.to_owned(), meta(ctx, record, &page));
        }
    }
    Ok(filled(ctx, ty, seed, given, ctx.now))
}

fn filled(ctx: &Context<'_>, ty: Type, seed: Seed, given: Given, time: i64) -> Value {
    let fill = Fill { now: ctx.now, time };
    match ty {
        Type::Record(name) => fill.record(name, seed, given),
        Type::Map(_) | Type::Any => {
            let mut row = given;
            row.insert("id".to_owned(), seed.uuid().into());
            row.insert("value".to_owned(), fill.value(Type::Number, seed));
            Value::Object(row)
        }
        other => fill.value(other, seed),
    }
}

/// What a request is about, so that it is answered the same each time: everything it says but
/// the place in the pages.
pub(crate) fn identity(ctx: &Context<'_>, args: &Args) -> Seed {
    let mut seed = ctx.seed.named(args.operation.id);
    let paging_names = paging::names(args.operation.paging);
    for (name, value) in args.iter() {
        if !paging_names.contains(&name) {
            seed = seed.named(name).named(&value.to_string());
        }
    }
    seed
}

fn fields(ty: Type) -> Option<&'static [Field]> {
    match ty {
        Type::Record(name) => tables::record(name).map(|record| record.fields),
        _ => None,
    }
}

/// Parameters that a row has a member for: a row about `BTC` says `BTC`.
fn echo(args: &Args, ty: Type) -> Given {
    let mut given = Map::new();
    for field in fields(ty).into_iter().flatten() {
        let value = match (field.ty, args.given(field.name)) {
            (Type::String, Some(Value::String(text))) => Value::from(text.as_str()),
            (Type::String, Some(Value::Array(items))) => match items.first() {
                Some(first) => first.clone(),
                None => continue,
            },
            (Type::Integer, Some(Value::Number(number))) if number.is_i64() => {
                number.clone().into()
            }
            (Type::Enum(values), Some(Value::String(text))) if values.contains(&text.as_str()) => {
                Value::from(text.as_str())
            }
            (Type::String, None) => match args.text(field.name) {
                Some(default) => Value::from(default),
                None => continue,
            },
            _ => continue,
        };
        given.insert(field.name.to_owned(), value);
    }
    given
}

/// The things a request names one by one, where it must name some: ids, addresses.
fn items_asked_for(args: &Args) -> Option<(&'static str, Vec<&str>)> {
    use crypto_intel_core::ParamKind;
    let param = args.operation.params.iter().find(|param| {
        param.required
            && matches!(param.kind, ParamKind::List { .. })
            && matches!(param.name, "ids" | "addresses")
    })?;
    Some((param.name, args.list(param.name)))
}

/// Whether a member holds one of what the parameter lists: `ids` and `tweet_id`.
fn is_one_of(param: &str, field: &str) -> bool {
    let singular = if param == "addresses" { "address" } else { param.trim_end_matches('s') };
    field == singular || field.strip_suffix(singular).is_some_and(|head| head == "tweet_")
}

/// The record `name` that tells what the answer cost and where its page lies.
pub(crate) fn meta(ctx: &Context<'_>, name: &str, page: &Page) -> Value {
    let mut meta = Map::new();
    for field in tables::record(name).into_iter().flat_map(|record| record.fields) {
        let value: Value = match field.name {
            "credits_used" => ctx.credits_used.into(),
            "cached" => ctx.cached.into(),
            "limit" => page.limit.into(),
            "offset" => page.offset.into(),
            "count" => page.rows.len().into(),
            "has_more" => page.has_more.into(),
            "total" => match page.total {
                Some(total) => total.into(),
                None => continue,
            },
            "next_cursor" | "pagination_key" => match &page.next {
                Some(token) => token.as_str().into(),
                // The service sends an empty token as well as none.
                None if field.name == "next_cursor" => "".into(),
                None => continue,
            },
            "empty_reason" if page.is_empty() => "no_data_in_range".into(),
            "watermark" => (ctx.now - ctx.now.rem_euclid(300)).into(),
            "enriched_ratio" => 0.97.into(),
            _ => continue,
        };
        meta.insert(field.name.to_owned(), value);
    }
    Value::Object(meta)
}

/// Whether the operation's rows come in pages of which there are many.
pub(crate) fn is_paged(args: &Args) -> bool {
    args.operation.paging != Paging::None
}
