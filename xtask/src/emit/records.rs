//! Writes records: a Rust struct, a table of its fields for encoding and decoding, and implementations of traits for
//! paging and `meta` fields.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::docs::doc;
use super::index::{Index, field};
use super::{pretty, rust_type};
use crate::model::{Field, Mode, Model, Paging, Record, Type};
use crate::names::unique;

pub(super) fn record(record: &Record, model: &Model, index: &Index) -> String {
    let name = format_ident!("{}", record.name);
    let docs = doc(&record.doc);
    let fields = record.fields.iter().map(|field| {
        let (ident, ty, docs) =
            (format_ident!("{}", field.ident), field_type(field), doc(&field.doc));
        let deprecated = field.deprecated.as_ref().map(|note| quote!(#[deprecated(note = #note)]));
        quote!(#docs #deprecated pub #ident: #ty)
    });

    let mut text = pretty(quote! {
        #docs
        #[derive(Debug, Clone, PartialEq, Default)]
        #[non_exhaustive]
        pub struct #name {
            #(#fields,)*
            /// Fields that this release does not know.
            pub extra: rt::Extra,
        }
    });
    text.insert(0, '\n');

    text.push_str(&format!("\nrt::record!({name} {{\n"));
    for (index, field) in record.fields.iter().enumerate() {
        text.push_str(&format!(
            "    {index} {} {} {:?},\n",
            field.mode.word(),
            field.ident,
            field.name
        ));
    }
    text.push_str("});\n");

    let more = [
        constructor(record),
        reported(record, model, index),
        position(record, index),
        paged(record, index),
        metrics(record),
        failures(record, model),
    ];
    for item in more.into_iter().flatten() {
        text.push('\n');
        text.push_str(&pretty(item));
    }
    text
}

/// Returns the Rust type of a record field. The type is an `Option` if the field's mode is `Nullable`, `Optional` or
/// `Loose`. In the other modes, the record always has a value for the field. For example, an absent list is read as an
/// empty list.
pub(crate) fn field_type(field: &Field) -> TokenStream {
    let bare = rust_type(&field.ty);
    match field.mode {
        Mode::Required | Mode::List | Mode::OptionalList | Mode::Metric | Mode::Meta => bare,
        Mode::Nullable | Mode::Optional | Mode::Loose => quote!(Option<#bare>),
    }
}

/// Writes the constructor of a record that callers build. The arguments of the constructor are the required fields.
/// Each other field has a setter. Returns `None` for a record that occurs only in responses.
fn constructor(record: &Record) -> Option<TokenStream> {
    if !record.requestable {
        return None;
    }

    let name = format_ident!("{}", record.name);
    let needed = |field: &&Field| field.required && !matches!(field.mode, Mode::Optional);
    let (args, values): (Vec<_>, Vec<_>) =
        record.fields.iter().filter(needed).map(argument).unzip();
    let set = record.fields.iter().filter(needed).map(|field| format_ident!("{}", field.ident));

    let taken: Vec<&str> = record.fields.iter().map(|field| field.ident.as_str()).collect();
    let setters = record.fields.iter().filter(|field| !needed(field)).map(|field| {
        let (ident, docs) = (format_ident!("{}", field.ident), doc(&field.doc));
        let (arg, value) = argument(field);
        let null =
            field.nullable.then(|| unique(&format!("{ident}_null"), |name| taken.contains(&name)));
        let (not_null, null) = null.map(|name| null_setter(field, &name)).unzip();
        quote! {
            #docs
            #[must_use]
            pub fn #ident(mut self, #arg) -> Self {
                self.#ident = #value;
                #not_null
                self
            }
            #null
        }
    });

    let about = doc(&format!("Creates a `{}` from its required fields.", record.name));
    let retired = record.fields.iter().any(|field| field.deprecated.is_some());
    let allow = retired
        .then(|| quote!(#[allow(deprecated, reason = "the setters also set deprecated fields")]));

    Some(quote! {
        #allow
        impl #name {
            #about
            #[must_use]
            pub fn new(#(#args),*) -> Self {
                #name { #(#set: #values,)* ..Self::default() }
            }
            #(#setters)*
        }
    })
}

/// Returns two pieces of code for a field that can be `null`. A request omits a field without a value, so `null` needs
/// its own setter. The second piece is the setter for `null`, which inserts `null` into the record's `extra` fields.
/// The first piece is a statement of the normal setter, which removes this `null` again.
fn null_setter(field: &Field, name: &str) -> (TokenStream, TokenStream) {
    let (ident, member, null) =
        (format_ident!("{}", field.ident), &field.name, format_ident!("{name}"));
    let docs = doc(&format!(
        "Sends `null` for `{member}`. The service may treat `null` differently from an omitted \
         `{member}`."
    ));
    let setter = quote! {
        #docs
        #[must_use]
        pub fn #null(mut self) -> Self {
            self.#ident = Default::default();
            self.extra.insert(#member, serde_json::Value::Null);
            self
        }
    };
    (quote!(self.extra.remove(#member);), setter)
}

fn argument(field: &Field) -> (TokenStream, TokenStream) {
    let ident = format_ident!("{}", field.ident);
    let bare = rust_type(&field.ty);
    let optional = matches!(field.mode, Mode::Optional | Mode::Nullable | Mode::Loose);
    let (arg, value) = match field.ty {
        Type::Integer | Type::Number | Type::Boolean => (quote!(#ident: #bare), quote!(#ident)),
        _ => (quote!(#ident: impl Into<#bare>), quote!(#ident.into())),
    };
    (arg, if optional { quote!(Some(#value)) } else { value })
}

/// Returns Rust code that reads a record's field as `Option<T>`, where `T` is a `Copy` type. Returns `None` if the
/// record has no field `name` of the type `ty`. If `ty` is [`Type::Integer`], a 128-bit integer is also accepted, and
/// the code converts it to `i64`.
fn read_copy(record: &Record, name: &str, ty: &Type) -> Option<TokenStream> {
    let field = field(record, name)?;
    let ident = format_ident!("{}", field.ident);
    if (&field.ty, ty) == (&Type::Wide, &Type::Integer) {
        return Some(if field.mode == Mode::Required {
            quote!(i64::try_from(self.#ident).ok())
        } else {
            quote!(self.#ident.and_then(|number| i64::try_from(number).ok()))
        });
    }
    if field.ty != *ty {
        return None;
    }
    Some(if field.mode == Mode::Required { quote!(Some(self.#ident)) } else { quote!(self.#ident) })
}

/// Writes the implementation of `HasMeta` for a `meta` record or a response record. The trait's method returns the
/// values that the service reports in `meta`, such as `credits_used`.
fn reported(record: &Record, model: &Model, index: &Index) -> Option<TokenStream> {
    let name = format_ident!("{}", record.name);
    let value = if index.is_meta(&record.name) {
        figures(record)
    } else if index.answering(&record.name).is_empty() {
        return None;
    } else {
        figures_of_meta(record, model)
    };

    let method = value.map(|value| quote!(fn reported(&self) -> rt::Reported { #value }));
    Some(quote!(impl rt::HasMeta for #name { #method }))
}

/// Returns Rust code that creates an `rt::Reported` from a `meta` record. The code copies fields with known names, such
/// as `credits_used` and `cached`. Returns `None` if no field has a known name and the expected type.
fn figures(record: &Record) -> Option<TokenStream> {
    let copy = |name: &str, ty: Type| Some((name.to_owned(), read_copy(record, name, &ty)?));
    let seconds = Type::Named("UnixSeconds".to_owned());
    let text = field(record, "empty_reason").filter(|field| field.ty == Type::String);
    let text = text.map(|field| {
        let ident = format_ident!("{}", field.ident);
        let value = quote!(self.#ident.clone());
        let value = if field.mode == Mode::Required { quote!(Some(#value)) } else { value };
        ("empty_reason".to_owned(), value)
    });

    let known: Vec<(String, TokenStream)> = [
        copy("credits_used", Type::Integer),
        copy("cached", Type::Boolean),
        text,
        copy("watermark", seconds),
        copy("total", Type::Integer),
    ]
    .into_iter()
    .flatten()
    .collect();
    if known.is_empty() {
        return None;
    }

    let lines = known.iter().map(|(name, value)| {
        let name = format_ident!("{name}");
        quote!(#name: #value,)
    });
    let rest = (known.len() < 5).then(|| quote!(..rt::Reported::default()));
    Some(quote!(rt::Reported { #(#lines)* #rest }))
}

fn figures_of_meta(record: &Record, model: &Model) -> Option<TokenStream> {
    let meta = field(record, "meta")
        .filter(|meta| matches!(&meta.ty, Type::Named(name) if model.records.contains_key(name)))?;
    let ident = format_ident!("{}", meta.ident);
    Some(quote!(rt::HasMeta::reported(&self.#ident)))
}

/// Writes the method `position` of a `meta` record or of a record with a pagination key. The generated method returns
/// the values of fields about paging, such as `total` and `offset`.
fn position_of(record: &Record, key: &str) -> TokenStream {
    let copy = |name: &str, ty: Type| read_copy(record, name, &ty).unwrap_or_else(|| quote!(None));
    let (total, limit, offset, more) = (
        copy("total", Type::Integer),
        copy("limit", Type::Integer),
        copy("offset", Type::Integer),
        copy("has_more", Type::Boolean),
    );

    // Fields whose types are only assumed. The service may send values of other types.
    let loose: Vec<&str> = ["total", "has_more", key]
        .into_iter()
        .filter(|name| field(record, name).is_some_and(|field| field.mode == Mode::Loose))
        .collect();
    let unreadable = if loose.is_empty() {
        quote!(Vec::new())
    } else {
        quote!(rt::private::unreadable(&self.extra, &[#(#loose),*]))
    };

    let cursor = field(record, key).filter(|field| field.ty == Type::String).map_or_else(
        || quote!(None),
        |field| {
            let ident = format_ident!("{}", field.ident);
            if field.mode == Mode::Required {
                quote!(Some(self.#ident.clone()))
            } else {
                quote!(self.#ident.clone())
            }
        },
    );

    quote! {
        fn position(&self) -> rt::Position {
            rt::Position {
                total: #total,
                limit: #limit,
                offset: #offset,
                has_more: #more,
                next_cursor: #cursor,
                unreadable: #unreadable,
            }
        }
    }
}

fn position(record: &Record, index: &Index) -> Option<TokenStream> {
    let name = format_ident!("{}", record.name);
    let key = index.key(&record.name);
    if key.is_none() && !index.is_meta(&record.name) {
        return None;
    }
    let method = position_of(record, key.unwrap_or("next_cursor"));
    Some(quote!(impl rt::PageMeta for #name { #method }))
}

/// Writes the implementation of `rt::Paged` for a record that is the whole response body of a list operation. The
/// overlay names two fields of the record: one contains the rows, and the other contains the position of the page.
/// Returns `None` for all other records.
fn paged(record: &Record, index: &Index) -> Option<TokenStream> {
    let mut answering = index.answering(&record.name).iter();
    let (items, position) = answering.find_map(|operation| match &operation.paging {
        Paging::PaginationKey { items, position, .. } => {
            Some((field(record, items)?, field(record, position)?))
        }
        _ => None,
    })?;
    let Type::List(item) = &items.ty else { return None };
    let (name, item) = (format_ident!("{}", record.name), rust_type(item));
    let (items, position) = (format_ident!("{}", items.ident), format_ident!("{}", position.ident));
    Some(quote! {
        impl rt::Paged for #name {
            type Item = #item;
            fn position(&self) -> rt::Position { rt::PageMeta::position(&self.#position) }
            fn items(&self) -> &[#item] { &self.#items }
            fn into_items(self) -> Vec<#item> { self.#items }
        }
    })
}

/// Writes the implementation of `rt::PartialAnswer` for a record whose field `errors` lists failed parts of a response.
/// Each item of `errors` must be a record with exactly two fields: the name of the failed part, and a `reason` or
/// `message`. Both must be required strings or enums. Otherwise, returns `None`.
fn failures(record: &Record, model: &Model) -> Option<TokenStream> {
    let errors = field(record, "errors")?;
    let Type::List(item) = &errors.ty else { return None };
    let Type::Named(item) = &**item else { return None };
    let [a, b] = model.records.get(item)?.fields.as_slice() else { return None };

    let for_people = |field: &Field| matches!(&*field.name, "reason" | "message");
    let (part, reason) = match (for_people(a), for_people(b)) {
        (true, false) => (b, a),
        (false, true) => (a, b),
        _ => return None,
    };

    let text = |field: &Field| {
        let is_text = matches!(field.ty, Type::String | Type::Enum(_));
        field.mode == Mode::Required && is_text
    };
    if !text(part) || !text(reason) {
        return None;
    }

    let (name, errors) = (format_ident!("{}", record.name), format_ident!("{}", errors.ident));
    let value = |field: &Field| {
        let ident = format_ident!("{}", field.ident);
        let is_enum = matches!(field.ty, Type::Enum(_));
        if is_enum { quote!(error.#ident.as_str()) } else { quote!(&error.#ident) }
    };
    let (part, reason) = (value(part), value(reason));

    Some(quote! {
        impl rt::PartialAnswer for #name {
            fn partial_failures(&self) -> Vec<rt::PartialFailure<'_>> {
                self.#errors
                    .iter()
                    .map(|error| rt::PartialFailure { part: #part, reason: #reason })
                    .collect()
            }
        }
    })
}

fn metrics(record: &Record) -> Option<TokenStream> {
    let metrics: Vec<_> = record
        .fields
        .iter()
        .filter(|field| field.ty == Type::Named("MetricValue".to_owned()))
        .collect();
    if metrics.is_empty() {
        return None;
    }

    let name = format_ident!("{}", record.name);
    let pairs = metrics.iter().map(|field| {
        let (ident, wire) = (format_ident!("{}", field.ident), &field.name);
        if field.mode == Mode::Metric {
            quote!((#wire, Some(&self.#ident)))
        } else {
            quote!((#wire, self.#ident.as_ref()))
        }
    });

    Some(quote! {
        impl rt::Metrics for #name {
            fn metrics(&self) -> Vec<(&'static str, &MetricValue)> {
                [#(#pairs),*].into_iter().filter_map(|(name, metric)| Some((name, metric?))).collect()
            }
        }
    })
}
