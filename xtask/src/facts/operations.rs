//! Collects the facts (API properties) of operations and their parameters from the model. Snapshot tests and `diff`
//! compare these properties.

use std::collections::BTreeMap;

use super::types::{spelled, tokens};
use super::{Aspect, Facts, ItemKind, Subject, Thing};
use crate::emit::{argument_type, fewer};
use crate::model::{
    Answer, Body, Convention, Finds, Identifier, Location, Model, Operation, Paging, Param,
    ParamKind, Price, Provenance, RowOrder, Rule,
};
use crate::names::value_name;

pub(super) fn operations(model: &Model, facts: &mut Facts) {
    let shared = shared(model);
    for operation in &model.operations {
        let whole = Subject::whole(ItemKind::Operation, &operation.id);
        let mut number = 0;
        for (index, param) in operation.params.iter().enumerate() {
            if param.required {
                number += 1;
            }
            // A path parameter and a query parameter can have the same name.
            let before = operation.params[..index].iter();
            let again = before.filter(|known| known.name == param.name).count() > 0;
            let name = if again {
                format!("{} ({})", param.name, travels(param))
            } else {
                param.name.clone()
            };
            let thing = parameter(param, number, operation, model, &shared);
            facts.things.insert(whole.part(&name), thing);
        }
        facts.things.insert(whole, operation_facts(operation));
    }
}

/// For each enum, returns its name and the number of parameters and fields that use it. Parameters of streaming
/// operations are not counted. The result does not contain the enums that `components.schemas` defines.
fn shared(model: &Model) -> BTreeMap<&str, usize> {
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    let own = model.operations.iter().filter(|operation| operation.twin_of.is_none());
    let params =
        own.flat_map(|operation| &operation.params).filter_map(|param| match &param.kind {
            ParamKind::Enum(name, _) => Some(name.as_str()),
            _ => None,
        });
    let fields = model.records.values().flat_map(|record| &record.fields);
    let members =
        fields.filter(|field| !field.values.is_empty()).flat_map(|field| field.ty.names());
    for name in params.chain(members) {
        *places.entry(name).or_default() += 1;
    }
    places.retain(|name, _| model.enums.get(*name).is_some_and(|open| !open.component));
    places
}

fn operation_facts(operation: &Operation) -> Thing {
    let status = (operation.success != 200).then_some(operation.success);
    let rules: Vec<String> = operation.rules.iter().map(rule).collect();
    let misplaced = operation.misplaced.iter().map(|(name, why)| format!("{name}: {why}"));
    let patience = operation.patience.map(|seconds| format!("{seconds} seconds"));

    Thing::new(&operation.module)
        .with(Aspect::Is, format!("{} {}", operation.method, operation.path))
        .with(Aspect::Answers, answer(&operation.answer))
        .with_some(Aspect::Status, &status)
        .with(Aspect::Body, body(&operation.body))
        .with(Aspect::Pages, paging(&operation.paging))
        .with(Aspect::RowOrder, row_order(&operation.row_order))
        .with(Aspect::Costs, price(&operation.price))
        .with_some(Aspect::Tier, &operation.tier)
        .with(Aspect::Finds, operation.finds.as_ref().map(finds).unwrap_or_default())
        .with(Aspect::Accepts, identifiers(&operation.accepts))
        .with(Aspect::Rules, rules.join("; "))
        .with(Aspect::Misplaced, misplaced.collect::<Vec<_>>().join("; "))
        .with_some(Aspect::Patience, &patience)
        .with_some(Aspect::Prefix, &operation.prefix)
        .with_some(Aspect::TwinOf, &operation.twin_of)
        .with(Aspect::Source, source(operation.provenance))
        .with_some(Aspect::SeenLive, &operation.seen_live)
        .with_some(Aspect::Assumed, &operation.note)
        .with_some(Aspect::Deprecated, &operation.deprecated)
        .with(Aspect::Summary, &*operation.summary)
        .with(Aspect::Docs, &*operation.doc)
}

fn row_order(order: &RowOrder) -> String {
    let time = order.time.as_ref().map(|time| format!("ordered by {time}"));
    let key = (!order.key.is_empty()).then(|| format!("identified by {}", order.key.join(", ")));
    let since = order.since.as_ref().map(|since| format!("since {since}"));
    [time, key, since].into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn parameter(
    param: &Param,
    number: usize,
    operation: &Operation,
    model: &Model,
    shared: &BTreeMap<&str, usize>,
) -> Thing {
    let place = match &param.kind {
        ParamKind::Constant(flag) => format!("always {flag}"),
        _ if param.required => format!("argument {number}"),
        _ => "optional".to_owned(),
    };
    let repeated = matches!(param.kind, ParamKind::List { repeated: true });
    let travels = if repeated { format!("{}, repeated", travels(param)) } else { travels(param) };
    let values = match &param.kind {
        ParamKind::Enum(name, values)
            if fewer(param, model) || shared.get(name.as_str()).is_some_and(|count| *count > 1) =>
        {
            values.join(", ")
        }
        _ => String::new(),
    };
    let ident = (param.ident != value_name(&param.name)).then_some(&param.ident);

    Thing::new(&operation.module)
        .with(Aspect::Place, place)
        .with(Aspect::Type, tokens(&argument_type(param, &operation.paging)))
        .with(Aspect::Presence, if param.null.is_some() { "nullable" } else { "" })
        .with_some(Aspect::Ident, &ident)
        .with(Aspect::Travels, travels)
        .with(Aspect::Convention, convention(param.convention))
        .with_some(Aspect::Default, &param.default)
        .with(Aspect::Bounds, bounds(&param.kind))
        .with(Aspect::Values, values)
        .with_some(Aspect::Refused, &param.refused)
        .with_some(Aspect::Deprecated, &param.deprecated)
        .with(Aspect::Docs, &*param.doc)
}

fn travels(param: &Param) -> String {
    let place = match param.location {
        Location::Path => "path",
        Location::Query => "query",
        Location::Header => "header",
        Location::Body => "body",
    };
    place.to_owned()
}

fn convention(convention: Option<Convention>) -> &'static str {
    match convention {
        None => "",
        Some(Convention::Ticker) => "ticker",
        Some(Convention::Address) => "address",
        Some(Convention::DateTime) => "date-time",
        Some(Convention::Day) => "day",
        Some(Convention::UnixSeconds) => "seconds since 1970",
        Some(Convention::UnixMillis) => "milliseconds since 1970",
        Some(Convention::Handle) => "handle without `@`",
        Some(Convention::Uuid) => "UUID",
    }
}

