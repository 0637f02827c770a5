//! Writes the generated Rust files: one module per tag, the shared records, the catalogue of operations, and the record
//! tables.

mod catalogue;
mod docs;
mod enums;
mod index;
mod literal;
mod manifest;
mod openapi;
mod overview;
mod records;
pub mod reference;
mod requests;
mod samples;
mod tables;
mod unions;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};

use proc_macro2::TokenStream;
use quote::{format_ident, quote};

use crate::model::{Answer, Model, Operation, Param, ParamKind, Tag, Type};
use index::Index;

pub(crate) use docs::line;
pub use manifest::{FEATURES_BEGIN, FEATURES_END, MANIFEST_MARK, features, manifest};
pub use openapi::openapi;
pub(crate) use records::field_type;
pub(crate) use requests::argument_type;

/// Name of the generated module with types that several API domains use.
const SHARED: &str = "shared";

/// Generates the Rust source files for `crates/api/src/generated`. Returns a map from the name of each file, such as
/// `shared.rs`, to the text of the file. `header` is added to the doc comment at the top of each file.
pub fn sources(model: &Model, header: &str) -> BTreeMap<String, String> {
    let (homes, index) = (Homes::new(model), Index::new(model));
    // The largest file is generated first, so that no CPU core is idle at the end.
    let mut parts =
        vec![Part::Catalogue, Part::Tables, Part::Shared, Part::RoundTrip, Part::Modules];
    parts.extend(model.tags.iter().map(Part::Domain));
    side_by_side(&parts, |part| {
        let (name, doc, body) = part.source(model, &homes, &index);
        (format!("{name}.rs"), format!("//! {doc}\n//!\n{header}\n{body}"))
    })
}

/// A generated source file.
enum Part<'a> {
    Domain(&'a Tag),
    Shared,
    Catalogue,
    Tables,
    RoundTrip,
    Modules,
}

impl Part<'_> {
    /// Generates this source file. Returns the file's name without `.rs`, its doc comment, and its Rust code.
    fn source(&self, model: &Model, homes: &Homes, index: &Index) -> (&str, String, String) {
        let (name, doc, body) = match self {
            Part::Domain(tag) => {
                let doc = docs::line(&format!("{}: {}", tag.name, tag.doc));
                let doc = format!("{doc}\n{}", overview::requests(tag, model).trim_end());
                return (&tag.module, doc, domain(tag, model, homes, index));
            }
            Part::Shared => {
                let body = types(model, homes, index, SHARED);
                let body = imports(model, homes, SHARED, &[], &body) + &body;
                (SHARED, "Records and enums that several domains use.", body)
            }

            Part::Catalogue => {
                let body = catalogue::catalogue(model, homes);
                ("catalogue", "The catalogue: one row per operation.", body)
            }
            Part::Tables => {
                let doc =
                    "The fields of every record, for programs that choose records at run time.";
                ("tables", doc, tables::tables(model))
            }
            Part::RoundTrip => {
                let body = tables::round_trip(model, homes);
                ("round_trip", "Decoding and encoding records by name, for tests.", body)
            }
            Part::Modules => {
                ("mod", "The generated client: one module per tag.", module_list(model))
            }
        };

        (name, doc.to_owned(), body)
    }
}

/// Runs a function for each item, on all CPU cores in parallel.
fn side_by_side<T: Sync>(
    items: &[T],
    work: impl Fn(&T) -> (String, String) + Sync,
) -> BTreeMap<String, String> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            done.push(work(item));
        }
        done
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from).min(items.len());
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..cores).map(|_| scope.spawn(worker)).collect();
        let mut done = worker();
        for other in others {
            match other.join() {
                Ok(more) => done.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done.into_iter().collect()
    })
}

fn domain(tag: &Tag, model: &Model, homes: &Homes, index: &Index) -> String {
    let operations: Vec<_> = model.operations.iter().filter(|op| op.module == tag.module).collect();
    let mut body = requests::methods(tag, &operations, model);
    for operation in &operations {
        body.push_str(&requests::request(operation, model, index));
    }
    body.push_str(&types(model, homes, index, &tag.module));
    imports(model, homes, &tag.module, &operations, &body) + &body
}

