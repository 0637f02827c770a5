//! Runs the generator over the prepared description and takes the types out of its output.
//!
//! What is used of it: the type of every member of every record. Its request builders and their
//! bodies are not: they are half of its output, compile slowly, and cannot be given the client's
//! error and reply.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;

use openapiv3::OpenAPI;
use progenitor_impl::{GenerationSettings, Generator, InterfaceStyle, TypeImpl};
use serde_json::Value;
use serde_path_to_error::Segment;
use syn::visit_mut::{self, VisitMut};

use crate::fault::{Fault, Result};
use crate::schemas::{METHODS, escape};

/// The types of the generator's output.
#[derive(Debug, Default)]
pub struct Types {
    /// Structs by name: name on the wire and type of each field, in order.
    pub structs: BTreeMap<String, Vec<(String, syn::Type)>>,
    /// Names of the operations' methods.
    pub methods: BTreeSet<String>,
}

/// Types for a description that has passed [`crate::check::check`]. `named` are the components
/// that are written elsewhere.
pub fn lower(document: &Value, named: &BTreeSet<String>) -> Result<Types> {
    readable(document)?;
    let tokens = match run(document, named) {
        Ok(tokens) => tokens,
        Err(reason) => return Err(locate(document, named, reason)),
    };
    let file: syn::File = syn::parse2(tokens).map_err(|error| {
        Fault::at("", format!("the generator wrote code that does not parse: {error}"), HINT)
    })?;
    Ok(collect(file))
}

const HINT: &str = "please report this; an overlay that removes the place gets you further";

/// The generator's whole output in builder style for the same document, for comparison.
pub fn untreated(document: &Value) -> Result<proc_macro2::TokenStream> {
    let mut settings = GenerationSettings::new();
    settings.with_interface(InterfaceStyle::Builder);
    guarded(|| generate(document, &settings)).map_err(|reason| Fault::at("", reason, HINT))
}

/// Whether the generator's model of OpenAPI can hold the document.
fn readable(document: &Value) -> Result<()> {
    let Err(error) = serde_path_to_error::deserialize::<_, OpenAPI>(document) else {
        return Ok(());
    };
    let mut place = String::new();
    for segment in error.path() {
        match segment {
            Segment::Seq { index } => place.push_str(&format!("/{index}")),
            Segment::Map { key } => place.push_str(&format!("/{}", escape(key))),
            Segment::Enum { .. } | Segment::Unknown => {}
        }
    }
    let reason = error.inner().to_string();
    Err(Fault::at(place, reason, "compare this place with the OpenAPI specification"))
}

fn run(
    document: &Value,
    named: &BTreeSet<String>,
) -> std::result::Result<proc_macro2::TokenStream, String> {
    let mut settings = GenerationSettings::new();
    settings
        .with_interface(InterfaceStyle::Positional)
        .with_map_type("::std::collections::BTreeMap");
    for name in named {
        settings.with_replacement(name, format!("named::{name}"), [TypeImpl::Default].into_iter());
    }
    guarded(|| generate(document, &settings))
}

fn generate(
    document: &Value,
    settings: &GenerationSettings,
) -> std::result::Result<proc_macro2::TokenStream, String> {
    let description: OpenAPI =
        serde_json::from_value(document.clone()).map_err(|error| error.to_string())?;
    Generator::new(settings).generate_tokens(&description).map_err(|error| error.to_string())
}

/// The generator panics on what it does not expect. The checks before it know of the cases that
/// were found; this is for the others.
fn guarded<T>(
    work: impl FnOnce() -> std::result::Result<T, String>,
) -> std::result::Result<T, String> {
    quieten();
    QUIET.set(true);
    let outcome = catch_unwind(AssertUnwindSafe(work));
    QUIET.set(false);
    outcome.unwrap_or_else(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("no reason given");
        Err(format!("the generator gave up: {text}"))
    })
}

thread_local! {
    /// Whether a panic of this thread is caught and told as a fault.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Keeps caught panics off the terminal. The hook is of the whole process, so it is set once and
/// asks the thread; changing it back and forth would lose the panics of other threads.
fn quieten() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let loud = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if !QUIET.get() {
                loud(panic);
            }
        }));
    });
}

/// Finds the operation or schema that alone is too much for the generator.
fn locate(document: &Value, named: &BTreeSet<String>, reason: String) -> Fault {
    let mut bare = document.clone();
    bare["paths"] = serde_json::json!({});
    if run(&bare, named).is_ok() {
        for (path, item) in document["paths"].as_object().into_iter().flatten() {
            for method in METHODS {
                let Some(operation) = item.get(*method) else { continue };
                let mut one = bare.clone();
                one["paths"] = serde_json::json!({ path: { *method: operation } });
                if let Err(reason) = run(&one, named) {
                    return Fault::at(format!("/paths/{}/{method}", escape(path)), reason, HINT);
                }
            }
        }
    }
    let schemas = document.pointer("/components/schemas").and_then(Value::as_object);
    for (name, schema) in schemas.into_iter().flatten() {
        let mut one = bare.clone();
        // The others stay as anything, so that references still lead somewhere.
        for other in one["components"]["schemas"].as_object_mut().into_iter().flatten() {
            *other.1 = serde_json::json!({});
        }
        one["components"]["schemas"][name] = schema.clone();
        if let Err(reason) = run(&one, named) {
            return Fault::at(format!("/components/schemas/{}", escape(name)), reason, HINT);
        }
    }
    Fault::at("", reason, HINT)
}

