//! Writes the catalogue: a generated Rust file with a static table of all operations and their parameters.
//!
//! The Rust code is written as text, because parsing and formatting hundreds of kilobytes of literals would take most
//! of the run time.

use super::literal::{lines, list, option, text};
use super::{Homes, docs, fewer, type_row};
use crate::model::{
    Answer, Body, Finds, Identifier, Location, Model, Operation, Paging, Param, ParamKind, Price,
    Provenance, RowOrder, Rule,
};
use crate::names::static_name;

pub(crate) fn catalogue(model: &Model, homes: &Homes) -> String {
    let feature = |operation: &Operation| text(&operation.module.replace('_', "-"));
    let operations = lines(model.operations.iter().map(|operation| {
        format!("#[cfg(feature = {})] &{}", feature(operation), static_name(&operation.id))
    }));
    let tiers =
        lines(model.tiers.iter().map(|(name, credits)| {
            format!("rt::TierRow {{ name: {name:?}, credits: {credits} }}")
        }));
    let plans = lines(model.plans.iter().map(|(name, usd, above)| {
        format!("rt::PlanRow {{ name: {name:?}, usd_per_credit: {usd:?}, above: {above} }}")
    }));
    let top_up = lines(
        model
            .top_up
            .iter()
            .map(|(usd, credits)| format!("rt::TopUpRow {{ usd: {usd:?}, credits: {credits} }}")),
    );
    let (title, version) = (text(&model.title), text(&model.version));

    let mut source = format!(
        "use crypto_intel_core as rt;

/// Title of the OpenAPI document from which this client was generated.
pub const TITLE: &str = {title};
/// Version of the OpenAPI document from which this client was generated.
pub const VERSION: &str = {version};
/// The price tiers of operations, cheapest first.
pub static TIERS: &[rt::TierRow] = {tiers};
/// The price of a credit by volume, list price first.
pub static PLANS: &[rt::PlanRow] = {plans};
/// The smallest purchase of credits.
pub static TOP_UPS: &[rt::TopUpRow] = {top_up};
/// Every operation of the enabled features, by tag and identifier.
pub static OPERATIONS: &[&rt::Operation] = {operations};
"
    );
    for operation in &model.operations {
        source.push('\n');
        source.push_str(&row(operation, &feature(operation), model, homes));
    }
    source
}

fn row(operation: &Operation, feature: &str, model: &Model, homes: &Homes) -> String {
    let Operation { id, path, tag, summary, method, success, .. } = operation;

    let params = operation.params.iter().map(|param| self::param(param, operation, model, homes));
    let rules = operation.rules.iter().map(|rule| match rule {
        Rule::AtLeastOne(names) => format!("rt::Rule::AtLeastOne({})", texts(names)),
        Rule::ExactlyOne(names) => format!("rt::Rule::ExactlyOne({})", texts(names)),
    });
    let body = match &operation.body {
        Body::None => "None".to_owned(),
        Body::Optional => "Optional".to_owned(),
        Body::Required => "Required".to_owned(),
        Body::Form => "Form".to_owned(),
        Body::Multipart => "Multipart".to_owned(),
        Body::Whole(media) => format!("Whole({media:?})"),
    };

    let finds = operation.finds.as_ref().map(|Finds { text, names, kinds }| {
        let (names, kinds) = (texts(names), identifiers(kinds));
        format!("rt::Finds {{ text: {text:?}, names: {names}, kinds: {kinds} }}")
    });
    let provenance = match operation.provenance {
        Provenance::InterfaceText => "InterfaceText",
        Provenance::PublishedDescription => "PublishedDescription",
        Provenance::Assumed => "Assumed",
    };
    let misplaced = operation
        .misplaced
        .iter()
        .map(|(name, instead)| format!("rt::Misplaced {{ name: {name:?}, instead: {instead:?} }}"));
    let optional = |value: &Option<String>| option(value.as_deref().map(text));

    let request = [
        ("id", text(id)),
        ("method", format!("rt::Method::{method}")),
        ("path", text(path)),
        ("tag", text(tag)),
        ("summary", text(summary)),
        ("description", text(operation.doc.trim())),
        ("params", lines(params)),
        ("body", format!("rt::Body::{body}")),
        ("finds", option(finds)),
        ("accepts", identifiers(&operation.accepts)),
        ("rules", list(rules)),
        ("misplaced", list(misplaced)),
    ];

    let details = [
        ("success", success.to_string()),
        ("answer", answer(&operation.answer, model)),
        ("paging", paging(&operation.paging)),
        ("row_order", row_order(&operation.row_order)),
        ("price", price(&operation.price)),
        ("tier", optional(&operation.tier)),
        ("provenance", format!("rt::Provenance::{provenance}")),
        ("note", optional(&operation.note)),
        ("deprecated", optional(&operation.deprecated)),
        ("patience", option(operation.patience)),
        ("free_window", option(operation.free_window)),
        ("prefix", optional(&operation.prefix)),
        ("seen_live", optional(&operation.seen_live)),
    ];

    let fields: String = request
        .iter()
        .chain(&details)
        .map(|(name, value)| format!("    {name}: {value},\n"))
        .collect();

    let docs = docs::comment(&format!("`{id}`: {summary}."));
    let name = static_name(id);
    format!(
        "{docs}#[cfg(feature = {feature})]\npub static {name}: rt::Operation = rt::Operation {{\n{fields}}};\n"
    )
}

