//! Builds the model of the API (tags, operations, records, unions and enums) from the OpenAPI document. The passes of
//! the generator have already simplified this document.

mod answers;
mod extensions;
mod inlined_components;
mod operations;
mod parameters;
mod reader;
mod records;
mod reply;
mod unions;

use serde_json::Value;

use crate::check::{CLIENT_MODULES, MODULES};
use crate::fault::{Fault, Result};
use crate::model::Tag;
use crate::names::value_name;
use crate::report::{Change, Report};

pub use operations::operations;
pub use records::records;

/// Returns the tags that operations use, sorted by the name of their Rust module.
pub fn tags(document: &Value, report: &mut Report) -> Vec<Tag> {
    let described = document.get("tags").and_then(Value::as_array);
    let doc = |name: &str| {
        let tag =
            described.into_iter().flatten().find(|tag| tag.get("name").is_some_and(|n| n == name));
        text(tag.unwrap_or(&Value::Null), "description")
    };

    let mut tags: Vec<Tag> = Vec::new();
    for item in document
        .get("paths")
        .and_then(Value::as_object)
        .into_iter()
        .flat_map(|paths| paths.values())
    {
        for operation in item.as_object().into_iter().flat_map(|item| item.values()) {
            let Some(name) = operation.pointer("/tags/0").and_then(Value::as_str) else { continue };
            let module = module(name);
            match tags.iter().find(|tag| tag.module == module) {
                Some(known) if known.name == name => {}
                Some(known) => report.note(
                    Change::Decided,
                    format!("the tags `{}` and `{name}` share the module `{module}`", known.name),
                    "/tags",
                ),
                None => tags.push(Tag { name: name.to_owned(), module, doc: doc(name) }),
            }
        }
    }

    for tag in described.into_iter().flatten() {
        let name = text(tag, "name");
        if !tags.iter().any(|known| known.name == name) {
            report.note(
                Change::Dropped,
                format!("the tag `{name}` is ignored, because it has no operations"),
                "/tags",
            );
        }
    }

    tags.sort_by(|a, b| a.module.cmp(&b.module));
    tags
}

/// Reads `x-plans`: the credit prices by volume. Each plan has a name, the price of one credit in USD, and the number
/// of credits above which the plan applies.
pub fn plans(document: &Value) -> Result<Vec<(String, String, u64)>> {
    let Some(plans) = document.get("x-plans") else { return Ok(Vec::new()) };
    let plans = plans.as_array().ok_or_else(|| {
        Fault::at(
            "/x-plans",
            "`x-plans` is not a list of plans",
            "write `[{name: N, usd: '0.01', above: 0}]`",
        )
    })?;
    plans
        .iter()
        .map(|plan| {
            let above = plan.get("above").and_then(Value::as_u64).unwrap_or_default();
            Ok((needed("/x-plans", plan, "name")?, needed("/x-plans", plan, "usd")?, above))
        })
        .collect()
}

/// Reads `x-tiers`: the price tiers, each with its name and its credits per call.
pub fn tiers(document: &Value) -> Result<Vec<(String, u32)>> {
    let Some(tiers) = document.get("x-tiers") else { return Ok(Vec::new()) };
    let fault = || {
        Fault::at("/x-tiers", "`x-tiers` is not a list of tiers", "write `[{name: N, credits: 1}]`")
    };
    let tier = |tier: &Value| {
        let credits = tier.get("credits").and_then(Value::as_u64);
        let credits = credits.and_then(|credits| u32::try_from(credits).ok()).ok_or_else(fault)?;
        Ok((needed("/x-tiers", tier, "name")?, credits))
    };
    tiers.as_array().ok_or_else(fault)?.iter().map(tier).collect()
}

/// Reads `x-top-up`: the smallest purchase of credits, as its price in USD and its number of credits.
pub fn top_up(document: &Value) -> Result<Option<(String, u64)>> {
    let Some(node) = document.get("x-top-up") else { return Ok(None) };
    let credits = node.get("credits").and_then(Value::as_u64).ok_or_else(|| {
        Fault::at(
            "/x-top-up",
            "`credits` is not a whole number",
            "correct the number in the \
            overlay",
        )
    })?;
    Ok(Some((needed("/x-top-up", node, "usd")?, credits)))
}

/// Returns the reason why an operation, parameter or field is deprecated: the text of `x-deprecated`, or a general
/// sentence if the flag `deprecated` is set. Returns `None` if it is not deprecated.
pub(crate) fn deprecated(node: &Value) -> Option<String> {
    match node.get("x-deprecated").and_then(Value::as_str) {
        Some(reason) => Some(reason.to_owned()),
        None if node.get("deprecated").is_some_and(|flag| flag == true) => {
            Some("the service recommends against it".to_owned())
        }
        None => None,
    }
}

/// Returns the name of a tag's Rust module. If another module has this name, `_domain` is appended.
pub(crate) fn module(tag: &str) -> String {
    let name = value_name(tag);
    let taken = MODULES.contains(&name.as_str()) || CLIENT_MODULES.contains(&name.as_str());
    if taken { format!("{name}_domain") } else { name }
}

pub fn text(node: &Value, member: &str) -> String {
    node.get(member).and_then(Value::as_str).unwrap_or_default().trim().to_owned()
}

pub(crate) fn strings(node: &Value) -> Vec<String> {
    node.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned).collect()
}

/// Returns a required string field of an OpenAPI extension (a key that begins with `x-`). If the field is missing or
/// empty, the error suggests adding the field to the overlay action of the extension.
pub(crate) fn needed(place: &str, node: &Value, member: &str) -> Result<String> {
    let found = text(node, member);
    if found.is_empty() {
        return Err(Fault::at(
            place,
            format!("`{member}` is missing"),
            "add the field to the overlay action that sets this value",
        ));
    }
    Ok(found)
}
