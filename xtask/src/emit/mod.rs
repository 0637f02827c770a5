//! Writes the model as code: one file per tag, shared records, the catalogue and the record tables.

mod catalogue;
mod docs;
mod enums;
mod manifest;
mod records;
mod requests;
mod tables;

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::model::{Answer, Kind, Model, Operation, Type};

pub(crate) use docs::line;
pub use manifest::{FEATURES_BEGIN, FEATURES_END, features, manifest};

/// The module of types that several domains use.
const SHARED: &str = "shared";

/// Every generated source file by its name below `src/generated`, and what stands above each.
pub fn sources(model: &Model, header: &str) -> BTreeMap<String, String> {
    let homes = Homes::of(model);
    let mut files = BTreeMap::new();
    let mut file = |name: &str, doc: &str, body: String| {
        files.insert(format!("{name}.rs"), format!("//! {doc}\n//!\n{header}\n{body}"));
    };

    for tag in &model.tags {
        let operations: Vec<_> =
            model.operations.iter().filter(|op| op.module == tag.module).collect();
        let mut body = requests::methods(&operations);
        for operation in &operations {
            body.push_str(&requests::request(operation, model));
        }
        body.push_str(&types(model, &homes, &tag.module));
        body.insert_str(0, &imports(model, &homes, &tag.module, &operations, &body));
        file(&tag.module, &docs::line(&format!("{}: {}", tag.name, tag.doc)), body);
    }

    let mut body = types(model, &homes, SHARED);
    body.insert_str(0, &imports(model, &homes, SHARED, &[], &body));
    file(SHARED, "Records and enums that several domains use.", body);
    file("catalogue", "The catalogue: one row per operation.", catalogue::catalogue(model));
    file(
        "tables",
        "The members of every record, for programs that know records only at run time.",
        tables::tables(model),
    );

    file(
        "round_trip",
        "Decoding and encoding records by name, for tests.",
        tables::round_trip(model, &homes),
    );
    file("mod", "The generated client: one module per tag.", module_list(model));

    files
}

