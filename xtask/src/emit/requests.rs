//! Writes requests: one method of `Api` per operation, and one struct per operation with a setter for each optional
//! parameter.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use super::docs::{code, doc, line, lines, markdown};
use super::index::Index;
use super::{fewer, overview, pretty, rust_type};
use crate::model::{
    Answer, Convention, Model, Operation, Paging, Param, ParamKind, Price, Provenance, Rule, Tag,
    Type,
};
use crate::names::{request_name, static_name, value_name};

/// Writes the methods of `Api` for all operations of an API domain. Each method creates a request.
pub(super) fn methods(tag: &Tag, operations: &[&Operation], model: &Model) -> String {
    let methods = operations.iter().map(|operation| {
        let (method, name) = (
            format_ident!("{}", value_name(&operation.id)),
            format_ident!("{}", request_name(&operation.id)),
        );
        let row = format_ident!("{}", static_name(&operation.id));
        let required = operation.params.iter().enumerate().filter(|(_, param)| param.required);
        let (args, sets): (Vec<_>, Vec<_>) = required
            .map(|(index, param)| {
                let (ty, value) = value(param, &operation.paging);
                let ident = format_ident!("{}", param.ident);
                let index = proc_macro2::Literal::usize_unsuffixed(index);
                (quote!(#ident: #ty), quote!(.with(#index, #value)))
            })
            .unzip();

        let mut about = markdown(&format!("{}. {}", operation.summary, cost(operation)));
        about.extend([String::new(), result(operation)]);
        about.extend(arguments(operation, model));
        about.extend([String::new(), format!("Options and details: [`{name}`].")]);
        let docs = lines(&about);
        let deprecated =
            operation.deprecated.as_ref().map(|note| quote!(#[deprecated(note = #note)]));

        quote! {
            #docs
            #deprecated
            pub fn #method(&self, #(#args),*) -> #name {
                #name { call: self.call(&catalogue::#row)#(#sets)* }
            }
        }
    });

    let about = line(&format!("{}: {}", tag.name, tag.doc));
    let about = lines(&[about, String::new(), format!("Module: [`{}`](self).", tag.module)]);
    "\n".to_owned() + &pretty(quote!(#about impl crate::Api { #(#methods)* }))
}

/// Writes the doc sentence about the data that a request returns and about its paging.
fn result(operation: &Operation) -> String {
    let returned = overview::returned(operation);
    match overview::pages(&operation.paging) {
        "" => format!("Returns {returned}."),
        way => format!("Returns {returned}, with {way} paging."),
    }
}

/// Writes the `# Arguments` section of a method's doc comment. Returns no lines if the operation has no required
/// parameter.
fn arguments(operation: &Operation, model: &Model) -> Vec<String> {
    let required: Vec<&Param> = operation.params.iter().filter(|param| param.required).collect();
    if required.is_empty() {
        return Vec::new();
    }
    let mut lines = vec![String::new(), "# Arguments".to_owned(), String::new()];
    for param in required {
        let text = format!("`{}`: {}", param.ident, parameter_docs(param, model));
        let item = markdown(&text).into_iter().filter(|line| !line.is_empty());
        let item = item.enumerate().map(|(index, line)| {
            // The indentation keeps the further lines of an argument's text in the same list item.
            if index == 0 { format!("- {line}") } else { format!("  {}", line.trim_start()) }
        });
        lines.extend(item);
    }
    lines
}

/// Describes a parameter in words: its documentation, bounds, accepted values and default.
fn parameter_docs(param: &Param, model: &Model) -> String {
    let mut sentences = Vec::new();
    let doc = param.doc.trim();
    if !doc.is_empty() {
        sentences.push(doc.to_owned());
    }

    let more: Vec<String> = [
        bounds(&param.kind),
        values(param, model),
        param
            .default
            .as_ref()
            .map(|default| format!("The default of the service is `{default}`."))
            .unwrap_or_default(),
        param
            .deprecated
            .as_ref()
            .map(|reason| format!("Deprecated: {}.", reason.trim_end_matches('.')))
            .unwrap_or_default(),
        param.null.as_ref().map(|name| format!("`{name}` sends `null`.")).unwrap_or_default(),
    ]
    .into_iter()
    .filter(|sentence| !sentence.is_empty())
    .collect();
    if !more.is_empty() {
        sentences.push(more.join(" "));
    }

    sentences.join("\n\n")
}

/// Returns a sentence with the accepted values of a parameter, if the operation accepts only some of the enum's values.
/// Otherwise returns an empty string.
fn values(param: &Param, model: &Model) -> String {
    let ParamKind::Enum(_, values) = &param.kind else { return String::new() };
    if !fewer(param, model) {
        return String::new();
    }
    let list: Vec<String> = values.iter().map(|value| code(value)).collect();
    format!("One of {}.", list.join(", "))
}

/// Writes the code of one request: a struct with setters, a macro call, and trait implementations. The macro depends on
/// the kind of response: decoded data, bytes or a stream.
pub(super) fn request(operation: &Operation, model: &Model, index: &Index) -> String {
    let name = format_ident!("{}", request_name(&operation.id));
    let docs = doc(&operation_docs(operation));
    let setters: Vec<_> = operation
        .params
        .iter()
        .enumerate()
        .filter(|(_, param)| !matches!(param.kind, ParamKind::Constant(_)))
        .flat_map(|(index, param)| {
            let setter = (!param.required).then(|| setter(index, param, operation, model));
            [setter, null_setter(index, param)].into_iter().flatten()
        })
        .collect();
    let block = (!setters.is_empty()).then(|| quote!(impl #name { #(#setters)* }));

    let mut text = "\n".to_owned();
    text.push_str(&pretty(quote! {
        #docs
        #[derive(Debug, Clone)]
        #[must_use = "a request does nothing until it is awaited"]
        pub struct #name {
            call: rt::Call,
        }
        #block
    }));

    let row = static_name(&operation.id);
    if operation.answer == Answer::Stream {
        text.push_str(&format!("\nrt::stream_request!({name}, &catalogue::{row});\n"));
    } else if operation.answer == Answer::Bytes {
        text.push_str(&format!("\nrt::bytes_request!({name}, &catalogue::{row});\n"));
    } else {
        let answer = answer(operation).to_string().replace(' ', "");
        text.push_str(&format!(
            "\nrt::request!({name}, &catalogue::{row}, {});\n",
            answer.replace(',', ", ")
        ));
    }

    if operation.paging != Paging::None {
        text.push_str(&pretty(quote!(impl rt::PagedRequest for #name {})));
    }
    if let Some(twin) = index.streaming_variant(&operation.id) {
        let row = format_ident!("{}", static_name(&twin.id));
        text.push_str(&pretty(quote! {
            impl rt::Streaming for #name {
                const STREAM: &'static rt::Operation = &catalogue::#row;
            }
        }));
    }
    text
}

fn setter(index: usize, param: &Param, operation: &Operation, model: &Model) -> TokenStream {
    let ident = format_ident!("{}", param.ident);
    let (ty, value) = value(param, &operation.paging);
    let docs = doc(&parameter_docs(param, model));
    let index = proc_macro2::Literal::usize_unsuffixed(index);
    let refused = param.refused.as_ref().map(|why| format!("the parameter {why}"));
    let note = refused.or_else(|| param.deprecated.clone());
    let deprecated = note.map(|note| quote!(#[deprecated(note = #note)]));
    quote! {
        #docs
        #deprecated
        pub fn #ident(mut self, #ident: #ty) -> Self {
            self.call.set(#index, #value);
            self
        }
    }
}

/// Writes the setter that sends `null` for a field of the request body. Returns `None` if the field is not nullable.
fn null_setter(index: usize, param: &Param) -> Option<TokenStream> {
    let ident = format_ident!("{}", param.null.as_ref()?);
    let docs = doc(&format!(
        "Sends `null` for `{}`. The service may treat `null` differently from an omitted field.",
        param.name
    ));
    let index = proc_macro2::Literal::usize_unsuffixed(index);
    Some(quote! {
        #docs
        pub fn #ident(mut self) -> Self {
            self.call.set(#index, rt::Value::Json(serde_json::Value::Null));
            self
        }
    })
}

pub(super) fn bounds(kind: &ParamKind) -> String {
    let range = |min: Option<String>, max: Option<String>, of: &str| match (min, max) {
        (Some(min), Some(max)) => format!("Range: {min} to {max}{of}."),
        (Some(min), None) => format!("Range: at least {min}{of}."),
        (None, Some(max)) => format!("Range: at most {max}{of}."),
        (None, None) => String::new(),
    };
    match kind {
        ParamKind::Integer { min, max } => {
            range(min.map(|n| n.to_string()), max.map(|n| n.to_string()), "")
        }
        ParamKind::Number { min, max } => {
            range(min.map(|n| n.to_string()), max.map(|n| n.to_string()), "")
        }
        ParamKind::String { min, max } => {
            range(min.map(|n| n.to_string()), max.map(|n| n.to_string()), " characters")
        }
        _ => String::new(),
    }
}

/// Returns the Rust type of the method argument for a request parameter, such as `impl Into<String>`.
pub(crate) fn argument_type(param: &Param, paging: &Paging) -> TokenStream {
    value(param, paging).0
}

/// Returns true if the method argument for an integer parameter accepts any Rust integer type. These parameters are
/// offsets, and parameters whose maximum fits into an `i32`. Other integer parameters, except timestamps, have the
/// type `i64`, so that literals above `i32::MAX` compile.
fn is_count(param: &Param, paging: &Paging) -> bool {
    let is_bounded = matches!(param.kind, ParamKind::Integer { max: Some(max), .. } if i32::try_from(max).is_ok());
    is_bounded || matches!(paging, Paging::Offset { offset, .. } if *offset == param.name)
}

/// Returns the Rust type of the method argument for a request parameter, and the expression that converts the argument
/// to an `rt::Value`.
fn value(param: &Param, paging: &Paging) -> (TokenStream, TokenStream) {
    let ident = format_ident!("{}", param.ident);
    match &param.kind {
        ParamKind::String { .. } if param.convention == Some(Convention::Address) => {
            (quote!(impl Into<rt::Address>), quote!(Into::<rt::Address>::into(#ident)))
        }
        ParamKind::String { .. } => {
            (quote!(impl Into<String>), quote!(rt::Value::Text(#ident.into())))
        }

        ParamKind::Integer { .. } => match param.convention {
            Some(clock @ (Convention::UnixSeconds | Convention::UnixMillis)) => {
                let clock = format_ident!("{clock:?}");
                (quote!(impl Into<rt::#clock>), quote!(Into::<rt::#clock>::into(#ident)))
            }
            None if is_count(param, paging) => {
                (quote!(impl Into<rt::WholeNumber>), quote!(Into::<rt::WholeNumber>::into(#ident)))
            }
            _ => (quote!(i64), quote!(#ident)),
        },
        ParamKind::Number { .. } => (quote!(f64), quote!(#ident)),
        ParamKind::Boolean | ParamKind::Constant(_) => (quote!(bool), quote!(#ident)),

        ParamKind::Enum(name, _) => {
            let name = format_ident!("{name}");
            (quote!(impl Into<#name>), quote!(Into::<#name>::into(#ident)))
        }
        ParamKind::List { .. } => {
            (quote!(impl Into<rt::List>), quote!(rt::Value::List(#ident.into())))
        }
        ParamKind::Moment => {
            (quote!(impl Into<rt::Moment>), quote!(Into::<rt::Moment>::into(#ident)))
        }
        ParamKind::Bytes => (quote!(impl Into<rt::Bytes>), quote!(rt::Value::Bytes(#ident.into()))),
        ParamKind::Json(ty) => json_value(ty, &ident),
    }
}

fn json_value(ty: &Type, ident: &syn::Ident) -> (TokenStream, TokenStream) {
    match ty {
        Type::List(inner) => match &**inner {
            Type::String => (quote!(impl Into<rt::List>), quote!(rt::Value::List(#ident.into()))),
            Type::Any => {
                (quote!(impl Into<serde_json::Value>), quote!(rt::Value::Json(#ident.into())))
            }
            inner => {
                let inner = rust_type(inner);
                (
                    quote!(impl IntoIterator<Item = impl Into<#inner>>),
                    quote!(rt::Value::json(&#ident.into_iter().map(Into::<#inner>::into).collect::<Vec<_>>())),
                )
            }
        },

        Type::Named(name) | Type::Union(name) | Type::Enum(name) => {
            let name = format_ident!("{name}");
            (quote!(impl Into<#name>), quote!(rt::Value::json(&Into::<#name>::into(#ident))))
        }
        Type::Boxed(inner) | Type::Option(inner) => json_value(inner, ident),

        Type::Tuple(_) => {
            let ty = rust_type(ty);
            (quote!(#ty), quote!(rt::Value::json(&#ident)))
        }
        Type::Map(inner) if **inner != Type::Any => {
            let ty = rust_type(ty);
            (quote!(#ty), quote!(rt::Value::json(&#ident)))
        }
        _ => (quote!(impl Into<serde_json::Value>), quote!(rt::Value::Json(#ident.into()))),
    }
}

/// Returns the Rust type of an operation's decoded response.
fn answer(operation: &Operation) -> TokenStream {
    match &operation.answer {
        Answer::Rows { row, meta } => {
            let (row, meta) = (rust_type(row), format_ident!("{meta}"));
            quote!(rt::Envelope<Vec<#row>, #meta>)
        }
        Answer::One { data, meta } => {
            let (data, meta) = (rust_type(data), format_ident!("{meta}"));
            quote!(rt::Envelope<#data, #meta>)
        }
        Answer::Bare(ty) => rust_type(ty),
        Answer::Stream | Answer::Bytes | Answer::Empty => quote!(()),
    }
}

pub(super) fn cost(operation: &Operation) -> String {
    let tier = match &operation.tier {
        Some(tier) => format!("tier {tier}"),
        None => "tier not stated".to_owned(),
    };
    match &operation.price {
        Price::Free => "Free of charge.".to_owned(),
        Price::Credits(1) => format!("List price: 1 credit ({tier})."),
        Price::Credits(number) => format!("List price: {number} credits ({tier})."),
        Price::ByModel(_) => "The list price depends on the model.".to_owned(),
        Price::Unknown => "The list price is not published.".to_owned(),
    }
}

fn operation_docs(operation: &Operation) -> String {
    let mut text = operation.summary.clone();
    let mut part = |more: String| {
        if !more.trim().is_empty() {
            text.push_str("\n\n");
            text.push_str(more.trim());
        }
    };

    part(operation.doc.clone());
    for rule in &operation.rules {
        let list = |names: &[String]| {
            names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
        };
        part(match rule {
            Rule::AtLeastOne(names) => format!("At least one of {} must be given.", list(names)),
            Rule::ExactlyOne(names) => format!("Exactly one of {} must be given.", list(names)),
        });
    }

    if let Some(reason) = &operation.deprecated {
        part(format!("Deprecated: {reason}."));
    }
    if let Some(note) = &operation.note {
        part(format!("Assumed: {note}"));
    }

    let source = match operation.provenance {
        Provenance::InterfaceText => "the interface text",
        Provenance::PublishedDescription => "the published description",
        Provenance::Assumed => "assumptions",
    };
    part(format!(
        "`{} {}` · {} · Source: {source}.",
        operation.method,
        operation.path,
        cost(operation).trim_end_matches('.')
    ));
    text
}