fn texts(texts: &[String]) -> String {
    list(texts.iter().map(|name| text(name)))
}

fn identifiers(kinds: &[Identifier]) -> String {
    list(kinds.iter().map(|(kind, parts)| {
        format!("rt::IdentifierRow {{ kind: {kind:?}, parts: {} }}", texts(parts))
    }))
}

fn param(param: &Param, operation: &Operation, model: &Model, homes: &Homes) -> String {
    let location = match param.location {
        Location::Path => "Path",
        Location::Query => "Query",
        Location::Header => "Header",
        Location::Body => "Body",
    };
    let (name, kind, doc) = (&param.name, kind(&param.kind, model), &param.doc);
    let mut row =
        format!("rt::Param::new({name:?}, rt::In::{location}, rt::ParamKind::{kind}, {doc:?})");

    if param.required {
        row.push_str(".required()");
    }
    if let Some(default) = &param.default {
        row.push_str(&format!(".default({default:?})"));
    }
    if let Some(convention) = param.convention {
        row.push_str(&format!(".convention(rt::Convention::{convention:?})"));
    }
    if let ParamKind::Enum(name, _) = &param.kind
        && fewer(param, model)
    {
        let home = homes.of_name(name).unwrap_or(&operation.module);
        row.push_str(&format!(".elsewhere(super::{home}::{name}::KNOWN)"));
    }

    let notes = [
        ("refused", &param.refused),
        ("deprecated", &param.deprecated),
        ("example", &param.example),
    ];
    for (method, note) in notes {
        if let Some(note) = note {
            row.push_str(&format!(".{method}({note:?})"));
        }
    }
    row
}

fn kind(kind: &ParamKind, model: &Model) -> String {
    match kind {
        ParamKind::String { min, max } => {
            let bound =
                |bound: &Option<u64>| option(bound.map(|n| u32::try_from(n).unwrap_or(u32::MAX)));
            format!("String {{ min: {}, max: {} }}", bound(min), bound(max))
        }
        ParamKind::Integer { min, max } => format!("Integer {{ min: {min:?}, max: {max:?} }}"),
        ParamKind::Number { min, max } => format!("Number {{ min: {min:?}, max: {max:?} }}"),
        ParamKind::Boolean => "Boolean".to_owned(),
        ParamKind::Enum(_, values) => format!("Enum({})", texts(values)),
        ParamKind::List { repeated } => format!("List {{ repeated: {repeated} }}"),
        ParamKind::Moment => "Moment".to_owned(),
        ParamKind::Json(ty) => format!("Json({})", type_row(ty, model)),
        ParamKind::Constant(flag) => format!("Constant({flag})"),
        ParamKind::Bytes => "String { min: None, max: None }".to_owned(),
    }
}

fn answer(answer: &Answer, model: &Model) -> String {
    match answer {
        Answer::Rows { row, meta } => {
            format!("rt::Answer::Rows {{ row: {}, meta: {meta:?} }}", type_row(row, model))
        }
        Answer::One { data, meta } => {
            format!("rt::Answer::One {{ data: {}, meta: {meta:?} }}", type_row(data, model))
        }
        Answer::Bare(ty) => format!("rt::Answer::Bare({})", type_row(ty, model)),
        Answer::Stream => "rt::Answer::Stream".to_owned(),
        Answer::Bytes => "rt::Answer::Bytes".to_owned(),
        Answer::Empty => "rt::Answer::Empty".to_owned(),
    }
}

fn paging(paging: &Paging) -> String {
    match paging {
        Paging::None => "rt::Paging::None".to_owned(),
        Paging::Offset { limit, offset } => {
            format!("rt::Paging::Offset {{ limit: {limit:?}, offset: {offset:?} }}")
        }
        Paging::Cursor { limit, cursor, ends_by_token } => format!(
            "rt::Paging::Cursor {{ limit: {limit:?}, cursor: {cursor:?}, ends_by_token: \
             {ends_by_token} }}"
        ),
        Paging::Keyset { limit, cursor, keys, ends_by_token } => {
            let keys = list(keys.iter().map(|(param, member)| format!("({param:?}, {member:?})")));
            format!(
                "rt::Paging::Keyset {{ limit: {limit:?}, cursor: {cursor:?}, keys: {keys}, \
                 ends_by_token: {ends_by_token} }}"
            )
        }
        Paging::PaginationKey { limit, key, .. } => {
            format!("rt::Paging::PaginationKey {{ limit: {limit:?}, key: {key:?} }}")
        }
    }
}

fn row_order(order: &RowOrder) -> String {
    if *order == RowOrder::default() {
        return "rt::RowOrder::UNKNOWN".to_owned();
    }
    let RowOrder { time, key, since } = order;
    format!("rt::RowOrder {{ time: {time:?}, key: {}, since: {since:?} }}", texts(key))
}

fn price(price: &Price) -> String {
    match price {
        Price::Free => "rt::Price::Free".to_owned(),
        Price::Credits(number) => format!("rt::Price::Credits({number})"),
        Price::Unknown => "rt::Price::Unknown".to_owned(),
        Price::ByModel(prices) => {
            let prices = list(prices.iter().map(|(model, effort, credits)| {
                format!(
                    "rt::ModelPrice {{ model: {model:?}, effort: {effort:?}, credits: {credits} }}"
                )
            }));
            format!("rt::Price::ByModel({prices})")
        }
    }
}
