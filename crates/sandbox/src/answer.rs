//! Builds the JSON of a response from validated arguments. For a list, the JSON contains one page of rows, and usually
//! an object such as `meta` with the position of the page.

use bytes::Bytes;
use crypto_intel_api::generated::tables;
use crypto_intel_core::{Answer, Field, Operation, Type};
use serde_json::{Value as Document, json};

use crate::context::Context;
use crate::memo::Memo;
use crate::paging::{self, Gaps, Page};
use crate::refusal::Refusal;
use crypto_intel_world::args::Args;
use crypto_intel_world::missing_fields::Given;
use crypto_intel_world::missing_fields::sink::{Container, Sink, Text};
use crypto_intel_world::row_filters::RowFilters;
use crypto_intel_world::value::Value;
use crypto_intel_world::{self as world, Data, Row};

/// Data of a response, without the fields that differ between equal calls, such as the credits used.
#[derive(Debug)]
pub(crate) struct ResponseData {
    data: Shown,
    page: Page,
}

/// Field values of a response, before it is written as JSON. The rows can lack fields. The sandbox generates the
/// missing values later.
#[derive(Debug)]
enum Shown {
    /// A response whose field `data` is a list of rows. This variant contains the type of the rows, the rows, and the
    /// record type of the field `meta`.
    Rows(Type, Vec<Row>, &'static str),
    One(Type, Row, &'static str),
    /// A record that is the whole JSON body of the response, without the fields `data` and `meta` around it. This
    /// variant contains three values:
    ///
    /// - The type of the record.
    /// - The record, with empty objects for `meta` and `pagination`.
    /// - A list field with the rows of one page, which is added to the record later. `None` if the record already
    ///   contains its rows, or has no rows.
    Whole(Type, Row, Option<List>),
    Nothing,
}

/// A list field of a record: the name of the field, and the type and values of its rows.
#[derive(Debug)]
struct List {
    name: &'static str,
    row: Type,
    rows: Vec<Row>,
}

impl List {
    fn value(self, ctx: &Context<'_>) -> Value {
        self.rows.into_iter().map(|shown| shown.value(ctx, self.row)).collect()
    }
}

impl ResponseData {
    /// Returns the complete response as a JSON value.
    pub(crate) fn document(self, ctx: &Context<'_>, args: &Args) -> Document {
        let meta_of = |page: &Page, record| meta(ctx, record, page, page.token(ctx, args));
        let schema = schema_uri(args.operation);
        let enveloped =
            |data: Document, meta: Document| json!({"$schema": schema, "data": data, "meta": meta});
        match self.data {
            Shown::Rows(ty, rows, record) => {
                let rows = rows.into_iter().map(|row| row.filled(ctx, ty)).collect();
                enveloped(rows, meta_of(&self.page, record))
            }
            Shown::One(ty, row, record) => {
                enveloped(row.filled(ctx, ty), meta_of(&self.page, record))
            }
            Shown::Whole(ty, mut row, list) => {
                if let Some(list) = list {
                    row.given.insert(list.name, list.value(ctx));
                }
                let mut whole = row.filled(ctx, ty);
                for (name, record) in metas(ty) {
                    whole[name] = meta_of(&self.page, record);
                }
                whole
            }
            Shown::Nothing => json!({}),
        }
    }

    /// Returns the JSON text of the response without its `meta` and `pagination` objects. [`Written::pieces`] inserts
    /// these objects.
    fn written(self, ctx: &Context<'_>, operation: &Operation) -> Written {
        let mut text = Text::new();
        let mut places = Vec::new();

        match self.data {
            Shown::Rows(ty, rows, record) => {
                begin_envelope(operation, &mut text);
                text.open(Container::List);
                rows.into_iter().for_each(|row| row.write(ctx, ty, &mut text));
                text.close(Container::List);
                places.push((end_envelope(&mut text), record));
            }
            Shown::One(ty, row, record) => {
                begin_envelope(operation, &mut text);
                row.write(ctx, ty, &mut text);
                places.push((end_envelope(&mut text), record));
            }
            Shown::Whole(ty, mut row, list) => {
                if let Some(list) = &list {
                    row.given.insert(list.name, Vec::<Value>::new());
                }

                let holes = metas(ty).collect();
                let mut whole =
                    Holes { ctx, text, depth: 0, holes, places, list, is_at_list: false };
                row.write(ctx, ty, &mut whole);
                (text, places) = (whole.text, whole.places);
            }
            Shown::Nothing => {
                text.open(Container::Record);
                text.close(Container::Record);
            }
        }

        Written { text: text.done().into(), places, page: self.page }
    }
}

/// Writes the start of a response with a `data` field, up to the name of this field.
fn begin_envelope(operation: &Operation, text: &mut Text) {
    text.open(Container::Record);
    text.name("$schema");
    text.leaf(schema_uri(operation).into());
    text.name("data");
}

/// Writes the end of a response with a `data` field. Returns the byte position at which the `meta` object is inserted.
fn end_envelope(text: &mut Text) -> usize {
    text.name("meta");
    let place = text.len();
    text.close(Container::Record);
    place
}

/// Writer of a record as JSON text, without the `meta` and `pagination` objects. These objects are inserted later, at
/// the positions that the writer stores.
#[derive(Debug)]
struct Holes<'a> {
    ctx: &'a Context<'a>,
    text: Text,
    /// Number of open JSON objects and arrays.
    depth: usize,
    /// Fields that the writer leaves out. Each entry is the name of the field and the record type of the field's value,
    /// for example (`pagination`, `V2CursorPagination`).
    holes: Vec<(&'static str, &'static str)>,
    places: Vec<(usize, &'static str)>,
    /// Name and rows of the record's list field. The record itself contains an empty list in this field. When the
    /// record is written, the rows replace the empty list.
    list: Option<List>,
    /// True if the last written field name is the name of the list field. The writer then adds the rows of `list` to
    /// the next JSON array.
    is_at_list: bool,
}

impl Sink for Holes<'_> {
    fn leaf(&mut self, value: Value) {
        let last = self.places.last().map(|(at, _)| *at);
        if self.depth == 1 && last == Some(self.text.len()) {
            self.text.skip();
        } else {
            self.text.leaf(value);
        }
    }

    fn open(&mut self, kind: Container) {
        self.depth += 1;
        self.text.open(kind);
        if std::mem::take(&mut self.is_at_list)
            && let Some(List { row, rows, .. }) = self.list.take()
        {
            rows.into_iter().for_each(|shown| shown.write(self.ctx, row, &mut self.text));
        }
    }

    fn name(&mut self, name: &str) {
        self.text.name(name);
        self.is_at_list =
            self.depth == 1 && self.list.as_ref().is_some_and(|list| list.name == name);
        if self.depth == 1
            && let Some((_, record)) = self.holes.iter().find(|(hole, _)| *hole == name)
        {
            self.places.push((self.text.len(), record));
        }
    }

    fn close(&mut self, kind: Container) {
        self.depth -= 1;
        self.text.close(kind);
    }
}

/// JSON text of a response without its `meta` and `pagination` objects, which differ between equal calls.
#[derive(Debug)]
pub(crate) struct Written {
    text: Bytes,
    /// Byte positions at which a `meta` or `pagination` object is inserted into the text, each with the name of its
    /// record type.
    places: Vec<(usize, &'static str)>,
    page: Page,
}

impl Written {
    /// Returns the JSON text of the complete response as a list of consecutive pieces.
    fn pieces(&self, ctx: &Context<'_>, args: &Args) -> Vec<Bytes> {
        let mut pieces = Vec::with_capacity(2 * self.places.len() + 1);
        let mut done = 0;
        for (place, record) in &self.places {
            pieces.push(self.text.slice(done..*place));
            let token = self.page.token(ctx, args);
            pieces.push(meta(ctx, record, &self.page, token).to_string().into());
            done = *place;
        }
        pieces.push(self.text.slice(done..));
        pieces
    }
}

/// Returns the JSON text of a successful response as a list of consecutive pieces. Returns `None` for an operation
/// whose response is not JSON. Equal requests within one second reuse the cached text.
///
/// # Errors
/// Returns status 400 for a cursor of another query. Also returns the errors of the code that generates the data, such
/// as status 404 if the data do not exist.
pub(crate) fn pieces(
    memo: &Memo<Written>,
    ctx: &Context<'_>,
    args: &Args,
) -> Result<Option<Vec<Bytes>>, Refusal> {
    if matches!(args.operation.answer, Answer::Stream | Answer::Bytes | Answer::Empty) {
        return Ok(None);
    }
    let mut request = ctx.seed.named(args.operation.id);
    if !ctx.scenario.is_none() {
        request = request.named(&format!("{:?}", ctx.scenario));
    }
    for (name, value) in args.iter() {
        request = request.named(name).named(&value.to_string());
    }
    let written = memo.take(request, ctx.now, || {
        let written = compose(ctx, args)?.written(ctx, args.operation);
        let size = written.text.len();
        Ok::<_, Refusal>((written, size))
    })?;
    Ok(Some(written.pieces(ctx, args)))
}

/// Generates the response of an operation that returns JSON.
///
/// # Errors
/// Returns the same errors as the function [`pieces`].
pub(crate) fn compose(ctx: &Context<'_>, args: &Args) -> Result<ResponseData, Refusal> {
    let (data, page) = match args.operation.answer {
        Answer::Rows { row, meta } => {
            let rows = match world::data(ctx, args)? {
                Data::Rows(rows) => rows,
                Data::One(row) => vec![row],
            };
            let (rows, page) = page_of(ctx, args, row, rows)?;
            (Shown::Rows(row, rows, meta), page)
        }
        Answer::One { data, meta } => {
            (Shown::One(data, single_record(ctx, args, data)?, meta), Page::single())
        }
        Answer::Bare(ty) => bare(ctx, args, ty)?,
        Answer::Stream | Answer::Bytes | Answer::Empty => (Shown::Nothing, Page::single()),
    };
    Ok(ResponseData { data, page })
}

/// Filters and sorts `rows`. Returns the rows of the requested page, and the offset and limit of the page.
fn page_of(
    ctx: &Context<'_>,
    args: &Args,
    ty: Type,
    mut rows: Vec<Row>,
) -> Result<(Vec<Row>, Page), Refusal> {
    if !world::has_domain(args.operation) {
        // Rows of this operation are generated from types only, and no filter would match them.
        rows.iter_mut().for_each(|row| echo(args, ty, &mut row.given));
    } else {
        let wishes = RowFilters::new(ctx, args, ty);
        wishes.decide(ctx, ty, &mut rows);
        wishes.apply(&mut rows);
    }
    let page = paging::page(ctx, args, &rows, Gaps::Some)?;
    rows.truncate(page.rows.end);
    rows.drain(..page.rows.start);
    Ok((rows, page))
}

fn single_record(ctx: &Context<'_>, args: &Args, ty: Type) -> Result<Row, Refusal> {
    let mut row = match world::data(ctx, args)? {
        Data::One(row) => row,
        Data::Rows(rows) => {
            let first = rows.into_iter().next().map(Row::whole);
            first.ok_or_else(|| Refusal::not_found("the requested data do not exist"))?
        }
    };

    echo(args, ty, &mut row.given);

    Ok(row)
}

/// Generates a response whose whole JSON body is one record, without the fields `data` and `meta` around the record.
/// The first list of records in this record contains one page of rows. The record can also contain a `meta` or a
/// `pagination` object.
fn bare(ctx: &Context<'_>, args: &Args, ty: Type) -> Result<(Shown, Page), Refusal> {
    let list = fields(ty).into_iter().flatten().find_map(|field| match field.ty {
        Type::List(row @ Type::Record(_)) => Some((field.name, *row)),
        _ => None,
    });

    let (mut page, mut list_of_rows) = (Page::single(), None);
    let mut whole = Row::new(paging::identity(ctx, args), ctx.now, Value::Null);
    match (world::data(ctx, args)?, list) {
        (Data::One(row), list) => {
            whole = row.whole();
            let rows = list.and_then(|(name, _)| whole.given.get(name)?.as_array());
            page = rows.map_or(page, |rows| Page::all_rows(rows.len()));
        }
        (Data::Rows(rows), Some((name, row))) => {
            let (rows, rows_page) = page_of(ctx, args, row, rows)?;
            let list = List { name, row, rows };
            if is_never_partial(row) {
                list_of_rows = Some(list);
            } else {
                whole.given.insert(name, list.value(ctx));
            }
            page = rows_page;
        }
        (Data::Rows(_), None) => {}
    }

    echo(args, ty, &mut whole.given);

    // `meta` and `pagination` are inserted later, so no values are generated for them.
    for (name, _) in metas(ty) {
        whole.given.insert(name, Given::new());
    }
    Ok((Shown::Whole(ty, whole, list_of_rows), page))
}

/// Returns true if every field of the type `ty` is required, also in nested records. If a field is optional, rows of
/// this type can lack the field.
fn is_never_partial(ty: Type) -> bool {
    match ty {
        Type::Record(_) => fields(ty).is_some_and(|fields| {
            fields.iter().all(|field| field.required && is_never_partial(field.ty))
        }),
        Type::List(item) | Type::Map(item) => is_never_partial(*item),
        _ => true,
    }
}

/// Returns the fields `meta` and `pagination` of a record type, if the type has these fields. Each field name is paired
/// with the name of the field's record type. Equal requests can have different values in these fields.
pub(crate) fn metas(ty: Type) -> impl Iterator<Item = (&'static str, &'static str)> {
    fields(ty).into_iter().flatten().filter_map(|field| match (field.ty, field.name) {
        (Type::Record(record), "meta" | "pagination") => Some((field.name, record)),
        _ => None,
    })
}

fn fields(ty: Type) -> Option<&'static [Field]> {
    match ty {
        Type::Record(name) => tables::record(name).map(|record| record.fields),
        _ => None,
    }
}

/// If a row field has no value, copies the request argument with the same name into the field. For example,
/// `symbol=BTC` in the request sets the field `symbol` of the row to `BTC`. If the request lacks the argument, a text
/// field gets the default of the parameter.
fn echo(args: &Args, ty: Type, given: &mut Given) {
    for field in fields(ty).into_iter().flatten() {
        if given.contains_key(field.name) {
            continue;
        }

        let value = match (field.ty, args.given(field.name)) {
            (Type::String, Some(Document::String(text))) => Value::from(text.as_str()),
            (Type::String, Some(Document::Array(items))) => match items.first() {
                Some(first) => first.clone().into(),
                None => continue,
            },
            (Type::Integer, Some(Document::Number(number))) if number.is_i64() => {
                Value::Number(number.clone())
            }
            (Type::Enum(values), Some(Document::String(text)))
                if values.contains(&text.as_str()) =>
            {
                Value::from(text.as_str())
            }
            (Type::String, None) => match args.text(field.name) {
                Some(default) => Value::from(default),
                None => continue,
            },
            _ => continue,
        };

        given.insert(field.name, value);
    }
}

/// Returns the URL in the field `$schema` of an operation's response. The API documentation has no example of this
/// field, so the sandbox invents a URL that does not exist.
pub(crate) fn schema_uri(operation: &Operation) -> String {
    format!("https://sandbox.example/schemas/{}.json", operation.id)
}

/// Writes a JSON object with the fields `data` and `meta`. If the API documentation describes the field `$schema` for
/// responses of the operation, also writes this field.
#[cfg(feature = "sql")]
pub(crate) fn envelope(operation: &Operation, data: &str, meta: &Document) -> String {
    if matches!(operation.answer, Answer::Bare(_)) {
        return format!(r#"{{"data":{data},"meta":{meta}}}"#);
    }
    format!(r#"{{"$schema":"{}","data":{data},"meta":{meta}}}"#, schema_uri(operation))
}

/// Returns the `meta` or `pagination` object of a response, with the fields of the record type `name`. For example, the
/// object contains the credits used, and the offset and limit of the page.
pub(crate) fn meta(ctx: &Context<'_>, name: &str, page: &Page, token: Option<String>) -> Document {
    let mut meta = serde_json::Map::new();
    for field in tables::record(name).into_iter().flat_map(|record| record.fields) {
        let value: Document = match field.name {
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
                // The service sends an empty token at the end of a list.
                None if field.name == "next_cursor" => "".into(),
                None => continue,
            },

            "empty_reason" if page.is_empty() => "no_data_in_range".into(),
            "watermark" => (ctx.now - ctx.now.rem_euclid(300)).into(),
            "enriched_ratio" => 1.0.into(),
            _ => continue,
        };
        meta.insert(field.name.to_owned(), value);
    }
    Document::Object(meta)
}

#[cfg(test)]
mod tests;
