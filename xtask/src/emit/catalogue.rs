//! Writes the rows of the catalogue.
//!
//! The input is the model, and the output is Rust source text.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::{Homes, fewer, pretty, type_row};
use crate::model::{
    Answer, Body, Finds, Identifier, Kind, Location, Model, Operation, Paging, Param, Price,
    Provenance, RowOrder, Rule, Type,
};
use crate::names::static_name;

pub(crate) fn catalogue(model: &Model, homes: &Homes) -> String {
    let feature = |operation: &Operation| operation.module.replace('_', "-");
    let list = model.operations.iter().map(|operation| {
        let (feature, name) = (feature(operation), format_ident!("{}", static_name(&operation.id)));
        quote!(#[cfg(feature = #feature)] &#name)
    });
    let tiers = model.tiers.iter().map(|(name, credits)| {
        let credits = proc_macro2::Literal::u32_unsuffixed(*credits);
        quote!(rt::TierRow { name: #name, credits: #credits })
    });
    let plans = model.plans.iter().map(|(name, usd, above)| {
        let above = proc_macro2::Literal::u64_unsuffixed(*above);
        quote!(rt::PlanRow { name: #name, usd_per_credit: #usd, above: #above })
    });
    let top_up = model.top_up.iter().map(|(usd, credits)| {
        let credits = proc_macro2::Literal::u64_unsuffixed(*credits);
        quote!(rt::TopUpRow { usd: #usd, credits: #credits })
    });
    let (title, version) = (&model.title, &model.version);
    let mut text = pretty(quote! {
        use crypto_intel_core as rt;

        /// Title of the description this client was generated from.
        pub const TITLE: &str = #title;
        /// Version of the description this client was generated from.
        pub const VERSION: &str = #version;
        /// The price tiers of operations, cheapest first.
        pub static TIERS: &[rt::TierRow] = &[#(#tiers),*];
        /// The price of a credit by volume, list price first.
        pub static PLANS: &[rt::PlanRow] = &[#(#plans),*];
        /// The smallest purchase of credits.
        pub static TOP_UPS: &[rt::TopUpRow] = &[#(#top_up),*];
        /// Every operation of the enabled features, by tag and identifier.
        pub static OPERATIONS: &[&rt::Operation] = &[#(#list),*];
    });
    for operation in &model.operations {
        text.push('\n');
        text.push_str(&pretty(row(operation, &feature(operation), model, homes)));
    }
    text
}

fn row(operation: &Operation, feature: &str, model: &Model, homes: &Homes) -> TokenStream {
    let name = format_ident!("{}", static_name(&operation.id));
    let (id, path, tag) = (&operation.id, &operation.path, &operation.tag);
    let (summary, description) = (&operation.summary, operation.doc.trim());
    let method = format_ident!("{}", operation.method);

    let params = operation.params.iter().map(|param| self::param(param, operation, model, homes));
    let rules = operation.rules.iter().map(|rule| match rule {
        Rule::AtLeastOne(names) => quote!(rt::Rule::AtLeastOne(&[#(#names),*])),
        Rule::ExactlyOne(names) => quote!(rt::Rule::ExactlyOne(&[#(#names),*])),
    });
    let body = match &operation.body {
        Body::None => quote!(rt::Body::None),
        Body::Optional => quote!(rt::Body::Optional),
        Body::Required => quote!(rt::Body::Required),
        Body::Form => quote!(rt::Body::Form),
        Body::Multipart => quote!(rt::Body::Multipart),
        Body::Whole(media) => quote!(rt::Body::Whole(#media)),
    };

    let finds = option(&operation.finds.as_ref().map(|Finds { text, names, kinds }| {
        let kinds = identifiers(kinds);
        quote!(rt::Finds { text: #text, names: &[#(#names),*], kinds: #kinds })
    }));
    let accepts = identifiers(&operation.accepts);
    let success = proc_macro2::Literal::u16_unsuffixed(operation.success);
    let answer = answer(&operation.answer, model);
    let paging = paging(&operation.paging);
    let row_order = row_order(&operation.row_order);
    let price = price(&operation.price);
    let tier = option(&operation.tier);

    let provenance = match operation.provenance {
        Provenance::InterfaceText => quote!(rt::Provenance::InterfaceText),
        Provenance::PublishedDescription => quote!(rt::Provenance::PublishedDescription),
        Provenance::Assumed => quote!(rt::Provenance::Assumed),
    };
    let misplaced = operation
        .misplaced
        .iter()
        .map(|(name, instead)| quote!(rt::Misplaced { name: #name, instead: #instead }));

    let patience = option(&operation.patience.map(proc_macro2::Literal::u32_unsuffixed));
    let free_window = option(&operation.free_window.map(proc_macro2::Literal::u32_unsuffixed));
    let (prefix, seen_live) = (option(&operation.prefix), option(&operation.seen_live));
    let (note, deprecated) = (option(&operation.note), option(&operation.deprecated));
    let docs = super::docs::doc(&format!("`{id}`: {summary}."));

    quote! {
        #docs
        #[cfg(feature = #feature)]
        pub static #name: rt::Operation = rt::Operation {
            id: #id,
            method: rt::Method::#method,
            path: #path,
            tag: #tag,
            summary: #summary,
            description: #description,
            params: &[#(#params),*],
            body: #body,
            finds: #finds,
            accepts: #accepts,
            rules: &[#(#rules),*],
            misplaced: &[#(#misplaced),*],
            success: #success,
            answer: #answer,
            paging: #paging,
            row_order: #row_order,
            price: #price,
            tier: #tier,
            provenance: #provenance,
            note: #note,
            deprecated: #deprecated,
            patience: #patience,
            free_window: #free_window,
            prefix: #prefix,
            seen_live: #seen_live,
        };
    }
}

fn identifiers(kinds: &[Identifier]) -> TokenStream {
    let kinds = kinds
        .iter()
        .map(|(kind, parts)| quote!(rt::IdentifierRow { kind: #kind, parts: &[#(#parts),*] }));
    quote!(&[#(#kinds),*])
}

fn option<T: quote::ToTokens>(value: &Option<T>) -> TokenStream {
    value.as_ref().map_or_else(|| quote!(None), |value| quote!(Some(#value)))
}

fn param(param: &Param, operation: &Operation, model: &Model, homes: &Homes) -> TokenStream {
    let (name, doc) = (&param.name, &param.doc);
    let location = match param.location {
        Location::Path => quote!(rt::In::Path),
        Location::Query => quote!(rt::In::Query),
        Location::Header => quote!(rt::In::Header),
        Location::Body => quote!(rt::In::Body),
    };

    let kind = match &param.kind {
        Kind::String { min, max } => {
            let bound =
                |bound: &Option<u64>| option(&bound.map(|n| u32::try_from(n).unwrap_or(u32::MAX)));
            let (min, max) = (bound(min), bound(max));
            quote!(rt::ParamKind::String { min: #min, max: #max })
        }
        Kind::Integer { min, max } => {
            let (min, max) = (option(min), option(max));
            quote!(rt::ParamKind::Integer { min: #min, max: #max })
        }
        Kind::Number { min, max } => {
            let (min, max) = (option(min), option(max));
            quote!(rt::ParamKind::Number { min: #min, max: #max })
        }
        Kind::Boolean => quote!(rt::ParamKind::Boolean),
        Kind::Enum(_, values) => quote!(rt::ParamKind::Enum(&[#(#values),*])),
        Kind::List { repeated } => quote!(rt::ParamKind::List { repeated: #repeated }),
        Kind::Moment => quote!(rt::ParamKind::Moment),
        Kind::Json(ty) => {
            let ty = type_row(ty, model);
            quote!(rt::ParamKind::Json(#ty))
        }
        Kind::Constant(flag) => quote!(rt::ParamKind::Constant(#flag)),
        Kind::Bytes => quote!(rt::ParamKind::String { min: None, max: None }),
    };

    let elsewhere = match &param.kind {
        Kind::Enum(name, _) if fewer(param, model) => {
            let home = format_ident!("{}", homes.of_name(name).unwrap_or(&operation.module));
            let name = format_ident!("{name}");
            Some(quote!(.elsewhere(super::#home::#name::KNOWN)))
        }
        _ => None,
    };

    let deprecated = param.deprecated.as_ref().map(|reason| quote!(.deprecated(#reason)));
    let required = param.required.then(|| quote!(.required()));
    let default = param.default.as_ref().map(|default| quote!(.default(#default)));
    let convention = param.convention.map(|convention| {
        let arm = format_ident!("{convention:?}");
        quote!(.convention(rt::Convention::#arm))
    });
    let refused = param.refused.as_ref().map(|why| quote!(.refused(#why)));
    let example = param.example.as_ref().map(|example| quote!(.example(#example)));

    quote!(rt::Param::new(#name, #location, #kind, #doc)#required #default #convention #elsewhere #refused #deprecated #example)
}

fn answer(answer: &Answer, model: &Model) -> TokenStream {
    let row = |ty: &Type| type_row(ty, model);
    match answer {
        Answer::Rows { row: ty, meta } => {
            let ty = row(ty);
            quote!(rt::Answer::Rows { row: #ty, meta: #meta })
        }
        Answer::One { data, meta } => {
            let ty = row(data);
            quote!(rt::Answer::One { data: #ty, meta: #meta })
        }
        Answer::Bare(ty) => {
            let ty = row(ty);
            quote!(rt::Answer::Bare(#ty))
        }
        Answer::Stream => quote!(rt::Answer::Stream),
        Answer::Bytes => quote!(rt::Answer::Bytes),
        Answer::Empty => quote!(rt::Answer::Empty),
    }
}

fn paging(paging: &Paging) -> TokenStream {
    match paging {
        Paging::None => quote!(rt::Paging::None),
        Paging::Offset { limit, offset } => {
            quote!(rt::Paging::Offset { limit: #limit, offset: #offset })
        }
        Paging::Cursor { limit, cursor, ends_by_token } => quote!(rt::Paging::Cursor {
            limit: #limit,
            cursor: #cursor,
            ends_by_token: #ends_by_token
        }),
        Paging::Keyset { limit, cursor, keys, ends_by_token } => {
            let keys = keys.iter().map(|(param, member)| quote!((#param, #member)));
            quote!(rt::Paging::Keyset {
                limit: #limit,
                cursor: #cursor,
                keys: &[#(#keys),*],
                ends_by_token: #ends_by_token
            })
        }
        Paging::PaginationKey { limit, key, .. } => {
            quote!(rt::Paging::PaginationKey { limit: #limit, key: #key })
        }
    }
}

fn row_order(order: &RowOrder) -> TokenStream {
    if *order == RowOrder::default() {
        return quote!(rt::RowOrder::UNKNOWN);
    }
    let (time, key, since) = (option(&order.time), &order.key, option(&order.since));
    quote!(rt::RowOrder { time: #time, key: &[#(#key),*], since: #since })
}

fn price(price: &Price) -> TokenStream {
    match price {
        Price::Free => quote!(rt::Price::Free),
        Price::Credits(number) => {
            let number = proc_macro2::Literal::u32_unsuffixed(*number);
            quote!(rt::Price::Credits(#number))
        }
        Price::Unknown => quote!(rt::Price::Unknown),
        Price::ByModel(lines) => {
            let lines = lines.iter().map(|(model, effort, credits)| {
                let effort = option(effort);
                let credits = proc_macro2::Literal::u32_unsuffixed(*credits);
                quote!(rt::ModelPrice { model: #model, effort: #effort, credits: #credits })
            });
            quote!(rt::Price::ByModel(&[#(#lines),*]))
        }
    }
}
