//! Names of the model: what is written must be a name of Rust, and no two things may share one.

use std::collections::{BTreeMap, BTreeSet};

use crate::fault::{Fault, Result};
use crate::model::{Answer, Model, Operation, Type};
use crate::names::{request_name, static_name, value_name};
use crate::schemas::escape;

use super::schemas::RESERVED;

/// Modules that are not domains, and features that are not.
const MODULES: &[&str] = &["all", "catalogue", "default", "mod", "round_trip", "shared", "tables"];
/// Modules of the client, which would hide a domain of that name beside them.
const CLIENT_MODULES: &[&str] = &[
    "api",
    "blocking",
    "bytes",
    "cache",
    "credits",
    "http",
    "paging",
    "prelude",
    "reqwest",
    "sql",
    "transport",
    "values",
];
/// Methods of `Api` that are written by hand or derived.
const METHODS: &[&str] = &["call", "clone", "new"];
/// The source of `Reply`, through which every answer is read: its methods are found in it.
const REPLY: &str = include_str!("../../../crates/core/src/reply.rs");
/// Rows of the catalogue that are not operations.
const ROWS: &[&str] = &["OPERATIONS", "PLANS", "TITLE", "TOP_UPS", "VERSION"];

const RENAME: &str = "give it `x-rename` in the overlay";

/// Checks every name that is about to be written.
pub fn names(model: &Model) -> Result<()> {
    tags(model)?;
    model.operations.iter().try_for_each(|operation| self::operation(operation, model))?;
    records(model)?;
    answers(model, &reply_members(REPLY))?;
    enums(model)
}

fn tags(model: &Model) -> Result<()> {
    let mut modules = BTreeMap::new();
    for tag in &model.tags {
        let hint = "choose another tag for its operations in the overlay";
        let taken = MODULES.iter().chain(CLIENT_MODULES);
        if taken.clone().any(|module| *module == tag.module) {
            let reason = format!(
                "the tag `{}` would be the module `{}`, which is taken",
                tag.name, tag.module
            );
            return Err(Fault::at("/tags", reason, hint));
        }
        rust("/tags", &tag.module, hint)?;
        if let Some(other) = modules.insert(&tag.module, &tag.name) {
            let reason = format!(
                "the tags `{other}` and `{}` would share the module `{}`",
                tag.name, tag.module
            );
            return Err(Fault::at("/tags", reason, hint));
        }
    }
    Ok(())
}

fn operation(operation: &Operation, model: &Model) -> Result<()> {
    let place = format!("/paths/{}/{}", escape(&operation.path), operation.method.to_lowercase());
    let id = &operation.id;
    let (request, method, row) = (request_name(id), value_name(id), static_name(id));
    for name in [&request, &method, &row] {
        rust(&place, name, RENAME)?;
    }
    if METHODS.contains(&method.as_str()) || ROWS.contains(&row.as_str()) {
        let reason = format!("`{id}` is called like something that is always there");
        return Err(Fault::at(place, reason, RENAME));
    }
    if model.records.contains_key(&request) || model.enums.contains_key(&request) {
        return Err(Fault::at(
            format!("/components/schemas/{request}"),
            format!("`{request}` is what the request of `{id}` is called"),
            "give the component `x-rename` in the overlay",
        ));
    }
    let hint = "remove it in the overlay; callers can still set it by its name on the wire";
    operation.params.iter().try_for_each(|param| rust(&place, &param.ident, hint))
}

fn records(model: &Model) -> Result<()> {
    for record in model.records.values() {
        let place = format!("/components/schemas/{}", escape(&record.name));
        rust(&place, &record.name, RENAME)?;
        for field in &record.fields {
            let place = format!("{place}/properties/{}", escape(&field.name));
            let hint = "remove it in the overlay; it is kept among the unknown members then";
            rust(&place, &field.ident, hint)?;
            // People build requests: `new` takes the required members, setters the others.
            if record.requestable && matches!(field.ident.as_str(), "new" | "default") {
                let reason =
                    format!("the setter of `{}` would be called like a constructor", field.name);
                return Err(Fault::at(place, reason, hint));
            }
        }
    }
    Ok(())
}

/// Refuses an answer with a member that would be confused with one of `Reply`: `reply.body` would be
/// a part of the answer and `reply.body()` the bytes it came in.
fn answers(model: &Model, taken: &BTreeSet<String>) -> Result<()> {
    for operation in &model.operations {
        let Answer::Bare(Type::Named(name)) = &operation.answer else { continue };
        let Some(record) = model.records.get(name) else { continue };
        let Some(field) = record.fields.iter().find(|field| taken.contains(&field.ident)) else {
            continue;
        };
        let reason = format!(
            "the answer `{name}` would have a member `{}`, and `Reply` has a method of that name",
            field.ident
        );
        return Err(Fault::at(
            format!("/components/schemas/{}/properties/{}", escape(name), escape(&field.name)),
            reason,
            "remove it in the overlay, so that it is kept among the unknown members, or rename \
             the method in crates/core/src/reply.rs",
        ));
    }
    Ok(())
}

/// Names of the methods and public fields of `Reply`.
fn reply_members(source: &str) -> BTreeSet<String> {
    let is_reply = |ty: &syn::Type| {
        matches!(ty, syn::Type::Path(path)
            if path.path.segments.last().is_some_and(|segment| segment.ident == "Reply"))
    };
    let is_public = |visibility: &syn::Visibility| matches!(visibility, syn::Visibility::Public(_));

    let mut members = BTreeSet::new();
    let Ok(file) = syn::parse_file(source) else { return members };
    for item in file.items {
        match item {
            syn::Item::Struct(item) if item.ident == "Reply" => {
                let public = item.fields.into_iter().filter(|field| is_public(&field.vis));
                members.extend(public.filter_map(|field| Some(field.ident?.to_string())));
            }
            syn::Item::Impl(item) if item.trait_.is_none() && is_reply(&item.self_ty) => {
                members.extend(item.items.into_iter().filter_map(|item| match item {
                    syn::ImplItem::Fn(method) if is_public(&method.vis) => {
                        Some(method.sig.ident.to_string())
                    }
                    _ => None,
                }));
            }
            _ => {}
        }
    }
    members
}

fn enums(model: &Model) -> Result<()> {
    for open in model.enums.values() {
        let place = format!("/components/schemas/{}", escape(&open.name));
        rust(&place, &open.name, "name the enum with `x-enum` in the overlay")?;
        if RESERVED.contains(&open.name.as_str()) {
            let reason = format!("`{}` is a name that generated code uses itself", open.name);
            return Err(Fault::at(place, reason, "name the enum with `x-enum` in the overlay"));
        }
        for (_, variant) in &open.variants {
            rust(&place, variant, "name its variants with `x-enum-names` in the overlay")?;
        }
    }
    Ok(())
}

fn rust(place: &str, name: &str, hint: &str) -> Result<()> {
    if syn::parse_str::<syn::Ident>(name).is_ok() {
        return Ok(());
    }
    Err(Fault::at(place, format!("`{name}` is not a name that Rust can spell"), hint))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_reply_has_is_read_from_its_source() {
        let members = reply_members(REPLY);
        for method in ["http", "credits_used", "list_price", "body", "into_inner", "map"] {
            assert!(members.contains(method), "{method} is not in {members:?}");
        }
        // Its fields are private, so that none stands before a field of the answer.
        assert!(!members.contains("value") && !members.contains("deref"), "{members:?}");
    }
}