fn module_list(model: &Model) -> String {
    let modules = model.tags.iter().map(|tag| {
        let (feature, module) = (tag.feature(), format_ident!("{}", tag.module));
        quote!(#[cfg(feature = #feature)] pub mod #module;)
    });
    pretty(quote! {
        pub mod catalogue;
        pub mod shared;
        #[cfg(feature = "round-trip")]
        pub mod round_trip;
        #[cfg(feature = "tables")]
        pub mod tables;
        #(#modules)*
    })
}

/// In which module each record and enum is written.
pub(crate) struct Homes(BTreeMap<String, String>);

impl Homes {
    fn of(model: &Model) -> Self {
        let mut users: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for operation in &model.operations {
            for param in &operation.params {
                let names = match &param.kind {
                    Kind::Enum(name, _) => vec![name.clone()],
                    Kind::Json(ty) => ty.names().into_iter().map(str::to_owned).collect(),
                    _ => Vec::new(),
                };
                for name in names {
                    users.entry(name).or_default().insert(operation.module.clone());
                }
            }
        }

        for record in model.records.values() {
            users.entry(record.name.clone()).or_default().extend(record.used_by.iter().cloned());
            for name in record.fields.iter().flat_map(|field| field.ty.names()) {
                users.entry(name.to_owned()).or_default().extend(record.used_by.iter().cloned());
            }
        }

        Homes(
            users
                .into_iter()
                .map(|(name, modules)| {
                    let home = match modules.len() {
                        1 => modules.into_iter().next().unwrap_or_default(),
                        _ => SHARED.to_owned(),
                    };
                    (name, home)
                })
                .collect(),
        )
    }

    fn is(&self, name: &str, module: &str) -> bool {
        self.0.get(name).is_some_and(|home| home == module)
    }
}

/// Records and enums whose home is `module`.
fn types(model: &Model, homes: &Homes, module: &str) -> String {
    let records =
        model.records.values().filter(|record| !record.native && homes.is(&record.name, module));
    let records: String = records.map(|record| records::record(record, model)).collect();
    let enums = model.enums.values().filter(|open| !open.native && homes.is(&open.name, module));
    records + &enums.map(enums::open_enum).collect::<String>()
}

/// `use` lines for what the body of `module` names.
fn imports(
    model: &Model,
    homes: &Homes,
    module: &str,
    operations: &[&Operation],
    body: &str,
) -> String {
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for operation in operations {
        for param in &operation.params {
            match &param.kind {
                Kind::Enum(name, _) => {
                    names.insert(name);
                }
                Kind::Json(ty) => names.extend(ty.names()),
                _ => {}
            }
        }

        match &operation.answer {
            Answer::Rows { row: ty, meta } | Answer::One { data: ty, meta } => {
                names.extend(ty.names());
                names.insert(meta);
            }
            Answer::Bare(ty) => names.extend(ty.names()),
            Answer::Stream | Answer::Empty => {}
        }
    }

    let records =
        model.records.values().filter(|record| !record.native && homes.is(&record.name, module));
    names.extend(records.flat_map(|record| &record.fields).flat_map(|field| field.ty.names()));
    let natives = names
        .iter()
        .filter(|name| model.natives.contains(**name))
        .map(|name| format_ident!("{name}"));
    let natives: Vec<_> = natives.collect();
    let shared = names.iter().filter(|name| {
        module != SHARED && !model.natives.contains(**name) && homes.is(name, SHARED)
    });
    let shared: Vec<_> = shared.map(|name| format_ident!("{name}")).collect();
    let mut uses = TokenStream::new();

    if body.contains("BTreeMap<") {
        uses.extend(quote!(
            use std::collections::BTreeMap;
        ));
    }

    if body.contains("rt::") {
        uses.extend(quote!(
            use crypto_intel_core as rt;
        ));
    }

    if !natives.is_empty() {
        uses.extend(quote!(use crypto_intel_core::{#(#natives),*};));
    }
    if !shared.is_empty() {
        uses.extend(quote!(use super::shared::{#(#shared),*};));
    }

    if !operations.is_empty() {
        uses.extend(quote!(
            use super::catalogue;
        ));
    }

    pretty(uses) + "\n"
}

/// Items as the formatter writes them.
pub(crate) fn pretty(items: TokenStream) -> String {
    // Every name was checked by `check::names`, the rest of the tokens is made by this crate.
    let file: syn::File = syn::parse2(items.clone())
        .unwrap_or_else(|error| panic!("generated items do not parse: {error}\n{items}"));
    prettyplease::unparse(&file)
}

/// A JSON type as a type of the generated code.
pub(crate) fn rust_type(ty: &Type) -> TokenStream {
    match ty {
        Type::String => quote!(String),
        Type::Integer => quote!(i64),
        Type::Number => quote!(f64),
        Type::Boolean => quote!(bool),
        Type::Any => quote!(serde_json::Value),
        Type::Enum(name) | Type::Named(name) => {
            let name = format_ident!("{name}");
            quote!(#name)
        }
        Type::List(inner) => {
            let inner = rust_type(inner);
            quote!(Vec<#inner>)
        }
        Type::Map(inner) if **inner == Type::Any => {
            quote!(serde_json::Map<String, serde_json::Value>)
        }
        Type::Map(inner) => {
            let inner = rust_type(inner);
            quote!(BTreeMap<String, #inner>)
        }
    }
}

/// A JSON type as a row of the record tables.
pub(crate) fn type_row(ty: &Type, model: &Model) -> TokenStream {
    match ty {
        Type::String => quote!(rt::Type::String),
        Type::Integer => quote!(rt::Type::Integer),
        Type::Number => quote!(rt::Type::Number),
        Type::Boolean => quote!(rt::Type::Boolean),
        Type::Any => quote!(rt::Type::Any),
        Type::Enum(name) => {
            let values = model.enums.get(name).into_iter().flat_map(|open| &open.variants);
            let values = values.map(|(value, _)| value);
            quote!(rt::Type::Enum(&[#(#values),*]))
        }
        Type::Named(name) if name == "UnixSeconds" => quote!(rt::Type::UnixSeconds),
        Type::Named(name) if name == "UnixMillis" => quote!(rt::Type::UnixMillis),
        Type::Named(name) => quote!(rt::Type::Record(#name)),
        Type::List(inner) => {
            let inner = type_row(inner, model);
            quote!(rt::Type::List(&#inner))
        }
        Type::Map(inner) => {
            let inner = type_row(inner, model);
            quote!(rt::Type::Map(&#inner))
        }
    }
}
