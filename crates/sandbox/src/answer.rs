//! From checked parameters to the JSON of an answer: rows, paging and `meta`.

use crypto_intel_api::generated::tables;
use crypto_intel_core::{Answer, Field, Type};
use serde_json::{Map, Value, json};

use crate::context::Context;
use crate::memo::Memo;
use crate::paging::{self, Page};
use crate::refusal::Refusal;
use crypto_intel_world::args::Args;
use crypto_intel_world::fill::Given;
use crypto_intel_world::listing::Wishes;
use crypto_intel_world::{self as world, Data, Row};

/// An answer, apart from what it says of its cost and of further pages: that differs from call to
/// call.
#[derive(Debug)]
pub(crate) struct Composed<T> {
    members: Vec<(&'static str, Member<T>)>,
    page: Page,
}

#[derive(Debug)]
enum Member<T> {
    Fixed(T),
    /// Made anew each time, of the record with this name.
    Meta(&'static str),
}

/// An answer, all but what differs written out.
pub(crate) type Written = Composed<String>;

impl Composed<Value> {
    /// The answer as a document.
    pub(crate) fn document(self, ctx: &Context<'_>, args: &Args) -> Value {
        let members = self.members.into_iter().map(|(name, member)| {
            let value = match member {
                Member::Fixed(value) => value,
                Member::Meta(record) => meta(ctx, record, &self.page, self.page.token(ctx, args)),
            };
            (name.to_owned(), value)
        });
        Value::Object(members.collect())
    }

    fn written(self) -> Composed<String> {
        let written = |member| match member {
            Member::Fixed(value) => Member::Fixed(Value::to_string(&value)),
            Member::Meta(record) => Member::Meta(record),
        };
        let members = self.members.into_iter().map(|(name, member)| (name, written(member)));
        Composed { members: members.collect(), page: self.page }
    }
}

impl Composed<String> {
    /// Bytes it takes, roughly.
    fn size(&self) -> usize {
        let size = |member: &Member<String>| match member {
            Member::Fixed(text) => text.len(),
            Member::Meta(_) => 0,
        };
        self.members.iter().map(|(name, member)| name.len() + size(member)).sum()
    }

