//! Writes overview tables for rustdoc. The front page of the client lists the API domains, and the module of each
//! domain lists its operations.

use super::docs::line;
use crate::model::{Answer, Model, Operation, Paging, Price, Tag, Type};
use crate::names::value_name;

/// Path of the Markdown file with the table of API domains. The front page of the client's documentation includes it.
pub(super) const DOMAINS: &str = "crates/client/src/domains.md";

/// Writes a Markdown table with one row per API domain: its module, its number of operations, and its description.
pub(super) fn domains(model: &Model) -> String {
    let mut table = "| module | requests | about |\n|---|---|---|\n".to_owned();
    for tag in &model.tags {
        let module = &tag.module;
        let count = model.operations.iter().filter(|operation| operation.module == *module).count();
        let about = cell(&line(&tag.doc));
        table.push_str(&format!("| [`{module}`](crate::{module}) | {count} | {about} |\n"));
    }
    table
}

/// Writes a Markdown table for the top of a module: one row per operation with its result, list price and paging. The
/// names of the Rust method and of the records are links.
pub(super) fn requests(tag: &Tag, model: &Model) -> String {
    let operations = model.operations.iter().filter(|operation| operation.module == tag.module);
    let rows = operations.map(|operation| {
        let method = value_name(&operation.id);
        format!(
            "//! | [`{method}`](crate::Api::{method}) | {} | {} | {} |\n",
            cell(&returned(operation)),
            price(&operation.price),
            pages(&operation.paging)
        )
    });
    format!(
        "//!\n//! | method of `Client` | returns | list price | paging |\n//! |---|---|---|---|\n{}",
        rows.collect::<String>()
    )
}

/// Describes the data of an operation's successful response in words, with links to its records.
pub(super) fn returned(operation: &Operation) -> String {
    // The module of the operation imports all types that are linked here.
    let words = |ty: &Type| in_words(ty, &|name| format!("[`{name}`]"));
    match &operation.answer {
        Answer::Rows { row, .. } => format!("rows of {}", words(row)),
        Answer::One { data: ty, .. } | Answer::Bare(ty) => words(ty),
        Answer::Stream => "a stream of events".to_owned(),
        Answer::Bytes => "bytes".to_owned(),
        Answer::Empty => "nothing".to_owned(),
    }
}

/// Returns the name of the paging method, such as `cursor`. Returns an empty string for an operation without pages.
pub(super) fn pages(paging: &Paging) -> &'static str {
    match paging {
        Paging::None => "",
        Paging::Offset { .. } => "offset",
        Paging::Cursor { .. } => "cursor",
        Paging::Keyset { .. } => "keys of the last row",
        Paging::PaginationKey { .. } => "pagination key",
    }
}

/// Describes a JSON type in words, such as `list of integer`. The function `link` formats the name of a record or union
/// as a link.
pub(super) fn in_words(ty: &Type, link: &dyn Fn(&str) -> String) -> String {
    match ty {
        Type::String => "text".to_owned(),
        Type::Integer | Type::Wide => "integer".to_owned(),
        Type::Number | Type::Exact => "number".to_owned(),
        Type::Boolean => "boolean".to_owned(),
        Type::Any => "any value".to_owned(),
        Type::Enum(name) => format!("`{name}`"),
        Type::Named(name) | Type::Union(name) => link(name),
        Type::List(inner) => format!("list of {}", in_words(inner, link)),
        Type::Map(inner) => format!("map to {}", in_words(inner, link)),
        Type::Option(inner) | Type::Boxed(inner) => in_words(inner, link),
        Type::Tuple(places) => {
            let places: Vec<_> = places.iter().map(|place| in_words(place, link)).collect();
            format!("({})", places.join(", "))
        }
    }
}

/// Formats the list price of an operation for a table cell, such as `2 credits`.
pub(super) fn price(price: &Price) -> String {
    match price {
        Price::Free => "free".to_owned(),
        Price::Credits(1) => "1 credit".to_owned(),
        Price::Credits(number) => format!("{number} credits"),
        Price::ByModel(_) => "by model".to_owned(),
        Price::Unknown => "not published".to_owned(),
    }
}

/// Formats text for a Markdown table cell: on one line, with escaped vertical bars.
pub(super) fn cell(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}
