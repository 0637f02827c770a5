//! Names of the model: what is written must be a name of Rust, and no two things may share one.

use std::collections::BTreeMap;

use crate::fault::{Fault, Result};
use crate::model::{Model, Operation};
use crate::names::{request_name, static_name, value_name};
use crate::schemas::escape;

use super::schemas::RESERVED;

/// Modules that are not domains, and features that are not.
const MODULES: &[&str] = &["all", "catalogue", "default", "mod", "round_trip", "shared", "tables"];
/// Methods of `Api` that are written by hand or derived.
const METHODS: &[&str] = &["call", "clone", "new"];
/// Rows of the catalogue that are not operations.
const ROWS: &[&str] = &["OPERATIONS", "PLANS", "TITLE", "VERSION"];

const RENAME: &str = "give it `x-rename` in the overlay";

/// Checks every name that is about to be written.
pub fn names(model: &Model) -> Result<()> {
    tags(model)?;
    model.operations.iter().try_for_each(|operation| self::operation(operation, model))?;
    records(model)?;
    enums(model)
}

fn tags(model: &Model) -> Result<()> {
    let mut modules = BTreeMap::new();
    for tag in &model.tags {
        let hint = "choose another tag for its operations in the overlay";
        if MODULES.contains(&tag.module.as_str()) {
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