    /// The answer as JSON.
    fn text(&self, ctx: &Context<'_>, args: &Args) -> String {
        let mut text = String::with_capacity(self.size() + 512);
        for (name, member) in &self.members {
            text.push(if text.is_empty() { '{' } else { ',' });
            text.push('"');
            text.push_str(name);
            text.push_str("\":");
            match member {
                Member::Fixed(value) => text.push_str(value),
                Member::Meta(record) => {
                    let token = self.page.token(ctx, args);
                    text.push_str(&meta(ctx, record, &self.page, token).to_string());
                }
            }
        }
        text.push_str(if text.is_empty() { "{}" } else { "}" });
        text
    }
}

/// The JSON of a successful answer; `None` for an operation that answers otherwise. What was asked
/// for in the same second already is not computed again.
///
/// # Errors
/// Whatever the request asks for and cannot be had: 404, or 400 for a cursor of another query.
pub(crate) fn text(
    memo: &Memo<Written>,
    ctx: &Context<'_>,
    args: &Args,
) -> Result<Option<String>, Refusal> {
    if matches!(args.operation.answer, Answer::Stream | Answer::Bytes | Answer::Empty) {
        return Ok(None);
    }
    let mut request = ctx.seed.named(args.operation.id);
    if !ctx.scenes.is_none() {
        request = request.named(&format!("{:?}", ctx.scenes));
    }
    for (name, value) in args.iter() {
        request = request.named(name).named(&value.to_string());
    }
    let written = memo.take(request, ctx.now, || {
        let written = compose(ctx, args)?.written();
        let size = written.size();
        Ok::<_, Refusal>((written, size))
    })?;
    Ok(Some(written.text(ctx, args)))
}

/// The answer to a request that is answered with a document.
///
/// # Errors
/// As for [`text`].
pub(crate) fn compose(ctx: &Context<'_>, args: &Args) -> Result<Composed<Value>, Refusal> {
    let enveloped = |data: Value, meta, page| Composed {
        members: vec![("data", Member::Fixed(data)), ("meta", Member::Meta(meta))],
        page,
    };
    Ok(match args.operation.answer {
        Answer::Rows { row, meta } => {
            let (rows, page) = rows(ctx, args, row)?;
            enveloped(rows.into(), meta, page)
        }
        Answer::One { data, meta } => enveloped(one(ctx, args, data)?, meta, Page::single()),
        Answer::Bare(ty) => bare(ctx, args, ty)?,
        Answer::Stream | Answer::Bytes | Answer::Empty => {
            Composed { members: Vec::new(), page: Page::single() }
        }
    })
}

/// The rows of one page: filtered, sorted, cut, and only then filled in.
fn rows(ctx: &Context<'_>, args: &Args, row: Type) -> Result<(Vec<Value>, Page), Refusal> {
    let rows = match world::data(ctx, args)? {
        Data::Rows(rows) => rows,
        Data::One(row) => vec![row],
    };
    page_of(ctx, args, row, rows)
}

fn page_of(
    ctx: &Context<'_>,
    args: &Args,
    ty: Type,
    mut rows: Vec<Row>,
) -> Result<(Vec<Value>, Page), Refusal> {
    let wishes = Wishes::of(ctx, args, ty);
    if !wishes.are_decided_by(&rows) {
        for row in &mut rows {
            if let Value::Object(members) = row.clone().filled(ctx, ty) {
                row.given = members;
            }
        }
    }
    wishes.apply(&mut rows);
    let page = paging::page(ctx, args, &rows)?;
    let shown = rows.drain(page.rows.clone()).map(|row| row.filled(ctx, ty)).collect();
    Ok((shown, page))
}

fn one(ctx: &Context<'_>, args: &Args, ty: Type) -> Result<Value, Refusal> {
    let mut row = match world::data(ctx, args)? {
        Data::One(row) => row,
        Data::Rows(rows) => {
            let first = rows.into_iter().next();
            first.ok_or_else(|| Refusal::not_found("there is no such thing"))?
        }
    };

    for (name, value) in echo(args, ty) {
        row.given.entry(name).or_insert(value);
    }

    Ok(row.filled(ctx, ty))
}

/// A record that is the whole answer: its lists are pages, and it may have a `meta` or a
/// `pagination` of its own.
fn bare(ctx: &Context<'_>, args: &Args, ty: Type) -> Result<Composed<Value>, Refusal> {
    let list = fields(ty).into_iter().flatten().find_map(|field| match field.ty {
        Type::List(row @ Type::Record(_)) => Some((field.name, *row)),
        _ => None,
    });

    let mut page = Page::single();
    let mut whole = Row::new(paging::identity(ctx, args), ctx.now, Value::Null);
    match (world::data(ctx, args)?, list) {
        (Data::One(row), _) => whole = row,
        (Data::Rows(rows), Some((name, row))) => {
            let (rows, rows_page) = page_of(ctx, args, row, rows)?;
            whole.given.insert(name.to_owned(), rows.into());
            page = rows_page;
        }
        (Data::Rows(_), None) => {}
    }

    for (name, value) in echo(args, ty) {
        whole.given.entry(name).or_insert(value);
    }

    // A place is kept for what differs from call to call, so that it is not made up by type.
    let meta_of = |field: &Field| match (field.ty, field.name) {
        (Type::Record(record), "meta" | "pagination") => Some(record),
        _ => None,
    };
    for field in fields(ty).into_iter().flatten().filter(|field| meta_of(field).is_some()) {
        whole.given.insert(field.name.to_owned(), json!({}));
    }

    let Value::Object(mut document) = whole.filled(ctx, ty) else {
        return Ok(Composed { members: Vec::new(), page });
    };
    let members = fields(ty).into_iter().flatten().filter_map(|field| {
        let value = document.remove(field.name)?;
        Some((field.name, meta_of(field).map_or(Member::Fixed(value), Member::Meta)))
    });
    Ok(Composed { members: members.collect(), page })
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

/// The record `name` that tells what the answer cost and where its page lies.
pub(crate) fn meta(ctx: &Context<'_>, name: &str, page: &Page, token: Option<String>) -> Value {
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
            "next_cursor" | "pagination_key" => match &token {
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