fn module_list(model: &Model) -> String {
    let modules = model.tags.iter().map(|tag| {
        let (feature, module) = (tag.feature(), format_ident!("{}", tag.module));
        (
            quote!(#[cfg(feature = #feature)] pub mod #module;),
            quote!(#[cfg(feature = #feature)] pub use super::#module;),
        )
    });
    let (modules, domains): (Vec<_>, Vec<_>) = modules.unzip();
    pretty(quote! {
        pub mod catalogue;
        pub mod shared;
        #[cfg(feature = "round-trip")]
        pub mod round_trip;
        #[cfg(feature = "tables")]
        pub mod tables;
        #(#modules)*
        /// The modules for users, without the catalogue, the record tables and the test helpers.
        /// The client re-exports them at its root.
        pub mod domains {
            pub use super::shared;
            #(#domains)*
        }
    })
}

/// Map from each record, union and enum to the generated module that defines it.
pub(crate) struct Homes {
    modules: BTreeMap<String, String>,
}

/// Returns the names of the records, unions and enums that an operation mentions in its parameters or its response.
pub(crate) fn named(operation: &Operation) -> BTreeSet<&str> {
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for param in &operation.params {
        match &param.kind {
            ParamKind::Enum(name, _) => {
                names.insert(name);
            }
            ParamKind::Json(ty) => names.extend(ty.names()),
            _ => {}
        }
    }
    match &operation.answer {
        Answer::Rows { row: ty, meta } | Answer::One { data: ty, meta } => {
            names.extend(ty.names());
            names.insert(meta);
        }
        Answer::Bare(ty) => names.extend(ty.names()),
        Answer::Stream | Answer::Bytes | Answer::Empty => {}
    }
    names
}

impl Homes {
    pub(crate) fn new(model: &Model) -> Self {
        let mut users: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for operation in &model.operations {
            for name in named(operation) {
                users.entry(name.to_owned()).or_default().insert(operation.module.clone());
            }
        }

        let records = model.records.values().map(|record| {
            let held = record.fields.iter().flat_map(|field| field.ty.names());
            (&record.name, &record.used_by, held.collect::<Vec<_>>())
        });
        let unions = model.unions.values().map(|union| {
            let held = union.shapes.iter().flat_map(|shape| shape.ty.names());
            (&union.name, &union.used_by, held.collect::<Vec<_>>())
        });
        for (name, used_by, held) in records.chain(unions) {
            users.entry(name.clone()).or_default().extend(used_by.iter().cloned());
            for name in held {
                users.entry(name.to_owned()).or_default().extend(used_by.iter().cloned());
            }
        }

        let home = |modules: BTreeSet<String>| match modules.len() {
            1 => modules.into_iter().next().unwrap_or_default(),
            _ => SHARED.to_owned(),
        };
        let modules = users.into_iter().map(|(name, modules)| (name, home(modules))).collect();
        Homes { modules }
    }

    /// Returns the generated module in which a record, union or enum is defined.
    pub(crate) fn of_name(&self, name: &str) -> Option<&str> {
        self.modules.get(name).map(String::as_str)
    }

    fn is(&self, name: &str, module: &str) -> bool {
        self.modules.get(name).is_some_and(|home| home == module)
    }
}

/// Writes the records, unions and enums of a generated module.
fn types(model: &Model, homes: &Homes, index: &Index, module: &str) -> String {
    let records =
        model.records.values().filter(|record| !record.native && homes.is(&record.name, module));
    let records: String = records.map(|record| records::record(record, model, index)).collect();
    let unions = model.unions.values().filter(|union| homes.is(&union.name, module));
    let records = records + &unions.map(|union| unions::union(union, model)).collect::<String>();
    let enums = model.enums.values().filter(|open| !open.native && homes.is(&open.name, module));
    records + &enums.map(enums::open_enum).collect::<String>()
}

/// Writes the `use` declarations of a generated module. `body` is the module's code without these declarations.
fn imports(
    model: &Model,
    homes: &Homes,
    module: &str,
    operations: &[&Operation],
    body: &str,
) -> String {
    let mut names: BTreeSet<&str> =
        operations.iter().flat_map(|operation| named(operation)).collect();
    let records =
        model.records.values().filter(|record| !record.native && homes.is(&record.name, module));
    names.extend(records.flat_map(|record| &record.fields).flat_map(|field| field.ty.names()));
    let unions = model.unions.values().filter(|union| homes.is(&union.name, module));
    names.extend(unions.flat_map(|union| &union.shapes).flat_map(|shape| shape.ty.names()));
    let runtime_types = names
        .iter()
        .filter(|name| model.runtime_types.contains(**name))
        .map(|name| format_ident!("{name}"));
    let runtime_types: Vec<_> = runtime_types.collect();
    let shared = names.iter().filter(|name| {
        module != SHARED && !model.runtime_types.contains(**name) && homes.is(name, SHARED)
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

    if !runtime_types.is_empty() {
        uses.extend(quote!(use crypto_intel_core::{#(#runtime_types),*};));
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

/// Formats Rust items as source text.
pub(crate) fn pretty(items: TokenStream) -> String {
    // `check::names` has validated all names from the document, and this crate creates all other tokens.
    let file: syn::File = syn::parse2(items.clone())
        .unwrap_or_else(|error| panic!("generated items do not parse: {error}\n{items}"));
    prettyplease::unparse(&file)
}

/// Returns true if the type of the parameter is an enum, and the operation accepts only some values of this enum.
/// Returns false for an enum of the runtime crate, because its values are not in `model`.
pub(crate) fn fewer(param: &Param, model: &Model) -> bool {
    let ParamKind::Enum(name, values) = &param.kind else { return false };
    let open = model.enums.get(name).filter(|open| !open.native);
    open.is_some_and(|open| open.variants.iter().any(|(value, _)| !values.contains(value)))
}

/// Returns the Rust type that generated code uses for a JSON type.
pub(crate) fn rust_type(ty: &Type) -> TokenStream {
    match ty {
        Type::String => quote!(String),
        Type::Integer => quote!(i64),
        Type::Wide => quote!(i128),
        Type::Number => quote!(f64),
        Type::Exact => quote!(rt::Number),
        Type::Boolean => quote!(bool),
        Type::Any => quote!(rt::Json),

        Type::Enum(name) | Type::Named(name) | Type::Union(name) => {
            let name = format_ident!("{name}");
            quote!(#name)
        }

        Type::Option(inner) => {
            let inner = rust_type(inner);
            quote!(Option<#inner>)
        }
        Type::Boxed(inner) => {
            let inner = rust_type(inner);
            quote!(Box<#inner>)
        }

        Type::Tuple(places) => {
            let places = places.iter().map(rust_type);
            quote!((#(#places,)*))
        }
        Type::List(inner) => {
            let inner = rust_type(inner);
            quote!(Vec<#inner>)
        }
        Type::Map(inner) if **inner == Type::Any => {
            quote!(rt::JsonObject)
        }
        Type::Map(inner) => {
            let inner = rust_type(inner);
            quote!(BTreeMap<String, #inner>)
        }
    }
}

/// Writes the `rt::Type` value that describes a JSON type in the generated catalogue and in the generated table of
/// record fields.
pub(crate) fn type_row(ty: &Type, model: &Model) -> String {
    let row = match ty {
        Type::String => "String".to_owned(),
        Type::Integer | Type::Wide => "Integer".to_owned(),
        Type::Number | Type::Exact => "Number".to_owned(),
        Type::Boolean => "Boolean".to_owned(),
        // The tables cannot express unions and tuples exactly.
        Type::Any | Type::Union(_) | Type::Tuple(_) => "Any".to_owned(),
        Type::Enum(name) => {
            let values = model.enums.get(name).into_iter().flat_map(|open| &open.variants);
            format!("Enum({})", literal::list(values.map(|(value, _)| literal::text(value))))
        }
        Type::Named(name) if name == "UnixSeconds" || name == "UnixMillis" => name.clone(),
        Type::Named(name) => format!("Record({name:?})"),
        Type::Option(inner) | Type::Boxed(inner) => return type_row(inner, model),
        Type::List(inner) => format!("List(&{})", type_row(inner, model)),
        Type::Map(inner) => format!("Map(&{})", type_row(inner, model)),
    };
    format!("rt::Type::{row}")
}