fn bounds(kind: &ParamKind) -> String {
    let range = |min: Option<String>, max: Option<String>, of: &str| match (min, max) {
        (Some(min), Some(max)) => format!("{min} to {max}{of}"),
        (Some(min), None) => format!("from {min}{of}"),
        (None, Some(max)) => format!("up to {max}{of}"),
        (None, None) => String::new(),
    };
    match kind {
        ParamKind::String { min, max } => {
            range(min.map(|n| n.to_string()), max.map(|n| n.to_string()), " characters")
        }
        ParamKind::Integer { min, max } => {
            range(min.map(|n| n.to_string()), max.map(|n| n.to_string()), "")
        }
        ParamKind::Number { min, max } => {
            range(min.map(|n| n.to_string()), max.map(|n| n.to_string()), "")
        }
        _ => String::new(),
    }
}

fn rule(rule: &Rule) -> String {
    match rule {
        Rule::AtLeastOne(names) => format!("at least one of {}", names.join(", ")),
        Rule::ExactlyOne(names) => format!("exactly one of {}", names.join(", ")),
    }
}

fn answer(answer: &Answer) -> String {
    match answer {
        Answer::Rows { row, meta } => format!("Envelope<Vec<{}>, {meta}>", spelled(row)),
        Answer::One { data, meta } => format!("Envelope<{}, {meta}>", spelled(data)),
        Answer::Bare(ty) => spelled(ty),
        Answer::Stream => "a stream".to_owned(),
        Answer::Bytes => "bytes".to_owned(),
        Answer::Empty => "nothing".to_owned(),
    }
}

fn body(body: &Body) -> String {
    match body {
        Body::None => String::new(),
        Body::Optional => "JSON, or no content".to_owned(),
        Body::Required => "JSON".to_owned(),
        Body::Form => "form".to_owned(),
        Body::Multipart => "multipart".to_owned(),
        Body::Whole(media) => format!("whole, {media}"),
    }
}

fn paging(paging: &Paging) -> String {
    let end = |by_token: bool| if by_token { ", until there is no token" } else { "" };
    match paging {
        Paging::None => String::new(),
        Paging::Offset { limit, offset } => format!("by {offset}, {limit} per page"),
        Paging::Cursor { limit, cursor, ends_by_token } => {
            format!("by the cursor {cursor}, {limit} per page{}", end(*ends_by_token))
        }
        Paging::Keyset { limit, cursor, keys, ends_by_token } => {
            let keys: Vec<String> =
                keys.iter().map(|(param, member)| format!("{param} from {member}")).collect();
            let keys = keys.join(" and ");
            format!("by {cursor} or {keys}, {limit} per page{}", end(*ends_by_token))
        }
        Paging::PaginationKey { limit, key, position, items } => {
            format!("by {key} from {position}, {limit} {items} per page")
        }
    }
}

fn finds(finds: &Finds) -> String {
    format!("{} by {}", identifiers(&finds.kinds), finds.text)
}

fn identifiers(kinds: &[Identifier]) -> String {
    let kinds = kinds.iter().map(|(kind, parts)| format!("{kind} ({})", parts.join(", ")));
    kinds.collect::<Vec<_>>().join(", ")
}

fn price(price: &Price) -> String {
    match price {
        Price::Free => "nothing".to_owned(),
        Price::Credits(1) => "1 credit".to_owned(),
        Price::Credits(number) => format!("{number} credits"),
        Price::Unknown => "unknown".to_owned(),
        Price::ByModel(lines) => {
            let line = |(model, effort, credits): &(String, Option<String>, u32)| {
                let effort = effort.as_ref().map(|effort| format!(" {effort}"));
                format!("{model}{} {credits}", effort.unwrap_or_default())
            };
            format!("credits by model: {}", lines.iter().map(line).collect::<Vec<_>>().join(", "))
        }
    }
}

fn source(provenance: Provenance) -> &'static str {
    match provenance {
        Provenance::InterfaceText => "interface text",
        Provenance::PublishedDescription => "published description",
        Provenance::Assumed => "assumed",
    }
}