fn collect(file: syn::File) -> Types {
    let mut types = Types::default();
    for item in file.items {
        match item {
            syn::Item::Mod(module) if module.ident == "types" => {
                for item in module.content.into_iter().flat_map(|(_, items)| items) {
                    one_type(item, &mut types);
                }
            }
            syn::Item::Impl(block) if block.trait_.is_none() && is_client(&block.self_ty) => {
                for member in block.items {
                    if let syn::ImplItem::Fn(method) = member
                        && method.sig.asyncness.is_some()
                    {
                        types.methods.insert(method.sig.ident.to_string());
                    }
                }
            }
            _ => {}
        }
    }
    types
}

fn is_client(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(path) if path.path.is_ident("Client"))
}

fn one_type(mut item: syn::Item, types: &mut Types) {
    Tidy.visit_item_mut(&mut item);
    if let syn::Item::Struct(item) = item {
        let fields =
            item.fields.iter().filter_map(|field| Some((wire_name(field)?, field.ty.clone())));
        types.structs.insert(item.ident.to_string(), fields.collect());
    }
}

/// The name in `#[serde(rename = "..")]`, or the field's own.
fn wire_name(field: &syn::Field) -> Option<String> {
    let mut name = field.ident.as_ref()?.to_string();
    for attribute in field.attrs.iter().filter(|attribute| attribute.path().is_ident("serde")) {
        // An argument of another form ends the scan; `rename` comes first.
        let _ = attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("rename") {
                name = meta.value()?.parse::<syn::LitStr>()?.value();
            } else if let Ok(value) = meta.value() {
                value.parse::<syn::Expr>()?;
            }
            Ok(())
        });
    }
    Some(name)
}

/// Paths as a person would write them: `Option<String>` for
/// `::std::option::Option<::std::string::String>`.
struct Tidy;

impl VisitMut for Tidy {
    fn visit_path_mut(&mut self, path: &mut syn::Path) {
        visit_mut::visit_path_mut(self, path);
        let first = path.segments.first().map(|segment| segment.ident.to_string());
        let short = match first.as_deref() {
            Some("std") => path.segments.last().is_some_and(|last| {
                ["Option", "Vec", "String", "Box", "BTreeMap"]
                    .iter()
                    .any(|short| last.ident == short)
            }),
            Some("named") => true,
            _ => false,
        };
        if short && let Some(last) = path.segments.pop() {
            path.leading_colon = None;
            path.segments = std::iter::once(last).collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::ToTokens;
    use serde_json::json;

    fn document(paths: Value, schemas: Value) -> Value {
        json!({"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": paths,
            "components": {"schemas": schemas}})
    }

    #[test]
    fn members_get_the_generators_types() {
        let document = document(
            json!({}),
            json!({
                "Chain": {"type": "string"},
                "S": {"type": "object", "required": ["a", "chain"], "properties": {
                    "a": {"type": "string"}, "b": {"type": "number", "format": "double"},
                    "chain": {"$ref": "#/components/schemas/Chain"},
                    "list": {"type": "array", "items": {"$ref": "#/components/schemas/S"}},
                    "map": {"type": "object", "additionalProperties": {"type": "integer", "format": "int64"}},
                    "any": {}, "object": {"type": "object"}}}
            }),
        );
        let types = lower(&document, &BTreeSet::from(["Chain".to_owned()])).unwrap();
        let fields: Vec<String> = types.structs["S"]
            .iter()
            .map(|(name, ty)| format!("{name}: {}", ty.to_token_stream()))
            .collect();
        insta::assert_snapshot!(fields.join("\n"));
    }

    #[test]
    fn a_panic_of_the_generator_is_a_fault_with_its_place() {
        let broken = json!({"get": {"operationId": "a", "responses": {"200": {"description": "",
            "content": {"application/json": {}}}}}});
        let fine = json!({"get": {"operationId": "b", "responses": {"204": {"description": ""}}}});
        let document = document(json!({"/broken": broken, "/fine": fine}), json!({}));
        let fault = lower(&document, &BTreeSet::new()).unwrap_err().to_string();
        assert!(fault.contains("at: #/paths/~1broken/get"), "{fault}");
    }

    #[test]
    fn what_is_not_openapi_is_a_fault() {
        let document = document(json!({}), json!({"S": {"type": "strin"}}));
        let fault = lower(&document, &BTreeSet::new()).unwrap_err().to_string();
        assert!(fault.contains("error: "), "{fault}");
    }
}
